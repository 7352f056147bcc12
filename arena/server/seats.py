"""A seat in a game: who plays it, its clock, its open request, its faults."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from arena.server.clocks import SeatClock
from protocol import EndReason

if TYPE_CHECKING:
    from arena.game import Decision
    from arena.server.clients import Client


@dataclass(slots=True)
class OpenRequest:
    """A decision that the seat has been sent."""

    id: int
    decision: Decision
    texts: list[str]
    tries: int  # wrong answers that may still come


class Seat:
    """One seat of a running game. `client` is None for one that has left for good."""

    def __init__(self, number: int, name: str, client: Client, clock: SeatClock) -> None:
        self.number = number
        self.name = name
        self.client: Client | None = client
        self.clock = clock
        self.ready = False
        self.views = True  # whether requests carry the view
        self.samples = False  # whether requests carry a sampled game
        self.asked = 0  # requests sent so far: the id of the last one
        self.request: OpenRequest | None = None
        self.faults = 0
        self.retired: EndReason | None = None
        self.absent_since: float | None = None  # when its connection was lost
        self.absence = 0.0  # seconds without a connection, before the present one

    def absent_for(self, now: float) -> float:
        """Seconds without a connection in this game, in all."""
        return self.absence + (now - self.absent_since if self.absent_since is not None else 0.0)

    @property
    def reason(self) -> EndReason:
        """How the seat came to the end of a game that was played out."""
        return self.retired or EndReason.NORMAL
