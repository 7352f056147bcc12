"""The events of one game as the public, or one seat, may see them, encoded once for any number of watchers.

Nobody who plays waits for more than a few watchers: where there are many, `publish` only keeps what has happened, and
the task of `Broadcast` sends it afterwards, a few watchers at a time, whenever nothing else is to be done (a move takes
several passes of the loop, and would otherwise meet a few watchers in each of them). Each watcher has a place in the
stream, the number of the last event that it has been sent, so one that was passed over because it does not read goes
on where it was, or with a snapshot if it has missed too much.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import structlog
import trio

from arena.picture import asked, table
from protocol import ByeReason, encode, events_line
from protocol.fields import MAX_SECONDS
from protocol.messages import Asked, Remaining, Snapshot

if TYPE_CHECKING:
    from arena.game import Game
    from arena.server.connections import Connection
    from arena.server.outbox import Batch

PAUSE: Final = 0.25  # seconds between two rounds, at least: what happens meanwhile goes out in one line
SHARE: Final = (
    0.001  # seconds of the pause for each watcher, forty times what a line to one takes: the players' part
)
AT_ONCE: Final = 4  # watchers that are sent something, in about 50 us, before players are heard again
PATIENCE: Final = 0.005  # seconds that they wait, at most, until no move is on its way through the server
NOWHERE: Final = -1  # the place of a watcher that has not been sent anything it could go on from
CACHED: Final = 16  # lines that are kept in case that another watcher is at the same place
FRESH: Final = 0.25  # seconds for which a snapshot is true: its `age`, and who is asked without a new event


class Broadcast:
    """Sends what the streams have to whoever watches them."""

    def __init__(self, batch: Batch) -> None:
        self._batch = batch
        self._waiting: dict[Stream, None] = {}
        self._called = trio.Event()

    def call(self, stream: Stream) -> None:
        """The stream has something for its watchers."""
        self._waiting[stream] = None
        self._called.set()

    async def run(self) -> None:
        """Serve until cancelled."""
        while True:
            await self._called.wait()
            self._called = trio.Event()
            waiting, self._waiting = self._waiting, {}
            watchers = sum(map(len, waiting))
            for stream in waiting:
                try:
                    await self._serve(stream)
                except Exception:  # noqa: BLE001 - ours, in one game: the others are still told
                    structlog.get_logger().exception("stream-fault", game=stream.game_id)
            await trio.sleep(max(PAUSE, SHARE * watchers))

    async def _serve(self, stream: Stream) -> None:
        # Not with the other imports: it brings pytest along, where that is installed, and few servers come here.
        from trio.testing import wait_all_tasks_blocked

        watchers = list(stream.watchers)
        for first in range(0, len(watchers), AT_ONCE):
            with trio.move_on_after(PATIENCE):
                await wait_all_tasks_blocked()
            with self._batch:
                for watcher in watchers[first : first + AT_ONCE]:
                    stream.serve(watcher)


class Stream:
    """Numbers and keeps the last events of a game, and knows who watches."""

    def __init__(
        self,
        game: Game,
        game_id: str,
        history: int,
        backlog: int,
        *,
        seat: int | None = None,
        number: int = 0,
        clock: Callable[[], Remaining | None] = lambda: None,
    ) -> None:
        """`history` are events that are kept; a watcher for whom over `backlog` bytes wait is passed over.

        The events are those that `seat`, or the public, sees, and go on after `number`; `clock` tells the time that
        the seat has left, if it is asked.
        """
        self.number = number  # of the last event
        self._seat = seat
        self._clock = clock
        self.behind: Game | None = None  # the game as of the last event, while `game` is ahead of it
        self.later: Callable[[Stream], None] = lambda _: None  # asks for what cannot be sent at once
        self.watchers: dict[Connection, int] = {}  # with the last event that each has been sent
        self._game = game
        self.game_id = game_id
        self._backlog = backlog
        self._kept: deque[bytes] = deque(maxlen=history)
        self.published_at = trio.current_time()  # when the last event was
        self._moved = trio.Event()
        self._lines: dict[int, bytes] = {}  # what to send, by the last event seen; until something happens
        self._looked_at = -math.inf  # when the last snapshot was made

    def __len__(self) -> int:
        """How many watch."""
        return len(self.watchers)

    @property
    def shown(self) -> Game:
        """The game as far as its events have been told."""
        return self.behind or self._game

    def publish(self, encoded: list[bytes]) -> None:
        """Number and keep what has happened."""
        self.number += len(encoded)
        self._kept.extend(encoded)
        self._lines.clear()
        self.published_at = trio.current_time()
        self._wake()
        if len(self.watchers) > AT_ONCE:
            self.later(self)
        else:
            for watcher in list(self.watchers):
                self.serve(watcher)

    async def moved(self) -> None:
        """Wait until something is published, or the game is over."""
        await self._moved.wait()

    def _wake(self) -> None:
        self._moved.set()
        self._moved = trio.Event()

    def join(self, watcher: Connection, last: int | None) -> None:
        """From now on `watcher` gets everything: what it missed since `last`, or a snapshot first."""
        known = last is not None and last <= self.number and self._keeps(last)
        self.watchers[watcher] = last if last is not None and known else NOWHERE
        self.serve(watcher)

    def serve(self, watcher: Connection) -> None:
        """Send what the watcher has not seen, unless it has too much to read already or has left.

        If that fails, which is our fault, it is sent away: the game and all others go on.
        """
        try:
            self._serve(watcher)
        except Exception:  # noqa: BLE001 - ours, and no player's business
            self._send_away(watcher)

    def fail(self) -> None:
        """Nothing can be told any more: send away all who watch."""
        for watcher in list(self.watchers):
            self._send_away(watcher)
        self._wake()

    def _log_fault(self, watcher: Connection) -> None:
        structlog.get_logger().exception("watcher-fault", game=self.game_id, connection=watcher.number)

    def _send_away(self, watcher: Connection) -> None:
        self._log_fault(watcher)
        self.leave(watcher)
        text = f"the server failed to tell you of the game {self.game_id}; watch it again, and tell the organiser"
        watcher.end(ByeReason.SERVER_FAULT, text)

    def _serve(self, watcher: Connection) -> None:
        seen = self.watchers.get(watcher, self.number)
        if seen == self.number:
            return
        if watcher.waiting > self._backlog:
            self.later(self)
        else:
            watcher.send_line(self._line_after(seen))
            self.watchers[watcher] = self.number

    def leave(self, watcher: Connection) -> None:
        """`watcher` gets nothing more."""
        self.watchers.pop(watcher, None)

    def end(self, line: bytes) -> list[Connection]:
        """Send what is left and the last line to all who watch; returns them, who watch no more."""
        everybody = list(self.watchers.items())
        self.watchers.clear()
        self._wake()
        for watcher, seen in everybody:
            try:
                if seen != self.number:
                    watcher.send_line(self._line_after(seen))
            except Exception:  # noqa: BLE001 - ours; the end is told all the same
                self._log_fault(watcher)
            watcher.send_line(line)
        return [watcher for watcher, _ in everybody]

    def _keeps(self, seen: int) -> bool:
        """Whether all that happened after this event can be told one by one."""
        return self.number - len(self._kept) <= seen

    def _line_after(self, seen: int) -> bytes:
        """What brings a watcher up that has seen this event last; made once for all of them."""
        line = self._lines.get(seen)
        if line is None or (seen == NOWHERE and trio.current_time() - self._looked_at >= FRESH):
            if seen != NOWHERE and self._keeps(seen):
                line = events_line(self.game_id, seen + 1, list(self._kept)[seen - self.number :])
            else:
                line = encode(self._snapshot())
            if len(self._lines) >= CACHED:
                self._lines.clear()
            self._lines[seen] = line
        return line

    def _snapshot(self) -> Snapshot:
        """The game as far as it has been told."""
        self._looked_at = trio.current_time()
        question = asked(self.shown) if self.number else None  # before the first event no clock runs
        return Snapshot(
            game=self.game_id,
            number=self.number,
            seat=self._seat,
            view=table(self.shown, self._seat),
            asked=Asked(
                kind=question["kind"],
                seats=tuple(question["seats"]),
                age=min(MAX_SECONDS, max(0.0, self._looked_at - self.published_at)),
                clock=self._clock(),
            )
            if question is not None
            else None,
        )
