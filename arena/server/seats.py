"""A seat in a game: who plays it, its clock, its open request, its faults."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from arena.server.clocks import SeatClock
from protocol import EndReason, ErrorCode, PhaseError, luck, quote

if TYPE_CHECKING:
    from arena.game import Decision
    from arena.server.clients import Client
    from arena.server.connections import Connection


@dataclass(slots=True)
class OpenRequest:
    """A decision that the seat has been sent."""

    id: int
    decision: Decision
    texts: list[str]
    tries: int  # wrong answers that may still come

    def index_of(self, choice: int | str) -> int | None:
        """The index of the chosen option; None if it is not offered."""
        if isinstance(choice, str):
            return self.texts.index(choice) if choice in self.texts else None
        return choice if 0 <= choice < len(self.texts) else None

    def not_offered(self, choice: int | str) -> PhaseError:
        """What is wrong with a choice that is not among the options."""
        last = len(self.texts) - 1
        return PhaseError(
            ErrorCode.BAD_CHOICE,
            f"choice {quote(choice)} is not among the {last + 1} options of request {self.id};"
            f" answer 0 to {last}, or an option's text",
            expected=f"0 to {last}",
        )


class Seat:
    """One seat of a running game. `client` is None for one that has left for good or has been given up."""

    def __init__(self, number: int, name: str, client: Client | None, clock: SeatClock, salt: str) -> None:
        """`salt` is that of the game."""
        self.number = number
        self.name = name
        self.luck = luck(salt, number)  # what `start` tells it, for its own chance
        self._salt = salt
        self.client: Client | None = client
        self.clock = clock
        self.ready = False
        self.views = True  # whether requests carry the view
        self.samples = False  # whether requests carry a sampled game
        self.asked = 0  # requests sent so far: the id of the last one
        self.request: OpenRequest | None = None
        self.faults = 0
        self.retired: EndReason | None = None
        self.absent_since: float | None = (
            None  # when its connection was lost, in the time of `LagMeter.awake`
        )
        self.absence = 0.0  # seconds without a connection, before the present one
        self.defaulted: tuple[int, EndReason] | None = (
            None  # the last request whose default was played, and why
        )
        self.ended = ""  # how its program ended in the game, in a sentence, if it did
        self.outage = False  # it is absent because the server was away: that costs it nothing

    def seed_for_sample(self, request: int) -> int:
        """The seed of the sample that the request with this id brings: the same in all games of a salt, and secret."""
        digest = sha256(f"{self._salt}:sample:{self.number}:{request}".encode("ascii")).digest()
        return int.from_bytes(digest[:8], "big")

    def absent_for(self, awake: float) -> float:
        """Seconds without a connection in this game, in all, until this moment of `LagMeter.awake`."""
        return self.absence + (awake - self.absent_since if self.absent_since is not None else 0.0)

    @property
    def connection(self) -> Connection | None:
        """Where the seat can be told something now."""
        return self.client.connection if self.client is not None else None

    @property
    def reason(self) -> EndReason:
        """How the seat came to the end of a game that was played out."""
        return self.retired or EndReason.NORMAL

    def answered(self, number: int, game_id: str, *, started: bool) -> OpenRequest:
        """The open request, if `number` is its id; else raises `PhaseError`, which says why it hits nothing."""
        request = self.request
        if request is not None and number == request.id:
            return request
        if not started:
            code, text = ErrorCode.NOT_STARTED, f"the game {game_id} waits for its players to get ready"
        elif self.retired is not None:
            code = ErrorCode.RETIRED
            text = f"seat {self.number} is retired ({self.retired.value}); its defaults are played"
        elif self.defaulted is not None and number == self.defaulted[0]:
            why = "its time was up" if self.defaulted[1] is EndReason.TIMEOUT else "its answers were wrong"
            code = ErrorCode.TOO_LATE
            text = f"the default of request {number} was played, as {why}: fault {self.faults} of this seat"
        elif 0 < number <= self.asked:
            code, text = ErrorCode.TOO_LATE, f"request {number} has been answered; wait for the next one"
        else:
            code, text = ErrorCode.NOT_ASKED, f"there is no request {number}; the last one was {self.asked}"
        raise PhaseError(code, text, game=game_id, id=number)
