"""What running a tournament costs beside the games: instant bots with one worker and with two, by turns."""

from __future__ import annotations

import resource
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from bench.measure import Figure
from protocol.messages import Clock
from tournaments.config import Tournament
from tournaments.entrants import Entrant
from tournaments.run import Audience, Progress, run
from tournaments.store import Played, Store

BLOCKS = 60  # of two games each, in one run: about half a minute
ROUNDS = 5
INSTANT = (
    sys.executable,
    *("-I", "-S", "-c"),
    """import sys
for line in sys.stdin:
    if '"type":"request"' in line:
        print(0, flush=True)""",
)
"""It starts in some 20 ms, once for each block, and answers in some 20 us."""

PATIENT = Clock(move=60.0, bank=600.0, grace=0.2)  # a busy machine must not retire a bot


@dataclass
class Run:
    """When results came, and what the processes used."""

    times: list[float] = field(default_factory=list)
    own: float = 0.0  # seconds of processor time of the runner itself
    others: float = 0.0  # of workers and bots

    def result(self, progress: Progress, played: Played) -> None:
        """A result has been stored."""
        self.times.append(perf_counter())

    @property
    def rate(self) -> float:
        """Games a second between the first results and the last: the start of the workers is left out."""
        return (len(self.times) - 2) / (self.times[-1] - self.times[1])


def figures(quick: bool) -> Iterator[Figure]:
    """By the clock: on a machine with fewer than three idle cores two workers take each other's time."""
    blocks, rounds = (2, 1) if quick else (BLOCKS, ROUNDS)
    pairs = [(measured(1, blocks), measured(2, blocks)) for _ in range(rounds)]
    note = f"{2 * blocks} games of two instant bots in a run, {rounds} runs with each, by turns"
    for workers, runs in enumerate(zip(*pairs, strict=True), 1):
        rates = [each.rate for each in runs]
        name = f"games of instant bots, {workers} worker{'s' if workers > 1 else ''}"
        yield Figure(name, "1/s", max(rates), median(rates), repetitions=rounds, note=note)
    shares = [100 * two.rate / (2 * one.rate) for one, two in pairs]
    name = "two workers against twice one worker"
    yield Figure(name, "%", max(shares), median(shares), must=90, repetitions=rounds, note=note)
    own = [100 * two.own / (two.own + two.others) for _, two in pairs]
    name = "share of the runner's own process in all processor time"
    yield Figure(name, "%", min(own), median(own), repetitions=rounds, note=note)


def measured(workers: int, blocks: int) -> Run:
    """Run a tournament in a folder of its own."""
    with TemporaryDirectory() as folder:
        tournament = Tournament(
            name="instant",
            seats=2,
            blocks=blocks,
            seed=1,
            folder=Path(folder) / "out",
            entrants=tuple(Entrant(name, command=INSTANT) for name in ("Ada", "Bo")),
            clock=PATIENT,
            home=Path(folder),
        )
        seen = Run()
        own, others = used(resource.RUSAGE_SELF), used(resource.RUSAGE_CHILDREN)
        with Store(tournament.folder) as store:
            store.belongs_to(tournament.settings())
            progress = run(tournament, store, workers=workers, audience=Audience(result=seen.result))
        assert progress.done == 2 * blocks, progress.problems
        seen.own, seen.others = used(resource.RUSAGE_SELF) - own, used(resource.RUSAGE_CHILDREN) - others
        return seen


def used(who: int) -> float:
    """Seconds of processor time so far."""
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime
