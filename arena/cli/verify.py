"""`arena verify`: whether records are sound. The checks are those of `arena.records`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from arena.catalogue_files import read_catalogue
from arena.cli.errors import InputError
from arena.cli.paths import Place
from arena.describe import count_text, labels
from arena.game import Catalogue
from arena.game.catalogue import CatalogueError
from arena.records import Record, RecordError, read_record, verify
from protocol.errors import printable


@click.command()
@click.argument("files", nargs=-1, required=True, type=Place())
@click.option("--catalogue", type=Place(), metavar="FILE", help="The catalogue that was played with.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per file, for programs.")
def command(files: tuple[Path, ...], catalogue: Path | None, as_json: bool) -> None:
    """Check each record FILE: its hashes, every choice, the digests, the result, the commitment to the seed.

    One line is printed per file. The exit code is 1 unless every record is sound; the record of a game that
    is still being played has no result and is not sound yet.
    """
    try:
        cards = read_catalogue(catalogue)
    except CatalogueError as error:
        raise InputError(str(error)) from None
    sound = True
    for path in files:
        found = check(path, cards)
        sound = sound and found["sound"]
        click.echo(json.dumps(found) if as_json else line(found))
    if not sound:
        click.get_current_context().exit(1)


def check(path: Path, catalogue: Catalogue) -> dict[str, Any]:
    """What is to be said of one file, as a JSON object."""
    try:
        record = read_record(path)
        game = verify(record, catalogue)
    except RecordError as error:
        return {"file": str(path), "sound": False, "line": error.line, "error": str(error)}
    return {"file": str(path), "sound": True, "turns": game.turn, **summary(record)}


def summary(record: Record) -> dict[str, Any]:
    """What a sound record says of its game."""
    result = record.result
    assert result is not None, "verify refuses a record without a result"
    return {
        "game": record.header.game,
        "seats": list(record.header.seats),
        "choices": result.choices,
        "complete": result.complete,
        "places": list(result.places),
        "credits": list(result.credits),
        "reason": result.reason,
        "hash": record.hash,
    }


def line(found: dict[str, Any]) -> str:
    """The same for people."""
    path = printable(found["file"])
    if not found["sound"]:
        return f"{path}: NOT SOUND: {found['error']}"
    played = f"{count_text(found['choices'], 'choice')}, {count_text(found['turns'], 'turn')}"
    if not found["complete"]:
        return f"{path}: sound; {played}, stopped before its end: {found['reason']}"
    names = labels(found["seats"])
    first = [seat for seat, place in enumerate(found["places"]) if place == 1]
    winners = " and ".join(names[seat] for seat in first)
    return f"{path}: sound; {played}, won by {winners} with {found['credits'][first[0]]} credits"
