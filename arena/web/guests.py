"""What one address may have of what all viewers share, so that nobody is locked out by a single stranger."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from starlette.requests import Request

from arena.server.sockets import guest

if TYPE_CHECKING:
    from collections.abc import Hashable

    from arena.web.settings import WebConfig


class Guests:
    """Counts the viewers of each address, and the films that they have open."""

    def __init__(self, config: WebConfig) -> None:
        self._config = config
        self._viewers: Counter[str] = Counter()
        self._films: dict[str, Counter[Hashable]] = {}  # by address: the viewers of each film

    def refusal(self, address: str, film: Hashable) -> str | None:
        """Why a viewer from this address cannot follow this film, if it cannot."""
        limit, films = self._config.per_address, max(1, self._config.films // 2)
        if self._viewers[address] >= limit:
            return f"{limit} viewers come from your address, which is its limit (`http_per_address`)"
        seen = self._films.get(address, ())
        if film not in seen and len(seen) >= films:
            return f"{films} games are shown to your address, which is half of all (`http_films`); close one"
        return None

    def enter(self, address: str, film: Hashable) -> None:
        """A viewer follows a film."""
        self._viewers[address] += 1
        self._films.setdefault(address, Counter())[film] += 1

    def leave(self, address: str, film: Hashable) -> None:
        """A viewer has gone."""
        self._viewers[address] -= 1
        films = self._films[address]
        films[film] -= 1
        if not films[film]:
            del films[film]
        if not films:
            del self._films[address], self._viewers[address]


def address_of(request: Request) -> str:
    """Where a request comes from, as `guest` tells one from another."""
    return guest(request.client.host) if request.client is not None else "nowhere"
