"""The public events of one game, encoded once, for any number of watchers."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from protocol import events_line
from protocol.messages import Snapshot

if TYPE_CHECKING:
    from arena.game import Game
    from arena.server.connections import Connection


class Stream:
    """Numbers and keeps the last public events, and passes new ones on."""

    def __init__(self, game_id: str, history: int) -> None:
        self.game_id = game_id
        self.number = 0  # of the last event
        self.watchers: dict[Connection, None] = {}  # a dict keeps the order of arrival
        self._at_the_door: dict[
            Connection, int | None
        ] = {}  # watchers, and the last event that each has seen
        self._kept: deque[bytes] = deque(maxlen=history)

    def __len__(self) -> int:
        """How many watch."""
        return len(self.watchers) + len(self._at_the_door)

    def publish(self, encoded: list[bytes], line: bytes) -> None:
        """Number and keep what has happened, and send the line that tells it."""
        self.number += len(encoded)
        self._kept.extend(encoded)
        for watcher in self.watchers:
            watcher.send_line(line)

    def join(self, watcher: Connection, game: Game, last: int | None) -> None:
        """From now on `watcher` gets everything: what it missed since `last`, or a snapshot first."""
        missed = self.number - last if last is not None else -1
        if last is not None and 0 <= missed <= len(self._kept):
            if missed:
                watcher.send_line(events_line(self.game_id, last + 1, list(self._kept)[-missed:]))
        else:
            watcher.send(Snapshot(game=self.game_id, number=self.number, view=game.view(None)))
        self.watchers[watcher] = None

    def wait(self, watcher: Connection, last: int | None) -> None:
        """`watcher` joins when `admit` is called."""
        self._at_the_door[watcher] = last

    def admit(self, game: Game) -> None:
        """All who wait join."""
        waiting, self._at_the_door = self._at_the_door, {}
        for watcher, last in waiting.items():
            self.join(watcher, game, last)

    def leave(self, watcher: Connection) -> None:
        """`watcher` gets nothing more."""
        self.watchers.pop(watcher, None)
        self._at_the_door.pop(watcher, None)

    def end(self, line: bytes) -> list[Connection]:
        """Send the last line to all who watch; returns them, who watch no more."""
        everybody = [*self.watchers, *self._at_the_door]
        for watcher in everybody:
            watcher.send_line(line)
        self.watchers.clear()
        self._at_the_door.clear()
        return everybody
