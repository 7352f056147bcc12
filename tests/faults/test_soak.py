"""A server under a steady load of all that can come: what it takes of the machine does not grow.

`--minutes` tells how long the load lasts. Before it, what the server keeps on purpose is filled up to its bounds: the
games that are over, and the films of games. A tenth of the minutes warms up, and of the rest the last two thirds count.
"""

from __future__ import annotations

import json
import random
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
import trio

from arena.records import read_record, verify
from arena.server.games import REMEMBERED
from arena.web import WebConfig
from tests.faults.crowd import Crowd, played, quitters, see
from tests.faults.gauges import MIB, Sample, allowed, growth, sample, settled
from tests.faults.processes import ServerProcess, serving
from tests.faults.test_relays import relaying
from tests.server.table import dialling, make_token
from tests.web.harbour import Pages

OPTIONS = ("--seats", "3", "--resume", "10", "--ready", "5", "--http-port", "0", "--verbose", "--log", "json")
# An end is kept for who may not have heard it ten seconds longer than this.
OPTIONS += ("--keepalive", "10")
VERIFIED = 50  # records that are played again afterwards
EMPTY = 60.0  # seconds within which nothing of the crowd may be left
SPARE = 2  # descriptors that may be open beside those of before, as that of the connection which asks


class Watch:
    """Looks at a server now and then."""

    def __init__(self, server: ServerProcess, pages: Pages) -> None:
        self.samples: list[Sample] = []
        self._server = server
        self._pages = pages
        self._began = trio.current_time()

    async def look(self) -> Sample:
        """One sample."""
        text = (await self._pages.get("/metrics")).body.decode()
        return sample(text, self._server.pid, self._server.log, trio.current_time() - self._began)

    async def until(self, condition: Callable[[Sample], bool]) -> None:
        """Look once a second until this holds."""
        while True:
            if condition(await self.look()):
                return
            await trio.sleep(1)

    async def empty(self) -> Sample:
        """The first sample with no connection and nobody who may come back."""
        with trio.fail_after(EMPTY):
            await self.until(lambda now: not now.connections and not now.clients)
        await trio.sleep(EMPTY / 4)  # what is kept for `resume` seconds after a game goes, too
        return await self.look()

    async def fill(self, crowd: Crowd) -> None:
        """Let the server remember as much as it may: games that are over, and films of whole games."""
        async with trio.open_nursery() as nursery:
            for _ in range(4):
                nursery.start_soon(crowd.come_again, quitters)
            await self.until(lambda now: now.games >= REMEMBERED)
            nursery.cancel_scope.cancel()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(crowd.run)
            whole = await played(self._pages, WebConfig().films // 4)
            nursery.cancel_scope.cancel()
        for game in whole:
            for view in (await self._pages.get(f"/api/games/{game}")).json["views"]:  # five with three seats
                await see(self._pages, game, view)


def faults_in(log: Path) -> list[str]:
    """The lines of the log that tell of a mistake of the server."""
    lines = [line for line in log.read_text().splitlines() if line.startswith("{")]
    return [line for line in lines if json.loads(line)["level"] == "error"]


@pytest.mark.soak
async def test_nothing_grows(tmp_path, show, seeds, pytestconfig):  # S029
    seconds = 60 * pytestconfig.getoption("--minutes")
    every = min(60.0, seconds / 60)
    (seed,) = seeds(1)
    token = make_token(tmp_path / "tokens", "Ada")
    async with serving(tmp_path / "data", *OPTIONS, "--tokens", str(tmp_path / "tokens")) as server:
        pages = Pages(await server.pages())
        watch = Watch(server, pages)
        async with dialling(), relaying(server.port, random.Random(seed)) as (_, relay):
            crowd = Crowd(server.port, relay, pages, token, seed)
            show("soak", {"seed": seed, "seconds": seconds})
            await pages.get("/api/games")
            before = await watch.look()
            await watch.fill(crowd)
            show("filled", (await watch.look())._asdict())
            async with trio.open_nursery() as nursery:
                nursery.start_soon(crowd.run)
                end = trio.current_time() + seconds
                await trio.sleep(seconds / 10)
                while trio.current_time() < end:
                    await trio.sleep(every)
                    watch.samples.append(await watch.look())
                    show("sample", watch.samples[-1]._asdict())
                nursery.cancel_scope.cancel()
        after = await watch.empty()
        assert await server.end(signal.SIGTERM) == 0
    judged = settled(watch.samples)
    figures = {
        "seed": seed,
        "minutes": round((judged[-1].seconds - judged[0].seconds) / 60, 1),
        "games": judged[-1].games - judged[0].games,
        "choices": judged[-1].choices - judged[0].choices,
        "memory_mib": [round(each.memory / MIB, 1) for each in (before, judged[0], judged[-1], after)],
        "grown_mib": round(growth(judged, lambda each: each.memory) / MIB, 2),
        "allowed_mib": round(allowed(judged) / MIB, 2),
        "descriptors": [before.descriptors, max(each.descriptors for each in judged), after.descriptors],
        "tasks": [before.tasks, max(each.tasks for each in judged), after.tasks],
        "threads": max(each.threads for each in judged),
        "log_mib": round(after.log / MIB, 1),
        "visits": dict(crowd.visits),
    }
    show("soak", figures)
    assert not faults_in(server.log)
    assert growth(judged, lambda each: each.memory) <= allowed(judged), figures
    assert after.descriptors <= before.descriptors + SPARE, figures
    assert after.tasks <= before.tasks + SPARE, figures
    for path in random.Random(seed).sample(sorted((tmp_path / "data" / "games").iterdir()), VERIFIED):
        verify(read_record(path))


def made_up(leak: int, games: int = 78) -> list[Sample]:
    """An hour of a server that keeps so many bytes of each game, by the minute; with so many games in each."""
    rng = random.Random(1)
    return [
        Sample(
            60.0 * minute,
            games * minute,
            0,
            100 * MIB + rng.randrange(4 * MIB) + leak * games * minute,
            *(30, 50, 5, 9, 9, 0),
        )
        for minute in range(60)
    ]


@pytest.mark.parametrize(("leak", "grows"), [(0, False), (3 * 1024, True)])
def test_a_leak_of_some_kilobytes_a_game_is_found(leak, grows):
    judged = settled(made_up(leak))
    assert (growth(judged, lambda each: each.memory) > allowed(judged)) == grows
