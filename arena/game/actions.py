"""Performing announced or granted actions: Draw, Supply, Contract, Load, Piracy; Import is in `importing`.

An action is asked for at a decision point and then done as one event (P7). What all of them share is in
`Performing`: a player must act while any legal instance exists; only then may an action be lost (Q19).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from arena.game.choices import PASS, Option, on_ship, option, with_card
from arena.game.frames import Frame
from arena.game.goods import levels, missing_levels
from arena.game.hooks import (
    CHOSEN,
    CONTRACT_EXTRAS,
    CONTRACT_OPTIONS,
    DRAW_ACTION,
    DRAW_LIMIT,
    LOAD_EXTRAS,
    LOAD_OPTIONS,
    DrawAction,
)
from arena.game.limits import crew_room
from arena.game.moves import add_crew, discard, draw, from_hand, from_island, gain, to_island
from arena.game.ships import load, load_room, place_contract, spared_by_yen
from arena.game.state import PORT
from arena.game.terms import ACTIONS, CAPITAL, CONTRACT, HAND_SIZE, LOAD, SUPPLY

if TYPE_CHECKING:
    from arena.game.game import Game

PERFORMERS: dict[int, type[Performing]] = {}
"""The frame class of each action."""

SALE = 4  # credits for a card sold to the Island (R7.1)


def performer(seat: int, action: int, count: int, granted: str = "", optional: bool = False) -> Frame:
    """The frame that does `count` actions; `granted` names the power they come from, if any (P16)."""
    return PERFORMERS[action](seat, count, granted, optional)


class Performing(Frame):
    """Some actions of one kind by one player, one after the other (R5.1)."""

    action: ClassVar[int] = -1
    seat: int
    left: int
    granted: str = ""  # the power that granted them: no window opens inside it (Q28)
    optional: bool = False

    def start(self, game: Game) -> None:
        """Ask for the next action; with nothing legal it is lost, and only it (Q19)."""
        if not self.left:
            return self.done(game)
        options = self.options(game)
        if self.optional or not options:
            options.insert(0, PASS)
        return game.ask(self.seat, ACTIONS[self.action], options, then=self.chosen, window=not self.granted)

    def __init_subclass__(cls) -> None:
        PERFORMERS[cls.action] = cls

    def options(self, game: Game) -> list[Option]:
        """The legal instances now."""
        raise NotImplementedError

    def act(self, game: Game, chosen: Option) -> Frame:
        """The frame that does the chosen instance."""
        raise NotImplementedError

    def chosen(self, game: Game, chosen: Option) -> None:
        """Do it as an event of its own, or lose the action."""
        self.left -= 1
        if chosen.verb == "pass":
            if not self.optional:
                game.emit("lost", seat=self.seat, action=ACTIONS[self.action])
            return
        game.players[self.seat].performed = True
        if chosen.name in CHOSEN.listeners:
            game.perform(Extension(self.seat, chosen.name, chosen))
        else:
            game.perform(self.act(game, chosen))


class Extension(Frame):
    """An instance of an action that a power offered; the power's CHOSEN listener does it."""

    seat: int
    power: str
    option: tuple[object, ...]

    def start(self, game: Game) -> None:
        """The listener may push frames of its own."""
        self.done(game)
        CHOSEN.listeners[self.power](game, self.seat, Option(*self.option))  # type: ignore[arg-type]


def extended(game: Game, hook: object, seat: int, options: list[Option], frame: Frame) -> list[Option]:
    """`options` and what the powers of `seat` add to them."""
    for card, listener in game.listening(hook, seat):  # type: ignore[arg-type]
        options += listener(game, seat, card, frame)
    return options


# Draw


def draw_action(game: Game, seat: int, through: str = "") -> None:
    """A Draw action: fill the hand to 5, or draw exactly 1 with 5 or more (R3.2, P14)."""
    game.perform(Drawing(seat, through))


class Drawing(Frame):
    """A Draw action; `through` names the power that granted it."""

    seat: int
    through: str = ""

    def start(self, game: Game) -> None:
        """R3.2."""
        self.done(game)
        player = game.players[self.seat]
        limit: int = HAND_SIZE
        if player.hooks & DRAW_LIMIT.mask:
            limit = game.query(DRAW_LIMIT, self.seat, limit)
        draw(game, self.seat, max(1, limit - len(player.hand)), self.through)
        game.trigger(DRAW_ACTION, DrawAction(self.seat, self.through))


# Supply


class Supplying(Performing):
    """R7: sell a card to the Island, at most once a turn, or take one as Crew."""

    action: ClassVar[int] = SUPPLY

    def options(self, game: Game) -> list[Option]:
        player = game.players[self.seat]
        options = [] if player.sold else [with_card("sell", card) for card in player.hand]
        return options + [with_card("take", card) for card in game.island]

    def act(self, game: Game, chosen: Option) -> Frame:
        return Supply(self.seat, chosen.verb, chosen.card)


class Supply(Frame):
    """One Supply action."""

    seat: int
    verb: str
    card: int

    def start(self, game: Game) -> None:
        """R7.1 or R7.2; at the Crew limit the card taken is discarded and never was Crew (R7.4, D4)."""
        self.done(game)
        ids = game.catalogue.ids
        if self.verb == "sell":
            game.emit("sell", seat=self.seat, card=ids[self.card])
            game.players[self.seat].sold = True
            from_hand(game, self.seat, self.card)
            to_island(game, self.card)
            return gain(game, self.seat, SALE, "sale")
        game.emit("take", seat=self.seat, card=ids[self.card])
        from_island(game, self.card)
        if crew_room(game, self.seat):
            return add_crew(game, self.seat, self.card)
        return discard(game, self.card)


# Contract


class Contracting(Performing):
    """R9: place contracts, some of the actions serving as temporary Levels (R9.5)."""

    action: ClassVar[int] = CONTRACT

    def options(self, game: Game) -> list[Option]:
        """Placing with k missing Levels uses 1 + k actions (Q102); without a free one it is optional (Q19)."""
        options, free = contract_options(game, self.seat, self.left - 1)
        options = extended(game, CONTRACT_OPTIONS, self.seat, options, self)
        if options and not free:
            options.insert(0, PASS)
        return options

    def act(self, game: Game, chosen: Option) -> Frame:
        self.left -= max(0, chosen.amount)
        return Placing(self.seat, chosen.card, chosen.ship, max(0, chosen.amount))


def contract_options(
    game: Game, seat: int, skips: int, cards: tuple[int, ...] | None = None
) -> tuple[list[Option], bool]:
    """Each card of the hand (or of `cards`) on each own Ship in Port that can take it (R9.1-R9.3).

    At most `skips` Levels may be missing. Also says whether any of them needs no skipping.
    """
    if cards is None:
        cards = game.players[seat].hand
    ships = [
        (index, ship, load_room(game, ship))
        for index, ship in enumerate(game.ships)
        if ship.owner == seat and ship.place == PORT
    ]
    options = []
    free = False
    if ships and cards:
        found = levels(game, seat)
        loads = game.catalogue.loads
        for card in cards:
            missing = missing_levels(game, card, found)
            if missing > skips:
                continue
            for index, ship, room in ships:
                if len(loads[card]) - (spared_by_yen(game, ship, card) if ship.yen else 0) <= room:
                    if missing:
                        options.append(option("contract", "", card, 0, index, -1, "", missing))
                    else:
                        free = True
                        options.append(on_ship("contract", card, index))
    return options, free


class Placing(Frame):
    """One placement from the hand by a Contract action: one event (Q102)."""

    seat: int
    card: int
    ship: int
    skipped: int = 0

    def start(self, game: Game) -> None:
        """R9.1."""
        self.step = "extras"
        from_hand(game, self.seat, self.card)
        place_contract(game, self.card, self.ship, "contract", self.skipped)

    def extras(self, game: Game) -> None:
        """What powers allow within the same Contract action."""
        options = extended(game, CONTRACT_EXTRAS, self.seat, [], self)
        if not options:
            return self.done(game)
        return game.ask(self.seat, "contract-extra", [PASS, *options], then=self.extra)

    def extra(self, game: Game, chosen: Option) -> None:
        """Do it, or go on."""
        if chosen.verb == "pass":
            self.done(game)
        else:
            CHOSEN.listeners[chosen.name](game, self.seat, chosen)


# Load


class Loading(Performing):
    """R10: put cards from the hand aboard own Ships in Port."""

    action: ClassVar[int] = LOAD

    def options(self, game: Game) -> list[Option]:
        options = load_options(game, self.seat)
        if game.players[self.seat].hooks & LOAD_OPTIONS.mask:
            options = extended(game, LOAD_OPTIONS, self.seat, options, self)
        return options

    def act(self, game: Game, chosen: Option) -> Frame:
        return Load(self.seat, chosen.card, chosen.ship)


def load_options(game: Game, seat: int) -> list[Option]:
    """Each card of the hand on each own Ship in Port whose matching it raises (R10.2, Q51)."""
    ships = [
        (index, ship.open)
        for index, ship in enumerate(game.ships)
        if ship.owner == seat and ship.open and ship.place == PORT
    ]
    if not ships:
        return []
    colors = game.catalogue.colors
    return [
        on_ship("load", card, index)
        for card in game.players[seat].hand
        for index, needed in ships
        if needed >> colors[card] & 1 and colors[card] != CAPITAL
    ]


class Load(Frame):
    """One Load action, with the extra loads that belong to it (P7)."""

    seat: int
    card: int
    ship: int
    loaded: int = 0  # Containers loaded by this action so far

    def start(self, game: Game) -> None:
        """R10.1."""
        self.step = "extras"
        self.loaded = 1
        from_hand(game, self.seat, self.card)
        load(game, self.card, self.ship, "load")

    def extras(self, game: Game) -> None:
        """What powers allow within the same Load action."""
        if not game.players[self.seat].hooks & LOAD_EXTRAS.mask:
            return self.done(game)
        options = extended(game, LOAD_EXTRAS, self.seat, [], self)
        if not options:
            return self.done(game)
        return game.ask(self.seat, "load-extra", [PASS, *options], then=self.extra)

    def extra(self, game: Game, chosen: Option) -> None:
        """Do it, or go on."""
        if chosen.verb == "pass":
            return self.done(game)
        self.loaded += 1
        CHOSEN.listeners[chosen.name](game, self.seat, chosen)
        return None
