"""The deals of a tournament against the secret that it had committed to, as anybody checks them afterwards."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from shutil import copy

import pytest
from click.testing import CliRunner, Result

from arena.cli import main
from tests.tournaments.programs import playing, tournament
from tournaments.deals import SECRET, commitment, secrets_of, with_another
from tournaments.run import run
from tournaments.store import SETTINGS, Store


def call(*words: str | Path) -> Result:
    return CliRunner().invoke(main, ["tournament", *map(str, words)])


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The folders of a tournament that was played twice, from two secrets; they must stay as they are."""
    folders = []
    for name in ("a", "b"):
        what = tournament(tmp_path_factory.mktemp(name), playing("Bo"), playing("Ada"))
        with ThreadPoolExecutor(1) as threads, Store(what.folder) as store:
            what = replace(what, secrets=secrets_of(store))
            store.belongs_to(what.settings())
            run(what, store, executor=threads)
        folders.append(what.folder)
    return folders


@pytest.fixture
def folder(two: list[Path], tmp_path: Path) -> Path:
    """What an onlooker gets of the first."""
    (tmp_path / "games").mkdir()
    for path in (*two[0].glob("games/*.jsonl"), two[0] / SECRET, two[0] / SETTINGS):
        copy(path, tmp_path / path.relative_to(two[0]))
    return tmp_path


def test_all_deals_follow_from_the_secret(folder: Path) -> None:
    secret = (folder / SECRET).read_text().strip()
    with_another(folder, (secret,))  # as an extension does, from which nothing has been dealt yet
    result = call("verify", folder)
    assert result.exit_code == 0
    first, second = result.stdout.splitlines()
    assert (
        first
        == f"2 records: sound, with deals that follow from the secret with the SHA-256 {commitment(secret)}"
    )
    assert second.startswith("0 records: ")


def test_game_of_another_deal_is_named(folder: Path, two: list[Path]) -> None:
    path = min(folder.glob("games/*.jsonl"))
    copy(two[1] / "games" / path.name, path)
    result = call("verify", folder)
    assert result.exit_code == 1
    assert f"games/{path.name}: NOT PROVED: its seed and salt do not follow from the secret" in result.stdout
    assert "1 record: sound" in result.stdout


def test_record_under_another_name_or_changed_is_named(folder: Path) -> None:
    first, second = sorted(folder.glob("games/*.jsonl"))
    copy(first, second)
    first.write_bytes(first.read_bytes().replace(b'"spent":0', b'"spent":1', 1))
    result = call("verify", folder)
    assert result.exit_code == 1
    assert f"{first.name}: NOT PROVED" in result.stdout
    assert f"{second.name}: NOT PROVED: it is not of this game" in result.stdout


def test_deal_of_a_table_of_its_own_follows_from_its_names_too(folder: Path) -> None:
    settings = json.loads((folder / SETTINGS).read_text()) | {"shared deals": "false"}
    (folder / SETTINGS).write_text(json.dumps(settings))
    assert "0 records: sound" in call("verify", folder).stdout


def test_secret_that_was_not_committed_to_proves_nothing(folder: Path, two: list[Path]) -> None:
    copy(two[1] / SECRET, folder / SECRET)
    result = call("verify", folder)
    assert result.exit_code == 1
    assert "and the tournament was played with that of" in result.stderr
    (folder / SECRET).unlink()
    assert f"{SECRET} is missing" in call("verify", folder).stderr
    (folder / SETTINGS).unlink()
    assert call("verify", folder).exit_code == 2
