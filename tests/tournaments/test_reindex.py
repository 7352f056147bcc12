"""The index anew from the records: the same results, and nothing that is not in them."""

from __future__ import annotations

import json
import os
import re
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from operator import attrgetter
from pathlib import Path
from shutil import copy, copytree
from typing import Any

import pytest
from programs import crashing, playing, tournament

from tests.records.recorded import begun, rewritten
from tournaments.config import Tournament
from tournaments.reindex import Caught, catch_up, check_index, reindex
from tournaments.report import of_tournament
from tournaments.run import run
from tournaments.schedules import pairings
from tournaments.store import FILE, GAMES, RUNNER, SETTINGS, Played, Store, StoreError, claim
from tournaments.void import void


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Tournament:
    """A tournament of two games that has been played, and lost by crashes; its folder must stay as it is."""
    what = tournament(tmp_path_factory.mktemp("played"), playing("Ada"), crashing("Bo", 4))
    with ThreadPoolExecutor(1) as threads, Store(what.folder) as store:
        store.belongs_to(what.settings())
        run(what, store, executor=threads)
    return what


@pytest.fixture
def what(played: Tournament, tmp_path: Path) -> Tournament:
    """It, with a folder that a test may change."""
    return replace(played, folder=copytree(played.folder, tmp_path / "out"))


def games(what: Tournament) -> list[Played]:
    with Store(what.folder) as store:
        return sorted(store.games(), key=lambda played: played.id)


@pytest.mark.parametrize("damage", ["lost", "garbage", "empty", "whole"])
def test_index_is_the_same_whatever_has_become_of_it(what: Tournament, damage: str) -> None:
    before = games(what)
    assert all("sh ended with exit code 3" in played.ends for played in before)  # S058
    path = what.folder / FILE
    if damage == "lost":
        path.unlink()
    elif damage != "whole":
        path.write_bytes(b"no database" * 100 if damage == "garbage" else b"")
    assert reindex(what.folder).results == len(before) == 2
    assert games(what) == before
    with Store(what.folder) as store:
        assert store.settings() == what.settings()
        assert not store.belongs_to(what.settings()).new


def test_index_that_was_emptied_says_nothing_and_one_behind_is_told(what: Tournament) -> None:
    with Store(what.folder) as store:
        assert check_index(store) == ""
        lost = next(store.games()).id
        store.forget([lost])
        assert re.search(
            f"lacks games whose records lie beside it, as games/{lost}.jsonl; the next run takes them in, or build",
            check_index(store),
        )
        with claim(what.folder):
            assert check_index(store) == ""  # its game may be one of a block that is played just now
    (what.folder / FILE).write_bytes(b"")
    (what.folder / RUNNER).write_text("nobody")
    with (
        Store(what.folder, reads_only=True) as store,
        pytest.raises(StoreError, match=r"lacks games .*; build it anew"),
    ):
        check_index(store)
    reindex(what.folder)
    with Store(what.folder) as store:
        copy(what.folder / GAMES / f"{lost}.jsonl", what.folder / GAMES / "copy.jsonl")
        assert check_index(store) == ""


def test_what_is_no_finished_game_of_the_tournament_is_left_out_and_told(what: Tournament) -> None:
    first, second = sorted((what.folder / GAMES).glob("*.jsonl"))
    lines = first.read_bytes().splitlines(keepends=True)
    first.write_bytes(b"".join(lines[:-1]))
    (what.folder / GAMES / "x.jsonl").write_text("{}\n")
    os.mkfifo(what.folder / GAMES / "pipe.jsonl")
    copy(second, second.with_name("copy.jsonl"))
    made = reindex(what.folder)
    assert made.results == 1
    assert {text.split(":")[0] for text in made.left_out} == {
        first.name,
        "x.jsonl",
        "pipe.jsonl",
        "copy.jsonl",
    }
    assert [played.id for played in games(what)] == [second.stem]


def test_changed_record_is_left_out(what: Tournament) -> None:
    first, _ = sorted((what.folder / GAMES).glob("*.jsonl"))
    first.write_bytes(first.read_bytes().replace(b'"spent":0', b'"spent":1', 1))
    assert reindex(what.folder).results == 1


def test_record_of_another_tournament_is_left_out(what: Tournament) -> None:
    (what.folder / SETTINGS).write_text('{"name": "\\"other\\""}')
    assert reindex(what.folder).results == 0


@pytest.mark.parametrize("other", [{"name": "autumn"}, {"seed": 2}])
def test_index_of_another_tournament_is_told_and_built_anew(
    what: Tournament, tmp_path: Path, other: dict[str, Any]
) -> None:
    before = games(what)
    another = replace(what, folder=tmp_path / "another", **other)
    with Store(another.folder) as store:
        store.belongs_to(another.settings())
    (another.folder / FILE).replace(what.folder / FILE)
    ((key, value),) = other.items()
    told = (
        f"of a tournament with {key} .*{value}.*, and tournament.json beside it says .*; if the index is the"
    )
    with Store(what.folder) as store:
        for use in (store.title, lambda: of_tournament(store), lambda: store.belongs_to(what.settings())):
            with pytest.raises(StoreError, match=told):
                use()
    assert json.loads((what.folder / SETTINGS).read_text()) == what.settings()
    assert reindex(what.folder).results == len(before)
    assert [played.id for played in games(what)] == [played.id for played in before]


@pytest.mark.parametrize("text", ["", "{", "[]", "\udcff", '{"name": "x"}'])
def test_damaged_settings_are_written_anew_from_the_index(what: Tournament, text: str) -> None:
    path = what.folder / SETTINGS
    path.write_text(text, errors="surrogateescape")
    with Store(what.folder) as store:
        assert len(of_tournament(store).games) == 2
        assert not store.belongs_to(what.settings()).new
    assert json.loads(path.read_text()) == what.settings()


@pytest.mark.parametrize("lost", [0, 1, 2])
def test_what_an_index_lacks_is_taken_in_from_the_records(what: Tournament, lost: int) -> None:  # S041
    before = games(what)
    with sqlite3.connect(what.folder / FILE) as db:
        for played in before[:lost]:
            db.execute("DELETE FROM game WHERE id = ?", (played.id,))
    db.close()
    with Store(what.folder) as store:
        assert [catch_up(store), catch_up(store)] == [Caught(lost, 0), Caught(0, 0)]
    assert games(what) == before


@pytest.mark.parametrize("removed", [1, 2])
def test_record_that_is_gone_is_told_and_its_game_played_anew_after_a_reindex(
    what: Tournament, removed: int
) -> None:
    before = games(what)
    for played in before[:removed]:
        (what.folder / played.record).unlink()
    told = rf'^{"" if removed == 1 else "2 records, as "}"{before[0].record}"(,)? (is|are) not in {what.folder} any'
    with Store(what.folder) as store:
        with pytest.raises(StoreError, match=told):
            catch_up(store)
        assert list(store.games()) == before  # nothing that was accepted is lost unasked
    assert reindex(what.folder).results == 2 - removed
    with ThreadPoolExecutor(1) as threads, Store(what.folder) as store:
        assert catch_up(store) == Caught(0, 0)
        assert run(what, store, executor=threads).done == 2
        assert store.ids() == {played.id for played in before}


def test_live_elo_is_that_of_an_index_built_anew(what: Tournament) -> None:
    """Whatever the order in which results were stored."""
    before = games(what)
    (what.folder / FILE).unlink()
    with Store(what.folder) as store:
        store.belongs_to(what.settings())
        for played in sorted(before, key=attrgetter("started", "id"), reverse=True):
            store.add(played)
        rows = of_tournament(store).rows
    assert len({row["live"] for row in rows}) == 2
    reindex(what.folder)
    with Store(what.folder) as store:
        assert of_tournament(store).rows == rows


@pytest.mark.parametrize("left", ["nothing", "half the header", "half a game", "a torn line", "broken off"])
def test_record_of_a_game_that_was_broken_off_is_set_aside(what: Tournament, left: str) -> None:
    before = games(what)
    lines = (what.folder / before[0].record).read_bytes().splitlines(keepends=True)
    kept = {"nothing": 0, "half the header": 1, "half a game": 9, "a torn line": 9, "broken off": len(lines)}
    content = b"".join(lines[: kept[left]])
    path = what.folder / GAMES / "x.jsonl"
    path.write_bytes(content[:-5] if left in ("half the header", "a torn line") else content)
    if left == "broken off":
        path = rewritten(path, lambda lines: lines[-1].update(unplayed(len(lines) - 2)))
    with Store(what.folder) as store:
        assert catch_up(store) == Caught(0, 1)
    assert [each.suffix for each in (what.folder / GAMES).glob("x.*")] == [".broken-1"]
    assert games(what) == before


def unplayed(choices: int) -> dict[str, Any]:
    """The fields of a result of a game that was not played to its end."""
    return {"complete": False, "places": [], "credits": [], "reason": "aborted", "choices": choices}


def test_record_of_something_else_stays_where_it_is(what: Tournament) -> None:
    path = begun(what.folder / GAMES / "x.jsonl")
    with Store(what.folder) as store:
        assert catch_up(store) == Caught(0, 0)
    assert path.exists()


def test_void_games_are_taken_up(what: Tournament) -> None:
    pairing = next(iter(pairings(replace(what, seed=9).schedule())))
    void(what.folder, pairing, {"Bo"}, "did not come")
    assert reindex(what.folder).results == 3
    assert sum(not played.result().rated for played in games(what)) == 1


def test_results_that_the_index_lost_are_not_mixed_with_those_of_other_settings(what: Tournament) -> None:
    (what.folder / FILE).unlink()
    with Store(what.folder) as store, pytest.raises(StoreError, match="with seed 1, and this one says 2"):
        store.belongs_to(replace(what, seed=2).settings())


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (None, "has no tournament.json; run"),
        ("[]", "tournament.json is damaged, it does not hold the settings of a tournament; put it back from"),
        (
            '{"name": "spring"}',
            "tournament.json is damaged, it does not hold the settings of a tournament; put",
        ),
        (
            "{",
            "tournament.json is damaged, it is not JSON: .*; put it back from a copy, or remove it and run",
        ),
        ("[" * 100_000, "tournament.json is damaged, it is not JSON: .*; put it back"),
    ],
)
def test_folder_without_its_settings_is_refused_and_unchanged(
    what: Tournament, text: str | None, told: str
) -> None:
    before = games(what)
    path = what.folder / SETTINGS
    path.unlink() if text is None else path.write_text(text)
    with pytest.raises(StoreError, match=told):
        reindex(what.folder)
    assert games(what) == before
