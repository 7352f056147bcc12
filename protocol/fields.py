"""The values that messages are made of: ids, numbers with their bounds, clocks, rules. No messages here."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue

from protocol.names import NAME_RULE, check_name
from protocol.versions import PROTOCOL, check_version

MIN_SEATS: Final = 2
MAX_SEATS: Final = 6
MAX_SEED: Final = 2**64 - 1
MAX_REQUESTS: Final = 2**31 - 1  # per seat and game; a game has a few hundred
MAX_OPTIONS: Final = 10_000  # of one request; the widest decisions have a few hundred
MAX_TEXT: Final = 200  # characters of an option's text form; the longest has under 120
MAX_COUNT: Final = 2**53 - 1  # the largest number that every JSON reader keeps exact
MAX_LISTED: Final = 500  # tables, and games, of one `games`: keeps its line under MAX_SERVER_LINE
MIN_MOVE_SECONDS: Final = 0.01  # below it the network decides, not the bot
MAX_SECONDS: Final = 86_400.0  # one day: games by correspondence are not for sockets
MAX_CREDITS: Final = 1_000_000  # far over any game; the total may be negative (Q68)


SEEDED: Final = "True if who opened the table has named the seed, and so may know every card."


def in_words(words: str) -> dict[str, JsonValue]:
    """For the schema of a string: what it must be like, in the words that errors and documents use."""
    return {"x-words": words}


_ID = '1 to 64 letters, digits, ".", "_" or "-", beginning with a letter or digit'
_WORD = '1 to 64 small letters, digits or "-", not beginning with "-"'

Name = Annotated[str, Field(json_schema_extra=in_words(NAME_RULE)), AfterValidator(check_name)]
GameId = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$", json_schema_extra=in_words(_ID))]
TableId = GameId  # both are safe in the name of a file and in a URL
Word = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,63}$", json_schema_extra=in_words(_WORD))]
Secret = Annotated[
    str,
    Field(
        pattern=r"^[!-~]{1,200}$",
        json_schema_extra=in_words("1 to 200 printable ASCII characters, no blanks"),
    ),
]
Printable = Annotated[
    str,
    Field(
        pattern=r"^[ -~]{0,100}$",  # room for a time stamp, a counter, a program's name and version
        json_schema_extra=in_words("at most 100 printable ASCII characters"),
    ),
]
Version = Annotated[
    str, Field(json_schema_extra=in_words(f'a string like "{PROTOCOL}"')), AfterValidator(check_version)
]
Hash = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$", json_schema_extra=in_words("64 hex digits"))]
Salt = Annotated[str, Field(pattern=r"^[0-9a-f]{32,64}$", json_schema_extra=in_words("32 to 64 hex digits"))]

Seat = Annotated[int, Field(ge=0, lt=MAX_SEATS)]
SeatCount = Annotated[int, Field(ge=MIN_SEATS, le=MAX_SEATS)]
Place = Annotated[int, Field(ge=1, le=MAX_SEATS)]
Credits = Annotated[int, Field(ge=-MAX_CREDITS, le=MAX_CREDITS)]
Seed = Annotated[int, Field(ge=0, le=MAX_SEED)]
RequestId = Annotated[int, Field(ge=1, le=MAX_REQUESTS)]
OptionIndex = Annotated[int, Field(ge=0, lt=MAX_OPTIONS)]
OptionText = Annotated[str, Field(min_length=1, max_length=MAX_TEXT)]
EventNumber = Annotated[int, Field(ge=0, le=MAX_COUNT)]  # 0 is before the first event
FirstEvent = Annotated[int, Field(ge=1, le=MAX_COUNT)]
Count = Annotated[int, Field(ge=0, le=MAX_COUNT)]
Seconds = Annotated[float, Field(ge=0, le=MAX_SECONDS)]
JsonObject = dict[str, Any]

SetName = Literal["capital", "tokyo", "kickstarter", "kickstarter2", "j", "flag", "tokyo-port"]
Containers = Literal["cards", "tokens", "tokens-everywhere"]


def _require_type(schema: dict[str, Any]) -> None:
    """In code `type` has a default; on the wire it must be there."""
    if "type" in schema.get("properties", {}):
        schema["required"] = ["type", *schema.get("required", [])]


class Part(BaseModel):
    """A message or an object inside one: frozen, nothing coerced (a bool is no int, "2" is no 2).

    What a server says may carry fields that a newer minor version added; what a client says may not, and
    the models of its messages forbid them.
    """

    model_config = ConfigDict(
        frozen=True,
        strict=True,
        extra="allow",
        allow_inf_nan=False,
        ser_json_inf_nan="constants",  # not null: `encoding` finds and refuses them
        json_schema_extra=_require_type,
    )


class Clock(Part):
    """The time that every seat of a game has."""

    move: float = Field(ge=MIN_MOVE_SECONDS, le=MAX_SECONDS, description="Seconds for each move.")
    bank: Seconds = Field(
        default=0.0, description="Seconds for the whole game, used when a move takes longer."
    )
    increment: Seconds = Field(
        default=0.0, description="Seconds added to the bank after each move, until it has 86400."
    )
    grace: Seconds = Field(
        default=0.0,
        description="Seconds of each move that are not charged: the allowance for the network.",
    )


class Remaining(Part):
    """The time that a seat has left when a request is sent; never below zero."""

    move: Seconds = Field(description="Seconds left of this move, without the grace.")
    bank: Seconds = Field(description="Seconds left in the bank, used after those of the move.")


class Asked(Part):
    """Whose decision is waited for."""

    kind: Word = Field(description="The kind of decision.")
    seats: tuple[Seat, ...] = Field(
        min_length=1,
        max_length=MAX_SEATS,
        description="Who is asked; of sealed bids all bidders, until the last bid is in.",
    )
    age: Seconds = Field(description="Seconds since the last event.")
    clock: Remaining | None = Field(
        default=None, description="The time that the seat whose view it is has left, if it is asked."
    )


class Rules(Part):
    """Which game is played."""

    sets: tuple[SetName, ...] = Field(
        default=(),
        max_length=7,
        fail_fast=True,
        description="Expansions in play, each at most once; `tokyo-port` is the Tokyo Port without its cards.",
    )
    market: bool = Field(default=False, description="Whether the Commodity Market is in play.")
    containers: Containers = Field(
        default="cards",
        description="What the Containers are; `tokens-everywhere`: also Crew and Goods.",
    )


class Player(Part):
    """Who sits at a seat."""

    name: Name = Field(description="The name.")


class Limits(Part):
    """What the server allows; each is a promise until the connection ends."""

    line: int = Field(ge=1024, le=2**31 - 1, description="Bytes of the longest line that a client may send.")
    tries: int = Field(ge=1, le=1000, description="Wrong answers to a request; then its default is played.")
    faults: int = Field(ge=1, le=MAX_REQUESTS, description="Faults of a seat; then it is retired.")
    ready: Seconds = Field(description="Seconds from `start` until `ready` must have come.")
    resume: Seconds = Field(description="Seconds after a lost connection in which its seats can be resumed.")
    games: int = Field(ge=1, le=10_000, description="Seats that one connection may hold at once.")
    rate: int = Field(ge=1, le=1_000_000, description="Messages per second that a client may send.")


class Table(Part):
    """A table that waits for players."""

    table: TableId = Field(description="The table's id, for `join`.")
    seats: SeatCount = Field(description="Number of seats.")
    players: tuple[Name, ...] = Field(max_length=MAX_SEATS, description="Names of those who sit there.")
    rules: Rules = Field(description="Which game is played.")
    clock: Clock = Field(description="The time that every seat has.")
    seeded: bool | None = Field(default=None, description=SEEDED)


class LiveGame(Part):
    """A game that is being played."""

    game: GameId = Field(description="The game's id, for `watch`.")
    players: tuple[Name, ...] = Field(max_length=MAX_SEATS, description="Names by seat.")
    number: EventNumber = Field(description="Number of the last public event, 0 before the first.")
    watchers: Count = Field(description="Connections that watch it.")
