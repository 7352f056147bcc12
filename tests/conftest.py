"""Options of the whole suite."""

from __future__ import annotations

import json
import random
import signal
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import structlog

from tests.wallclock import WallClock

SEED = pytest.StashKey[int]()
"""What a test of many seeds plays with now."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--soak", action="store_true", help="run the tests that take minutes, too")
    parser.addoption("--minutes", type=float, default=60.0, help="how long the steady load of a soak lasts")
    parser.addoption("--seed", type=int, help="the only seed of the tests that draw theirs")


def pytest_configure(config: pytest.Config) -> None:
    """A shell starts what runs in its background with Ctrl-C ignored, which all that the tests start would inherit."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the long tests, unless they are asked for."""
    if config.getoption("--soak"):
        return
    config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker("soak")])
    items[:] = [item for item in items if not item.get_closest_marker("soak")]


@pytest.fixture
def show(request: pytest.FixtureRequest) -> Callable[[str, dict[str, Any]], None]:
    """Print figures of a long run at once, whether or not the test passes, from a process of xdist too."""
    capturing = request.config.pluginmanager.get_plugin("capturemanager")

    def line(name: str, figures: dict[str, Any]) -> None:
        with capturing.global_and_fixture_disabled():
            sys.stderr.write(f"\n{name}: {json.dumps(figures)}\n")
            sys.stderr.flush()

    return line


@pytest.fixture
def seeds(request: pytest.FixtureRequest) -> Callable[[int], Iterator[int]]:
    """So many seeds that follow each other, from a random one on; or the one of `--seed`."""

    def draw(count: int) -> Iterator[int]:
        only = request.config.getoption("--seed")
        first = random.SystemRandom().randrange(10**6) if only is None else only
        for seed in range(first, first + (count if only is None else 1)):
            request.node.stash[SEED] = seed
            yield seed

    return draw


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Tell beside the failure of a test with what seed it has failed, and the command that repeats it."""
    try:
        return (yield)
    except BaseException as error:
        if (seed := item.stash.get(SEED, None)) is not None:
            command = f".venv/bin/python -m pytest --soak --seed {seed} '{item.nodeid}'"
            error.add_note(f"It has failed with the seed {seed}; this plays it again: {command}")
        raise


@pytest.fixture(autouse=True)
def _logging() -> Iterator[None]:
    """A command that is called in this process sets up the logs of the process; the next test has its own again."""
    yield
    structlog.reset_defaults()


@pytest.fixture
def wall(monkeypatch: pytest.MonkeyPatch) -> WallClock:
    return WallClock(monkeypatch)
