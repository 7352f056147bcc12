"""How much time the server itself has lost: a heartbeat that measures how late it wakes up."""

from __future__ import annotations

import trio

BEAT = 0.05  # seconds between two beats
TOLERATED = 0.005  # of lateness that is ordinary scheduling


class LagMeter:
    """`total` is the sum of all lateness, in seconds; it only grows."""

    def __init__(self) -> None:
        self.total = 0.0
        self.worst = 0.0

    async def run(self) -> None:
        """Beat until cancelled."""
        while True:
            wake = trio.current_time() + BEAT
            await trio.sleep_until(wake)
            late = trio.current_time() - wake
            if late > TOLERATED:
                self.total += late
                self.worst = max(self.worst, late)

    async def catch_up(self) -> None:
        """Let whatever arrived during a stall be read, before anybody is told that the time is up."""
        for _ in range(3):  # the heartbeat, the readers, and what they wake
            await trio.lowlevel.checkpoint()
