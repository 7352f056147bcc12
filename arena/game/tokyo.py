"""The Tokyo Port (R17): the other side of the Supply Island, where cards lie in columns by Level and can be bought.

It is up with the set `tokyo`, or without its cards as `tokyo-port` (Q2).

The cards themselves lie in `game.island`, as without it; a card's column follows from its Level, and what
a column costs is data of the catalogue (Q80).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from arena.game.game import Game


PORT_ALONE: Final = "tokyo-port"
SIDE_UP: Final = frozenset({"tokyo", PORT_ALONE})


def in_play(game: Game) -> bool:
    """Whether the Tokyo Port side is up (Q2)."""
    return not SIDE_UP.isdisjoint(game.options.sets)


def column(game: Game, card: int) -> int:
    """The column a card lies in, from 0: the number of its circles in all colours (R17.1, Q81)."""
    return min(game.catalogue.level_sums[card], len(game.catalogue.tokyo_prices) - 1)


def price(game: Game, card: int) -> int:
    """Credits for placing this card from the Port (R17.4)."""
    return game.catalogue.tokyo_prices[column(game, card)]


def cards_for(game: Game, credits: int) -> tuple[int, ...]:
    """The cards of the Port in columns of this price (Squid Jerky); none without that side (P33)."""
    if not in_play(game):
        return ()
    return tuple(card for card in game.island if price(game, card) == credits)


def affordable(game: Game, seat: int) -> tuple[int, ...]:
    """The cards of the Port that `seat` can pay for."""
    credits = game.players[seat].credits
    return tuple(card for card in game.island if price(game, card) <= credits)
