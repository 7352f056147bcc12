"""Limits of time: what runs them out, what is charged, and what comes of it. All on a clock that jumps."""

from __future__ import annotations

import math

import pytest
import trio
from structlog.testing import capture_logs
from trio.testing import lockstep_stream_pair

from arena.server.clocks import SeatClock
from arena.server.lag import BEAT, LagMeter
from protocol import parse_server
from protocol.messages import Clock
from tests.server.table import dice, open_hall

PLAIN = Clock(move=2.0)


async def first_request(game):
    """The first request and the seat that has got it."""
    await trio.testing.wait_all_tasks_blocked()
    seat = next(seat.number for seat in game.referee.seats if seat.request is not None)
    return game[seat], await game[seat].until("request")


async def test_s007_getting_ready_has_a_limit_of_its_own(tmp_path, autojump_clock):  # S007
    async with open_hall(tmp_path, ready=10.0) as hall:
        game = await hall.seated(clock=PLAIN)
        assert game[0].messages[-1]["ready"] == 10.0
        await game[0].send("ready", game=game.id)
        await trio.sleep(9)
        await game[1].send("ready", game=game.id)
        wire, request = await first_request(game)
        assert request["clock"] == {"move": 2.0, "bank": 0.0}
        await trio.sleep(1.9)
        await wire.move(request)
        await trio.testing.wait_all_tasks_blocked()
        assert [seat.faults for seat in game.referee.seats] == [0, 0]


async def test_s039_who_is_not_ready_in_time_is_refused_and_the_others_lose_nothing(
    tmp_path, autojump_clock
):  # S039
    async with open_hall(tmp_path, ready=10.0) as hall:
        game = await hall.seated(3)
        await game[0].send("ready", game=game.id)
        await game[2].send("ready", game=game.id)
        started = trio.current_time()
        for wire in game:
            end = await wire.until("end")
            assert end["why"] == "refused"
            assert end["reasons"] == ["aborted", "refused", "aborted"]
            assert end["places"] == []
        assert trio.current_time() - started == pytest.approx(10)
        assert not game.record.result.complete
        for wire in game:  # all are free to join again
            await wire.send("join", table="queue")
            await wire.expect("joined", table="queue")


@pytest.mark.parametrize(("waits", "shown"), [(2.05, 0.05), (2.0996, 0.0)])
async def test_s009_grace_is_not_shown_and_nothing_is_shown_below_zero(
    tmp_path, autojump_clock, waits, shown
):  # S009
    async with open_hall(tmp_path) as hall:
        game = await hall.seated(clock=Clock(move=2.0, grace=0.1))
        await game.ready()
        for _ in range(3):
            wire, request = await first_request(game)
            await trio.sleep(waits)
            again = await hall.resume(wire)  # it is asked again, and shown what is left
            request = await again.until("request")
            assert request["clock"]["move"] == pytest.approx(shown)
            await again.move(request)
            game.wires[game.wires.index(wire)] = again
        await trio.testing.wait_all_tasks_blocked()
        assert sum(seat.faults for seat in game.referee.seats) == 0
    for wire in game:
        for message in wire.messages:
            assert all(value >= 0 for value in message.get("clock", {}).values())


async def test_s010_each_move_has_its_whole_limit(tmp_path, autojump_clock):  # S010
    async with open_hall(tmp_path) as hall:
        game = await hall.seated(clock=PLAIN)
        await game.ready()
        for _ in range(50):
            wire, request = await first_request(game)
            assert request["clock"]["move"] == 2.0
            await trio.sleep(1.6)
            await wire.move(request)
        await trio.testing.wait_all_tasks_blocked()
        assert [seat.faults for seat in game.referee.seats] == [0, 0]


async def test_s011_who_never_answers_is_passed_over_when_the_limit_ends(tmp_path, autojump_clock):  # S011
    async with open_hall(tmp_path, faults=2) as hall:
        game = await hall.seated(clock=Clock(move=2.0, bank=1.0, grace=0.1))
        await game.ready()
        silent, request = await first_request(game)
        other = game[1] if silent is game[0] else game[0]
        await other.until("events")
        await trio.sleep(3.05)
        assert not game.record.choices
        await trio.sleep(0.1)
        choice = game.record.choices[0]
        assert (choice.index, choice.fault.value, choice.retired) == (request["default"], "timeout", False)
        await silent.send("move", game=game.id, id=request["id"], choice=0)
        error = await silent.until("error", code="too-late", id=request["id"])
        assert error["text"] == (
            f"the default of request {request['id']} was played, as its time was up: fault 1 of this seat"
        )
        silent_seat = game.wires.index(silent)
        (end,) = await game.play_on(dice(1), skip=[silent_seat])
        assert end["reasons"][silent_seat] == "timeout"


async def test_s012_every_request_tells_the_time_that_is_left(tmp_path, autojump_clock):  # S012
    async with open_hall(tmp_path) as hall:
        game = await hall.seated(clock=Clock(move=1.0, bank=3.0))
        await game.ready()
        await game.play_on(dice(1))
    requests = [m for wire in game for m in wire.messages if m["type"] == "request"]
    assert requests
    assert all(m["clock"] == {"move": 1.0, "bank": 3.0} for m in requests)


async def test_s013_who_is_retired_ranks_last_however_rich(tmp_path, autojump_clock):  # S013
    async with open_hall(tmp_path, faults=1) as hall:
        game = await hall.seated(3, clock=PLAIN)
        await game.ready()
        silent, _ = await first_request(game)
        seat = game.wires.index(silent)
        game.referee.game.players[seat].credits = 60
        ends = await game.play_on(dice(1), skip=[seat], end=False)
    assert ends[0]["credits"][seat] == max(ends[0]["credits"])
    assert ends[0]["places"][seat] == 3
    assert ends[0]["reasons"][seat] == "timeout"


async def test_s020_who_thinks_long_is_not_taken_for_gone(tmp_path, autojump_clock):  # S020
    async with open_hall(tmp_path) as hall:
        game = await hall.seated(clock=Clock(move=60.0))
        await game.ready()
        for _ in range(20):
            wire, request = await first_request(game)
            await trio.sleep(54)
            await wire.move(request)
        await trio.testing.wait_all_tasks_blocked()
        assert [seat.faults for seat in game.referee.seats] == [0, 0]
        assert all(seat.absence == 0 for seat in game.referee.seats)


async def test_bank_pays_for_long_moves_and_increment_fills_it(tmp_path, autojump_clock):  # S010
    async with open_hall(tmp_path) as hall:
        game = await hall.seated(clock=Clock(move=1.0, bank=2.0, increment=0.25))
        await game.ready()
        wire, request = await first_request(game)
        await trio.sleep(2.5)
        await wire.move(request)
        request = await wire.until("request")
        assert request["clock"] == {"move": 1.0, "bank": 0.75}


@pytest.mark.parametrize(
    ("bank", "answered", "left"), [(86_400, 0.5, 86_400), (86_399.5, 0.5, 86_400), (86_400, 4, 86_398)]
)
async def test_bank_never_passes_the_bound_of_the_protocol(tmp_path, autojump_clock, bank, answered, left):
    """Else nobody could read the request, who then is retired for it."""
    async with open_hall(tmp_path) as hall:
        game = await hall.seated(clock=Clock(move=1.0, bank=bank, increment=1.0))
        await game.ready()
        wire, request = await first_request(game)
        hall.nursery.start_soon(game[1 - game.wires.index(wire)].play)
        await trio.sleep(answered)
        await wire.move(request)
        request = await wire.until("request")
        assert request["clock"]["bank"] == left
        parse_server(wire.lines[-1])


@pytest.mark.parametrize("unread", [0, 20])
@pytest.mark.parametrize(("late", "faults"), [(1.5, 0), (2.1, 1)])
async def test_clock_of_who_reads_late_runs_all_the_same(
    tmp_path, autojump_clock, unread, late, faults
):  # S011
    """It lets what it has asked for wait in front of the request, and may see by a watcher's eyes what goes on."""
    async with open_hall(tmp_path, handover=10.0) as hall:
        slow = hall.connect(lockstep_stream_pair)
        await slow.hello("slow reader")
        game = await hall.seated(wires=[slow, await hall.login("other")], clock=PLAIN, seed=3)
        await game[1].send("ready", game=game.id)
        ready = b'{"type":"ready","game":"%s"}\n' % game.id.encode()
        await slow.send_bytes(b'{"type":"list"}\n' * unread + ready)
        await trio.testing.wait_all_tasks_blocked()
        seat = game.referee.seats[0]
        assert seat.request is not None
        await trio.sleep(late)
        request = await slow.until("request")  # it is still delivered
        await slow.move(request)
        await slow.until("events" if not faults else "error")
        assert seat.faults == faults
        if not faults:
            assert game.record.choices[0].spent == pytest.approx(late)


async def test_what_waits_behind_a_request_holds_up_no_clock(tmp_path, autojump_clock):  # S011
    """A client reads its request and leaves the rest of what it has asked for unread, to think for longer."""
    async with open_hall(tmp_path, handover=10.0) as hall:
        sly = hall.connect(lockstep_stream_pair)
        await sly.hello("sly")
        game = await hall.seated(wires=[sly, await hall.login("other")], clock=PLAIN, seed=3)
        await game[1].send("ready", game=game.id)
        ready = b'{"type":"ready","game":"%s"}\n' % game.id.encode()
        await sly.send_bytes(ready + b'{"type":"list"}\n' * 20)
        read = b""
        while not (b'"type":"request"' in read and read.endswith(b"\n")):
            read += await sly.stream.receive_some(1)
        await trio.sleep(2.1)
        assert game.referee.seats[0].faults == 1


async def test_who_does_not_read_at_all_is_lost_after_the_handover_and_then_retired(
    tmp_path, autojump_clock
):  # S011
    async with open_hall(tmp_path, handover=5.0, resume=7.0) as hall:
        deaf = hall.connect(lockstep_stream_pair)
        await deaf.hello("deaf")
        game = await hall.seated(wires=[deaf, await hall.login("other")], clock=Clock(move=60.0))
        for wire in game:
            await wire.send("ready", game=game.id)
        start = trio.current_time()
        await game[1].until("events")
        retired = await game[1].until("events")
        assert retired["events"][0] == {"event": "retired", "seat": 0, "reason": "disconnect"}
        assert trio.current_time() - start == pytest.approx(12)
        await game[1].move(next(m for m in game[1].messages if m["type"] == "request"))
        (end,) = await game.play_on(dice(1), skip=[0])
        assert end["reasons"] == ["disconnect", "normal"]


async def test_answer_that_comes_in_the_moment_the_time_is_up_is_judged_by_its_arrival(
    tmp_path, autojump_clock
):  # S011
    async with open_hall(tmp_path) as hall:
        game = await hall.seated(clock=PLAIN)
        await game.ready()
        wire, request = await first_request(game)
        seat = game.referee.seats[game.wires.index(wire)]
        seat.clock._since -= 2.5  # the referee's task sleeps on and does not know
        await wire.move(request)
        error = await wire.until("error", code="too-late", id=request["id"])
        assert "tries" not in error
        assert seat.faults == 1
        await trio.testing.wait_all_tasks_blocked()
        assert len(game.record.choices) == 1


async def test_what_the_server_loses_is_not_charged(tmp_path, autojump_clock):  # S033
    """The loop stalls for 5 s while a bot thinks; its answer lies in the socket when the loop goes on."""
    async with open_hall(tmp_path) as hall:
        hall.nursery.start_soon(hall.server.lag.run)
        game = await hall.seated(clock=PLAIN)
        await game.ready()
        wire, request = await first_request(game)
        await trio.sleep(1.5)
        autojump_clock.jump(5.0)
        await wire.move(request)
        await trio.testing.wait_all_tasks_blocked()
        assert [seat.faults for seat in game.referee.seats] == [0, 0]
        assert game.record.choices[0].spent == pytest.approx(1.5, abs=2 * BEAT)


async def test_a_stall_takes_no_time_to_get_ready_in(tmp_path, autojump_clock):  # S033
    async with open_hall(tmp_path, ready=10.0) as hall:
        hall.nursery.start_soon(hall.server.lag.run)
        game = await hall.seated(clock=PLAIN)
        await trio.sleep(9)
        autojump_clock.jump(60)
        await trio.sleep(0.5)
        await game.ready()
        assert game.referee.started


async def test_a_stall_takes_no_time_to_come_back_in(tmp_path, autojump_clock):  # S019, S033
    async with open_hall(tmp_path, resume=20.0) as hall:
        hall.nursery.start_soon(hall.server.lag.run)
        game = await hall.seated(clock=PLAIN)
        await game.ready()
        await game[0].drop()
        await trio.sleep(15)
        autojump_clock.jump(60)
        await trio.sleep(4)
        game.wires[0] = await hall.resume(game[0])
        await game[0].until("snapshot")
        assert game.referee.seats[0].absence == pytest.approx(19, abs=2 * BEAT)
        await game[0].drop()
        await trio.sleep(2)
        assert game.referee.seats[0].retired is not None


async def test_stall_too_short_for_the_lag_meter_is_not_charged(tmp_path, autojump_clock):  # S033
    async with open_hall(tmp_path) as hall:
        game = await hall.seated(clock=PLAIN)
        await game.ready()
        wire, request = await first_request(game)
        await trio.sleep(1.98)
        autojump_clock.jump(0.04)  # between two beats: the answer came in time, and was read late
        await wire.move(request)
        await trio.testing.wait_all_tasks_blocked()
        assert [seat.faults for seat in game.referee.seats] == [0, 0]


async def test_lag_meter_knows_of_a_stall_before_its_own_beat_has_come(autojump_clock, nursery):
    lag = LagMeter()
    assert lag.lost(trio.current_time()) == 0
    nursery.start_soon(lag.run)
    await trio.testing.wait_all_tasks_blocked()
    now = trio.current_time()
    assert lag.lost(now + BEAT) == 0
    assert lag.lost(now + BEAT + 2) == pytest.approx(2)
    await trio.sleep(10 * BEAT)
    assert lag.lost(trio.current_time()) == 0


async def test_a_record_splits_the_time_of_a_move(tmp_path, autojump_clock, monkeypatch):
    async with open_hall(tmp_path) as hall:
        hall.nursery.start_soon(hall.server.lag.run)
        game = await hall.seated(clock=PLAIN)
        await game.ready()
        wire, request = await first_request(game)
        connection = game.referee.seats[game.wires.index(wire)].connection
        monkeypatch.setattr(connection, "round_trip", lambda: 0.25)
        await trio.sleep(1)
        autojump_clock.jump(0.5)  # the server stands still
        await wire.move(request)
        await trio.testing.wait_all_tasks_blocked()
        wire, request = await first_request(game)
        await wire.move(request)
        await trio.testing.wait_all_tasks_blocked()
        first, second = game.record.choices
        assert first.spent == pytest.approx(1, abs=BEAT)
        assert (first.network, first.lag) == (0.25, pytest.approx(0.5, abs=BEAT))
        assert (second.network, second.lag) == (-1 if second.seat != first.seat else 0, 0)


@pytest.mark.parametrize(("stall", "suspect"), [(0.9, None), (1.1, True)])
async def test_a_game_in_which_the_server_stood_still_too_long_is_suspect(
    tmp_path, autojump_clock, stall, suspect
):  # S033
    async with open_hall(tmp_path, suspect=1.0) as hall:
        hall.nursery.start_soon(hall.server.lag.run)
        await trio.testing.wait_all_tasks_blocked()
        game = await hall.seated(clock=PLAIN)
        await game.ready()
        await trio.sleep(0.2)
        autojump_clock.jump(stall)
        with capture_logs() as logs:
            await trio.sleep(0.1)
        assert [log["event"] for log in logs] == ["stalled"] * bool(
            suspect
        )  # at once, not at the end of the game
        ends = await game.play_on(dice(1))
        assert [end.get("suspect") for end in ends] == [suspect] * 2
        assert game.record.result.suspect is bool(suspect)
        later = await hall.seated(wires=game.wires, clock=PLAIN)
        await later.ready()
        assert (await later.play_on(dice(1)))[0].get("suspect") is None


def test_lag_before_and_after_an_absence_is_summed_up():
    clock = SeatClock(Clock(move=10.0))
    clock.begin()
    clock.run(0.0, 1.0)
    clock.pause(2.0, 1.5)
    clock.run(100.0, 7.0)
    assert clock.end(101.0, 7.25) == pytest.approx(2.25)
    assert clock.lost == pytest.approx(0.75)
    clock.begin()
    assert clock.lost == 0


def test_seat_clock_never_shows_less_than_nothing():  # S009
    clock = SeatClock(Clock(move=1.0, bank=2.0, grace=0.5))
    clock.begin()
    clock.run(100.0, 0.0)
    assert clock.remaining(100.25, 0.0) == (1.0, 2.0)
    assert clock.remaining(101.0, 0.0) == (0.5, 2.0)
    assert clock.remaining(102.5, 0.0) == (0.0, 1.0)
    assert clock.remaining(200.0, 0.0) == (0.0, 0.0)
    assert clock.left(200.0, 0.0) == -96.5
    assert clock.left(200.0, 96.5) == 0
    assert clock.end(200.0, 0.0) == 100
    assert clock.bank == 0


def test_seat_clock_stands_still_while_the_seat_is_away():
    clock = SeatClock(Clock(move=1.0))
    clock.begin()
    clock.run(0.0, 0.0)
    clock.pause(0.75, 0.0)
    assert clock.left(500.0, 0.0) == 0.25
    clock.run(500.0, 0.0)
    assert clock.left(500.25, 0.0) == 0
    assert not math.isinf(clock.left(501.0, 0.0))
