"""Limits of Crew and Goods (R6), as powers change them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.game.hooks import CREW_LIMIT, GOODS_PLACES

if TYPE_CHECKING:
    from arena.game.game import Game


def crew_limit(game: Game, seat: int, gone: int = 0) -> int:
    """R6.1; `gone` is a fulfilled contract that counts no more, 0 for none (P6)."""
    player = game.players[seat]
    limit = player.contracts - (gone > 0)
    if player.hooks & CREW_LIMIT.mask:
        limit = game.query(CREW_LIMIT, seat, limit, gone)
    return limit


def goods_places(game: Game, seat: int, goods: tuple[int, ...]) -> int:
    """How many places of the Goods limit this row of Goods takes: one each, but for Scotch."""
    places = len(goods)
    if game.players[seat].hooks & GOODS_PLACES.mask:
        places = game.query(GOODS_PLACES, seat, places, goods)
    return places


def crew_room(game: Game, seat: int, gone: int = 0) -> bool:
    """Whether a further Crew card fits (R6.1)."""
    return len(game.players[seat].crew) < crew_limit(game, seat, gone)


def goods_room(game: Game, seat: int, *cards: int, gone: int = 0) -> bool:
    """Whether these cards fit into the Goods together (R6.2)."""
    player = game.players[seat]
    return goods_places(game, seat, (*player.goods, *cards)) <= 2 * (player.contracts - (gone > 0))
