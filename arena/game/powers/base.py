"""What powers have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.game.frames import Frame
from arena.game.fulfil import Fulfilment
from arena.game.moves import untuck
from arena.game.ships import place_contract

if TYPE_CHECKING:
    from arena.game.game import Game


FREE_PLACEMENTS = 50
"""Contracts that one power places without an action in one turn (assumed, like the turns of Q66): with other
powers a card can come back to be placed again, and the turn must end all the same."""


class PowerFrame(Frame):
    """An immediate power that asks. `ship` is -1 where no Ship was fulfilled (P31)."""

    owner: int
    card: int
    ship: int = -1


def fulfilment_of(game: Game, ship: int) -> Fulfilment:
    """The fulfilment of this Ship, while it is in progress."""
    return next(f for f in reversed(game.stack) if isinstance(f, Fulfilment) and f.ship == ship)


def lies_fulfilled(game: Game, owner: int, card: int) -> bool:
    """Whether the card is still in the fulfilled area of `owner`; a redirected one acts no more by its text."""
    return card in game.players[owner].fulfilled


def is_first(game: Game, owner: int, card: int) -> bool:
    """Whether the card is its owner's first with this power: two that replace a value do not stack (P35)."""
    power = game.power_of(card)
    return card == next(c for c in game.players[owner].fulfilled if game.power_of(c) == power)


def leave_fulfilled(game: Game, owner: int, card: int) -> bool:
    """Take the card out of the fulfilled area, to put it elsewhere (P6); false if it lies there no more."""
    if not lies_fulfilled(game, owner, card):
        return False
    untuck(game, owner, card)
    return True


def may_place_freely(game: Game, owner: int, card: int) -> bool:
    """Whether this card's power may place one more contract in this turn."""
    return game.players[owner].used.count(card) < FREE_PLACEMENTS


def place_freely(game: Game, owner: int, card: int, contract: int, ship: int, by: str) -> None:
    """Place a contract without an action, and count it."""
    game.players[owner].used += (card,)
    place_contract(game, contract, ship, by)
