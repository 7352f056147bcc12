"""What happens when the contracts of a Ship are fulfilled, in the order of the rulebook's four steps (R11)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.game import market
from arena.game.choices import PASS, Option, to_place, with_card
from arena.game.choices import ship as ship_option
from arena.game.frames import Frame
from arena.game.hooks import (
    ABOARD,
    BEFORE_SAILING,
    FULFILLED,
    ON_FULFIL,
    PAYOUT,
    REQUIREMENT,
    RIDES_ON,
    TUCK,
    Fulfilled,
)
from arena.game.matching import can_leave_unserved
from arena.game.moves import add_crew, add_good, gain, take_top, to_island, tuck
from arena.game.settle import innermost
from arena.game.ships import container_masks, sail, slots_of
from arena.game.state import DEPARTING, PORT, Ship
from arena.game.terms import CAPITAL

if TYPE_CHECKING:
    from arena.game.game import Game

PAYOUTS = (0, 0, 6, 10, 10, 14)
"""Credits by number of Containers; more than five pay as five (R11.2, Q53)."""


class Fulfilment(Frame):
    """One fulfilment: an event with four steps (P4)."""

    ship: int
    contracts: tuple[int, ...] = ()  # these and the Containers as they were at step 1
    containers: tuple[int, ...] = ()
    colors: tuple[int, ...] = ()
    places: tuple[str, ...] = ()  # where each contract goes, as far as it is settled
    waiting: tuple[int, ...] = ()  # cards that still have to act in step 2

    def start(self, game: Game) -> None:
        """Step 1: the payout by the number of Containers (R11.2)."""
        ship = game.ships[self.ship]
        catalogue = game.catalogue
        self.contracts, self.containers = ship.contracts, ship.containers
        self.colors = tuple(CAPITAL if c in ship.rainbow else catalogue.colors[c] for c in ship.containers)
        game.ships[self.ship] = ship._replace(place=DEPARTING, open=0)
        game.emit(
            "fulfil",
            seat=ship.owner,
            ship=self.ship,
            contracts=[catalogue.ids[card] for card in self.contracts],
            containers=[catalogue.ids[card] for card in self.containers],
        )
        amount = payout(game, ship)
        if game.market:  # R19.3: once for all Containers aboard, by printed colour (Q84, Q86)
            printed = tuple(catalogue.colors[card] for card in self.containers)
            amount = max(0, amount + market.modifier(game, printed))  # Q85
        gain(game, ship.owner, amount, "payout")
        if game.market:
            market.sold(game, printed)  # R19.4
        for card in self.containers:
            aboard = ABOARD.listeners.get(catalogue.powers[card])
            if aboard is not None:
                aboard(game, ship, card)
        self.step = "redirect"

    def redirect(self, game: Game) -> None:
        """Step 2: a power may let a contract be put elsewhere than in the fulfilled area."""
        owner = game.ships[self.ship].owner
        while len(self.places) < len(self.contracts):
            card = self.contracts[len(self.places)]
            if game.players[owner].hooks & TUCK.mask:
                for _, listener in game.listening(TUCK, owner):
                    places = listener(game, owner, card, self)
                    if places:
                        options = [to_place("tuck", card, place) for place in ("fulfilled", *places)]
                        return game.ask(owner, "tuck", options, then=self.redirected)
            self.places += ("fulfilled",)
        self.step = "tuck"
        return None

    def redirected(self, game: Game, chosen: Option) -> None:
        """One contract has its place."""
        self.places += (chosen.place,)

    def tuck(self, game: Game) -> None:
        """Step 2: the contracts are tucked together, limits rise, continuous powers switch on (R11.3, Q54)."""
        ship = game.ships[self.ship]
        game.ships[self.ship] = ship._replace(contracts=(), reduced=())
        placed = tuple(zip(self.contracts, self.places, strict=True))
        tuck(game, ship.owner, *(card for card, place in placed if place == "fulfilled"))
        for card, place in placed:
            if place == "crew":
                add_crew(game, ship.owner, card)
            elif place == "goods":
                add_good(game, ship.owner, card)
        self.waiting = tuple(c for c in self.contracts if game.power_of(c) in ON_FULFIL.listeners)
        self.step = "immediate"

    def immediate(self, game: Game) -> None:
        """Step 2: the immediate powers, one at a time in the owner's order (Q54)."""
        if self.waiting:
            options = [with_card("resolve", card) for card in self.waiting]
            return game.ask(game.ships[self.ship].owner, "order", options, then=self.resolve)
        ship = game.ships[self.ship]
        leaving = [c for c in ship.riders if game.catalogue.powers[c] in RIDES_ON.listeners]
        leaving += [c for c, _ in game.listening(BEFORE_SAILING, ship.owner) if c not in self.contracts]
        self.waiting = tuple(leaving)
        self.step = "before_sailing"
        return None

    def resolve(self, game: Game, chosen: Option) -> None:
        """The power of this contract acts now, once (R15.3)."""
        self.waiting = tuple(card for card in self.waiting if card != chosen.card)
        resolve_immediate(game, game.ships[self.ship].owner, chosen.card, self.ship)

    def before_sailing(self, game: Game) -> None:
        """End of step 2: powers that act on the Ship just before it sails, in the owner's order (P4)."""
        if self.waiting:
            options = [with_card("resolve", card) for card in self.waiting]
            return game.ask(game.ships[self.ship].owner, "order", options, then=self.act_on_ship)
        self.step = "sail"
        return None

    def act_on_ship(self, game: Game, chosen: Option) -> None:
        """A rider moves on, or a power takes a Container."""
        card = chosen.card
        self.waiting = tuple(other for other in self.waiting if other != card)
        ship = game.ships[self.ship]
        if card in ship.riders:
            RIDES_ON.listeners[game.catalogue.powers[card]](game, self.ship, card)
        elif card in game.players[ship.owner].fulfilled:
            listener = BEFORE_SAILING.listeners[game.power_of(card)]
            listener(game, ship.owner, card, self.ship, len(self.contracts))

    def sail(self, game: Game) -> None:
        """Step 3: the Ship goes to sea with its Containers (R11.4)."""
        self.step = "supply"
        sail(game, self.ship)

    def supply(self, game: Game) -> None:
        """Step 4: the top card of the draw pile goes to the Supply Island (R11.5, Q56)."""
        card = take_top(game)
        if card:
            to_island(game, card)
        ship = game.ships[self.ship]
        types = tuple(game.catalogue.colors[contract] for contract in self.contracts)
        game.trigger(FULFILLED, ship.owner, self.ship, self.contracts, types, self.containers, self.colors)
        self.done(game)


def payout(game: Game, ship: Ship) -> int:
    """Credits for the Containers aboard (R11.2, Q53, P27); a Super Ship is paid twice the row."""
    number = len(ship.containers)
    amount: int = PAYOUTS[min(number, 5)]
    if game.players[ship.owner].hooks & PAYOUT.mask:
        amount = game.query(PAYOUT, ship.owner, amount, number)
    return amount * 2 if ship.joined >= 0 else amount


def resolve_immediate(game: Game, owner: int, card: int, ship: int) -> None:
    """Let the immediate power of a card act; `ship` is -1 where no Ship was fulfilled (P31)."""
    listener = ON_FULFIL.listeners.get(game.power_of(card))
    if isinstance(listener, type):
        game.push(listener(owner, card, ship))
    elif listener is not None:
        listener(game, owner, card, ship)


def as_if_fulfilled(game: Game, owner: int, card: int) -> None:
    """A card came to the fulfilled area "as if just fulfilled": no Ship, no payout (P31).

    Its immediate power resolves, and its own "this one included"; nothing else sees a fulfilment.
    """
    power = game.power_of(card)
    if power in FULFILLED.own:
        what = Fulfilled(owner, -1, (card,), (game.catalogue.colors[card],), (), ())
        innermost(game).reactions += ((FULFILLED.name, owner, card, power, what),)
    resolve_immediate(game, owner, card, -1)


class MayFulfil(Frame):
    """A Ship that a power lets be fulfilled early: its owner may go on loading instead (Prefab Home)."""

    ship: int

    def start(self, game: Game) -> None:
        """Ask only if enough is aboard; meanwhile the Ship may have been fulfilled."""
        ship = game.ships[self.ship]
        if ship.place != PORT or not ship.contracts:
            return self.done(game)
        slots = slots_of(game, ship)
        groups = []
        for contract in ship.contracts:
            own = [mask for mask, of in slots if of == contract]
            groups.append((own, game.query(REQUIREMENT, ship.owner, 0, contract, len(own))))
        if not can_leave_unserved(groups, container_masks(game, ship)):
            return self.done(game)
        options = [PASS, ship_option("fulfil", self.ship)]
        return game.ask(ship.owner, "fulfil-early", options, then=self.chosen)

    def chosen(self, game: Game, option: Option) -> None:
        """Declining asks again after the next Container (Prefab Home)."""
        self.done(game)
        if option.verb == "fulfil":
            game.perform(Fulfilment(self.ship))
