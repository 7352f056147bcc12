"""The benchmarks of ratings and the runner print what docs/benchmarks.md says; how fast anything is does not matter."""

from __future__ import annotations

from pathlib import Path

from bench import ratings, runner

PAGE = (Path(__file__).parents[2] / "docs" / "benchmarks.md").read_text("utf-8")


def test_figures_of_ratings_are_told() -> None:
    told = {figure.name: (figure.must, figure.aim) for figure in ratings.figures(quick=True)}
    assert told["fit"] == (10, 3)
    assert told["report: read, fitted, and written as a page"] == (30, 10)
    assert all(f"`{name}`" in PAGE for name in told)


def test_figures_of_the_runner_are_told() -> None:
    told = {figure.name: figure.must for figure in runner.figures(quick=True)}
    assert told["two workers against twice one worker"] == 90
    assert all(f"`{name}`" in PAGE for name in told)
