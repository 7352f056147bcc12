"""Clients that do anything in any order, to a server that is also killed now and then: it never fails itself.

Whatever comes, the server answers with lines that a client can read, logs no failure of its own, keeps its
books in order, and leaves records that hold.
"""

from __future__ import annotations

import json
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import trio
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from structlog.testing import capture_logs
from trio.testing import MockClock

from arena.records import read_record, replay
from protocol import parse_server
from tests.server.table import Hall, Hung, Wire, open_hall

CLIENTS = 4

LITTLE: Any = st.integers(-1, 4) | st.none() | st.text(max_size=3) | st.lists(st.integers(0, 2), max_size=2)
ODD = st.binary(max_size=40) | st.sampled_from(
    [b'{"type":"move"}', b'{"type":"join"}', b"[]", b'{"type":"hello","protocol":"1.0","name":"client-1"}']
)
ACTION = st.one_of(
    st.just(("answer", None)),
    st.just(("answer", None)),
    st.just(("join", None)),
    st.tuples(st.just("open"), st.integers(2, 4)),
    st.tuples(st.just("queue"), st.booleans()),
    st.just(("ready", None)),
    st.just(("drop", None)),
    st.just(("again", None)),
    st.just(("bye", None)),
    st.tuples(st.sampled_from(["watch", "unwatch", "list", "ping"]), st.none()),
    st.tuples(st.just("move"), st.fixed_dictionaries({"id": LITTLE, "choice": LITTLE})),
    st.tuples(st.just("odd"), ODD),
    st.tuples(st.just("wait"), st.sampled_from([0.01, 1.0, 5.0, 40.0])),
    st.just(("kill", None)),
)
PRELUDE: list[tuple[int, tuple[str, Any]]] = [
    *((client, ("ping", None)) for client in range(CLIENTS)),  # the first action of each is to log in
    (0, ("open", 2)),
    (1, ("join", None)),
    (0, ("ready", None)),
    (1, ("ready", None)),
]
"""Then a game is being played."""

ACTIONS = st.lists(st.tuples(st.integers(0, CLIENTS - 1), ACTION), max_size=60)


class Fuzzed:
    """The clients of one run."""

    def __init__(self) -> None:
        self.hall: Hall
        self.wires: list[Wire | None] = [None] * CLIENTS
        self.keys = [""] * CLIENTS
        self.requests: dict[int, dict[str, Any]] = {}
        self.tables: list[str] = []
        self.games: list[str] = []

    async def read(self, client: int) -> None:
        """Take in what has come for this client."""
        wire = self.wires[client]
        await trio.testing.wait_all_tasks_blocked()
        while wire is not None:
            with trio.move_on_after(0.001) as nothing:
                try:
                    message = await wire.next()
                except (Hung, trio.ClosedResourceError, trio.BrokenResourceError):
                    self.wires[client] = None
                    return
            if nothing.cancelled_caught:
                return
            assert not parse_server(wire.lines[-1]).warnings, message
            match message["type"]:
                case "welcome":
                    self.keys[client] = message["resume"]
                case "request":
                    self.requests[client] = message
                case "joined" if message["table"] not in (*self.tables, "queue"):
                    self.tables.append(message["table"])
                case "start" if message["game"] not in self.games:
                    self.games.append(message["game"])
                case "bye":
                    self.wires[client] = None
                    return

    async def act(self, client: int, what: str, how: Any) -> None:
        wire = self.wires[client]
        if wire is None and what != "wait":
            wire = self.wires[client] = self.hall.connect()
            resume = {"resume": self.keys[client]} if self.keys[client] and what != "again" else {}
            await wire.send("hello", protocol="1.0", name=f"client-{client}", **resume)
            return await self.read(client)
        with suppress(trio.BrokenResourceError):  # the server has closed it, as when a login came too late
            await self._do(client, what, how)
        return await self.read(client)

    async def _do(self, client: int, what: str, how: Any) -> None:
        wire = self.wires[client]
        game = self.games[-1] if self.games else "g-0"
        match what:
            case "answer" if client in self.requests:
                await wire.move(self.requests.pop(client))
            case "open":
                await wire.send("join", wanted={"seats": how})
            case "join":
                await wire.send("join", table=self.tables[-1] if self.tables else "t-0")
            case "queue":
                await wire.send("join" if how else "leave", table="queue")
            case "ready" | "watch" | "unwatch":
                await wire.send(what, game=game)
            case "drop":
                await wire.drop()
                self.wires[client] = None
            case "again":  # a second connection takes over, if there is something to take over
                await wire.send_bytes(b"\n")
                self.wires[client] = self.hall.connect()
                key = self.keys[client] or "none"
                await self.wires[client].send("hello", protocol="1.0", name=f"client-{client}", resume=key)
            case "bye" | "list" | "ping":
                await wire.send(what)
            case "move":
                await wire.send("move", game=game, **how)
            case "odd":
                await wire.send_bytes(how + b"\n")
            case "wait":
                await trio.sleep(how)

    def check(self) -> None:
        """The books of the server agree with each other."""
        server = self.hall.server
        for id, referee in server.games.items():
            assert referee.end is None
            for seat in referee.seats:
                assert seat.client is None or seat.client.seats[id] is seat
                assert seat.request is None or seat.retired is None
        kept = {path.stem for path in (server.config.data / "seats").glob("*.json")}
        assert set(server.games) <= kept <= set(server.games) | set(server.games.ended)
        for table in server.lobby.tables.values():
            assert 0 < len(table.members) < table.seats
            assert all(member.tables[table.id] is table for member in table.members)
            assert all(member.connection is not None for member in table.members)
        for connection in server.connections.values():
            if connection.client is not None and connection.client.connection is connection:
                assert server.clients.named(connection.client.name) is connection.client


async def run(folder: Path, actions: list[tuple[int, tuple[str, Any]]]) -> None:
    fuzzed = Fuzzed()
    left = [*PRELUDE, *actions]
    while True:
        async with open_hall(folder, resume=20.0, comeback=30.0, ready=10.0) as fuzzed.hall:
            fuzzed.wires = [None] * CLIENTS
            while left:
                client, (what, how) = left.pop(0)
                if what == "kill":
                    break
                await fuzzed.act(client, what, how)
                fuzzed.check()
            else:
                break
    assert fuzzed.games
    for path in (folder / "games").glob("*.jsonl"):
        for _ in replay(read_record(path)):
            pass


def fuzz(actions: list[tuple[int, tuple[str, Any]]]) -> None:
    with tempfile.TemporaryDirectory() as folder, capture_logs() as logs:
        trio.run(run, Path(folder), actions, clock=MockClock(autojump_threshold=0))
    failures = [log for log in logs if log["log_level"] in ("error", "critical")]
    assert not failures, json.dumps(failures, default=str)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(ACTIONS)
@example([(0, ("kill", None)), (2, ("answer", None)), (0, ("wait", 40.0)), (2, ("join", None))])
def test_nothing_that_clients_do_makes_the_server_fail(actions):  # S035
    fuzz(actions)


@pytest.mark.soak
@settings(max_examples=5000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(ACTIONS)
def test_nothing_that_clients_do_for_long_makes_the_server_fail(actions):
    fuzz(actions)
