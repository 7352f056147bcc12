"""Whether the records of a tournament are sound, and their deals follow from the secret that it had committed to.

For anybody, when all is played and the secret has been told (docs/organisers.md, "The deals"). Nothing is believed of
the index: the settings, the secrets and the records are enough.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from arena.records import Header, RecordError, read_record, verify
from tournaments.config import OWN_DEALS
from tournaments.deals import commitment, drawn_secrets, salt
from tournaments.schedules import Event
from tournaments.schedules.block import digest
from tournaments.store import GAMES, StoreError, read_settings

MOST_NUMBERS = 1_000_000  # deals of a table, among which that of a record is looked for


@dataclass(frozen=True)
class Proved:
    """What is to be said of one record: the secret that its deal follows from, counted from 1, or what is wrong."""

    record: str
    secret: int = 0
    error: str = ""


class Deals:
    """The deals that a tournament can have had."""

    def __init__(self, folder: Path) -> None:
        """Read its settings and its secrets; raises `StoreError` unless the first is the one of the settings."""
        self.folder = folder
        self.secrets = drawn_secrets(folder)
        settings = read_settings(folder)
        try:
            kept = {key: json.loads(settings[key]) for key in ("name", "seed", "format", "deals")}
        except KeyError as error:
            raise StoreError(f"the settings of the tournament in {folder} do not have {error}") from None
        if kept["deals"] != commitment(self.secrets[0]):
            raise StoreError(
                f"the first secret in {folder} has the SHA-256 {commitment(self.secrets[0])}, and the tournament"
                f" was played with that of {kept['deals']}"
            )
        self._name = kept["name"]
        shared = kept["format"] not in OWN_DEALS and "shared deals" not in settings
        self._events = [Event(kept["name"], kept["seed"], shared, secret) for secret in self.secrets]
        self._numbers: dict[tuple[str, ...], dict[str, int]] = {}  # of the blocks of a table, by their ids

    def proved(self) -> Iterator[Proved]:
        """Check all records, in the order of their names."""
        for path in sorted((self.folder / GAMES).glob("*.jsonl")):
            name = str(path.relative_to(self.folder))
            try:
                record = read_record(path)
                verify(record)
                yield Proved(name, self._secret_of(record.header, path.stem))
            except (RecordError, OSError, Unproven) as error:
                yield Proved(name, error=str(error))

    def _secret_of(self, header: Header, id: str) -> int:
        block = header.tags.get("block")
        if header.tags.get("tournament") != self._name or header.game != id:
            raise Unproven("it is not of this game of the tournament")
        if header.game != digest("game", str(block), *header.seats):
            raise Unproven("its id is not that of its block and its seats")
        number = self._number(tuple(sorted(header.seats)), str(block))
        for count, event in enumerate(self._events, 1):
            seed = event.block(header.seats, number).seed
            if (seed, salt(event.secret, seed)) == (header.seed, header.salt):
                return count
        raise Unproven(f"its seed and salt do not follow from the secret, as deal {number} of its table")

    def _number(self, table: tuple[str, ...], block: str) -> int:
        """Which deal of a table a block is, counted from 0."""
        numbers = self._numbers.setdefault(table, {})
        while block not in numbers:
            if len(numbers) == MOST_NUMBERS:
                raise Unproven("its block is none of its table's")
            numbers[self._events[0].block_id(table, len(numbers))] = len(numbers)
        return numbers[block]


class Unproven(ValueError):
    """A sound record is not of a game that this tournament can have dealt; the text says why."""
