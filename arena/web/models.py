"""What the JSON of the HTTP side looks like: pydantic models, and their schema as one document.

`/api/schema` serves the schema, and `docs/watching.md` explains it. Names, texts and ids are data of players:
a page must show them as text.
"""

from __future__ import annotations

from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field
from pydantic.json_schema import models_json_schema

from protocol.fields import Name, Rules, Secret


class Value(BaseModel):
    """Frozen; numbers are finite."""

    model_config = ConfigDict(frozen=True, allow_inf_nan=False)


class Outcome(Value):
    """How a game ended. The lists have one entry for each seat."""

    complete: bool = Field(description="Whether it was played to its end; else it has no places and credits.")
    reason: str = Field(description="Why it ended: credits, cards, turns, a power; or aborted, refused, ...")
    places: tuple[int, ...] = Field(description="Places from 1, shared in a tie.")
    credits: tuple[int, ...] = Field(description="Final credits.")
    reasons: tuple[str, ...] = Field(description="How each seat came to the end; normal, timeout, ...")
    seed: str | None = Field(
        default=None,
        description="The seed of the deal, in decimal digits; absent while the deal may come again.",
    )
    salt: str | None = Field(default=None, description="The salt of the commitment, with the seed.")


class Game(Value):
    """A game in a list."""

    game: str = Field(description="The game's id.")
    names: tuple[str, ...] = Field(description="Who plays, by seat.")
    status: str = Field(description="waiting, live, over, or broken: there is no result.")
    events: int | None = Field(
        default=None, description="Public events so far; of live games of this server only."
    )
    watchers: int | None = Field(
        default=None, description="Who watches over TCP; of live games of this server only."
    )
    turn: int | None = Field(default=None, description="The turn; of live games of this server only.")
    credits: tuple[int, ...] | None = Field(default=None, description="Credits by seat, now or at the end.")
    places: tuple[int, ...] | None = Field(default=None, description="Places by seat, if it is over.")
    reason: str | None = Field(default=None, description="Why it ended, if it is over.")
    reasons: tuple[str, ...] | None = Field(
        default=None, description="How each seat came to the end, if it is over; normal, timeout, ..."
    )
    started: str | None = Field(default=None, description="When it began, UTC.")
    tournament: str | None = Field(default=None, description="The tournament that it belongs to.")


class Games(Value):
    """`/api/games`: the games that are played, and those that were played lately, newest first.

    Those of others that write to the same folders are among them, as a tournament's: at the end of `live`.
    """

    live: tuple[Game, ...]
    lately: tuple[Game, ...]
    tournaments: tuple[str, ...] = Field(description="Names of the tournaments that have a page.")
    more: int = Field(default=0, description="Live games that are not listed.")


class About(Value):
    """`/api/games/ID`, and the event `start` of its stream: what does not change while it is played."""

    game: str
    view: str = Field(description="From where it is seen: public, seat-0 ..., everything.")
    views: tuple[str, ...] = Field(description="The views that can be had now.")
    names: tuple[str, ...] = Field(description="Who plays, by seat.")
    labels: tuple[str, ...] = Field(description="The same as the sentences name them.")
    rules: Rules
    clock: dict[str, float] = Field(description="The time that every seat has: move, bank, ...; in seconds.")
    started: str = Field(description="When it began, UTC, or empty.")
    commitment: str = Field(description="SHA-256 of the text `seed:salt`, told before the deal.")
    tags: dict[str, str | int] = Field(description="The tournament and so on that it belongs to.")
    end_credits: int = Field(description="Credits at which the end is triggered.")
    reveal_after: float | None = Field(
        default=None, description="Seconds after which everything is shown; absent: at the end."
    )
    record: bool = Field(description="Whether the record can be downloaded now.")
    owners: bool = Field(description="Whether the owner of a seat can log in to look from it.")


class Login(Value):
    """What is sent to `/api/owner`."""

    model_config = ConfigDict(extra="forbid", strict=True)

    name: Name = Field(description="The name of a seat.")
    proof: Secret = Field(
        repr=False,
        description="The token of the name; where it has none, the resume key of who plays under it.",
    )


class Asked(Value):
    """Whose decision it is."""

    kind: str
    seats: tuple[int, ...]


class Chosen(Value):
    """What a seat has answered to the decision of the view before."""

    seat: int
    kind: str | None
    index: int
    option: str
    spent: float | None = Field(default=None, description="Seconds that it took.")
    bank: float | None = Field(default=None, description="Seconds left in its bank.")
    fault: str | None = Field(default=None, description="Why the default was played for it.")


class Change(Value):
    """What differs from the view before. Fields that do not differ are absent."""

    set: dict[str, Any] | None = Field(default=None, description="Fields with their new values.")
    unset: tuple[str, ...] | None = Field(default=None, description="Fields that are gone.")
    players: dict[str, dict[str, Any]] | None = Field(
        default=None, description="By seat: the fields of the player that differ."
    )
    ships: dict[str, dict[str, Any]] | None = Field(default=None, description="By number: the whole ship.")


class Moment(Value):
    """A game between two decisions."""

    n: int = Field(description="Its number; the first, the deal, is 0.")
    event: int = Field(description="Number of the last event.")
    view: dict[str, Any] | None = Field(default=None, description="The whole view, in the first moment only.")
    change: Change | None = Field(default=None, description="What differs from the moment before.")
    news: tuple[tuple[str, int | None, str], ...] = Field(
        description="What has happened: kind, seat or null, sentence."
    )
    earned: tuple[tuple[int, str, int], ...] | None = Field(
        default=None, description="Credits that have come or gone: seat, source, how many."
    )
    asked: Asked | None = Field(default=None, description="Absent when the game is over.")
    choices: tuple[Chosen, ...] | None = Field(
        default=None, description="Of the seats whose choices this view shows."
    )


class Moments(Value):
    """The event `moments` of a stream; its id is the number of the last one."""

    status: str = Field(description="loading, waiting, live, over or broken.")
    age: float | None = Field(default=None, description="Seconds since the last moment happened; if live.")
    moments: tuple[Moment, ...]


class End(Value):
    """The event `end` of a stream: nothing follows, and the client should not connect again."""

    status: str = Field(description="over or broken.")
    outcome: Outcome | None = None
    problem: str | None = Field(default=None, description="Why there is no outcome, in one sentence.")


class Contract(Value):
    """One contract of a card."""

    power: str
    name: str
    color: str
    load: tuple[str, ...] = Field(description="The Containers needed: a colour or `any` for each.")
    timing: str
    effect: str


class Card(Value):
    """A commodity card."""

    number: int
    id: str
    name: str
    set: str
    colors: tuple[str, ...]
    action: str
    level: dict[str, int] = Field(description="Goods needed before its contract, by type.")
    contracts: tuple[Contract, ...]


class Cards(Value):
    """`/api/cards`: the catalogue."""

    catalogue: str
    hash: str
    cards: tuple[Card, ...]


class Standing(Value):
    """One line of the standings, best first."""

    name: str
    elo: float
    low: float
    high: float
    live: float = Field(description="The moving Elo.")
    games: int
    points: float
    faults: int = Field(description="Games in which it was retired.")
    default_timeout: int = Field(0, description="Defaults played for it because it was late, before that.")
    default_illegal: int = Field(0, description="Defaults played for it after wrong answers, before that.")
    group: int


class Tournament(Value):
    """`/api/tournaments/NAME`."""

    name: str
    standings: tuple[Standing, ...]
    games: int = Field(description="Games that have been played.")
    notes: tuple[str, ...] = Field(description="What a reader of the standings should know.")


class Fault(Value):
    """Any answer with a status of 400 or more."""

    error: str = Field(description="One sentence.")


ROOTS: Final = (Games, About, Login, Moments, End, Cards, Tournament, Fault)


def schema() -> dict[str, Any]:
    """The JSON Schema of all of them, under `$defs`."""
    _, document = models_json_schema([(model, "serialization") for model in ROOTS])
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **document}
