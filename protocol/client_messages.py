"""What a client may send. Fields that are not listed are refused; an optional one may be null or absent.

Every list has a `max_length` and says `fail_fast`: else each wrong item of a long line costs an error of its own.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import ConfigDict, Field, model_validator

from protocol.fields import (
    MAX_SEATS,
    Clock,
    EventNumber,
    GameId,
    Name,
    OptionIndex,
    OptionText,
    Part,
    Printable,
    RequestId,
    Rules,
    Seat,
    SeatCount,
    Secret,
    Seed,
    TableId,
    Version,
    Word,
)

QUEUE: Final = "queue"
"""The table id that stands for the queue; no table is called so."""


class _FromClient(Part):
    model_config = ConfigDict(extra="forbid")


class WantedClock(Clock):
    """The clock that a new table shall have."""

    model_config = ConfigDict(extra="forbid")


class Wanted(Rules):
    """The game that a new table shall play."""

    model_config = ConfigDict(extra="forbid")

    seats: SeatCount = Field(description="Number of seats.")
    clock: WantedClock | None = Field(default=None, description="The clock; without it the server's own.")
    seed: Seed | None = Field(
        default=None, description="The seed of the deal, for tests: who names it may know every card."
    )
    fill: tuple[Word, ...] = Field(
        default=(),
        max_length=MAX_SEATS - 1,
        fail_fast=True,
        description="Shipped bots that take other seats at once.",
    )

    @model_validator(mode="after")
    def _fits(self) -> Wanted:
        if len(set(self.sets)) < len(self.sets):
            raise ValueError("join.wanted.sets names a set twice; name each set once")
        if len(self.fill) >= self.seats:
            raise ValueError(
                f"join.wanted.fill has {len(self.fill)} bots for {self.seats} seats, of which one is yours;"
                f" give at most {self.seats - 1}"
            )
        return self


class Hello(_FromClient):
    """The first message: who the client is and which protocol it speaks. Answered by `welcome`."""

    type: Literal["hello"] = "hello"
    protocol: Version = Field(description='The protocol version, "major.minor".')
    name: Name = Field(description="The player's name, of 1 to 32 visible characters.")
    token: Secret | None = Field(
        default=None, repr=False, description="Proves that the name is the client's own."
    )
    resume: Secret | None = Field(
        default=None,
        repr=False,
        description="The key of an earlier `welcome`, to take back the seats.",
    )
    look: bool = Field(
        default=False,
        description="Only look: log in beside the one who plays under this name, to watch games from its seats."
        " Needs `token` or `resume`.",
    )
    software: Printable | None = Field(default=None, description="The bot's program and version.")

    @model_validator(mode="after")
    def _looks_with_proof(self) -> Hello:
        if self.look and self.token is None and self.resume is None:
            raise ValueError("hello.look needs the name's token, or the resume key of its welcome; give one")
        return self


class Join(_FromClient):
    """Take a seat: at a table, in the queue, or at a new table. Answered by `joined`."""

    type: Literal["join"] = "join"
    table: TableId | None = Field(
        default=None, description='The id of a table, or "queue" for the next game that is offered.'
    )
    wanted: Wanted | None = Field(default=None, description="Open a new table for this game instead.")

    @model_validator(mode="after")
    def _one_of_two(self) -> Join:
        if (self.table is None) is (self.wanted is None):
            given = "neither" if self.table is None else "both"
            raise ValueError(f"join has {given} of table and wanted; give exactly one of them")
        return self


class Leave(_FromClient):
    """Give up a seat at a table that has not started, or in the queue. Answered by `left`."""

    type: Literal["leave"] = "leave"
    table: TableId = Field(description='The id of the table, or "queue".')


class Ready(_FromClient):
    """The bot is ready for the game of a `start`. The first clock runs only after all seats are ready."""

    type: Literal["ready"] = "ready"
    game: GameId = Field(description="The game's id.")
    views: bool = Field(default=True, description="Whether each `request` shall bring the seat's view.")
    samples: bool = Field(
        default=False, description="Whether each `request` shall bring a sampled game, for bots that search."
    )


class Move(_FromClient):
    """The answer to a `request`."""

    type: Literal["move"] = "move"
    game: GameId = Field(description="The game's id.")
    id: RequestId = Field(description="The id of the request that is answered.")
    choice: OptionIndex | OptionText = Field(
        description="The index of the chosen option, from 0, or its text form."
    )


class Watch(_FromClient):
    """Get the events of a game. Answered by `start` and `snapshot`, then `events` as they happen."""

    type: Literal["watch"] = "watch"
    game: GameId = Field(description="The game's id.")
    last: EventNumber | None = Field(
        default=None,
        description="The last event already seen: go on after it.",
    )
    seat: Seat | None = Field(
        default=None, description="Watch as this seat sees the game: one under the name of a `look`."
    )


class Unwatch(_FromClient):
    """Get no more events of a watched game. Not answered; events on their way may still come."""

    type: Literal["unwatch"] = "unwatch"
    game: GameId = Field(description="The game's id.")


class ListGames(_FromClient):
    """Ask for the tables and games. Answered by `games`."""

    type: Literal["list"] = "list"


class Ping(_FromClient):
    """Ask for a sign of life. Answered by `pong`."""

    type: Literal["ping"] = "ping"
    data: Printable | None = Field(default=None, description="Text to be sent back.")


class Bye(_FromClient):
    """End the connection and give up its seats: nothing can be resumed. Answered by `bye`."""

    type: Literal["bye"] = "bye"


ClientMessage = Annotated[
    Hello | Join | Leave | Ready | Move | Watch | Unwatch | ListGames | Ping | Bye,
    Field(discriminator="type"),
]
"""Any message that a client may send."""
