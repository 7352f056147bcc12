"""Connections that are lost, resumed, taken over or given up, at every phase of a game."""

from __future__ import annotations

import pytest
import trio
from structlog.testing import capture_logs

from protocol.messages import Clock
from tests.server.table import dice, make_token, open_hall
from tests.server.test_answers import to_kind
from tests.server.test_clocks_of_seats import first_request

SLOW = Clock(move=10.0)


@pytest.fixture
async def hall(tmp_path, autojump_clock):
    async with open_hall(tmp_path, resume=20.0, ready=15.0) as hall:
        yield hall


async def test_s019_who_comes_back_in_time_gets_the_view_and_the_open_request(autojump_clock, hall):  # S019
    game = await hall.seated(clock=SLOW)
    await game.ready()
    wire, request = await first_request(game)
    seat = game.wires.index(wire)
    await trio.sleep(4)
    await wire.drop()
    await trio.sleep(12)
    back = hall.connect()
    await back.send("hello", protocol="1.0", name=wire.name, resume=wire.key)
    await back.expect("welcome", resume=wire.key)
    await back.expect("start", game=game.id, seat=seat)
    snapshot = await back.expect("snapshot", game=game.id, seat=seat)
    assert snapshot["view"] == request["view"]
    again = await back.expect("request", id=request["id"], options=request["options"])
    assert again["clock"]["move"] == pytest.approx(6, abs=0.05)
    await back.move(again)
    game.wires[seat] = back
    ends = await game.play_on(dice(1))
    assert ends[0]["reasons"] == ["normal", "normal"]


async def test_who_comes_back_too_late_is_retired_once_and_for_all(autojump_clock, hall):  # S019
    game = await hall.seated(clock=SLOW)
    await game.ready()
    wire, _ = await first_request(game)
    seat = game.wires.index(wire)
    await wire.drop()
    await trio.sleep(21)
    assert game.referee.seats[seat].retired.value == "disconnect"
    assert hall.server.clients.named(wire.name) is None  # forgotten: nothing is left to come back to
    late = hall.connect()
    await late.send("hello", protocol="1.0", name=wire.name, resume=wire.key)
    await late.expect("error", code="bad-resume")
    await late.hello(wire.name)
    await late.send("move", game=game.id, id=1, choice=0)
    await late.expect("error", code="not-seated")
    (end,) = await game.play_on(dice(1), skip=[seat])
    assert end["reasons"][seat] == "disconnect"


async def test_absences_add_up_and_never_touch_the_clocks_of_others(autojump_clock, hall):  # S019
    game = await hall.seated(clock=SLOW)
    await game.ready()
    wire, _ = await first_request(game)
    seat = 1 - game.wires.index(wire)
    other = game[seat]
    for _ in range(2):
        await other.drop()
        await trio.sleep(3)
        other = await hall.resume(other)
        await other.until("snapshot")
    assert game.referee.seats[seat].absence == pytest.approx(6, abs=0.05)
    assert game.referee.seats[1 - seat].clock.left(trio.current_time(), 0) == pytest.approx(4, abs=0.05)


async def test_a_new_connection_takes_over_while_the_old_one_looks_alive(autojump_clock, hall):  # S019
    game = await hall.seated(clock=SLOW)
    await game.ready()
    wire, request = await first_request(game)
    await trio.sleep(2)
    back = await hall.resume(wire)
    again = await back.until("request", id=request["id"])
    assert again["clock"]["move"] == pytest.approx(8, abs=0.05)
    await wire.until("bye", reason="replaced")
    await wire.hung_up()
    await back.move(again)
    game.wires[game.wires.index(wire)] = back
    ends = await game.play_on(dice(2))
    assert ends[0]["reasons"] == ["normal", "normal"]


async def test_what_the_old_connection_still_sends_hits_nothing_after_a_takeover(autojump_clock, hall):
    game = await hall.seated(clock=SLOW)
    await game.ready()
    wire, request = await first_request(game)
    hello = b'{"type":"hello","protocol":"1.0","name":"%s","resume":"%s"}\n'
    back = hall.connect()
    await back.send_bytes(hello % (wire.name.encode(), wire.key.encode()))
    await back.until("request")
    await wire.send_bytes(b'{"type":"move","game":"%s","id":1,"choice":0}\n' % game.id.encode())
    await trio.testing.wait_all_tasks_blocked()
    assert not game.record.choices
    assert request["id"] == 1


async def test_a_takeover_keeps_places_at_tables_and_in_the_queue(autojump_clock, hall):
    wire = await hall.login("waiting")
    await wire.send("join", table="queue")
    await wire.expect("joined", table="queue")
    await wire.send("join", wanted={"seats": 2})
    table = (await wire.expect("joined"))["table"]
    back = await hall.resume(wire)
    await back.expect("joined", table="queue")
    await back.expect("joined", table=table)


async def test_lost_before_hello_leaves_nothing_behind(autojump_clock, hall):
    wire = hall.connect()
    await wire.send_bytes(b'{"type":"hel')
    await wire.drop()
    assert not hall.server.connections
    assert not len(hall.server.clients)


async def test_lost_after_hello_frees_the_name_at_once(autojump_clock, hall):
    wire = await hall.login("brief")
    await wire.drop()
    assert not len(hall.server.clients)
    await hall.login("brief")


async def test_lost_in_the_queue_and_at_a_table_gives_up_the_places(autojump_clock, hall):
    wire, other = await hall.login("goes"), await hall.login("stays")
    await wire.send("join", table="queue")
    await wire.send("join", wanted={"seats": 3})
    table = (await wire.until("joined", seats=3))["table"]
    await other.send("join", table=table)
    await other.expect("joined", players=["goes", "stays"])
    await wire.drop()
    await other.expect("joined", players=["stays"])
    assert not hall.server.lobby.queue


async def test_lost_before_ready_and_back_in_time_plays(autojump_clock, hall):  # S019
    game = await hall.seated()
    await game[0].drop()
    await trio.sleep(5)
    game.wires[0] = back = await hall.resume(game[0])
    await back.until("start")
    await game.ready()
    ends = await game.play_on(dice(1))
    assert ends[0]["reasons"] == ["normal", "normal"]


async def test_lost_before_ready_and_not_back_ends_the_game_without_loss_for_others(
    autojump_clock, hall
):  # S039
    game = await hall.seated()
    await game[1].send("ready", game=game.id)
    await game[0].drop()
    end = await game[1].until("end")
    assert end["reasons"] == ["refused", "aborted"]
    assert not len([c for c in (hall.server.clients.named(game[0].name),) if c])


async def test_lost_in_simultaneous_bids_and_back_may_still_bid(autojump_clock, hall):  # S019
    game = await hall.seated(4, seed=2, clock=SLOW)
    await game.ready()
    wire, request = await to_kind(game, "bid", dice(5))
    seat = game.wires.index(wire)
    await wire.drop()
    others = [(s.number, s.request.id) for s in game.referee.seats if s.request and s.number != seat]
    for number, id in others:
        await game[number].send("move", game=game.id, id=id, choice=0)
    await trio.testing.wait_all_tasks_blocked()
    game.wires[seat] = back = await hall.resume(wire)
    again = await back.until("request", id=request["id"])
    await back.move(again, "bid*0")
    await trio.testing.wait_all_tasks_blocked()
    assert game.record.choices[-1].text == "bid*0"
    assert game.record.choices[-1].seat == seat


async def test_lost_after_the_end_is_forgotten(autojump_clock, hall):
    game = await hall.seated()
    await game.ready()
    await game.play_on()
    await game[0].send("ping")
    await game[0].until("pong")
    await game[0].drop()
    assert hall.server.clients.named(game[0].name) is None


async def test_lost_at_the_very_end_and_back_hears_the_end_until_it_is_heard_of(autojump_clock, hall):  # S022
    """It was sent; whether it has arrived nobody knows, as long as nothing has come from its player since."""
    game = await hall.seated()
    await game.ready()
    ends = await game.play_on()
    for _ in range(2):
        await game[0].drop()
        game.wires[0] = await hall.resume(game[0])
        assert await game[0].expect("end") == ends[0]
    await game[0].drop()
    await game[1].send("bye")
    await game[1].until("bye")
    await game[1].hung_up()
    assert hall.server.clients.named(game[1].name) is None
    await trio.sleep(hall.config.keepalive + hall.config.resume + 1)
    assert not len(hall.server.clients)


async def test_s021_a_move_that_crosses_the_end_is_no_fault(autojump_clock, hall):  # S021
    game = await hall.seated(3)
    await game.ready()
    wire, request = await first_request(game)
    others = [w for w in game if w is not wire]
    with capture_logs() as logs:
        with hall.server.batch:  # in the same moment
            for other in others:
                hall.server.games[game.id].leave(game.referee.seats[game.wires.index(other)])
            game.referee.abort()
        await wire.move(request)
        await trio.testing.wait_all_tasks_blocked()
    assert not [log for log in logs if log["log_level"] not in ("info", "debug")]
    end = await wire.until("end")
    assert end["why"] == "aborted"
    error = await wire.expect("error", code="game-over", game=game.id, id=request["id"])
    assert "tries" not in error


async def test_s022_the_others_get_the_result_when_one_is_killed(autojump_clock, hall):  # S022
    game = await hall.seated(4)
    await game.ready()
    await game[3].drop()
    ends = await game.play_on(dice(3), skip=[3])
    assert len(ends) == 3
    assert all(end["reasons"] == ["normal", "normal", "normal", "disconnect"] for end in ends)
    assert all(end["places"][3] == 4 for end in ends)


async def test_bye_in_mid_game_gives_up_the_seat_at_once(autojump_clock, hall):
    game = await hall.seated(3)
    await game.ready()
    await game[0].send("bye")
    await game[0].until("bye", reason="bye")
    await game[0].hung_up()
    events = await game[1].until("events")
    while events["events"][-1]["event"] != "retired":
        events = await game[1].until("events")
    assert events["events"][-1] == {"event": "retired", "seat": 0, "reason": "disconnect"}
    assert hall.server.clients.named(game[0].name) is None
    ends = await game.play_on(dice(1), skip=[0])
    assert ends[0]["reasons"] == ["disconnect", "normal", "normal"]


async def test_bye_before_ready_ends_the_game_for_nobody_s_loss(autojump_clock, hall):
    game = await hall.seated()
    await game[0].send("bye")
    end = await game[1].until("end")
    assert end["reasons"] == ["refused", "aborted"]


async def test_when_all_are_gone_the_game_is_aborted(autojump_clock, hall):
    game = await hall.seated()
    await game.ready()
    for wire in game:
        await wire.send("bye")
    await trio.testing.wait_all_tasks_blocked()
    assert not hall.server.games
    assert game.record.result.reason == "aborted"


async def test_one_client_plays_two_games_at_once_and_a_loss_stops_both_clocks(autojump_clock, hall):
    first = await hall.seated(clock=SLOW)
    second = await hall.seated(wires=first.wires, seed=9, clock=SLOW)
    for game in first, second:
        await game.ready()
    await first[0].drop()
    await first[1].drop()
    await trio.sleep(15)
    for game in first, second:
        assert all(seat.faults == 0 and seat.retired is None for seat in game.referee.seats)
    back = [await hall.resume(wire) for wire in first]
    for wire in back:
        await wire.until("snapshot", game=first.id)
        await wire.until("snapshot", game=second.id)


@pytest.mark.parametrize("key", ["wrong", "x" * 32])
async def test_wrong_resume_keys_change_nothing(autojump_clock, hall, key):  # S077
    game = await hall.seated(clock=SLOW)
    await game.ready()
    thief = hall.connect()
    for _ in range(4):
        await thief.send("hello", protocol="1.0", name=game[0].name, resume=key)
        await thief.expect("error", code="bad-resume")
    await thief.send("hello", protocol="1.0", name=game[0].name, resume=key)
    await thief.expect("error", code="bad-resume")
    await thief.expect("bye", reason="refused")
    assert game.referee.seats[0].absent_since is None
    await game[0].send("ping")
    await game[0].until("pong")


@pytest.mark.parametrize("name", ["Owner", "OWNER", "\uff2fwner", "\u041ewner"])
async def test_s077_a_registered_name_is_the_owner_s_also_while_he_is_away(
    tmp_path, autojump_clock, name
):  # S077
    token = make_token(tmp_path / "tokens", "Owner")
    async with open_hall(tmp_path, tokens=tmp_path / "tokens") as hall:

        async def steal() -> None:
            thief = hall.connect()
            await thief.send("hello", protocol="1.0", name=name)
            await thief.expect("error", code="bad-token")
            await thief.send("hello", protocol="1.0", name=name, token=token.swapcase())
            await thief.expect("error", code="bad-token")

        await steal()
        owner = await hall.login("Owner", token=token)
        game = await hall.seated(wires=[owner, await hall.login("other")], clock=SLOW)
        await game.ready()
        await steal()
        await owner.drop()
        await steal()
        again = await hall.login("Owner", token=token)  # the token is as good as the key
        await again.until("snapshot")


async def test_s077_a_name_without_token_is_kept_while_its_seat_is(autojump_clock, hall):  # S077
    game = await hall.seated(clock=SLOW)
    await game.ready()
    await game[0].drop()
    thief = hall.connect()
    await thief.send("hello", protocol="1.0", name=game[0].name.upper())
    await thief.expect("error", code="name-taken")
