"""Powers about Import."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.game.hooks import COMPENSATION, IMPORT_COUNT, SAILS_HOME_AT

if TYPE_CHECKING:
    from arena.game.game import Game


@COMPENSATION("pants")
def pants(game: Game, owner: int, card: int, amount: int) -> int:
    """When another player imports from your Ship with the Import action, take 4 credits instead of 2."""
    return max(amount, 4)


@IMPORT_COUNT("shampoo")
def shampoo(game: Game, owner: int, card: int, number: int) -> int:
    """With the Import action you may take 3 Containers instead of 2."""
    return max(number, 3)


@SAILS_HOME_AT("aeroponics")
def aeroponics(game: Game, owner: int, card: int, left: int) -> int:
    """Whenever one of your Ships at sea has exactly one Container left it returns at once, with it."""
    return max(left, 1)
