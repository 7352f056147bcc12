"""Lets a bot think while its connection is looked after: in a thread beside the event loop."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

import trio

Asked = TypeVar("Asked")
Answered = TypeVar("Answered")


def in_a_thread(choose: Callable[[Asked], Answered]) -> Callable[[Asked], Awaitable[Answered]]:
    """An async function that calls `choose` in a thread, one call at a time, whatever game it is for.

    If it is cancelled nobody waits for the thread; what it finds is thrown away, and the next call waits for it.
    """
    one = trio.CapacityLimiter(1)

    async def think(request: Asked) -> Answered:
        return await trio.to_thread.run_sync(choose, request, abandon_on_cancel=True, limiter=one)

    return think
