"""What a server process takes of the machine, sampled over time, and whether it grows."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from prometheus_client.parser import text_string_to_metric_families

MIB = 2**20

GRAIN = (
    4 * MIB
)  # bytes by which the memory goes up and down: films come and go, of one to five megabytes each
PER_HOUR = 2 * MIB  # bytes that the memory may grow beyond that
PER_1000_GAMES = MIB  # that is 1 kB a game; what is remembered of one that is over takes 1 to 3


class Sample(NamedTuple):
    """One look at a server; sizes are in bytes."""

    seconds: float  # since the first look
    games: int  # that have ended
    choices: int  # of these
    memory: int
    descriptors: int
    tasks: int
    threads: int
    connections: int
    clients: int
    log: int


def read_metrics(text: str) -> dict[str, float]:
    """The values of `/metrics`, summed up over their labels."""
    values: dict[str, float] = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            values[sample.name] = values.get(sample.name, 0) + sample.value
    return values


def threads_of(pid: int) -> int:
    """How many threads a process has."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("Threads:")[2].split()[0])


def sample(text: str, pid: int, log: Path, seconds: float) -> Sample:
    """What `/metrics` and the system tell now."""
    values = read_metrics(text)
    return Sample(
        seconds,
        int(values.get("arena_ended_games_total", 0)),
        int(values["arena_choices_total"]),
        int(values["process_resident_memory_bytes"]),
        int(values["process_open_fds"]),
        int(values["arena_tasks"]),
        threads_of(pid),
        int(values["arena_connections"]),
        int(values["arena_clients"]),
        log.stat().st_size,
    )


def settled(samples: Sequence[Sample]) -> Sequence[Sample]:
    """The last two thirds, which are judged."""
    return samples[len(samples) // 3 :]


def growth(samples: Sequence[Sample], of: Callable[[Sample], float]) -> float:
    """By how much a value has grown from the first sample to the last, along the line of least squares."""
    seconds = [each.seconds for each in samples]
    line = statistics.linear_regression(seconds, [of(each) for each in samples])
    return line.slope * (seconds[-1] - seconds[0])


def allowed(samples: Sequence[Sample]) -> float:
    """Bytes by which the memory may have grown meanwhile."""
    hours = (samples[-1].seconds - samples[0].seconds) / 3600
    games = samples[-1].games - samples[0].games
    return GRAIN + min(PER_HOUR * hours, PER_1000_GAMES * games / 1000)
