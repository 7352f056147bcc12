"""What can go wrong on the wire, one branch for each party to blame, and how values are quoted in it.

A `ProtocolError` is the peer's fault and is told to the peer; a `LocalError` is our own and is not. Every
text is one sentence with the value and the remedy.
"""

from __future__ import annotations

import json
from datetime import date, time
from typing import Final

from protocol.codes import ErrorCode

QUOTED: Final = 40  # characters of an offending text that an error shows: enough to recognise it
DIGITS: Final = 20  # digits of an offending number that an error shows: those of the largest seed


class ProtocolError(Exception):
    """The peer broke the protocol; nothing has changed because of what it sent.

    `code` is of the closed set, `expected` says what would have been right. `game` and `id` tell which
    request the bad line tried to answer, where that can be read from it: the referee counts it as a try.
    """

    def __init__(
        self,
        code: ErrorCode,
        text: str,
        *,
        expected: str | None = None,
        game: str | None = None,
        id: int | None = None,
    ) -> None:
        super().__init__(text)
        self.code = code
        self.text = text
        self.expected = expected
        self.game = game
        self.id = id


class FramingError(ProtocolError):
    """The bytes do not come apart into lines."""


class ReadError(ProtocolError):
    """The line is not a JSON object as RFC 8259 and this protocol want it."""


class MessageError(ProtocolError):
    """The object is not one of the messages."""


class PhaseError(ProtocolError):
    """The message is well formed, but not legal in the present state of the connection."""


class LocalError(ValueError):
    """We tried to send what the protocol forbids; the sender's program is wrong, not the peer."""


def printable(text: str) -> str:
    """The text with every character that is not printable as an escape (controls, line ends, bidi marks)."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


def quote(value: object) -> str:
    """An offending value as printable ASCII, short enough for a sentence; containers are only named."""
    match value:
        case None | bool():
            return json.dumps(value)
        case str():
            shown = json.dumps(value[:QUOTED])
            return shown if len(value) <= QUOTED else f"{shown}... ({len(value):,} characters)"
        case int():
            digits = str(value)
            return digits if len(digits) <= DIGITS + 1 else f"{digits[:DIGITS]}... ({len(digits):,} digits)"
        case float():
            return repr(value)
        case date() | time():  # which TOML has
            return value.isoformat()
        case list() | tuple():
            return f"a list of {len(value)}"
        case _:
            return "an object"
