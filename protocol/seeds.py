"""What follows from a deal's seed and salt: the commitment, by which everybody can check afterwards that the deal was
fixed beforehand, and each seat's luck."""

from __future__ import annotations

from hashlib import sha256
from typing import Final

LUCK_BITS: Final = 53  # every reader of JSON keeps such a number exact


def commitment(seed: int, salt: str) -> str:
    """SHA-256, in hex, of the ASCII text `seed:salt`; `start` carries it, `end` reveals both.

    Without the salt a short seed could be found by trying all of them.
    """
    return sha256(f"{seed}:{salt}".encode("ascii")).hexdigest()


def luck(salt: str, seat: int) -> int:
    """The number below 2**53 from which a bot in this seat may draw its own random numbers; `start` carries it.

    It is the SHA-256 of the ASCII text `salt:luck:seat`, read as a big-endian integer, modulo 2**53. Games of one
    deal have one salt, so who draws from it plays a deal alike in each of them: common random numbers, with which two
    versions of a bot differ by what they do, not by chance (Law, Simulation Modeling and Analysis, 11.2). Nothing of
    the deal or of another seat's number can be told from it.
    """
    digest = sha256(f"{salt}:luck:{seat}".encode("ascii")).digest()
    return int.from_bytes(digest, "big") % (1 << LUCK_BITS)
