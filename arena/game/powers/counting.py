"""Powers that change limits, ties and thresholds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.game.goods import count_goods, row_types
from arena.game.hooks import END_THRESHOLD, GOODS_PLACES, WIN_CHECK, WINS_TIES
from arena.game.scoring import has_most
from arena.game.terms import FIVE, LUXURY

if TYPE_CHECKING:
    from arena.game.game import Game

NEVER = 1 << 60  # credits that nobody has


@GOODS_PLACES("scotch")
def scotch(game: Game, owner: int, card: int, places: int, goods: tuple[int, ...]) -> int:
    """For your Goods limit every 2 Luxury Goods count as 1."""
    return len(goods) - row_types(game, goods).count(LUXURY) // 2


@WINS_TIES("foxes")
def foxes(game: Game, owner: int, card: int, wins: bool) -> bool:
    """You win every tie you are part of."""
    return True


@END_THRESHOLD("can-openers")
def can_openers(game: Game, owner: int, card: int, threshold: int, seat: int) -> int:
    """Your credits no longer trigger the end of the game."""
    return NEVER if seat == owner else threshold


@END_THRESHOLD("mri-machine")
def mri_machine(game: Game, owner: int, card: int, threshold: int, seat: int) -> int:
    """The credits that trigger the end are 70 instead of 50, for all players."""
    return max(threshold, 70)


@WIN_CHECK("graphics-cards")
def graphics_cards(game: Game, owner: int, card: int) -> bool:
    """With more Goods than every other player in at least 4 of the five types you win."""
    counts = [count_goods(game, seat) for seat in range(len(game.players))]
    return sum(has_most(game, owner, [count[kind] for count in counts]) for kind in FIVE) >= 4
