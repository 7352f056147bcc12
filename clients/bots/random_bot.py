"""A bot that picks any option, each as likely as the others: the measure of all other bots."""

from __future__ import annotations

from clients.bots.numbers import Numbers
from clients.bots.request import Request


class RandomBot:
    """Uniform choice from its own generator."""

    searches = False

    def __init__(self, seed: int) -> None:
        self._numbers = Numbers(seed)

    def choose(self, request: Request) -> int:
        """Any index."""
        return self._numbers.below(len(request.options))
