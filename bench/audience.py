"""What those who do not play cost those who do: watchers of one game, watchers that stall, idle connections.

The players are one table of four bots that think a few milliseconds. Each figure compares windows of the same game's
length with and without the others, by turns, on one server. The crowd lives in a process of its own, which reads and
throws away what it gets.

    python -m bench.audience [--quick] [--watchers N] [--idle N]
"""

from __future__ import annotations

import argparse
import contextlib
import selectors
import socket
import subprocess
import sys
from collections.abc import Iterator
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

from bench.measure import Figure, machine, show
from bench.peers import Bot, Child, servers
from bench.wire import Load, seated, share, under_load

WATCHERS = 500
IDLE = 2000
STALLED = 50  # watchers of `STALLED_GAMES` games each, which they stop to read
STALLED_GAMES = 16
THINKING = (0.005, 0.015)  # seconds
WINDOW = 5.0  # seconds of each measurement
ROUNDS = 3
SMALL = 32 * 1024  # bytes that the kernel takes for a watcher that stalls


@contextlib.contextmanager
def crowd(port: int, count: int, game: str = "") -> Iterator[None]:
    """So many clients in another process, who watch the game, if one is named, and read whatever comes."""
    command = [
        sys.executable,
        "-c",
        "from bench.audience import attend; attend()",
        str(port),
        str(count),
        game,
    ]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "here\n", "the crowd did not come"
            yield
        finally:
            process.terminate()


def attend() -> None:
    """The process of a crowd."""
    port, count, game = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    with selectors.DefaultSelector() as selector:
        for number in range(count):
            bot = Bot(port, f"guest-{number}")
            if game:
                bot.send({"type": "watch", "game": game})
                bot.wait("start")
            selector.register(bot.socket, selectors.EVENT_READ)
        print("here", flush=True)
        while True:
            for key, _ in selector.select():
                key.fileobj.recv(1 << 16)  # type: ignore[union-attr]


def delays(child: Child, number: int, seconds: float, others: int, *, watch: bool) -> Load:
    """How long the players of one game wait for each request, with so many others there."""
    table = seated(child.arena, number, number)
    for bot in table:
        bot.table, bot.think = 0, THINKING
    game = table[0].wait("start")["game"]
    with contextlib.ExitStack() as stack:
        if others:
            stack.enter_context(crowd(child.arena, others, game if watch else ""))
        table[0].ready(game)
        load = under_load(child, [table], (), seconds)
    for bot in table:
        bot.send({"type": "bye"})
        bot.socket.close()
    return load


class Pair(NamedTuple):
    """Windows without and with the others."""

    alone: Load
    together: Load


def compared(child: Child, quick: bool, others: int, *, watch: bool) -> list[Pair]:
    """Windows by turns."""
    pairs = []
    for turn in range(1 if quick else ROUNDS):
        seconds = 0.5 if quick else WINDOW
        alone = delays(child, 2 * turn, seconds, 0, watch=watch)
        together = delays(child, 2 * turn + 1, seconds, others, watch=watch)
        pairs.append(Pair(alone, together))
    return pairs


def change(what: str, pairs: list[Pair], **bounds: Any) -> Iterator[Figure]:
    """The delays, and by how much the others have changed them."""
    for name in ("alone", "together"):
        loads = [getattr(pair, name) for pair in pairs]
        values = sorted(1000 * share(load.delays, 0.99) for load in loads)
        waited = median(load.queued for load in loads)
        label = f"delay of the players {'without' if name == 'alone' else 'with'} {what}, p99"
        note = f"{len(loads[0].delays)} decisions; {waited:.0%} of the time waiting for a processor"
        yield Figure(label, "ms", values[0], median(values), repetitions=len(pairs), note=note)
        passes = sorted(1000 * share(load.passes.cpu, 0.99) for load in loads)
        label = f"one pass of the server's loop {'without' if name == 'alone' else 'with'} {what}, cpu, p99"
        yield Figure(label, "ms", passes[0], median(passes), repetitions=len(pairs))
    for of in (0.99, 0.5):
        ratios = sorted(
            100 * (share(pair.together.delays, of) / share(pair.alone.delays, of) - 1) for pair in pairs
        )
        name = f"change of the players' delay by {what}, p{100 * of:g}"
        more = bounds if of == 0.99 else {}
        yield Figure(name, "%", ratios[0], median(ratios), repetitions=len(pairs), **more)


def watched(quick: bool, count: int) -> Iterator[Figure]:
    """Players that are watched."""
    with servers() as child:
        pairs = compared(child, quick, count, watch=True)
    yield from change(f"{count} watchers", pairs, must=10, aim=2)


def idle(quick: bool, count: int) -> Iterator[Figure]:
    """Connections that have said hello and nothing else."""
    with servers() as child:
        before = child.resident()
        with crowd(child.arena, count):
            grown = child.resident() - before
        name = f"memory of {count} idle connections"
        yield Figure(name, "MB", grown / 2**20, None, must=200, aim=100)
        pairs = compared(child, quick, count, watch=False)
    yield from change(f"{count} idle connections", pairs, must=0)


def stalled(quick: bool) -> Iterator[Figure]:
    """Watchers of several games who stop reading, and read again when the games are over."""
    count, games = (2, 1) if quick else (STALLED, STALLED_GAMES)
    with servers() as child:
        tables = [instant_pair(child.arena, number) for number in range(games)]
        names = [table[0].wait("start")["game"] for table in tables]
        before = child.resident()
        watchers = [deaf(child.arena, number, names) for number in range(count)]
        settled = child.resident()
        for table, name in zip(tables, names, strict=True):
            table[0].ready(name)
        play(tables)
        grown = child.resident() - settled
        times = []
        for watcher in watchers:
            start, ends = perf_counter(), 0
            while ends < games:
                ends += sum(line.startswith(b'{"type":"end"') for line in watcher.lines())
            times.append(perf_counter() - start)
        for bot in [*watchers, *(bot for table in tables for bot in table)]:
            bot.socket.close()
    note = (
        f"{count} watchers of {games} games each; {(settled - before) // count // 1024} kB before they stall"
    )
    yield Figure(
        "memory of a watcher that stalls", "kB", grown / count / 1024, None, must=1024, aim=256, note=note
    )
    name = "from reading again until a watcher that stalled is in step, worst"
    yield Figure(name, "ms", 1000 * max(times), 1000 * median(times), must=2000, repetitions=count)


def instant_pair(port: int, number: int) -> list[Bot]:
    """Two bots that answer at once, who have not yet read that their game starts."""
    bots = [Bot(port, f"pair-{number}-{seat}", views=False) for seat in range(2)]
    bots[0].send({"type": "join", "wanted": {"seats": 2, "seed": number, "clock": {"move": 10.0}}})
    bots[1].send({"type": "join", "table": bots[0].wait("joined")["table"]})
    return bots


def deaf(port: int, number: int, games: list[str]) -> Bot:
    """A watcher for whom the kernel keeps little; it reads nothing from now on."""
    bot = Bot(port, f"deaf-{number}")
    bot.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL)
    for game in games:
        bot.send({"type": "watch", "game": game})
        bot.wait("start")
    return bot


def play(tables: list[list[Bot]]) -> None:
    """All games to their end."""
    with selectors.DefaultSelector() as selector:
        for bot in [bot for table in tables for bot in table]:
            selector.register(bot.socket, selectors.EVENT_READ, bot)
        while not all(table[0].ended for table in tables):
            for key, _ in selector.select():
                for plan in key.data.read():
                    key.data.socket.sendall(plan.line)


def figures(quick: bool, watchers: int = WATCHERS, idlers: int = IDLE) -> Iterator[Figure]:
    """All of them."""
    yield from stalled(quick)
    yield from watched(quick, 10 if quick else watchers)
    yield from idle(quick, 10 if quick else idlers)


def main() -> None:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(prog="python -m bench.audience", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a few seconds, for the form alone")
    parser.add_argument("--watchers", type=int, default=WATCHERS, help="of one game (%(default)s)")
    parser.add_argument("--idle", type=int, default=IDLE, help="connections (%(default)s)")
    wanted = parser.parse_args()
    if min(wanted.watchers, wanted.idle) < 1:
        parser.error("--watchers and --idle are counts; give 1 or more")
    print(machine(), flush=True)
    show(figures(wanted.quick, wanted.watchers, wanted.idle))


if __name__ == "__main__":
    main()
