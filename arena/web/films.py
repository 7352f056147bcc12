"""A game as a row of moments, made from its choices: the same for one that is played and for a record.

A moment is what a viewer sees between two decisions: what has happened since the last one, in sentences, and
how the view has changed. The first has the whole view, the others only what differs, so that a page can keep
them all and go to any in no time. No clock here and no file.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from arena.describe import describe, labels
from arena.game import Event
from arena.records.replay import deal, repeat
from arena.web.viewpoints import Viewpoint

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from arena.game import Catalogue, Game
    from arena.records import Choice, Header

_encode = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode


class Film:
    """The moments of one game from one viewpoint, each as JSON; `docs/organisers.md` tells their fields."""

    def __init__(self, header: Header, viewpoint: Viewpoint, catalogue: Catalogue | None = None) -> None:
        """Deal the cards: the first moment. Raises `RecordError` if this program cannot play the game."""
        self.moments: list[bytes] = []
        self.size = 0  # bytes of all moments
        self._viewpoint = viewpoint
        self._names = labels(header.seats)
        self._game: Game = deal(header, catalogue)
        self._number = 0  # of the last event that has been shown
        self._shown: dict[str, Any] = {}
        self._events: list[Event] = []  # that have happened and are not shown yet
        self._choices: list[dict[str, Any]] = []  # the same of choices that this viewpoint sees
        self._retired: set[int] = set()
        self._happened(self._game.events)

    def play(self, choice: Choice) -> None:
        """Go on by a choice; raises `RecordError` if it cannot have been made."""
        game = self._game
        events: list[Event] = []
        if choice.retired and choice.seat not in self._retired and choice.fault is not None:
            self._retired.add(choice.seat)
            events.append(Event("retired", {"seat": choice.seat, "reason": choice.fault.value}))
        if self._viewpoint.sees_choices_of(choice.seat):
            self._choices.append(chosen(choice, game))
        self._happened(events + repeat(game, choice))

    def _happened(self, events: list[Event]) -> None:
        self._events += events
        news = self._events or (self._viewpoint.all and self._choices)
        if (news or not self.moments) and self._viewpoint.may_be_told(self._game):
            self._show()

    def _show(self) -> None:
        game = self._game
        view = self._viewpoint.view(game)
        moment: dict[str, Any] = {"n": len(self.moments), "event": self._number + len(self._events)}
        if self.moments:
            moment["change"] = difference(self._shown, view)
        else:
            moment["view"] = view
        moment["news"] = [self._told(event) for event in self._events]
        earned = [each for event in self._events for each in earnings(event)]
        if earned:
            moment["earned"] = earned
        if game.asking:
            moment["asked"] = {"kind": game.asking[0].kind, "seats": list(game.to_act)}
        if self._choices:
            moment["choices"] = self._choices
        line = _encode(moment).encode("ascii")
        self._number += len(self._events)
        self._shown = view
        self._events, self._choices = [], []
        self.moments.append(line)
        self.size += len(line)

    def _told(self, event: Event) -> list[Any]:
        """The kind, the seat that it is about or None, and a sentence."""
        fields = self._viewpoint.event(event)
        seat = fields.get("seat")
        return [event.kind, seat if type(seat) is int else None, describe(fields, self._names)]


SOURCES: Final = ("sale", "payout", "compensation", "bid", "tokyo-port")
"""What credits come from and go to by the rules alone; everything else is a power's."""


def earnings(event: Event) -> Iterator[list[Any]]:
    """The seat whose credits an event changes, where they come from or go to, and how many."""
    told = event.public
    if event.kind == "credits":
        yield [told["seat"], told["why"] if told["why"] in SOURCES else "power", told["change"]]
    elif event.kind == "score" and told["parts"]:
        yield [told["seat"], "scoring", sum(told["parts"].values())]


def chosen(choice: Choice, game: Game) -> dict[str, Any]:
    """What a seat has answered, for those who may know; its options stand in the view before."""
    kind = next((decision.kind for decision in game.asking if decision.seat == choice.seat), None)
    told: dict[str, Any] = {"seat": choice.seat, "kind": kind, "index": choice.index, "option": choice.text}
    if choice.spent >= 0:
        told["spent"] = round(choice.spent, 3)
    if choice.bank >= 0:
        told["bank"] = round(choice.bank, 3)
    if choice.fault is not None:
        told["fault"] = choice.fault.value
    return told


def difference(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """What must change in the view `old` to get `new`.

    `set` has new values of fields, `unset` the names of those that are gone; of `players` and `ships`, which
    are lists, only the entries that differ are told, by their index: of a player the fields that differ, of
    a ship all fields.
    """
    change: dict[str, Any] = {}
    for name, value in new.items():
        before = old.get(name)
        if value == before and (value is not None or name in old):
            continue
        if name == "players" and before is not None:
            change["players"] = {
                str(seat): {field: after[field] for field in after if after[field] != then[field]}
                for seat, (then, after) in enumerate(zip(before, value, strict=True))
                if then != after
            }
        elif name == "ships" and before is not None:
            change["ships"] = {
                str(index): ship
                for index, ship in enumerate(value)
                if index >= len(before) or before[index] != ship
            }
        else:
            change.setdefault("set", {})[name] = value
    gone = [name for name in old if name not in new]
    if gone:
        change["unset"] = gone
    return change
