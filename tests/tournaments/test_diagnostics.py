"""The effect of seats, and the variance that blocks save, on results where both are known."""

import numpy as np
import pytest

from tournaments.ratings import Result, fit_tables, rated_once, seat_effects, tables, variance_saved
from tournaments.report import report


def counted(results):
    games = tables(rated_once(results))
    return games, fit_tables(games)


def blocks(seat_worth: float, deal_luck: float, count: int = 300, seed: int = 5) -> list[Result]:
    """Duels of equals, each deal from both seats; the first seat is worth something, and each deal favours one."""
    random = np.random.default_rng(seed)
    results = []
    for number in range(count):
        luck = random.normal(0, deal_luck)
        for game, (one, other) in enumerate((("Ada", "Bo"), ("Bo", "Ada"))):
            first = random.normal() < seat_worth + luck
            places = (1, 2) if first else (2, 1)
            results.append(Result(f"{number}.{game}", f"b{number}", (one, other), places))
    return results


def test_seat_that_is_worth_something_is_found():
    first, second = seat_effects(*counted(blocks(0.4, 0.0)))
    assert (first.seats, first.seat, second.seat, first.games) == (2, 0, 1, 600)
    assert first.points == pytest.approx(0.155, abs=0.05)  # the normal cdf of 0.4, less a half
    assert second.points == pytest.approx(-first.points)
    assert first.low > 0 > second.high


def test_seats_that_are_alike_are_not_told_apart():
    first, _ = seat_effects(*counted(blocks(0.0, 0.0)))
    assert first.low < 0 < first.high


def test_strength_is_not_taken_for_the_seat():
    """Ada wins everything from the first seat, where she always sits; so the ratings explain it all."""
    results = [Result(str(n), str(n), ("Ada", "Bo"), (1, 2) if n % 5 else (2, 1)) for n in range(50)]
    first, _ = seat_effects(*counted(results))
    assert abs(first.points) < 0.01


def test_single_deal_has_no_error_bar():
    first, _ = seat_effects(*counted([Result("1", "1", ("Ada", "Bo"), (1, 2))]))
    assert first.low is first.high is None


def test_deals_that_do_not_differ_have_no_error_bar():
    """Ada wins each game from either seat, so no deal says more of the seats than another."""
    results = [
        Result(f"{n}{first}", str(n), (first, other), (1, 2) if first == "Ada" else (2, 1))
        for n in range(9)
        for first, other in (("Ada", "Bo"), ("Bo", "Ada"))
    ]
    for seat in seat_effects(*counted(results)):
        assert seat.points == pytest.approx(0)
        assert seat.low is seat.high is None


def test_blocks_save_the_luck_of_the_deal():
    saved = {luck: variance_saved(*counted(blocks(0.0, luck))) for luck in (0.0, 3.0)}
    assert saved[0.0].share == pytest.approx(0, abs=0.15)
    assert saved[3.0].share > 0.5
    assert saved[0.0].share / saved[0.0].error == pytest.approx(0, abs=2.5)


def test_error_of_what_blocks_save_is_how_far_it_scatters():
    saved = [variance_saved(*counted(blocks(0.0, 1.0, count=100, seed=seed))) for seed in range(100)]
    assert np.mean([each.error for each in saved]) == pytest.approx(
        np.std([each.share for each in saved]), rel=0.25
    )


def test_blocks_of_two_who_play_alike_have_nothing_to_tell():
    level = [
        Result(f"{n}{first}", f"b{n}", (first, other), (1, 2) if n % 2 else (2, 1))
        for n in range(30)
        for first, other in (("Ada", "Bo"), ("Bo", "Ada"))
    ]
    assert variance_saved(*counted(level)) == pytest.approx((1, 0))
    assert report(level, "twins").saving == ""
    assert "less than in as many independent games (standard error " in report(blocks(0.0, 3.0), "x").saving
    ties = [Result(f"{n}", f"b{n // 2}", ("Ada", "Bo"), (1, 1)) for n in range(60)]
    assert variance_saved(*counted(ties)) is None


def test_too_few_blocks_say_nothing():
    assert variance_saved(*counted(blocks(0.0, 1.0, count=19))) is None
    assert variance_saved(*counted([])) is None
