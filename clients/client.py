"""The Python client: a whole bot is one function from a request to an option.

    from clients import run

    def choose(request):
        return request.default          # an index, or the text of an option

    run(choose, name="mine", connect="127.0.0.1:7171")

The function may be `async`, and then several games go on at once. A lost connection is resumed with the key
of the welcome as long as the server holds the seats. Messages and fields that only a newer server knows are
passed over with one warning each (S006).
"""

from __future__ import annotations

import inspect
import os
import ssl
import sys
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import trio

from clients.answering import WireRequest
from protocol import (
    MAX_SERVER_LINE,
    PROTOCOL,
    ByeReason,
    ErrorCode,
    LineBuffer,
    check_name,
    encode,
    parse_server,
)
from protocol.messages import (
    QUEUE,
    Bye,
    End,
    Error,
    Events,
    Goodbye,
    Hello,
    Join,
    Move,
    Ready,
    Request,
    Start,
    Wanted,
    Welcome,
)

Answer = int | str
Choose = Callable[[WireRequest], Answer | Awaitable[Answer]]

CHUNK = 64 * 1024
FIRST_WAIT = 0.1  # seconds before the first try to come back; doubled each time up to the last
LAST_WAIT = 2.0
CONNECT_TRIES = 5  # while nothing was ever heard of the server


class Refused(Exception):
    """The server does not let this bot play; the text is the server's sentence."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Where to play, and as who."""

    name: str
    host: str = "127.0.0.1"
    port: int = 7171
    token: str | None = field(default=None, repr=False)
    join: Join | None = field(default_factory=lambda: Join(table=QUEUE))  # None: an organiser seats it
    games: int | None = None  # after so many games it says bye; None plays on
    views: bool = True  # whether requests bring the view
    samples: bool = False  # whether requests bring a sampled game, for bots that search
    tls: ssl.SSLContext | None = None
    key_file: Path | None = None  # keeps the resume key, so that a killed bot finds its games again (S023)
    software: str | None = None


class Client:
    """One login, over as many connections as it takes."""

    def __init__(self, settings: Settings, choose: Choose) -> None:
        self.settings = settings
        self.results: list[End] = []
        self._choose = choose
        self._seats: dict[str, int] = {}
        self._key = self._stored_key()
        self._grace = 30.0  # seconds in which the server holds the seats; `welcome` tells
        self._warned: set[str] = set()
        self._stream: trio.abc.Stream | None = None
        self._sending = trio.Lock()
        self._left = settings.games

    async def run(self) -> list[End]:
        """Play until the games are over, the server says bye, or the connection cannot be had any more.

        Returns the results. Raises `Refused` with the server's sentence, and `OSError` if the server cannot
        be reached.
        """
        tries, wait, lost_at = 0, FIRST_WAIT, None
        while True:
            try:
                stream = await self._connect()
            except OSError:
                tries += 1
                gone = lost_at is not None and trio.current_time() - lost_at > self._grace
                if (lost_at is None and tries >= CONNECT_TRIES) or gone:
                    raise
            else:
                try:
                    if await self._play(stream):
                        return self.results
                except (trio.BrokenResourceError, trio.ClosedResourceError):
                    pass  # lost: come back below
                finally:
                    await trio.aclose_forcefully(stream)
                if lost_at is None or self._stream is not None:
                    lost_at, wait = trio.current_time(), FIRST_WAIT
                self._stream = None
                self._warn("the connection was lost; coming back")
            await trio.sleep(wait)
            wait = min(2 * wait, LAST_WAIT)

    async def _connect(self) -> trio.abc.Stream:
        settings = self.settings
        stream: trio.abc.Stream
        if settings.tls is None:
            stream = await trio.open_tcp_stream(settings.host, settings.port)
            stream.setsockopt(trio.socket.IPPROTO_TCP, trio.socket.TCP_NODELAY, 1)
            return stream
        return await trio.open_ssl_over_tcp_stream(
            settings.host, settings.port, ssl_context=settings.tls, https_compatible=True
        )

    async def _play(self, stream: trio.abc.Stream) -> bool:
        """One connection; true if there is nothing to come back for."""
        self._stream = stream
        settings = self.settings
        await self._send(
            Hello(
                protocol=PROTOCOL,
                name=settings.name,
                token=settings.token,
                resume=self._key,
                software=settings.software,
            )
        )
        async with trio.open_nursery() as nursery:
            done = await self._read(stream, nursery)
            nursery.cancel_scope.cancel()  # answers that are still being thought about hit nothing any more
        return done

    async def _read(self, stream: trio.abc.Stream, nursery: trio.Nursery) -> bool:
        lines = LineBuffer(MAX_SERVER_LINE)
        while data := await stream.receive_some(CHUNK):
            lines.receive_data(data)
            while (line := lines.next_line()) is not None:
                received = parse_server(line)
                for warning in received.warnings:
                    self._warn(warning)
                if await self._handle(received.message, nursery):
                    return True
        return False

    async def _handle(self, message: Any, nursery: trio.Nursery) -> bool:
        """Do what a message asks; true if the client is done."""
        match message:
            case Request():
                request = WireRequest(message, self._seats[message.game])
                if inspect.iscoroutinefunction(self._choose):
                    nursery.start_soon(self._answer_later, request)
                else:
                    await self._answer(request, self._choose(request))  # type: ignore[arg-type]
            case Start(seat=int(seat)):
                self._seats[message.game] = seat
                ready = Ready(game=message.game, views=self.settings.views, samples=self.settings.samples)
                await self._send(ready)
            case End() if message.game in self._seats:
                del self._seats[message.game]
                self.results.append(message)
                return await self._next_game()
            case Welcome():
                self._keep_key(message.resume)
                self._grace = message.limits.resume
                if not self._seats and self.settings.join is not None:
                    await self._send(self.settings.join)
            case Error():
                return await self._error(message)
            case Goodbye():
                if message.reason in (ByeReason.BYE, ByeReason.SHUTDOWN):
                    return True
                raise Refused(message.text or message.reason.meaning)
            case Events() | None | _:
                pass
        return False

    async def _answer_later(self, request: WireRequest) -> None:
        answer = self._choose(request)
        assert inspect.isawaitable(answer)
        await self._answer(request, await answer)

    async def _answer(self, request: WireRequest, answer: Answer) -> None:
        await self._send(Move(game=request.game, id=request.id, choice=answer))

    async def _next_game(self) -> bool:
        if self._left is not None:
            self._left -= 1
            if self._left <= 0:
                await self._send(Bye())
                self._forget_key()
                return False  # the server's bye ends it
        join = self.settings.join
        if not self._seats and join is not None and join.table in (QUEUE, None):
            await self._send(join)
        return False

    async def _error(self, error: Error) -> bool:
        if error.code is ErrorCode.BAD_RESUME:  # too late, or another server: begin anew
            self._forget_key()
            self._seats.clear()
            await self._send(
                Hello(
                    protocol=PROTOCOL,
                    name=self.settings.name,
                    token=self.settings.token,
                    software=self.settings.software,
                )
            )
            return False
        if error.code in (ErrorCode.TOO_LATE, ErrorCode.GAME_OVER, ErrorCode.RETIRED):
            self._warn(error.text)
            return False
        if error.game is not None:
            print(f"the server says: {error.text}", file=sys.stderr)
            return False
        raise Refused(error.text)

    async def _send(self, message: Any) -> None:
        assert self._stream is not None
        async with self._sending:
            await self._stream.send_all(encode(message))

    def _warn(self, text: str) -> None:
        if text not in self._warned and len(self._warned) < 100:
            self._warned.add(text)
            print(f"note: {text}", file=sys.stderr)

    # The resume key

    def _stored_key(self) -> str | None:
        path = self.settings.key_file
        try:
            return path.read_text(encoding="ascii").strip() or None if path is not None else None
        except (OSError, UnicodeDecodeError):
            return None

    def _keep_key(self, key: str) -> None:
        self._key = key
        path = self.settings.key_file
        if path is not None:
            fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)  # a secret
            with open(fd, "w", encoding="ascii") as file:
                file.write(key)

    def _forget_key(self) -> None:
        self._key = None
        if self.settings.key_file is not None:
            self.settings.key_file.unlink(missing_ok=True)


def run(
    choose: Choose,
    *,
    name: str,
    connect: str = "127.0.0.1:7171",
    token: str | None = None,
    table: str = QUEUE,
    wanted: Mapping[str, Any] | None = None,
    games: int | None = None,
    views: bool = True,
    samples: bool = False,
) -> list[End]:
    """Play with `choose` until `games` are over (None: until stopped); returns the results.

    `wanted` opens a table for the game it describes, as in the message `join`; else the bot joins `table`.
    """
    host, port = address(connect)
    settings = Settings(
        name=check_name(name),
        host=host,
        port=port,
        token=token if token is not None else os.environ.get("ARENA_TOKEN"),
        join=Join(wanted=Wanted.model_validate(wanted, strict=False)) if wanted else Join(table=table),
        games=games,
        views=views,
        samples=samples,
    )
    return trio.run(Client(settings, choose).run)


def address(text: str) -> tuple[str, int]:
    """Host and port of `HOST:PORT`; raises `ValueError` with one sentence."""
    host, colon, port = text.rpartition(":")
    if not colon or not host or not (port.isascii() and port.isdigit()) or not 0 < int(port) < 65536:
        raise ValueError(f"{text[:80]!r} is no address; write HOST:PORT, as 127.0.0.1:7171")
    return host.strip("[]"), int(port)
