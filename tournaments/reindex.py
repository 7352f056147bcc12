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

from arena.records import RecordError, UnreadableRecord, read_record
from protocol.errors import quote
from tournaments.deals import are_over, open_up
from tournaments.host import of_record
from tournaments.store import (
    ANEW,
    FILE,
    GAMES,
    SETTINGS,
    Played,
    Store,
    StoreError,
    is_being_run,
    read_settings,
    set_aside,
)
from tournaments.void import voids

NEW = f"{FILE}.new"


@dataclass(frozen=True)
class Reindexed:
    """How many results the new index has, and what was left out, a sentence each."""

    results: int
    left_out: tuple[str, ...]


@dataclass(frozen=True)
class Caught:
    """How many games were taken into the index, and how many records of broken-off ones set aside."""

    taken_in: int
    set_aside: int


def reindex(folder: Path) -> Reindexed:
    """Replace the index of a folder that nobody else uses (`claim`). Raises `StoreError`, and changes nothing."""
    settings = read_settings(folder)
    if "name" not in settings:
        raise StoreError(
            f"{folder} has no {SETTINGS}; run the tournament again, which takes over its records"
        )
    recorded = _recorded(folder, json.loads(settings["name"]), ())
    _remove(folder, NEW)
    with Store(folder, NEW) as store:
        store.belongs_to(settings)
        for played in recorded.found:
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
    return Reindexed(count, tuple(recorded.left_out))


def catch_up(store: Store) -> Caught:
    """Take in the games that are recorded and not in the index, and set aside what is no record of a finished one.

    For the runner of the folder. Without it a ladder, which chooses by the results that it knows, might never come
    back to such games; and a game that was broken off and is not needed any more would leave its record among the
    others. Raises `StoreError`, before anything else if records are gone.
    """
    kept = store.kept()
    if "name" not in kept:
        return Caught(0, 0)
    check_records(store)
    recorded = _recorded(store.folder, json.loads(kept["name"]), store.ids())
    try:
        for path in recorded.broken:
            set_aside(path)
    except OSError as error:
        raise StoreError(f"{path} cannot be renamed: {error.strerror}; look at the folder") from None
    return Caught(sum(store.add(played) for played in recorded.found), len(recorded.broken))


def check_records(store: Store) -> None:
    """Raise `StoreError` if a result of the index has no record any more: it would count, and nothing would show it."""
    folder = store.folder / GAMES
    there = {f"{GAMES}/{path.name}" for path in folder.iterdir()} if folder.is_dir() else set()
    gone = [record for record in store.records() if record not in there]
    if gone:
        what = (
            f"{quote(gone[0])} is" if len(gone) == 1 else f"{len(gone):,} records, as {quote(gone[0])}, are"
        )
        raise StoreError(
            f"{what} not in {store.folder} any more, and the index counts the result; put what is missing back from a"
            " copy, or have it forgotten with arena tournament reindex, and the next run plays it anew"
        )


def check_index(store: Store) -> str:
    """What to say of an index that is behind the records beside it; "" if it is not, or a run writes to it.

    Raises `StoreError` if it has been emptied: nothing that it says is true.
    """
    if is_being_run(store.folder):
        return ""
    kept, known = store.kept(), store.ids()
    tournament = json.loads(kept["name"]) if "name" in kept else None
    for path in sorted((store.folder / GAMES).glob("*.jsonl")):
        if path.stem not in known and _is_finished(path, tournament):
            break
    else:
        return ""
    what = f"the index {store.path} lacks games whose records lie beside it, as {GAMES}/{path.name}"
    if not known and not store.settings():
        raise StoreError(f"{what}; {ANEW}")
    return f"{what}; the next run takes them in, or {ANEW}"


def _is_finished(path: Path, tournament: str | None) -> bool:
    """Whether a file is the record of a game that was played to its end, in this tournament, if its name is known."""
    try:
        record = read_record(path) if path.is_file() else None
    except (RecordError, OSError):
        return False
    played = None if record is None else of_record(record, path.name)
    if record is None or played is None or played.id != path.stem:
        return False
    return tournament is None or record.header.tags.get("tournament") == tournament


@dataclass(frozen=True)
class _Recorded:
    """The finished games of a tournament; what was left out, and what of it can be set aside."""

    found: list[Played]
    left_out: list[str]
    broken: list[Path]


def _recorded(folder: Path, tournament: str, known: Collection[str]) -> _Recorded:
    """What is recorded in a folder and not known."""
    found: list[Played] = []
    left_out: list[str] = []
    broken: list[Path] = []
    for path in sorted((folder / GAMES).glob("*.jsonl")):
        if path.stem in known:
            continue
        if not path.is_file():
            left_out.append(f"{path.name}: it is not a file")
            continue
        try:
            record = read_record(path)
        except (RecordError, OSError) as error:
            left_out.append(f"{path.name}: {error}")
            if not isinstance(error, UnreadableRecord | OSError):
                broken.append(path)
            continue
        played = of_record(record, str(path.relative_to(folder)))
        own = record.header.tags.get("tournament") == tournament
        if played is not None and played.id != path.stem:
            left_out.append(
                f"{path.name}: it is of the game {played.id}; give it that name, or keep it elsewhere"
            )
            continue
        if played is not None and own:
            found.append(played)
            continue
        left_out.append(f"{path.name}: it is not finished, or not of this tournament")
        if own and (record.result is None or not record.result.complete):
            broken.append(path)
    return _Recorded(found, left_out, broken)


def _remove(folder: Path, name: str) -> None:
    """An index with what SQLite keeps beside it."""
    for suffix in ("", "-wal", "-shm"):
        with suppress(FileNotFoundError):
            (folder / f"{name}{suffix}").unlink()
