"""`arena position FILE`: checks a position and shows the table it describes.

What a position must look like belongs in `arena.game.positions`; nothing here knows a rule.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from arena.catalogue_files import read_catalogue
from arena.cli.cards import NONE, WIDE, InputError
from arena.cli.numbers import WholeNumber
from arena.cli.paths import Place
from arena.game.catalogue import CatalogueError
from arena.game.errors import PositionError
from arena.game.game import Game
from arena.game.positions import MAX_TEXT, load, parse


@click.command()
@click.argument("path", type=Place(), metavar="FILE")
@click.option("--seat", type=WholeNumber(0, 5), metavar="N", help="Show only what seat N sees.")
@click.option("--public", is_flag=True, help="Show only what everybody sees.")
@click.option("--catalogue", type=Place(), metavar="FILE", help="Another catalogue.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
def command(path: Path, seat: int | None, public: bool, catalogue: Path | None, as_json: bool) -> None:
    """Check the position in FILE (JSON) and show it.

    All is shown, the hands and what is asked too, unless --seat or --public is given. FILE may be - for
    standard input.
    """
    if public and seat is not None:
        raise InputError(f"--public and --seat {seat} show different things; give only one of them")
    try:
        game = load(parse(read(path)), read_catalogue(catalogue))
    except CatalogueError as error:
        raise InputError(str(error)) from None
    except PositionError as error:
        raise InputError(f"{path}: {error}") from None
    if seat is not None and seat >= len(game.players):
        raise InputError(f"there is no seat {seat}; this position has the seats 0 to {len(game.players) - 1}")
    shown = game.view(seat) if public or seat is not None else whole_view(game)
    if as_json:
        click.echo(json.dumps(shown, indent=2))
        return
    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=WIDE)
    for part in parts(shown):
        console.print(part, soft_wrap=not console.is_terminal)


def read(path: Path) -> str:
    """The text of a position file; of a larger one no more than shows that it is too large."""
    try:
        if str(path) == "-":
            data = sys.stdin.buffer.read(MAX_TEXT + 1)
        else:
            with path.open("rb") as file:
                data = file.read(MAX_TEXT + 1)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}; name a position file") from None
    except ValueError as error:  # a path that no file can have
        raise InputError(f"{path}: cannot be read: {error}; name a position file") from None
    if len(data) > MAX_TEXT:
        raise InputError(f"{path}: has more than {MAX_TEXT // 1024} KB, the most that is read of a position")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(f"{path}: line {line} is not UTF-8; save the file as UTF-8") from None


def whole_view(game: Game) -> dict[str, Any]:
    """The public view with all hands, and all that is asked."""
    shown = game.view(None)
    views = [game.view(player.seat) for player in game.players]
    shown["hands"] = [view["hand"] for view in views]
    shown["decisions"] = [{"seat": view["seat"], **view["decision"]} for view in views if "decision" in view]
    return shown


def parts(shown: dict[str, Any]) -> Iterator[Text | Table]:
    """A view as lines and tables."""
    heading = f"Turn {shown['turn']}, seat {shown['lead']} leads"
    if shown["ending"]:
        heading += f", the end is triggered ({shown['ending']})"
    yield Text(heading, style="bold")
    pile = f"{shown['pile']} cards" + (f", {shown['top']} on top" if shown.get("top") else "")
    discard = f"{shown['discard']} cards"
    if shown["top_discard"]:
        discard += f", {shown['top_discard']} on top"
    yield line("Island", words(shown["island"]))
    yield line("Pile", pile)
    yield line("Discard", discard)
    if "piracy_ban" in shown:
        yield line("Ban", f"no Piracy until seat {shown['piracy_ban']} leads")
    for card, power in shown.get("copies", {}).items():
        yield line("Copy", f"{card} has the power {power}")
    for card, mark in shown.get("marks", {}).items():
        yield line("Mark", f"{card} {mark}")
    yield Text()
    yield players_table(shown)
    yield Text()
    yield ships_table(shown["ships"])
    decisions = list(shown.get("decisions", ()))
    if "decision" in shown:
        decisions.append({"seat": shown["seat"], **shown["decision"]})
    for decision in decisions:
        yield Text()
        yield Text(f"Seat {decision['seat']} is asked: {decision['kind']}", style="bold")
        for index, option in enumerate(decision["options"]):
            yield Text(f"{index:>4}  {option}")
    if "result" in shown:
        result = shown["result"]
        yield Text()
        yield Text(f"The game is over ({result['reason']})", style="bold")
        for seat, (place, credits) in enumerate(zip(result["places"], result["credits"], strict=True)):
            yield line(f"Seat {seat}", f"place {place}, {credits} credits")


def players_table(shown: dict[str, Any]) -> Table:
    """One row per seat; the hand by its cards where they are seen."""
    hands: dict[int, list[str]] = dict(enumerate(shown.get("hands", ())))
    if "hand" in shown:
        hands[shown["seat"]] = shown["hand"]
    table = Table(box=box.SIMPLE, show_edge=False, pad_edge=False)
    for heading in ("Seat", "Port", "Credits", "Hand", "Crew", "Goods", "Fulfilled", "Played"):
        table.add_column(heading, overflow="fold")
    for seat, player in enumerate(shown["players"]):
        played = words(player["played"])
        if player["announced"]:
            played += f" ({player['doing']} x{player['announced']})"
        table.add_row(
            str(seat),
            player["port"],
            str(player["credits"]),
            words(hands[seat]) if seat in hands else f"{player['hand']} cards",
            limited(player["crew"], player["crew_limit"]),
            limited(player["goods"], player["goods_limit"]),
            words(player["fulfilled"]),
            played,
        )
    return table


def ships_table(ships: list[dict[str, Any]]) -> Table:
    """One row per Ship."""
    table = Table(box=box.SIMPLE, show_edge=False, pad_edge=False)
    for heading in ("Ship", "Seat", "Place", "Contracts", "Containers", "Also"):
        table.add_column(heading, overflow="fold")
    for ship in ships:
        also = [
            f"{key} {value if isinstance(value, (int, str)) else words(value)}"
            for key, value in ship.items()
            if key not in ("ship", "owner", "place", "contracts", "containers")
        ]
        table.add_row(
            f"ship-{ship['ship']}",
            str(ship["owner"]),
            ship["place"],
            words(ship["contracts"]),
            words(ship["containers"]),
            ", ".join(also),
        )
    return table


def words(cards: list[Any]) -> str:
    return ", ".join("+".join(card) if isinstance(card, list) else card for card in cards) or NONE


def limited(cards: list[str], limit: int) -> str:
    return f"{words(cards)} ({len(cards)}/{limit})"


def line(label: str, value: str) -> Text:
    return Text.assemble((f"{label:<9}", "dim"), value)
