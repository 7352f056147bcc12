"""The promises of docs/ratings.md, by long simulations (some ten minutes of one core)."""

from collections import Counter
from itertools import combinations
from math import comb

import numpy as np
import pytest
from played_out import play_out
from simulated import coverage, referee

from tournaments.ratings import Sprt, Verdict, expected
from tournaments.ratings.elo import LOGIT
from tournaments.schedules import Event, Trial
from tournaments.schedules.design import all_meet

pytestmark = pytest.mark.soak

FOUR = [-1, -0.3, 0.3, 1]  # strengths in natural logits: 350 Elo from the first to the last
FIVE = [-1, -0.5, 0, 0.5, 1]


@pytest.mark.parametrize(
    ("strengths", "seats", "blocks", "seat_luck", "own_luck", "shared_deals"),
    [
        pytest.param(FOUR, 4, 20, 0, 0, False, id="tables of four without luck in the deals"),
        pytest.param(FOUR, 4, 20, 0.6, 0, False, id="tables of four with luck of the seat"),
        pytest.param(FOUR, 4, 20, 0.4, 0.2, False, id="tables of four with luck of both kinds"),
        pytest.param(FOUR, 2, 10, 0.4, 0.2, False, id="duels with luck of both kinds"),
        pytest.param(FIVE, 4, 10, 0.4, 0.2, False, id="five tables of four with deals of their own"),
        pytest.param(FIVE, 4, 10, 0.4, 0.2, True, id="five tables of four with shared deals"),
    ],
)
def test_95_percent_intervals_cover_93_to_97_percent(
    strengths, seats, blocks, seat_luck, own_luck, shared_deals, show
):
    covered = coverage(
        1_000,
        strengths,
        seats,
        blocks,
        seed=2024,
        seat_luck=seat_luck,
        own_luck=own_luck,
        shared_deals=shared_deals,
    )
    show(
        "coverage of ratings and of differences",
        {"luck": [seat_luck, own_luck], "seats": seats, "covered": covered},
    )
    assert all(0.93 <= share <= 0.97 for share in covered)


RUNS = 1_000
MOST_ERRORS = 64  # 50 of 1,000 are allowed in the mean; 64 leaves two standard errors
FEWER_RUNS, FEWER_ERRORS = 300, 23  # the same where a run takes longer
MORE_RUNS, MORE_ERRORS = 3_000, 174  # and where the effect to be seen is small


@pytest.mark.parametrize("luck", [0, 0.6, 0.95])
@pytest.mark.parametrize(("gap", "most"), [(20, 8_000), (40, 3_000), (100, 1_000)])
def test_the_sequential_test_keeps_its_error_rates(gap, most, luck, show):
    """Blocks of two games; the luck of the deal is good for the one and bad for the other.

    It is a part of what there is room for: with 1, some deals would leave the better one no chance to lose.
    """
    test = Sprt(0, gap)
    reach = luck * (1 - expected(gap))
    random = np.random.default_rng(gap)
    for strength, wrong in ((0, Verdict.BETTER), (gap, Verdict.NOT_BETTER)):
        states = []
        for _ in range(RUNS):
            deal = random.uniform(-reach, reach, size=most)
            first = random.uniform(size=most) < expected(strength) + deal
            second = random.uniform(size=most) < expected(strength) - deal
            states.append(test.state(((first * 1.0 + second) / 2).tolist()))
        errors = told(show, states, wrong, {"seats": 2, "elo1": gap, "luck": luck, "truth": strength})
        assert errors <= MOST_ERRORS


@pytest.mark.parametrize(("gap", "most", "unlike"), [(20, 4_000, 0.1), (40, 2_000, 0.15)])
def test_versions_that_mostly_play_alike_keep_the_error_rates(gap, most, unlike, show):
    """With the luck of the seats: all blocks are level but `unlike` of them, of which one version takes both games."""
    test = Sprt(0, gap)
    random = np.random.default_rng(gap)
    for strength, wrong in ((0, Verdict.BETTER), (gap, Verdict.NOT_BETTER)):
        won = unlike / 2 + expected(strength) - 0.5
        states = []
        for _ in range(MORE_RUNS):
            drawn = random.uniform(size=most)
            scores = np.select([drawn < won, drawn < unlike], [1.0, 0.0], 0.5)
            states.append(test.state(scores.tolist()))
        assert told(show, states, wrong, {"elo1": gap, "unlike": unlike, "truth": strength}) <= MORE_ERRORS


@pytest.mark.parametrize(("seats", "others", "seat_luck", "own_luck"), [(3, 1, 0.4, 0.2), (4, 3, 0.6, 0.2)])
def test_trials_keep_their_error_rates(seats, others, seat_luck, own_luck, show):
    """As they are played: the schedule seats the others and decides when to stop."""
    names = tuple(f"bot{number}" for number in range(others + 2))
    for strength, wrong in ((0, Verdict.BETTER), (100, Verdict.NOT_BETTER)):
        theta = np.array([strength / LOGIT, 0.0, 0.3, -0.4, 0.1][: others + 2])
        states = []
        for number in range(FEWER_RUNS):
            trial = Trial(
                Event("soak", number, shared_deals=False), *names[:2], names[2:], seats, Sprt(0, 100)
            )
            by_chance = referee(np.random.default_rng(number), theta, seat_luck=seat_luck, own_luck=own_luck)
            states.append(trial.stand(play_out(trial, by_chance)).state)
        figures = {"seats": seats, "elo1": 100, "luck": [seat_luck, own_luck], "truth": strength}
        assert told(show, states, wrong, figures) <= FEWER_ERRORS


def told(show, states, wrong, figures):
    """Print how often the verdict is wrong, which must be there each time; returns the count."""
    assert Verdict.UNDECIDED not in {state.verdict for state in states}
    errors = sum(state.verdict is wrong for state in states)
    blocks = round(float(np.mean([state.blocks for state in states])))
    show(
        "sequential test",
        {**figures, "blocks": blocks, "runs": len(states), f"wrongly {wrong.value}": errors},
    )
    return errors


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_designs_are_balanced_for_every_field_to_130(seats):
    for entrants in range(10, 131):
        met = Counter(pair for table in all_meet(entrants, seats) for pair in combinations(table, 2))
        assert len(met) == comb(entrants, 2)
        assert max(met.values()) - min(met.values()) <= 1
