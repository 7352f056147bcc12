"""Whole numbers on the command line: digits, and nothing that Python's `int` would also swallow (S060)."""

from __future__ import annotations

from typing import Any, Final

import click

LONGEST: Final = 100  # digits; converting more costs their square


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
        shown = text if len(text) <= LONGEST else f"{text[:20]}..."
        if not (text.isascii() and text.isdigit() and len(text) <= LONGEST):
            self.fail(f"{shown!r} is not a whole number; give one from {self.bounds}", param, ctx)
        number = int(text)
        if not self.low <= number <= self.high:
            self.fail(f"{shown!r} is out of range; give a whole number from {self.bounds}", param, ctx)
        return number
