"""A server that is told to stop: games may end, then they are suspended, and everybody is told."""

from __future__ import annotations

import json
import re
import signal

import pytest
import trio
from structlog.testing import capture_logs

from arena.server import drain
from tests.faults.processes import ForkedServer, running
from tests.server.table import dial, dialling, dice, listening, open_hall
from tests.server.test_clocks_of_seats import first_request
from tests.server.test_watchers import play_some


@pytest.fixture
async def hall(tmp_path, autojump_clock):
    async with open_hall(tmp_path, drain=30.0) as hall:
        yield hall


def steps_in(logs):
    """What an organiser is told of a server that stops."""
    fields = "event", "games", "deadline", "why"
    return [
        {field: log[field] for field in fields if field in log}
        for log in logs
        if log["event"] in ("stopping", "suspending", "stopped")
    ]


@pytest.fixture
def signals():
    """A way to send further signals, and where they come."""
    return trio.open_memory_channel(1)


async def test_who_plays_nothing_is_sent_home_and_no_game_starts(autojump_clock, hall):
    game = await hall.seated()
    await game.ready()
    idle, queued, seated = [await hall.login(name) for name in ("idle", "queued", "seated")]
    await queued.send("join", table="queue")
    await queued.expect("joined")
    await seated.send("join", wanted={"seats": 2})
    table = (await seated.expect("joined"))["table"]
    hall.server.drain()
    await idle.expect("bye", reason="shutdown")
    await queued.expect("left", table="queue")
    await queued.expect("bye", reason="shutdown")
    await seated.expect("left", table=table)
    await seated.expect("bye", reason="shutdown")
    await game[0].send("join", table="queue")
    await game[0].until("error", code="not-offered")
    late = await hall.login("late")
    await late.expect("bye", reason="shutdown")


async def test_games_end_and_their_players_and_watchers_are_sent_home(autojump_clock, hall, signals):  # S022
    game = await hall.seated()
    await game.ready()
    watcher = await hall.login("watcher")
    await watcher.send("watch", game=game.id)
    await watcher.until("events")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(drain, hall.server, signals[1])
        await trio.testing.wait_all_tasks_blocked()
        ends = await game.play_on(dice(1))
    assert ends[0]["reasons"] == ["normal", "normal"]
    for wire in (*game, watcher):
        bye = await wire.until("bye", reason="shutdown")
        assert "suspended" not in bye


async def test_a_seat_that_is_lost_while_the_server_stops_can_be_resumed(autojump_clock, hall):
    game = await hall.seated()
    await game.ready()
    wire, request = await first_request(game)
    hall.server.drain()
    await wire.drop()
    back = await hall.resume(wire)
    await back.until("request", id=request["id"])


async def test_after_the_deadline_games_are_suspended_and_go_on_later(tmp_path, autojump_clock, signals):
    async with open_hall(tmp_path, drain=3.0) as hall:
        game = await hall.seated()
        await game.ready()
        await play_some(game, 5)
        started = trio.current_time()
        with capture_logs() as logs:
            await drain(hall.server, signals[1])
        assert trio.current_time() - started == pytest.approx(3.0, abs=0.1)
        assert steps_in(logs) == [
            {"event": "stopping", "games": 1, "deadline": 3.0},
            {"event": "suspending", "games": 1, "why": "deadline"},
        ]
        choices = len(game.record.choices)
        seat = next(seat for seat in game.referee.seats if seat.request is not None)
        hall.server.close()
        for wire in game:
            bye = await wire.until("bye", reason="shutdown", suspended=[game.id])
            assert "come back" in bye["text"]
            await wire.hung_up()
        assert game.record.result is None
    async with open_hall(tmp_path) as hall:
        game = await hall.seated_again(game)
        assert len(game.record.choices) == choices
        await game[seat.number].until("request", id=seat.asked)
        ends = await game.play_on(dice(1))
        assert ends[0]["reasons"] == ["normal", "normal"]


async def test_a_second_signal_ends_the_waiting(autojump_clock, hall, signals):
    game = await hall.seated()
    await game.ready()
    signals[0].send_nowait(signal.SIGTERM)
    began = trio.current_time()
    await drain(hall.server, signals[1])
    assert trio.current_time() == began
    assert game.id in hall.server.games


async def test_a_server_of_a_tournament_keeps_nothing_to_go_on_with(tmp_path):
    async with listening(tmp_path, continues=False) as (server, port):
        wires = [await dial(port) for _ in range(2)]
        for number, wire in enumerate(wires):
            await wire.hello(f"bot {number}")
        await wires[0].send("join", wanted={"seats": 2})
        await wires[1].send("join", table=(await wires[0].until("joined"))["table"])
        await wires[1].until("start")
        server.close()
        bye = await wires[1].until("bye", reason="shutdown")
        assert "suspended" not in bye
        assert not (tmp_path / "seats").exists()


OPTIONS = ("--drain", "600", "--move", "600", "--no-http")


async def test_the_command_stops_in_two_phases_and_its_games_go_on(tmp_path):
    data = tmp_path / "data"
    async with dialling(), running(ForkedServer(data, OPTIONS)) as server:
        second = await server.launch(["serve", "--data", str(data), "--port", "0"])
        with trio.fail_after(60):
            await second.wait()
        assert second.returncode == 2
        assert f"is used by another server, process {server.pid};" in server.log.read_text()
        wires = [await dial(server.port) for _ in range(2)]
        for number, wire in enumerate(wires):
            await wire.hello(f"bot {number}")
        await wires[0].send("join", wanted={"seats": 2, "seed": 1})
        await wires[1].send("join", table=(await wires[0].until("joined"))["table"])
        for wire in wires:
            game = (await wire.until("start"))["game"]
            await wire.send("ready", game=game)
        idle = await dial(server.port)
        await idle.hello("idle")
        server.signal(signal.SIGTERM)
        await idle.until("bye", reason="shutdown")  # the first phase
        await wires[0].send("ping")
        await wires[0].until("pong")
        assert await server.end(signal.SIGTERM) == 0
        for wire in wires:
            await wire.until("bye", reason="shutdown", suspended=[game])
        told = re.findall(r"\[info +\] (\w+)[ ]*(.*)", server.log.read_text())
        assert [(event, fields.strip()) for event, fields in told] == [
            ("stopping", "deadline=600.0 games=1"),
            ("suspending", "games=1 why='second signal'"),
            ("stopped", ""),
        ]
    async with dialling(), running(ForkedServer(data, (*OPTIONS, "--log", "json"))) as server:
        back = [await dial(server.port) for _ in range(2)]
        async with trio.open_nursery() as nursery:
            for wire, old in zip(back, wires, strict=True):
                await wire.hello(old.name, resume=old.key)
                nursery.start_soon(wire.play, dice(1))
        assert back[0].messages[-1]["reasons"] == ["normal", "normal"]
        idle = await dial(server.port)
        await idle.hello("idle")
        server.signal(signal.SIGINT)
        await idle.until("bye", reason="shutdown")
        for number in (signal.SIGTERM, signal.SIGINT) * 5:  # it says goodbye already
            server.signal(number)
        assert await server.end(signal.SIGTERM) == 0
        text = server.log.read_text().partition("stopped\n")[
            2
        ]  # by the first server, whose log was for people
        lines = [json.loads(line) for line in text.splitlines()]
        assert lines[0]["event"] == "listening"
        assert all(line["level"] == "info" and line["timestamp"] for line in lines)
        assert steps_in(lines) == [
            {"event": "stopping", "games": 0, "deadline": 600.0},
            {"event": "stopped"},
        ]
