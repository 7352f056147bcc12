"""The folder of a tournament: who may write there, and the index of the results. The records are the truth.

The index is SQLite with one row per game id. A result is stored once; a second one for the same game is passed
over. The file is in WAL mode, so that `standings` can read while a run writes, and a killed run leaves it whole.
It also knows the settings that the results were made with, so that others are not mixed with them.
"""

from __future__ import annotations

import fcntl
import json
import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from arena.regular import read_regular
from protocol.errors import quote
from tournaments.belonging import CHANGES, ENTRANT, Adopted, Mixed, adopt, cut, may_change
from tournaments.ratings import Result

FILE = "results.sqlite"
GAMES = "games"  # the records, and the files of void games
VOID = ".void"  # how the name of the file of a void game ends
LOGS = "logs"  # what programs wrote to stderr
SETTINGS = "tournament.json"  # what the results were made with, for when the index is lost
RUNNER = "runner.lock"  # locked by the one runner of the folder; holds its process id
WORKERS = "workers.lock"  # locked, together, by those who play blocks for it
# Seconds in which the workers of a killed runner must be gone. They break off within five; those of a cluster do so
# when its scheduler has missed the runner, which takes 30 if the whole machine of that is gone.
LEFTOVERS = 60.0
LOOK_AGAIN = 0.05  # seconds between two tries to get a lock
VERSION = 4  # of the tables
COLUMNS = "id, block, deal, entrants, places, credits, reasons, ends, defaults, record, why, choices, started"
SCHEMA = """
CREATE TABLE IF NOT EXISTS setting (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS game (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    block TEXT NOT NULL,
    deal INTEGER NOT NULL,
    entrants TEXT NOT NULL,
    places TEXT NOT NULL,
    credits TEXT NOT NULL,
    reasons TEXT NOT NULL,
    ends TEXT NOT NULL,
    defaults TEXT NOT NULL,
    record TEXT NOT NULL,
    why TEXT NOT NULL,
    choices INTEGER NOT NULL,
    started TEXT NOT NULL
) STRICT;
"""


class StoreError(Exception):
    """The folder or its index cannot be used; the text says what to do."""


class AnotherTournament(StoreError):
    """The results in the folder are of another tournament; `key` names the setting that differs."""

    def __init__(self, text: str, key: str) -> None:
        super().__init__(text)
        self.key = key


@contextmanager
def claim(folder: Path, waiting: Callable[[str], object] = lambda text: None) -> Iterator[None]:
    """Be the only runner of a folder; raises `StoreError` if there is one.

    The workers of a runner that was killed break off by themselves; until then this waits, which it tells. Nothing
    has to be cleaned up after a kill: the locks go with the processes.
    """
    with _lock_file(folder / RUNNER) as runner:
        try:
            fcntl.flock(runner, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            pid = os.pread(runner, 20, 0).decode("ascii", "replace").strip() or "unknown"
            raise StoreError(
                f"the tournament in {folder} is being run already, by process {pid}; wait for it or stop it"
            ) from None
        os.ftruncate(runner, 0)
        os.pwrite(runner, str(os.getpid()).encode(), 0)
        if not wait_for_workers(folder, 0):
            waiting(
                f"workers of an earlier run break off their games; waiting for them, {LEFTOVERS:g} s at most"
            )
            if not wait_for_workers(folder, LEFTOVERS):
                raise StoreError(f"workers of an earlier run still play in {folder}; end them and run again")
        yield


def wait_for_workers(folder: Path, patience: float) -> bool:
    """Whether nobody plays blocks in the folder any more, after so many seconds at the latest."""
    latest = time.monotonic() + patience
    with _lock_file(folder / WORKERS) as workers:
        while True:
            try:
                fcntl.flock(workers, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                if time.monotonic() >= latest:
                    return False
                time.sleep(LOOK_AGAIN)
            else:
                return True


def is_being_run(folder: Path) -> bool:
    """Whether the runner that wrote its process id into the folder lives, as far as this machine knows.

    Another process may have that id by now, so the lock decides. It is asked only if there is such a process: a runner
    that starts in this moment is not to be taken for the second one.
    """
    try:
        with (folder / RUNNER).open("rb") as file:
            with suppress(PermissionError):  # a process of another user
                os.kill(int(file.read(20)), 0)
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return True
    except (OSError, ValueError, OverflowError):
        return False
    return False


@contextmanager
def working_in(folder: Path) -> Iterator[None]:
    """Keep the next runner out of the folder until this one's block is left, even if its runner is killed."""
    with _lock_file(folder / WORKERS) as workers:
        fcntl.flock(workers, fcntl.LOCK_SH)
        yield


@contextmanager
def _lock_file(path: Path) -> Iterator[int]:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error.strerror}; look at the folder") from None
    try:
        yield file
    finally:
        os.close(file)  # which gives the lock back


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
    ends: tuple[str, ...] = ()  # by seat: how its program ended in this game, "" if it did not; or empty
    why: str = ""  # how the game ended: credits, cards, turns or a power
    choices: int = 0
    defaults: tuple[tuple[str, ...], ...] = ()  # by seat, unless retired: why defaults were played
    started: str = ""  # when, in UTC, as the record says it; of a void game when it became void

    @property
    def is_void(self) -> bool:
        """Whether it could not be played, and a file in place of its record says why."""
        return self.record.endswith(VOID)

    def result(self) -> Result:
        """As the ratings see it."""
        faults = tuple(None if reason == "normal" else reason for reason in self.reasons)
        return Result(self.id, self.block, self.entrants, self.places, faults, self.deal, self.is_void)


class Store:
    """The open index of one tournament folder. It tells deals, so a new one is for its owner alone (`deals`)."""

    def __init__(self, folder: Path, file: str = FILE, *, reads_only: bool = False) -> None:
        """With `reads_only` the folder may be one that cannot be written, as on a read-only mount.

        Raises `StoreError`.
        """
        self.folder = folder
        self.path = folder / file
        if reads_only and not os.access(folder, os.W_OK):
            self._db = self._as_it_is()
            return
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with suppress(FileExistsError):
                os.close(os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
            self._db = sqlite3.connect(self.path, timeout=30.0)
            try:
                self._open()
            except BaseException:
                self._db.close()
                raise
        except (OSError, sqlite3.Error) as error:
            raise StoreError(f"the index {self.path} cannot be opened: {error}; {_remedy(error)}") from None

    def _as_it_is(self) -> sqlite3.Connection:
        """The index of a folder that cannot be written, where SQLite can make none of the files that it works with.

        Without results beside it in a log (`-wal`) nobody has the index open, and it can be read for itself; else
        what runs must have its files there.
        """
        log = self.path.with_name(f"{self.path.name}-wal")
        how = "mode=ro" if log.exists() and log.stat().st_size else "mode=ro&immutable=1"
        try:
            db = sqlite3.connect(f"{self.path.absolute().as_uri()}?{how}", uri=True, timeout=30.0)
            try:
                self._check(db)
            except BaseException:
                db.close()
                raise
        except sqlite3.Error as error:
            raise StoreError(
                f"the index {self.path} cannot be read in a folder that cannot be written: {error};"
                f" {ANEW if _remedy(error) == ANEW else COPY}"
            ) from None
        return db

    def _check(self, db: sqlite3.Connection) -> bool:
        """Whether there are tables yet; raises `StoreError` if they are of another version."""
        (version,) = db.execute("PRAGMA user_version").fetchone()
        (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if version != VERSION and tables:
            raise StoreError(
                f"the index {self.path} has version {version}, and this program reads {VERSION};"
                " rebuild it from the records with arena tournament reindex"
            )
        return bool(tables)

    def _open(self) -> None:
        has_tables = self._check(self._db)
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")
        if not has_tables:
            self._db.executescript(f"BEGIN; {SCHEMA} PRAGMA user_version = {VERSION}; COMMIT")

    def belongs_to(self, settings: Mapping[str, str]) -> Adopted:
        """Check that the results here go together with these settings, and keep them (`belonging`).

        Raises `AnotherTournament` if they would mix the results of two tournaments.
        """
        kept = self.kept()
        try:
            adopted = adopt(kept, settings, self.proven() if kept else (), len(self.ids()))
        except Mixed as error:
            raise AnotherTournament(
                f"{self.folder} holds the results of a tournament {error}", error.key
            ) from None
        write_whole(self.folder / SETTINGS, json.dumps(adopted.settings, ensure_ascii=False, indent=1) + "\n")
        keep = "INSERT INTO setting VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
        try:
            with self._db:
                self._db.executemany(keep, adopted.settings.items())
        except sqlite3.Error as error:
            raise self._not_written(error) from None
        return adopted

    def kept(self) -> dict[str, str]:
        """The settings of the index, or of the file beside the records if the index has none. Raises `StoreError`."""
        return self.settings() or read_settings(self.folder)

    def proven(self) -> frozenset[str]:
        """The names of the entrants with a result in the index, void games left out."""
        return frozenset(name for played in self.games() if not played.is_void for name in played.entrants)

    def settings(self) -> dict[str, str]:
        """What the results here were made with, in the order of the tournament file; empty before the first run.

        Raises `StoreError` if the file beside the records is of another tournament. A damaged one is passed over:
        the next run writes it anew.
        """
        settings: dict[str, str] = dict(self._read("SELECT key, value FROM setting ORDER BY rowid"))
        if not are_settings(settings):
            raise StoreError(f"the index {self.path} does not hold the settings of a tournament; {ANEW}")
        try:
            beside = read_settings(self.folder)
        except StoreError:
            return settings
        if settings and CHANGES in beside:
            settings.setdefault(CHANGES, beside[CHANGES])  # of a run that was killed before the index had any
        for key, value in settings.items():
            other = beside.get(key, value)
            if may_change(key, settings):  # and is written there first, if a run was killed between the two
                settings[key] = other
            elif other != value:
                raise StoreError(
                    f"the index {self.path} is of a tournament with {key} {cut(value)}, and {SETTINGS} beside it"
                    f" says {cut(other)}; if the index is the wrong one, {ANEW}, else put {SETTINGS} back"
                )
        return settings

    def title(self) -> str:
        """The name of the tournament; the folder's before the first run."""
        name = json.loads(self.settings().get("name", '""'))
        return name if isinstance(name, str) and name else self.folder.name

    def entrants(self) -> list[str]:
        """The names of all entrants, those without a game included."""
        return [key.removeprefix(ENTRANT) for key in self.settings() if key.startswith(ENTRANT)]

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
            json.dumps(played.ends),
            json.dumps(played.defaults),
            played.record,
            played.why,
            played.choices,
            played.started,
        )
        insert = f"INSERT OR IGNORE INTO game ({COLUMNS}) VALUES ({', '.join('?' * len(row))})"
        try:
            with self._db:
                return self._db.execute(insert, row).rowcount == 1
        except sqlite3.Error as error:
            raise self._not_written(error) from None

    def forget(self, ids: Iterable[str]) -> None:
        """Have these games played again."""
        try:
            with self._db:
                self._db.executemany("DELETE FROM game WHERE id = ?", ((id,) for id in ids))
        except sqlite3.Error as error:
            raise self._not_written(error) from None

    def ids(self) -> set[str]:
        """The games that need not be played any more."""
        return {id for (id,) in self._read("SELECT id FROM game")}

    def games(self) -> Iterator[Played]:
        """All results, in the order in which the games were started, those of one second by their ids.

        The records tell that order, so it is the same however often the index is built anew.
        """
        for row in self._read(f"SELECT {COLUMNS} FROM game ORDER BY started, id"):
            try:
                yield _played(row)
            except (ValueError, RecursionError):
                raise StoreError(
                    f"the index {self.path} holds no result of the game {quote(row[0])}; {ANEW}"
                ) from None

    def records(self) -> Iterator[str]:
        """Where the records of all results are, relative to the folder."""
        return (record for (record,) in self._read("SELECT record FROM game ORDER BY started, id"))

    def _read(self, query: str) -> Iterator[tuple[Any, ...]]:
        try:
            yield from self._db.execute(query)
        except sqlite3.Error as error:
            raise StoreError(f"the index {self.path} cannot be read: {error}; {_remedy(error)}") from None

    def _not_written(self, error: sqlite3.Error) -> StoreError:
        return StoreError(f"the index {self.path} cannot be written: {error}; {_remedy(error)}")

    def close(self) -> None:
        """Close the index."""
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _played(row: tuple[Any, ...]) -> Played:
    """The game in a row, or a `ValueError`: somebody may have written in the index by hand."""
    id, block, deal, *lists, by_seat, record, why, choices, started = row
    texts = [_values(lists[place], str) for place in (0, 3, 4)]
    numbers = [_values(lists[place], int) for place in (1, 2)]
    (entrants, reasons, ends), (places, credits) = texts, numbers
    defaults = tuple(_checked(each, str) for each in _values(by_seat, list))
    seats = len(entrants)
    if seats < 2 or len(set(entrants)) != seats or not {len(ends), len(defaults)} <= {0, seats}:
        raise ValueError
    if not len(places) == len(credits) == len(reasons) == seats:
        raise ValueError
    return Played(
        id, block, deal, entrants, places, credits, reasons, record, ends, why, choices, defaults, started
    )


def _values(text: str, kind: type) -> tuple[Any, ...]:
    return _checked(json.loads(text), kind)


def _checked(values: Any, kind: type) -> tuple[Any, ...]:
    if not isinstance(values, list) or not all(type(value) is kind for value in values):
        raise ValueError
    return tuple(values)


ANEW = "build it anew from the records with arena tournament reindex"
BACK = "put it back from a copy, or remove it and run the same tournament file, which writes it anew"
COPY = "copy the folder to where you may write, and name the copy"
REMEDIES = {
    sqlite3.SQLITE_CORRUPT: ANEW,
    sqlite3.SQLITE_NOTADB: ANEW,
    sqlite3.SQLITE_BUSY: "end the program that has locked it, and try again",
    sqlite3.SQLITE_FULL: "make room and run again",
    sqlite3.SQLITE_IOERR: "make room, or look at the disk, and run again",
}


def _remedy(error: Exception) -> str:
    """What to do about an index that SQLite cannot use."""
    code = error.sqlite_errorcode if isinstance(error, sqlite3.Error) else None
    return "look at the folder" if code is None else REMEDIES.get(code & 0xFF, "look at the folder")


def read_settings(folder: Path) -> dict[str, str]:
    """What the results of a folder were made with, from its file beside the records; empty if there is none.

    Raises `StoreError` for a file that is none of ours.
    """
    path = folder / SETTINGS
    try:
        settings = json.loads(read_regular(path))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error.strerror or error}; look at the folder") from None
    except (ValueError, RecursionError) as error:
        raise StoreError(f"{path} is damaged, it is not JSON: {error}; {BACK}") from None
    if not are_settings(settings):
        raise StoreError(f"{path} is damaged, it does not hold the settings of a tournament; {BACK}")
    checked: dict[str, str] = settings
    return checked


def are_settings(settings: Any) -> bool:
    """Whether these are texts of JSON by their key."""
    if not isinstance(settings, dict):
        return False
    try:
        return all(isinstance(value, str) and json.loads(value) is not None for value in settings.values())
    except (ValueError, RecursionError):
        return False


def set_aside(path: Path, suffix: str = ".broken") -> None:
    """Keep a file about a game under another name, with a number, so that the game can be played again."""
    number = 1
    while path.exists():
        other = path.with_suffix(f"{suffix}-{number}")
        if not other.exists():
            path.rename(other)
        number += 1


def write_whole(path: Path, text: str, mode: int = 0o644) -> None:
    """Write a file so that it is there as a whole or not at all, whatever is killed. Raises `StoreError`."""
    part = path.with_name(f"{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error.strerror}; look at the folder") from None
