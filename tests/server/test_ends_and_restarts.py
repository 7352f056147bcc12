"""The end of a game reaches its players though the server is killed or their connections are lost."""

from __future__ import annotations

import pytest
import trio

from protocol.messages import Clock
from tests.server.table import dice, open_hall
from tests.server.test_watchers import play_some


async def test_the_end_that_was_on_its_way_at_the_kill_is_told_by_the_next_server(tmp_path, autojump_clock):
    async with open_hall(tmp_path) as hall:
        game = await hall.seated()
        await game.ready()
        ends = await game.play_on(dice(1))
        await hall.login("passer-by")
    async with open_hall(tmp_path) as hall:
        back = await hall.resume(game[0])
        assert await back.expect("end") == ends[0]
        anew = await hall.login(game[1].name)  # who does not ask for the end may take the name again
        await anew.silent(0.1)


async def test_the_end_is_told_again_until_its_player_is_heard_of(tmp_path, autojump_clock):
    """A connection may be dead already when the server reads its `hello`; twice the server is killed as well."""
    async with open_hall(tmp_path) as hall:
        game = await hall.seated()
        await game.ready()
        ends = await game.play_on(dice(1))
    async with open_hall(tmp_path):
        pass
    kept = tmp_path / "seats" / f"{game.id}.json"
    async with open_hall(tmp_path) as hall:
        for wire, wanted in zip(game, ends, strict=True):
            dead = await hall.resume(wire)
            await dead.drop()
            back = await hall.resume(wire)
            assert await back.expect("end") == wanted
            assert kept.exists()
            await back.send("ping")
            await back.expect("pong")
        await trio.testing.wait_all_tasks_blocked()
        assert not kept.exists()
        await back.drop()
        assert hall.server.clients.named(back.name) is None


async def test_a_server_that_reveals_nothing_reveals_nothing_after_a_restart(
    tmp_path, autojump_clock
):  # S025
    async with open_hall(tmp_path, reveal=False) as hall:
        game = await hall.seated()
        await game.ready()
        (first, *_) = await game.play_on(dice(1))
        await hall.login("passer-by")
    assert (tmp_path / "games" / f"{game.id}.jsonl").stat().st_mode & 0o777 == 0o600
    async with open_hall(tmp_path, reveal=False) as hall:
        watcher = await hall.login("watcher")
        await watcher.send("watch", game=game.id)
        back = await hall.resume(game[0])
        for told in first, await watcher.until("end"), await back.expect("end"):
            assert told["places"] == list(game.record.result.places)
            assert not {"seed", "salt"} & set(told)


async def test_the_end_that_nobody_comes_back_for_is_forgotten(tmp_path, autojump_clock):
    async with open_hall(tmp_path) as hall:
        game = await hall.seated()
        await game.ready()
        await game.play_on(dice(1))
    async with open_hall(tmp_path, comeback=60.0) as hall:
        await trio.sleep(61)
        assert not list((tmp_path / "seats").iterdir())
        assert not len(hall.server.clients)


async def test_a_name_is_kept_for_the_game_that_runs_and_not_for_one_that_is_over(tmp_path, autojump_clock):
    """The same player, with another key than in the game before, of which the file is still there."""
    async with open_hall(tmp_path) as hall:
        over = await hall.seated()
        await over.ready()
        await over.play_on(dice(1))
        for wire in over:
            await wire.drop()
        running = await hall.seated()
        await running.ready()
    seats = tmp_path / "seats"
    (seats / f"{over.id}.json").rename(seats / "a.json")  # the first to be read
    record = tmp_path / "games" / f"{over.id}.jsonl"
    record.rename(record.with_name("a.jsonl"))
    async with open_hall(tmp_path) as hall:
        back = await hall.seated_again(running)
        for wire in back:
            await wire.until("snapshot", game=running.id)


@pytest.mark.parametrize("told", [True, False])
async def test_the_end_is_told_to_who_did_not_hear_it(tmp_path, autojump_clock, told):  # S022
    """The kill came between the last line of the record and the goodbyes."""
    async with open_hall(tmp_path) as hall:
        game = await hall.seated()
        seats = (
            (tmp_path / "seats" / f"{game.id}.json").read_text().replace('"started":false', '"started":true')
        )
        await game.ready()
        ends = await game.play_on(dice(1))
    (tmp_path / "seats" / f"{game.id}.json").write_text(seats)
    if not told:  # and the result was not written either
        record = tmp_path / "games" / f"{game.id}.jsonl"
        record.write_bytes(b"".join(record.read_bytes().splitlines(keepends=True)[:-1]))
    async with open_hall(tmp_path, comeback=60.0) as hall:
        watcher = await hall.login("watcher")
        await watcher.send("watch", game=game.id)
        await watcher.until("end", places=ends[0]["places"])
        await trio.sleep(50)
        back = await hall.resume(game[0])
        assert await back.expect("end") == ends[0]
        await trio.sleep(20)
        assert hall.server.clients.named(game[1].name) is None
        assert game.record.result.complete


async def test_the_end_of_a_game_is_kept_for_a_seat_that_is_away(tmp_path, autojump_clock):  # S022
    async with open_hall(tmp_path, resume=30.0) as hall:
        game = await hall.seated(3)
        await game.ready()
        await play_some(game, 3)
        idle = next(seat.number for seat in game.referee.seats if seat.request is None)
        await game[idle].drop()
        game.referee.abort()
        back = await hall.resume(game[idle])
        await back.expect("end", game=game.id, why="aborted")


@pytest.mark.parametrize(("stall", "suspect"), [(0.9, None), (1.1, True)])
async def test_game_in_which_the_killed_server_stood_still_too_long_is_suspect_at_its_end(
    tmp_path, autojump_clock, stall, suspect
):  # S033
    async with open_hall(tmp_path, suspect=1.0) as hall:
        hall.nursery.start_soon(hall.server.lag.run)
        await trio.testing.wait_all_tasks_blocked()
        game = await hall.seated(clock=Clock(move=100.0))
        await game.ready()
        await trio.sleep(0.2)
        autojump_clock.jump(stall)
        await play_some(game, 1)
    async with open_hall(tmp_path, suspect=1.0) as hall:
        game = await hall.seated_again(game)
        ends = await game.play_on(dice(1))
        assert [end.get("suspect") for end in ends] == [suspect] * 2
        assert game.record.result.suspect is bool(suspect)
