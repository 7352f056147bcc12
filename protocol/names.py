"""Names of players: what may be one, and when two are too much alike.

A name has 1 to 32 visible characters of any script; single blanks may stand inside. Two names with the
same `name_key` count as one, so that nobody can play under another's name in capitals, in full-width
letters or with a Cyrillic "a" (S077). What a name may do to a page or a path is the user's business: it
is text, shown escaped and never used as a file name (S072, S073).
"""

from __future__ import annotations

import unicodedata
from typing import Final

from protocol.errors import quote

MAX_NAME: Final = 32  # fits a column of a standings table
MAX_MARKS: Final = 2  # accents stacked on one letter; real scripts need two, more run over other lines
NAME_RULE: Final = f"1 to {MAX_NAME} visible characters"

_REFUSED: Final = {
    "Cc": "a control character",
    "Cf": "an invisible formatting character",  # bidi controls, zero-width characters, tags
    "Cs": "half of a surrogate pair",
    "Co": "a private character",
    "Cn": "an unassigned character",
    "Zl": "a line separator",
    "Zp": "a paragraph separator",
    "Zs": "a special blank",  # all but U+0020, which is allowed
}

_BLANK: Final = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
    + "".join(map(chr, range(0xFE00, 0xFE10)))
    + "".join(map(chr, range(0xE0100, 0xE01F0)))
)
"""Letters, marks and symbols that show nothing (Unicode's Default_Ignorable, and the empty Braille cell)."""

_ALIKE: Final = str.maketrans(
    # Cyrillic, Greek and odd Latin letters, in lower case, that look Latin as small letters or as capitals.
    "авеікмнорстухԁһјѕԛԝүѵ" + "αβεζηικμνορτυχϲϳγ" + "ıɑɡ",  # noqa: RUF001
    "abeikmhopctyxdhjsqwyv" + "abezhikmvoptyxcjy" + "iag",
)


class NameRefused(ValueError):
    """The text is no name; the sentence says which character is wrong and where."""


def check_name(text: str) -> str:
    """Return the name as it is to be shown (NFC), or raise `NameRefused`."""
    if len(text) > 4 * MAX_NAME:  # before any work on it: even decomposed it is too long
        raise _refused(text, f"has {len(text):,} characters")
    name = unicodedata.normalize("NFC", text)
    if not name:
        raise _refused(text, "is empty")
    if len(name) > MAX_NAME:
        raise _refused(text, f"has {len(name)} characters")
    marks = 0
    for place, char in enumerate(name, 1):
        category = unicodedata.category(char)
        if char in _BLANK or (category in _REFUSED and char != " "):
            what = _REFUSED.get(category, "an invisible character")
            raise _refused(text, f"has {what}, U+{ord(char):04X}, at position {place}")
        marks = marks + 1 if category.startswith("M") else 0
        if marks > MAX_MARKS or marks == place:
            raise _refused(text, f"has a mark without a letter of its own at position {place}")
    if name != name.strip(" "):
        raise _refused(text, "begins or ends with a blank")
    if "  " in name:
        raise _refused(text, "has two blanks in a row")
    return name


def name_key(text: str) -> str:
    """What two names are compared by: equal keys mean one name. Takes any text, also one that is no name."""
    key = unicodedata.normalize("NFKD", text).casefold()
    key = unicodedata.normalize("NFKD", key).translate(_ALIKE)  # decomposed, so that accents stay accents
    return " ".join(unicodedata.normalize("NFKC", key).split())


def _refused(text: str, why: str) -> NameRefused:
    return NameRefused(f"the name {quote(text)} {why}; use {NAME_RULE}")
