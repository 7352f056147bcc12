"""Live Elo, by hand-checked numbers."""

from itertools import permutations

import pytest

from tournaments.ratings import Result, changes, expected, live

RATINGS = {"Ada": 1600.0, "Bo": 1500.0, "Cy": 1500.0, "Dee": 1400.0}


def duel(places: tuple[int, int], game: str = "g", entrants: tuple[str, str] = ("Ada", "Bo")) -> Result:
    return Result(game, "b", entrants, places)


@pytest.mark.parametrize(
    ("difference", "score"), [(0, 1 / 2), (400, 10 / 11), (-400, 1 / 11), (800, 100 / 101)]
)
def test_400_elo_are_odds_of_ten_to_one(difference, score):
    assert expected(difference) == pytest.approx(score, abs=1e-15)


def test_the_expected_scores_of_a_pair_add_up_to_one_however_far_apart():
    for difference in (0.1, 37.0, 5_000.0, 1e9):
        assert expected(difference) + expected(-difference) == 1


def test_between_equals_a_win_of_two_moves_half_of_k():
    assert changes({}, duel((1, 2)), k=32) == {"Ada": 16, "Bo": -16}


def test_a_table_of_four_equals_moves_the_winner_as_far_as_a_duel():
    result = Result("g", "b", ("Ada", "Bo", "Cy", "Dee"), (1, 2, 3, 4))
    assert changes({}, result, k=30) == pytest.approx({"Ada": 15, "Bo": 5, "Cy": -5, "Dee": -15})


def test_four_unequal_players_as_in_the_documentation():  # S050
    result = Result("g", "b", ("Dee", "Bo", "Ada", "Cy"), (1, 2, 2, 4))
    by_hand = {
        "Dee": 32 / 3 * (3 - expected(-100) - expected(-200) - expected(-100)),
        "Bo": 32 / 3 * (1.5 - expected(100) - expected(-100) - expected(0)),
        "Ada": 32 / 3 * (1.5 - expected(200) - expected(100) - expected(100)),
        "Cy": 32 / 3 * (0 - expected(100) - expected(-100) - expected(0)),
    }
    assert changes(RATINGS, result, k=32) == pytest.approx(by_hand)


def test_the_order_of_the_seats_changes_nothing():  # S047
    finishing = list(zip(RATINGS, (1, 2, 2, 4), strict=True))
    moved = [
        changes(RATINGS, Result("g", "b", *zip(*seats, strict=True)), k=32)
        for seats in permutations(finishing)
    ]
    assert all(move == moved[0] for move in moved)


def test_the_changes_of_a_game_add_up_to_nothing():
    result = Result("g", "b", ("Ada", "Bo", "Cy", "Dee"), (3, 1, 1, 4))
    assert sum(changes(RATINGS, result).values()) == pytest.approx(0, abs=1e-12)


def test_new_players_who_tie_stay_equal():  # S046
    assert live([duel((1, 1))]) == {"Ada": 1500, "Bo": 1500}


def test_a_copied_result_moves_nobody_twice():  # S042
    assert live([duel((1, 2)), duel((1, 2))]) == live([duel((1, 2))])


def test_live_ratings_follow_the_games_and_come_best_first():
    ratings = live([duel((2, 1), "g1"), duel((1, 2), "g2", ("Bo", "Cy"))])
    won = 32 * (1 - expected(16))  # by Bo, who had 1516, against a newcomer
    assert ratings == pytest.approx({"Bo": 1516 + won, "Cy": 1500 - won, "Ada": 1484})
    assert list(ratings) == ["Bo", "Cy", "Ada"]
