"""Student's t distribution, for error bars that rest on few blocks.

numpy has no quantiles and scipy is no runtime dependency; this is the part of it that we need.
"""

import math
from statistics import NormalDist

NORMAL = NormalDist()
NORMAL_FROM = 10_000  # degrees of freedom; from here on the 95 % points agree to one part in 8,000
TERMS = 200  # of the continued fraction; it needs about the square root of half NORMAL_FROM


def cdf(t: float, freedom: float) -> float:
    """The probability of a value below `t`; `freedom` may be any positive number or infinity."""
    if freedom >= NORMAL_FROM:
        return NORMAL.cdf(t)
    outside = _incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t))
    return 1 - outside / 2 if t > 0 else outside / 2


def quantile(probability: float, freedom: float) -> float:
    """The value with this probability below it, for probabilities from 0.5 up to but without 1."""
    t = NORMAL.inv_cdf(probability)
    if freedom >= NORMAL_FROM:
        return t
    # Above zero the cdf is concave and the normal quantile lies below t's, so Newton climbs without overshoot.
    for _ in range(100):
        step = (probability - cdf(t, freedom)) / _density(t, freedom)
        t += step
        if abs(step) <= 1e-12 * (1 + t):
            break
    return t


def _density(t: float, freedom: float) -> float:
    log_scale = math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2) - math.log(freedom * math.pi) / 2
    return math.exp(log_scale - (freedom + 1) / 2 * math.log1p(t * t / freedom))


def _incomplete_beta(a: float, b: float, x: float) -> float:
    """The regularised I_x(a, b), by the continued fraction of DLMF 8.17.22."""
    if x <= 0 or x >= 1:
        return min(max(x, 0.0), 1.0)
    if x > (a + 1) / (a + b + 2):  # the fraction converges fast below this point
        return 1 - _incomplete_beta(b, a, 1 - x)
    fraction = 1.0
    for m in range(TERMS // 2, -1, -1):
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        fraction = 1 + odd / fraction
        if m:
            even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
            fraction = 1 + even / fraction
    log_beta = math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)
    return math.exp(a * math.log(x) + b * math.log1p(-x) - log_beta) / (a * fraction)
