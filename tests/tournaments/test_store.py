"""The folder of a tournament: one runner, each result once, no mixture."""

from __future__ import annotations

import os
import sqlite3
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from tournaments import store as module
from tournaments.belonging import Adopted
from tournaments.report import of_tournament
from tournaments.store import (
    COLUMNS,
    FILE,
    RUNNER,
    Played,
    Store,
    StoreError,
    claim,
    is_being_run,
    working_in,
)
from tournaments.store import SETTINGS as SETTINGS_FILE

GAME = Played(
    "g1", "b1", 7, ("Ada", "Bo"), (1, 2), (30, 20), ("normal", "crash"), "games/g1.jsonl", ("", "3")
)
SETTINGS = {"name": '"spring"', "seed": "1", "entrant Ada": "{}", "entrant Bo": "{}"}


def test_result_is_there_after_the_index_was_closed(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        assert store.add(GAME)
    with Store(tmp_path) as store:
        assert list(store.games()) == [GAME]
        assert store.ids() == {"g1"}


def test_result_is_there_for_another_process_as_soon_as_it_is_stored(tmp_path: Path) -> None:  # S041
    with Store(tmp_path) as store:
        store.add(GAME)
        with Store(tmp_path) as other:
            assert list(other.games()) == [GAME]


def test_results_come_in_the_order_that_their_records_tell(tmp_path: Path) -> None:
    """Live Elo follows it, so it is that of an index built anew."""
    times = {"g3": "12:00:01", "g1": "12:00:01", "g2": "12:00:00", "g4": "12:00:02"}
    with Store(tmp_path) as store:
        for id, time in times.items():
            store.add(replace(GAME, id=id, started=f"2026-01-31T{time}Z", record=f"games/{id}.jsonl"))
        assert [played.id for played in store.games()] == ["g2", "g1", "g3", "g4"]
        assert [record[6:8] for record in store.records()] == ["g2", "g1", "g3", "g4"]


def test_result_is_synced_to_the_disk_before_it_is_told(tmp_path: Path) -> None:
    """In WAL mode only FULL syncs each commit; what a power cut takes cannot be tried here."""
    with Store(tmp_path) as store:
        assert store._db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert store._db.execute("PRAGMA synchronous").fetchone() == (2,)


def test_second_result_of_a_game_is_passed_over(tmp_path: Path) -> None:  # S042
    with Store(tmp_path) as store:
        store.add(GAME)
        assert not store.add(replace(GAME, places=(2, 1)))
        assert list(store.games()) == [GAME]


def test_copied_row_is_refused_by_the_index_itself(tmp_path: Path) -> None:  # S042
    with Store(tmp_path) as store:
        store.add(GAME)
    with sqlite3.connect(tmp_path / FILE) as db, pytest.raises(sqlite3.IntegrityError):
        db.execute(f"INSERT INTO game ({COLUMNS}) SELECT {COLUMNS} FROM game")
    db.close()


def test_file_that_is_no_index_is_refused(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("game,player,place\n" * 100)
    with pytest.raises(StoreError, match=r"results\.sqlite cannot be opened: file is not a database"):
        Store(tmp_path)


@pytest.mark.parametrize(
    "change",
    [
        "game SET places = '[1]'",
        "game SET places = '[1, true]'",
        "game SET entrants = 'nobody'",
        "game SET entrants = '[1, 2]'",
        'game SET entrants = \'["Ada", "Ada"]\'',
        "game SET reasons = '{}'",
        "game SET ends = '[\"\"]'",
        f"game SET credits = '{'[' * 100_000}'",
        "setting SET value = '{'",
        "setting SET value = '{\"new\": 3}' WHERE key = 'sprt'",
    ],
)
def test_index_that_was_changed_by_hand_is_told_with_the_remedy(tmp_path: Path, change: str) -> None:
    with Store(tmp_path) as store:
        store.belongs_to(SETTINGS | {"sprt": "{}", "seats": "2", "entrants": '["Ada", "Bo"]'})
        store.add(GAME)
    (tmp_path / SETTINGS_FILE).unlink()  # which would tell of another tournament
    with sqlite3.connect(tmp_path / FILE) as db:
        db.execute(f"UPDATE {change}")
    db.close()
    what = 'result of the game "g1"' if change.startswith("game") else "settings of a t(ournament|rial)"
    with Store(tmp_path) as store, pytest.raises(StoreError, match=f"{what}; build it anew from the records"):
        of_tournament(store)


def test_index_of_another_version_is_refused(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / FILE) as db:
        db.execute("CREATE TABLE game (id TEXT)")
    db.close()
    with pytest.raises(StoreError, match="has version 0, and this program reads 4"):
        Store(tmp_path)


def test_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot be opened"):
        Store(tmp_path / "file" / "folder")
    with pytest.raises(StoreError, match="cannot be written"), claim(tmp_path / "file" / "folder"):
        pass


@pytest.fixture
def read_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which SQLite can make no file of its own, and which says so, as on a read-only mount."""
    folder = tmp_path / "read only"
    folder.mkdir()
    for name in ("-shm", "-wal"):
        (folder / f"{FILE}{name}").symlink_to(folder / "nowhere" / "file")
    access = os.access
    monkeypatch.setattr(
        os, "access", lambda path, mode: access(path, mode) and not (path == folder and mode & os.W_OK)
    )
    return folder


def test_index_in_a_folder_that_cannot_be_written_is_read(tmp_path: Path, read_only: Path) -> None:
    with Store(tmp_path) as store:
        store.add(GAME)
    content = (tmp_path / FILE).read_bytes()
    (read_only / FILE).write_bytes(content)
    with pytest.raises(StoreError, match="cannot be opened"):
        Store(read_only)
    with Store(read_only, reads_only=True) as store:
        assert list(store.games()) == [GAME]
        with pytest.raises(StoreError, match="cannot be written"):
            store.add(replace(GAME, id="g2"))
    assert (read_only / FILE).read_bytes() == content


def test_results_in_the_log_of_such_an_index_are_not_passed_over(tmp_path: Path, read_only: Path) -> None:
    with Store(tmp_path) as store:
        store.add(GAME)
        (read_only / FILE).write_bytes((tmp_path / FILE).read_bytes())
        (read_only / f"{FILE}-wal").unlink()
        (read_only / f"{FILE}-wal").write_bytes((tmp_path / f"{FILE}-wal").read_bytes())
    with pytest.raises(StoreError, match="copy the folder to where you may write, and name the copy"):
        Store(read_only, reads_only=True)
    (read_only / f"{FILE}-shm").unlink()  # where its files can be had it is read as any other
    with Store(read_only, reads_only=True) as store:
        assert list(store.games()) == [GAME]


# Settings


def test_same_settings_go_on(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        assert store.belongs_to(SETTINGS) == Adopted(SETTINGS, (), ())
        assert store.belongs_to(SETTINGS) == Adopted(SETTINGS, (), ())
        assert store.entrants() == ["Ada", "Bo"]


def test_entrant_may_be_added_and_is_told(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.belongs_to(SETTINGS)
        assert store.belongs_to(SETTINGS | {"entrant Cy": "{}"}).new == ("Cy",)
        assert store.entrants() == ["Ada", "Bo", "Cy"]


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"name": '"autumn"'}, r'with name "spring", and this one says "autumn"'),
        ({"seed": "2"}, "with seed 1, and this one says 2"),
        (
            {"shared deals": "false", "entrant Eve": '{"remote": true}'},
            "does not have shared deals, and this one says false; leave the remote entrants out",
        ),
        (
            {"entrant Bo": '{"bot": "random"}'},
            r'with the entrant "Bo" {}, and this one says {"bot": "random"}',
        ),
    ],
)
def test_changed_setting_is_not_mixed_in(tmp_path: Path, changed: dict[str, str], told: str) -> None:
    with Store(tmp_path) as store:
        store.belongs_to(SETTINGS)
        store.add(GAME)
        with pytest.raises(StoreError, match=told):
            store.belongs_to(SETTINGS | changed)
        assert store.settings() == SETTINGS


def test_entrant_that_is_gone_is_not_mixed_in(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.belongs_to(SETTINGS)
        with pytest.raises(
            StoreError, match=r'the entrant "Bo" {}, and this one does not have it; change it'
        ):
            store.belongs_to({key: value for key, value in SETTINGS.items() if key != "entrant Bo"})


# Locks


def test_second_runner_is_refused_and_told_of_the_first(tmp_path: Path) -> None:
    with (
        claim(tmp_path),
        pytest.raises(StoreError, match=f"run already, by process {os.getpid()}; wait for it or stop it"),
        claim(tmp_path),
    ):
        pass


def test_process_that_has_got_the_id_of_an_earlier_runner_is_none(tmp_path: Path) -> None:
    with claim(tmp_path):
        assert is_being_run(tmp_path)
    assert (tmp_path / RUNNER).read_text() == str(os.getpid())
    assert not is_being_run(tmp_path)


def test_folder_is_free_after_the_runner(tmp_path: Path) -> None:
    for _ in range(2):
        with claim(tmp_path):
            pass


def test_worker_of_a_killed_runner_keeps_the_next_one_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LEFTOVERS", 0.0)
    with (
        working_in(tmp_path),
        pytest.raises(StoreError, match="workers of an earlier run still play in"),
        claim(tmp_path),
    ):
        pass


def test_next_runner_waits_for_the_worker_of_a_killed_one_and_says_so(tmp_path: Path) -> None:
    heard = []

    def waiting(text: str) -> None:
        heard.append(text)
        left.close()

    with ExitStack() as left:
        left.enter_context(working_in(tmp_path))
        with claim(tmp_path, waiting):
            assert heard == [
                "workers of an earlier run break off their games; waiting for them, 60 s at most"
            ]
    with claim(tmp_path, waiting):
        assert len(heard) == 1


def test_workers_of_a_runner_share_its_folder(tmp_path: Path) -> None:
    with claim(tmp_path), working_in(tmp_path), working_in(tmp_path):
        pass
