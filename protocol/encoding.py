"""Messages out, bytes out: one line of compact JSON each, readable by the strictest parser.

Models go through `encode`. The two messages that a server sends all the time have functions that take
plain values, which spares the check of what the server has just made itself; tests hold them to the bytes
of the models.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from pydantic_core import PydanticSerializationError, to_json

from protocol.errors import LocalError
from protocol.fields import Part
from protocol.framing import MAX_SERVER_LINE

# Line ends for some readers of lines (JavaScript's readline, Python's splitlines), though not for us.
_LINE_ENDS: Final = (
    (b"\xc2\x85", b"\\u0085"),
    (b"\xe2\x80\xa8", b"\\u2028"),
    (b"\xe2\x80\xa9", b"\\u2029"),
)


def encode(message: Part) -> bytes:
    """The line of a message, with its newline. Fields that are None are left out.

    Raises `LocalError` for what JSON cannot carry (NaN, infinities, half surrogate pairs) and for a line
    over `MAX_SERVER_LINE`.
    """
    return _line(encode_value(message))


def encode_value(value: object) -> bytes:
    """JSON of a plain value, on one line and without a newline; raises `LocalError` as `encode` does.

    An event that goes to many is encoded once with it and then given to `events_line`.
    """
    try:
        data = to_json(value, exclude_none=isinstance(value, Part))
        if b"NaN" in data or b"Infinity" in data:  # in a text, or the numbers that JSON does not have
            json.dumps(value.model_dump() if isinstance(value, Part) else value, allow_nan=False)
    except (PydanticSerializationError, ValueError) as error:
        raise LocalError(f"the message cannot be sent as JSON: {error}; send plain finite values") from None
    if not data.isascii():
        for end, escape in _LINE_ENDS:
            data = data.replace(end, escape)
    return data


def events_line(game: str, first: int, events: Sequence[bytes]) -> bytes:
    """The line of `Events`; `events` are encoded values, so that each is encoded once for all who get it."""
    return _line(
        b'{"type":"events","game":%b,"first":%d,"events":[%b]}' % (to_json(game), first, b",".join(events))
    )


def request_line(
    game: str,
    id: int,
    kind: str,
    options: Sequence[str],
    default: int,
    *,
    move: float,
    bank: float,
    view: Mapping[str, Any] | None = None,
    sample: Mapping[str, Any] | None = None,
) -> bytes:
    """The line of `Request`.

    `move` and `bank` are the seconds left; they are shown to the millisecond and never below zero (S009).
    """
    message = {
        "type": "request",
        "game": game,
        "id": id,
        "kind": kind,
        "options": options,
        "default": default,
        "clock": {"move": max(0.0, round(move, 3)), "bank": max(0.0, round(bank, 3))},
    }
    if view is not None:
        message["view"] = view
    if sample is not None:
        message["sample"] = sample
    return _line(encode_value(message))


def _line(data: bytes) -> bytes:
    if len(data) > MAX_SERVER_LINE:
        raise LocalError(
            f"the message has {len(data):,} bytes, over the limit of {MAX_SERVER_LINE:,}; send less at once"
        )
    return data + b"\n"
