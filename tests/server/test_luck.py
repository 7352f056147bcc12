"""The number that each seat is told for its own random choices."""

from __future__ import annotations

import pytest

from protocol import luck
from protocol.messages import Clock, Rules
from tests.server.table import open_hall

CLOCK = Clock(move=10.0, bank=30.0)


@pytest.fixture
async def hall(tmp_path, autojump_clock):
    async with open_hall(tmp_path, resume=20.0) as hall:
        yield hall


async def starts(hall, salt, names=("Ada", "Bo", "Cy")):
    """What the seats of a new game are told at its start."""
    players = [await hall.login(name) for name in names]
    members = [hall.server.clients.named(wire.name) for wire in players]
    hall.server.games.open(members, Rules(), CLOCK, seed=1, salt=salt)
    return players, [await wire.until("start") for wire in players]


async def test_each_seat_has_its_own_and_the_same_in_all_games_of_a_salt(autojump_clock, hall):
    _, first = await starts(hall, "ab" * 16)
    _, second = await starts(hall, "ab" * 16, ("Dee", "Eve", "Fay"))
    _, other = await starts(hall, "cd" * 16, ("Gus", "Hal", "Ida"))
    numbers = [start["luck"] for start in first]
    assert numbers == [luck("ab" * 16, seat) for seat in range(3)]
    assert numbers == [start["luck"] for start in second]
    assert len({*numbers, *(start["luck"] for start in other)}) == 6


async def test_games_without_a_given_salt_have_different_ones(autojump_clock, hall):
    _, first = await starts(hall, None)
    _, second = await starts(hall, None, ("Dee", "Eve", "Fay"))
    assert len({start["luck"] for start in first + second}) == 6


async def test_who_comes_back_has_the_same(autojump_clock, hall):
    players, told = await starts(hall, None)
    await players[1].drop()
    back = await hall.resume(players[1])
    await back.expect("start", game=told[1]["game"], seat=1, luck=told[1]["luck"])


async def test_it_is_told_to_nobody_but_the_seat_that_plays(autojump_clock, hall):
    _, told = await starts(hall, None)
    watcher = await hall.login("watcher")
    await watcher.send("watch", game=told[0]["game"])
    assert "luck" not in await watcher.until("start")
