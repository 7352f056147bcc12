"""How many may be connected, in all and from one address, and how much all from one address may send together."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from arena.describe import count_text
from arena.server.rates import Rates

if TYPE_CHECKING:
    from arena.server.config import Config

TURNED_AWAY: Final = 8  # connections over a limit that are told why; more are closed without a word
ADDRESSES: Final = 10_000  # whose messages are counted; of more, those that were heard last
PIECE: Final = 4096  # bytes: the first ones of a message count as it, all others as so many messages more
PRICE: Final = 2  # messages that a connection costs its address, and each seat that is resumed with it


class Guests:
    """Counts connections and messages by where they come from; a guest is an address, or a network of IPv6."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._all = 0
        self._of: Counter[str] = Counter()
        self._rates = Rates(config.address_rate, config.address_burst, ADDRESSES)

    def is_crowd(self, origin: str) -> bool:
        """Whether so many are over a limit that there is no descriptor to tell one more from there."""
        config = self._config
        return (
            self._all >= config.connections + TURNED_AWAY
            or self._of[origin] >= config.per_address + TURNED_AWAY
        )

    def refusal(self, origin: str, now: float) -> str | None:
        """Why nobody more can be let in from there, if that is so."""
        config = self._config
        if self._all >= config.connections:
            return f"the server takes {count_text(config.connections, 'connection')} (`connections`)"
        if not self.take(origin, now, PRICE):
            return (
                f"more comes from your address than {config.address_rate} messages a second, as which"
                " connections count, too (`address_rate`)"
            )
        if self._of[origin] >= config.per_address:
            return f"one address has {count_text(config.per_address, 'connection')} at most (`per_address`)"
        return None

    def enter(self, origin: str) -> None:
        """A connection is there, be it only to be told why it is refused."""
        self._all += 1
        self._of[origin] += 1

    def leave(self, origin: str) -> None:
        """A connection has ended."""
        self._all -= 1
        self._of[origin] -= 1
        if not self._of[origin]:
            del self._of[origin]

    def take(self, origin: str, now: float, price: float = 1) -> bool:
        """Whether so many messages more are within what may come from there; if not, they are not counted."""
        return self._rates.take(origin, now, price)

    def read(self, origin: str, now: float, size: int) -> float:
        """So many bytes more have come; returns the seconds for which nothing may be read from there, 0 if it may."""
        return self._rates.spend(origin, now, size / PIECE) if size > 0 else 0.0

    def resumed(self, origin: str, now: float, seats: int) -> None:
        """So many seats have been resumed from there, which costs as much as connections do."""
        self._rates.spend(origin, now, PRICE * seats)
