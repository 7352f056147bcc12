"""The closed sets: error codes, reasons for a bye, reasons of a seat at the end, why a game ended.

Each member has its meaning beside it, in one sentence; docs/protocol.md is tested against these tables.
A new member needs a new major version of the protocol.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Self


class _Meaningful(StrEnum):
    """A closed set of words, each with a sentence."""

    meaning: str

    def __new__(cls, value: str, meaning: str) -> Self:
        member = str.__new__(cls, value)
        member._value_ = value
        member.meaning = meaning
        return member


class ByeReason(_Meaningful):
    """Why the server ends a connection."""

    BYE = "bye", "The client said bye."
    VERSION = (
        "version",
        "The client speaks another major version of the protocol, or plain where TLS is wanted.",
    )
    LINE_TOO_LONG = "line-too-long", "The client sent a line over the limit."
    FLOOD = "flood", "The client sent messages faster than the limit allows, after a warning."
    SILENT = "silent", "The client did not say hello in time, or has said and done nothing for long."
    SLOW = (
        "slow",
        "The client did not read what it was sent; it is cut off without a `bye`, which it would not read either.",
    )
    REFUSED = "refused", "The client gave a wrong token or resume key too often, or its token was revoked."
    REPLACED = "replaced", "The client's seats were resumed on another connection."
    FULL = "full", "The server takes no more connections, in all or from this address, or no more names."
    SHUTDOWN = "shutdown", "The server stops."
    SERVER_FAULT = "server-fault", "The server failed; the client did nothing wrong."


class ErrorCode(StrEnum):
    """What was wrong with what a client sent. `closes` is the reason of the bye that follows, if any."""

    meaning: str
    closes: ByeReason | None

    def __new__(cls, value: str, meaning: str, closes: ByeReason | None = None) -> Self:
        member = str.__new__(cls, value)
        member._value_ = value
        member.meaning = meaning
        member.closes = closes
        return member

    # The line cannot be read.
    LINE_TOO_LONG = "line-too-long", "The line is over the limit of `welcome`.", ByeReason.LINE_TOO_LONG
    NOT_UTF8 = "not-utf8", "The line is not valid UTF-8, or has half of a surrogate pair."
    NOT_JSON = "not-json", "The line is not JSON."
    NOT_OBJECT = "not-object", "The line is JSON, but not an object."
    DUPLICATE_KEY = "duplicate-key", "A key stands twice in one object, at any depth."
    BAD_NUMBER = "bad-number", "A number is not finite, negative zero, or has too many digits."
    TOO_DEEP = "too-deep", "Lists and objects are nested deeper than any message needs."

    # The line is an object, but no message.
    UNKNOWN_TYPE = "unknown-type", "No message for the server has this type."
    MISSING_FIELD = "missing-field", "A field that must be there is not."
    UNKNOWN_FIELD = "unknown-field", "A field is there that this message does not have."
    BAD_VALUE = "bad-value", "A field has a value of the wrong type or out of its bounds."

    # The login.
    VERSION = (
        "version",
        "`hello` names no protocol version, or another major one; or it comes plain on a port for TLS.",
        ByeReason.VERSION,
    )
    HELLO_FIRST = "hello-first", "Nothing but `hello` and `bye` may come before `welcome`."
    HELLO_TWICE = "hello-twice", "This connection has been welcomed already."
    BAD_NAME = "bad-name", "The name breaks the rule for names."
    NAME_TAKEN = "name-taken", "Somebody else has this name, or one that looks like it."
    BAD_TOKEN = "bad-token", "The token is not the one of this name, or a token is needed."
    BAD_RESUME = "bad-resume", "No open connection state belongs to this resume key and name."

    # Tables and the queue.
    NO_SUCH_TABLE = "no-such-table", "No open table has this id; it may have started or closed."
    TABLE_FULL = "table-full", "All seats of the table are taken."
    ALREADY_JOINED = "already-joined", "The client sits at this table, or waits in the queue, already."
    NOT_JOINED = "not-joined", "The client does not sit at this table, or does not wait in the queue."
    NOT_OFFERED = (
        "not-offered",
        "This server does not offer the wanted rules, clock, seed, bot or place to this client.",
    )
    TOO_MANY_GAMES = "too-many-games", "The connection has as many seats as `welcome` allows."

    # Games.
    NO_SUCH_GAME = "no-such-game", "No game with this id is known."
    NOT_SEATED = "not-seated", "The client has no seat in this game."
    NOT_STARTED = "not-started", "The game waits for its players to get ready."
    GAME_OVER = "game-over", "The game has ended; a move that crossed with the end is no fault."
    NOT_ASKED = "not-asked", "This request id has not been sent to this seat."
    TOO_LATE = "too-late", "The request has been answered already, by the client or by its default."
    BAD_CHOICE = "bad-choice", "The choice is not among the options of the request; it counts as a try."
    RETIRED = "retired", "The seat has been retired; its defaults are played."
    ALREADY_WATCHING = "already-watching", "The connection gets the stream of this game already."
    NOT_WATCHING = "not-watching", "The connection does not watch this game."

    # The server.
    FLOOD = (
        "flood",
        "More comes than a limit allows now; it is dropped, and what was asked for can be asked for again in a moment.",
    )
    SERVER_FULL = (
        "server-full",
        "The server takes no more connections, in all or from this address, or no more names.",
        ByeReason.FULL,
    )
    SERVER_FAULT = "server-fault", "The server failed at this message; the client did nothing wrong."


class EndReason(StrEnum):
    """How one seat came to the end of a game. `rated`: whether a game with such a seat counts."""

    meaning: str
    rated: bool

    def __new__(cls, value: str, meaning: str, rated: bool) -> Self:
        member = str.__new__(cls, value)
        member._value_ = value
        member.meaning = meaning
        member.rated = rated
        return member

    NORMAL = "normal", "The seat played to the end; its place follows from its credits.", True
    TIMEOUT = "timeout", "Retired for running out of time; ranks after all seats that finished.", True
    ILLEGAL = "illegal", "Retired for wrong answers; ranks after all seats that finished.", True
    DISCONNECT = "disconnect", "Left and did not resume in time; ranks after all that finished.", True
    CRASH = "crash", "Its program ended or was killed; ranks after all seats that finished.", True
    REFUSED = "refused", "Did not come or did not get ready; the game is not played, nobody loses.", False
    ABORTED = "aborted", "The organiser or the server stopped the game; nobody loses.", False
    REFEREE_FAULT = "referee-fault", "The referee failed; nobody loses.", False


class GameOver(_Meaningful):
    """Why a game ended."""

    CREDITS = "credits", "A player had 50 credits or more."
    CARDS = "cards", "No card was left in the draw pile and the discard pile."
    TURNS = "turns", "The limit of turns was reached."
    POWER = "power", "The power of a contract ended or won the game; `power` names it."
    REFUSED = "refused", "A seat did not come or did not get ready; the game was not played."
    ABORTED = "aborted", "The organiser or the server stopped the game."
    REFEREE_FAULT = "referee-fault", "The referee failed."
