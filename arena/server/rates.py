"""How much one client may send."""

from __future__ import annotations

from collections import OrderedDict


class Rate:
    """A token bucket: `rate` per second, `burst` at once. Times are of any monotonic clock, in seconds."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._left, self._at = burst, 0.0

    @property
    def full(self) -> bool:
        """Whether all that was taken has come back, as of the last call."""
        return self._left >= self._burst - 1

    def has(self, now: float, amount: float) -> bool:
        """Whether `amount` is within the limit; nothing is taken."""
        self._refill(now)
        return self._left >= amount

    def take(self, now: float, amount: float = 1) -> bool:
        """Whether `amount` is within the limit; if not, nothing is taken."""
        if not self.has(now, amount):
            return False
        self._left -= amount
        return True

    def spend(self, now: float, amount: float) -> float:
        """Take `amount` in any case; returns the seconds to wait until it is within the limit, 0 if it is."""
        self._refill(now)
        self._left -= amount
        return max(0.0, -self._left / self._rate)

    def _refill(self, now: float) -> None:
        if self._left < self._burst:
            self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now


class Rates:
    """A bucket for each of many; of the `kept` that were used last, since whoever came first has it full again."""

    def __init__(self, rate: float, burst: float, kept: int) -> None:
        self._rate, self._burst, self._kept = rate, burst, kept
        self._rates: OrderedDict[str, Rate] = OrderedDict()

    def __len__(self) -> int:
        """How many are kept."""
        return len(self._rates)

    def take(self, key: str, now: float, amount: float = 1) -> bool:
        """Whether `amount` is within the limit of `key`; if not, nothing is taken."""
        return self._of(key).take(now, amount)

    def spend(self, key: str, now: float, amount: float) -> float:
        """Take `amount` in any case; returns the seconds to wait until it is within the limit, 0 if it is."""
        return self._of(key).spend(now, amount)

    def _of(self, key: str) -> Rate:
        rate = self._rates.get(key)
        if rate is None:
            rate = self._rates[key] = Rate(self._rate, self._burst)
            if len(self._rates) > self._kept:
                self._rates.popitem(last=False)
        else:
            self._rates.move_to_end(key)
        return rate
