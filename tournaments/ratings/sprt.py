"""Is my new version better? A sequential test that stops as soon as the games say so.

The observation is the score of a whole block, because the games of a block share their deal. Over these scores runs the
generalised sequential probability ratio test (Van den Bergh, "A practical introduction to the GSPRT"; fishtest's
pentanomial test is the case of two seats, but for `IMAGINED`). It needs no model of ties and no model of how the games
of a block depend on each other.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np

from tournaments.ratings.elo import expected
from tournaments.ratings.pairs import Floats
from tournaments.ratings.result import Result, rated_once

IMAGINED = 1.0  # lost blocks, and won ones, that help to tell how scores vary: the first few may not differ by chance
FIRST_PIECE = 64  # blocks looked at together; each time twice as many, as most tests end soon
PIECE = 10_000  # numbers in one array at most: 80 kB
PRECISE = (
    1e-9  # of a tilt, which lies between about -2 and 2; it is where the ratio is flat, so this is ample
)
MOST_STEPS = (
    100  # of Newton's method; about ten are usual, and as many of bisection where nearly all scores are equal
)


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

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which it ends: `not better` at the lower, `better` at the upper (Wald)."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def state(self, scores: Sequence[float]) -> State:
        """Judge the scores (0 to 1) of complete blocks, given in the order of the blocks.

        It looks after each block and ends at the first verdict: what comes later is not looked at, so that
        playing ahead changes nothing.
        """
        lower, upper = self.bounds
        score0, score1 = expected(self.elo0), expected(self.elo1)
        llr, blocks = 0.0, 0
        for ratios in log_likelihood_ratios(scores, score0, score1):
            over = np.flatnonzero((ratios <= lower) | (ratios >= upper))
            if over.size:
                llr, blocks = float(ratios[over[0]]), blocks + int(over[0]) + 1
                verdict = Verdict.BETTER if llr >= upper else Verdict.NOT_BETTER
                return State(llr, lower, upper, blocks, verdict)
            llr, blocks = float(ratios[-1]), blocks + len(ratios)
        return State(llr, lower, upper, blocks, Verdict.UNDECIDED)


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


def log_likelihood_ratios(scores: Sequence[float], score0: float, score1: float) -> Iterator[Floats]:
    """After each block, the log of the likelihood of `scores` under mean `score1` over that under mean `score0`.

    Of all distributions over the scores seen so far, each hypothesis takes the likeliest that has its mean, as if
    `IMAGINED` blocks had been lost and won besides; these have no part in the ratio itself. The ratios come in pieces
    of a bounded size.
    """
    values, kinds = np.unique([0.0, 1.0, *np.round(scores, 9)], return_inverse=True)
    seen, imagined = np.zeros(len(values)), np.zeros(len(values))
    imagined[[0, -1]] = IMAGINED
    start, length = 2, FIRST_PIECE
    while start < len(kinds):
        length = max(min(length, PIECE // len(values)), 1)
        piece = kinds[start : start + length]
        start, length = start + length, 2 * length
        weights = np.zeros((len(piece), len(values)))
        weights[np.arange(len(piece)), piece] = 1
        weights = seen + weights.cumsum(axis=0)
        seen = weights[-1]
        likelihood0, likelihood1 = (_tilt(values, weights + imagined, mean) for mean in (score0, score1))
        ratios: Floats = (weights * (likelihood0 - likelihood1)).sum(axis=1)
        yield ratios


def _tilt(values: Floats, weights: Floats, mean: float) -> Floats:
    """log(1 + x (value - mean)) for the x that gives probabilities weight / (1 + x (value - mean)) this mean.

    For each row of `weights` by Newton's method, which falls back on bisection; what a row gives does not depend on
    the others.
    """
    away = values - mean
    count = len(weights)
    low, high = (
        np.full(count, -1 / away[end]) for end in (-1, 0)
    )  # between them all probabilities are positive
    x = (low + high) / 2
    found = np.zeros(count, dtype=bool)
    for _ in range(MOST_STEPS):
        scale = 1 + x[:, None] * away
        pull = (weights * (away / scale)).sum(axis=1)  # falls as x grows
        low, high = np.where(pull > 0, x, low), np.where(pull > 0, high, x)
        step = x + pull / (weights * (away / scale) ** 2).sum(axis=1)
        inside = (low < step) & (step < high)
        before, x = x, np.where(found, x, np.where(inside, step, (low + high) / 2))
        found |= np.abs(x - before) <= PRECISE
        if found.all():
            break
    logs: Floats = np.log1p(x[:, None] * away)
    return logs
