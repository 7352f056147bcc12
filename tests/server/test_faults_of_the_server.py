"""What the server owes when it fails itself: the game ends unrated, the others go on, all are told."""

from __future__ import annotations

import errno
import os
import resource
import shutil
import signal
import subprocess
import sys

import pytest
import trio
from structlog.testing import capture_logs

from arena.records import Journal, verify
from arena.server.seatfiles import SeatFile
from arena.server.server import ROUND
from arena.server.serving import OWN_FILES, possible_connections, possible_pages
from protocol.messages import Move
from tests.records.test_record_recovery import room
from tests.server.table import dial, dialling, dice, listening, open_hall
from tests.server.test_clocks_of_seats import first_request
from tests.server.test_watchers import play_some


@pytest.fixture
async def hall(tmp_path, autojump_clock):
    async with open_hall(tmp_path) as hall:
        yield hall


async def test_a_rule_that_fails_ends_only_its_game_and_the_record_stays_sound(autojump_clock, hall):
    game = await hall.seated()
    other = await hall.seated(wires=[await hall.login("a"), await hall.login("b")])
    for each in game, other:
        await each.ready()
    await play_some(game, 10)
    core = game.referee.game

    class Broken:
        """A frame that fails in mid-choice, after the state has changed."""

        step = "start"

        def start(self, game):
            raise ZeroDivisionError("a bug of ours")

    core.players[0].credits += 2
    core.push(Broken())
    wire = game[next(s.number for s in game.referee.seats if s.request)]
    seat = game.referee.seats[game.wires.index(wire)]
    await wire.send("move", game=game.id, id=seat.request.id, choice=0)
    for each in game:
        end = await each.until("end")
        assert end["why"] == "referee-fault"
        assert end["reasons"] == ["referee-fault"] * 2
    assert len(game.record.choices) == 10
    verify(game.record)
    ends = await other.play_on(dice(1))
    assert ends[0]["reasons"] == ["normal", "normal"]
    await wire.send("ping")
    await wire.until("pong")


async def test_a_full_disk_ends_the_game_as_a_fault_of_ours_and_others_go_on(
    autojump_clock, hall, monkeypatch
):
    game = await hall.seated()
    other = await hall.seated(wires=[await hall.login("a"), await hall.login("b")])
    for each in game, other:
        await each.ready()
    full = game.referee._journal
    plain = os.write

    def write(fd, data):
        if fd == full._fd:
            raise OSError(errno.ENOSPC, "No space left on device")
        return plain(fd, data)

    monkeypatch.setattr(os, "write", write)
    wire, request = await first_request(game)
    events = sum(m["type"] == "events" for m in wire.messages)
    await wire.move(request)
    end = await wire.expect("end", why="referee-fault")
    assert end["reasons"] == ["referee-fault"] * 2
    assert (
        sum(m["type"] == "events" for m in wire.messages) == events
    )  # nothing was told that is not recorded
    ends = await other.play_on(dice(1))
    assert ends[0]["reasons"] == ["normal", "normal"]


async def test_a_disk_that_fails_at_the_result_ends_the_game_as_a_fault_of_ours(
    autojump_clock, hall, monkeypatch
):
    def fail(*_):
        raise OSError(errno.EIO, "Input/output error")

    game = await hall.seated()
    await game.ready()
    monkeypatch.setattr(os, "fsync", fail)
    ends = await game.play_on(dice(1), end=False)
    assert [end["why"] for end in ends] == ["referee-fault"] * 2
    for wire in game:
        await wire.send("ping")
        await wire.until("pong")


async def test_a_record_that_cannot_be_begun_is_told_and_the_players_are_free(
    autojump_clock, hall, monkeypatch
):
    def create(*_, **__):
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr(Journal, "create", create)
    wires = [await hall.login("one"), await hall.login("two")]
    await wires[0].send("join", wanted={"seats": 2})
    table = (await wires[0].expect("joined"))["table"]
    await wires[1].send("join", table=table)
    for wire in wires:
        await wire.until("error", code="server-fault")
        await wire.expect("left", table=table)
        await wire.send("join", table="queue")
        await wire.expect("joined", table="queue")


async def test_when_there_is_room_again_games_can_be_played_without_a_restart(autojump_clock, hall):
    """A file that may not grow is what a full disk is to a game."""
    game = await hall.seated()
    with room(3000):
        await game.ready()
        ends = await game.play_on(dice(1), end=False)
    assert ends[0]["why"] == "referee-fault"
    assert 0 < len(game.record.choices) < 20  # whole lines, as far as there was room
    assert not list((hall.server.config.data / "seats").iterdir())  # it is over, and does not go on
    again = await hall.seated(wires=game.wires)
    await again.ready()
    ends = await again.play_on(dice(1))
    assert ends[0]["reasons"] == ["normal", "normal"]


async def test_a_data_folder_that_is_removed_ends_its_games_and_begins_none(tmp_path, autojump_clock):
    """What is written into a file without a name would be lost in silence, and another server could have the folder."""
    async with open_hall(tmp_path / "data") as hall:
        game = await hall.seated()
        await game.ready()
        await play_some(game, 3)
        shutil.rmtree(tmp_path / "data")
        wire, request = await first_request(game)
        await wire.move(request)
        for each in game:
            assert (await each.until("end"))["why"] == "referee-fault"
        await wire.send("join", wanted={"seats": 2})
        table = (await wire.until("joined"))["table"]
        other = next(each for each in game if each is not wire)
        await other.send("join", table=table)
        await other.until("error", code="server-fault")
        assert not (tmp_path / "data").exists()


async def test_a_full_disk_is_not_filled_with_what_could_not_be_written(autojump_clock, hall, monkeypatch):
    monkeypatch.setattr(SeatFile, "model_dump_json", lambda _: "x" * 200_000)
    wires = [await hall.login("one"), await hall.login("two")]
    with room(100_000):
        await wires[0].send("join", wanted={"seats": 2})
        await wires[1].send("join", table=(await wires[0].expect("joined"))["table"])
        for wire in wires:
            await wire.until("error", code="server-fault")
    assert not list((hall.server.config.data / "seats").iterdir())


@pytest.fixture
def no_room(monkeypatch):
    """A disk on which no file of seats can be written, once this is called."""
    plain = os.open

    def full(path, *rest, **more):
        if str(path).endswith(".new"):
            raise OSError(errno.ENOSPC, "No space left on device")
        return plain(path, *rest, **more)

    return lambda: monkeypatch.setattr(os, "open", full)


async def test_a_game_whose_seats_cannot_be_kept_is_told_and_does_not_begin(autojump_clock, hall, no_room):
    no_room()
    wires = [await hall.login("one"), await hall.login("two")]
    await wires[0].send("join", wanted={"seats": 2})
    table = (await wires[0].expect("joined"))["table"]
    await wires[1].send("join", table=table)
    for wire in wires:
        await wire.until("error", code="server-fault")
        await wire.expect("left", table=table)
    assert not hall.server.folder.exists()


@pytest.mark.parametrize("when", ["ready", "retired"])
async def test_a_disk_that_is_full_when_seats_change_ends_that_game_as_our_fault(
    autojump_clock, hall, no_room, when
):
    game = await hall.seated(3)
    other = await hall.seated(wires=[await hall.login("a"), await hall.login("b")])
    await other.ready()
    if when == "retired":
        await game.ready()
        await play_some(game, 3)
    no_room()
    if when == "retired":
        await game[2].send("bye")
    else:
        await game.ready()
    end = await game[0].until("end", why="referee-fault")
    assert end["reasons"] == ["referee-fault"] * 3
    assert not any(m["type"] == "events" and m["events"][-1]["event"] == "retired" for m in game[0].messages)
    ends = await other.play_on(dice(1))
    assert ends[0]["reasons"] == ["normal", "normal"]


async def test_a_file_of_seats_that_cannot_be_removed_is_logged_and_the_end_is_told(
    autojump_clock, hall, monkeypatch
):
    def fail(*_, **__):
        raise OSError(errno.EROFS, "Read-only file system")

    game = await hall.seated()
    await game.ready()
    monkeypatch.setattr("pathlib.Path.unlink", fail)
    with capture_logs() as logs:
        ends = await game.play_on(dice(1))
        await trio.sleep(hall.server.config.resume + 1)
    assert ends[0]["reasons"] == ["normal", "normal"]
    assert [log["event"] for log in logs if log["log_level"] == "error"] == ["seats-not-forgotten"]


async def test_each_choice_is_recorded_before_it_is_told(autojump_clock, hall, monkeypatch):
    game = await hall.seated()
    told_with = []
    plain = game.referee.audience.tell

    def tell(events, confidant=None):
        told_with.append((len(game.record.choices), game.referee._journal.choices))
        plain(events, confidant)

    monkeypatch.setattr(game.referee.audience, "tell", tell)
    await game.ready()
    await play_some(game, 15)
    assert told_with == [(n, n) for n in range(16)]


async def test_a_message_that_the_server_fails_at_gets_an_error_and_nothing_else_happens(
    autojump_clock, hall, monkeypatch
):
    def fail(*_):
        raise RuntimeError("a bug of ours")

    monkeypatch.setattr(hall.server.lobby, "sit", fail)
    wire, other = await hall.login("one"), await hall.login("two")
    await wire.send("join", table="queue")
    await wire.expect("error", code="server-fault")
    for each in wire, other:
        await each.send("ping")
        await each.expect("pong")


async def test_a_connection_that_the_server_fails_at_is_ended_alone(
    autojump_clock, hall, monkeypatch
):  # S035
    def fail(*_):
        raise RuntimeError("a bug of ours")

    game = await hall.seated()
    await game.ready()
    with capture_logs() as logs:
        doomed = await hall.login("doomed")
        monkeypatch.setattr(hall.server.clients.named("doomed").connection._session, "receive_data", fail)
        await doomed.send("ping")
        await doomed.hung_up()
        await trio.testing.wait_all_tasks_blocked()
    assert [log["event"] for log in logs if log["log_level"] == "error"] == ["connection-fault"]
    assert hall.server.clients.named("doomed") is None
    ends = await game.play_on(dice(1))
    assert ends[0]["reasons"] == ["normal", "normal"]


async def test_a_round_that_fails_ends_nothing_and_the_next_one_comes(
    autojump_clock, hall, monkeypatch
):  # S035
    rounds = []

    def look_after():
        rounds.append(trio.current_time())
        raise RuntimeError("a bug of ours")

    monkeypatch.setattr(hall.server, "look_after", look_after)
    hall.nursery.start_soon(hall.server.keep_house)
    with capture_logs() as logs:
        await trio.sleep(2.5 * ROUND)
    assert len(rounds) == 2
    assert [log["event"] for log in logs if log["log_level"] == "error"] == ["round-fault"] * 2


async def test_a_move_that_comes_while_the_server_stops_is_neither_played_nor_punished(
    tmp_path, autojump_clock
):
    async with open_hall(tmp_path) as hall:
        game = await hall.seated()
        await game.ready()
        wire, request = await first_request(game)
        referee = game.referee
        hall.nursery.cancel_scope.cancel()
        with trio.CancelScope(shield=True):
            await trio.testing.wait_all_tasks_blocked()
            assert referee._journal.closed
            seat = referee.seats[game.wires.index(wire)]
            referee.answer(seat, Move(game=game.id, id=request["id"], choice=0), trio.current_time())
    assert referee.end is None
    assert game.record.result is None
    assert not game.record.choices


async def test_stopping_says_bye_to_all(tmp_path):
    async with listening(tmp_path) as (server, port):
        wires = [await dial(port) for _ in range(2)]
        await wires[0].hello("one")
        server.close()
        await wires[0].expect("bye", reason="shutdown")
        await wires[1].expect("bye", reason="shutdown")
        await wires[0].hung_up()


def test_s032_connections_leave_room_for_files():  # S032
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    assert possible_connections(10) == min(10, hard)
    assert possible_connections(10**9) < hard


@pytest.mark.parametrize("files", [64, 200, 1024, 4096])
def test_connections_to_pages_leave_room_for_games(monkeypatch, files):  # S032
    monkeypatch.setattr(resource, "getrlimit", lambda _: (files, files))
    pages = possible_pages(512)
    players = possible_connections(2000, pages)
    games = players // 2
    assert OWN_FILES + pages + players + games <= files
    assert pages >= 6
    assert players > pages


S032 = """
import resource, sys, trio
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
from functools import partial
from pathlib import Path
from arena.log import configure
from arena.server import Config, serve

configure()

async def run():
    async with trio.open_nursery() as nursery:
        _, listeners = await nursery.start(partial(serve, Config(port=0, data=Path(sys.argv[1]))))
        print(listeners[0].socket.getsockname()[1], flush=True)

trio.run(run)
"""


async def test_s032_more_connections_than_files_harm_no_game_and_pass(tmp_path):  # S032
    process = await trio.lowlevel.open_process(
        [sys.executable, "-c", S032, str(tmp_path)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    try:
        async with dialling():
            port = int(await process.stdout.receive_some(100))
            players = [await dial(port) for _ in range(2)]
            for number, wire in enumerate(players):
                await wire.hello(f"player {number}")
            await players[0].send("join", wanted={"seats": 2, "seed": 1})
            await players[1].send("join", table=(await players[0].until("joined"))["table"])
            await players[0].until("start")
            crowd = [await dial(port) for _ in range(200)]
            await players[0].send("ready", game=players[0].messages[-1]["game"])
            async with trio.open_nursery() as nursery:
                for wire in players:
                    nursery.start_soon(wire.play, dice(1))
            assert players[0].messages[-1]["reasons"] == ["normal", "normal"]
            for wire in crowd:
                await trio.aclose_forcefully(wire.stream)
            while True:
                late = await dial(port)
                await late.send("hello", protocol="1.0", name="late")
                if (await late.next())["type"] == "welcome":
                    break
                await late.stream.aclose()
                await trio.sleep(0.02)
    finally:
        process.send_signal(signal.SIGKILL)
        with trio.CancelScope(shield=True):
            await process.wait()
            await process.stdout.aclose()
