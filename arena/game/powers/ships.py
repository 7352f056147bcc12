"""Powers that change a Ship itself: the Super Ship, and Yen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.game.choices import Option, option
from arena.game.choices import ship as ship_option
from arena.game.hooks import ANYTIME, ON_FULFIL, USE
from arena.game.moves import untuck
from arena.game.powers.base import PowerFrame, leave_fulfilled, lies_fulfilled
from arena.game.ships import load_room, load_total, put, with_contract
from arena.game.state import DEPARTING, JOINED, PORT, SEA

if TYPE_CHECKING:
    from arena.game.game import Game

JOINABLE = 4  # load requirement of both Ships together


@ANYTIME("partnership")
def partnership(game: Game, owner: int, card: int) -> list[Option]:
    """Join two Ships in your Port that bear contracts of load 4 at most together; this card becomes a further one.

    The Super Ship is one Ship for all purposes, is paid twice, earns 4 credits when others import from it,
    and becomes two Ships again when its last Container is gone.
    """
    ships = [i for i in with_contract(game, owner) if game.ships[i].joined < 0]
    own = len(game.catalogue.loads[card])
    return [
        option("use", f"ship-{second}", card, 0, first)
        for place, first in enumerate(ships)
        for second in ships[place + 1 :]
        if load_total(game, game.ships[first]) + load_total(game, game.ships[second]) <= JOINABLE
        and load_total(game, game.ships[second]) + own <= _room(game, first, second)
    ]


def _room(game: Game, first: int, second: int) -> int:
    """Room on the joined Ship: of two Ships the more roomy one's limit counts (Legos on either frees both)."""
    one, two = game.ships[first], game.ships[second]
    return max(load_room(game, one), load_room(game, two) + load_total(game, two) - load_total(game, one))


@USE("partnership")
def join(game: Game, owner: int, card: int, chosen: Option) -> None:
    """Joining is not placing a contract."""
    first, second = chosen.ship, int(chosen.name.removeprefix("ship-"))
    untuck(game, owner, card)
    one, two = game.ships[first], game.ships[second]
    game.emit("join", seat=owner, ship=first, joined=second)
    game.ships[second] = two._replace(
        place=JOINED, contracts=(), containers=(), rainbow=(), riders=(), pairs=(), reduced=(), open=0
    )
    put(
        game,
        first,
        one._replace(
            contracts=(*one.contracts, *two.contracts, card),
            containers=one.containers + two.containers,
            rainbow=one.rainbow + two.rainbow,
            riders=one.riders + two.riders,
            pairs=one.pairs + two.pairs,
            reduced=one.reduced + two.reduced,
            joined=second,
        ),
    )


@ON_FULFIL("yen")
class Yen(PowerFrame):
    """Put it for good under one of your Ships: each first contract on that Ship needs 1 Container less."""

    def start(self, game: Game) -> None:
        if not lies_fulfilled(game, self.owner, self.card):
            return self.done(game)
        options = [
            ship_option("under", index)
            for index, ship in enumerate(game.ships)
            if ship.owner == self.owner and ship.place in (PORT, SEA, DEPARTING)
        ]
        return game.ask(self.owner, "yen", options, then=self.lay)

    def lay(self, game: Game, chosen: Option) -> None:
        self.done(game)
        leave_fulfilled(game, self.owner, self.card)
        ship = game.ships[chosen.ship]
        game.ships[chosen.ship] = ship._replace(yen=(*ship.yen, self.card))
        game.emit("yen", seat=self.owner, card=game.catalogue.ids[self.card], ship=chosen.ship)
