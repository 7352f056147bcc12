"""Tournament files for tests, and the sentences that refuse them."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest

from tournaments.checks import ConfigError
from tournaments.config import Tournament, read_tournament

BOTS = frozenset({"greedy", "random", "search"})
TWO = """
[[entrant]]
name = "Ada"
bot = "greedy"
[[entrant]]
name = "Bo"
command = ["./my bot", "--fast"]
"""


TOKEN = "a-token-of-one-and-no-other"
HASH = hashlib.sha256(TOKEN.encode()).hexdigest()
REMOTE = f"""
[[entrant]]
name = "Cy"
token = "{TOKEN}"
"""


def program(path: Path) -> None:
    """A program that can be started."""
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)


def read(folder: Path, text: str | bytes) -> Tournament:
    """The tournament of a file with this text; its folder has the program of `TWO`."""
    program(folder / "my bot")
    path = folder / "spring.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_tournament(path, BOTS)


def refusal(folder: Path, text: str | bytes) -> str:
    """The sentence about a file, which begins with its path and the line; the rest of it."""
    with pytest.raises(ConfigError) as caught:
        read(folder, text)
    told = str(caught.value)
    assert told.startswith(str(folder / "spring.toml"))
    assert "\n" not in told
    return re.sub(r"^(, line \d+)?:? ", "", told.removeprefix(str(folder / "spring.toml")))
