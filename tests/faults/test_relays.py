"""Real sockets over a bad line, and processes that stand still: games are slower for it, and nothing else.

The relay stands between the bots and the server. It halves and delays what passes, and cuts lines as a reset or
in silence, in the middle of whatever is on its way.
"""

from __future__ import annotations

import random
import signal
import socket
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest
import trio

from arena.records import read_record
from arena.server import Offer
from arena.server.lag import UNSEEN
from protocol.messages import Clock
from tests.faults.processes import ForkedServer, running, serving
from tests.faults.witnesses import Company
from tests.server.table import Wire, dial, dialling, listening

CALM = Clock(move=600.0)
TWO = Offer(seats=2)
DELAY = 0.003  # seconds that a piece may wait on the way
PIECE = 1500  # bytes of the largest piece
LIFE = 60_000  # bytes after which a line is cut, at most


class Relay:
    """Passes bytes on, badly."""

    def __init__(self, port: int, rng: random.Random) -> None:
        self.port = port
        self.cuts = 0
        self._rng = rng

    async def serve(self, stream: trio.SocketStream) -> None:
        """Relay one connection until either side ends it, or it has lived long enough."""
        left = self._rng.randrange(500, LIFE)
        async with stream, await trio.open_tcp_stream("127.0.0.1", self.port) as server:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._pass, stream, server, left, nursery.cancel_scope)
                nursery.start_soon(self._pass, server, stream, left, nursery.cancel_scope)
            self.cuts += 1
            if self._rng.random() < 0.5:  # a reset, which overtakes what is on its way
                for end in (stream, server):
                    end.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    async def _pass(
        self, source: trio.SocketStream, sink: trio.SocketStream, left: int, scope: trio.CancelScope
    ) -> None:
        try:
            while left > 0 and (data := await source.receive_some(self._rng.randrange(1, PIECE))):
                if self._rng.random() < 0.1:
                    await trio.sleep(self._rng.uniform(0, DELAY))
                kept = min(left, len(data))
                left -= len(data)
                await sink.send_all(data[:kept])
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            pass
        scope.cancel()


@asynccontextmanager
async def relaying(port: int, rng: random.Random) -> AsyncIterator[tuple[Relay, int]]:
    """A relay before this port; tells it and its own port."""
    relay = Relay(port, rng)
    async with trio.open_nursery() as nursery:
        listeners = await nursery.start(partial(trio.serve_tcp, relay.serve, 0, host="127.0.0.1"))
        yield relay, listeners[0].socket.getsockname()[1]
        nursery.cancel_scope.cancel()


async def over_a_bad_line(folder: Path, seed: int, games: int) -> int:
    """Let bots play until `games` games are over; returns how many lines were cut."""
    async with (
        listening(folder, clock=CALM, resume=600.0, offer=TWO) as (server, port),
        relaying(port, random.Random(seed)) as (relay, entrance),
        trio.open_nursery() as nursery,
    ):
        company = Company(4, entrance)
        nursery.start_soon(company.run)
        await company.until(lambda: sum(len(bot.client.results) for bot in company.bots) >= 2 * games)
        server.close()
        nursery.cancel_scope.cancel()
    for path in sorted((folder / "games").iterdir()):
        company.check(path)
        result = read_record(path).result
        assert result is None or [why.value for why in result.reasons] == ["normal"] * 2, f"seed {seed}"
    return relay.cuts


async def test_a_line_that_halves_delays_and_cuts(tmp_path):  # S002, S019
    assert await over_a_bad_line(tmp_path, seed=1, games=1) > 0


@pytest.mark.soak
async def test_many_games_over_bad_lines(tmp_path, show, seeds):
    for seed in seeds(20):
        cuts = await over_a_bad_line(tmp_path / str(seed), seed=seed, games=6)
        show("bad lines", {"seed": seed, "games": 6, "cuts": cuts})


async def test_a_standstill_is_the_servers_own_and_is_taken_off_the_clock_of_the_move(tmp_path):  # S033
    """SIGSTOP while a seat is asked; its answer comes meanwhile."""
    options = ("--move", "600", "--drain", "0", "--no-http")
    began, stalls, ended = [], [], []

    async def play(wire: Wire, scope: trio.CancelScope) -> None:
        while True:
            request = await wire.until("request")
            await wire.send("ping")
            await wire.until("pong")  # the server knows that the request is out, so its clock runs
            await server.stop()
            stopped = trio.current_time()
            await wire.move(request)
            await trio.sleep(0.5)
            began.append(trio.current_time())
            stalls.append(began[-1] - stopped)
            server.signal(signal.SIGCONT)
            await wire.until("events")
            ended.append(trio.current_time())
            if len(ended) == 2:
                scope.cancel()

    async with dialling(), running(ForkedServer(tmp_path / "data", options)) as server:
        wires = [await dial(server.port) for _ in range(2)]
        for number, wire in enumerate(wires):
            await wire.hello(f"bot-{number}")
        await wires[0].send("join", wanted={"seats": 2, "seed": 1})
        await wires[1].send("join", table=(await wires[0].until("joined"))["table"])
        began.append(trio.current_time())
        async with trio.open_nursery() as nursery:
            for wire in wires:
                await wire.send("ready", game=(await wire.until("start"))["game"])
                nursery.start_soon(play, wire, nursery.cancel_scope)
    (path,) = (tmp_path / "data" / "games").iterdir()
    choices = read_record(path).choices[:2]
    assert [choice.fault for choice in choices] == [None, None]
    for choice, stall in zip(choices, stalls, strict=False):
        assert choice.lag >= stall - UNSEEN
    assert sum(choice.spent for choice in choices) <= ended[1] - began[0] - sum(stalls[:2]) + 2 * UNSEEN


@pytest.mark.soak
async def test_a_server_that_stands_still_charges_nobody(tmp_path, show, seeds):  # S033
    """SIGSTOP for longer than a move may take, again and again, while bots answer at once."""
    (seed,) = seeds(1)
    rng = random.Random(seed)
    stalls = 0
    async with serving(
        tmp_path / "data", "--seats", "2", "--move", "2", "--bank", "0", "--drain", "0"
    ) as server:
        company = Company(8, server.port)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(company.run)
            for _ in range(20):
                company.forget_times()
                await company.playing(4)
                server.signal(signal.SIGSTOP)
                await trio.sleep(rng.uniform(2.5, 4))
                server.signal(signal.SIGCONT)
                stalls += 1
            await server.end(signal.SIGTERM)
            nursery.cancel_scope.cancel()
    choices = sum(company.check(path) for path in (tmp_path / "data" / "games").iterdir())
    show("stalls", {"seed": seed, "stalls": stalls, "choices": choices, "charged": 0})
