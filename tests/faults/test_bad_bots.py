"""Each bad bot gets the reason that it deserves, in time, and the others play as if it were not there."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
import trio
from structlog.testing import capture_logs

from arena.server import Config
from protocol.codes import EndReason
from protocol.messages import Clock
from tests.faults.bad_bots import KINDS
from tests.server.table import Message, Seats, dice, open_hall

CLOCK = Clock(move=2.0, bank=3.0, increment=0.0, grace=0.1)
BOUND = 0.01  # seconds by which a limit may be overstepped: on the clock of these tests nothing but waiting takes time
EXACT = 1e-6  # seconds, of rounding

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


def stamped(_: Any, __: str, line: dict[str, Any]) -> dict[str, Any]:
    return line | {"at": trio.current_time()}


def limit(kind: str, config: Config, request: Message) -> float:
    """Seconds from the last request of such a bot until its seat must be retired (docs/protocol.md)."""
    match KINDS[kind][1]:
        case "timeout":
            return CLOCK.grace + request["clock"]["move"] + request["clock"]["bank"]
        case "disconnect" if kind != "leaver":
            return config.resume
        case _:
            return 0.0


def check_times(game: Seats, kinds: dict[int, str], logs: list[Any]) -> None:
    """Nobody is punished too early or too late, and nobody for what another has done."""
    retired = {log["seat"]: log["at"] for log in logs if log["event"] == "retired"}
    faults = Counter(log["seat"] for log in logs if log["event"] == "fault")
    assert retired.keys() == {seat for seat, kind in kinds.items() if KINDS[kind][1] != "normal"}
    for seat, at in retired.items():
        wire = game[seat]
        assert faults[seat] == (0 if KINDS[kinds[seat]][1] == "disconnect" else game.hall.config.faults)
        last = max(place for place, message in enumerate(wire.messages) if message["type"] == "request")
        allowed = limit(kinds[seat], game.hall.config, wire.messages[last])
        assert allowed - EXACT <= at - wire.times[last] <= allowed + BOUND, kinds[seat]
    bank = [CLOCK.bank] * len(game)
    for choice in game.record.choices:
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
        with capture_logs(processors=[stamped]) as logs:
            reasons = await play(game, kinds, seed=1)
        assert reasons == [KINDS[kinds[seat]][1] if seat in kinds else "normal" for seat in range(4)]
        check_times(game, kinds, logs)


async def test_a_bot_that_is_never_ready_costs_nobody_the_game(tmp_path, autojump_clock):
    async with open_hall(tmp_path, ready=10.0) as hall:
        game = await hall.seated(3)
        began = trio.current_time()
        assert await play(game, {1: "never ready"}, seed=1) == ["aborted", "refused", "aborted"]
        assert 10.0 - EXACT <= trio.current_time() - began <= 10.0 + BOUND


def test_there_are_twelve_kinds():
    assert len([kind for kind, (_, reason) in KINDS.items() if reason != "normal"]) >= 12


async def mixed(tmp_path, seed: int) -> None:
    rng = random.Random(seed)
    seats = rng.randrange(3, 7)
    kinds = {seat: rng.choice(list(KINDS)) for seat in rng.sample(range(seats), rng.randrange(1, seats - 1))}
    async with open_hall(tmp_path / str(seed), resume=5.0, ready=10.0) as hall:
        game = await hall.seated(seats, seed=seed, clock=CLOCK)
        began = trio.current_time()
        with capture_logs(processors=[stamped]) as logs:
            reasons = await play(game, kinds, seed)
        if "never ready" in kinds.values():
            late = [kinds.get(seat) == "never ready" for seat in range(seats)]
            assert reasons == ["refused" if each else "aborted" for each in late], kinds
            assert 10.0 - EXACT <= trio.current_time() - began <= 10.0 + BOUND
        else:
            assert reasons == [KINDS[kinds[seat]][1] if seat in kinds else "normal" for seat in range(seats)]
            check_times(game, kinds, logs)


@pytest.mark.parametrize("seed", [2])
async def test_several_bad_bots_at_one_table(tmp_path, autojump_clock, seed):
    await mixed(tmp_path, seed)


@pytest.mark.soak
async def test_many_tables_of_bad_bots(tmp_path, autojump_clock, seeds):
    for seed in seeds(200):
        await mixed(tmp_path, seed)
