"""A bot that plays by rules of thumb, which are in `habits`: what each action brings, and what each card costs."""

from __future__ import annotations

from clients.bots.habits import HABITS, Habits, answer
from clients.bots.numbers import Numbers
from clients.bots.request import Request


class HeuristicBot:
    """Rules of thumb alone."""

    searches = True

    def __init__(self, seed: int, habits: Habits = HABITS) -> None:
        self._numbers = Numbers(seed)
        self._habits = habits

    def choose(self, request: Request) -> int:
        """The option that the rules of thumb prefer."""
        game = request.sample(self._numbers.seed_for_sample())
        return answer(game, game.decision(request.seat), self._numbers, self._habits)
