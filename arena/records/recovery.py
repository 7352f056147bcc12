"""Goes on with a game whose process was killed: the sound part of its record, the game, and the open journal."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from arena.game import Catalogue, Game
from arena.records.errors import JournalError, UnreadableRecord, reason_of
from arena.records.journal import PRIVATE, Journal, lock, sync_folder
from arena.records.lines import MAX_LINE
from arena.records.reading import Record, read_lines
from arena.records.replay import Step, replay
from arena.regular import open_regular


class Recovered(NamedTuple):
    """What a record still holds."""

    record: Record  # without the torn line; `record.torn` says how many bytes it had
    game: Game  # after the last choice
    journal: Journal | None  # to go on with; None if the record has its result


def recover(
    path: Path,
    catalogue: Catalogue | None = None,
    *,
    durable: bool = False,
    private: bool = False,
    heard: Callable[[Record, Step], None] | None = None,
) -> Recovered:
    """Read a record up to where its writer was killed, replay it, and open it to be written on.

    `heard` is told each step of the replay, for those who need to know what had happened in the game.

    A torn last line, one without its newline, is cut from the file and added to the one beside it (`torn_path`).
    Its effect was told to nobody, unless a power cut has taken what was written from the disk. Raises `RecordError`,
    and leaves the file as it is, if anything else is wrong with the record or it has no whole header (then the game
    had not begun, and the file can be deleted); `JournalError` if the file cannot be opened for writing, another
    process is writing it, or there is no room to keep what is torn.
    """
    try:
        fd = open_regular(path, os.O_RDWR | os.O_APPEND)
    except (OSError, ValueError) as error:
        raise JournalError(f"the record {path} cannot be opened: {reason_of(error)}") from None
    try:
        lock(fd, path)
        try:
            with open(fd, "rb", closefd=False) as file:
                record = read_lines(file)
        except OSError as error:
            raise UnreadableRecord(f"cannot be read: {reason_of(error)}") from None
        for step in replay(record, catalogue):
            game = step.game
            if heard is not None:
                heard(record, step)
        if record.torn:
            cut(fd, path, record.size)
    except BaseException:
        os.close(fd)
        raise
    if record.result is not None:
        os.close(fd)
        return Recovered(record, game, None)
    journal = Journal(
        path,
        fd,
        size=record.size,
        choices=len(record.choices),
        hash=record.hash,
        durable=durable,
        private=private,
    )
    return Recovered(record, game, journal)


def torn_path(path: Path) -> Path:
    """Where what was torn off a record is kept, one piece after the other."""
    return path.with_suffix(".torn")


def cut(fd: int, path: Path, size: int) -> None:
    """Cut the file to its whole lines, on the disk too, once what follows them is kept."""
    try:
        keep_torn(fd, torn_path(path), size)
        sync_folder(path)
        os.ftruncate(fd, size)
        os.fsync(fd)
    except OSError as error:
        raise JournalError(f"the torn line of {path} cannot be cut: {reason_of(error)}") from None


def keep_torn(fd: int, kept: Path, start: int) -> None:
    """Add all of the file from `start` on to `kept`."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NONBLOCK  # not to wait at a pipe
    with open(os.open(kept, flags, PRIVATE), "wb") as file:
        while piece := os.pread(fd, MAX_LINE, start):
            file.write(piece)
            start += len(piece)
        file.flush()
        os.fsync(file.fileno())
