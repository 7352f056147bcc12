"""The face of every schedule, and how a runner walks along it.

A schedule is asked with the results so far and answers with the rounds that may be played by now, those
already played included, always in the same order. So resuming needs no counters: it is schedule minus
stored (`missing`). A round robin answers the same whatever the results; a Swiss adds a round when the one
before is over, a knock-out when its winners are known, a ladder when it has learned from the last games, a
trial while its test is undecided.
"""

from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from tournaments.ratings import Result
from tournaments.schedules.block import Block, Event, Pairing

MOST_SEATS = 6  # of a game of Import / Export


class ScheduleError(ValueError):
    """The tournament asked for cannot be scheduled; the text names the value and the remedy, `key` what holds it."""

    def __init__(self, key: str, text: str) -> None:
        super().__init__(text)
        self.key = key


@dataclass(frozen=True, slots=True)
class Round:
    """Blocks in which nobody sits at two tables, and the entrants that have a bye: no game and no score."""

    number: int
    blocks: tuple[Block, ...]
    byes: tuple[str, ...]


class Schedule(Protocol):
    """A generator of rounds with a total."""

    @property
    def fixed(self) -> bool:
        """Whether the rounds are the same whatever the results, so that asking once is enough."""

    @property
    def total(self) -> int | None:
        """All games there will be, or None while that depends on results."""

    def rounds(self, results: Collection[Result] = ()) -> Iterator[Round]:
        """Yield the rounds that may be played given these results, from round 1, in a fixed order."""


def pairings(schedule: Schedule, results: Collection[Result] = ()) -> Iterator[Pairing]:
    """Yield all games that may be played by now, played or not, in a fixed order."""
    for each in schedule.rounds(results):
        for block in each.blocks:
            yield from block.pairings()


def missing(
    schedule: Schedule, stored: Container[str], results: Collection[Result] = ()
) -> Iterator[Pairing]:
    """Yield the games whose ids are not among `stored`: what a started or resumed run has to play."""
    return (pairing for pairing in pairings(schedule, results) if pairing.id not in stored)


def check_table(seats: int, blocks: int) -> None:
    """Raise ScheduleError for a table or a number of blocks that cannot be."""
    if not 2 <= seats <= MOST_SEATS:
        raise ScheduleError("seats", f"seats is {seats}; a table has 2 to {MOST_SEATS}")
    if blocks < 1:
        raise ScheduleError("blocks", f"blocks is {blocks}; each table plays at least 1")


def check_names(entrants: Iterable[str]) -> None:
    """Raise ScheduleError for a name that two entrants bear."""
    for name, times in Counter(entrants).items():
        if times > 1:
            raise ScheduleError("entrants", f"{times} entrants are named {name}; give each a name of its own")


def check_field(entrants: Sequence[str], seats: int, blocks: int) -> None:
    """Raise ScheduleError unless these entrants can be seated at tables of `seats`, for `blocks` deals each."""
    check_table(seats, blocks)
    check_names(entrants)
    if len(entrants) < seats:
        raise ScheduleError(
            "seats", f"{len(entrants)} entrants cannot fill a table of {seats}; add entrants or lower seats"
        )


def repeated(
    event: Event, entrants: Sequence[str], rounds: Sequence[Sequence[tuple[int, ...]]], blocks: int
) -> Iterator[Round]:
    """Play the rounds of tables `blocks` times over; tables number the entrants from 0."""
    for repeat in range(blocks):
        for number, tables in enumerate(rounds, repeat * len(rounds) + 1):
            seated = {place for table in tables for place in table}
            yield Round(
                number=number,
                blocks=tuple(event.block((entrants[place] for place in table), repeat) for table in tables),
                byes=tuple(name for place, name in enumerate(entrants) if place not in seated),
            )
