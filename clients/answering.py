"""A request as a bot sees it that plays over the wire, and what counts as an answer to it."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Mapping
from functools import cached_property
from operator import index
from typing import TYPE_CHECKING, Any

from protocol.messages import Request, Start
from protocol.seeds import LUCK_BITS

if TYPE_CHECKING:
    from arena.game import Game


class WireRequest:
    """What the seat is asked. Answer with the index of an option, or with its text."""

    def __init__(self, message: Request, seat: int, luck: int) -> None:
        """`luck` is what the `start` of the game has told the seat."""
        self.game = message.game
        self.id = message.id
        self.kind = message.kind
        self.seat = seat
        self.luck = luck
        self.options: tuple[str, ...] = message.options
        self.default = message.default
        self.move_seconds = message.clock.move
        self.bank_seconds = message.clock.bank
        self._view = message.view
        self._sample = message.sample
        self._asked = time.monotonic()

    @property
    def view(self) -> Mapping[str, Any]:
        """All that the seat may see, as JSON values."""
        if self._view is None:
            raise ValueError(
                "the requests bring no view; run the bot with views=True, and a bridge without --no-views"
            )
        return self._view

    def waited(self) -> float:
        """Seconds since the request arrived."""
        return time.monotonic() - self._asked

    def sample(self, seed: int) -> Game:
        """A full game that agrees with all that the seat has seen; `seed` picks which."""
        return self._sampled.sample(self.seat, seed)

    @cached_property
    def _sampled(self) -> Game:
        """The game in the message, from which others are dealt."""
        from arena.game import Game

        if self._sample is None:
            raise ValueError(
                "the requests bring no sample; run the bot with samples=True, and a bridge with --samples"
            )
        return Game.from_json(json.dumps(self._sample))

    def told(self) -> str:
        """What was asked, in one line for the bot's author."""
        asked = f"the bot was asked for {self.kind} in request {self.id} of {self.game}"
        return f"{asked}, with {len(self.options)} options"

    def checked(self, answer: object) -> int | str:
        """The answer as it is sent; raises `ValueError` for what is no option, which is a bug of the bot."""
        if isinstance(answer, str):
            if answer in self.options:
                return answer
        elif not isinstance(answer, bool):
            try:
                number = index(answer)  # type: ignore[arg-type]  # numpy's integers count too
            except TypeError:
                pass
            else:
                if 0 <= number < len(self.options):
                    return number
        given = "returned nothing" if answer is None else f"answered {str(answer)[:80]!r}"
        raise ValueError(
            f"the bot {given} to request {self.id}, which asks for {self.kind};"
            f" answer an index from 0 to {len(self.options) - 1}, or the text of an option"
        )


def luck_of(start: Start) -> int:
    """The number for the seat's own chance in a game, drawn here if its server tells none."""
    return secrets.randbits(LUCK_BITS) if start.luck is None else start.luck
