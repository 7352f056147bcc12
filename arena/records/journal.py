"""Writes the record of one game, line by line, so that a killed process loses nothing that others have seen.

    with Journal.create(path, header) as journal:
        ...
        events = journal.play(game, seat, index)   # the line is with the operating system: now tell the others
        ...
        journal.result(finished(game, reasons))

Each line is one unbuffered write to a file opened for appending. After a write that failed the file ends with
a whole line; if even cutting it back failed, it ends with a torn one, which `recover` cuts. A `Journal` that
failed stays failed. Two processes cannot write one record: the file is locked while it is open for writing.
"""

from __future__ import annotations

import errno
import fcntl
import os
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from arena.game import Event, Game
from arena.records.errors import JournalError, reason_of
from arena.records.form import DIGEST_EVERY, UNPLAYED, Choice, Header, Outcome, ranked
from arena.records.lines import START, seal
from protocol.codes import EndReason

PRIVATE: Final = 0o600  # while the game is played its record tells all hands and the seed
SHARED: Final = 0o644  # when it is over everybody may read it, as far as the process lets them
UMASK: Final = os.umask(0o077)
os.umask(UMASK)  # no call only tells it


class Journal:
    """The open end of a record. `choices` and `hash` tell how far it is; `closed` and `failed` that it is over."""

    def __init__(
        self, path: Path, fd: int, *, size: int, choices: int, hash: str, durable: bool, private: bool
    ) -> None:
        self.path = path
        self.choices = choices
        self.hash = hash
        self.failed = False
        self._fd = fd
        self._size = size
        self._durable = durable
        self._private = private
        self._ended = False

    @classmethod
    def create(cls, path: Path, header: Header, *, durable: bool = False, private: bool = False) -> Journal:
        """Begin a record in a new file, which only its owner can read until the result is there; if `private`, ever.

        `durable` syncs every line to the disk, for those who fear power cuts; without it a kill of the process
        loses nothing, and the whole is synced at the end. Raises `JournalError` if the file is there already
        or cannot be made (then nothing is left behind), `RecordError` if a record cannot have this header.
        """
        Header.from_json(header.to_json())
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_CLOEXEC
        try:
            fd = os.open(path, flags, PRIVATE)
        except FileExistsError:
            raise JournalError(f"{path} exists already; name a file that does not") from None
        except (OSError, ValueError) as error:  # ValueError: a path that no file can have
            raise JournalError(f"{path} cannot be made: {reason_of(error)}; name another file") from None
        journal = cls(path, fd, size=0, choices=0, hash=START, durable=durable, private=private)
        try:
            lock(fd, path)
            journal._append(header.to_json())
            if durable:
                sync_folder(path)
        except JournalError:
            journal.close()
            path.unlink(missing_ok=True)
            raise
        return journal

    @property
    def closed(self) -> bool:
        """Whether the file is closed."""
        return self._fd < 0

    def play(self, game: Game, seat: int, index: int, **told: Any) -> list[Event]:
        """Make a choice in `game` and record it; returns what happened, to be told once this has returned.

        `told` are the times and the fault, as `choice` takes them. Raises `ChoiceError`, and changes nothing,
        if the choice is not legal. After a `JournalError` the game is ahead of its record and must stop.
        """
        decision = game.decision(seat)
        events = game.choose(seat, index)
        due = (self.choices + 1) % DIGEST_EVERY == 0
        text = decision.options[index].text(game.catalogue)
        self.choice(seat, index, text, digest=game.digest() if due else "", **told)
        return events

    def choice(
        self,
        seat: int,
        index: int,
        text: str,
        *,
        digest: str = "",
        spent: float = -1,
        bank: float = -1,
        fault: EndReason | None = None,
        retired: bool = False,
        network: float = -1,
        lag: float = -1,
    ) -> None:
        """Record an accepted choice; the fields are those of `Choice`.

        The choice numbers that `DIGEST_EVERY` divides need the digest of the state after them.
        """
        number = self.choices + 1
        choice = Choice(number, seat, index, text, digest, spent, bank, fault, retired, network, lag)
        self._append(choice.to_json())
        self.choices = number

    def result(self, outcome: Outcome) -> None:
        """Record how the game ended, and sync file and folder to the disk; nothing can follow."""
        Outcome.from_json(outcome.to_json(), self.choices + 2)
        self._append(outcome.to_json())
        self._ended = True
        if not self._durable:  # else each line has been
            self._sync()
        sync_folder(self.path)
        if not self._private:
            with suppress(OSError):  # a file system that knows no such thing
                os.fchmod(self._fd, SHARED & ~UMASK)

    def close(self) -> None:
        """Close the file; without a result the record stays unfinished, and `recover` can go on with it."""
        if self._fd >= 0:
            fd, self._fd = self._fd, -1
            os.close(fd)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _append(self, fields: dict[str, Any]) -> None:
        if self._fd < 0 or self.failed or self._ended:
            why = "has failed" if self.failed else "has its result" if self._ended else "is closed"
            raise JournalError(f"the record {self.path} {why}; no line can be added")
        line, link = seal(self.hash, fields)
        if not os.fstat(self._fd).st_nlink and not self.path.exists():
            self.failed = True
            raise JournalError(f"the record {self.path} has been removed, so what is written would be lost")
        try:
            written = os.write(self._fd, line)
            while written < len(line):  # a full disk takes a part first and says so on the next write
                more = os.write(self._fd, line[written:])
                if not more:
                    raise OSError(errno.EIO, "nothing could be written")
                written += more
        except OSError as error:
            self.failed = True
            self._cut_back()
            raise JournalError(
                f"the record {self.path} cannot be written: {reason_of(error)}; make room and start again"
            ) from None
        self._size += len(line)
        self.hash = link
        if self._durable:
            self._sync()

    def _cut_back(self) -> None:
        with suppress(OSError):  # then a torn line stays, which `recover` cuts
            os.ftruncate(self._fd, self._size)

    def _sync(self) -> None:
        try:
            os.fsync(self._fd)
        except OSError as error:  # what reached the disk is unknown, and a second try would not tell
            self.failed = True
            raise JournalError(
                f"the record {self.path} may not be on the disk: {reason_of(error)}; check the disk"
            ) from None


def finished(
    game: Game,
    reasons: tuple[EndReason, ...],
    choices: int,
    *,
    suspect: bool = False,
    ends: tuple[str, ...] = (),
) -> Outcome:
    """The outcome of a game that is over; `reasons` tells how each seat came to the end, `ends` how its program did."""
    result = game.result
    if result is None:
        raise ValueError("the game is not over; use `unfinished` to end its record")
    places = ranked(result.places, reasons)
    return Outcome(
        True,
        places,
        result.credits,
        result.reason,
        reasons,
        choices,
        game.digest(),
        suspect,
        ends if any(ends) else (),
    )


def unfinished(game: Game, reason: EndReason, reasons: tuple[EndReason, ...], choices: int) -> Outcome:
    """The outcome of a game that stops before its end; `reason` is one of `UNPLAYED`."""
    if reason not in UNPLAYED:
        raise ValueError(f"a game does not stop for {reason.value!r}; use one of `UNPLAYED`")
    return Outcome(False, (), (), reason.value, reasons, choices, game.digest())


def lock(fd: int, path: Path) -> None:
    """Keep other processes from writing this record until `fd` is closed; raises `JournalError`."""
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise JournalError(f"the record {path} is being written by another process; stop that one") from None
    except OSError as error:
        if error.errno not in (errno.ENOTSUP, errno.ENOLCK, errno.ENOSYS):  # file systems without locks
            raise JournalError(f"the record {path} cannot be locked: {reason_of(error)}") from None


def sync_folder(path: Path) -> None:
    """Make the name of a new file survive a power cut; raises `JournalError`."""
    try:
        fd = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)
    except OSError as error:
        raise JournalError(
            f"the folder of {path} may not be on the disk: {reason_of(error)}; check the disk"
        ) from None
