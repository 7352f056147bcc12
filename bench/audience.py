"""What those who do not play cost those who do: watchers of one game, watchers that stall, idle connections.

The players are one table of four bots that think one to three milliseconds. Windows without and with the others come
in pairs, each pair with the same deal and the same moves, and the order within a pair changes from one to the next
(`pairs`).
Players and watchers of a real server have machines of their own. Here the server has a processor of its own, where
there are two, and the watchers are a crowd in one process that sleeps while a window runs: the kernel takes what comes
for their sockets, as theirs would, and the crowd reads that when the window is over.

    python -m bench.audience [--quick] [--watchers N] [--idle N] [--rounds N] [--only watchers]
"""

from __future__ import annotations

import argparse
import contextlib
import os
import selectors
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from statistics import median
from time import perf_counter

from bench.measure import Figure, machine, show
from bench.pairs import Pair, change
from bench.peers import Bot, Child, apart, servers
from bench.wire import Load, seated, share, under_load

WATCHERS = 500
IDLE = 2000
STALLED = 50  # watchers of `STALLED_GAMES` games each, which they stop to read
STALLED_GAMES = 16
THINKING = (0.001, 0.003)  # seconds: the more decisions, the surer are the few that wait longest
WINDOW = 1.6  # seconds of each measurement: some 450 decisions, less than a game
ROUNDS = 200  # pairs of windows: eleven minutes
ROUNDS_OF_IDLE = 16  # who come and go each time
SILENCE = 0.3  # seconds without a byte after which a crowd has read everything
LARGE = 1024 * 1024  # bytes that the kernel takes for a watcher of the crowd: many times those of a window
SMALL = 32 * 1024  # bytes that the kernel takes for a watcher that stalls


class Crowd:
    """Clients in another process."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._stdin, self._stdout = process.stdin, process.stdout
        self._hear("here")

    @contextlib.contextmanager
    def watching(self, game: str) -> Iterator[None]:
        """All of them watch this game, and read at the end what they have been sent."""
        self._do(game, "watching")
        yield
        self._do("read", "read")

    def _do(self, order: str, done: str) -> None:
        self._stdin.write(order + "\n")
        self._stdin.flush()
        self._hear(done)

    def _hear(self, word: str) -> None:
        assert self._stdout.readline() == word + "\n", "the crowd did not come"


@contextlib.contextmanager
def crowd(port: int, count: int) -> Iterator[Crowd]:
    """So many clients, who read whatever comes."""
    command = [sys.executable, "-c", "from bench.audience import attend; attend()", str(port), str(count)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield Crowd(process)
        finally:
            process.terminate()


def attend() -> None:
    """The process of a crowd: the name of a game is an order to watch it, `read` one to read until nothing comes."""
    port, count = int(sys.argv[1]), int(sys.argv[2])
    stand_back()
    bots = [Bot(port, f"guest-{os.getpid()}-{number}") for number in range(count)]
    for bot in bots:
        bot.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, LARGE)
    print("here", flush=True)
    with selectors.DefaultSelector() as selector:
        for bot in bots:
            selector.register(bot.socket, selectors.EVENT_READ, bot)
        for order in map(str.strip, sys.stdin):
            if order == "read":
                while ready := selector.select(SILENCE):
                    for key, _ in ready:
                        key.data.lines()
                told = [bot.received for bot in bots]
                assert 4 * min(told) >= 3 * max(told), (
                    f"watchers were sent from {min(told)} to {max(told)} bytes"
                )
            else:
                for bot in bots:
                    bot.send({"type": "watch", "game": order})
                    bot.wait("start")
            print("read" if order == "read" else "watching", flush=True)


def stand_back() -> None:
    """From now on this process runs only when no other wants to, as far as the system lets it."""
    os.nice(19)
    if hasattr(os, "SCHED_IDLE"):
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


Others = Callable[[str], contextlib.AbstractContextManager[object]]
"""Who else is there while the game of this id is played."""


def nobody(game: str) -> contextlib.AbstractContextManager[object]:
    """The players are alone."""
    return contextlib.nullcontext()


def delays(child: Child, number: int, seconds: float, others: Others) -> Load:
    """How long the players of one game wait for each request; the same number gives the same deal and moves."""
    table = seated(child.arena, number, number)
    for bot in table:
        bot.table, bot.think = 0, THINKING
    game = table[0].wait("start")["game"]
    with others(game):
        table[0].ready(game)
        load = under_load(child, [table], (), seconds)
    for bot in table:
        bot.send({"type": "bye"})
        bot.wait("bye")  # then the next window can have its name
        bot.socket.close()
    return load


def compared(child: Child, rounds: int, seconds: float, others: Others) -> list[Pair]:
    """Windows without and with the others, by turns."""
    pairs = []
    for turn in range(rounds):
        order = (nobody, others) if turn % 2 == 0 else (others, nobody)
        loads = {each: delays(child, turn, seconds, each) for each in order}
        pairs.append(Pair(loads[nobody], loads[others]))
    return pairs


def changes(what: str, pairs: list[Pair], must: float, aim: float | None = None) -> Iterator[Figure]:
    """The delays, and by how much the others have changed them."""
    for name, word in (("alone", "without"), ("together", "with")):
        loads = [getattr(pair, name) for pair in pairs]
        waited = median(load.queued for load in loads)
        made = sum(len(load.delays) for load in loads)
        note = f"{made} decisions; {waited:.0%} of the time waiting for a processor"
        values = sorted(1000 * share(load.delays, 0.99) for load in loads)
        label = f"delay of the players {word} {what}, p99"
        yield Figure(label, "ms", values[0], median(values), repetitions=len(pairs), note=note)
        passes = sorted(1000 * share(load.passes.cpu, 0.99) for load in loads)
        label = f"one pass of the server's loop {word} {what}, cpu, p99"
        yield Figure(label, "ms", passes[0], median(passes), repetitions=len(pairs))
    more = sorted(100 * (pair.together.busy - pair.alone.busy) for pair in pairs)
    name = f"processor of the server for {what}"
    yield Figure(
        name, "%", more[0], median(more), repetitions=len(pairs), note="of one core, on top of the game"
    )
    alone, together = ([load.delays for load in loads] for loads in zip(*pairs, strict=True))
    for of in (0.99, 0.5):
        found = change(alone, together, of)
        bounds = f"with 95 % confidence from {found.low:+.1f} to {found.high:+.1f} %"
        yield Figure(
            f"change of the players' delay by {what}, p{100 * of:g}",
            "%",
            found.percent,
            median(found.pairs),
            must=must,
            aim=aim,
            repetitions=len(pairs),
            note=f"{bounds}; under {must:g} %: {found.verdict(must)}",
        )


def watched(count: int, rounds: int, seconds: float) -> Iterator[Figure]:
    """Players that are watched."""
    with servers() as child, apart(child), crowd(child.arena, count) as watchers:
        pairs = compared(child, rounds, seconds, watchers.watching)
    yield from changes(f"{count} watchers", pairs, must=10, aim=2)


def idle(count: int, rounds: int, seconds: float) -> Iterator[Figure]:
    """Connections that have said hello and nothing else."""
    with servers() as child, apart(child):
        before = child.resident()
        with crowd(child.arena, count):
            grown = child.resident() - before
        name = f"memory of {count} idle connections"
        yield Figure(name, "MB", grown / 2**20, None, must=200, aim=100)
        pairs = compared(child, rounds, seconds, lambda game: crowd(child.arena, count))
    yield from changes(f"{count} idle connections", pairs, must=10)


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


def figures(
    quick: bool,
    watchers: int = WATCHERS,
    idlers: int = IDLE,
    rounds: int = ROUNDS,
    only: str | None = None,
) -> Iterator[Figure]:
    """All of them, or those of one kind of guests."""
    seconds = 0.2 if quick else WINDOW
    if only in (None, "stalled"):
        yield from stalled(quick)
    if only in (None, "watchers"):
        yield from watched(10 if quick else watchers, 2 if quick else rounds, seconds)
    if only in (None, "idle"):
        yield from idle(
            10 if quick else idlers, 2 if quick else max(2, rounds * ROUNDS_OF_IDLE // ROUNDS), seconds
        )


def main() -> None:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(prog="python -m bench.audience", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a few seconds, for the form alone")
    parser.add_argument("--watchers", type=int, default=WATCHERS, help="of one game (%(default)s)")
    parser.add_argument("--idle", type=int, default=IDLE, help="connections (%(default)s)")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="pairs of windows (%(default)s)")
    parser.add_argument("--only", choices=("stalled", "watchers", "idle"), help="one kind of guests")
    wanted = parser.parse_args()
    if min(wanted.watchers, wanted.idle, wanted.rounds) < 1:
        parser.error("--watchers, --idle and --rounds are counts; give 1 or more")
    print(machine(), flush=True)
    show(figures(wanted.quick, wanted.watchers, wanted.idle, wanted.rounds, wanted.only))


if __name__ == "__main__":
    main()
