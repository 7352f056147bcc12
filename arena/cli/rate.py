"""`arena rate`: ratings for results made elsewhere."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.errors import CheckFailed, InputError
from arena.cli.numbers import Decimal
from arena.cli.paths import Place

if TYPE_CHECKING:
    from tournaments.ratings import Result

MOST_ELO = 100_000.0  # of an anchor


def parse_anchors(
    context: click.Context, option: click.Parameter, values: tuple[str, ...]
) -> dict[str, float]:
    """`NAME=ELO` texts as a mapping."""
    anchors: dict[str, float] = {}
    for value in values:
        name, sign, number = value.rpartition("=")
        try:
            elo = float(number)
        except ValueError:
            elo = float("nan")
        if not (sign and name and -MOST_ELO <= elo <= MOST_ELO):
            raise click.BadParameter(f"{value!r} is not NAME=ELO, as greedy=1500")
        if name in anchors:
            raise click.BadParameter(f"{name!r} is anchored twice")
        anchors[name] = elo
    return anchors


@click.command(name="rate")
@click.argument("file", type=Place())
@click.option(
    "--anchor",
    "anchors",
    multiple=True,
    metavar="NAME=ELO",
    callback=parse_anchors,
    help="Give an entrant this Elo, and measure the others from it; several are met in the mean.",
)
@click.option(
    "--sprt",
    "versions",
    nargs=2,
    metavar="NEW OLD",
    help="Also test whether NEW is better than OLD, block by block in the order of the file.",
)
@click.option("--elo0", type=Decimal(-1000, 1000), default=0.0, show_default=True, help="H0 of the test.")
@click.option("--elo1", type=Decimal(-1000, 1000), default=10.0, show_default=True, help="H1 of the test.")
@click.option(
    "--alpha", type=Decimal(0.0001, 0.4), default=0.05, show_default=True, help="Chance of `better` under H0."
)
@click.option(
    "--beta",
    type=Decimal(0.0001, 0.4),
    default=0.05,
    show_default=True,
    help="Chance of `not better` under H1.",
)
@click.option("--json", "as_json", is_flag=True, help="Standings as JSON on stdout.")
@click.option("--csv", "as_csv", is_flag=True, help="Standings as CSV on stdout.")
@click.option("--html", "page", type=Place(), metavar="PAGE", help="Write a page, too.")
def command(
    file: Path,
    anchors: dict[str, float],
    versions: tuple[str, str] | None,
    elo0: float,
    elo1: float,
    alpha: float,
    beta: float,
    as_json: bool,
    as_csv: bool,
    page: Path | None,
) -> None:
    """Rate the results in FILE, whose ending tells what it holds, or of the tournament in the folder FILE.

    \b
    .csv    columns game,player,place: a line for each seat; or
            a,b,score: a line for each game of two, 1, 0.5 or 0 for a
    .jsonl  an object for each game: {"game": "g1", "places": {"x": 1, "y": 2}}
    .pgn    the headers White, Black and Result of each game

    --sprt is the sequential test, which ends at the first verdict; what the file holds beyond it counts for the
    ratings alone. Games that share their luck are told by a column or key block. docs/ratings.md tells how numbers
    are made.

    Exit code: 0 when they are rated, 1 if the page cannot be written or the index of a folder cannot be read, 2 if
    the call or the file is wrong.
    """
    from arena.cli.tournament import show, write
    from protocol.errors import printable
    from tournaments.elsewhere import ResultsError
    from tournaments.page import page_of
    from tournaments.ratings import ConflictingResults, Sprt
    from tournaments.report import report, sequential_test
    from tournaments.store import StoreError

    gc.disable()  # nothing of what is read is garbage, and looking for it among a million results takes long
    if as_json and as_csv:
        raise click.UsageError("--json and --csv exclude each other; give one")
    if elo0 >= elo1:
        raise click.UsageError(f"--elo0 is {elo0:g} and --elo1 {elo1:g}; --elo1 must be the greater")
    if versions is not None and versions[0] == versions[1]:
        raise click.UsageError(f"--sprt names {versions[0]!r} twice; name two entrants")
    try:
        results, title, entrants = read(file)
        test = (
            None if versions is None else sequential_test(results, *versions, Sprt(elo0, elo1, alpha, beta))
        )
        made = report(results, printable(title), entrants, anchors=anchors, tested=test)
    except ResultsError as error:
        raise InputError(str(error)) from None
    except ConflictingResults as error:
        raise InputError(f"{file}: {error}") from None
    except KeyError as error:
        raise InputError(f"{file}: {error.args[0]}; give a name that it holds") from None
    except StoreError as error:
        raise CheckFailed(str(error)) from None
    show(made, as_json=as_json, as_csv=as_csv)
    if page is not None:
        write(page, page_of(made))
        click.echo(f"the page is {page}", err=True)


def read(file: Path) -> tuple[list[Result], str, list[str]]:
    """The results in a file or of a tournament, a title, and who may have none."""
    from tournaments.elsewhere import read_results
    from tournaments.reindex import check_index
    from tournaments.report import that_count
    from tournaments.store import FILE, Store

    if not file.is_dir():
        return read_results(file), file.stem, []
    if not (file / FILE).is_file():
        raise InputError(
            f"{file} has no {FILE}; name a file of results, or the folder of a tournament that has been run"
        )
    with Store(file) as store:
        if behind := check_index(store):
            click.echo(f"note: {behind}", err=True)
        games, _ = that_count(store)
        return [played.result() for played in games], store.title(), store.entrants()
