"""The Commodity Market (R19): a marker for each Good type, from -2 to +2.

`game.market` has the five positions, and is empty if the Market is not in play.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.game.terms import FIVE, TYPES

if TYPE_CHECKING:
    from arena.game.game import Game

LOWEST, HIGHEST = -2, 2


def start(game: Game) -> None:
    """All markers on 0 (R19.1)."""
    game.market = (0,) * len(FIVE)


def good_added(game: Game, kind: int) -> None:
    """A Good has come to stay in a Goods area (R19.2); one without a type moves nothing (Q86)."""
    if kind >= 0:
        _move(game, kind, 1)


def modifier(game: Game, colors: tuple[int, ...]) -> int:
    """What the Containers of these colours add to a payout (R19.3); grey ones have no marker."""
    return sum(game.market[color] for color in colors if color in FIVE)


def sold(game: Game, colors: tuple[int, ...]) -> None:
    """After the payout each Container lowers its marker (R19.4)."""
    for color in colors:
        if color in FIVE:
            _move(game, color, -1)


def _move(game: Game, kind: int, step: int) -> None:
    moved = max(LOWEST, min(HIGHEST, game.market[kind] + step))
    if moved != game.market[kind]:
        game.market = (*game.market[:kind], moved, *game.market[kind + 1 :])
        game.emit("market", type=TYPES[kind], marker=moved)
