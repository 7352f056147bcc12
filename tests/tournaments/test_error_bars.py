"""The error bars: textbook numbers where there are any, and coverage by simulation where there are none."""

import math
from itertools import combinations

import numpy as np
import pytest
from simulated import coverage, simulate

from tournaments.ratings import Fit, Result, expected, fit
from tournaments.ratings.elo import LOGIT


def blocks_of_two(scores: list[tuple[float, float]]) -> list[Result]:
    """Blocks of two games between Ada and Bo, given by what Ada scored in each."""
    places = {1: (1, 2), 0.5: (1, 1), 0: (2, 1)}
    return [
        Result(f"{block}.{game}", f"{block}", ("Ada", "Bo"), places[score])
        for block, pair in enumerate(scores)
        for game, score in enumerate(pair)
    ]


# By hand


def test_two_players_get_the_error_of_the_mean_block_score():
    scores = [(1, 0), (1, 1), (0.5, 0.5), (0, 0), (1, 0.5)] * 40
    table = fit(blocks_of_two(scores), prior_sd=1e5)
    means = np.mean(scores, axis=1)
    score = means.mean()
    # The delta method: Elo per score is LOGIT / (score (1 - score)). One part in 200 is the model's variance.
    seen = means.var(ddof=1) / 200
    modelled = score * (1 - score) / 400
    error = LOGIT / (score * (1 - score)) * math.sqrt(199 / 200 * seen + modelled / 200)
    low_to_high = table.difference("Ada", "Bo")
    assert (low_to_high.high - low_to_high.low) / 2 == pytest.approx(1.97190 * error, rel=1e-3)  # t, 200 free


def test_blocks_that_agree_are_known_better_than_blocks_that_do_not():
    agree = fit(blocks_of_two([(1, 0), (0, 1)] * 20)).difference("Ada", "Bo")
    differ = fit(blocks_of_two([(1, 1), (0, 0)] * 20)).difference("Ada", "Bo")
    assert agree.elo == pytest.approx(differ.elo, abs=1e-6)
    assert agree.high < differ.high / 3


def test_one_game_many_times_is_not_many_observations():
    lucky = [Result(f"g{n}", f"b{n // 50}", ("Ada", "Bo"), (1, 2) if n < 100 else (2, 1)) for n in range(200)]
    apart = [Result(f"g{n}", f"b{n}", ("Ada", "Bo"), (1, 2) if n < 100 else (2, 1)) for n in range(200)]
    assert fit(lucky).difference("Ada", "Bo").high > 5 * fit(apart).difference("Ada", "Bo").high


def test_a_single_table_is_judged_by_the_variance_of_rankings_not_of_pairs():
    """Borda scores of a random ranking of k vary (k + 1) / 3 times as much as k - 1 coin tosses."""
    table = fit([Result("g", "b", ("Ada", "Bo", "Cy", "Dee", "Eve"), (1, 1, 1, 1, 1))], prior_sd=1e5)
    pairs = 1 / 4 * (5 * np.eye(5) - np.ones((5, 5)))  # the information of ten games at equal strength
    documented = np.linalg.pinv(pairs) * 2 * LOGIT**2
    assert table.covariance == pytest.approx(documented, rel=1e-3)


def test_shared_deals_are_the_clusters():
    games = [
        Result(
            f"{deal}{one}{other}",
            f"{deal}{one}{other}",
            (one, other),
            (1, 2) if deal % 2 else (2, 1),
            deal=deal,
        )
        for deal in range(30)
        for one, other in combinations("ABCDEF", 2)
    ]
    blocks = [Result(game.game, game.block, game.entrants, game.places) for game in games]
    assert fit(games).difference("A", "F").high > 1.5 * fit(blocks).difference("A", "F").high


def test_superiority_follows_from_the_joint_covariance():
    table = fit(blocks_of_two([(1, 0), (1, 1), (0.5, 0.5), (0, 0), (1, 0.5)] * 40), confidence=0.9)
    better = table.superiority("Ada", "Bo")
    assert better + table.superiority("Bo", "Ada") == pytest.approx(1)
    just = fit(blocks_of_two([(1, 0), (1, 1), (0.5, 0.5), (0, 0), (1, 0.5)] * 40), confidence=2 * better - 1)
    assert just.difference("Ada", "Bo").low == pytest.approx(
        0, abs=1e-6
    )  # its one-sided interval ends at nothing


def test_the_covariance_is_that_of_centred_ratings():
    random = np.random.default_rng(1)
    results = simulate(
        random,
        np.zeros(5),
        list(combinations(range(5), 3)),
        2,
        seat_luck=0.3,
        own_luck=0.2,
        shared_deals=False,
    )
    covariance = fit(results).covariance
    assert covariance @ np.ones(5) == pytest.approx(np.zeros(5), abs=1e-8)
    assert np.linalg.eigvalsh(covariance).min() > -1e-8
    assert np.array_equal(covariance, covariance.T)


def documented_covariance(results: list[Result], table: Fit, one_sided: str) -> np.ndarray:
    """The formula of docs/ratings.md with dense matrices and eigenvalues, in Elo squared.

    `one_sided` names an entrant whose results all went one way; nobody else's may have.
    """
    names, n = table.names, len(table.names)
    prior = (LOGIT / 600) ** 2 * np.eye(n)
    labels = sorted({result.cluster for result in results})
    score = np.zeros((len(labels), n))
    information, modelled, decided = np.zeros((3, len(labels), n, n))
    for result in results:
        g = labels.index(result.cluster)
        for one, other, won in result.pair_scores():
            i, j = names.index(one), names.index(other)
            apart = np.eye(n)[i] - np.eye(n)[j]
            chance = expected(table.elo[i] - table.elo[j])
            variance = chance * (1 - chance) * np.outer(apart, apart)
            score[g] += (won - chance) * apart
            information[g] += variance
            modelled[g] += variance * (len(result.entrants) + 1) / 3
            if one_sided in (one, other):
                decided[g] += variance * (len(result.entrants) + 1) / 3
    inverse = np.linalg.inv(information.sum(axis=0) + prior)
    own = modelled.diagonal(axis1=1, axis2=2)
    clusters = own.sum(axis=0) ** 2 / (own**2).sum(axis=0)
    meat = prior
    for g in range(len(labels)):
        weight = 1 / clusters[own[g] > 0].min()
        meat = meat + weight * modelled[g] + (1 - weight) * decided[g]
        if weight < 1 - 1e-9:
            values, vectors = np.linalg.eig(np.eye(n) - information[g] @ inverse)
            corrected = (vectors @ np.diag(values**-0.5) @ np.linalg.inv(vectors)).real @ score[g]
            meat = meat + (1 - weight) * np.outer(corrected, corrected)
    centring = np.eye(n) - 1 / n
    return centring @ inverse @ meat @ inverse @ centring * LOGIT**2


def test_the_covariance_is_the_documented_formula():
    random = np.random.default_rng(2)
    results = simulate(
        random,
        np.zeros(5),
        list(combinations(range(5), 3)),
        2,
        seat_luck=0.3,
        own_luck=0.2,
        shared_deals=False,
    )
    results += [
        Result("s1", "s1", ("scarce", "bot1", "bot2"), (1, 2, 3)),
        Result("s2", "s2", ("bot1", "scarce"), (1, 2)),
        Result("s3", "s2", ("scarce", "bot1"), (1, 2)),
        Result("s4", "s2", ("bot3", "scarce"), (1, 1)),
        Result("s5", "s5", ("beaten", "bot1", "bot4"), (3, 1, 1)),
        Result("s6", "s6", ("beaten", "bot1"), (2, 1)),
    ]
    table = fit(results)
    documented = documented_covariance(results, table, one_sided="beaten")
    assert table.covariance == pytest.approx(documented, rel=1e-6, abs=1e-3)


# By simulation


def test_intervals_cover_the_truth_with_luck_in_the_deals():
    covered = coverage(
        60, [-1, -0.3, 0.3, 1], seats=4, blocks=20, seed=11, seat_luck=0.4, own_luck=0.2, shared_deals=False
    )
    assert all(0.90 <= share <= 0.99 for share in covered)


def test_intervals_cover_the_truth_with_shared_deals():
    covered = coverage(
        40, [-1, -0.5, 0, 0.5, 1], seats=3, blocks=10, seed=12, seat_luck=0.3, own_luck=0.3, shared_deals=True
    )
    assert all(0.90 <= share <= 0.99 for share in covered)
