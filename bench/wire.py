"""The figures of the wire: a whole decision against a bare echo of the same bytes, and many games at once.

The server under test and the echo server are tasks of one child process; the bots are plain sockets here, so
that a figure is what a bot outside sees. A decision is everything from the move's `send` to the last byte of
the next request: read, validated, applied, journalled, told to all seats, asked. The echo does what a server
without any work would do: it reads the line, and sends as many bytes to the same two connections.

    python -m bench.wire [--quick] [--games N]
"""

from __future__ import annotations

import argparse
import contextlib
import heapq
import json
import os
import selectors
import socket
import subprocess
import sys
from collections.abc import Iterator
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, NamedTuple

from bench.measure import Figure, machine, show

THINKING = 0.2  # seconds
GAMES_AT_ONCE = 100
SEATS = 4  # of the games at once
CHUNK = 1 << 18


class Bot:
    """One connection; knows of the protocol what an instant bot needs."""

    def __init__(self, port: int, name: str, *, views: bool = True) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.views = views
        self.game = b""
        self.seat = -1
        self.received = 0
        self.ended = False
        self.data = b""
        if name:
            self.send({"type": "hello", "protocol": "1.0", "name": name})
            self.wait("welcome")

    def send(self, message: dict[str, Any]) -> None:
        """Send a message."""
        self.socket.sendall(json.dumps(message).encode() + b"\n")

    def wait(self, kind: str) -> dict[str, Any]:
        """The next message of this type; others before it are dropped."""
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
                self.send({"type": "ready", "game": json.loads(line)["game"], "views": self.views})
            elif line.startswith(b'{"type":"end"'):
                self.ended = True
        return found


def answer(request: bytes, random: Random) -> bytes:
    """The line of a random move."""
    head = json.loads(request[: request.index(b',"default":')] + b"}")
    choice = random.randrange(len(head["options"]))
    return b'{"type":"move","game":"%s","id":%d,"choice":%d}\n' % (head["game"].encode(), head["id"], choice)


@contextlib.contextmanager
def servers() -> Iterator[tuple[int, int, int]]:
    """A child process with both servers: their ports, and its id."""
    with TemporaryDirectory() as folder:
        command = [sys.executable, "-c", "from bench.wire import child; child()", folder]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            arena, echo = map(int, process.stdout.readline().split())
            try:
                yield arena, echo, process.pid
            finally:
                process.terminate()


def child() -> None:
    """Runs both servers and prints their ports."""
    from functools import partial
    from pathlib import Path

    import trio

    from arena.log import configure
    from arena.server import Config, serve

    configure()

    pair: list[trio.SocketStream] = []
    turn = trio.Lock()

    async def echo(stream: trio.SocketStream) -> None:
        """A line begins with the bytes that each of two connections shall get, the one to wait for first."""
        pair.append(stream)
        with contextlib.suppress(
            trio.BrokenResourceError, trio.ClosedResourceError
        ):  # the other side went without reading all
            data = b""
            while chunk := await stream.receive_some(16384):
                *lines, data = (data + chunk).split(b"\n")
                for line in lines:
                    order = pair if line[0:1] == b"0" else pair[::-1]
                    async with turn:
                        for other, size in zip(order, (line[1:8], line[8:15]), strict=False):
                            if int(size):
                                await other.send_all(b"x" * (int(size) - 1) + b"\n")
        pair.clear()

    async def run() -> None:
        async with trio.open_nursery() as nursery:
            config = Config(port=0, data=Path(sys.argv[1]))
            _, listeners = await nursery.start(partial(serve, config))
            port = listeners[0].socket.getsockname()[1]
            other = (await nursery.start(trio.serve_tcp, echo, 0))[0].socket.getsockname()[1]
            print(port, other, flush=True)

    trio.run(run)


class Exchange(NamedTuple):
    """The bytes of one decision: of the move, and what both seats get, the one that is asked and the other."""

    sender: int
    asked: int
    sent: int
    to_asked: int
    to_other: int


def one_game(port: int, seed: int, *, views: bool) -> tuple[list[float], list[Exchange]]:
    """Seconds of each decision of a game of two instant bots, and its bytes."""
    bots = [Bot(port, f"instant-{seat}", views=views) for seat in range(2)]
    wanted = {"seats": 2, "seed": seed, "clock": {"move": 10.0}}
    bots[0].send({"type": "join", "wanted": wanted})
    bots[1].send({"type": "join", "table": bots[0].wait("joined")["table"]})
    random = Random(seed)
    times, sizes = [], []
    open_moves: list[tuple[int, int, float]] = []  # who has moved, with how many bytes, when
    with selectors.DefaultSelector() as selector:
        for seat, bot in enumerate(bots):
            selector.register(bot.socket, selectors.EVENT_READ, seat)
        while not bots[0].ended:
            for key, _ in selector.select():
                seat = key.data
                for request in bots[seat].requests():
                    now = perf_counter()
                    if open_moves:
                        sender, sent, start = open_moves.pop()
                        times.append(now - start)
                        sizes.append(
                            Exchange(sender, seat, sent, *(bots[s].received for s in (seat, 1 - seat)))
                        )
                    bots[0].received = bots[1].received = 0
                    move = answer(request, random)
                    open_moves.append((seat, len(move), perf_counter()))
                    bots[seat].socket.sendall(move)
    for bot in bots:
        bot.socket.close()
    return times, sizes


def echoed(port: int, sizes: list[Exchange]) -> list[float]:
    """Seconds of each exchange of the same bytes, in the same lines, with the echo server."""
    bots = []
    for seat in range(2):  # so that they are accepted in this order
        bots.append(Bot(port, ""))
        bots[seat].socket.sendall(b"%d%07d%07d\n" % (seat, 2, 0))
        bots[seat].socket.recv(CHUNK)
    times = []
    with selectors.DefaultSelector() as selector:
        for seat, bot in enumerate(bots):
            selector.register(bot.socket, selectors.EVENT_READ, seat)
        for size in sizes:
            line = b"%d%07d%07d" % (size.asked, size.to_asked, size.to_other)
            line += b"x" * (size.sent - len(line) - 1) + b"\n"
            start = perf_counter()
            bots[size.sender].socket.sendall(line)
            left = size.to_asked
            while left > 0:
                for key, _ in selector.select():
                    got = len(bots[key.data].socket.recv(CHUNK))
                    left -= got if key.data == size.asked else 0
            times.append(perf_counter() - start)
    for bot in bots:
        bot.socket.close()
    return times


def share(times: list[float], of: float) -> float:
    """The time that this share of all does not exceed, in microseconds."""
    return 1e6 * sorted(times)[min(len(times) - 1, int(of * len(times)))]


def decisions(quick: bool, *, views: bool) -> Iterator[Figure]:
    """Whole decisions and echoes by turns, in one run."""
    rounds = 1 if quick else 5
    whole: list[float] = []
    bare: list[float] = []
    halves: list[tuple[float, float, float, float]] = []
    with servers() as (arena, echo, _):
        for seed in range(rounds + 1):
            times, sizes = one_game(arena, seed, views=views)
            echoes = echoed(echo, sizes)
            if seed or quick:  # the first game warms up
                whole += times
                bare += echoes
                halves.append(
                    (share(times, 0.5), share(times, 0.99), share(echoes, 0.5), share(echoes, 0.99))
                )
    what = "view and all" if views else "without view"
    note = f"{len(whole)} decisions of two instant bots; the median is that of the games"
    yield figure(f"whole decision, {what}, p50", [h[0] for h in halves], note)
    yield figure(f"whole decision, {what}, p99", [h[1] for h in halves], note)
    yield figure(f"bare echo of the same bytes, {what}, p50", [h[2] for h in halves], "")
    yield figure(f"bare echo of the same bytes, {what}, p99", [h[3] for h in halves], "")
    ratios = sorted(h[0] / h[2] for h in halves)
    yield Figure(
        f"whole decision against bare echo, {what}, p50",
        "",
        ratios[0],
        ratios[len(ratios) // 2],
        must=4,
        aim=2,
        repetitions=len(ratios),
    )


def figure(name: str, values: list[float], note: str) -> Figure:
    """The best and the median of some times in microseconds."""
    ordered = sorted(values)
    return Figure(name, "us", ordered[0], ordered[len(ordered) // 2], repetitions=len(values), note=note)


def at_once(games: int, seconds: float) -> Iterator[Figure]:
    """Games of bots that think: how long the server takes over a move, and what it costs."""
    random = Random(1)
    with servers() as (port, _, process):
        before = resident(process)
        bots = []
        for number in range(games):
            table = [Bot(port, f"g{number}-{seat}") for seat in range(SEATS)]
            table[0].send(
                {"type": "join", "wanted": {"seats": SEATS, "seed": number, "clock": {"move": 10.0}}}
            )
            name = table[0].wait("joined")["table"]
            for bot in table[1:]:
                bot.send({"type": "join", "table": name})
            bots.append(table)
        delays: list[float] = []
        asked: dict[int, float] = {}  # by game, when its last move was sent
        due: list[tuple[float, int, int, bytes]] = []
        with selectors.DefaultSelector() as selector:
            for number, table in enumerate(bots):
                for seat, bot in enumerate(table):
                    selector.register(bot.socket, selectors.EVENT_READ, (number, seat))
            start = perf_counter()
            cpu = cpu_seconds(process)
            while (now := perf_counter()) < start + seconds:
                for key, _ in selector.select(max(0.0, due[0][0] - now) if due else 0.05):
                    number, seat = key.data
                    for request in bots[number][seat].requests():
                        came = perf_counter()
                        if number in asked:
                            delays.append(came - asked.pop(number))
                        think = THINKING * random.uniform(0.5, 1.5)
                        heapq.heappush(due, (came + think, number, seat, answer(request, random)))
                while due and due[0][0] <= perf_counter():
                    _, number, seat, move = heapq.heappop(due)
                    asked[number] = perf_counter()
                    bots[number][seat].socket.sendall(move)
            used = (cpu_seconds(process) - cpu) / (perf_counter() - start)
        grown = (resident(process) - before) / games
        for table in bots:
            for bot in table:
                bot.socket.close()
    note = f"{SEATS} seats, {1000 * THINKING:g} ms of thinking, {len(delays)} decisions in {seconds:g} s"
    yield Figure(
        f"added delay of {games} games at once, p99",
        "ms",
        share(delays, 0.99) / 1000,
        None,
        must=20,
        note=note,
    )
    yield Figure(f"added delay of {games} games at once, p50", "ms", share(delays, 0.5) / 1000, None)
    yield Figure(f"processor of {games} games at once", "%", 100 * used, None, note="of one core")
    yield Figure("memory per live game with four connections", "kB", grown / 1024, None, must=1024, aim=250)


def resident(process: int) -> int:
    """Bytes of memory that a process holds."""
    with open(f"/proc/{process}/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def cpu_seconds(process: int) -> float:
    """Processor time that a process has used."""
    with open(f"/proc/{process}/stat", encoding="ascii") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def figures(quick: bool, games: int = GAMES_AT_ONCE) -> Iterator[Figure]:
    """All of them; `games` is how many are played at once."""
    yield from decisions(quick, views=True)
    yield from decisions(quick, views=False)
    yield from at_once(3 if quick else games, 2 if quick else 15)


def main() -> None:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(prog="python -m bench.wire", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a few seconds, for the form alone")
    parser.add_argument("--games", type=int, default=GAMES_AT_ONCE, help="games at once (%(default)s)")
    wanted = parser.parse_args()
    print(machine(), flush=True)
    show(figures(wanted.quick, wanted.games))


if __name__ == "__main__":
    main()
