"""Which remote entrants are there and free to play, and for how long the others have been waited for.

One that is not there when a table needs it is waited for, `wait` seconds at most, counted from the moment at which
the first table did; who has been waited for in vain is not waited for again until it has come.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from math import inf

import trio

QUIET = 10.0  # seconds between two sentences about one entrant: it may come and go as fast as it likes


class Attendance:
    """The remote entrants of a tournament; `games` says of each how many games it plays at once.

    `is_here` knows whether an entrant is connected; whoever gives it calls `look` when somebody has come. `tell` gets
    a sentence when one begins to be waited for, and when it comes. `now` is the time, in seconds, by which is waited.
    """

    def __init__(
        self,
        games: Mapping[str, int],
        wait: float,
        is_here: Callable[[str], bool],
        tell: Callable[[str], object],
        now: Callable[[], float] = trio.current_time,
    ) -> None:
        self._games = games
        self._wait = wait
        self._is_here = is_here
        self._tell = tell
        self._now = now
        self._playing: Counter[str] = Counter()  # tables at which each sits
        self._since: dict[str, float] = {}  # when those who are waited for began to be
        self._told: dict[str, float] = {}  # of which such moments that was told
        self._changed = trio.Event()

    def look(self) -> None:
        """Somebody may have come."""
        for name in [name for name in self._since if self._is_here(name)]:
            if self._since.pop(name) == self._told.get(name):
                self._tell(f"{name} is here")
        self._wake()

    async def admit(self, names: Collection[str]) -> list[str]:
        """Wait until all of these are there and free, and seat them at one more table.

        Returns who has been waited for in vain; then nobody is seated.
        """
        while True:
            absent = self._absent(names)
            late = self._late(absent)
            if late:
                return late
            if not absent and all(self._playing[name] < self._games[name] for name in names):
                self._playing.update(names)
                return []
            await self._change(absent)

    def dismiss(self, names: Collection[str]) -> None:
        """The table of these is over."""
        self._playing.subtract(names)
        self._wake()

    async def gather(self, names: Collection[str]) -> list[str]:
        """Wait until all of these, who are seated, are there; returns who has been waited for in vain."""
        while absent := self._absent(names):
            late = self._late(absent)
            if late:
                return late
            await self._change(absent)
        return []

    def _absent(self, names: Collection[str]) -> list[str]:
        """Who is not there; from now on they are waited for."""
        absent = [name for name in names if not self._is_here(name)]
        now = self._now()
        for name in absent:
            if name not in self._since:
                self._since[name] = now
                if now >= self._told.get(name, -inf) + QUIET:
                    self._told[name] = now
                    self._tell(f"waiting for {name}, {self._wait:g} s at most")
        return absent

    def _late(self, absent: Collection[str]) -> list[str]:
        now = self._now()
        return [name for name in absent if now >= self._since[name] + self._wait]

    async def _change(self, absent: Collection[str]) -> None:
        """Wait until something may have changed for those who wait for these."""
        first = min((self._since[name] + self._wait for name in absent), default=inf)
        with trio.move_on_after(first - self._now()):
            await self._changed.wait()

    def _wake(self) -> None:
        self._changed.set()
        self._changed = trio.Event()
