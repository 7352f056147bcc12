"""Runs: schedule minus stored, whatever stops them and whatever fails in them."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from programs import marked, pids, playing, tournament

from clients import bridge
from tournaments.config import Tournament
from tournaments.entrants import Entrant
from tournaments.ratings import live
from tournaments.report import of_tournament
from tournaments.run import TRIES, Audience, Progress, blocks_to_play, run, start_progress
from tournaments.schedules import pairings
from tournaments.store import GAMES, Played, Store, StoreError
from tournaments.unplayed import FILE
from tournaments.void import void as make_void
from tournaments.void import voids
from tournaments.worker import Problem, play_block

CLOCK = count()  # microseconds
Blocks = Callable[..., tuple[list[Played], list[Problem]]]


class Here(Executor):
    """Plays blocks at once, in the given way."""

    def __init__(self, way: Blocks) -> None:
        self.way = way
        self.blocks: list[str] = []

    def submit(self, function: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        assert function is play_block
        what, block = args
        self.blocks.append(block[0].block)
        future: Future[Any] = Future()
        try:
            future.set_result(self.way(what, block))
        except (BrokenProcessPool, RuntimeError) as error:
            future.set_exception(error)
        return future


def won(what: Tournament, block: Any) -> tuple[list[Played], list[Problem]]:
    """As if the first seat had won each game, one after the other."""
    return [
        Played(
            each.id,
            each.block,
            each.seed,
            each.seating,
            (1, 2),
            (9, 0),
            ("normal", "normal"),
            "games/x",
            started=f"2026-01-31T12:00:00.{next(CLOCK):06}Z",
        )
        for each in block
    ], []


def field(folder: Path, blocks: int = 2) -> Tournament:
    return tournament(folder, playing("Ada"), playing("Bo"), playing("Cy"), blocks=blocks)


@contextmanager
def stored(what: Tournament) -> Iterator[Store]:
    with Store(what.folder) as store:
        store.belongs_to(what.settings())
        yield store


def test_all_games_are_played_stored_and_told_in_this_order(tmp_path: Path) -> None:  # S041
    what = field(tmp_path)
    told: list[str] = []
    with stored(what) as store:

        def result(progress: Progress, played: Played) -> None:
            assert played in list(store.games())
            told.append(f"{progress.done} of {progress.total}")

        run(what, store, executor=Here(won), audience=Audience(result))
        assert told == [f"{number} of 12" for number in range(1, 13)]
        assert store.ids() == {pairing.id for pairing in pairings(what.schedule())}


def test_live_elo_is_the_one_of_the_ratings(tmp_path: Path) -> None:
    what = field(tmp_path)
    with stored(what) as store:
        assert set(start_progress(what, store).live.values()) == {1500.0}
        progress = run(what, store, executor=Here(won))
        assert progress.live == live(played.result() for played in store.games())
        assert start_progress(what, store).live == progress.live


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_stopped_run_goes_on_with_the_next_number(
    tmp_path: Path, number: signal.Signals
) -> None:  # S040, S043
    what = field(tmp_path, blocks=5)
    told: list[int] = []

    def stop_after_14(progress: Progress, played: Played) -> None:
        told.append(progress.done)
        if progress.done in (14, 15):  # a second signal changes nothing
            os.kill(os.getpid(), number)

    with stored(what) as store:
        progress = run(what, store, executor=Here(won), audience=Audience(stop_after_14))
        assert progress.stopped == number
        assert 14 <= progress.done < 30
        first = progress.done
        assert start_progress(what, store).done == first
        again = Here(won)
        progress = run(what, store, executor=again, audience=Audience(lambda now, _: told.append(now.done)))
        assert progress.stopped is None
    assert told == list(range(1, 31))
    assert len(again.blocks) == 15 - first // 2


def test_full_disk_ends_the_run_and_makes_nothing_void(tmp_path: Path) -> None:
    what = replace(field(tmp_path), format="swiss")
    full = Here(lambda *_: ([], [Problem("it cannot be recorded; make room and start again", stops=True)]))
    with stored(what) as store:
        with pytest.raises(StoreError, match="make room"):
            run(what, store, executor=full)
        assert not store.ids()
        assert not list(voids(what.folder))
        assert run(what, store, executor=Here(won)).done == what.schedule().total


def test_what_the_last_run_could_not_play_is_in_its_report_and_gone_with_the_next(tmp_path: Path) -> None:
    what = field(tmp_path)
    with stored(what) as store:
        run(what, store, executor=Here(lambda *_: ([], [Problem("Ada did not come", "Ada")])))
        (row, *others) = [row for row in of_tournament(store).for_programs() if "unplayed" in row]
        assert (row["name"], row["unplayed"]) == ("Ada", {"games": 12, "why": "Ada did not come"})
        assert not others
        run(what, store, executor=Here(won))
        assert of_tournament(store).gaps == []
        (what.folder / FILE).write_text("[{}]")
        with pytest.raises(StoreError, match="does not say what could not be played"):
            of_tournament(store)


def test_missing_part_of_a_block_is_what_is_played(tmp_path: Path) -> None:
    what = field(tmp_path, blocks=1)
    first, second, *_ = pairings(what.schedule())
    with stored(what) as store:
        store.add(won(what, [first])[0][0])
        blocks = list(blocks_to_play(what.schedule(), store.ids(), ()))
    assert blocks[0] == [second]
    assert [len(block) for block in blocks] == [1, 2, 2]


def test_more_blocks_go_on_with_the_same_results(tmp_path: Path) -> None:
    with stored(field(tmp_path, blocks=1)) as store:
        run(field(tmp_path, blocks=1), store, executor=Here(won))
    with stored(field(tmp_path, blocks=2)) as store:
        assert (start := start_progress(field(tmp_path, blocks=2), store)).done == 6
        assert start.total == 12
        assert len(list(blocks_to_play(field(tmp_path, blocks=2).schedule(), store.ids(), ()))) == 3


def test_games_that_are_no_longer_scheduled_are_not_counted_as_done(tmp_path: Path) -> None:
    with stored(field(tmp_path, blocks=2)) as store:
        run(field(tmp_path, blocks=2), store, executor=Here(won))
        assert start_progress(field(tmp_path, blocks=1), store).done == 6


def test_block_that_is_not_played_stops_no_other(tmp_path: Path) -> None:
    what = field(tmp_path)
    bad = next(iter(pairings(what.schedule()))).block

    def way(what: Tournament, block: Any) -> tuple[list[Played], list[Problem]]:
        return ([], [Problem("Bo did not come", "Bo")]) if block[0].block == bad else won(what, block)

    heard: list[str] = []
    with stored(what) as store:
        progress = run(what, store, executor=Here(way), audience=Audience(problem=heard.append))
        assert (progress.done, progress.total) == (10, 12)
        assert progress.problems == heard == ["Bo did not come"]
        assert run(what, store, executor=Here(won)).done == 12


def test_fault_of_ours_in_a_block_stops_no_other(tmp_path: Path) -> None:
    what = field(tmp_path)
    bad = next(iter(pairings(what.schedule()))).block

    def way(what: Tournament, block: Any) -> tuple[list[Played], list[Problem]]:
        if block[0].block == bad:
            raise RuntimeError("oops")
        return won(what, block)

    with stored(what) as store:
        progress = run(what, store, executor=Here(way))
    assert progress.done == 10
    assert progress.problems == [f"the block {bad} failed with RuntimeError, which is told above"]


@pytest.mark.parametrize("error", [BrokenProcessPool, RuntimeError])
@pytest.mark.parametrize(("deaths", "done"), [(1, 12), (TRIES - 1, 12), (TRIES, 10)])
def test_block_that_the_machine_broke_is_tried_again(
    tmp_path: Path, deaths: int, done: int, error: type[Exception]
) -> None:
    what = field(tmp_path)
    bad = next(iter(pairings(what.schedule()))).block
    died = 0

    def way(what: Tournament, block: Any) -> tuple[list[Played], list[Problem]]:
        nonlocal died
        if block[0].block == bad and died < deaths:
            died += 1
            raise error
        return won(what, block)

    with stored(what) as store:
        progress = run(what, store, executor=Here(way))
    assert progress.done == done
    assert len(progress.problems) == (done < 12)


def test_index_that_cannot_be_written_stops_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(store: Store, played: Played) -> bool:
        raise StoreError("the index cannot be written")

    monkeypatch.setattr(Store, "add", full)
    what = field(tmp_path)
    with stored(what) as store, pytest.raises(StoreError):
        run(what, store, executor=Here(won))


# Schedules that wait for results


def cup(folder: Path, format: str = "knockout", entrants: int = 4) -> Tournament:
    return tournament(
        folder, *(playing(name) for name in ("Ada", "Bo", "Cy", "Dee")[:entrants]), format=format
    )


@pytest.mark.parametrize("format", ["knockout", "double-knockout", "swiss"])
def test_rounds_are_played_until_none_is_left(tmp_path: Path, format: str) -> None:
    what = cup(tmp_path, format)
    with stored(what) as store:
        progress = run(what, store, workers=2, executor=Here(decided))
        ids = [played.id for played in store.games()]
        results = [played.result() for played in store.games()]
        assert set(ids) == {each.id for each in pairings(what.schedule(), results)}
        assert len(ids) == progress.done == start_progress(what, store).done
        assert progress.total == what.schedule().total
        assert progress.given_up == 0
        again = Here(decided)
        assert run(what, store, executor=again).done == progress.done
        assert again.blocks == []


def decided(what: Tournament, block: Any) -> tuple[list[Played], list[Problem]]:
    """As if the first in the alphabet had won each game."""
    games, _ = won(what, block)
    places = [tuple(1 + sorted(game.entrants).index(name) for name in game.entrants) for game in games]
    return [replace(game, places=each) for game, each in zip(games, places, strict=True)], []


def test_entrant_that_never_comes_is_waited_for_three_times_and_then_void(tmp_path: Path) -> None:  # S039
    what = cup(tmp_path)

    def way(what: Tournament, block: Any) -> tuple[list[Played], list[Problem]]:
        if "Ada" in block[0].seating:
            return [], [Problem("Ada did not come", "Ada")]
        return decided(what, block)

    places = Here(way)
    heard: list[str] = []
    with stored(what) as store:
        progress = run(what, store, executor=places, audience=Audience(problem=heard.append))
        games = list(store.games())
        void = [played for played in games if not played.result().rated]
        assert places.blocks.count(void[0].block) == TRIES
        assert {each.record for each in void} == {f"games/{each.id}.void" for each in void}
        assert all((what.folder / each.record).is_file() for each in void)
        assert heard == ["Ada did not come"]
        assert progress.given_up == 2
        assert "Ada" not in live(played.result() for played in games)
        final = next(played for played in reversed(games) if played.result().rated)
        assert set(final.entrants) == {"Bo", "Dee"}  # Dee came, and so goes through


def test_stored_game_is_not_handed_out_again_with_the_rest_of_its_block(tmp_path: Path) -> None:
    what = cup(tmp_path, entrants=2)
    tries: list[list[str]] = []

    def way(what: Tournament, block: Any) -> tuple[list[Played], list[Problem]]:
        tries.append([each.id for each in block])
        games, _ = decided(what, block)
        return (games[:1], [Problem("Bo did not come", "Bo")]) if len(tries) == 1 else (games, [])

    first, second = list(pairings(what.schedule()))[:2]
    with stored(what) as store:
        assert run(what, store, executor=Here(way)).given_up == 0
    assert tries == [[first.id, second.id], [second.id]]


def test_ladder_tells_how_many_pairs_are_open_as_its_games_grow(tmp_path: Path) -> None:
    heard: list[tuple[int, int]] = []

    def way(what: Tournament, block: Any) -> tuple[list[Played], list[Problem]]:
        """Ada is better than Bo, and Bo than Cy."""
        games, _ = won(what, block)
        return [
            replace(each, places=(1, 2) if each.entrants[0] < each.entrants[1] else (2, 1)) for each in games
        ], []

    what = replace(field(tmp_path, blocks=40), format="ladder")
    with stored(what) as store:
        progress = run(
            what, store, executor=Here(way), audience=Audience(ladder=lambda *told: heard.append(told))
        )
    assert heard[0] == (2, 2)
    assert heard[-1][0] < 2
    assert len(heard) < progress.done / 2


def test_void_game_of_a_killed_run_is_taken_over(tmp_path: Path) -> None:
    """Its file is there, and the index does not know of it."""
    what = cup(tmp_path)
    first, second = list(pairings(what.schedule()))[:2]
    assert first.block == second.block
    for pairing in (first, second):
        make_void(what.folder, pairing, {first.seating[1]}, "did not come")
    with stored(what) as store:
        places = Here(decided)
        run(what, store, executor=places)
        assert first.block not in places.blocks
        assert set(voids(what.folder)) <= set(store.games())


def test_broken_file_of_a_void_game_is_named(tmp_path: Path) -> None:
    what = cup(tmp_path)
    (what.folder / GAMES).mkdir(parents=True)
    (what.folder / GAMES / "x.void").write_text("[]")
    with stored(what) as store, pytest.raises(StoreError, match=r"x\.void is not the file of a void game"):
        run(what, store, executor=Here(decided))


# With programs


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bridge, "LAST_WORDS", 0.3)


def test_finished_games_of_a_killed_run_are_taken_over(tmp_path: Path) -> None:  # S041
    """The records are there and the index is not, as after a kill between the two."""
    what = tournament(tmp_path, marked("Ada", tmp_path / "pids"), playing("Bo"))
    with ThreadPoolExecutor(1) as threads, stored(what) as store:
        run(what, store, executor=threads)
        first = list(store.games())
    for file in what.folder.glob("results.sqlite*"):
        file.unlink()
    with ThreadPoolExecutor(1) as threads, stored(what) as store:
        assert run(what, store, executor=threads).done == 2
        assert list(store.games()) == first
    assert len(pids(tmp_path / "pids")) == 1
    assert len(list((what.folder / GAMES).iterdir())) == 2


def test_recorded_game_of_a_block_whose_process_died_is_not_void(tmp_path: Path) -> None:
    what = cup(tmp_path, entrants=2)
    first, second = list(pairings(what.schedule()))[:2]

    def way(what: Tournament, block: Any) -> tuple[list[Played], list[Problem]]:
        raise BrokenProcessPool

    with stored(what) as store:
        results, _ = play_block(what, [first])
        run(what, store, executor=Here(way))
        games = {played.id: played for played in store.games()}
        assert games[first.id] == results[0]
        assert games[second.id].is_void
        assert first.id not in {played.id for played in voids(what.folder)}


def test_entrant_that_cannot_start_costs_only_its_own_games(tmp_path: Path) -> None:  # S039
    what = tournament(tmp_path, playing("Ada"), playing("Bo"), Entrant("Cy", command=("./none",)))
    with ThreadPoolExecutor(1) as threads, stored(what) as store:
        progress = run(what, store, executor=threads)
        assert {name for played in store.games() for name in played.entrants} == {"Ada", "Bo"}
    assert progress.done == 2
    assert progress.problems == ["Cy did not come: ./none cannot be started: No such file or directory"] * 2


def test_eight_bots_and_two_games_at_once_are_four_programs_at_most(tmp_path: Path) -> None:  # S034
    """Each program counts those that live when it starts, itself included."""
    live = tmp_path / "live"
    live.mkdir()
    first = f'touch "{live}/$$"; ls "{live}" | wc -l >> "{tmp_path}/counts"'
    entrants = [playing(f"bot{number}", first=first, last=f'rm "{live}/$$"') for number in range(8)]
    what = tournament(tmp_path, *entrants, format="swiss", rounds=1)
    with stored(what) as store:
        assert run(what, store, workers=2).done == 8
    counts = [int(line) for line in (tmp_path / "counts").read_text().split()]
    assert len(counts) == 8
    assert max(counts) <= 4
