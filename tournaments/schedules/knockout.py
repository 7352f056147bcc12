"""Knock-outs: who has lost once, or twice, is out.

The rounds are functions of the results, so they come out the same after every restart. Entrants are seeded in
the order in which they are given.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from tournaments.ratings import Result
from tournaments.schedules.block import Block, Event
from tournaments.schedules.outcomes import Outcomes
from tournaments.schedules.scheduler import Round, ScheduleError, check_names, check_table

REPLAYS = 8  # times that a table goes on while it is level; then the better seed goes through
ROUNDS = 10_000  # of a table's blocks are kept apart by this; a knock-out has far fewer rounds


@dataclass(frozen=True, slots=True)
class Knockout:
    """Tables of `seats` play `blocks` blocks; the better half (rounded down) goes through, the rest has lost.

    Who has lost `losses` times is out: 1 is single elimination, 2 double. In each round entrants with equally
    many losses meet, the best seed and the worst at one table; who does not fit gets a bye, those with the
    fewest byes and the best seeds first. When a group fills no more than one table, one of it goes through;
    the last one without a loss waits for the last with one. A table that is level where it matters plays
    another `blocks` blocks, up to eight times; then the better seed goes through. Who did not come to a game
    that therefore was not played ranks behind all who came. Raises ScheduleError for fewer than two entrants.
    """

    event: Event
    entrants: tuple[str, ...]
    seats: int
    blocks: int = 1
    losses: int = 1
    fixed = False

    def __post_init__(self) -> None:
        check_table(self.seats, self.blocks)
        check_names(self.entrants)
        if len(self.entrants) < 2:
            raise ScheduleError(
                "entrants", f"{len(self.entrants)} entrants cannot play a knock-out; add entrants"
            )
        if self.losses not in (1, 2):
            raise ScheduleError("losses", f"losses is {self.losses}; a knock-out is single (1) or double (2)")

    @property
    def total(self) -> None:
        """Not known: tables that are level go on."""
        return None

    def rounds(self, results: Collection[Result] = ()) -> Iterator[Round]:
        """Yield the rounds up to the first that is not over."""
        return self._rounds(results, Counter(dict.fromkeys(self.entrants, 0)))

    def left(self, results: Collection[Result]) -> list[str]:
        """Who is not out after all rounds that are over; at the end that is the winner alone."""
        lost = Counter(dict.fromkeys(self.entrants, 0))
        for _ in self._rounds(results, lost):
            pass
        return [name for name in self.entrants if lost[name] < self.losses]

    def _rounds(self, results: Collection[Result], lost: Counter[str]) -> Iterator[Round]:
        """The rounds; `lost` is kept as they go."""
        outcomes = Outcomes(results)
        byes = Counter(dict.fromkeys(self.entrants, 0))
        for number in range(1, ROUNDS):
            tables = self._tables(lost, byes)
            if not tables:
                return
            matches = [Match(self, table, through, number, outcomes) for table, through in tables]
            alive = [name for name in self.entrants if lost[name] < self.losses]
            seated = {name for table, _ in tables for name in table}
            idle = [name for name in alive if name not in seated]
            byes.update(idle)
            yield Round(number, tuple(block for match in matches for block in match.blocks), tuple(idle))
            if not all(match.over for match in matches):
                return
            for match in matches:
                lost.update(match.losers)

    def _tables(self, lost: Counter[str], byes: Counter[str]) -> list[tuple[list[str], int]]:
        """The tables of a round, and how many of each go through; none when the winner is known."""
        groups = [[name for name in self.entrants if lost[name] == times] for times in range(self.losses)]
        tables = [table for group in groups for table in self._tables_of(group, byes)]
        alive = [name for group in groups for name in group]
        if not tables and len(alive) > 1:  # one without a loss, and one with a single loss
            return [(alive, 1)]
        return tables

    def _tables_of(self, group: Sequence[str], byes: Counter[str]) -> list[tuple[list[str], int]]:
        if len(group) < 2:
            return []
        if len(group) <= self.seats:
            return [(list(group), 1)]
        count = len(group) // self.seats
        rest = len(group) - count * self.seats
        idle = sorted(group, key=lambda name: (byes[name], group.index(name)))[:rest]
        playing = [name for name in group if name not in idle]
        tables: list[list[str]] = [[] for _ in range(count)]
        for place, name in enumerate(playing):  # to and fro, so that the seeds at each table add up alike
            there, back = divmod(place, count)
            tables[back if there % 2 == 0 else count - 1 - back].append(name)
        return [(table, self.seats // 2) for table in tables]


class Match:
    """What a table has to play in a round, and what came of it."""

    def __init__(
        self, schedule: Knockout, table: Sequence[str], through: int, number: int, outcomes: Outcomes
    ) -> None:
        self.blocks: list[Block] = []
        self.over = False
        self.losers: list[str] = []
        for turn in range(REPLAYS + 1):
            self.blocks += [
                schedule.event.block(table, (number * (REPLAYS + 1) + turn) * schedule.blocks + repeat)
                for repeat in range(schedule.blocks)
            ]
            if not all(map(outcomes.over, self.blocks)):
                return
            points, absent = outcomes.points(self.blocks), outcomes.absent(self.blocks)
            order = sorted(table, key=lambda name: (name in absent, -points[name], table.index(name)))
            last, first = order[through - 1], order[through]
            level = points[last] == points[first] and (last in absent) == (first in absent)
            if not level or turn == REPLAYS or absent:
                self.losers = order[through:]
                self.over = True
                return
