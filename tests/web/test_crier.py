"""Viewers are woken a few at a time, and everybody else runs in between."""

from __future__ import annotations

import trio

from arena.web.crier import AT_ONCE, GAP, Crier


async def test_many_viewers_are_woken_in_groups_and_in_order(mock_clock, nursery):
    crier = Crier()
    nursery.start_soon(crier.run)
    sleepers = [trio.Event() for _ in range(3 * AT_ONCE)]
    crier.call(sleepers[:-1])
    crier.call(sleepers[-1:])
    for group in range(1, 4):
        await trio.testing.wait_all_tasks_blocked()
        assert [sleeper.is_set() for sleeper in sleepers] == [
            place < group * AT_ONCE for place in range(len(sleepers))
        ]
        mock_clock.jump(GAP)


async def test_who_is_called_later_is_woken_too(mock_clock, nursery):
    crier = Crier()
    nursery.start_soon(crier.run)
    for _ in range(2):
        sleeper = trio.Event()
        crier.call([sleeper])
        await trio.testing.wait_all_tasks_blocked()
        assert sleeper.is_set()
        mock_clock.jump(GAP)
        await trio.testing.wait_all_tasks_blocked()
