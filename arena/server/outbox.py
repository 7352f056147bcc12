"""What waits to be sent to one connection: bounded, handed to the kernel in one piece, never awaited by a game."""

from __future__ import annotations

from collections.abc import Callable

import trio


class Overflow(Exception):
    """The other side reads too slowly: more waits for it than is allowed."""


class Outbox:
    """Lines in order, with what is to be called when a line has been handed to the kernel."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._lines: list[bytes] = []
        self._size = 0
        self._handed: list[Callable[[], None]] = []
        self._waiting = trio.Event()
        self._closed = False
        self.overflowed = False

    def put(self, line: bytes, handed: Callable[[], None] | None = None) -> None:
        """Add a line. Too many mark the outbox as overflowed: its connection is ended by its own task."""
        if self._closed or self.overflowed:
            return
        self._size += len(line)
        if self._size > self._limit:
            self.overflowed = True
            self._lines.clear()
        else:
            self._lines.append(line)
            if handed is not None:
                self._handed.append(handed)
        self._waiting.set()

    def close(self) -> None:
        """Nothing is added any more; what waits is still sent."""
        self._closed = True
        self._waiting.set()

    async def run(self, stream: trio.abc.SendStream, handover: float) -> None:
        """Send what comes until the outbox is closed and empty.

        Raises `Overflow` if too much waits or the other side takes longer than `handover` seconds to read,
        and whatever the stream raises when the connection is lost.
        """
        while True:
            if not self._lines:
                if self.overflowed:
                    raise Overflow
                if self._closed:
                    return
                self._waiting = trio.Event()
                await self._waiting.wait()
                continue
            data = b"".join(self._lines)
            handed = self._handed
            self._lines, self._handed, self._size = [], [], 0
            with trio.move_on_after(handover) as scope:
                await stream.send_all(data)
            if scope.cancelled_caught:
                self.overflowed = True
                raise Overflow
            for call in handed:
                call()
