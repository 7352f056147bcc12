"""What monitoring is told: numbers that agree with what has happened, and what is wrong."""

from __future__ import annotations

import shutil

import pytest
import trio
from prometheus_client.parser import text_string_to_metric_families

from arena.server.metrics import CONTENT_TYPE, LEAST_ROOM, exposition, health
from protocol.messages import Clock
from tests.server.table import dice, open_hall


def read(server) -> dict[tuple[str, ...], float]:
    """Every sample, by its name and the values of its labels."""
    text = exposition(server).decode()
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


async def test_the_numbers_are_those_of_the_server(tmp_path, autojump_clock):
    async with open_hall(tmp_path) as hall:
        watcher = await hall.login("watcher")
        game = await hall.seated()
        await watcher.send("watch", game=game.id)
        await watcher.until("snapshot")
        await watcher.send("join", table="t-nothing")
        await watcher.until("error")
        await watcher.send("join", table="queue")
        await watcher.until("joined")
        now = read(hall.server)
        for name, value in {"connections": 3, "clients": 3, "games": 1, "watchers": 1, "queue": 1}.items():
            assert now[f"arena_{name}",] == value, name
        await game.ready()
        await game.play_on(dice(1))
        await watcher.drop()
        after = read(hall.server)
        assert after["arena_games",] == after["arena_watchers",] == 0
        assert after["arena_ended_games_total", game.record.result.reason] == 1
        assert after["arena_choices_total",] == len(game.record.choices)
        assert after["arena_faults_total",] == 0
        assert after["arena_errors_total", "no-such-table"] == 1
        assert after["arena_ended_connections_total", "lost"] == 1
        assert after["arena_accepted_connections_total",] == 3
        assert after["process_open_fds",] > 0


async def test_what_is_told_before_a_login_and_who_is_retired_without_a_fault_counts(
    tmp_path, autojump_clock
):
    async with open_hall(tmp_path, connections=2, resume=5.0) as hall:
        game = await hall.seated(clock=Clock(move=60.0))
        await hall.connect().expect("error", code="server-full")
        await game.ready()
        await game[0].drop()
        await trio.sleep(6)
        await game.play_on(dice(1), skip=[0])
        numbers = read(hall.server)
    assert numbers["arena_errors_total", "server-full"] == 1
    assert numbers["arena_faults_total",] == 0
    assert numbers["arena_retired_seats_total", "disconnect"] == 1


async def test_no_name_stands_in_the_numbers(tmp_path, autojump_clock):
    async with open_hall(tmp_path) as hall:
        await hall.login('odd"} 1\\name')
        assert b"odd" not in exposition(hall.server)
    assert CONTENT_TYPE.startswith("text/plain; version=0.0.4")


async def test_a_server_that_can_play_is_healthy(tmp_path, autojump_clock):
    async with open_hall(tmp_path) as hall:
        assert health(hall.server) == {}
        hall.server.drain()
        assert list(health(hall.server)) == ["closing"]


@pytest.mark.parametrize("free", [0, LEAST_ROOM - 1])
async def test_a_disk_without_room_is_told_before_it_is_full(tmp_path, autojump_clock, monkeypatch, free):
    async with open_hall(tmp_path) as hall:
        usage = type(shutil.disk_usage(tmp_path))
        monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(LEAST_ROOM, LEAST_ROOM - free, free))
        assert "MiB are free for records" in health(hall.server)["data"]


async def test_a_data_folder_that_is_gone_is_told(tmp_path, autojump_clock):
    async with open_hall(tmp_path / "data") as hall:
        shutil.rmtree(tmp_path / "data")
        assert "has been removed or replaced since" in health(hall.server)["data"]
