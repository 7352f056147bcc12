"""What belongs to one seat: its Port with Crew, Goods, fulfilled contracts and Ships, and its Ships at sea.

A seat is drawn in one of several degrees of detail, from one line to a frame with the texts of its powers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import Any, Final

from rich.text import Text

from arena.board.cards import Cards, badge, slots_of
from arena.board.lines import Block, Brush, framed, joined, named, words
from arena.describe import count_text
from arena.game.terms import END_CREDITS

NAME_WIDTH: Final = 20  # columns; then a name is cut
NARROW_NAME: Final = 14  # the same where the seat has one line
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
            return [self._heading(seat, NAME_WIDTH), *self._lines(seat, width)]
        heading = self._heading(seat, max(6, min(NAME_WIDTH * 2, width - 34)))
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
        """Whether it leads, and who it is, filled up to the width."""
        leads = seat == self.view["lead"]
        name = words((self.names[seat], "bold"))
        name.truncate(width, overflow="ellipsis", pad=True)
        return words((f"{self.brush.marks.leads if leads else ' '} ", "bold"), name)

    def _heading(self, seat: int, width: int) -> Text:
        player = self.view["players"][seat]
        name = self.name(seat, width)
        name.rstrip()
        return words(
            name,
            " ",
            badge(player["port"]),
            (f" {player['credits']}", "bold"),
            (f"/{END_CREDITS} ", "dim"),
            way_to_the_end(player["credits"], BAR, self.brush),
            f" hand {player['hand']}",
            (self._state(seat), "bold"),
        )

    def _state(self, seat: int) -> str:
        """What the seat does now."""
        player = self.view["players"][seat]
        state = (
            f"  {player['doing']} x{player['announced']}" if player["announced"] and player["doing"] else ""
        )
        if self._is_asked(seat):
            state += "  sealed bid" if self.asked.get("kind") == "bid" else "  to decide"
        return state

    # Degrees of detail

    def _line(self, seat: int, width: int) -> Text:
        player = self.view["players"][seat]
        at_sea = [self.cards.row(ship["containers"], brief=True) for ship in self._ships(seat, at_sea=True)]
        ships = [
            self._ship_in_port(ship, brief=True)
            for ship in self._ships(seat, at_sea=False)
            if holds_something(ship)
        ]
        doing = (
            f"{player['doing']} x{player['announced']} " if player["announced"] and player["doing"] else ""
        )
        line = words(
            self.name(seat, NARROW_NAME),
            " ",
            badge(player["port"]),
            (f"{player['credits']:>4}", "bold"),
            f" hand {player['hand']:<2} ",
            (doing, "bold"),
            ("crew ", "dim"),
            self.cards.row(player["crew"], brief=True),
            (" goods ", "dim"),
            self.cards.row(self.cards.sorted(player["goods"]), brief=True),
            (" done ", "dim"),
            str(len(player["fulfilled"])),
            (" sea ", "dim"),
            joined(at_sea, "|") if at_sea else "-",
            (" port ", "dim"),
            joined(ships, "|") if ships else "-",
        )
        line.truncate(width, overflow="ellipsis")
        return line

    def _lines(self, seat: int, width: int) -> Block:
        player = self.view["players"][seat]
        parts = [
            words((f"{label} ", "dim"), self.cards.row(cards))
            for label, cards in (
                ("plays", player["played"]),
                ("crew", player["crew"]),
                ("goods", self.cards.sorted(player["goods"])),
                ("fulfilled", player["fulfilled"]),
                ("hand", self._hand(seat) or ()),
            )
            if cards
        ]
        ships = [
            self._ship_in_port(ship) for ship in self._ships(seat, at_sea=False) if holds_something(ship)
        ]
        indented = [words("  ", line) for line in self.brush.wrapped(joined(parts, "   "), width - 2)]
        return indented + [
            words("  ", line) for ship in ships for line in self.brush.wrapped(ship, width - 2, 2)
        ]

    def _areas(self, seat: int, width: int, detail: Detail) -> Block:
        player, brush, cards = self.view["players"][seat], self.brush, self.cards
        crew = f"crew {len(player['crew'])}/{player['crew_limit']}"
        goods = f"goods {len(player['goods'])}/{player['goods_limit']}"
        block = []
        hand = self._hand(seat)
        if hand is not None:
            block += named("hand", cards.row(hand), brush, width)
        if player["played"]:
            block += named("plays", cards.row(player["played"]), brush, width, 2)
        if not player["crew"] and not player["goods"]:
            block += [words((f"{crew}   {goods}", "dim"))]
        else:
            block += named(crew, cards.row(player["crew"]), brush, width)
            block += named(goods, cards.row(cards.sorted(player["goods"])), brush, width)
        block += self._fulfilled(player["fulfilled"], width, detail)
        for ship in self._ships(seat, at_sea=False):
            block += named("port", self._ship_in_port(ship), brush, width)
        notes = [*notes_of(player, self.view)]
        return block + (brush.wrapped(words(("; ".join(notes), "italic")), width, 2) if notes else [])

    def _fulfilled(self, fulfilled: Sequence[str], width: int, detail: Detail) -> Block:
        if not fulfilled:
            return []
        if detail < Detail.POWERS:
            return named("fulfilled", self.cards.row(fulfilled), self.brush, width)
        most = 1 if detail is Detail.POWERS else None
        block = [words(("fulfilled", "dim"))]
        for card in fulfilled:
            power = self.cards.power(card, self.view.get("copies", {}))
            told = words(self.cards.card(card), (f"  {power}", "italic"))
            lines = self.brush.wrapped(told, width - 2, most)
            block += [words("  " if not number else "    ", line) for number, line in enumerate(lines)]
        return block

    # Ships

    def _ship_in_port(self, ship: View, *, brief: bool = False) -> Text:
        """The contracts with their slots, and the Containers."""
        marks = self.brush.marks
        contracts = []
        for contract in ship["contracts"]:
            shown = self.cards.badge(contract) if brief else self.cards.card(contract)
            slots = slots_of(ship, contract, marks)
            contracts.append(words(shown, ":" if brief else " needs ", slots) if slots.plain else shown)
        aboard = self.cards.row(ship["containers"], brief=brief)
        parts = [joined(contracts, " ")] if contracts else []
        if brief:
            return joined([*parts, *([aboard] if ship["containers"] else [])], "+") if parts else aboard
        if ship["containers"]:
            parts.append(words(("with ", "dim"), aboard))
        extras = extras_of(ship)
        return words(
            (f"ship {ship['ship']} ", "dim"),
            joined(parts) if parts else words(("empty", "dim")),
            (f"  ({'; '.join(extras)})" if extras else "", "italic"),
        )

    def sea(self, width: int, *, brief: bool) -> Block:
        """The High Seas, Ship by Ship."""
        ships = []
        for seat in range(len(self.names)):
            for ship in self._ships(seat, at_sea=True):
                owner = words((self.names[seat], "bold"))
                owner.truncate(NARROW_NAME, overflow="ellipsis")
                extras = extras_of(ship)
                ships.append(
                    words(
                        owner,
                        (f" {ship['ship']} ", "dim"),
                        self.cards.row(ship["containers"], brief=brief),
                        (f" ({'; '.join(extras)})" if extras and not brief else "", "italic"),
                    )
                )
        shown = joined(ships, "   ") if ships else words(("no Ship", "dim"))
        if brief:
            return named("at sea", shown, self.brush, width, 1)
        return [
            line
            for number, ship in enumerate(ships or [shown])
            for line in named("at sea" if not number else "      ", ship, self.brush, width, 2)
        ]


def way_to_the_end(credits: int, width: int, brush: Brush) -> Text:
    """How much of the way to the credits that trigger the end is done."""
    done = max(0, min(width, round(width * credits / END_CREDITS)))
    return words((brush.marks.bar * done, "bold"), (brush.marks.rest * (width - done), "dim"))


def holds_something(ship: View) -> bool:
    """Whether there is anything to tell of a Ship in a Port."""
    return bool(ship["contracts"] or ship["containers"])


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
