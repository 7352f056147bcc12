"""From where a game is seen: by the public, from a seat, or everything. All of it by the whitelists of the game.

A viewpoint says when it may be told something. That a seat is asked can be a secret (Q98): as long as it is,
others are told nothing, and later what happened before and after it together, as if nobody had been asked.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from arena.game.views import own
from arena.picture import table

if TYPE_CHECKING:
    from arena.game import Event, Game

NAME = re.compile(r"public|everything|seat-([0-5])")


class UnknownViewpoint(ValueError):
    """The text names no viewpoint of this game."""


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """The public (no seat, not all), one seat, or everything."""

    seat: int | None = None
    all: bool = False

    @classmethod
    def parse(cls, text: str) -> Self:
        """The inverse of `str`; raises `UnknownViewpoint`."""
        found = NAME.fullmatch(text)
        if found is None:
            raise UnknownViewpoint("a view is public, everything, or seat-0 to seat-5")
        if found[1] is not None:
            return cls(seat=int(found[1]))
        return cls(all=text == "everything")

    def __str__(self) -> str:
        if self.all:
            return "everything"
        return "public" if self.seat is None else f"seat-{self.seat}"

    @property
    def is_public(self) -> bool:
        """Whether everybody may have it at any time."""
        return not self.all and self.seat is None

    def sees_choices_of(self, seat: int) -> bool:
        """Whether the options, choices and times of this seat are shown."""
        return self.all or self.seat == seat

    def may_be_told(self, game: Game) -> bool:
        """Whether news may be shown now, while this is asked."""
        if self.all or not game.asking or not game.asking[0].secret:
            return True
        return game.asking[0].seat == self.seat

    def event(self, event: Event) -> dict[str, Any]:
        """The event as it is seen from here."""
        if not self.all:
            return event.for_seat(self.seat)
        shown = event.for_seat(None)
        if event.private is not None and event.kind != "deal":  # all hands stand in the view
            for addition in event.private.values():
                shown.update(addition)
        return shown

    def view(self, game: Game) -> dict[str, Any]:
        """What is seen of the game now."""
        shown = table(game, self.seat)
        if not self.all:
            return shown
        seats = [own(game, player.seat) for player in game.players]
        shown["hands"] = [seen["hand"] for seen in seats]
        shown["decisions"] = [seen.get("decision") for seen in seats]
        return shown


PUBLIC = Viewpoint()
EVERYTHING = Viewpoint(all=True)
