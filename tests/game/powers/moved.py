"""What the scenarios of cards that change places share."""

from __future__ import annotations

from typing import Any

from arena.game import Game


def limits(game: Game, seat: int = 0) -> tuple[int, int]:
    """Those of Crew and Goods."""
    shown = game.view(None)["players"][seat]
    return shown["crew_limit"], shown["goods_limit"]


HOME: dict[str, Any] = {"place": "port"}
SINGLE: dict[str, Any] = {"owner": 0, "single_use": "diesel-engine"}
