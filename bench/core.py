"""The figures of the rules core: speed of random play, of copies and views, import time, memory, statistics."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from random import Random

from arena.game import Game, Options
from bench import fresh, statistics_of_games
from bench.measure import Figure, duration, rate
from bench.random_play import BASE, EVERYTHING, SEATS, VARIANTS, deal, middle_games, play

MIDDLE_GAMES = 40  # positions that copies and views are measured on, so that no single one decides
PICKS = 1000  # in one timed call
WHOLE_GAMES = 8  # in one repetition: a quarter of a second, so that some repetitions are not disturbed
REPETITIONS = 25
PLAYED = 75  # repetitions of whole games: ten seconds, as a busy neighbour's moods last some of them


def figures(quick: bool, games: int) -> Iterator[Figure]:
    """All of them; `quick` is for a look at the form, its numbers mean little."""
    repetitions = 2 if quick else REPETITIONS
    yield from playing(2 if quick else PLAYED, 1 if quick else WHOLE_GAMES)
    yield from copying(repetitions, 4 if quick else MIDDLE_GAMES)
    yield fresh.import_time(repetitions)
    yield from fresh.memory(1 if quick else 3)
    yield from statistics_of_games.figures(2 if quick else games)


def playing(repetitions: int, games: int) -> Iterator[Figure]:
    """Random legal play, the deal of the games included."""

    def decisions(options: Options = BASE) -> int:
        pick = Random(1).random
        return sum(play(deal(seed, options), pick) for seed in range(games))

    def measured(name: str, options: Options, rules: str) -> Figure:
        note = f"{SEATS} seats, random legal play, {games} games{rules}, deals included"
        work = partial(decisions, options)
        return rate(name, "1/s", work, repetitions, must=30_000, aim=60_000, note=note)

    def pick_only() -> None:
        pick = Random(1).random
        options = (1, 2, 3, 4, 5)
        for _ in range(PICKS):
            int(pick() * len(options))

    made = decisions()
    played = measured("decisions", BASE, f" of {made} decisions in all")
    yield played
    yield played.scaled("games", games / made)
    everything = measured("decisions, everything", EVERYTHING, f" with {' '.join(EVERYTHING.sets)} market")
    yield everything
    yield against(everything, played, "decisions, everything against base")
    for containers, options in VARIANTS.items():
        name = f"decisions, everything with {containers}"
        yield measured(name, options, f" with all of it and {containers}")
    yield duration(
        "picking an option at random",
        pick_only,
        repetitions,
        operations=PICKS,
        note="part of every decision above",
    )


def against(figure: Figure, base: Figure, name: str) -> Figure:
    """One rate in percent of another, each taken against the calibration loop of its own repetitions."""
    assert figure.calibrated is not None
    assert base.calibrated is not None
    share = 100 * figure.calibrated / base.calibrated
    return Figure(name, "%", share, None, repetitions=figure.repetitions)


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
