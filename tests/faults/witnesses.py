"""Bots on real sockets that remember all that they are told, so that it can be held against the records."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import trio

from arena.records import read_record
from clients import Client, Settings, WireRequest
from protocol import ServerMessage
from protocol.messages import End, Events, Start, Welcome
from tests.faults.judging import choice_of, compare

PATIENCE = 300.0  # seconds that anything may take; then the test fails


class Witness:
    """A bot that remembers what it was told."""

    def __init__(self, name: str, port: int, tell: Callable[[], None]) -> None:
        """`tell` is called with each message."""
        self.name = name
        self._tell = tell
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
        self._tell()


class Company:
    """All bots of a run, two to a game."""

    def __init__(self, bots: int, port: int) -> None:
        self.bots = [Witness(f"bot-{number}", port, self._tell) for number in range(bots)]
        self._news = trio.Event()

    def _tell(self) -> None:
        self._news.set()
        self._news = trio.Event()

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until this holds; what the bots are told makes it so."""
        with trio.fail_after(PATIENCE):
            while not condition():
                await self._news.wait()

    def live(self) -> dict[str, list[Witness]]:
        """The games that run and their players, as far as these know."""
        games: dict[str, list[Witness]] = {}
        for bot in self.bots:
            for game in bot.client.seats:
                games.setdefault(game, []).append(bot)
        return {game: bots for game, bots in games.items() if len(bots) == 2}

    async def playing(self, games: int) -> None:
        """Wait until so many games are played at once."""
        await self.until(
            lambda: sum(any(game in bot.moved for bot in bots) for game, bots in self.live().items()) >= games
        )

    def forget_times(self) -> None:
        for bot in self.bots:
            bot.returned = 0.0
            bot.moved.clear()

    async def went_on(self, games: dict[str, list[Witness]]) -> list[float]:
        """For each game: seconds from the return of its players until something happened in it."""
        try:
            await self.until(lambda: not self.behind(games))
        except trio.TooSlowError:
            raise AssertionError(
                f"after {PATIENCE:g} s these have not gone on: {self.behind(games)}"
            ) from None
        waits = []
        for game, bots in games.items():
            moved = min(bot.moved.get(game, PATIENCE * 1e6) for bot in bots)
            waits.append(max(0.0, moved - max(bot.returned for bot in bots)))
        return waits

    def behind(self, games: dict[str, list[Witness]]) -> dict[str, list[str]]:
        """The games in which nothing has happened since the last kill, or whose players have not all returned."""
        return {
            game: [
                f"{bot.name} {'is back' if bot.returned else 'is away'}, heard {bot.notes[-3:]}"
                for bot in bots
            ]
            for game, bots in games.items()
            if not all(bot.returned for bot in bots) or not any(game in bot.moved for bot in bots)
        }

    def check(self, path: Path) -> int:
        """Hold a record against what its players did and were told; returns its number of choices."""
        record = read_record(path)
        compare(record, {bot.name: bot.events.get(path.stem, {}) for bot in self.bots})
        return len(record.choices)
