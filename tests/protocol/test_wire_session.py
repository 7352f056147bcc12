"""What may be said when; the table of transitions is driven from both sides."""

from __future__ import annotations

import pytest

from protocol import (
    ByeReason,
    ErrorCode,
    LocalError,
    PhaseError,
    ProtocolError,
    ServerSession,
    State,
    encode,
    error_for,
)
from protocol.framing import LineTooLong
from protocol.messages import (
    CLIENT_MESSAGES,
    Bye,
    Error,
    Goodbye,
    Hello,
    Limits,
    Move,
    Ping,
    Pong,
    Welcome,
)
from protocol.session import TRANSITIONS

HELLO = encode(Hello(protocol="1.0", name="Alpha"))
WELCOME = Welcome(
    server="arena",
    name="Alpha",
    resume="key",
    limits=Limits(line=65536, tries=3, faults=5, ready=30.0, resume=30.0, games=16, rate=200),
)
EXAMPLES = {
    "hello": HELLO,
    "join": b'{"type":"join","table":"queue"}\n',
    "leave": b'{"type":"leave","table":"queue"}\n',
    "ready": b'{"type":"ready","game":"g1"}\n',
    "move": b'{"type":"move","game":"g1","id":1,"choice":0}\n',
    "watch": b'{"type":"watch","game":"g1"}\n',
    "unwatch": b'{"type":"unwatch","game":"g1"}\n',
    "list": b'{"type":"list"}\n',
    "ping": b'{"type":"ping"}\n',
    "bye": b'{"type":"bye"}\n',
}


def session_in(state: State) -> ServerSession:
    session = ServerSession()
    if state is not State.NEW:
        session.receive_data(HELLO)
        session.next_message()
        session.send(WELCOME)
    if state is State.CLOSED:
        session.send(Goodbye(reason=ByeReason.SHUTDOWN))
    assert session.state is state
    return session


@pytest.mark.parametrize("name", CLIENT_MESSAGES)
def test_before_the_welcome_only_hello_and_bye_may_come(name):
    session = session_in(State.NEW)
    session.receive_data(EXAMPLES[name])
    if name in ("hello", "bye"):
        assert session.next_message().type == name
    else:
        with pytest.raises(PhaseError, match=f"{name} came before the welcome") as caught:
            session.next_message()
        assert caught.value.code is ErrorCode.HELLO_FIRST
        assert session.state is State.NEW


@pytest.mark.parametrize("name", CLIENT_MESSAGES)
def test_after_the_welcome_all_but_hello_may_come(name):
    session = session_in(State.GREETED)
    session.receive_data(EXAMPLES[name])
    if name == "hello":
        with pytest.raises(PhaseError) as caught:
            session.next_message()
        assert caught.value.code is ErrorCode.HELLO_TWICE
        assert session.state is State.GREETED
    else:
        assert session.next_message().type == name


def test_a_hello_may_be_refused_and_said_again():
    session = session_in(State.NEW)
    session.receive_data(HELLO)
    session.next_message()
    session.send(Error(code=ErrorCode.NAME_TAKEN, text="x"))
    session.receive_data(HELLO)
    assert isinstance(session.next_message(), Hello)
    session.send(WELCOME)
    assert session.state is State.GREETED


def test_a_bye_ends_the_reading_and_is_answered():
    session = session_in(State.GREETED)
    session.receive_data(encode(Bye()) + encode(Ping()))
    assert isinstance(session.next_message(), Bye)
    assert session.state is State.CLOSED
    assert session.next_message() is None
    assert session.send(Goodbye(reason=ByeReason.BYE)) == b'{"type":"bye","reason":"bye"}\n'


def test_nothing_is_read_of_a_closed_connection():
    session = session_in(State.CLOSED)
    session.receive_data(encode(Ping()) * 1000)
    assert session.next_message() is None


def test_messages_that_come_together_are_told_one_by_one():  # S002
    session = session_in(State.GREETED)
    lines = encode(Ping(data="1")) + b"nonsense\r\n" + encode(Move(game="g1", id=1, choice=0))
    got = []
    for byte in lines:
        session.receive_data(bytes([byte]))
        try:
            message = session.next_message()
        except ProtocolError as error:
            got.append(error.code)
        else:
            if message is not None:
                got.append(message)
    assert got == [Ping(data="1"), ErrorCode.NOT_JSON, Move(game="g1", id=1, choice=0)]


@pytest.mark.parametrize("state", [State.NEW, State.GREETED])
def test_an_endless_line_closes_at_the_limit(state):  # S078
    session = session_in(state)
    session.receive_data(b"x" * 65_536)
    assert session.next_message() is None
    session.receive_data(b"x")
    with pytest.raises(LineTooLong) as caught:
        session.next_message()
    assert session.state is State.CLOSED
    fault = caught.value
    assert session.send(error_for(fault)).startswith(b'{"type":"error","code":"line-too-long"')
    session.receive_data(b"x" * 10**7)
    assert session.next_message() is None
    assert session.send(Goodbye(reason=fault.code.closes)) == b'{"type":"bye","reason":"line-too-long"}\n'


def test_another_version_closes():  # S005
    session = session_in(State.NEW)
    session.receive_data(b'{"type":"hello","protocol":1,"name":"x"}\n')
    with pytest.raises(ProtocolError) as caught:
        session.next_message()
    assert caught.value.code.closes is ByeReason.VERSION
    assert session.state is State.CLOSED


def test_a_server_may_not_speak_out_of_turn():
    with pytest.raises(LocalError, match="Pong cannot be sent"):
        session_in(State.NEW).send(Pong())
    with pytest.raises(LocalError, match="Welcome cannot be sent"):
        session_in(State.GREETED).send(WELCOME)
    with pytest.raises(LocalError, match="Pong cannot be sent"):
        session_in(State.CLOSED).send(Pong())


def test_a_server_does_not_send_a_clients_messages():
    with pytest.raises(LocalError, match="Ping cannot be sent"):
        session_in(State.GREETED).send(Ping())


def test_every_state_can_be_left_only_for_a_later_one():
    order = list(State)
    for state, steps in TRANSITIONS.items():
        assert all(order.index(after) >= order.index(state) for after in steps.values())
