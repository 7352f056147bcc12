"""`arena rate`: ratings for results made elsewhere."""

from __future__ import annotations

import gc
from pathlib import Path

import click

from arena.cli.errors import InputError

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
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--anchor",
    "anchors",
    multiple=True,
    metavar="NAME=ELO",
    callback=parse_anchors,
    help="Give an entrant this Elo, and measure the others from it; several are met in the mean.",
)
@click.option("--json", "as_json", is_flag=True, help="Standings as JSON on stdout.")
@click.option("--csv", "as_csv", is_flag=True, help="Standings as CSV on stdout.")
@click.option("--html", "page", type=click.Path(path_type=Path), metavar="PAGE", help="Write a page, too.")
def command(file: Path, anchors: dict[str, float], as_json: bool, as_csv: bool, page: Path | None) -> None:
    """Rate the results in FILE, whose ending tells what it holds.

    \b
    .csv    columns game,player,place: a line for each seat; or
            a,b,score: a line for each game of two, 1, 0.5 or 0 for a
    .jsonl  an object for each game: {"game": "g1", "places": {"x": 1, "y": 2}}
    .pgn    the headers White, Black and Result of each game

    Games that share their luck are told by a column or key block. docs/ratings.md tells how numbers are made.

    Exit code: 0 when they are rated, 1 if the page cannot be written, 2 if the call or the file is wrong.
    """
    from arena.cli.tournament import at_home, show, write
    from tournaments.elsewhere import ResultsError, read_results
    from tournaments.page import page_of
    from tournaments.ratings import ConflictingResults
    from tournaments.report import report

    gc.disable()  # nothing of what is read is garbage, and looking for it among a million results takes long
    file = at_home(file)
    if as_json and as_csv:
        raise click.UsageError("--json and --csv exclude each other; give one")
    try:
        made = report(read_results(file), file.stem, anchors=anchors)
    except ResultsError as error:
        raise InputError(str(error)) from None
    except ConflictingResults as error:
        raise InputError(f"{file}: {error}") from None
    except KeyError as error:
        raise InputError(f"{file}: {error.args[0]}; give a name that it holds") from None
    show(made, as_json=as_json, as_csv=as_csv)
    if page is not None:
        write(at_home(page), page_of(made))
