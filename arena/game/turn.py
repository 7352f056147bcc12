"""One turn, from the buoy to the buoy (R3): leading, following, performing, and the end of the turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.game import barter as barter
from arena.game import piracy as piracy
from arena.game.actions import draw_action, performer
from arena.game.announcing import crew_options, follow_options, lead_options, play
from arena.game.choices import Option
from arena.game.frames import Frame
from arena.game.hooks import ANNOUNCED, CHOSEN, LED
from arena.game.importing import Auctions
from arena.game.moves import discard
from arena.game.settle import announce, check_end, trigger_end
from arena.game.terms import ACTION_OF, BARTER, IMPORT, TURN_CAP
from arena.game.windows import open_window

if TYPE_CHECKING:
    from arena.game.game import Game


class Table(Frame):
    """The whole game: a run of turns, then scoring (R3.1, R13.2). It lies at the bottom of the stack."""

    def start(self, game: Game) -> None:
        """The next turn, unless the end has been triggered."""
        if game.ending:
            from arena.game.scoring import FinalScoring

            self.step = "done"
            return game.push(FinalScoring())
        game.turn += 1
        game.lead = game.next_lead
        for player in game.players:
            player.new_turn()
        if game.ban == game.lead:
            game.ban = -1  # Surstromming's ban ends when its owner leads again
        game.emit("turn", turn=game.turn, lead=game.lead)
        game.push(Turn())
        return None


def led_action(game: Game) -> int:
    """The action that has been led this turn, -1 if none has."""
    return next((frame.action for frame in game.stack if type(frame) is Turn), -1)


class Turn(Frame):
    """One turn of the lead player."""

    action: int = -1  # the led action
    following: int = 0  # the seat that follows next

    def start(self, game: Game) -> None:
        """The window at the start of the turn (Q28)."""
        self.step = "lead"
        open_window(game)

    def lead(self, game: Game) -> None:
        """R3.1: draw, or lead an action."""
        options = lead_options(game, game.lead)
        game.ask(game.lead, "lead", options, then=self.led, window=True)

    def led(self, game: Game, chosen: Option) -> None:
        """A: the turn ends after the draw, nobody follows (R3.2). B: the others announce (R3.4).

        After A cards may lie on Ports too, played by a power that the draw set off (Platinum Rings).
        """
        if chosen.verb == "draw":
            self.step = "close"
            return draw_action(game, game.lead)
        if chosen.name in CHOSEN.listeners:
            self.step = "close"
            CHOSEN.listeners[chosen.name](game, game.lead, chosen)
            return None
        self.action = ACTION_OF[chosen.name.partition("/")[0]]
        play(game, game.lead, chosen, self.action)
        self.following = (game.lead + 1) % len(game.players)
        self.step = "announced" if self.action == BARTER else "follow"  # R16.4
        announce(game, LED, game.lead, self.action, chosen.amount)
        return None

    def follow(self, game: Game) -> None:
        """R4.1: clockwise, each other player follows or draws."""
        if self.following == game.lead:
            self.step = "announced"
            return
        options = follow_options(game, self.following, self.action)
        game.ask(self.following, "follow", options, then=self.followed, window=True)

    def followed(self, game: Game, chosen: Option) -> None:
        """R4.2, or R4.3 with its second decision after the draw."""
        if chosen.verb == "draw":
            self.step = "crew"
            return draw_action(game, self.following)
        if chosen.name in CHOSEN.listeners:
            self._next_follower(game)
            CHOSEN.listeners[chosen.name](game, self.following, chosen)
            return None
        play(game, self.following, chosen, self.action)
        self._next_follower(game)
        return None

    def crew(self, game: Game) -> None:
        """R4.3: who has drawn may announce actions by Crew alone."""
        options = crew_options(game, self.following, self.action)
        game.ask(self.following, "crew", options, then=self.crew_announced, window=True)

    def crew_announced(self, game: Game, chosen: Option) -> None:
        """0 announces nothing."""
        play(game, self.following, chosen, self.action)
        self._next_follower(game)

    def _next_follower(self, game: Game) -> None:
        self.following = (self.following + 1) % len(game.players)
        self.step = "follow"

    def announced(self, game: Game) -> None:
        """The window after announcing; then the actions, lead player first (R5.1)."""
        self.following = 0
        self.step = "auctions" if self.action == IMPORT else "perform"
        open_window(game)
        announce(game, ANNOUNCED, game.lead, self.action)

    def auctions(self, game: Game) -> None:
        """A led Import runs in bidding rounds, before all that answers it by another action (R5.3, Q100)."""
        self.step = "perform"
        game.push(Auctions())

    def perform(self, game: Game) -> None:
        """Each player does all own actions before the next one begins (R5.2)."""
        for seat in game.clockwise(game.lead)[self.following :]:
            player = game.players[seat]
            self.following += 1
            if player.announced > 0 and not (player.doing == IMPORT == self.action):
                return game.push(performer(seat, player.doing, player.announced))
        self.step = "close"
        return open_window(game, closing=True)

    def close(self, game: Game) -> None:
        """Step 3: the played cards are discarded, lead player first (R3.6, Q21), and the turn is over."""
        for seat in game.clockwise(game.lead):
            player = game.players[seat]
            if player.played:
                played, player.played = player.played, ()
                discard(game, *played)
        self.end(game)

    def end(self, game: Game) -> None:
        """The buoy goes on, or stays for an extra turn (Q65); after many turns the end comes (Q66)."""
        self.done(game)
        check_end(game)
        player = game.players[game.lead]
        if player.extra_turns and not game.ending:
            player.extra_turns -= 1
        else:
            game.next_lead = (game.lead + 1) % len(game.players)
        if game.turn >= TURN_CAP and not game.ending and not game.over:
            trigger_end(game, "turns")
