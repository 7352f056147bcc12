"""Gauntlet: one or a few challengers against a field that does not play among itself."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from tournaments.ratings import Result
from tournaments.schedules.block import Event
from tournaments.schedules.design import MAX_TABLES, all_play, in_rounds
from tournaments.schedules.scheduler import Round, ScheduleError, check_names, check_table, repeated


@dataclass(frozen=True, slots=True)
class Gauntlet:
    """Each challenger meets every set of `seats` - 1 of the field at its table for `blocks` blocks.

    When there are more than `max_tables` such sets, a choice of them is played in which the challenger meets
    everybody equally often. Challengers do not meet each other. Raises ScheduleError without a challenger
    or when the field fills no table.
    """

    event: Event
    challengers: tuple[str, ...]
    field: tuple[str, ...]
    seats: int
    blocks: int = 1
    max_tables: int = MAX_TABLES
    fixed = True

    def __post_init__(self) -> None:
        check_table(self.seats, self.blocks)
        check_names(self.challengers + self.field)
        if not self.challengers:
            raise ScheduleError("challengers", "the gauntlet has no challenger; name at least one")
        if len(self.field) < self.seats - 1:
            raise ScheduleError(
                "seats",
                f"a field of {len(self.field)} leaves seats empty at a table of {self.seats}; "
                "add entrants or lower seats",
            )

    @property
    def total(self) -> int:
        """All games there will be."""
        return len(self._tables()) * self.blocks * self.seats

    def rounds(self, results: Collection[Result] = ()) -> Iterator[Round]:
        """Yield all rounds, whatever the results."""
        entrants = self.challengers + self.field
        return repeated(self.event, entrants, in_rounds(len(entrants), self._tables()), self.blocks)

    def _tables(self) -> list[tuple[int, ...]]:
        """The challengers have the first numbers, the field the rest."""
        first = len(self.challengers)
        opponents = all_play(len(self.field), self.seats - 1, self.max_tables)
        return [
            (challenger, *(first + place for place in them))
            for them in opponents
            for challenger in range(first)
        ]
