"""The Tokyo Port (R17): the other side of the Supply Island, where cards lie in columns by Level and can be bought.

The cards themselves lie in `game.island`, as without it; a card's column follows from its Level, and what
a column costs is data of the catalogue (Q80).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arena.game.game import Game


def in_play(game: Game) -> bool:
    """Whether the Tokyo Port side is up (Q2)."""
    return "tokyo" in game.options.sets


def column(game: Game, card: int) -> int:
    """The column a card lies in, from 0: the number of its circles in all colours (R17.1, Q81)."""
    return min(game.catalogue.level_sums[card], len(game.catalogue.tokyo_prices) - 1)


def price(game: Game, card: int) -> int:
    """Credits for placing this card from the Port (R17.4)."""
    return game.catalogue.tokyo_prices[column(game, card)]


def affordable(game: Game, seat: int) -> tuple[int, ...]:
    """The cards of the Port that `seat` can pay for."""
    credits = game.players[seat].credits
    return tuple(card for card in game.island if price(game, card) <= credits)
