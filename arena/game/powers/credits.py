"""Powers that bring or cost credits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.game.choices import Option, named
from arena.game.hooks import END_CREDITS, FULFILLED, GOOD_ADDED, ON_FULFIL, Fulfilled, GoodAdded
from arena.game.moves import draw, gain
from arena.game.powers.base import PowerFrame
from arena.game.terms import AGRICULTURE, CONSUMER, LUXURY

if TYPE_CHECKING:
    from arena.game.game import Game

CONSUMER_GOOD_PAYS = {"bubblegum": 4, "chapstick": 2}


@ON_FULFIL("potatoes")
class Potatoes(PowerFrame):
    """Choose: take 2 credits, or draw 5 cards."""

    def start(self, game: Game) -> None:
        game.ask(self.owner, "potatoes", [named("take", "credits"), named("take", "cards")], then=self.take)

    def take(self, game: Game, chosen: Option) -> None:
        self.done(game)
        if chosen.name == "credits":
            gain(game, self.owner, 2, "potatoes")
        else:
            draw(game, self.owner, 5)


@ON_FULFIL("almonds")
def almonds(game: Game, owner: int, card: int, ship: int) -> None:
    """With 18 credits or fewer take 8, otherwise 4."""
    gain(game, owner, 8 if game.players[owner].credits <= 18 else 4, "almonds")


@ON_FULFIL("flowers")
def flowers(game: Game, owner: int, card: int, ship: int) -> None:
    """Every player takes 4 credits."""
    for seat in game.clockwise(owner):
        gain(game, seat, 4, "flowers")


def _is_consumer(game: Game, owner: int, card: int, added: GoodAdded) -> bool:
    return added.type == CONSUMER


@GOOD_ADDED(*CONSUMER_GOOD_PAYS, when=_is_consumer, simple=True)
def consumer_good_pays(game: Game, owner: int, card: int, added: GoodAdded) -> None:
    """Each time a Consumer Good is added to any Goods area, take credits."""
    power = game.power_of(card)
    gain(game, owner, CONSUMER_GOOD_PAYS[power], power)


def _own_agriculture(game: Game, owner: int, card: int, done: Fulfilled) -> bool:
    return done.seat == owner and (card in done.contracts or AGRICULTURE in done.contract_types)


@FULFILLED("onions", when=_own_agriculture, own=True, simple=True)
def onions(game: Game, owner: int, card: int, done: Fulfilled) -> None:
    """Each time you fulfil an Agriculture contract, this one included, take 2 credits."""
    itself = game.catalogue.powers[card] == "onions"
    for contract, kind in zip(done.contracts, done.contract_types, strict=True):
        if kind == AGRICULTURE or (contract == card and itself):
            gain(game, owner, 2, "onions")


@END_CREDITS("apple-watch")
def apple_watch(game: Game, owner: int, card: int) -> int:
    """6 credits for each pair of a Luxury and a Consumer Good."""
    from arena.game.scoring import final_goods

    goods = final_goods(game, owner)
    return 6 * min(goods[LUXURY], goods[CONSUMER])
