"""A session fed with anything: however the bytes are cut, the same comes of them, and it is what the table allows."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from protocol import ByeReason, ErrorCode, LocalError, ProtocolError, ServerSession, State, error_for
from protocol.messages import Bye, Goodbye, Hello
from tests.protocol.test_wire_session import EXAMPLES, WELCOME

LIMIT = 1024  # bytes of a line

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
FIELDS = st.fixed_dictionaries(
    {"type": st.sampled_from([*EXAMPLES, "welcome", ""])},
    optional=dict.fromkeys(("name", "protocol", "game", "id", "choice", "table", "wanted", "data"), JSON),
)
LINES = st.one_of(
    st.sampled_from(list(EXAMPLES.values())),
    FIELDS.map(lambda fields: json.dumps(fields).encode() + b"\n"),
    JSON.map(lambda value: json.dumps(value).encode() + b"\r\n"),
    st.binary(max_size=60),
    st.integers(LIMIT - 2, LIMIT + 2).map(lambda size: b"x" * size),
    st.sampled_from([b"\n", b"\r", b"\r\n", b'{"type":', b"[" * 100 + b"\n", b"\xff\n"]),
)


class Sessions(RuleBasedStateMachine):
    """Two sessions: one gets each chunk whole, the other in pieces."""

    def __init__(self) -> None:
        super().__init__()
        self.whole, self.pieces = ServerSession(LIMIT), ServerSession(LIMIT)
        self.hello = False  # one has come and may be answered

    @property
    def state(self) -> State:
        return self.whole.state

    @rule(data=st.lists(LINES, min_size=1, max_size=4).map(b"".join), cuts=st.integers(1, 9))
    def receive(self, data: bytes, cuts: int) -> None:
        before = self.state
        self.whole.receive_data(data)
        found = self.drain(self.whole)
        pieces = []
        for first in range(0, len(data), cuts):
            self.pieces.receive_data(data[first : first + cuts])
            pieces += self.drain(self.pieces)
        assert pieces == found
        for each in found:
            self.judge(each, before)
        if before is State.CLOSED:
            assert not found

    def drain(self, session: ServerSession) -> list[object]:
        """The messages, and the codes of the errors, that have come."""
        found: list[object] = []
        while True:
            try:
                message = session.next_message()
            except ProtocolError as fault:
                error_for(fault)  # each can be told
                found.append(fault.code)
                continue
            if message is None:
                return found
            found.append(message)

    def judge(self, found: object, before: State) -> None:
        if isinstance(found, ErrorCode):
            assert found is not ErrorCode.HELLO_FIRST or before is State.NEW
            assert found is not ErrorCode.HELLO_TWICE or before is State.GREETED
            assert found.closes is None or self.state is State.CLOSED
        elif isinstance(found, Hello):
            assert before is State.NEW
            self.hello = True
        elif isinstance(found, Bye):
            assert self.state is State.CLOSED
        else:
            assert before is State.GREETED

    @precondition(lambda self: self.hello and self.state is State.NEW)
    @rule()
    def welcome(self) -> None:
        assert self.whole.send(WELCOME) == self.pieces.send(WELCOME)
        assert self.state is State.GREETED

    @precondition(lambda self: self.state is not State.NEW)
    @rule()
    def no_second_welcome(self) -> None:
        for session in self.whole, self.pieces:
            with pytest.raises(LocalError):
                session.send(WELCOME)

    @rule()
    def goodbye(self) -> None:
        for session in self.whole, self.pieces:
            session.send(Goodbye(reason=ByeReason.SHUTDOWN))
            assert session.state is State.CLOSED

    @invariant()
    def agree(self) -> None:
        assert self.whole.state is self.pieces.state

    @invariant()
    def take_little_memory(self) -> None:
        if (
            self.state is not State.CLOSED
        ):  # then the rest of the last chunk lies there until the connection goes
            for session in self.whole, self.pieces:
                assert len(session._lines) <= LIMIT + 1


Sessions.TestCase.settings = settings(
    max_examples=30, stateful_step_count=15, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
TestSessions = Sessions.TestCase


@pytest.mark.soak
class TestSessionsForLong(Sessions.TestCase):
    settings = settings(Sessions.TestCase.settings, max_examples=5000, stateful_step_count=50)
