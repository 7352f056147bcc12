"""How long a seat that comes back waits for its open request: its connection was lost, or still stands."""

from __future__ import annotations

import json
from collections.abc import Iterator
from time import perf_counter

from bench.measure import Figure
from bench.peers import CHUNK, Bot, connected, servers, talk
from bench.wire import SEATS, seated, share

REQUEST = b'{"type":"request"'


def figures(quick: bool) -> Iterator[Figure]:
    """From `hello` with the key to the last byte of the request; the connection is there already."""
    rounds = 5 if quick else 200
    for how in ("lost", "taken over"):
        times = []
        with servers() as child:
            for number in range(rounds):
                table = seated(child.arena, number, number)
                for bot in table:
                    bot.ready(bot.wait("start")["game"])
                asked = next(moment.talker for moment in talk(table) if moment.asked)
                assert isinstance(asked, Bot), "the echo plays elsewhere"
                if how == "lost":
                    asked.socket.close()
                times.append(returned(asked, child.arena))
                for bot in table:
                    bot.socket.close()
        note = f"{rounds} games of {SEATS} seats, one after the other; with view"
        for name, of in (("p50", 0.5), ("p99", 0.99)):
            name = f"from the return of a seat to its request, {how}, {name}"
            value = 1000 * share(times, of)
            yield Figure(name, "ms", value, None, must=250, aim=50, repetitions=rounds, note=note)


def returned(bot: Bot, port: int) -> float:
    """Come back to the seat of this bot, on a connection that is there already; returns the seconds."""
    hello = {"type": "hello", "protocol": "1.0", "name": bot.name, "resume": bot.key}
    with connected(port) as again:
        start = perf_counter()
        again.sendall(json.dumps(hello).encode() + b"\n")
        data = b""
        while not (REQUEST in data and data.endswith(b"\n")):
            data += again.recv(CHUNK)
        return perf_counter() - start
