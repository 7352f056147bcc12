"""What stands in a record: the header, the choices, the result; each with its form as JSON and the inverse.

Here a line is checked by itself; whether the lines fit each other is checked in `reading`, whether they fit
the rules in `replay`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from arena.game import Options, OptionsError
from arena.game.setup import MAX_SEED
from arena.records.errors import RecordError
from arena.records.fields import MAX_SECONDS, Fields, is_text
from protocol.codes import EndReason
from protocol.errors import quote
from protocol.seeds import commitment

FORMAT: Final = 1
"""The layout of the file. It changes only when an older reader would misread a newer file."""

RULES_VERSION: Final = 1
"""Goes up with every change after which an old record no longer replays: of a rule, of the order of
options, of what the digest covers. Records of another version are refused by name (S054)."""

DIGEST_EVERY: Final = 50
"""Choices between two digests of the state: they tell where a replay went wrong, and cost 100 us each."""

MAX_CHOICES: Final = 200_000  # of one game; six seats playing at random to the turn cap need under 20,000
MAX_OPTIONS: Final = 10_000  # of one decision; the widest have a few hundred
MAX_CREDITS: Final = 1_000_000  # far over any game
MAX_NAME: Final = 64  # characters of a player's name; the protocol allows 32, entrants of a tournament 60
MAX_TAGS: Final = 32  # where a game belongs: tournament, block, seating, entrants
MAX_TAG: Final = 200  # characters of one
MAX_END: Final = 200  # characters about how a program ended
CLOCK: Final = ("move", "bank", "increment", "grace")

GAME_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")  # safe in the name of a file and in a URL
HASH: Final = re.compile(r"[0-9a-f]{64}")
SALT: Final = re.compile(r"[0-9a-f]{32,64}")  # 128 to 256 bits
STARTED: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?Z")
WORD: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
PRINTABLE: Final = re.compile(r"[ -~]{1,200}")
DIGITS: Final = re.compile(r"0|[1-9][0-9]{0,77}")  # 2**256 has 78 digits

REASONS: Final = {reason.value: reason for reason in EndReason}

RETIRED: Final = (EndReason.TIMEOUT, EndReason.ILLEGAL, EndReason.DISCONNECT, EndReason.CRASH)
"""Reasons of a seat that did not play to the end itself; it ranks after all that did."""

UNPLAYED: Final = (EndReason.REFUSED, EndReason.ABORTED, EndReason.REFEREE_FAULT)
"""Reasons of a game that was not played to its end."""


@dataclass(frozen=True, slots=True)
class Header:
    """The first line: all that is needed to play the game again, and where it came from."""

    game: str  # the game's id
    options: Options
    seats: tuple[str, ...]  # names of the players, by seat
    seed: int
    salt: str  # makes the seed unguessable from the commitment; hex, from `secrets`
    catalogue: str  # the name
    catalogue_hash: str
    started: str = ""  # UTC, as 2026-01-31T12:00:00Z; the caller's clock, "" if it does not tell
    software: str = ""  # what wrote the record, with its version
    clock: dict[str, float] = field(default_factory=dict)  # seconds: move, bank, increment, grace
    tags: dict[str, str | int] = field(default_factory=dict)
    rules: int = RULES_VERSION

    @property
    def commitment(self) -> str:
        """What was told to all before the game (see `protocol.seeds`)."""
        return commitment(self.seed, self.salt)

    def to_json(self) -> dict[str, Any]:
        """The fields in the order of the file; optional ones that are empty are left out."""
        values = {
            "type": "header",
            "kind": "game",
            "format": FORMAT,
            "rules": self.rules,
            "game": self.game,
            "catalogue": {"name": self.catalogue, "hash": self.catalogue_hash},
            "options": self.options.to_json(),
            "seats": list(self.seats),
            "seed": str(self.seed),  # a text, since many readers of JSON keep only 53 bits of a number
            "salt": self.salt,
            "commitment": self.commitment,
        }
        for name in ("started", "software", "clock", "tags"):
            if value := getattr(self, name):
                values[name] = value
        return values

    @classmethod
    def from_json(cls, values: dict[str, Any], line: int = 1) -> Header:
        """The inverse of `to_json`; raises `RecordError`."""
        fields = Fields(values, line)
        fields.constant("type", "header", "a record begins with its header")
        fields.constant("kind", "game", "there are records of games only")
        fields.constant("format", FORMAT, "take a release that reads this format")
        catalogue = fields.inner("catalogue")
        header = cls(
            rules=fields.integer("rules", 0, 10**6),
            game=fields.text("game", GAME_ID, "1 to 64 letters, digits, dots, dashes and underscores"),
            catalogue=catalogue.free_text("name", MAX_NAME),
            catalogue_hash=catalogue.text("hash", HASH, "64 hex digits"),
            options=read_options(fields.take("options"), line),
            seats=tuple(fields.entries("seats")),
            seed=int(fields.text("seed", DIGITS, "a whole number in decimal digits, as a text")),
            salt=fields.text("salt", SALT, "32 to 64 hex digits"),
            started=fields.text("started", STARTED, "a time like 2026-01-31T12:00:00Z", optional=True),
            software=fields.text("software", PRINTABLE, "1 to 200 printable characters", optional=True),
            clock=read_clock(fields.take("clock"), line) if "clock" in fields else {},
            tags=read_tags(fields.take("tags"), line) if "tags" in fields else {},
        )
        catalogue.done()
        told = fields.text("commitment", HASH, "64 hex digits")
        fields.done()
        if header.seed > MAX_SEED:
            raise RecordError(f"the seed {header.seed} is over 2**256 - 1", line)
        if len(header.seats) != header.options.players:
            raise RecordError(f"{len(header.seats)} names for {header.options.players} seats", line)
        for name in header.seats:
            if not is_text(name, MAX_NAME):
                raise RecordError(
                    f"{quote(name)} is no name; one has 1 to {MAX_NAME} characters without controls", line
                )
        if told != header.commitment:
            raise RecordError(
                f"the commitment is {told[:12]}..., but the seed and the salt give {header.commitment[:12]}...;"
                " the game was not dealt from the seed that was promised",
                line,
            )
        return header


@dataclass(frozen=True, slots=True)
class Choice:
    """One accepted choice. The times are the referee's; nothing in a replay depends on them."""

    number: int  # from 1
    seat: int
    index: int
    text: str  # the text form of the option at `index`
    digest: str = ""  # of the state after this choice; in every `DIGEST_EVERY`th
    spent: float = -1  # seconds that the seat took; below 0: not told
    bank: float = -1  # seconds left in its bank after that; below 0: not told
    fault: EndReason | None = None  # why the default was played for the seat
    retired: bool = False  # the seat is retired: all its choices are defaults from now on
    network: float = -1  # of `spent`, seconds that the network took; below 0: not known
    lag: float = -1  # seconds that the referee lost meanwhile, not in `spent`; below 0: not told

    @property
    def defaulted(self) -> bool:
        """Whether the default was played for a seat that went on playing."""
        return self.fault is not None and not self.retired

    def to_json(self) -> dict[str, Any]:
        """The fields in the order of the file."""
        values: dict[str, Any] = {
            "type": "choice",
            "n": self.number,
            "seat": self.seat,
            "choice": self.index,
            "option": self.text,
        }
        for name in ("spent", "network", "lag", "bank"):
            if (seconds := getattr(self, name)) >= 0:
                values[name] = round(seconds, 6)
        if self.fault is not None:
            values["fault"] = self.fault.value
        if self.retired:
            values["retired"] = True
        if self.digest:
            values["digest"] = self.digest
        return values

    @classmethod
    def from_json(cls, values: dict[str, Any], line: int) -> Choice:
        """The inverse of `to_json`; raises `RecordError`."""
        fields = Fields(values, line)
        fields.constant("type", "choice", "choices stand between the header and the result")
        fault = fields.word("fault", [reason.value for reason in RETIRED], optional=True)
        choice = cls(
            number=fields.integer("n", 1, MAX_CHOICES),
            seat=fields.integer("seat", 0, 5),
            index=fields.integer("choice", 0, MAX_OPTIONS - 1),
            text=fields.text("option", PRINTABLE, "the text form of an option"),
            spent=fields.seconds("spent"),
            network=fields.seconds("network"),
            lag=fields.seconds("lag"),
            bank=fields.seconds("bank"),
            fault=REASONS[fault] if fault else None,
            retired=fields.flag("retired", optional=True),
            digest=fields.text("digest", HASH, "64 hex digits", optional=True),
        )
        fields.done()
        if choice.retired and choice.fault is None:
            raise RecordError("the seat is retired, so there must be a fault that says why", line)
        return choice


@dataclass(frozen=True, slots=True)
class Outcome:
    """The last line: how the game ended. A game that was not played to its end has no places and no credits."""

    complete: bool
    places: tuple[int, ...]  # those of the rules, with retired seats after the others (`ranked`)
    credits: tuple[int, ...]
    reason: str  # credits, cards, turns or the power that ended it; else one of `UNPLAYED`
    reasons: tuple[EndReason, ...]  # how each seat came to the end
    choices: int
    digest: str  # of the last state
    suspect: bool = False  # the referee lost so much time in one piece that the game should not count
    ends: tuple[
        str, ...
    ] = ()  # by seat: how its program ended in the game, "" if it did not; empty if none did

    def to_json(self) -> dict[str, Any]:
        """The fields in the order of the file."""
        values = {
            "type": "result",
            "complete": self.complete,
            "places": list(self.places),
            "credits": list(self.credits),
            "reason": self.reason,
            "reasons": [reason.value for reason in self.reasons],
            "choices": self.choices,
            "digest": self.digest,
        }
        if self.suspect:
            values["suspect"] = True
        if self.ends:
            values["ends"] = list(self.ends)
        return values

    @classmethod
    def from_json(cls, values: dict[str, Any], line: int) -> Outcome:
        """The inverse of `to_json`; raises `RecordError`."""
        fields = Fields(values, line)
        fields.constant("type", "result", "the result is the last line")
        reasons = fields.entries("reasons")
        for reason in reasons:
            if type(reason) is not str or reason not in REASONS:
                raise RecordError(f'"reasons" has {quote(reason)}; expected {", ".join(REASONS)}', line)
        outcome = cls(
            complete=fields.flag("complete"),
            places=fields.integers("places", 1, 6),
            credits=fields.integers("credits", -MAX_CREDITS, MAX_CREDITS),
            reason=fields.text("reason", WORD, "a word of small letters, digits and dashes"),
            reasons=tuple(REASONS[reason] for reason in reasons),
            choices=fields.integer("choices", 0, MAX_CHOICES),
            digest=fields.text("digest", HASH, "64 hex digits"),
            suspect=fields.flag("suspect", optional=True),
            ends=fields.texts("ends", MAX_END) if "ends" in fields else (),
        )
        fields.done()
        return outcome.check(line)

    def check(self, line: int | None = None) -> Outcome:
        """The same outcome; raises `RecordError` if its parts contradict each other."""
        told = len(self.reasons) if self.complete else 0
        if len(self.places) != told or len(self.credits) != told:
            raise RecordError(
                f"{len(self.places)} places and {len(self.credits)} credits for {len(self.reasons)} seats;"
                " a game played to its end has one for each, any other none",
                line,
            )
        unplayed = [reason.value for reason in UNPLAYED]
        if self.complete == (self.reason in unplayed):
            raise RecordError(
                f"the reason {self.reason} does not go with a game that was"
                f" {'' if self.complete else 'not '}played to its end",
                line,
            )
        if self.complete and any(reason in UNPLAYED for reason in self.reasons):
            raise RecordError("a seat did not play, but the game has places; leave them empty", line)
        if self.ends and len(self.ends) != len(self.reasons):
            raise RecordError(
                f'"ends" has {len(self.ends)} texts for {len(self.reasons)} seats; it has one for each, or is left out',
                line,
            )
        for reason, how in zip(self.reasons, self.ends, strict=False):
            if how and reason is not EndReason.CRASH:
                raise RecordError(
                    f'"ends" tells how a program ended whose seat came to the end by {reason.value}; it is for crash',
                    line,
                )
        return self


def ranked(places: Sequence[int], reasons: Sequence[EndReason]) -> tuple[int, ...]:
    """The places of the rules with the seats that were retired after all that finished.

    Within each of the two groups the order by the rules stands, and ties stay ties.
    """
    keys = [(reason in RETIRED, place) for place, reason in zip(places, reasons, strict=True)]
    return tuple(1 + sum(other < key for other in keys) for key in keys)


def read_options(values: Any, line: int | None = None) -> Options:
    """The options of a game from their JSON; raises `RecordError`."""
    if type(values) is not dict or sorted(values) != sorted(Options._fields):
        raise RecordError(f'"options" must have {", ".join(Options._fields)} and nothing else', line)
    try:
        options = Options(**{**values, "sets": tuple(values["sets"])}).check()
    except (OptionsError, TypeError) as error:
        raise RecordError(f"the options cannot be played: {error}", line) from None
    if options.to_json() != values:
        raise RecordError("the sets of the options are not in their usual order", line)
    return options


def read_clock(clock: Any, line: int) -> dict[str, float]:
    """The time that each seat has, in seconds; raises `RecordError`."""
    if type(clock) is not dict:
        raise RecordError(f'"clock" is {quote(clock)}; expected an object', line)
    for name, value in clock.items():
        if name not in CLOCK or type(value) not in (int, float) or not 0 <= value <= MAX_SECONDS:
            raise RecordError(f'"clock" may give seconds for {", ".join(CLOCK)}, not {quote(name)}', line)
    return clock


def read_tags(tags: Any, line: int) -> dict[str, str | int]:
    """Where a game belongs; raises `RecordError`."""
    if type(tags) is not dict or len(tags) > MAX_TAGS:
        raise RecordError(f'"tags" is {quote(tags)}; expected an object with at most {MAX_TAGS} fields', line)
    for name, value in tags.items():
        if WORD.fullmatch(name) is None or not (is_text(value, MAX_TAG) or type(value) is int):
            raise RecordError(f"the tag {quote(name)} must be a word, with a text or a whole number", line)
    return tags
