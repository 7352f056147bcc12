"""What the tables of a tournament file are checked with. Each mistake is one sentence with the file, line and key.

`where` is always the key with its table: `tournament.seats`, `entrant 3.name`, or a table alone, as `entrant 3`.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from protocol import NameRefused, check_name
from protocol.errors import quote

MAX_SECONDS = 86_400
HEADING = re.compile(r"\s*\[+\s*([^\[\]]+?)\s*\]")


class ConfigError(ValueError):
    """The file cannot be used; the text names the file and the key."""


class Checks:
    """Takes values out of the tables of one file; all its methods raise `ConfigError`."""

    def __init__(self, path: Path, text: str) -> None:
        self.path = path
        self._text = text

    def table(self, values: dict[str, Any], name: str, known: tuple[str, ...]) -> dict[str, Any]:
        """The table of this name, empty if there is none, all its keys known."""
        table = values.get(name, {})
        if not isinstance(table, dict):
            raise self.wrong(name, table, f"a table, as [{name}]")
        self.keys(table, f"[{name}]", known)
        return table

    def keys(self, table: dict[str, Any], where: str, known: tuple[str, ...]) -> None:
        """Refuse keys that mean nothing."""
        for key in table:
            if key not in known:
                place = key if where == "the file" else f"{where.strip('[]')}.{key}"
                raise self.error(
                    place, f"{where} has the unknown key {quote(key)}; its keys are {', '.join(known)}"
                )

    def take(self, table: dict[str, Any], where: str, kind: type, default: Any) -> Any:
        """A text, or true or false."""
        value = table.get(where.rpartition(".")[2], default)
        if type(value) is not kind:
            raise self.wrong(where, value, {str: "a text", bool: "true or false"}[kind])
        return value

    def number(self, table: dict[str, Any], where: str, low: int, high: int, default: int) -> int:
        """A whole number."""
        value = table.get(where.rpartition(".")[2], default)
        if type(value) is not int or not low <= value <= high:
            raise self.wrong(where, value, f"a whole number from {low} to {high}")
        return value

    def seconds(
        self, table: dict[str, Any], where: str, least: float, default: float, most: float = MAX_SECONDS
    ) -> float:
        """A time."""
        value = table.get(where.rpartition(".")[2], default)
        if type(value) not in (int, float) or not least <= value <= most:
            raise self.wrong(where, value, f"seconds from {least:g} to {most:g}")
        return float(value)

    def name(self, value: Any, where: str) -> str:
        """A name of a tournament or an entrant."""
        if not isinstance(value, str):
            raise self.wrong(where, value, "a name")
        try:
            return check_name(value)
        except NameRefused as error:
            raise self.error(where, f"{where}: {error}") from None

    def wrong(self, where: str, value: Any, wanted: str) -> ConfigError:
        """The error for a value that cannot be."""
        return self.error(where, f"{where} is {quote(value)}; expected {wanted}")

    def error(self, where: str, text: str) -> ConfigError:
        """The error about a key, with its line in the file."""
        line = line_of(self._text, where)
        return ConfigError(f"{self.path}{f', line {line}' if line else ''}: {text}")


def line_of(text: str, where: str) -> int | None:
    """Where a key stands, or else its table; None if a plain search finds neither."""
    table, _, key = where.partition(".")
    table, _, wanted = table.partition(" ")  # the third of the tables [[entrant]] is `entrant 3`
    name = re.compile(rf"{_quoted(key or table)}\s*[=.]")
    in_one = re.compile(rf"{_quoted(table)}\s*(=|\.{_quoted(key)}\s*[=.])")  # as `tournament.seats = 2`
    current, times, found = "", 0, None
    for number, line in enumerate(text.splitlines(), 1):
        if heading := HEADING.match(line):
            current = heading[1]
            times += current == table
            if current == table and times == int(wanted or 1):
                found = number
        elif name.match(line) and current == (table if key else "") and times == int(wanted or bool(key)):
            return number
        if not current and in_one.match(line):
            return number
    return found


def _quoted(name: str) -> str:
    """A pattern for a key, with or without quotes."""
    return rf"\s*[\"']?{re.escape(name)}[\"']?"
