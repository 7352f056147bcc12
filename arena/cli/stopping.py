"""Commands that play leave in order when a signal comes: seats are given up, programs ended."""

from __future__ import annotations

import signal
from collections.abc import AsyncIterator, Awaitable, Callable

import trio

from arena.signals import hearing

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


async def unless_stopped(play: Callable[[], Awaitable[object]]) -> int:
    """Run `play` until it has ended, or cancel it at a signal; returns the exit code of the signal, or 0.

    The code is 128 and the number of the signal, as shells have it. Further signals change nothing.
    """
    code = 0

    async def stop(signals: AsyncIterator[int], scope: trio.CancelScope) -> None:
        nonlocal code
        async for number in signals:
            code = code or 128 + number
            scope.cancel()

    with hearing(*SIGNALS) as signals:
        playing = trio.CancelScope()
        async with trio.open_nursery() as listening:
            listening.start_soon(stop, signals, playing)
            with playing:
                await play()
            listening.cancel_scope.cancel()
    return code
