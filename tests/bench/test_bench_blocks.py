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
    twins = blocks.saved(blocks.Field(("one", "same"), blocks.own), blocks.LEAST)
    assert twins is not None
    assert (twins.share, twins.error) == pytest.approx((1, 0))
    unlike = blocks.saved(blocks.Field(("other", "third"), blocks.own), blocks.LEAST)
    assert unlike is not None
    assert unlike.share < 0.9
    assert unlike.error > 0.02


@pytest.mark.parametrize(
    "field",
    [blocks.Field(("one", "same")), blocks.Field(("one", "same", "other"), exchanged=True)],
    ids=["two seats", "exchanged"],
)
def test_with_the_luck_of_the_seats_twins_play_every_game_of_a_deal_alike(monkeypatch, field) -> None:
    monkeypatch.setattr(blocks, "MADE", dict.fromkeys(("one", "same", "other"), RandomBot))
    twins = blocks.saved(field, blocks.LEAST)
    assert twins is not None
    assert twins.share == pytest.approx(1)


def test_a_table_is_looked_at_pair_by_pair() -> None:
    result = Result("g", "b", ("a", "b", "c"), (3, 1, 2))
    assert blocks.duel(result, "c", "a") == Result("g", "b", ("c", "a"), (2, 3))
