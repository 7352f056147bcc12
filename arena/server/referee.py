"""The referee of one game: asks the seats, watches their clocks, applies, records, publishes.

Everything that a client does arrives by a plain call (`answer`, `lost`, `back`) in the moment its bytes have
arrived, and is done at once: checked, journalled, applied, told. The referee's own task only waits for time:
for seats to get ready, for clocks that run out, for connections that do not come back. Nobody waits for a
spectator, nor for another seat's socket.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import structlog
import trio

from arena.game import Event, Game
from arena.records import MAX_END, Journal, JournalError, RecordError, finished
from arena.server.ended import Ended, end_of, end_of_unplayed, write_unplayed
from arena.server.lag import UNSEEN
from arena.server.seatfiles import Retirement
from arena.server.seats import OpenRequest, Seat
from protocol import EndReason, ErrorCode, PhaseError, ProtocolError, encode, error_for
from protocol.errors import printable
from protocol.messages import End, Move, Remaining

if TYPE_CHECKING:
    from arena.records import Header
    from arena.server.audience import Audience
    from arena.server.config import Config
    from arena.server.connections import Connection
    from arena.server.lag import LagMeter


class Referee:
    """One game, from `start` to `end`.

    `keep` is called, and may raise `JournalError`, when something has changed that a restarted server must know
    beside the record; `over` once, at the game's end; `release` when a seat needs its client no more.
    """

    def __init__(
        self,
        game_id: str,
        game: Game,
        seats: list[Seat],
        *,
        header: Header,
        journal: Journal,
        audience: Audience,
        config: Config,
        lag: LagMeter,
        keep: Callable[[Referee], None],
        over: Callable[[Referee], None],
        release: Callable[[Referee, Seat], None],
        started: bool = False,
        retired: Iterable[Retirement] = (),
        suspect: bool = False,
    ) -> None:
        """`suspect`: an earlier server has stood still too long in this game."""
        self.id = game_id
        self.game = game
        self.seats = seats
        self.header = header
        self.audience = audience
        audience.clock_of = self._time_left
        self.started = started
        self.retired = list(retired)
        self.end: End | None = None
        self.unrecorded = ""  # why the record could not be written, in a sentence, if that ended the game
        self.finished = trio.Event()  # set once `end` is there
        self.made_at = array("d")  # for each choice when it was made, in seconds of the loop's clock
        self.log = structlog.get_logger().bind(game=game_id)
        self._journal = journal
        self._config = config
        self._lag = lag
        self._keep = keep
        self._over = over
        self._release = release
        self._suspect = suspect
        self._suspended = False  # the server stops: the journal is closed, nothing is played any more
        self._began = trio.current_time()
        self._wake = trio.Event()
        self._until = math.inf  # when the referee's own task looks at the clocks again

    @property
    def choices(self) -> int:
        """How many have been made."""
        return self._journal.choices

    # The referee's own task: time

    def announce(self) -> None:
        """Tell the seats that the game begins."""
        for seat in self.seats:
            self.audience.start(seat)

    def go_on(self) -> None:
        """Go on with a game that an earlier server has left: from now on its seats may come back."""
        for seat in self.seats:
            if seat.retired is None:
                seat.absent_since, seat.outage = self._lag.awake(), True
        if self.started:
            self._guarded(lambda: self._go_on([]))

    def suspend(self) -> None:
        """The server stops: nothing is played any more, and the record stays unfinished and can be gone on with."""
        if self.end is None and not self._suspended:
            self._suspended = True
            self._journal.close()
            self.log.info("suspended", choices=self._journal.choices)
            self._wake.set()

    async def run(self) -> None:
        """Watch the time until the game is over or suspended."""
        try:
            await self._get_ready()
            while self._goes_on:
                await self._wait_for_time()
                if self._goes_on:
                    await self._lag.catch_up()
                    self._guarded(self._time_has_come)
        except Exception:
            self.log.exception("referee-fault")
            self._stop(EndReason.REFEREE_FAULT)
        finally:
            self.suspend()  # if it is cancelled in mid-game

    @property
    def _goes_on(self) -> bool:
        return self.end is None and not self._suspended

    async def _get_ready(self) -> None:
        limit = self._config.ready + (self._config.comeback if any(seat.outage for seat in self.seats) else 0)
        await self._lag.until(lambda: self.started or not self._goes_on, self._woken, limit)
        if self._goes_on and not self.started:
            late = [seat.number for seat in self.seats if not seat.ready]
            self.log.info("not-ready", seats=late)
            self._stop(EndReason.REFUSED, late)

    async def _woken(self) -> None:
        self._wake = trio.Event()
        await self._wake.wait()

    async def _wait_for_time(self) -> None:
        self._until = min(map(self._deadline, self.seats))
        with trio.CancelScope(deadline=self._until):
            await self._woken()

    def _now(self) -> tuple[float, float]:
        """The time, and what the server has lost until now."""
        now = trio.current_time()
        return now, self._lag.lost(now)

    def _deadline(self, seat: Seat) -> float:
        """When something must be done about this seat if nothing is heard of it."""
        now, lag = self._now()
        if seat.retired is not None:
            return math.inf
        if seat.absent_since is not None:
            return now + self.time_to_come_back(seat)
        if seat.request is not None and seat.clock.running:
            return now + seat.clock.left(now, lag)
        return math.inf

    def _time_has_come(self) -> None:
        now = trio.current_time()
        for seat in self.seats:
            if self.end is None and self._deadline(seat) <= now:
                if seat.absent_since is not None:
                    self._retire(seat, EndReason.DISCONNECT)
                else:
                    self._fault(seat, EndReason.TIMEOUT)

    # What clients do

    def ready(self, seat: Seat, views: bool, samples: bool) -> None:
        """The bot of this seat is ready; with the last one the game begins."""
        seat.views, seat.samples = views, samples
        seat.ready = True
        if not self.started and all(other.ready for other in self.seats):
            self._guarded(self._begin)

    def _has_begun_for(self, seat: Seat) -> bool:
        """Whether the seat may know that all are ready: not if another one is asked in secret at the deal (Q98)."""
        return self.started and (self.audience.stream.number > 0 or seat.asked > 0)

    def answers(self, seat: Seat, number: int) -> bool:
        """Whether `number` is the seat's open request."""
        return seat.request is not None and seat.request.id == number

    def answer(self, seat: Seat, move: Move, arrived: float) -> None:
        """A `move` has come; raises `PhaseError` for one that hits nothing."""
        request = seat.answered(move.id, self.id, started=self._has_begun_for(seat))
        if self._out_of_time(seat, request, arrived):
            return
        index = request.index_of(move.choice)
        if index is None:
            self._wrong(seat, request, request.not_offered(move.choice))
        else:
            self._guarded(lambda: self._apply(seat, index, arrived))

    def bad_answer(self, seat: Seat, fault: ProtocolError, arrived: float) -> None:
        """A line that cannot be read, but names the seat's open request: it counts as a try."""
        request = seat.request
        if request is not None and not self._out_of_time(seat, request, arrived):
            self._wrong(seat, request, fault)

    def lost(self, seat: Seat) -> None:
        """The connection of this seat is gone: its clock stands still, its time to come back runs."""
        now, lag = self._now()
        seat.clock.pause(now, lag)
        seat.absent_since = self._lag.awake()
        if seat.retired is not None:
            self._release(self, seat)
        self._wake.set()

    def back(self, seat: Seat, connection: Connection) -> None:
        """The seat is resumed: the whole view, then the open request with the time that is left."""
        if seat.absent_since is not None:
            seat.absence = 0.0 if seat.outage else seat.absent_for(self._lag.awake())
            seat.absent_since, seat.outage = None, False
        self.audience.start(seat)
        if self._has_begun_for(seat):
            self._guarded(lambda: self._bring_up(seat, connection))
        self._wake.set()

    def leave(self, seat: Seat) -> None:
        """The client of this seat has said that it does not come back."""
        self._gone(seat, EndReason.DISCONNECT)
        self._release(self, seat)

    def crashed(self, seat: Seat, how: str) -> None:
        """The program of this seat has ended, says whoever started it, who knows how; the record keeps that, too."""
        if seat.retired is None:
            seat.ended = printable(how)[:MAX_END]
        self._gone(seat, EndReason.CRASH)

    def time_to_come_back(self, seat: Seat) -> float:
        """Seconds that a seat without a connection may still take to come back."""
        limit = self._config.comeback if seat.outage else self._config.resume
        return limit - seat.absent_for(self._lag.awake())

    def watch(self, connection: Connection, last: int | None, seat: Seat | None = None) -> None:
        """A watcher joins; with `seat` its owner, who sees what it sees."""
        self.audience.watch(connection, last, seat)

    def abort(self) -> None:
        """The organiser stops the game; nobody loses."""
        self._stop(EndReason.ABORTED)

    # Answers

    def _out_of_time(self, seat: Seat, request: OpenRequest, arrived: float) -> bool:
        """Whether an answer came too late, though the referee's task has not noticed yet; if so, it is a fault.

        That the task has not noticed means a stall, in which the answer may have come in time.
        """
        if seat.clock.left(arrived, self._lag.lost(arrived)) >= -UNSEEN:
            return False
        text = f"the time for request {request.id} is up; its default is played"
        self._tell_error(seat, request, PhaseError(ErrorCode.TOO_LATE, text))
        self._guarded(lambda: self._fault(seat, EndReason.TIMEOUT))
        return True

    def _wrong(self, seat: Seat, request: OpenRequest, fault: ProtocolError) -> None:
        """One error, and the same clock runs on; after the last try the default is played."""
        request.tries -= 1
        self._tell_error(seat, request, fault, request.tries)
        if request.tries <= 0:
            self._guarded(lambda: self._fault(seat, EndReason.ILLEGAL))

    def _tell_error(
        self, seat: Seat, request: OpenRequest, fault: ProtocolError, tries: int | None = None
    ) -> None:
        fault.game, fault.id = self.id, request.id
        if seat.connection is not None:
            seat.connection.send(error_for(fault, tries))

    # The game

    def _guarded(self, step: Callable[[], None]) -> None:
        """A failure of ours in one game ends it, and must not reach the connection that happened to bring it."""
        if not self._goes_on:
            return
        try:
            step()
        except JournalError as error:
            self.log.error("record-failed", error=str(error))
            self.unrecorded = str(error)
            self._stop(EndReason.REFEREE_FAULT)
        except Exception:
            self.log.exception("referee-fault")
            self._stop(EndReason.REFEREE_FAULT)

    def _log_of(self, seat: Seat) -> structlog.typing.FilteringBoundLogger:
        """The log with the seat, its player and its connection."""
        number = seat.connection.number if seat.connection is not None else None
        bound: structlog.typing.FilteringBoundLogger = self.log.bind(
            seat=seat.number, name=seat.name, connection=number
        )
        return bound

    def _begin(self) -> None:
        self.started = True
        self._began = trio.current_time()
        self._keep(self)
        self._wake.set()
        self.log.info("started", seats=[seat.name for seat in self.seats])
        self._go_on(self.game.events)

    def _apply(self, seat: Seat, index: int, now: float, fault: EndReason | None = None) -> None:
        """An accepted choice: into the record first, then into the open (DESIGN: journal before effect)."""
        spent = seat.clock.end(now, self._lag.lost(now))
        seat.request = None
        network = min(spent, seat.connection.round_trip()) if fault is None and seat.connection else -1
        times = {"spent": spent, "network": network, "lag": seat.clock.lost, "bank": seat.clock.bank}
        self._go_on(self._journal.play(self.game, seat.number, index, fault=fault, **times))

    def _go_on(self, events: list[Event]) -> None:
        """Play the defaults of retired seats, tell what has happened, and ask whoever must act."""
        game = self.game
        while not game.over:
            retired = next((s for s in map(self.seats.__getitem__, game.to_act) if s.retired), None)
            if retired is None:
                break
            default = game.decision(retired.number).default
            events = events + self._journal.play(
                game, retired.number, default, fault=retired.retired, retired=True
            )
        unnoted = self._journal.choices - len(self.made_at)
        self.made_at.extend([trio.current_time()] * unnoted)
        if game.over:
            self.audience.tell(events)
            return self._finish()
        asking = game.asking
        self.audience.tell(events, self.seats[asking[0].seat] if asking[0].secret else None)
        for number in game.to_act:
            if self.seats[number].request is None:
                self._ask(self.seats[number])
        return None

    def _ask(self, seat: Seat) -> None:
        decision = self.game.decision(seat.number)
        seat.asked += 1
        seat.request = OpenRequest(
            seat.asked, decision, decision.texts(self.game.catalogue), self._config.tries
        )
        seat.clock.begin()
        self._send_request(seat)

    def _send_request(self, seat: Seat) -> None:
        connection, request = seat.connection, seat.request
        if connection is None or request is None:
            return
        line = self.audience.request(seat, request, *seat.clock.remaining(*self._now()))

        def run_clock() -> None:
            """It runs though the kernel may have no room: a player that reads late must not have longer to think."""
            if seat.request is request and seat.connection is connection:
                now, lag = self._now()
                seat.clock.run(now, lag)
                if now + seat.clock.left(now, lag) < self._until:
                    self._wake.set()  # else the task wakes early enough by itself

        connection.send_request(line, run_clock)

    def _time_left(self, seat: Seat) -> Remaining | None:
        """What the seat has left for its open request."""
        if seat.request is None:
            return None
        move, bank = seat.clock.remaining(*self._now())
        return Remaining(move=move, bank=bank)

    def _bring_up(self, seat: Seat, connection: Connection) -> None:
        self.audience.came_back(seat, connection)
        self._send_request(seat)

    def _fault(self, seat: Seat, reason: EndReason) -> None:
        """The default is played for the seat; after too many faults it is retired."""
        seat.faults += 1
        self._log_of(seat).info("fault", reason=reason.value, faults=seat.faults)
        if seat.faults >= self._config.faults:
            return self._retire(seat, reason)
        request = seat.request
        if request is not None:
            seat.defaulted = request.id, reason
            self._apply(seat, request.decision.default, trio.current_time(), fault=reason)
        return None

    def _gone(self, seat: Seat, reason: EndReason) -> None:
        """The seat's player does not come back."""
        if self.started:
            self._guarded(lambda: self._retire(seat, reason))
        else:
            self._stop(EndReason.REFUSED, [seat.number])

    def _retire(self, seat: Seat, reason: EndReason) -> None:
        """From now on the defaults are played for the seat; it ranks after all that finish."""
        if seat.retired is not None:
            return
        seat.retired = reason
        seat.request = None
        seat.clock.end(*self._now())
        self._log_of(seat).info("retired", reason=reason.value)
        retirement = Retirement(seat=seat.number, reason=reason, after=self._journal.choices)
        self.retired.append(retirement)
        self._keep(self)
        if seat.connection is None and seat.client is not None:
            self._release(self, seat)
        told = [retirement.event()]
        if all(other.retired is not None for other in self.seats):
            self.audience.tell(told)
            self._stop(EndReason.ABORTED)
        else:
            self._go_on(told)

    # The end

    def _finish(self) -> None:
        reasons = tuple(seat.reason for seat in self.seats)
        suspect = self._suspect or self._lag.stalled_since(self._began, trio.current_time())
        if suspect:
            self.log.warning("suspect", bound=self._config.suspect)
        ends = tuple(seat.ended for seat in self.seats)
        outcome = finished(self.game, reasons, self._journal.choices, suspect=suspect, ends=ends)
        self._journal.result(outcome)
        self._tell_end(end_of(self.header, outcome, reveal=self._config.reveal))

    def _stop(self, reason: EndReason, guilty: list[int] | None = None) -> None:
        """End the game before its end. `guilty` are the seats that did not come, where it is their doing."""
        if not self._goes_on:
            return
        reasons = tuple(
            reason if guilty is None or seat.number in guilty else EndReason.ABORTED for seat in self.seats
        )
        try:
            write_unplayed(self._journal, self.game, reason, reasons)
        except (JournalError, RecordError) as error:
            self.log.error("no-result-in-record", error=str(error))
            self.unrecorded = str(error)
        except Exception:  # whatever it is, the players must be told
            self.log.exception("no-result-in-record")
        self._tell_end(end_of_unplayed(self.header, reason, reasons, reveal=self._config.reveal))

    def epilogue(self) -> Ended:
        """What is still answered for when the game is over."""
        assert self.end is not None, "the game is not over"
        return self.audience.epilogue(self.end)

    def _tell_end(self, end: End) -> None:
        self.end = end
        self._journal.close()
        self.log.info("ended", why=self.end.why.value, places=list(self.end.places))
        for seat in self.seats:
            seat.request = None
        for watcher in self.audience.end(encode(self.end)):
            watcher.watching.pop(self.id, None)
        self._wake.set()
        self.finished.set()
        self._over(self)
