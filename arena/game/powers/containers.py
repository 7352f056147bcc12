"""Powers about Containers: what may serve which slot, and cards that act from aboard a Ship (P18)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.game import tokens
from arena.game.actions import Performing, free_load
from arena.game.choices import Option, option
from arena.game.doubles import FREE_LOADS, cost, is_side_of, sided
from arena.game.hooks import (
    ABOARD,
    CHOSEN,
    CONTAINER,
    LOAD_OPTIONS,
    LOADED,
    OWN_SLOT,
    PIRACY_OPTIONS,
    REQUIREMENT,
    SELF_LOADED,
    SLOT,
    Loaded,
)
from arena.game.matching import match
from arena.game.moves import draw, from_hand, from_island, gain, pay, to_token
from arena.game.piracy import island_targets, sea_targets, tell_pirated
from arena.game.powers.piracy import in_other_ports
from arena.game.settle import note_self
from arena.game.ships import can_load, container_masks, put, slots_of, unload
from arena.game.state import Ship
from arena.game.terms import AGRICULTURE, ANY, CAPITAL, CONSUMER, ILLEGAL, LUXURY, TECHNOLOGY

if TYPE_CHECKING:
    from arena.game.game import Game

LOAD_ANYTHING_ON = {
    "candy": CONSUMER,
    "coffee": AGRICULTURE,
    "generators": TECHNOLOGY,
    "seeds": ILLEGAL,
}
LOAD_ANYWHERE = {
    "big-cats": ILLEGAL,
    "impalas": LUXURY,
    "soap": CONSUMER,
    "televisions": TECHNOLOGY,
    "wheat": AGRICULTURE,
}


@SLOT(*LOAD_ANYTHING_ON)
def load_anything_on(game: Game, owner: int, card: int, mask: int, contract: int) -> int:
    """Containers of any colour may serve your contracts of one type."""
    return ANY if LOAD_ANYTHING_ON[game.power_of(card)] == contract else mask


@CONTAINER(*LOAD_ANYWHERE)
def load_anywhere(game: Game, owner: int, card: int, mask: int, color: int) -> int:
    """Your Containers of one colour may serve any requirement on your Ships."""
    return ANY if LOAD_ANYWHERE[game.power_of(card)] == color else mask


@OWN_SLOT("tortillas")
def tortillas(game: Game, owner: int, card: int, mask: int) -> int:
    """While it is an unfulfilled contract, Containers of any colour serve its requirement."""
    return ANY


@REQUIREMENT("prefab-home")
def prefab_home(game: Game, owner: int, card: int, spare: int, contract: int, slots: int) -> int:
    """Your Luxury contracts may be fulfilled with half of their Containers, rounded up."""
    return slots // 2 if game.catalogue.colors[contract] == LUXURY else spare


@ABOARD("bok-choy")
def bok_choy(game: Game, ship: Ship, card: int) -> None:
    """Aboard, serving a contract that is not Agriculture when its Ship is fulfilled: 2 more credits.

    Nobody fixes what serves what, so it pays if any complete matching lets it.
    """
    slots = slots_of(game, ship)
    masks = container_masks(game, ship)
    paired = {c for pair in ship.pairs for c in pair}
    singles = [c for c in ship.containers if c not in paired]
    if card in paired:
        place = len(singles) + next(i for i, pair in enumerate(ship.pairs) if card in pair)
    else:
        place = singles.index(card)
    served = sum(container >= 0 for container in match([mask for mask, _ in slots], masks))
    rest = masks[:place] + masks[place + 1 :]
    for index, (mask, contract) in enumerate(slots):
        if mask & masks[place] and game.catalogue.colors[contract] != AGRICULTURE:
            others = [m for other, (m, _) in enumerate(slots) if other != index]
            if 1 + sum(container >= 0 for container in match(others, rest)) == served:
                return gain(game, ship.owner, 2, "bok-choy")
    return None


@SELF_LOADED("yogurt")
def yogurt(game: Game, owner: int, card: int, what: object) -> None:
    """Loaded or pirated, it lets you draw 4 cards, then every other player 2."""
    draw(game, owner, 4)
    for seat in game.others(owner):
        draw(game, seat, 2)


# Robo-Cats: two cards of one type count as one Technology Container


def _pairs(game: Game, cards: tuple[int, ...]) -> list[tuple[int, int]]:
    colors, front = game.catalogue.colors, game.catalogue.front
    return [
        (first, second)
        for place, first in enumerate(cards)
        for second in cards[place + 1 :]
        if colors[first] == colors[second] != CAPITAL and front[first] != front[second]
    ]


def _offer(
    game: Game, owner: int, verb: str, cards: tuple[int, ...], spent: int, free: tuple[int, ...] = ()
) -> list[Option]:
    """Each pair that can be paid; for `free` cards nothing is due (R18.3)."""
    ships = can_load(game, owner, TECHNOLOGY)
    return [
        option(verb, "robo-cats", first, second, ship, -1, "", spent)
        for first, second in _pairs(game, cards)
        if cost(game, *{first, second}.difference(free)) <= game.players[owner].credits
        for ship in ships
    ]


@LOAD_OPTIONS("robo-cats")
def robo_cats(game: Game, owner: int, card: int, performing: Performing) -> list[Option]:
    """With one Load action load 2 cards of one type that together count as 1 Technology Container.

    With Piracy the same takes 2 Piracy actions. For the payout both cards count.
    """
    hand = sided(game, game.players[owner].hand)
    return _offer(game, owner, "load", hand, -1, hand if performing.granted in FREE_LOADS else ())


@PIRACY_OPTIONS("robo-cats")
def robo_cats_piracy(game: Game, owner: int, card: int, performing: Performing) -> list[Option]:
    """See `robo_cats`; the second action is spent with the first. Mini Van adds its Ships to the sources."""
    if performing.left < 2:
        return []
    targets = sea_targets(game)
    if any(game.power_of(other) == "mini-van" for other in game.players[owner].fulfilled):
        targets += in_other_ports(game, owner)
    aboard = tuple(target.card for target in targets)
    lying = tuple(target.card for target in island_targets(game))
    return _offer(game, owner, "pirate", aboard + lying, 1, aboard)


@CHOSEN("robo-cats")
def load_pair(game: Game, owner: int, chosen: Option) -> None:
    """Both cards, or their tokens, come aboard as one."""
    cards = (chosen.card, chosen.other)
    sources = [
        next((i for i, ship in enumerate(game.ships) if is_side_of(game, card, ship.containers)), -1)
        for card in cards
    ]
    owed = tuple(card for card, source in zip(cards, sources, strict=True) if source < 0)
    if chosen.verb == "load" and free_load(game):
        owed = ()
    pay(game, owner, cost(game, *owed), "loading")
    if chosen.verb == "pirate":
        for card, source in zip(cards, sources, strict=True):
            tell_pirated(game, owner, card, source)  # before a Ship goes home for the loss of one
    for card, source in zip(cards, sources, strict=True):
        if chosen.verb == "load":
            from_hand(game, owner, card)
        elif source >= 0:
            unload(game, source, card)
        else:
            from_island(game, card)
    colors = game.catalogue.colors
    pair = cards
    if tokens.aboard(game) and not tokens.is_token(game, chosen.card):
        pair = (to_token(game, pair[0], colors[pair[0]]), pair[1])
    if tokens.aboard(game) and not tokens.is_token(game, chosen.other):
        pair = (pair[0], to_token(game, pair[1], colors[pair[1]]))
    ship = game.ships[chosen.ship]
    put(
        game,
        chosen.ship,
        ship._replace(containers=(*ship.containers, *pair), pairs=(*ship.pairs, pair)),
    )
    by = "load" if chosen.verb == "load" else "piracy"
    for card, container in zip(cards, pair, strict=True):
        game.emit("load", seat=owner, card=game.catalogue.ids[container], ship=chosen.ship, by=by, pair=True)
        loaded = Loaded(owner, container, colors[card], chosen.ship, by)
        game.trigger(LOADED, *loaded)
        note_self(game, SELF_LOADED, owner, card, loaded)
