"""Whole games through lost connections, takeovers, restarts of the server and jumps of the clock, on memory streams.

The good bots that play here come back each time, so each game must end as if nothing had happened: all seats
`normal`, no fault in the record, every choice the one that its bot has made, and no event told twice or left out.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from arena.records import read_record, verify
from protocol.messages import Clock, Rules
from tests.faults.judging import choice_of, compare
from tests.server.table import Hall, Hung, Message, Wire, open_hall

CLOCK = Clock(move=3.0, bank=2.0, increment=0.0, grace=0.1)
LONG = 86400.0  # seconds to come back: the bots here always do
GONE = (Hung, trio.ClosedResourceError, trio.BrokenResourceError)


class Arena:
    """The server that runs now; `up` is set while there is one."""

    def __init__(self) -> None:
        self.hall: Hall | None = None
        self.up = trio.Event()

    async def present(self) -> Hall:
        """Wait for a server."""
        while self.hall is None:
            await self.up.wait()
        return self.hall


class Player:
    """A good bot with a bad line, which comes back whenever it is cut off."""

    def __init__(self, name: str, arena: Arena, rng: random.Random) -> None:
        self.name = name
        self.told: dict[int, dict[str, Any]] = {}
        self.wire: Wire | None = None
        self.key = ""
        self.playing = trio.Event()
        self.ended = trio.Event()
        self._arena = arena
        self._rng = rng

    async def run(self) -> None:
        """Play one game to its end."""
        while not self.ended.is_set():
            hall = await self._arena.present()
            self.wire = hall.connect()
            self.wire.patience = LONG  # the clock jumps
            try:
                await self.wire.hello(self.name, **({"resume": self.key} if self.key else {}))
                self.key = self.wire.key
                self.playing.set()
                while not self.ended.is_set():
                    await self._handle(self.wire, await self.wire.next())
            except GONE:
                await trio.sleep(self._rng.uniform(0, 20))

    async def _handle(self, wire: Wire, message: Message) -> None:
        match message["type"]:
            case "start":
                await wire.send("ready", game=message["game"])
            case "events":
                for number, event in enumerate(message["events"], message["first"]):
                    assert self.told.setdefault(number, event) == event
            case "request":
                await trio.sleep(self._rng.choice([0, 0, 0.5, message["clock"]["move"] * 0.9]))
                options = len(message["options"])
                await wire.move(message, choice_of(self.name, message["game"], message["id"], options))
            case "end":
                self.ended.set()


async def disturb(arena: Arena, players: list[Player], rng: random.Random, clock: MockClock) -> None:
    """Do bad things until the server must be started again, or all is over."""
    while not all(player.ended.is_set() for player in players):
        await trio.sleep(rng.uniform(0, 3))
        player = rng.choice(players)
        match rng.choices(["drop", "takeover", "jump", "restart"], [4, 3, 3, 1])[0]:
            case "drop":
                assert player.wire is not None
                await trio.aclose_forcefully(player.wire.stream)
            case "takeover":  # by somebody who goes at once, so that the player comes back
                other = (await arena.present()).connect()
                with trio.move_on_after(1):
                    await other.send("hello", protocol="1.0", name=player.name, resume=player.key)
                await trio.aclose_forcefully(other.stream)
            case "jump":
                clock.jump(rng.uniform(0, 60))  # as a stall of the whole process, or of its machine
            case "restart":
                return


async def whole_game(folder: Path, seed: int, clock: MockClock) -> int:
    """Play one game through everything; returns how often the server was started."""
    rng = random.Random(seed)
    arena = Arena()
    players = [Player(f"bot-{number}", arena, rng) for number in range(rng.randrange(2, 5))]
    game_id, starts = "", 0
    async with trio.open_nursery() as nursery:
        for player in players:
            nursery.start_soon(player.run)
        while not all(player.ended.is_set() for player in players):
            async with open_hall(folder, resume=LONG, comeback=LONG) as arena.hall:
                arena.up.set()
                starts += 1
                arena.hall.nursery.start_soon(arena.hall.server.lag.run)
                if not game_id:
                    game_id = await first_game(arena.hall, players, seed)
                await disturb(arena, players, rng, clock)
                arena.hall, arena.up = None, trio.Event()
    record = read_record(folder / "games" / f"{game_id}.jsonl")
    verify(record)
    assert record.result is not None
    assert [reason.value for reason in record.result.reasons] == ["normal"] * len(players), f"seed {seed}"
    compare(record, {player.name: player.told for player in players})
    return starts


async def first_game(hall: Hall, players: list[Player], seed: int) -> str:
    for player in players:
        await player.playing.wait()
    clients = [hall.server.clients.named(player.name) for player in players]
    return hall.server.games.open([client for client in clients if client], Rules(), CLOCK, seed=seed).id


@pytest.mark.parametrize("seed", [4])
async def test_a_game_ends_as_if_nothing_had_happened(tmp_path, autojump_clock, seed):  # S019
    assert await whole_game(tmp_path, seed, autojump_clock) > 1


@pytest.mark.soak
async def test_many_games_end_as_if_nothing_had_happened(tmp_path, autojump_clock, show, seeds):
    starts = [await whole_game(tmp_path / str(seed), seed, autojump_clock) for seed in seeds(100)]
    show("disturbed games", {"games": len(starts), "starts": sum(starts)})
