"""Cards with two contracts (R18): which side of one is up, and what loading one costs.

In a hand, in a pile, on the Island and on a Port the card itself lies, and so it does aboard a Ship at sea to which
it was dealt: there it matches either colour. A contract, a Container that was loaded, Crew, a Good or a
fulfilled contract is one of its sides, which has a number of its own (`Catalogue.sides`); the moves of cards
in `moves` and `ships` take the card for its side and turn the side back into the card where it is freed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.game.choices import Option, on_ship
from arena.game.frames import Frame
from arena.game.ships import put, without_side
from arena.game.state import PORT

if TYPE_CHECKING:
    from arena.game.game import Game

FEE = 2  # credits for loading one (R18.3)
FREE_LOADS = frozenset({"nanobots"})
"""Powers that grant free Load actions, so that no fee is due (P16)."""


def sided(game: Game, cards: tuple[int, ...]) -> tuple[int, ...]:
    """What these cards can be put down as: themselves, but either side of a double card."""
    if not game.doubles:
        return cards
    sides = game.catalogue.sides
    return tuple([side for card in cards for side in sides[card]])


def cost(game: Game, *cards: int) -> int:
    """Credits for loading these cards from a hand, a pile or the Island (R18.3, Q83)."""
    front, sides = game.catalogue.front, game.catalogue.sides
    return FEE * sum(len(sides[front[card]]) > 1 for card in cards)


def fronts(game: Game, cards: tuple[int, ...]) -> tuple[int, ...]:
    """The cards themselves, whichever side of a double card is up."""
    front = game.catalogue.front
    return tuple(front[card] for card in cards)


def is_side_of(game: Game, card: int, cards: tuple[int, ...]) -> bool:
    """Whether the card that `card` is, or is a side of, is among `cards`, whichever side of it is up there."""
    return game.catalogue.front[card] in fronts(game, cards)


class ChooseSides(Frame):
    """A Ship came home with double cards that were dealt to it: its owner fixes their colours, for free (Q101)."""

    ship: int

    def start(self, game: Game) -> None:
        """One card after the other."""
        ship = game.ships[self.ship]
        cards = without_side(game, ship) if ship.place == PORT else []
        if not cards:
            return self.done(game)
        options = [on_ship("side", side, self.ship) for side in game.catalogue.sides[cards[0]]]
        return game.ask(ship.owner, "side", options, then=self.turn)

    def turn(self, game: Game, chosen: Option) -> None:
        """It keeps this colour."""
        ship = game.ships[self.ship]
        card = game.catalogue.front[chosen.card]
        containers = tuple(chosen.card if other == card else other for other in ship.containers)
        game.emit("side", seat=ship.owner, card=game.catalogue.ids[chosen.card], ship=self.ship)
        put(game, self.ship, ship._replace(containers=containers))
