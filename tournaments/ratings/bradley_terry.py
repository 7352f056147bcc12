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
    reached = _log_posterior(pairs, precision, theta)
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
        theta, reached = _line_search(pairs, precision, theta, move, float(gradient @ move), reached)
    raise AssertionError(f"Newton did not settle in {MOST_STEPS} steps; this is a bug in the ratings")


def _line_search(
    pairs: PairScores, precision: float, theta: Floats, move: Floats, slope: float, start: float
) -> tuple[Floats, float]:
    """Halve the move until the likelihood rises by a fair part (Armijo) of what the slope promises.

    `start` is the likelihood at `theta`; returns where it ends, and the likelihood there.
    """
    rounding = 1e-12 * abs(start)
    scale = 1.0
    while True:
        there = theta + scale * move
        reached = _log_posterior(pairs, precision, there)
        if reached >= start + 1e-4 * scale * slope - rounding:
            return there, reached
        scale /= 2


def _log_posterior(pairs: PairScores, precision: float, theta: Floats) -> float:
    ahead = theta[pairs.first] - theta[pairs.second]
    lost = pairs.games - pairs.score  # ln(1 - p) = ln p - ahead
    likelihood = -(pairs.games @ np.logaddexp(0, -ahead)) - lost @ ahead
    return float(likelihood - precision / 2 * (theta @ theta))
