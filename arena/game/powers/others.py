"""Powers that deal with other players' contracts, or take over a power."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.game.choices import PASS, YES, Option, named, option, with_card
from arena.game.fulfil import as_if_fulfilled, resolve_immediate
from arena.game.hooks import ON_FULFIL
from arena.game.moves import add_good, pay, powers_changed, tuck, untuck, without
from arena.game.powers.base import PowerFrame, lies_fulfilled
from arena.game.terms import TECHNOLOGY

if TYPE_CHECKING:
    from arena.game.game import Game


@ON_FULFIL("bird-feed")
class BirdFeed(PowerFrame):
    """Any one other player may pay you 6 credits and put it into the own fulfilled contracts; the first yes buys."""

    passed: int = 0

    def start(self, game: Game) -> None:
        others = game.others(self.owner)[self.passed :]
        buyers = [seat for seat in others if game.players[seat].credits >= 6]
        if not buyers or not lies_fulfilled(game, self.owner, self.card):
            return self.done(game)
        self.passed += others.index(buyers[0]) + 1
        return game.ask(buyers[0], "bird-feed", [PASS, YES], then=self.answer)

    def answer(self, game: Game, chosen: Option) -> None:
        if chosen.verb == "yes":
            self.done(game)
            buyer = game.others(self.owner)[self.passed - 1]
            pay(game, buyer, 6, "bird-feed", to=self.owner)
            untuck(game, self.owner, self.card, keep_copy=True)
            tuck(game, buyer, self.card)


@ON_FULFIL("railguns")
class Railguns(PowerFrame):
    """Each other player gives you, of own choice: 4 credits, 1 fulfilled contract card, or 2 Goods."""

    asked: int = 0
    gifts: tuple[tuple[int, int], ...] = ()  # Goods promised, (giver, card); they move after the contracts
    first: int = 0  # the first of two Goods

    def start(self, game: Game) -> None:
        others = game.others(self.owner)
        while self.asked < len(others):
            giver = game.players[others[self.asked]]
            options = [named("give", "credits")] if giver.credits >= 4 else []
            options += [option("give", "contract", card) for card in giver.fulfilled]
            if len(giver.goods) >= 2:
                options += [option("give", "good", card) for card in giver.goods]
            if options:
                return game.ask(giver.seat, "railguns", options, then=self.given)
            self.asked += 1
        self.done(game)
        for seat, card in self.gifts:
            goods = game.players[seat].goods
            if card in goods:  # a contract may have set off what took the Good away (Soap, Interest)
                game.players[seat].goods = without(goods, card)
                add_good(game, self.owner, card)
        return None

    def given(self, game: Game, chosen: Option) -> None:
        giver = game.others(self.owner)[self.asked]
        if chosen.name == "good":
            self.first = chosen.card
            self.step = "second"
            return
        self.asked += 1
        if chosen.name == "credits":
            pay(game, giver, 4, "railguns", to=self.owner)
        else:
            untuck(game, giver, chosen.card, keep_copy=True)
            tuck(game, self.owner, chosen.card)

    def second(self, game: Game) -> None:
        giver = game.others(self.owner)[self.asked]
        rest = without(game.players[giver].goods, self.first)
        game.ask(giver, "railguns", [option("give", "good", card) for card in rest], then=self.both)

    def both(self, game: Game, chosen: Option) -> None:
        giver = game.others(self.owner)[self.asked]
        cards = (self.first, chosen.card)
        self.gifts += tuple((giver, card) for card in cards)
        ids = game.catalogue.ids
        game.emit("promise", seat=giver, to=self.owner, cards=[ids[card] for card in cards])
        self.asked += 1
        self.step = "start"


@ON_FULFIL("stolen-documents")
class StolenDocuments(PowerFrame):
    """Swap it for a Technology contract among another player's fulfilled ones, which is yours as if just fulfilled."""

    def start(self, game: Game) -> None:
        options = [
            option("steal", card=card, seat=seat)
            for seat in game.others(self.owner)
            for card in game.players[seat].fulfilled
            if game.catalogue.colors[card] == TECHNOLOGY
        ]
        if not options or not lies_fulfilled(game, self.owner, self.card):
            return self.done(game)
        return game.ask(self.owner, "stolen-documents", options, then=self.steal)

    def steal(self, game: Game, chosen: Option) -> None:
        self.done(game)
        untuck(game, chosen.seat, chosen.card, keep_copy=True)
        untuck(game, self.owner, self.card, keep_copy=True)
        tuck(game, chosen.seat, self.card)
        tuck(game, self.owner, chosen.card)
        as_if_fulfilled(game, self.owner, chosen.card)


NO_POWER = "souvenirs"  # does nothing: what a Wind Turbines that found nothing to copy has, for good


@ON_FULFIL("wind-turbines")
class WindTurbines(PowerFrame):
    """Choose another fulfilled contract of Level 0 or 1: for the rest of the game this card has that power."""

    def start(self, game: Game) -> None:
        options = [
            with_card("copy", card)
            for seat in game.clockwise(self.owner)
            for card in game.players[seat].fulfilled
            if card != self.card and game.catalogue.level_sums[card] <= 1
        ]
        if options:
            return game.ask(self.owner, "wind-turbines", options, then=self.copy)
        self.done(game)
        game.copies[self.card] = NO_POWER
        return powers_changed(game, self.owner)

    def copy(self, game: Game, chosen: Option) -> None:
        self.done(game)
        game.copies[self.card] = game.power_of(chosen.card)
        game.emit("copy", seat=self.owner, card=game.catalogue.ids[self.card], power=game.copies[self.card])
        powers_changed(game, self.owner)
        resolve_immediate(game, self.owner, self.card, self.ship)
        if not lies_fulfilled(game, self.owner, self.card):
            game.copies.pop(self.card, None)  # redirected, it keeps nothing
