"""Who of two is the better by their own meetings alone: a bet against it, which may be looked at at any time.

Of a one-sided record the fit says little, as its error bar grows with the gap (Hauck and Donner, docs/ratings.md). The
bet needs no model: blocks are independent, and who is no better than the other scores 1/2 in the mean at most.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence

import numpy as np

from tournaments.ratings.result import Result, rated_once

STAKES = np.array(
    [1.0, 0.5, 0.25, 0.125]
)  # of what there is, at each block; a quarter of the bet goes to each


def gain(scores: Sequence[float]) -> float:
    """The logarithm of how much a bet on somebody has grown, by its mean score in each block, 0 to 1.

    If these are 1/2 in the mean at most, the chance that the bet ever grows x-fold is 1/x at most, whenever one looks
    and whatever is played next (Ville 1939).
    """
    edges = 2 * np.array(scores, dtype=float) - 1
    with np.errstate(divide="ignore"):  # all may be lost
        grown = np.log1p(np.outer(STAKES, edges)).sum(axis=1)
    return float(np.logaddexp.reduce(grown)) - math.log(len(STAKES))


def meetings(
    results: Iterable[Result], pairs: Collection[tuple[str, str]]
) -> dict[tuple[str, str], list[float]]:
    """For each pair the mean scores of the first against the second, block by block.

    A block counts when each seat has been played by each of its table: in a part of it luck has not yet cancelled.
    """
    blocks: dict[str, list[Result]] = {}
    for result in rated_once(results):
        blocks.setdefault(result.block, []).append(result)
    wanted = set(pairs)
    found: dict[tuple[str, str], list[float]] = {pair: [] for pair in pairs}
    for games in blocks.values():
        if len(games) < len(games[0].entrants):
            continue
        sums: dict[tuple[str, str], float] = {}
        for result in games:
            for one, other, won in result.pair_scores():
                for pair, score in (((one, other), won), ((other, one), 1 - won)):
                    if pair in wanted:
                        sums[pair] = sums.get(pair, 0.0) + score
        for pair, score in sums.items():
            found[pair].append(score / len(games))
    return found
