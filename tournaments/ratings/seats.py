"""What a seat is worth: a diagnostic. Ratings do not use it, as schedules let everybody sit everywhere equally often.

The points of each seat less those that the ratings expect there; error bars from deal to deal, as everywhere.
"""

import math
from dataclasses import dataclass

import numpy as np

from tournaments.ratings import student
from tournaments.ratings.elo import LOGIT
from tournaments.ratings.pairs import Floats, Ints, Tables, distinct, total
from tournaments.ratings.standings import Fit

ALIKE = 1e-9  # points by which deals differ that do not: rounding


@dataclass(frozen=True, slots=True)
class SeatEffect:
    """A seat of tables of `seats`: points a game above what its entrants' ratings expect, -1 to 1.

    `low` and `high` bound it with the confidence of the fit; they are None with a single deal, and where all deals
    came out alike, as then nothing tells how far they might differ.
    """

    seats: int
    seat: int
    games: int
    points: float
    low: float | None
    high: float | None


def seat_effects(games: Tables, fitted: Fit) -> list[SeatEffect]:
    """The effect of each seat, for each size of tables; `fitted` are the ratings of the same games."""
    theta = fitted.elo / LOGIT
    found = []
    for who, rank, cluster, _ in games.sized:
        for seat, surplus in enumerate(_surplus(who, rank, theta).T):
            mean = float(surplus.mean())
            reach = _reach(surplus - mean, cluster, fitted.confidence)
            low, high = (None, None) if reach is None else (max(mean - reach, -1.0), min(mean + reach, 1.0))
            found.append(SeatEffect(who.shape[1], seat, len(who), mean, low, high))
    return found


def _surplus(who: Ints, rank: Ints, theta: Floats) -> Floats:
    """For each game and seat the share of the opponents left behind, less the share expected."""
    seats = who.shape[1]
    surplus: Floats = np.zeros(who.shape)
    for seat in range(seats):
        for other in range(seats):
            if other != seat:
                won = (1 + np.sign(rank[:, other] - rank[:, seat])) / 2
                surplus[:, seat] += won - 1 / (1 + np.exp(theta[who[:, other]] - theta[who[:, seat]]))
    surplus /= seats - 1
    return surplus


def _reach(away: Floats, cluster: Ints, confidence: float) -> float | None:
    """Half the confidence interval of a mean whose deviations come in clusters; None if these do not differ."""
    labels, at = distinct(cluster)
    clusters = len(labels)
    if clusters < 2:
        return None
    sums = total(at, away, clusters)
    if np.abs(sums).max() < ALIKE:
        return None
    error = math.sqrt(float(sums @ sums) * clusters / (clusters - 1)) / len(away)
    return error * student.quantile((1 + confidence) / 2, clusters - 1)
