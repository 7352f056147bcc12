"""The time of one seat (DESIGN: limit per move, bank with increment, allowance for the network). Pure arithmetic.

A move may take `grace` + `move` seconds for free; what it takes longer comes out of the bank, and when the
bank is empty the time is up. After each move that came in time `increment` is added to the bank, which holds
`MAX_SECONDS` at most, the bound of all seconds in messages. Time that the server itself lost, because its loop was
late, is not charged.
"""

from __future__ import annotations

from protocol.fields import MAX_SECONDS
from protocol.messages import Clock


class SeatClock:
    """What one seat has left. Times are of whatever monotonic clock the caller uses, in seconds."""

    def __init__(self, clock: Clock, bank: float | None = None) -> None:
        self.clock = clock
        self.bank = clock.bank if bank is None else bank
        self.spent = 0.0  # of the open move, before the last pause
        self.lost = 0.0  # of the open move, and until the next one of the last: what the server lost
        self._since: float | None = None
        self._lag = 0.0

    @property
    def running(self) -> bool:
        """Whether the time of a move is running now."""
        return self._since is not None

    def begin(self) -> None:
        """A new move; its time runs from `run`."""
        self.spent = 0.0
        self.lost = 0.0
        self._since = None

    def run(self, now: float, lag: float) -> None:
        """The time runs from `now`; `lag` is all that the loop has lost so far."""
        if self._since is None:
            self._since, self._lag = now, lag

    def pause(self, now: float, lag: float) -> None:
        """The time stands still, as while the connection is lost."""
        self.spent = self.elapsed(now, lag)
        if self._since is not None:
            self.lost += max(0.0, lag - self._lag)
        self._since = None

    def elapsed(self, now: float, lag: float) -> float:
        """Seconds of the open move, without what the server lost."""
        if self._since is None:
            return self.spent
        return self.spent + max(0.0, now - self._since - max(0.0, lag - self._lag))

    def left(self, now: float, lag: float) -> float:
        """Seconds until the time is up; below zero after that."""
        clock = self.clock
        return clock.grace + clock.move + self.bank - self.elapsed(now, lag)

    def remaining(self, now: float, lag: float) -> tuple[float, float]:
        """Seconds left of the move and of the bank, as they are shown: never below zero."""
        elapsed = max(0.0, self.elapsed(now, lag) - self.clock.grace)
        over = max(0.0, elapsed - self.clock.move)
        return max(0.0, self.clock.move - elapsed), max(0.0, self.bank - over)

    def end(self, now: float, lag: float) -> float:
        """The move is over; charges the bank and returns the seconds that were spent."""
        self.pause(now, lag)
        spent = self.spent
        over = spent - self.clock.grace - self.clock.move
        in_time = over <= self.bank
        self.bank = max(0.0, self.bank - max(0.0, over))
        if in_time:
            self.bank = min(MAX_SECONDS, self.bank + self.clock.increment)
        self.spent = 0.0
        return spent
