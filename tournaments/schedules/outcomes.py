"""What the results of blocks say to schedules that depend on them.

A block is over when the results of all its games are there. A game that could not be played counts as over
too: its result is not rated, and tells by its faults who did not come.
"""

from collections.abc import Collection, Sequence
from fractions import Fraction
from math import lcm

from tournaments.ratings import Result
from tournaments.ratings.result import UNRATED
from tournaments.schedules.block import Block

WHOLE = lcm(1, 2, 3, 4, 5) * 2  # halves of a share of 1 to 5 opponents are whole numbers of 120ths


class Outcomes:
    """Results by their block."""

    def __init__(self, results: Collection[Result]) -> None:
        self._blocks: dict[str, dict[str, Result]] = {}
        for result in results:
            self._blocks.setdefault(result.block, {}).setdefault(result.game, result)

    def over(self, block: Block) -> bool:
        """Whether all games of a block have a result."""
        return len(self._blocks.get(block.id, ())) >= len(block.pairings())

    def of(self, block: Block) -> list[Result]:
        """The results of a block that are there."""
        return list(self._blocks.get(block.id, {}).values())

    def begun(self, block: Block) -> bool:
        """Whether a game of a block has a result."""
        return block.id in self._blocks

    def points(self, blocks: Sequence[Block]) -> dict[str, Fraction]:
        """The mean share of opponents that each entrant of these blocks left behind, exactly, 0 to 1.

        An entrant without a rated game has 0.
        """
        points: dict[str, int] = {}
        games: dict[str, int] = {}
        for block in blocks:
            for result in self._blocks.get(block.id, {}).values():
                if result.rated:
                    for entrant, share in result.points().items():
                        points[entrant] = points.get(entrant, 0) + round(share * WHOLE)
                        games[entrant] = games.get(entrant, 0) + 1
        return {
            entrant: Fraction(points.get(entrant, 0), WHOLE * games.get(entrant, 1))
            for block in blocks
            for entrant in block.entrants
        }

    def absent(self, blocks: Sequence[Block]) -> set[str]:
        """Who did not come to games of these blocks, so that they could not be played."""
        return {
            entrant
            for block in blocks
            for result in self._blocks.get(block.id, {}).values()
            if not result.rated
            for entrant, fault in zip(result.entrants, result.faults, strict=True)
            if fault and fault not in UNRATED
        }
