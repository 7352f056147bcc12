"""Whole games over memory streams, however their bytes are cut and their lines end."""

from __future__ import annotations

import random
from functools import partial

import pytest
import trio

from arena.records import verify
from arena.server import Offer
from clients.client import Client, Settings
from protocol import encode
from protocol.messages import Request, Rules
from tests.server.table import Wire, dice, listening, open_hall

LATE = 10 * 1024  # bytes of a line: the example has "well over 8 kB"


@pytest.mark.parametrize("seats", [2, 5])
async def test_game_is_played_to_its_end_and_its_record_holds(tmp_path, autojump_clock, seats):
    async with open_hall(tmp_path) as hall:
        game = await hall.seated(seats, seed=seats)
        await game.ready()
        ends = await game.play_on(dice(seats))
    assert all(end == ends[0] for end in ends)
    assert ends[0]["reasons"] == ["normal"] * seats
    assert verify(game.record).over
    assert not hall.server.games


class CarriageReturns(Wire):
    """Ends its lines with CR LF; every so often with LF alone if `mixed`."""

    def __init__(self, stream, mixed):
        super().__init__(stream)
        self.count = 0
        self.mixed = mixed

    async def send_bytes(self, data):
        self.count += 1
        if not self.mixed or self.count % 2:
            data = data.replace(b"\n", b"\r\n")
        await super().send_bytes(data)


async def test_s001_lines_may_end_with_cr_lf(tmp_path, autojump_clock):  # S001
    async with open_hall(tmp_path) as hall:
        wires = []
        for name, mixed in ("always", False), ("mixed", True):
            wire = CarriageReturns(hall.connect().stream, mixed)
            await wire.hello(name)
            wires.append(wire)
        game = await hall.seated(wires=wires)
        await game.ready()
        first, second = dice(1), dice(2)
        texts = lambda r: r["options"][first(r)] if r["id"] % 2 else second(r)  # noqa: E731
        await game.play_on(texts)
    record = (hall.server.folder / f"{game.id}.jsonl").read_bytes()
    assert b"\r" not in record
    assert b"\\r" not in record


async def test_s002_a_message_may_be_cut_and_glued_anywhere(tmp_path, autojump_clock):  # S002
    async with open_hall(tmp_path) as hall:
        wire = await hall.login("slow writer")
        for byte in b'{"type":"ping","data":"1"}\n':
            await wire.send_bytes(bytes([byte]))
            await trio.sleep(0.005)
        await wire.expect("pong", data="1")
        await wire.send_bytes(b'{"type":"ping","data":"2"}\n{"type":"ping","data":"3"}\n')
        await wire.expect("pong", data="2")
        await wire.expect("pong", data="3")
        await wire.send_bytes(b'{"type":"ping","data":"4"}\n{"type":"pi')
        await wire.expect("pong", data="4")
        await wire.silent(0.1)
        await wire.send_bytes(b'ng","data":"5"}\n')
        await wire.expect("pong", data="5")
        await wire.silent(0.1)


@pytest.mark.parametrize(
    ("line", "code", "says"),
    [
        (b"[]", "not-object", "a list of 0"),
        (b'"hi"', "not-object", '"hi"'),
        (b"5", "not-object", "5"),
        (b"null", "not-object", "null"),
        (b'{"type":5}', "unknown-type", "type is 5"),
        (b"{}", "missing-field", "no type"),
        (b"\xff", "not-utf8", "0xff"),
        (b"hello", "not-json", "hello"),
    ],
)
async def test_s003_a_wrong_line_gets_one_error_and_the_connection_lives_on(
    tmp_path, autojump_clock, line, code, says
):  # S003
    async with open_hall(tmp_path) as hall:
        wire = await hall.login("odd")
        await wire.send_bytes(line + b"\n")
        error = await wire.expect("error", code=code)
        assert says in error["text"]
        assert error["expected"]
        await wire.send("ping")
        await wire.expect("pong")


async def test_s004_the_example_client_reads_lines_that_come_in_small_pieces(tmp_path):  # S004
    """The requests of a game of six, with the sampled games of a bot that searches, over a link of 1 kB writes."""
    lengths, answered = [], []

    def heard(message):
        if isinstance(message, Request):
            lengths.append(len(encode(message)))
            if len(answered) >= 20 and lengths[-1] > LATE:
                players.cancel_scope.cancel()

    def choose(request):
        answered.append(request.id)
        return request.default

    async def pass_on(near: trio.SocketStream) -> None:
        """A relay that passes on what the server says 1 kB at a time."""
        async with await trio.open_tcp_stream("127.0.0.1", port) as far, trio.open_nursery() as nursery:

            async def up() -> None:
                async for data in near:
                    await far.send_all(data)

            nursery.start_soon(up)
            async for data in far:
                for start in range(0, len(data), 1024):
                    await near.send_all(data[start : start + 1024])
                    await trio.lowlevel.checkpoint()
            nursery.cancel_scope.cancel()

    offer = Offer(seats=6, rules=Rules(sets=("kickstarter", "kickstarter2", "j", "flag")))
    async with listening(tmp_path, offer=offer) as (_, port), trio.open_nursery() as nursery:
        (relay,) = await nursery.start(partial(trio.serve_tcp, pass_on, 0, host="127.0.0.1"))
        reader = Settings("reader", port=relay.socket.getsockname()[1], games=1, samples=True)
        async with trio.open_nursery() as players:
            players.start_soon(Client(reader, choose, heard).run)
            for number in range(5):
                other = Settings(f"other-{number}", port=port, games=1, views=False)
                players.start_soon(Client(other, dice_of_requests(number)).run)
        nursery.cancel_scope.cancel()
    assert max(lengths) > LATE
    assert answered == list(range(1, len(answered) + 1))


def dice_of_requests(seed):
    rng = random.Random(seed)
    return lambda request: rng.randrange(len(request.options))


@pytest.mark.parametrize("version", ['"protocol":"2.0",', '"protocol":"1",', '"protocol":2,', ""])
async def test_s005_another_version_is_refused_at_once_and_both_are_named(
    tmp_path, autojump_clock, version
):  # S005
    async with open_hall(tmp_path) as hall:
        wire = hall.connect()
        await wire.send_bytes(b'{"type":"hello",%s"name":"old"}\n' % version.encode())
        error = await wire.expect("error", code="version")
        assert '"1.0"' in error["text"]
        given = version.partition(":")[2].strip(",") or "missing"
        assert given in error["text"]
        await wire.expect("bye", reason="version")
        await wire.hung_up()
        assert not len(hall.server.clients)


async def test_s006_the_example_client_passes_over_what_only_a_newer_server_knows(
    tmp_path, monkeypatch, capsys
):  # S006
    """Every line gets a field more, and after each comes a message of an unknown type."""
    from arena.server import outbox

    plain = outbox.Outbox.put

    def newer(self, line, offered=None):
        plain(self, line[:-2] + b',"mood":"good"}\n{"type":"weather","sky":"blue"}\n', offered)

    monkeypatch.setattr(outbox.Outbox, "put", newer)
    results = []
    async with listening(tmp_path, offer=Offer(seats=2)) as (_, port):

        async def one(name: str) -> None:
            settings = Settings(name, port=port, games=1)
            results.extend(await Client(settings, dice_of_requests(1)).run())

        async with trio.open_nursery() as nursery:
            nursery.start_soon(one, "first")
            nursery.start_soon(one, "second")
    assert [end.why.value for end in results] == [results[0].why.value] * 2
    warnings = [line for line in capsys.readouterr().err.splitlines() if "ignored" in line]
    assert len(warnings) == len(set(warnings)) * 2 or len(warnings) == len(set(warnings))
    assert any('"weather"' in line for line in warnings)
    assert any('"mood" of request' in line for line in warnings)
