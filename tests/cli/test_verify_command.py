"""`arena verify`: one line per record, exit code 1 unless all are sound."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.cli.verify import command
from tests.records.recorded import begun, rewritten, short, whole


def verify(*arguments: object) -> Result:
    return CliRunner().invoke(command, [str(argument) for argument in arguments])


def test_a_sound_record_is_told_in_one_line(tmp_path: Path) -> None:
    path = whole(tmp_path / "g.jsonl")
    result = verify(path)
    assert result.exit_code == 0
    assert result.stdout.startswith(f"{path}: sound; ")
    assert result.stdout.count("\n") == 1
    assert result.stderr == ""


def test_a_game_that_was_stopped_is_sound(tmp_path: Path) -> None:
    path = short(tmp_path / "g.jsonl", choices=3)
    result = verify(path)
    assert result.exit_code == 0
    assert result.stdout.endswith(", stopped before its end: aborted\n")


def test_each_file_has_its_line_and_one_bad_one_is_enough(tmp_path: Path) -> None:
    good, cut = whole(tmp_path / "a.jsonl"), begun(tmp_path / "b.jsonl")
    changed = short(tmp_path / "c.jsonl")
    changed.write_bytes(changed.read_bytes().replace(b'"n":2', b'"n":3'))
    result = verify(good, cut, changed, tmp_path / "none", tmp_path, good)
    assert result.exit_code == 1
    lines = [line.removeprefix(f"{tmp_path}") for line in result.stdout.splitlines()]
    assert lines[0].startswith("/a.jsonl: sound; ")
    assert lines[1] == (
        "/b.jsonl: NOT SOUND: there is no result: the game is not finished, or the end of the file was cut off"
    )
    assert lines[2].startswith("/c.jsonl: NOT SOUND: line 3: its hash is ")
    assert lines[3] == "/none: NOT SOUND: cannot be read: No such file or directory"
    assert lines[4] == ": NOT SOUND: cannot be read: Is a directory"
    assert lines[5] == lines[0]


def test_json_has_one_object_for_each_file(tmp_path: Path) -> None:
    path = whole(tmp_path / "g.jsonl")
    result = verify("--json", path, tmp_path / "none")
    assert result.exit_code == 1
    sound, missing = map(json.loads, result.stdout.splitlines())
    assert sound["sound"] is True
    assert sound["game"] == "g1"
    assert sorted(sound["places"]) == [1, 2]
    assert len(path.read_text("ascii").splitlines()) == sound["choices"] + 2
    assert missing == {
        "file": str(tmp_path / "none"),
        "sound": False,
        "line": None,
        "error": "cannot be read: No such file or directory",
    }


def test_a_record_of_other_rules_says_which_it_needs(tmp_path: Path) -> None:  # S054
    path = rewritten(short(tmp_path / "g.jsonl"), lambda lines: lines[0].update(rules=2, software="arena 9"))
    result = verify(path)
    assert result.exit_code == 1
    assert result.stdout == (
        f"{path}: NOT SOUND: the record needs version 2 of the rules, and this program plays version 1;"
        " take the release that wrote it (arena 9)\n"
    )


def test_without_a_file_the_call_is_wrong() -> None:
    result = verify()
    assert result.exit_code == 2
    assert "Missing argument 'FILES...'" in result.stderr


def test_a_catalogue_that_is_not_there_is_refused(tmp_path: Path) -> None:
    result = verify("--catalogue", tmp_path / "none.toml", whole(tmp_path / "g.jsonl"))
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "none.toml: cannot be read: No such file or directory" in result.stderr


@pytest.mark.parametrize("name", ["a\nb.jsonl", "\x1b[2J.jsonl"])
def test_file_names_cannot_steer_the_terminal(tmp_path: Path, name: str) -> None:
    result = verify(tmp_path / name)
    assert result.stdout.count("\n") == 1
    assert result.stdout.rstrip("\n").isprintable()
