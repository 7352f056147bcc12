"""Who can be compared with whom: the components of the graph of games.

Ratings mean something only between entrants that games connect, and the likelihood has a finite maximum
only where everybody in a group both took from and gave points to the rest of it, directly or through others
(Ford 1957).
"""

import numpy as np
from numpy.typing import NDArray

from tournaments.ratings.pairs import Ints, PairScores


def connected(pairs: PairScores) -> Ints:
    """The number of each entrant's group: entrants joined by a chain of games share one."""
    return _components(_met(pairs))


def mutual(pairs: PairScores) -> Ints:
    """The number of each entrant's circle: inside it chains of points lead from everybody to everybody."""
    n = len(pairs.names)
    took = np.zeros((n, n), dtype=bool)
    took[pairs.first[pairs.score > 0], pairs.second[pairs.score > 0]] = True
    given = pairs.score < pairs.games
    took[pairs.second[given], pairs.first[given]] = True
    return _components(took)


def _met(pairs: PairScores) -> NDArray[np.bool_]:
    n = len(pairs.names)
    met = np.zeros((n, n), dtype=bool)
    met[pairs.first, pairs.second] = met[pairs.second, pairs.first] = True
    return met


def _components(edges: NDArray[np.bool_]) -> Ints:
    """Number the strong components by their first member: 0 for that of entrant 0, and so on upwards."""
    n = len(edges)
    reach = (edges | np.eye(n, dtype=bool)).astype(np.float32)
    while True:  # squaring doubles the length of the chains, so this ends after log2(n) turns
        further = (reach @ reach > 0).astype(np.float32)
        if np.array_equal(further, reach):
            break
        reach = further
    both_ways = (reach > 0) & (reach.T > 0)
    leader = both_ways.argmax(axis=1) if n else np.zeros(0, dtype=np.int64)
    return np.unique(leader, return_inverse=True)[1].astype(np.int64)
