"""Reads a record from a file: limits, the chain, the form of each line, and that they follow each other.

That the choices are legal and lead to the result is checked in `replay`.
"""

from __future__ import annotations

from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import Final

from arena.records.errors import RecordError, UnreadableRecord, reason_of
from arena.records.form import DIGEST_EVERY, Choice, Header, Outcome
from arena.records.lines import MAX_LINE, START, ends_in_hash, unseal
from arena.regular import open_regular

MAX_RECORD: Final = 64 * 1024 * 1024
"""Bytes. The longest game that can be thought of, 100,000 choices of 300 bytes, has half of it."""


@dataclass(frozen=True, slots=True)
class Record:
    """All that a file says of one game. `result` is None while the game is not finished."""

    header: Header
    choices: tuple[Choice, ...]
    result: Outcome | None
    hash: str  # of the last line; whoever keeps it can tell later whether the record is still the same
    size: int  # bytes of the whole lines
    torn: int = 0  # bytes after them: the beginning of a line, which has no newline

    @property
    def lines(self) -> int:
        """Number of whole lines."""
        return 1 + len(self.choices) + (self.result is not None)


def read_record(path: Path) -> Record:
    """Read a record; raises `RecordError`, one sentence, for a file that is none or has been changed.

    A record without a result is one of a game that is being played, or was cut at the end of a line: `verify`
    refuses it.
    """
    try:
        with open(open_regular(path, pipes=True), "rb") as file:
            record = read_lines(file)
    except RecordError:
        raise
    except (OSError, ValueError) as error:  # ValueError: a path that no file can have
        raise UnreadableRecord(f"cannot be read: {reason_of(error)}") from None
    if record.torn:
        raise RecordError(
            "the line is torn: it is the last and has no newline; if its server was killed, start that again:"
            " it cuts the line and goes on with the game",
            record.lines + 1,
        )
    return record


def read_lines(file: BufferedReader) -> Record:
    """Read from the first line to the end of the file; a torn last line is told, not refused."""
    header: Header | None = None
    choices: list[Choice] = []
    result: Outcome | None = None
    link = START
    size = torn = 0
    while line := file.readline(MAX_LINE + 1):
        number = (header is not None) + len(choices) + (result is not None) + 1
        if not line.endswith(b"\n"):
            if ends_in_hash(line[:-1]) and not line.endswith(b"\0"):
                raise RecordError("what stands after its hash is no newline; this line was changed", number)
            torn = torn_bytes(line, file)
            if torn:
                break
        if len(line) > MAX_LINE:
            raise RecordError(f"the line is over the limit of {MAX_LINE:,} bytes; no record has one", number)
        if size + len(line) > MAX_RECORD:
            raise RecordError(
                f"the file is over the limit of {MAX_RECORD:,} bytes; no game is so long", number
            )
        if result is not None:
            raise RecordError("there is a line after the result; nothing may follow it", number)
        fields, link = unseal(link, line[:-1], number)
        size += len(line)
        if header is None:
            header = Header.from_json(fields, number)
        elif fields.get("type") == "result":
            result = Outcome.from_json(fields, number)
            check_result(result, header, len(choices), number)
        else:
            choices.append(Choice.from_json(fields, number))
            check_choice(choices[-1], len(choices), header, number)
    if header is None:
        what = "its first line is torn or is no header" if torn else "the file is empty"
        raise RecordError(f"{what}; a record begins with a whole header", 1 if torn else None)
    return Record(header, tuple(choices), result, link, size, torn)


def torn_bytes(line: bytes, file: BufferedReader) -> int:
    """How long the last line of a file is that `line` begins, which has no newline; 0 if it is not torn, but too long.

    A killed writer leaves the beginning of a line. A power cut may leave any number of NULs instead, or after it, where
    the file system had made room for lines that never reached the disk.
    """
    torn = len(line)
    if torn <= MAX_LINE:
        return torn
    piece = line[-1:]
    while not piece.strip(b"\0") and torn <= MAX_RECORD:
        piece = file.read(MAX_LINE)
        if not piece:
            return torn
        torn += len(piece)
    return 0


def check_choice(choice: Choice, number: int, header: Header, line: int) -> None:
    """Whether a choice can be the one with this number, from 1."""
    if choice.number != number:
        raise RecordError(f"it is choice {choice.number}, but choice {number} comes next", line)
    if choice.seat >= header.options.players:
        raise RecordError(f"there is no seat {choice.seat} in a game of {header.options.players}", line)
    if bool(choice.digest) != (number % DIGEST_EVERY == 0):
        raise RecordError(f"a digest stands in every {DIGEST_EVERY}th choice and in no other", line)


def check_result(result: Outcome, header: Header, choices: int, line: int) -> None:
    """Whether a result belongs to what stands before it."""
    if result.choices != choices:
        raise RecordError(f"the result counts {result.choices} choices, but {choices} stand before it", line)
    if len(result.reasons) != header.options.players:
        raise RecordError(
            f"the result has {len(result.reasons)} seats, but {header.options.players} play", line
        )
