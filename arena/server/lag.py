"""How much time the server itself has lost: a heartbeat that measures how late it wakes up."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable

import structlog
import trio

BEAT = 0.05  # seconds between two beats
TOLERATED = 0.005  # of lateness that is ordinary scheduling
UNSEEN = 2 * (BEAT + TOLERATED)  # seconds, between bytes that come and their being read, that the meter may
# miss: up to a beat of the pass of the loop in which they come, and of that in which they are read


class LagMeter:
    """Sums up all lateness; the sum only grows. A stall is a lateness of more than `stall` seconds."""

    def __init__(self, stall: float = math.inf) -> None:
        self.worst = 0.0
        self.stalls = 0
        self._stall = stall
        self._stalled_at = -math.inf  # when the last stall ended
        self._total = 0.0  # seconds, up to the last beat
        self._due = math.inf  # when the next beat should come

    def lost(self, now: float) -> float:
        """Seconds lost until `now`; a beat that is overdue counts, though it has not come yet."""
        late = now - self._due
        return self._total + late if late > TOLERATED else self._total

    def awake(self) -> float:
        """The time of the loop without what it has lost: limits for others are counted in it."""
        now = trio.current_time()
        return now - self.lost(now)

    async def until(
        self, done: Callable[[], bool], change: Callable[[], Awaitable[object]], seconds: float
    ) -> None:
        """Wait until it is done, so many seconds at most, in which a stall does not count.

        `change` returns when it may be done.
        """
        end = self.awake() + seconds
        while not done() and (left := end - self.awake()) > 0:
            with trio.move_on_after(left) as waiting:
                await change()
            if waiting.cancelled_caught:
                await self.catch_up()

    def stalled_since(self, start: float, now: float) -> bool:
        """Whether there was a stall after `start`, or is one now."""
        return self._stalled_at > start or now - self._due > self._stall

    async def run(self) -> None:
        """Beat until cancelled."""
        while True:
            self._due = trio.current_time() + BEAT
            await trio.sleep_until(self._due)
            late = trio.current_time() - self._due
            if late > self._stall:
                self.stalls += 1
                structlog.get_logger().warning("stalled", seconds=round(late, 3), bound=self._stall)
                self._stalled_at = trio.current_time()
            if late > TOLERATED:
                self._total += late
                self.worst = max(self.worst, late)

    async def catch_up(self) -> None:
        """Let whatever arrived during a stall be read, before anybody is told that the time is up."""
        for _ in range(3):  # the readers, and what they wake
            await trio.lowlevel.checkpoint()
