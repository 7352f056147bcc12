"""What playing each deal from every seat has saved, seen in the results themselves."""

import math
from itertools import combinations
from typing import NamedTuple

import numpy as np

from tournaments.ratings.elo import LOGIT
from tournaments.ratings.pairs import Floats, Tables, distinct, total
from tournaments.ratings.standings import Fit

ENOUGH_DEALS = 20  # with several games of a pair; below it the figure says little


class Saved(NamedTuple):
    """The share of the variance of pair scores that blocks took off; 1 if every block came out as expected."""

    share: float
    error: float  # its standard error, by leaving out one deal after the other (jackknife)


def variance_saved(games: Tables, fitted: Fit) -> Saved | None:
    """What blocks took off the variance of a pair's score, against as many games with independent deals.

    With r the score of a pair in a game less the one that the ratings expect, games of independent deals would
    have the variance sum of r^2; that of blocks is the sum over blocks of (sum of r in the block)^2. Negative if
    blocks made it worse. None with fewer than 20 deals of several games. For the error the ratings are not fitted
    anew without each deal: where they are likeliest, the sums hardly move with them.
    """
    theta: Floats = fitted.elo / LOGIT
    n = len(fitted.names)
    keys, away, deals = [np.zeros(0, dtype=np.int64)], [np.zeros(0)], [np.zeros(0, dtype=np.int64)]
    for who, rank, deal, block in games.sized:
        for one, other in combinations(range(who.shape[1]), 2):
            a, b = who[:, one], who[:, other]
            won = (1 + np.sign(rank[:, other] - rank[:, one])) / 2
            surplus = won - 1 / (1 + np.exp(theta[b] - theta[a]))
            keys.append((block * n + np.minimum(a, b)) * n + np.maximum(a, b))
            away.append(np.where(a < b, surplus, -surplus))
            deals.append(deal)
    _, at = distinct(np.concatenate(keys))
    count = np.bincount(at)
    deal_of = np.zeros(len(count), dtype=np.int64)
    deal_of[at] = np.concatenate(deals)
    surplus = np.concatenate(away)
    several = count > 1
    seen, place = distinct(deal_of[several])
    if len(seen) < ENOUGH_DEALS:
        return None
    together = total(place, total(at, surplus, len(count))[several] ** 2, len(seen))
    alone = total(place, total(at, surplus**2, len(count))[several], len(seen))
    if not alone.sum() > alone.max():  # nothing varied, or in one deal only
        return None
    without = 1 - (together.sum() - together) / (alone.sum() - alone)
    error = math.sqrt((len(seen) - 1) * without.var())
    return Saved(float(1 - together.sum() / alone.sum()), error)
