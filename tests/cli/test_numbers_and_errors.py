"""What holds for every command: how numbers are read, and what an error puts on the terminal."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from arena.cli import COMMANDS, main, verify
from arena.cli.errors import CheckFailed, InputError, OneSentence
from arena.cli.numbers import Decimal, WholeNumber
from arena.cli.paths import Place

PATHS = [
    ("replay", "PATH"),
    ("verify", "PATH"),
    ("position", "PATH"),
    ("rate", "PATH.csv"),
    ("tournament", "run", "PATH"),
    ("tournament", "standings", "PATH"),
    ("token", "list", "--file", "PATH"),
    ("cards", "--catalogue", "PATH"),
    ("play", "--seats", "random,random", "--record", "PATH/x.jsonl"),
    ("watch", "--seat", "0", "--name", "Ada", "--key-file", "PATH", "127.0.0.1:9"),
    ("serve", "--check", "--config", "PATH"),
    ("bridge", "--connect", "127.0.0.1:9", "--stderr", "PATH/x", "--", "cat"),
]
"""A call of each command that takes a path: it names the file or folder that it does not find."""


def commands() -> Iterator[click.Command]:
    """All commands, those of groups too."""
    context = click.Context(main)
    for name in COMMANDS:
        command = main.get_command(context, name)
        assert command is not None
        yield from command.commands.values() if isinstance(command, click.Group) else (command,)


def test_no_help_names_a_scenario_of_the_tests() -> None:
    for command in (main, *commands()):
        assert not re.findall(r"\bS\d{3}\b", command.get_help(click.Context(command))), command.name


def test_start_needs_nothing_but_click() -> None:
    heavy = "{'protocol', 'pydantic', 'trio', 'arena.game'}"
    check = f"import arena.cli, sys; print(sorted({heavy} & set(sys.modules)))"
    assert subprocess.check_output([sys.executable, "-c", check], timeout=60) == b"[]\n"


def test_every_number_of_the_command_line_is_read_strictly() -> None:  # S060
    loose = [
        f"{command.name} {option.name}"
        for command in commands()
        for option in command.params
        if isinstance(option.type, click.types.IntParamType | click.types.FloatParamType)
    ]
    assert loose == []


def test_every_path_of_the_command_line_is_read_alike() -> None:  # S063
    loose = [
        f"{command.name} {option.name}"
        for command in commands()
        for option in command.params
        if isinstance(option.type, click.Path | click.File) and not isinstance(option.type, Place)
    ]
    assert loose == []


@pytest.mark.parametrize("call", PATHS, ids=" ".join)
def test_home_folder_may_be_written_as_a_tilde_everywhere(
    call: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # S063
    monkeypatch.setenv("HOME", str(tmp_path))
    told = CliRunner().invoke(main, [word.replace("PATH", "~/nothing") for word in call])
    assert str(tmp_path / "nothing") in told.output
    unknown = CliRunner().invoke(main, [word.replace("PATH", "~no-such-user/x") for word in call])
    assert unknown.exit_code == 2
    assert "user whom this machine does not know" in unknown.output


@pytest.mark.parametrize("text", ["", "nan", "inf", "1e400", "-1", "1_0", "٣", " 1", "0x1", "1.", "9" * 5000])
def test_what_is_no_decimal_number_is_refused(text: str) -> None:  # S060
    with pytest.raises(click.BadParameter, match=r"give (one|a number) from 0 to 86400"):
        Decimal(0, 86400).convert(text, None, None)


def test_decimal_number_is_read() -> None:
    assert [Decimal(0, 10).convert(text, None, None) for text in ("1", "0.25", ".5", "10")] == [
        1,
        0.25,
        0.5,
        10,
    ]
    with pytest.raises(click.BadParameter, match=r"'10\.5' is out of range; give a number from 0 to 10"):
        Decimal(0, 10).convert("10.5", None, None)


def test_token_that_would_hold_for_no_number_of_days_is_not_made() -> None:
    result = CliRunner().invoke(main, ["token", "create", "Ada", "--days", "nan"])
    assert result.exit_code == 2
    assert "'nan' is not a number" in result.output


@pytest.mark.parametrize("kind", [InputError, CheckFailed])
def test_error_cannot_move_the_cursor_or_fill_the_screen(kind: type[OneSentence]) -> None:  # S067
    assert kind("no\x1b[2J\nway \u202e").format_message() == "no\\x1b[2J\\nway \\u202e"
    assert len(kind("x" * 100_000).format_message()) < 6000


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (["{}"], "No such command '{}'."),
        (["--{}"], "No such option '--{}'."),
        (["play", "--{}"], "No such option '--{}'."),
        (["play", "--seats", "random,random", "{}"], "Got unexpected extra argument ({})"),
        (
            ["token", "create", "Ada", "--role", "{}"],
            "'{}' is not one of 'player', 'organiser', 'spectator'.",
        ),
    ],
)
def test_long_word_of_the_command_line_is_cut(call: list[str], told: str) -> None:  # S067
    result = CliRunner().invoke(main, [word.format("\x1b" + 9999 * "x") for word in call])
    assert result.exit_code == 2
    shown = re.sub("x{60,}", "xxx", result.output)
    assert told.replace("{}", "\\x1bxxx...") in shown


def test_token_file_that_is_not_there_is_told_with_the_option_that_names_it(tmp_path: Path) -> None:
    for call in (["list"], ["revoke", "Ada"]):
        file = tmp_path / "tokens"
        result = CliRunner().invoke(main, ["token", *call, "--file", str(file)])
        assert result.exit_code == 2
        assert "name yours with --file" in result.output
        assert not file.exists()


def test_whole_number_has_no_other_digits() -> None:  # S060
    with pytest.raises(click.BadParameter):
        WholeNumber(0, 10).convert("٣", None, None)


@pytest.mark.parametrize("call", [("--help",), ("cards",), ("schema",), ("cards", "rolls-royce")])
def test_output_that_finds_no_room_is_told_in_one_sentence(call: tuple[str, ...]) -> None:
    with Path("/dev/full").open("wb") as full:
        command = [sys.executable, "-m", "arena", *call]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False, timeout=60)
    assert done.returncode == 1
    assert done.stderr == b"Error: cannot go on: No space left on device\n"


def test_ctrl_c_is_told_from_a_record_that_is_not_sound(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(path: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(verify, "read_record", interrupted)
    result = CliRunner().invoke(main, ["verify", "game.jsonl"])
    assert (result.exit_code, result.output) == (130, "stopped\n")
