"""Long tests draw their seeds; a failure tells the one that repeats it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tests.conftest import SEED, pytest_runtest_call

Seeds = Callable[[int], Iterator[int]]


def test_seeds_follow_each_other(seeds: Seeds) -> None:
    first, *others = seeds(3)
    assert others == [first + 1, first + 2]


def test_a_seed_that_is_named_is_the_only_one(
    seeds: Seeds, pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pytestconfig.option, "seed", 7)
    assert list(seeds(200)) == [7]


def test_a_failure_tells_its_seed_and_the_command_that_repeats_it() -> None:
    item = SimpleNamespace(nodeid="tests/test_x.py::test_y", stash=pytest.Stash())
    item.stash[SEED] = 41
    running = cast(Any, pytest_runtest_call(cast(pytest.Item, item)))
    next(running)
    with pytest.raises(AssertionError) as caught:
        running.throw(AssertionError("lost"))
    (note,) = caught.value.__notes__
    assert note.endswith(".venv/bin/python -m pytest --soak --seed 41 'tests/test_x.py::test_y'")
