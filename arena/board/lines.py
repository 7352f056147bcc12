"""Blocks of lines, of which the picture is built: each line is at most as wide as it says, so heights are known.

Whatever stands in a line is text: it is escaped here, and no markup is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from rich.console import Console
from rich.text import Text

from protocol.errors import printable

Line = Text
Block = list[Text]

GAP: Final = 2  # columns between two blocks side by side


@dataclass(frozen=True, slots=True)
class Marks:
    """The signs of a picture; a terminal that has ASCII alone gets others."""

    corners: str = "╭╮╰╯"
    across: str = "─"
    down: str = "│"
    served: str = "●"
    open: str = "○"
    bar: str = "━"
    rest: str = "╌"
    levels: str = "▁▂▃▄▅▆▇█"
    leads: str = "⚓"


UNICODE: Final = Marks()
ASCII: Final = Marks("++++", "-", "|", "+", "-", "=", ".", "_.:-=+*#", ">")


@dataclass(frozen=True, slots=True)
class Brush:
    """What is drawn with: the terminal, and its signs."""

    console: Console
    marks: Marks

    def wrapped(self, text: Text, width: int, most: int | None = None) -> Block:
        """The text in lines of this width; of more than `most` lines the last one ends in dots."""
        lines = list(text.wrap(self.console, max(1, width), overflow="fold"))
        if most is not None and len(lines) > most:
            rest = Text(" ").join(lines[most - 1 :])
            rest.truncate(max(1, width), overflow="ellipsis")
            lines = [*lines[: most - 1], rest]
        return lines


def words(*parts: str | tuple[str, str] | Text) -> Text:
    """A line of texts, each with its style or without; what is not printable is escaped."""
    line = Text()
    for part in parts:
        if isinstance(part, Text):
            line.append_text(part)
        elif isinstance(part, str):
            line.append(printable(part))
        else:
            line.append(printable(part[0]), part[1])
    return line


def joined(parts: Iterable[Text], between: str = "  ") -> Text:
    """The texts in a row."""
    return Text(between).join(parts)


def cut(line: Text, width: int) -> Text:
    """A copy, filled up or cut to exactly this width."""
    line = line.copy()
    line.truncate(max(0, width), overflow="ellipsis", pad=True)
    return line


def flow(parts: Sequence[Text], width: int, most: int | None = None, between: str = "  ") -> Block:
    """Parts in lines of this width, none of them broken; of more than `most` lines the last one ends in dots."""
    block: Block = []
    for part in parts:
        if block and block[-1].cell_len + len(between) + part.cell_len <= width:
            block[-1].append(between).append_text(part)
        elif block and len(block) == most:
            block[-1].append(between + "...")
            break
        else:
            block.append(part.copy())
    return [cut(line, width) if line.cell_len > width else line for line in block]


def named(
    label: str, parts: Sequence[Text], width: int, most: int | None = None, between: str = "  "
) -> Block:
    """Parts behind their label, flowing beside it."""
    head = f"{label} "
    body = flow(parts, width - len(head), most, between)
    return [words((head if not number else " " * len(head), "dim"), line) for number, line in enumerate(body)]


def framed(title: Text, block: Block, brush: Brush, width: int, style: str = "") -> Block:
    """The block in a frame of this width with a title."""
    marks, inner = brush.marks, width - 4
    title = title.copy()
    title.truncate(max(0, width - 5), overflow="ellipsis")
    fill = marks.across * max(0, width - 5 - title.cell_len)
    top = words((f"{marks.corners[0]}{marks.across} ", style), title, (f" {fill}{marks.corners[1]}", style))
    side = words((marks.down, style))
    body = [words(side, " ", cut(line, inner), " ", side) for line in block]
    bottom = words((marks.corners[2] + marks.across * (width - 2) + marks.corners[3], style))
    return [top, *body, bottom]


def beside(blocks: Sequence[Block], widths: Sequence[int]) -> Block:
    """Blocks side by side, each of its width."""
    height = max((len(block) for block in blocks), default=0)
    gap = " " * GAP
    return [
        Text(gap).join(
            cut(block[row], width) if row < len(block) else Text(" " * width)
            for block, width in zip(blocks, widths, strict=True)
        )
        for row in range(height)
    ]


def columns(width: int, count: int) -> list[int]:
    """The width shared out among so many blocks side by side."""
    room = width - GAP * (count - 1)
    return [room // count + (number < room % count) for number in range(count)]
