"""The public events of one game, encoded once, for any number of watchers."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from protocol import encode_value, events_line
from protocol.messages import Snapshot

if TYPE_CHECKING:
    from arena.game import Event, Game
    from arena.server.connections import Connection


class Stream:
    """Numbers and keeps the last public events, and passes new ones on."""

    def __init__(self, game_id: str, history: int) -> None:
        self.game_id = game_id
        self.number = 0  # of the last event
        self.watchers: dict[Connection, None] = {}  # a dict keeps the order of arrival
        self._kept: deque[bytes] = deque(maxlen=history)

    def publish(self, events: list[Event]) -> list[bytes]:
        """Number and pass on what everybody may see; returns it, encoded once for all who get it."""
        encoded = [encode_value(event.for_seat(None)) for event in events]
        if encoded:
            first = self.number + 1
            self.number += len(encoded)
            self._kept.extend(encoded)
            if self.watchers:
                line = events_line(self.game_id, first, encoded)
                for watcher in self.watchers:
                    watcher.send_line(line)
        return encoded

    def join(self, watcher: Connection, game: Game, last: int | None) -> None:
        """From now on `watcher` gets everything: what it missed since `last`, or a snapshot first."""
        missed = self.number - last if last is not None else -1
        if last is not None and 0 <= missed <= len(self._kept):
            if missed:
                watcher.send_line(events_line(self.game_id, last + 1, list(self._kept)[-missed:]))
        else:
            watcher.send(Snapshot(game=self.game_id, number=self.number, view=game.view(None)))
        self.watchers[watcher] = None

    def leave(self, watcher: Connection) -> None:
        """`watcher` gets nothing more."""
        self.watchers.pop(watcher, None)
