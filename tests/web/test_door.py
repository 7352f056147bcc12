"""What strangers can send to the pages, and how little of the loop it costs the games."""

from __future__ import annotations

from contextlib import suppress
from itertools import product

import pytest
import trio
import trio.testing
from hypercorn.app_wrappers import ASGIWrapper

from arena.web import WebConfig
from arena.web.callers import READ, UNREAD, UNREADABLE, Caller, Turn
from arena.web.door import MAX_BODY, Door
from arena.web.serving import settings
from arena.web.turnstile import AT_ONCE, REST, Turnstile
from tests.web.harbour import open_harbour

HEAD = b" HTTP/1.1\r\nHost: arena\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n\r\n"
JSON = b"Content-Type: application/json\r\n"
LOGIN = b"POST /api/owner" + HEAD + JSON
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
SETTINGS = bytes((0, 0, 0, 4, 0, 0, 0, 0, 0))  # an empty frame


@pytest.fixture
async def harbour(tmp_path):
    async with open_harbour(tmp_path) as harbour:
        yield harbour


async def pour(harbour, begin: bytes, rest: bytes) -> bytes:
    """What is answered to this and then `rest` for ever, until the line is cut."""
    stream = await trio.open_tcp_stream("127.0.0.1", harbour.port)
    answer = b""
    with trio.fail_after(60):
        async with stream, trio.open_nursery() as nursery:

            async def send() -> None:
                with suppress(trio.BrokenResourceError):
                    await stream.send_all(begin)
                    while True:
                        await stream.send_all(rest)

            nursery.start_soon(send)
            with suppress(trio.BrokenResourceError):
                while data := await stream.receive_some():
                    answer += data
    return answer


@pytest.mark.parametrize(
    ("begin", "rest", "status"),
    [
        (PREFACE, SETTINGS * 100, 505),
        (b"GET /healthz" + HEAD + CHUNKED, b"1\r\nx\r\n" * 100, 400),
        (b"GET /api/games/g-1/stream" + HEAD + b"Content-Length: 99999999\r\n\r\n", b"x" * 1000, 400),
        (b"POST /cards" + HEAD + CHUNKED, b"1\r\nx\r\n" * 100, 405),
        (LOGIN + CHUNKED, b"1\r\nx\r\n" * 100, 413),
        (LOGIN + b"Content-Length: %d\r\n\r\n" % (MAX_BODY + 1), b"x" * 1000, 413),
    ],
)
async def test_what_nobody_wants_is_refused_and_not_read_on(harbour, begin, rest, status):  # S078
    answer = await pour(harbour, begin, rest)
    assert answer.startswith(b"HTTP/1.1 %d " % status)
    assert answer.count(b"HTTP/1.1 ") == 1
    assert b'{"error":' in answer


@pytest.mark.parametrize("upgrade", [b"h2c", b"websocket"])
async def test_offer_of_another_protocol_is_passed_over(harbour, upgrade):
    head = b"Upgrade: %b\r\nConnection: upgrade\r\nHTTP2-Settings: AAMAAABk\r\n\r\n" % upgrade
    async with await trio.open_tcp_stream("127.0.0.1", harbour.port) as stream:
        await stream.send_all(b"GET /healthz" + HEAD + head)
        assert (await stream.receive_some()).startswith(b"HTTP/1.1 200 ")


async def test_requests_over_the_rate_of_an_address_are_refused_and_those_of_others_served(tmp_path):
    async with open_harbour(tmp_path, web={"rate": 1e-6, "burst": 3}) as harbour:
        answers = [await harbour.get("/healthz") for _ in range(5)]
        assert [answer.status for answer in answers] == [200] * 3 + [429] * 2
        assert "1e-06 requests a second" in answers[3].json["error"]
        assert "(`http_rate`, `http_burst`)" in answers[3].json["error"]
        harbour.address = "127.0.0.2"
        assert (await harbour.get("/healthz")).status == 200


async def test_bytes_that_are_no_request_count_as_one(tmp_path):
    async with open_harbour(tmp_path, web={"rate": 1e-6, "burst": 3}) as harbour:
        answers = []
        for _ in range(4):
            async with await trio.open_tcp_stream("127.0.0.1", harbour.port) as stream:
                await stream.send_all(b"no request\r\n\r\n")
                answers.append((await stream.receive_some()).split()[1])
        assert answers == [b"400"] * 3 + [b"429"]


async def test_sixty_browsers_of_one_address_may_open_pages_over_tls_in_one_moment(autojump_clock):
    await trio.lowlevel.checkpoint()
    door = Door(WebConfig())
    for _ in range(60):
        assert all(door.may_shake_hands("here") for _ in range(6))
        assert not any(door.refusal("here", UNREADABLE) for _ in range(20))


PATHS = ("/api/owner", "/nothing", "/cards/", "/api/games/g-1/stream", "/api/games")
FIELDS = ("origin", "host", "referer", "cookie", "last-event-id", "accept-encoding")
VALUES = ("http://[", "\xff", 'a="\\777; =;;arena-owner')
QUERY = "?view=%ff&view=&after=%5b&=&["


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_no_field_of_a_head_makes_the_server_fail(harbour, method):  # S074
    for path, name, value in product(PATHS, FIELDS, VALUES):
        fields = {"host": "arena", "content-type": "application/json", "connection": "close", name: value}
        lines = [f"{method} {path}{QUERY} HTTP/1.1", *(f"{key}: {text}" for key, text in fields.items())]
        async with await trio.open_tcp_stream("127.0.0.1", harbour.port) as stream:
            await stream.send_all("\r\n".join((*lines, "", "")).encode("latin-1"))
            answer = await stream.receive_some()
        assert answer.split()[1] in (b"200", b"400", b"403", b"404", b"405"), (path, name, value)
        assert b"location:" not in answer


class Turns:
    """Lets everybody in, and counts."""

    def __init__(self) -> None:
        self.taken = 0

    async def __call__(self) -> None:
        await trio.lowlevel.checkpoint()
        self.taken += 1


def caller_of(app, stream: trio.abc.Stream, turn: Turn) -> Caller:
    """A connection over this stream that is refused nothing."""
    config = WebConfig()
    return Caller(ASGIWrapper(app), settings(config), stream, turn, lambda request: None, config.handover)


async def test_answer_that_is_given_up_in_the_middle_ends_its_connection_alone(autojump_clock):
    theirs, ours = trio.testing.memory_stream_pair()

    async def app(scope, receive, send):
        with trio.CancelScope() as given_up:
            given_up.cancel()
            await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    await theirs.send_all(b"GET /" + HEAD + b"\r\n")
    with trio.fail_after(60):
        await caller_of(app, ours, Turns()).run()


async def test_each_small_piece_of_what_comes_waits_for_its_turn(autojump_clock):
    theirs, ours = trio.testing.memory_stream_pair()
    turns, told = Turns(), []

    async def app(scope, receive, send):
        while (message := await receive())["type"] == "http.request" and message["more_body"]:
            told.append(message["body"])
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    caller = caller_of(app, ours, turns)
    body = b"1\r\nx\r\n" * 2000
    async with trio.open_nursery() as nursery:
        nursery.start_soon(caller.run)
        await theirs.send_all(b"POST /" + HEAD + CHUNKED + body + b"0\r\n\r\n")
        assert (await theirs.receive_some()).startswith(b"HTTP/1.1 204 ")
        await theirs.aclose()
    assert b"".join(told) == b"x" * 2000
    assert turns.taken > len(body) // READ
    assert READ <= 4096 < UNREAD


async def test_turnstile_lets_a_few_in_and_then_rests(autojump_clock):
    turnstile, passed = Turnstile(), []

    async def go(number: int) -> None:
        await turnstile.enter("there")
        passed.append((number, trio.current_time()))

    async with trio.open_nursery() as nursery:
        for number in range(10 * AT_ONCE):
            nursery.start_soon(go, number)
            await trio.testing.wait_all_tasks_blocked()
    start = passed[0][1]
    assert [number for number, _ in passed] == list(range(10 * AT_ONCE))
    for number, when in passed:
        assert when - start == pytest.approx(number // AT_ONCE * REST)


async def test_turnstile_lets_one_in_before_the_many_of_another_address(autojump_clock):
    turnstile, passed = Turnstile(), []

    async def go(address: str) -> None:
        await turnstile.enter(address)
        passed.append(address)

    async with trio.open_nursery() as nursery:
        for address in ["many"] * 10 * AT_ONCE + ["one"]:
            nursery.start_soon(go, address)
            await trio.testing.wait_all_tasks_blocked()
    assert passed.index("one") <= AT_ONCE + 1


async def test_turnstile_that_has_rested_lets_in_at_once(autojump_clock):
    turnstile = Turnstile()
    for _ in range(3):
        start = trio.current_time()
        for _ in range(AT_ONCE):
            await turnstile.enter("there")
        assert trio.current_time() == start
        await trio.sleep(REST)
