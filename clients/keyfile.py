"""The file in which a bot keeps its resume key, so that it finds its games again after a kill (S023)."""

from __future__ import annotations

import os
import re
from pathlib import Path

KEY = re.compile("[!-~]{1,200}")  # what a resume key looks like
MAX_KEY = 1000  # bytes that are read of a key file; a key has far fewer


def stored_key(path: Path) -> str | None:
    """The key that a bot has left in its file, None if there is none.

    Raises `ValueError` for a file of something else, which the bot would write over, and remove at its end.
    """
    try:
        if not path.is_file():
            key, other = "", path.exists()
        else:
            with path.open("rb") as file:
                key = file.read(MAX_KEY).decode("ascii", "replace").strip()
            other = bool(key) and KEY.fullmatch(key) is None
    except OSError:
        return None  # it is told when the key is to be kept
    if other:
        raise ValueError(
            f"{path} is there and holds no key of a bot; name a file that the bot may write and remove"
        )
    return key or None


def store_key(path: Path, key: str) -> None:
    """Keep the key in the file, replaced in one step, so that a kill leaves the old or the new. Raises `OSError`."""
    new = path.with_name(f"{path.name}.new")
    new.unlink(missing_ok=True)
    with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:  # a secret
        file.write(key)
    new.replace(path)
