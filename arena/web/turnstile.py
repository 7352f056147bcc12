"""Lets the work for the pages in a little at a time, so that games are never far from their turn of the loop."""

from __future__ import annotations

import math
from weakref import WeakValueDictionary

import trio

AT_ONCE = 4  # pieces of work, of under a millisecond each, before players are heard again
REST = 0.004  # seconds between two such groups, so that the pages take half of the loop at most


class Turnstile:
    """A group passes at once, then there is a rest. Of each address one waits here, and the others behind it: however
    many come from one address, those of another are soon let in."""

    def __init__(self) -> None:
        self._behind: WeakValueDictionary[str, trio.Lock] = WeakValueDictionary()
        self._next = trio.Lock()
        self._left = AT_ONCE
        self._passed = -math.inf  # when the last one passed

    async def enter(self, address: str) -> None:
        """Wait for the turn of one from this address."""
        async with self._behind.setdefault(address, trio.Lock()), self._next:
            rested = trio.current_time() - self._passed >= REST
            if not rested and not self._left:
                await trio.sleep(REST)
                rested = True
            self._left = AT_ONCE - 1 if rested else self._left - 1
            self._passed = trio.current_time()
