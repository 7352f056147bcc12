"""Chance: one counter and a secret seed (Q3). All randomness of a game goes through the two functions here.

The k-th number drawn, k from 0, is the SHA-256 of the ASCII text `seed/k` read as a big-endian integer,
modulo the number of outcomes. A bot cannot foresee it from what it has seen, since that would mean
inverting SHA-256; and whoever is told the seed afterwards can repeat the deal in any language. With 256
bits the modulo favours no outcome by more than 2**-240.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Protocol


class Dice(Protocol):
    """Whoever holds the two numbers: a game, or a sampler."""

    seed: int
    drawn: int


def below(dice: Dice, outcomes: int) -> int:
    """Return a number from 0 to `outcomes` - 1 and advance the counter."""
    number = _number(dice.seed, dice.drawn)
    dice.drawn += 1
    return number % outcomes


def _number(seed: int, place: int) -> int:
    return int.from_bytes(sha256(b"%d/%d" % (seed, place)).digest(), "big")


def shuffle(dice: Dice, cards: list[int]) -> None:
    """Shuffle in place (Fisher and Yates, from the last place down)."""
    seed, drawn = dice.seed, dice.drawn
    for last in range(len(cards) - 1, 0, -1):
        other = _number(seed, drawn) % (last + 1)
        drawn += 1
        cards[last], cards[other] = cards[other], cards[last]
    dice.drawn = drawn
