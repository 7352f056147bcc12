"""Powers about leading and following: what may be played, for how many actions, and what it brings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.game.announcing import pairs, playable
from arena.game.choices import Option, announcements, named
from arena.game.frames import Frame
from arena.game.goods import count_crew, count_goods, crew_action
from arena.game.hooks import (
    ANNOUNCED,
    CHOSEN,
    CREW_AS,
    CREW_CARDS,
    CREW_COUNT,
    DRAW_ACTION,
    FOLLOW_CARDS,
    FOLLOW_OPTIONS,
    LEAD_OPTIONS,
    LED,
    PLAY_AS,
    Announced,
    Led,
)
from arena.game.moves import draw, gain
from arena.game.terms import ACTIONS, CONTRACT, IMPORT, LOAD, PIRACY, TECHNOLOGY

if TYPE_CHECKING:
    from arena.game.game import Game


@FOLLOW_CARDS("3d-printers")
def printers(game: Game, owner: int, card: int, cards: list[int]) -> list[int]:
    """When you follow you may play any card of your hand; you do the led action all the same."""
    return list(game.players[owner].hand)


@FOLLOW_OPTIONS("neural-units")
def neural_units(game: Game, owner: int, card: int, action: int) -> list[Option]:
    """You may follow any led action with a Load card, and then do Load actions instead of the led one."""
    if action == LOAD:
        return []
    own = playable(game, owner).get(LOAD)
    plays = [(load_card, 0) for load_card in own] if own else pairs(game, owner)
    most = 1 + count_crew(game, owner, LOAD)
    name = f"{ACTIONS[action]}/{ACTIONS[LOAD]}"
    return [option for pair in plays for option in announcements("follow", name, *pair, most)]


@PLAY_AS("rice-cookers")
@CREW_AS("rice-cookers")
def rice_cookers(game: Game, owner: int, card: int, actions: tuple[int, ...]) -> tuple[int, ...]:
    """Your Load cards also count as Contract cards and the other way round, in your hand and in your Crew."""
    if LOAD in actions or CONTRACT in actions:
        return tuple(dict.fromkeys((*actions, LOAD, CONTRACT)))
    return actions


@CREW_CARDS("cannons")
def cannons(game: Game, owner: int, card: int, crew: tuple[int, ...]) -> tuple[int, ...]:
    """Every Piracy card in the Crew of the other players also counts as your Crew, outside your limit."""
    borrowed = [
        other
        for seat in game.others(owner)
        for other in game.players[seat].crew
        if crew_action(game, other) == PIRACY and other not in crew
    ]
    return (*crew, *borrowed)


@CREW_COUNT("fridges")
def fridges(game: Game, owner: int, card: int, count: int, action: int) -> int:
    """Every 2 Technology Goods of yours count as 1 Load action in your Crew."""
    return count + count_goods(game, owner)[TECHNOLOGY] // 2 if action == LOAD else count


def _own_import_is_followed(game: Game, owner: int, card: int, announced: Announced) -> bool:
    return announced.seat == owner and any(
        game.players[seat].doing == announced.action == IMPORT and game.players[seat].announced > 0
        for seat in game.others(owner)
    )


@ANNOUNCED("books", when=_own_import_is_followed, simple=True)
def books(game: Game, owner: int, card: int, announced: Announced) -> None:
    """When you lead Import and at least one other player takes part in it, take 2 credits."""
    gain(game, owner, 2, "books")


def _own_piracy(game: Game, owner: int, card: int, led: Led) -> bool:
    return led.seat == owner and led.action == PIRACY


@LED("dragon-fruit", when=_own_piracy)
def dragon_fruit(game: Game, owner: int, card: int, led: Led) -> None:
    """Each time you lead Piracy draw 2 cards or take 2 credits."""
    game.push(DragonFruit(owner))


class DragonFruit(Frame):
    """Asks the owner of Dragon Fruit."""

    owner: int

    def start(self, game: Game) -> None:
        options = [named("take", "credits"), named("take", "cards")]
        game.ask(self.owner, "dragon-fruit", options, then=self.take)

    def take(self, game: Game, chosen: Option) -> None:
        self.done(game)
        if chosen.name == "credits":
            gain(game, self.owner, 2, "dragon-fruit")
        else:
            draw(game, self.owner, 2)


@LEAD_OPTIONS("jidohanbaiki")
def jidohanbaiki(game: Game, owner: int, card: int) -> list[Option]:
    """When you lead with a Draw action you may take 2 credits instead of drawing."""
    return [named("earn", "jidohanbaiki")]


@CHOSEN("jidohanbaiki")
def take_from_jidohanbaiki(game: Game, owner: int, chosen: Option) -> None:
    """The turn then ends as after any Draw action."""
    game.perform(Jidohanbaiki(owner))


class Jidohanbaiki(Frame):
    """A Draw action is announced and no card drawn: Chairs sees it, powers about draws do not."""

    owner: int

    def start(self, game: Game) -> None:
        self.done(game)
        gain(game, self.owner, 2, "jidohanbaiki")
        game.trigger(DRAW_ACTION, self.owner, "jidohanbaiki")
