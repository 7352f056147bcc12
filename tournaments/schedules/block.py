"""What is played: blocks of games that share a deal, and names that never change.

An id is a digest of what it names, so that it is the same after a restart, on any machine and with any hash
seed, and a table keeps its ids when entrants are added to the tournament or listed in another order.
"""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

ID_DIGITS = 16  # hexadecimal, 64 bits: a million games share an id with a chance of 1 in 37 million
CACHED = 16_384  # blocks; a schedule that depends on results names the same ones again and again
SEED_BITS = 53  # JavaScript clients read larger integers inexactly


@dataclass(frozen=True, slots=True)
class Pairing:
    """One game to be played: `seating` names the entrant of each seat, in turn order from seat 0."""

    id: str
    block: str
    seed: int
    seating: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """One deal and one table of entrants: every rotation of the seats is played with that deal.

    With two of them `exchanged`, each rotation is also played with these two in each other's seats.
    """

    id: str
    seed: int
    entrants: tuple[str, ...]
    exchanged: tuple[str, str] | None = None

    def pairings(self) -> tuple[Pairing, ...]:
        """The games, in which each entrant sits in each seat equally often."""
        return _pairings(self)


@dataclass(frozen=True, slots=True)
class Event:
    """What all ids and seeds of a tournament are derived from, and whether tables share their deals.

    With `shared_deals` the n-th block of every table is dealt alike, so that nobody meets an easier deal
    than another (and the deal, not the block, is then the cluster for the error bars); without, each block
    has its own. Ids and seatings follow from `seed`, which entrants may know; deals follow from the `secret`, which
    they must not, or from `seed` if there is none.
    """

    name: str
    seed: int
    shared_deals: bool = True
    secret: str = field(default="", repr=False)

    def block(self, table: Iterable[str], repeat: int) -> Block:
        """The block that this table of entrants plays as its `repeat`-th, from 0.

        Blocks 2m and 2m + 1 of a table go round it in opposite directions, so that over the two everybody
        acts as often before as after each neighbour.
        """
        return _block(self, tuple(sorted(table)), repeat)

    def block_id(self, table: Iterable[str], repeat: int) -> str:
        """The id of that block, which does not depend on the secret."""
        return digest("block", self.name, self.seed, repeat, *sorted(table))


@lru_cache(CACHED)
def _block(event: Event, who: tuple[str, ...], repeat: int) -> Block:
    order = sorted(
        who, key=lambda entrant: digest("order", event.name, event.seed, repeat // 2, entrant, *who)
    )
    if repeat % 2:
        order.reverse()
    deal = digest("deal", event.secret or event.seed, repeat, *([] if event.shared_deals else who))
    return Block(
        id=event.block_id(who, repeat),
        seed=int(deal, 16) % 2**SEED_BITS,
        entrants=tuple(order),
    )


@lru_cache(CACHED)
def _pairings(block: Block) -> tuple[Pairing, ...]:
    seatings = [block.entrants[shift:] + block.entrants[:shift] for shift in range(len(block.entrants))]
    if block.exchanged is not None:
        one, other = block.exchanged
        instead = {one: other, other: one}
        turned = [tuple(instead.get(name, name) for name in seating) for seating in seatings]
        seatings = [seating for both in zip(seatings, turned, strict=True) for seating in both]
    return tuple(
        Pairing(digest("game", block.id, *seating), block.id, block.seed, seating) for seating in seatings
    )


def digest(*parts: str | int) -> str:
    """A short SHA-256 of the parts; JSON keeps ("ab", "c") and ("a", "bc") apart."""
    text = json.dumps(parts, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:ID_DIGITS]
