"""What an organiser is shown of a tournament that has been played, and what is kept back of it until then."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.cli import main
from arena.cli.boards import StoredBoards
from arena.cli.serve import shelf
from arena.cli.tournament import read
from tests.records.recorded import header, whole
from tournaments.deals import keep_back, release, secrets_of
from tournaments.schedules import pairings
from tournaments.store import Played, Store


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A tournament of three bots, of 12 games; none of them is started here."""
    entrants = "".join(f'[[entrant]]\nname = "{name}"\nbot = "random"\n' for name in ("Ada", "Bo", "Cy"))
    text = f'[tournament]\nname = "spring"\nseats = 2\nblocks = 2\nfolder = "out"\n{entrants}'
    (tmp_path / "spring cup.toml").write_text(text)
    return tmp_path


def call(*words: str) -> Result:
    """The command in this process."""
    return CliRunner().invoke(main, ["tournament", *words])


@pytest.fixture
def finished(folder: Path) -> Path:
    """A folder with one result."""
    what = read(folder / "spring cup.toml")
    pairing = next(iter(pairings(what.schedule())))
    with Store(what.folder) as store:
        store.belongs_to(what.settings())
        store.add(
            Played(
                pairing.id, pairing.block, 1, pairing.seating, (1, 2), (9, 0), ("normal", "crash"), "games/x"
            )
        )
    return what.folder


def test_more_workers_than_processors_are_warned_of(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # S033
    what = read(folder / "spring cup.toml")
    with Store(what.folder) as store:  # so that nothing is left to play
        secret = replace(what, secrets=secrets_of(store))
        store.belongs_to(secret.settings())
        (what.folder / "games").mkdir()
        (what.folder / "games" / "x").touch()
        for each in pairings(secret.schedule()):
            places, reasons = (1, 2), ("normal", "normal")
            store.add(
                Played(each.id, each.block, each.seed, each.seating, places, (9, 0), reasons, "games/x")
            )
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    what.folder.rename(folder / "elsewhere")
    where = ("--folder", str(folder / "elsewhere"))
    told = call("run", str(folder / "spring cup.toml"), "--workers", "3", *where)
    assert told.exit_code == 0
    assert "3 workers share 2 processors" in told.stderr
    assert "share" not in call("run", str(folder / "spring cup.toml"), "--workers", "2", *where).stderr
    assert not what.folder.exists()
    refused = call("run", str(folder / "spring cup.toml"), "--folder", str(folder / "spring cup.toml"))
    assert (refused.exit_code, "is a file" in refused.stderr) == (2, True)


def test_records_of_a_tournament_are_kept_back_until_all_is_played(finished: Path) -> None:  # S025, S028
    boards = StoredBoards([finished])
    record = finished / "games" / "x.jsonl"
    assert boards.kept_back(record)
    release(finished)
    assert not boards.kept_back(record)
    keep_back(finished)  # as the next run does, which may have more blocks
    assert boards.kept_back(record)
    assert not boards.kept_back(finished.parent / "games" / "x.jsonl")  # of the server itself


@pytest.mark.parametrize("named", [True, False])
def test_a_kept_back_record_stays_so_however_its_folder_is_named(
    finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: bool
) -> None:  # S025
    """The folder as `--data`, with or without `--tournament`; a link to it, or to its games, or from there."""
    (finished / "games").mkdir()
    boards = StoredBoards([finished] if named else [])
    monkeypatch.chdir(finished.parent)
    (tmp_path / "link").symlink_to(finished)
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "games").symlink_to(finished / "games")
    moved = (finished / "games").rename(tmp_path / "elsewhere")
    (finished / "games").symlink_to(moved)
    relative = Path(finished.name)
    folders = [
        finished,
        relative,
        Path("..") / Path.cwd().name / relative,
        tmp_path / "link",
        relative / "sub",
    ]
    records = [folder / "games" / "x.jsonl" for folder in folders]
    if named:  # what leads to the records past the folder is known by the records of the tournament
        records += [tmp_path / "data" / "games" / "x.jsonl", moved / "x.jsonl"]
    assert [record for record in records if not boards.kept_back(record)] == []
    release(finished)
    assert [record for record in records if boards.kept_back(record)] == []


def test_pages_keep_back_a_tournament_that_is_the_data_folder(finished: Path) -> None:  # S025
    game = header().game
    (finished / "games").mkdir()
    whole(finished / "games" / f"{game}.jsonl")
    shown = shelf(finished / "games", StoredBoards([]), reveal=True)
    assert shown.is_finished(game)
    assert not shown.is_open(game)
    release(finished)
    assert shown.is_open(game)
    of_a_server_that_tells_no_seed = shelf(finished / "games", StoredBoards([]), reveal=False)
    assert not of_a_server_that_tells_no_seed.is_open(game)


def test_standings_for_programs(finished: Path) -> None:
    result = call("standings", str(finished), "--json")
    assert result.exit_code == 0
    rows = json.loads(result.stdout, parse_constant=lambda word: pytest.fail(f"{word} is not JSON"))
    assert len(rows) == 3
    assert rows[0]["points"] == 1
    assert sum(row["faults"] for row in rows) == 1
    assert set(rows[0]) >= {"name", "elo", "low", "high", "games", "points", "faults"}
    assert (
        result.stderr
        == "note: these ratings rest on one deal; from 5 on the error bars can be trusted (docs/ratings.md),"
        " and more blocks make them narrower\n"
    )


def test_standings_for_people(finished: Path) -> None:
    result = call("standings", str(finished))
    assert result.exit_code == 0
    assert result.stdout.startswith("spring")
    assert "1516" in result.stdout
    assert f"records: {finished / 'games'}" in result.stdout


def test_nothing_played_is_said_and_no_numbers_are_made_up(folder: Path) -> None:
    what = read(folder / "spring cup.toml")
    with Store(what.folder) as store:
        store.belongs_to(what.settings())
    result = call("standings", str(what.folder))
    assert result.stdout.splitlines()[0] == f"{what.name}: no game has been played"
    assert "1176" not in result.stdout + result.stderr


@pytest.mark.parametrize("form", ["out", "out/", "./out", "{here}/out", "{here}/out/", "~/out", "~/out/"])
def test_every_form_of_the_folder_works(
    finished: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:  # S063
    monkeypatch.chdir(finished.parent)
    monkeypatch.setenv("HOME", str(finished.parent))
    assert call("standings", form.format(here=finished.parent)).exit_code == 0


@pytest.mark.parametrize(
    ("name", "told"),
    [("none", "none has no results.sqlite"), ("spring cup.toml", "is a file; name the folder")],
)
def test_folder_without_a_tournament_is_refused(folder: Path, name: str, told: str) -> None:
    result = call("standings", str(folder / name))
    assert result.exit_code == 2
    assert told in result.stderr
    assert not (folder / "none").exists()
