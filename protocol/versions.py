"""The version of the protocol, and which versions understand each other.

The major number changes when an old client would misread something; the minor one when message types or
optional fields are added. Values are never added to a closed set (codes, reasons) without a new major.
"""

from __future__ import annotations

import re
from typing import Final

from protocol.errors import quote

MAJOR: Final = 1
MINOR: Final = 0
PROTOCOL: Final = f"{MAJOR}.{MINOR}"
"""What `hello` and `welcome` carry: the text "major.minor"."""

_FORM: Final = re.compile(r"([1-9][0-9]{0,3}|0)\.([1-9][0-9]{0,3}|0)")


class VersionRefused(ValueError):
    """The peer speaks another major version; the sentence names both."""


def check_version(text: str) -> str:
    """Return `text` if it is a version that this one understands, else raise `VersionRefused`.

    Any minor version of the same major is understood (S005).
    """
    form = _FORM.fullmatch(text)
    if form is None or int(form[1]) != MAJOR:
        raise VersionRefused(version_sentence(quote(text)))
    return text


def version_sentence(given: str) -> str:
    """Why a handshake fails; `given` says what the peer sent."""
    return f'the protocol version is {given}, but this side speaks "{PROTOCOL}"; use "{MAJOR}.x"'
