"""`kill -9` of the server at random points while many games run: nothing that was told is lost or made twice.

Each bot chooses by a hash of its name, the game and the request, so that every choice in a record can be
checked, and remembers every event that it is told (`judging`).
"""

from __future__ import annotations

import random
import signal
from pathlib import Path
from typing import Any

import pytest
import trio

from arena.records import read_record
from clients import Client, Settings, WireRequest
from protocol import ServerMessage
from protocol.messages import End, Events, Start, Welcome
from tests.faults.judging import choice_of, compare
from tests.faults.processes import ServerProcess, serving

GOES_ON = 5.0  # seconds after the bots' return, of which most games should need less
PATIENCE = 300.0  # seconds that anything may take; then the test fails


class Witness:
    """A bot that remembers what it was told."""

    def __init__(self, name: str, port: int) -> None:
        self.name = name
        self.seats: dict[str, int] = {}
        self.events: dict[str, dict[int, dict[str, Any]]] = {}  # by game and number
        self.returned = 0.0  # when it was welcomed, since the last kill
        self.moved: dict[str, float] = {}  # when something first happened in a game, since the last kill
        self.notes: list[str] = []
        settings = Settings(name, port=port, views=False, away=PATIENCE)
        self.client = Client(settings, self.choose, self.heard)
        self.client.tell_author = self.notes.append  # type: ignore[method-assign]

    def choose(self, request: WireRequest) -> int:
        return choice_of(self.name, request.game, request.id, len(request.options))

    def heard(self, message: ServerMessage) -> None:
        now = trio.current_time()
        match message:
            case Welcome():
                self.returned = now
            case Start(seat=int(seat)):
                self.seats[message.game] = seat
            case Events():
                told = self.events.setdefault(message.game, {})
                for number, event in enumerate(message.events, message.first):
                    assert told.setdefault(number, event) == event, (
                        f"{message.game}: event {number} was another"
                    )
                self.moved.setdefault(message.game, now)
            case End():
                self.moved.setdefault(message.game, now)


class Company:
    """All bots of a run, two to a game."""

    def __init__(self, bots: int, port: int) -> None:
        self.bots = [Witness(f"bot-{number}", port) for number in range(bots)]

    def live(self) -> dict[str, list[Witness]]:
        """The games that run and their players, as far as these know."""
        games: dict[str, list[Witness]] = {}
        for bot in self.bots:
            for game in bot.client.seats:
                games.setdefault(game, []).append(bot)
        return {game: bots for game, bots in games.items() if len(bots) == 2}

    async def playing(self, games: int) -> None:
        """Wait until so many games are played at once."""
        with trio.fail_after(PATIENCE):
            while sum(any(game in bot.moved for bot in bots) for game, bots in self.live().items()) < games:
                await trio.sleep(0.01)

    def forget_times(self) -> None:
        for bot in self.bots:
            bot.returned = 0.0
            bot.moved.clear()

    async def went_on(self, games: dict[str, list[Witness]]) -> list[float]:
        """For each game: seconds from the return of its players until something happened in it."""
        waits = []
        for game, bots in games.items():
            with trio.fail_after(PATIENCE):
                while not all(bot.returned for bot in bots) or not any(game in bot.moved for bot in bots):
                    await trio.sleep(0.01)
            moved = min(bot.moved.get(game, PATIENCE * 1e6) for bot in bots)
            waits.append(max(0.0, moved - max(bot.returned for bot in bots)))
        return waits


async def kill_often(data: Path, games: int, kills: int, seed: int) -> dict[str, Any]:
    """Kill the server `kills` times while so many games run; returns the figures."""
    rng = random.Random(seed)
    waits: list[float] = []
    async with serving(data, "--seats", "2", "--move", "600", "--comeback", "600", "--drain", "0") as server:
        company = Company(2 * games, server.port)
        async with trio.open_nursery() as nursery:
            for bot in company.bots:
                nursery.start_soon(bot.client.run)
            for _ in range(kills):
                await company.playing(games)
                await trio.sleep(rng.uniform(0, 0.3))
                waits += await kill_once(server, company)
            await company.playing(games)
            assert await server.end(signal.SIGTERM) == 0
            nursery.cancel_scope.cancel()
    for bot in company.bots:
        assert not any("cannot be gone on with" in note for note in bot.notes), (seed, bot.notes)
    choices = [check(path, company) for path in sorted((data / "games").iterdir())]
    return {
        "kills": kills,
        "seed": seed,
        "games": len(choices),
        "choices": sum(choices),
        "lost_or_doubled": 0,
        "resumed": len(waits),
        "within_5_s": sum(wait <= GOES_ON for wait in waits) / len(waits),
        "slowest_s": round(max(waits), 3),
    }


async def kill_once(server: ServerProcess, company: Company) -> list[float]:
    assert await server.end(signal.SIGKILL) == -signal.SIGKILL
    await trio.sleep(0.05)  # what was on its way arrives
    games = company.live()
    company.forget_times()
    await server.start()
    return await company.went_on(games)


def check(path: Path, company: Company) -> int:
    """Hold a record against what its players did and were told; returns its number of choices."""
    record = read_record(path)
    compare(record, {bot.name: bot.events.get(path.stem, {}) for bot in company.bots})
    return len(record.choices)


async def test_killed_while_games_run_and_nothing_is_lost_or_doubled(tmp_path):
    figures = await kill_often(tmp_path / "data", games=3, kills=2, seed=1)
    assert figures["resumed"] >= 6


@pytest.mark.soak
async def test_200_kills_with_20_games(tmp_path, show):
    first = random.SystemRandom().randrange(10**6)
    for seed in range(first, first + 8):
        show("kills", {"seed": seed})
        figures = await kill_often(tmp_path / str(seed), games=20, kills=25, seed=seed)
        show("kills", figures)
        assert figures["within_5_s"] >= 0.99, figures
