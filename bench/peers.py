"""What the benchmarks of the wire talk with: bots on plain sockets, and a child process with the two servers.

A bot knows of the protocol what it needs for random moves, so that a figure is what a bot outside sees. The
echo server does what a server without any work would do: it reads a line, and sends as many bytes to the
connections of one table as the line says.
"""

from __future__ import annotations

import contextlib
import heapq
import itertools
import json
import os
import selectors
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from math import inf
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter, thread_time
from typing import IO, Any, NamedTuple, Protocol

CHUNK = 1 << 18
QUEUE = {"type": "join", "table": "queue"}
LOOK = 0.002  # seconds between two looks at the sockets, at most: so exactly it is known when something came
NAMES = itertools.count()  # of the tables of the echo server, which may see a table's end late
PATIENCE = 60.0  # seconds without a byte after which a measurement is given up


class Planned(NamedTuple):
    """A line that is to be sent after a while."""

    pause: float
    sender: Talker
    line: bytes


class Talker(Protocol):
    """One connection in a loop of many."""

    socket: socket.socket
    table: int  # which of the games that are played at once it belongs to
    seat: int
    received: int  # bytes

    def read(self) -> list[Planned]:
        """Read once; returns the answers to all that asks this connection."""


class Bot:
    """One connection to the server under test; moves at random, `think` seconds after each request."""

    def __init__(self, port: int, name: str, *, views: bool = True) -> None:
        self.socket = connected(port)
        self.name = name
        self.views = views
        self.table = 0
        self.seat = 0
        self.received = 0
        self.ended = False
        self.refused: list[tuple[str, int]] = []  # game and id of moves that came too late, says the server
        self.again = False  # whether to join the queue when a game is over
        self.random = Random(name)
        self.think = (0.0, 0.0)  # from, to
        self.data = b""
        self.send({"type": "hello", "protocol": "1.0", "name": name})
        self.key: str = self.wait("welcome")["resume"]

    def send(self, message: dict[str, Any]) -> None:
        """Send a message."""
        self.socket.sendall(json.dumps(message).encode() + b"\n")

    def wait(self, kind: str) -> dict[str, Any]:
        """The next message of this type; others before it, and what came with it, are dropped."""
        while True:
            for line in self.lines():
                message: dict[str, Any] = json.loads(line)
                if message["type"] == kind:
                    return message

    def lines(self) -> list[bytes]:
        """What one read brings, as whole lines."""
        data = self.socket.recv(CHUNK)
        if not data:
            raise ConnectionError("the server has ended the connection")
        self.received += len(data)
        *lines, self.data = (self.data + data).split(b"\n")
        return lines

    def requests(self) -> list[bytes]:
        """Read once; answers `start` with `ready` and returns the requests."""
        found = []
        for line in self.lines():
            if line.startswith(b'{"type":"request"'):
                found.append(line)
            elif line.startswith(b'{"type":"start"'):
                self.ready(json.loads(line)["game"])
            elif line.startswith(b'{"type":"error"'):
                error = json.loads(line)
                if error["code"] == "game-over":
                    continue  # it crossed with the end
                if error["code"] not in ("too-late", "retired"):
                    raise ValueError(f"the server refuses what the benchmark sends: {error['text']}")
                self.refused.append((error["game"], error["id"]))
            elif line.startswith(b'{"type":"end"'):
                self.ended = True
                if self.again:
                    self.send(QUEUE)
        return found

    def ready(self, game: str) -> None:
        """Tell that the game may begin."""
        self.send({"type": "ready", "game": game, "views": self.views})

    def read(self) -> list[Planned]:
        """Read once; returns the moves that answer the requests."""
        requests = self.requests()
        return [Planned(self.random.uniform(*self.think), self, self.move(request)) for request in requests]

    def move(self, request: bytes) -> bytes:
        """The line of a random move."""
        head = json.loads(request[: request.index(b',"default":')] + b"}")
        choice = self.random.randrange(len(head["options"]))
        return b'{"type":"move","game":"%s","id":%d,"choice":%d}\n' % (
            head["game"].encode(),
            head["id"],
            choice,
        )


class Exchange(NamedTuple):
    """The bytes of one decision: of the move, and what each seat gets; and the pause before it."""

    sender: int
    asked: int
    sent: int
    to: tuple[int, ...]
    pause: float = 0.0

    def line(self) -> bytes:
        """What makes the echo server send the same; the seat that is asked gets its bytes first."""
        order = sorted(range(len(self.to)), key=lambda seat: seat != self.asked)
        told = b" ".join(b"%d %d" % (seat, self.to[seat]) for seat in order if self.to[seat])
        return told + b" " * max(0, self.sent - len(told) - 1) + b"\n"


class EchoTable:
    """The connections of one table to the echo server, and what they exchange."""

    def __init__(self, port: int, table: int, seats: int, exchanges: Sequence[Exchange]) -> None:
        self.table = table
        self.exchanges = exchanges
        self.number = -1  # of the exchange that is under way
        self.owed = [0] * seats  # bytes that each seat still has to get
        self.seats: list[EchoSeat] = []
        name = next(NAMES)
        for seat in range(seats):
            self.seats.append(EchoSeat(self, seat, connected(port)))
            self.seats[seat].socket.sendall(b"%d\n" % name)
            self.seats[seat].socket.recv(1)  # so that they are accepted in this order

    def next(self) -> list[Planned]:
        """The next line to be sent, if there is one more."""
        self.number += 1
        if self.number == len(self.exchanges):
            return []
        exchange = self.exchanges[self.number]
        self.owed = [owed + size for owed, size in zip(self.owed, exchange.to, strict=True)]
        return [Planned(exchange.pause, self.seats[exchange.sender], exchange.line())]

    def got(self, seat: int, size: int) -> list[Planned]:
        """So many bytes have come; when the seat that is asked has all of them, the next line is due."""
        self.owed[seat] -= size
        asked = self.number < len(self.exchanges) and seat == self.exchanges[self.number].asked
        return self.next() if asked and not self.owed[seat] else []

    def close(self) -> None:
        """End the connections."""
        for seat in self.seats:
            seat.socket.close()


class EchoSeat:
    """One connection to the echo server."""

    def __init__(self, echo: EchoTable, seat: int, socket: socket.socket) -> None:
        self.echo = echo
        self.table = echo.table
        self.seat = seat
        self.socket = socket
        self.received = 0

    def read(self) -> list[Planned]:
        """Read once; returns what follows if the exchange is complete."""
        size = len(self.socket.recv(CHUNK))
        self.received += size
        return self.echo.got(self.seat, size)


class Moment(NamedTuple):
    """Something that happened in the loop of `talk`.

    Either `asked`: this connection got a request; or not: it has sent its answer. What is read now cannot
    have come before `looked`, for then it was not there yet.
    """

    talker: Talker
    asked: bool
    at: float
    looked: float
    line: bytes


def talk(
    talkers: Sequence[Talker],
    planned: Sequence[Planned] = (),
    seconds: float = inf,
    *,
    enough: Callable[[], bool] = lambda: True,
) -> Iterator[Moment]:
    """Let all of them read, think and answer, for so long and until there is `enough`, or the caller has seen it."""
    start = now = looked = quiet = perf_counter()
    due = [(start + plan.pause, number, plan) for number, plan in enumerate(planned)]
    heapq.heapify(due)
    number = len(due)
    with selectors.DefaultSelector() as selector:
        for talker in talkers:
            selector.register(talker.socket, selectors.EVENT_READ, talker)
        while now < start + seconds or not enough():
            before = perf_counter()
            found = selector.select(max(0.0, min(LOOK, due[0][0] - before)) if due else LOOK)
            now = perf_counter()
            if found or due:
                quiet = now
            elif now - quiet > PATIENCE:
                raise TimeoutError(f"nothing has come for {PATIENCE:g} s")
            for key, _ in found:
                for plan in key.data.read():
                    came = perf_counter()
                    heapq.heappush(due, (came + plan.pause, number, plan))
                    number += 1
                    yield Moment(key.data, True, came, looked, plan.line)
            looked = before
            while due and due[0][0] <= perf_counter():
                _, _, plan = heapq.heappop(due)
                plan.sender.socket.sendall(plan.line)
                yield Moment(plan.sender, False, perf_counter(), looked, plan.line)


def readable(selector: selectors.BaseSelector) -> list[Any]:
    """What is registered for the sockets that have something to read; raises `TimeoutError` if none gets anything."""
    found = selector.select(PATIENCE)
    if not found:
        raise TimeoutError(f"nothing has come for {PATIENCE:g} s")
    return [key.data for key, _ in found]


def connected(port: int) -> socket.socket:
    """A connection to this machine."""
    connection = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


class Passes(NamedTuple):
    """Of the passes of a server's loop: the seconds in which it did not look at its sockets, ascending."""

    wall: list[float]
    cpu: list[float]


class Child:
    """The process with both servers."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._stdin: IO[str] | None = process.stdin
        self._stdout: IO[str] | None = process.stdout
        self.id = process.pid
        self.arena, self.echo = map(int, self._line().split())

    def measure(self) -> None:
        """Begin to note the passes of the loop."""
        self._tell("measure")

    def passes(self) -> Passes:
        """Those since `measure`."""
        return Passes(*json.loads(self._tell("passes")))

    def resident(self) -> int:
        """Bytes of memory that it holds."""
        with open(f"/proc/{self.id}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def _tell(self, word: str) -> str:
        assert self._stdin is not None
        self._stdin.write(word + "\n")
        self._stdin.flush()
        return self._line()

    def _line(self) -> str:
        assert self._stdout is not None
        return self._stdout.readline()


@contextlib.contextmanager
def servers(move: float = 10.0) -> Iterator[Child]:
    """A child process with both servers; `move` is the limit, in seconds, of the games of the queue."""
    with TemporaryDirectory() as folder:
        command = [sys.executable, "-c", "from bench.peers import child; child()", folder, str(move)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
            try:
                yield Child(process)
            finally:
                process.terminate()


@contextlib.contextmanager
def apart(child: Child) -> Iterator[None]:
    """The server gets a processor of its own, this process and those that it starts get the others, where it can be.

    Players and watchers have machines of their own; which of them the system puts beside the server on one processor,
    and for how long, would be measured otherwise.
    """
    ours = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_setaffinity") else []
    if len(ours) < 2:
        yield
        return
    os.sched_setaffinity(child.id, ours[:1])
    os.sched_setaffinity(0, ours[1:])
    try:
        yield
    finally:
        os.sched_setaffinity(0, ours)


def child() -> None:
    """Runs both servers, prints their ports, and answers the words of `Child`."""
    from functools import partial
    from pathlib import Path

    import trio

    from arena.log import configure
    from arena.server import Config, serve
    from protocol.messages import Clock

    configure()

    class Meter(trio.abc.Instrument):
        def __init__(self) -> None:
            self.start: tuple[float, float] | None = None
            self.passes: list[tuple[float, float]] = []

        def after_io_wait(self, timeout: float) -> None:
            self.start = perf_counter(), thread_time()

        def before_io_wait(self, timeout: float) -> None:
            if self.start is not None:
                wall, cpu = self.start
                self.passes.append((perf_counter() - wall, thread_time() - cpu))

    tables: dict[bytes, tuple[list[trio.SocketStream], trio.Lock]] = {}

    async def echo(stream: trio.SocketStream) -> None:
        """The first line names the table; each further one the bytes that connections of the table shall get."""
        with contextlib.suppress(
            trio.BrokenResourceError, trio.ClosedResourceError
        ):  # the other side went without reading all
            name = await stream.receive_some(CHUNK)
            members, turn = tables.setdefault(name, ([], trio.Lock()))
            members.append(stream)
            await stream.send_all(b"\n")
            data = b""
            while chunk := await stream.receive_some(16384):
                *lines, data = (data + chunk).split(b"\n")
                for line in lines:
                    told = list(map(int, line.split()))
                    async with turn:
                        for seat, size in zip(told[::2], told[1::2], strict=True):
                            await members[seat].send_all(b"x" * (size - 1) + b"\n")
        tables.pop(name, None)

    async def obey() -> None:
        meter: Meter | None = None
        async with trio.lowlevel.FdStream(os.dup(sys.stdin.fileno())) as stdin:
            async for word in stdin:
                if word == b"measure\n":
                    meter = Meter()
                    trio.lowlevel.add_instrument(meter)
                    print("measuring", flush=True)
                elif meter is not None:
                    trio.lowlevel.remove_instrument(meter)
                    columns = zip(*meter.passes, strict=True)
                    print(json.dumps([sorted(column) for column in columns]), flush=True)

    async def run() -> None:
        async with trio.open_nursery() as nursery:
            clock = Clock(move=float(sys.argv[2]))
            config = Config(
                port=0,
                data=Path(sys.argv[1]),
                clock=clock,
                connections=4000,
                per_address=4000,
                address_burst=1_000_000,
                handover=120.0,  # those who stall are not dropped while they are measured
                suspect=3600.0,
            )
            _, listeners = await nursery.start(partial(serve, config))
            port = listeners[0].socket.getsockname()[1]
            other = (await nursery.start(trio.serve_tcp, echo, 0))[0].socket.getsockname()[1]
            print(port, other, flush=True)
            nursery.start_soon(obey)

    trio.run(run)
