"""Powers about what Piracy takes: more of it, other places for it, what it brings, and safety from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.game.actions import Action
from arena.game.choices import Option, option
from arena.game.hooks import (
    BARRED,
    CHOSEN,
    ELSEWHERE,
    PIRACY_EXTRAS,
    PIRACY_PLACES,
    PIRATED,
    Pirated,
)
from arena.game.limits import goods_room
from arena.game.moves import add_good, draw, gain, pay, take_top, to_island
from arena.game.piracy import Stow, sea_targets, take
from arena.game.powers.offers import unused, use_up
from arena.game.terms import AGRICULTURE, CAPITAL

if TYPE_CHECKING:
    from arena.game.game import Game

STEM_CELLS_FEE = 2


@PIRACY_EXTRAS("contraband")
def contraband(game: Game, owner: int, card: int, action: Action) -> list[Option]:
    """Once per turn, with a Piracy action, you may take one additional Container from any Ship at sea."""
    if not unused(game, owner, "contraband"):
        return []
    return [target._replace(name="contraband") for target in sea_targets(game)]


@CHOSEN("contraband")
def take_contraband(game: Game, owner: int, chosen: Option) -> None:
    """It is stowed like the pirated one, and is no Piracy action of its own."""
    use_up(game, owner, "contraband")
    take(game, owner, chosen.card, chosen.ship)


@PIRACY_PLACES("stem-cells")
def stem_cells(game: Game, owner: int, card: int, stow: Stow) -> list[Option]:
    """You may pay 2 credits to add a pirated Container to your Goods, if there is room; never a grey card."""
    grey = game.catalogue.colors[stow.card] == CAPITAL
    if grey or game.players[owner].credits < STEM_CELLS_FEE or not goods_room(game, owner, stow.card):
        return []
    return [option("put", "stem-cells", stow.card, place="goods")]


@CHOSEN("stem-cells")
def put_with_stem_cells(game: Game, owner: int, chosen: Option) -> None:
    """It is pirated but not loaded."""
    pay(game, owner, STEM_CELLS_FEE, "stem-cells")
    add_good(game, owner, chosen.card)


def _own_agriculture(game: Game, owner: int, card: int, pirated: Pirated) -> bool:
    return pirated.seat == owner and pirated.color == AGRICULTURE


@PIRATED("stolen-rice", when=_own_agriculture, simple=True)
def stolen_rice(game: Game, owner: int, card: int, pirated: Pirated) -> None:
    """Each time you pirate an Agriculture Container take 2 credits."""
    gain(game, owner, 2, "stolen-rice")


def _own_from_ship_or_island(game: Game, owner: int, card: int, pirated: Pirated) -> bool:
    return pirated.seat == owner and pirated.ship != ELSEWHERE


@PIRATED("stolen-tires", when=_own_from_ship_or_island)
def stolen_tires(game: Game, owner: int, card: int, pirated: Pirated) -> None:
    """Each time you pirate from a Ship or the Island draw 1 card; then the next one goes to the Island."""
    draw(game, owner, 1)
    top = take_top(game)
    if top:
        to_island(game, top)


@BARRED("water-notepad")
def water_notepad(game: Game, owner: int, card: int, barred: bool) -> bool:
    """Nobody, you included, can pirate from your Ships."""
    return True
