"""What the scenarios of final scoring share."""

from __future__ import annotations

from typing import Any

from table import table

from arena.game import Game


def final(**zones: Any) -> Game:
    """The game in final scoring, at its first decision or over."""
    return table(ending="turns", **zones)


def parts(game: Game, seat: int = 0) -> dict[str, int]:
    """What a seat scored, by name of the part."""
    if game.over and not any(event.kind == "score" for event in game.events):
        raise AssertionError("the game ended without scoring")
    scores = {event.public["seat"]: event.public["parts"] for event in game.events if event.kind == "score"}
    found: dict[str, int] = scores[seat]
    return found
