"""What we send: one line, strict JSON, the same bytes by either way."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol import LocalError, encode, encode_value, events_line, request_line
from protocol.messages import Events, Ping, Pong, Remaining, Request, Snapshot


def strict(line: bytes) -> dict:
    def refuse(token: str) -> None:
        raise AssertionError(token)

    return json.loads(line, parse_constant=refuse)


texts = st.text(max_size=10) | st.sampled_from(["NaN", "Infinity", "\u2028", "\x85", "\r\n", "\x00"])
plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=8,
)
objects = st.dictionaries(texts, plain, max_size=5)


@settings(deadline=None, max_examples=50)
@given(objects)
def test_any_plain_value_goes_out_as_one_line_of_strict_json(view):  # S075
    line = encode(Snapshot(game="g1", number=1, view=view))
    assert strict(line)["view"] == view
    assert line.endswith(b"\n")
    assert len(line.decode().splitlines()) == 1


@settings(deadline=None, max_examples=50)
@given(objects)
def test_a_value_is_encoded_alike_inside_and_outside_of_a_model(value):
    inside = encode(Snapshot(game="g1", number=1, view=value))
    assert inside == b'{"type":"snapshot","game":"g1","number":1,"view":%b}\n' % encode_value(value)


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
@pytest.mark.parametrize("wrap", [lambda x: {"a": x}, lambda x: {"a": [{"NaN": x}]}], ids=["flat", "deep"])
def test_numbers_that_json_does_not_have_are_our_own_fault(number, wrap):  # S075
    with pytest.raises(LocalError):
        encode(Snapshot(game="g1", number=1, view=wrap(number)))
    with pytest.raises(LocalError):
        encode_value(wrap(number))
    with pytest.raises(LocalError):
        request_line("g1", 1, "bid", ["bid*0"], 0, move=1.0, bank=0.0, view=wrap(number))


@pytest.mark.parametrize("value", ["\ud800", object(), {"a": "x\udfff"}])
def test_what_is_no_plain_value_is_our_own_fault(value):
    with pytest.raises(LocalError, match="cannot be sent"):
        encode_value(value)


def test_a_value_within_itself_is_our_own_fault():
    loop: list[object] = []
    loop.append(loop)
    with pytest.raises(LocalError):
        encode_value(loop)


def test_a_line_over_the_limit_is_our_own_fault():
    with pytest.raises(LocalError, match="4,194,304"):
        encode(Snapshot(game="g1", number=1, view={"a": "x" * 4_194_304}))


def test_fields_that_are_none_are_left_out_but_none_in_a_view_is_kept():
    assert encode(Ping()) == b'{"type":"ping"}\n'
    assert encode(Pong(data="x")) == b'{"type":"pong","data":"x"}\n'
    assert encode(Snapshot(game="g1", number=1, view={"a": None})).endswith(b'"view":{"a":null}}\n')


@settings(deadline=None, max_examples=50)
@given(
    st.lists(st.text(min_size=1, max_size=200), min_size=1, max_size=20),
    st.floats(0, 1000).map(lambda seconds: round(seconds, 3)),
    st.none() | objects,
)
def test_request_line_gives_the_bytes_of_the_model(options, seconds, view):
    model = Request(
        game="g1",
        id=7,
        kind="lead",
        options=tuple(options),
        default=0,
        clock=Remaining(move=seconds, bank=seconds / 2),
        view=view,
    )
    line = request_line("g1", 7, "lead", options, 0, move=seconds, bank=seconds / 2, view=view)
    if round(seconds / 2, 3) == seconds / 2:
        assert line == encode(model)
    assert strict(line)["options"] == options


@settings(deadline=None, max_examples=50)
@given(st.lists(st.dictionaries(texts, texts, max_size=3), max_size=3), st.integers(1, 2**53 - 1))
def test_events_line_gives_the_bytes_of_the_model(events, first):
    line = events_line("g1", first, [encode_value(event) for event in events])
    assert line == encode(Events(game="g1", first=first, events=tuple(events)))


def test_time_is_shown_to_the_millisecond_and_never_below_zero():  # S009
    line = strict(request_line("g1", 1, "lead", ["draw"], 0, move=-0.25, bank=1.23456))
    assert line["clock"] == {"move": 0.0, "bank": 1.235}
