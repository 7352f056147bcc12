"""What a command refuses, as click prints it: one sentence on stderr, and the exit code.

The message quotes the offending value and tells the remedy.
"""

from __future__ import annotations

import click


class InputError(click.ClickException):
    """The call is well formed, but what it names is wrong or is not there."""

    exit_code = 2


class CheckFailed(click.ClickException):
    """The call was right, but what it checked or ran did not hold."""

    exit_code = 1
