"""Whole games are played as they were; see `playthrough` for how to refresh the files."""

from __future__ import annotations

from itertools import zip_longest

import pytest

from tests.playthroughs.playthrough import FOLDER, GAMES, playthrough

MAX_BYTES = 300_000  # a diff of a larger file is read by nobody


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_played_as_it_was(name: str) -> None:
    stored = FOLDER.joinpath(f"{name}.txt").read_text("utf-8").splitlines()
    for number, (was, now) in enumerate(zip_longest(stored, playthrough(name)), 1):
        assert now == was, (
            f"{name}.txt differs from line {number} on; if that is meant: python -m tests.playthroughs"
        )


def test_the_files_are_those_of_the_games_and_small() -> None:
    files = {path.stem: path.stat().st_size for path in FOLDER.glob("*.txt")}
    assert set(files) == set(GAMES)
    assert max(files.values()) < MAX_BYTES
