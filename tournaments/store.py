"""The index of a tournament's results: one row per game id, in SQLite. The records are the truth.

A result is stored once; a second one for the same game is passed over. The file is in WAL mode, so that
`standings` can read while a run writes, and a killed run leaves it whole.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from tournaments.ratings import Result

FILE = "results.sqlite"
SCHEMA = """
CREATE TABLE IF NOT EXISTS game (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    block TEXT NOT NULL,
    deal INTEGER NOT NULL,
    entrants TEXT NOT NULL,
    places TEXT NOT NULL,
    credits TEXT NOT NULL,
    reasons TEXT NOT NULL,
    record TEXT NOT NULL
) STRICT
"""


class StoreError(Exception):
    """The index cannot be read or written; the text says what to do."""


@dataclass(frozen=True, slots=True)
class Played:
    """One game that was played to its end."""

    id: str
    block: str
    deal: int
    entrants: tuple[str, ...]  # by seat
    places: tuple[int, ...]
    credits: tuple[int, ...]
    reasons: tuple[str, ...]  # `normal`, or why the seat was retired
    record: str  # path, relative to the tournament's folder

    def result(self) -> Result:
        """As the ratings see it."""
        faults = tuple(None if reason == "normal" else reason for reason in self.reasons)
        return Result(self.id, self.block, self.entrants, self.places, faults, self.deal)


class Store:
    """The open index of one tournament folder."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(self.path, timeout=30.0)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = FULL")
            self._db.execute(SCHEMA)
        except (OSError, sqlite3.Error) as error:
            raise StoreError(f"the index {self.path} cannot be opened: {error}; look at the folder") from None

    def add(self, played: Played) -> bool:
        """Store a result durably; false if there is one for this game already."""
        row = (
            played.id,
            played.block,
            played.deal,
            json.dumps(played.entrants),
            json.dumps(played.places),
            json.dumps(played.credits),
            json.dumps(played.reasons),
            played.record,
        )
        insert = (
            "INSERT OR IGNORE INTO game (id, block, deal, entrants, places, credits, reasons, record)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        )
        try:
            with self._db:
                return self._db.execute(insert, row).rowcount == 1
        except sqlite3.Error as error:
            raise StoreError(
                f"the index {self.path} cannot be written: {error}; make room and run again"
            ) from None

    def ids(self) -> set[str]:
        """The games that need not be played any more."""
        return {row[0] for row in self._db.execute("SELECT id FROM game")}

    def games(self) -> Iterator[Played]:
        """All results, in the order in which they were stored."""
        query = "SELECT id, block, deal, entrants, places, credits, reasons, record FROM game ORDER BY number"
        for id, block, deal, entrants, places, credits, reasons, record in self._db.execute(query):
            yield Played(
                id,
                block,
                deal,
                tuple(json.loads(entrants)),
                tuple(json.loads(places)),
                tuple(json.loads(credits)),
                tuple(json.loads(reasons)),
                record,
            )

    def close(self) -> None:
        """Close the index."""
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
