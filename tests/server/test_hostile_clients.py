"""Bad bots and worse: each meets its one answer, and the others' games go on."""

from __future__ import annotations

import socket
import struct

import pytest
import trio
from structlog.testing import capture_logs
from trio.testing import lockstep_stream_pair

from protocol.messages import Clock
from tests.server.table import Hung, dial, dice, listening, make_token, open_hall
from tests.server.test_clocks_of_seats import first_request


@pytest.fixture
async def hall(tmp_path, autojump_clock):
    async with open_hall(tmp_path) as hall:
        yield hall


@pytest.mark.parametrize("depth", [b"[" * 20000, b"[" * 20000 + b"]" * 20000, b'{"a":' * 9000])
async def test_s074_deep_nesting_gets_one_error(autojump_clock, hall, depth):  # S074
    wire = await hall.login("deep")
    await wire.send_bytes(depth + b"\n")
    await wire.expect("error", code="too-deep")
    await wire.send("ping")
    await wire.expect("pong")


@pytest.mark.parametrize("number", [b"NaN", b"Infinity", b"-Infinity", b"1e999", b"-0.0"])
async def test_s075_numbers_that_are_none_are_refused_at_the_door(autojump_clock, hall, number):  # S075
    game = await hall.seated()
    await game.ready()
    wire, request = await first_request(game)
    line = b'{"type":"move","game":"%s","id":%d,"choice":%s}\n'
    await wire.send_bytes(line % (game.id.encode(), request["id"], number))
    await wire.expect("error", code="bad-number")


@pytest.mark.parametrize(
    "line", [b'{"type":"list","type":"list"}\n', b'{"type":"join","wanted":{"seats":2,"seats":3}}\n']
)
async def test_s076_a_key_that_stands_twice_is_named(autojump_clock, hall, line):  # S076
    wire = await hall.login("double")
    await wire.send_bytes(line)
    error = await wire.expect("error", code="duplicate-key")
    assert '"type"' in error["text"] or '"seats"' in error["text"]


async def test_s078_an_endless_line_ends_the_connection_at_the_limit(autojump_clock, hall):  # S078
    stranger = hall.connect()
    await stranger.send_bytes(b"x" * 70_000)
    await stranger.expect("error", code="line-too-long")
    await stranger.expect("bye", reason="line-too-long")
    game = await hall.seated()
    await game.ready()
    wire, _ = await first_request(game)
    seat = game.wires.index(wire)
    await wire.send_bytes(b"x" * 70_000)
    await wire.until("bye", reason="line-too-long")
    (end,) = await game.play_on(dice(1), skip=[seat])
    assert end["reasons"][seat] == "disconnect"


async def test_half_a_line_is_lost_with_its_connection(autojump_clock, hall):
    game = await hall.seated()
    await game.ready()
    wire, request = await first_request(game)
    await wire.send_bytes(b'{"type":"move","game":"%s","id":1,"choice":0}' % game.id.encode())
    await wire.drop()
    assert not game.record.choices
    back = await hall.resume(wire)
    await back.until("request", id=request["id"])


async def test_garbage_in_mid_game_gets_errors_and_costs_nothing_but_time(autojump_clock, hall):  # S003
    game = await hall.seated()
    await game.ready()
    wire, request = await first_request(game)
    for line in (
        b"\x00\xff\n",
        b"]\n",
        b'{"type":"move"}\n',
        b'{"type":"hello","protocol":"1.0","name":"x"}\n',
    ):
        await wire.send_bytes(line)
        await wire.expect("error")
    await wire.move(request)
    await trio.testing.wait_all_tasks_blocked()
    assert game.record.choices[0].fault is None
    assert sum(seat.faults for seat in game.referee.seats) == 0


async def test_only_hello_and_bye_come_before_the_welcome(autojump_clock, hall):
    wire = hall.connect()
    for type in "list", "ping":
        await wire.send(type)
        await wire.expect("error", code="hello-first")
    await wire.send("bye")
    await wire.expect("bye", reason="bye")
    await wire.hung_up()


async def test_who_does_not_say_hello_is_sent_away(autojump_clock, hall):  # S011
    wire = hall.connect()
    start = trio.current_time()
    await wire.expect("bye", reason="silent")
    await wire.hung_up()
    assert trio.current_time() - start == pytest.approx(hall.server.config.hello, abs=1.1)


async def test_a_flood_is_warned_then_dropped_then_ended(tmp_path, autojump_clock):
    async with open_hall(tmp_path, rate=10, burst=20, floods=5) as hall:
        wire = await hall.login("flood")
        await wire.send_bytes(b'{"type":"ping"}\n' * 21)
        for _ in range(19):
            await wire.expect("pong")
        error = await wire.expect("error", code="flood")
        assert "10 a second" in error["text"]
        await trio.sleep(2.1)
        await wire.send("ping")  # quiet for a while: all is forgiven
        await wire.expect("pong")
        await wire.send_bytes(b'{"type":"ping"}\n' * 40)
        await wire.until("bye", reason="flood")
        await wire.hung_up()


async def test_a_flood_of_bytes_is_read_slowly_and_costs_others_nothing(tmp_path, autojump_clock):
    async with open_hall(tmp_path, bytes=1000, bytes_burst=5000) as hall:
        wire = await hall.login("wide")
        other = await hall.login("other")
        start = trio.current_time()
        await wire.send_bytes((b'{"type":"' + b"x" * 4000 + b'"}\n') * 5)
        await wire.expect("error", code="unknown-type")
        await other.send("ping")
        await other.expect("pong")
        assert trio.current_time() == start
        await wire.send("ping")
        await wire.until("error", code="flood")
        await wire.until("pong")
        assert trio.current_time() - start > 10


async def test_who_sends_much_at_once_is_heard_between_others(tmp_path, autojump_clock):
    """A flood that has been read in one piece must not be handled in one piece."""
    async with open_hall(tmp_path, rate=10_000, burst=10_000) as hall:
        flood, other = await hall.login("flood"), await hall.login("other")
        order = []
        plain = hall.server.handle

        def handle(connection, message):
            order.append(connection.client.name)
            plain(connection, message)

        hall.server.handle = handle
        await flood.send_bytes(b'{"type":"ping"}\n' * 500)
        await other.send("ping")
        await other.expect("pong")
        assert order.index("other") < 100


async def test_an_address_over_its_limit_is_read_slowly(tmp_path, autojump_clock):
    async with open_hall(tmp_path, address_rate=1, address_burst=20) as hall:
        wire = await hall.login("one")
        await wire.send_bytes(b'{"type":"ping"}\n' * 30)
        await wire.until("error", code="flood")
        began = trio.current_time()
        await wire.send_bytes(b"no JSON\n" * 60)
        await wire.until("bye", reason="flood")
        assert trio.current_time() - began >= 1.0


async def test_the_bytes_of_all_connections_of_an_address_count_together(tmp_path, autojump_clock):
    """Each keeps to its own limit; together they would keep the loop from the games of others."""
    async with open_hall(tmp_path, address_rate=1, address_burst=40) as hall:
        game = await hall.seated()
        await game.ready()
        player, request = await first_request(game)
        wires = [await hall.login(name) for name in ("one", "two", "three")]
        began = trio.current_time()
        for wire in wires:
            await wire.send_bytes(b'{"type":"' + b"x" * 60_000 + b'"}\n')
            await wire.stream.send_eof()
        await player.move(request)
        await player.until("events")
        assert trio.current_time() - began < 1  # an answer is read at once all the same
        for wire in wires:
            with pytest.raises(Hung):
                await wire.until("bye")
        assert trio.current_time() - began > 10  # forty pieces, of which the address may send one a second
        told = [message.get("text", "") for wire in wires for message in wire.messages]
        assert any("4096 bytes" in text and "`address_rate`" in text for text in told)


async def test_answers_to_requests_are_no_flood(tmp_path, autojump_clock):
    """An instant bot plays as fast as it is asked."""
    async with open_hall(tmp_path, rate=1, burst=5, floods=3) as hall:
        game = await hall.seated()
        await game.ready()
        ends = await game.play_on(dice(1))
    assert ends[0]["reasons"] == ["normal", "normal"]


async def test_the_server_takes_only_so_many_connections(tmp_path, autojump_clock):  # S032
    async with open_hall(tmp_path, connections=2) as hall:
        wires = [await hall.login("one"), await hall.login("two")]
        third = hall.connect()
        error = await third.expect("error", code="server-full")
        assert "2 connections" in error["text"]
        await third.expect("bye", reason="full")
        await wires[0].drop()
        await trio.sleep(2)
        await hall.login("three")


async def test_who_does_not_read_is_dropped_when_too_much_waits(tmp_path, autojump_clock):  # S029
    async with open_hall(tmp_path, outbox=10_000, resume=1.0) as hall:
        game = await hall.seated(3)
        deaf = hall.connect(lockstep_stream_pair)
        await deaf.hello("deaf watcher")
        await deaf.send("watch", game=game.id)
        await game.ready()
        start = trio.current_time()
        ends = await game.play_on(dice(1))
        assert trio.current_time() == start  # nobody has waited
        assert ends[0]["reasons"] == ["normal"] * 3
        assert hall.server.clients.named("deaf watcher") is None


async def test_s035_a_reset_in_a_big_send_hits_one_seat_only(tmp_path):  # S035
    """Ten other games go on, and the game of the other seat is played to its end."""
    async with listening(tmp_path, resume=0.05) as (server, port):
        wires = [await dial(port) for _ in range(22)]
        for number, wire in enumerate(wires):
            await wire.hello(f"bot {number}")
        for first, second in batched(wires):
            await first.send("join", wanted={"seats": 2, "seed": 1})
            await second.send("join", table=(await first.until("joined"))["table"])
        broken, other, *others = wires
        await broken.until("start")
        raw = broken.stream.socket
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        await broken.send("ready", game=broken.messages[-1]["game"])
        await broken.send_bytes(b'{"type":"list"}\n' * 300)
        async with trio.open_nursery() as nursery:
            for wire in others:
                nursery.start_soon(play_a_while, wire)
            raw.close()
            end = await other.play(dice(1))
        assert end["reasons"] in (["disconnect", "normal"], ["refused", "aborted"])
        assert len(server.games) == 10
        seats = [seat for referee in server.games.values() for seat in referee.seats]
        assert all(seat.retired is None and seat.faults == 0 and seat.connection for seat in seats)
        await other.send("ping")
        await other.until("pong")


def batched(wires):
    return zip(wires[::2], wires[1::2], strict=True)


async def play_a_while(wire):
    """With that seed each is asked so often."""
    await wire.send("ready", game=(await wire.until("start"))["game"])
    for _ in range(5):
        await wire.move(await wire.until("request"))


async def test_s071_no_token_and_no_key_is_logged_recorded_or_quoted(tmp_path, autojump_clock):  # S071
    secret = make_token(tmp_path / "tokens", "Owner")
    with capture_logs() as logs:
        async with open_hall(tmp_path, tokens=tmp_path / "tokens") as hall:
            owner = await hall.login("Owner", token=secret)
            game = await hall.seated(wires=[owner, await hall.login("other")])
            await game.ready()
            await owner.drop()
            thief = hall.connect()
            await thief.send("hello", protocol="1.0", name="Owner", token="wr0ng-t0ken-123456")
            await thief.expect("error", code="bad-token")
            await thief.send_bytes(
                b'{"type":"hello","protocol":"1.0","name":"Owner","token":"wr0ng-t0ken-123456"\n'
            )
            await thief.expect("error", code="not-json")
            await thief.send("hello", protocol="1.0", name="Owner", resume="wr0ng-t0ken-123456")
            await thief.expect("error", code="bad-resume")
            game.wires[0] = await hall.login("Owner", resume=owner.key)
            await game.play_on(dice(1))
    told = repr(logs) + (hall.server.folder / f"{game.id}.jsonl").read_text()
    errors = repr([m for m in thief.messages if m["type"] == "error"])
    for hidden in secret, owner.key, "wr0ng-t0ken-123456":
        assert hidden not in told
        assert hidden not in errors


@pytest.mark.parametrize("name", ["../../x", "a/b", "..", "NUL", "con.json"])
async def test_s073_odd_names_make_no_odd_files(autojump_clock, hall, name):  # S073
    game = await hall.seated(wires=[await hall.login(name), await hall.login("other")])
    await game.ready()
    data = hall.server.config.data
    files = {str(path.relative_to(data)) for path in data.rglob("*") if path.is_file()}
    assert files == {f"games/{game.id}.jsonl", f"seats/{game.id}.json", "server.lock"}


@pytest.mark.parametrize("name", ["a\x00b", "x" * 300, "", " a", "a\u202eb"])
async def test_s073_names_that_are_none_are_refused(autojump_clock, hall, name):  # S073
    wire = hall.connect()
    await wire.send("hello", protocol="1.0", name=name)
    await wire.expect("error", code="bad-name")


async def test_a_crash_of_a_bot_at_any_phase_leaves_the_others_playing(autojump_clock, hall):  # S035
    """Before hello, after it, at a table, before ready, at its own request and at another's."""
    hall.connect()
    game = await hall.seated(3)
    for phase in range(4):
        wire = hall.connect()
        if phase:
            await wire.hello(f"crash {phase}")
        if phase == 2:
            await wire.send("join", table="queue")
        await wire.drop()
    await game.ready()
    wire, _ = await first_request(game)
    await wire.drop()
    others = [w for w in game if w is not wire]
    await others[0].drop()
    left = game.wires.index(others[1])
    (end,) = await game.play_on(dice(1), skip=[s for s in range(3) if s != left])
    assert sorted(end["reasons"]) == ["disconnect", "disconnect", "normal"]


async def test_who_does_nothing_for_long_makes_room_and_all_others_stay(tmp_path, autojump_clock):  # S020
    token = make_token(tmp_path / "tokens", "Owner")
    async with open_hall(tmp_path, idle=60.0, tokens=tmp_path / "tokens") as hall:
        hall.nursery.start_soon(hall.server.keep_house)
        idler = await hall.login("idler")
        owner = await hall.login("Owner", token=token)
        game = await hall.seated(clock=Clock(move=1000.0))
        await game.ready()
        queue, table, watcher, pinger = [await hall.login(n) for n in ("queue", "table", "watcher", "pinger")]
        await queue.send("join", table="queue")
        await table.send("join", wanted={"seats": 3})
        await watcher.send("watch", game=game.id)
        for _ in range(3):
            await trio.sleep(30)
            await pinger.send("ping")
            await pinger.until("pong")
        bye = await idler.expect("bye", reason="silent")
        assert "60 s (`idle`)" in bye["text"]
        for wire in (owner, *game, queue, table, watcher, pinger):
            assert hall.server.clients.named(wire.name).connection is not None, wire.name
