"""The process of the hall: the blocks with remote entrants are played beside the runner, which may be busy.

It is held on a leash, as each worker is. The runner orders blocks over a pipe and hears over it what became of them.
"""

from __future__ import annotations

import multiprocessing
import threading
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from multiprocessing.connection import Connection

import structlog
import trio

from tournaments import worker
from tournaments.config import Tournament
from tournaments.hall import Hall, NoHall
from tournaments.schedules import Pairing
from tournaments.store import StoreError
from tournaments.worker import Outcome, refusal

ENDED = BrokenProcessPool("the process of the hall has ended")
FAREWELL = 10.0  # seconds in which the remote entrants may read that all is played; a server needs three


@dataclass(frozen=True, slots=True)
class Order:
    """To the hall: play this block."""

    number: int
    block: list[Pairing]


@dataclass(frozen=True, slots=True)
class Over:
    """To the hall: all is played."""


@dataclass(frozen=True, slots=True)
class Opened:
    """From the hall: remote entrants can log in there."""

    address: str


@dataclass(frozen=True, slots=True)
class NotOpened:
    """From the hall: they cannot."""

    why: str


@dataclass(frozen=True, slots=True)
class Told:
    """From the hall: a sentence about who is waited for."""

    text: str


@dataclass(frozen=True, slots=True)
class Done:
    """From the hall: what became of a block."""

    number: int
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Failed:
    """From the hall: a block met with a fault of ours, by its name: not each error comes through a pipe whole."""

    number: int
    error: str


class HallFault(Exception):
    """A block met with a fault of ours in the process of the hall, whose log tells more; the text is its name."""


class HallProcess:
    """Where the blocks with remote entrants are played; a place like the workers.

    If the process dies, its blocks fail with `BrokenExecutor`, and the next one that is handed out starts another;
    with `NoHall` if remote entrants cannot log in there any more, as when their port has been taken meanwhile. A block
    that meets with a fault of ours fails alone, with `HallFault`.
    """

    def __init__(self, tournament: Tournament, tables: int) -> None:
        self.tell: Callable[[str], object] = lambda text: None  # called in a thread
        self._tournament = tournament
        self._tables = tables
        self._numbers = count(1)
        self._running: _Running | None = None

    def open(self) -> str:
        """Start the process; returns where remote entrants log in. Raises `NoHall`."""
        self._running = _Running(self._tournament, self._tables, self._pass_on)
        return self._running.opened.result()

    def submit(self, tournament: Tournament, block: list[Pairing]) -> Future[Outcome]:
        """Hand out a block."""
        number = next(self._numbers)
        if self._running is None or not self._running.alive:
            self.close(over=False)
            self._running = _Running(self._tournament, self._tables, self._pass_on)
        return self._running.order(Order(number, block))

    def close(self, *, over: bool) -> None:
        """End the process, and wait for it; if all is over the remote entrants are told so."""
        if self._running is not None:
            self._running.close(over=over)
            self._running = None

    def _pass_on(self, text: str) -> None:
        self.tell(text)


class _Running:
    """One life of the process."""

    def __init__(self, tournament: Tournament, tables: int, tell: Callable[[str], object]) -> None:
        self.alive = True
        self.opened: Future[str] = Future()
        self._tell = tell
        self._orders: dict[int, Future[Outcome]] = {}
        self._end: Exception = ENDED  # what its blocks fail with
        self._lock = threading.Lock()  # of the orders, and of being alive
        context = multiprocessing.get_context("spawn")
        leash, self._leash = context.Pipe(duplex=False)
        self._wire, wire = context.Pipe()
        self._process = context.Process(target=main, args=(tournament, tables, leash, wire))
        with worker.without_signals():
            self._process.start()
        leash.close()
        wire.close()
        threading.Thread(target=self._listen, daemon=True).start()

    def order(self, order: Order) -> Future[Outcome]:
        future: Future[Outcome] = Future()
        with self._lock:
            if not self.alive:
                future.set_exception(self._end)
                return future
            self._orders[order.number] = future
        with suppress(OSError):  # it has just ended, which `_listen` tells
            self._wire.send(order)
        return future

    def close(self, *, over: bool) -> None:
        if over:
            with suppress(OSError):
                self._wire.send(Over())
            self._process.join(FAREWELL)
        self._leash.close()
        self._process.join()
        self._process.close()

    def _listen(self) -> None:
        with self._wire, suppress(EOFError, OSError):
            while True:
                self._hear(self._wire.recv())
        with self._lock:
            self.alive = False
            broken, self._orders = self._orders, {}
        if not self.opened.done():
            self.opened.set_exception(self._end)
        for future in broken.values():
            future.set_exception(self._end)

    def _hear(self, message: Opened | NotOpened | Told | Done | Failed) -> None:
        match message:
            case Opened(address):
                self._tell(f"remote entrants log in at {address}")
                self.opened.set_result(address)
            case NotOpened(why):
                self._end = NoHall(why)
            case Told(text):
                self._tell(text)
            case Done(number, outcome):
                with self._lock:
                    future = self._orders.pop(number)
                future.set_result(outcome)
            case Failed(number, name):
                with self._lock:
                    future = self._orders.pop(number)
                future.set_exception(HallFault(name))


# In the process


def main(tournament: Tournament, tables: int, leash: Connection, wire: Connection) -> None:
    """What the process does."""
    worker.start(leash)
    with worker.at_work(tournament):
        trio.run(_run, tournament, tables, wire)


async def _run(tournament: Tournament, tables: int, wire: Connection) -> None:
    try:
        async with Hall.open(tournament, tables, lambda text: _say(wire, Told(text))) as hall:
            _say(wire, Opened(hall.address))
            with worker.on_the_leash():
                await _take_orders(hall, wire)
    except* NoHall as group:
        _say(wire, NotOpened(str(group.exceptions[0])))


async def _take_orders(hall: Hall, wire: Connection) -> None:
    async with trio.open_nursery() as nursery:
        while isinstance(message := await _next(wire), Order):
            nursery.start_soon(_play, hall, wire, message)
        hall.over = isinstance(message, Over)
        nursery.cancel_scope.cancel()


async def _next(wire: Connection) -> Order | Over | None:
    """What the runner wants next; None if it is gone."""
    await trio.lowlevel.wait_readable(wire.fileno())
    try:
        message: Order | Over = wire.recv()
    except (EOFError, OSError):
        return None
    return message


async def _play(hall: Hall, wire: Connection, order: Order) -> None:
    try:
        outcome = await _outcome(hall, order)
    except Exception as error:  # ours: it stops no other block
        log = structlog.get_logger()
        log.exception("block-failed", block=order.block[0].block)
        _say(wire, Failed(order.number, type(error).__name__))
    else:
        _say(wire, Done(order.number, outcome))


async def _outcome(hall: Hall, order: Order) -> Outcome:
    try:
        return await hall.play(order.block)
    except (OSError, StoreError, ExceptionGroup) as error:
        problem = refusal(error)
        if problem is None:
            raise
        return [], [problem]


def _say(wire: Connection, message: Opened | NotOpened | Told | Done | Failed) -> None:
    with suppress(OSError):  # the runner is gone, which the leash tells
        wire.send(message)
