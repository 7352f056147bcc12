"""A server and scripted clients for the tests: on memory streams, or on sockets with `listening`.

    async with open_hall(tmp_path) as hall:
        game = await hall.seated(2)                 # both logged in, at one table, `ready` not sent
        await game.ready()
        request = await game[0].until("request")

`expect` takes the next line and fails if it is another message; `until` passes over those before it. Each wire
keeps what it got: `lines` the bytes, `messages` the values, `times` when it was read, in seconds of the loop's clock.
"""

from __future__ import annotations

import json
import random
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import trio
from trio.testing import memory_stream_pair

from arena.records import Record, read_record, verify
from arena.server import Config, Server, serve
from arena.server.house import House
from arena.server.referee import Referee
from arena.server.tokens import Role, TokenFile
from protocol import PROTOCOL
from protocol.messages import Clock, Rules

Message = dict[str, Any]
Choose = Callable[[Message], int | str]

CLOCK = Clock(move=1.0, bank=2.0, increment=0.0, grace=0.1)
PATIENCE = 100.0  # seconds that a wire waits for a line before the test fails


class Hung(AssertionError):
    """The server has ended the connection."""


class Wire:
    """A client that sends and gets what a test says."""

    def __init__(self, stream: trio.abc.Stream) -> None:
        self.stream = stream
        self.lines: list[bytes] = []
        self.messages: list[Message] = []
        self.times: list[float] = []
        self.name = ""
        self.key = ""
        self.patience = PATIENCE
        self._data = bytearray()

    async def send(self, type: str, **fields: Any) -> None:
        await self.send_bytes(json.dumps({"type": type, **fields}).encode() + b"\n")

    async def send_bytes(self, data: bytes) -> None:
        await self.stream.send_all(data)

    async def next(self) -> Message:
        """The next line; raises `Hung` if none comes any more."""
        with trio.fail_after(self.patience):
            while b"\n" not in self._data:
                try:
                    chunk = await self.stream.receive_some(65536)
                except trio.BrokenResourceError:
                    chunk = b""
                if not chunk:
                    assert not self._data, f"half a line came: {bytes(self._data)!r}"
                    raise Hung(f"the server has ended the connection of {self.name or 'somebody'}")
                self._data += chunk
        line, _, rest = bytes(self._data).partition(b"\n")
        self._data[:] = rest
        self.lines.append(line)
        self.messages.append(strict(line))
        self.times.append(trio.current_time())
        return self.messages[-1]

    async def expect(self, type: str, **fields: Any) -> Message:
        """The next line must be this message, with these fields."""
        message = await self.next()
        assert message["type"] == type, message
        for name, value in fields.items():
            assert message.get(name) == value, message
        return message

    async def until(self, type: str, **fields: Any) -> Message:
        """The first line that is this message and has these fields."""
        while True:
            message = await self.next()
            if message["type"] == type and all(message.get(name) == value for name, value in fields.items()):
                return message

    async def silent(self, seconds: float) -> None:
        """Nothing may come for so long."""
        with trio.move_on_after(seconds):
            message = await self.next()
            raise AssertionError(f"nothing was to come, but {message}")

    async def hung_up(self) -> None:
        """Nothing may come any more, and the connection must be ended."""
        try:
            message = await self.next()
        except Hung:
            return
        raise AssertionError(f"the connection was to end, but {message} came")

    async def drop(self) -> None:
        """The connection is lost without a word."""
        await trio.aclose_forcefully(self.stream)
        await trio.testing.wait_all_tasks_blocked()

    async def move(self, request: Message, choice: Any = 0) -> None:
        await self.send("move", game=request["game"], id=request["id"], choice=choice)

    async def hello(self, name: str, **fields: Any) -> Message:
        self.name = name
        await self.send("hello", protocol=PROTOCOL, name=name, **fields)
        welcome = await self.until("welcome")
        self.key = welcome["resume"]
        return welcome

    async def play(self, choose: Choose | None = None) -> Message:
        """Play until the first `end`."""
        choose = choose or (lambda request: request["default"])
        while True:
            message = await self.next()
            if message["type"] == "request":
                await self.move(message, choose(message))
            elif message["type"] == "start" and "seat" in message:
                await self.send("ready", game=message["game"])
            elif message["type"] == "end":
                return message


class Seats(Sequence[Wire]):
    """Those who sit in one game."""

    def __init__(self, hall: Hall, wires: list[Wire], game_id: str) -> None:
        self.hall = hall
        self.wires = wires
        self.id = game_id

    def __getitem__(self, seat: Any) -> Any:
        return self.wires[seat]

    def __len__(self) -> int:
        return len(self.wires)

    @property
    def referee(self) -> Referee:
        return self.hall.server.games[self.id]

    @property
    def record(self) -> Record:
        return read_record(self.hall.server.folder / f"{self.id}.jsonl")

    async def ready(self, **fields: Any) -> None:
        for wire in self.wires:
            await wire.send("ready", game=self.id, **fields)
        await trio.testing.wait_all_tasks_blocked()

    async def play_on(
        self, choose: Choose | None = None, skip: Sequence[int] = (), end: bool = True
    ) -> list[Message]:
        """Let all seats but those of `skip` play to the end; returns what each got as `end`."""
        ends: dict[int, Message] = {}

        async def one(seat: int) -> None:
            ends[seat] = await self.wires[seat].play(choose)

        async with trio.open_nursery() as nursery:
            for seat in range(len(self.wires)):
                if seat not in skip:
                    nursery.start_soon(one, seat)
        if end:
            verify(self.record)
        return [ends[seat] for seat in sorted(ends)]


class Hall:
    """A server, and the way in."""

    def __init__(self, server: Server, nursery: trio.Nursery) -> None:
        self.server = server
        self.nursery = nursery

    @property
    def config(self) -> Config:
        """The server's settings."""
        return self.server.config

    def connect(self, pair: Callable[[], tuple[Any, Any]] = memory_stream_pair) -> Wire:
        ours, theirs = pair()
        self.nursery.start_soon(self.server.accept, theirs)
        return Wire(ours)

    async def login(self, name: str, **fields: Any) -> Wire:
        wire = self.connect()
        await wire.hello(name, **fields)
        return wire

    async def resume(self, wire: Wire) -> Wire:
        """Another connection that goes on with the seats of `wire`."""
        return await self.login(wire.name, resume=wire.key)

    async def seated_again(self, game: Seats) -> Seats:
        """The same seats with new connections, on a server that has been started again."""
        return Seats(self, [await self.resume(wire) for wire in game], game.id)

    async def seated(
        self,
        seats: int = 2,
        *,
        wires: Sequence[Wire] = (),
        seed: int = 1,
        rules: Mapping[str, Any] | None = None,
        clock: Clock | None = None,
        tags: dict[str, str | int] | None = None,
    ) -> Seats:
        """A game whose seats have got `start` and are not ready."""
        players = list(wires) or [await self.login(f"player-{seat}") for seat in range(seats)]
        members = [self.server.clients.named(wire.name) for wire in players]
        referee = self.server.games.open(
            [member for member in members if member is not None],
            Rules(**(rules or {})),
            clock or CLOCK,
            seed=seed,
            tags=tags,
        )
        for wire in players:
            await wire.until("start")
        return Seats(self, players, referee.id)


def house_of(hall: Hall, bots: Iterable[str]) -> House:
    """A house that sends these shipped bots, as far as anybody asks for them."""
    server = hall.server
    return House(
        frozenset(bots),
        server.clients,
        server.lobby,
        hall.nursery,
        "127.0.0.1",
        1,
        names={},
        limit=5.0,
        most=server.config.bots,
        tls=False,
    )


@asynccontextmanager
async def open_hall(folder: Path, **settings: Any) -> AsyncIterator[Hall]:
    """A server on memory streams. With the autojump clock no time passes but what somebody waits for.

    A second one on the same folder, after the first, goes on with its games: leaving the block is like a kill.
    """
    config = Config(**{"data": folder, "clock": CLOCK, **settings})
    async with trio.open_nursery() as nursery:
        server = Server(config, nursery)
        with server.data.held():
            server.games.reopen(server.lobby.house)
            yield Hall(server, nursery)
            nursery.cancel_scope.cancel()


@asynccontextmanager
async def listening(folder: Path, **settings: Any) -> AsyncIterator[tuple[Server, int]]:
    """A server on a free port."""
    bots = settings.pop("bots", frozenset())
    config = Config(**{"data": folder, "port": 0, **settings})
    async with trio.open_nursery() as nursery:
        server, listeners = await nursery.start(partial(serve, config, bots=bots))
        async with dialling():
            yield server, listeners[0].socket.getsockname()[1]
        nursery.cancel_scope.cancel()


@asynccontextmanager
async def dialling() -> AsyncIterator[None]:
    """Closes at the end whatever `dial` has opened."""
    try:
        yield
    finally:
        while DIALLED:
            await trio.aclose_forcefully(DIALLED.pop())


DIALLED: list[trio.abc.Stream] = []


async def dial(port: int, address: str = "127.0.0.1") -> Wire:
    """A client on a socket, which comes from `address`; within `listening` or `dialling`."""
    DIALLED.append(await trio.open_tcp_stream("127.0.0.1", port, local_address=address))
    return Wire(DIALLED[-1])


def make_token(path: Path, name: str, role: Role = Role.PLAYER, ends: datetime | None = None) -> str:
    """Bind a name to a new token in the file."""
    return TokenFile(path).create(name, role, ends, datetime.now(UTC))


def strict(line: bytes) -> Message:
    """What a strict reader of JSON makes of a line."""

    def refuse(token: str) -> float:
        raise AssertionError(f"{token} is not JSON")

    value = json.loads(line, parse_constant=refuse)
    assert isinstance(value, dict)
    return value


def dice(seed: int) -> Choose:
    """A random player."""
    rng = random.Random(seed)
    return lambda request: rng.randrange(len(request["options"]))
