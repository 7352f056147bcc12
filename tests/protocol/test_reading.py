"""The strict reader: what two JSON readers could take differently is refused, in one sentence."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol import ErrorCode, ReadError, reading
from protocol.reading import MAX_DEPTH, MAX_DIGITS, read_object


def refused(line: bytes) -> ReadError:
    with pytest.raises(ReadError) as caught:
        read_object(line)
    text = caught.value.text
    assert text.isascii()
    assert text.isprintable()
    assert len(text) < 600
    return caught.value


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats(1e-300, 1e300)
    | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=10,
)


@settings(deadline=None)
@given(st.dictionaries(st.text(max_size=5), values, max_size=5), st.booleans())
def test_sound_objects_are_read_as_they_are(value, ascii_only):
    assert read_object(json.dumps(value, ensure_ascii=ascii_only).encode()) == value


@settings(deadline=None)
@given(st.binary(max_size=60) | st.text('{}[]":,\\ue0-1.nultrfas', max_size=40).map(str.encode))
def test_garbage_is_refused_and_nothing_else_happens(line):
    with suppress(ReadError):
        assert type(read_object(line)) is dict


@pytest.mark.parametrize(
    ("line", "shown"),
    [(b"[]", "a list of 0"), (b'"hi"', '"hi"'), (b"5", "5"), (b"null", "null"), (b"true", "true")],
)
def test_what_is_no_object(line, shown):  # S003
    error = refused(line)
    assert error.code is ErrorCode.NOT_OBJECT
    assert shown in error.text
    assert error.expected == "one JSON object"


@pytest.mark.parametrize(
    "line",
    [
        b"{",
        b'{"a":1',
        b'{"a" 1}',
        b"{'a':1}",
        b'{"a":1}x',
        b'{"a":01}',
        b'{"a":1,}',
        b"move 3",
        b"\xef\xbb\xbf{}",
    ],
)
def test_what_is_no_json(line):
    assert refused(line).code is ErrorCode.NOT_JSON


def test_the_place_of_the_fault_is_shown():
    assert "Expecting ':' delimiter at character 6, before \"1}\"" in refused(b'{"a" 1}').text


def test_a_raw_control_character_in_a_string():
    assert refused(b'{"a":"\x01"}').code is ErrorCode.NOT_JSON


@pytest.mark.parametrize("line", [b'{"a":"\xff"}', b'{"a":"\xed\xa0\x80"}', b'{"a":"\xc3'])
def test_invalid_utf8(line):
    assert refused(line).code is ErrorCode.NOT_UTF8


@pytest.mark.parametrize(
    "line", [rb'{"a":"\ud800"}', rb'{"a":["\udc00x"]}', rb'{"\ud800":1}', rb'{"a":{"b":"\uD83D"}}']
)
def test_half_of_a_surrogate_pair(line):
    assert refused(line).code is ErrorCode.NOT_UTF8


def test_a_whole_surrogate_pair_is_one_character():
    assert read_object(rb'{"a":"\ud83d\ude00"}') == {"a": "\U0001f600"}


@pytest.mark.parametrize(
    "line",
    [
        b'{"type":"move","seat":1,"seat":2}',
        b'{"a":{"seat":1,"seat":1}}',
        b'{"a":[{"seat":1,"x":2,"seat":null}]}',
        rb'{"seat":1,"s\u0065at":2}',
    ],
)
def test_duplicate_keys_are_named_at_any_depth(line):  # S076
    error = refused(line)
    assert error.code is ErrorCode.DUPLICATE_KEY
    assert '"seat"' in error.text


@pytest.mark.parametrize("number", [b"NaN", b"Infinity", b"-Infinity", b"1e999", b"-1e999", b"-0.0", b"-0e1"])
def test_numbers_that_json_does_not_have(number):  # S075
    error = refused(b'{"choice":%b}' % number)
    assert error.code is ErrorCode.BAD_NUMBER
    assert number.decode() in error.text


@pytest.mark.parametrize(
    "number", [b"1" * 5000, b"-" + b"9" * 60_000, b"1." + b"1" * 60_000, b"0." + b"0" * 5000]
)
def test_numbers_of_thousands_of_digits(number):
    error = refused(b'{"choice":%b}' % number)
    assert error.code is ErrorCode.BAD_NUMBER
    assert f"{len(number):,} characters" in error.text


def test_a_number_of_the_most_digits_is_read():
    assert read_object(b'{"a":%b}' % (b"9" * MAX_DIGITS)) == {"a": 10**MAX_DIGITS - 1}


@pytest.mark.parametrize(
    "line", [b"[" * 20_000, b"[" * 20_000 + b"]" * 20_000, b'{"a":' * 10_000, b"[{" * 20_000]
)
def test_depth_bombs(line):  # S074
    assert refused(line).code is ErrorCode.TOO_DEEP


def test_depth_is_that_of_nesting_and_not_of_brackets():
    assert len(read_object(b'{"a":[' + b"[]," * 300 + b"[]]}")["a"]) == 301
    assert read_object(b'{"a":"' + b"[{" * 300 + rb'\"[[[[[[[[["}')
    inside = MAX_DEPTH - 1
    assert read_object(b'{"a":' + b"[" * inside + b"]" * inside + b"}")
    assert refused(b'{"a":' + b"[" * MAX_DEPTH + b"]" * MAX_DEPTH + b"}").code is ErrorCode.TOO_DEEP


def test_strings_without_end_and_full_of_quotes_are_only_no_json():
    assert refused(rb'"\"' * 300 + b"{" * 20).code is ErrorCode.NOT_JSON
    assert refused(b'{"' + rb"\"" * 300 + b"{" * 20).code is ErrorCode.NOT_JSON


def test_hundreds_of_fields_are_refused_in_one_sentence():
    error = refused(b"{" + b",".join(b'"k%d":1' % i for i in range(300)) + b"}")
    assert error.code is ErrorCode.UNKNOWN_FIELD
    assert "300" in error.text


@pytest.mark.parametrize("part", [b"1,", b"1e1,", b'"",', b'"k":1,', b"[],", b"{},", b"[]", b'""', rb"\""])
@pytest.mark.parametrize("start", [b"[", b'{"a":[', b'{"type":"join","wanted":{"sets":[', b""])
def test_a_line_of_thousands_of_parts_is_refused_before_it_is_read(start, part, monkeypatch):
    """Each part of a line costs the loop something, and a line may have 64 KiB of them."""
    monkeypatch.setattr(reading, "_DECODER", None)
    error = refused(start + part * 20_000)
    assert error.code is ErrorCode.BAD_VALUE
    assert "no message needs more than 1,000" in error.text


@pytest.mark.parametrize(
    "line",
    [
        b'{"type":"hello","token":hunter2secret}',
        b'{"type":"hello","token":"hunter2secret',
        b'{"type":"hello","resume":"x","token" "hunter2secret"}',
        b'{"type":"hello","token":hunter2secret\xff}',
    ],
)
def test_no_error_shows_a_token(line):  # S071
    assert "hunter2" not in refused(line).text


def test_a_number_in_place_of_a_token_is_not_shown():  # S071
    assert "12345" not in refused(b'{"type":"hello","token":12345%b}' % (b"6" * 200)).text
