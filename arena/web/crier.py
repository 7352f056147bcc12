"""Wakes viewers a few at a time, so that many of them together never hold up the loop that games are played on."""

from __future__ import annotations

from collections import deque

import trio

AT_ONCE = 4  # viewers that are sent something, in under a millisecond, before players are heard again
GAP = 0.003  # seconds between two such groups


class Crier:
    """Who is to be woken, in the order of asking."""

    def __init__(self) -> None:
        self._waiting: deque[trio.Event] = deque()
        self._called = trio.Event()

    def call(self, sleepers: list[trio.Event]) -> None:
        """Wake these, soon."""
        self._waiting.extend(sleepers)
        self._called.set()

    async def run(self) -> None:
        """Wake whoever is to be woken, until cancelled."""
        while True:
            await self._called.wait()
            self._called = trio.Event()
            while self._waiting:
                for _ in range(min(AT_ONCE, len(self._waiting))):
                    self._waiting.popleft().set()
                await trio.sleep(GAP)
