"""What playing each deal from every seat has saved, seen in the results themselves."""

from itertools import combinations

import numpy as np

from tournaments.ratings.elo import LOGIT
from tournaments.ratings.pairs import Floats, Tables, distinct, total
from tournaments.ratings.standings import Fit

ENOUGH_BLOCKS = 20  # below it the figure says little


def variance_saved(games: Tables, fitted: Fit) -> float | None:
    """The share of the variance of a pair's score that blocks took off, against as many games with independent deals.

    With r the score of a pair in a game less the one that the ratings expect, games of independent deals would
    have the variance sum of r^2; that of blocks is the sum over blocks of (sum of r in the block)^2. Negative if
    blocks made it worse. None with fewer than 20 blocks of several games.
    """
    theta: Floats = fitted.elo / LOGIT
    n = len(fitted.names)
    keys, away = [np.zeros(0, dtype=np.int64)], [np.zeros(0)]
    for who, rank, _, block in games.sized:
        for one, other in combinations(range(who.shape[1]), 2):
            a, b = who[:, one], who[:, other]
            won = (1 + np.sign(rank[:, other] - rank[:, one])) / 2
            surplus = won - 1 / (1 + np.exp(theta[b] - theta[a]))
            keys.append((block * n + np.minimum(a, b)) * n + np.maximum(a, b))
            away.append(np.where(a < b, surplus, -surplus))
    _, at = distinct(np.concatenate(keys))
    count = np.bincount(at)
    surplus = np.concatenate(away)
    several = count > 1
    if several.sum() < ENOUGH_BLOCKS:
        return None
    sums = total(at, surplus, len(count))[several]
    alone = total(at, surplus**2, len(count))[several]
    return float(1 - (sums @ sums) / alone.sum()) if alone.sum() > 0 else None
