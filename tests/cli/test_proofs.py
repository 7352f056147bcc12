"""Tokens on the command line, which all can read, and in a file."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.cli.bot import with_options
from arena.cli.proofs import TOKEN_OPTIONS


@click.command()
@with_options(TOKEN_OPTIONS)
def told(token: str | None) -> None:
    click.echo(f"the token is {token}")


def test_token_comes_from_a_file_or_the_environment_without_a_word(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text(" from-the-file\n")
    run = CliRunner().invoke
    assert run(told, ["--token-file", str(file)]).output == "the token is from-the-file\n"
    assert run(told, [], env={"ARENA_TOKEN": "from-there"}).output == "the token is from-there\n"
    over = run(told, ["--token-file", str(file)], env={"ARENA_TOKEN": "from-there"})
    assert over.output == "the token is from-the-file\n"
    assert run(told, []).output == "the token is None\n"


def test_token_on_the_command_line_is_taken_with_a_warning() -> None:
    done = CliRunner().invoke(told, ["--token", "a-secret"])
    assert done.stdout == "the token is a-secret\n"
    assert "others of this machine can see --token" in done.stderr
    assert "a-secret" not in done.stderr


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (b"", "holds no token"),
        (b"two words", "holds no token"),
        (b"\xff", "holds no token"),
        (None, "No such file"),
    ],
)
@pytest.mark.parametrize("command", [("bot", "random", "--connect"), ("watch",)])
def test_file_without_a_token_is_refused_and_not_shown(
    tmp_path: Path, command: tuple[str, ...], text: bytes | None, sentence: str
) -> None:
    file = tmp_path / "token"
    if text is not None:
        file.write_bytes(text)
    done = CliRunner().invoke(main, [*command, "127.0.0.1:1", "--token-file", str(file)])
    assert done.exit_code == 2
    assert sentence in done.output
    assert "words" not in done.output


def test_two_tokens_are_refused(tmp_path: Path) -> None:
    done = CliRunner().invoke(told, ["--token", "a", "--token-file", str(tmp_path / "t")])
    assert done.exit_code == 2
    assert "are two tokens; give one" in done.output
