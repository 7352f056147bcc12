"""Leading and following: which cards may be played, for which action, and how many actions (R3.4, R3.5, R4)."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from arena.game.choices import DRAW, Option, announcements, number
from arena.game.goods import count_crew, crew_by_action
from arena.game.hooks import FOLLOW_CARDS, FOLLOW_OPTIONS, INSTEAD, LEAD_OPTIONS, PLAY_AS
from arena.game.moves import from_hand
from arena.game.terms import ACTION_OF, ACTIONS, BARTER, FIVE

if TYPE_CHECKING:
    from arena.game.game import Game

LEADABLE = (*FIVE, BARTER)
"""The actions that can be led, in the order of their options; a wild is never one for Barter (R16.6)."""


def actions_of(game: Game, seat: int, card: int) -> tuple[int, ...]:
    """The actions that a card in hand can be played for: its own, of a double card both, and what powers add."""
    actions = game.catalogue.uses[card]
    if game.players[seat].hooks & PLAY_AS.mask:
        actions = game.query(PLAY_AS, seat, actions)
    return actions


def done_as(game: Game, seat: int, action: int) -> list[str]:
    """The words for announcing `action`: itself, and what may be done instead of it (Chopsticks)."""
    name = ACTIONS[action]
    names = [name]
    if game.players[seat].hooks & INSTEAD.mask:
        names += [f"{name}/{ACTIONS[other]}" for other in game.query(INSTEAD, seat, (), action)]
    return names


def playable(game: Game, seat: int) -> dict[int, list[int]]:
    """For each action the cards of the hand that can be played for it, by card number."""
    cards: dict[int, list[int]] = {}
    uses = game.catalogue.uses
    plain = not game.players[seat].hooks & PLAY_AS.mask
    for card in game.players[seat].hand:
        for action in uses[card] if plain else actions_of(game, seat, card):
            cards.setdefault(action, []).append(card)
    return cards


def pairs(game: Game, seat: int) -> list[tuple[int, int]]:
    """Two cards of one colour: a wild for an action of which the hand has no card (R3.5, Q14, P23)."""
    masks = game.catalogue.masks
    return [
        (first, second)
        for first, second in combinations(game.players[seat].hand, 2)
        if masks[first] & masks[second]
    ]


def lead_options(game: Game, seat: int) -> list[Option]:
    """A, or each card with each number of actions (R3.4); card and number are one decision (Q98)."""
    options = [DRAW]
    cards = playable(game, seat)
    wilds = [] if len(cards) >= len(FIVE) and BARTER not in cards else pairs(game, seat)
    hooks = game.players[seat].hooks
    plain = not hooks & INSTEAD.mask
    crew = crew_by_action(game, seat)
    for action in LEADABLE:
        own = cards.get(action, ())
        if not own and (not wilds or action == BARTER):
            continue
        most = 1 + crew[action]
        for name in (ACTIONS[action],) if plain else done_as(game, seat, action):
            for card in own:
                options += announcements("lead", name, card, 0, most)
            if not own:
                for first, second in wilds:
                    options += announcements("lead", name, first, second, most)
    if hooks & LEAD_OPTIONS.mask:
        for card, listener in game.listening(LEAD_OPTIONS, seat):
            options += [added for added in listener(game, seat, card) if added not in options]
    return options


def follow_options(game: Game, seat: int, action: int) -> list[Option]:
    """R4.2 and R4.3: a card of the led action, or a wild if there is none in hand (Q13), or a draw."""
    options = [DRAW]
    player = game.players[seat]
    hooks = player.hooks
    if hooks & PLAY_AS.mask:
        own = playable(game, seat).get(action, [])
    else:
        uses = game.catalogue.uses
        own = [card for card in player.hand if action in uses[card]]
    fitting = own
    if hooks & FOLLOW_CARDS.mask:
        fitting = game.query(FOLLOW_CARDS, seat, own)
    wilds = [] if fitting or action == BARTER else pairs(game, seat)
    if fitting or wilds:
        most = 1 + count_crew(game, seat, action)
        plain = not hooks & INSTEAD.mask
        for name in (ACTIONS[action],) if plain else done_as(game, seat, action):
            for card in fitting if name == ACTIONS[action] else own:
                options += announcements("follow", name, card, 0, most)
            for first, second in wilds:
                options += announcements("follow", name, first, second, most)
    if action != BARTER and "capital" in game.options.sets:  # R16.5, Q73
        crew = count_crew(game, seat, BARTER)
        if crew:
            name = f"{ACTIONS[action]}/{ACTIONS[BARTER]}"
            for card in playable(game, seat).get(BARTER, ()):
                options += announcements("follow", name, card, 0, 1 + crew)
    if hooks & FOLLOW_OPTIONS.mask:
        for card, listener in game.listening(FOLLOW_OPTIONS, seat):
            options += [added for added in listener(game, seat, card, action) if added not in options]
    return options


def crew_options(game: Game, seat: int, action: int) -> list[Option]:
    """After a draw: 0 up to the number of matching Crew (R4.3)."""
    options = [number("crew", 0)]
    crew = count_crew(game, seat, action)
    if crew:
        _, *others = done_as(game, seat, action)
        for name in ("", *others):
            options += announcements("crew", name, 0, 0, crew)
    if action != BARTER and "capital" in game.options.sets:  # instead of the led action (R16.5)
        crew = count_crew(game, seat, BARTER)
        if crew:
            options += announcements("crew", f"{ACTIONS[action]}/{ACTIONS[BARTER]}", 0, 0, crew)
    return options


def play(game: Game, seat: int, chosen: Option, action: int) -> None:
    """Put the played cards onto the Port (Q20) and announce; nothing is performed yet (R4.4).

    `action` is the led one; the player may have said to do another one instead of it.
    """
    player = game.players[seat]
    name, count, first, second = chosen.name, chosen.amount, chosen.card, chosen.other
    cards = (first, second) if second else (first,) if first else ()
    for card in cards:
        from_hand(game, seat, card)
    player.played += cards
    player.announced = count
    player.doing = ACTION_OF[name.partition("/")[2]] if "/" in name else action
    if count:
        ids = game.catalogue.ids
        game.emit(
            chosen.verb,
            seat=seat,
            action=ACTIONS[action],
            doing=ACTIONS[player.doing],
            cards=[ids[card] for card in cards],
            count=count,
        )
