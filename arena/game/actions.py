"""Performing announced or granted actions: Draw, Supply, Contract, Load, Piracy; Import is in `importing`.

An action is asked for at a decision point and then done as one event (P7). What all of them share is in
`Performing`: a player must act while any legal instance exists; only then may an action be lost (Q19).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from arena.game import tokyo
from arena.game.choices import PASS, Option, on_ship, option, with_card
from arena.game.doubles import FREE_LOADS, cost, sided
from arena.game.frames import Frame
from arena.game.goods import levels, missing_levels
from arena.game.hooks import (
    CHOSEN,
    CONTRACT_EXTRAS,
    CONTRACT_FROM_HAND,
    CONTRACT_OPTIONS,
    DRAW_ACTION,
    DRAW_LIMIT,
    LOAD_EXTRAS,
    LOAD_FROM_HAND,
    LOAD_INSTEAD,
    LOAD_OPTIONS,
    LOADS_BESIDES,
    Hook,
)
from arena.game.limits import crew_room
from arena.game.moves import add_crew, discard, draw, from_hand, from_island, gain, pay, to_island
from arena.game.ships import fleet, load, load_room, place_contract, spared_by_yen
from arena.game.state import PORT
from arena.game.terms import ACTIONS, CAPITAL, CONTRACT, HAND_SIZE, LOAD, SUPPLY
from arena.game.windows import only_of_hand

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
    act: ClassVar[type[Action]]
    seat: int
    left: int
    granted: str = ""  # the power that granted them: no window opens inside it (Q28)
    optional: bool = False

    def start(self, game: Game) -> None:
        """Ask for the next action; with nothing legal it is lost, and only it (Q19)."""
        if not self.left:
            return self.finish(game)
        options = self.options(game)
        if (self.optional or not options) and PASS not in options:
            options.insert(0, PASS)
        return game.ask(self.seat, ACTIONS[self.action], options, then=self.chosen, window=not self.granted)

    def __init_subclass__(cls) -> None:
        PERFORMERS[cls.action] = cls

    def finish(self, game: Game) -> None:
        """All of them are done."""
        self.done(game)

    def options(self, game: Game) -> list[Option]:
        """The legal instances now."""
        raise NotImplementedError

    def chosen(self, game: Game, chosen: Option) -> None:
        """Do it as an event of its own, or lose the action."""
        self.left -= 1 + max(0, chosen.amount)  # with it: actions that Levels or the second of a pair took
        if chosen.verb == "pass":
            if not self.optional:
                game.emit("lost", seat=self.seat, action=ACTIONS[self.action])
            return
        game.players[self.seat].performed = True
        game.perform(self.act(self.seat, chosen))


class Action(Frame):
    """One action, an event (P7), with the extras that powers allow within it."""

    extras_hook: ClassVar[Hook | None] = None
    extras_mask: ClassVar[int] = 0  # the hooks of powers that may add something to it
    seat: int
    option: tuple[Any, ...]
    extras: tuple[str, ...] = ()  # the powers that have added something to this action so far

    def start(self, game: Game) -> None:
        """Do it by the rules, or as the power that offered it says."""
        if game.players[self.seat].hooks & self.extras_mask:
            self.step = "more"
        else:
            self.done(game)
        chosen = self.option if isinstance(self.option, Option) else Option(*self.option)
        if chosen.name:
            CHOSEN.listeners[chosen.name](game, self.seat, chosen)
        else:
            self.do(game, chosen)

    def do(self, game: Game, chosen: Option) -> None:
        """By the rules; may push frames of its own."""
        raise NotImplementedError

    def more(self, game: Game) -> None:
        """What powers allow within the same action."""
        options = self.further(game)
        if not options:
            return self.done(game)
        assert self.extras_hook is not None
        secret = only_of_hand(game, self.seat, options)
        kind = self.extras_hook.name.replace("_", "-")  # what is asked is a word of the protocol
        return game.ask(self.seat, kind, [PASS, *options], then=self.extra, secret=secret)

    def further(self, game: Game) -> list[Option]:
        """What powers offer now."""
        assert self.extras_hook is not None
        return extended(game, self.extras_hook, self.seat, [], self)

    def extra(self, game: Game, chosen: Option) -> None:
        """Do it, or end the action."""
        if chosen.verb == "pass":
            self.done(game)
        else:
            self.extras += (chosen.name,)
            CHOSEN.listeners[chosen.name](game, self.seat, chosen)


def performing(game: Game) -> Performing:
    """The run of actions in progress, the innermost one."""
    return next(frame for frame in reversed(game.stack) if isinstance(frame, Performing))


def extended(game: Game, hook: Hook, seat: int, options: list[Option], frame: Frame) -> list[Option]:
    """`options` and what the powers of `seat` add to them."""
    for card, listener in game.listening(hook, seat):
        options += [added for added in listener(game, seat, card, frame) if added not in options]
    return options


def from_the_hand(game: Game, hook: Hook, seat: int, frame: Frame) -> list[Option]:
    """What the cards in the hand of `seat` offer by their own powers."""
    options: list[Option] = []
    powers = game.catalogue.powers
    for card in sided(game, game.players[seat].hand):
        listener = hook.listeners.get(powers[card])
        if listener is not None:
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
        game.trigger(DRAW_ACTION, self.seat, self.through)


# Supply


class Supply(Action):
    """One Supply action."""

    def do(self, game: Game, chosen: Option) -> None:
        """R7.1 or R7.2; at the Crew limit the card taken is discarded and never was Crew (R7.4, D4)."""
        seat, card = self.seat, chosen.card
        game.emit(chosen.verb, seat=seat, card=game.catalogue.ids[card])
        if chosen.verb == "sell":
            game.players[seat].sold = True
            from_hand(game, seat, card)
            to_island(game, card)
            return gain(game, seat, SALE, "sale")
        from_island(game, card)
        if crew_room(game, seat):
            add_crew(game, seat, card)
        else:
            discard(game, card)
        return None


class Supplying(Performing):
    """R7: sell a card to the Island, at most once a turn, or take one as Crew."""

    action: ClassVar[int] = SUPPLY
    act: ClassVar[type[Action]] = Supply

    def options(self, game: Game) -> list[Option]:
        player = game.players[self.seat]
        options = [] if player.sold else [with_card("sell", card) for card in player.hand]
        island = sided(game, game.island) if crew_room(game, self.seat) else game.island  # Q82
        return options + [with_card("take", card) for card in island]


# Contract


class Place(Action):
    """One placement by a Contract action: one event, also with Levels skipped (Q102)."""

    extras_hook: ClassVar[Hook | None] = CONTRACT_EXTRAS
    extras_mask: ClassVar[int] = CONTRACT_EXTRAS.mask

    def do(self, game: Game, chosen: Option) -> None:
        """R9.1, R17.4."""
        place_or_buy(game, self.seat, chosen)


def place_or_buy(game: Game, seat: int, chosen: Option) -> None:
    """Place a card of the hand, or one of the Tokyo Port for the credits of its column (R17.4)."""
    card = chosen.card
    bought = game.catalogue.front[card] in game.island
    if bought:
        pay(game, seat, tokyo.price(game, card), "tokyo-port")
        from_island(game, card)
    else:
        from_hand(game, seat, card)
    place_contract(game, card, chosen.ship, "tokyo-port" if bought else "contract", max(0, chosen.amount))


def purchases(game: Game, seat: int, skips: int) -> list[Option]:
    """The placements from the Tokyo Port that `seat` can pay for (R17.4); none without that side."""
    if not tokyo.in_play(game):
        return []
    return contract_options(game, seat, skips, tokyo.affordable(game, seat))[0]


class Contracting(Performing):
    """R9: place contracts, some of the actions serving as temporary Levels (R9.5)."""

    action: ClassVar[int] = CONTRACT
    act: ClassVar[type[Action]] = Place

    def options(self, game: Game) -> list[Option]:
        """Placing with k missing Levels uses 1 + k actions; without a free one it is optional (Q19, Q102)."""
        options, free = contract_options(game, self.seat, self.left - 1)
        options += purchases(game, self.seat, self.left - 1)  # never forced (Q99)
        options = extended(game, CONTRACT_OPTIONS, self.seat, options, self)
        options += from_the_hand(game, CONTRACT_FROM_HAND, self.seat, self)
        if options and not free:
            options.insert(0, PASS)
        return options


def contract_options(
    game: Game, seat: int, skips: int, cards: tuple[int, ...] | None = None
) -> tuple[list[Option], bool]:
    """Each card of the hand (or of `cards`) on each own Ship in Port that can take it (R9.1-R9.3).

    Of a double card either side may be placed (R18.2). At most `skips` Levels may be missing. Also says whether
    any of them needs no skipping.
    """
    if cards is None:
        cards = game.players[seat].hand
    ships = [(i, ship, load_room(game, ship)) for i, ship in fleet(game, seat) if ship.place == PORT]
    options = []
    free = False
    if ships and cards:
        found = levels(game, seat)
        loads = game.catalogue.loads
        for card in sided(game, cards):
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


# Load


class Load(Action):
    """One Load action."""

    extras_hook: ClassVar[Hook | None] = LOAD_EXTRAS
    extras_mask: ClassVar[int] = LOAD_EXTRAS.mask | LOADS_BESIDES.mask
    besides: int = 0  # plain loads that powers still allow within the action

    def start(self, game: Game) -> None:
        """How many further loads powers allow is read first."""
        if game.players[self.seat].hooks & LOADS_BESIDES.mask:
            self.besides = game.query(LOADS_BESIDES, self.seat, 0)
        super().start(game)

    def do(self, game: Game, chosen: Option) -> None:
        """R10.1."""
        load_from_hand(game, self.seat, chosen.card, chosen.ship, "load", free=free_load(game))

    def further(self, game: Game) -> list[Option]:
        """A further load, or what powers offer on conditions of their own."""
        options = load_options(game, self.seat, free=free_load(game)) if self.besides else []
        return extended(game, LOAD_EXTRAS, self.seat, options, self)

    def extra(self, game: Game, chosen: Option) -> None:
        """A further load is like the first."""
        if chosen.verb == "load" and not chosen.name:
            self.besides -= 1
            self.do(game, chosen)
        else:
            super().extra(game, chosen)


class Loading(Performing):
    """R10: put cards from the hand aboard own Ships in Port."""

    action: ClassVar[int] = LOAD
    act: ClassVar[type[Action]] = Load
    acted: bool = False  # a Load action has been done

    def options(self, game: Game) -> list[Option]:
        """Only a plain load is forced: not a pair, what is done in place of a load, or a load from the hand besides."""
        loads = load_options(game, self.seat, free=self.granted in FREE_LOADS)
        forced = bool(loads)
        if game.players[self.seat].hooks & LOAD_OPTIONS.mask:
            loads = extended(game, LOAD_OPTIONS, self.seat, loads, self)
        acts = self.acted or (forced and not self.optional)  # who may still decline has done none
        others = from_the_hand(game, LOAD_FROM_HAND, self.seat, self) if acts else []
        if game.players[self.seat].hooks & LOAD_INSTEAD.mask:
            others += extended(game, LOAD_INSTEAD, self.seat, [], self)
        if forced and not others:
            return loads
        stop = [PASS] if PASS in others or not forced else []
        return [*stop, *loads, *(other for other in others if other != PASS)]

    def chosen(self, game: Game, chosen: Option) -> None:
        """Note that an action has been done."""
        self.acted = self.acted or chosen.verb != "pass"
        super().chosen(game, chosen)

    def finish(self, game: Game) -> None:
        """What may be loaded from the hand besides may also come after the last action (Maple Syrup)."""
        held = from_the_hand(game, LOAD_FROM_HAND, self.seat, self) if self.acted else []
        if not held:
            return self.done(game)
        return game.ask(self.seat, "load-besides", [PASS, *held], then=self.finished, secret=True)

    def finished(self, game: Game, chosen: Option) -> None:
        """Nothing more."""
        self.done(game)


def free_load(game: Game) -> bool:
    """Whether the Load action in progress is a free one, for which no fee is due (P16)."""
    return game.doubles and performing(game).granted in FREE_LOADS


def load_from_hand(game: Game, seat: int, card: int, index: int, by: str, *, free: bool = False) -> None:
    """Put a card of the hand aboard, after paying for it if it is a double card (R18.3)."""
    if game.doubles and not free:
        pay(game, seat, cost(game, card), "loading")
    from_hand(game, seat, card)
    load(game, card, index, by)


def load_options(game: Game, seat: int, *, free: bool = False, spent: int = 0) -> list[Option]:
    """Each card of the hand on each own Ship in Port whose matching it raises (R10.2, Q51).

    Double cards are among them, in either colour, if they are loaded for `free` or the fee for one is left when
    `spent` credits have been paid.
    """
    ships = [(i, ship.open) for i, ship in fleet(game, seat) if ship.open and ship.place == PORT]
    if not ships:
        return []
    colors = game.catalogue.colors
    hand = game.players[seat].hand
    if game.doubles:
        left = game.players[seat].credits - spent
        hand = tuple(card for card in sided(game, hand) if free or cost(game, card) <= left)
    return [
        on_ship("load", card, index)
        for card in hand
        for index, needed in ships
        if needed >> colors[card] & 1 and colors[card] != CAPITAL
    ]
