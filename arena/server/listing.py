"""What `list` is answered with: the open tables, the games that run, and the queue."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import trio

from protocol import encode
from protocol.fields import MAX_LISTED
from protocol.messages import Games as GamesList
from protocol.messages import LiveGame

if TYPE_CHECKING:
    from arena.server.games import Games
    from arena.server.lobby import Lobby

LIST_AGE: Final = 0.1  # seconds that a list may be old: a long one takes ten milliseconds, so many share it


class Listing:
    """The list, made once for all who ask within a moment."""

    def __init__(self, lobby: Lobby, games: Games, listed: int) -> None:
        self._lobby = lobby
        self._games = games
        self._listed = listed  # tables and games that it may name for the price of one message
        self._made, self._line = -math.inf, b""

    @property
    def price(self) -> int:
        """The messages that asking for it counts for, besides one."""
        return (len(self._lobby.tables) + len(self._games)) // self._listed

    def line(self) -> bytes:
        """The encoded list."""
        if trio.current_time() - self._made >= LIST_AGE:
            self._made, self._line = trio.current_time(), encode(self._now())
        return self._line

    def _now(self) -> GamesList:
        tables = [table.info() for table in self._lobby.tables.values()]
        games = [
            LiveGame(
                game=referee.id,
                players=tuple(seat.name for seat in referee.seats),
                number=referee.audience.stream.number,
                watchers=len(referee.audience.stream),
            )
            for referee in self._games.values()
        ]
        return GamesList(
            tables=tuple(tables[:MAX_LISTED]),
            games=tuple(games[:MAX_LISTED]),
            queue=len(self._lobby.queue),
            omitted=max(0, len(tables) - MAX_LISTED) + max(0, len(games) - MAX_LISTED),
        )
