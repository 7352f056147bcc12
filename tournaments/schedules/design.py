"""Which entrants share a table, as numbers from 0: complete and balanced designs, and their rounds.

Here: combinatorics only. Names, deals and seats come in round_robin.py and block.py.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from math import comb
from random import Random

MAX_TABLES = 500  # above it a round robin stops seating every set of entrants; 9 entrants need at most 126
TRIES = 8  # numbers of orbits tried before the best design found has to do
SLACK = 250  # entrants per orbit more to begin with; without it the search for large fields is slow
MOVES = 500  # of the search per entrant, for one number of orbits

Table = tuple[int, ...]


@lru_cache(maxsize=64)
def all_meet(entrants: int, seats: int, max_tables: int = MAX_TABLES) -> tuple[Table, ...]:
    """Tables at which every two entrants meet equally often, or as nearly as possible.

    All sets of `seats` entrants if they are at most `max_tables` (or tables for two), else a cyclic design
    with few tables: everybody plays equally often, everybody meets, and the meetings of two pairs differ by at
    most one (tested for 10 to 130, 150 and 200 entrants; for larger fields it is the best that was found).
    """
    if seats <= 2 or comb(entrants, seats) <= max_tables:
        return tuple(combinations(range(entrants), seats))
    fewest = -(-(entrants - 1) // (seats * (seats - 1))) + entrants // SLACK
    best: tuple[int, list[list[int]]] | None = None
    for orbits in range(fewest, fewest + TRIES):
        spread, starters = _search(entrants, seats, orbits)
        if best is None or spread < best[0]:
            best = spread, starters
        if spread <= 1:
            break
    assert best is not None
    return tuple(_orbits(entrants, best[1]))


@lru_cache(maxsize=64)
def all_play(entrants: int, seats: int, max_tables: int = MAX_TABLES) -> tuple[Table, ...]:
    """Tables at which everybody plays equally often: all sets if they are at most `max_tables`, else a few.

    Enough for the opponents of a gauntlet, who need not meet each other.
    """
    if comb(entrants, seats) <= max_tables:
        return tuple(combinations(range(entrants), seats))
    return tuple(_orbits(entrants, _search(entrants, seats, 1)[1]))


def in_rounds(entrants: int, tables: Sequence[Table]) -> tuple[tuple[Table, ...], ...]:
    """Sort tables into rounds in which nobody sits twice, each table into the first round with room for it.

    All tables for two take the fewest rounds there can be.
    """
    if len(tables) == comb(entrants, 2) and len(tables[0]) == 2:
        return tuple(_circle(entrants))
    rounds: list[list[Table]] = []
    busy: list[set[int]] = []
    first_free: dict[int, int] = {}
    for table in tables:
        # Nobody has room before the first round in which it is free, so the search starts at the latest of these.
        number = max(first_free.get(entrant, 0) for entrant in table)
        while number < len(rounds) and not busy[number].isdisjoint(table):
            number += 1
        if number == len(rounds):
            rounds.append([])
            busy.append(set())
        rounds[number].append(table)
        busy[number].update(table)
        for entrant in table:
            free = first_free.get(entrant, 0)
            while free < len(rounds) and entrant in busy[free]:
                free += 1
            first_free[entrant] = free
    return tuple(tuple(tables_of_round) for tables_of_round in rounds)


def _circle(entrants: int) -> Iterator[tuple[Table, ...]]:
    """The circle method: the last (or the bye) stays in the middle, the others go round."""
    ring = entrants - 1 + entrants % 2
    for turn in range(ring):
        middle = [(turn, ring)] if ring < entrants else []
        across = [((turn + step) % ring, (turn - step) % ring) for step in range(1, (ring + 1) // 2)]
        yield tuple((min(pair), max(pair)) for pair in middle + across)


def _orbits(entrants: int, starters: Sequence[Sequence[int]]) -> Iterator[Table]:
    """Each starter moved on by 0, 1, 2 ... places round the circle of entrants."""
    for starter in starters:
        for shift in range(entrants):
            yield tuple(sorted((place + shift) % entrants for place in starter))


def _search(entrants: int, seats: int, orbits: int) -> tuple[int, list[list[int]]]:
    """Starters whose orbits let all pairs meet about equally often, and how far two pairs still differ.

    Two entrants that sit d places apart on the circle meet once for every two seats of a starter that differ
    by d, so it is enough to make all differences alike. The search changes one seat at a time and takes what
    does not raise the sum of squares. Only `Random.random` is used: Python promises the same numbers forever.
    """
    random = Random(f"{entrants} entrants, {seats} seats, {orbits} orbits").random
    starters = [[0] for _ in range(orbits)]
    for starter in starters:
        while len(starter) < seats:
            place = int(random() * entrants)
            if place not in starter:
                starter.append(place)
    meetings = [0] * entrants  # by difference; that of 0 stays empty
    for starter in starters:
        for one, other in combinations(starter, 2):
            meetings[one - other] += 1
            meetings[other - one] += 1

    def move(place: int, others: list[int], step: int) -> int:
        """Add (1) or remove (-1) a seat; returns the change of the sum of squares."""
        change = 0
        for other in others:
            for difference in (place - other, other - place):
                change += 2 * step * meetings[difference] + 1
                meetings[difference] += step
        return change

    spread = max(meetings[1:]) - min(meetings[1:])
    for _ in range(MOVES * entrants):
        if spread <= 1 or seats == 1:
            break
        starter = starters[int(random() * orbits)]
        seat = 1 + int(random() * (seats - 1))
        old, new = starter[seat], int(random() * entrants)
        if new in starter:
            continue
        others = starter[:seat] + starter[seat + 1 :]
        change = move(old, others, -1) + move(new, others, 1)
        if change > 0:
            move(new, others, -1)
            move(old, others, 1)
            continue
        starter[seat] = new
        if change < 0:
            spread = max(meetings[1:]) - min(meetings[1:])
    return spread, starters
