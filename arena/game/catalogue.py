"""The cards of a game as validated values, and the texts of the 180 powers.

What stands on a card is data: the house catalogue of `arena/data/cards.toml`, or a file of the same form,
which `arena.game.catalogue_form` reads and checks. What a power does is not known here, only its text.
Opening a file that a user names belongs in `arena.catalogue_files`; this module reads nothing but the
package's own data, and that on first use.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final, NamedTuple

from arena.game.terms import FIVE, TYPES

SETS: Final = {
    "base": 100,
    "capital": 15,
    "tokyo": 10,
    "kickstarter": 15,
    "kickstarter2": 10,
    "j": 10,
    "flag": 10,
}
"""Number of cards by set (R1.1)."""


class CatalogueError(ValueError):
    """A catalogue that cannot be used; one sentence that names the file, the card and the field."""


class UnknownName(KeyError):
    """A name that the catalogue does not have; `str()` is one sentence with the nearest names."""

    def __str__(self) -> str:
        return str(self.args[0])


class UnknownCard(UnknownName):
    """No card has this id or name."""


class UnknownSet(UnknownName):
    """No set has this name."""


class Face(NamedTuple):
    """One contract of a card: its power, and what a ship must have loaded to fulfil it (R10)."""

    power: str
    """Id of the power."""
    color: int
    """Type of the contract; on a card with two contracts each has its own (R18)."""
    load: tuple[int, ...]
    """One mask of types for each Container needed: `1 << type`, or `ANY` (R16.9)."""


class Card(NamedTuple):
    """A commodity card (R1.5)."""

    number: int
    """1 to 170."""
    id: str
    name: str
    """As printed; "A / B" with two contracts."""
    set: str
    colors: tuple[int, ...]
    """Types: one, or two on a card with two contracts, in the order of `contracts`."""
    action: int
    """The action of its first colour."""
    level: tuple[tuple[int, int], ...]
    """Pairs of type and number of Goods needed (R9.3); `CAPITAL` stands for Goods of any type (R16.8)."""
    contracts: tuple[Face, ...]
    source: Mapping[str, str]
    """Where color, level, load and set come from: rulebook, inferred, house or printed."""
    why: str
    """The fact or clue behind a rulebook or inferred value; empty where there is none."""


class Catalogue:
    """All cards and the tables that go with them; never changed once built.

    The tuples from `ids` to `level_sums` are indexed by card number; their entry 0 is a filler. Those that
    speak of one colour or contract hold the first one. Behind the cards come `tokens` physical Containers of
    each colour, if the game is played with them: a Container without a card, Level, load or power.
    """

    __slots__ = (
        "action_of_type",
        "actions",
        "cards",
        "colors",
        "first_token",
        "hash",
        "ids",
        "level_sums",
        "levels",
        "loads",
        "name",
        "names",
        "number_of",
        "ports",
        "powers",
        "tokens",
        "tokyo_prices",
    )

    def __init__(
        self,
        name: str,
        cards: Iterable[Card],
        *,
        action_of_type: tuple[int, ...],
        tokyo_prices: tuple[int, ...],
        ports: tuple[int, ...],
        tokens: int = 0,
    ) -> None:
        self.name: Final = name
        self.cards: Final = tuple(cards)
        """In the order of their numbers: card n is `cards[n - 1]`."""
        self.action_of_type: Final = action_of_type
        self.tokyo_prices: Final = tokyo_prices
        """Credits by the Level of the card placed: 0, 1, 2, and 3 or more (Q80)."""
        self.ports: Final = ports
        """Types of the six Ports, the light-grey one last (Q5)."""
        self.tokens: Final = tokens
        """Physical Containers of each colour that are numbered behind the cards (R20); 0 for most games."""
        colors = tuple(FIVE) * tokens
        numbers = range(len(FIVE), len(FIVE) * (tokens + 1))
        self.ids: Final[tuple[str, ...]] = (
            "",
            *(card.id for card in self.cards),
            *(f"{TYPES[color]}-token-{n // len(FIVE)}" for color, n in zip(colors, numbers, strict=True)),
        )
        self.names: Final[tuple[str, ...]] = (
            "",
            *(card.name for card in self.cards),
            *(f"{TYPES[color].capitalize()} Container" for color in colors),
        )
        self.colors: Final[tuple[int, ...]] = (0, *(card.colors[0] for card in self.cards), *colors)
        self.actions: Final[tuple[int, ...]] = (
            0,
            *(card.action for card in self.cards),
            *(action_of_type[color] for color in colors),
        )
        self.levels: Final[tuple[tuple[tuple[int, int], ...], ...]] = (
            (),
            *(card.level for card in self.cards),
            *((),) * len(colors),
        )
        self.loads: Final[tuple[tuple[int, ...], ...]] = (
            (),
            *(card.contracts[0].load for card in self.cards),
            *((),) * len(colors),
        )
        self.powers: Final[tuple[str, ...]] = (
            "",
            *(card.contracts[0].power for card in self.cards),
            *("",) * len(colors),
        )
        self.level_sums: Final[tuple[int, ...]] = (
            0,
            *(sum(count for _, count in card.level) for card in self.cards),
            *(0,) * len(colors),
        )
        self.first_token: Final = len(self.ids) - len(colors)
        """The number of the first token; what has a lower one is a card."""
        self.number_of: Final = {id: number for number, id in enumerate(self.ids) if number}
        self.hash: Final = _fingerprint(self)
        """SHA-256 in hexadecimal of all that matters for play: not of names, sources or the file's layout."""

    def __repr__(self) -> str:
        return f"<Catalogue {self.name} {self.hash[:12]}>"

    def numbers_of_set(self, name: str) -> tuple[int, ...]:
        """Numbers of the cards of a set; raises `UnknownSet`."""
        if name not in SETS:
            raise UnknownSet(f"there is no set {quoted(name)}; the sets are {', '.join(SETS)}")
        return tuple(card.number for card in self.cards if card.set == name)

    def card(self, id_or_name: str) -> Card:
        """The card with this id or name, or one of whose contracts has it; case does not matter.

        Raises `UnknownCard`, which names the cards that are spelled most alike.
        """
        wanted = id_or_name.strip().casefold()
        number = self.number_of.get(wanted)
        if number is None:
            known: dict[str, int] = {}
            for card in self.cards:
                for name in (card.name, *card.name.split(" / "), *(face.power for face in card.contracts)):
                    known[name.casefold()] = card.number
            if wanted not in known:
                near = similar(wanted, (*self.number_of, *known))
                raise UnknownCard(f"there is no card {quoted(id_or_name)}; {near}")
            number = known[wanted]
        return self.cards[number - 1]

    def with_faces(self, changes: Mapping[str, Mapping[str, object]]) -> Catalogue:
        """A copy in which some cards have another face, for tests that bring their own (P39).

        `changes` maps card ids to tables with any of color, level, load and action, written as in the file;
        a card with two contracts takes `colors` and a list of two loads. Unlike in a file any card may be
        of any colour. Raises `UnknownCard` and `CatalogueError`.
        """
        from arena.game.catalogue_form import changed_face

        cards = list(self.cards)
        for name, change in changes.items():
            card = self.card(name)
            cards[card.number - 1] = changed_face(card, change, self.action_of_type)
        return Catalogue(
            self.name,
            cards,
            action_of_type=self.action_of_type,
            tokyo_prices=self.tokyo_prices,
            ports=self.ports,
        )

    def with_tokens(self, tokens: int) -> Catalogue:
        """The same cards with so many physical Containers of each colour behind them."""
        return Catalogue(
            self.name,
            self.cards,
            action_of_type=self.action_of_type,
            tokyo_prices=self.tokyo_prices,
            ports=self.ports,
            tokens=tokens,
        )

    @classmethod
    def from_toml(cls, text: str, *, origin: str = "catalogue") -> Catalogue:
        """Read and check a catalogue; `origin` is what errors call it.

        Raises `CatalogueError` for whatever is wrong with the text, be it a slip or an attack.
        """
        from arena.game.catalogue_form import read_text

        return read_text(text, origin)


class PowerText(NamedTuple):
    """What `arena/data/powers.toml` says about a power (`docs/game-rules.md`, section P)."""

    id: str
    name: str
    timing: str
    """immediate, anytime, continuous or end."""
    printed: str
    """The mark on the card: immediate, anytime or none."""
    effect: str
    hooks: tuple[str, ...]
    decisions: tuple[str, ...]
    """Who chooses what."""
    ruling: str
    test: str
    hidden_info: str = ""
    printed_facts: str = ""
    fr_ja: str = ""
    """Where the French and the Japanese wording differ."""


@cache
def default_catalogue() -> Catalogue:
    """The house catalogue, read on the first call."""
    return Catalogue.from_toml(_package_data("cards.toml"), origin="cards.toml")


@cache
def power_texts() -> Mapping[str, PowerText]:
    """The texts of the powers by id, in the rulebook's order; read on the first call."""
    import tomllib

    texts = {}
    for row in tomllib.loads(_package_data("powers.toml"))["power"]:
        lists = {field: tuple(row[field]) for field in ("hooks", "decisions")}
        texts[row["id"]] = PowerText(**{**row, **lists})
    return texts


@cache
def power_ids() -> frozenset[str]:
    """The ids of the 180 powers."""
    return frozenset(power_texts())


def quoted(value: object) -> str:
    """A value as an error message may show it: short and printable, whatever it is."""
    if isinstance(value, str):
        shown = "".join(letter if letter.isprintable() else "?" for letter in value[:40])
        return f'"{shown}..."' if len(value) > 40 else f'"{shown}"'
    if isinstance(value, int) and value.bit_length() > 64:
        return "a huge number"  # it may have too many digits to be printed at all
    return {dict: "a table", list: "an array", bool: str(value).lower()}.get(type(value)) or str(value)


def similar(name: str, known: Iterable[str]) -> str:
    """The end of a sentence about an unknown name: the known names that are spelled most like it."""
    from difflib import get_close_matches

    near = get_close_matches(name[:80], dict.fromkeys(known), n=3)
    return f"did you mean {' or '.join(near)}?" if near else "no name is like it"


def _package_data(name: str) -> str:
    from importlib.resources import files

    return files("arena.data").joinpath(name).read_text("utf-8")


def _fingerprint(catalogue: Catalogue) -> str:
    import hashlib
    import json

    cards = [
        (card.number, card.id, card.set, card.colors, card.action, card.level, card.contracts)
        for card in catalogue.cards
    ]
    tables = [catalogue.action_of_type, catalogue.tokyo_prices, catalogue.ports]
    return hashlib.sha256(json.dumps([1, tables, cards], separators=(",", ":")).encode()).hexdigest()
