"""A server that is killed and started again on the same data folder: every game goes on where it stood."""

from __future__ import annotations

import errno
import json
import os
import random
import shutil
import socket
from pathlib import Path

import pytest
import trio
from structlog.testing import capture_logs

from arena.game import default_catalogue
from arena.server import Config, serve
from arena.server.datafolder import DataFolder
from arena.server.games import Games
from arena.server.seatfiles import KeptSeat, SeatFile, SeatFiles
from protocol.messages import Clock
from tests.server.table import Hung, Wire, dial, dice, listening, make_token, open_hall
from tests.server.test_answers import to_kind
from tests.server.test_clocks_of_seats import first_request
from tests.server.test_watchers import play_some

SLOW = Clock(move=10.0, bank=30.0)


def state_of(referee):
    """All that must be the same after a restart."""
    stream = referee.audience.stream
    return {
        "game": referee.game.to_json(),
        "number": stream.number,
        "events": list(stream._kept),
        "held": referee.audience._held,
        "started": referee.started,
        "retired": referee.retired,
        "seats": [
            (
                seat.name,
                seat.luck,
                seat.asked,
                seat.retired or (seat.faults, pytest.approx(seat.clock.bank, abs=1e-5)),
                seat.views,
                seat.samples,
                (seat.request.id, seat.request.texts) if seat.request is not None else None,
            )
            for seat in referee.seats
        ],
    }


async def reopened(folder: Path, game_id: str):
    """The state of the game on a server that starts on a copy of the folder, as a kill at this moment leaves it."""
    copy = folder.with_name(f"{folder.name}-copy")
    shutil.copytree(folder, copy)
    try:
        async with open_hall(copy, history=50) as hall:
            return state_of(hall.server.games[game_id])
    finally:
        shutil.rmtree(copy)


async def misplay(game, rng: random.Random) -> None:
    """One step of a game whose players answer, answer wrongly, let the time pass, or leave for good."""
    seat = next(s for s in game.referee.seats if s.request is not None)
    wire, number = game[seat.number], seat.request.id
    match rng.choices(["answer", "wrong", "sleep", "leave"], [200, 3, 1, 0.3])[0]:
        case "answer":
            await wire.send("move", game=game.id, id=number, choice=rng.randrange(len(seat.request.texts)))
        case "wrong":
            for _ in range(3):
                await wire.send("move", game=game.id, id=number, choice=9999)
        case "sleep":
            await trio.sleep(4)
        case "leave":
            await wire.send("bye")
    await trio.testing.wait_all_tasks_blocked()


@pytest.mark.parametrize("seed", range(3))
async def test_at_any_moment_the_restarted_server_knows_all_that_was_told(tmp_path, autojump_clock, seed):
    rng = random.Random(seed)
    compared = 0
    async with open_hall(tmp_path / "data", history=50) as hall:
        game = await hall.seated(2 + seed * 2, seed=seed, rules={"sets": ("capital",)} if seed else None)
        await game.ready(views=False)
        while game.id in hall.server.games:
            if rng.random() < 0.03 or compared < 3:
                wanted = state_of(game.referee)
                assert await reopened(tmp_path / "data", game.id) == wanted, f"seed {seed}"
                compared += 1
            await misplay(game, rng)
        await trio.sleep(hall.server.config.resume + 1)
        assert not list((tmp_path / "data" / "seats").iterdir())
    assert compared > 5


@pytest.mark.parametrize("sets", [("capital", "tokyo", "j")])
async def test_a_whole_game_with_a_restart_every_few_moves(tmp_path, autojump_clock, sets):
    rng = random.Random(7)
    game, choices = None, 0
    while True:
        async with open_hall(tmp_path, comeback=60.0) as hall:
            if game is None:
                game = await hall.seated(3, seed=5, rules={"sets": sets})
                await game.ready()
            elif game.id not in hall.server.games:
                break
            else:
                game = await hall.seated_again(game)
                await trio.testing.wait_all_tasks_blocked()
            for _ in range(rng.randrange(30, 150)):
                if game.id in hall.server.games:
                    await play_some(game, 1, seed=rng.randrange(10**6))
        assert len(game.record.choices) > choices or game.record.result
        choices = len(game.record.choices)
    assert game.record.result.complete
    assert [reason.value for reason in game.record.result.reasons] == ["normal"] * 3


async def test_who_comes_back_gets_start_snapshot_and_the_request_with_all_its_time(
    tmp_path, autojump_clock
):  # S019, S023
    async with open_hall(tmp_path) as hall:
        game = await hall.seated(clock=SLOW)
        await game.ready()
        await play_some(game, 11)
        seat = next(seat for seat in game.referee.seats if seat.request is not None)
        wire = game[seat.number]
        request = await wire.until("request", id=seat.request.id)
        await trio.sleep(6)
    await trio.sleep(1000)  # the outage
    async with open_hall(tmp_path) as hall:
        await trio.sleep(50)
        back = hall.connect()
        await back.send("hello", protocol="1.0", name=wire.name, resume=wire.key)
        await back.expect("welcome", resume=wire.key)
        await back.expect("start", game=game.id, seat=game.wires.index(wire))
        snapshot = await back.expect("snapshot", game=game.id)
        assert snapshot["view"] == request["view"]
        again = await back.expect("request", id=request["id"], options=request["options"])
        assert again["clock"] == {"move": 10.0, "bank": 30.0}
        other = await hall.resume(game[1 - game.wires.index(wire)])
        await other.until("snapshot")
        game.wires[:] = [back, other] if game[0] is wire else [other, back]
        game.hall = hall
        await back.move(again)
        ends = await game.play_on(dice(1))
        assert ends[0]["reasons"] == ["normal", "normal"]
        assert hall.server.games == {}


async def test_a_seat_that_does_not_come_back_is_retired_and_the_others_play_on(tmp_path, autojump_clock):
    async with open_hall(tmp_path) as hall:
        game = await hall.seated(3, clock=SLOW)
        await game.ready()
        await play_some(game, 5)
    async with open_hall(tmp_path, comeback=90.0, resume=5.0) as hall:
        wires = [await hall.resume(game[0]), await hall.resume(game[1])]
        for wire in wires:
            await wire.until("snapshot")
        retired = trio.current_time()
        async with trio.open_nursery() as nursery:
            for wire in wires:
                nursery.start_soon(wire.play, dice(1))
        for wire in wires:
            assert wire.messages[-1]["reasons"] == ["normal", "normal", "disconnect"]
        assert trio.current_time() - retired >= 89


async def test_a_choice_told_before_the_kill_hits_nothing_after_it(tmp_path, autojump_clock):
    """The answer was recorded, and its sender does not know: it sends it again."""
    async with open_hall(tmp_path) as hall:
        game = await hall.seated(clock=SLOW)
        await game.ready()
        wire, request = await first_request(game)
        await wire.move(request)
        await trio.testing.wait_all_tasks_blocked()
    async with open_hall(tmp_path) as hall:
        game = await hall.seated_again(game)
        await game[wire_number(game, wire)].move(request)
        await game[wire_number(game, wire)].until("error", code="too-late", id=request["id"])
        assert len(game.record.choices) == 1


def wire_number(game, wire: Wire) -> int:
    return next(number for number, other in enumerate(game) if other.name == wire.name)


async def test_a_torn_last_line_is_cut_and_its_request_is_open_again(tmp_path, autojump_clock):
    async with open_hall(tmp_path) as hall:
        game = await hall.seated(clock=SLOW)
        await game.ready()
        await play_some(game, 9)
        record = hall.server.folder / f"{game.id}.jsonl"
    record.write_bytes(record.read_bytes()[:-30])
    with capture_logs() as logs:
        async with open_hall(tmp_path):
            pass
    (told,) = [log for log in logs if log["event"] == "reopened"]
    torn = record.with_suffix(".torn").stat().st_size
    assert (told["log_level"], told["choices"], told["torn"]) == (
        "warning",
        8,
        torn,
    )  # also without --verbose
    async with open_hall(tmp_path) as hall:
        game = await hall.seated_again(game)
        assert len(game.record.choices) == 8
        ends = await game.play_on(dice(1))
        assert ends[0]["reasons"] == ["normal", "normal"]


@pytest.mark.parametrize("size", [0, 1, 200])
async def test_a_kill_while_the_first_line_is_written_is_met_once_and_nothing_is_removed(
    tmp_path, autojump_clock, size
):
    async with open_hall(tmp_path) as hall:
        game = await hall.seated()
        record = hall.server.folder / f"{game.id}.jsonl"
    head = record.read_bytes()[:size]
    record.write_bytes(head)
    for start in (1, 2):
        with capture_logs() as logs:
            async with open_hall(tmp_path) as hall:
                assert not hall.server.games
                await hall.login(game[0].name)
        assert [log["event"] for log in logs if log["log_level"] != "info"] == ["game-not-begun"] * (
            start == 1
        )
    assert not list((tmp_path / "seats").iterdir())
    assert [path.read_bytes() for path in hall.server.folder.iterdir()] == [head] * bool(size)


async def test_sealed_bids_that_were_in_stay_in_and_stay_sealed(tmp_path, autojump_clock):  # S026
    async with open_hall(tmp_path) as hall:
        game = await hall.seated(4, seed=2, clock=SLOW)
        await game.ready()
        wire, request = await to_kind(game, "bid", dice(5))
        await wire.move(request, len(request["options"]) - 1)
        await trio.testing.wait_all_tasks_blocked()
        bid = request["options"][-1]
        views = [game.referee.game.view(number) for number in range(4)]
        asked = [(seat.number, seat.request.id) for seat in game.referee.seats if seat.request]
    async with open_hall(tmp_path) as hall:
        game = await hall.seated_again(game)
        assert [(seat.number, seat.request.id) for seat in game.referee.seats if seat.request] == asked
        for number, id in asked:
            again = await game[number].until("request", id=id)
            snapshot = next(m for m in game[number].messages if m["type"] == "snapshot")
            assert snapshot["view"] == views[number]
            await game[number].move(again, 0)
        await trio.testing.wait_all_tasks_blocked()
        texts = [choice.text for choice in game.record.choices[-len(asked) - 1 :]]
        assert texts == [bid] + ["bid*0"] * len(asked)


async def test_a_kill_before_all_are_ready(tmp_path, autojump_clock):
    async with open_hall(tmp_path) as hall:
        game = await hall.seated()
        await game[0].send("ready", game=game.id)
        await trio.testing.wait_all_tasks_blocked()
    async with open_hall(tmp_path, comeback=60.0) as hall:
        await trio.sleep(50)
        game = await hall.seated_again(game)
        await game.ready()
        ends = await game.play_on(dice(1))
        assert ends[0]["reasons"] == ["normal", "normal"]
        assert game[0].messages[2]["events"][0]["event"] == "deal"


async def test_a_kill_before_all_are_ready_and_nobody_comes_back(tmp_path, autojump_clock):
    async with open_hall(tmp_path) as hall:
        game = await hall.seated()
    async with open_hall(tmp_path, comeback=60.0) as hall:
        await trio.sleep(100)
        assert game.record.result.reason == "refused"
        assert not hall.server.games
        assert not len(hall.server.clients)


async def test_watchers_and_lists_find_the_games_of_before(tmp_path, autojump_clock):  # S030
    async with open_hall(tmp_path) as hall:
        game = await hall.seated()
        await game.ready()
        await play_some(game, 20)
        number = game.referee.audience.stream.number
    async with open_hall(tmp_path) as hall:
        watcher = await hall.login("watcher")
        await watcher.send("list")
        listed = (await watcher.expect("games"))["games"]
        assert [(each["game"], each["number"]) for each in listed] == [(game.id, number)]
        await watcher.send("watch", game=game.id, last=number - 5)
        await watcher.expect("start", game=game.id)
        events = await watcher.expect("events", first=number - 4)
        assert len(events["events"]) == 5


@pytest.mark.parametrize("key", ["wrong", "x" * 32, None])
async def test_without_the_key_nobody_comes_back_and_the_file_does_not_tell_it(
    tmp_path, autojump_clock, key
):  # S071, S077
    async with open_hall(tmp_path) as hall:
        game = await hall.seated()
        await game.ready()
    everything = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert game[0].key.encode() not in everything
    async with open_hall(tmp_path) as hall:
        kept = json.loads((tmp_path / "seats" / f"{game.id}.json").read_text())
        for wrong in (key, kept["seats"][0]["key"]):
            thief = hall.connect()
            await thief.send("hello", protocol="1.0", name=game[0].name, resume=wrong)
            await thief.expect("error", code="bad-resume" if wrong else "name-taken")
        assert game[0].key
        await hall.seated_again(game)


async def test_a_token_leads_back_and_its_new_key_survives_the_next_kill(tmp_path, autojump_clock):
    token, tokens = make_token(tmp_path / "tokens", "Owner"), tmp_path / "tokens"
    async with open_hall(tmp_path, tokens=tokens) as hall:
        owner = await hall.login("Owner", token=token)
        game = await hall.seated(wires=[owner, await hall.login("other")], clock=SLOW)
        await game.ready()
    async with open_hall(tmp_path, tokens=tokens) as hall:
        again = await hall.login("Owner", token=token)
        await again.until("snapshot")
        assert again.key != owner.key
    async with open_hall(tmp_path, tokens=tokens) as hall:
        await (await hall.resume(again)).until("snapshot")


async def test_one_client_comes_back_to_all_its_games(tmp_path, autojump_clock):  # S023
    async with open_hall(tmp_path) as hall:
        first = await hall.seated(clock=SLOW)
        second = await hall.seated(wires=first.wires, seed=9, clock=SLOW)
        for game in first, second:
            await game.ready()
    async with open_hall(tmp_path) as hall:
        back = await hall.resume(first[0])
        await back.until("snapshot", game=min(first.id, second.id))
        await back.until("snapshot", game=max(first.id, second.id))


async def test_with_too_few_descriptors_as_many_games_go_on_as_there_are_for(tmp_path, autojump_clock):
    async with open_hall(tmp_path) as hall:
        games = [
            await hall.seated(clock=SLOW, wires=[await hall.login(f"{n}-{m}") for m in "ab"])
            for n in range(3)
        ]
        for game in games:
            await game.ready()
    folder = DataFolder(hall.server.config)
    folder.room = 2
    with capture_logs() as logs:
        found = [reopened for reopened, _ in folder.left(default_catalogue())]
    for reopened in found:
        reopened.journal.close()
    assert len(found) == 2
    assert ["file descriptors for 2 games" in log["error"] for log in logs] == [True]
    assert len(list((tmp_path / "seats").iterdir())) == 3


async def test_a_game_that_is_over_needs_no_descriptor_to_be_told(tmp_path, autojump_clock):
    async with open_hall(tmp_path) as hall:
        game = await hall.seated()
        await game.ready()
        seats = tmp_path / "seats" / f"{game.id}.json"
        kept = seats.read_bytes()
        await game.play_on()
    seats.write_bytes(kept)  # as a kill leaves it between the result and the removal
    folder = DataFolder(hall.server.config)
    folder.room = 0
    ((reopened, _),) = folder.left(default_catalogue())
    assert (reopened.journal, reopened.record.header.game) == (None, game.id)


def test_a_durable_file_of_seats_is_synced_and_so_is_its_name(tmp_path, monkeypatch):
    synced = []
    monkeypatch.setattr(os, "fsync", lambda fd: synced.append(Path(os.readlink(f"/proc/self/fd/{fd}")).name))
    seat = KeptSeat(name="one", key=None, views=True, samples=False)
    kept = SeatFile(table=None, started=False, seats=(seat, seat), retired=())
    SeatFiles(tmp_path / "seats", durable=True).keep("g-1", kept)
    assert synced == ["g-1.new", "seats"]
    SeatFiles(tmp_path / "seats").keep("g-1", kept)
    assert synced == ["g-1.new", "seats"]


async def test_nobody_can_connect_before_the_games_are_open_again(tmp_path, monkeypatch):
    async with open_hall(tmp_path) as hall:
        game = await hall.seated(clock=SLOW)
        await game.ready()
    reopen, refused = Games.reopen, []

    def slowly(games, house):
        with socket.socket() as early:
            refused.append(early.connect_ex(("127.0.0.1", int(house._address.rpartition(":")[2]))))
        reopen(games, house)

    monkeypatch.setattr(Games, "reopen", slowly)
    async with listening(tmp_path, bots=frozenset({"random"})) as (_, port):
        wire = await dial(port)
        await wire.hello(game[0].name, resume=game[0].key)
        await wire.until("snapshot", game=game.id)
    assert refused == [errno.ECONNREFUSED]


async def test_a_taken_port_is_found_before_any_game_is_touched(tmp_path, monkeypatch):
    opened = []
    monkeypatch.setattr(Games, "reopen", lambda games, house: opened.append(house))
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.RaisesGroup(OSError, flatten_subgroups=True):
        await serve(Config(data=tmp_path, port=taken.getsockname()[1]))
    assert not opened


async def test_a_retirement_that_was_told_is_not_forgotten(tmp_path, autojump_clock):
    async with open_hall(tmp_path) as hall:
        game = await hall.seated(3, clock=SLOW)
        await game.ready()
        await play_some(game, 4)
        idle = next(seat.number for seat in game.referee.seats if seat.request is None)
        await game[idle].send("bye")
        await game[idle].until("bye")
    async with open_hall(tmp_path) as hall:
        late = hall.connect()
        await late.send("hello", protocol="1.0", name=game[idle].name, resume=game[idle].key)
        await late.expect("error", code="bad-resume")
        assert hall.server.games[game.id].seats[idle].retired.value == "disconnect"


async def test_the_house_catalogue_is_the_one_that_is_reopened_with(tmp_path, autojump_clock):
    async with open_hall(tmp_path) as hall:
        game = await hall.seated()
        await game.ready()
    config = hall.server.config
    ((found, _),) = DataFolder(config).left(default_catalogue())
    assert found.start.catalogue == default_catalogue().hash
    found.journal.close()
    with pytest.raises(Hung):
        await game[0].until("nothing")


async def test_tries_and_seconds_of_absence_begin_anew_and_faults_stay(tmp_path, autojump_clock):
    async with open_hall(tmp_path, resume=30.0) as hall:
        game = await hall.seated(clock=Clock(move=100.0))
        await game.ready()
        wire, request = await first_request(game)
        for tries in 2, 1, 0:
            await wire.move(request, 999)
            await wire.until("error", tries=tries)
        wire, request = await first_request(game)
        for tries in 2, 1:
            await wire.move(request, 999)
            await wire.until("error", tries=tries)
        seat = wire_number(game, wire)
        await wire.drop()
        await trio.sleep(20)
        game.wires[seat] = await hall.resume(wire)
        faults = [seat.faults for seat in game.referee.seats]
    async with open_hall(tmp_path, resume=30.0) as hall:
        game = await hall.seated_again(game)
        assert [seat.faults for seat in game.referee.seats] == faults
        await game[seat].until("request")
        await game[seat].move(request, 999)
        await game[seat].until("error", tries=2)
        await game[seat].drop()
        await trio.sleep(29)
        await (await hall.resume(game[seat])).until("request", id=request["id"])
