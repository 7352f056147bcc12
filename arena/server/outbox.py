"""What waits to be sent to one connection: bounded, handed to the kernel in one piece, never awaited by a game."""

from __future__ import annotations

import os
from collections.abc import Callable

import trio


class Overflow(Exception):
    """The other side reads too slowly: more waits for it than is allowed."""


class Batch:
    """While it is open, outboxes collect; when it is closed, each hands the kernel what it takes at once.

    So one message of a client costs one write for each connection that is told something, and no switch of
    tasks. Outside of a batch, and for what the kernel does not take at once, the task of the outbox writes.
    """

    def __init__(self) -> None:
        self.open = False
        self.outboxes: dict[Outbox, None] = {}

    def __enter__(self) -> None:
        self.open = True

    def __exit__(self, *_: object) -> None:
        self.open = False
        outboxes, self.outboxes = self.outboxes, {}
        for outbox in outboxes:  # who is asked comes first
            if outbox.asks:
                outbox.flush()
        for outbox in outboxes:
            outbox.flush()


class Outbox:
    """Lines in order, with what is to be called when they are offered to the kernel.

    Whether it takes them then depends on how fast the other side has read, and nobody must gain by reading slowly.
    """

    def __init__(self, stream: trio.abc.SendStream, limit: int, batch: Batch) -> None:
        self.overflowed = False
        self.size = 0  # bytes that wait, with those that are being sent
        self._stream = stream
        self._limit = limit
        self._batch = batch
        self._lines: list[bytes] = []
        self._offered: list[Callable[[], None]] = []
        self._waiting: trio.Event | None = None
        self._sending: trio.CancelScope | None = None
        self._closed = False

    @property
    def asks(self) -> bool:
        """Whether somebody waits for the moment of the offer."""
        return bool(self._offered)

    def put(self, line: bytes, offered: Callable[[], None] | None = None) -> None:
        """Add a line; `offered` is called when it is offered to the kernel, which is soon.

        Too many mark the outbox as overflowed: its connection is ended by its own task."""
        if self._closed or self.overflowed:
            return
        self.size += len(line)
        if self.size > self._limit:
            self.overflowed = True
            self._lines.clear()
            self._offered.clear()
            if self._sending is not None:
                self._sending.cancel()
            return self._wake()
        self._lines.append(line)
        if offered is not None:
            self._offered.append(offered)
        if self._batch.open:
            self._batch.outboxes[self] = None
        else:
            self._wake()
            self._offer()
        return None

    def close(self) -> None:
        """Nothing is added any more; what waits is still sent."""
        self._closed = True
        self._wake()

    def flush(self) -> None:
        """Hand over what the kernel takes without waiting; the task sends the rest, and meets the errors."""
        self._hand_over()
        self._offer()

    def _hand_over(self) -> None:
        if not self._lines or self._sending is not None:
            return
        if not isinstance(self._stream, trio.SocketStream):
            return self._wake()
        try:
            sent = os.write(self._stream.socket.fileno(), joined(self._lines))  # trio's sockets do not block
        except OSError:
            sent = 0
        self._lines = without(self._lines, sent)
        self.size -= sent
        if self._lines:
            self._wake()
        return None

    def _offer(self) -> None:
        offered, self._offered = self._offered, []
        for call in offered:
            call()

    async def run(self, handover: float) -> None:
        """Send what comes until the outbox is closed and empty.

        Raises `Overflow` if too much waits or the other side takes longer than `handover` seconds to read,
        and whatever the stream raises when the connection is lost.
        """
        while True:
            if self.overflowed:
                raise Overflow
            if self._lines:
                await self._send(handover)
            elif self._closed:
                return
            else:
                self._waiting = trio.Event()
                await self._waiting.wait()

    async def _send(self, handover: float) -> None:
        data, self._lines = joined(self._lines), []
        with trio.move_on_after(handover) as self._sending:
            await self._stream.send_all(data)
        if self._sending.cancelled_caught:
            self.overflowed = True
            raise Overflow
        self._sending = None
        self.size -= len(data)

    def _wake(self) -> None:
        if self._waiting is not None:
            self._waiting.set()
            self._waiting = None


def joined(lines: list[bytes]) -> bytes:
    """The lines as one piece."""
    return lines[0] if len(lines) == 1 else b"".join(lines)


def without(lines: list[bytes], sent: int) -> list[bytes]:
    """What is left of the lines after their first `sent` bytes."""
    for place, line in enumerate(lines):
        if sent < len(line):
            return [line[sent:], *lines[place + 1 :]]
        sent -= len(line)
    return []
