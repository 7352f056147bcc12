"""Is my new version better? A sequential test that stops as soon as the games say so.

The observation is the score of a whole block, because the games of a block share their deal. Over these
scores runs the generalised sequential probability ratio test (Van den Bergh, "A practical introduction to
the GSPRT"; fishtest's pentanomial test is the case of two seats). It needs no model of ties and no model of
how the games of a block depend on each other.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np

from tournaments.ratings.elo import expected
from tournaments.ratings.pairs import Floats
from tournaments.ratings.result import Result, rated_once

PRIOR_BLOCKS = 1e-3  # weight of an imagined lost and an imagined won block; keeps the ratio finite


class Verdict(Enum):
    """What the test says; its text form is the value."""

    BETTER = "better"  # H1: at least elo1
    NOT_BETTER = "not better"  # H0: at most elo0
    UNDECIDED = "undecided"  # play on


@dataclass(frozen=True, slots=True)
class State:
    """The log-likelihood ratio of H1 against H0 after so many blocks, its two bounds, and the verdict."""

    llr: float
    lower: float
    upper: float
    blocks: int
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Sprt:
    """The test of H1 "stronger by `elo1`" against H0 "stronger by `elo0`".

    `alpha` bounds the chance of `better` when H0 holds, `beta` that of `not better` when H1 holds. Elo are
    those of the expected score 1 / (1 + 10^(-elo/400)). Raises ValueError for bounds that do not make sense.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if self.elo0 >= self.elo1:
            raise ValueError(f"elo0 is {self.elo0} and elo1 {self.elo1}; elo1 must be the greater")
        if min(self.alpha, self.beta) <= 0 or self.alpha + self.beta >= 1:
            raise ValueError(
                f"alpha is {self.alpha} and beta {self.beta}; both must be above 0, their sum below 1"
            )

    def state(self, scores: Sequence[float]) -> State:
        """Judge the scores (0 to 1) of complete blocks. Look after each block, and stop at a verdict."""
        lower, upper = math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)
        llr = log_likelihood_ratio(scores, expected(self.elo0), expected(self.elo1))
        if llr >= upper:
            verdict = Verdict.BETTER
        elif llr <= lower:
            verdict = Verdict.NOT_BETTER
        else:
            verdict = Verdict.UNDECIDED
        return State(llr, lower, upper, len(scores), verdict)


def block_scores(results: Iterable[Result], new: str, old: str) -> list[float]:
    """The mean score of `new` against `old` in each block where they met, in the order of first appearance.

    Blocks that share their deal count as one. Pass complete blocks only: in half a block, luck has not yet
    cancelled.
    """
    met: dict[str, list[float]] = {}
    for result in rated_once(results):
        for one, other, won in result.pair_scores():
            if (one, other) == (new, old):
                met.setdefault(result.cluster, []).append(won)
            elif (one, other) == (old, new):
                met.setdefault(result.cluster, []).append(1 - won)
    return [math.fsum(scores) / len(scores) for scores in met.values()]


def log_likelihood_ratio(scores: Sequence[float], score0: float, score1: float) -> float:
    """The log of the likelihood of `scores` under mean `score1` over that under mean `score0`.

    Of all distributions over the scores seen, each hypothesis takes the likeliest that has its mean.
    """
    if not scores:
        return 0.0
    values, counts = np.unique([*np.round(scores, 9), 0.0, 1.0], return_counts=True)
    weights = counts.astype(np.float64)
    weights[[0, -1]] += PRIOR_BLOCKS - 1
    likelihood0, likelihood1 = (_tilt(values, weights, mean) for mean in (score0, score1))
    return float(weights @ (likelihood0 - likelihood1))


def _tilt(values: Floats, weights: Floats, mean: float) -> Floats:
    """log(1 + x (value - mean)) for the x that gives probabilities weight / (1 + x (value - mean)) this mean."""
    away = values - mean
    low, high = -1 / away[-1], -1 / away[0]  # between them every probability is positive
    for _ in range(200):
        x = (low + high) / 2
        if weights @ (away / (1 + x * away)) > 0:  # falls as x grows
            low = x
        else:
            high = x
        if high - low <= 1e-15 * abs(x):
            break
    logs: Floats = np.log1p(x * away)
    return logs
