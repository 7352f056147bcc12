"""All messages by direction, and the two unions. The models live in `client_messages` and `server_messages`.

    Move(game="g1", id=4, choice="load:hawaiian-salt@ship-1")

In code a message is made with keywords; `type` need not be given.
"""

from __future__ import annotations

from typing import Final, get_args

from protocol.client_messages import (
    QUEUE,
    Bye,
    ClientMessage,
    Hello,
    Join,
    Leave,
    ListGames,
    Move,
    Ping,
    Ready,
    Unwatch,
    Wanted,
    WantedClock,
    Watch,
)
from protocol.errors import ProtocolError
from protocol.fields import Asked, Clock, Limits, LiveGame, Part, Player, Remaining, Rules, Table
from protocol.server_messages import (
    End,
    Error,
    Events,
    Games,
    Goodbye,
    Joined,
    Left,
    Pong,
    Request,
    ServerMessage,
    Snapshot,
    Start,
    Welcome,
)

__all__ = [
    "CLIENT_MESSAGES",
    "QUEUE",
    "SERVER_MESSAGES",
    "Asked",
    "Bye",
    "ClientMessage",
    "Clock",
    "End",
    "Error",
    "Events",
    "Games",
    "Goodbye",
    "Hello",
    "Join",
    "Joined",
    "Leave",
    "Left",
    "Limits",
    "ListGames",
    "LiveGame",
    "Move",
    "Part",
    "Ping",
    "Player",
    "Pong",
    "Ready",
    "Remaining",
    "Request",
    "Rules",
    "ServerMessage",
    "Snapshot",
    "Start",
    "Table",
    "Unwatch",
    "Wanted",
    "WantedClock",
    "Watch",
    "Welcome",
    "error_for",
]


def _by_type(union: object) -> dict[str, type[Part]]:
    members: tuple[type[Part], ...] = get_args(get_args(union)[0])
    return {member.model_fields["type"].default: member for member in members}


CLIENT_MESSAGES: Final = _by_type(ClientMessage)
"""The client's messages by their type tag, in the order of the documentation."""

SERVER_MESSAGES: Final = _by_type(ServerMessage)
"""The server's messages by their type tag, in the order of the documentation."""


def error_for(fault: ProtocolError, tries: int | None = None) -> Error:
    """The message that tells a client its fault; `tries` are those left for the request."""
    return Error(
        code=fault.code,
        text=fault.text,
        expected=fault.expected,
        game=fault.game,
        id=fault.id,
        tries=tries,
    )
