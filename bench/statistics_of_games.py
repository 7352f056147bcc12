"""How long random games are, how much is asked in them, and why they end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from random import Random

from bench.measure import Figure
from bench.random_play import SEATS, deal


def percentile(values: Sequence[int], share: float) -> int:
    """The smallest value that at least this share of all values does not exceed."""
    ordered = sorted(values)
    return ordered[max(0, -(-int(share * 1000) * len(ordered) // 1000) - 1)]


def played(seed: int, pick: Callable[[], float]) -> tuple[list[int], int, str]:
    """One random game: the number of options at each choice, the turns, and why it ended."""
    game = deal(seed)
    options = []
    while not game.over:
        for seat in game.to_act:
            offered = len(game.decision(seat).options)
            options.append(offered)
            game.choose(seat, int(pick() * offered))
    assert game.result is not None
    return options, game.turn, game.result.reason


def figures(games: int) -> Iterator[Figure]:
    """Means, 99th percentiles and greatest values over `games` random games."""
    pick = Random(1).random
    decisions: list[int] = []
    turns: list[int] = []
    options: list[int] = []
    reasons: Counter[str] = Counter()
    for seed in range(games):
        offered, turned, reason = played(seed, pick)
        options += offered
        decisions.append(len(offered))
        turns.append(turned)
        reasons[reason] += 1
    note = f"{games} random games, {SEATS} seats"
    for name, values in (
        ("decisions per game", decisions),
        ("turns per game", turns),
        ("options per decision", options),
    ):
        yield exact(f"{name}, mean", "", sum(values) / len(values), note)
        yield exact(f"{name}, 99th percentile", "", percentile(values, 0.99), note)
        yield exact(f"{name}, most", "", max(values), note)
    for reason, count in sorted(reasons.items()):
        yield exact(f"games ended by {reason}", "%", 100 * count / games, note)


def exact(name: str, unit: str, value: float, note: str) -> Figure:
    """A figure that is counted, not timed: the same in every run."""
    return Figure(name, unit, value, None, note=note)
