"""The state of one connection, as the server sees it: bytes in, messages out, and what is legal when.

    NEW ---- hello, answered by welcome ----> GREETED
     |                                           |
     +-- bye, from either side, or a fault that closes --> CLOSED

A session knows nothing of tables, games or sockets. What a message means is decided by its user, who says
`send` for the answer.
"""

from __future__ import annotations

from enum import Enum
from typing import Final

from protocol.client_messages import Bye, ClientMessage, Hello
from protocol.codes import ErrorCode
from protocol.encoding import encode
from protocol.errors import LocalError, PhaseError, ProtocolError
from protocol.fields import Part
from protocol.framing import MAX_CLIENT_LINE, LineBuffer
from protocol.messages import CLIENT_MESSAGES, SERVER_MESSAGES
from protocol.parsing import parse_client
from protocol.schema import schema
from protocol.server_messages import Error, Goodbye, Welcome


class State(Enum):
    """How far a connection has come."""

    NEW = "new"  # waits for hello
    GREETED = "greeted"  # logged in
    CLOSED = "closed"  # nothing more is read; the last words may still be sent


TRANSITIONS: Final[dict[State, dict[type[Part], State]]] = {
    State.NEW: {
        Hello: State.NEW,  # until `send(Welcome(...))`: the name or token may be refused
        Bye: State.CLOSED,
        Welcome: State.GREETED,
        Error: State.NEW,
        Goodbye: State.CLOSED,
    },
    State.GREETED: {
        **dict.fromkeys(CLIENT_MESSAGES.values(), State.GREETED),
        **dict.fromkeys(SERVER_MESSAGES.values(), State.GREETED),
        Bye: State.CLOSED,
        Goodbye: State.CLOSED,
    },
    State.CLOSED: {Error: State.CLOSED, Goodbye: State.CLOSED},
}
"""What may come or go in each state, and the state after it."""

del TRANSITIONS[State.GREETED][Hello], TRANSITIONS[State.GREETED][Welcome]


class ServerSession:
    """The server's end of one connection.

    Call `receive_data` with each chunk, then `next_message` until it returns None.
    """

    def __init__(self, max_line: int = MAX_CLIENT_LINE) -> None:
        self.state = State.NEW
        self._lines = LineBuffer(max_line)
        schema()  # made once, in 30 ms; else the first bad line would take them from running games

    def receive_data(self, data: bytes | bytearray | memoryview) -> None:
        """Add what has arrived; nothing is kept of a closed connection."""
        if self.state is not State.CLOSED:
            self._lines.receive_data(data)

    def next_message(self) -> ClientMessage | None:
        """The next message, or None until more data has arrived or if the connection is closed.

        Raises `ProtocolError` for a bad one, of which nothing else comes; tell it to the client with
        `error_for`, then go on. If its code `closes`, the session is closed and a `Goodbye` is due.
        """
        if self.state is State.CLOSED:
            return None
        try:
            line = self._lines.next_line()
            if line is None:
                return None
            message = parse_client(line)
            self.state = self._after(message)
        except ProtocolError as fault:
            if fault.code.closes is not None:
                self.state = State.CLOSED
            raise
        return message

    def send(self, message: Part) -> bytes:
        """The line of a server's message, and the step that it means: `Welcome` greets, `Goodbye` closes.

        Raises `LocalError` for a message that may not be sent in this state. Lines made by `request_line`
        and `events_line` change no state and need not pass here.
        """
        after = TRANSITIONS[self.state].get(type(message))
        if after is None or type(message) in CLIENT_MESSAGES.values():
            raise LocalError(
                f"{type(message).__name__} cannot be sent by a server whose session is {self.state.value}"
            )
        line = encode(message)
        self.state = after
        return line

    def _after(self, message: ClientMessage) -> State:
        after = TRANSITIONS[self.state].get(type(message))
        if after is not None:
            return after
        if self.state is State.NEW:
            raise PhaseError(
                ErrorCode.HELLO_FIRST,
                f"{message.type} came before the welcome; send hello and wait for its answer",
                expected='"hello" or "bye"',
            )
        raise PhaseError(
            ErrorCode.HELLO_TWICE,
            "hello came on a connection that is welcomed already; open another connection to log in anew",
            expected="any message but hello",
        )
