"""The benchmark of watchers and idlers prints what docs/benchmarks.md says; nothing looks at how fast anything is."""

from __future__ import annotations

import random

from bench.audience import figures
from bench.pairs import change


def test_all_figures_are_told() -> None:
    told = {figure.name: figure for figure in figures(quick=True)}
    assert told["memory of a watcher that stalls"].must == 1024
    assert told["from reading again until a watcher that stalled is in step, worst"].must == 2000
    assert told["change of the players' delay by 10 watchers, p99"].must == 10
    assert told["memory of 10 idle connections"].must == 200
    assert "delay of the players without 10 idle connections, p99" in told


def windows(count: int, slower: float, seed: int) -> list[list[float]]:
    """Delays about 1, of a machine whose mood is another in each window."""
    rng = random.Random(seed)
    return [[rng.uniform(0.8, 1.2) * slower for _ in range(100)] for _ in range(count)]


def test_a_change_is_told_with_bounds_that_hold_it() -> None:
    found = change(windows(30, 1.0, seed=1), windows(30, 1.2, seed=2), 0.5)
    assert found.low < 20 < found.high
    assert found.low > 15
    assert found.high < 25
    assert (found.verdict(30), found.verdict(20), found.verdict(10)) == (
        "yes",
        "open: take more rounds, or a quieter machine",
        "no",
    )


def test_windows_that_are_the_same_differ_by_nothing() -> None:
    same = windows(5, 1.0, seed=1)
    assert change(same, same, 0.99)[:3] == (0, 0, 0)
