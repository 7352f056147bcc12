"""Powers about placing contracts, what a Ship may bear, and Levels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.game.actions import (
    Action,
    Performing,
    contract_options,
    performing,
    place_or_buy,
    purchases,
)
from arena.game.choices import Option, with_card
from arena.game.doubles import FEE, cost
from arena.game.frames import Frame
from arena.game.goods import good_types
from arena.game.hooks import (
    CHOSEN,
    CONTRACT_EXTRAS,
    CONTRACT_FROM_HAND,
    CONTRACT_OPTIONS,
    LEVELS,
    LOAD_LIMIT_OF,
    ON_FULFIL,
    PAYOUT,
    PLACED,
    SHIP_LIMIT,
    Placed,
)
from arena.game.matching import match
from arena.game.moves import from_hand, from_island, gain, pay
from arena.game.powers.base import PowerFrame
from arena.game.powers.offers import MayDraw, MayLoad
from arena.game.ships import container_mask, load, place_contract, slots_of
from arena.game.state import PORT, Ship
from arena.game.terms import AGRICULTURE, CAPITAL, TECHNOLOGY

if TYPE_CHECKING:
    from arena.game.game import Game

NO_LIMIT = 1000  # more than all cards together need
TABLETS_LIMIT = 10


# Further ways to do a Contract action


@CONTRACT_EXTRAS("jasmine-tea")
def jasmine_tea(game: Game, owner: int, card: int, action: Action) -> list[Option]:
    """With one Contract action you may place any number of cards, one after the other.

    Cards of the Tokyo Port may be among them, each paid for. The Contract actions still left may be spent as
    Levels, each for one card.
    """
    left = performing(game).left
    placements = contract_options(game, owner, left)[0] + purchases(game, owner, left)
    return [placement._replace(name="jasmine-tea") for placement in placements]


@CHOSEN("jasmine-tea")
def place_with_jasmine_tea(game: Game, owner: int, chosen: Option) -> None:
    """It is like the first placement of the action."""
    performing(game).left -= max(0, chosen.amount)
    place_or_buy(game, owner, chosen)


@CONTRACT_OPTIONS("toto-toilets")
def toto_toilets(game: Game, owner: int, card: int, contracting: Performing) -> list[Option]:
    """With a Contract action you may place a card from the Tokyo Port without paying its column."""
    placements, _ = contract_options(game, owner, contracting.left - 1, game.island)
    return [placement._replace(name="toto-toilets") for placement in placements]


@CHOSEN("toto-toilets")
def place_with_toto_toilets(game: Game, owner: int, chosen: Option) -> None:
    """Level and room are needed as usual."""
    from_island(game, chosen.card)
    place_contract(game, chosen.card, chosen.ship, "toto-toilets", max(0, chosen.amount))


# Flour


def _flour_slots(game: Game, owner: int, card: int) -> list[int]:
    return [mask for mask, _ in slots_of(game, Ship(owner, PORT, contracts=(card,)))]


def _meets(
    game: Game, owner: int, slots: list[int], chosen: list[int], others: tuple[int, ...] | list[int] = ()
) -> int:
    """How many of the slots these cards can serve together, the `chosen` ones before `others`; no grey ones (P20).

    What other single cards can serve is left to them, and of the double ones no more serve than can be paid.
    """
    cards = [*chosen, *sorted(others, key=lambda card: cost(game, card))]
    masks = [_mask(game, owner, card) for card in cards]
    served = [cards[container] for container in match(slots, masks) if container >= 0]
    affordable = game.players[owner].credits // FEE
    return len(served) - max(0, sum(cost(game, card) > 0 for card in served) - affordable)


def _mask(game: Game, owner: int, card: int) -> int:
    """The colours that a card of the hand may serve; either side of a double card may be up."""
    colors = [game.catalogue.colors[side] for side in game.catalogue.sides[card]]
    mask = 0
    for color in colors:
        if color != CAPITAL:
            mask |= container_mask(game, owner, color)
    return mask


@CONTRACT_FROM_HAND("flour")
def flour(game: Game, owner: int, card: int, contracting: Performing) -> list[Option]:
    """From your hand, with a Contract action: place it and load 4 other cards that meet its whole load at once."""
    slots = _flour_slots(game, owner, card)
    others = [other for other in game.players[owner].hand if other != card]
    if _meets(game, owner, slots, [], others) < len(slots):
        return []
    placements, _ = contract_options(game, owner, contracting.left - 1, (card,))
    return [placement._replace(name="flour") for placement in placements]


@CHOSEN("flour")
def play_flour(game: Game, owner: int, chosen: Option) -> None:
    """Each card is shown when it is chosen."""
    from_hand(game, owner, chosen.card)
    game.emit("reveal", seat=owner, card=game.catalogue.ids[chosen.card])
    game.push(Flour(owner, chosen.card, chosen.ship, max(0, chosen.amount)))


class Flour(Frame):
    """Asks for the cards one by one, by number, so that they can meet the load together; then all move at once."""

    owner: int
    card: int
    ship: int
    skipped: int
    cards: tuple[int, ...] = ()

    def start(self, game: Game) -> None:
        options = [with_card("load", card) for card in self._fitting(game)]
        if not options:
            self.step = "place"
            return
        game.ask(self.owner, "flour", options, then=self.chosen)

    def _fitting(self, game: Game) -> list[int]:
        slots = _flour_slots(game, self.owner, self.card)
        catalogue = game.catalogue
        last = catalogue.front[self.cards[-1]] if self.cards else 0
        later = [card for card in game.players[self.owner].hand if card > last]
        return [
            side
            for place, card in enumerate(later)
            for side in catalogue.sides[card]
            if _meets(game, self.owner, slots, [*self.cards, side]) > len(self.cards)
            and _meets(game, self.owner, slots, [*self.cards, side], later[place + 1 :]) == len(slots)
        ]

    def chosen(self, game: Game, chosen: Option) -> None:
        from_hand(game, self.owner, chosen.card)
        game.emit("reveal", seat=self.owner, card=game.catalogue.ids[chosen.card])
        self.cards += (chosen.card,)

    def place(self, game: Game) -> None:
        self.done(game)
        place_contract(game, self.card, self.ship, "contract", self.skipped)
        pay(game, self.owner, cost(game, *self.cards), "loading")  # one use, one payment (P38)
        for card in self.cards:
            load(game, card, self.ship, "flour")


# What placing brings


def _own_placement(game: Game, owner: int, card: int, placed: Placed) -> bool:
    return placed.seat == owner


@PLACED("drones", when=_own_placement)
def drones(game: Game, owner: int, card: int, placed: Placed) -> None:
    """Each time you place a contract you may draw 1 card."""
    game.push(MayDraw(owner, "drones"))


@PLACED("paprika", when=_own_placement)
def paprika(game: Game, owner: int, card: int, placed: Placed) -> None:
    """Each time you place a contract you may load 1 Container from your hand, onto any Ship where it is legal."""
    game.push(MayLoad(owner, "paprika"))


def _own_agriculture(game: Game, owner: int, card: int, placed: Placed) -> bool:
    return placed.seat == owner and game.catalogue.colors[placed.card] == AGRICULTURE


@PLACED("sugar", when=_own_agriculture, simple=True)
def sugar(game: Game, owner: int, card: int, placed: Placed) -> None:
    """Each time you place an Agriculture contract take 2 credits."""
    gain(game, owner, 2, "sugar")


@ON_FULFIL("spacecraft")
class Spacecraft(PowerFrame):
    """Place a card of the Island as a contract, if any is legal; you choose which, and the Ship."""

    def start(self, game: Game) -> None:
        options, _ = contract_options(game, self.owner, 0, game.island)
        if not options:
            return self.done(game)
        return game.ask(self.owner, "spacecraft", options, then=self.place)

    def place(self, game: Game, chosen: Option) -> None:
        self.done(game)
        from_island(game, chosen.card)
        place_contract(game, chosen.card, chosen.ship, "spacecraft")


# What a Ship may bear, and Levels


@SHIP_LIMIT("legos")
def legos(game: Game, owner: int, card: int, limit: int) -> int:
    """While it is an unfulfilled contract its Ship has no limit of load; the payout stays capped."""
    return NO_LIMIT


@LOAD_LIMIT_OF("tablets")
def tablets(game: Game, owner: int, card: int, limit: int) -> int:
    """Your Ships may bear a load requirement of 10 instead of 6."""
    return max(limit, TABLETS_LIMIT)


@PAYOUT("tablets")
def tablets_payout(game: Game, owner: int, card: int, amount: int, number: int) -> int:
    """8 or 9 Containers pay 18, 10 or more pay 20."""
    return 20 if number >= 10 else 18 if number >= 8 else amount


@LEVELS("volkswagen")
def volkswagen(game: Game, owner: int, card: int, found: list[int]) -> list[int]:
    """Each Technology card in your Goods counts as 2 for Level prerequisites, those of Capital contracts too."""
    twins = [other for other in game.players[owner].fulfilled if game.power_of(other) == "volkswagen"]
    if card == twins[0]:  # two of them do not stack (P35)
        cards = good_types(game, owner).count(TECHNOLOGY)
        found[TECHNOLOGY] += cards
        found[CAPITAL] += cards
    return found
