"""`arena bridge`: a program that reads stdin and writes stdout plays on a server."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from arena.cli.bot import PLAYING_OPTIONS, playing_settings, with_options
from arena.cli.errors import CheckFailed, InputError
from arena.cli.numbers import Decimal
from arena.cli.paths import Place


@click.command(name="bridge", context_settings={"ignore_unknown_options": True})
@with_options(PLAYING_OPTIONS)
@click.option("--no-views", is_flag=True, help="Leave the view out of the requests.")
@click.option(
    "--samples", is_flag=True, help="Have a sampled game in the requests, for programs that search."
)
@click.option("--stderr", type=Place(dir_okay=False), help="File for the program's stderr.")
@click.option(
    "--start",
    type=Decimal(0.1, 86400),
    metavar="SECONDS",
    help="Wait so long for a first line of the program, and log in then, for one that loads for long; without it the"
    " program is ready when it has read its first line.",
)
@click.argument("program", nargs=-1, required=True, type=click.UNPROCESSED, metavar="-- COMMAND...")
def command(
    name: str | None,
    no_views: bool,
    samples: bool,
    stderr: Path | None,
    start: float | None,
    program: tuple[str, ...],
    **options: Any,
) -> None:
    """Let COMMAND play: it gets one JSON line for each message and answers a request with one line.

    Its answer is the index of an option, or the option's text. After a wrong one it gets the error and, while it has
    tries left, the same request again. A bot written for `clients.run` does all this by itself. The program's stderr
    goes to yours, or to a file, which gets a megabyte of it at most.
    Its name is that of the program unless one is given.

    Exit code: 0 after its games or when the server stops, 1 if it cannot play or the program ends before, 2 if
    the program cannot be started or its stderr not kept, 128 and the number of the signal that ended the bridge. A
    signal ends the program in order, too; a bridge that is killed closes the program's stdin, at whose end it should
    end by itself.
    """
    from functools import partial

    import trio

    from arena.cli.stopping import unless_stopped
    from clients import Refused, Unreachable
    from clients.bridge import bridge
    from clients.program_log import LogFailed

    if program[0].startswith("--"):
        raise InputError(f"there is no option {program[0]}; if it is your program, write ./{program[0]}")
    settings = playing_settings(
        name=name or Path(program[0]).stem, views=not no_views, samples=samples, **options
    )
    failures: list[str] = []
    told: list[str] = []
    try:
        stopped = trio.run(
            unless_stopped,
            partial(
                bridge,
                settings,
                program,
                stderr=stderr,
                ready=start,
                failed=failures.append,
                done=told.append,
            ),
        )
    except* (Refused, Unreachable) as group:
        raise CheckFailed(str(group.exceptions[0])) from None
    except* LogFailed as group:
        raise InputError(str(group.exceptions[0])) from None
    except* OSError as group:
        raise InputError(f"{program[0]} cannot be started: {_why(group.exceptions[0], program[0])}") from None
    if stopped:
        sys.exit(stopped)
    if failures:
        raise CheckFailed(failures[0])
    for line in told:
        click.echo(line, err=True)


def _why(error: BaseException, program: str) -> str:
    """Without Python's error number, and without the program's own name, which stands before it."""
    if not isinstance(error, OSError) or not error.strerror:
        return str(error)
    about = "" if error.filename in (None, program) else f": {error.filename}"
    return f"{error.strerror}{about}"
