"""What the server sends. A newer minor version may add fields and types; clients pass over them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from protocol.codes import ByeReason, EndReason, ErrorCode, GameOver
from protocol.fields import (
    MAX_LISTED,
    MAX_OPTIONS,
    MAX_SEATS,
    MIN_SEATS,
    SEEDED,
    Asked,
    Clock,
    Count,
    Credits,
    EventNumber,
    FirstEvent,
    GameId,
    Hash,
    JsonObject,
    Limits,
    LiveGame,
    Name,
    OptionIndex,
    OptionText,
    Part,
    Place,
    Player,
    Printable,
    Remaining,
    RequestId,
    Rules,
    Salt,
    Seat,
    SeatCount,
    Seconds,
    Secret,
    Seed,
    Table,
    TableId,
    Version,
    Word,
)
from protocol.versions import PROTOCOL

Sentence = Annotated[str, Field(min_length=1, max_length=1000)]


class Welcome(Part):
    """The answer to `hello`: the client is logged in."""

    type: Literal["welcome"] = "welcome"
    protocol: Version = Field(default=PROTOCOL, description='The server\'s protocol version, "major.minor".')
    server: Printable = Field(description="The server's program and version.")
    name: Name = Field(description="The name that the client plays under.")
    resume: Secret = Field(
        repr=False,
        description="A secret: with it `hello` takes back the seats if the connection is lost.",
    )
    limits: Limits = Field(description="What the server allows.")


class Error(Part):
    """Something that the client sent was wrong; nothing has changed because of it."""

    type: Literal["error"] = "error"
    code: ErrorCode = Field(description="What was wrong, a word of the closed set.")
    text: Sentence = Field(description="One sentence for people, with the wrong value and the remedy.")
    expected: Sentence | None = Field(default=None, description="What would have been right.")
    game: GameId | None = Field(default=None, description="The game that the error is about.")
    id: RequestId | None = Field(default=None, description="The request that was answered wrongly.")
    tries: Count | None = Field(
        default=None, description="Tries left for that request; at 0 its default has been played."
    )


class Joined(Part):
    """The client has a seat, or a place in the queue. Sent again when somebody joins or leaves there."""

    type: Literal["joined"] = "joined"
    table: TableId = Field(description='The table\'s id, or "queue".')
    seats: SeatCount | None = Field(default=None, description="Number of seats of the game.")
    waiting: Count | None = Field(
        default=None, description="For the queue: how many wait in it, the client included."
    )
    players: tuple[Name, ...] = Field(
        default=(), max_length=MAX_SEATS, description="Names of those at the table so far."
    )
    rules: Rules | None = Field(default=None, description="Which game it will be; absent for the queue.")
    clock: Clock | None = Field(default=None, description="The time of every seat; absent for the queue.")
    seeded: bool | None = Field(default=None, description=SEEDED)


class Left(Part):
    """The client has no seat at the table, or no place in the queue, any more."""

    type: Literal["left"] = "left"
    table: TableId = Field(description='The table\'s id, or "queue".')


class Start(Part):
    """A game begins, for its players and, at their `watch`, for watchers. Players answer `ready`."""

    type: Literal["start"] = "start"
    game: GameId = Field(description="The game's id.")
    table: TableId | None = Field(default=None, description="The table that it comes from, if any.")
    seat: Seat | None = Field(default=None, description="The client's seat, from 0; absent for a watcher.")
    seats: tuple[Player, ...] = Field(
        min_length=MIN_SEATS, max_length=MAX_SEATS, description="Who plays, by seat."
    )
    rules: Rules = Field(description="Which game is played.")
    clock: Clock = Field(description="The time that every seat has.")
    ready: Seconds = Field(description="Seconds within which `ready` must come; no clock runs meanwhile.")
    catalogue: Hash = Field(description="SHA-256 of the catalogue of cards.")
    commitment: Hash = Field(
        description="SHA-256 of the text `seed:salt`; `end` reveals both, so the deal can be checked."
    )
    luck: Count | None = Field(
        default=None,
        description="For the seat's own random numbers: the same in every game of a deal. Absent for a watcher.",
    )


class Events(Part):
    """What has happened, as this seat or the public may see it."""

    type: Literal["events"] = "events"
    game: GameId = Field(description="The game's id.")
    first: FirstEvent = Field(
        description="Number of the first of these events. Each stream counts its own from 1 without a gap.",
    )
    events: tuple[JsonObject, ...] = Field(description="The events in order; `event` is the kind of each.")


class Request(Part):
    """The seat is asked; answer with `move`. The clock runs from now."""

    type: Literal["request"] = "request"
    game: GameId = Field(description="The game's id.")
    id: RequestId = Field(description="The request's id: counts this seat's requests in this game.")
    kind: Word = Field(description="The kind of decision.")
    options: tuple[OptionText, ...] = Field(
        min_length=1, max_length=MAX_OPTIONS, description="The options, each in its text form."
    )
    default: OptionIndex = Field(description="Index of the option that is played if no answer comes in time.")
    clock: Remaining = Field(description="The time that is left.")
    view: JsonObject | None = Field(default=None, description="All that the seat may see of the game.")
    sample: JsonObject | None = Field(
        default=None, description="A saved game that agrees with all that the seat has seen, if asked for."
    )


class End(Part):
    """A game is over. The lists have one entry for each seat."""

    type: Literal["end"] = "end"
    game: GameId = Field(description="The game's id.")
    why: GameOver = Field(description="Why the game ended, a word of the closed set.")
    power: Word | None = Field(default=None, description="The power that ended it, if `why` is `power`.")
    places: tuple[Place, ...] = Field(
        max_length=MAX_SEATS,
        description="Places from 1, shared in a tie; empty if not played out.",
    )
    credits: tuple[Credits, ...] = Field(
        max_length=MAX_SEATS, description="Final credits; empty if not played out."
    )
    reasons: tuple[EndReason, ...] = Field(
        min_length=MIN_SEATS, max_length=MAX_SEATS, description="How each seat came to the end."
    )
    seed: Seed | None = Field(
        default=None,
        description="The seed; it may be over 2**53, so read it as a big integer."
        " Absent while other games of the deal are to be played.",
    )
    salt: Salt | None = Field(
        default=None, description="The salt of the commitment in `start`; there if `seed` is."
    )
    suspect: bool | None = Field(
        default=None,
        description="`true` if the server stood still so long during the game that it should not count.",
    )


class Snapshot(Part):
    """The game as it stands, for a watcher who begins and for a seat that is resumed."""

    type: Literal["snapshot"] = "snapshot"
    game: GameId = Field(description="The game's id.")
    number: EventNumber = Field(description="Number of the last event that it includes; the next follows it.")
    seat: Seat | None = Field(default=None, description="Whose view it is; absent for the public.")
    view: JsonObject = Field(description="All that this seat, or the public, may see.")
    asked: Asked | None = Field(
        default=None, description="Whose decision is waited for; for watchers, while the game is played."
    )


class Pong(Part):
    """The answer to `ping`."""

    type: Literal["pong"] = "pong"
    data: Printable | None = Field(default=None, description="The text of the `ping`.")


class Games(Part):
    """The answer to `list`."""

    type: Literal["games"] = "games"
    tables: tuple[Table, ...] = Field(max_length=MAX_LISTED, description="Tables that wait for players.")
    games: tuple[LiveGame, ...] = Field(max_length=MAX_LISTED, description="Games that are being played.")
    queue: Count = Field(description="Clients that wait in the queue.")
    omitted: Count = Field(default=0, description="Tables and games that are not listed for lack of room.")


class Goodbye(Part):
    """The server ends the connection; nothing follows."""

    type: Literal["bye"] = "bye"
    reason: ByeReason = Field(description="Why, a word of the closed set.")
    text: Sentence | None = Field(default=None, description="One sentence for people.")
    suspended: tuple[GameId, ...] | None = Field(
        default=None,
        max_length=MAX_LISTED,
        description="Games of the client that go on when the server is started again.",
    )


ServerMessage = Annotated[
    Welcome | Error | Joined | Left | Start | Events | Request | End | Snapshot | Pong | Games | Goodbye,
    Field(discriminator="type"),
]
"""Any message that the server sends."""
