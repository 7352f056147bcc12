"""Bytes in, lines out: `LineBuffer` takes a stream apart. What stands in a line is not its business.

A line ends with `\\n` or `\\r\\n`; blank lines are skipped; chunks may be cut anywhere. The limit holds
before the line end has arrived, so that a peer cannot fill the memory (S078).
"""

from __future__ import annotations

import re
from typing import Final

from protocol.codes import ErrorCode
from protocol.errors import FramingError

MAX_CLIENT_LINE: Final = 64 * 1024
"""Bytes. The longest legal client line has under 5 kB; the rest is for telling a wrong one what is wrong."""

MAX_SERVER_LINE: Final = 4 * 1024 * 1024
"""Bytes. A view of a late game with six players has under 100 kB, a full list of games under 3 MB."""

_BLANK: Final = b" \t\r"
_BLANK_LINES: Final = re.compile(rb"(?:[ \t\r]*+\n)*+")


class LineTooLong(FramingError):
    """A line is over the limit. It is raised once for each such line, which is lost; the next one is not."""

    def __init__(self, max_line: int) -> None:
        super().__init__(
            ErrorCode.LINE_TOO_LONG,
            f"a line is over the limit of {max_line:,} bytes; end each message with a newline",
            expected=f"at most {max_line} bytes before the newline",
        )


class LineBuffer:
    """Takes a stream of bytes apart into lines.

    Call `receive_data` with each chunk and then `next_line` until it returns None. Between the chunks the
    buffer holds at most `max_line` + 1 bytes. The cost is linear in the bytes received, however they are
    cut, because no byte is searched twice.
    """

    def __init__(self, max_line: int) -> None:
        self.max_line = max_line
        self._data = bytearray()
        self._searched = 0  # no line end before this index
        self._skipping = False  # inside a line that was too long

    def __len__(self) -> int:
        """Bytes of the line that has begun and not ended."""
        return len(self._data)

    def receive_data(self, data: bytes | bytearray | memoryview) -> None:
        """Add what has arrived."""
        self._data += data

    def next_line(self) -> bytes | None:
        """The next line, without its end, or None until more data has arrived.

        Raises `LineTooLong` as soon as more than `max_line` bytes have come without a line end. Who calls
        again goes on after the end of that line; the rest of it takes no memory.
        """
        data = self._data
        while True:
            end = data.find(b"\n", self._searched)
            if end < 0:
                self._check_unfinished()
                return None
            line = bytes(data[:end])
            del data[: end + 1]
            self._searched = 0
            if self._skipping:
                self._skipping = False
                continue
            if line.endswith(b"\r"):
                line = line[:-1]
            if len(line) > self.max_line:
                raise LineTooLong(self.max_line)
            if line.strip(_BLANK):
                return line
            del data[: self._blank_lines()]

    def _blank_lines(self) -> int:
        """Bytes of the blank lines that come next: skipped in one piece, since a chunk may be full of them."""
        blank = _BLANK_LINES.match(self._data)
        return blank.end() if blank is not None else 0

    def _check_unfinished(self) -> None:
        data = self._data
        if self._skipping:
            data.clear()
            return
        self._searched = len(data)
        if len(data) > self.max_line + data.endswith(b"\r"):
            self._skipping = True
            self._searched = 0
            data.clear()
            raise LineTooLong(self.max_line)
