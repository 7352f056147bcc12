"""The plain data of a game: players and ships. No rules here."""

from __future__ import annotations

from typing import Any, NamedTuple

PORT = 0  # in its owner's Port
SEA = 1  # on the High Seas
DEPARTING = 2  # from step 1 to step 3 of its fulfilment: neither (P5)
JOINED = 3  # a part of a Super Ship, which goes by the other ship's number (Partnership)
GONE = 4  # a single-use ship that has been discarded (Diesel Engine)

SHIP_PLACES = ("port", "sea", "departing", "joined", "gone")


class Ship(NamedTuple):
    """A ship with what lies on it. An immutable value: a change puts a new one into `game.ships`."""

    owner: int
    place: int
    contracts: tuple[int, ...] = ()
    containers: tuple[int, ...] = ()
    rainbow: tuple[int, ...] = ()  # Containers that a power loaded as rainbow ones (P20)
    riders: tuple[int, ...] = ()  # Containers whose own power works until the Ship sails (Automation)
    pairs: tuple[tuple[int, int], ...] = ()  # two Containers that count as one (Robo-Cats)
    yen: tuple[int, ...] = ()  # Yen cards that lie under this Ship for good
    reduced: tuple[tuple[int, int], ...] = ()  # (contract, mask of the slot that it is spared) (Yen)
    joined: int = -1  # the other half of a Super Ship (Partnership)
    single_use: int = 0  # the card that is this Ship (Diesel Engine)
    open: int = 0  # derived: mask of the colours of which one more Container raises the matching (Q51)


_PLACES = {name: place for place, name in enumerate(Ship._fields)}


def _changed(ship: Ship, /, **fields: Any) -> Ship:
    """The ship with other values in these fields, in a third of the time that a named tuple's own way takes."""
    values = list(ship)
    for name, value in fields.items():
        values[_PLACES[name]] = value
    return tuple.__new__(Ship, values)


Ship._replace = _changed  # type: ignore[assignment,method-assign]

SHIP_DATA = len(Ship._fields) - 1
"""Number of fields that are saved; `open` is computed anew."""


class Player:
    """One seat's own things, and what it announced this turn."""

    __slots__ = (
        "announced",
        "credits",
        "crew",
        "doing",
        "extra_turns",
        "fulfilled",
        "goods",
        "hand",
        "hooks",
        "performed",
        "played",
        "port",
        "seat",
        "sold",
        "used",
        "virtual_crew",
    )

    def __init__(
        self,
        seat: int,
        port: int,
        credits: int = 0,
        hand: tuple[int, ...] = (),
        crew: tuple[int, ...] = (),
        goods: tuple[int, ...] = (),
        fulfilled: tuple[int, ...] = (),
        played: tuple[int, ...] = (),
        hooks: int = 0,
        announced: int = -1,
        doing: int = -1,
        sold: bool = False,
        performed: bool = False,
        used: tuple[int, ...] = (),
        virtual_crew: tuple[int, ...] = (),
        extra_turns: int = 0,
    ) -> None:
        self.seat = seat
        self.port = port  # type of the own Port
        self.credits = credits
        self.hand = hand
        self.crew = crew
        self.goods = goods  # in order of arrival (Q76)
        self.fulfilled = fulfilled  # contract cards; the one printed on the Port is not among them (Q95)
        self.played = played  # cards on the Port this turn (Q20)
        self.hooks = hooks  # derived: the hooks that the own powers listen to
        self.announced = announced  # actions announced this turn; -1 before
        self.doing = doing  # the action that the announced actions are performed as; -1 before
        self.sold = sold  # the one sale of the turn is used (R7.1)
        self.performed = performed  # at least one announced action was performed this turn
        self.used = used  # powers (cards) used this turn that may be used once per turn (P15)
        self.virtual_crew = virtual_crew  # actions of crew that is no card, this turn (US Dollars)
        self.extra_turns = extra_turns  # Q65

    def clone(self) -> Player:
        """An independent copy."""
        return Player(
            self.seat,
            self.port,
            self.credits,
            self.hand,
            self.crew,
            self.goods,
            self.fulfilled,
            self.played,
            self.hooks,
            self.announced,
            self.doing,
            self.sold,
            self.performed,
            self.used,
            self.virtual_crew,
            self.extra_turns,
        )

    @property
    def contracts(self) -> int:
        """Number of fulfilled contracts, the one printed on the Port included (R2.11, Q95)."""
        return 1 + len(self.fulfilled)

    def new_turn(self) -> None:
        """Forget what belongs to one turn only."""
        self.played = ()
        self.announced = -1
        self.doing = -1
        self.sold = False
        self.performed = False
        self.used = ()
        self.virtual_crew = ()

    def to_json(self) -> list[Any]:
        """The fields in the order of the constructor."""
        return [getattr(self, name) for name in PLAYER_FIELDS]


PLAYER_FIELDS = Player.__init__.__code__.co_varnames[1 : Player.__init__.__code__.co_argcount]


class Result(NamedTuple):
    """How a game ended. Places begin at 1 and are shared in a tie (R14.7); credits are the final ones."""

    places: tuple[int, ...]
    credits: tuple[int, ...]
    reason: str  # `credits`, `cards`, `turns`, or the id of the power that ended or won it

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats on place 1."""
        return tuple(seat for seat, place in enumerate(self.places) if place == 1)
