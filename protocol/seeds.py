"""The commitment to a seed: how everybody can check afterwards that the deal was fixed beforehand."""

from __future__ import annotations

from hashlib import sha256


def commitment(seed: int, salt: str) -> str:
    """SHA-256, in hex, of the ASCII text `seed:salt`; `start` carries it, `end` reveals both.

    Without the salt a short seed could be found by trying all of them.
    """
    return sha256(f"{seed}:{salt}".encode("ascii")).hexdigest()
