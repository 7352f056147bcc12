"""Plays blocks for a runner, in a process that ends with it, whatever ends the runner, or on a cluster.

The runner holds the writing end of a pipe, the leash. When that is closed, by the runner or by the system because
the runner was killed, the worker breaks off its block, ends the programs of the entrants, and exits. The same
happens at SIGTERM. SIGINT means nothing here: Ctrl-C reaches the runner too, which then closes the leash. What
takes the place of the pipe on a cluster is in `cluster_worker`.
"""

from __future__ import annotations

import os
import select
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection

import structlog
import trio

from arena.log import configure
from tournaments import orphans
from tournaments.config import Tournament
from tournaments.host import Host, NotPlayed, NotRecorded, NotStarted, stored
from tournaments.schedules import Pairing
from tournaments.store import Played, StoreError, working_in

REPLAYS = 2  # of a block in which the machine stood still; then its games count as they are
LAST_WORDS = 8.0  # seconds in which a block must have been broken off; a host needs four
SIGNALS = frozenset((signal.SIGINT, signal.SIGTERM))  # that the runner blocks while it starts a worker


@dataclass(frozen=True, slots=True)
class Problem:
    """Why games of a block were not played, in a sentence, and the entrant who did not come, if that is it.

    With `stops` no other game could be played either, until somebody has seen to it.
    """

    text: str
    absent: str = ""
    stops: bool = False


Outcome = tuple[list[Played], list[Problem]]


@contextmanager
def without_signals() -> Iterator[None]:
    """Around the start of a process, which must not meet them before it is ready for them."""
    resource_tracker.ensure_running()  # it would let them in again when the first process starts it
    old = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, old)


class Leash:
    """Breaks off a block when its runner is gone or wants it."""

    def __init__(self) -> None:
        self.pulled = False
        self.playing = threading.Lock()
        self._break_off: Callable[[], object] = lambda: None

    def pull(self) -> None:
        """Break off what is played, and what would be; from any thread."""
        self.pulled = True
        self._break_off()

    def tie(self, scope: trio.CancelScope) -> None:
        """Let the scope be cancelled when the leash is pulled; in the scope, first of all."""
        token = trio.lowlevel.current_trio_token()

        def break_off() -> None:
            with suppress(trio.RunFinishedError):
                token.run_sync_soon(scope.cancel)

        self._break_off = break_off
        if self.pulled:
            scope.cancel()


class ProcessLeash(Leash):
    """That of a process, which ends with its runner."""

    def hold(self, runner: Connection) -> None:
        """Begin to watch."""
        told, tell = os.pipe()

        def stop(number: int, frame: object) -> None:
            os.write(tell, b".")  # all that is safe in a signal handler

        signal.signal(signal.SIGTERM, stop)
        signal.signal(signal.SIGINT, lambda number, frame: None)  # not SIG_IGN, which the bots would inherit
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
        threading.Thread(target=self._watch, args=(runner, told), daemon=True).start()

    def _watch(self, runner: Connection, told: int) -> None:
        select.select([runner.fileno(), told], [], [])  # nothing is ever sent: readable means closed
        self.pull()
        self.playing.acquire(timeout=LAST_WORDS)
        os._exit(0)  # the main thread waits for blocks that nobody sends any more


leash: ContextVar[Leash] = ContextVar(
    "leash"
)  # of what is played here, if a runner in another process wants it


def start(runner: Connection) -> None:
    """What a new worker does first."""
    configure()
    orphans.adopt()
    own = ProcessLeash()
    leash.set(own)
    own.hold(runner)


def play_block(tournament: Tournament, pairings: Sequence[Pairing]) -> Outcome:
    """Play the games of one block; the results, and why others are missing.

    Raises `BrokenExecutor` if it was broken off, which the runner may hear before the process has ended.
    """
    try:
        with at_work(tournament):
            outcome = trio.run(_play_block, tournament, pairings)
    except (OSError, StoreError, ExceptionGroup) as error:
        problem = refusal(error)
        if problem is None:
            raise
        return [], [problem]
    if leash.get(Leash()).pulled:
        raise BrokenExecutor(f"the block {pairings[0].block} was broken off")
    return outcome


def refusal(error: Exception) -> Problem | None:
    """What to say of an error outside the games by which the system, or the folder, keeps us from playing at all.

    None for any other. What was played of a block before is in its records.
    """
    if isinstance(error, ExceptionGroup):
        return next(filter(None, map(refusal, error.exceptions)), None)
    if isinstance(error, StoreError):
        return Problem(str(error), stops=True)
    if isinstance(error, OSError):
        where = f" at {error.filename}" if error.filename is not None else ""
        why = f"{error.strerror or error}{where}; look at the disk and run again"
        return Problem(f"no game can be played: {why}", stops=True)
    return None


@contextmanager
def at_work(tournament: Tournament) -> Iterator[None]:
    """Around all that is played: the runner waits until it is left, and so does the next one."""
    with leash.get(Leash()).playing, working_in(tournament.folder):
        try:
            yield
        finally:
            if isinstance(leash.get(None), ProcessLeash):
                orphans.end_children()


@contextmanager
def on_the_leash() -> Iterator[None]:
    """What is in here is cancelled when the runner is gone or wants it."""
    with trio.CancelScope() as scope:
        leash.get(Leash()).tie(scope)
        yield


async def _play_block(tournament: Tournament, pairings: Sequence[Pairing]) -> Outcome:
    outcome = recorded(tournament, pairings)
    if outcome is not None:
        return outcome
    outcome = [], []
    with on_the_leash():
        async with Host.open(tournament, pairings[0].block) as host:
            outcome = await play_through(host, pairings)
    return outcome


def recorded(tournament: Tournament, pairings: Sequence[Pairing]) -> Outcome | None:
    """The results of a block that is recorded as a whole, by a run that was killed before it could store them."""
    games = [stored(tournament, pairing) for pairing in pairings]
    return ([played for played in games if played is not None], []) if all(games) else None


async def play_through(host: Host, pairings: Sequence[Pairing]) -> Outcome:
    """Play a block, and again if the machine stood still in a game, or while one could not be played."""
    for last in [False] * REPLAYS + [True]:
        start = trio.current_time()
        results, problems = await _play_all(host, pairings)
        if last or not (host.suspect or (problems and host.stood_still_since(start))):
            break
        structlog.get_logger().warning(
            "block-played-again", why="the machine stood still", games=sorted(host.suspect)
        )
        host.start_over(pairings)
    return results, problems


async def _play_all(host: Host, pairings: Sequence[Pairing]) -> Outcome:
    results: list[Played] = []
    problems: list[Problem] = []
    for pairing in pairings:
        try:
            results.append(await host.play(pairing))
        except NotPlayed as problem:
            problems.append(Problem(str(problem), stops=isinstance(problem, NotRecorded)))
        except NotStarted as problem:
            problems += [Problem(str(each), each.entrant) for each in problem.all]
            break
    return results, problems
