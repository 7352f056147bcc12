"""Small things that many powers let their owner do, and once per turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.game.actions import load_from_hand, load_options
from arena.game.choices import DRAW, PASS, Option
from arena.game.frames import Frame
from arena.game.moves import draw

if TYPE_CHECKING:
    from arena.game.game import Game


class MayDraw(Frame):
    """The owner may draw 1 card."""

    owner: int
    power: str

    def start(self, game: Game) -> None:
        game.ask(self.owner, self.power, [PASS, DRAW], then=self.chosen)

    def chosen(self, game: Game, chosen: Option) -> None:
        self.done(game)
        if chosen.verb == "draw":
            draw(game, self.owner, 1)


class MayLoad(Frame):
    """The owner may load 1 Container from the hand for free, a plain load (P16, P19)."""

    owner: int
    power: str

    def start(self, game: Game) -> None:
        offers = load_options(game, self.owner, free=True)
        game.ask(self.owner, self.power, [PASS, *offers], then=self.chosen)

    def chosen(self, game: Game, chosen: Option) -> None:
        self.done(game)
        if chosen.verb == "load":
            load_from_hand(game, self.owner, chosen.card, chosen.ship, self.power, free=True)


def unused(game: Game, owner: int, power: str) -> list[int]:
    """The owner's cards with this once-per-turn power that have not been used this turn (P15, P35)."""
    player = game.players[owner]
    return [card for card in player.fulfilled if game.power_of(card) == power and card not in player.used]


def use_up(game: Game, owner: int, power: str) -> None:
    """One of these cards has been used this turn."""
    game.players[owner].used += (unused(game, owner, power)[0],)
