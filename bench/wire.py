"""The figures of the wire: a whole decision against a bare echo of the same bytes, and many games at once.

The server under test and the echo server are tasks of one child process; the bots are plain sockets here, so
that a figure is what a bot outside sees. A decision is everything from the move's `send` to the last byte of
the next request: read, validated, applied, journalled, told to all seats, asked. The echo does what a server
without any work would do: it reads the line, and sends as many bytes to the same connections.

    python -m bench.wire [--quick] [--games N] [--decisions N]
"""

from __future__ import annotations

import argparse
import json
import selectors
from collections.abc import Iterator, Sequence
from math import inf
from time import perf_counter
from typing import Any, NamedTuple

from bench.measure import Figure, machine, show
from bench.peers import (
    QUEUE,
    Bot,
    Child,
    EchoTable,
    Exchange,
    Moment,
    Passes,
    Planned,
    Talker,
    readable,
    servers,
    talk,
)

THINKING = 0.2  # seconds
GAMES_AT_ONCE = 100
SEATS = 4  # of all games but those of two instant bots
MOVE_LIMIT = 0.1  # seconds that a move may take where false timeouts are counted; there is no grace
USED = 0.8  # of that limit
DECISIONS = 20_000
AFTERWARDS = 1.0  # seconds in which the last of them may be refused
IN_TIME_GAMES = 40  # at once; half of what one core can play, so that lateness is not that of a full machine


def one_game(port: int, seed: int, *, views: bool) -> tuple[list[float], list[Exchange]]:
    """Seconds of each decision of a game of two instant bots, and its bytes."""
    bots = [Bot(port, f"instant-{seat}", views=views) for seat in range(2)]
    wanted = {"seats": 2, "seed": seed, "clock": {"move": 10.0}}
    bots[0].send({"type": "join", "wanted": wanted})
    bots[1].send({"type": "join", "table": bots[0].wait("joined")["table"]})
    times, sizes = [], []
    open_moves: list[tuple[int, int, float]] = []  # who has moved, with how many bytes, when
    with selectors.DefaultSelector() as selector:
        for seat, bot in enumerate(bots):
            selector.register(bot.socket, selectors.EVENT_READ, seat)
        while not bots[0].ended:
            for seat in readable(selector):
                for request in bots[seat].requests():
                    now = perf_counter()
                    if open_moves:
                        sender, sent, start = open_moves.pop()
                        times.append(now - start)
                        sizes.append(Exchange(sender, seat, sent, tuple(bot.received for bot in bots)))
                    bots[0].received = bots[1].received = 0
                    move = bots[seat].move(request)
                    open_moves.append((seat, len(move), perf_counter()))
                    bots[seat].socket.sendall(move)
    for bot in bots:
        bot.socket.close()
    return times, sizes


def echoed(port: int, sizes: list[Exchange]) -> list[float]:
    """Seconds of each exchange of the same bytes, in the same lines, with the echo server."""
    table = EchoTable(port, 0, 2, sizes)
    times = []
    with selectors.DefaultSelector() as selector:
        for seat in table.seats:
            selector.register(seat.socket, selectors.EVENT_READ, seat)
        plans = table.next()
        while plans:
            start = perf_counter()
            plans[0].sender.socket.sendall(plans[0].line)
            number, plans = table.number, []
            while table.number == number:
                for peer in readable(selector):
                    plans += peer.read()
            times.append(perf_counter() - start)
    table.close()
    return times


def share(times: Sequence[float], of: float) -> float:
    """The time that this share of all does not exceed."""
    return sorted(times)[min(len(times) - 1, int(of * len(times)))]


def decisions(quick: bool, *, views: bool) -> Iterator[Figure]:
    """Whole decisions and echoes by turns, in one run."""
    rounds = 1 if quick else 5
    whole: list[float] = []
    halves: list[tuple[float, float, float, float]] = []
    with servers() as child:
        for seed in range(rounds + 1):
            times, sizes = one_game(child.arena, seed, views=views)
            echoes = echoed(child.echo, sizes)
            if seed or quick:  # the first game warms up
                whole += times
                halves.append(
                    (share(times, 0.5), share(times, 0.99), share(echoes, 0.5), share(echoes, 0.99))
                )
    what = "view and all" if views else "without view"
    note = f"{len(whole)} decisions of two instant bots; the median is that of the games"
    yield figure(f"whole decision, {what}, p50", "us", [h[0] for h in halves], note=note)
    yield figure(f"whole decision, {what}, p99", "us", [h[1] for h in halves], note=note)
    yield figure(f"bare echo of the same bytes, {what}, p50", "us", [h[2] for h in halves])
    yield figure(f"bare echo of the same bytes, {what}, p99", "us", [h[3] for h in halves])
    ratios = [h[0] / h[2] for h in halves]
    yield figure(f"whole decision against bare echo, {what}, p50", "", ratios, must=4, aim=2)


UNITS = {"us": 1e6, "ms": 1e3, "%": 1e2, "kB": 1 / 1024, "": 1}


def figure(name: str, unit: str, values: Sequence[float], **more: Any) -> Figure:
    """The best and the median of some seconds, shares or bytes."""
    ordered = sorted(values)
    best, middle = (UNITS[unit] * value for value in (ordered[0], ordered[len(ordered) // 2]))
    return Figure(name, unit, best, middle, repetitions=len(values), **more)


def first_requests(quick: bool) -> Iterator[Figure]:
    """How long all seats of a game wait for its first request, once they are ready; one game after the other."""
    games = 5 if quick else 200
    times = []
    with servers() as child:
        for number in range(games):
            table = seated(child.arena, number, number)
            games_of_seats = [bot.wait("start")["game"] for bot in table]
            for bot, game in zip(table[1:], games_of_seats[1:], strict=True):
                bot.ready(game)
            start = perf_counter()
            table[0].ready(games_of_seats[0])
            next(moment for moment in talk(table))
            times.append(perf_counter() - start)
            for bot in table:
                bot.send({"type": "bye"})
                bot.socket.close()
    note = f"{games} games of {SEATS} seats, one after the other; with view"
    for name, of in (("p50", 0.5), ("p99", 0.99)):
        value = 1000 * share(times, of)
        name = f"from all seats ready to the first request, {name}"
        yield Figure(name, "ms", value, None, must=50, aim=10, repetitions=games, note=note)


def seated(port: int, number: int, seed: int) -> list[Bot]:
    """The bots of one table, who have not yet read that their game starts."""
    bots = [Bot(port, f"g{number}-{seat}") for seat in range(SEATS)]
    bots[0].send({"type": "join", "wanted": {"seats": SEATS, "seed": seed, "clock": {"move": 10.0}}})
    name = bots[0].wait("joined")["table"]
    for seat, bot in enumerate(bots):
        bot.table, bot.seat, bot.think = number, seat, (0.5 * THINKING, 1.5 * THINKING)
        if seat:
            bot.send({"type": "join", "table": name})
    return bots


class Load(NamedTuple):
    """What a loop of many bots has cost, and how long they waited."""

    delays: list[float]  # ascending
    exchanges: list[list[Exchange]]  # of each table
    seconds: float
    cpu: float  # seconds of the server
    queued: float  # share of its time in which the server was ready to run and had to wait for a processor
    passes: Passes

    @property
    def busy(self) -> float:
        """Share of one core that the server used."""
        return self.cpu / self.seconds


def under_load(
    child: Child, tables: Sequence[Sequence[Talker]], planned: Sequence[Planned], seconds: float
) -> Load:
    """How long a connection waits from sending its answer to the next request of its table."""
    delays: list[float] = []
    sent: dict[int, Moment] = {}  # by table, its last answer
    last = dict.fromkeys(range(len(tables)), start := perf_counter())  # its last request
    exchanges: list[list[Exchange]] = [[] for _ in tables]
    child.measure()
    cpu, queued = scheduled(child.id)
    talkers = [talker for table in tables for talker in table]
    for moment in talk(
        talkers, planned, seconds, enough=lambda: bool(delays)
    ):  # also on a machine that is busy
        number = moment.talker.table
        if not moment.asked:
            sent[number] = moment
        elif number in sent:
            move = sent.pop(number)
            delays.append(moment.at - move.at)
            pause, last[number] = move.at - last[number], moment.at
            exchanges[number].append(
                Exchange(
                    move.talker.seat,
                    moment.talker.seat,
                    len(move.line),
                    tuple(talker.received for talker in tables[number]),
                    pause,
                )
            )
            for talker in tables[number]:
                talker.received = 0
    taken = perf_counter() - start
    used, waited = scheduled(child.id)
    return Load(sorted(delays), exchanges, taken, used - cpu, (waited - queued) / taken, child.passes())


def at_once(quick: bool, games: int) -> Iterator[Figure]:
    """Games of bots that think, and echoes of the same bytes after the same pauses, by turns."""
    seconds = 1 if quick else 8
    loads, echoes, grown = [], [], []
    for repetition in range(1 if quick else 3):
        with servers() as child:
            before = child.resident()
            tables = [seated(child.arena, number, games * repetition + number) for number in range(games)]
            loads.append(under_load(child, tables, (), seconds))
            grown.append((child.resident() - before) / games)
            for bot in [bot for table in tables for bot in table]:
                bot.socket.close()
        with servers() as child:
            mirrors = [
                EchoTable(child.echo, number, SEATS, exchanges)
                for number, exchanges in enumerate(loads[-1].exchanges)
            ]
            first = [plan for mirror in mirrors for plan in mirror.next()]
            echoes.append(under_load(child, [mirror.seats for mirror in mirrors], first, seconds))
            for mirror in mirrors:
                mirror.close()
    made = len(loads[0].delays)
    note = f"{SEATS} seats, {1000 * THINKING:g} ms of thinking, {made} decisions in {seconds} s"
    what = f"{games} games at once"
    delays, bare = ([share(load.delays, 0.99) for load in some] for some in (loads, echoes))
    yield figure(f"added delay of {what}, p99", "ms", delays, must=20, note=note)
    yield figure(f"added delay of {what}, p50", "ms", [share(load.delays, 0.5) for load in loads])
    yield figure(f"echo of the same bytes of {what}, p99", "ms", bare)
    yield figure(f"echo of the same bytes of {what}, p50", "ms", [share(e.delays, 0.5) for e in echoes])
    more = [delay - echo for delay, echo in zip(delays, bare, strict=True)]
    yield figure(f"added delay of {what}, less that of the echo, p99", "ms", more, must=20)
    for kind in ("wall", "cpu"):
        yield figure(
            f"one pass of the server's loop, {what}, {kind}, p99",
            "ms",
            [share(getattr(load.passes, kind), 0.99) for load in loads],
        )
    yield figure(f"processor of {what}", "%", [load.busy for load in loads], note="of one core")
    yield figure(f"processor of the echo of {what}", "%", [echo.busy for echo in echoes], note="of one core")
    note = "share of the time in which the server could run and another program had the core"
    yield figure(f"waiting for a processor, {what}", "%", [load.queued for load in loads], note=note)
    room = sorted((games / load.busy for load in loads), reverse=True)
    note = "by the processor time alone: an upper bound"
    yield Figure(
        "games that fill one core", "", room[0], room[len(room) // 2], repetitions=len(room), note=note
    )
    yield figure("memory per live game with four connections", "kB", grown, must=1024, aim=250)


def scheduled(process: int) -> tuple[float, float]:
    """Seconds that a process has run, and that it was ready to and waited for a processor."""
    with open(f"/proc/{process}/schedstat", encoding="ascii") as file:
        ran, waited, _ = map(int, file.read().split())
    return ran / 1e9, waited / 1e9


def false_timeouts(decisions: int) -> Iterator[Figure]:
    """Moves that the server calls late though the bot has used `USED` of its limit.

    A bot that was itself kept from its processor is not the server's fault: a move that left later than the
    limit after the last look at which its request was not there yet is told apart.
    """
    games = min(IN_TIME_GAMES, max(1, decisions // 100))
    looked: dict[tuple[Talker, bytes], float] = {}  # of each move, when its request was not there yet
    own: set[tuple[Talker, str, int]] = set()  # the moves that left late
    moves, enough = 0, inf
    with servers(MOVE_LIMIT) as child:
        bots = [Bot(child.arena, f"b{number}") for number in range(games * SEATS)]
        for bot in bots:
            bot.again, bot.think = True, (USED * MOVE_LIMIT, USED * MOVE_LIMIT)
            bot.send(QUEUE)
        for moment in talk(bots):
            if moment.asked:
                looked[moment.talker, moment.line] = moment.looked
            else:
                moves += 1
                if moment.at - looked.pop((moment.talker, moment.line)) > MOVE_LIMIT:
                    move = json.loads(moment.line)
                    own.add((moment.talker, move["game"], move["id"]))
                if moves == decisions:
                    enough = moment.at + AFTERWARDS
            if moment.at > enough:
                break
        refused = {(bot, *move) for bot in bots for move in bot.refused}
        for bot in bots:
            bot.socket.close()
    note = (
        f"in {moves} decisions of {games} games at once, {USED:.0%} of {MOVE_LIMIT:g} s used; besides"
        f" {len(own)} moves that left late, {len(refused & own)} of which were refused"
    )
    yield Figure("false timeouts", "", len(refused - own), None, must=0, note=note)


def figures(quick: bool, games: int = GAMES_AT_ONCE, decisions_in_time: int = DECISIONS) -> Iterator[Figure]:
    """All of them; `games` is how many are played at once, `decisions_in_time` for false timeouts."""
    yield from decisions(quick, views=True)
    yield from decisions(quick, views=False)
    yield from first_requests(quick)
    yield from at_once(quick, 3 if quick else games)
    yield from false_timeouts(100 if quick else decisions_in_time)


def main() -> None:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(prog="python -m bench.wire", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a few seconds, for the form alone")
    parser.add_argument("--games", type=int, default=GAMES_AT_ONCE, help="games at once (%(default)s)")
    parser.add_argument(
        "--decisions", type=int, default=DECISIONS, help="for the false timeouts (%(default)s)"
    )
    wanted = parser.parse_args()
    if min(wanted.games, wanted.decisions) < 1:
        parser.error("--games and --decisions are counts; give 1 or more")
    print(machine(), flush=True)
    show(figures(wanted.quick, wanted.games, wanted.decisions))


if __name__ == "__main__":
    main()
