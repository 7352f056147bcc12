"""Signals for a command that ends in phases: those that come late change nothing any more."""

from __future__ import annotations

import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Final

import trio

WAITING: Final = 16  # signals that nobody has taken yet; of more, one after the other, nobody learns anything


@contextmanager
def hearing(*signals: signal.Signals, last: bool = False) -> Iterator[AsyncIterator[int]]:
    """Tell of these signals, one after the other, until the block is left. For the main thread.

    Unlike `trio.open_signal_receiver`, which then sends the process again those that nobody has taken, and so ends it
    in the middle of its goodbye, this drops them. With `last` the process ends after the block: unless it is left by
    an exception, they are ignored from then on.
    """
    send, received = trio.open_memory_channel[int](WAITING)
    token = trio.lowlevel.current_trio_token()

    def take(number: int) -> None:
        with suppress(trio.WouldBlock):
            send.send_nowait(number)

    def hear(number: int, frame: FrameType | None) -> None:
        with suppress(trio.RunFinishedError):
            token.run_sync_soon(take, number)

    after = {number: signal.signal(number, hear) for number in signals}
    try:
        yield received
        if last:
            after = dict.fromkeys(signals, signal.SIG_IGN)
    finally:
        for number, handler in after.items():
            signal.signal(number, handler)
