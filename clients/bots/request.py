"""What a bot is asked, and how a game in this process asks it. How the wire asks is not known here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from math import inf
from typing import Any, Protocol

from arena.game import Game


class Request(Protocol):
    """One decision as its seat sees it."""

    @property
    def kind(self) -> str:
        """What is asked: `lead`, `follow`, `load`, `bid` ..."""

    @property
    def seat(self) -> int:
        """The seat that is asked."""

    @property
    def options(self) -> Sequence[str]:
        """The legal answers in text form (`load:hawaiian-salt@ship-1`); the bot gives the index of one."""

    @property
    def default(self) -> int:
        """The index of the answer that is taken if none comes."""

    @property
    def view(self) -> Mapping[str, Any]:
        """All that the seat sees, as JSON values."""

    @property
    def move_seconds(self) -> float:
        """Seconds that the seat had for this move when it was asked; infinite if there is no clock."""

    @property
    def bank_seconds(self) -> float:
        """Seconds that it had in the bank then."""

    def waited(self) -> float:
        """Seconds since it was asked, as far as a clock runs."""

    def sample(self, seed: int) -> Game:
        """A full game that agrees with all that the seat has seen, with the same decision open for it.

        `seed` picks which; the game is the caller's own, to be played on at will.
        """


class Bot(Protocol):
    """Whatever answers requests."""

    def choose(self, request: Request) -> int:
        """The index of one of `request.options`."""


class BotFactory(Protocol):
    """What makes a bot from a seed: often its class."""

    searches: bool
    """Whether its bots call `Request.sample`; over the wire samples are sent to those alone."""

    def __call__(self, seed: int) -> Bot: ...


class LocalRequest:
    """The request of a game in this process, with all that one over the wire has.

    Nothing is worked out before a bot looks at it.
    """

    def __init__(self, game: Game, seat: int, *, called: str = "local", id: int = 0, luck: int = 0) -> None:
        """`seat` must be asked now, else `ChoiceError`; answer before `game` moves on.

        What a server would tell and a game does not know is the caller's to say: the name of the game, the number of
        the request, and the seat's luck in this game.
        """
        self._game = game
        self._decision = game.decision(seat)
        self.game = called
        self.id = id
        self.luck = luck
        self.kind: str = self._decision.kind
        self.seat = seat
        self.default = self._decision.default
        self.move_seconds = inf
        self.bank_seconds = 0.0

    @cached_property
    def options(self) -> Sequence[str]:
        """See `Request`."""
        return self._decision.texts(self._game.catalogue)

    @cached_property
    def view(self) -> Mapping[str, Any]:
        """See `Request`."""
        return self._game.view(self.seat)

    def waited(self) -> float:
        """See `Request`."""
        return 0.0

    def sample(self, seed: int) -> Game:
        """See `Request`."""
        return self._game.sample(self.seat, seed)
