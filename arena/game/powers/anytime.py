"""Powers that their owner starts: at any time, or at any time of a turn that the owner leads (P17)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.game.actions import contract_options
from arena.game.choices import PASS, Option, option, with_card
from arena.game.frames import Frame
from arena.game.goods import good_types, is_type
from arena.game.hooks import ANYTIME, END_MOVE, USE
from arena.game.moves import (
    discard,
    from_hand,
    from_island,
    gain,
    seen_to_hand,
    to_island,
    untuck,
    without,
)
from arena.game.powers.base import PowerFrame, may_place_freely, place_freely
from arena.game.terms import AGRICULTURE, LUXURY, TECHNOLOGY

if TYPE_CHECKING:
    from arena.game.game import Game

SUSHI_KNIVES_CARDS = 4


def in_hand(game: Game, owner: int, *types: int) -> tuple[int, ...]:
    """The cards of the hand of one of these types."""
    return tuple(c for c in game.players[owner].hand if any(is_type(game, c, kind) for kind in types))


@ANYTIME("bionic-ears")
def bionic_ears(game: Game, owner: int, card: int) -> list[Option]:
    """At any time you may take it from your fulfilled contracts back into your hand."""
    return [with_card("use", card)]


@USE("bionic-ears")
def take_bionic_ears(game: Game, owner: int, card: int, chosen: Option) -> None:
    """Limits fall at once."""
    untuck(game, owner, card)
    seen_to_hand(game, owner, card)


@ANYTIME("iceland-water")
def iceland_water(game: Game, owner: int, card: int) -> list[Option]:
    """At any time you may put an Agriculture card of your hand on the Island and take 2 credits, no sale."""
    return [option("use", "", card, sold) for sold in in_hand(game, owner, AGRICULTURE)]


@USE("iceland-water")
def sell_with_iceland_water(game: Game, owner: int, card: int, chosen: Option) -> None:
    """One card a use."""
    from_hand(game, owner, chosen.other)
    to_island(game, chosen.other)
    gain(game, owner, 2, "iceland-water")


@ANYTIME("olive-oil")
def olive_oil(game: Game, owner: int, card: int) -> list[Option]:
    """In a turn that you lead you may discard it from your fulfilled contracts to take 2 credits."""
    return [with_card("use", card)] if owner == game.lead else []


@USE("olive-oil")
def discard_olive_oil(game: Game, owner: int, card: int, chosen: Option) -> None:
    """Limits fall at once."""
    untuck(game, owner, card)
    discard(game, card)
    gain(game, owner, 2, "olive-oil")


@ANYTIME("sushi-knives")
def sushi_knives(game: Game, owner: int, card: int) -> list[Option]:
    """At any time you may discard 4 Luxury cards of your hand to take 2 credits; the first is named at once."""
    cards = in_hand(game, owner, LUXURY)
    if len(cards) < SUSHI_KNIVES_CARDS:
        return []
    return [option("use", "", card, first) for first in cards]


@USE("sushi-knives")
def discard_with_sushi_knives(game: Game, owner: int, card: int, chosen: Option) -> None:
    """Each card is discarded when it is named."""
    from_hand(game, owner, chosen.other)
    discard(game, chosen.other)
    game.push(SushiKnives(owner, SUSHI_KNIVES_CARDS - 1))


class SushiKnives(Frame):
    """Asks for the other Luxury cards."""

    owner: int
    left: int

    def start(self, game: Game) -> None:
        options = [with_card("discard", card) for card in in_hand(game, self.owner, LUXURY)]
        if not self.left or not options:  # a sampled hand may hold fewer
            self.done(game)
            return gain(game, self.owner, 2, "sushi-knives")
        return game.ask(self.owner, "sushi-knives", options, then=self.discard)

    def discard(self, game: Game, chosen: Option) -> None:
        self.left -= 1
        from_hand(game, self.owner, chosen.card)
        discard(game, chosen.card)


@ANYTIME("tsukiji-fish")
def tsukiji_fish(game: Game, owner: int, card: int) -> list[Option]:
    """In a turn that you lead you may place Luxury and Agriculture cards of your hand as contracts, without actions."""
    if owner != game.lead or not may_place_freely(game, owner, card):
        return []
    placements, _ = contract_options(game, owner, 0, in_hand(game, owner, LUXURY, AGRICULTURE))
    colors = game.catalogue.colors  # a double card must lie on such a side
    return [
        option("use", "", card, placement.card, placement.ship)
        for placement in placements
        if colors[placement.card] in (LUXURY, AGRICULTURE)
    ]


@USE("tsukiji-fish")
def place_with_tsukiji_fish(game: Game, owner: int, card: int, chosen: Option) -> None:
    """One contract a use."""
    from_hand(game, owner, chosen.other)
    place_freely(game, owner, card, chosen.other, chosen.ship, "tsukiji-fish")


# LED Lights and Rope


def _exchanges(game: Game, owner: int, card: int, given: int) -> list[Option]:
    """Who has a use is public: only the card of the Island is named."""
    if owner != game.lead or len(game.players[owner].hand) < given:
        return []
    return [option("use", "", card, taken) for taken in game.island]


@ANYTIME("led-lights")
def led_lights(game: Game, owner: int, card: int) -> list[Option]:
    """In a turn that you lead you may exchange 2 cards of your hand for 1 that lies on the Island."""
    return _exchanges(game, owner, card, 2)


@USE("led-lights")
def exchange_with_led_lights(game: Game, owner: int, card: int, chosen: Option) -> None:
    """Any number of times."""
    game.push(Exchange(owner, chosen.other, 2))


@ANYTIME("rope")
def rope(game: Game, owner: int, card: int) -> list[Option]:
    """Once per turn that you lead you may exchange 1 card of your hand for 1 on the Island."""
    return [] if card in game.players[owner].used else _exchanges(game, owner, card, 1)


@USE("rope")
def exchange_with_rope(game: Game, owner: int, card: int, chosen: Option) -> None:
    """Once per turn."""
    game.players[owner].used += (card,)
    game.push(Exchange(owner, chosen.other, 1))


class Exchange(Frame):
    """Asks for the cards to give, which are put down as they are named; then the other one is taken."""

    owner: int
    taken: int  # lies on the Island until the others do
    left: int

    def start(self, game: Game) -> None:
        if not self.left:
            self.done(game)
            from_island(game, self.taken)
            return seen_to_hand(game, self.owner, self.taken)
        options = [with_card("give", card) for card in game.players[self.owner].hand]
        return game.ask(self.owner, "exchange", options, then=self.give)

    def give(self, game: Game, chosen: Option) -> None:
        self.left -= 1
        from_hand(game, self.owner, chosen.card)
        to_island(game, chosen.card)


# Telescopes


def _technology_goods(game: Game, owner: int) -> list[int]:
    goods = game.players[owner].goods
    return [c for c, kind in zip(goods, good_types(game, owner), strict=True) if kind == TECHNOLOGY]


def _give_up(game: Game, owner: int, good: int) -> None:
    player = game.players[owner]
    player.goods = without(player.goods, good)
    discard(game, good)
    gain(game, owner, 4, "telescopes")


@ANYTIME("telescopes")
def telescopes(game: Game, owner: int, card: int) -> list[Option]:
    """At any time, also before the end bonuses, you may give up Technology Goods for 4 credits each."""
    return [option("use", "", card, good) for good in _technology_goods(game, owner)]


@USE("telescopes")
def use_telescopes(game: Game, owner: int, card: int, chosen: Option) -> None:
    """One Good a use: types are read anew before the next."""
    _give_up(game, owner, chosen.other)


@END_MOVE("telescopes")
def telescopes_at_the_end(game: Game, owner: int, card: int) -> None:
    """See `telescopes`."""
    game.push(TelescopesAtTheEnd(owner, card))


class TelescopesAtTheEnd(PowerFrame):
    """Asks the owner of Telescopes in Q70(1), until a pass."""

    def start(self, game: Game) -> None:
        options = [with_card("discard", good) for good in _technology_goods(game, self.owner)]
        game.ask(self.owner, "telescopes", [PASS, *options], then=self.give_up)

    def give_up(self, game: Game, chosen: Option) -> None:
        if chosen.verb == "pass":
            self.done(game)
        else:
            _give_up(game, self.owner, chosen.card)
