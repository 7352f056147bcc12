"""Cards, Containers and slots as a terminal shows them: the type by its colour and by its letter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

from rich.text import Text

from arena.board.lines import Marks, joined, words
from arena.game import Catalogue, default_catalogue
from arena.game.catalogue import power_texts
from arena.game.terms import TYPES

LETTERS: Final = {
    "technology": "T",
    "agriculture": "A",
    "consumer": "C",
    "luxury": "L",
    "illegal": "I",
    "capital": "K",
}
"""As the pages have them too."""

BADGES: Final = {
    "technology": "bold black on green",
    "agriculture": "bold black on yellow",
    "consumer": "bold white on grey35",
    "luxury": "bold white on blue",
    "illegal": "bold white on red",
    "capital": "bold black on white",
}
UNKNOWN: Final = "?"  # the letter of what stands in no catalogue: a newer server's card
MOST: Final = 60  # cards in a row; no place of a real game has more


class Cards:
    """Knows the types and the powers of the cards of a catalogue by their ids."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue

    def types_of(self, card: str) -> tuple[str, ...]:
        """The types of a card, two of one with two contracts; of a side of one; of a physical Container."""
        number = self._catalogue.number_of.get(card)
        if number is None:
            kind = card.partition("-")[0]
            return (kind,) if kind in LETTERS else ()
        if number <= len(self._catalogue.cards):
            return tuple(TYPES[color] for color in self._catalogue.cards[number - 1].colors)
        return (TYPES[self._catalogue.colors[number]],)

    def badge(self, card: str) -> Text:
        """The letters of the types, each on its colour."""
        return joined(map(badge, self.types_of(card) or (None,)), "/")

    def card(self, card: str) -> Text:
        """The badge and the id."""
        return words(self.badge(card), " ", card)

    def each(self, cards: Sequence[str]) -> list[Text]:
        """Cards as the parts of a row."""
        if not cards:
            return [words(("-", "dim"))]
        shown = [self.card(card) for card in cards[:MOST]]
        return shown if len(cards) <= MOST else [*shown, words(f"and {len(cards) - MOST} more")]

    def letters(self, cards: Sequence[str]) -> Text:
        """Cards in a row by their letters alone."""
        if not cards:
            return words(("-", "dim"))
        return joined(map(self.badge, cards[:MOST]), "")

    def sorted(self, cards: Sequence[str]) -> list[str]:
        """Cards by type."""
        order = {kind: place for place, kind in enumerate(LETTERS)}
        return sorted(cards, key=lambda card: [order[kind] for kind in self.types_of(card)])

    def power(self, card: str, copies: Mapping[str, str]) -> str:
        """What the power of a fulfilled contract does; empty for one that is not known."""
        number = self._catalogue.number_of.get(card)
        power = copies.get(card) or (self._catalogue.powers[number] if number is not None else "")
        text = power_texts().get(power)
        return text.effect if text is not None else ""


@cache
def house_cards() -> Cards:
    """Those of the house catalogue."""
    return Cards(default_catalogue())


def badge(kind: str | None) -> Text:
    """The letter of a type on its colour."""
    if kind not in LETTERS:
        return Text(UNKNOWN, "reverse")
    return Text(LETTERS[kind], BADGES[kind])


def slot(needed: str, served: bool, marks: Marks) -> Text:
    """A slot of a requirement: the colours that serve it, and whether one does."""
    kinds = needed.split("+")[: len(TYPES)]
    letters = words("*") if kinds == ["any"] else joined(map(badge, kinds), "/")
    return words(letters, marks.served if served else marks.open)


def slots_of(ship: Mapping[str, Any], contract: str, marks: Marks) -> Text:
    """The slots of one contract of a Ship in a row; empty where the view does not tell them."""
    return joined(
        (
            slot(needed, served, marks)
            for of, needed, served in ship.get("slots", ())[:MOST]
            if of == contract
        ),
        " ",
    )
