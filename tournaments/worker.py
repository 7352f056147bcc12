"""A process that plays blocks for a runner, and ends with it, whatever ends the runner.

The runner holds the writing end of a pipe, the leash. When that is closed, by the runner or by the system because
the runner was killed, the worker breaks off its block, ends the programs of the entrants, and exits. The same
happens at SIGTERM. SIGINT means nothing here: Ctrl-C reaches the runner too, which then closes the leash.
"""

from __future__ import annotations

import os
import select
import signal
import threading
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection

import structlog
import trio

from arena.log import configure
from tournaments.config import Tournament
from tournaments.host import Host, NotPlayed, NotStarted, stored
from tournaments.schedules import Pairing
from tournaments.store import Played, working_in

REPLAYS = 2  # of a block in which the machine stood still; then its games count as they are
LAST_WORDS = 8.0  # seconds in which a block must have been broken off; a host needs four
SIGNALS = frozenset((signal.SIGINT, signal.SIGTERM))  # that the runner blocks while it starts a worker


@dataclass(frozen=True, slots=True)
class Problem:
    """Why games of a block were not played, in a sentence, and the entrant who did not come, if that is it."""

    text: str
    absent: str = ""


class Leash:
    """Breaks off what this process plays when its runner is gone or wants it."""

    def __init__(self) -> None:
        self.pulled = False
        self.playing = threading.Lock()
        self._break_off: Callable[[], object] = lambda: None

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
        self.pulled = True
        self._break_off()
        self.playing.acquire(timeout=LAST_WORDS)
        os._exit(0)  # the main thread waits for blocks that nobody sends any more

    def tie(self, scope: trio.CancelScope) -> None:
        """Let the scope be cancelled when the leash is pulled; in the scope, first of all."""
        token = trio.lowlevel.current_trio_token()

        def break_off() -> None:
            with suppress(trio.RunFinishedError):
                token.run_sync_soon(scope.cancel)

        self._break_off = break_off
        if self.pulled:
            scope.cancel()


_leash: Leash | None = None  # of this process, if a runner has started it


def start(runner: Connection) -> None:
    """What a new worker does first."""
    global _leash
    configure()
    _leash = Leash()
    _leash.hold(runner)


def play_block(tournament: Tournament, pairings: Sequence[Pairing]) -> tuple[list[Played], list[Problem]]:
    """Play the games of one block; the results, and why others are missing."""
    with nullcontext() if _leash is None else _leash.playing, working_in(tournament.folder):
        return trio.run(_play_block, tournament, pairings)


async def _play_block(
    tournament: Tournament, pairings: Sequence[Pairing]
) -> tuple[list[Played], list[Problem]]:
    results: list[Played] = []
    problems: list[Problem] = []
    recorded = [stored(tournament, pairing) for pairing in pairings]
    if all(recorded):  # by a run that was killed before it could store them
        return [played for played in recorded if played is not None], []
    with trio.CancelScope() as scope:
        if _leash is not None:
            _leash.tie(scope)
        async with Host.open(tournament, pairings[0].block) as host:
            results, problems = await _play_all(host, pairings)
            for _ in range(REPLAYS):
                if host.suspect:
                    structlog.get_logger().warning("block-suspect", games=sorted(host.suspect))
                    host.start_over(pairings)
                    results, problems = await _play_all(host, pairings)
    return results, problems


async def _play_all(host: Host, pairings: Sequence[Pairing]) -> tuple[list[Played], list[Problem]]:
    results: list[Played] = []
    problems: list[Problem] = []
    for pairing in pairings:
        try:
            results.append(await host.play(pairing))
        except NotPlayed as problem:
            problems.append(Problem(str(problem)))
        except NotStarted as problem:
            problems.append(Problem(str(problem), problem.entrant))
            break
    return results, problems
