"""Swiss: each round seats entrants who have done equally well, and who have not met before.

A round is a function of the results of the rounds before it, so it comes out the same after every restart.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations

from tournaments.ratings import Result
from tournaments.schedules.block import Block, Event, digest
from tournaments.schedules.outcomes import Outcomes
from tournaments.schedules.scheduler import Round, ScheduleError, check_field

PATIENCE = 1_000  # steps of the search for a round without any repetition
MATCHED = (
    200  # entrants up to which a round of duels that it has not found is solved exactly: about two seconds
)
KEPT = 1_000  # rounds whose tables a process remembers: as many as a tournament has at most

Tables = tuple[tuple[str, ...], ...]  # of one round
Met = Counter[tuple[str, str]]  # how often two entrants, in the order of their names, have met


@dataclass(frozen=True, slots=True)
class Swiss:
    """`rounds_planned` rounds; in each, everybody but those with a bye plays `blocks` blocks at one table.

    The order for a round is by the mean share of opponents left behind, so a bye neither helps nor harms;
    equals come in an order drawn by lot. Tables are filled from the top with whoever has met nobody there.
    Byes go to those with the fewest, the last in the order first. Raises ScheduleError when the field fills no
    table.
    """

    event: Event
    entrants: tuple[str, ...]
    seats: int
    rounds_planned: int
    blocks: int = 1
    fixed = False

    def __post_init__(self) -> None:
        check_field(self.entrants, self.seats, self.blocks)
        if self.rounds_planned < 1:
            raise ScheduleError("rounds", f"rounds is {self.rounds_planned}; a Swiss has at least 1")

    @property
    def total(self) -> int:
        """All games there will be."""
        return self.rounds_planned * (len(self.entrants) // self.seats) * self.blocks * self.seats

    def rounds(self, results: Collection[Result] = ()) -> Iterator[Round]:
        """Yield the rounds up to the first that is not over."""
        outcomes = Outcomes(results)
        lot = {name: digest("lot", self.event.name, self.event.seed, name) for name in self.entrants}
        played: list[Block] = []
        before: tuple[Tables, ...] = ()
        byes = Counter(dict.fromkeys(self.entrants, 0))
        for number in range(self.rounds_planned):
            points = outcomes.points(played)
            order = sorted(self.entrants, key=lambda name: (-points.get(name, Fraction(0)), lot[name]))
            idle = resting(order, byes, len(order) % self.seats)
            byes.update(idle)
            tables = _seated(tuple(name for name in order if name not in idle), self.seats, before)
            before += (tables,)
            blocks = tuple(
                self.event.block(table, number * self.blocks + repeat)
                for repeat in range(self.blocks)
                for table in tables
            )
            yield Round(number + 1, blocks, tuple(idle))
            if not all(map(outcomes.over, blocks)):
                return
            played += blocks


def resting(order: Sequence[str], byes: Mapping[str, int], count: int) -> list[str]:
    """Who has a bye: those who had the fewest, the last of the order first."""
    last_first = sorted(enumerate(order), key=lambda place: (byes[place[1]], -place[0]))
    return [name for _, name in last_first[:count]]


@lru_cache(KEPT)
def _seated(order: tuple[str, ...], seats: int, before: tuple[Tables, ...]) -> Tables:
    """The tables of a round, `before` being those of the earlier ones.

    They are remembered, since a schedule is asked again after every few results, and to match a round may take seconds.
    """
    met = Counter(
        (one, other) for tables in before for table in tables for one, other in combinations(sorted(table), 2)
    )
    return tuple(tables_without_repetition(order, seats, met))


def tables_without_repetition(order: Sequence[str], seats: int, met: Met) -> list[tuple[str, ...]]:
    """Tables of neighbours in the order where nobody meets again while that can be helped.

    `order` fills the tables exactly. A search fills them from the top, and gives up after `PATIENCE` steps. Then
    duels of up to `MATCHED` entrants are matched with the fewest repetitions there can be. For others swaps between
    tables look for few; duels of n come out without any, too, while everybody has met fewer than n/2 others: then
    there is always a swap that helps.
    """
    found = _fill(order, seats, met)
    if found is not None:
        return found
    if seats == 2 and len(order) <= MATCHED:
        return _matched(order, met)
    tables = [list(order[first : first + seats]) for first in range(0, len(order), seats)]
    while _swap_for_the_better(tables, met):
        pass
    return [tuple(table) for table in tables]


def _matched(order: Sequence[str], met: Met) -> list[tuple[str, ...]]:
    """The duels with the fewest repetitions, and among these the nearest in the order (Edmonds' matching)."""
    from networkx import Graph, max_weight_matching  # few tournaments need it, and it takes a while

    repetition = len(order) ** 2  # more than all distances of a round together
    graph = Graph()
    for (one, name), (other, rival) in combinations(enumerate(order), 2):
        graph.add_edge(one, other, weight=-(met[_pair(name, rival)] * repetition + other - one))
    duels = sorted(sorted(duel) for duel in max_weight_matching(graph, maxcardinality=True))
    return [(order[one], order[other]) for one, other in duels]


def _fill(order: Sequence[str], seats: int, met: Met) -> list[tuple[str, ...]] | None:
    """Depth-first: the first takes the nearest whom nobody at its table has met, and so on down the order."""
    choices: list[Iterator[tuple[str, ...]]] = []
    tables: list[tuple[str, ...]] = []
    left = list(order)
    for _ in range(PATIENCE):
        if not left:
            return tables
        if len(choices) == len(tables):
            choices.append(_strangers(left, seats, met))
        table = next(choices[-1], None)
        if table is not None:
            tables.append(table)
            left = [name for name in left if name not in table]
        elif tables:
            choices.pop()
            free = {*left, *tables.pop()}
            left = [name for name in order if name in free]
        else:
            return None
    return None


def _strangers(left: Sequence[str], seats: int, met: Met) -> Iterator[tuple[str, ...]]:
    """The tables of the first with others who have not met, the nearest first."""

    def seated(table: tuple[str, ...], rest: Sequence[str]) -> Iterator[tuple[str, ...]]:
        if len(table) == seats:
            yield table
            return
        for place, name in enumerate(rest):
            if not any(met[_pair(name, other)] for other in table):
                yield from seated((*table, name), rest[place + 1 :])

    return seated((left[0],), left[1:])


def _swap_for_the_better(tables: list[list[str]], met: Met) -> bool:
    """Let two entrants of different tables change places, if there are such that fewer then meet again."""
    for here, table in enumerate(tables):
        if not _repetitions(table, met):
            continue
        for there in sorted(range(len(tables)), key=lambda there: (abs(there - here), there)):
            if there == here:
                continue
            before = _repetitions(table, met) + _repetitions(tables[there], met)
            for seat in reversed(range(len(table))):
                for other in range(len(table)):
                    table[seat], tables[there][other] = tables[there][other], table[seat]
                    if _repetitions(table, met) + _repetitions(tables[there], met) < before:
                        return True
                    table[seat], tables[there][other] = tables[there][other], table[seat]
    return False


def _repetitions(table: Iterable[str], met: Met) -> int:
    return sum(met[_pair(one, other)] for one, other in combinations(table, 2))


def _pair(one: str, other: str) -> tuple[str, str]:
    return (one, other) if one < other else (other, one)
