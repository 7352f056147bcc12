"""Plots of the report page as inline SVG: intervals and histograms. Colours and fonts come from the page's style."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from math import floor, log10

from rich.cells import cell_len, set_cell_size

WIDTH = 480  # units of a drawing; the page scales it so that its letters can be read on a telephone too
ROW = 26
NAMES = 128  # units for names at the left
EDGE = 28  # room for half of a number below an end of the scale
LETTERS = 14  # of a name, a wide one counting twice; the whole one is in the table and in the title


def intervals(rows: Sequence[tuple[str, float, float, float]], unit: str, label: str) -> str:
    """A line for each (name, value, low, high), on one scale."""
    least, most = min(low for _, _, low, _ in rows), max(high for *_, high in rows)
    ticks = list(_ticks(least, most))
    least, most = min(least, ticks[0]), max(most, ticks[-1])
    height = ROW * len(rows) + 2 * ROW

    def x(value: float) -> float:
        return NAMES + (WIDTH - NAMES - 2 * EDGE) * (value - least) / (most - least or 1) + EDGE

    parts = [_open(height, label)]
    for tick in ticks:
        parts.append(f'<line class="grid" x1="{x(tick):.1f}" x2="{x(tick):.1f}" y1="4" y2="{height - ROW}"/>')
        parts.append(f'<text class="tick" x="{x(tick):.1f}" y="{height - 8}">{tick:g}</text>')
    for number, (name, value, low, high) in enumerate(rows):
        y = ROW * number + ROW
        shown = name if cell_len(name) <= LETTERS else f"{set_cell_size(name, LETTERS - 1).rstrip()}…"
        parts.append(f"<g><title>{escape(name)}: {value:g} ({low:g} to {high:g}) {escape(unit)}</title>")
        parts.append(f'<text class="name" x="{NAMES - 8}" y="{y + 4}">{escape(shown)}</text>')
        parts.append(f'<line class="bar" x1="{x(low):.1f}" x2="{x(high):.1f}" y1="{y}" y2="{y}"/>')
        parts.append(f'<circle class="dot" cx="{x(value):.1f}" cy="{y}" r="5"/></g>')
    parts.append("</svg>")
    return "".join(parts)


def histogram(values: Sequence[int], unit: str, label: str) -> str:
    """How often values fall into each of about twenty ranges of equal width."""
    low, high = min(values), max(values)
    step = max(1, -(-(high - low + 1) // 20))
    start = low // step * step
    counts = [0] * ((high - start) // step + 1)
    for value in values:
        counts[(value - start) // step] += 1
    height, floor_at = 200, 170
    wide = (WIDTH - 4 * EDGE) / len(counts)
    parts = [_open(height, label)]
    for number, count in enumerate(counts):
        tall = (floor_at - 20) * count / max(counts)
        left = 2 * EDGE + number * wide
        first = start + number * step
        reach = f"{first}" if step == 1 else f"{first} to {first + step - 1}"
        parts.append(
            f"<g><title>{reach} {escape(unit)}: {count}</title>"
            f'<rect class="column" x="{left + 1:.1f}" y="{floor_at - tall:.1f}" width="{max(wide - 2, 1):.1f}"'
            f' height="{tall:.1f}"/></g>'
        )
        if number % max(1, len(counts) // 6) == 0:
            parts.append(f'<text class="tick" x="{left + wide / 2:.1f}" y="{floor_at + 18}">{first}</text>')
    parts.append(
        f'<line class="grid" x1="{2 * EDGE}" x2="{WIDTH - 2 * EDGE}" y1="{floor_at}" y2="{floor_at}"/></svg>'
    )
    return "".join(parts)


def _open(height: float, label: str) -> str:
    return f'<svg role="img" aria-label="{escape(label)}" viewBox="0 0 {WIDTH} {height:g}">'


def _ticks(low: float, high: float) -> Iterator[float]:
    """Round numbers, about six, that enclose the range."""
    power = 10.0 ** floor(log10((high - low or 1.0) / 6))
    step = power * next(each for each in (1, 2, 5, 10) if (high - low) / (each * power) <= 6)
    tick = floor(low / step) * step
    while tick < high + step:
        yield round(tick, 9) + 0.0
        tick += step
