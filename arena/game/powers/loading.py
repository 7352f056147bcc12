"""Powers about Load actions: more of them, something else in their place, and what loading brings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.game.actions import Action, Loading, free_load, load_from_hand, load_options, performing
from arena.game.choices import PASS, Option, named, on_ship, option
from arena.game.doubles import cost
from arena.game.frames import Frame
from arena.game.goods import count_goods, levels, missing_levels
from arena.game.hooks import (
    CHOSEN,
    LOAD_EXTRAS,
    LOAD_FROM_HAND,
    LOAD_INSTEAD,
    LOADED,
    LOADS_BESIDES,
    USE,
    Loaded,
)
from arena.game.moves import draw, from_hand, gain, pay, to_island
from arena.game.powers.offers import unused, use_up
from arena.game.ships import can_load, load
from arena.game.terms import AGRICULTURE, LOAD, TECHNOLOGY
from arena.game.turn import led_action

if TYPE_CHECKING:
    from arena.game.game import Game

BATTERIES_FEE = 2
MAPLE_SYRUP_CREDITS = 30
ANY_NUMBER = 1000  # more than there are cards


@LOAD_EXTRAS("batteries")
def batteries(game: Game, owner: int, card: int, action: Action) -> list[Option]:
    """Once per turn, with a Load action, you may pay 2 credits to load 1 more card from your hand."""
    if not unused(game, owner, "batteries") or game.players[owner].credits < BATTERIES_FEE:
        return []
    offers = load_options(game, owner, free=free_load(game), spent=BATTERIES_FEE)
    return [offer._replace(name="batteries") for offer in offers]


@CHOSEN("batteries")
def load_with_batteries(game: Game, owner: int, chosen: Option) -> None:
    """Paid first, in one payment with the fee of a double card (P38); it belongs to the Load action."""
    use_up(game, owner, "batteries")
    fee = 0 if free_load(game) else cost(game, chosen.card)
    pay(game, owner, BATTERIES_FEE + fee, "batteries")
    load_from_hand(game, owner, chosen.card, chosen.ship, "load", free=True)


@LOADS_BESIDES("playstations")
def playstations(game: Game, owner: int, card: int, number: int) -> int:
    """With each Load action you may load 1 more card for every 2 Technology Goods you have."""
    return number + count_goods(game, owner)[TECHNOLOGY] // 2


# Machine Arms


def _leads_load(game: Game, owner: int) -> bool:
    return owner == game.lead and led_action(game) == LOAD and not performing(game).granted


@LOADS_BESIDES("machine-arms")
def machine_arms(game: Game, owner: int, card: int, number: int) -> int:
    """When you lead Load you may load any number of cards, whatever you announced."""
    return ANY_NUMBER if _leads_load(game, owner) else number


def _own_load_action(game: Game, owner: int, card: int, loaded: Loaded) -> bool:
    run = performing(game) if loaded.by == "load" else None
    acted = isinstance(run, Loading) and run.acted  # not so for Maple Syrup before the first load
    return acted and loaded.seat == owner and _leads_load(game, owner)


@LOADED("machine-arms", when=_own_load_action, simple=True)
def begin_machine_arms(game: Game, owner: int, card: int, loaded: Loaded) -> None:
    """The first load is due, from then on you may stop."""
    game.players[owner].used += (card,)


@LOAD_INSTEAD("machine-arms")
def stop_machine_arms(game: Game, owner: int, card: int, loading: Loading) -> list[Option]:
    """Stopping is an option also below the announced number."""
    return [PASS] if card in game.players[owner].used else []


# Something else in place of a load


@LOAD_INSTEAD("cell-phones")
def cell_phones(game: Game, owner: int, card: int, loading: Loading) -> list[Option]:
    """Instead of loading from your hand you may draw 1 card, and must load it if you can."""
    return [named("draw", "cell-phones")] if game.pile or game.discard else []


@CHOSEN("cell-phones")
def draw_with_cell_phones(game: Game, owner: int, chosen: Option) -> None:
    """A card that can be loaded is shown, another stays secret in the hand."""
    for card in draw(game, owner, 1):
        if _loads(game, owner, card):
            from_hand(game, owner, card)
            game.emit("reveal", seat=owner, card=game.catalogue.ids[card])
            game.push(LoadDrawn(owner, card))


def _loads(game: Game, owner: int, card: int) -> list[Option]:
    """Where this card can be loaded; either side of a double card if its fee can be paid."""
    if not free_load(game) and cost(game, card) > game.players[owner].credits:
        return []
    colors = game.catalogue.colors
    return [
        on_ship("load", side, index)
        for side in game.catalogue.sides[card]
        for index in can_load(game, owner, colors[side])
    ]


class LoadDrawn(Frame):
    """The owner of Cell Phones chooses the Ship."""

    owner: int
    card: int

    def start(self, game: Game) -> None:
        game.ask(self.owner, "cell-phones", _loads(game, self.owner, self.card), then=self.load)

    def load(self, game: Game, chosen: Option) -> None:
        self.done(game)
        if not free_load(game):
            pay(game, self.owner, cost(game, chosen.card), "loading")
        load(game, chosen.card, chosen.ship, "load")


@LOAD_INSTEAD("smart-cars")
def smart_cars(game: Game, owner: int, card: int, loading: Loading) -> list[Option]:
    """Once per turn, instead of loading, you may put a card of your hand on the Island and take 2 credits."""
    if not unused(game, owner, "smart-cars"):
        return []
    return [option("put", "smart-cars", held, place="island") for held in game.players[owner].hand]


@CHOSEN("smart-cars")
def put_with_smart_cars(game: Game, owner: int, chosen: Option) -> None:
    """It uses up the Load action and is no sale."""
    use_up(game, owner, "smart-cars")
    from_hand(game, owner, chosen.card)
    to_island(game, chosen.card)
    gain(game, owner, 2, "smart-cars")


# Maple Syrup


@LOAD_FROM_HAND("maple-syrup")
def maple_syrup(game: Game, owner: int, card: int, loading: Loading) -> list[Option]:
    """From your hand, around your Load actions: with 30 credits and its Level you may load it besides, for free."""
    if game.players[owner].credits < MAPLE_SYRUP_CREDITS or missing_levels(game, card, levels(game, owner)):
        return []
    return [on_ship("use", card, index) for index in can_load(game, owner, game.catalogue.colors[card])]


@USE("maple-syrup")
def load_maple_syrup(game: Game, owner: int, card: int, chosen: Option) -> None:
    """It counts as loaded by the Load action."""
    from_hand(game, owner, card)
    load(game, card, chosen.ship, "load")


# What loading brings


def _by_load_action(game: Game, owner: int, card: int, loaded: Loaded) -> bool:
    return loaded.by == "load"


@LOADED("fixie-bikes", when=_by_load_action, simple=True)
def fixie_bikes(game: Game, owner: int, card: int, loaded: Loaded) -> None:
    """Each time any player loads a Container by a Load action take 2 credits."""
    gain(game, owner, 2, "fixie-bikes")


def _is_agriculture(game: Game, owner: int, card: int, loaded: Loaded) -> bool:
    return loaded.color == AGRICULTURE


@LOADED("oat-milk", when=_is_agriculture)
def oat_milk(game: Game, owner: int, card: int, loaded: Loaded) -> None:
    """Each time any player loads an Agriculture Container you may take 2 credits or draw 2 cards."""
    game.push(OatMilk(owner))


class OatMilk(Frame):
    """Asks the owner of Oat Milk."""

    owner: int

    def start(self, game: Game) -> None:
        options = [PASS, named("take", "credits"), named("take", "cards")]
        game.ask(self.owner, "oat-milk", options, then=self.take)

    def take(self, game: Game, chosen: Option) -> None:
        self.done(game)
        if chosen.name == "credits":
            gain(game, self.owner, 2, "oat-milk")
        elif chosen.name == "cards":
            draw(game, self.owner, 2)
