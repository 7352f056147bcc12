"""Powers of what lies in the fulfilled area: contracts that count as Goods, or free the Crew."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.game.hooks import CREW_LIMIT, GOODS_COUNT
from arena.game.terms import AGRICULTURE, CONSUMER, FIVE, ILLEGAL, TECHNOLOGY

if TYPE_CHECKING:
    from arena.game.game import Game

JOE_WIGGINS = (TECHNOLOGY, AGRICULTURE, CONSUMER, ILLEGAL)
NO_LIMIT = 1000  # more than there are cards


@GOODS_COUNT("joe-wiggins")
def joe_wiggins(game: Game, owner: int, card: int, counts: list[int]) -> list[int]:
    """It also counts as 1 Technology, 1 Agriculture, 1 Illegal and 1 Consumer Good, outside your Goods limit."""
    return [count + (kind in JOE_WIGGINS) for kind, count in enumerate(counts)]


@CREW_LIMIT("board-games")
def board_games(game: Game, owner: int, card: int, limit: int, gone: int) -> int:
    """While your fulfilled contract cards are of all five types, you have no Crew limit."""
    types: set[int] = set()
    for contract in game.players[owner].fulfilled:
        if contract == gone:
            continue
        types.add(game.catalogue.colors[contract])
        if game.power_of(contract) == "joe-wiggins":
            types.update(JOE_WIGGINS)
    return NO_LIMIT if types.issuperset(FIVE) else limit
