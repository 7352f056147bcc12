"""Options and decisions: what a seat may be asked, and what it may answer.

An option is a small immutable value. Its text form and the inverse:

    verb [:name] [:card[+other]] [@place] [*amount]

    load:hawaiian-salt@ship-1      lead:import:potatoes+cups*2      bid*6      tie@seat-2      pass

Ships are numbered over the whole table: seat s begins with `ship-2s` in Port and `ship-2s+1` at sea.
Options are interned, because a game offers the same few thousand again and again.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from arena.game.catalogue import Catalogue
from arena.game.errors import OptionTextError

INTERNED = 1 << 16  # about 170 cards x 12 ships x a few verbs; older ones are dropped
ANNOUNCED = 1 << 14  # pairs of cards are many, each seldom seen again: with more, memory grows for hours
MAX_TEXT = 200  # the longest text form is under 120 characters

PLACES = frozenset({"hand", "crew", "goods", "island", "discard", "fulfilled", "pile"})


WITHOUT_CARD = frozenset({"draw", "earn", "import"})
"""Verbs after which a word is never a card, but a power's name, which may be a card's id too."""


class Option(NamedTuple):
    """One legal answer. Fields that a verb does not use keep their defaults."""

    verb: str
    name: str = ""  # an action, a type, or a power's own word
    card: int = 0  # card number, 0 for none
    other: int = 0  # the second card of a pair
    ship: int = -1
    seat: int = -1
    place: str = ""
    amount: int = -1  # actions, credits or Levels, as the verb says

    def text(self, catalogue: Catalogue) -> str:
        """The text form, with card ids of `catalogue`."""
        parts = [self.verb]
        if self.name:
            parts.append(":" + self.name)
        if self.card:
            parts.append(":" + catalogue.ids[self.card])
            if self.other:
                parts.append("+" + catalogue.ids[self.other])
        if self.ship >= 0:
            parts.append(f"@ship-{self.ship}")
        elif self.seat >= 0:
            parts.append(f"@seat-{self.seat}")
        elif self.place:
            parts.append("@" + self.place)
        if self.amount >= 0:
            parts.append(f"*{self.amount}")
        return "".join(parts)


def parse(text: str, catalogue: Catalogue) -> Option:
    """The inverse of `Option.text`; raises `OptionTextError` for anything else."""
    if len(text) > MAX_TEXT:
        raise OptionTextError(
            f"an option of {len(text)} characters is none; the longest has under {MAX_TEXT}"
        )
    head, star, digits = text.partition("*")
    head, at, where = head.partition("@")
    verb, *words = head.split(":")
    fields: dict[str, int | str] = {}
    named = verb in WITHOUT_CARD or (verb == "pirate" and not where.startswith("ship") and at)
    if words and not named and words[-1].partition("+")[0] in catalogue.number_of:
        first, plus, second = words.pop().partition("+")
        fields["card"] = catalogue.number_of[first]
        if plus:
            if second not in catalogue.number_of:
                raise OptionTextError(
                    f"{second[:40]!r} in the option {text!r} is no card id of this catalogue"
                )
            fields["other"] = catalogue.number_of[second]
    if words:
        fields["name"] = words.pop(0)
    if at:
        kind, dash, number = where.partition("-")
        if dash and kind in ("ship", "seat") and number.isascii() and number.isdigit():
            fields[kind] = int(number)
        elif where in PLACES:
            fields["place"] = where
        else:
            raise OptionTextError(
                f"{where!r} in the option {text!r} is no place; say ship-0, seat-0 or a zone"
            )
    if star:
        if not (digits.isascii() and digits.isdigit()):
            raise OptionTextError(
                f"{digits!r} in the option {text!r} is not an amount; write digits after the star"
            )
        fields["amount"] = int(digits)
    option = Option(verb, **fields)  # type: ignore[arg-type]
    if words or option.text(catalogue) != text:
        raise OptionTextError(
            f"{text!r} is not the text form of an option; write verb:name:card@place*amount"
        )
    return option


class Decision(NamedTuple):
    """What one seat is asked: the kind, and at least two options in a fixed order.

    The first option is the default of Q104, always legal and harmless: draw, pass, bid nothing, decline.

    `secret` says that the seat is asked only because of a card in its hand (Q98): nobody else may learn
    that it is asked at all.
    """

    kind: str
    seat: int
    options: tuple[Option, ...]
    secret: bool = False

    @property
    def default(self) -> int:
        """The index of the answer that is taken if none comes (Q104)."""
        return 0

    def texts(self, catalogue: Catalogue) -> list[str]:
        """The text forms of the options, in order."""
        return [option.text(catalogue) for option in self.options]


# The verbs of the base rules. Each is interned; a power builds its own options with `option`.


@lru_cache(INTERNED)
def option(
    verb: str,
    name: str = "",
    card: int = 0,
    other: int = 0,
    ship: int = -1,
    seat: int = -1,
    place: str = "",
    amount: int = -1,
) -> Option:
    """The interned option with these fields."""
    return Option(verb, name, card, other, ship, seat, place, amount)


DRAW = option("draw")
PASS = option("pass")
YES = option("yes")


@lru_cache(ANNOUNCED)
def announcements(verb: str, name: str, card: int, other: int, most: int) -> tuple[Option, ...]:
    """Lead, follow or crew (R3.4, R4): play `card`, or the wild `card` + `other`, for 1 up to `most` actions."""
    return tuple(Option(verb, name, card, other, -1, -1, "", count) for count in range(1, most + 1))


@lru_cache(INTERNED)
def with_card(verb: str, card: int) -> Option:
    """sell, take, discard, give, put ...: a verb about one card."""
    return Option(verb, "", card)


@lru_cache(INTERNED)
def on_ship(verb: str, card: int, ship: int) -> Option:
    """load:card@ship-n, contract:card@ship-n, pirate:card@ship-n."""
    return Option(verb, "", card, 0, ship)


@lru_cache(INTERNED)
def to_place(verb: str, card: int, place: str) -> Option:
    """take:card@crew and the like."""
    return Option(verb, "", card, 0, -1, -1, place)


@lru_cache(INTERNED)
def number(verb: str, count: int) -> Option:
    """bid*6, crew*2."""
    return Option(verb, "", 0, 0, -1, -1, "", count)


@lru_cache(INTERNED)
def ship(verb: str, index: int) -> Option:
    """import@ship-3, scrap@ship-0."""
    return Option(verb, "", 0, 0, index)


@lru_cache(INTERNED)
def seat(verb: str, who: int) -> Option:
    """tie@seat-2."""
    return Option(verb, "", 0, 0, -1, who)


@lru_cache(INTERNED)
def named(verb: str, name: str) -> Option:
    """name:luxury, take:credits."""
    return Option(verb, name)
