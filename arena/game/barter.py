"""Barter (R16.4): swap a card of the hand with one of the Supply Island."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from arena.game.actions import Action, Performing
from arena.game.choices import Option, with_card
from arena.game.frames import Frame
from arena.game.moves import from_hand, from_island, seen_to_hand, to_island
from arena.game.terms import BARTER

if TYPE_CHECKING:
    from arena.game.game import Game


class Barter(Action):
    """One Barter action; the card given may not be the one taken (Q74)."""

    def do(self, game: Game, chosen: Option) -> None:
        from_hand(game, self.seat, chosen.card)
        game.push(Swap(self.seat, chosen.card))


class Swap(Frame):
    """Asks for the card of the Island; the given one has left the hand."""

    seat: int
    card: int

    def start(self, game: Game) -> None:
        """Any card that lies there; what is given is public before."""
        if len(game.island) > 1:
            game.emit("reveal", seat=self.seat, card=game.catalogue.ids[self.card])
        game.ask(self.seat, "barter-take", [with_card("take", card) for card in game.island], then=self.take)

    def take(self, game: Game, chosen: Option) -> None:
        """Both change places at once."""
        self.done(game)
        ids = game.catalogue.ids
        game.emit("barter", seat=self.seat, given=ids[self.card], taken=ids[chosen.card])
        from_island(game, chosen.card)
        to_island(game, self.card)
        seen_to_hand(game, self.seat, chosen.card)


class Bartering(Performing):
    """A swap needs a card on either side (Q74)."""

    action: ClassVar[int] = BARTER
    act: ClassVar[type[Action]] = Barter

    def options(self, game: Game) -> list[Option]:
        hand = game.players[self.seat].hand
        return [with_card("barter", card) for card in hand] if game.island else []
