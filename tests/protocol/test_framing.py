"""Bytes to lines, however the bytes are cut."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from protocol import MAX_CLIENT_LINE, ErrorCode, LineBuffer, LineTooLong

LIMIT = 10
TOO_LONG = "too long"


def drain(buffer: LineBuffer) -> list[bytes | str]:
    """All that comes out now; `TOO_LONG` stands for the error."""
    found: list[bytes | str] = []
    while True:
        try:
            line = buffer.next_line()
        except LineTooLong:
            found.append(TOO_LONG)
            continue
        if line is None:
            return found
        found.append(line)


def split(data: bytes, limit: int = LIMIT) -> list[bytes | str]:
    """What should come out of a whole stream, said in the simplest way."""
    *lines, unfinished = data.split(b"\n")
    lines = [line.removesuffix(b"\r") for line in lines]
    found: list[bytes | str] = [
        TOO_LONG if len(line) > limit else line for line in lines if len(line) > limit or line.strip(b" \t\r")
    ]
    return [*found, TOO_LONG] if len(unfinished.removesuffix(b"\r")) > limit else found


streams = st.lists(
    st.sampled_from([b"\n", b"\r\n", b"\r", b" ", b"a", b"{}", b"\xff", b"x" * LIMIT, b"y" * 25])
).map(b"".join)


@settings(deadline=None)
@given(streams, st.lists(st.integers(0, 200)))
@example(b"x" * LIMIT + b"\r\n", [LIMIT + 1])
@example(b"x" * LIMIT + b"\r" + b"x\n", [LIMIT + 1])
def test_cuts_between_chunks_mean_nothing(data, cuts):  # S002
    buffer = LineBuffer(LIMIT)
    found = []
    edges = [0, *sorted(cut for cut in cuts if cut < len(data)), len(data)]
    for begin, end in pairwise(edges):
        buffer.receive_data(data[begin:end])
        found += drain(buffer)
        assert len(buffer) <= LIMIT + 1
    assert found == split(data)


@settings(deadline=None)
@given(streams)
def test_byte_by_byte(data):  # S002
    buffer = LineBuffer(LIMIT)
    found = []
    for byte in data:
        buffer.receive_data(bytes([byte]))
        found += drain(buffer)
    assert found == split(data)


def test_lf_and_crlf_end_a_line_and_leave_no_cr():  # S001
    buffer = LineBuffer(LIMIT)
    buffer.receive_data(b"a\r\nb\nc\r\n")
    assert drain(buffer) == [b"a", b"b", b"c"]


def test_two_messages_and_a_half_in_one_chunk():  # S002
    buffer = LineBuffer(LIMIT)
    buffer.receive_data(b"one\ntwo\nthr")
    assert drain(buffer) == [b"one", b"two"]
    buffer.receive_data(b"ee\n")
    assert drain(buffer) == [b"three"]


def test_blank_lines_are_skipped():
    buffer = LineBuffer(LIMIT)
    buffer.receive_data(b"\n\r\n  \t\n" + b"\n" * 5000 + b"a\n\n")
    assert drain(buffer) == [b"a"]


def test_a_chunk_of_blank_lines_is_skipped_in_a_few_steps():
    """Whoever sends nothing else must not keep the loop busy with each of them."""

    class Counted(bytearray):
        searches = 0

        def find(self, *args):
            self.searches += 1
            return super().find(*args)

    buffer = LineBuffer(LIMIT)
    buffer._data = Counted()
    for blank in b"\n", b"\r\n", b" \t\n":
        buffer.receive_data(blank * 5000)
        assert drain(buffer) == []
    assert buffer._data.searches < 10


def test_a_line_of_just_the_limit_passes_also_with_crlf():
    buffer = LineBuffer(LIMIT)
    buffer.receive_data(b"x" * LIMIT + b"\n" + b"y" * LIMIT + b"\r")
    assert buffer.next_line() == b"x" * LIMIT
    assert buffer.next_line() is None
    buffer.receive_data(b"\n")
    assert buffer.next_line() == b"y" * LIMIT


def test_the_limit_holds_before_the_newline_arrives():  # S078
    buffer = LineBuffer(LIMIT)
    buffer.receive_data(b"x" * LIMIT)
    assert buffer.next_line() is None
    buffer.receive_data(b"x")
    with pytest.raises(LineTooLong) as caught:
        buffer.next_line()
    assert caught.value.code is ErrorCode.LINE_TOO_LONG
    assert "limit of 10 bytes" in str(caught.value)


def test_endless_line_takes_no_memory_and_is_reported_once():  # S078
    buffer = LineBuffer(MAX_CLIENT_LINE)
    chunk = bytes(100_000).replace(b"\0", b"x")
    errors = 0
    for _ in range(2000):  # 200 MB
        buffer.receive_data(chunk)
        errors += drain(buffer).count(TOO_LONG)
        assert len(buffer) == 0
    assert errors == 1
    buffer.receive_data(b"the end\nnext\n")
    assert drain(buffer) == [b"next"]


def test_lines_around_a_line_that_is_too_long_are_kept():
    buffer = LineBuffer(LIMIT)
    buffer.receive_data(b"before\n" + b"x" * 50 + b"\nafter\n")
    assert drain(buffer) == [b"before", TOO_LONG, b"after"]


def test_each_line_that_is_too_long_is_reported():
    buffer = LineBuffer(LIMIT)
    buffer.receive_data((b"x" * 50 + b"\n") * 3)
    assert drain(buffer) == [TOO_LONG] * 3


def test_memoryview_and_bytearray_are_taken():
    buffer = LineBuffer(LIMIT)
    buffer.receive_data(memoryview(b"a"))
    buffer.receive_data(bytearray(b"b\n"))
    assert buffer.next_line() == b"ab"
