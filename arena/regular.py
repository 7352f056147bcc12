"""Opens files that lie in folders where anything may lie under their name: regular files only, without waiting."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import Final

MOST: Final = 16 * 1024 * 1024  # bytes that are read of a file at once: far more than any of ours has


def open_regular(path: Path, flags: int = os.O_RDONLY, mode: int = 0o644, *, pipes: bool = False) -> int:
    """A descriptor of the file; raises `OSError`, also for a pipe, a device, a socket or a folder.

    The flags and the mode are those of `os.open`. With `pipes` a pipe may be opened too, and is empty if nobody
    writes into it: a writer is never waited for.
    """
    fd = os.open(path, flags | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY, mode)
    kind = stat.S_IFMT(os.fstat(fd).st_mode)
    if kind == stat.S_IFREG or (pipes and kind == stat.S_IFIFO):
        os.set_blocking(fd, True)
        return fd
    os.close(fd)
    if kind == stat.S_IFDIR:
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    raise OSError(errno.EINVAL, "it is not a file")


def read_regular(path: Path, limit: int = MOST) -> bytes:
    """The first `limit` bytes of the file; raises `OSError` as `open_regular`."""
    with open(open_regular(path), "rb") as file:
        return file.read(limit)
