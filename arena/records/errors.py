"""What can go wrong with a record: one class for what is read, one for what is written."""

from __future__ import annotations


class RecordError(ValueError):
    """A record cannot be read or does not hold; one sentence that names the line, counted from 1, if it is one."""

    def __init__(self, what: str, line: int | None = None) -> None:
        super().__init__(what if line is None else f"line {line}: {what}")
        self.line = line


class UnreadableRecord(RecordError):
    """There is no such file, or it cannot be read; nothing is said about what stands in it."""


class JournalError(OSError):
    """A line of a record could not be written, or the file could not be opened for it; one sentence."""


def reason_of(error: OSError | ValueError) -> str:
    """What an error of the operating system says, without its number and path."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
