"""Round robin: everybody meets everybody equally often, at tables of any size."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from tournaments.ratings import Result
from tournaments.schedules.block import Event
from tournaments.schedules.design import MAX_TABLES, all_meet, in_rounds
from tournaments.schedules.scheduler import Round, check_field, repeated


@dataclass(frozen=True, slots=True)
class RoundRobin:
    """Every set of `seats` entrants shares a table for `blocks` blocks.

    When there are more than `max_tables` such sets, a balanced choice of them is played: everybody equally
    often, and two pairs' meetings differ by at most one per block (see `all_meet`). All tables play their
    first block before any plays its second. Raises ScheduleError when the field fills no table.
    """

    event: Event
    entrants: tuple[str, ...]
    seats: int
    blocks: int = 1
    max_tables: int = MAX_TABLES
    fixed = True

    def __post_init__(self) -> None:
        check_field(self.entrants, self.seats, self.blocks)

    @property
    def total(self) -> int:
        """All games there will be."""
        return len(self._tables()) * self.blocks * self.seats

    def rounds(self, results: Collection[Result] = ()) -> Iterator[Round]:
        """Yield all rounds, whatever the results."""
        rounds = in_rounds(len(self.entrants), self._tables())
        return repeated(self.event, self.entrants, rounds, self.blocks)

    def _tables(self) -> tuple[tuple[int, ...], ...]:
        return all_meet(len(self.entrants), self.seats, self.max_tables)
