"""Credits over time, one line for each seat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from arena.board.lines import Block, Brush, words
from arena.game.terms import END_CREDITS

NAME_WIDTH: Final = 14  # columns; then a name is cut
KEPT: Final = 1024  # points of a line, more than any terminal has columns


class History:
    """The credits of all seats, from time to time; the older half is thinned when there are too many."""

    def __init__(self) -> None:
        self.points: list[tuple[int, ...]] = []

    def add(self, credits: Sequence[int]) -> None:
        """The credits as they are now."""
        self.points.append(tuple(credits))
        if len(self.points) > KEPT:
            self.points = self.points[::2]

    def of(self, seat: int) -> list[int]:
        """The line of one seat."""
        return [credits[seat] for credits in self.points]


def race(history: History, names: Sequence[str], brush: Brush, width: int) -> Block:
    """The block in lines of at most this width."""
    top = max([END_CREDITS, *(max(credits) for credits in history.points)])
    block = []
    for seat, name in enumerate(names):
        shown = words((name, "bold"))
        shown.truncate(NAME_WIDTH, overflow="ellipsis", pad=True)
        line = history.of(seat)
        now = f"{line[-1]:>4}" if line else ""
        block.append(
            words(shown, " ", spark(line, top, brush.marks.levels, width - NAME_WIDTH - 6), (now, "bold"))
        )
    return block


def spark(line: Sequence[int], top: int, levels: str, width: int) -> str:
    """A line as one sign for each column, the highest for `top` and over it; the last column is the last point."""
    if not line or width < 1:
        return ""
    columns = min(width, len(line))
    picked = [line[(column + 1) * len(line) // columns - 1] for column in range(columns)]
    steps = len(levels) - 1
    return "".join(levels[max(0, min(steps, round(steps * credits / top)))] for credits in picked)
