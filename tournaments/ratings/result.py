"""One finished game as the ratings see it.

Here: the value `Result`, how its places become pair scores, and the removal of copies. Not here: reading
records or result files, and the statistics themselves.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

UNRATED = frozenset({"aborted", "referee-fault"})  # the reasons that say nothing about any entrant
BEHIND_FINISHERS = 1_000  # added to the place of a seat at fault; more than any table has seats


class ConflictingResults(ValueError):
    """Two results carry one game id and disagree, so that no honest choice between them exists."""


@dataclass(frozen=True, slots=True)
class Result:
    """A game: who sat where (in seat order), the places, and the faults that retired a seat.

    `places` start at 1 and equal places are a tie. `faults` is empty, or has for each seat None or the
    reason why it did not finish. `deal` names the deal when several blocks share it. A `void` game was not played.
    Raises ValueError for fewer than two seats, an entrant in two seats, or tuples of unequal length.
    """

    game: str
    block: str
    entrants: tuple[str, ...]
    places: tuple[int, ...]
    faults: tuple[str | None, ...] = ()
    deal: int | None = None
    void: bool = False

    def __post_init__(self) -> None:
        seats = len(self.entrants)
        if seats < 2 or len(set(self.entrants)) != seats:
            raise ValueError(f"game {self.game} seats {self.entrants}; name two or more different entrants")
        if len(self.places) != seats or len(self.faults) not in (0, seats):
            raise ValueError(
                f"game {self.game} has {seats} entrants; give each one place and one fault or None"
            )

    @property
    def rated(self) -> bool:
        """False for a game that was not played, broken off, or spoilt by the referee."""
        return not self.void and UNRATED.isdisjoint(self.faults)

    @property
    def cluster(self) -> str:
        """The label that all games share whose luck is not independent: the deal, else the block."""
        return f"block {self.block}" if self.deal is None else f"deal {self.deal}"

    @property
    def ranks(self) -> tuple[int, ...]:
        """The places, with each seat at fault moved behind all that finished. Only the order matters."""
        if not self.faults:
            return self.places
        return tuple(
            place + BEHIND_FINISHERS if fault else place
            for place, fault in zip(self.places, self.faults, strict=True)
        )

    def pair_scores(self) -> Iterator[tuple[str, str, float]]:
        """Yield (one, other, score of one) for each pair of the table: 1 ahead, 0.5 level, 0 behind."""
        for (one, rank), (other, rank_of_other) in combinations(
            zip(self.entrants, self.ranks, strict=True), 2
        ):
            yield one, other, score(rank, rank_of_other)

    def points(self) -> dict[str, float]:
        """The share of the opponents that each entrant left behind, 0 to 1."""
        points = dict.fromkeys(self.entrants, 0.0)
        for one, other, won in self.pair_scores():
            points[one] += won
            points[other] += 1 - won
        return {entrant: won / (len(points) - 1) for entrant, won in points.items()}


def score(rank: int, rank_of_other: int) -> float:
    """1 for the better (smaller) rank, 0.5 for equal ranks, 0 for the worse."""
    if rank == rank_of_other:
        return 0.5
    return 1.0 if rank < rank_of_other else 0.0


def rated_once(results: Iterable[Result]) -> list[Result]:
    """The rated results without copies, in their order.

    Raises ConflictingResults when a game id comes again with other entrants, ranks, block or deal.
    """
    first: dict[str, Result] = {}
    for result in results:
        known = first.setdefault(result.game, result)
        if known is not result and _content(known) != _content(result):
            raise ConflictingResults(f"game {result.game} is stored with two different results; remove one")
    return [result for result in first.values() if result.rated]


def _content(result: Result) -> tuple[object, ...]:
    return result.cluster, result.block, sorted(zip(result.entrants, result.ranks, strict=True))
