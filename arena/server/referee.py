"""The referee of one game: asks the seats, watches their clocks, applies, records, publishes.

Everything that a client does arrives by a plain call (`answer`, `lost`, `back`) in the moment its bytes have
arrived, and is done at once: checked, journalled, applied, told. The referee's own task only waits for time:
for seats to get ready, for clocks that run out, for connections that do not come back. Nobody waits for a
spectator, nor for another seat's socket.
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import structlog
import trio

from arena.game import Event, Game
from arena.game.saving import to_data
from arena.records import Journal, JournalError, finished, unfinished
from arena.server.seats import OpenRequest, Seat
from arena.server.streams import Stream
from protocol import EndReason, ErrorCode, GameOver, PhaseError, encode_value, events_line, request_line
from protocol.messages import End, Error, Move, Snapshot, Start
from protocol.messages import Player as SeatName

if TYPE_CHECKING:
    from arena.records import Header
    from arena.server.config import Config
    from arena.server.connections import Connection
    from arena.server.lag import LagMeter
    from protocol.messages import Clock, Rules

WHY = {why.value: why for why in GameOver}


class Referee:
    """One game, from `start` to `end`."""

    def __init__(
        self,
        game_id: str,
        game: Game,
        seats: list[Seat],
        *,
        header: Header,
        journal: Journal,
        rules: Rules,
        clock: Clock,
        config: Config,
        lag: LagMeter,
        table: str | None,
        over: Callable[[Referee], None],
    ) -> None:
        self.id = game_id
        self.game = game
        self.seats = seats
        self.header = header
        self.rules = rules
        self.clock = clock
        self.table = table
        self.stream = Stream(game_id, config.history)
        self.started = False
        self.end: End | None = None
        self.log = structlog.get_logger().bind(game=game_id)
        self._journal = journal
        self._config = config
        self._lag = lag
        self._over = over
        self.finished = trio.Event()  # set once `end` is there
        self._wake = trio.Event()
        self._until = math.inf  # when the referee's own task looks at the clocks again

    # The referee's own task: time

    async def run(self) -> None:
        """Play the game to its end; whatever fails inside it ends it as a referee fault, and only it."""
        for seat in self.seats:
            self._tell_start(seat)
        try:
            await self._get_ready()
            while self.end is None:
                await self._wait_for_time()
                if self.end is None:
                    await self._lag.catch_up()
                    self._time_has_come()
        except trio.Cancelled:
            if self.end is None:
                self._journal.close()  # unfinished: it can be recovered
            raise
        except Exception:
            self.log.exception("referee-fault")
            self._stop(EndReason.REFEREE_FAULT)

    async def _get_ready(self) -> None:
        with trio.move_on_after(self._config.ready):
            while self.end is None and not all(seat.ready for seat in self.seats):
                await self._woken()
        if self.end is None and not self.started:
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

    def _deadline(self, seat: Seat) -> float:
        """When something must be done about this seat if nothing is heard of it."""
        now = trio.current_time()
        if seat.retired is not None:
            return math.inf
        if seat.absent_since is not None:
            return now + self._config.resume - seat.absent_for(now)
        if seat.request is not None and seat.clock.running:
            return now + seat.clock.left(now, self._lag.total)
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

    def answer(self, seat: Seat, move: Move, arrived: float) -> None:
        """A `move` has come; raises `PhaseError` for one that hits nothing."""
        if self.end is not None:
            raise PhaseError(ErrorCode.GAME_OVER, f"the game {self.id} is over; no move counts any more")
        if not self.started:
            raise PhaseError(ErrorCode.NOT_STARTED, f"the game {self.id} waits for its players to get ready")
        if seat.retired is not None:
            raise PhaseError(ErrorCode.RETIRED, f"seat {seat.number} is retired; its defaults are played")
        request = seat.request
        if request is None or move.id != request.id:
            if 0 < move.id <= seat.asked:
                raise PhaseError(
                    ErrorCode.TOO_LATE,
                    f"request {move.id} has been answered already; wait for the next request",
                    game=self.id,
                    id=move.id,
                )
            raise PhaseError(
                ErrorCode.NOT_ASKED,
                f"there is no request {move.id}; the last one was {seat.asked}",
                game=self.id,
                id=move.id,
            )
        if seat.clock.left(arrived, self._lag.total) < 0:
            self._guarded(lambda: self._fault(seat, EndReason.TIMEOUT))
            raise PhaseError(
                ErrorCode.TOO_LATE, f"request {move.id} ran out of time", game=self.id, id=move.id
            )
        index = self._index(request, move.choice)
        if index is None:
            self.wrong(seat, self._not_an_option(request, move.choice), ErrorCode.BAD_CHOICE)
        else:
            self._guarded(lambda: self._apply(seat, index, arrived))

    def wrong(self, seat: Seat, text: str, code: ErrorCode) -> None:
        """An answer was wrong: one error, the same clock runs on; after the last try the default is played."""
        request = seat.request
        if request is None or seat.client is None or seat.client.connection is None:
            return
        request.tries -= 1
        seat.client.connection.send(
            Error(code=code, text=text, game=self.id, id=request.id, tries=request.tries)
        )
        if request.tries <= 0:
            self._guarded(lambda: self._fault(seat, EndReason.ILLEGAL))

    def lost(self, seat: Seat) -> None:
        """The connection of this seat is gone: its clock stands still, its time to come back runs."""
        now = trio.current_time()
        seat.clock.pause(now, self._lag.total)
        seat.absent_since = now
        self._wake.set()

    def back(self, seat: Seat, connection: Connection) -> None:
        """The seat is resumed: the whole view, then the open request with the time that is left."""
        now = trio.current_time()
        if seat.absent_since is not None:
            seat.absence = seat.absent_for(now)
            seat.absent_since = None
        self._tell_start(seat)
        if self.started:
            view = self.game.view(seat.number)
            connection.send(Snapshot(game=self.id, number=self.stream.number, seat=seat.number, view=view))
        if seat.request is not None:
            self._send_request(seat)
        self._wake.set()

    def leave(self, seat: Seat) -> None:
        """The client of this seat has said that it does not come back."""
        if not self.started:
            self._guarded(lambda: self._stop(EndReason.REFUSED, [seat.number]))
        elif self.end is None:
            self._guarded(lambda: self._retire(seat, EndReason.DISCONNECT))
        seat.client = None

    def crashed(self, seat: Seat) -> None:
        """The program of this seat has ended, says whoever started it."""
        if self.end is None and seat.retired is None:
            if self.started:
                self._guarded(lambda: self._retire(seat, EndReason.CRASH))
            else:
                self._guarded(lambda: self._stop(EndReason.REFUSED, [seat.number]))

    def watch(self, connection: Connection, last: int | None) -> None:
        """A watcher joins."""
        connection.send(self._start(None))
        self.stream.join(connection, self.game, last)

    def abort(self) -> None:
        """The organiser stops the game; nobody loses."""
        if self.end is None:
            self._stop(EndReason.ABORTED)

    # The game

    def _guarded(self, step: Callable[[], None]) -> None:
        """A failure of ours in one game must not reach the connection that happened to bring it."""
        try:
            step()
        except JournalError as error:
            self.log.error("record-failed", error=str(error))
            self._stop(EndReason.REFEREE_FAULT)
        except Exception:
            self.log.exception("referee-fault")
            self._stop(EndReason.REFEREE_FAULT)

    def _begin(self) -> None:
        self.started = True
        self._wake.set()
        self.log.info("started", seats=[seat.name for seat in self.seats])
        self._publish(self.game.events)
        self._ask()

    def _apply(self, seat: Seat, index: int, now: float, fault: EndReason | None = None) -> None:
        """An accepted choice: into the record first, then into the open (DESIGN: journal before effect)."""
        spent = seat.clock.end(now, self._lag.total)
        seat.request = None
        events = self._journal.play(
            self.game,
            seat.number,
            index,
            spent=spent,
            bank=seat.clock.bank,
            **({"fault": fault, "retired": seat.retired is not None} if fault else {}),
        )
        self._publish(events)
        self._ask()

    def _ask(self) -> None:
        """Ask whoever must act and is not asked yet; play the defaults of retired seats."""
        game = self.game
        while not game.over:
            for number in game.to_act:
                seat = self.seats[number]
                if seat.retired is not None:
                    break
                if seat.request is None:
                    decision = game.decision(number)
                    seat.asked += 1
                    texts = decision.texts(game.catalogue)
                    seat.request = OpenRequest(seat.asked, decision, texts, self._config.tries)
                    seat.clock.begin()
                    self._send_request(seat)
            else:
                return
            default = game.decision(number).default
            events = self._journal.play(game, number, default, fault=seat.retired, retired=True)
            self._publish(events)
        self._finish()

    def _send_request(self, seat: Seat) -> None:
        connection = seat.client.connection if seat.client is not None else None
        request = seat.request
        if connection is None or request is None:
            return
        now = trio.current_time()
        move, bank = seat.clock.remaining(now, self._lag.total)
        line = request_line(
            self.id,
            request.id,
            request.decision.kind,
            request.texts,
            request.decision.default,
            move=move,
            bank=bank,
            view=self.game.view(seat.number) if seat.views else None,
            sample=to_data(self.game.sample(seat.number, secrets.randbits(64))) if seat.samples else None,
        )

        def handed() -> None:
            """The clock runs from the moment the kernel has the request."""
            if seat.request is request and seat.absent_since is None and self.end is None:
                seat.clock.run(trio.current_time(), self._lag.total)
                if self._deadline(seat) < self._until:
                    self._wake.set()  # else the task wakes early enough by itself

        connection.send_request(line, handed)

    def _publish(self, events: list[Event]) -> None:
        """Tell everybody what they may see; what is the same for all is encoded once."""
        if not events:
            return
        first = self.stream.number + 1
        encoded = self.stream.publish(events)
        common: bytes | None = None
        for seat in self.seats:
            connection = seat.client.connection if seat.client is not None else None
            if connection is None:
                continue
            own = [place for place, e in enumerate(events) if e.private and seat.number in e.private]
            if own:
                mixed = encoded.copy()
                for place in own:
                    mixed[place] = encode_value(events[place].for_seat(seat.number))
                connection.send_line(events_line(self.id, first, mixed))
            else:
                common = common or events_line(self.id, first, encoded)
                connection.send_line(common)

    def _index(self, request: OpenRequest, choice: int | str) -> int | None:
        if isinstance(choice, str):
            return request.texts.index(choice) if choice in request.texts else None
        return choice if 0 <= choice < len(request.texts) else None

    def _not_an_option(self, request: OpenRequest, choice: int | str) -> str:
        from protocol import quote

        last = len(request.texts) - 1
        return (
            f"choice {quote(choice)} is not among the {last + 1} options of request {request.id};"
            f" answer 0 to {last}, or an option's text"
        )

    def _fault(self, seat: Seat, reason: EndReason) -> None:
        """The default is played for the seat; after too many faults it is retired."""
        seat.faults += 1
        self.log.info("fault", seat=seat.number, reason=reason.value, faults=seat.faults)
        if seat.faults >= self._config.faults:
            return self._retire(seat, reason)
        request = seat.request
        if request is not None:
            self._apply(seat, request.decision.default, trio.current_time(), fault=reason)
        return None

    def _retire(self, seat: Seat, reason: EndReason) -> None:
        """From now on the defaults are played for the seat; it ranks after all that finish."""
        if seat.retired is not None:
            return
        seat.retired = reason
        self.log.info("retired", seat=seat.number, reason=reason.value)
        self._publish([Event("retired", {"seat": seat.number, "reason": reason.value})])
        request, seat.request = seat.request, None
        if request is not None:
            seat.clock.end(trio.current_time(), self._lag.total)
        if all(other.retired is not None for other in self.seats):
            self._stop(EndReason.ABORTED)
        elif self.started:
            self._ask()

    # The end

    def _finish(self) -> None:
        reasons = tuple(seat.reason for seat in self.seats)
        outcome = finished(self.game, reasons, self._journal.choices)
        self._journal.result(outcome)
        power = outcome.reason if outcome.reason not in WHY else None
        self._tell_end(
            why=WHY.get(outcome.reason, GameOver.POWER),
            power=power,
            places=outcome.places,
            credits=outcome.credits,
            reasons=reasons,
        )

    def _stop(self, reason: EndReason, guilty: list[int] | None = None) -> None:
        """End the game before its end. `guilty` are the seats that did not come, where it is their doing."""
        if self.end is not None:
            return
        reasons = tuple(
            reason if guilty is None or seat.number in guilty else EndReason.ABORTED for seat in self.seats
        )
        try:
            self._journal.result(unfinished(self.game, reason, reasons, self._journal.choices))
        except (JournalError, ValueError) as error:
            self.log.error("record-failed", error=str(error))
        self._tell_end(why=WHY[reason.value], power=None, places=(), credits=(), reasons=reasons)

    def _tell_end(self, **how: Any) -> None:
        self.end = End(game=self.id, seed=self.header.seed, salt=self.header.salt, **how)
        self._journal.close()
        self.log.info("ended", why=self.end.why.value, places=list(self.end.places))
        for seat in self.seats:
            seat.request = None
            if seat.client is not None and seat.client.connection is not None:
                seat.client.connection.send(self.end)
        for watcher in self.stream.watchers:
            watcher.send(self.end)
        self._wake.set()
        self.finished.set()
        self._over(self)

    def _tell_start(self, seat: Seat) -> None:
        if seat.client is not None and seat.client.connection is not None:
            seat.client.connection.send(self._start(seat.number))

    def _start(self, seat: int | None) -> Start:
        return Start(
            game=self.id,
            table=self.table,
            seat=seat,
            seats=tuple(SeatName(name=other.name) for other in self.seats),
            rules=self.rules,
            clock=self.clock,
            ready=self._config.ready,
            catalogue=self.header.catalogue_hash,
            commitment=self.header.commitment,
        )
