"""Places of a table become pair scores; faults rank last; copies count once."""

import pytest

from tournaments.ratings import ConflictingResults, Result, rated_once


def scores(result: Result) -> dict[str, float]:
    return {one + other: won for one, other, won in result.pair_scores()}


def test_each_pair_of_a_table_scores_1_half_or_0():
    result = Result("g", "b", ("Ada", "Bo", "Cy", "Dee"), (1, 2, 2, 4))
    assert scores(result) == {"AdaBo": 1, "AdaCy": 1, "AdaDee": 1, "BoCy": 0.5, "BoDee": 1, "CyDee": 1}


def test_points_are_the_share_of_the_opponents_left_behind():
    result = Result("g", "b", ("Ada", "Bo", "Cy", "Dee"), (1, 2, 2, 4))
    assert result.points() == {"Ada": 1, "Bo": 0.5, "Cy": 0.5, "Dee": 0}


def test_the_leader_who_crashed_ranks_behind_all_who_finished():  # S013, S049
    result = Result("g", "b", ("Ada", "Bo", "Cy"), (1, 2, 3), ("crash", None, None))
    assert scores(result) == {"AdaBo": 0, "AdaCy": 0, "BoCy": 1}


def test_seats_at_fault_keep_their_places_among_themselves():
    result = Result("g", "b", ("Ada", "Bo", "Cy"), (1, 2, 3), ("timeout", "illegal", None))
    assert scores(result) == {"AdaBo": 1, "AdaCy": 0, "BoCy": 0}


@pytest.mark.parametrize("reason", ["aborted", "referee-fault"])
def test_a_game_spoilt_by_the_house_is_not_rated(reason):
    assert rated_once([Result("g", "b", ("Ada", "Bo"), (1, 2), (None, reason))]) == []


def test_a_copy_of_a_game_is_dropped():  # S042
    game = Result("g", "b", ("Ada", "Bo"), (1, 2))
    copy = Result("g", "b", ("Bo", "Ada"), (2, 1))
    assert rated_once([game, copy, game]) == [game]


def test_two_results_of_one_game_that_disagree_are_refused():
    game = Result("g17", "b", ("Ada", "Bo"), (1, 2))
    other = Result("g17", "b", ("Ada", "Bo"), (2, 1))
    with pytest.raises(ConflictingResults, match="game g17 is stored with two different results"):
        rated_once([game, other])


@pytest.mark.parametrize(
    ("entrants", "places", "faults"),
    [
        (("Ada",), (1,), ()),
        (("Ada", "Ada"), (1, 2), ()),
        (("Ada", "Bo"), (1,), ()),
        (("Ada", "Bo"), (1, 2), ("crash",)),
    ],
)
def test_a_table_that_cannot_be_is_refused(entrants, places, faults):
    with pytest.raises(ValueError, match="game g7 "):
        Result("g7", "b", entrants, places, faults)


def test_games_of_one_deal_are_one_cluster_even_in_different_blocks():
    one = Result("g1", "b1", ("Ada", "Bo"), (1, 2), deal=5)
    other = Result("g2", "b2", ("Ada", "Cy"), (1, 2), deal=5)
    assert one.cluster == other.cluster
    assert (
        Result("g3", "b1", ("Ada", "Bo"), (1, 2)).cluster != Result("g4", "b2", ("Ada", "Bo"), (1, 2)).cluster
    )
