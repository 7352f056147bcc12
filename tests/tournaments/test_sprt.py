"""The sequential test: the classical ratio where there is one, and its error rates by simulation."""

import math

import numpy as np
import pytest

from tournaments.ratings import Result, Sprt, Verdict, block_scores, expected, sprt
from tournaments.ratings.sprt import log_likelihood_ratios


def log_likelihood_ratio(scores: list[float], score0: float, score1: float) -> float:
    """After all blocks."""
    return float(list(log_likelihood_ratios(scores, score0, score1))[-1][-1])


def test_without_ties_and_blocks_it_is_the_classical_test():
    won, lost = 60, 40
    score0, score1 = 0.5, 0.55
    by_hand = won * math.log(score1 / score0) + lost * math.log((1 - score1) / (1 - score0))
    assert log_likelihood_ratio([1.0] * won + [0.0] * lost, score0, score1) == pytest.approx(
        by_hand, abs=1e-3
    )


def test_for_small_differences_it_is_the_normal_approximation():
    scores = [0, 0.25, 0.5, 0.5, 0.75, 1, 0.5, 0.75] * 200
    score0, score1 = expected(0), expected(4)
    mean, variance = np.mean(scores), np.var(scores)
    by_hand = len(scores) * (score1 - score0) * (2 * mean - score0 - score1) / (2 * variance)
    assert log_likelihood_ratio(scores, score0, score1) == pytest.approx(by_hand, rel=0.03)


def test_blocks_of_cancelled_luck_decide_sooner_than_their_games_would():
    blocks = [0.5] * 30 + [0.75] * 10  # the mean of two games each
    games = [1.0, 0.0] * 30 + [1.0, 0.5] * 10
    assert log_likelihood_ratio(blocks, 0.5, 0.55) > 2 * log_likelihood_ratio(games, 0.5, 0.55)


def test_no_blocks_leave_it_undecided():
    state = Sprt(0, 10).state([])
    assert (state.llr, state.blocks, state.verdict) == (0, 0, Verdict.UNDECIDED)


def test_the_bounds_are_walds():
    state = Sprt(0, 10, alpha=0.05, beta=0.1).state([])
    assert state.lower == pytest.approx(math.log(0.1 / 0.95))
    assert state.upper == pytest.approx(math.log(0.9 / 0.05))


@pytest.mark.parametrize(
    ("score", "verdict"),
    [(1.0, Verdict.BETTER), (0.75, Verdict.BETTER), (0.5, Verdict.NOT_BETTER), (0.0, Verdict.NOT_BETTER)],
)
def test_always_the_same_score_ends_in_a_finite_ratio_and_a_verdict(score, verdict):
    state = Sprt(0, 50).state([score] * 300)
    assert math.isfinite(state.llr)
    assert state.verdict is verdict


def test_while_undecided_the_order_of_the_blocks_does_not_matter():
    scores = [0.0, 0.5, 1.0, 0.75, 0.5, 0.25]
    assert Sprt(0, 30).state(scores) == Sprt(0, 30).state(scores[::-1])


def test_it_ends_at_the_first_verdict_whatever_comes_after():
    test, won = Sprt(0, 100), [1.0] * 40
    state = test.state(won)
    assert state.verdict is Verdict.BETTER
    assert state.blocks < 40
    assert state == test.state(won + [0.0] * 100)
    assert test.state(won[: state.blocks - 1]).verdict is Verdict.UNDECIDED


def test_the_ratio_after_each_block_is_that_of_the_blocks_so_far(monkeypatch):
    monkeypatch.setattr(sprt, "PIECE", 12)  # so that there are several pieces
    scores = [0.5, 0.75, 1.0, 0.25, 0.5, 0.0, 0.5, 0.5, 1.0]
    ratios = np.concatenate(list(log_likelihood_ratios(scores, 0.5, 0.6)))
    alone = [log_likelihood_ratio(scores[:number], 0.5, 0.6) for number in range(1, 10)]
    assert ratios == pytest.approx(alone, abs=1e-9)


@pytest.mark.parametrize("bounds", [(5, 5), (10, 0)])
def test_hypotheses_in_the_wrong_order_are_refused(bounds):
    with pytest.raises(ValueError, match="elo1 must be the greater"):
        Sprt(*bounds)


@pytest.mark.parametrize(("alpha", "beta"), [(0, 0.05), (0.05, 0), (0.5, 0.5), (-0.1, 0.05)])
def test_impossible_error_rates_are_refused(alpha, beta):
    with pytest.raises(ValueError, match="both must be above 0, their sum below 1"):
        Sprt(0, 5, alpha, beta)


def test_a_block_scores_the_mean_of_its_games_between_the_two_versions():
    results = [
        Result("g1", "b1", ("new", "old", "other"), (1, 2, 3)),
        Result("g2", "b1", ("old", "other", "new"), (2, 1, 2)),
        Result("g3", "b2", ("old", "new"), (1, 2)),
        Result("g4", "b3", ("new", "other"), (1, 2)),  # they did not meet
        Result("g3", "b2", ("old", "new"), (1, 2)),  # a copy
    ]
    assert block_scores(results, "new", "old") == [0.75, 0.0]


def test_blocks_of_one_deal_are_one_observation():
    results = [
        Result("g1", "b1", ("new", "old", "other"), (1, 2, 3), deal=7),
        Result("g2", "b2", ("new", "old", "third"), (2, 1, 3), deal=7),
        Result("g3", "b3", ("new", "old", "other"), (1, 2, 3), deal=8),
    ]
    assert block_scores(results, "new", "old") == [0.5, 1.0]


def rate_of_better(elo: float, test: Sprt, runs: int, seed: int) -> float:
    """How often the test says `better` of a version that is stronger by `elo`, with luck in the deals."""
    random = np.random.default_rng(seed)
    better = 0
    for _ in range(runs):
        luck = random.uniform(
            -0.3, 0.3, size=2_000
        )  # of the deal: good for the first game, bad for the second
        first = random.uniform(size=2_000) < expected(elo) + luck
        second = random.uniform(size=2_000) < expected(elo) - luck
        state = test.state(((first * 1.0 + second) / 2).tolist())
        better += state.verdict is Verdict.BETTER
    return better / runs


def test_a_version_that_is_no_better_is_seldom_called_better():
    assert rate_of_better(0, Sprt(0, 120), runs=100, seed=1) <= 0.10


def test_a_version_that_is_better_is_seldom_missed():
    assert rate_of_better(120, Sprt(0, 120), runs=100, seed=2) >= 0.90
