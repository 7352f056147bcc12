"""Whoever comes in the middle of a game, to watch, to look or back to a seat, gets all that follows, once."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest
import trio

from tests.server.table import Hall, Hung, Seats, Wire, open_hall
from tests.server.test_owners import looker
from tests.server.test_secrets import SLOW, drain

RULES = {"sets": ("kickstarter", "kickstarter2", "flag")}  # with Lutefisk: seats are asked in secret
CHOICES = 700  # after which a game is long enough
NOW_AND_THEN = 0.02  # of all moments; at those at which a seat is asked in secret somebody always comes


async def newcomers(hall: Hall, game: Seats, dice: random.Random, name: str) -> list[Wire]:
    """Some seats are resumed, some owners look, a watcher comes; returns the wires that are new or were replaced."""
    wires = [await hall.login(name)]
    await wires[0].send("watch", game=game.id)
    for place, wire in enumerate(game):
        if dice.random() < 0.5:
            wires.append(wire)
            await drain(wire)
            game.wires[place] = await hall.resume(wire)
        if dice.random() < 0.3:
            wires.append(await looker(hall, f"player-{place}", resume=game[place].key))
            await wires[-1].send("watch", game=game.id, seat=place)
    await trio.testing.wait_all_tasks_blocked()
    return wires


def goes_on(wire: Wire) -> None:
    """Each line of events follows what came before it; nothing failed."""
    number = None
    for message in wire.messages:
        assert message.get("code") != "server-fault", message
        if message["type"] == "snapshot":
            number = message["number"]
        elif message["type"] == "events":
            assert number is None or message["first"] == number + 1, message
            number = message["first"] + len(message["events"]) - 1


@pytest.mark.parametrize(
    "seed",  # of 47: two seats are asked in secret, one after the other
    [47, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(40))],
)
async def test_newcomers_at_any_moment_get_all_that_follows(tmp_path, autojump_clock, seed):  # S030
    dice = random.Random(seed)
    history = dice.choice([3, 500])
    async with open_hall(tmp_path, address_burst=10**6, resume=10_000.0, history=history) as hall:
        game = await hall.seated(3, seed=seed, rules=RULES, clock=SLOW)
        await game.ready()
        referee = game.referee
        wires = []
        while referee.end is None and referee.choices < CHOICES:
            secret = referee.audience.stream.behind is not None
            if secret or dice.random() < NOW_AND_THEN:
                wires += await newcomers(hall, game, dice, f"watcher-{referee.choices}")
            seat = next(seat for seat in referee.seats if seat.request is not None)
            choice = dice.randrange(len(seat.request.texts))
            await game[seat.number].send("move", game=game.id, id=seat.request.id, choice=choice)
            await trio.testing.wait_all_tasks_blocked()
        await trio.sleep(5)
        for wire in *wires, *game:
            with suppress(Hung):
                await drain(wire)
            goes_on(wire)
