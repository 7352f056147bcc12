"""How long a large field takes: 1,000,000 results of 1,000 entrants from a file of duels, fitted and reported."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import TypeVar

import numpy as np

from bench.measure import Figure, calibrate
from tournaments.elsewhere import read_results
from tournaments.page import page_of
from tournaments.ratings import fit_tables, rated_once, tables
from tournaments.report import report

T = TypeVar("T")


def figures(quick: bool) -> Iterator[Figure]:
    """In processor time of all threads; each is measured once, as they take seconds."""
    entrants, games = (20, 2_000) if quick else (1_000, 1_000_000)
    note = f"{games:,} results of {entrants:,} entrants, two seats"
    loop = calibrate()

    def figure(name: str, seconds: float, must: float | None = None, aim: float | None = None) -> Figure:
        return Figure(name, "s", seconds, None, seconds / loop, must, aim, note=note)

    with TemporaryDirectory() as folder:
        file = Path(folder) / "duels.csv"
        write_duels(file, entrants, games)
        gc.disable()  # as `arena rate` does
        try:
            reading, results = timed(lambda: read_results(file))
            counting, counted = timed(lambda: tables(rated_once(results)))
            fitting, _ = timed(lambda: fit_tables(counted))
            whole, _ = timed(lambda: page_of(report(results, "duels")))
        finally:
            gc.enable()
    yield figure("results read from CSV", reading)
    yield figure("results counted", counting)
    yield figure("ratings and error bars fitted to counted results", fitting)
    yield figure("fit", counting + fitting, must=10, aim=3)
    yield figure("report: read, fitted, and written as a page", reading + whole, must=30, aim=10)


def timed(work: Callable[[], T]) -> tuple[float, T]:
    """The seconds of processor time that it takes, and what it returns."""
    start = process_time()
    value = work()
    return process_time() - start, value


def write_duels(file: Path, entrants: int, games: int) -> None:
    """Games of two, drawn at random, that follow the Bradley-Terry model; a tenth are ties."""
    random = np.random.default_rng(1)
    strength = random.normal(size=entrants)
    one = random.integers(entrants, size=games)
    other = (one + random.integers(1, entrants, size=games)) % entrants
    won = random.random(games) < 1 / (1 + np.exp(strength[other] - strength[one]))
    score = np.where(random.random(games) < 0.1, 0.5, won)
    with file.open("w", encoding="utf-8") as lines:
        lines.write("a,b,score\n")
        for a, b, made in zip(one.tolist(), other.tolist(), score.tolist(), strict=True):
            lines.write(f"bot{a},bot{b},{made:g}\n")
