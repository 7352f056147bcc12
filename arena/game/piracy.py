"""Piracy (R12): take a Container from a Ship at sea or a card from the Island, and load or discard it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from arena.game.actions import Action, Performing, extended
from arena.game.choices import PASS, Option, on_ship, with_card
from arena.game.doubles import cost, sided
from arena.game.frames import Frame
from arena.game.hooks import (
    BARRED,
    BEFORE_PIRACY,
    CHOSEN,
    ISLAND,
    PIRACY_EXTRAS,
    PIRACY_OPTIONS,
    PIRACY_PLACES,
    PIRATED,
    SELF_LOADED,
    Hook,
    Pirated,
)
from arena.game.moves import discard, from_island, pay
from arena.game.settle import announce, note_self
from arena.game.ships import at_sea, can_load, load, unload
from arena.game.state import SEA
from arena.game.terms import CAPITAL, PIRACY

if TYPE_CHECKING:
    from arena.game.game import Game


class Pirate(Action):
    """One Piracy action: take, return an emptied Ship, then load or discard (Q58)."""

    extras_hook: ClassVar[Hook | None] = PIRACY_EXTRAS
    extras_mask: ClassVar[int] = PIRACY_EXTRAS.mask

    def do(self, game: Game, chosen: Option) -> None:
        """R12.1, R12.3."""
        take(game, self.seat, chosen.card, chosen.ship)


class Pirating(Performing):
    """R12.1: one target per action; while a ban lasts every Piracy action is lost (Surstromming)."""

    action: ClassVar[int] = PIRACY
    act: ClassVar[type[Action]] = Pirate
    choice: tuple[Any, ...] = ()  # while powers act before it

    def options(self, game: Game) -> list[Option]:
        if game.ban >= 0:
            return []
        options = sea_targets(game) + island_targets(game)
        if game.players[self.seat].hooks & PIRACY_OPTIONS.mask:
            forced = bool(options)
            options = extended(game, PIRACY_OPTIONS, self.seat, options, self)
            if options and not forced:
                options.insert(0, PASS)  # a power's sources are never forced
        return options

    def chosen(self, game: Game, chosen: Option) -> None:
        """Powers that act just before a first Piracy action come before it."""
        if chosen.verb == "pass" or not game.hooks & BEFORE_PIRACY.mask:
            return super().chosen(game, chosen)
        self.choice = chosen
        self.step = "pirate"
        return announce(game, BEFORE_PIRACY, self.seat)

    def pirate(self, game: Game) -> None:
        """What was chosen may be gone by what they did (Shotguns); then the pirate chooses anew."""
        self.step = "start"
        chosen = Option(*self.choice)
        if chosen in self.options(game):
            super().chosen(game, chosen)


def sea_targets(game: Game) -> list[Option]:
    """Every Container on a Ship at sea, also an own one (Q58), but grey and protected ones (Q78, P20).

    A double card that was dealt to its Ship is taken for either colour (Q101).
    """
    colors = game.catalogue.colors
    options = []
    for index in at_sea(game):
        ship = game.ships[index]
        if barred(game, ship.owner):
            continue
        options += [
            on_ship("pirate", card, index)
            for card in sided(game, ship.containers)
            if colors[card] != CAPITAL and card not in ship.rainbow
        ]
    return options


def island_targets(game: Game) -> list[Option]:
    """Every card on the Supply Island but grey ones (Q78); a double card for either colour (Q83)."""
    colors = game.catalogue.colors
    return [with_card("pirate", card) for card in sided(game, game.island) if colors[card] != CAPITAL]


def barred(game: Game, owner: int) -> bool:
    """Whether the Ships of `owner` are safe from Piracy."""
    return bool(game.players[owner].hooks & BARRED.mask and game.query(BARRED, owner, False))


def tell_pirated(game: Game, seat: int, card: int, index: int) -> None:
    """Note what powers must see of a Container about to be taken; `index` may be `ISLAND`."""
    owner = game.ships[index].owner if index >= 0 else -1
    at_sea = index >= 0 and game.ships[index].place == SEA
    game.trigger(PIRATED, seat, card, game.catalogue.colors[card], index, owner, at_sea)


def take(game: Game, seat: int, card: int, index: int) -> None:
    """Take a Container from a Ship, or a card from the Island (`index` below 0), and stow it."""
    game.emit("pirate", seat=seat, card=game.catalogue.ids[card], ship=index if index >= 0 else None)
    if index >= 0:
        ship = game.ships[index]
        unload(game, index, card)
        game.push(Stow(seat, card, index, ship.owner, ship.place == SEA))
    else:
        from_island(game, card)
        game.push(Stow(seat, card, ISLAND, -1))


class Stow(Frame):
    """A pirated card goes aboard an own Ship if it can, and is discarded if it cannot (R12.2, Q57).

    A double card that did not come from a Ship costs its fee; who cannot pay discards it (Q83).
    """

    seat: int
    card: int
    ship: int  # where it came from, or `ISLAND` or `ELSEWHERE`
    victim: int  # whose Ship or hand it was, -1 for none
    at_sea: bool = False  # it lay on a Ship at sea

    def start(self, game: Game) -> None:
        """The pirate picks among the Ships it fits; powers may offer another place (Stem Cells).

        Of a double card that was taken unseen the colour comes first (Mini Van).
        """
        sides = game.catalogue.sides[self.card]
        if len(sides) > 1:
            options = [with_card("side", side) for side in sides]
            return game.ask(self.seat, "side", options, then=self.turn)
        game.trigger(PIRATED, *self._pirated(game))
        color = game.catalogue.colors[self.card]
        options = []
        if self.cost(game) <= game.players[self.seat].credits:
            options = [on_ship("load", self.card, index) for index in can_load(game, self.seat, color)]
        if not options:
            options = [with_card("discard", self.card)]
        options = extended(game, PIRACY_PLACES, self.seat, options, self)
        return game.ask(self.seat, "stow", options, then=self.stow)

    def turn(self, game: Game, chosen: Option) -> None:
        """It keeps this colour."""
        self.card = chosen.card
        game.emit("side", seat=self.seat, card=game.catalogue.ids[self.card], ship=None)

    def cost(self, game: Game) -> int:
        """Credits for loading it; a Container of a Ship costs nothing."""
        return cost(game, self.card) if self.ship < 0 else 0

    def _pirated(self, game: Game) -> Pirated:
        color = game.catalogue.colors[self.card]
        return Pirated(self.seat, self.card, color, self.ship, self.victim, self.at_sea)

    def stow(self, game: Game, chosen: Option) -> None:
        """Fulfilment comes at once, before anything that reacts (P19)."""
        self.done(game)
        if chosen.verb == "load":
            pay(game, self.seat, self.cost(game), "loading")
            return load(game, self.card, chosen.ship, "piracy")
        note_self(game, SELF_LOADED, self.seat, self.card, self._pirated(game))
        if chosen.name:
            CHOSEN.listeners[chosen.name](game, self.seat, chosen)
        else:
            discard(game, self.card)
        return None
