"""What blocks save, on tables that are played fast."""

from __future__ import annotations

import pytest

from bench import blocks
from clients.bots.random_bot import RandomBot
from tournaments.ratings import Result


def alike(seed: int) -> RandomBot:
    """A bot that draws the same numbers in every seat."""
    return RandomBot(1)


def test_two_who_play_alike_save_all_and_two_who_do_not_save_less(monkeypatch) -> None:
    monkeypatch.setattr(blocks, "MADE", {"one": alike, "same": alike, "other": RandomBot, "third": RandomBot})
    assert blocks.saved(("one", "same"), blocks.LEAST) == pytest.approx(1)
    unlike = blocks.saved(("other", "third"), blocks.LEAST)
    assert unlike is not None
    assert unlike < 0.9


def test_a_table_is_looked_at_pair_by_pair() -> None:
    result = Result("g", "b", ("a", "b", "c"), (3, 1, 2))
    assert blocks.duel(result, "c", "a") == Result("g", "b", ("c", "a"), (2, 3))
