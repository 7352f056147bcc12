"""What a server that starts again must know of a running game beside its record: who may come back to which seat.

One small file for each running game, `ID.json`, is replaced in one step and removed at the game's end: so the
files are also the list of the games that a server which was killed has left. Of keys and tokens only hashes are kept.
Here is the file; what is done with it is in `reopening`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from arena.game import Event
from arena.records import JournalError
from arena.records.journal import sync_folder
from arena.regular import read_regular
from protocol import EndReason

MAX_SIZE = 16 * 1024  # bytes; six seats and their retirements take under 2,000
HASH = r"^[0-9a-f]{64}$"
NAME = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]{0,63})\.json")  # a game's id, as records have it


class SeatFileError(ValueError):
    """A file of seats cannot be read or is none; one sentence."""


class Kept(BaseModel):
    """A part of the file."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class KeptSeat(Kept):
    """Who may come back to a seat, and how its requests are."""

    name: str = Field(min_length=1, max_length=64)
    key: str | None = Field(pattern=HASH)  # SHA-256 of the resume key; None: it is given up
    token: str | None = Field(default=None, pattern=HASH)  # SHA-256 of its player's token; None: it had none
    views: bool
    samples: bool
    bot: str | None = None  # the shipped bot that the server itself has sent


class Retirement(Kept):
    """When and why a seat was retired: the record tells it only with the next choice of that seat."""

    seat: int = Field(ge=0, le=5)
    reason: EndReason
    after: int = Field(ge=0)  # choices that had been made

    def event(self) -> Event:
        """What everybody is told of it."""
        return Event("retired", {"seat": self.seat, "reason": self.reason.value})


class SeatFile(Kept):
    """The whole file."""

    format: Literal[1] = 1
    game: str | None = None  # its id; None in the files of earlier servers
    table: str | None  # the table of the game, as `start` names it
    started: bool  # whether all have been ready
    seats: tuple[KeptSeat, ...] = Field(min_length=2, max_length=6)
    retired: tuple[Retirement, ...] = Field(max_length=6)

    @model_validator(mode="after")
    def _retires_own_seats(self) -> Self:
        retired = [retirement.seat for retirement in self.retired]
        if len(set(retired)) < len(retired) or any(seat >= len(self.seats) for seat in retired):
            raise ValueError(f"it retires {retired} of {len(self.seats)} seats")
        return self


class SeatFiles:
    """The folder of these files. With `durable` each, and its name, is synced to the disk before it counts."""

    def __init__(self, folder: Path, *, durable: bool = False) -> None:
        self.folder = folder
        self._durable = durable

    def games(self) -> Iterator[str]:
        """The ids of the games that have a file; raises `OSError` if the folder cannot be read."""
        if self.folder.is_dir():
            for path in sorted(self.folder.iterdir()):
                if (match := NAME.fullmatch(path.name)) is not None:
                    yield match[1]

    def keep(self, game_id: str, seats: SeatFile) -> None:
        """Write or replace the file of a game; raises `JournalError`: the old one may stay."""
        path = self._path(game_id)
        new = path.with_suffix(".new")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            new.unlink(missing_ok=True)  # of a server that was killed
            with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "w") as file:
                file.write(seats.model_dump_json())
                if self._durable:
                    file.flush()
                    os.fsync(file.fileno())
            new.replace(path)
        except OSError as error:
            with suppress(OSError):
                new.unlink(missing_ok=True)  # else a full disk would fill up with them
            raise JournalError(f"{path} cannot be written: {error.strerror or error}; make room") from None
        if self._durable:
            sync_folder(path)

    def read(self, game_id: str) -> SeatFile:
        """The file of a game; raises `SeatFileError`."""
        path = self._path(game_id)
        try:
            kept = SeatFile.model_validate_json(read_regular(path, MAX_SIZE))
        except OSError as error:
            raise SeatFileError(f"{path} cannot be read: {error.strerror or error}") from None
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"])) or "the file"
            raise SeatFileError(f"{path} is no file of seats: {where}: {first['msg']}") from None
        if kept.game not in (None, game_id):
            raise SeatFileError(f"{path} is of the game {kept.game}; give it that name, or keep it elsewhere")
        return kept

    def forget(self, game_id: str) -> None:
        """The game is over; raises `OSError` if the file cannot be removed."""
        self._path(game_id).unlink(missing_ok=True)

    def _path(self, game_id: str) -> Path:
        return self.folder / f"{game_id}.json"
