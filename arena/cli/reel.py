"""A record as a row of moments for the board, the same that the pages show; read on while its game is played."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from arena.board import Board
from arena.board.board import KEPT
from arena.board.cards import Cards
from arena.game import Catalogue
from arena.records import Following, Header
from arena.server.ended import end_of
from arena.watching import outcome_lines
from arena.web.films import Film
from arena.web.shelf import Growing
from arena.web.viewpoints import UnknownViewpoint, Viewpoint

AT_ONCE: Final = 16  # choices that are read in one go


@dataclass(frozen=True, slots=True)
class Shown:
    """One moment."""

    view: Mapping[str, Any]
    asked: Mapping[str, Any] | None
    news: Sequence[tuple[int, str]]  # what has happened: numbers of events, and sentences


class Reel:
    """The moments of a record from one viewpoint, as far as they have been read.

    Raises `RecordError` if there is no header, and when a choice cannot have been made; `UnknownViewpoint` for a seat
    that is not there.
    """

    def __init__(self, path: Path, viewpoint: Viewpoint, catalogue: Catalogue) -> None:
        self.moments: list[Shown] = []
        self._growing = Growing(path)
        self._viewpoint = viewpoint
        self._cards = Cards(catalogue)
        self._following = Following(path)
        last = len(self.header.seats) - 1
        if viewpoint.seat is not None and viewpoint.seat > last:
            self.close()
            raise UnknownViewpoint(
                f"there is no seat {viewpoint.seat}; this record has the seats 0 to {last}"
            )
        self._film = Film(self.header, viewpoint, catalogue)
        self._take()

    @property
    def header(self) -> Header:
        """The first line of the record."""
        return self._following.header

    @property
    def finished(self) -> bool:
        """Whether the result has been read: no more moments come."""
        return self._following.result is not None

    @property
    def grows(self) -> bool:
        """Whether somebody may still write to the record."""
        return not self.finished and self._growing.may_go_on()

    def reaches(self, index: int) -> bool:
        """Read on until the moment `index` is there; false if it is not yet, or never will be."""
        while len(self.moments) <= index:
            choices = self._following.more(AT_ONCE)
            for choice in choices:
                self._film.play(choice)
            self._take()
            if not choices:
                return len(self.moments) > index
        return True

    def board(self, index: int) -> Board:
        """The table at a moment that has been read."""
        board = Board(self.header.game, self.header.seats, cards=self._cards)
        for shown in self.moments[:index]:
            board.history.add([player["credits"] for player in shown.view["players"]])
        for shown in self.moments[max(0, index - KEPT) : index + 1]:
            for number, sentence in shown.news:
                board.say(number, sentence)
        board.look(self.moments[index].view, self.moments[index].asked)
        if self.finished and index == len(self.moments) - 1:
            board.end(self.outcome)
        return board

    @property
    def outcome(self) -> list[str]:
        """How the game ended; nothing before the end has been read."""
        result = self._following.result
        if result is None:
            return []
        return list(
            outcome_lines(
                end_of(self.header, result, reveal=True), Board(self.header.game, self.header.seats).names
            )
        )

    def close(self) -> None:
        """Close the file."""
        self._following.close()

    def _take(self) -> None:
        """Read the new moments of the film."""
        for line in self._film.moments[len(self.moments) :]:
            moment = json.loads(line)
            view = moment["view"] if not self.moments else changed(self.moments[-1].view, moment["change"])
            first = moment["event"] - len(moment["news"]) + 1
            news = [(first + place, told[2]) for place, told in enumerate(moment["news"])]
            chosen = [(moment["event"], sentence(choice)) for choice in moment.get("choices", ())]
            self.moments.append(Shown(view, moment.get("asked"), [*chosen, *news]))


def changed(view: Mapping[str, Any], change: Mapping[str, Any]) -> dict[str, Any]:
    """The view after a change (docs/watching.md); what has not changed is shared with the view before."""
    new = {**view, **change.get("set", {})}
    for name in change.get("unset", ()):
        del new[name]
    if "players" in change:
        new["players"] = [
            {**player, **change["players"].get(str(seat), {})} for seat, player in enumerate(view["players"])
        ]
    if "ships" in change:
        ships = dict(enumerate(view["ships"]))
        ships.update({int(index): ship for index, ship in change["ships"].items()})
        new["ships"] = [ships[index] for index in sorted(ships)]
    return new


def sentence(choice: Mapping[str, Any]) -> str:
    """What the seat that is looked from has chosen, how long it took, and what was wrong."""
    spent = f" after {choice['spent']:.2f} s" if "spent" in choice else ""
    fault = f"; the default was played for {choice['fault']}" if "fault" in choice else ""
    return f"seat {choice['seat']} chooses {choice['option']}{spent}{fault}"
