"""The cards of a game as validated values, and the texts of the 180 powers.

What stands on a card is data: the house catalogue of `arena/data/cards.toml`, or a file of the same form,
which `arena.game.catalogue_form` reads and checks. What a power does is not known here, only its text.
Opening a file that a user names belongs in `arena.catalogue_files`; this module reads nothing but the
package's own data, and that on first use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
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
    """1 to 170; the sides of the cards with two contracts have numbers of their own behind these."""
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

    The tuples from `ids` to `uses` are indexed by card number; their entry 0 is a filler. A card with two
    contracts has a number of its own for each side (R18), behind those of the cards, in their order. The side's id
    is that of its power; colour, action, load and power are those of the side. For the card itself they hold
    the first side's, but it has no power. Behind the sides come `tokens` physical Containers of each colour, if
    the game is played with them: a Container without a card, Level, load or power.
    """

    __slots__ = (
        "action_of_type",
        "actions",
        "cards",
        "colors",
        "double_sets",
        "first_token",
        "front",
        "hash",
        "ids",
        "level_sums",
        "levels",
        "loads",
        "masks",
        "name",
        "names",
        "number_of",
        "ports",
        "powers",
        "sides",
        "tokens",
        "tokyo_prices",
        "uses",
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
        doubles = [card for card in self.cards if len(card.contracts) > 1]
        faces = [(card, face) for card in doubles for face in card.contracts]
        names = power_texts() if faces else {}
        self.double_sets: Final = frozenset(card.set for card in doubles)
        """The sets that have cards with two contracts."""
        self.ids: Final[tuple[str, ...]] = (
            "",
            *(card.id for card in self.cards),
            *(face.power for _, face in faces),
            *(f"{TYPES[color]}-token-{n // len(FIVE)}" for color, n in zip(colors, numbers, strict=True)),
        )
        self.names: Final[tuple[str, ...]] = (
            "",
            *(card.name for card in self.cards),
            *(names[face.power].name for _, face in faces),
            *(f"{TYPES[color].capitalize()} Container" for color in colors),
        )
        self.colors: Final[tuple[int, ...]] = (
            0,
            *(card.colors[0] for card in self.cards),
            *(face.color for _, face in faces),
            *colors,
        )
        self.masks: Final[tuple[int, ...]] = (
            0,
            *(sum(1 << color for color in set(card.colors)) for card in self.cards),
            *(1 << face.color for _, face in faces),
            *(1 << color for color in colors),
        )
        """Masks of the colours that a card matches: both, where no side of it is up (P23)."""
        self.actions: Final[tuple[int, ...]] = (
            0,
            *(card.action for card in self.cards),
            *(action_of_type[face.color] for _, face in faces),
            *(action_of_type[color] for color in colors),
        )
        self.levels: Final[tuple[tuple[tuple[int, int], ...], ...]] = (
            (),
            *(card.level for card in self.cards),
            *(card.level for card, _ in faces),
            *((),) * len(colors),
        )
        self.loads: Final[tuple[tuple[int, ...], ...]] = (
            (),
            *(card.contracts[0].load for card in self.cards),
            *(face.load for _, face in faces),
            *((),) * len(colors),
        )
        self.powers: Final[tuple[str, ...]] = (
            "",
            *(card.contracts[0].power if len(card.contracts) == 1 else "" for card in self.cards),
            *(face.power for _, face in faces),
            *("",) * len(colors),
        )
        self.level_sums: Final[tuple[int, ...]] = tuple(
            sum(count for _, count in level) for level in self.levels
        )
        self.first_token: Final = len(self.ids) - len(colors)
        """The number of the first token; what has a lower one is a card, or a side of one."""
        front = list(range(len(self.ids)))
        sides: list[tuple[int, ...]] = [(number,) for number in front]
        for place, card in enumerate(doubles):
            first = len(self.cards) + 2 * place + 1
            sides[card.number] = (first, first + 1)
            front[first] = front[first + 1] = card.number
        self.front: Final = tuple(front)
        """The number of the card that this is a side of; its own for all others."""
        self.sides: Final[tuple[tuple[int, ...], ...]] = tuple(sides)
        """What a card can lie as where a side must be up: itself, or one of its two sides."""
        self.uses: Final = tuple(tuple([self.actions[side] for side in both]) for both in self.sides)
        """The actions that a card can be played for (R3.4): its own, of a card with two contracts both."""
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
                known |= self.number_of
                near = similar(wanted, known, same=lambda name: self.front[known[name]])
                raise UnknownCard(f"there is no card {quoted(id_or_name)}; {near}")
            number = known[wanted]
        return self.cards[self.front[number] - 1]

    def with_faces(self, changes: Mapping[str, Mapping[str, object]]) -> Catalogue:
        """A copy in which some cards have another face, for tests that bring their own (P39).

        `changes` maps card ids to tables with any of color, level, load and action, written as in the file;
        a card with two contracts takes `colors` and a list of two loads, one of its sides `color` and `load`.
        Unlike in a file any card may be of any colour. Raises `UnknownCard` and `CatalogueError`.
        """
        from arena.game.catalogue_form import changed_face, changed_side

        cards = list(self.cards)
        for name, change in changes.items():
            place = self.card(name).number - 1
            number = self.number_of.get(name, 0)
            if number > len(cards):
                side = self.sides[place + 1].index(number)
                cards[place] = changed_side(cards[place], side, change, self.action_of_type)
            else:
                cards[place] = changed_face(cards[place], change, self.action_of_type)
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


def similar(name: str, known: Iterable[str], same: Callable[[str], object] = str) -> str:
    """The end of a sentence about an unknown name: the known names that are spelled most like it.

    Of several names for what is the `same` there is only the first.
    """
    from difflib import get_close_matches

    near: dict[object, str] = {}
    for each in get_close_matches(name[:80], dict.fromkeys(known), n=12):
        near.setdefault(same(each), each)
    return f"did you mean {' or '.join(list(near.values())[:3])}?" if near else "no name is like it"


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
