"""`arena bot` and `arena bridge`: what they refuse, in one sentence, and their exit codes."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
import trio
from click.testing import CliRunner, Result

from arena.cli import main
from clients import Client, Refused, client
from clients.client import Settings
from protocol.messages import Join


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "FIRST_WAIT", 0.01)


@pytest.fixture
def nobody() -> Iterator[str]:
    """An address where nobody listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        yield f"127.0.0.1:{free.getsockname()[1]}"


def arena(*arguments: str, **environment: str) -> Result:
    return CliRunner().invoke(main, arguments, env=environment)


def refused(result: Result, code: int) -> str:
    """The one sentence of an error."""
    assert result.exit_code == code, result.output
    assert result.output.count("\n") == 1
    return result.output.removeprefix("Error: ").strip()


@pytest.mark.parametrize("command", [("bot", "random"), ("bridge",)])
def test_server_that_is_not_there_is_named(command: tuple[str, ...], nobody: str) -> None:
    program = ("--", "cat") if command == ("bridge",) else ()
    told = refused(arena(*command, "--connect", nobody, *program), 1)
    assert told.startswith(f"{nobody} cannot be reached: Connection refused")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("clever",), "there is no bot 'clever'; the shipped ones are"),
        (("random", "--name", "a\nb"), "U+000A"),
        (("random", "--connect", "localhost"), "write HOST:PORT"),
        (("random", "--table", "no such table"), "--table 'no such table' cannot be"),
        (("random", "--against", "random,random,random,random,random,random"), "1 to 5 shipped bots"),
        (("random", "--key-file", "no such folder/key"), "--key-file no such folder/key is in no folder"),
        (("random", "--against", ""), "--against '' cannot be"),
        (("random", "--iterations", "5"), "--iterations is for the bot search; random has none"),
    ],
)
def test_call_that_is_wrong_is_told_with_the_remedy(arguments: tuple[str, ...], sentence: str) -> None:
    assert sentence in refused(arena("bot", "--connect", "127.0.0.1:1", *arguments), 2)


def test_wrong_token_is_not_shown(nobody: str) -> None:  # S071
    result = arena("bot", "random", "--connect", nobody, ARENA_TOKEN="with a secret blank")
    assert "secret" not in refused(result, 2)


def test_program_that_is_not_there_is_named(nobody: str) -> None:
    told = refused(arena("bridge", "--connect", nobody, "--", "./no-such-program"), 2)
    assert told == "./no-such-program cannot be started: No such file or directory"


def test_misspelt_option_is_not_taken_for_the_program(nobody: str) -> None:
    told = refused(arena("bridge", "--connect", nobody, "--nam", "x", "--", "cat"), 2)
    assert "there is no option --nam" in told


@pytest.mark.parametrize(
    ("seconds", "program", "sentence"),
    [
        ("0.2", "exec sleep 1000", "sh wrote no first line within 0.2 s of its start"),
        ("600", "echo loaded; exec cat", "cannot be reached"),
    ],
)
def test_program_that_loads_is_waited_for_before_anybody_logs_in(
    nobody: str, seconds: str, program: str, sentence: str
) -> None:  # S007
    told = refused(arena("bridge", "--connect", nobody, "--start", seconds, "--", "sh", "-c", program), 1)
    assert sentence in told


def test_log_that_cannot_be_written_is_named(nobody: str, tmp_path: Path) -> None:
    log = tmp_path / "no folder" / "log"
    assert str(log) in refused(arena("bridge", "--connect", nobody, "--stderr", str(log), "--", "cat"), 2)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Settings]:
    """The settings of the clients that run; each is refused at once."""
    found: list[Settings] = []

    async def refuse(self: Client) -> None:
        await trio.lowlevel.checkpoint()
        found.append(self.settings)
        raise Refused("the name greedy is in use; take another")

    monkeypatch.setattr(Client, "run", refuse)
    return found


def test_refusal_is_the_sentence_of_the_server(made: list[Settings]) -> None:
    result = arena("bot", "greedy", "--connect", "127.0.0.1:1")
    assert refused(result, 1) == "the name greedy is in use; take another"


@pytest.mark.parametrize(
    ("arguments", "join"),
    [
        ((), Join(table="queue")),
        (("--table", "t7"), Join(table="t7")),
        (("--wait",), None),
    ],
)
def test_options_say_what_is_joined(arguments: tuple[str, ...], join: Join, made: list[Settings]) -> None:
    arena("bot", "greedy", "--connect", "127.0.0.1:1", *arguments)
    assert made[0].join == join


def test_rivals_make_a_table_of_their_number_and_one(made: list[Settings]) -> None:
    arena("bot", "greedy", "--connect", "127.0.0.1:1", "--against", "random, greedy")
    wanted = made[0].join.wanted if made[0].join is not None else None
    assert wanted is not None
    assert (wanted.seats, wanted.fill) == (3, ("random", "greedy"))
