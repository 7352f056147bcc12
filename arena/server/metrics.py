"""What an organiser's monitoring asks: numbers in the text format of Prometheus, and whether all is well.

Nothing is measured here. The values are read from the server when somebody asks, so a game pays nothing for them, and
no label has a value that a client can choose.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import trio
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4, CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from arena.server.datafolder import GONE

if TYPE_CHECKING:
    from arena.server.server import Server

CONTENT_TYPE: Final = CONTENT_TYPE_PLAIN_0_0_4
"""Of what `exposition` returns."""

LEAST_ROOM: Final = 64 * 1024 * 1024  # bytes free for records: some hundred games


@dataclass(slots=True)
class Tally:
    """What has happened since the server started, counted where it happens."""

    connections: int = 0
    games: Counter[str] = field(default_factory=Counter)  # that have ended, by why
    suspect: int = 0  # of these, games in which the server stood still
    choices: int = 0  # in these
    faults: int = 0  # in these
    retired: Counter[str] = field(default_factory=Counter)  # seats in these, by reason
    errors: Counter[str] = field(default_factory=Counter)  # told to clients, by code
    ends: Counter[str] = field(default_factory=Counter)  # of connections, by reason


class _Reading(Collector):
    """The values of one server at one moment."""

    def __init__(self, server: Server) -> None:
        self._server = server

    def collect(self) -> Iterator[Metric]:
        server, tally = self._server, self._server.tally
        yield _gauge("connections", "Open connections.", len(server.connections))
        yield _gauge("clients", "Clients that are remembered, connected or not.", len(server.clients))
        yield _gauge("games", "Games that are being played.", len(server.games))
        yield _gauge("tables", "Tables that wait for players.", len(server.lobby.tables))
        yield _gauge("queue", "Clients that wait in the queue.", len(server.lobby.queue))
        watchers = sum(len(referee.audience.stream) for referee in server.games.values())
        yield _gauge("watchers", "Connections that watch, counted once for each game.", watchers)
        tasks = trio.lowlevel.current_statistics().tasks_living
        yield _gauge("tasks", "Tasks of the process; each connection and each game has some.", tasks)
        yield _gauge("lag_worst_seconds", "The longest time that the loop was late.", server.lag.worst)
        lost = server.lag.lost(trio.current_time())
        yield _total("lag_seconds", "Time that the loop was late, in all.", lost)
        yield _total("stalls", "Times that the loop was later than the bound `suspect`.", server.lag.stalls)
        yield _total("accepted_connections", "Connections that were accepted.", tally.connections)
        yield _totals("ended_games", "Games that have ended.", "why", tally.games)
        yield _total("suspect_games", "Games during which the server stood still.", tally.suspect)
        yield _total("choices", "Choices of the games that have ended.", tally.choices)
        yield _total(
            "faults",
            "Answers that seats of the games that have ended did not give, or not rightly.",
            tally.faults,
        )
        yield _totals("retired_seats", "Seats retired in the games that have ended.", "reason", tally.retired)
        yield _totals("errors", "Errors told to clients.", "code", tally.errors)
        yield _totals("ended_connections", "Connections that have ended.", "reason", tally.ends)


def exposition(server: Server) -> bytes:
    """All numbers, in the text format of Prometheus."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Reading(server))
    ProcessCollector(registry=registry)  # memory, descriptors, processor time
    return generate_latest(registry)


def health(server: Server) -> dict[str, str]:
    """What is wrong with the server, each with a sentence; nothing if it can start games and record them."""
    wrong = {}
    if server.closing:
        wrong["closing"] = "the server is being stopped and starts no games"
    if server.data.is_gone:
        wrong["data"] = f"the data folder {GONE}"
        return wrong
    try:
        free = shutil.disk_usage(server.config.data).free
    except OSError as error:
        wrong["data"] = f"the data folder cannot be looked at: {error.strerror or error}"
    else:
        if free < LEAST_ROOM:
            wrong["data"] = f"{free // 2**20} MiB are free for records; make room for {LEAST_ROOM // 2**20}"
    return wrong


def _gauge(name: str, meaning: str, value: float) -> Metric:
    return GaugeMetricFamily(f"arena_{name}", meaning, value=value)


def _total(name: str, meaning: str, value: float) -> Metric:
    return CounterMetricFamily(f"arena_{name}", meaning, value=value)


def _totals(name: str, meaning: str, label: str, values: Mapping[str, int]) -> Metric:
    family = CounterMetricFamily(f"arena_{name}", meaning, labels=[label])
    for key, value in sorted(values.items()):
        family.add_metric([key], value)
    return family
