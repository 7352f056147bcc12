"""What one game tells its seats and watchers, and when.

That somebody is asked can be a secret (Q98): a seat that is asked only because of a card in its hand. While
such a request is open nobody else is told anything new. What has happened before it is told together with what
happens after it, in the same line as if nobody had been asked; the numbers of the events are the same for
all and have no gap. Whoever comes meanwhile, to watch or back to its seat, gets at once what it would have got before:
the game as it was when all were told something last. Only the time that passes cannot be hidden.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog

from arena.game.saving import to_data
from arena.server.ended import Ended
from arena.server.streams import Stream
from protocol import encode_value, events_line, request_line
from protocol.messages import End, Snapshot, Start

if TYPE_CHECKING:
    from collections.abc import Callable

    from arena.game import Event, Game
    from arena.server.config import Config
    from arena.server.connections import Connection
    from arena.server.seats import OpenRequest, Seat
    from protocol.messages import Remaining


class Audience:
    """The seats and the stream of one game."""

    def __init__(self, start: Start, game: Game, seats: list[Seat], config: Config) -> None:
        """`start` is what a watcher is told; `config` has the bounds of the stream."""
        self.stream = Stream(game, start.game, config.history, config.backlog)
        self.clock_of: Callable[[Seat], Remaining | None] = lambda _: None  # the time that a seat has left
        self._config = config
        self._eyes: dict[int, Stream] = {}  # what seats see, of those whose owners watch
        self._start = start
        self._game_id = start.game
        self._game = game
        self._seats = seats
        self._held: list[Event] = []  # what has happened while a seat was asked in secret
        self._confidant: Seat | None = None  # that seat
        self._told: dict[int, int] = {}  # how many of the held events a seat has been told
        self._last = game.clone()  # the game as it was when something was told last

    @property
    def table(self) -> str | None:
        """The table that the players have come from, as `start` names it."""
        return self._start.table

    def start(self, seat: Seat) -> None:
        """Tell the seat which game it plays."""
        if seat.connection is not None:
            seat.connection.send(self._start.model_copy(update={"seat": seat.number, "luck": seat.luck}))

    def request(self, seat: Seat, request: OpenRequest, move: float, bank: float) -> bytes:
        """The line that asks the seat; `move` and `bank` are the seconds that it has left."""
        game, decision = self._game, request.decision
        return request_line(
            self._game_id,
            request.id,
            decision.kind,
            request.texts,
            decision.default,
            move=move,
            bank=bank,
            view=game.view(seat.number) if seat.views else None,
            sample=to_data(game.sample(seat.number, seat.seed_for_sample(request.id)))
            if seat.samples
            else None,
        )

    def tell(self, events: list[Event], confidant: Seat | None = None) -> None:
        """Tell what has happened; if `confidant` is asked in secret now, only that seat."""
        self._held += events
        self._confidant = confidant
        self._hold(self.stream, confidant is not None)
        self._tell_eyes()
        if confidant is None:
            self._release()
        else:
            told = self._told.get(confidant.number, 0)
            self._told[confidant.number] = len(self._held)
            self._send(confidant, self._held, told)
        self._last = self._game.clone()

    def _hold(self, stream: Stream, held: bool) -> None:
        """While it is held, the stream stays at the last moment that it has told."""
        if not held:
            stream.behind = None
        elif stream.behind is None:
            stream.behind = self._last

    def came_back(self, seat: Seat, connection: Connection) -> None:
        """The seat is resumed: it gets the whole view, as far as it may know the game."""
        game, number = self.stream.shown, self.stream.number
        self._told.pop(seat.number, None)
        if self._confidant is seat:
            game, number = self._game, number + len(self._held)
            self._told[seat.number] = len(self._held)
        connection.send(
            Snapshot(game=self._game_id, number=number, seat=seat.number, view=game.view(seat.number))
        )

    def watch(self, watcher: Connection, last: int | None, seat: Seat | None = None) -> None:
        """A watcher joins; with `seat` its owner, who sees what it sees."""
        if seat is None:
            watcher.send(self._start)
            self.stream.join(watcher, last)
        else:
            watcher.send(self._start.model_copy(update={"seat": seat.number}))
            self.eye(seat).join(watcher, last)

    def eye(self, seat: Seat) -> Stream:
        """What this seat sees, as a stream; it goes on until the game is over."""
        eye = self._eyes.get(seat.number)
        if eye is None:
            secret = self._confidant is not None and self._confidant is not seat
            eye = self._eyes[seat.number] = Stream(
                self._game,
                self._game_id,
                self._config.history,
                self._config.backlog,
                seat=seat.number,
                number=self.stream.number + (0 if secret else len(self._held)),
                clock=lambda: self.clock_of(seat),
            )
            eye.behind = self.stream.behind if secret else None
            eye.later = self.stream.later
            eye.published_at = self.stream.published_at
        return eye

    def watchers_of(self, seat: Seat) -> list[Connection]:
        """Who watches as this seat sees the game."""
        eye = self._eyes.get(seat.number)
        return list(eye.watchers) if eye is not None else []

    def leave(self, watcher: Connection) -> None:
        """`watcher` gets nothing more."""
        for stream in (self.stream, *self._eyes.values()):
            stream.leave(watcher)

    def end(self, line: bytes) -> list[Connection]:
        """Tell what was held back, then the end; returns those who watched."""
        try:
            self.tell([])
        except Exception:  # noqa: BLE001 - of a game whose rules failed; the end must be told
            structlog.get_logger().exception("last-events-lost", game=self._game_id)
        for seat in self._seats:
            if seat.connection is not None:
                seat.connection.send_line(line)
        return [watcher for stream in (self.stream, *self._eyes.values()) for watcher in stream.end(line)]

    def epilogue(self, end: End) -> Ended:
        """What is kept of the game for those who come late."""
        return Ended.of(self._game, self._start, end, self.stream.number)

    def _tell_eyes(self) -> None:
        """Tell the owners who watch what their seats are told; the held events follow those of the stream."""
        for number, eye in list(self._eyes.items()):
            held = self._confidant is not None and self._confidant.number != number
            self._hold(eye, held)
            told = eye.number - self.stream.number
            if not held and told < len(self._held):
                try:
                    eye.publish([encode_value(event.for_seat(number)) for event in self._held[told:]])
                except Exception:  # noqa: BLE001 - ours, and no player's business
                    del self._eyes[number]
                    eye.fail()

    def _release(self) -> None:
        events, self._held = self._held, []
        told, self._told = self._told, {}
        if events:
            first = self.stream.number + 1
            encoded = [encode_value(event.for_seat(None)) for event in events]
            line = events_line(self._game_id, first, encoded)
            self.stream.publish(encoded)
            for seat in self._seats:
                if seat.connection is None:
                    continue
                if seat.number in told or any(e.private and seat.number in e.private for e in events):
                    self._send(seat, events, told.get(seat.number, 0), encoded)
                else:
                    seat.connection.send_line(line)

    def _send(self, seat: Seat, events: list[Event], told: int, public: list[bytes] | None = None) -> None:
        """What `seat` has not been told of the events after the published ones, as it may see them."""
        if seat.connection is None or told >= len(events):
            return
        shown = []
        for place in range(told, len(events)):
            event = events[place]
            if public is not None and not (event.private and seat.number in event.private):
                shown.append(public[place])
            else:
                shown.append(encode_value(event.for_seat(seat.number)))
        # While events are held back, the stream's number is still the one before them.
        published = self.stream.number - (len(events) if public is not None else 0)
        seat.connection.send_line(events_line(self._game_id, published + told + 1, shown))
