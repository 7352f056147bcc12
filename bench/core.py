"""The figures of the rules core: speed of random play, of copies and views, import time, memory, statistics."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from arena.game import Game
from bench import fresh, statistics_of_games
from bench.measure import Figure, duration, rate
from bench.random_play import SEATS, deal, middle_games, play

MIDDLE_GAMES = 40  # positions that copies and views are measured on, so that no single one decides
PICKS = 1000  # in one timed call
WHOLE_GAMES = 8  # in one repetition: a quarter of a second, so that some repetitions are not disturbed
REPETITIONS = 25


def figures(quick: bool, games: int) -> Iterator[Figure]:
    """All of them; `quick` is for a look at the form, its numbers mean little."""
    repetitions = 2 if quick else REPETITIONS
    yield from playing(repetitions, 1 if quick else WHOLE_GAMES)
    yield from copying(repetitions, 4 if quick else MIDDLE_GAMES)
    yield fresh.import_time(repetitions)
    yield from fresh.memory(1 if quick else 3)
    yield from statistics_of_games.figures(2 if quick else games)


def playing(repetitions: int, games: int) -> Iterator[Figure]:
    """Random legal play, the deal of the games included."""
    seeds = range(games)

    def decisions() -> int:
        pick = Random(1).random
        return sum(play(deal(seed), pick) for seed in seeds)

    def pick_only() -> None:
        pick = Random(1).random
        options = (1, 2, 3, 4, 5)
        for _ in range(PICKS):
            int(pick() * len(options))

    made = decisions()
    played = rate(
        "decisions",
        "1/s",
        decisions,
        repetitions,
        must=30_000,
        aim=60_000,
        note=f"{SEATS} seats, random legal play, {games} games of {made} decisions in all, deals included",
    )
    yield played
    yield played.scaled("games", games / made)
    yield duration(
        "picking an option at random",
        pick_only,
        repetitions,
        operations=PICKS,
        note="part of every decision above",
    )


def copying(repetitions: int, count: int) -> Iterator[Figure]:
    """Copies, views and samples of games in the middle."""
    games = middle_games(count, seed=1)

    def each(name: str, work: object, **more: object) -> Figure:
        return duration(name, work, repetitions, operations=count, **more)  # type: ignore[arg-type]

    yield each("clone", lambda: [game.clone() for game in games], must=25, aim=10)
    yield each(
        "JSON round trip", lambda: [Game.from_json(game.to_json()) for game in games], must=500, aim=250
    )
    yield each("to JSON", lambda: [game.to_json() for game in games])
    yield each("one seat's view", lambda: [game.view(1) for game in games], must=100, aim=40)
    yield each("sample", lambda: [game.sample(1, 7) for game in games])
