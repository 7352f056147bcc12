"""What a command refuses, as click prints it: one sentence on stderr, and the exit code.

The message quotes the offending value and tells the remedy. Values come from files, programs and servers, so
whatever could move a terminal's cursor is escaped here, and a long one is cut (S067).
"""

from __future__ import annotations

from typing import Final

import click

from protocol.errors import printable

LONGEST: Final = 5000  # characters: room for the longest path and a sentence


class OneSentence(click.ClickException):
    """An error that stays on one line of the terminal."""

    def format_message(self) -> str:
        text = printable(self.message)
        return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


class InputError(OneSentence):
    """The call is well formed, but what it names is wrong or is not there."""

    exit_code = 2


class CheckFailed(OneSentence):
    """The call was right, but what it checked or ran did not hold."""

    exit_code = 1
