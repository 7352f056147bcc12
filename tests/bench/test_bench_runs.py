"""The benchmarks print what docs/benchmarks.md says; nothing here looks at how fast anything is."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from bench.measure import Figure, significant
from bench.statistics_of_games import percentile


@pytest.fixture(scope="module")
def lines() -> list[dict[str, object]]:
    command = [sys.executable, "-m", "bench", "core", "--quick", "--games", "2"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_first_line_tells_the_machine(lines: list[dict[str, object]]) -> None:
    assert lines[0]["name"] == "machine"
    assert lines[0]["python"]
    assert lines[0]["cpu"]


def test_every_further_line_is_a_figure(lines: list[dict[str, object]]) -> None:
    for line in lines[1:]:
        assert {"name", "value", "median", "unit", "ratio", "must", "aim", "repetitions"} <= set(line)
        assert isinstance(line["value"], int | float)


def test_every_figure_with_a_number_to_reach_is_there(lines: list[dict[str, object]]) -> None:
    wanted = {line["name"]: (line["must"], line["aim"]) for line in lines[1:] if line["must"]}
    assert wanted == {
        "decisions": (30_000, 60_000),
        "decisions, everything": (30_000, 60_000),
        "decisions, everything with tokens": (30_000, 60_000),
        "decisions, everything with tokens-everywhere": (30_000, 60_000),
        "clone": (25, 10),
        "JSON round trip": (500, 250),
        "one seat's view": (100, 40),
        "import arena.game with all powers": (150, 60),
        "resident memory, 100 live games": (60, 40),
        "resident memory, whole process with 100 live games": (60, 40),
    }


def test_shares_of_end_reasons_add_up(lines: list[dict[str, object]]) -> None:
    shares = [line["value"] for line in lines if str(line["name"]).startswith("games ended by")]
    assert sum(float(str(share)) for share in shares) == pytest.approx(100, abs=0.1)


def test_timed_figures_have_a_ratio_and_counted_ones_have_none(lines: list[dict[str, object]]) -> None:
    for line in lines[1:]:
        assert (line["ratio"] is None) == (line["unit"] in ("", "%", "MB")), line["name"]


def test_unknown_suite_is_refused_in_one_sentence() -> None:
    done = subprocess.run([sys.executable, "-m", "bench", "wrie"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert "there is no suite 'wrie'; the suites are core" in done.stderr


def test_value_is_the_best_repetition() -> None:
    line = json.loads(Figure("x", "us", 1.23456, 2.0, 0.5, repetitions=3).line())
    assert (line["value"], line["median"], line["ratio"], line["repetitions"]) == (1.235, 2, 0.5, 3)


def test_percentile_is_a_value_that_occurred() -> None:
    assert percentile(range(1, 101), 0.99) == 99
    assert percentile([7], 0.99) == 7


def test_figures_keep_four_digits() -> None:
    assert [significant(v) for v in (23456.7, 0.00012345, 3.0)] == [23460, 0.0001234, 3]
