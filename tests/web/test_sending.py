"""What is sent piece by piece, packed or not."""

from __future__ import annotations

import gzip
import os
import zlib

import pytest
import trio
from starlette.requests import Request

from arena.web.app import Download
from arena.web.sending import Pieces, pack, takes_gzip

PIECES = [bytes(range(256)) * 100, b"", b": nothing new\n\n", bytes(range(256)) * 100, b"the end"]


async def sent(*, packed: bool) -> list[bytes]:
    """The bodies of an answer of these pieces."""
    bodies = []

    async def send(message):
        await trio.lowlevel.checkpoint()
        bodies.append(message.get("body", b""))

    pieces = Pieces(send, packed=packed)
    await pieces.begin("text/plain")
    for piece in PIECES[:-1]:
        await pieces.send(piece)
    await pieces.end(PIECES[-1])
    return bodies[1:]


async def test_packed_pieces_are_one_gzip_file_of_which_each_can_be_read_when_it_comes():
    bodies = await sent(packed=True)
    assert gzip.decompress(b"".join(bodies)) == b"".join(PIECES)
    unzip = zlib.decompressobj(wbits=31)
    assert [unzip.decompress(body) for body in bodies] == [b"", *PIECES]
    assert sum(map(len, bodies)) < sum(map(len, PIECES)) / 6
    assert await sent(packed=False) == PIECES


async def test_what_many_are_sent_is_packed_once():
    pack.cache_clear()
    for _ in range(5):
        await sent(packed=True)
    assert pack.cache_info().misses == len(set(PIECES))


@pytest.mark.parametrize(
    ("header", "taken"),
    [
        ("gzip, deflate, br", True),
        ("br;q=1.0, GZIP;q=0.5", True),
        ("gzip;q=0", False),
        ("gzip; q=0.000", False),
        ("gzip;q=0.001", True),
        ("x-gzip", False),
        ("", False),
    ],
)
def test_gzip_is_sent_to_who_takes_it(header: str, taken: bool) -> None:
    request = Request({"type": "http", "headers": [(b"accept-encoding", header.encode())]})
    assert takes_gzip(request) is taken


async def test_download_that_is_given_up_before_it_begins_leaves_no_descriptor(tmp_path):
    path = tmp_path / "g-1.jsonl"
    path.write_bytes(b"{}\n")
    before = os.listdir("/proc/self/fd")
    with trio.CancelScope() as given_up:

        async def send(message):
            await trio.lowlevel.checkpoint()
            given_up.cancel()

        await Download(path, "g-1", trio.lowlevel.checkpoint)({}, None, send)
    assert given_up.cancelled_caught
    assert os.listdir("/proc/self/fd") == before
