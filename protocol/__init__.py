"""The wire: messages, framing and versions. Sans-IO: bytes in, messages out; no sockets, no clock.

    session = ServerSession()                 # the server's end of a connection
    session.receive_data(chunk)
    while (message := session.next_message()) is not None: ...
    data = session.send(Pong(data=message.data))

    lines = LineBuffer(MAX_SERVER_LINE)       # the client's end
    lines.receive_data(chunk)
    while (line := lines.next_line()) is not None:
        received = parse_server(line)         # .message .warnings

What the messages mean is told in docs/protocol.md; the server that acts on them is `arena`, the client
`clients`. This package imports neither.
"""

from protocol.codes import ByeReason, EndReason, ErrorCode, GameOver
from protocol.encoding import encode, encode_value, events_line, request_line
from protocol.errors import (
    FramingError,
    LocalError,
    MessageError,
    PhaseError,
    ProtocolError,
    ReadError,
    quote,
)
from protocol.framing import MAX_CLIENT_LINE, MAX_SERVER_LINE, LineBuffer, LineTooLong
from protocol.messages import ClientMessage, ServerMessage, error_for
from protocol.names import MAX_NAME, NameRefused, check_name, name_key
from protocol.parsing import Received, parse_client, parse_server
from protocol.schema import schema
from protocol.seeds import commitment, luck
from protocol.session import ServerSession, State
from protocol.versions import PROTOCOL, check_version

__all__ = [
    "MAX_CLIENT_LINE",
    "MAX_NAME",
    "MAX_SERVER_LINE",
    "PROTOCOL",
    "ByeReason",
    "ClientMessage",
    "EndReason",
    "ErrorCode",
    "FramingError",
    "GameOver",
    "LineBuffer",
    "LineTooLong",
    "LocalError",
    "MessageError",
    "NameRefused",
    "PhaseError",
    "ProtocolError",
    "ReadError",
    "Received",
    "ServerMessage",
    "ServerSession",
    "State",
    "check_name",
    "check_version",
    "commitment",
    "encode",
    "encode_value",
    "error_for",
    "events_line",
    "luck",
    "name_key",
    "parse_client",
    "parse_server",
    "quote",
    "request_line",
    "schema",
]
