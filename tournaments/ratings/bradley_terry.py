"""The maximum of the penalised pairwise Bradley-Terry likelihood, by Newton's method.

Here: the model and its solver, in natural logits. docs/ratings.md states the model in words. Not here:
error bars (covariance.py) and the published table (standings.py).
"""

import numpy as np

from tournaments.ratings.pairs import Floats, PairScores, laplacian, total

PRECISE = 1e-8  # logits; when Newton's step is that small, the next would be about its square
MOST_STEPS = 200  # a dozen are usual; more means a bug


def maximise(pairs: PairScores, precision: float) -> tuple[Floats, Floats, int]:
    """The ratings, the inverse of the information matrix there, and the steps that Newton took.

    `precision` is that of the normal prior with mean 0 on each rating; it is positive, so that the maximum
    exists, is finite and is unique. Each connected group of entrants comes out with mean 0.
    """
    n = len(pairs.names)
    theta: Floats = np.zeros(n)
    for step in range(MOST_STEPS):
        chances = pairs.chances(theta)
        residual = pairs.score - pairs.games * chances
        gradient = total(pairs.first, residual, n) - total(pairs.second, residual, n) - precision * theta
        information = laplacian(n, pairs.first, pairs.second, pairs.games * chances * (1 - chances))
        information += precision * np.eye(n)
        move: Floats = np.linalg.solve(information, gradient)
        if np.abs(move).max(initial=0) < PRECISE:
            inverse: Floats = np.linalg.inv(information)
            return theta + move, inverse, step
        theta = _line_search(pairs, precision, theta, move, float(gradient @ move))
    raise AssertionError(f"Newton did not settle in {MOST_STEPS} steps; this is a bug in the ratings")


def _line_search(pairs: PairScores, precision: float, theta: Floats, move: Floats, slope: float) -> Floats:
    """Halve the move until the likelihood rises by a fair part (Armijo) of what the slope promises."""
    start = _log_posterior(pairs, precision, theta)
    rounding = 1e-12 * abs(start)
    scale = 1.0
    while _log_posterior(pairs, precision, theta + scale * move) < start + 1e-4 * scale * slope - rounding:
        scale /= 2
    return theta + scale * move


def _log_posterior(pairs: PairScores, precision: float, theta: Floats) -> float:
    difference = theta[pairs.first] - theta[pairs.second]
    lost = pairs.games - pairs.score
    likelihood = -(pairs.score @ np.logaddexp(0, -difference) + lost @ np.logaddexp(0, difference))
    return float(likelihood - precision / 2 * (theta @ theta))
