"""What the tests of positions share."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from arena.game import Game, Options, PositionError
from arena.game.positions import load

TWO: dict[str, Any] = {"players": [{"hand": ["ivory", "rope"]}, {}]}


def refusal(data: Any) -> str:
    """What is wrong with a position: one sentence."""
    with pytest.raises(PositionError) as caught:
        load(data)
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 1500
    return message


def player(**zones: Any) -> dict[str, Any]:
    return {"players": [zones, {}]}


def walk(seed: int, players: int, steps: int, sets: tuple[str, ...] = ()) -> Game:
    """A game after some random choices."""
    chance = Random(seed)
    game = Game.new(Options(players=players, sets=sets), seed=seed)
    for _ in range(steps):
        if game.over:
            break
        seat = chance.choice(game.to_act)
        game.choose(seat, chance.randrange(len(game.decision(seat).options)))
    return game
