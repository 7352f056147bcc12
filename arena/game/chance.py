"""Chance: one counter and a secret seed (Q3). All randomness of a game goes through the two functions here.

The k-th number drawn, k from 0, is the SHA-256 of the ASCII text `seed/k` read as a big-endian integer,
modulo the number of outcomes. A bot cannot foresee it from what it has seen, since that would mean
inverting SHA-256; and whoever is told the seed afterwards can repeat the deal in any language. With 256
bits the modulo favours no outcome by more than 2**-240.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from hashlib import _Hash


class Dice(Protocol):
    """Whoever holds the two numbers: a game, or a sampler."""

    seed: int
    drawn: int


def below(dice: Dice, outcomes: int) -> int:
    """Return a number from 0 to `outcomes` - 1 and advance the counter."""
    number = _number(_begun(dice.seed), dice.drawn)
    dice.drawn += 1
    return number % outcomes


@lru_cache(256)
def _begun(seed: int) -> _Hash:
    """The hash of what all texts of one seed begin with; to go on from a copy is faster than to begin anew."""
    return sha256(b"%d/" % seed)


def _number(begun: _Hash, place: int) -> int:
    text = begun.copy()
    text.update(b"%d" % place)
    return int.from_bytes(text.digest(), "big")


def shuffle(dice: Dice, cards: list[int]) -> None:
    """Shuffle in place (Fisher and Yates, from the last place down)."""
    begun = _begun(dice.seed)
    for drawn, last in enumerate(range(len(cards) - 1, 0, -1), dice.drawn):
        other = _number(begun, drawn) % (last + 1)
        cards[last], cards[other] = cards[other], cards[last]
    dice.drawn += max(0, len(cards) - 1)
