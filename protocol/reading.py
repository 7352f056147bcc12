"""One line of bytes to one JSON object, read strictly: what two readers could take differently is refused.

What the fields of the object mean is not known here; see `parsing`.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any, Final

from protocol.codes import ErrorCode
from protocol.errors import ReadError, quote

MAX_DEPTH: Final = 16  # a `join` with its rules and clock nests 3 deep; deep enough for future versions
MAX_KEYS: Final = 64  # in one object; the largest message has 9, and each unknown one costs an error
MAX_MARKS: Final = (
    1000  # , " [ and { of one line: an honest one has under 600, all in texts; each may cost 1 us
)
MAX_DIGITS: Final = 100  # in one number; the largest seed has 20, and converting costs their square

OBJECT: Final = "one JSON object"
SECRETS: Final = ("token", "resume")
"""Fields that no error may quote (S071)."""

_STRINGS: Final = re.compile(rb'"(?:[^"\\]|\\.)*+"?', re.DOTALL)  # the end may lack: each byte is met once
_MARKS: Final = (b",", b'"', b"[", b"{")
_NO_BRACKETS: Final = bytes(set(range(256)) - set(b"[]{}"))
_SURROGATES: Final = re.compile("[\ud800-\udfff]")


def read_object(line: bytes) -> dict[str, Any]:
    """Return the object that `line` holds, or raise `ReadError`."""
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ReadError(
            ErrorCode.NOT_UTF8,
            f"the line is not UTF-8: byte 0x{line[error.start]:02x} at position {error.start + 1} is wrong;"
            " encode the whole line as UTF-8",
            expected="UTF-8",
        ) from None
    _check_size(line)
    _check_depth(line)
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise _not_json(text, error) from None
    except _Refused as refused:
        shown = refused.code is ErrorCode.DUPLICATE_KEY or not _has_secret(text)
        raise ReadError(refused.code, refused.sentence(shown), expected=refused.expected) from None
    if type(value) is not dict:
        raise ReadError(
            ErrorCode.NOT_OBJECT,
            f'the line is {quote(value)}, not an object; send an object like {{"type":"list"}}',
            expected=OBJECT,
        )
    if "\\u" in text:
        _check_surrogates(value)
    return value


def _check_size(line: bytes) -> None:
    """Refuse what has too many parts before anything is made of them: bytes are counted far faster than read."""
    marks = sum(map(line.count, _MARKS))
    if marks > MAX_MARKS:
        _check_depth(line[:MAX_MARKS])  # which says more about a line that is nothing but brackets
        raise ReadError(
            ErrorCode.BAD_VALUE,
            f"the line has {marks:,} commas, quotation marks and opening brackets; no message needs more than"
            f" {MAX_MARKS:,}",
            expected=f"at most {MAX_MARKS} of these",
        )


def _check_depth(line: bytes) -> None:
    """Refuse what is nested too deep before a recursive reader meets it (S074)."""
    if line.count(b"[") + line.count(b"{") <= MAX_DEPTH:
        return
    depth = 0
    for bracket in _STRINGS.sub(b"", line).translate(None, _NO_BRACKETS):
        depth += 1 if bracket in b"[{" else -1
        if depth > MAX_DEPTH:
            raise ReadError(
                ErrorCode.TOO_DEEP,
                f"the line nests lists and objects more than {MAX_DEPTH} deep; no message needs that",
                expected=f"at most {MAX_DEPTH} levels",
            )


def _check_surrogates(value: Any) -> None:
    if isinstance(value, str):
        if _SURROGATES.search(value):
            raise ReadError(
                ErrorCode.NOT_UTF8,
                "the line has half of a surrogate pair as a \\u escape; write both halves or the character",
                expected="UTF-8",
            )
    elif isinstance(value, dict):
        for key, inner in value.items():
            _check_surrogates(key)
            _check_surrogates(inner)
    elif isinstance(value, list):
        for inner in value:
            _check_surrogates(inner)


def _has_secret(text: str) -> bool:
    return any(name in text for name in SECRETS)


def _not_json(text: str, error: json.JSONDecodeError) -> ReadError:
    where = f"{error.msg.removesuffix(' at')} at character {error.pos + 1}"
    if not _has_secret(text):
        where += f", before {quote(text[error.pos :])}" if error.pos < len(text) else ", the end"
    return ReadError(
        ErrorCode.NOT_JSON, f"the line is not JSON: {where}; send one JSON object per line", expected=OBJECT
    )


class _Refused(Exception):
    """A hook of the decoder met something that is JSON for Python, but not for us."""

    def __init__(self, code: ErrorCode, value: str, what: str, expected: str) -> None:
        super().__init__(what)
        self.code = code
        self.value = value
        self.what = what
        self.expected = expected

    def sentence(self, shown: bool) -> str:
        return f"{quote(self.value) if shown else 'a value (not shown)'} {self.what}"


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _Refused(
                    ErrorCode.DUPLICATE_KEY, key, "is a duplicate key; give each key once", "each key once"
                )
            seen.add(key)
    if len(pairs) > MAX_KEYS:
        raise _Refused(
            ErrorCode.UNKNOWN_FIELD,
            pairs[MAX_KEYS][0],
            f"is one field too many: no object has more than {MAX_KEYS}, and this one has {len(pairs):,}",
            f"at most {MAX_KEYS} fields",
        )
    return value


def _bad_number(token: str, what: str) -> _Refused:
    return _Refused(ErrorCode.BAD_NUMBER, token, what, "a finite number")


def _check_digits(token: str) -> None:
    if len(token) > MAX_DIGITS:
        raise _bad_number(token, f"is too long for a number; write at most {MAX_DIGITS} digits")


def _integer(token: str) -> int:
    _check_digits(token)
    return int(token)


def _float(token: str) -> float:
    _check_digits(token)
    value = float(token)
    if math.isinf(value):
        raise _bad_number(token, "is too large for a number; write a finite one")
    if value == 0 and token[0] == "-":
        raise _bad_number(token, "is a negative zero; write 0")
    return value


def _constant(token: str) -> float:
    raise _bad_number(token, "is not a number in JSON; write a finite one")


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_integer, parse_float=_float, parse_constant=_constant
)
