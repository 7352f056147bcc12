"""Each bad bot gets the reason that it deserves, in time, and the others play as if it were not there."""

from __future__ import annotations

import random

import pytest
import trio

from arena.records import Record
from protocol.codes import EndReason
from protocol.messages import Clock
from tests.faults.bad_bots import KINDS
from tests.server.table import Seats, dice, open_hall

CLOCK = Clock(move=2.0, bank=3.0, increment=0.0, grace=0.1)
BOUND = 0.2  # seconds by which a limit may be overstepped before something is done

PLAYERS = [kind for kind in KINDS if kind != "never ready"]


def batched(kinds: list[str], size: int) -> list[list[str]]:
    return [kinds[first : first + size] for first in range(0, len(kinds), size)]


async def play(game: Seats, kinds: dict[int, str], seed: int) -> list[str]:
    """Play with these kinds at their seats, and good bots at the others; returns the reasons of the end."""
    reasons: list[list[str]] = []
    over = trio.Event()

    async def good(seat: int) -> None:
        await game[seat].send("ready", game=game.id, views=False)
        end = await game[seat].play(dice(seed + seat))
        reasons.append(end["reasons"])
        if len(reasons) == len(game) - len(kinds):
            over.set()

    async with trio.open_nursery() as nursery:
        for seat in range(len(game)):
            if seat in kinds:
                nursery.start_soon(KINDS[kinds[seat]][0], game.hall, game[seat], game.id)
            else:
                nursery.start_soon(good, seat)
        await over.wait()
        nursery.cancel_scope.cancel()
    assert all(each == reasons[0] for each in reasons)
    return reasons[0]


def check_times(record: Record, kinds: dict[int, str]) -> None:
    """Nobody is punished too early or too late, and nobody for what another has done."""
    bank = [CLOCK.bank] * len(record.header.seats)
    for choice in record.choices:
        if choice.seat not in kinds:
            assert choice.fault is None
            assert choice.spent < BOUND
        elif choice.fault is EndReason.TIMEOUT and not choice.retired:
            allowed = CLOCK.grace + CLOCK.move + bank[choice.seat]
            assert allowed <= choice.spent <= allowed + BOUND
        if choice.bank >= 0:
            bank[choice.seat] = choice.bank


@pytest.mark.parametrize("pair", batched(PLAYERS, 2), ids=" and ".join)
async def test_a_bad_bot_meets_its_reason_and_the_others_do_not_notice(
    tmp_path, autojump_clock, pair
):  # S011, S035
    kinds = dict(zip((0, 2), pair, strict=False))
    async with open_hall(tmp_path, resume=5.0, ready=10.0) as hall:
        game = await hall.seated(4, seed=4, clock=CLOCK)
        reasons = await play(game, kinds, seed=1)
        assert reasons == [KINDS[kinds[seat]][1] if seat in kinds else "normal" for seat in range(4)]
        check_times(game.record, kinds)


async def test_a_bot_that_is_never_ready_costs_nobody_the_game(tmp_path, autojump_clock):
    async with open_hall(tmp_path, ready=10.0) as hall:
        game = await hall.seated(3)
        began = trio.current_time()
        assert await play(game, {1: "never ready"}, seed=1) == ["aborted", "refused", "aborted"]
        assert trio.current_time() - began <= 10.0 + BOUND


def test_there_are_twelve_kinds():
    assert len([kind for kind, (_, reason) in KINDS.items() if reason != "normal"]) >= 12


async def mixed(tmp_path, seed: int) -> None:
    rng = random.Random(seed)
    seats = rng.randrange(3, 7)
    kinds = {seat: rng.choice(list(KINDS)) for seat in rng.sample(range(seats), rng.randrange(1, seats - 1))}
    async with open_hall(tmp_path / str(seed), resume=5.0, ready=10.0) as hall:
        game = await hall.seated(seats, seed=seed, clock=CLOCK)
        reasons = await play(game, kinds, seed)
        unplayed = "never ready" in kinds.values()
        for seat, reason in enumerate(reasons):
            wanted = KINDS[kinds[seat]][1] if seat in kinds else "normal"
            if unplayed and wanted != "refused":
                wanted = reason if reason in ("aborted", "refused") else "aborted"
            assert reason == wanted, f"seed {seed}: seat {seat} of {kinds}"
        check_times(game.record, kinds)


@pytest.mark.parametrize("seed", [2])
async def test_several_bad_bots_at_one_table(tmp_path, autojump_clock, seed):
    await mixed(tmp_path, seed)


@pytest.mark.soak
async def test_many_tables_of_bad_bots(tmp_path, autojump_clock, seeds):
    for seed in seeds(200):
        await mixed(tmp_path, seed)
