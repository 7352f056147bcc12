"""How shipped bots are started; how commands are is tested on a host."""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path

import pytest

from arena.cli.bot import command
from tournaments.entrants import Entrant
from tournaments.launching import bot_command, launch, with_limit


@pytest.mark.parametrize("name", ["Cy-2", "--help", "-1", "=1+1", "../x"])
def test_bot_is_told_its_name_and_how_long_to_search(name: str) -> None:
    _, *words = bot_command(Entrant("Cy", bot="search", iterations=9), name, ("127.0.0.1", 7), 1.0)
    assert words[:3] == ["-m", "arena", "bot"]
    told = command.make_context("bot", words[3:]).params
    assert (told["bot"], told["name"], told["iterations"], told["away"]) == ("search", name, 9, 1.0)
    assert told["wait"]
    assert "--iterations" not in bot_command(Entrant("Cy", bot="search"), name, ("127.0.0.1", 7), 1.0)


def test_program_over_its_processor_time_gets_the_signal_that_says_so(tmp_path: Path) -> None:
    how = launch(Entrant("Cy", command=("sh", "-c", "while :; do :; done"), cpu=1), tmp_path)
    assert subprocess.run(how.command, env=how.env, check=False).returncode == -signal.SIGXCPU


@pytest.mark.parametrize(
    "how", ["sh was ended by signal 24 (CPU time limit exceeded)", "sh ended with exit code 152"]
)
def test_limit_of_processor_time_is_named(how: str) -> None:
    assert (
        with_limit(Entrant("Cy", command=("sh",), cpu=9), how)
        == f"{how}: over its 9 s of processor time (`cpu`)"
    )
    assert with_limit(Entrant("Cy", command=("sh",)), how) == how


def test_other_ends_are_told_as_they_are() -> None:
    for how in ("sh ended with exit code 24", "sh was ended by signal 9 (Killed)"):
        assert with_limit(Entrant("Cy", command=("sh",), cpu=9), how) == how
