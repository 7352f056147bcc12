"""Moves that are wrong, early, late or twice: each has one answer, and nothing changes through it."""

from __future__ import annotations

import random

import pytest
import trio

from tests.server.table import dice, open_hall
from tests.server.test_clocks_of_seats import first_request


async def to_kind(game, kind, choose):
    """Play until somebody is asked this; returns the wire and the request."""
    while True:
        wire, request = await first_request(game)
        if request["kind"] == kind:
            return wire, request
        await wire.move(request, choose(request))


@pytest.fixture
async def hall(tmp_path, autojump_clock):
    async with open_hall(tmp_path, tries=3, faults=3) as hall:
        yield hall


async def test_s014_a_wrong_compound_gets_one_error_and_changes_nothing(autojump_clock, hall):  # S014
    game = await hall.seated()
    await game.ready()
    wire, request = await first_request(game)
    before = game.referee.game.digest()
    await wire.move(request, "lead:import:no-such-card*9")
    error = await wire.expect("error", code="bad-choice", id=request["id"], tries=2)
    assert f"0 to {len(request['options']) - 1}" in error["expected"]
    await wire.silent(0.1)
    assert game.referee.game.digest() == before
    assert not game.record.choices


@pytest.mark.parametrize(
    "text",
    [
        "contract:{card}@ship-9",
        "load:{card}@ship-0",
        "lead:contract:{card}*99",
        "sell:{card}",
        "follow:load:{card}*1",
    ],
)
async def test_s015_what_the_rules_forbid_is_not_among_the_options_and_is_refused(
    autojump_clock, hall, text
):  # S015
    game = await hall.seated()
    await game.ready()
    wire, request = await first_request(game)
    text = text.format(card=request["view"]["hand"][0])
    assert text not in request["options"]
    before = game.referee.game.digest()
    await wire.move(request, text)
    await wire.expect("error", code="bad-choice", game=game.id, id=request["id"], tries=2)
    assert game.referee.game.digest() == before


async def test_what_was_an_option_before_and_is_none_now_is_refused(tmp_path, autojump_clock):  # S014, S015
    """All that anybody could do in earlier turns, tried again at every request of a game."""
    rng = random.Random(5)
    earlier: dict[str, None] = {}
    async with open_hall(tmp_path, tries=1000) as hall:
        game = await hall.seated(3, seed=5, rules={"sets": ("capital", "tokyo"), "market": True})
        await game.ready()
        core = game.referee.game
        for _ in range(150):
            wire, request = await first_request(game)
            before = core.digest()
            gone = [text for text in earlier if text not in request["options"]]
            for text in rng.sample(gone, min(3, len(gone))):
                await wire.move(request, text)
                error = await wire.expect("error", code="bad-choice", id=request["id"])
                assert error["tries"] > 0
            assert core.digest() == before
            earlier.update(dict.fromkeys(request["options"]))
            await wire.move(request, rng.randrange(len(request["options"])))
        assert sum(seat.faults for seat in game.referee.seats) == 0
    assert len(earlier) > 200


async def test_s016_a_wrong_answer_costs_a_try_and_a_right_one_after_it_counts(autojump_clock, hall):  # S016
    game = await hall.seated()
    await game.ready()
    wire, request = await first_request(game)
    await wire.move(request, 9999)
    await wire.expect("error", code="bad-choice", tries=2)
    await wire.send("move", game=game.id, id=request["id"], choice=True)
    await wire.expect("error", code="bad-value", tries=1)
    await wire.move(request, 1)
    await trio.testing.wait_all_tasks_blocked()
    assert [(c.index, c.fault) for c in game.record.choices] == [(1, None)]
    assert sum(seat.faults for seat in game.referee.seats) == 0


async def test_s016_after_the_last_try_the_default_is_played_and_after_the_last_fault_all_are(
    autojump_clock, hall
):  # S016
    game = await hall.seated()
    await game.ready()
    wire, request = await first_request(game)
    bad = game.wires.index(wire)
    for _ in range(3):
        for tries in (2, 1, 0):
            await wire.move(request, 9999)
            await wire.until("error", code="bad-choice", tries=tries)
        if game.referee.seats[bad].retired is None:
            await play_others(game, bad)
            request = await wire.until("request")
    assert game.referee.seats[bad].retired.value == "illegal"
    await wire.move(request)
    await wire.until("error", code="retired")
    (end,) = await game.play_on(dice(1), skip=[bad])
    assert end["reasons"][bad] == "illegal"
    assert end["places"][bad] == 2
    faults = [c for c in game.record.choices if c.fault is not None]
    assert [c.fault.value for c in faults[:2]] == ["illegal"] * 2
    assert all(c.retired and c.seat == bad for c in faults[2:])


async def play_others(game, bad):
    """The other seat answers until the bad one is asked."""
    while game.referee.seats[bad].request is None:
        other = game[1 - bad]
        await other.move(await other.until("request"))
        await trio.testing.wait_all_tasks_blocked()


async def test_s017_moves_before_the_start_out_of_turn_and_after_the_end_are_refused_by_name(
    autojump_clock, hall
):  # S017
    game = await hall.seated()
    await game[0].send("move", game=game.id, id=1, choice=0)
    await game[0].expect("error", code="not-started", game=game.id)
    assert not game.record.choices
    await game.ready()
    wire, _ = await first_request(game)
    other = game[1] if wire is game[0] else game[0]
    await other.send("move", game=game.id, id=1, choice=0)
    await other.until("error", code="not-asked", id=1)
    assert not game.record.choices
    asked = game.referee.seats[game.wires.index(wire)].asked
    assert asked == 1
    await wire.send("move", game=game.id, id=1, choice=0)
    await game.play_on(dice(1))
    written = game.record
    await wire.send("move", game=game.id, id=2, choice=0)
    await wire.until("error", code="game-over", game=game.id, id=2)
    await wire.send("ready", game=game.id)
    await wire.until("error", code="game-over", game=game.id)
    assert game.record == written


BIDS = [
    b"-1",
    b"2.5",
    b'"3"',
    b"true",
    b"null",
    b"1" + 30 * b"0",
    b"-0.0",
    b"NaN",
    b"1e999",
    b'"bid*-1"',
    b"[0]",
]


async def test_s018_a_bid_is_one_of_the_options_and_nothing_else(tmp_path, autojump_clock):  # S018
    async with open_hall(tmp_path, tries=50) as hall:
        game = await hall.seated(4, seed=2)
        await game.ready()
        wire, request = await to_kind(game, "bid", dice(5))
        credits = request["view"]["players"][request["view"]["seat"]]["credits"]
        assert request["options"] == [f"bid*{amount}" for amount in range(0, credits + 1, 2)]  # R7
        assert credits % 2 == 0
        before = game.referee.game.digest()
        for bid in [*BIDS, b"%d" % (credits + 1), b'"bid*%d"' % (credits + 1)]:
            line = b'{"type":"move","game":"%s","id":%d,"choice":%s}\n'
            await wire.send_bytes(line % (game.id.encode(), request["id"], bid))
            await wire.expect("error")
        assert game.referee.game.digest() == before
        await wire.move(request, f"bid*{credits}")
        await trio.testing.wait_all_tasks_blocked()
        assert game.record.choices[-1].text == f"bid*{credits}"


async def test_a_second_answer_hits_nothing(autojump_clock, hall):
    game = await hall.seated()
    await game.ready()
    wire, request = await first_request(game)
    await wire.move(request)
    await wire.move(request)
    await wire.until("error", code="too-late", id=request["id"])
    assert sum(seat.faults for seat in game.referee.seats) == 0
    await trio.testing.wait_all_tasks_blocked()
    assert len(game.record.choices) == 1


async def test_moves_in_games_that_are_unknown_or_of_others_are_refused(autojump_clock, hall):
    game = await hall.seated()
    stranger = await hall.login("stranger")
    await stranger.send("move", game="g-nothing", id=1, choice=0)
    await stranger.expect("error", code="no-such-game", game="g-nothing", id=1)
    await stranger.send("move", game=game.id, id=1, choice=0)
    await stranger.expect("error", code="not-seated", game=game.id, id=1)
    await stranger.send("ready", game=game.id)
    await stranger.expect("error", code="not-seated", game=game.id)
    await stranger.send("ready", game="g-nothing")
    await stranger.expect("error", code="no-such-game", game="g-nothing")


async def test_wrong_request_id_of_a_bad_line_costs_no_try(autojump_clock, hall):
    game = await hall.seated()
    await game.ready()
    wire, request = await first_request(game)
    await wire.send("move", game=game.id, id=request["id"] + 5, choice=None)
    error = await wire.expect("error", code="bad-value")
    assert "tries" not in error
    await wire.move(request, 9999)
    await wire.expect("error", tries=2)
