"""A bot's own random numbers: a seed and a counter, so that a bot can be repeated exactly."""

from __future__ import annotations

from arena.game.chance import below

MOST = 1 << 64  # sample seeds are taken below this


class Numbers:
    """Numbers as the game's own dice give them (`arena.game.chance`), from another seed."""

    __slots__ = ("drawn", "seed")

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.drawn = 0

    def below(self, outcomes: int) -> int:
        """A number from 0 to `outcomes` - 1."""
        return below(self, outcomes)

    def seed_for_sample(self) -> int:
        """A seed for `Request.sample`."""
        return self.below(MOST)
