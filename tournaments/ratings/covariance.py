"""The joint covariance of fitted ratings when the games of a cluster are not independent.

Here: the cluster-robust ("sandwich") estimate and the degrees of freedom behind it, in natural logits.
docs/ratings.md says why each step is there; the names are those of its formulas.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tournaments.ratings.groups import mutual
from tournaments.ratings.pairs import Floats, Ints, PairScores, distinct, laplacian, laplacians, total

CHUNK = 2_000_000  # numbers in one array of cluster matrices: 16 MB
TERMS = 40  # of the series for (1 - x)^-1/2; it settles for a leverage x up to 0.9
TIMES: np.ufunc = np.multiply
MATRIX_TIMES: np.ufunc = np.matmul
NOTHING = 1e-9  # weights below are rounding: 1 - 1/1 from sums of floats


@dataclass(frozen=True, eq=False)
class Covariance:
    """The covariance of the centred ratings and, for each entrant, the degrees of freedom behind it."""

    matrix: Floats
    freedom: Floats


@dataclass(frozen=True, eq=False)
class _Presence:
    """Who takes part in which cluster: one entry per cluster and entrant, in sorted order.

    `first` and `second` lead from the rows of the pair scores to the entries of their entrants; `start` and
    `size` say which entries belong to a cluster.
    """

    cluster: Ints
    entrant: Ints
    first: Ints
    second: Ints
    start: Ints
    size: Ints

    def sums(self, of_first: Floats, of_second: Floats) -> Floats:
        """Add values of rows up at the entries of their entrants."""
        n = len(self.entrant)
        return total(self.first, of_first, n) + total(self.second, of_second, n)


def clustered(
    pairs: PairScores, theta: Floats, inverse: Floats, precision: float, origin: Floats
) -> Covariance:
    """Estimate the covariance of ratings `theta` that were fitted to `pairs`.

    `inverse` is the inverse of the information matrix at `theta`, the prior's `precision` included; `origin`
    is the matrix that measures the ratings from where they are to count from, as `origins` makes it.
    """
    n = len(theta)
    presence = _presence(pairs)
    win = pairs.chances(theta)
    residual = pairs.score - pairs.games * win
    information = pairs.games * win * (1 - win)
    expected = information * pairs.seats / pairs.games / 3
    overall = pairs.overall()
    circle = mutual(overall)
    decided = circle[pairs.first] != circle[pairs.second]

    own = presence.sums(expected, expected)
    weight = _model_weights(n, pairs.clusters, presence, own)
    seen = 1 - weight
    freedom = _freedom(n, presence, own, seen, presence.sums(expected * decided, expected * decided))

    modelled = np.where(decided, 1, weight[pairs.cluster]) * expected
    meat = precision * np.eye(n) + laplacian(n, pairs.first, pairs.second, modelled)
    for who, scores in _corrected_scores(presence, residual, information, inverse, seen):
        where = who[:, :, None] * n + who[:, None, :]
        squares = scores[:, :, None] * scores[:, None, :]
        meat += total(where.ravel(), squares.ravel(), n * n).reshape(n, n)

    bread = origin @ inverse
    matrix = bread @ meat @ bread.T
    return Covariance((matrix + matrix.T) / 2, freedom)


def _presence(pairs: PairScores) -> _Presence:
    n = max(len(pairs.names), 1)
    rows = len(pairs.first)
    ends = np.concatenate([pairs.cluster * n + pairs.first, pairs.cluster * n + pairs.second])
    keys, entry = distinct(ends)
    cluster = keys // n
    size = np.bincount(cluster, minlength=pairs.clusters)
    return _Presence(cluster, keys % n, entry[:rows], entry[rows:], np.cumsum(size) - size, size)


def _model_weights(n: int, clusters: int, presence: _Presence, own: Floats) -> Floats:
    """How much of each cluster's square is taken from the model: 1 / clusters of its scarcest entrant."""
    mean, squares = total(presence.entrant, own, n), total(presence.entrant, own**2, n)
    clusters_of = np.divide(mean**2, squares, out=np.ones(n), where=squares > 0)
    weight = np.zeros(clusters)
    np.maximum.at(weight, presence.cluster, 1 / clusters_of[presence.entrant])
    return np.minimum(weight, 1)


def _freedom(n: int, presence: _Presence, own: Floats, seen: Floats, certain: Floats) -> Floats:
    """Satterthwaite's degrees of freedom from each entrant's own clusters; infinite if all is the model's."""
    mean = total(presence.entrant, own + certain, n)
    squares = total(presence.entrant, np.where(seen[presence.cluster] > NOTHING, own, 0) ** 2, n)
    freedom = np.full(n, np.inf)
    np.divide(mean**2, squares, out=freedom, where=squares > 0)
    return freedom


def _corrected_scores(
    presence: _Presence, residual: Floats, information: Floats, inverse: Floats, seen: Floats
) -> Iterator[tuple[Ints, Floats]]:
    """Yield, for clusters of one size at a time, their members and their scores.

    The scores are corrected for leverage by (I - H B)^-1/2 ("CR2"), as a series, so that a leverage of one
    breaks nothing; then they are weighted with the root of `seen`.
    """
    all_scores = presence.sums(residual, -residual)
    row_cluster = presence.cluster[presence.first]
    row_start = np.searchsorted(row_cluster, np.arange(len(presence.size) + 1))
    for size in np.unique(presence.size):
        alike = np.flatnonzero(presence.size == size)
        for part in np.array_split(alike, -(-len(alike) * size * size // CHUNK)):
            entries = presence.start[part][:, None] + np.arange(size)
            who = presence.entrant[entries]
            rows = _ranges(row_start[part], row_start[part + 1])
            if size == 2:  # one pair: its score is an eigenvector of H B
                spread = inverse.diagonal()[who].sum(axis=1) - 2 * inverse[who[:, 0], who[:, 1]]
                leverage, apply = (information[rows] * spread)[:, None, None], TIMES
            else:
                slot = np.searchsorted(part, row_cluster[rows])
                first, second = (
                    end[rows] - presence.start[row_cluster[rows]] for end in (presence.first, presence.second)
                )
                local = laplacians(len(part), int(size), slot, first, second, information[rows])
                leverage, apply = local @ inverse[who[:, :, None], who[:, None, :]], MATRIX_TIMES
            term = all_scores[entries][:, :, None]
            scores = term.copy()
            for j in range(1, TERMS):
                term = apply(leverage, term) * ((2 * j - 1) / (2 * j))
                further = scores + term
                if np.array_equal(further, scores):  # as all that follows is smaller
                    break
                scores = further
            yield who, scores[:, :, 0] * np.sqrt(seen[part])[:, None]


def _ranges(starts: Ints, ends: Ints) -> Ints:
    """The numbers from each start up to its end, one range after the other."""
    length = ends - starts
    return np.repeat(ends - np.cumsum(length), length) + np.arange(length.sum())


def origins(group: Ints, anchored: NDArray[np.bool_]) -> Floats:
    """The projection that measures ratings from the mean of their group, or from that of its anchors.

    An entrant alone, without an anchor, keeps what it has.
    """
    alike = group[:, None] == group[None, :]
    counted = alike & anchored[None, :]
    weights = np.where(counted.any(axis=1, keepdims=True), counted, alike & (alike.sum(axis=1) > 1)[:, None])
    share = weights / np.maximum(weights.sum(axis=1, keepdims=True), 1)
    projection: Floats = np.eye(len(group)) - share
    return projection
