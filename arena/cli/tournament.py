"""`arena tournament`: run a tournament from its file, and show its standings."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.errors import CheckFailed, InputError

if TYPE_CHECKING:
    from tournaments.config import Tournament
    from tournaments.run import Progress
    from tournaments.store import Played


@click.group(name="tournament")
def command() -> None:
    """Run tournaments and show their standings."""


def read(file: Path) -> Tournament:
    """The checked tournament of a file, or an `InputError`."""
    from clients.bots import BOTS
    from tournaments.config import ConfigError, read_tournament

    try:
        return read_tournament(file, frozenset(BOTS))
    except ConfigError as error:
        raise InputError(str(error)) from None


@command.command(name="run")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--workers", type=click.IntRange(1, 256), default=1, show_default=True, help="Blocks played at once."
)
@click.option("--json", "as_json", is_flag=True, help="Standings as JSON on stdout.")
def run_command(file: Path, workers: int, as_json: bool) -> None:
    """Start the tournament FILE, or go on with it: what is stored is not played again."""
    from tournaments.run import run, start_progress
    from tournaments.store import Store, StoreError

    tournament = read(file.expanduser())
    again = f"arena tournament run {shlex.quote(str(file))}"
    try:
        with Store(tournament.folder) as store:
            before = start_progress(tournament, store)
            if before.done:
                click.echo(f"{before.done} of {before.total} games are stored; going on", err=True)

            def told(progress: Progress, played: Played) -> None:
                click.echo(line(progress, played), err=True)

            try:
                progress = run(tournament, store, workers=workers, told=told)
            except KeyboardInterrupt:
                click.echo(f"stopped; go on with: {again}", err=True)
                sys.exit(130)
            show(tournament, store, as_json=as_json)
    except StoreError as error:
        raise CheckFailed(str(error)) from None
    if progress.problems:
        for problem in progress.problems:
            click.echo(problem, err=True)
        raise CheckFailed(
            f"{len(progress.problems)} blocks are not complete; play what is missing with: {again}"
        )


def line(progress: Progress, played: Played) -> str:
    """One line for one result."""
    order = sorted(zip(played.places, played.entrants, played.reasons, strict=True))
    shown = ", ".join(
        f"{place}. {name}" + (f" ({reason})" if reason != "normal" else "") for place, name, reason in order
    )
    return f"game {progress.done} of {progress.total}: {shown}"


def show(tournament: Tournament, store: object, *, as_json: bool) -> None:
    """Standings on stdout."""
    from rich.console import Console

    from tournaments.report import standings, standings_table
    from tournaments.store import Store

    assert isinstance(store, Store)
    rows, _ = standings(store, [entrant.name for entrant in tournament.entrants])
    if as_json:
        click.echo(json.dumps(rows, ensure_ascii=False))
        return
    width = None if sys.stdout.isatty() else 120
    Console(width=width).print(standings_table(rows, tournament.name))
    click.echo(f"records: {tournament.folder / 'games'}")


@command.command(name="standings")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="As JSON on stdout.")
def standings_command(folder: Path, as_json: bool) -> None:
    """Show the standings of the tournament whose results lie in FOLDER."""
    from rich.console import Console

    from tournaments.report import standings, standings_table
    from tournaments.store import FILE, Store, StoreError

    folder = folder.expanduser()
    if not (folder / FILE).is_file():
        raise InputError(f"{folder} has no {FILE}; name the folder of a tournament that has been run")
    try:
        with Store(folder) as store:
            names = list(dict.fromkeys(name for played in store.games() for name in played.entrants))
            rows, _ = standings(store, names)
    except StoreError as error:
        raise CheckFailed(str(error)) from None
    if as_json:
        click.echo(json.dumps(rows, ensure_ascii=False))
    else:
        width = None if sys.stdout.isatty() else 120
        Console(width=width).print(standings_table(rows, folder.name))
