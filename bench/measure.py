"""What every suite measures with: the calibration loop, repetition, and the form of a figure.

What is measured belongs in the suites (`core` and its neighbours), not here.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Callable, Iterable
from statistics import median
from time import process_time
from typing import Any, NamedTuple

CALIBRATION_STEPS = 20_000
"""Steps of the fixed loop: about 10 ms, long against the clock's grain and short against a machine's moods."""

LEAST_TIMED = 0.02
"""Seconds that one repetition of a short operation lasts at least, so that the clock's own cost vanishes."""


class Figure(NamedTuple):
    """One measured number; printed as one JSON line."""

    name: str
    unit: str
    best: float
    median: float | None
    calibrated: float | None = None
    """The median against the calibration loop of the same repetition: how many loops an operation takes,
    or how many of them fit into one loop; None for what is no time."""
    must: float | None = None
    aim: float | None = None
    repetitions: int = 1
    note: str = ""

    def scaled(self, name: str, factor: float) -> Figure:
        """The same measurement counted in other things, `factor` of which go into one."""
        return self._replace(
            name=name,
            best=self.best * factor,
            median=None if self.median is None else self.median * factor,
            calibrated=None if self.calibrated is None else self.calibrated * factor,
            must=None,
            aim=None,
        )

    def line(self) -> str:
        """The figure as JSON; `value` is the best repetition."""
        fields: dict[str, Any] = {
            "name": self.name,
            "value": significant(self.best),
            "median": None if self.median is None else significant(self.median),
            "unit": self.unit,
            "ratio": None if self.calibrated is None else significant(self.calibrated),
            "must": self.must,
            "aim": self.aim,
            "repetitions": self.repetitions,
        }
        if self.note:
            fields["note"] = self.note
        return json.dumps(fields)


def significant(value: float) -> float:
    """`value` with four significant digits, as an int where it is whole."""
    rounded = float(f"{value:.4g}")
    return int(rounded) if rounded.is_integer() else rounded


def machine() -> str:
    """The first line of a run: what measured it, and how busy it was."""
    return json.dumps(
        {
            "name": "machine",
            "python": platform.python_version(),
            "implementation": platform.python_implementation(),
            "cpu": cpu_model(),
            "cores": os.cpu_count(),
            "load": round(os.getloadavg()[0], 2),
            "system": f"{platform.system()} {platform.machine()}",
        }
    )


def cpu_model() -> str:
    """The processor's name as Linux tells it, else what Python knows."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            for line in lines:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


class Counter:
    """An object with a field and a method, for the calibration loop alone."""

    __slots__ = ("total",)

    def __init__(self) -> None:
        self.total = 0

    def add(self, amount: int) -> None:
        """A method call as the rules make thousands of."""
        self.total += amount


def calibration_loop() -> int:
    """Fixed pure-Python work of the sort the rules do: calls, fields, small tuples, lists and dictionaries.

    It must never change: figures of different days and machines are compared through it.
    """
    counter = Counter()
    row: tuple[int, ...] = tuple(range(8))
    seen: dict[int, int] = {}
    for step in range(CALIBRATION_STEPS):
        counter.add(row[step & 7])
        seen[step & 63] = step
        if not step & 15:
            row = (*row[1:], step & 255)
            counter.add(len([value for value in row if value & 1]))
    return counter.total + len(seen)


def calibrate() -> float:
    """Seconds of CPU time that one calibration loop takes now, best of two."""
    times = []
    for _ in range(2):
        start = process_time()
        calibration_loop()
        times.append(process_time() - start)
    return min(times)


def rate(name: str, unit: str, work: Callable[[], int], repetitions: int, **more: Any) -> Figure:
    """How many things per second of CPU time `work` does; it returns how many it did."""
    rates, ratios = [], []
    for _ in range(repetitions):
        loop = calibrate()
        start = process_time()
        done = work()
        per_second = done / (process_time() - start)
        rates.append(per_second)
        ratios.append(per_second * loop)
    return Figure(name, unit, max(rates), median(rates), median(ratios), repetitions=repetitions, **more)


def duration(
    name: str, work: Callable[[], object], repetitions: int, *, operations: int = 1, **more: Any
) -> Figure:
    """Microseconds of CPU time per operation; one call of `work` does `operations` of them."""
    times, ratios = [], []
    for _ in range(repetitions):
        loop = calibrate()
        start = process_time()
        calls = 0
        while True:
            work()
            calls += 1
            taken = process_time() - start
            if taken >= LEAST_TIMED:
                break
        times.append(taken / calls / operations)
        ratios.append(times[-1] / loop)
    return Figure(
        name, "us", min(times) * 1e6, median(times) * 1e6, median(ratios), repetitions=repetitions, **more
    )


def show(figures: Iterable[Figure]) -> None:
    """Print each figure as soon as it is there."""
    for figure in figures:
        print(figure.line(), flush=True)
