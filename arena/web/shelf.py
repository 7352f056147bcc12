"""The records on the disk: where the one of a game is, and which games were played lately."""

from __future__ import annotations

import heapq
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from arena.records import Following, RecordError
from arena.records.form import GAME_ID, Header, Outcome
from arena.records.lines import MAX_LINE, START, unseal
from arena.regular import open_regular
from protocol.errors import ReadError
from protocol.reading import read_object

SUFFIX = ".jsonl"
FRESH = 60.0  # seconds without a choice after which a game of another server counts as broken off


@dataclass(frozen=True, slots=True)
class Shelved:
    """What a list tells of a record."""

    id: str
    header: Header
    result: Outcome | None
    changed: float  # seconds since 1970


class Shelf:
    """Folders of records, or a few files; what is read is kept as long as the file stays the same."""

    def __init__(
        self,
        *folders: Path,
        files: Mapping[str, Path] | None = None,
        kept_back: Callable[[Path], bool] = lambda path: False,
    ) -> None:
        """`kept_back` tells of the record of a game that is over whether its deal may be played again."""
        self._folders = folders
        self._kept_back = kept_back
        self._files = dict(files or {})
        self._known: dict[Path, tuple[int, Shelved]] = {}  # with the size of the file

    @classmethod
    def of_file(cls, path: Path) -> Shelf:
        """A shelf with one record; raises `RecordError` if it has no header."""
        following = Following(path)
        following.close()
        return cls(files={following.header.game: path})

    def names(self) -> list[str]:
        """The games of a shelf of files."""
        return list(self._files)

    def find(self, game: str) -> Path | None:
        """The file of a game. An id that is none finds nothing, and no path can be built from it."""
        if GAME_ID.fullmatch(game) is None:
            return None
        if game in self._files:
            return self._files[game]
        for folder in self._folders:
            path = folder / f"{game}{SUFFIX}"
            if path.is_file() and not path.is_symlink():
                return path
        return None

    def is_open(self, game: str) -> bool:
        """Whether nothing in the record of this game is secret any more: it has its result, and its deal is over."""
        return self.is_finished(game) and not self.keeps_back(game)

    def keeps_back(self, game: str) -> bool:
        """Whether the deal of this game may be played again."""
        path = self.find(game)
        return path is not None and self._kept_back(path)

    def is_finished(self, game: str) -> bool:
        """Whether the record of this game has its result."""
        path = self.find(game)
        try:
            shelved = look_into(path, path.stat()) if path is not None else None
        except OSError:
            return False
        return shelved is not None and shelved.result is not None

    def growing(self, game: str) -> Growing:
        """Tells whether somebody writes to the record of this game, whichever server it is."""
        return Growing(self.find(game))

    def lately(self, limit: int) -> list[Shelved]:
        """The records that changed last, newest first. This reads files: not for the event loop."""
        newest = heapq.nlargest(limit, self._paths(), key=lambda entry: (entry[1].st_mtime, entry[0].name))
        kept: dict[Path, tuple[int, Shelved]] = {}
        for path, status in newest:
            known = self._known.get(path)
            if known is None or known[0] != status.st_size:
                shelved = look_into(path, status)
                if shelved is None or self.find(shelved.id) != path:
                    continue  # no record, or a copy under another name
                known = (status.st_size, shelved)
            kept[path] = known
        self._known = kept
        return [shelved for _, shelved in kept.values()]

    def _paths(self) -> Iterator[tuple[Path, os.stat_result]]:
        for path in self._files.values():
            try:
                yield path, path.stat()
            except OSError:
                continue
        for folder in self._folders:
            with suppress(OSError), os.scandir(folder) as entries:  # before the first game there is no folder
                for entry in entries:
                    if entry.name.endswith(SUFFIX) and entry.is_file(follow_symlinks=False):
                        yield Path(entry.path), entry.stat(follow_symlinks=False)


def is_fresh(changed: float) -> bool:
    """Whether a game whose record was last written to at this time may still be played.

    A time that is far ahead was told by a clock that has been set back since.
    """
    return abs(time.time() - changed) < FRESH


class Growing:
    """Knows whether a record may still be written to: by its time at the first look, then by what changes of it.

    So it is followed on though the clock of the wall is set meanwhile. `now` only goes forward.
    """

    def __init__(self, path: Path | None, now: Callable[[], float] = time.monotonic) -> None:
        self._path = path
        self._now = now
        self._seen: tuple[int, int] | None = None
        self._until = 0.0

    def may_go_on(self) -> bool:
        """Whether it has changed lately."""
        try:
            status = self._path.stat() if self._path is not None else None
        except OSError:
            status = None
        if status is None:
            return False
        state = status.st_mtime_ns, status.st_size
        if state != self._seen:
            age = abs(time.time() - status.st_mtime) if self._seen is None else 0.0
            self._until = self._now() + FRESH - age
            self._seen = state
        return self._now() < self._until


def look_into(path: Path, status: os.stat_result) -> Shelved | None:
    """What the first and the last line of a file tell; None for one that is no record, or of another game.

    Only who opens the game checks the whole file.
    """
    try:
        with open(open_regular(path), "rb") as file:
            fields, _ = unseal(START, file.readline(MAX_LINE).rstrip(b"\n"), 1)
            header = Header.from_json(fields, 1)
            file.seek(max(0, status.st_size - MAX_LINE))
            lines = file.read(MAX_LINE).splitlines()
        last = read_object(lines[-1]) if lines else {}
        last.pop("hash", None)
        result = Outcome.from_json(last, 2) if last.get("type") == "result" else None
    except (OSError, RecordError, ReadError):
        return None
    return Shelved(header.game, header, result, status.st_mtime)
