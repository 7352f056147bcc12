"""Runs a tournament: schedule minus stored, block by block, in processes of its own or on a Dask cluster.

A block is the unit of work. Whoever plays it (`worker`) starts a server and the entrants' programs, plays every
game that is not recorded yet, and returns the results; the run stores them. Whatever is killed, the next run
plays what is missing and takes over what the records already hold.
"""

from __future__ import annotations

import math
import multiprocessing
import threading
from collections.abc import Awaitable, Callable, Collection, Container, Iterable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter

import structlog
import trio

from arena.signals import hearing
from clients.connection import plain_errors
from tournaments import host, worker
from tournaments.config import Tournament
from tournaments.hall import NoHall
from tournaments.hall_process import HallProcess
from tournaments.ratings import Result, State, changes, fit
from tournaments.ratings.elo import START
from tournaments.schedules import Ladder, Pairing, Schedule, Trial, missing, pairings
from tournaments.store import Played, Store, StoreError, wait_for_workers
from tournaments.unplayed import Unplayed, note
from tournaments.void import void, void_ones, voids
from tournaments.worker import Outcome, Problem

AHEAD = 2  # blocks handed out for each worker: none waits, and a stop has little to throw away
TRIES = 3  # for a block whose worker process dies, and for one that others wait for

TOLD = 16  # a ladder's open pairs are told when its games have grown by a part of so many
LOOKS = 64  # a trial is looked at when its games have grown by a part of so many: it may be decided
MOST_AHEAD = 200  # blocks that wait for remote entrants

Block = list[Pairing]
Handed = Future[Outcome]


@dataclass
class Progress:
    """How far a run is; `live` is the Elo that moves with each result.

    `total` is None where it depends on results; `given_up` counts the games that this run could not play, and those
    that are void since earlier ones.
    """

    total: int | None
    done: int = 0
    live: dict[str, float] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    given_up: int = 0
    stopped: int | None = None  # the signal that stopped the run before its end

    def rate(self, played: Played) -> None:
        """Let a result move the live ratings."""
        result = played.result()
        if result.rated:
            for name, change in changes(self.live, result).items():
                self.live[name] = self.live.get(name, START) + change

    def count(self, played: Played) -> None:
        """One more result."""
        self.done += 1
        self.given_up += played.is_void
        self.rate(played)


@dataclass(frozen=True)
class Audience:
    """Who is told what happens. Each result has been stored when it is told; `test` is that of a trial.

    `ladder` hears how many pairs of neighbours are not told apart, and of how many.
    """

    result: Callable[[Progress, Played], object] = lambda progress, played: None
    notice: Callable[[str], object] = lambda text: None  # where remote entrants log in, who is waited for
    problem: Callable[[str], object] = lambda text: None
    test: Callable[[State], object] = lambda state: None
    ladder: Callable[[int, int], object] = lambda unclear, pairs: None
    stopping: Callable[[], object] = lambda: None


def start_progress(tournament: Tournament, store: Store) -> Progress:
    """What is stored already; games that the schedule does not have any more count for the ratings only."""
    schedule = tournament.schedule()
    progress = Progress(schedule.total, live={entrant.name: START for entrant in tournament.entrants})
    games = list(store.games())
    if games:
        ids = {played.id for played in games}
        results = [] if schedule.fixed else [played.result() for played in games]
        progress.done = sum(pairing.id in ids for pairing in pairings(schedule, results))
    for played in games:
        progress.rate(played)
        progress.given_up += played.is_void
    return progress


def blocks_to_play(
    schedule: Schedule, stored: Container[str], results: Collection[Result]
) -> Iterator[Block]:
    """The missing games that can be played by now, those of one block together, in the order of the schedule."""
    return (list(games) for _, games in groupby(missing(schedule, stored, results), attrgetter("block")))


def has_more(tournament: Tournament, store: Store) -> bool:
    """Whether there is a game to play, by the results in the index and the void games beside the records."""
    schedule = tournament.schedule()
    played = {each.id: each for each in (*store.games(), *voids(tournament.folder))}
    results = [] if schedule.fixed else [each.result() for each in played.values()]
    return next(missing(schedule, played, results), None) is not None


def run(
    tournament: Tournament,
    store: Store,
    *,
    workers: int = 1,
    executor: Executor | None = None,
    tables: int = 1,
    audience: Audience | None = None,
) -> Progress:
    """Play all that is missing, and tell the audience.

    Blocks are played by so many `workers`, or by the `executor`; those with remote entrants in a hall of this
    machine, of which `tables` at once may need programs of this machine, too.

    Blocks that could not be played are named in `problems` and stay missing; they stop no others. SIGINT and
    SIGTERM stop the run: within about five seconds the programs of all entrants are gone, nothing that has been
    told is lost, and `stopped` is set. Raises `StoreError` if results or records cannot be stored, `NoHall` if remote
    entrants cannot log in, also later, if their hall dies and its port is taken; then nothing becomes void.
    """
    audience = audience or Audience()
    walk = Run(tournament, store, Workers(workers, executor), workers, tables, audience)
    if walk.hall is not None:
        try:
            audience.notice(f"remote entrants log in at {walk.hall.open()}")
        except BaseException:
            walk.hall.close(over=False)
            raise
    with plain_errors():
        return trio.run(walk.play)


class Workers:
    """Where blocks are played: in the given executor, or in processes that end with this one."""

    def __init__(self, workers: int, executor: Executor | None) -> None:
        self._workers = workers
        self._executor = executor
        self._own = executor is None
        self._handed_out: set[Handed] = set()  # to an executor that is not our own
        self._context = multiprocessing.get_context("spawn")
        self._reader, self._writer = self._context.Pipe(duplex=False)

    def submit(self, tournament: Tournament, block: Block) -> Handed:
        """Hand out a block; to new processes if one of the old has died, which ends the others too."""
        if not self._own:
            future = self._submit(tournament, block)
            self._handed_out.add(future)
            future.add_done_callback(self._handed_out.discard)
            return future
        with worker.without_signals():
            try:
                return self._submit(tournament, block)
            except BrokenExecutor:
                self._executor = None
                return self._submit(tournament, block)

    def _submit(self, tournament: Tournament, block: Block) -> Handed:
        if self._executor is None:
            self._executor = ProcessPoolExecutor(
                self._workers, self._context, initializer=worker.start, initargs=(self._reader,)
            )
        return self._executor.submit(worker.play_block, tournament, block)

    def close(self) -> None:
        """End the processes, and wait until they have ended the programs of the entrants.

        An executor that was given stays; what it has not done yet is cancelled.
        """
        self._writer.close()  # the leash
        if self._own and self._executor is not None:
            self._executor.shutdown(wait=True, cancel_futures=True)
        for future in list(self._handed_out):
            future.cancel()
        self._reader.close()


async def heeding_signals(do: Callable[[int], object], work: Callable[[], Awaitable[object]]) -> None:
    """Do the work; until it is done SIGINT and SIGTERM do what is said and nothing else. For the main thread."""
    with hearing(*worker.SIGNALS) as signals:

        async def listen() -> None:
            async for number in signals:
                do(number)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(listen)
            await work()
            nursery.cancel_scope.cancel()


class Lane:
    """One kind of blocks, and the place where they are played."""

    def __init__(self, place: Workers | HallProcess, ahead: int, wants: Callable[[Block], bool]) -> None:
        self.place = place
        self._ahead = ahead
        self._wants = wants
        self._todo: Iterator[Block] = iter(())
        self._handed_out = 0

    def ask(self, blocks: Iterable[Block]) -> None:
        """From now on hand out these, as far as they belong here."""
        self._todo = filter(self._wants, blocks)

    def next(self) -> Block | None:
        """The next block to hand out, if there is one and it can wait here."""
        block = next(self._todo, None) if self._handed_out < self._ahead else None
        self._handed_out += block is not None
        return block

    @property
    def has_room(self) -> bool:
        """Whether more blocks could wait here."""
        return self._handed_out < self._ahead

    def back(self) -> None:
        """A block is done."""
        self._handed_out -= 1


class Run:
    """One walk along the schedule."""

    def __init__(
        self,
        tournament: Tournament,
        store: Store,
        pool: Workers,
        workers: int,
        tables: int,
        audience: Audience,
    ) -> None:
        self._tournament = tournament
        self._store = store
        self._pool = pool
        self._audience = audience
        self._progress = start_progress(tournament, store)
        self._schedule = tournament.schedule()
        self._waits = not self._schedule.fixed  # for results, before it tells what to play next
        self._asked = 0  # results that the schedule knew when it was last asked
        self._told = 0  # games that a ladder had when its open pairs were last told
        self._tries: dict[str, int] = {}  # of blocks that came to nothing
        self._unplayed: dict[str, Unplayed] = {}  # by the entrant that did not come, or ""
        self._playing = trio.CancelScope()
        self.hall: HallProcess | None = None
        self._lanes = [Lane(pool, AHEAD * workers, lambda block: not self._is_remote(block))]
        self._remote = tournament.remote
        if self._remote and self._progress.done != self._progress.total:
            at_once = sum(entrant.games for entrant in tournament.entrants if entrant.is_remote)
            self.hall = HallProcess(tournament, tables)
            self._lanes.append(Lane(self.hall, min(AHEAD * at_once, MOST_AHEAD), self._is_remote))

    def _is_remote(self, block: Block) -> bool:
        return not self._remote.isdisjoint(block[0].seating)

    async def play(self) -> Progress:
        """Play on until all is played or a signal comes."""
        if threading.current_thread() is threading.main_thread():
            await heeding_signals(self._stop, self._play)
        else:
            await self._play()
        folder = self._tournament.folder
        note(folder, void_ones(folder) if self._waits else list(self._unplayed.values()))
        return self._progress

    async def _play(self) -> None:
        over = False
        with self._playing:
            try:
                await self._blocks()
                over = True
            finally:
                with trio.CancelScope(shield=True):
                    await trio.to_thread.run_sync(self._close, over)

    def _close(self, over: bool) -> None:
        self._pool.close()
        if self.hall is not None:
            self.hall.close(over=over)
        wait_for_workers(self._tournament.folder, worker.LAST_WORDS)  # those of a cluster break off meanwhile

    def _stop(self, number: int) -> None:
        """The first signal stops the run, which takes seconds; more of them change nothing (S056)."""
        if self._progress.stopped is None:
            self._progress.stopped = number
            self._audience.stopping()
            self._playing.cancel()

    async def _blocks(self) -> None:
        for played in voids(self._tournament.folder):
            self._count(played)  # by a run that was killed before it could store it
        running: dict[Handed, tuple[Lane, Block]] = {}
        heard = False  # of results that the schedule does not know yet
        token = trio.lowlevel.current_trio_token()
        send, receive = trio.open_memory_channel[Handed | str](math.inf)

        def post(news: Handed | str) -> None:  # in a thread of the executor or of the hall
            with suppress(trio.RunFinishedError):
                token.run_sync_soon(send.send_nowait, news)

        def hand_out(lane: Lane, block: Block) -> None:
            future = lane.place.submit(self._tournament, block)
            running[future] = lane, block
            future.add_done_callback(post)

        def fill() -> None:
            for lane in self._lanes:
                while (block := lane.next()) is not None:
                    hand_out(lane, block)

        if self.hall is not None:
            self.hall.tell = post
        self._ask(())
        while True:
            fill()
            if heard and self._waits and self._is_time():
                self._ask({block[0].block for _, block in running.values()})
                heard = False
                fill()
            if not running:
                return
            news = await receive.receive()
            if isinstance(news, str):
                self._audience.notice(news)
                continue
            lane, block = running.pop(news)
            heard = True
            if self._take_in(news, block) and (left := self._left(block)):
                hand_out(lane, left)
            else:
                lane.back()

    def _is_time(self) -> bool:
        """Whether the schedule is to be asked what comes next."""
        if any(lane.has_room for lane in self._lanes):
            return True
        new = self._progress.done - self._asked
        return isinstance(self._schedule, Trial) and LOOKS * new > self._asked

    def _ask(self, handed_out: Collection[str]) -> None:
        """Let each lane have what the schedule says by the results so far, but for the blocks handed out."""
        self._asked = self._progress.done
        results = [played.result() for played in self._store.games()] if self._waits else []
        if isinstance(self._schedule, Trial):
            self._audience.test(self._schedule.stand(results).state)
        if isinstance(self._schedule, Ladder) and TOLD * (len(results) - self._told) > self._told:
            self._told = len(results)
            fitted = fit(results, self._schedule.entrants)
            unclear = self._schedule.open(fitted, results)
            self._audience.ladder(len(unclear), len(self._schedule.entrants) - 1)
        ids = self._store.ids()
        for lane in self._lanes:
            todo = blocks_to_play(self._schedule, ids, results)
            lane.ask(block for block in todo if block[0].block not in handed_out)

    def _take_in(self, future: Handed, block: Block) -> bool:
        """Store the results of a block; true if it must be handed out again."""
        id = block[0].block
        self._tries[id] = self._tries.get(id, 0) + 1
        error = CancelledError() if future.cancelled() else future.exception()
        if error is None:
            results, problems = future.result()
            again = self._waits and bool(problems)
        elif isinstance(error, NoHall):
            raise error
        elif isinstance(error, BrokenExecutor | CancelledError):
            results, problems = [], [Problem(f"the process that played the block {id} died {TRIES} times")]
            again = True
        else:
            structlog.get_logger().error("block-failed", block=id, exc_info=error)
            told = f"the block {id} failed with {type(error).__name__}, which is told above"
            results, problems = [], [Problem(told)]
            again = True
        for played in results:
            self._count(played)
        for problem in problems:
            if problem.stops:  # else the rest would become void, one after the other
                raise StoreError(problem.text)
        if again and self._tries[id] < TRIES:
            return True
        if problems:
            self._give_up(block, problems)
        return False

    def _left(self, block: Block) -> Block:
        """What is not stored of a block: a result that counts is never played for anew."""
        ids = self._store.ids()
        return [pairing for pairing in block if pairing.id not in ids]

    def _count(self, played: Played) -> None:
        if self._store.add(played):
            self._progress.count(played)
            self._audience.result(self._progress, played)

    def _give_up(self, block: Block, problems: list[Problem]) -> None:
        """Tell why the rest of a block was not played, and make it void if other games wait for it.

        What its process has recorded before it died is no part of that rest.
        """
        recorded = [host.stored(self._tournament, pairing) for pairing in self._left(block)]
        for played in filter(None, recorded):
            self._count(played)
        left = self._left(block)
        if not left:
            return
        for problem in problems:
            self._progress.problems.append(problem.text)
            self._audience.problem(problem.text)
        if self._waits:
            absent = {problem.absent for problem in problems}
            why = "; ".join(problem.text for problem in problems)
            for pairing in left:
                self._count(void(self._tournament.folder, pairing, absent, why))
            return
        self._progress.given_up += len(left)
        for name, text in {problem.absent: problem.text for problem in problems}.items():
            before = self._unplayed[name].games if name in self._unplayed else 0
            why = text.replace(f"{self._tournament.folder}/", "")
            self._unplayed[name] = Unplayed(name, before + len(left), why)
