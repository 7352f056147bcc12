"""Opens a game again that an earlier server has left unfinished, as it stood after the last recorded choice.

The record gives the game, the banks, the faults; the file of seats gives who may come back. All that had been
told is worked out again by the same steps, so that events and requests keep their numbers: an answer or a
watcher's `last` from before means the same afterwards. Not known, and begun anew, is what the open request had cost
so far, its time and its wrong answers, and for how long seats had been absent.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from arena.game import Catalogue, Game
from arena.records import Choice, Header, Journal, Record, Step, recover
from arena.server.audience import Audience
from arena.server.clocks import SeatClock
from arena.server.config import Config
from arena.server.seatfiles import Retirement, SeatFile, SeatFileError
from arena.server.seats import Seat
from protocol.fields import MAX_SECONDS
from protocol.messages import Clock, Player, Rules, Start


@dataclass(frozen=True, slots=True)
class Reopened:
    """A game with all that belongs to it; `record.result` is there, and no journal, if it is over."""

    record: Record
    game: Game
    seats: list[Seat]
    audience: Audience
    retired: list[Retirement]
    journal: Journal | None
    start: Start
    started: bool
    suspect: bool  # whether a move has lost more than `suspect` seconds to the server


def reopen(path: Path, kept: SeatFile, catalogue: Catalogue, config: Config) -> Reopened:
    """Open the record at `path`; raises what `recover` does, and `SeatFileError` if `kept` is of another game."""
    past: list[Past] = []

    def heard(record: Record, step: Step) -> None:
        if not past:
            if record.header.game != path.stem:  # else two games would go on under one id
                raise SeatFileError(
                    f"{path} is of the game {record.header.game}; give it that name, or keep it elsewhere"
                )
            past.append(Past(record, step.game, kept, config))
        past[0].repeat(step)

    record, game, journal = recover(
        path, catalogue, durable=config.durable, private=not config.reveal, heard=heard
    )
    seen = past[0]
    for seat in seen.seats:
        seat.asked -= seat.number in seen.open  # the open request is made again, with the same id
    return Reopened(
        record,
        game,
        seen.seats,
        seen.audience,
        seen.retired,
        journal,
        seen.start,
        seen.started,
        any(choice.lag > config.suspect for choice in record.choices),
    )


class Past:
    """What the earlier server had told and asked, worked out step by step."""

    def __init__(self, record: Record, game: Game, kept: SeatFile, config: Config) -> None:
        header = record.header
        names = tuple(seat.name for seat in kept.seats)
        if names != header.seats:
            raise SeatFileError(f"the file of seats is of {', '.join(names)}; the game is of others")
        clock = Clock(**header.clock)
        self.game = game
        self.started = kept.started or bool(record.choices)
        self.start = start_of(header, clock, config.ready, kept.table)
        self.seats = [
            Seat(number, name, None, SeatClock(clock), header.salt) for number, name in enumerate(names)
        ]
        for seat, was in zip(self.seats, kept.seats, strict=True):
            seat.views, seat.samples, seat.ready = was.views, was.samples, self.started
        self.audience = Audience(self.start, game, self.seats, config)
        self.retired: list[Retirement] = []
        self.open: set[int] = set()  # seats that have been asked and have not answered
        self._retirements = kept.retired
        self._choices = len(record.choices)

    def repeat(self, step: Step) -> None:
        """The game has been dealt, or a choice has been made."""
        if step.choice is not None:
            self._count(step.choice)
        elif not self.started:
            return  # nothing has been told before all are ready
        self.audience.tell(step.events, self._confidant())
        self._ask()
        number = step.choice.number if step.choice is not None else 0
        for retirement in self._retirements:
            if min(retirement.after, self._choices) == number:  # a power cut may have taken choices away
                self._retire(retirement)

    def _count(self, choice: Choice) -> None:
        seat = self.seats[choice.seat]
        self.open.discard(choice.seat)
        if choice.bank >= 0:
            seat.clock.bank = min(choice.bank, MAX_SECONDS)
        if choice.defaulted:
            seat.faults += 1

    def _retire(self, retirement: Retirement) -> None:
        seat = self.seats[retirement.seat]
        seat.retired = retirement.reason
        self.open.discard(seat.number)
        self.retired.append(retirement)
        self.audience.tell([retirement.event()], self._confidant())
        self._ask()

    def _confidant(self) -> Seat | None:
        asking = self.game.asking
        return self.seats[asking[0].seat] if asking and asking[0].secret else None

    def _ask(self) -> None:
        """Count the requests as the referee has sent them: none while a retired seat's default is to be played."""
        to_act = [self.seats[number] for number in self.game.to_act]
        if not any(seat.retired for seat in to_act):
            for seat in to_act:
                if seat.number not in self.open:
                    self.open.add(seat.number)
                    seat.asked += 1


def start_of(header: Header, clock: Clock, ready: float, table: str | None) -> Start:
    """What the players of a game, and its watchers, are told at its beginning."""
    rules = header.options._asdict()
    del rules["players"]
    return Start(
        game=header.game,
        table=table,
        seats=tuple(Player(name=name) for name in header.seats),
        rules=Rules(**rules),
        clock=clock,
        ready=ready,
        catalogue=header.catalogue_hash,
        commitment=header.commitment,
    )
