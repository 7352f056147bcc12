"""Powers that bring credits or cards for what a player has, or has just fulfilled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.game.goods import count_goods, crew_cards
from arena.game.hooks import FULFILLED, ON_FULFIL, Fulfilled
from arena.game.moves import draw, gain
from arena.game.powers.base import fulfilment_of
from arena.game.terms import AGRICULTURE, CONSUMER, TECHNOLOGY

if TYPE_CHECKING:
    from arena.game.game import Game

PAID_FOR_GOODS_OF_ALL = {"honey": AGRICULTURE, "pens": CONSUMER}


@ON_FULFIL(*PAID_FOR_GOODS_OF_ALL)
def paid_for_goods_of_all(game: Game, owner: int, card: int, ship: int) -> None:
    """Take 2 credits for each Good of one type in all players' Goods, yours included."""
    power = game.power_of(card)
    kind = PAID_FOR_GOODS_OF_ALL[power]
    gain(game, owner, 2 * sum(count_goods(game, player.seat)[kind] for player in game.players), power)


@ON_FULFIL("pilllows")
def pilllows(game: Game, owner: int, card: int, ship: int) -> None:
    """Take 2 credits for each card among your fulfilled contracts."""
    gain(game, owner, 2 * len(game.players[owner].fulfilled), "pilllows")


@ON_FULFIL("rice")
def rice(game: Game, owner: int, card: int, ship: int) -> None:
    """Take 2 credits for each Agriculture contract among your fulfilled ones, this one included.

    Rice counts itself whatever its colour; a copy of it only if it is Agriculture.
    """
    catalogue = game.catalogue
    count = sum(
        catalogue.colors[contract] == AGRICULTURE or (contract == card and catalogue.powers[card] == "rice")
        for contract in game.players[owner].fulfilled
    )
    gain(game, owner, 2 * count, "rice")


@ON_FULFIL("tej")
def tej(game: Game, owner: int, card: int, ship: int) -> None:
    """Take as many credits as you have Crew cards less 2, rounded up to an even number."""
    count = max(0, len(crew_cards(game, owner)) - 2)
    gain(game, owner, count + count % 2, "tej")


@ON_FULFIL("rooibos-tea")
def rooibos_tea(game: Game, owner: int, card: int, ship: int) -> None:
    """All players who drink tea, and here everybody does, take 2 credits."""
    for seat in game.clockwise(owner):
        gain(game, seat, 2, "rooibos-tea")


@ON_FULFIL("muay-thai-shorts")
def muay_thai_shorts(game: Game, owner: int, card: int, ship: int) -> None:
    """Take 2 credits for each contract that was fulfilled on this Ship, this one included."""
    contracts = len(fulfilment_of(game, ship).contracts) if ship >= 0 else 1  # P31
    gain(game, owner, 2 * contracts, "muay-thai-shorts")


@ON_FULFIL("yakuza-art")
def yakuza_art(game: Game, owner: int, card: int, ship: int) -> None:
    """With a Consumer Good draw 5 cards; with a Technology Good take 4 credits."""
    goods = count_goods(game, owner)
    if goods[CONSUMER]:
        draw(game, owner, 5)
    if goods[TECHNOLOGY]:
        gain(game, owner, 4, "yakuza-art")


@ON_FULFIL("merino-wool")
def merino_wool(game: Game, owner: int, card: int, ship: int) -> None:
    """Draw as many cards as you hold."""
    hand = game.players[owner].hand
    if hand:
        draw(game, owner, len(hand))


def _own_consumer(game: Game, owner: int, card: int, done: Fulfilled) -> bool:
    return done.seat == owner and CONSUMER in done.contract_types


@FULFILLED("mouthwash", when=_own_consumer, simple=True)
def mouthwash(game: Game, owner: int, card: int, done: Fulfilled) -> None:
    """Each time you fulfil a Consumer contract after this one, take 2 credits."""
    for _ in range(done.contract_types.count(CONSUMER)):
        gain(game, owner, 2, "mouthwash")


def _own_technology_and_consumer(game: Game, owner: int, card: int, done: Fulfilled) -> bool:
    return done.seat == owner and {TECHNOLOGY, CONSUMER} <= set(done.contract_types)


@FULFILLED("rare-metals", when=_own_technology_and_consumer, simple=True)
def rare_metals(game: Game, owner: int, card: int, done: Fulfilled) -> None:
    """When you fulfil a Technology and a Consumer contract on one Ship, take 4 credits."""
    gain(game, owner, 4, "rare-metals")


def _own_with_technology_aboard(game: Game, owner: int, card: int, done: Fulfilled) -> bool:
    return done.seat == owner and TECHNOLOGY in done.container_colors


@FULFILLED("laptops", when=_own_with_technology_aboard)
def laptops(game: Game, owner: int, card: int, done: Fulfilled) -> None:
    """Each time you fulfil a Ship with a Technology Container aboard, draw 2 cards."""
    draw(game, owner, 2)
