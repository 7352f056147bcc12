"""Powers about drawing and about the draw pile."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.game.actions import draw_action, performer
from arena.game.choices import PASS, YES, Option
from arena.game.frames import Frame
from arena.game.hooks import DRAW_LIMIT, DRAWN, ON_FULFIL, Drawn
from arena.game.moves import draw, show_top
from arena.game.settle import Grant, inside
from arena.game.terms import LOAD

if TYPE_CHECKING:
    from arena.game.game import Game


@ON_FULFIL("cups")
def cups(game: Game, owner: int, card: int, ship: int) -> None:
    """Draw 5 cards."""
    draw(game, owner, 5)


@DRAW_LIMIT("mineral-fuels")
def mineral_fuels(game: Game, owner: int, card: int, limit: int) -> int:
    """Your Draw actions fill your hand up to 6 cards."""
    return max(limit, 6)


@ON_FULFIL("yerba-mate")
def yerba_mate(game: Game, owner: int, card: int, ship: int) -> None:
    """Turn the draw pile over; it stays face up for the rest of the game, only its top card is seen."""
    if not game.face_up:
        game.face_up = True
        game.pile.reverse()
        show_top(game)


def _own_draw(game: Game, owner: int, card: int, drawn: Drawn) -> bool:
    return drawn.seat == owner and not inside(game, "nanobots", owner)  # P36


@DRAWN("nanobots", when=_own_draw)
def nanobots(game: Game, owner: int, card: int, drawn: Drawn) -> None:
    """Each time you draw cards you may do one free Load action."""
    game.push(Grant("nanobots", owner))
    game.push(performer(owner, LOAD, 1, granted="nanobots", optional=True))


def _draw_of_another(game: Game, owner: int, card: int, drawn: Drawn) -> bool:
    return drawn.seat != owner and drawn.through != "lumber" and not inside(game, "lumber", owner)  # P36


@DRAWN("lumber", when=_draw_of_another)
def lumber(game: Game, owner: int, card: int, drawn: Drawn) -> None:
    """Each time another player draws cards you may do a Draw action."""
    game.push(Lumber(owner))


class Lumber(Frame):
    """Asks the owner of Lumber."""

    owner: int

    def start(self, game: Game) -> None:
        game.ask(self.owner, "lumber", [PASS, YES], then=self.chosen)

    def chosen(self, game: Game, chosen: Option) -> None:
        self.done(game)
        if chosen.verb == "yes":
            game.push(Grant("lumber", self.owner))
            draw_action(game, self.owner, "lumber")
