"""Who is waited for, for how long, and who is seated when."""

from __future__ import annotations

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from tournaments.attendance import Attendance


class Door:
    """Those who are there, and what is told of the others."""

    def __init__(self, *here: str, **games: int) -> None:
        self.here = set(here)
        self.told: list[str] = []
        numbers = dict.fromkeys(("Ada", "Bo", "Cy"), 1) | games
        self.stall = 0.0  # seconds for which the machine stood still
        self.attendance = Attendance(numbers, 60, self.here.__contains__, self.told.append, self._awake)

    def _awake(self) -> float:
        return trio.current_time() - self.stall

    def come(self, name: str) -> None:
        self.here.add(name)
        self.attendance.look()


@pytest.mark.trio
async def test_those_who_are_there_and_free_are_seated_at_once() -> None:
    door = Door("Ada", "Bo")
    assert await door.attendance.admit(["Ada", "Bo"]) == []
    assert door.told == []


@pytest.mark.trio
async def test_one_who_comes_in_time_is_seated(autojump_clock: MockClock) -> None:
    door = Door("Ada")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_come_after, 59, door, "Bo")
        assert await door.attendance.admit(["Ada", "Bo"]) == []
    assert door.told == ["waiting for Bo, 60 s at most", "Bo is here"]


@pytest.mark.trio
async def test_time_in_which_the_machine_stood_still_is_not_waited(autojump_clock: MockClock) -> None:
    door = Door("Ada")

    async def stand_still() -> None:
        await trio.sleep(30)
        autojump_clock.jump(100)
        door.stall = 100.0

    async with trio.open_nursery() as nursery:
        nursery.start_soon(stand_still)
        nursery.start_soon(_come_after, 159, door, "Bo")
        assert await door.attendance.admit(["Ada", "Bo"]) == []


async def _come_after(seconds: float, door: Door, name: str) -> None:
    await trio.sleep(seconds)
    door.come(name)


@pytest.mark.trio
async def test_one_who_does_not_come_is_named_and_seats_nobody(autojump_clock: MockClock) -> None:
    door = Door("Ada")
    begin = trio.current_time()
    assert await door.attendance.admit(["Ada", "Bo"]) == ["Bo"]
    assert trio.current_time() - begin == 60
    assert await door.attendance.admit(["Ada"]) == []


@pytest.mark.trio
async def test_waiting_is_counted_from_the_first_table_and_not_begun_again(autojump_clock: MockClock) -> None:
    """Else each of a hundred tables would wait in its turn for one who never comes."""
    door = Door()
    begin = trio.current_time()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(door.attendance.admit, ["Bo"])
        await trio.sleep(30)
        assert await door.attendance.admit(["Bo", "Cy"]) == ["Bo"]
        assert trio.current_time() - begin == 60
    assert await door.attendance.admit(["Bo"]) == ["Bo"]
    assert trio.current_time() - begin == 60


@pytest.mark.trio
async def test_one_who_has_been_there_is_waited_for_anew(autojump_clock: MockClock) -> None:
    door = Door()
    assert await door.attendance.gather(["Bo"]) == ["Bo"]
    door.come("Bo")
    door.here.remove("Bo")
    begin = trio.current_time()
    assert await door.attendance.gather(["Bo"]) == ["Bo"]
    assert trio.current_time() - begin == 60


@pytest.mark.trio
@pytest.mark.parametrize("games", [1, 3])
async def test_nobody_is_seated_at_more_tables_than_it_may(games: int) -> None:
    door = Door("Ada", "Bo", "Cy", Ada=games)
    attendance = door.attendance
    seated = []

    async def sit(names: list[str]) -> None:
        assert await attendance.admit(names) == []
        seated.append(names)

    async with trio.open_nursery() as nursery:
        for _ in range(games + 1):
            nursery.start_soon(sit, ["Ada"])
        nursery.start_soon(sit, ["Cy"])
        await wait_all_tasks_blocked()
        assert sorted(seated) == [*[["Ada"]] * games, ["Cy"]]
        attendance.dismiss(["Ada"])
    assert len(seated) == games + 2


@pytest.mark.trio
async def test_table_that_waits_for_one_keeps_no_seat_of_another(autojump_clock: MockClock) -> None:
    door = Door("Ada")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(door.attendance.admit, ["Ada", "Bo"])
        await wait_all_tasks_blocked()
        assert await door.attendance.admit(["Ada"]) == []
        nursery.cancel_scope.cancel()


@pytest.mark.trio
async def test_one_that_comes_and_goes_all_the_time_floods_nobody(autojump_clock: MockClock) -> None:
    door = Door()
    attendance = door.attendance

    async def flap() -> None:
        for _ in range(100):
            await trio.sleep(0.05)
            door.come("Bo")
            door.here.remove("Bo")

    async with trio.open_nursery() as nursery:
        nursery.start_soon(flap)
        while len(nursery.child_tasks):
            with trio.move_on_after(0.04):
                await attendance.gather(["Bo"])
    assert door.told == ["waiting for Bo, 60 s at most", "Bo is here"]
