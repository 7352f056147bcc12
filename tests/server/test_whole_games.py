"""Whole games over memory streams, and the byte streams that carry them."""

from __future__ import annotations

import json

import pytest
import trio

from arena.records import verify
from tests.server.table import dice, open_hall

pytestmark = pytest.mark.trio


@pytest.mark.parametrize("seats", [2, 3, 6])
async def test_game_is_played_to_its_end_and_its_record_holds(tmp_path, autojump_clock, seats):
    async with open_hall(tmp_path) as hall:
        game = await hall.seated(seats, seed=seats)
        await game.ready()
        ends = await game.play_on(dice(seats))
    assert all(end == ends[0] for end in ends)
    assert ends[0]["reasons"] == ["normal"] * seats
    assert sorted(ends[0]["places"])[0] == 1
    assert verify(game.record).over
