"""The secret that the deals of a tournament follow from: kept by the runner, committed to, told at the end.

Whoever knows it knows every card of every game. It lies in a file that only the runner's user can read, and its
SHA-256 is told at the start; when all is played, everybody may have it and check the deals (docs/organisers.md).
Until then the deal of a game that is over may come again, from other seats or at other tables, so nobody may be shown
its hands or its seed. Then the secret is spent: should the tournament be extended, what is played follows from a new
one, and what has been played already is found in the records, whose deals need no secret.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from stat import S_IMODE, S_ISDIR

from arena.regular import read_regular
from tournaments.store import FILE, GAMES, LOGS, SETTINGS, Store, StoreError, write_whole

SECRET = "deals.secret"
OVER = "deals.over"
SALT_DIGITS = 32  # hexadecimal, 128 bits
OTHERS = 0o077  # the part of a mode that is not about the owner
READING = 0o055  # what others need to read in a folder
SEARCHING = 0o011  # and files do not have
HEX = re.compile(r"[0-9a-f]{64}")


def secrets_of(store: Store) -> tuple[str, ...]:
    """The secrets of the tournament with this index, the oldest first; one is drawn at its first run.

    Raises `StoreError`.
    """
    if os.path.lexists(store.folder / SECRET) or store.kept() or any((store.folder / GAMES).glob("*")):
        return drawn_secrets(store.folder)
    return with_another(store.folder, ())


def drawn_secrets(folder: Path) -> tuple[str, ...]:
    """The secrets in the folder of a tournament that has been begun, the oldest first. Raises `StoreError`."""
    path = folder / SECRET
    try:
        drawn = tuple(read_regular(path).decode("ascii").split())
    except FileNotFoundError:
        raise StoreError(
            f"{path} is missing, and the deals of this tournament follow from it; put it back from a copy, or"
            " give the tournament another folder"
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise StoreError(f"{path} cannot be read: {error}; look at the folder") from None
    if not drawn or not all(map(HEX.fullmatch, drawn)):
        raise StoreError(f"{path} does not hold 64 hexadecimal digits in each line; put the secret back")
    return drawn


def with_another(folder: Path, drawn: tuple[str, ...]) -> tuple[str, ...]:
    """These secrets and a new one, which is kept with them: all that is played from now on follows from it.

    For the first run, and for each that goes on after the earlier ones have been told. Raises `StoreError`.
    """
    drawn = (*drawn, secrets.token_hex(32))
    write_whole(folder / SECRET, "".join(f"{secret}\n" for secret in drawn), mode=0o600)
    return drawn


def commitment(secret: str) -> str:
    """What is told of the secret at the start: its SHA-256, in hex."""
    return hashlib.sha256(secret.encode("ascii")).hexdigest()


def salt(secret: str, deal: int) -> str | None:
    """The salt of all games of this deal, in hex: with one salt each seat has one luck in them (`protocol.luck`).

    Without a secret there is none, and each game is salted by itself.
    """
    return (
        hashlib.sha256(f"{secret}:salt:{deal}".encode("ascii")).hexdigest()[:SALT_DIGITS] if secret else None
    )


def keep_back(folder: Path) -> None:
    """From now on deals may come again: nobody but its owner reads what tells of them. Raises `StoreError`."""
    try:
        (folder / OVER).unlink(missing_ok=True)
        for name in (GAMES, LOGS):
            (folder / name).mkdir(mode=0o700, parents=True, exist_ok=True)
        _set_modes(folder, lambda mode: S_IMODE(mode) & ~OTHERS)
    except OSError as error:
        raise StoreError(
            f"{error.filename or folder} cannot be kept from others: {error.strerror or error}; look at the folder"
        ) from None


def release(folder: Path) -> None:
    """No deal comes again, and everybody may read of them. Raises `StoreError`."""
    write_whole(folder / OVER, "All games are played: no deal of them comes again.\n")
    open_up(folder)


def open_up(folder: Path) -> None:
    """Let those who may read the folder read what tells of deals, too. Raises `StoreError`."""
    try:
        others = S_IMODE(folder.stat().st_mode) & READING
        _set_modes(folder, lambda mode: S_IMODE(mode) | (others if S_ISDIR(mode) else others & ~SEARCHING))
    except OSError as error:
        raise StoreError(
            f"{error.filename or folder} cannot be opened to others: {error.strerror or error}; look at the folder"
        ) from None


def _set_modes(folder: Path, changed: Callable[[int], int]) -> None:
    """Change the modes of all that tells of deals; what SQLite makes beside the index gets its mode from it."""
    for name in (GAMES, LOGS, FILE, f"{FILE}-wal", f"{FILE}-shm"):
        with suppress(FileNotFoundError):  # some are there only while somebody has the index open
            path = folder / name
            path.chmod(changed(path.stat().st_mode))


def tournaments_around(record: Path) -> Iterator[Path]:
    """The tournaments in whose folders a record lies, at any depth, by the way it was named and by where that leads."""
    for path in {Path(os.path.abspath(record)), Path(os.path.realpath(record))}:
        for folder in path.parents:
            if any(os.path.exists(folder / mark) for mark in (SECRET, SETTINGS)):
                yield folder


def are_over(folder: Path) -> bool:
    """Whether no deal of the tournament in this folder comes again."""
    return (folder / OVER).is_file()
