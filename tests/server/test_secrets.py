"""What a seat or a watcher may not know does not come over its wire, in no message and in no order."""

from __future__ import annotations

import json
import random

import pytest
import trio
from structlog.testing import capture_logs

from arena.game import Game, Options
from arena.picture import table
from arena.server.metrics import exposition
from protocol.messages import Clock
from tests.server.table import dice, open_hall
from tests.server.test_answers import to_kind

SLOW = Clock(move=20.0)


def cards_in(text: bytes, ids: set[str]) -> set[str]:
    """The card ids that stand anywhere in a line, at any depth, in any key or text."""
    found = set()

    def walk(value: object) -> None:
        if isinstance(value, dict):
            for key, inner in value.items():
                walk(key)
                walk(inner)
        elif isinstance(value, list):
            for inner in value:
                walk(inner)
        elif isinstance(value, str):
            for word in value.replace("+", ":").replace("@", ":").replace("*", ":").split(":"):
                if word in ids:
                    found.add(word)

    walk(json.loads(text))
    return found


class Tracker:
    """Which cards a seat has legitimately met, kept from the true state, without the core's own knowledge."""

    def __init__(self, game: Game, seat: int | None) -> None:
        self.game = game
        self.seat = seat
        self.met: set[int] = set()

    def look(self) -> set[str]:
        """Cards that lie, or have lain, in the seat's hand or where all see them; told cards count too."""
        game = self.game
        hidden = set(game.pile)
        for player in game.players:
            if player.seat != self.seat:
                hidden |= set(player.hand)
        self.met |= set(range(1, len(game.catalogue.ids))) - hidden
        for event in game.events:
            told = {
                **event.public,
                **((event.private or {}).get(self.seat, {}) if self.seat is not None else {}),
            }
            self.met |= {
                game.catalogue.number_of[word]
                for word in cards_in(json.dumps(told).encode(), set(game.catalogue.number_of))
            }
        return {game.catalogue.ids[card] for card in self.met}


@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_s024_s025_s028_no_line_names_a_card_before_its_receiver_may_know_it(
    tmp_path, autojump_clock, seed
):  # S024, S025, S028
    """Whole games with resumes in between; every line to seat 1 and to a watcher is searched at every depth."""
    async with open_hall(tmp_path) as hall:
        game = await hall.seated(3, seed=seed)
        core = game.referee.game
        ids = set(core.catalogue.number_of)
        trackers = {1: Tracker(core, 1), None: Tracker(core, None)}
        watcher = await hall.login("watcher")
        await watcher.send("watch", game=game.id)
        await watcher.until("snapshot")
        searched = 0
        choose = dice(seed)
        await game.ready(samples=False)
        wires = {1: game[1], None: watcher}
        seen = {1: 0, None: 0}
        while hall.server.games:
            await trio.testing.wait_all_tasks_blocked()
            for who, tracker in trackers.items():
                allowed = tracker.look()
                await drain(wires[who])
                for line in wires[who].lines[seen[who] :]:
                    searched += 1
                    assert cards_in(line, ids) <= allowed, line
                seen[who] = len(wires[who].lines)
            if core.over:
                break
            if searched % 7 == 0:
                wires[1] = game.wires[1] = await hall.resume(game[1])
                seen[1] = 0
            seat = next(s for s in game.referee.seats if s.request is not None)
            option = choose({"options": seat.request.texts})
            await game[seat.number].send("move", game=game.id, id=seat.request.id, choice=option)
        assert searched > 100


async def drain(wire) -> None:
    """Read what has come."""
    with trio.move_on_after(0.001):
        while True:
            await wire.next()


@pytest.mark.parametrize("seed", range(4))
async def test_all_that_a_seat_is_told_stays_the_same_when_what_it_cannot_know_is_shuffled(
    tmp_path, autojump_clock, seed
):  # S025
    """At random points of a game: requests, snapshots and events as bytes, from the game and from samples."""
    rng = random.Random(seed)
    async with open_hall(tmp_path) as hall:
        game = await hall.seated(3, seed=seed)
        await game.ready()
        audience, core = game.referee.audience, game.referee.game
        compared = 0
        while not core.over:
            await trio.testing.wait_all_tasks_blocked()
            seat = next(s for s in game.referee.seats if s.request is not None)
            if rng.random() < 0.2 and not core.together:
                asked = audience.request(seat, seat.request, 1.0, 1.0)
                views = [core.view(s) for s in range(3)]
                for other in range(3):
                    twin = core.sample(other, rng.getrandbits(32))
                    audience._game = twin
                    if other == seat.number:
                        assert audience.request(seat, seat.request, 1.0, 1.0) == asked
                        texts = twin.decision(other).texts(twin.catalogue)
                        assert texts == seat.request.texts
                    assert json.dumps(twin.view(other)) == json.dumps(views[other])
                    compared += 1
                audience._game = core
            choice = rng.randrange(len(seat.request.texts))
            await game[seat.number].send("move", game=game.id, id=seat.request.id, choice=choice)
            await trio.testing.wait_all_tasks_blocked()
        assert compared > 20


async def test_s026_no_bid_shows_anywhere_before_the_last_one_is_in(tmp_path, autojump_clock):  # S026
    async with open_hall(tmp_path) as hall:
        game = await hall.seated(4, seed=2, clock=SLOW)
        watcher = await hall.login("watcher")
        await watcher.send("watch", game=game.id)
        await game.ready()
        await to_kind(game, "bid", dice(5))
        bidders = [seat.number for seat in game.referee.seats if seat.request is not None]
        assert len(bidders) > 1
        first = game.referee.seats[bidders[0]].request
        for wire in [*game, watcher]:
            await drain(wire)
        with capture_logs() as logs:
            await game[bidders[0]].send("move", game=game.id, id=first.id, choice=len(first.texts) - 1)
            for wire in [*game, watcher]:
                await wire.silent(1.0)
        assert logs == []
        assert (
            exposition(hall.server).count(b"\narena_choices_total 0.0") == 1
        )  # that it has bid shows nowhere
        views = []
        for seat in bidders[1:]:  # neither does a resumed seat see it, nor who comes to watch
            game.wires[seat] = await hall.resume(game[seat])
            views.append((await game[seat].until("snapshot"))["view"])
        late = await hall.login("late")
        await late.send("watch", game=game.id)
        views.append((await late.until("snapshot"))["view"])
        assert not any(first.texts[-1] in json.dumps(view["players"]) for view in views)
        for seat in bidders[1:]:
            request = game.referee.seats[seat].request
            await game[seat].send("move", game=game.id, id=request.id, choice=0)
        events = await watcher.until("events")
        assert first.texts[-1].partition("*")[2] in json.dumps(events)


async def test_s027_a_seated_bot_watches_its_own_game_on_another_connection_with_public_eyes_only(
    tmp_path, autojump_clock
):  # S027
    async with open_hall(tmp_path) as hall:
        game = await hall.seated()
        await game[0].send("watch", game=game.id)
        await game[0].expect("error", code="already-watching", game=game.id)
        await game.ready()
        spy = await hall.login("spy of player-0")
        await spy.send("watch", game=game.id)
        start = await spy.expect("start")
        assert "seat" not in start
        view = (await spy.expect("snapshot"))["view"]
        assert "hand" not in view
        assert view == game.referee.game.view(None)


# Being asked can be a secret (Q98).


def secret_moment() -> tuple[int, list[tuple[int, int]], int]:
    """A seed and choices after which a seat is asked in secret, and that seat."""
    for seed in range(200):
        game = Game.new(Options(players=3, sets=("kickstarter", "kickstarter2", "flag")), seed)
        rng = random.Random(seed)
        made: list[tuple[int, int]] = []
        while not game.over and len(made) < 150:
            if game.asking[0].secret and made:
                return seed, made, game.asking[0].seat
            seat = game.to_act[0]
            made.append((seat, rng.randrange(len(game.decision(seat).options))))
            game.choose(*made[-1])
    raise AssertionError("no game in 200 asks anybody in secret")


@pytest.fixture
async def asked_in_secret(tmp_path, autojump_clock):
    """A game at its secret moment: the seats, the seat that is asked, and a watcher from the start."""
    seed, made, asked = secret_moment()
    async with open_hall(tmp_path) as hall:
        rules = {"sets": ("kickstarter", "kickstarter2", "flag")}
        game = await hall.seated(3, seed=seed, rules=rules, clock=SLOW)
        watcher = await hall.login("watcher")
        await watcher.send("watch", game=game.id)
        await game.ready()
        for seat, choice in made[:-1]:
            request = game.referee.seats[seat].request
            await game[seat].send("move", game=game.id, id=request.id, choice=choice)
            await trio.testing.wait_all_tasks_blocked()
        for wire in [*game, watcher]:
            await drain(wire)
        seat, choice = made[-1]
        request = game.referee.seats[seat].request
        await game[seat].send("move", game=game.id, id=request.id, choice=choice)
        await trio.testing.wait_all_tasks_blocked()
        assert game.referee.game.asking[0].secret
        yield hall, game, asked, watcher


def told_last() -> Game:
    """The game of `asked_in_secret` before the choice after which a seat is asked in secret."""
    seed, made, _ = secret_moment()
    game = Game.new(Options(players=3, sets=("kickstarter", "kickstarter2", "flag")), seed)
    for seat, choice in made[:-1]:
        game.choose(seat, choice)
    return game


async def test_who_is_asked_in_secret_is_seen_by_nobody(autojump_clock, asked_in_secret):
    hall, game, asked, watcher = asked_in_secret
    request = await game[asked].until("request")
    number = game.referee.audience.stream.number
    others = [wire for wire in game if wire is not game[asked]]
    for wire in [*others, watcher]:
        await wire.silent(5.0)
    late = await hall.login("late")
    await late.send("watch", game=game.id)
    await late.expect("start")
    before = told_last()
    seen = await late.expect("snapshot", number=number, view=table(before, None))  # as before the last choice
    assert (seen["asked"]["kind"], seen["asked"]["seats"]) == (before.asking[0].kind, list(before.to_act))
    assert seen["asked"]["age"] >= 5.0  # the time of the last event, as all others know it
    place = game.wires.index(others[0])
    back = await hall.resume(others[0])
    await back.expect("start")
    await back.expect("snapshot", number=number, view=before.view(place))
    for wire in late, back:
        await wire.silent(1.0)
    await late.send("list")
    assert (await late.expect("games"))["games"][0]["number"] == number
    game.wires[place] = back
    await game[asked].move(request)
    while game.referee.audience._confidant is not None:
        await trio.testing.wait_all_tasks_blocked()
        seat = next(s for s in game.referee.seats if s.request is not None)
        await game[seat.number].send("move", game=game.id, id=seat.request.id, choice=0)
        await trio.testing.wait_all_tasks_blocked()
    await watcher.expect("events", first=number + 1)
    await late.expect("events", first=number + 1)
    assert late.lines[-1] == watcher.lines[-1]
    await back.expect("events", first=number + 1)
    await game.play_on(dice(1))
    for wire in [game[asked], others[1], watcher]:
        gapless(wire, 1)
    for wire in [back, late]:
        gapless(wire, number + 1)


async def test_who_is_asked_in_secret_at_the_deal_is_seen_by_nobody(tmp_path, autojump_clock):
    """The game looks as if somebody were not ready."""
    rules = {"sets": ("kickstarter", "kickstarter2", "flag")}
    seed = next(s for s in range(2000) if Game.new(Options(players=6, **rules), s).asking[0].secret)
    async with open_hall(tmp_path) as hall:
        game = await hall.seated(6, seed=seed, rules=rules, clock=SLOW)
        early, late = await hall.login("early"), await hall.login("late")
        await early.send("watch", game=game.id)
        await early.expect("start")
        await early.expect("snapshot")
        await game.ready()
        (asked,) = game.referee.game.to_act
        assert game.referee.game.asking[0].secret
        await trio.sleep(1)
        place = (asked + 1) % 6
        await game[place].send("move", game=game.id, id=1, choice=0)
        await game[place].until("error", code="not-started")
        game.wires[place] = await hall.resume(game[place])
        await game[place].expect("start")
        await game[place].silent(1)
        await late.send("watch", game=game.id)
        await late.expect("start")
        await late.expect("snapshot")
        assert late.lines[-2:] == early.lines[-2:]
        await early.silent(1)
        await game.play_on(dice(1))
        gapless(game[place], 1)


async def test_who_was_asked_in_secret_and_comes_back_gets_all_at_once(autojump_clock, asked_in_secret):
    hall, game, asked, watcher = asked_in_secret
    number = game.referee.audience.stream.number
    await game[asked].drop()
    await watcher.silent(1.0)
    game.wires[asked] = back = await hall.resume(game[asked])
    await back.expect("start")
    snapshot = await back.expect("snapshot")
    assert snapshot["number"] >= number
    await back.until("request")
    await back.move(back.messages[-1])
    await game.play_on(dice(1))
    gapless(back, snapshot["number"] + 1)
    gapless(watcher, 1)


def gapless(wire, first: int) -> None:
    """The events of a wire are numbered one by one."""
    for message in wire.messages:
        if message["type"] == "events":
            assert message["first"] == first, message
            first += len(message["events"])


async def test_events_have_the_same_numbers_for_all(tmp_path, autojump_clock):
    async with open_hall(tmp_path) as hall:
        game = await hall.seated(3, seed=4)
        watcher = await hall.login("watcher")
        await watcher.send("watch", game=game.id)
        await game.ready()
        await game.play_on(dice(4))
        await drain(watcher)
        kinds = []
        for wire in [*game, watcher]:
            gapless(wire, 1)
            kinds.append([e["event"] for m in wire.messages if m["type"] == "events" for e in m["events"]])
    assert kinds[0] == kinds[1] == kinds[2] == kinds[3]
