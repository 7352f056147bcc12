"""Our t distribution against scipy's."""

import math

import pytest
from scipy import stats

from tournaments.ratings import student

FREEDOMS = [1, 1.7, 3, 10, 123.4, 9_999]


@pytest.mark.parametrize("freedom", FREEDOMS)
@pytest.mark.parametrize("t", [-30, -2.5, -0.1, 0, 0.3, 1.96, 40])
def test_the_cdf_is_scipys(t, freedom):
    assert student.cdf(t, freedom) == pytest.approx(stats.t.cdf(t, freedom), rel=1e-9)


@pytest.mark.parametrize("freedom", FREEDOMS)
@pytest.mark.parametrize("probability", [0.5, 0.9, 0.975, 0.9995])
def test_the_quantile_is_scipys(probability, freedom):
    assert student.quantile(probability, freedom) == pytest.approx(
        stats.t.ppf(probability, freedom), rel=1e-9
    )


def test_without_end_of_freedom_it_is_the_normal_distribution():
    assert student.quantile(0.975, math.inf) == pytest.approx(1.959964, abs=1e-6)
    assert student.cdf(1.959964, math.inf) == pytest.approx(0.975, abs=1e-6)
