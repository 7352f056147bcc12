"""Watchers: from any moment, without a gap, and never in the players' way."""

from __future__ import annotations

import pytest
import trio

from tests.server.table import dice, open_hall
from tests.server.test_secrets import drain, gapless


@pytest.fixture
async def hall(tmp_path, autojump_clock):
    async with open_hall(tmp_path, history=20) as hall:
        yield hall


async def play_some(game, moves: int, seed: int = 1) -> None:
    choose = dice(seed)
    for _ in range(moves):
        seat = next(s for s in game.referee.seats if s.request is not None)
        choice = choose({"options": seat.request.texts})
        await game[seat.number].send("move", game=game.id, id=seat.request.id, choice=choice)
        await trio.testing.wait_all_tasks_blocked()


async def test_s030_who_comes_late_gets_a_snapshot_and_then_all_that_follows(autojump_clock, hall):
    game = await hall.seated(seed=3)
    await game.ready()
    await play_some(game, 40)
    late = await hall.login("late")
    await late.send("watch", game=game.id)
    start = await late.expect("start", game=game.id)
    assert "seat" not in start
    snapshot = await late.expect("snapshot", number=game.referee.audience.stream.number)
    assert snapshot["view"] == game.referee.game.view(None)
    await play_some(game, 20, seed=2)
    await drain(late)
    gapless(late, snapshot["number"] + 1)
    assert late.messages[-1]["type"] == "events"


@pytest.mark.parametrize("missed", [0, 5, 20])
async def test_who_has_seen_events_goes_on_after_the_last_one(autojump_clock, hall, missed):
    game = await hall.seated(seed=3)
    await game.ready()
    await play_some(game, 40)
    number = game.referee.audience.stream.number
    late = await hall.login("late")
    await late.send("watch", game=game.id, last=number - missed)
    await late.expect("start")
    if missed:
        events = await late.expect("events", first=number - missed + 1)
        assert len(events["events"]) == missed
    await late.silent(0.1)


@pytest.mark.parametrize("last", [0, 10**6])
async def test_who_has_missed_too_much_or_has_seen_the_future_gets_a_snapshot(autojump_clock, hall, last):
    game = await hall.seated(seed=3)
    await game.ready()
    await play_some(game, 40)
    late = await hall.login("late")
    await late.send("watch", game=game.id, last=last)
    await late.expect("start")
    await late.expect("snapshot")


async def test_s031_the_count_of_watchers_follows_those_who_come_and_go(autojump_clock, hall):
    game = await hall.seated()
    asker = await hall.login("asker")

    async def count() -> int:
        await asker.send("list")
        return (await asker.expect("games"))["games"][0]["watchers"]

    watchers = [await hall.login(f"watcher {number}") for number in range(5)]
    for watcher in watchers:
        await watcher.send("watch", game=game.id)
        await watcher.until("snapshot")
    assert await count() == 5
    await watchers[0].send("unwatch", game=game.id)
    await watchers[1].send("bye")
    await watchers[1].until("bye")
    assert await count() == 3
    await watchers[2].drop()
    assert await count() == 2
    await watchers[0].send("unwatch", game=game.id)
    await watchers[0].expect("error", code="not-watching")


async def test_s029_a_watcher_of_all_games_who_never_reads_is_dropped_and_holds_little(
    tmp_path, autojump_clock
):
    from trio.testing import lockstep_stream_pair

    async with open_hall(tmp_path, outbox=50_000) as hall:
        deaf = hall.connect(lockstep_stream_pair)
        await deaf.hello("deaf")
        connection = hall.server.clients.named("deaf").connection
        for seed in range(3):
            game = await hall.seated(wires=[await hall.login(f"{seed}-{n}") for n in range(2)])
            if hall.server.clients.named("deaf") is not None:
                await deaf.send("watch", game=game.id)
            await game.ready()
            await game.play_on(dice(seed))
            assert connection._outbox._size <= 60_000
        assert hall.server.clients.named("deaf") is None


async def test_a_game_that_is_over_is_still_told_to_who_comes_late(autojump_clock, hall):
    game = await hall.seated()
    await game.ready()
    ends = await game.play_on(dice(1))
    late = await hall.login("late")
    await late.send("watch", game=game.id)
    await late.expect("start")
    snapshot = await late.expect("snapshot")
    assert snapshot["view"]["result"]["places"] == ends[0]["places"]
    assert await late.expect("end") == ends[0]
    assert len(hall.server.ended[game.id].story) < 20_000


async def test_unknown_games_cannot_be_watched(autojump_clock, hall):
    wire = await hall.login("lost")
    await wire.send("watch", game="g-nothing")
    await wire.expect("error", code="no-such-game", game="g-nothing")


async def test_only_so_many_watch_one_game(tmp_path, autojump_clock):
    async with open_hall(tmp_path, watchers=1) as hall:
        game = await hall.seated()
        first, second = await hall.login("first"), await hall.login("second")
        await first.send("watch", game=game.id)
        await first.until("snapshot")
        await second.send("watch", game=game.id)
        await second.expect("error", code="not-offered", game=game.id)
