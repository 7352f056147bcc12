"""Powers about Ships that sail and return, and about the Containers aboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.game.choices import PASS, Option, on_ship, with_card
from arena.game.doubles import sided
from arena.game.frames import Frame
from arena.game.hooks import BEFORE_SAILING, FULFILLED, ON_FULFIL, RETURNED, Fulfilled, Returned
from arena.game.limits import goods_room
from arena.game.moves import add_good, draw, seen_to_hand
from arena.game.powers.base import PowerFrame
from arena.game.powers.offers import MayDraw, MayLoad
from arena.game.ships import can_bring, load, unload
from arena.game.state import PORT, SEA

if TYPE_CHECKING:
    from arena.game.game import Game


@RETURNED("backpacks")
def backpacks(game: Game, owner: int, card: int, returned: Returned) -> None:
    """Each time a Ship of any player returns from the High Seas you may draw 1 card."""
    game.push(MayDraw(owner, "backpacks"))


def _own_ship(game: Game, owner: int, card: int, returned: Returned) -> bool:
    return returned.seat == owner


@RETURNED("toyota", when=_own_ship)
def toyota(game: Game, owner: int, card: int, returned: Returned) -> None:
    """Each time one of your Ships returns draw 3 cards."""
    draw(game, owner, 3)


@FULFILLED("satellite")
def satellite(game: Game, owner: int, card: int, done: Fulfilled) -> None:
    """Each time a Ship of any player is fulfilled you may draw 1 card, and then load 1 from your hand."""
    game.push(MayLoad(owner, "satellite"))
    game.push(MayDraw(owner, "satellite"))


@FULFILLED("shoes", own=True)
def shoes(game: Game, owner: int, card: int, done: Fulfilled) -> None:
    """Each time any player fulfils a contract, this one included, you may draw 1 card."""
    for _ in done.contracts:
        game.push(MayDraw(owner, "shoes"))


# Containers taken before the Ship sails


@BEFORE_SAILING("flash-drives")
def flash_drives(game: Game, owner: int, card: int, ship: int, contracts: int) -> None:
    """Each time you fulfil a Ship you may take one of its Containers into your hand before it sails."""
    game.push(FlashDrives(owner, card, ship))


class FlashDrives(PowerFrame):
    """Asks the owner of Flash Drives."""

    def start(self, game: Game) -> None:
        options = [with_card("take", card) for card in game.ships[self.ship].containers]
        game.ask(self.owner, "flash-drives", [PASS, *options], then=self.take)

    def take(self, game: Game, chosen: Option) -> None:
        self.done(game)
        if chosen.verb == "take":
            unload(game, self.ship, chosen.card)
            seen_to_hand(game, self.owner, chosen.card)


@BEFORE_SAILING("jets")
def jets(game: Game, owner: int, card: int, ship: int, contracts: int) -> None:
    """For each contract you fulfil you may move one Container of its Ship to your Goods, if they have room."""
    for _ in range(contracts):
        game.push(Jets(owner, card, ship))


class Jets(PowerFrame):
    """Asks the owner of Jets, once for each contract."""

    def start(self, game: Game) -> None:
        fitting = [c for c in game.ships[self.ship].containers if goods_room(game, self.owner, c)]
        options = [with_card("take", card) for card in fitting]
        game.ask(self.owner, "jets", [PASS, *options], then=self.take)

    def take(self, game: Game, chosen: Option) -> None:
        self.done(game)
        if chosen.verb == "take":
            unload(game, self.ship, chosen.card)
            add_good(game, self.owner, chosen.card)


# Fake Money


@ON_FULFIL("fake-money")
class FakeMoney(PowerFrame):
    """Take one Container from each loaded Ship of the others; load it if it can be loaded, else it is in your hand."""

    robbed: tuple[int, ...] = ()  # Ships that have given one

    def start(self, game: Game) -> None:
        options = [
            on_ship("take", container, index)
            for index, ship in enumerate(game.ships)
            if ship.owner != self.owner and ship.place in (PORT, SEA) and index not in self.robbed
            for container in sided(game, ship.containers)
        ]
        if not options:
            return self.done(game)
        return game.ask(self.owner, "fake-money", options, then=self.take)

    def take(self, game: Game, chosen: Option) -> None:
        """A Container that matches anything keeps doing so, as it goes from Ship to Ship (P20).

        A Super Ship that breaks up for want of it has given one as the one Ship that it was.
        """
        ship = game.ships[chosen.ship]
        self.robbed += (chosen.ship, ship.joined)
        rainbow = chosen.card in ship.rainbow
        game.emit("rob", seat=self.owner, card=game.catalogue.ids[chosen.card], ship=chosen.ship)
        unload(game, chosen.ship, chosen.card)
        game.push(Fence(self.owner, chosen.card, rainbow))


class Fence(Frame):
    """A Container taken with Fake Money goes aboard or into the hand."""

    owner: int
    card: int
    rainbow: bool

    def start(self, game: Game) -> None:
        ships = can_bring(game, self.owner, self.card, rainbow=self.rainbow)
        if not ships:
            self.done(game)
            return seen_to_hand(game, self.owner, self.card)
        options = [on_ship("load", self.card, index) for index in ships]
        return game.ask(self.owner, "fake-money", options, then=self.load)

    def load(self, game: Game, chosen: Option) -> None:
        self.done(game)
        load(game, self.card, chosen.ship, "fake-money", rainbow=self.rainbow)
