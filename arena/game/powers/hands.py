"""Powers that play or drop cards of the hand."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from arena.game.actions import PERFORMERS, performer
from arena.game.announcing import pairs, playable
from arena.game.choices import PASS, Option, option, with_card
from arena.game.frames import Frame
from arena.game.hooks import DRAW_ACTION, ON_FULFIL, DrawAction
from arena.game.moves import discard, from_hand
from arena.game.powers.base import PowerFrame
from arena.game.terms import ACTION_OF, ACTIONS, BARTER, CONTRACT

if TYPE_CHECKING:
    from arena.game.game import Game


def _of_another(game: Game, owner: int, card: int, done: DrawAction) -> bool:
    return done.seat != owner


@DRAW_ACTION("chairs", when=_of_another)
def chairs(game: Game, owner: int, card: int, done: DrawAction) -> None:
    """Each time another player does a Draw action you may discard 1 card of your hand."""
    game.push(Chairs(owner))


class Chairs(Frame):
    """Asks the owner of Chairs."""

    owner: int

    def start(self, game: Game) -> None:
        options = [with_card("discard", card) for card in game.players[self.owner].hand]
        game.ask(self.owner, "chairs", [PASS, *options], then=self.chosen)

    def chosen(self, game: Game, chosen: Option) -> None:
        self.done(game)
        if chosen.verb == "discard":
            from_hand(game, self.owner, chosen.card)
            discard(game, chosen.card)


@ON_FULFIL("ar-glasses")
class ArGlasses(PowerFrame):
    """You may do up to 2 actions alone, each by playing a card of your hand and doing its action once.

    A wild may stand for a card. Two Contract cards played together are 2 actions, one may serve as a Level.
    """

    left: int = 2

    def start(self, game: Game) -> None:
        if not self.left:
            return self.done(game)
        cards = playable(game, self.owner)
        wilds = pairs(game, self.owner)
        options = [PASS]
        for action in sorted(PERFORMERS):
            name = ACTIONS[action]
            if action in cards:
                options += [option("play", name, card, amount=1) for card in cards[action]]
            elif action != BARTER:
                options += [option("play", name, first, second, amount=1) for first, second in wilds]
            if action == CONTRACT and self.left == 2:
                both = combinations(cards.get(CONTRACT, ()), 2)
                options += [option("play", name, first, second, amount=2) for first, second in both]
        return game.ask(self.owner, "ar-glasses", options, then=self.played)

    def played(self, game: Game, chosen: Option) -> None:
        """The cards lie on the Port until the end of the turn."""
        if chosen.verb == "pass":
            return self.done(game)
        self.left -= chosen.amount
        cards = tuple(card for card in (chosen.card, chosen.other) if card)
        for card in cards:
            from_hand(game, self.owner, card)
        game.players[self.owner].played += cards
        ids = game.catalogue.ids
        game.emit("play", seat=self.owner, action=chosen.name, cards=[ids[card] for card in cards])
        return game.push(performer(self.owner, ACTION_OF[chosen.name], chosen.amount, granted="ar-glasses"))
