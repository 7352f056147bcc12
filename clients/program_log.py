"""The file that keeps what a program writes to stderr: its beginning and its end, with notes of ours between its lines.

The bound is that of the file, however often the program is started again and goes on in it.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

HEAD = 512 * 1024  # bytes that are kept of the beginning (S055)
TAIL = 512 * 1024  # and of the end, where a crash is told
LEFT_OUT = re.compile(rb"\n\[(\d{1,18}) bytes are left out\]\n")
REMEDY = "make room, or look at the folder"


class LogFailed(Exception):
    """What a program writes to stderr cannot be kept, which is no fault of the program; one sentence."""


class ProgramLog:
    """One log, open for writing. All its methods raise `LogFailed` if the file cannot be written."""

    def __init__(self, path: Path) -> None:
        """Open the file, or make it; what is in it stays, as far as it goes on to be the beginning or the end."""
        self._path = path
        self._left_out = 0
        self._tail = bytearray()
        self._silent: dict[str, str] = {}  # games that have begun, and in which nothing was written so far
        try:
            self._file = path.open("ab+")
            size = self._file.seek(0, os.SEEK_END)
            self._room = max(0, HEAD - size)
            self._file.seek(min(size, HEAD))
            rest = self._file.read(2 * TAIL)
            self._file.seek(max(0, size - 1))
            self._in_line = self._file.read(1) not in (b"", b"\n")
        except OSError as error:
            raise self._failed(error) from None
        if cut := LEFT_OUT.match(rest):
            self._left_out = int(cut[1])
        self._tail += rest[cut.end() if cut else 0 :]

    def write(self, data: bytes | bytearray) -> None:
        """What the program has written."""
        for text in self._silent.values():
            self._line(text)
        self._silent.clear()
        self._put(data)

    def note(self, text: str) -> None:
        """A line of ours; the program's author reads it."""
        if not self._file.closed:
            self.write(b"")
            self._line(text)

    def begins(self, game: str, text: str) -> None:
        """A game begins, which this line says if anything is written in it."""
        self._silent[game] = text

    def ends(self, game: str, text: str) -> None:
        """A game ends, which this line says if anything was written since it began."""
        if self._silent.pop(game, None) is None and not self._file.closed:
            self._line(text)

    def close(self) -> None:
        """Write down the end, and close the file."""
        self._left_out += max(0, len(self._tail) - TAIL)
        told = b"\n[%d bytes are left out]\n" % self._left_out if self._left_out else b""
        try:
            with self._file:
                if self._tail:
                    self._file.truncate(HEAD)
                    self._file.write(told + self._tail[-TAIL:])
        except OSError as error:
            raise self._failed(error) from None

    def _line(self, text: str) -> None:
        self._put(b"%s[%s]\n" % (b"\n" if self._in_line else b"", text.encode(errors="replace")))

    def _put(self, data: bytes | bytearray) -> None:
        if not data:
            return
        try:
            self._file.write(data[: self._room])
            self._file.flush()
        except OSError as error:
            raise self._failed(error) from None
        self._in_line = not data.endswith(b"\n")
        self._tail += data[self._room :]
        self._room = max(0, self._room - len(data))
        if len(self._tail) > 2 * TAIL:
            self._left_out += len(self._tail) - TAIL
            del self._tail[:-TAIL]

    def _failed(self, error: OSError) -> LogFailed:
        return LogFailed(f"{self._path} cannot be written: {error.strerror or error}; {REMEDY}")
