"""Powers by which cards change places when they are fulfilled: the card itself, Crew, Goods, the Island, a hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from arena.game import tokyo
from arena.game.choices import PASS, YES, Option, on_ship, to_place, with_card
from arena.game.doubles import sided
from arena.game.fulfil import as_if_fulfilled
from arena.game.goods import is_type
from arena.game.hooks import LAST_ABOARD, ON_FULFIL
from arena.game.limits import crew_room, goods_room
from arena.game.moves import (
    add_crew,
    add_good,
    discard,
    from_hand,
    from_island,
    gain,
    pay,
    seen_to_hand,
    to_island,
    tuck,
    without,
)
from arena.game.powers.base import PowerFrame, leave_fulfilled, lies_fulfilled
from arena.game.ships import at_sea, can_bring, in_port, load, put_aboard_at_sea, unload
from arena.game.state import PORT, SEA, Ship
from arena.game.terms import AGRICULTURE, PIRACY

if TYPE_CHECKING:
    from arena.game.game import Game


# The card itself goes to another place. Room is judged by the limits without it (P6).


def _to_crew(game: Game, owner: int, card: int) -> list[Option]:
    return [to_place("put", card, "crew")] if crew_room(game, owner, gone=card) else []


def _to_goods(game: Game, owner: int, card: int) -> list[Option]:
    return [to_place("put", card, "goods")] if goods_room(game, owner, card, gone=card) else []


def _to_open_slot(game: Game, owner: int, card: int) -> list[Option]:
    return [on_ship("put", card, index) for index in can_bring(game, owner, card)]


def _to_any_slot(game: Game, owner: int, card: int) -> list[Option]:
    return [on_ship("put", card, index) for index in can_bring(game, owner, card, rainbow=True)]


def _to_slot_or_bare_ship(game: Game, owner: int, card: int) -> list[Option]:
    fitting = can_bring(game, owner, card)
    ships = [i for i in in_port(game, owner) if i in fitting or not game.ships[i].contracts]
    return [on_ship("put", card, index) for index in ships]


def _to_sea(game: Game, owner: int, card: int) -> list[Option]:
    return [on_ship("put", card, index) for index in at_sea(game)]


MOVES_ITSELF: Final[dict[str, tuple[Callable[[Game, int, int], list[Option]], ...]]] = {
    "avocado": (_to_crew,),
    "cheap-labor": (_to_slot_or_bare_ship,),
    "euros": (_to_sea,),
    "gps": (_to_any_slot,),
    "small-poodles": (_to_goods,),
    "solar-panels": (_to_goods,),
    "the-algorithm": (_to_crew, _to_open_slot),
    "unpasteurized-cheese": (_to_crew,),
}
DISCARDED_ELSE = {"avocado", "gps"}
COSTS = {"solar-panels": 2}
RAINBOW = {"gps"}
CREW_FOR = {"unpasteurized-cheese": PIRACY}


@ON_FULFIL(*MOVES_ITSELF)
class MovesItself(PowerFrame):
    """It goes to the Crew, the Goods or aboard a Ship; if no place is open to it, it stays or is discarded."""

    def start(self, game: Game) -> None:
        power = game.power_of(self.card)
        if not lies_fulfilled(game, self.owner, self.card):
            return self.done(game)
        options = [
            choice for open_to in MOVES_ITSELF[power] for choice in open_to(game, self.owner, self.card)
        ]
        if options and game.players[self.owner].credits >= COSTS.get(power, 0):
            return game.ask(self.owner, power, options, then=self.put)
        self.done(game)
        if power in DISCARDED_ELSE:
            leave_fulfilled(game, self.owner, self.card)
            discard(game, self.card)
        return None

    def put(self, game: Game, chosen: Option) -> None:
        self.done(game)
        power = game.power_of(self.card)
        pay(game, self.owner, COSTS.get(power, 0), power)
        leave_fulfilled(game, self.owner, self.card)
        if chosen.place == "goods":
            add_good(game, self.owner, self.card)
        elif chosen.place == "crew":
            member = add_crew(game, self.owner, self.card)
            if power in CREW_FOR and member:
                game.marks[member] = CREW_FOR[power]
        elif game.ships[chosen.ship].place == SEA:
            put_aboard_at_sea(game, self.owner, self.card, chosen.ship, power)
        else:
            load(game, self.card, chosen.ship, power, rainbow=power in RAINBOW)


@LAST_ABOARD("gps")
def gps_is_left_alone(game: Game, ship: int, card: int) -> None:
    """As soon as GPS is the only Container left on a Ship at sea, discard it and return the Ship to its Port."""
    unload(game, ship, card)
    discard(game, card)


@ON_FULFIL("beer")
class Beer(PowerFrame):
    """You may put it on the Island instead of your fulfilled contracts and take 6 credits."""

    def start(self, game: Game) -> None:
        if not lies_fulfilled(game, self.owner, self.card):
            return self.done(game)
        options = [to_place("put", self.card, place) for place in ("fulfilled", "island")]
        return game.ask(self.owner, "beer", options, then=self.put)

    def put(self, game: Game, chosen: Option) -> None:
        self.done(game)
        if chosen.place == "island":
            leave_fulfilled(game, self.owner, self.card)
            to_island(game, self.card)
            gain(game, self.owner, 6, "beer")


@ON_FULFIL("diesel-engine")
def diesel_engine(game: Game, owner: int, card: int, ship: int) -> None:
    """It becomes a further Ship of yours, in Port; once it is at sea without a Container it is discarded."""
    if leave_fulfilled(game, owner, card):
        game.ships.append(Ship(owner, PORT, single_use=card))
        game.emit("new-ship", seat=owner, card=game.catalogue.ids[card], ship=len(game.ships) - 1)


SQUID_JERKY_COLUMN = 2  # credits


@ON_FULFIL("squid-jerky")
class SquidJerky(PowerFrame):
    """Take a card of the 2-credit column of the Tokyo Port into your fulfilled contracts and put this one there."""

    def start(self, game: Game) -> None:
        fitting = tokyo.cards_for(game, SQUID_JERKY_COLUMN)
        options = [with_card("take", card) for card in sided(game, fitting)]
        if not options or not lies_fulfilled(game, self.owner, self.card):
            return self.done(game)
        return game.ask(self.owner, "squid-jerky", options, then=self.take)

    def take(self, game: Game, chosen: Option) -> None:
        self.done(game)
        leave_fulfilled(game, self.owner, self.card)
        from_island(game, chosen.card)
        to_island(game, self.card)
        tuck(game, self.owner, chosen.card)


# Crew and Goods


@ON_FULFIL("sanitizer")
def sanitizer(game: Game, owner: int, card: int, ship: int) -> None:
    """All your Crew become Goods and all your Goods become Crew; then the limits hold."""
    player = game.players[owner]
    crew, goods = player.crew, player.goods
    player.crew = player.goods = ()
    for good in goods:
        add_crew(game, owner, good)
    for member in crew:
        add_good(game, owner, member)


@ON_FULFIL("soy-sauce")
class SoySauce(PowerFrame):
    """You may move all your Crew to your Goods and take 2 credits for each; those beyond the limit are discarded."""

    def start(self, game: Game) -> None:
        options = [PASS, YES] if game.players[self.owner].crew else [PASS]
        game.ask(self.owner, "soy-sauce", options, then=self.move)

    def move(self, game: Game, chosen: Option) -> None:
        self.done(game)
        if chosen.verb == "pass":
            return
        player = game.players[self.owner]
        crew, player.crew = player.crew, ()
        for card in crew:
            add_good(game, self.owner, card)
        gain(game, self.owner, 2 * len(crew), "soy-sauce")


@ON_FULFIL("dino-bones")
class DinoBones(PowerFrame):
    """Every player, you included, puts one own Good on the Island; then you take 2 cards of it to your Goods."""

    asked: int = 0
    taken: int = 0

    def start(self, game: Game) -> None:
        seats = game.clockwise(self.owner)
        while self.asked < len(seats):
            player = game.players[seats[self.asked]]
            self.asked += 1
            if player.goods:
                options = [with_card("put", card) for card in player.goods]
                return game.ask(player.seat, "dino-bones", options, then=self.put)
        self.step = "take"
        return None

    def put(self, game: Game, chosen: Option) -> None:
        player = next(player for player in game.players if chosen.card in player.goods)
        player.goods = without(player.goods, chosen.card)
        to_island(game, chosen.card)

    def take(self, game: Game) -> None:
        if self.taken == 2 or not game.island:
            return self.done(game)
        self.taken += 1
        options = [with_card("take", card) for card in sided(game, game.island)]
        return game.ask(self.owner, "dino-bones", options, then=self.add)

    def add(self, game: Game, chosen: Option) -> None:
        from_island(game, chosen.card)
        add_good(game, self.owner, chosen.card)


@ON_FULFIL("ramen")
def ramen(game: Game, owner: int, card: int, ship: int) -> None:
    """Add all Agriculture cards of the Tokyo Port to your Goods."""
    for lying in sided(game, game.island):
        if is_type(game, lying, AGRICULTURE):
            from_island(game, lying)
            add_good(game, owner, lying)


# Hands


@ON_FULFIL("vaccines")
def vaccines(game: Game, owner: int, card: int, ship: int) -> None:
    """Take all cards of the Island into your hand."""
    for lying in game.island:
        from_island(game, lying)
        seen_to_hand(game, owner, lying)


@ON_FULFIL("apples")
class Apples(PowerFrame):
    """Put an Agriculture card of your hand among your fulfilled contracts, its power as if just fulfilled."""

    def start(self, game: Game) -> None:
        hand = game.players[self.owner].hand
        options = [
            with_card("fulfil", card) for card in sided(game, hand) if is_type(game, card, AGRICULTURE)
        ]
        if options:
            return game.ask(self.owner, "apples", options, then=self.tuck)
        return self.done(game)

    def tuck(self, game: Game, chosen: Option) -> None:
        self.done(game)
        from_hand(game, self.owner, chosen.card)
        tuck(game, self.owner, chosen.card)
        as_if_fulfilled(game, self.owner, chosen.card)
