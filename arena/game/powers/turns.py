"""Powers about announcing, doing and granting actions and turns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.game.actions import PERFORMERS, performer
from arena.game.announcing import actions_of
from arena.game.choices import PASS, Option, option
from arena.game.frames import Frame
from arena.game.hooks import ANYTIME, INSTEAD, ON_FULFIL, USE
from arena.game.moves import discard, draw, from_hand, pay, untuck
from arena.game.powers.base import PowerFrame
from arena.game.terms import ACTION_OF, ACTIONS, BARTER, CONTRACT, IMPORT, LOAD
from arena.game.turn import led_action

if TYPE_CHECKING:
    from arena.game.game import Game


@INSTEAD("chopsticks")
def chopsticks(game: Game, owner: int, card: int, instead: tuple[int, ...], action: int) -> tuple[int, ...]:
    """Whenever you play Import you may do Contract or Load actions instead of the Import actions you announce."""
    return (*instead, CONTRACT, LOAD) if action == IMPORT else instead


@ON_FULFIL("pirates")
def pirates(game: Game, owner: int, card: int, ship: int) -> None:
    """Every other player pays 6 credits, or all they have; at the end of your turn you take an extra turn."""
    for seat in game.others(owner):
        pay(game, seat, min(6, game.players[seat].credits), "pirates")
    game.players[owner].extra_turns += 1
    game.emit("extra-turn", seat=owner)


@ON_FULFIL("platinum-rings")
class PlatinumRings(PowerFrame):
    """Draw until you hold 8 cards; then play any number of cards, doing the action of each once, alone."""

    def start(self, game: Game) -> None:
        self.step = "play"
        game.perform(DrawTo(self.owner, 8))

    def play(self, game: Game) -> None:
        options = [PASS]
        for card in game.players[self.owner].hand:
            options += [
                option("play", ACTIONS[action], card)
                for action in actions_of(game, self.owner, card)
                if action in PERFORMERS
            ]
        game.ask(self.owner, "platinum-rings", options, then=self.played)

    def played(self, game: Game, chosen: Option) -> None:
        """The card lies on the Port until the end of the turn; the one sale of the turn is shared."""
        if chosen.verb == "pass":
            return self.done(game)
        from_hand(game, self.owner, chosen.card)
        game.players[self.owner].played += (chosen.card,)
        game.emit("play", seat=self.owner, card=game.catalogue.ids[chosen.card], action=chosen.name)
        return game.push(performer(self.owner, ACTION_OF[chosen.name], 1, granted="platinum-rings"))


class DrawTo(Frame):
    """One draw event that fills a hand up to a number."""

    seat: int
    number: int

    def start(self, game: Game) -> None:
        self.done(game)
        missing = self.number - len(game.players[self.seat].hand)
        if missing > 0:
            draw(game, self.seat, missing)


@ANYTIME("us-dollars")
def us_dollars(game: Game, owner: int, card: int) -> list[Option]:
    """At any time discard it to have, for this turn only, one virtual Crew of an action of your choice."""
    if game.players[owner].announced >= 0 or led_action(game) == BARTER:
        return []  # announced numbers are fixed (Q17), and after a led Barter nobody announces
    capital = "capital" in game.options.sets
    return [option("use", ACTIONS[action], card) for action in range(BARTER + capital)]


@USE("us-dollars")
def use_us_dollars(game: Game, owner: int, card: int, chosen: Option) -> None:
    """Limits fall at once; the choice is public."""
    untuck(game, owner, card)
    discard(game, card)
    game.players[owner].virtual_crew += (ACTION_OF[chosen.name],)
    game.emit("virtual-crew", seat=owner, action=chosen.name)
