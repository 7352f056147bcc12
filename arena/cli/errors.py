"""What a command refuses, as click prints it: one sentence on stderr, and the exit code.

The message quotes the offending value and tells the remedy. Values come from files, programs and servers, so
whatever could move a terminal's cursor is escaped here, and a long one is cut (S067).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import click

LONGEST: Final = 5000  # characters: room for the longest path and a sentence
QUOTED: Final = 80  # characters of a word that click quotes: enough to find it on the command line
WORD: Final = re.compile(r"[^ \t\n]+")


class OneSentence(click.ClickException):
    """An error that stays on one line of the terminal."""

    def format_message(self) -> str:
        text = _printable(self.message)
        return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


class InputError(OneSentence):
    """The call is well formed, but what it names is wrong or is not there."""

    exit_code = 2


class CheckFailed(OneSentence):
    """The call was right, but what it checked or ran did not hold."""

    exit_code = 1


@contextmanager
def short_words() -> Iterator[None]:
    """What click itself says of the command line stays readable, whatever stood there."""
    try:
        yield
    except click.UsageError as error:
        text = error.format_message()
        shown = WORD.sub(_cut, text)
        if shown != text:
            raise click.UsageError(shown, error.ctx) from None
        raise


def _cut(match: re.Match[str]) -> str:
    word = _printable(match[0])
    if len(word) <= QUOTED:
        return word
    end = word[len(word.rstrip("'\").,;:")) :]  # the quotes are click's
    return f"{word[:QUOTED]}...{end}"


def _printable(text: str) -> str:
    from protocol.errors import printable  # half of the time of a start, and most calls need no error

    return printable(text)
