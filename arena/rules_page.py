"""docs/rules.md, the rules reference for players, written from the data of the house catalogue.

    python -m arena.rules_page > docs/rules.md

The faces and texts of the cards come from `arena/data`; what stands here is the short form of the base rules
and the form of the page. The rules themselves, with their ids, are docs/game-rules.md.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Final

from arena.game.catalogue import SETS, Card, Face, default_catalogue, power_texts
from arena.game.terms import ACTIONS, ANY, CAPITAL, TYPES

SPECIAL: Final = re.compile(r"([\\`*_\[\]<>|~&#])")
"""What could be read as markup within a line; every one may stand behind a backslash."""

SET_NAMES: Final = {
    "base": "Base game",
    "capital": "Capital",
    "tokyo": "Tokyo Port",
    "kickstarter": "Kickstarter",
    "kickstarter2": "Kickstarter 2",
    "j": "J: cards with two contracts",
    "flag": "Flag",
}

SET_RULES: Final = {
    "capital": "The set brings the Barter action and Goods of any type: [R16](game-rules.md#r16-capital-expansion).",
    "tokyo": "It is played with the Tokyo Port side up: [R17](game-rules.md#r17-tokyo-port).",
    "j": "Each card shows two Containers and two Contracts: [R18](game-rules.md#r18-double-contract-cards).",
}

TIMINGS: Final = {
    "immediate": "once, when it is fulfilled",
    "continuous": "continuous",
    "anytime": "whenever its owner wants, in the windows of Q28",
    "end": "in final scoring",
}

INTRODUCTION: Final = """\
# Rules reference

<!-- Written by `python -m arena.rules_page > docs/rules.md` from arena/data; change the data, not this page. -->

What a player wants to look up: the base rules in short, and all {cards} cards with their {powers} powers. The
rules in full, with the ids that are cited here (R3, Q28, P16 ...), are [game-rules.md](game-rules.md);
`arena cards NAME` shows one card in the terminal.

The rulebook lists the powers, but not the faces of the cards. Type, Level, load and set are this project's own
values but for a few that the rulebook gives away; an owner of the printed game can play with other ones
(`--catalogue FILE`).

## The game in short

Whoever has the most credits at the end wins. Credits come from fulfilled contracts, sold cards, powers and
final scoring.

**A card** is what it is by where it lies: an action in the hand, a Contract or a Container at a Ship, Crew, a
Good, or a fulfilled contract with a power ([R1](game-rules.md#r1-components-and-visibility)).

**Set-up.** Each player has a Port with 1 printed contract, a Ship in Port, a Ship at sea with 4 Containers, 5
cards and 10 credits; one card per player lies on the Supply Island ([R2](game-rules.md#r2-set-up)).

**A turn.** The lead player draws up to 5 cards (1 with 5 or more), which ends the turn; or plays a card for its
action, once and once more for each matching Crew card. Two cards of one colour may stand for one card of an
action that is not in the hand ([R3](game-rules.md#r3-the-turn)). The others, clockwise, play a card of the same
action to follow, or draw and may then use matching Crew ([R4](game-rules.md#r4-following)). Then each player in
turn performs what was announced ([R5](game-rules.md#r5-performing)).

| Action | What it does |
|---|---|
| Supply | sell a hand card to the Island for 4 credits, once a turn; or take an Island card as Crew \
([R7](game-rules.md#r7-supply)) |
| Import | bid in secret for 2 cards of a Ship at sea that the lead player picks; they become Crew (at most one) \
and Goods; the Ship's owner takes 2 credits if another wins ([R8](game-rules.md#r8-import)) |
| Contract | put a hand card under an own Ship in Port; its Level must be met by Goods, the Port or further \
Contract actions; the loads on one Ship are 6 in all at most ([R9](game-rules.md#r9-contract)) |
| Load | put a hand card on an own Ship in Port as a Container that a Contract there still needs \
([R10](game-rules.md#r10-load)) |
| Piracy | the same with a Container of a Ship at sea or a card of the Island ([R12](game-rules.md#r12-piracy)) |
| Barter | swap a hand card with an Island card ([R16](game-rules.md#r16-capital-expansion)) |

**Fulfilment.** A Ship that carries all that its Contracts need pays at once (2 Containers 6 credits, 3 or 4 pay
10, more pay 14), its Contracts come to their owner's fulfilled ones and their powers begin, it goes to sea, and
the top card of the draw pile comes to the Island ([R11](game-rules.md#r11-fulfilment)).

**Limits.** Crew: as many as fulfilled contracts, the printed one included; Goods: twice as many
([R6](game-rules.md#r6-limits)).

**The end.** Somebody has 50 credits, or no card is left, or a power says so; the turn is finished
([R13](game-rules.md#r13-end-of-the-game)). Scored are Containers on unfulfilled Contracts (2 each), Goods (1
each, Illegal 2), a set of all five types (10), most of a type (6; Luxury 8; Illegal -6), and powers
([R14](game-rules.md#r14-scoring)).

**Powers** override the rules; credits are paid to the bank; who cannot pay in full cannot use them
([R15](game-rules.md#r15-card-powers-general)). What all powers have in common (events, order, ties, loops) stands
in the [conventions](game-rules.md#p-conventions-for-powers), what the rulebook leaves open in the
[rulings](game-rules.md#q-rulings).

## Types and actions
"""

READING = """
## How to read a card

Type and action; **Level**: the Goods, or the like, that must be there to place it; **load**: the Containers that
fulfil it. Then the power: when it acts, what it does, and below it the rulings that apply the rules to it.
"""


def page() -> str:
    """The whole page."""
    return "\n".join([*opening(), *(line for name in SETS for line in set_section(name))]) + "\n"


def opening() -> Iterator[str]:
    """All that comes before the cards."""
    catalogue = default_catalogue()
    yield INTRODUCTION.format(cards=len(catalogue.cards), powers=len(power_texts()))
    yield "| Type | Action on its cards | Port |"
    yield "|---|---|---|"
    for type_, name in enumerate(TYPES):
        action = ACTIONS[catalogue.action_of_type[type_]].capitalize()
        yield f"| {name.capitalize()} | {action} | {'light grey' if type_ == CAPITAL else name} |"
    yield READING
    yield "## Sets"
    yield ""
    for name, heading in SET_NAMES.items():
        yield f"- [{heading}](#{anchor(heading)}): {SETS[name]} cards"


def set_section(name: str) -> Iterator[str]:
    """The cards of a set, by name."""
    catalogue = default_catalogue()
    cards = [catalogue.cards[number - 1] for number in catalogue.numbers_of_set(name)]
    yield from ("", f"## {SET_NAMES[name]}", "")
    if name in SET_RULES:
        yield from (SET_RULES[name], "")
    cards.sort(key=lambda card: card.name.casefold())
    yield " · ".join(f"[{escaped(card.name)}](#{anchor(card.name)})" for card in cards)
    for card in cards:
        yield from card_section(card)


def card_section(card: Card) -> Iterator[str]:
    """One card: its face, then each of its contracts."""
    yield from ("", f"### {escaped(card.name)}", "")
    if len(card.contracts) == 1:
        yield f"{face_line(card.contracts[0])}; Level {level(card)}; load {load(card.contracts[0])}"
        yield from power_lines(card.contracts[0].power)
        return
    for face in card.contracts:
        yield f"#### {escaped(power_texts()[face.power].name)}"
        yield ""
        yield f"{face_line(face)}; no Level; load {load(face)}"
        yield from power_lines(face.power)
        yield ""


def face_line(face: Face) -> str:
    """The type and its action."""
    return f"{TYPES[face.color].capitalize()} ({ACTIONS[default_catalogue().action_of_type[face.color]]})"


def level(card: Card) -> str:
    """The Level prerequisite (R9.3)."""
    parts = [f"{count} {'of any type' if type_ == CAPITAL else TYPES[type_]}" for type_, count in card.level]
    return ", ".join(parts) or "none"


def load(face: Face) -> str:
    """The load requirement (R10)."""
    counts = Counter("any colour" if mask == ANY else TYPES[mask.bit_length() - 1] for mask in face.load)
    return ", ".join(f"{count} {color}" for color, count in counts.items())


def power_lines(power: str) -> Iterator[str]:
    """When a power acts, what it does, and what was ruled on it."""
    text = power_texts()[power]
    yield from ("", f"**{TIMINGS[text.timing].capitalize()}:** {escaped(text.effect)}")
    for label, value in (("Rulings", text.ruling), ("What is seen", text.hidden_info)):
        if value:
            yield from ("", f"> *{label}.* {escaped(value[0].upper() + value[1:])}")


def escaped(text: str) -> str:
    """A text on one line, in which nothing is read as markup."""
    return SPECIAL.sub(r"\\\1", " ".join(text.split()))


def anchor(heading: str) -> str:
    """The id that the usual renderers give a heading."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    sys.stdout.write(page())
