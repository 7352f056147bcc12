"""Makes the index of a tournament folder from what is the truth: the records, and the files of void games.

All of it anew (`reindex`), or only what is not in it yet (`catch_up`): what a killed run had recorded and not stored,
and whatever is missing in an index that was lost or comes from an older copy.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from arena.records import RecordError, read_record
from tournaments.deals import are_over, open_up
from tournaments.host import of_record
from tournaments.store import FILE, GAMES, SETTINGS, Played, Store, StoreError, read_settings
from tournaments.void import voids

NEW = f"{FILE}.new"


@dataclass(frozen=True)
class Reindexed:
    """How many results the new index has, and what was left out, a sentence each."""

    results: int
    left_out: tuple[str, ...]


def reindex(folder: Path) -> Reindexed:
    """Replace the index of a folder that nobody else uses (`claim`). Raises `StoreError`, and changes nothing.

    Results come in the order in which their games were started. How programs ended is not in the records.
    """
    settings = read_settings(folder)
    if "name" not in settings:
        raise StoreError(
            f"{folder} has no {SETTINGS}; run the tournament again, which takes over its records"
        )
    found, left_out = _recorded(folder, json.loads(settings["name"]), ())
    _remove(folder, NEW)
    with Store(folder, NEW) as store:
        store.belongs_to(settings)
        for played in found:
            store.add(played)
        for played in voids(folder):
            store.add(played)
        count = len(store.ids())
    try:
        _remove(folder, FILE)
        (folder / NEW).replace(folder / FILE)
    except OSError as error:
        raise StoreError(f"the index in {folder} cannot be replaced: {error.strerror}") from None
    if are_over(folder):
        open_up(folder)
    return Reindexed(count, tuple(left_out))


def catch_up(store: Store) -> int:
    """Take in the games that are recorded and not in the index; returns how many. Raises `StoreError`.

    For the runner of the folder, when the index belongs to its tournament. Without it a ladder, which chooses by the
    results that it knows, might never come back to such games.
    """
    found, _ = _recorded(store.folder, store.title(), store.ids())
    return sum(store.add(played) for played in found)


def _recorded(folder: Path, tournament: str, known: Collection[str]) -> tuple[list[Played], list[str]]:
    """The finished games of a tournament that are recorded and not known, as they were started; what was left out."""
    found: list[tuple[str, Played]] = []
    left_out: list[str] = []
    for path in sorted((folder / GAMES).glob("*.jsonl")):
        if path.stem in known:
            continue
        try:
            record = read_record(path)
        except (RecordError, OSError) as error:
            left_out.append(f"{path.name}: {error}")
            continue
        played = of_record(record, str(path.relative_to(folder)))
        if played is None or record.header.tags.get("tournament") != tournament:
            left_out.append(f"{path.name}: it is not finished, or not of this tournament")
        else:
            found.append((record.header.started, played))
    return [played for _, played in sorted(found, key=lambda each: (each[0], each[1].id))], left_out


def _remove(folder: Path, name: str) -> None:
    """An index with what SQLite keeps beside it."""
    for suffix in ("", "-wal", "-shm"):
        with suppress(FileNotFoundError):
            (folder / f"{name}{suffix}").unlink()
