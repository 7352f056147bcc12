"""The colour of a token that a grey or rainbow card becomes: its owner's choice (R20.5, Q103)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.game.choices import Option, option
from arena.game.frames import Frame
from arena.game.moves import add_crew, add_good, to_token
from arena.game.ships import load, put_aboard_at_sea
from arena.game.state import PORT
from arena.game.terms import FIVE, TYPE_OF, TYPES

if TYPE_CHECKING:
    from arena.game.game import Game


class ChooseColor(Frame):
    """The card is on its way to the Crew, the Goods or a Ship; a token of the chosen colour arrives."""

    owner: int
    card: int
    place: str  # `crew`, `goods` or `ship`
    ship: int = -1
    by: str = ""  # the power that brings it aboard

    def start(self, game: Game) -> None:
        """Any of the five, but on a Ship with open requirements one that serves them (P19)."""
        needed = game.ships[self.ship].open if self.place == "ship" else 0
        colors = [color for color in FIVE if needed >> color & 1] or list(FIVE)
        options = [option("color", TYPES[color], self.card) for color in colors]
        game.ask(self.owner, "color", options, then=self.chosen)

    def chosen(self, game: Game, chosen: Option) -> None:
        """The card is discarded, the token placed."""
        self.done(game)
        token = to_token(game, self.card, TYPE_OF[chosen.name])
        if self.place == "crew":
            add_crew(game, self.owner, token)
        elif self.place == "goods":
            add_good(game, self.owner, token)
        elif game.ships[self.ship].place == PORT:
            load(game, token, self.ship, self.by)
        else:
            put_aboard_at_sea(game, self.owner, token, self.ship, self.by)
