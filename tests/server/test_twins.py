"""Twin games: two that differ in nothing but what a seat cannot know. The bytes that it is sent are the same.

At random points of random games a seat's twin game is dealt (`game.sample`), and what the server would send to that
seat and to a watcher is made from both: the snapshots, and the seat's request, also where several bid at once. Then
both go on with the same choices for a while. Their `events` lines are compared too, those to the seat, to an owner of
it who looks on, and to a watcher, until a choice brings to light what was hidden, which shows in what the seat sees,
or is not offered in the other game.

Twins count here that differ in a hidden place. `make soak` compares 10,000, or as many as ARENA_TWINS says.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterable, Iterator
from types import SimpleNamespace
from typing import Any, NamedTuple, cast

import pytest
import trio

from arena.game import Event, Game, Options
from arena.game.catalogue import SETS
from arena.server import Config
from arena.server.audience import Audience
from arena.server.clients import Client
from arena.server.clocks import SeatClock
from arena.server.connections import Connection
from arena.server.seats import OpenRequest, Seat
from protocol import encode
from protocol.messages import Part, Player, Rules, Snapshot, Start
from tests.server.table import CLOCK

SLICE = 40
SOAK = int(os.environ.get("ARENA_TWINS", "10000"))
OFTEN = 0.04  # of the decisions are compared
STEPS = 8  # choices that a game and its twin go on with, at most


class Twin(NamedTuple):
    """What a seat would be sent by the game and by its twin, as bytes."""

    where: str
    of_game: bytes
    of_twin: bytes
    bids: bool  # whether the seat is asked together with others
    events: int  # how many the lines tell


class Sink:
    """A connection that keeps its lines."""

    waiting = 0  # bytes that are not yet sent

    def __init__(self) -> None:
        self.lines: list[bytes] = []

    def send_line(self, line: bytes) -> None:
        self.lines.append(line)

    def send(self, part: Part) -> None:
        self.lines.append(encode(part))


class Side:
    """A game, or its twin, and the server's words about it to one seat and to a watcher."""

    def __init__(self, game: Game, number: int) -> None:
        self.game = game
        self.number = number
        count = len(game.players)
        start = Start(
            game="g",
            seats=tuple(Player(name=f"player-{seat}") for seat in range(count)),
            rules=Rules(sets=game.options.sets, market=game.options.market),
            clock=CLOCK,
            ready=1.0,
            catalogue="0" * 64,
            commitment="0" * 64,
        )
        self.seats = [Seat(seat, f"player-{seat}", None, SeatClock(CLOCK), "0" * 32) for seat in range(count)]
        self.audience = Audience(start, game, self.seats, Config())
        self.sinks = player, owner, watcher = Sink(), Sink(), Sink()
        self.seats[number].client = cast(Client, SimpleNamespace(connection=player))
        self.audience.eye(self.seats[number]).join(cast(Connection, owner), 0)
        self.audience.stream.join(cast(Connection, watcher), 0)

    def state(self) -> bytes:
        """The snapshots of the seat and of the public, and the seat's request if it is asked.

        While a seat is asked in secret nobody else is told anything (`audience`).
        """
        game, number = self.game, self.number
        secret = game.asking[0].secret
        if secret and number not in game.to_act:
            return b""
        told = encode(Snapshot(game="g", number=1, seat=number, view=game.view(number)))
        if not secret:
            told += encode(Snapshot(game="g", number=1, view=game.view(None)))
        if number in game.to_act:
            decision = game.decision(number)
            request = OpenRequest(1, decision, decision.texts(game.catalogue), 3)
            told += self.audience.request(self.seats[number], request, 1.0, 1.0)
        return told

    def news(self, events: list[Event]) -> bytes:
        """The `events` lines to the seat, its owner and a watcher, of what has just happened."""
        asking = self.game.asking
        for sink in self.sinks:
            sink.lines.clear()
        self.audience.tell(events, self.seats[asking[0].seat] if asking and asking[0].secret else None)
        return b"".join(line for sink in self.sinks for line in sink.lines)

    def drawn(self, events: list[Event]) -> list[dict[str, Any]]:
        """What the seat has just drawn, in order: chance of its own, though the twin may bring the same cards."""
        draws = [event.private for event in events if event.kind == "draw" and event.private]
        return [private[self.number] for private in draws if self.number in private]

    def sees(self) -> tuple[Any, ...]:
        """All that the seat and the public see, where cards may lie, and who is asked: it shows when events stop."""
        game = self.game
        asked = [(decision.seat, decision.secret) for decision in game.asking]
        return game.view(self.number), game.view(None), bytes(game.zones), asked


def hidden(game: Game) -> tuple[Any, ...]:
    """What lies where nobody but its owner can look."""
    return tuple(player.hand for player in game.players), tuple(game.pile)


def twins(seed: int) -> Iterator[list[Twin]]:
    """The comparisons of each twin of one random game; which seats, how many players and which sets is random too."""
    rng = random.Random(seed)
    sets = tuple(name for name in SETS if name != "base" and rng.random() < 0.5)
    options = Options(rng.randint(2, 6), sets, rng.random() < 0.5).check()
    game = Game.new(options, seed)
    while not game.over:
        seat = rng.randrange(options.players)
        if rng.random() < OFTEN and not (game.asking[0].secret and game.asking[0].seat != seat):
            twin = game.sample(seat, rng.getrandbits(64))
            sides = Side(game.clone(), seat), Side(twin, seat)
            if hidden(twin) != hidden(game) and sides[0].sees()[-1] == sides[1].sees()[-1]:
                yield list(compared(sides, f"seed {seed}, turn {game.turn}, seat {seat}", rng))
        number = game.to_act[0]
        game.choose(number, rng.randrange(len(game.decision(number).options)))


def compared(sides: tuple[Side, Side], where: str, rng: random.Random) -> Iterator[Twin]:
    """What both say now, and while they go on alike."""
    for step in range(STEPS):
        together = sides[0].game.together and sides[0].number in sides[0].game.to_act
        yield Twin(f"{where}, step {step}", sides[0].state(), sides[1].state(), together, 0)
        number = sides[0].game.to_act[0]
        if number not in sides[1].game.to_act:
            return
        texts = [side.game.decision(number).texts(side.game.catalogue) for side in sides]
        alike = [text for text in texts[0] if text in texts[1]]
        if not alike:
            return
        choice = rng.choice(alike)
        events = [side.game.choose_text(number, choice) for side in sides]
        drawn = [side.drawn(told) for side, told in zip(sides, events, strict=True)]
        if sides[0].sees() != sides[1].sees() or drawn[0] != drawn[1]:
            return
        lines = [side.news(told) for side, told in zip(sides, events, strict=True)]
        yield Twin(f"{where}, {choice} in step {step}", lines[0], lines[1], False, len(events[0]))
        if sides[0].game.over:
            return


async def compare(seeds: Iterable[int], count: int) -> dict[str, Any]:
    """So many twins; returns what was compared, how many bytes differ, and where."""
    figures: dict[str, Any] = dict.fromkeys(("twins", "games", "bids", "events", "bytes", "differing"), 0)
    figures["where"] = where = []
    for seed in seeds:  # a game has more than one
        await trio.lowlevel.checkpoint()
        figures["games"] += 1
        for twin in twins(seed):
            figures["twins"] += 1
            for each in twin:
                figures["bids"] += each.bids
                figures["events"] += each.events
                figures["bytes"] += len(each.of_game)
                if each.of_game != each.of_twin:
                    pairs = zip(each.of_game, each.of_twin, strict=False)
                    figures["differing"] += sum(a != b for a, b in pairs) or 1
                    where.append(each.where)
            if where or figures["twins"] == count:
                return figures
    return figures


async def test_s025_a_seat_is_told_the_same_bytes_by_its_twin_game(autojump_clock):  # S025
    figures = await compare(range(SLICE), SLICE)
    assert figures["differing"] == 0, figures
    assert figures["twins"] == SLICE
    assert figures["bytes"] > SLICE * 1000
    assert figures["events"] > SLICE
    assert figures["bids"] > 0


@pytest.mark.soak
async def test_s025_all_twin_games_tell_the_same_bytes(autojump_clock, show, seeds):  # S025
    figures = await compare(seeds(SOAK), SOAK)
    show("twins", figures)
    assert figures["differing"] == 0, figures
