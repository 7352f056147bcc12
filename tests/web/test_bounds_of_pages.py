"""What the pages may cost: connections, viewers and films have bounds, and who is slow or silent is let go."""

from __future__ import annotations

import ssl
from contextlib import AsyncExitStack, suppress
from functools import partial

import pytest
import trio
import trustme

from arena.web import WebConfig, serving
from arena.web.door import HANDSHAKE
from arena.web.serving import serve as serve_pages
from arena.web.shelf import Shelf
from protocol import EndReason
from tests.server.table import dice
from tests.web.harbour import Pages, open_harbour


@pytest.fixture
async def harbour(tmp_path):
    async with open_harbour(tmp_path) as harbour:
        yield harbour


async def test_connections_over_the_limit_are_closed(tmp_path):  # S032
    async with open_harbour(tmp_path, web={"connections": 3}) as harbour, AsyncExitStack() as stack:
        for _ in range(3):
            await stack.enter_async_context(await trio.open_tcp_stream("127.0.0.1", harbour.port))
        last = await stack.enter_async_context(await trio.open_tcp_stream("127.0.0.1", harbour.port))
        with suppress(trio.BrokenResourceError):  # a reset says the same
            assert await last.receive_some(1) == b""


async def test_who_has_taken_all_connections_gives_some_to_others(tmp_path):
    async with (
        open_harbour(tmp_path, web={"connections": 3, "idle": 3600.0}) as harbour,
        AsyncExitStack() as stack,
    ):
        taken = [
            await stack.enter_async_context(await trio.open_tcp_stream("127.0.0.1", harbour.port))
            for _ in range(3)
        ]
        harbour.address = "127.0.0.2"
        assert (await harbour.get("/healthz")).status == 200
        with trio.fail_after(60), suppress(trio.BrokenResourceError):
            assert await taken[-1].receive_some(1) == b""
        await taken[0].send_all(ASKED)
        with trio.fail_after(60):
            assert (await taken[0].receive_some()).startswith(b"HTTP/1.1 200 ")


ASKED = b"GET /healthz HTTP/1.1\r\nHost: arena\r\n\r\n"


async def test_who_has_closed_a_connection_does_not_keep_its_place(tmp_path):
    async with open_harbour(tmp_path, web={"per_address": 10, "idle": 3600.0}) as harbour:
        for number in range(100):
            stream = await trio.open_tcp_stream("127.0.0.1", harbour.port)
            with trio.fail_after(60):
                async with stream:
                    await stream.send_all((b"", b"GET /hea", ASKED)[number % 3])
                    await stream.send_eof()
                    answer = b""
                    while data := await stream.receive_some():
                        answer += data
            assert answer.startswith(b"HTTP/1.1 200" if number % 3 == 2 else b""), number


async def test_one_address_has_only_so_many_connections_and_the_others_theirs(tmp_path):
    async with open_harbour(tmp_path, web={"per_address": 2}) as harbour, AsyncExitStack() as stack:
        for _ in range(2):
            await stack.enter_async_context(await trio.open_tcp_stream("127.0.0.1", harbour.port))
        refused = await harbour.get("/")
        assert refused.status == 503
        assert (
            b"2 connections come from your address, which is its limit (`http_per_address`)" in refused.body
        )
        harbour.address = "127.0.0.2"
        assert (await harbour.get("/")).status == 200


async def test_one_address_shows_itself_half_of_the_films_and_leaves_the_others(tmp_path):
    async with open_harbour(tmp_path, web={"films": 4}) as harbour, AsyncExitStack() as stack:
        games = [await harbour.hall.seated(2)]
        games += [await harbour.hall.seated(wires=games[0].wires) for _ in range(2)]
        for game in games[:2]:
            events = await stack.enter_async_context(harbour.stream(game.id))
            await events.next()
        refused = await harbour.get(f"/api/games/{games[2].id}/stream")
        assert refused.status == 503
        assert (
            "2 games are shown to your address, which is half of all (`http_films`)" in refused.json["error"]
        )
        async with harbour.stream(games[0].id) as same:
            await same.next()
        harbour.address = "127.0.0.2"
        async with harbour.stream(games[2].id) as other:
            await other.next()


async def test_viewer_whose_line_breaks_without_a_word_is_found_by_the_kernel(tmp_path, monkeypatch):
    tuned = []
    monkeypatch.setattr(serving, "tune", lambda sock, seconds: tuned.append((sock.getpeername()[0], seconds)))
    async with open_harbour(tmp_path, web={"keepalive": 7.0}) as harbour:
        await harbour.get("/")
    assert tuned == [("127.0.0.1", 7.0)]


async def test_viewers_over_the_limit_are_told_so_and_those_who_go_make_room(tmp_path):
    async with open_harbour(tmp_path, web={"viewers": 1}) as harbour:
        game = await harbour.hall.seated(2)
        async with harbour.stream(game.id) as events:
            await events.next()
            answer = await harbour.get(f"/api/games/{game.id}/stream")
            assert answer.status == 503
            assert "come later" in answer.json["error"]
        with trio.fail_after(60):
            while True:
                async with harbour.stream(game.id) as events:
                    try:
                        await events.next()
                        break
                    except AssertionError:  # the one before is not gone yet
                        continue


async def test_connection_that_says_nothing_is_closed(tmp_path):  # S011
    async with (
        open_harbour(tmp_path, web={"idle": 0.05}) as harbour,
        await trio.open_tcp_stream("127.0.0.1", harbour.port) as stream,
    ):
        await stream.send_all(b"GET / HTTP/1.1\r\nhost: x\r\n")
        with trio.fail_after(60):
            assert await stream.receive_some(1) == b""


async def test_viewer_that_does_not_read_is_let_go_and_the_game_goes_on(tmp_path):  # S029
    async with open_harbour(tmp_path, web={"handover": 0.1, "heartbeat": 0.001}) as harbour:
        game = await harbour.hall.seated(2, seed=3)
        await game.ready()
        stream, _ = await harbour._ask(f"/api/games/{game.id}/stream", "GET", {})
        async with stream:
            [end, _] = await game.play_on(dice(1))
            assert end["reasons"] == [EndReason.NORMAL.value] * 2


async def test_server_without_a_port_for_its_pages_plays_on(tmp_path):
    async with open_harbour(tmp_path) as harbour:
        taken = WebConfig(port=harbour.port)
        url = await harbour.hall.nursery.start(partial(serve_pages, taken, Shelf(tmp_path), {}))
        assert url is None
        game = await harbour.hall.seated(2, seed=3)
        await game.ready()
        await game.play_on(dice(1))


def certified() -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """A certificate for loopback, and a client that trusts it."""
    authority = trustme.CA()
    here, there = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH), ssl.create_default_context()
    authority.issue_cert("127.0.0.1").configure_cert(here)
    authority.configure_trust(there)
    return here, there


async def test_plain_http_on_pages_with_tls_is_told_to_speak_it_and_harms_nobody(tmp_path):
    here, there = certified()
    async with trio.open_nursery() as nursery:
        url = await nursery.start(partial(serve_pages, WebConfig(port=0), Shelf(tmp_path), {}, tls=here))
        refused = await Pages(url).get("/")
        assert refused.status == 400
        assert b"https://" in refused.body
        stream = await trio.open_ssl_over_tcp_stream(
            "127.0.0.1", Pages(url).port, ssl_context=there, https_compatible=True
        )
        await stream.send_all(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        assert (await stream.receive_some(4096)).startswith(b"HTTP/1.1 200 ")
        await trio.aclose_forcefully(stream)
        nursery.cancel_scope.cancel()


async def test_one_address_agrees_on_tls_only_so_often_and_the_others_too(tmp_path):
    here, there = certified()
    there.check_hostname = False
    async with trio.open_nursery() as nursery:
        config = WebConfig(port=0, rate=1e-6, burst=2 * HANDSHAKE)
        url = await nursery.start(partial(serve_pages, config, Shelf(tmp_path), {}, tls=here))
        agreed = {"127.0.0.1": 0, "127.0.0.2": 0}
        for address in ["127.0.0.1"] * 5 + ["127.0.0.2"]:
            plain = await trio.open_tcp_stream("127.0.0.1", Pages(url).port, local_address=address)
            with suppress(trio.BrokenResourceError):
                await trio.SSLStream(plain, there).do_handshake()
                agreed[address] += 1
            await trio.aclose_forcefully(plain)
        assert agreed == {"127.0.0.1": 2, "127.0.0.2": 1}
        nursery.cancel_scope.cancel()


async def test_quiet_stream_shows_signs_of_life(tmp_path):
    async with open_harbour(tmp_path, web={"heartbeat": 0.01}) as harbour:
        game = await harbour.hall.seated(2)
        async with harbour.stream(game.id) as events:
            await events.next()
            with trio.fail_after(60):
                while b": nothing new" not in events.raw:
                    events.raw += await events._more()
