"""Follows a record while it is being written, from its first line to its result.

    following = Following(path)
    following.header
    following.more(100)        # the next choices, as far as they are there; again later for what is added

The chain and the form of each line are checked as `reading` does; a line that is not whole yet is left for
the next look.
"""

from __future__ import annotations

import os
from pathlib import Path

from arena.records.errors import RecordError, UnreadableRecord, reason_of
from arena.records.form import Choice, Header, Outcome
from arena.records.lines import MAX_LINE, START, unseal
from arena.records.reading import MAX_RECORD, check_choice, check_result
from arena.regular import open_regular


class Following:
    """The open end of a record, for a reader. `result` is None until it has been read."""

    def __init__(self, path: Path) -> None:
        """Raises `RecordError` if there is no whole header."""
        try:
            self._file = os.fdopen(open_regular(path), "rb")
        except (OSError, ValueError) as error:  # ValueError: a path that no file can have
            raise UnreadableRecord(f"cannot be read: {reason_of(error)}") from None
        self.choices = 0  # read so far
        self.result: Outcome | None = None
        self._link = START
        self._lines = 0
        self._size = 0
        try:
            line = self._line()
            if line is None:
                raise RecordError("it has no whole header; a record begins with one", 1)
            self.header = Header.from_json(line, 1)
        except BaseException:
            self._file.close()
            raise

    def more(self, limit: int) -> list[Choice]:
        """At most `limit` choices that have not been read before; raises `RecordError`."""
        found: list[Choice] = []
        while len(found) < limit and self.result is None:
            fields = self._line()
            if fields is None:
                break
            number = self._lines
            if fields.get("type") == "result":
                self.result = Outcome.from_json(fields, number)
                check_result(self.result, self.header, self.choices, number)
            else:
                choice = Choice.from_json(fields, number)
                self.choices += 1
                check_choice(choice, self.choices, self.header, number)
                found.append(choice)
        return found

    def close(self) -> None:
        """Close the file; nothing more can be read."""
        self._file.close()

    def _line(self) -> dict[str, object] | None:
        """The fields of the next whole line, or None."""
        try:
            line = self._file.readline(MAX_LINE + 1)
            if not line.endswith(b"\n") and len(line) <= MAX_LINE:
                self._file.seek(self._size)
                return None
        except OSError as error:
            raise UnreadableRecord(f"cannot be read: {reason_of(error)}") from None
        number = self._lines + 1
        if len(line) > MAX_LINE:
            raise RecordError(f"the line is over the limit of {MAX_LINE:,} bytes; no record has one", number)
        self._size += len(line)
        if self._size > MAX_RECORD:
            raise RecordError(
                f"the file is over the limit of {MAX_RECORD:,} bytes; no game is so long", number
            )
        fields, self._link = unseal(self._link, line[:-1], number)
        self._lines = number
        return fields
