"""Numbers on the command line: digits, and nothing that Python's `int` and `float` would also swallow (S060)."""

from __future__ import annotations

import math
import re
from typing import Any, Final

import click

LONGEST: Final = 100  # digits; converting more costs their square
DECIMAL: Final = re.compile(r"[0-9]+(\.[0-9]+)?|\.[0-9]+")


class WholeNumber(click.ParamType[int]):
    """A whole number within bounds, written in digits: no sign, blank, underscore, point or comma."""

    name = "number"

    def __init__(self, low: int, high: int, bounds: str = "") -> None:
        self.low = low
        self.high = high
        self.bounds = bounds or f"{low} to {high}"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if type(value) is int:
            return value
        text = str(value)
        shown = shortened(text)
        if not (text.isascii() and text.isdigit() and len(text) <= LONGEST):
            self.fail(f"{shown!r} is not a whole number; give one from {self.bounds}", param, ctx)
        number = int(text)
        if not self.low <= number <= self.high:
            self.fail(f"{shown!r} is out of range; give a whole number from {self.bounds}", param, ctx)
        return number


class Decimal(click.ParamType[float]):
    """A number within bounds, written in digits with at most one point: no exponent, nan or blank, no needless sign."""

    name = "number"

    def __init__(self, low: float, high: float) -> None:
        self.low = low
        self.high = high

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        if type(value) is float:
            return value
        text = str(value)
        if not (len(text) <= LONGEST and DECIMAL.fullmatch(text.removeprefix("-"))):
            self.fail(f"{shortened(text)!r} is not a number; give one from {self._bounds}", param, ctx)
        number = float(text)
        needless = self.low >= 0 and text.startswith("-")
        if needless or not self.low <= number <= self.high:
            self.fail(f"{shortened(text)!r} is out of range; give a number from {self._bounds}", param, ctx)
        return number

    @property
    def _bounds(self) -> str:
        return f"{self.low:g} to {self.high:g}"


class Patience(Decimal):
    """Seconds within bounds, or the word `forever`."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        return math.inf if value == "forever" else super().convert(value, param, ctx)

    @property
    def _bounds(self) -> str:
        return f"{super()._bounds}, or the word forever"


def shortened(text: str) -> str:
    """A value as an error shows it."""
    return text if len(text) <= LONGEST else f"{text[:20]}..."
