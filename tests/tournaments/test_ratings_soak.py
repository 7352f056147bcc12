"""The promises of docs/ratings.md, by long simulations (about ten minutes on two cores)."""

from collections import Counter
from itertools import combinations
from math import comb

import numpy as np
import pytest
from simulated import coverage

from tournaments.ratings import Sprt, Verdict, expected
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
    strengths, seats, blocks, seat_luck, own_luck, shared_deals, record_property
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
    record_property("coverage of ratings and of differences", covered)
    assert all(0.93 <= share <= 0.97 for share in covered)


@pytest.mark.parametrize("luck", [0, 0.3])
@pytest.mark.parametrize("gap", [40, 100])
def test_the_sequential_test_keeps_its_error_rates(gap, luck, record_property):
    test = Sprt(0, gap)
    random = np.random.default_rng(gap)
    for strength, wrong in ((0, Verdict.BETTER), (gap, Verdict.NOT_BETTER)):
        errors = 0
        for _ in range(1_000):
            deal = random.uniform(-luck, luck, size=5_000)
            first = random.uniform(size=5_000) < expected(strength) + deal
            second = random.uniform(size=5_000) < expected(strength) - deal
            scores = ((first * 1.0 + second) / 2).tolist()
            blocks, state = 0, test.state([])
            while state.verdict is Verdict.UNDECIDED:
                blocks += 5
                state = test.state(scores[:blocks])
            errors += state.verdict is wrong
        record_property(f"{wrong.value} at {strength} Elo", errors)
        assert errors <= 64  # 50 are allowed in the mean; 64 leaves two standard errors


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_designs_are_balanced_for_every_field_to_130(seats):
    for entrants in range(10, 131):
        met = Counter(pair for table in all_meet(entrants, seats) for pair in combinations(table, 2))
        assert len(met) == comb(entrants, 2)
        assert max(met.values()) - min(met.values()) <= 1
