"""One line of a record: strict JSON in ASCII, and a link of the chain. What the fields mean is told in `form`.

A line ends with `,"hash":"H"}` and a newline. H is the SHA-256, in hex, of the H of the line before (for the
first line `START`) followed by the bytes of this line up to `,"hash"`. So the chain can be checked with
nothing but a hash function, and without an agreement on how JSON is to be written.
"""

from __future__ import annotations

import json
import re
from hashlib import sha256
from typing import Any, Final

from arena.records.errors import RecordError
from protocol.errors import ReadError
from protocol.reading import read_object

START: Final = "0" * 64
"""What stands for the hash of the line before the first."""

MAX_LINE: Final = 64 * 1024
"""Bytes with the newline. A choice takes under 600; a header with six long names and its tags under 20,000."""

_ENCODER: Final = json.JSONEncoder(separators=(",", ":"), allow_nan=False)
_TAIL: Final = re.compile(rb',"hash":"([0-9a-f]{64})"\}\Z')
_TAIL_LENGTH: Final = len(',"hash":"') + 64 + len('"}')


def seal(previous: str, fields: dict[str, Any]) -> tuple[bytes, str]:
    """The line of `fields`, with its newline, that follows the line with the hash `previous`; and its hash."""
    body = _ENCODER.encode(fields)[:-1].encode("ascii")
    link = sha256(previous.encode("ascii") + body).hexdigest()
    return b'%b,"hash":"%b"}\n' % (body, link.encode("ascii")), link


def unseal(previous: str, line: bytes, number: int) -> tuple[dict[str, Any], str]:
    """The fields of a line without its newline, and its hash; raises `RecordError` if the chain breaks here."""
    tail = _TAIL.search(line, max(0, len(line) - _TAIL_LENGTH))
    if tail is None:
        raise RecordError('the line does not end in its hash, ,"hash":"64 hex digits"}', number)
    body = line[:-_TAIL_LENGTH]
    link = tail[1].decode("ascii")
    expected = sha256(previous.encode("ascii") + body).hexdigest()
    if link != expected:
        raise RecordError(
            f"its hash is {link}, but the line and the hash before it give {expected};"
            " this line was changed, or one before it was added, removed or moved",
            number,
        )
    if not line.isascii():
        raise RecordError("the line is not ASCII; a record writes other characters as \\u escapes", number)
    try:
        fields = read_object(line)
    except ReadError as error:
        raise RecordError(error.text, number) from None
    del fields["hash"]
    return fields, link


def ends_in_hash(line: bytes) -> bool:
    """Whether this may be a whole line, without its newline."""
    return _TAIL.search(line, max(0, len(line) - _TAIL_LENGTH)) is not None
