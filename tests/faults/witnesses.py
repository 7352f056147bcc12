"""Bots and a watcher on real sockets that remember what they are told, so that it can be held against the records.

Who comes back has read all that the old connection has brought. So what somebody had been told before a kill is what it
knew at the welcome by the next server.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import trio

from arena.records import Record, read_record
from clients import Client, Settings, WireRequest
from clients.connection import Lost
from protocol import ServerMessage
from protocol.messages import QUEUE, End, Events, Join, Request, Snapshot, Start, Watch, Welcome
from tests.faults.judging import WATCHER, Known, choice_of, compare, missing

PATIENCE = 300.0  # seconds that anything may take; then the test fails


class Witness:
    """A bot that remembers what it was told."""

    def __init__(self, name: str, port: int, tell: Callable[[], None], *, plays: bool = True) -> None:
        """`tell` is called with each message."""
        self.name = name
        self._tell = tell
        self.seats: dict[str, int] = {}
        self.events: dict[str, dict[int, dict[str, Any]]] = {}  # by game and number
        self.known: dict[str, Known] = {}  # by game, what this connection has told
        self.known_before: dict[str, Known] = {}  # and the one before it
        self.returned = 0.0  # when it was welcomed, since the last kill
        self.moved: dict[str, float] = {}  # when something first happened in a game, on this connection
        self.notes: list[str] = []
        join = Join(table=QUEUE) if plays else None
        settings = Settings(name, port=port, views=False, away=PATIENCE, join=join)
        self.client = Client(settings, self.choose, self.heard)
        self.client.tell_author = self.notes.append  # type: ignore[method-assign]

    def choose(self, request: WireRequest) -> int:
        return choice_of(self.name, request.game, request.id, len(request.options))

    def heard(self, message: ServerMessage) -> None:
        now = trio.current_time()
        match message:
            case Welcome():
                self.known_before, self.known = self.known, {}
                self.moved.clear()
                self.returned = now
            case Start(seat=int(seat)):
                self.seats[message.game] = seat
            case Snapshot():
                self._learn(message.game, events=message.number)
            case Request():
                self._learn(message.game, answers=message.id - 1)
            case Events():
                self._learn(message.game, events=message.first + len(message.events) - 1)
                told = self.events.setdefault(message.game, {})
                for number, event in enumerate(message.events, message.first):
                    assert told.setdefault(number, event) == event, (
                        f"{message.game}: event {number} was another"
                    )
                self.moved.setdefault(message.game, now)
            case End():
                self.moved.setdefault(message.game, now)
        self._tell()

    def _learn(self, game: str, events: int = 0, answers: int = 0) -> None:
        known = self.known.get(game, Known())
        self.known[game] = Known(max(known.events, events), max(known.answers, answers))


class Company:
    """All bots of a run, two to a game, and one who watches every game."""

    def __init__(self, bots: int, port: int) -> None:
        self.bots = [Witness(f"bot-{number}", port, self._tell) for number in range(bots)]
        self.watcher = Witness(WATCHER, port, self._tell, plays=False)
        self.all = [*self.bots, self.watcher]
        self._news = trio.Event()

    async def run(self) -> None:
        """Play and watch until cancelled."""
        async with trio.open_nursery() as nursery:
            for witness in self.all:
                nursery.start_soon(witness.client.run)
            nursery.start_soon(self._watch)

    async def _watch(self) -> None:
        """Ask for each game that begins, and for all again on a new connection."""
        watched: set[str] = set()
        welcomed = 0.0
        while True:
            if self.watcher.returned != welcomed:
                welcomed, watched = self.watcher.returned, set()
            if welcomed:
                for game in self.live().keys() - watched:
                    watched.add(game)
                    with suppress(Lost):
                        await self.watcher.client.send(Watch(game=game))
            await self._news.wait()

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
        """Wait until so many games are played, and watched, at once."""
        await self.until(lambda: sum(self._moved(game, bots) for game, bots in self.live().items()) >= games)

    def _moved(self, game: str, bots: list[Witness]) -> bool:
        return game in self.watcher.moved and any(game in bot.moved for bot in bots)

    def forget_times(self) -> None:
        for witness in self.all:
            witness.returned = 0.0
            witness.moved.clear()

    async def went_on(self, games: dict[str, list[Witness]]) -> list[float]:
        """For each game that was not over: seconds from the return of its players until something happened in it.

        All others, and who watches, have returned too.
        """
        try:
            await self.until(lambda: not self.behind(games))
        except trio.TooSlowError:
            raise AssertionError(
                f"after {PATIENCE:g} s these have not gone on: {self.behind(games)}"
            ) from None
        waits = []
        for game, bots in games.items():
            if moved := [bot.moved[game] for bot in bots if game in bot.moved]:
                waits.append(max(0.0, min(moved) - max(bot.returned for bot in bots)))
        return waits

    def behind(self, games: dict[str, list[Witness]]) -> dict[str, list[str]]:
        """Who has not returned since the last kill; and the games that go on and in which nothing has happened."""
        away = {witness.name: witness.notes[-3:] for witness in self.all if not witness.returned}
        return away | {
            game: [f"{bot.name} has heard {bot.notes[-3:]}" for bot in bots]
            for game, bots in games.items()
            if any(game in bot.client.seats for bot in bots) and not any(game in bot.moved for bot in bots)
        }

    def missing(self, records: Mapping[str, Record]) -> dict[str, int]:
        """For each game: how much of what had been told before the last kill its record of then lacks."""
        games = {game for witness in self.all for game in witness.known_before}
        return {
            game: missing(
                records.get(game),
                {each.name: each.known_before[game] for each in self.all if game in each.known_before},
            )
            for game in sorted(games)
        }

    def check(self, path: Path) -> int:
        """Hold a record against what its players did and were told; returns its number of choices."""
        record = read_record(path)
        compare(record, {witness.name: witness.events.get(path.stem, {}) for witness in self.all})
        return len(record.choices)
