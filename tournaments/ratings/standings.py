"""The published ratings: fitted strengths with error bars, and what can be asked of them.

Here: the whole way from results to a table. The model is in bradley_terry.py, the error bars are made in
covariance.py; docs/ratings.md explains both, with examples.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from tournaments.ratings import student
from tournaments.ratings.bradley_terry import maximise
from tournaments.ratings.covariance import clustered, origins
from tournaments.ratings.elo import LOGIT
from tournaments.ratings.groups import connected
from tournaments.ratings.pairs import Floats, Ints, Tables, tables
from tournaments.ratings.result import Result, rated_once

PRIOR_SD = 600.0  # Elo; weak: one game between equals weighs three times as much as the prior of either
CONFIDENCE = 0.95
DIGITS = 6  # after the point of an Elo; the rest is rounding, which would rank equals and print -0.0


@dataclass(frozen=True, slots=True)
class Rating:
    """One line of the published table.

    `elo`, `low` and `high` compare only within a `group`; groups count from 1, the largest first. `points`
    sums the share of opponents left behind, at most 1 a game; `faults` counts the games lost by a fault.
    """

    name: str
    elo: float
    low: float
    high: float
    games: int
    points: float
    faults: int
    group: int


@dataclass(frozen=True, slots=True)
class Difference:
    """How much stronger one entrant is than another, in Elo, with its confidence interval."""

    elo: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class Fit:
    """The fitted ratings: the groups with the most entrants first, within a group best first.

    `names` gives the order of `elo`, of the rows of `covariance` (Elo squared, of the ratings centred in
    their groups) and of `freedom` (degrees of freedom of the error bars). `steps` is Newton's count.
    """

    ratings: tuple[Rating, ...]
    groups: tuple[tuple[str, ...], ...]
    names: tuple[str, ...]
    elo: Floats
    covariance: Floats
    freedom: Floats
    confidence: float
    steps: int

    def difference(self, one: str, other: str) -> Difference | None:
        """`one` minus `other`, or None when no chain of games connects them."""
        spread = self._spread(one, other)
        if spread is None:
            return None
        elo, error, freedom = spread
        reach = error * student.quantile((1 + self.confidence) / 2, freedom)
        return Difference(elo, elo - reach, elo + reach)

    def superiority(self, one: str, other: str) -> float | None:
        """The likelihood that `one` is the stronger, 0 to 1, or None when nothing connects them."""
        spread = self._spread(one, other)
        if spread is None:
            return None
        elo, error, freedom = spread
        return student.cdf(elo / error, freedom) if error > 0 else 0.5

    def _spread(self, one: str, other: str) -> tuple[float, float, float] | None:
        """The difference, its standard error and its degrees of freedom: those of the scarcer side."""
        for name in (one, other):
            if name not in self.names:
                raise KeyError(f"{name} is not among the {len(self.names)} entrants of this fit")
        if not any(one in group and other in group for group in self.groups):
            return None
        i, j = self.names.index(one), self.names.index(other)
        variance = self.covariance[i, i] + self.covariance[j, j] - 2 * self.covariance[i, j]
        error = math.sqrt(max(float(variance), 0.0))
        return float(self.elo[i] - self.elo[j]), error, float(self.freedom[[i, j]].min())


def fit(
    results: Iterable[Result],
    entrants: Iterable[str] = (),
    *,
    anchors: Mapping[str, float] | None = None,
    centre: float = 0.0,
    prior_sd: float = PRIOR_SD,
    confidence: float = CONFIDENCE,
) -> Fit:
    """Fit the ratings that make the results most likely; the order of the results makes no difference.

    `entrants` names also those who may have no result yet. The mean of each group is `centre`, unless it has
    `anchors`: then the mean of these is that of the Elo given for them, and error bars are of the distance to
    them. `prior_sd` is the standard deviation of the prior, in Elo. A game id counts once and unrated games
    not at all. Every number is finite, whatever the results. Raises ConflictingResults, see `rated_once`, and
    KeyError for an anchor that is no entrant.
    """
    games = tables(rated_once(results), entrants)
    return fit_tables(games, anchors=anchors, centre=centre, prior_sd=prior_sd, confidence=confidence)


def fit_tables(
    games: Tables,
    *,
    anchors: Mapping[str, float] | None = None,
    centre: float = 0.0,
    prior_sd: float = PRIOR_SD,
    confidence: float = CONFIDENCE,
) -> Fit:
    """`fit`, for results that are counted already."""
    pairs = games.pair_scores()
    precision = (LOGIT / prior_sd) ** 2
    theta, inverse, steps = maximise(pairs.overall(), precision)
    names, anchors = games.names, dict(anchors or {})
    for name in anchors:
        if name not in names:
            raise KeyError(f"the anchor {name} is not among the {len(names)} entrants")
    group_of = connected(pairs)
    origin = origins(group_of, np.array([name in anchors for name in names], dtype=bool))
    covariance = clustered(pairs, theta, inverse, precision, origin)

    level = _levels(group_of, [anchors.get(name) for name in names], centre)
    elo = (np.round(origin @ theta * LOGIT, DIGITS) + level + 0.0).tolist()
    error = np.sqrt(covariance.matrix.diagonal()) * LOGIT
    quantiles = [student.quantile((1 + confidence) / 2, freedom) for freedom in covariance.freedom.tolist()]
    reach = np.round(error * quantiles, DIGITS).tolist()
    played, points = games.games(), games.points()

    def line(i: int, group: int) -> Rating:
        low, high = elo[i] - reach[i], elo[i] + reach[i]
        faults = games.faults.get(names[i], Counter[str]()).total()
        return Rating(names[i], elo[i], low, high, int(played[i]), float(points[i]), faults, group)

    groups = _best_first(group_of, elo)
    return Fit(
        ratings=tuple(line(i, number) for number, group in enumerate(groups, 1) for i in group),
        groups=tuple(tuple(names[i] for i in group) for group in groups),
        names=names,
        elo=np.array(elo),
        covariance=covariance.matrix * LOGIT**2,
        freedom=covariance.freedom,
        confidence=confidence,
        steps=steps,
    )


def _levels(group_of: Ints, given: list[float | None], centre: float) -> Floats:
    """For each entrant the Elo from which its group is measured: the mean of its anchors, or the centre."""
    levels: Floats = np.full(len(given), centre)
    for group in set(group_of.tolist()):
        members = np.flatnonzero(group_of == group)
        anchored = [value for i in members.tolist() if (value := given[i]) is not None]
        if anchored:
            levels[members] = math.fsum(anchored) / len(anchored)
    return levels


def _best_first(group_of: Ints, elo: list[float]) -> list[list[int]]:
    """The members of each group, best first; equal ratings and equal groups in the order of names."""
    groups: dict[int, list[int]] = {}
    for i in sorted(range(len(elo)), key=lambda i: (-elo[i], i)):
        groups.setdefault(int(group_of[i]), []).append(i)
    return sorted(groups.values(), key=lambda group: (-len(group), min(group)))
