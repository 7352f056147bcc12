"""What belongs to one seat: its Port with Crew, Goods, fulfilled contracts and Ships, and its Ships at sea.

A seat is drawn in one of several degrees of detail, from one line to a frame with the texts of its powers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import Any, Final

from rich.text import Text

from arena.board.cards import Cards, badge, slots_of
from arena.board.lines import Block, Brush, cut, flow, framed, joined, named, words
from arena.describe import count_text
from arena.game.terms import END_CREDITS

NAME_WIDTH: Final = 20  # columns; then a name is cut
NARROW_NAME: Final = 14  # the same where the seat has one line
LEAST_NAME: Final = 6  # columns of a name, whatever stands behind it
FRAME: Final = 6  # columns of a heading that its frame takes
ROOMY: Final = 60  # columns of a heading; in less the bar is shorter
BAR: Final = 10  # columns of the way to the end in a heading

View = Mapping[str, Any]


class Detail(IntEnum):
    """How much is told of a seat."""

    LINE = 0  # one line, cards by their letters alone
    LINES = 1  # some lines, cards by their ids
    FRAME = 2  # each area on its own line, in a frame
    POWERS = 3  # the same with each power in a line
    TEXTS = 4  # the same with the whole text of each power


class Ports:
    """Draws the seats of one view."""

    def __init__(
        self, view: View, names: Sequence[str], asked: View | None, cards: Cards, brush: Brush
    ) -> None:
        self.view = view
        self.names = names
        self.asked = asked or {}
        self.cards = cards
        self.brush = brush

    def seat(self, seat: int, width: int, detail: Detail) -> Block:
        """One seat in lines of at most this width."""
        if detail is Detail.LINE:
            return [self._line(seat, width)]
        if detail is Detail.LINES:
            return [self._heading(seat, width), *self._lines(seat, width)]
        heading = self._heading(seat, width - FRAME)
        style = "bold" if self._is_asked(seat) else "dim"
        return framed(heading, self._areas(seat, width - 4, detail), self.brush, width, style)

    def _is_asked(self, seat: int) -> bool:
        return seat in self.asked.get("seats", ())

    def _ships(self, seat: int, *, at_sea: bool) -> list[View]:
        return [
            ship
            for ship in self.view["ships"]
            if ship["owner"] == seat and ship["place"] != "gone" and (ship["place"] == "sea") is at_sea
        ]

    def _hand(self, seat: int) -> Sequence[str] | None:
        """The cards of the hand, where they may be seen."""
        hands = self.view.get("hands")
        if hands is not None:
            return list(hands[seat])
        return list(self.view["hand"]) if self.view.get("seat") == seat else None

    # Headings

    def name(self, seat: int, width: int) -> Text:
        """Whether it leads, and who it is, cut to the width."""
        leads = seat == self.view["lead"]
        name = words((self.names[seat], "bold"))
        name.truncate(max(1, width), overflow="ellipsis")
        return words((f"{self.brush.marks.leads if leads else ' '} ", "bold"), name)

    def _heading(self, seat: int, width: int) -> Text:
        player = self.view["players"][seat]
        told = words(
            " ",
            badge(player["port"]),
            (f" {player['credits']}", "bold"),
            (f"/{END_CREDITS} ", "dim"),
            way_to_the_end(player["credits"], BAR if width >= ROOMY else BAR // 2, self.brush),
            f" hand {player['hand']}",
            (self._state(seat), "bold"),
        )
        return words(self.name(seat, max(LEAST_NAME, width - told.cell_len - 2)), told)

    def _state(self, seat: int) -> str:
        """What the seat does now."""
        doing = announced(self.view["players"][seat])
        state = f"  {doing}" if doing else ""
        if self._is_asked(seat):
            state += "  sealed bid" if self.asked.get("kind") == "bid" else "  to decide"
        return state

    # Degrees of detail

    def _line(self, seat: int, width: int) -> Text:
        player, letters = self.view["players"][seat], self.cards.letters
        at_sea = [letters(ship["containers"]) for ship in self._ships(seat, at_sea=True)]
        ships = [
            self._ship_by_letters(ship)
            for ship in self._ships(seat, at_sea=False)
            if ship["contracts"] or ship["containers"]
        ]
        line = words(
            cut(self.name(seat, NARROW_NAME), NARROW_NAME + 3),
            badge(player["port"]),
            (f"{player['credits']:>4}", "bold"),
            f" hand {player['hand']:<2} ",
            (f"{announced(player)} " if announced(player) else "", "bold"),
            ("crew ", "dim"),
            letters(player["crew"]),
            (" goods ", "dim"),
            letters(self.cards.sorted(player["goods"])),
            (" done ", "dim"),
            str(len(player["fulfilled"])),
            (" sea ", "dim"),
            joined(at_sea, "|") if at_sea else "-",
            (" port ", "dim"),
            joined(ships, "|") if ships else "-",
        )
        return cut(line, width)

    def _lines(self, seat: int, width: int) -> Block:
        player = self.view["players"][seat]
        areas = (
            ("plays", player["played"]),
            ("crew", player["crew"]),
            ("goods", self.cards.sorted(player["goods"])),
            ("fulfilled", player["fulfilled"]),
            ("hand", self._hand(seat) or ()),
        )
        parts = []
        for label, cards in areas:
            if cards:
                first, *others = self.cards.each(cards)
                parts += [words((f"{label} ", "dim"), first), *others]
        block = flow(parts, width - 2)
        for ship in self._ships(seat, at_sea=False):
            if ship["contracts"] or ship["containers"]:
                block += named(f"ship {ship['ship']}", self._ship(ship), width - 2, 2)
        return [words("  ", line) for line in block]

    def _areas(self, seat: int, width: int, detail: Detail) -> Block:
        player, cards = self.view["players"][seat], self.cards
        crew = f"crew {len(player['crew'])}/{player['crew_limit']}"
        goods = f"goods {len(player['goods'])}/{player['goods_limit']}"
        hand = self._hand(seat)
        block = named("hand", cards.each(hand), width) if hand is not None else []
        if player["played"]:
            block += named("plays", cards.each(player["played"]), width, 2)
        block += named(crew, cards.each(player["crew"]), width)
        block += named(goods, cards.each(cards.sorted(player["goods"])), width)
        block += self._fulfilled(player["fulfilled"], width, detail)
        for ship in self._ships(seat, at_sea=False):
            block += named(f"port ship {ship['ship']}", self._ship(ship), width)
        notes = notes_of(player, self.view)
        return block + (self.brush.wrapped(words(("; ".join(notes), "italic")), width, 2) if notes else [])

    def _fulfilled(self, fulfilled: Sequence[str], width: int, detail: Detail) -> Block:
        if not fulfilled:
            return []
        if detail < Detail.POWERS:
            return named("fulfilled", self.cards.each(fulfilled), width)
        most = 1 if detail is Detail.POWERS else None
        block = [words(("fulfilled", "dim"))]
        for card in fulfilled:
            power = self.cards.power(card, self.view.get("copies", {}))
            told = words(self.cards.card(card), (f"  {power}", "italic"))
            lines = self.brush.wrapped(told, width - 2, most)
            block += [words("  " if not number else "    ", line) for number, line in enumerate(lines)]
        return block

    # Ships

    def _ship(self, ship: View) -> list[Text]:
        """The contracts with their slots, and the Containers, as the parts of a row."""
        parts = []
        for contract in ship["contracts"]:
            slots = slots_of(ship, contract, self.brush.marks)
            needs = words((" needs ", "dim"), slots) if slots.plain else ""
            parts.append(words(self.cards.card(contract), needs))
        if ship["containers"]:
            first, *others = self.cards.each(ship["containers"])
            parts += [words(("with ", "dim"), first), *others]
        extras = extras_of(ship)
        parts += [words((f"({'; '.join(extras)})", "italic"))] if extras else []
        return parts or [words(("empty", "dim"))]

    def _ship_by_letters(self, ship: View) -> Text:
        parts = []
        for contract in ship["contracts"]:
            slots = slots_of(ship, contract, self.brush.marks)
            parts.append(words(self.cards.badge(contract), ":", joined(slots.split(" "), "")))
        if ship["containers"]:
            parts.append(self.cards.letters(ship["containers"]))
        return joined(parts, "+")

    def sea(self, width: int, *, brief: bool) -> Block:
        """The High Seas: all Ships in a row by letters, or each in a line."""
        fleet = [(seat, ship) for seat in range(len(self.names)) for ship in self._ships(seat, at_sea=True)]
        if not fleet:
            return named("at sea", [words(("no Ship", "dim"))], width)
        if brief:
            ships = [
                words(self._owner(seat, ship), self.cards.letters(ship["containers"])) for seat, ship in fleet
            ]
            return named("at sea", ships, width, 1)
        block: Block = []
        for seat, ship in fleet:
            first, *others = self.cards.each(ship["containers"])
            extras = extras_of(ship)
            others += [words((f"({'; '.join(extras)})", "italic"))] if extras else []
            label = "      " if block else "at sea"
            block += named(label, [words(self._owner(seat, ship), first), *others], width, 2)
        return block

    def _owner(self, seat: int, ship: View) -> Text:
        name = words((self.names[seat], "bold"))
        name.truncate(NARROW_NAME, overflow="ellipsis")
        return words(name, (f" ship {ship['ship']} ", "dim"))


def way_to_the_end(credits: int, width: int, brush: Brush) -> Text:
    """How much of the way to the credits that trigger the end is done."""
    done = max(0, min(width, round(width * credits / END_CREDITS)))
    return words((brush.marks.bar * done, "bold"), (brush.marks.rest * (width - done), "dim"))


def announced(player: View) -> str:
    """The action that a seat has announced, and how many times."""
    return f"{player['doing']} x{player['announced']}" if player["announced"] and player["doing"] else ""


def extras_of(ship: View) -> list[str]:
    """What powers have made of a Ship."""
    extras = [
        f"{name.replace('_', ' ')} {ship[name]}"
        for name in ("reduced", "joined", "single_use")
        if name in ship
    ]
    extras += [f"{name} {', '.join(ship[name])}" for name in ("rainbow", "yen") if ship.get(name)]
    if ship.get("pairs"):
        extras.append("pairs " + ", ".join(" + ".join(pair) for pair in ship["pairs"]))
    return extras


def notes_of(player: View, view: View) -> list[str]:
    """What powers have made of a seat and of its contracts."""
    notes = ["has sold this turn"] if player["sold"] else []
    if player["extra_turns"]:
        notes.append(count_text(player["extra_turns"], "extra turn"))
    for card in player["fulfilled"]:
        if card in view.get("copies", {}):
            notes.append(f"{card} has the power of {view['copies'][card]}")
        if card in view.get("marks", {}):
            notes.append(f"on {card}: {view['marks'][card]}")
    return notes
