"""Windows in pairs, without and with something, and how sure the difference between them is.

A machine has moods that last longer than a window, so the two of a pair follow each other and play the same deal.
How far the pairs differ among themselves tells how far the result can be trusted: the pairs are drawn anew many
times, with repetition, as if the run had been made again (the bootstrap of B. Efron, 1979).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from bench.wire import Load

DRAWS = 2000  # of all pairs: the bounds then differ by some hundredths of their distance from run to run
CONFIDENCE = 0.95


class Pair(NamedTuple):
    """Windows without and with the others."""

    alone: Load
    together: Load


class Change(NamedTuple):
    """By how many percent a quantile is another with the others, and between which bounds that lies."""

    percent: float
    low: float
    high: float
    pairs: list[float]  # of each pair for itself

    def verdict(self, must: float) -> str:
        """Whether the change is under this many percent, in a word."""
        if self.high < must:
            return "yes"
        return "no" if self.low > must else "open: take more rounds, or a quieter machine"


def change(alone: Sequence[Sequence[float]], together: Sequence[Sequence[float]], of: float) -> Change:
    """The change of the quantile `of` from one set of windows to the other, pair by pair.

    The delays of all windows of a set are taken together. The same windows give the same bounds.
    """
    before, after = ([np.asarray(window) for window in windows] for windows in (alone, together))
    rng = np.random.default_rng(1)
    drawn = []
    for _ in range(DRAWS):
        pick = rng.integers(len(before), size=len(before))
        drawn.append(percent([before[pair] for pair in pick], [after[pair] for pair in pick], of))
    low, high = np.quantile(drawn, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    each = [percent([first], [second], of) for first, second in zip(before, after, strict=True)]
    return Change(percent(before, after, of), float(low), float(high), each)


def percent(before: list[np.ndarray], after: list[np.ndarray], of: float) -> float:
    """By how many percent the quantile of `after` is over that of `before`."""
    ratio = np.quantile(np.concatenate(after), of) / np.quantile(np.concatenate(before), of)
    return float(100 * (ratio - 1))
