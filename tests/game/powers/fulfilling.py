"""A contract that is fulfilled with nobody having followed or drawn, so that all hands are as the scenario says."""

from __future__ import annotations

from typing import Any

from table import Cards, ids, needs, table

from arena.game import Game
from arena.game.actions import performer
from arena.game.choices import Option, option
from arena.game.frames import Frame
from arena.game.moves import from_hand
from arena.game.terms import LOAD
from powers.scenes import ABOARD

LOADED = "tech-20"
"""The card that completes the Ship; by then it has left the hand (P39)."""

STAYS = "blank-40"


def fulfil(cards: Cards, containers: int = 2, /, *, seat: int = 0, **zones: Any) -> Game:
    """`seat` has loaded the last of so many Containers onto its first Ship with these contracts.

    The game is at the first decision that comes of it, or pauses after it and would then go on with the
    turn; `game.events` tells what happened. The Containers are Technology and the contracts need them.
    """
    first, *others = ids(cards)
    faces = {first: needs(technology=containers - len(others))}
    faces |= {contract: needs(technology=1) for contract in others}
    for card, face in zones.pop("faces", {}).items():
        faces[card] = {**faces.get(card, {}), **face}
    hands = dict(zones.pop("hands", {}))
    hands[seat] = [*ids(hands.get(seat, "")), LOADED]
    lead = zones.get("lead", 0)
    hands[lead] = [*ids(hands.get(lead, "")), STAYS]  # with an empty hand the lead player would just draw
    ships = {
        **zones.pop("ships", {}),
        2 * seat: {"contracts": cards, "containers": ABOARD[: containers - 1]},
    }
    game = table(hands=hands, ships=ships, faces=faces, **zones)
    stays = game.catalogue.number_of[STAYS]
    from_hand(game, lead, stays)
    game.boxed += (stays,)
    load_last(game, seat)
    return game


class Pause(Frame):
    """Asks the lead player, so that the turn does not go on by itself."""

    def start(self, game: Game) -> None:
        game.ask(game.lead, "pause", [option("go-on"), option("wait")], then=self.go_on)

    def go_on(self, game: Game, chosen: Option) -> None:
        self.done(game)


def grant(game: Game, seat: int, action: int, count: int = 1) -> Frame:
    """Interrupt the turn for some actions of `seat` that nobody follows; then the game pauses."""
    granted = performer(seat, action, count, granted="scenario")
    game.asking = game.answers = ()
    game.events = []
    game.push(Pause())
    game.push(granted)
    game.run()
    return granted


def load_last(game: Game, seat: int) -> None:
    """`seat` loads `LOADED` onto its first Ship by a granted action."""
    loading = grant(game, seat, LOAD)
    if game.stack[-1] is loading:
        game.choose_text(seat, f"load:{LOADED}@ship-{2 * seat}")
