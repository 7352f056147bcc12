"""What the scenarios of Capital (R16) share.

The Capital cards of these scenarios are `blank-30` and up, or cards of the house with their powers. Whoever
holds one is asked in every window, because it may be discarded at any time; `go` passes there.
"""

from __future__ import annotations

from typing import Any

from table import offered, play, table

from arena.game import Event, Game

HOME = {"place": "port"}


def capital(**more: Any) -> Game:
    """A table with the Capital expansion."""
    return table(sets=["capital"], **more)


def having(game: Game, seat: int, word: str) -> set[str]:
    """What a seat is offered that begins with this word."""
    return {text for text in offered(game, seat) if text.startswith(word)}


def go(game: Game, *moves: str) -> list[Event]:
    """Like `play`, but every window in which nothing is dropped or used is passed, also after the last move."""
    events: list[Event] = []
    for move in (part.strip() for text in moves for part in text.split(",")):
        if move.split()[1].split(":")[0] not in ("drop", "use", "pass"):
            events += pass_windows(game)
        events += play(game, move)
    return events + pass_windows(game)


def pass_windows(game: Game) -> list[Event]:
    events: list[Event] = []
    while game.to_act and game.decision(game.to_act[0]).kind == "window":
        events += play(game, f"{game.to_act[0]} pass")
    return events
