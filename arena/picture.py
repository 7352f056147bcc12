"""What a picture of the table needs besides a view: whose decision it is, and which slots of the Ships are open."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from arena.game.matching import match
from arena.game.ships import container_masks, slots_of
from arena.game.terms import ANY, TYPES
from arena.game.views import view

if TYPE_CHECKING:
    from arena.game import Game
    from arena.game.state import Ship


def table(game: Game, seat: int | None) -> dict[str, Any]:
    """The view as a picture of the table needs it: with the `slots` of each Ship that has contracts."""
    shown = view(game, seat)
    for ship, lies in zip(game.ships, shown["ships"], strict=True):
        if ship.contracts:
            lies["slots"] = slots(game, ship)
    return shown


def asked(game: Game) -> dict[str, Any] | None:
    """What is asked and whom, all of them until the last has answered; None when the game is over.

    Not for others while `Decision.secret` is set: then it is a secret that anybody is asked (Q98).
    """
    if not game.asking:
        return None
    return {"kind": game.asking[0].kind, "seats": [decision.seat for decision in game.asking]}


def slots(game: Game, ship: Ship) -> list[list[Any]]:
    """The requirement of a Ship, slot by slot: the contract, the colours that serve it, whether one does."""
    needed = slots_of(game, ship)
    served = match([mask for mask, _ in needed], container_masks(game, ship))
    return [
        [game.catalogue.ids[contract], colors_text(mask), container >= 0]
        for (mask, contract), container in zip(needed, served, strict=True)
    ]


def colors_text(mask: int) -> str:
    """`luxury`, `luxury+illegal`, or `any`."""
    if mask == ANY:
        return "any"
    return "+".join(name for number, name in enumerate(TYPES) if mask >> number & 1)
