"""A bot that thinks does not hold up the event loop."""

from __future__ import annotations

from threading import Event

import pytest
import trio
import trio.testing

from clients.thinking import in_a_thread

PATIENCE = 60.0  # seconds; then the test fails


@pytest.mark.trio
async def test_the_event_loop_runs_while_a_bot_thinks() -> None:
    looked_after = Event()
    answers: list[bool] = []

    async def think() -> None:
        answers.append(await in_a_thread(looked_after.wait)(PATIENCE))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(think)
        await trio.testing.wait_all_tasks_blocked()
        looked_after.set()
    assert answers == [True]


@pytest.mark.trio
async def test_a_bot_answers_one_request_after_the_other() -> None:
    inside = 0
    most = 0

    def choose(request: int) -> int:
        nonlocal inside, most
        inside += 1
        most = max(most, inside)
        sum(range(300_000))  # long enough for others to come in
        inside -= 1
        return request

    think = in_a_thread(choose)
    async with trio.open_nursery() as nursery:
        for number in range(8):
            nursery.start_soon(think, number)
    assert most == 1


@pytest.mark.trio
async def test_what_a_bot_raises_goes_through() -> None:
    def choose(request: int) -> int:
        raise ValueError(f"no answer to {request}")

    with pytest.raises(ValueError, match="no answer to 5"):
        await in_a_thread(choose)(5)


@pytest.mark.trio
async def test_nobody_waits_for_a_bot_that_is_not_needed_any_more() -> None:
    needed = Event()
    ended = Event()

    def choose(request: int) -> None:
        needed.wait(PATIENCE)
        ended.set()

    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(in_a_thread(choose), 1)
            await trio.testing.wait_all_tasks_blocked()
            nursery.cancel_scope.cancel()
        assert not ended.is_set()
    finally:
        needed.set()
