"""What Goods count as, and the Levels they give (R9.3, R16.7, P22)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.game.hooks import CREW_AS, CREW_CARDS, CREW_COUNT, GOODS_COUNT, LEVELS
from arena.game.terms import ACTIONS, CAPITAL, FIVE

if TYPE_CHECKING:
    from arena.game.game import Game

CREW_HOOKS = CREW_AS.mask | CREW_CARDS.mask | CREW_COUNT.mask


def good_types(game: Game, seat: int) -> list[int]:
    """The type of each card in the Goods area."""
    return row_types(game, game.players[seat].goods)


def row_types(game: Game, goods: tuple[int, ...]) -> list[int]:
    """The type of each card in a row of Goods; Capital Goods copy the leftmost other one, else -1 (R16.7)."""
    colors = game.catalogue.colors
    types = [colors[card] for card in goods]
    if CAPITAL in types:
        leftmost = next((kind for kind in types if kind != CAPITAL), -1)
        types = [leftmost if kind == CAPITAL else kind for kind in types]
    return types


def count_goods(game: Game, seat: int) -> list[int]:
    """Goods by type, wherever Goods of a type are counted or checked."""
    counts = [0] * len(FIVE)
    for kind in row_types(game, game.players[seat].goods):
        if kind >= 0:
            counts[kind] += 1
    if game.players[seat].hooks & GOODS_COUNT.mask:
        counts = game.query(GOODS_COUNT, seat, counts)
    return counts


def levels(game: Game, seat: int) -> list[int]:
    """Levels by type: each own Good, and the own Port, is one of its type (R9.3).

    The last entry is for Capital prerequisites: Goods of any type, and the grey Port (R16.8).
    """
    player = game.players[seat]
    found = [*count_goods(game, seat), len(player.goods)]
    if player.port != CAPITAL or "capital" in game.options.sets:  # Q5
        found[player.port] += 1
    if player.hooks & LEVELS.mask:
        found = game.query(LEVELS, seat, found)
    return found


def missing_levels(game: Game, card: int, found: list[int]) -> int:
    """How many Levels are missing to place `card`, each colour by itself (Q47); `found` is from `levels`."""
    missing = 0
    for kind, needed in game.catalogue.levels[card]:
        if needed > found[kind]:
            missing += needed - found[kind]
    return missing


def crew_cards(game: Game, seat: int) -> tuple[int, ...]:
    """The Crew cards of a player, wherever Crew is counted; borrowed ones included (P37)."""
    crew = game.players[seat].crew
    if game.players[seat].hooks & CREW_CARDS.mask:
        crew = game.query(CREW_CARDS, seat, crew)
    return crew


def count_crew(game: Game, seat: int, action: int) -> int:
    """How many actions of this kind the Crew may add when announcing (R3.4, P37)."""
    player = game.players[seat]
    if player.hooks & CREW_HOOKS:
        return _count_by_powers(game, seat, action)
    actions, marks = game.catalogue.actions, game.marks
    count = player.virtual_crew.count(action)
    for card in player.crew:
        if (marks.get(card, actions[card]) if marks else actions[card]) == action:
            count += 1
    return count


def _count_by_powers(game: Game, seat: int, action: int) -> int:
    kinds = [crew_action(game, card) for card in crew_cards(game, seat)]
    kinds += game.players[seat].virtual_crew
    return sum(
        game.query(CREW_COUNT, seat, kinds.count(kind), kind) for kind in game.query(CREW_AS, seat, (action,))
    )


def crew_by_action(game: Game, seat: int) -> list[int]:
    """The same for each action, by its number."""
    player = game.players[seat]
    if player.hooks & CREW_HOOKS:
        return [count_crew(game, seat, action) for action in range(len(ACTIONS))]
    counts = [0] * len(ACTIONS)
    for card in player.crew:
        counts[crew_action(game, card)] += 1
    for action in player.virtual_crew:
        counts[action] += 1
    return counts


def crew_action(game: Game, card: int) -> int:
    """The action of a Crew card: its own, or the one that it was made Crew for (Unpasteurized Cheese)."""
    return game.marks.get(card, game.catalogue.actions[card])


def crew_of(game: Game, seat: int, action: int) -> list[int]:
    """The Crew cards that count for an action; what is Crew but no card is left out (P37)."""
    kinds = game.query(CREW_AS, seat, (action,))
    return [card for card in crew_cards(game, seat) if crew_action(game, card) in kinds]


def is_type(game: Game, card: int, kind: int) -> bool:
    """Whether a card in a hand, in a pile or on the Island is of this type; a double card is of both (P23)."""
    return bool(game.catalogue.masks[card] >> kind & 1)
