"""Films of games that are played and of records: how they grow, when they are released, and that they are bounded."""

from __future__ import annotations

import json
import os
import time

import pytest
import trio

from arena.web import WebConfig
from arena.web.overview import Overview
from arena.web.shelf import FRESH, Growing, Shelf, is_fresh
from arena.web.theatre import Full, Secret, Showing, Theatre, Unknown
from arena.web.viewpoints import EVERYTHING, PUBLIC, Viewpoint
from protocol.messages import Clock
from tests.records.recorded import begun, whole
from tests.server.table import dice, open_hall
from tests.server.test_secrets import asked_in_secret, told_last
from tests.server.test_watchers import play_some
from tests.web.harbour import views_of

__all__ = ["asked_in_secret"]


@pytest.fixture
async def hall(tmp_path, autojump_clock):
    async with open_hall(tmp_path) as hall:
        yield hall


def theatre(hall, shelf=None, **settings) -> Theatre:
    shelf = shelf or Shelf(hall.server.folder)
    return Theatre(WebConfig(**settings), hall.nursery, shelf, hall.server.games)


async def caught_up(showing: Showing) -> None:
    """Wait until the film shows what there is."""
    await trio.sleep(1.0)
    await trio.testing.wait_all_tasks_blocked()


async def finished(showing: Showing) -> None:
    while not showing.finished:
        await showing.grown()


async def test_film_of_a_live_game_grows_with_it_and_shows_the_public_view(autojump_clock, hall):
    game = await hall.seated(3, seed=3, rules={"sets": ("capital",)})
    stage = theatre(hall)
    showing = stage.open(game.id, PUBLIC)
    await caught_up(showing)
    assert showing.status == "waiting"  # S069
    await game.ready()
    for moves in (20, 20, 40):
        await play_some(game, moves, seed=moves)
        await caught_up(showing)
        assert showing.status == "live"
        audience = game.referee.audience
        assert json.loads(showing.moments[-1])["event"] == audience.stream.number
        shown = views_of(showing.moments)[-1]
        assert shown == json.loads(json.dumps(PUBLIC.view(audience.stream.shown)))
    await game.play_on(dice(1))
    await finished(showing)
    assert showing.status == "over"
    assert showing.result is not None
    assert showing.result.places == showing_places(showing)


async def test_list_tells_of_a_game_what_its_stream_has_told(autojump_clock, asked_in_secret):  # Q98
    """Neither what has happened since, nor that there is something to hide."""
    hall, _, _, watcher = asked_in_secret
    stage = Overview(WebConfig(port=0), Shelf(hall.server.folder), hall.server.games, lambda: ())
    await trio.testing.wait_all_tasks_blocked()
    (listed,) = stage._list([]).live
    before = told_last()
    assert listed.credits == tuple(player.credits for player in before.players)
    assert (listed.status, listed.turn) == ("live", before.turn)
    told = [event for m in watcher.messages if m["type"] == "events" for event in m["events"]]
    assert listed.events == len(told)
    assert listed.turn == [event["turn"] for event in told if event["event"] == "turn"][-1]


def showing_places(showing: Showing) -> tuple[int, ...]:
    return tuple(views_of(showing.moments)[-1]["result"]["places"])


async def test_film_of_the_record_is_that_of_the_live_game(autojump_clock, hall):
    game = await hall.seated(2, seed=5)
    live = theatre(hall).open(game.id, PUBLIC)
    await game.ready()
    await game.play_on(dice(2))
    await finished(live)
    record = theatre(hall).open(game.id, PUBLIC)
    await finished(record)
    assert record.moments == live.moments


async def test_what_is_not_public_is_refused_while_the_game_is_played(autojump_clock, hall):  # S027
    game = await hall.seated(2, seed=5)
    await game.ready()
    stage = theatre(hall)
    for viewpoint in (EVERYTHING, Viewpoint(seat=0), Viewpoint(seat=1)):
        with pytest.raises(Secret, match=r"when the game .* is over; take the view public"):
            stage.open(game.id, viewpoint)
    assert stage.views(game.referee.header) == ("public",)
    await game.play_on(dice(2))
    showing = stage.open(game.id, EVERYTHING)
    await finished(showing)
    assert views_of(showing.moments)[0]["hands"]
    assert stage.views(showing.header) == ("public", "seat-0", "seat-1", "everything")


async def test_everything_is_shown_by_the_delay_later_and_not_a_moment_earlier(autojump_clock, hall):  # S027
    game = await hall.seated(2, seed=5, clock=Clock(move=1000.0))
    await game.ready()
    stage = theatre(hall, reveal_after=30.0)
    showing = stage.open(game.id, EVERYTHING)
    made_at = []
    start = trio.current_time()
    for number in range(12):
        await play_some(game, 1, seed=number)
        made_at.append(trio.current_time() - start)
        await trio.sleep(0.5)
        assert len(showing.moments) == 1  # the deal alone: nothing is due
    for number, at in enumerate(made_at, 1):
        await trio.sleep(start + at + 29.9 - trio.current_time())
        await trio.testing.wait_all_tasks_blocked()
        assert len(showing.moments) <= number
        await trio.sleep(0.3)
        assert len(showing.moments) >= number + 1


async def test_unfinished_record_of_another_server_shows_what_is_public_alone(
    autojump_clock, hall, tmp_path
):  # S027
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    begun(folder / "g1.jsonl", 40)
    os.utime(folder / "g1.jsonl", (0, 0))
    stage = theatre(hall, Shelf(folder))
    with pytest.raises(Secret):
        stage.open("g1", EVERYTHING)
    showing = stage.open("g1", PUBLIC)
    await finished(showing)
    assert (showing.status, showing.result) == ("broken", None)
    assert showing.problem is not None
    assert "without a result" in showing.problem
    assert len(showing.moments) > 5


async def test_record_that_another_server_writes_is_followed(autojump_clock, hall, tmp_path):
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    whole(folder / "whole.jsonl")
    lines = (folder / "whole.jsonl").read_bytes().splitlines(keepends=True)
    path = folder / "g1.jsonl"
    path.write_bytes(b"".join(lines[:40]))
    showing = theatre(hall, Shelf(folder)).open("g1", PUBLIC)
    await caught_up(showing)
    assert showing.status == "live"
    before = len(showing.moments)
    with path.open("ab") as file:
        file.write(b"".join(lines[40:-1]) + lines[-1][:20])
    await caught_up(showing)
    assert len(showing.moments) > before
    assert showing.status == "live"
    with path.open("ab") as file:
        file.write(lines[-1][20:])
    await finished(showing)
    assert showing.status == "over"


@pytest.mark.parametrize(("ahead", "fresh"), [(0, True), (-3600, False), (3600, False), (365 * 86400, False)])
def test_record_of_a_clock_that_was_set_back_is_not_waited_for(ahead, fresh):
    assert is_fresh(time.time() + ahead) is fresh


def test_record_is_followed_on_though_the_clock_is_set(tmp_path, monkeypatch):
    path = whole(tmp_path / "g1.jsonl")
    seconds = 0.0
    growing = Growing(path, lambda: seconds)
    assert growing.may_go_on()
    for day in (86_400, -86_400):
        monkeypatch.setattr(time, "time", lambda day=day: path.stat().st_mtime + day)
        assert growing.may_go_on()
    seconds = FRESH - 1
    assert growing.may_go_on()
    os.utime(path, (0, 0))  # it was written to by the new time
    assert growing.may_go_on()
    seconds = 2 * FRESH
    assert not growing.may_go_on()
    path.unlink()
    assert not growing.may_go_on()


async def test_changed_record_is_shown_up_to_the_change(autojump_clock, hall, tmp_path):
    folder = tmp_path / "records"
    folder.mkdir()
    path = whole(folder / "g1.jsonl")
    lines = path.read_bytes().splitlines(keepends=True)
    lines[50] = lines[50].replace(b'"seat":0', b'"seat":1').replace(b'"n":', b'"n":1')
    path.write_bytes(b"".join(lines))
    showing = theatre(hall, Shelf(folder)).open("g1", PUBLIC)
    await finished(showing)
    assert showing.status == "broken"
    assert showing.problem == "the record is not sound; `arena verify` says why"


@pytest.mark.parametrize("game", ["g2", "../g1", "g1.jsonl", "", "g1/..", "x" * 300, "\x00"])
async def test_what_is_no_game_is_not_found(autojump_clock, hall, tmp_path, game):  # S073
    folder = tmp_path / "records"
    folder.mkdir()
    whole(folder / "g1.jsonl")
    (folder / "secret.jsonl").symlink_to("/etc/passwd")
    await trio.lowlevel.checkpoint()
    with pytest.raises(Unknown):
        theatre(hall, Shelf(folder)).open(game, PUBLIC)
    with pytest.raises(Unknown):
        theatre(hall, Shelf(folder)).open("secret", PUBLIC)


async def test_finished_films_make_room_and_watched_ones_do_not(autojump_clock, hall, tmp_path):
    folder = tmp_path / "records"
    folder.mkdir()
    whole(folder / "g1.jsonl")
    stage = theatre(hall, Shelf(folder), films=2)
    first = stage.open("g1", PUBLIC)
    second = stage.open("g1", EVERYTHING)
    await finished(first)
    await finished(second)
    with pytest.raises(Full):
        stage.open("g1", Viewpoint(seat=0))
    stage.leave(first)
    stage.open("g1", Viewpoint(seat=0))
    assert len(stage) == 2
    assert stage.viewers == 2


async def test_film_of_a_live_game_is_not_made_for_nobody(autojump_clock, hall):
    game = await hall.seated(2, seed=5)
    await game.ready()
    stage = theatre(hall)
    showing = stage.open(game.id, PUBLIC)
    await caught_up(showing)
    stage.leave(showing)
    assert len(stage) == 0
    assert stage.viewers == 0


async def test_record_cannot_be_longer_than_there_is_room_for(autojump_clock, hall, tmp_path):
    folder = tmp_path / "records"
    folder.mkdir()
    whole(folder / "g1.jsonl")
    showing = theatre(hall, Shelf(folder), film_bytes=4 * 20_000).open("g1", EVERYTHING)
    await finished(showing)
    assert showing.status == "broken"
    assert showing.size < 40_000
