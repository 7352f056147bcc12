"""Powers about the draw pile: searched, revealed, and guessed at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.game import knowledge
from arena.game.chance import shuffle
from arena.game.choices import Option, named, with_card
from arena.game.goods import is_type
from arena.game.hooks import ON_FULFIL, WIN_CHECK
from arena.game.moves import add_to_hand, draw, gain, pay, refill, seen_to_hand, show_top, take_top
from arena.game.powers.base import PowerFrame
from arena.game.terms import FIVE, ILLEGAL, TYPE_OF, TYPES

if TYPE_CHECKING:
    from arena.game.game import Game


@ON_FULFIL("antiquities")
class Antiquities(PowerFrame):
    """Search the whole draw pile, take one Illegal card of your choice into your hand, then shuffle the pile."""

    def start(self, game: Game) -> None:
        if not game.pile:
            refill(game)
        ids = game.catalogue.ids
        game.emit_secret(
            "search",
            {self.owner: {"cards": [ids[card] for card in sorted(game.pile)]}},
            seat=self.owner,
            count=len(game.pile),
        )
        illegal = {card.number for card in game.catalogue.cards if ILLEGAL in card.colors}
        knowledge.searched(game, self.owner, illegal)
        self.step = "choose"

    def choose(self, game: Game) -> None:
        options = [with_card("take", card) for card in sorted(game.pile) if is_type(game, card, ILLEGAL)]
        if options:
            return game.ask(self.owner, "antiquities", options, then=self.take)
        game.emit("found", seat=self.owner, count=0)
        self.step = "shuffle"
        return None

    def take(self, game: Game, chosen: Option) -> None:
        """Only its colour is told: the referee vouches for it."""
        game.pile.remove(chosen.card)
        add_to_hand(game, self.owner, (chosen.card,))
        card = {"cards": [game.catalogue.ids[chosen.card]]}
        game.emit_secret("found", {self.owner: card}, seat=self.owner, count=1, type=TYPES[ILLEGAL])
        self.step = "shuffle"

    def shuffle(self, game: Game) -> None:
        self.done(game)
        if not game.pile:
            return refill(game)
        game.pile.sort()  # so that the order before does not matter to chance
        shuffle(game, game.pile)
        game.emit("shuffle", cards=len(game.pile))
        if game.face_up:
            show_top(game)
        return None


@ON_FULFIL("massage-tables")
def massage_tables(game: Game, owner: int, card: int, ship: int) -> None:
    """Reveal cards of the draw pile until 2 have the same type; take 1 credit for each, rounded up to even.

    Then all of them go to your hand. Grey is a type here.
    """
    revealed: list[int] = []
    types = 0
    while top := reveal_top(game, owner):
        revealed.append(top)
        shown = game.catalogue.masks[top]
        if shown & types:
            break
        types |= shown
    gain(game, owner, len(revealed) + len(revealed) % 2, "massage-tables")
    for top in revealed:
        seen_to_hand(game, owner, top)


def reveal_top(game: Game, owner: int) -> int:
    """Take the top card of the draw pile for all to see; 0 if there is none. It is no draw (P13)."""
    card = take_top(game)
    if card:
        game.emit("reveal", seat=owner, cards=[game.catalogue.ids[card]])
    return card


class NameType(PowerFrame):
    """The owner names one of the five types."""

    def start(self, game: Game) -> None:
        options = [named("name", TYPES[kind]) for kind in FIVE]
        game.ask(self.owner, "name-type", options, then=self.named)

    def named(self, game: Game, chosen: Option) -> None:
        self.done(game)
        game.emit("name", seat=self.owner, type=chosen.name)
        self.guess(game, TYPE_OF[chosen.name])

    def guess(self, game: Game, kind: int) -> None:
        raise NotImplementedError


@ON_FULFIL("lucky-cards")
class LuckyCards(NameType):
    """Pay 30 credits, name a type and draw a card, shown to all; if it is of that type take 50 credits."""

    def start(self, game: Game) -> None:
        if game.players[self.owner].credits < 30:
            return self.done(game)
        return super().start(game)

    def guess(self, game: Game, kind: int) -> None:
        pay(game, self.owner, 30, "lucky-cards")
        if any(is_type(game, card, kind) for card in draw(game, self.owner, 1, shown=True)):
            gain(game, self.owner, 50, "lucky-cards")


@ON_FULFIL("showers")
class Showers(NameType):
    """Name a type, then draw 2 cards, shown to all; if at least one is of that type take 8 credits."""

    def guess(self, game: Game, kind: int) -> None:
        if any(is_type(game, card, kind) for card in draw(game, self.owner, 2, shown=True)):
            gain(game, self.owner, 8, "showers")


@ON_FULFIL("rolls-royce")
class RollsRoyce(NameType):
    """Name a type, then reveal the top card of the draw pile: of that type, you win; else it goes to your hand."""

    def guess(self, game: Game, kind: int) -> None:
        top = reveal_top(game, self.owner)
        if top:
            seen_to_hand(game, self.owner, top)  # after a win it must lie somewhere too
            if is_type(game, top, kind):
                game.marks[self.card] = self.owner + 1


@WIN_CHECK("rolls-royce")
def rolls_royce(game: Game, owner: int, card: int) -> bool:
    """The right type has been named: a win comes at the next check, as all do (P7, P25)."""
    return game.marks.get(card) == owner + 1
