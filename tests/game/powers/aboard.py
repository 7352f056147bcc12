"""What the scenarios of Containers share."""

from __future__ import annotations

from table import offered

from arena.game import Game


def loads(game: Game, seat: int = 0) -> set[str]:
    """The cards that may be loaded now."""
    return {text.partition("@")[0][5:] for text in offered(game, seat) if text.startswith("load:")}
