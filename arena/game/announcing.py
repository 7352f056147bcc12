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
    catalogue = game.catalogue
    actions = tuple([catalogue.actions[side] for side in catalogue.sides[card]])
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
    if game.players[seat].hooks & PLAY_AS.mask:
        for card in game.players[seat].hand:
            for action in actions_of(game, seat, card):
                cards.setdefault(action, []).append(card)
    elif game.doubles:
        actions, sides = game.catalogue.actions, game.catalogue.sides
        for card in game.players[seat].hand:
            for side in sides[card]:
                cards.setdefault(actions[side], []).append(card)
    else:
        actions = game.catalogue.actions
        for card in game.players[seat].hand:
            cards.setdefault(actions[card], []).append(card)
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
    plain = not game.players[seat].hooks & INSTEAD.mask
    crew = crew_by_action(game, seat)
    for action in LEADABLE:
        own = cards.get(action, ())
        if not own and (not wilds or action == BARTER):
            continue
        for name in (ACTIONS[action],) if plain else done_as(game, seat, action):
            for card in own:
                options += announcements("lead", name, card, 0, 1 + crew[action])
            if not own:
                for first, second in wilds:
                    options += announcements("lead", name, first, second, 1 + crew[action])
    if game.players[seat].hooks & LEAD_OPTIONS.mask:
        for card, listener in game.listening(LEAD_OPTIONS, seat):
            options += [added for added in listener(game, seat, card) if added not in options]
    return options


def follow_options(game: Game, seat: int, action: int) -> list[Option]:
    """R4.2 and R4.3: a card of the led action, or a wild if there is none in hand (Q13), or a draw."""
    options = [DRAW]
    if game.players[seat].hooks & PLAY_AS.mask:
        own = playable(game, seat).get(action, [])
    elif game.doubles:
        actions, sides = game.catalogue.actions, game.catalogue.sides
        own = [card for card in game.players[seat].hand for side in sides[card] if actions[side] == action]
    else:
        actions = game.catalogue.actions
        own = [card for card in game.players[seat].hand if actions[card] == action]
    fitting = own
    if game.players[seat].hooks & FOLLOW_CARDS.mask:
        fitting = game.query(FOLLOW_CARDS, seat, own)
    wilds = [] if fitting or action == BARTER else pairs(game, seat)
    if fitting or wilds:
        most = 1 + count_crew(game, seat, action)
        plain = not game.players[seat].hooks & INSTEAD.mask
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
    if game.players[seat].hooks & FOLLOW_OPTIONS.mask:
        for card, listener in game.listening(FOLLOW_OPTIONS, seat):
            options += [added for added in listener(game, seat, card, action) if added not in options]
    return options


def crew_options(game: Game, seat: int, action: int) -> list[Option]:
    """After a draw: 0 up to the number of matching Crew (R4.3)."""
    crew = count_crew(game, seat, action)
    options = [number("crew", 0)]
    if crew:
        first, *others = done_as(game, seat, action)
        options += [number("crew", count) for count in range(1, crew + 1)]
        options += [Option("crew", name, amount=count) for name in others for count in range(1, crew + 1)]
        assert first == ACTIONS[action]
    if action != BARTER and "capital" in game.options.sets:  # instead of the led action (R16.5)
        name = f"{ACTIONS[action]}/{ACTIONS[BARTER]}"
        bartering = range(1, 1 + count_crew(game, seat, BARTER))
        options += [Option("crew", name, amount=count) for count in bartering]
    return options


def play(game: Game, seat: int, chosen: Option, action: int) -> None:
    """Put the played cards onto the Port (Q20) and announce; nothing is performed yet (R4.4).

    `action` is the led one; the player may have said to do another one instead of it.
    """
    player = game.players[seat]
    cards: tuple[int, ...] = ()
    if chosen.card:
        cards = (chosen.card, chosen.other) if chosen.other else (chosen.card,)
        for card in cards:
            from_hand(game, seat, card)
        player.played += cards
    player.announced = chosen.amount
    player.doing = ACTION_OF[chosen.name.partition("/")[2]] if "/" in chosen.name else action
    if chosen.amount:
        ids = game.catalogue.ids
        game.emit(
            chosen.verb,
            seat=seat,
            action=ACTIONS[action],
            doing=ACTIONS[player.doing],
            cards=[ids[card] for card in cards],
            count=chosen.amount,
        )
