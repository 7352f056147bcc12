"""The secret that the deals of a tournament follow from: kept by the runner, committed to, told at the end.

Whoever knows it knows every card of every game. It lies in a file that only the runner's user can read, and its
SHA-256 is told at the start; when all is played, everybody may have it and check the deals (docs/organisers.md).
Until then the deal of a game that is over may come again, from other seats or at other tables, so nobody may be shown
its hands or its seed.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
from collections.abc import Iterator
from pathlib import Path

from tournaments.store import SETTINGS, StoreError, write_whole

SECRET = "deals.secret"
OVER = "deals.over"
SALT_DIGITS = 32  # hexadecimal, 128 bits
HEX = re.compile(r"[0-9a-f]{64}")


def secret_of(folder: Path) -> str:
    """The secret of a tournament's folder, drawn at its first run. Raises `StoreError`."""
    path = folder / SECRET
    try:
        secret = path.read_text("ascii").strip()
    except FileNotFoundError:
        secret = secrets.token_hex(32)
        write_whole(path, f"{secret}\n", mode=0o600)
    except (OSError, UnicodeDecodeError) as error:
        raise StoreError(f"{path} cannot be read: {error}; look at the folder") from None
    if not HEX.fullmatch(secret):
        raise StoreError(f"{path} does not hold 64 hexadecimal digits; put the secret back")
    return secret


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
    """From now on deals may come again. Raises `StoreError`."""
    path = folder / OVER
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise StoreError(f"{path} cannot be removed: {error.strerror or error}; look at the folder") from None


def release(folder: Path) -> None:
    """No deal comes again. Raises `StoreError`."""
    write_whole(folder / OVER, "All games are played: no deal of them comes again.\n")


def tournaments_around(record: Path) -> Iterator[Path]:
    """The tournaments in whose folders a record lies, at any depth, by the way it was named and by where that leads."""
    for path in {Path(os.path.abspath(record)), Path(os.path.realpath(record))}:
        for folder in path.parents:
            if any(os.path.exists(folder / mark) for mark in (SECRET, SETTINGS)):
                yield folder


def are_over(folder: Path) -> bool:
    """Whether no deal of the tournament in this folder comes again."""
    return (folder / OVER).is_file()
