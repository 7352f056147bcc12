"""Ships that have become complete: their fulfilment starts at once, before anything else goes on (R11.1, Q52)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.game.choices import Option
from arena.game.choices import ship as ship_option
from arena.game.frames import Frame
from arena.game.hooks import REQUIREMENT
from arena.game.ships import without_side
from arena.game.state import PORT, Ship

if TYPE_CHECKING:
    from arena.game.game import Game


def scoring(game: Game) -> bool:
    """Whether final scoring has begun."""
    return bool(game.ending) and any(type(frame).__name__ == "FinalScoring" for frame in game.stack)


def is_complete(ship: Ship) -> bool:
    """Whether the Ship lies in Port with all requirements of its contracts served (R11.1)."""
    return ship.place == PORT and bool(ship.contracts) and not ship.open


def look_at_due(game: Game) -> None:
    """Start the fulfilment of the Ships that have become complete (R11.1, Q52)."""
    due = sorted(set(game.due))
    game.due = ()
    if game.result is not None or scoring(game):
        return  # a Ship completed in Q70(1) is not fulfilled (P26)
    complete, early = [], []
    for index in due:
        ship = game.ships[index]
        if is_complete(ship):
            complete.append(index)
        elif ship.place == PORT and ship.contracts and game.players[ship.owner].hooks & REQUIREMENT.mask:
            early.append(index)
    if early:
        from arena.game.fulfil import MayFulfil

        for index in reversed(early):
            game.push(MayFulfil(index))
    if complete:
        game.push(Complete(tuple(complete)))
    if game.doubles:
        for index in due:  # before anything is matched
            if game.ships[index].place == PORT and without_side(game, game.ships[index]):
                from arena.game.doubles import ChooseSides

                game.push(ChooseSides(index))


class Complete(Frame):
    """Several Ships may be complete at once: lead player first, own Ships in the owner's order (Q29)."""

    ships: tuple[int, ...]

    def start(self, game: Game) -> None:
        """Take the next owner."""
        self.ships = tuple(index for index in self.ships if is_complete(game.ships[index]))
        for seat in game.clockwise(game.lead):
            own = [index for index in self.ships if game.ships[index].owner == seat]
            if own:
                options = [ship_option("fulfil", index) for index in own]
                return game.ask(seat, "fulfil-order", options, then=self.fulfil)
        return self.done(game)

    def fulfil(self, game: Game, chosen: Option) -> None:
        """The fulfilment is an event of its own (P7)."""
        from arena.game.fulfil import Fulfilment

        self.ships = tuple(index for index in self.ships if index != chosen.ship)
        game.perform(Fulfilment(chosen.ship))
