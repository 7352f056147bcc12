"""What waits to be sent to one connection: bounded, handed to the kernel in one piece, never awaited by a game."""

from __future__ import annotations

from collections.abc import Callable

import trio


class Overflow(Exception):
    """The other side reads too slowly: more waits for it than is allowed."""


class Outbox:
    """Lines in order, with what is to be called when a line has been handed to the kernel."""

    def __init__(self, limit: int) -> None:
        self.overflowed = False
        self._limit = limit
        self._lines: list[bytes] = []
        self._size = 0  # bytes that wait, with those that are being sent
        self._handed: list[Callable[[], None]] = []
        self._waiting: trio.Event | None = None
        self._sending: trio.CancelScope | None = None
        self._closed = False

    def put(self, line: bytes, handed: Callable[[], None] | None = None) -> None:
        """Add a line. Too many mark the outbox as overflowed: its connection is ended by its own task."""
        if self._closed or self.overflowed:
            return
        self._size += len(line)
        if self._size > self._limit:
            self.overflowed = True
            self._lines.clear()
            self._handed.clear()
            if self._sending is not None:
                self._sending.cancel()
        else:
            self._lines.append(line)
            if handed is not None:
                self._handed.append(handed)
        self._wake()

    def close(self) -> None:
        """Nothing is added any more; what waits is still sent."""
        self._closed = True
        self._wake()

    async def run(self, stream: trio.abc.SendStream, handover: float) -> None:
        """Send what comes until the outbox is closed and empty.

        Raises `Overflow` if too much waits or the other side takes longer than `handover` seconds to read,
        and whatever the stream raises when the connection is lost.
        """
        while True:
            if self.overflowed:
                raise Overflow
            if self._lines:
                await self._send(stream, handover)
            elif self._closed:
                return
            else:
                self._waiting = trio.Event()
                await self._waiting.wait()

    async def _send(self, stream: trio.abc.SendStream, handover: float) -> None:
        lines, self._lines = self._lines, []
        calls, self._handed = self._handed, []
        data = lines[0] if len(lines) == 1 else b"".join(lines)
        with trio.move_on_after(handover) as self._sending:
            await stream.send_all(data)
        if self._sending.cancelled_caught:
            self.overflowed = True
            raise Overflow
        self._sending = None
        self._size -= len(data)
        for call in calls:
            call()

    def _wake(self) -> None:
        if self._waiting is not None:
            self._waiting.set()
            self._waiting = None
