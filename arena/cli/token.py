"""`arena token`: the file of tokens, as `arena serve --tokens FILE` reads it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.errors import InputError
from arena.cli.numbers import Decimal
from arena.cli.paths import Place

if TYPE_CHECKING:
    from arena.server.tokens import Entry, TokenFile

ROLES = ("player", "organiser", "spectator")

FILE = click.option(
    "--file",
    type=Place(dir_okay=False),
    default=Path("tokens"),
    show_default=True,
    help="The file of tokens.",
)


@click.group(name="token")
def command() -> None:
    """Bind names to secret tokens. Only a hash of each is stored; a running server reads changes by itself."""


@command.command(name="create")
@click.argument("name")
@click.option(
    "--role",
    type=click.Choice(ROLES),
    default="player",
    show_default=True,
    help="organiser: also names seeds and watches where others may not; spectator: only watches.",
)
@click.option("--days", type=Decimal(0.01, 36500), help="How long it holds; else for ever.")
@FILE
def create(name: str, role: str, days: float | None, file: Path) -> None:
    """Make a token for NAME and print it; it is shown this once.

    Exit code: 2 if NAME is none, or has a token already, or the file cannot be written.
    """
    from arena.server.tokens import Role, TokenFile, TokenFileError
    from protocol import NameRefused, check_name

    now = datetime.now(UTC)
    ends = now + timedelta(days=days) if days is not None else None
    try:
        click.echo(TokenFile(file).create(check_name(name), Role(role), ends, now))
    except (TokenFileError, NameRefused) as error:
        raise InputError(str(error)) from None


@command.command(name="list")
@click.option(
    "--table/--tabs",
    "as_table",
    default=None,
    help="A table for people, or lines for programs; unless told, a table where stdout is a terminal.",
)
@FILE
def show(as_table: bool | None, file: Path) -> None:
    """List the names, with what their tokens may do and until when; never the tokens.

    For programs one line for each, divided by tabs: name, role, the day it was made or revoked, and `for ever`,
    `until DAY`, `ended DAY` or `revoked`.
    """
    from arena.server.tokens import TokenFileError

    now = datetime.now(UTC)
    try:
        entries = _opened(file).read()
    except TokenFileError as error:
        raise InputError(str(error)) from None
    rows = [_row(entry, now) for entry in entries.values()]
    if not rows:
        click.echo(f"there are no tokens in {file}; `arena token create` makes one", err=True)
    elif as_table if as_table is not None else sys.stdout.isatty():
        _print_table(rows)
    else:
        for row in rows:
            click.echo("\t".join(row))


def _row(entry: Entry, now: datetime) -> tuple[str, str, str, str]:
    if entry.sha256 is None:
        holds = "revoked"
    elif entry.ends is None:
        holds = "for ever"
    else:
        holds = f"{'ended' if entry.ended(now) else 'until'} {entry.ends:%Y-%m-%d}"
    return entry.name, entry.role.value, f"{entry.made:%Y-%m-%d}", holds


def _print_table(rows: Sequence[tuple[str, ...]]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE, show_edge=False, pad_edge=False)
    for heading in ("Name", "Role", "Since", "Holds"):
        table.add_column(heading, overflow="fold")
    for row in rows:
        table.add_row(*map(Text, row))  # of a name in brackets nothing is a style
    Console(highlight=False).print(table)


@command.command(name="revoke")
@click.argument("name")
@FILE
def revoke(name: str, file: Path) -> None:
    """End the token of NAME: a running server sends it away within seconds, and nobody gets the name.

    Exit code: 2 if NAME has no token.
    """
    from arena.server.tokens import TokenFileError

    try:
        entry = _opened(file).revoke(name, datetime.now(UTC))
    except TokenFileError as error:
        raise InputError(str(error)) from None
    click.echo(f"the token of {entry.name} is revoked", err=True)


def _opened(file: Path) -> TokenFile:
    """A file of tokens that is there already."""
    from arena.server.tokens import TokenFile

    if not file.exists():
        raise InputError(
            f"there is no token file {file}; name yours with --file, or make one with `token create`"
        )
    return TokenFile(file)
