"""Powers that import by themselves, choose another target, or see what others import."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.game.actions import performer
from arena.game.choices import Option, option
from arena.game.frames import Frame
from arena.game.hooks import (
    CHOSEN,
    FULFILLED,
    IMPORT_TARGETS,
    IMPORTED,
    ISLAND,
    ON_FULFIL,
    Fulfilled,
    Imported,
)
from arena.game.importing import TakeOne, Taking
from arena.game.moves import draw, gain, pay
from arena.game.powers.base import PowerFrame
from arena.game.state import SEA
from arena.game.terms import CONSUMER, ILLEGAL, IMPORT

if TYPE_CHECKING:
    from arena.game.game import Game


def _illegal_action_of_another(game: Game, owner: int, card: int, imported: Imported) -> bool:
    colors = game.catalogue.colors
    return imported.action and imported.seat != owner and ILLEGAL in [colors[c] for c in imported.cards]


@IMPORTED("cannabis", when=_illegal_action_of_another, simple=True)
def cannabis(game: Game, owner: int, card: int, imported: Imported) -> None:
    """Another player who takes Illegal Containers with an Import action pays you 2 credits."""
    pay(game, imported.seat, 2, "cannabis", to=owner)


@IMPORT_TARGETS("dark-flight")
def dark_flight(game: Game, owner: int, card: int, frame: Frame) -> list[Option]:
    """You may choose the Island as the target of an Import; the winning bid is then paid to you."""
    return [option("import", "dark-flight", place="island")] if game.island else []


@CHOSEN("dark-flight")
def import_from_island(game: Game, importer: int, chosen: Option) -> None:
    """In an auction the lead player is the one who chose; who wins the own auction pays nothing."""
    if importer != game.lead:
        pay(game, importer, chosen.amount, "bid", to=game.lead)
    game.push(Taking(importer, ISLAND))


@ON_FULFIL("glasses")
def glasses(game: Game, owner: int, card: int, ship: int) -> None:
    """Do one Import action alone."""
    game.push(performer(owner, IMPORT, 1, granted="glasses"))


def _own_consumer(game: Game, owner: int, card: int, done: Fulfilled) -> bool:
    return done.seat == owner and (card in done.contracts or CONSUMER in done.contract_types)


@FULFILLED("paper", when=_own_consumer, own=True)
def paper(game: Game, owner: int, card: int, done: Fulfilled) -> None:
    """Each time you fulfil a Consumer contract, this one included, you may import 1 Container, uncompensated."""
    itself = game.catalogue.powers[card] == "paper"
    for contract, kind in zip(done.contracts, done.contract_types, strict=True):
        if kind == CONSUMER or (contract == card and itself):
            game.push(TakeOne(owner, optional=True, compensated=False))


@ON_FULFIL("pocky")
def pocky(game: Game, owner: int, card: int, ship: int) -> None:
    """Take 2 credits, draw 2 cards, then import 1 Container to your Goods or Crew."""
    gain(game, owner, 2, "pocky")
    draw(game, owner, 2)
    game.push(TakeOne(owner, optional=False))


def _another_left_some(game: Game, owner: int, card: int, imported: Imported) -> bool:
    return imported.seat != owner and imported.ship != ISLAND and game.ships[imported.ship].place == SEA


@IMPORTED("protractors", when=_another_left_some)
def protractors(game: Game, owner: int, card: int, imported: Imported) -> None:
    """Each time another player has imported you may import 1 of the Containers that remain, uncompensated."""
    game.push(TakeOne(owner, optional=True, ship=imported.ship, compensated=False))


@ON_FULFIL("stretch-goal")
class StretchGoal(PowerFrame):
    """From you clockwise each player draws 2 cards, takes 2 credits and imports 1 Container to the own Goods."""

    served: int = 0

    def start(self, game: Game) -> None:
        seats = game.clockwise(self.owner)
        if self.served == len(seats):
            return self.done(game)
        seat = seats[self.served]
        self.served += 1
        draw(game, seat, 2)
        gain(game, seat, 2, "stretch-goal")
        return game.push(TakeOne(seat, optional=False, areas=("goods",)))
