"""Runs a tournament: schedule minus stored, block by block, in processes of its own or on a Dask cluster.

A block is the unit of work. Whoever plays it starts a server and the entrants' programs, plays every game
that is not recorded yet, and returns the results; the run stores them. Whatever is killed, the next run plays
what is missing and takes over what the records already hold.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from itertools import islice

import trio

from tournaments.config import Tournament
from tournaments.host import GAMES, Host, NotStarted, stored
from tournaments.ratings import changes
from tournaments.schedules import Pairing, missing
from tournaments.store import Played, Store

AHEAD = 2  # blocks handed out for each worker: none waits, and a stop has little to throw away
START_ELO = 0.0


@dataclass
class Progress:
    """How far a run is; `live` is the Elo that moves with each result."""

    total: int | None
    done: int = 0
    live: dict[str, float] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    def count(self, played: Played) -> None:
        """One more result."""
        self.done += 1
        result = played.result()
        if result.rated:
            for name, change in changes(self.live, result).items():
                self.live[name] = self.live.get(name, START_ELO) + change


def start_progress(tournament: Tournament, store: Store) -> Progress:
    """What is stored already."""
    progress = Progress(tournament.schedule().total)
    progress.live = {entrant.name: START_ELO for entrant in tournament.entrants}
    for played in store.games():
        progress.count(played)
    return progress


def blocks_to_play(tournament: Tournament, store: Store) -> Iterator[list[Pairing]]:
    """The missing games, those of one block together, in the order of the schedule."""
    block: list[Pairing] = []
    for pairing in missing(tournament.schedule(), store.ids()):
        if block and block[0].block != pairing.block:
            yield block
            block = []
        block.append(pairing)
    if block:
        yield block


def play_block(tournament: Tournament, pairings: Sequence[Pairing]) -> tuple[list[Played], str | None]:
    """Play the games of one block in this process; the results, and what went wrong, if anything."""
    recorded = [
        stored(tournament, pairing, tournament.folder / GAMES / f"{pairing.id}.jsonl") for pairing in pairings
    ]
    if all(recorded):
        return [played for played in recorded if played is not None], None

    async def play() -> tuple[list[Played], str | None]:
        results: list[Played] = []
        problem = None
        async with Host.open(tournament, sorted(pairings[0].seating)) as host:
            for pairing in pairings:
                played = await host.play(pairing)
                if played is None:
                    problem = f"the game {pairing.id} was not played to its end; run again to play it"
                else:
                    results.append(played)
        return results, problem

    problem = ""
    try:
        return trio.run(play)
    except* NotStarted as group:
        problem = str(first(group))
    return [], problem


def first(group: BaseExceptionGroup[NotStarted]) -> BaseException:
    """The first error inside."""
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def run(
    tournament: Tournament,
    store: Store,
    *,
    workers: int = 1,
    executor: Executor | None = None,
    told: Callable[[Progress, Played], None] = lambda progress, played: None,
) -> Progress:
    """Play all that is missing; `told` is called after each result has been stored.

    Blocks that could not be played are named in `problems` and stay missing. Stopping (KeyboardInterrupt)
    ends the programs of all entrants and loses nothing that has been told.
    """
    progress = start_progress(tournament, store)
    own = executor is None
    pool = executor or ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn"))
    todo = blocks_to_play(tournament, store)
    running: set[Future[tuple[list[Played], str | None]]] = set()
    try:
        while True:
            for block in islice(todo, max(0, AHEAD * workers - len(running))):
                running.add(pool.submit(play_block, tournament, block))
            if not running:
                return progress
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                results, problem = future.result()
                for played in results:
                    if store.add(played):
                        progress.count(played)
                        told(progress, played)
                if problem is not None:
                    progress.problems.append(problem)
    finally:
        for future in running:
            future.cancel()
        if own:
            pool.shutdown(wait=True, cancel_futures=True)
