"""The registry of contract powers: which power listens to which hook, and how it is found.

A hook is a place in the rules where powers come in. Its kind says what a listener may do:

- query: a listener gets a value and returns it, changed or not (`DRAW_LIMIT`, `SLOT`);
- replacement: a listener acts in place of the rule or adds options to a decision (`LOAD_OPTIONS`);
- trigger: a listener acts after the event, in the order of Q29 (`DRAWN`, `FULFILLED`);
- immediate: the power acts once when its contract is fulfilled (`ON_FULFIL`);
- activated: its holder starts it (`ANYTIME`, `FROM_HAND`);
- carried: the card acts from a Ship, as a contract or as a Container (`ON_SHIP`, `ABOARD`);
- end: final scoring (`END_MOVE`, `END_CREDITS`).

Each hook owns one bit. A player carries the bits of all powers that lie in the own fulfilled area, so a
hook without a listener costs one `&`. A power is written by decorating a function or a frame class:

    @DRAW_LIMIT("mineral-fuels")
    def mineral_fuels(game, owner, limit): ...
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

Listener = TypeVar("Listener", bound=Callable[..., Any])

HOOKS: dict[str, Hook] = {}
MASKS: dict[str, int] = {}
"""For each power the bits of the hooks it listens to while it lies in a fulfilled area."""


class Hook:
    """A named place in the rules with its listeners, by power id."""

    __slots__ = ("data", "kind", "listeners", "mask", "name", "own", "simple", "when")

    def __init__(self, name: str, kind: str, data: type | None = None) -> None:
        self.name = name
        self.kind = kind
        self.mask = 1 << len(HOOKS)
        self.listeners: dict[str, Callable[..., Any]] = {}
        self.data = data  # for triggers: the class of what happened
        self.own: set[str] = set()  # FULFILLED: powers that say "this one included" (P8)
        self.simple: set[str] = set()  # triggers whose order among each other cannot matter
        self.when: dict[str, Callable[..., bool]] = {}  # triggers: which events a power reacts to
        HOOKS[name] = self

    def __call__(
        self,
        *powers: str,
        own: bool = False,
        simple: bool = False,
        when: Callable[..., bool] | None = None,
    ) -> Callable[[Listener], Listener]:
        """Register the decorated function or frame class for each of `powers`.

        For triggers: `when(game, owner, card, happened)` says which events the power reacts to; `own`
        marks a power that sees its own fulfilment too; `simple` one whose order does not matter.
        """

        def register(listener: Listener) -> Listener:
            for power in powers:
                if power in self.listeners:
                    raise ValueError(f"two listeners of {self.name} for the power {power}")
                self.listeners[power] = listener
                MASKS[power] = MASKS.get(power, 0) | self.mask
                if own:
                    self.own.add(power)
                if simple:
                    self.simple.add(power)
                if when is not None:
                    self.when[power] = when
            return listener

        return register

    def __repr__(self) -> str:
        return f"Hook({self.name!r}, {self.kind!r})"


# What happened, as a trigger is told.


class Drawn(NamedTuple):
    """One draw event (P13): `number` cards from the pile; `through` names the power that granted it, or ""."""

    seat: int
    number: int
    through: str


class DrawAction(NamedTuple):
    """A Draw action is done (P14)."""

    seat: int
    through: str


class GoodAdded(NamedTuple):
    """A card has come to lie in a Goods area (P34); `type` as read right after it arrived, -1 for none."""

    seat: int
    card: int
    type: int


class Loaded(NamedTuple):
    """A Container has been put on a Ship by its owner; `by` is `load`, `piracy` or a power id."""

    seat: int
    card: int
    color: int
    ship: int
    by: str


ISLAND = -1  # in place of a Ship: the Supply Island
ELSEWHERE = -2  # in place of a Ship: a hand or the draw pile


class Pirated(NamedTuple):
    """A Container or card has been taken by Piracy; `ship` may also be `ISLAND` or `ELSEWHERE`.

    `at_sea` says whether it lay on a Ship at sea, as it does by the rules.
    """

    seat: int
    card: int
    color: int
    ship: int
    victim: int
    at_sea: bool


class Imported(NamedTuple):
    """Cards have been imported; `action` says whether by the Import action (P21); `ship` may be `ISLAND`."""

    seat: int
    ship: int
    cards: tuple[int, ...]
    action: bool


class Placed(NamedTuple):
    """A contract has been placed on a Ship, in any way."""

    seat: int
    card: int
    ship: int


class Fulfilled(NamedTuple):
    """A Ship has been fulfilled; contracts and Containers as they were at step 1 (P4)."""

    seat: int
    ship: int
    contracts: tuple[int, ...]
    contract_types: tuple[int, ...]
    containers: tuple[int, ...]
    container_colors: tuple[int, ...]


class Returned(NamedTuple):
    """A Ship has come back from the High Seas."""

    seat: int
    ship: int


class Paid(NamedTuple):
    """A player has paid or lost credits in one payment (P38)."""

    seat: int
    amount: int


class Led(NamedTuple):
    """The lead player has led an action (R3.4)."""

    seat: int
    action: int
    number: int


class Announced(NamedTuple):
    """All players have announced (R4); who followed is in the players' own fields (Q31)."""

    seat: int
    action: int


class Piracy(NamedTuple):
    """A player is about to do a Piracy action."""

    seat: int


# Queries: listener(game, owner, card of the power, value, ...) -> value

DRAW_LIMIT = Hook("draw_limit", "query")  # int: hand size a Draw action fills up to
CREW_LIMIT = Hook("crew_limit", "query")  # int; extra argument: a contract that counts no more, or 0
GOODS_PLACES = Hook("goods_places", "query")  # int: places that a row of Goods takes; extra argument: the row
GOODS_COUNT = Hook("goods_count", "query")  # list of five: Goods by type
LEVELS = Hook("levels", "query")  # list of six: Levels by type
CREW_COUNT = Hook("crew_count", "query")  # int: actions that Crew may add; extra argument: the action
CREW_CARDS = Hook("crew_cards", "query")  # tuple of cards that count as Crew cards (P37)
CREW_AS = Hook("crew_as", "query")  # tuple of actions: Crew of which kinds counts for an action
PAYOUT = Hook("payout", "query")  # int; extra argument: number of Containers
LOAD_LIMIT_OF = Hook("load_limit", "query")  # int: limit of a Ship's total requirement
SLOT = Hook("slot", "query")  # mask of a slot; extra argument: type of its contract
CONTAINER = Hook("container", "query")  # mask of a Container; extra argument: its colour
REQUIREMENT = Hook("requirement", "query")  # slots of a contract that must be filled; extra: contract, slots
COMPENSATION = Hook("compensation", "query")  # int: what a Ship's owner takes at an Import action (R8.7)
IMPORT_COUNT = Hook("import_count", "query")  # int: cards the winner may take (R8.6)
SAILS_HOME_AT = Hook("sails_home_at", "query")  # int: Containers left at which a Ship at sea returns
END_THRESHOLD = Hook("end_threshold", "query")  # float-free: credits that trigger the end; extra: seat tested
WINS_TIES = Hook("wins_ties", "query")  # bool
BARRED = Hook("barred", "query")  # bool: whether the owner's Ships are safe from Piracy
GOOD_VALUE = Hook("good_value", "query")  # list of five: credits per Good of each type (R14.2)
FINAL_GOODS = Hook("final_goods", "query")  # list of five: Goods that count only in final scoring
MAJORITY = Hook("majority", "query")  # int: the own share of a majority; extra argument: its type (R14.4)

# Replacements

PLAY_AS = Hook("play_as", "replacement")  # other actions that a card may be played for
FOLLOW_CARDS = Hook("follow_cards", "replacement")  # cards of the hand that may be played to follow
INSTEAD = Hook("instead", "replacement")  # other actions that may be done for an announced one
LEAD_OPTIONS = Hook("lead_options", "replacement")  # further ways to lead
FOLLOW_OPTIONS = Hook("follow_options", "replacement")  # further ways to follow
LOAD_OPTIONS = Hook("load_options", "replacement")  # further ways to do a Load action
LOAD_INSTEAD = Hook("load_instead", "replacement")  # what may be done in place of a load; never forced
LOADS_BESIDES = Hook("loads_besides", "query")  # int: further loads within a Load action, read when it begins
LOAD_EXTRAS = Hook("load_extras", "replacement")  # what may follow within the same Load action
PIRACY_OPTIONS = Hook("piracy_options", "replacement")  # further sources of a Piracy action
PIRACY_EXTRAS = Hook("piracy_extras", "replacement")  # what may follow within the same Piracy action
PIRACY_PLACES = Hook("piracy_places", "replacement")  # further places for a pirated card
IMPORT_TARGETS = Hook("import_targets", "replacement")  # further targets of an Import
CONTRACT_OPTIONS = Hook("contract_options", "replacement")  # further ways to do a Contract action
CONTRACT_EXTRAS = Hook("contract_extras", "replacement")  # what may follow within the same Contract action
TUCK = Hook("tuck", "replacement")  # where a fulfilled contract goes
BEFORE_SAILING = Hook("before_sailing", "replacement")  # end of step 2 (P4)

# Triggers: listener(game, owner, card of the power, what happened)

DRAWN = Hook("drawn", "trigger", Drawn)
DRAW_ACTION = Hook("draw_action", "trigger", DrawAction)
GOOD_ADDED = Hook("good_added", "trigger", GoodAdded)
LOADED = Hook("loaded", "trigger", Loaded)
PIRATED = Hook("pirated", "trigger", Pirated)
IMPORTED = Hook("imported", "trigger", Imported)
PLACED = Hook("placed", "trigger", Placed)
FULFILLED = Hook("fulfilled", "trigger", Fulfilled)
RETURNED = Hook("returned", "trigger", Returned)
PAID = Hook("paid", "trigger", Paid)
LED = Hook("led", "trigger", Led)
ANNOUNCED = Hook("announced", "trigger", Announced)
BEFORE_PIRACY = Hook("before_piracy", "trigger", Piracy)

# The rest

ON_FULFIL = Hook("on_fulfil", "immediate")  # frame class or listener(game, owner, card, ship)
SWITCHED_ON = Hook("switched_on", "immediate")  # a continuous power begins to work for its owner
ANYTIME = Hook("anytime", "activated")  # listener(game, owner, card) -> options; see `using`
FROM_HAND = Hook("from_hand", "activated")  # the same, for a card in hand
LOAD_FROM_HAND = Hook("load_from_hand", "activated")  # the same around Load actions only; extra: the frame
CONTRACT_FROM_HAND = Hook("contract_from_hand", "activated")  # ways to do a Contract action by a card in hand
USE = Hook("use", "activated")  # what is done when an option of ANYTIME or FROM_HAND is chosen
CHOSEN = Hook("chosen", "activated")  # what is done when an option of a replacement is chosen
OWN_SLOT = Hook("own_slot", "carried")  # mask of a slot of this very contract, while it lies on a Ship
SHIP_LIMIT = Hook("ship_limit", "carried")  # load limit of the Ship that this contract lies on
ABOARD = Hook("aboard", "carried")  # a Container acts when its Ship is fulfilled
SELF_LOADED = Hook("self_loaded", "carried")  # the card itself has been loaded or pirated
RIDES_ON = Hook("rides_on", "carried")  # a Container acts at the end of step 2
LAST_ABOARD = Hook("last_aboard", "carried")  # a Container is the only one left on a Ship at sea
WIN_CHECK = Hook("win_check", "query")  # bool, at every check
END_MOVE = Hook("end_move", "end")  # Q70(1)
END_CREDITS = Hook("end_credits", "end")  # Q70(4)
