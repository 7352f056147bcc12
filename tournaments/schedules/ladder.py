"""The ladder: plays whatever is expected to tell most about the order, until the order is known.

Open-ended. What comes next is a function of the results so far, so a ladder goes on after a restart as if
nothing had happened.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log, log2

import numpy as np

from tournaments.ratings import Fit, Result, fit, student
from tournaments.ratings.direct import gain, meetings
from tournaments.ratings.elo import LOGIT
from tournaments.ratings.pairs import Floats
from tournaments.schedules.block import Block, Event
from tournaments.schedules.outcomes import Outcomes
from tournaments.schedules.scheduler import Round, ScheduleError, check_field

FIXED = 30  # steps to a fixed point; each brings it nearer by far more than the half
DIRECT = 0.2  # the share of the error for the meetings of two alone, whom it costs two blocks more
WARM_UP = 5  # blocks of each table before anything is concluded; error bars are rough below five deals
GROWTH = (
    16  # the games so far grow by a part of so many before it is thought anew, so that many workers have work
)


@dataclass(frozen=True, slots=True)
class Ladder:
    """Plays until every two neighbours of the ranking are told apart, or a table has played `blocks` blocks.

    It begins with chains of entrants as they are given, each table sharing one with the next, for five blocks.
    Then it plays, again and again, the tables of neighbours after which the chances that neighbours are ranked
    the wrong way are expected to add up to least. Two neighbours are told apart when the chance that
    the lower is the better falls below four fifths of `error`, divided by the number of pairs of neighbours, by
    l(l+1) where l counts the doublings of the number of games, and by what many looks within one add to it
    (`at_any_look`); or when a bet on the better in their own meetings has grown more than the last fifth allows for
    all pairs (`direct`). So the chances of a wrong order, over all pairs and
    however often one looks, add up to `error` at most, as 1/2 + 1/6 + 1/12 + ... = 1. Each block has a deal of
    its own. Who did not come to a game is not waited for. Raises ScheduleError when the field fills no table.
    """

    event: Event
    entrants: tuple[str, ...]
    seats: int
    blocks: int = 1000
    error: float = 0.05
    fixed = False

    def __post_init__(self) -> None:
        check_field(self.entrants, self.seats, self.blocks)
        if not 0 < self.error < 0.5:
            raise ScheduleError("error", f"error is {self.error}; it lies between 0 and 0.5")

    @property
    def total(self) -> None:
        """Not known: it ends when the order is."""
        return None

    def rounds(self, results: Collection[Result] = ()) -> Iterator[Round]:
        """Yield the warm-up and what has been begun since; when that is over, what to play next, if anything."""
        outcomes = Outcomes(results)
        tables = list(dict.fromkeys([*self._chain(), *self._tables_played(results)]))
        counts = {table: self._begun(table, outcomes) for table in tables}
        for table in self._chain():
            counts[table] = max(counts[table], min(WARM_UP, self.blocks))
        known = tuple(self.event.block(table, repeat) for table in tables for repeat in range(counts[table]))
        yield Round(1, known, ())
        if all(map(outcomes.over, known)):
            chosen = self._next(results, counts, outcomes.absent(known))
            if chosen:
                yield Round(2, chosen, ())

    def resolved(self, fitted: Fit, results: Collection[Result]) -> list[bool]:
        """For every two neighbours of the ranking, best first: are they told apart by these results?"""
        pairs = list(pairwise(rating.name for rating in fitted.ratings))
        limit = self.limit(sum(result.rated for result in results))
        chances = [fitted.superiority(*pair) for pair in pairs]
        sure = [chance is not None and 1 - chance < limit for chance in chances]
        if all(sure):
            return sure
        met = meetings(results, pairs)
        return [done or gain(met[pair]) > self._enough for pair, done in zip(pairs, sure, strict=True)]

    def open(self, fitted: Fit, results: Collection[Result]) -> list[tuple[str, str]]:
        """The neighbours of the ranking, best first, that are not told apart."""
        neighbours = pairwise(rating.name for rating in fitted.ratings)
        told = self.resolved(fitted, results)
        return [pair for pair, done in zip(neighbours, told, strict=True) if not done]

    @property
    def _enough(self) -> float:
        """The logarithm of what a bet on one of two must have grown to, so that none of all pairs is taken wrongly."""
        pairs = len(self.entrants) * (len(self.entrants) - 1) / 2
        return log(pairs / (DIRECT * self.error))

    def limit(self, games: int) -> float:
        """The chance of a wrong order up to which two neighbours count as told apart after so many games."""
        first = len(self._chain()) * WARM_UP * self.seats
        doubling = 1 + int(log2(max(games / first, 1)))
        return at_any_look((1 - DIRECT) * self.error / (len(self.entrants) - 1) / (doubling * (doubling + 1)))

    def _chain(self) -> list[tuple[str, ...]]:
        """Tables along the given order, each sharing an entrant with the next, so that all are connected."""
        last = len(self.entrants) - self.seats
        starts = [*range(0, last, self.seats - 1), last]
        return [tuple(sorted(self.entrants[start : start + self.seats])) for start in starts]

    def _tables_played(self, results: Collection[Result]) -> list[tuple[str, ...]]:
        own = set(self.entrants)
        tables = {tuple(sorted(result.entrants)) for result in results if own.issuperset(result.entrants)}
        return sorted(table for table in tables if len(table) == self.seats)

    def _begun(self, table: tuple[str, ...], outcomes: Outcomes) -> int:
        """How many blocks of a table have been begun; they are begun in order."""
        count = 0
        while outcomes.begun(self.event.block(table, count)):
            count += 1
        return count

    def _next(
        self, results: Collection[Result], counts: dict[tuple[str, ...], int], absent: set[str]
    ) -> tuple[Block, ...]:
        """Blocks for all tables that the field can fill at once or more, each chosen as if those before were played."""
        fitted = fit(results, self.entrants)
        done = self.resolved(fitted, results)
        if all(done):
            return ()
        belief = Belief(fitted, done)
        tables = [table for table in belief.windows(self.seats) if absent.isdisjoint(table)]
        wanted = max(len(self.entrants) // self.seats, sum(counts.values()) // GROWTH)
        counts = {table: counts.get(table, 0) for table in tables}
        blocks: list[Block] = []
        for _ in range(wanted):
            open_tables = [table for table in tables if counts[table] < self.blocks]
            if not open_tables:
                break
            table = min(open_tables, key=belief.doubt_after)
            belief.play(table)
            blocks.append(self.event.block(table, counts[table]))
            counts[table] += 1
        return tuple(blocks)


def at_any_look(chance: float) -> float:
    """The chance at one look which makes that of any look, while the games double, the given one.

    A difference over its error moves with the logarithm of the games like an Ornstein-Uhlenbeck process. Its chance to
    be above z at some moment of a doubling is that at one moment times 1 + z^2 ln(2)/2, or less (Siegmund, Sequential
    Analysis, 1985).
    """
    at_once = chance
    for _ in range(FIXED):
        at_once = chance / (1 + log(2) / 2 * student.NORMAL.inv_cdf(1 - at_once) ** 2)
    return at_once


class Belief:
    """What is believed of the ratings, in natural logits, and how a block is expected to sharpen it."""

    def __init__(self, fitted: Fit, resolved: Sequence[bool]) -> None:
        self._ranking = [rating.name for rating in fitted.ratings]
        order = [fitted.names.index(name) for name in self._ranking]
        self._place = {name: place for place, name in enumerate(self._ranking)}
        self._theta = fitted.elo[order] / LOGIT
        self._covariance: Floats = fitted.covariance[np.ix_(order, order)] / LOGIT**2
        self._open = np.flatnonzero(~np.array(resolved))

    def windows(self, seats: int) -> list[tuple[str, ...]]:
        """The tables of so many neighbours at which two sit who are not told apart yet."""
        starts = {
            start
            for upper in self._open.tolist()
            for start in range(upper - seats + 2, upper + 1)
            if 0 <= start <= len(self._ranking) - seats
        }
        return [tuple(sorted(self._ranking[start : start + seats])) for start in sorted(starts)]

    def doubt_after(self, table: tuple[str, ...]) -> float:
        """The chances of a wrong order of neighbours not told apart, added up, after a block of the table."""
        covariance = self._after(table)
        upper, lower = self._open, self._open + 1
        gap = self._theta[upper] - self._theta[lower]
        variance = covariance[upper, upper] + covariance[lower, lower] - 2 * covariance[upper, lower]
        error = np.sqrt(np.maximum(variance, 1e-12))
        return float(sum(student.NORMAL.cdf(-each) for each in (gap / error).tolist()))

    def play(self, table: tuple[str, ...]) -> None:
        """Go on as if a block of this table had been played."""
        self._covariance = self._after(table)

    def _after(self, table: tuple[str, ...]) -> Floats:
        """The covariance after a block: V - V_E H (I + V_EE H)^-1 V_E' with the block's information H."""
        seats = len(table)
        who = [self._place[name] for name in table]
        theta = self._theta[who]
        win = 1 / (1 + np.exp(theta[None, :] - theta[:, None]))
        pairs = -seats * win * (1 - win) * 3 / (seats + 1)  # rankings vary (k+1)/3 times as much as pairs
        np.fill_diagonal(pairs, 0)
        information = pairs - np.diag(pairs.sum(axis=1))
        columns = self._covariance[:, who]
        inner = np.eye(seats) + self._covariance[np.ix_(who, who)] @ information
        after: Floats = self._covariance - columns @ information @ np.linalg.solve(inner, columns.T)
        return after
