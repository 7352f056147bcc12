"""Random legal play: the work that most figures are measured on."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from arena.game import Game, Options
from arena.game.setup import PLAYABLE_SETS
from arena.game.tokens import CONTAINERS

SEATS = 4  # the seat count that the figures of the project are stated for
BASE = Options(SEATS)
EVERYTHING = Options(SEATS, PLAYABLE_SETS, market=True)
VARIANTS = {containers: EVERYTHING._replace(containers=containers) for containers in CONTAINERS[1:]}


def deal(seed: int, options: Options = BASE) -> Game:
    """A fresh game."""
    return Game.new(options, seed=seed)


def play(game: Game, pick: Callable[[], float], most: int = 1 << 30) -> int:
    """Play uniformly at random, at most `most` choices; `pick` gives numbers in [0, 1). Returns the choices.

    Every choice goes through the public face and is validated; nobody asks for a view.
    """
    made = 0
    while not game.over:
        for seat in game.to_act:
            decision = game.decision(seat)
            game.choose(seat, int(pick() * len(decision.options)))
            made += 1
            if made >= most:
                return made
    return made


def middle_games(count: int, seed: int) -> list[Game]:
    """Games stopped somewhere between the 50th and the 400th choice, at whatever was asked then."""
    random = Random(seed)
    games: list[Game] = []
    number = seed
    while len(games) < count:
        game = deal(number)
        play(game, random.random, most=random.randrange(50, 400))
        number += 1
        if not game.over:
            games.append(game)
    return games
