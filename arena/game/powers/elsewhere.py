"""Powers by which a card goes elsewhere: to Crew, Goods, a Ship, a hand, or under another contract's Ship (P6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.game.actions import contract_options
from arena.game.choices import PASS, Option, on_ship, to_place, with_card
from arena.game.doubles import fronts, is_side_of, sided
from arena.game.fulfil import Fulfilment
from arena.game.hooks import ANYTIME, END_MOVE, FROM_HAND, ON_FULFIL, RIDES_ON, TUCK, USE
from arena.game.limits import crew_limit, crew_room, goods_places, goods_room
from arena.game.moves import add_crew, add_good, discard, from_hand, seen_to_hand, untuck
from arena.game.powers.base import (
    PowerFrame,
    leave_fulfilled,
    lies_fulfilled,
    may_place_freely,
    place_freely,
)
from arena.game.ships import can_bring, load, place_contract, unload, with_contract
from arena.game.terms import ILLEGAL

if TYPE_CHECKING:
    from arena.game.game import Game


@ON_FULFIL("automation")
class Automation(PowerFrame):
    """Load it as a rainbow Container on a Ship in your Port that carries a contract, else discard it.

    Each time that Ship is fulfilled it moves on to another one just before the Ship sails.
    """

    def start(self, game: Game) -> None:
        ships = with_contract(game, self.owner)
        if not lies_fulfilled(game, self.owner, self.card):
            return self.done(game)
        if not ships:
            self.done(game)
            leave_fulfilled(game, self.owner, self.card)
            return discard(game, self.card)
        options = [on_ship("load", self.card, index) for index in ships]
        return game.ask(self.owner, "automation", options, then=self.load)

    def load(self, game: Game, chosen: Option) -> None:
        self.done(game)
        leave_fulfilled(game, self.owner, self.card)
        load(game, self.card, chosen.ship, "automation", rainbow=True, rides=True)


@RIDES_ON("automation")
def automation_moves_on(game: Game, ship: int, card: int) -> None:
    """At the end of step 2; if no other Ship carries a contract it sails as an ordinary Container."""
    if with_contract(game, game.ships[ship].owner):
        game.push(MoveOn(game.ships[ship].owner, card, ship))


class MoveOn(PowerFrame):
    """Automation moves to another Ship; its owner chooses which."""

    def start(self, game: Game) -> None:
        options = [on_ship("load", self.card, index) for index in with_contract(game, self.owner)]
        game.ask(self.owner, "automation", options, then=self.load)

    def load(self, game: Game, chosen: Option) -> None:
        self.done(game)
        unload(game, self.ship, self.card)
        load(game, self.card, chosen.ship, "automation", rainbow=True, rides=True)


@ON_FULFIL("bamboo")
class Bamboo(PowerFrame):
    """You may at once place Bamboo again as a contract on a Ship in your Port, without an action."""

    def start(self, game: Game) -> None:
        options: list[Option] = []
        if lies_fulfilled(game, self.owner, self.card) and may_place_freely(game, self.owner, self.card):
            options, _ = contract_options(game, self.owner, 0, (self.card,))
        game.ask(self.owner, "bamboo", [PASS, *options], then=self.place)

    def place(self, game: Game, chosen: Option) -> None:
        self.done(game)
        if chosen.verb != "pass":
            leave_fulfilled(game, self.owner, self.card)
            place_freely(game, self.owner, self.card, self.card, chosen.ship, "bamboo")


@ON_FULFIL("container-factory")
class ContainerFactory(PowerFrame):
    """Put it in one place of your choice: fulfilled contracts, Crew, Goods, hand, or a Ship as a rainbow Container."""

    def start(self, game: Game) -> None:
        places = ["fulfilled", "hand"]
        if crew_room(game, self.owner, gone=self.card):
            places.append("crew")
        if goods_room(game, self.owner, self.card, gone=self.card):
            places.append("goods")
        options = [to_place("put", self.card, place) for place in places]
        options += [on_ship("put", self.card, index) for index in with_contract(game, self.owner)]
        if not lies_fulfilled(game, self.owner, self.card):
            return self.done(game)
        return game.ask(self.owner, "container-factory", options, then=self.put)

    def put(self, game: Game, chosen: Option) -> None:
        self.done(game)
        if chosen.place == "fulfilled":
            return
        leave_fulfilled(game, self.owner, self.card)
        if chosen.place == "crew":
            add_crew(game, self.owner, self.card)
        elif chosen.place == "goods":
            add_good(game, self.owner, self.card)
        elif chosen.place == "hand":
            seen_to_hand(game, self.owner, self.card)
        else:
            load(game, self.card, chosen.ship, "container-factory", rainbow=True)


@TUCK("hentai-manga")
def hentai_manga(game: Game, owner: int, card: int, fulfilment: Fulfilment) -> list[str]:
    """Each time you fulfil an Illegal contract you may put it in your Crew or Goods instead, within the limits."""
    if game.catalogue.colors[card] != ILLEGAL:
        return []
    player = game.players[owner]
    redirected = [
        (c, p) for c, p in zip(fulfilment.contracts, fulfilment.places, strict=False) if p != "fulfilled"
    ]
    tucked = len(fulfilment.contracts) - 1 - len(redirected)  # limits without the card itself (P6)
    crew = len(player.crew) + sum(place == "crew" for _, place in redirected)
    goods = (*player.goods, *(c for c, place in redirected if place == "goods"))
    most_crew, most_goods = crew_limit(game, owner) + tucked, 2 * (player.contracts + tucked)
    if any(
        (place == "crew" and crew > most_crew)
        or (place == "goods" and goods_places(game, owner, goods) > most_goods)
        for _, place in redirected
    ):
        return []  # what has been put there fits only if this one is tucked
    places = []
    if crew < most_crew:
        places.append("crew")
    if goods_places(game, owner, (*goods, card)) <= most_goods:
        places.append("goods")
    return places


# Segways


def _segways_places(game: Game, owner: int, card: int, verb: str) -> list[Option]:
    options = []
    if crew_room(game, owner, gone=card):
        options.append(to_place(verb, card, "crew"))
    if goods_room(game, owner, card, gone=card):
        options.append(to_place(verb, card, "goods"))
    return options + [on_ship(verb, card, index) for index in can_bring(game, owner, card)]


@USE("segways")
def move_segways(game: Game, owner: int, card: int, chosen: Option) -> None:
    """It leaves the fulfilled area, so the limits fall first."""
    untuck(game, owner, card)
    if chosen.place == "crew":
        add_crew(game, owner, card)
    elif chosen.place == "goods":
        add_good(game, owner, card)
    else:
        load(game, card, chosen.ship, "segways")


@ANYTIME("segways")
def segways(game: Game, owner: int, card: int) -> list[Option]:
    """At any time, also at the end of the game, you may move it to your Crew, your Goods, or a Ship as a Container."""
    return _segways_places(game, owner, card, "use")


@END_MOVE("segways")
def segways_at_the_end(game: Game, owner: int, card: int) -> None:
    """See `segways`; aboard a Ship it then only counts as loaded (P26)."""
    game.push(SegwaysAtTheEnd(owner, card))


class SegwaysAtTheEnd(PowerFrame):
    """Asks the owner of Segways in Q70(1)."""

    def start(self, game: Game) -> None:
        options = _segways_places(game, self.owner, self.card, "put")
        game.ask(self.owner, "segways", [PASS, *options], then=self.put)

    def put(self, game: Game, chosen: Option) -> None:
        self.done(game)
        if chosen.verb != "pass":
            move_segways(game, self.owner, self.card, chosen)


# Diamonds


@END_MOVE("diamonds")
def diamonds(game: Game, owner: int, card: int) -> None:
    """At final scoring you may move 2 of your fulfilled contract cards to your Goods (1 if a second is not legal)."""
    game.push(Diamonds(owner, card))


class Diamonds(PowerFrame):
    """Asks for the cards one at a time; the limit is the one after the move.

    A double card becomes a Good of either colour (Q82).
    """

    first: int = 0

    def start(self, game: Game) -> None:
        options = [with_card("move", card) for card in self._movable(game)]
        if not self.first:
            options.insert(0, PASS)
        elif not options:
            return self._move(game, (self.first,))
        return game.ask(self.owner, "diamonds", options, then=self.chosen)

    def _movable(self, game: Game) -> list[int]:
        cards = sided(game, fronts(game, game.players[self.owner].fulfilled))
        if self.first:
            return [c for c in cards if self._legal(game, (self.first, c))]
        pairs = [c for c in cards if any(self._legal(game, (c, d)) for d in cards)]
        return pairs or [c for c in cards if self._legal(game, (c,))]

    def _legal(self, game: Game, moved: tuple[int, ...]) -> bool:
        """Judged as things are after the move, when the moved cards have no power any more (Scotch)."""
        if len(set(fronts(game, moved))) < len(moved):
            return False
        after = game.clone()
        player = after.players[self.owner]
        player.fulfilled = tuple(card for card in player.fulfilled if not is_side_of(game, card, moved))
        after.refresh(self.owner)
        return goods_room(after, self.owner, *moved)

    def chosen(self, game: Game, chosen: Option) -> None:
        if chosen.verb == "pass":
            self.done(game)
        elif self.first:
            self._move(game, (self.first, chosen.card))
        else:
            self.first = chosen.card

    def _move(self, game: Game, cards: tuple[int, ...]) -> None:
        self.done(game)
        for card in cards:
            lying = game.players[self.owner].fulfilled
            untuck(game, self.owner, next(c for c in lying if is_side_of(game, c, (card,))))
            add_good(game, self.owner, card)


# Lutefisk


@FROM_HAND("lutefisk")
def lutefisk(game: Game, owner: int, card: int) -> list[Option]:
    """From your hand, at any time, place it as a contract without an action, if you meet its Level in full."""
    return [on_ship("use", card, placing.ship) for placing in contract_options(game, owner, 0, (card,))[0]]


@USE("lutefisk")
def place_lutefisk(game: Game, owner: int, card: int, chosen: Option) -> None:
    """It is placing a contract."""
    from_hand(game, owner, card)
    place_contract(game, card, chosen.ship, "lutefisk")
