"""Twin games: two that differ in nothing but what a seat cannot know. The bytes that it is sent are the same.

At random points of random games a seat's twin game is dealt (`game.sample`), and what the server would send to that
seat and to a watcher is made from both. `make soak` compares 10,000 twins, or as many as ARENA_TWINS says.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
import trio

from arena.game import Game, Options
from arena.game.catalogue import SETS
from arena.server import Config
from arena.server.audience import Audience
from arena.server.clocks import SeatClock
from arena.server.seats import OpenRequest, Seat
from protocol import encode
from protocol.messages import Player, Snapshot, Start
from tests.server.table import CLOCK

SLICE = 60
SOAK = int(os.environ.get("ARENA_TWINS", "10000"))
OFTEN = 0.1  # of the decisions are compared


class Twin(NamedTuple):
    """What a seat would be sent by the game and by its twin, as bytes."""

    where: str
    of_game: bytes
    of_twin: bytes


def lines_to(seat: Seat, game: Game, audience: Audience) -> bytes:
    """The snapshots of the seat and of the public, and the seat's request if it is asked.

    While a seat is asked in secret nobody else is told anything (`audience`), so the public's is left out.
    """
    audience._game = game
    told = encode(Snapshot(game="g", number=1, seat=seat.number, view=game.view(seat.number)))
    if not game.asking[0].secret:
        told += encode(Snapshot(game="g", number=1, view=game.view(None)))
    if seat.number in game.to_act:
        decision = game.decision(seat.number)
        request = OpenRequest(1, decision, decision.texts(game.catalogue), 3)
        told += audience.request(seat, request, 1.0, 1.0)
    return told


def asked(game: Game) -> list[tuple[int, bool]]:
    """Who is asked, and whether in secret. It shows when events stop, so a game with another answer is no twin."""
    return [(decision.seat, decision.secret) for decision in game.asking]


def twins(seed: int) -> Iterator[Twin]:
    """Those of one random game; which seats, how many players and which sets is random too."""
    rng = random.Random(seed)
    sets = tuple(name for name in SETS if name != "base" and rng.random() < 0.5)
    options = Options(rng.randint(2, 6), sets, rng.random() < 0.5).check()
    game = Game.new(options, seed)
    start = Start(
        game="g",
        seats=tuple(Player(name=f"player-{seat}") for seat in range(options.players)),
        rules={"sets": options.sets, "market": options.market},
        clock=CLOCK,
        ready=1.0,
        catalogue="0" * 64,
        commitment="0" * 64,
    )
    seats = [
        Seat(number, f"player-{number}", None, SeatClock(CLOCK), "0" * 32)
        for number in range(options.players)
    ]
    audience = Audience(start, game, seats, Config())
    while not game.over:
        seat = rng.choice(seats)
        silent = game.asking[0].secret and game.asking[0].seat != seat.number
        twin = game.sample(seat.number, rng.getrandbits(64)) if rng.random() < OFTEN and not silent else None
        if twin is not None and not game.together and asked(twin) == asked(game):
            where = f"seed {seed}, turn {game.view(None)['turn']}, seat {seat.number}"
            yield Twin(where, lines_to(seat, game, audience), lines_to(seat, twin, audience))
        for number in game.to_act:
            game.choose(number, rng.randrange(len(game.decision(number).options)))
            break


async def compare(count: int) -> dict[str, Any]:
    """So many twins; returns the bytes that were compared, how many differ, and where."""
    compared = differing = done = 0
    where: list[str] = []
    for seed in range(count):  # a game has more than one
        await trio.lowlevel.checkpoint()
        for twin in twins(seed):
            compared += len(twin.of_game)
            if twin.of_game != twin.of_twin:
                pairs = zip(twin.of_game, twin.of_twin, strict=False)
                differing += sum(a != b for a, b in pairs) or 1
                where.append(twin.where)
            done += 1
            if done == count:
                return {"twins": count, "bytes": compared, "differing": differing, "where": where[:10]}
    raise AssertionError(f"only {done} twins in {count} games")


async def test_s025_a_seat_is_told_the_same_bytes_by_its_twin_game(autojump_clock):  # S025
    figures = await compare(SLICE)
    assert figures["differing"] == 0, figures
    assert figures["bytes"] > SLICE * 1000


@pytest.mark.soak
async def test_s025_all_twin_games_tell_the_same_bytes(autojump_clock, show):  # S025
    figures = await compare(SOAK)
    show("twins", figures)
    assert figures["differing"] == 0, figures
