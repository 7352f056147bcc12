"""The published fit: the right maximum, finite whatever the results, independent of their order."""

import json
import math
from dataclasses import asdict
from itertools import combinations, pairwise
from random import Random

import numpy as np
import pytest

from tournaments.ratings import Fit, Result, fit
from tournaments.ratings.elo import LOGIT
from tournaments.ratings.pairs import distinct


def duels(scores: str, one: str = "Ada", other: str = "Bo") -> list[Result]:
    """Games of two, each a block of its own: + one won, - the other, = a tie."""
    places = {"+": (1, 2), "-": (2, 1), "=": (1, 1)}
    return [
        Result(f"{one}-{other}-{n}", f"{one}-{other}-{n}", (one, other), places[sign])
        for n, sign in enumerate(scores)
    ]


def tables(games: int, seats: int, entrants: int, seed: int, ties: bool = True) -> list[Result]:
    """Games of random entrants in blocks of three; the later in the alphabet, the better on the whole."""
    random = Random(seed)
    names = [f"bot{number:02}" for number in range(entrants)]
    results = []
    for game in range(games):
        table = random.sample(names, seats)
        worth = [names.index(name) / entrants * 3 + random.gauss(0, 2) for name in table]
        credits = [round(value) if ties else value for value in worth]
        places = tuple(1 + sum(other > mine for other in credits) for mine in credits)
        results.append(Result(f"g{game}", f"b{game // 3}", tuple(table), places))
    return results


def elo(table: Fit) -> dict[str, float]:
    return {rating.name: rating.elo for rating in table.ratings}


def numbers(table: Fit) -> list[float]:
    values = [value for rating in table.ratings for value in (rating.elo, rating.low, rating.high)]
    for one, other in combinations(table.names, 2):
        difference, chance = table.difference(one, other), table.superiority(one, other)
        if difference is not None and chance is not None:
            values += [difference.elo, difference.low, difference.high, chance]
    return values


# The maximum


def test_two_players_get_the_elo_of_their_score():
    ada_above_bo = fit(duels("+++=+-=-"), prior_sd=1e6).difference("Ada", "Bo")
    assert ada_above_bo.elo == pytest.approx(LOGIT * math.log(5 / 3), abs=1e-3)  # 5 points of 8


def test_wins_and_losses_give_what_choix_gives():
    import choix  # with all of scipy, which takes seconds

    results = tables(games=400, seats=4, entrants=7, seed=1, ties=False)
    names = sorted({name for result in results for name in result.entrants})
    wins = [
        (names.index(one), names.index(other)) if won else (names.index(other), names.index(one))
        for result in results
        for one, other, won in result.pair_scores()
    ]
    precision = (LOGIT / 600) ** 2
    theirs = choix.opt_pairwise(len(names), wins, alpha=precision / 2, tol=1e-12) * LOGIT
    assert elo(fit(results, prior_sd=600)) == pytest.approx(dict(zip(names, theirs, strict=True)), abs=0.001)


def test_with_ties_the_score_equations_hold():
    results = tables(games=300, seats=3, entrants=6, seed=2)
    ratings = elo(fit(results, prior_sd=500))
    excess = {name: -ratings[name] / LOGIT * (LOGIT / 500) ** 2 for name in ratings}
    for result in results:
        for one, other, won in result.pair_scores():
            surprise = won - 1 / (1 + 10 ** ((ratings[other] - ratings[one]) / 400))
            excess[one] += surprise
            excess[other] -= surprise
    assert all(value == pytest.approx(0, abs=1e-6) for value in excess.values())


def test_no_other_ratings_are_likelier():
    results = tables(games=60, seats=4, entrants=5, seed=3)
    found = elo(fit(results))

    def log_likelihood(ratings: dict[str, float]) -> float:
        total = -sum((rating / 600) ** 2 / 2 for rating in ratings.values())
        for result in results:
            for one, other, won in result.pair_scores():
                chance = 1 / (1 + 10 ** ((ratings[other] - ratings[one]) / 400))
                total += won * math.log(chance) + (1 - won) * math.log(1 - chance)
        return total

    random = Random(4)
    for _ in range(50):
        moved = {name: rating + random.gauss(0, 5) for name, rating in found.items()}
        assert log_likelihood(moved) < log_likelihood(found)


def test_ratings_have_the_wanted_mean():
    results = tables(games=50, seats=3, entrants=5, seed=5)
    assert sum(elo(fit(results)).values()) == pytest.approx(0, abs=1e-4)
    assert sum(elo(fit(results, centre=1500)).values()) == pytest.approx(7500, abs=1e-4)


@pytest.mark.parametrize("entrants", [2, 20, 200])
def test_newton_needs_few_steps(entrants):
    assert fit(tables(games=500, seats=2, entrants=entrants, seed=6)).steps <= 12


# Order and copies


def test_the_order_of_the_games_and_of_the_seats_changes_nothing_at_all():  # S047
    results = (
        tables(games=200, seats=4, entrants=9, seed=7) + tables(games=90, seats=3, entrants=9, seed=8)[60:]
    )
    results = [
        Result(f"{n}", result.block, result.entrants, result.places) for n, result in enumerate(results)
    ]
    turned = [
        Result(result.game, result.block, result.entrants[::-1], result.places[::-1]) for result in results
    ]
    Random(9).shuffle(turned)
    assert fit(turned).ratings == fit(results).ratings
    assert np.array_equal(fit(turned).covariance, fit(results).covariance)


def test_copies_of_results_change_nothing():  # S042
    results = tables(games=30, seats=4, entrants=6, seed=10)
    assert fit(results + results[5:9]).ratings == fit(results).ratings


# Results that tempt a formula into infinity


@pytest.mark.parametrize(
    "results",
    [
        pytest.param(duels("+"), id="one game"),
        pytest.param(duels("="), id="one tie"),
        pytest.param(duels("+" * 6), id="six to nothing"),  # S048
        pytest.param(
            "+" * 100_000, id="a hundred thousand to nothing"
        ),  # made when it runs: it takes a while
        pytest.param(duels("=" * 50), id="ties only"),
        pytest.param(duels("+++") + duels("+++", "Bo", "Cy") + duels("+++", "Ada", "Cy"), id="all in order"),
        pytest.param([Result("g", "b", ("A", "B", "C", "D", "E", "F"), (1, 1, 1, 1, 1, 1))], id="six tie"),
    ],
)
def test_every_number_is_finite(results):  # S044, S048
    table = fit(duels(results) if isinstance(results, str) else results, ["never played"])
    assert all(map(math.isfinite, numbers(table)))
    json.dumps([asdict(rating) for rating in table.ratings], allow_nan=False)


def test_who_won_everything_is_first_and_who_lost_everything_last():  # S044
    results = duels("+++") + duels("+-+", "Bo", "Cy") + duels("+++", "Ada", "Cy") + duels("+++", "Cy", "Dee")
    assert [rating.name for rating in fit(results).ratings] == ["Ada", "Bo", "Cy", "Dee"]


def test_ties_only_leave_all_equal():  # S046
    table = fit([Result("g1", "b", ("Ada", "Bo", "Cy"), (1, 1, 1)), Result("g2", "b", ("Ada", "Cy"), (1, 1))])
    assert elo(table) == {"Ada": 0, "Bo": 0, "Cy": 0}
    assert table.superiority("Ada", "Cy") == 0.5


def test_more_of_the_same_one_sided_result_narrows_the_interval():
    reach = [fit(duels("+" * games)).difference("Ada", "Bo") for games in (1, 6, 30, 200)]
    assert all(more.high - more.low < less.high - less.low for less, more in pairwise(reach))
    assert reach[0].low < 0 < reach[-1].low


def test_no_games_give_an_empty_table():
    assert fit([]).ratings == ()
    assert fit([]).groups == ()


def test_an_entrant_without_games_has_only_the_prior():
    [rating] = fit([], ["Ada"], prior_sd=100).ratings
    assert (rating.elo, rating.games, rating.points, rating.faults) == (0, 0, 0, 0)
    assert rating.high == -rating.low == pytest.approx(195.9964, abs=1e-3)


def test_an_entrant_that_only_faulted_is_last_and_its_faults_are_counted():  # S049
    table = fit(
        [Result(f"g{n}", f"b{n}", ("Ada", "Bo", "Cy"), (1, 2, 3), ("timeout", None, None)) for n in range(5)]
    )
    assert [rating.name for rating in table.ratings] == ["Bo", "Cy", "Ada"]
    assert [rating.faults for rating in table.ratings] == [0, 0, 5]


def test_games_and_points_are_counted():
    results = [
        Result("g1", "b1", ("Ada", "Bo", "Cy", "Dee"), (1, 2, 2, 4)),
        Result("g2", "b2", ("Ada", "Bo"), (1, 2)),
        Result("g3", "b3", ("Ada", "Bo"), (1, 2), ("referee-fault", None)),
    ]
    counted = {rating.name: (rating.games, rating.points) for rating in fit(results).ratings}
    assert counted == {"Ada": (2, 2.0), "Bo": (2, 0.5), "Cy": (1, 0.5), "Dee": (1, 0.0)}


# Groups


def test_entrants_that_no_chain_of_games_connects_are_not_comparable():  # S045
    table = fit(duels("++-") + duels("+", "Cy", "Dee"), ["Eve"])
    assert table.groups == (("Ada", "Bo"), ("Cy", "Dee"), ("Eve",))
    assert [rating.group for rating in table.ratings] == [1, 1, 2, 2, 3]
    assert table.difference("Ada", "Cy") is None
    assert table.superiority("Ada", "Eve") is None
    assert table.superiority("Cy", "Dee") > 0.5


def test_a_group_is_rated_as_if_it_were_alone():
    alone, beside_others = fit(duels("++-=")), fit(duels("++-=") + duels("+++-", "Cy", "Dee"))
    assert beside_others.ratings[:2] == alone.ratings


def test_a_chain_of_common_opponents_makes_one_group():
    results = duels("+-") + duels("+-", "Bo", "Cy") + duels("+-", "Cy", "Dee")
    assert fit(results).groups == (("Ada", "Bo", "Cy", "Dee"),)


def test_an_unknown_name_is_an_error_not_an_unconnected_entrant():
    with pytest.raises(KeyError, match="Zoe is not among the 2 entrants"):
        fit(duels("+-")).superiority("Ada", "Zoe")


@pytest.mark.parametrize("count", [0, 1, 50])
def test_distinct_keys_are_those_of_numpy(count):
    keys = np.random.default_rng(1).integers(20, size=count)
    for found, expected in zip(distinct(keys), np.unique(keys, return_inverse=True), strict=True):
        assert found.tolist() == expected.tolist()
