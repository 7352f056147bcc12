"""What `arena tournament run` and `arena demo` tell on stderr while games are played."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from tournaments.ratings import State
    from tournaments.run import Progress
    from tournaments.store import Played

EVERY = 10.0  # seconds between two lines about the pace
ENOUGH = 10  # games; so many go by while programs start, and so many more make a pace


class Teller:
    """A line for each result, and now and then one about the pace and the time that is left."""

    def __init__(
        self,
        *,
        quiet: bool = False,
        clock: Callable[[], float] = time.monotonic,
        tell: Callable[[str], object] = lambda text: click.echo(text, err=True),
    ) -> None:
        self._quiet = quiet
        self._clock = clock
        self._tell = tell
        self._begin = self._told = clock()
        self._games = 0

    def notice(self, text: str) -> None:
        """Where remote entrants log in, and who is waited for."""
        if not self._quiet:
            self._tell(text)

    def result(self, progress: Progress, played: Played) -> None:
        """A game has been played and stored."""
        if self._quiet:
            return
        self._games += 1
        self._tell(line(progress, played))
        now = self._clock()
        if self._games <= ENOUGH:
            self._begin = now
        elif self._games >= 2 * ENOUGH and now > self._begin and now - self._told >= EVERY:
            self._told = now
            self._tell(pace(progress, (self._games - ENOUGH) / (now - self._begin)))

    def test(self, state: State) -> None:
        """The sequential test has looked at more blocks."""
        if state.blocks and not self._quiet:
            self._tell(
                f"SPRT: LLR {state.llr:+.2f} between {state.lower:+.2f} and {state.upper:+.2f}"
                f" after {state.blocks} blocks"
            )

    def ladder(self, unclear: int, pairs: int) -> None:
        """So many of a ladder's pairs of neighbours are not told apart yet."""
        if not self._quiet:
            self._tell(f"ladder: {unclear} of {pairs} pairs of neighbours are not told apart yet")


def count(progress: Progress) -> str:
    """How many games are done, of how many if that is known."""
    return f"{progress.done}" if progress.total is None else f"{progress.done} of {progress.total}"


def line(progress: Progress, played: Played) -> str:
    """One line for one result: places, names with their live Elo, and how programs came to grief."""
    from tournaments.report import shown_reasons

    if not played.result().rated:
        return f"game {count(progress)}: void ({', '.join(played.entrants)})"
    ends = played.ends or ("",) * len(played.entrants)
    defaults = played.defaults or ((),) * len(played.entrants)
    shown = []
    for place, name, reason, how, why in sorted(
        zip(played.places, played.entrants, played.reasons, ends, defaults, strict=True)
    ):
        fault = "" if reason == "normal" else f" ({reason}: {how})" if how else f" ({reason})"
        if why:
            fault += f" (defaults: {shown_reasons(Counter(why))})"
        shown.append(f"{place}. {name} {progress.live[name]:.0f}{fault}")
    return f"game {count(progress)}: {', '.join(shown)} (live Elo)"


def pace(progress: Progress, per_second: float) -> str:
    """How fast games are played, and how long the rest will take at that pace."""
    rate = f"{per_second:.1f} games a second" if per_second >= 1 else f"{60 * per_second:.1f} games a minute"
    if progress.total is None:
        return rate
    return f"{rate}, about {duration((progress.total - progress.done) / per_second)} left"


def duration(seconds: float) -> str:
    """A time in the two largest of its units."""
    seconds = round(seconds)
    if seconds < 60:
        return f"{seconds} s"
    minutes, seconds = divmod(seconds, 60)
    if minutes < 60:
        return f"{minutes} min {seconds} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min"
