"""`kill -9` of the server at random points while many games run: nothing that was told is lost or made twice.

Each bot chooses by a hash of its name, the game and the request, so that every choice in a record can be
checked, and remembers every event that it is told (`judging`). Since it would answer the same again, a choice that was
lost could heal by itself: so what is on the disk is looked at between the kill and the next start.
"""

from __future__ import annotations

import random
import signal
from pathlib import Path
from typing import Any

import pytest
import trio

from arena.records import Record
from arena.records.reading import read_lines
from tests.faults.processes import ForkedServer, ServerProcess, running
from tests.faults.witnesses import Company

OPTIONS = ("--seats", "2", "--move", "600", "--comeback", "600", "--drain", "0", "--no-http")
GOES_ON = 5.0  # seconds after the bots' return, of which most games should need less


async def kill_often(data: Path, games: int, kills: int, seed: int) -> dict[str, Any]:
    """Kill the server `kills` times while so many games run; returns the figures."""
    rng = random.Random(seed)
    waits: list[float] = []
    lost: list[int] = []
    async with running(ForkedServer(data, OPTIONS)) as server:
        company = Company(2 * games, server.port)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(company.run)
            for _ in range(kills):
                await company.playing(games)
                await trio.sleep(rng.uniform(0, 0.3))
                records = await kill_once(server, company, waits)
                lost += company.missing(records).values()
            await company.playing(games)
            assert await server.end(signal.SIGTERM) == 0
            nursery.cancel_scope.cancel()
    for bot in company.bots:
        assert not any("cannot be gone on with" in note for note in bot.notes), (seed, bot.notes)
    choices = [company.check(path) for path in sorted((data / "games").iterdir())]
    return {
        "kills": kills,
        "seed": seed,
        "games": len(choices),
        "choices": sum(choices),
        "looked_at": len(lost),
        "lost": sum(lost),
        "resumed": len(waits),
        "within_5_s": sum(wait <= GOES_ON for wait in waits) / len(waits),
        "slowest_s": round(max(waits), 3),
    }


async def kill_once(server: ServerProcess, company: Company, waits: list[float]) -> dict[str, Record]:
    """Kill it and start it again; returns the records as the kill has left them, `waits` gets how long games took."""
    assert await server.end(signal.SIGKILL) == -signal.SIGKILL
    records = {}
    for path in (server.data / "games").iterdir():
        with path.open("rb") as file:
            records[path.stem] = read_lines(file)  # a torn last line is none
    games = company.live()
    company.forget_times()
    await server.start()
    waits += await company.went_on(games)
    return records


async def test_killed_while_games_run_and_nothing_is_lost_or_doubled(tmp_path):
    figures = await kill_often(tmp_path / "data", games=3, kills=1, seed=1)
    assert figures["looked_at"] >= 3
    assert figures["lost"] == 0, figures


@pytest.mark.soak
async def test_200_kills_with_20_games(tmp_path, show, seeds):
    for seed in seeds(8):
        figures = await kill_often(tmp_path / str(seed), games=20, kills=25, seed=seed)
        show("kills", figures)
        assert figures["lost"] == 0, figures
        assert figures["within_5_s"] >= 0.99, figures
