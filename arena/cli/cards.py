"""`arena cards`: the catalogue as a table, or one card with the texts of its powers.

What is shown comes from `arena.game.catalogue`; nothing here knows a rule.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import click
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from arena.catalogue_files import read_catalogue
from arena.cli.errors import InputError as InputError
from arena.cli.paths import Place
from arena.game.catalogue import Card, Catalogue, CatalogueError, PowerText, UnknownName, power_texts
from arena.game.terms import ACTIONS, ANY, CAPITAL, TYPES

PROVENANCE: Final = {
    "rulebook": "stated in the rulebook",
    "inferred": "inferred from a clue in the rulebook",
    "house": "chosen by this project",
    "printed": "read from a printed card",
}
STYLES: Final = (
    "green",
    "yellow",
    "bright_black",
    "blue",
    "red",
    "white",
)  # by type, as the cards are printed
WIDE: Final = 1000  # columns for output that no terminal shows: nothing is wrapped or cut
NONE: Final = "-"


@click.command()
@click.argument("name", required=False)
@click.option("--catalogue", "path", type=Place(), metavar="FILE", help="Another catalogue.")
@click.option("--set", "set_name", metavar="SET", help="List this set only: base, capital, tokyo, ...")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
def command(name: str | None, path: Path | None, set_name: str | None, as_json: bool) -> None:
    """List the catalogue, or show the card NAME.

    NAME is an id or a printed name, also that of one of the contracts of a card with two. A catalogue FILE
    is checked before anything is shown.
    """
    if name is not None and set_name is not None:
        raise InputError(f"--set {set_name} lists cards and {name} names one; give only one of them")
    try:
        catalogue = read_catalogue(path)
        if name is not None:
            cards: Sequence[Card] = [catalogue.card(name)]
        elif set_name is not None:
            cards = [catalogue.cards[number - 1] for number in catalogue.numbers_of_set(set_name.lower())]
        else:
            cards = catalogue.cards
    except (CatalogueError, UnknownName) as error:
        raise InputError(str(error)) from None
    if as_json:
        document = (
            card_json(catalogue, cards[0], texts=True) if name is not None else list_json(catalogue, cards)
        )
        click.echo(json.dumps(document, indent=2))
        return
    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=WIDE)
    if name is None:
        console.print(card_table(catalogue, cards))
        return
    for line in card_lines(catalogue, cards[0]):
        console.print(line, soft_wrap=not console.is_terminal)


def list_json(catalogue: Catalogue, cards: Iterable[Card]) -> dict[str, Any]:
    """Some cards of a catalogue as a JSON object, without the texts of their powers."""
    return {
        "catalogue": catalogue.name,
        "hash": catalogue.hash,
        "cards": [card_json(catalogue, card, texts=False) for card in cards],
    }


def card_json(catalogue: Catalogue, card: Card, *, texts: bool) -> dict[str, Any]:
    """A card as a JSON object; with `texts` each contract has all that is known about its power."""
    contracts = []
    for face in card.contracts:
        contract = {
            "power": face.power,
            "color": TYPES[face.color],
            "action": ACTIONS[catalogue.action_of_type[face.color]],
            "load": load_counts(face.load),
        }
        if texts:
            contract["text"] = power_texts()[face.power]._asdict()
        contracts.append(contract)
    return {
        "number": card.number,
        "id": card.id,
        "name": card.name,
        "set": card.set,
        "level": level_counts(card),
        "contracts": contracts,
        "source": dict(card.source),
        "why": card.why,
    }


def load_counts(load: Iterable[int]) -> dict[str, int]:
    """Number of Containers by colour; "any" for those of any colour."""
    return dict(Counter("any" if mask == ANY else TYPES[mask.bit_length() - 1] for mask in load))


def level_counts(card: Card) -> dict[str, int]:
    """Number of Goods by type that the Level prerequisite asks for; "any" for Goods of any type."""
    return {"any" if type_ == CAPITAL else TYPES[type_]: count for type_, count in card.level}


def card_table(catalogue: Catalogue, cards: Iterable[Card]) -> Table:
    """One row per card."""
    table = Table(box=box.SIMPLE, show_edge=False, pad_edge=False)
    table.add_column("No.", justify="right")
    for heading in ("Name", "Set", "Type", "Action", "Level", "Load"):
        table.add_column(heading, overflow="fold")
    for card in cards:
        table.add_row(
            str(card.number),
            Text(card.name),
            card.set,
            types_text(card),
            actions_text(catalogue, card),
            counts_text(level_counts(card)),
            " / ".join(counts_text(load_counts(face.load)) for face in card.contracts),
        )
    return table


def card_lines(catalogue: Catalogue, card: Card) -> Iterator[Text]:
    """All that is known about a card, line by line."""
    yield Text(card.name, style="bold")
    yield field_line("Card", f"{card.number} of {len(catalogue.cards)}, id {card.id}")
    yield field_line("Set", card.set, origin(card, "set"))
    yield field_line("Type", types_text(card), origin(card, "color"))
    yield field_line("Action", actions_text(catalogue, card), "follows from the type")
    yield field_line("Level", counts_text(level_counts(card)), origin(card, "level"))
    if len(card.contracts) == 1:
        yield field_line("Load", counts_text(load_counts(card.contracts[0].load)), origin(card, "load"))
    if card.why:
        yield field_line("Why", card.why)
    for face in card.contracts:
        text = power_texts()[face.power]
        yield Text()
        yield Text(f"Power {text.name}", style="bold")
        if len(card.contracts) > 1:
            yield field_line("Side", face.power)
            yield field_line("Type", type_text(face.color))
            yield field_line("Load", counts_text(load_counts(face.load)), origin(card, "load"))
        yield from power_lines(text)


def power_lines(text: PowerText) -> Iterator[Text]:
    """What a player needs of a power, then where it comes from; fields that it does not have are left out."""
    mark = "no mark" if text.printed == "none" else f"marked {text.printed}"
    yield field_line("Effect", text.effect)
    yield field_line("Timing", text.timing, f"{mark} on the card")
    for decision in text.decisions:
        yield field_line("Decision", decision)
    for label, value in (
        ("Hidden", text.hidden_info),
        ("Ruling", text.ruling),
        ("Printed", text.printed_facts),
        ("Wording", text.fr_ja),
    ):
        if value:
            yield field_line(label, value)


def field_line(label: str, value: str | Text, note: str = "") -> Text:
    line = Text.assemble((f"{label:<9}", "dim"), value)
    return line.append(f" ({note})", style="dim") if note else line


def origin(card: Card, field: str) -> str:
    return PROVENANCE[card.source[field]]


def counts_text(counts: dict[str, int]) -> str:
    return ", ".join(f"{color} {count}" for color, count in counts.items()) or NONE


def type_text(type_: int) -> Text:
    return Text(TYPES[type_], style=STYLES[type_])


def types_text(card: Card) -> Text:
    return Text(" / ").join(type_text(color) for color in card.colors)


def actions_text(catalogue: Catalogue, card: Card) -> str:
    return " / ".join(ACTIONS[catalogue.action_of_type[color]] for color in card.colors)
