"""Signals that a command hears until it ends."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest
import trio

from arena.signals import WAITING, hearing

SIGNAL = signal.SIGUSR1


@pytest.fixture
def before() -> Iterator[list[int]]:
    """Signals that come to whoever has heard them before."""
    heard: list[int] = []
    former = signal.signal(SIGNAL, lambda number, _: heard.append(number))
    yield heard
    signal.signal(SIGNAL, former)


async def test_what_nobody_has_taken_is_dropped(before: list[int]) -> None:
    with hearing(SIGNAL) as signals:
        for _ in range(2 * WAITING):
            signal.raise_signal(SIGNAL)
        assert await anext(aiter(signals)) == SIGNAL
        signal.raise_signal(SIGNAL)  # still on its way when the block is left
    await trio.testing.wait_all_tasks_blocked()
    assert before == []
    signal.raise_signal(SIGNAL)
    assert before == [SIGNAL]


@pytest.mark.parametrize("fails", [False, True])
async def test_after_the_last_block_they_are_ignored_unless_it_has_failed(
    before: list[int], fails: bool
) -> None:
    try:
        with hearing(SIGNAL, last=True):
            if fails:
                raise OSError
    except OSError:
        pass
    await trio.testing.wait_all_tasks_blocked()
    signal.raise_signal(SIGNAL)
    assert before == [SIGNAL] * fails
