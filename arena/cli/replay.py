"""`arena replay`: steps through a record as one seat, or the public, saw the game.

What may be seen is decided by the events and views of `arena.game`, the words come from `arena.describe`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import click

from arena.catalogue_files import read_catalogue
from arena.cli.errors import CheckFailed, InputError
from arena.cli.numbers import Decimal, WholeNumber
from arena.cli.paths import Place
from arena.cli.recorded import show_board, show_page
from arena.describe import describe, kind_text, labels, view_lines
from arena.game import Catalogue, Decision, Event
from arena.game.catalogue import CatalogueError
from arena.records import Record, RecordError, Step, UnreadableRecord, read_record, replay
from protocol.errors import printable

INDENT: Final = " " * 8
DEFAULT: Final = "default"  # kinds of what is told besides events
DEFAULTS: Final = "defaults"


@click.command()
@click.argument("path", metavar="FILE", type=Place())
@click.option("--seat", type=WholeNumber(0, 5), metavar="N", help="Show what seat N saw, from 0.")
@click.option("--public", is_flag=True, help="Show what everybody saw; this is the default.")
@click.option(
    "--at",
    type=WholeNumber(1, 10**9),
    metavar="N",
    help="Show the view once event N had happened, and no more.",
)
@click.option("--catalogue", type=Place(), metavar="FILE", help="The catalogue that was played with.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line, for programs.")
@click.option("--board", is_flag=True, help="Show the table in the terminal, as `arena watch FILE` does.")
@click.option(
    "--pace", type=Decimal(0, 60), default=0.3, show_default=True, help="Seconds between two boards."
)
@click.option("--page", is_flag=True, help="Show the record in a browser, with every view, until Ctrl-C.")
@click.option(
    "--http-port", type=WholeNumber(0, 65535), default=0, help="Port of the page; a free one unless given."
)
def command(
    path: Path,
    seat: int | None,
    public: bool,
    at: int | None,
    catalogue: Path | None,
    as_json: bool,
    board: bool,
    pace: float,
    page: bool,
    http_port: int,
) -> None:
    """Step through the record FILE: its events in order, each with its number, or one view.

    Nothing is shown that the seat, or the public, could not see in the game; but --page shows everything, and
    where the default was played for a seat (too late, or no option) a line without a number says so and why. A
    record without a result, of a game that is still being played, is shown as far as it goes.
    """
    if public and seat is not None:
        raise InputError(f"--public and --seat {seat} show different things; give only one of them")
    name = printable(str(path))
    try:
        cards = read_catalogue(catalogue)
        if page or board:
            if page and board:
                raise InputError("--page and --board show the record in two ways; give only one of them")
            return show_page(path, cards, http_port) if page else show_board(path, cards, pace, seat)
        record = read_record(path)
    except CatalogueError as error:
        raise InputError(str(error)) from None
    except UnreadableRecord as error:
        raise InputError(f"{name}: {error}; name a record") from None
    except RecordError as error:
        raise CheckFailed(f"{name}: {error}") from None
    players = record.header.options.players
    if seat is not None and seat >= players:
        raise InputError(f"there is no seat {seat}; this record has the seats 0 to {players - 1}")
    try:
        if at is None:
            show_events(record, cards, seat, as_json)
        else:
            show_view(record, cards, seat, at, as_json)
    except RecordError as error:
        if error.line is not None:  # the sentence may name what the seat must not see
            raise CheckFailed(f"{name}: line {error.line} is not sound; `arena verify` says why") from None
        raise CheckFailed(f"{name}: {error}") from None
    if record.result is None:
        click.echo("The record ends here without a result: the game is not finished.", err=True)
    return None


def show_events(record: Record, catalogue: Catalogue, seat: int | None, as_json: bool) -> None:
    """One line for each event, numbered from 1, and for each default; a person also gets the board after the deal."""
    names = labels(record.header.seats)
    for number, event, _ in seen(record, catalogue, seat):
        if as_json:
            click.echo(json.dumps({**({} if number is None else {"number": number}), **event}))
            continue
        if number is None:
            click.echo(INDENT + default_text(event, names))
            continue
        text = f"{number:>6}  {describe(event, names)}"
        click.echo(click.style(text, bold=True) if event["event"] == "turn" else text)
        if event["event"] == "deal":
            board = {field: value for field, value in event.items() if field != "hand"}
            for line in view_lines(board, names):
                click.echo(INDENT + line)


def show_view(record: Record, catalogue: Catalogue, seat: int | None, at: int, as_json: bool) -> None:
    """The view at the first decision after event `at`."""
    last = 0
    for number, _, step in seen(record, catalogue, seat):
        last = number or last
        if number == at:
            view = step.game.view(seat)
            if as_json:
                click.echo(json.dumps(view))
                return
            for line in view_lines(view, labels(record.header.seats)):
                click.echo(line)
            return
    raise InputError(f"--at {at} is too much; this record has the events 1 to {last}")


def seen(
    record: Record, catalogue: Catalogue, seat: int | None
) -> Iterator[tuple[int | None, dict[str, Any], Step]]:
    """The events as the seat, or the public, saw them; numbered, so that a choice that shows nothing leaves
    no trace: that somebody was asked can be a secret (Q98).

    Defaults that were played have no number. Those of others are told behind the events that come next, so that
    a sealed bid is not told before its time; what others were asked in secret enters only the counts at the end.
    """
    number = 0
    retired: set[int] = set()
    defaults = Counter[tuple[int, str]]()
    waiting: list[dict[str, Any]] = []
    asked: dict[int, Decision] = {}  # before this step, by seat
    for step in replay(record, catalogue):
        choice, events = step.choice, step.events
        if choice is not None and choice.fault is not None:
            if choice.defaulted:
                defaults[choice.seat, choice.fault.value] += 1
                decision = asked[choice.seat]
                told = {"seat": choice.seat, "asked": decision.kind, "reason": choice.fault.value}
                if choice.seat == seat or not decision.secret:
                    waiting.append({"event": DEFAULT, **told})
            elif choice.seat not in retired:
                retired.add(choice.seat)
                events = [Event("retired", {"seat": choice.seat, "reason": choice.fault.value}), *events]
        for event in events:
            number += 1
            yield number, event.for_seat(seat), step
        for told in waiting:
            if events or told["seat"] == seat:
                yield None, told, step
        waiting = [] if events else [told for told in waiting if told["seat"] != seat]
        asked = {decision.seat: decision for decision in step.game.asking}
    if record.result is not None:
        for (of, reason), count in sorted(defaults.items()):
            yield None, {"event": DEFAULTS, "seat": of, "reason": reason, "count": count}, step


def default_text(told: Mapping[str, Any], names: Sequence[str]) -> str:
    """That a default was played, or how often, in words."""
    who, reason = names[told["seat"]], told["reason"]
    if told["event"] == DEFAULT:
        return f"the default was played for {who} ({reason}); asked was: {kind_text(told['asked'])}"
    return f"defaults played for {who} in all: {told['count']} ({reason})"
