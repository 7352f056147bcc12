"""Results as arrays of pair scores, summed where the fit needs no finer grain.

Here: counting. Not here: any model. The sums hold halves only, so they are exact and do not depend on the
order of the games.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, combinations

import numpy as np
from numpy.typing import NDArray

from tournaments.ratings.result import Result

Ints = NDArray[np.int64]
Floats = NDArray[np.floating]


@dataclass(frozen=True, eq=False)
class PairScores:
    """What each pair of entrants scored in each cluster; one row per cluster and pair, in sorted order.

    Entrants and clusters are numbered in the order of their names. `first` < `second` are entrants, `games`
    the games they shared, `score` what `first` made of them, and `seats` the seats of these games plus one
    for each game: a third of it says how much more rankings of k seats vary than independent pairs would.
    """

    names: tuple[str, ...]
    clusters: int
    cluster: Ints
    first: Ints
    second: Ints
    games: Floats
    score: Floats
    seats: Floats

    def chances(self, theta: Floats) -> Floats:
        """For each row the expected score of `first` in one game, by ratings `theta` in natural logits."""
        return np.exp(-np.logaddexp(0, theta[self.second] - theta[self.first]))

    def overall(self) -> "PairScores":
        """The same scores with all clusters taken together."""
        key = self.first * len(self.names) + self.second
        return _summed(self.names, min(self.clusters, 1), key, self.games, self.score, self.seats)


@dataclass(frozen=True, eq=False)
class Tables:
    """Rated games as arrays, those with equally many seats together.

    Each of `sized` holds the entrants and the ranks, both games by seats, and the cluster and the block of each
    game. `faults` counts, by entrant and reason, the games that were lost by a fault.
    """

    names: tuple[str, ...]
    clusters: int
    sized: tuple[tuple[Ints, Ints, Ints, Ints], ...]
    faults: dict[str, Counter[str]]

    def pair_scores(self) -> PairScores:
        """What each pair scored in each cluster."""
        n = len(self.names)
        keys, scores, seats_and_one = [np.zeros(0, dtype=np.int64)], [np.zeros(0)], [np.zeros(0)]
        for who, rank, cluster, _ in self.sized:
            seats = who.shape[1]
            for one, other in combinations(range(seats), 2):
                a, b = who[:, one], who[:, other]
                ahead = _scores(rank[:, one], rank[:, other])
                keys.append((cluster * n + np.minimum(a, b)) * n + np.maximum(a, b))
                scores.append(np.where(a < b, ahead, 1 - ahead))
                seats_and_one.append(np.full(len(a), seats + 1.0))
        key, score = np.concatenate(keys), np.concatenate(scores)
        return _summed(
            self.names, self.clusters, key, np.ones(len(key)), score, np.concatenate(seats_and_one)
        )

    def games(self) -> Ints:
        """The games of each entrant."""
        return sum(
            (np.bincount(who.ravel(), minlength=len(self.names)) for who, _, _, _ in self.sized),
            start=np.zeros(len(self.names), dtype=np.int64),
        )

    def points(self) -> Floats:
        """The share of the opponents that each entrant left behind, summed over its games."""
        points = np.zeros(len(self.names))
        for who, rank, _, _ in self.sized:
            seats = who.shape[1]
            against_all = _scores(rank[:, :, None], rank[:, None, :]).sum(axis=2)
            beaten = against_all.ravel() - 0.5  # everybody ties with itself
            points += total(who.ravel(), beaten, len(self.names)) / (seats - 1)
        return points


def tables(results: Iterable[Result], entrants: Iterable[str] = ()) -> Tables:
    """Arrays of rated results without copies; `entrants` adds names that may not have played."""
    by_seats: dict[int, list[Result]] = {}
    names = set(entrants)
    faults: dict[str, Counter[str]] = {}
    with_deals = False
    for result in results:
        by_seats.setdefault(len(result.entrants), []).append(result)
        if result.faults:
            for name, fault in zip(result.entrants, result.faults, strict=True):
                if fault:
                    faults.setdefault(name, Counter())[fault] += 1
    for games in by_seats.values():
        names.update(chain.from_iterable(game.entrants for game in games))
        with_deals = with_deals or any(game.deal is not None for game in games)
    number = {name: i for i, name in enumerate(sorted(names))}
    blocks = {seats: [game.block for game in games] for seats, games in by_seats.items()}
    block = _numbered(blocks.values())
    clusters, cluster = blocks, block  # without deals these are the same, and a million labels take a while
    if with_deals:
        clusters = {seats: [game.cluster for game in games] for seats, games in by_seats.items()}
        cluster = _numbered(clusters.values())
    sized = []
    for seats, games in sorted(by_seats.items()):
        of_block = _grid(map(block.__getitem__, blocks[seats]), 1)[:, 0]
        sized.append(
            (
                _grid(map(number.__getitem__, chain.from_iterable(game.entrants for game in games)), seats),
                _grid(chain.from_iterable(game.ranks for game in games), seats),
                _grid(map(cluster.__getitem__, clusters[seats]), 1)[:, 0] if with_deals else of_block,
                of_block,
            )
        )
    return Tables(tuple(number), len(cluster), tuple(sized), faults)


def _numbered(labels: Iterable[Iterable[str]]) -> dict[str, int]:
    """Labels in their order, whatever that of the games."""
    once = dict.fromkeys(chain.from_iterable(labels))  # in the order of the games, which is quickly sorted
    return {label: i for i, label in enumerate(sorted(once))}


def _grid(values: Iterable[int], width: int) -> Ints:
    return np.fromiter(values, dtype=np.int64).reshape(-1, width)


def _scores(rank: Ints, rank_of_other: Ints) -> Floats:
    """As `result.score`, for arrays."""
    scores: Floats = (1 + np.sign(rank_of_other - rank)) / 2
    return scores


def _summed(names: tuple[str, ...], clusters: int, key: Ints, *columns: Floats) -> PairScores:
    """Add up what has one key: (cluster times entrants plus first) times entrants plus second."""
    n = max(len(names), 1)
    keys, row = distinct(key)
    games, score, seats = (total(row, column, len(keys)) for column in columns)
    return PairScores(names, clusters, keys // (n * n), keys // n % n, keys % n, games, score, seats)


def distinct(keys: Ints) -> tuple[Ints, Ints]:
    """The values that occur, sorted, and for each key the place of its value among them.

    As `np.unique` has it, and many times faster where the keys come in sorted runs, as they do here.
    """
    order = keys.argsort(kind="stable")
    ordered = keys[order]
    is_new = np.ones(len(keys), dtype=bool)
    is_new[1:] = ordered[1:] != ordered[:-1]
    place = np.empty(len(keys), dtype=np.int64)
    place[order] = is_new.cumsum() - 1
    return ordered[is_new], place


def total(index: Ints, values: Floats, n: int) -> Floats:
    """The sums of `values` that share an `index`, for each index below `n`."""
    sums: Floats = np.bincount(index, values, n).astype(np.float64, copy=False)
    return sums


def laplacian(n: int, first: Ints, second: Ints, weight: Floats) -> Floats:
    """The n by n sum of `weight` times (e_first - e_second)(e_first - e_second)'."""
    matrix: Floats = laplacians(1, n, np.zeros_like(first), first, second, weight)[0]
    return matrix


def laplacians(count: int, n: int, slot: Ints, first: Ints, second: Ints, weight: Floats) -> Floats:
    """Several of them at once: each row adds to the matrix that its `slot` numbers."""
    matrices: Floats = total((slot * n + first) * n + second, -weight, count * n * n).reshape(count, n, n)
    matrices += matrices.transpose(0, 2, 1)
    diagonal = np.arange(n)
    matrices[:, diagonal, diagonal] = -matrices.sum(axis=2)
    return matrices
