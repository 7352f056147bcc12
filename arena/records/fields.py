"""The fields of one line, taken one by one; each fault is a sentence with the line, the field and its value."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any, Final

from arena.records.errors import RecordError
from protocol.errors import quote

MAX_SECONDS: Final = 1e9  # thirty years
MAX_ENTRIES: Final = 6  # of a list: one for each seat

_UNPRINTABLE: Final = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def is_text(value: object, longest: int) -> bool:
    """Whether `value` is a text of 1 to `longest` characters without controls, line ends and surrogates."""
    return type(value) is str and 1 <= len(value) <= longest and _UNPRINTABLE.search(value) is None


class Fields:
    """Hands out the fields of `values`; `done` refuses what nobody has taken."""

    def __init__(self, values: dict[str, Any], line: int, within: str = "") -> None:
        self.line = line
        self._left = dict(values)
        self._within = within

    def __contains__(self, name: str) -> bool:
        return name in self._left

    def take(self, name: str) -> Any:
        """The field as it is."""
        if name not in self._left:
            raise RecordError(f"the field {quote(self._within + name)} is missing", self.line)
        return self._left.pop(name)

    def constant(self, name: str, wanted: str | int, remedy: str) -> None:
        """A field that must have one value."""
        value = self.take(name)
        if type(value) is not type(wanted) or value != wanted:
            raise self._wrong(name, value, f"{quote(wanted)}; {remedy}")

    def integer(self, name: str, low: int, high: int) -> int:
        """A whole number within bounds."""
        value = self.take(name)
        if type(value) is not int or not low <= value <= high:
            raise self._wrong(name, value, f"a whole number from {low} to {high}")
        return value

    def seconds(self, name: str) -> float:
        """A time that may be left out; then it is -1."""
        if name not in self:
            return -1.0
        value = self.take(name)
        if type(value) not in (int, float) or not 0 <= value <= MAX_SECONDS:
            raise self._wrong(name, value, "seconds, 0 or more")
        return float(value)

    def text(self, name: str, pattern: re.Pattern[str], wanted: str, *, optional: bool = False) -> str:
        """A text that `pattern` matches as a whole; an optional one that is not there is ""."""
        if optional and name not in self:
            return ""
        value = self.take(name)
        if type(value) is not str or pattern.fullmatch(value) is None:
            raise self._wrong(name, value, wanted)
        return value

    def free_text(self, name: str, longest: int) -> str:
        """Any text without controls."""
        value = self.take(name)
        if not is_text(value, longest):
            raise self._wrong(name, value, f"1 to {longest} characters without controls")
        return str(value)

    def word(self, name: str, words: Collection[str], *, optional: bool = False) -> str:
        """One of some words; an optional one that is not there is ""."""
        if optional and name not in self:
            return ""
        value = self.take(name)
        if type(value) is not str or value not in words:
            raise self._wrong(name, value, f"one of {', '.join(words)}")
        return value

    def flag(self, name: str, *, optional: bool = False) -> bool:
        """True or false; an optional one that is not there is false."""
        if optional and name not in self:
            return False
        value = self.take(name)
        if type(value) is not bool:
            raise self._wrong(name, value, "true or false")
        return value

    def entries(self, name: str) -> list[Any]:
        """A list with at most one entry for each seat."""
        value = self.take(name)
        if type(value) is not list or len(value) > MAX_ENTRIES:
            raise self._wrong(name, value, f"a list of at most {MAX_ENTRIES}")
        return value

    def texts(self, name: str, longest: int) -> tuple[str, ...]:
        """A list of texts without controls, some of them perhaps empty."""
        values = self.entries(name)
        for value in values:
            if value != "" and not is_text(value, longest):
                raise self._wrong(name, value, f"texts of up to {longest} characters without controls")
        return tuple(values)

    def integers(self, name: str, low: int, high: int) -> tuple[int, ...]:
        """A list of whole numbers within bounds."""
        values = self.entries(name)
        for value in values:
            if type(value) is not int or not low <= value <= high:
                raise self._wrong(name, value, f"whole numbers from {low} to {high}")
        return tuple(values)

    def inner(self, name: str) -> Fields:
        """The fields of an object inside."""
        value = self.take(name)
        if type(value) is not dict:
            raise self._wrong(name, value, "an object")
        return Fields(value, self.line, f"{self._within}{name}.")

    def done(self) -> None:
        """Refuse fields that this format does not have."""
        if self._left:
            raise RecordError(
                f"the field {quote(self._within + min(self._left))} does not belong here", self.line
            )

    def _wrong(self, name: str, value: object, wanted: str) -> RecordError:
        return RecordError(f"{quote(self._within + name)} is {quote(value)}; expected {wanted}", self.line)
