"""Live Elo: the rating that moves after each game.

Each pair of a table counts as one small game with K/(k-1), so that a table of k seats moves nobody further
than a game of two would. All changes of a game are computed from the ratings before it. The published
ratings are not these; see bradley_terry.py.
"""

import math
from collections.abc import Iterable, Mapping

from tournaments.ratings.result import Result, rated_once

LOGIT = 400 / math.log(10)  # Elo per natural logit: 10:1 odds are 400 Elo
START = 1500.0
K = 32.0


def expected(difference: float) -> float:
    """The expected score of a player who is `difference` Elo stronger, 0 to 1."""
    if difference < 0:
        return 1 - expected(-difference)
    return 1 / (1 + math.exp(-difference / LOGIT))


def changes(ratings: Mapping[str, float], result: Result, k: float = K) -> dict[str, float]:
    """What one game adds to the rating of each of its entrants, in Elo.

    The order of the seats makes no difference, not even in the last bit.
    """
    gains: dict[str, list[float]] = {entrant: [] for entrant in result.entrants}
    for one, other, won in result.pair_scores():
        gain = won - expected(ratings.get(one, START) - ratings.get(other, START))
        gains[one].append(gain)
        gains[other].append(-gain)
    share = k / (len(gains) - 1)
    return {entrant: share * math.fsum(pairs) for entrant, pairs in gains.items()}


def live(results: Iterable[Result], k: float = K) -> dict[str, float]:
    """The ratings after all results in their order, best first; each game id counts once."""
    ratings: dict[str, float] = {}
    for result in rated_once(results):
        for entrant, change in changes(ratings, result, k).items():
            ratings[entrant] = ratings.get(entrant, START) + change
    return dict(sorted(ratings.items(), key=lambda item: (-item[1], item[0])))
