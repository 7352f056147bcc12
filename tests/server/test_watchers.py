"""Watchers: from any moment, without a gap, and never in the players' way."""

from __future__ import annotations

import json

import pytest
import trio
from structlog.testing import capture_logs
from trio.testing import lockstep_stream_pair, memory_stream_pair

from arena.picture import table
from arena.server import streams
from arena.server.listing import LIST_AGE
from arena.server.outbox import Batch
from arena.server.streams import AT_ONCE, PAUSE, SHARE, Broadcast
from protocol.messages import Clock
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


async def test_s030_who_comes_late_gets_a_snapshot_and_then_all_that_follows(autojump_clock, hall):  # S030
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
async def test_who_has_seen_events_goes_on_after_the_last_one(autojump_clock, hall, missed):  # S030
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


async def test_s031_the_count_of_watchers_follows_those_who_come_and_go(autojump_clock, hall):  # S031
    game = await hall.seated()
    asker = await hall.login("asker")

    async def count() -> int:
        await trio.sleep(LIST_AGE)
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


@pytest.mark.parametrize(("count", "moves"), [(20, 2), pytest.param(200, 20, marks=pytest.mark.soak)])
async def test_s029_a_watcher_of_all_games_who_never_reads_is_dropped_and_holds_little(
    tmp_path, autojump_clock, count, moves
):  # S029
    """What waits for it grows with the games that it asks for, and by nothing that happens in them."""
    async with open_hall(
        tmp_path, games=count, share=1.0, clock=Clock(move=80_000), backlog=20_000, handover=80_000
    ) as hall:
        players = [await hall.login(name) for name in ("first", "second")]
        deaf = hall.connect(lockstep_stream_pair)
        await deaf.hello("deaf")
        connection = hall.server.clients.named("deaf").connection
        games = []
        for seed in range(count):
            games.append(await hall.seated(wires=players, seed=seed))
            await games[-1].ready(views=False)
            await deaf.send("watch", game=games[-1].id)
            await play_some(games[-1], 3)
        asked_for = connection.waiting
        assert hall.config.backlog < asked_for < count * 8192
        with capture_logs() as logs:
            for game in games:
                await play_some(game, moves)
            assert connection.waiting == asked_for
            await trio.sleep(hall.config.handover + 1)
        assert hall.server.clients.named("deaf") is None
        assert [log["reason"] for log in logs if log["event"] == "lost" and log["name"] == "deaf"] == ["slow"]


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
    assert len(hall.server.games.ended[game.id].story) < 20_000


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


# Many watchers, and slow ones


class Valve:
    """A stream to a watcher that takes nothing while it is shut."""

    def __init__(self, stream) -> None:
        self.stream = stream
        self.opened = trio.Event()
        self.opened.set()

    def shut(self) -> None:
        self.opened = trio.Event()

    async def send_all(self, data) -> None:
        await self.opened.wait()
        await self.stream.send_all(data)

    async def receive_some(self, limit=None):
        return await self.stream.receive_some(limit)

    async def aclose(self) -> None:
        await self.stream.aclose()


async def watch_through_valve(hall, game, name: str):
    valve: list[Valve] = []

    def pair():
        ours, theirs = memory_stream_pair()
        valve.append(Valve(theirs))
        return ours, valve[0]

    wire = hall.connect(pair)
    await wire.hello(name)
    await wire.send("watch", game=game.id)
    await wire.until("snapshot")
    return wire, valve[0]


async def test_many_watchers_get_every_event_once_and_in_few_lines(autojump_clock, hall):  # S030
    game = await hall.seated(seed=3)
    crowd = [await hall.login(f"watcher {number}") for number in range(3 * AT_ONCE)]
    for watcher in crowd:
        await watcher.send("watch", game=game.id)
        await watcher.until("snapshot")
    await game.ready()
    for seed in range(3):
        await play_some(game, 5, seed)
        await trio.sleep(2 * PAUSE)
    number = game.referee.audience.stream.number
    for watcher in crowd:
        await drain(watcher)
        gapless(watcher, 1)
        events = [m for m in watcher.messages if m["type"] == "events"]
        assert sum(len(m["events"]) for m in events) == number
        assert len(events) <= 8  # not one for each of the 15 choices
    assert len({crowd_events(watcher) for watcher in crowd}) == 1  # in lines that may break elsewhere


def crowd_events(watcher) -> str:
    return json.dumps([event for m in watcher.messages if m["type"] == "events" for event in m["events"]])


class Endless:
    """A stream that always has something new for each of its watchers."""

    def __init__(self, watchers: int, broadcast: Broadcast) -> None:
        self.watchers = range(watchers)
        self.rounds: list[float] = []
        self._broadcast = broadcast

    def __len__(self) -> int:
        return len(self.watchers)

    def serve(self, watcher: int) -> None:
        if watcher == 0:
            self.rounds.append(trio.current_time())
            self._broadcast.call(self)


@pytest.mark.parametrize(("watchers", "pause"), [(10, PAUSE), (2000, 2000 * SHARE)])
async def test_the_more_watch_the_longer_the_players_are_left_alone(autojump_clock, nursery, watchers, pause):
    broadcast = Broadcast(Batch())
    stream = Endless(watchers, broadcast)
    broadcast.call(stream)
    nursery.start_soon(broadcast.run)
    await trio.sleep(3.5 * pause)
    assert stream.rounds == pytest.approx([stream.rounds[0] + turn * pause for turn in range(4)])


async def test_a_crowd_is_told_when_nothing_else_is_to_be_done(autojump_clock, nursery):
    broadcast = Broadcast(Batch())
    stream = Endless(10, broadcast)
    nursery.start_soon(broadcast.run)
    broadcast.call(stream)
    for _ in range(100):
        await trio.lowlevel.checkpoint()
        assert not stream.rounds
    await trio.sleep(PAUSE / 2)
    assert stream.rounds


async def test_a_server_that_is_never_idle_tells_its_crowd_all_the_same(nursery):
    broadcast = Broadcast(Batch())
    stream = Endless(10, broadcast)
    nursery.start_soon(broadcast.run)
    broadcast.call(stream)
    with trio.fail_after(60):
        while True:
            if len(stream.rounds) == 2:
                break
            await trio.lowlevel.checkpoint()


async def test_a_crowd_that_comes_at_once_costs_one_snapshot(autojump_clock, hall, monkeypatch):
    game = await hall.seated(seed=3)
    await game.ready()
    await play_some(game, 10)
    made = []
    monkeypatch.setattr(streams, "table", lambda game, seat: made.append(seat) or table(game, seat))
    crowd = [await hall.login(f"watcher {number}") for number in range(20)]
    for watcher in crowd:
        await watcher.send("watch", game=game.id)
        await watcher.until("snapshot")
    assert made == [None]


@pytest.mark.parametrize(("moves", "resumed_by"), [(12, "events"), (80, "snapshot")])
async def test_a_watcher_that_stalls_holds_little_and_is_brought_up_when_it_reads(
    tmp_path, autojump_clock, moves, resumed_by
):  # S029, S030
    async with open_hall(tmp_path, history=100, backlog=1000, handover=1000.0) as hall:
        game = await hall.seated(seed=3)
        watcher, valve = await watch_through_valve(hall, game, "stalled")
        await game.ready()
        await drain(watcher)
        connection = hall.server.clients.named("stalled").connection
        before = watcher.messages[-1]
        seen = before["first"] + len(before["events"]) - 1
        valve.shut()
        longest = 0
        for seed in range(moves):
            await play_some(game, 1, seed)
            longest = max(longest, connection.waiting)
        assert longest < 1000 + 3000  # the backlog, and the line that went over it
        valve.opened.set()
        await trio.sleep(2 * PAUSE)
        await drain(watcher)
        kinds = [m["type"] for m in watcher.messages if m["type"] in ("events", "snapshot")]
        assert kinds[-1] == resumed_by
        for message in watcher.messages[watcher.messages.index(before) + 1 :]:
            if message["type"] == "snapshot":
                assert message["view"] == game.referee.game.view(None)
                seen = message["number"]
            else:
                assert message["first"] == seen + 1
                seen += len(message["events"])
        assert seen == game.referee.audience.stream.number
        await game.play_on(dice(1))
        await watcher.until("end")


async def test_a_watcher_that_never_reads_is_dropped_and_a_player_at_its_side_is_not(
    tmp_path, autojump_clock
):  # S029
    async with open_hall(tmp_path, backlog=1000, handover=2.0) as hall:
        game = await hall.seated(seed=3)
        _, valve = await watch_through_valve(hall, game, "deaf")
        await game.ready()
        valve.shut()
        await play_some(game, 5)
        await trio.sleep(2.1)
        assert hall.server.clients.named("deaf") is None
        assert len(game.referee.audience.stream) == 0
        ends = await game.play_on(dice(1))
        assert ends[0]["reasons"] == ["normal", "normal"]


@pytest.mark.parametrize("crowd", [False, True])
async def test_a_watcher_that_cannot_be_told_is_sent_away_and_the_game_goes_on(
    autojump_clock, hall, monkeypatch, crowd
):
    """Whatever fails there is ours: else whoever loses could end a game by what makes it fail."""
    game = await hall.seated(seed=3)
    await game.ready()
    await play_some(game, 25)
    stream = game.referee.audience.stream
    sound = [await hall.login(f"sound-{n}") for n in range(AT_ONCE + 2 if crowd else 2)]
    for wire in sound:
        await wire.send("watch", game=game.id)
        await wire.until("snapshot")
    monkeypatch.setattr(streams, "table", lambda *_: 1 / 0)
    monkeypatch.setattr(streams, "FRESH", 0)
    with capture_logs() as logs:
        late = await hall.login("late")
        await late.send("watch", game=game.id)
        await late.until("bye", reason="server-fault")
        stream.watchers[hall.server.clients.named("sound-0").connection] = streams.NOWHERE
        await play_some(game, 5)
        await sound[0].until("bye", reason="server-fault")
    assert [log["event"] for log in logs if log["log_level"] == "error"] == ["watcher-fault"] * 2
    assert len(stream) == len(sound) - 1
    stream.watchers[hall.server.clients.named("sound-1").connection] = streams.NOWHERE
    game.referee.abort()
    for wire in sound[1], *game:
        await wire.until("end", why="aborted")


async def test_an_owner_that_cannot_be_told_is_sent_away_and_the_game_goes_on(
    autojump_clock, hall, monkeypatch
):
    game = await hall.seated(seed=3)
    await game.ready()
    eye = hall.connect()
    await eye.hello("player-1", look=True, resume=game[1].key)
    await eye.send("watch", game=game.id, seat=1)
    await eye.until("snapshot")
    audience = game.referee.audience
    monkeypatch.setattr(audience.eye(game.referee.seats[1]), "publish", lambda _: 1 / 0)
    await play_some(game, 5)
    await eye.until("bye", reason="server-fault")
    assert audience.watchers_of(game.referee.seats[1]) == []
    ends = await game.play_on(dice(1))
    assert ends[0]["reasons"] == ["normal", "normal"]
