"""How shipped bots are started; how commands are is tested on a host."""

from __future__ import annotations

import pytest

from arena.cli.bot import command
from tournaments.entrants import Entrant
from tournaments.launching import bot_command


@pytest.mark.parametrize("name", ["Cy-2", "--help", "-1", "=1+1", "../x"])
def test_bot_is_told_its_name_and_how_long_to_search(name: str) -> None:
    _, *words = bot_command(Entrant("Cy", bot="search", iterations=9), name, ("127.0.0.1", 7), 1.0)
    assert words[:3] == ["-m", "arena", "bot"]
    told = command.make_context("bot", words[3:]).params
    assert (told["bot"], told["name"], told["iterations"], told["away"]) == ("search", name, 9, 1.0)
    assert told["wait"]
    assert "--iterations" not in bot_command(Entrant("Cy", bot="search"), name, ("127.0.0.1", 7), 1.0)
