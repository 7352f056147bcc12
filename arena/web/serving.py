"""The sockets of the HTTP side.

A connection over the limit is closed at once; one that takes too long to send its request or to read the answer is
closed too. Whatever fails here is logged and ends this side alone: games go on.
"""

from __future__ import annotations

import ssl
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import structlog
import trio
from hypercorn.app_wrappers import ASGIWrapper
from hypercorn.config import Config as Hypercorn
from starlette.routing import BaseRoute

from arena.server.doorway import shake_hands
from arena.server.sockets import kernel_socket, origin_of, tune
from arena.web.app import Boards, build
from arena.web.callers import Caller, farewell
from arena.web.door import Door
from arena.web.settings import WebConfig
from arena.web.shelf import Shelf
from arena.web.theatre import Theatre
from arena.web.turnstile import Turnstile

if TYPE_CHECKING:
    from arena.game import Catalogue
    from arena.server.referee import Referee
    from arena.web.owners import Proofs

TURNED_AWAY = 8  # connections over the limit of their address that are told why, at once


async def serve(
    config: WebConfig,
    shelf: Shelf,
    live: Mapping[str, Referee],
    *,
    boards: Boards | None = None,
    catalogue: Catalogue | None = None,
    more: Sequence[BaseRoute] = (),
    tls: ssl.SSLContext | None = None,
    private: bool = False,
    proofs: Proofs | None = None,
    task_status: trio.TaskStatus[str | None] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Serve the pages until cancelled. `task_status` tells the address as a URL, or None if there is none.

    `live` are the games that are played, `more` routes of others; a `private` one shows everything at once. `proofs`
    knows what proves that a seat is one's own.
    """
    try:
        listeners: list[Any] = await trio.open_tcp_listeners(config.port, host=config.host)
    except (OSError, UnicodeError):  # UnicodeError: a name that no machine can have
        return task_status.started(None)
    log = structlog.get_logger()
    host, port = listeners[0].socket.getsockname()[:2]
    if tls is not None:
        listeners = [trio.SSLListener(listener, tls, https_compatible=True) for listener in listeners]
    try:
        async with trio.open_nursery() as nursery:
            turnstile = Turnstile()
            theatre = Theatre(config, nursery, shelf, live, catalogue, private=private)
            app = build(
                config,
                theatre,
                shelf,
                live,
                boards=boards,
                catalogue=catalogue,
                more=more,
                proofs=proofs,
                secure=tls is not None,
                turnstile=turnstile,
            )
            task_status.started(url(host, port, secure=tls is not None))
            await trio.serve_listeners(Gate(config, app, turnstile).admit, listeners, handler_nursery=nursery)
    except Exception:  # ours: games go on without pages
        log.exception("pages-failed")
        for listener in listeners:
            await trio.aclose_forcefully(listener)
    return None


def url(host: str, port: int, *, secure: bool = False) -> str:
    """The address as a browser takes it."""
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return f"{'https' if secure else 'http'}://{shown}:{port}/"


class Gate:
    """Lets connections in up to the limit."""

    def __init__(self, config: WebConfig, app: Callable[..., Awaitable[None]], turnstile: Turnstile) -> None:
        self._config = config
        self._app = ASGIWrapper(app)
        self._hypercorn = settings(config)
        self._door = Door(config)
        self._turnstile = turnstile
        self._open: dict[str, dict[trio.CancelScope, None]] = {}  # by where they come from, oldest first
        self._turning = 0  # connections that are being told why they are not served
        self.log = structlog.get_logger()

    async def admit(self, stream: trio.abc.Stream) -> None:
        """Serve one connection to its end."""
        sock = kernel_socket(stream)
        origin = origin_of(sock)
        if len(self._open.get(origin, ())) >= self._config.per_address:
            await self._turn_away(stream)
            return
        if not self._has_room(origin):
            await trio.aclose_forcefully(stream)
            return
        if sock is not None:
            tune(sock, self._config.keepalive)
        scope = trio.CancelScope()
        self._open.setdefault(origin, {})[scope] = None
        try:
            with scope:
                await self._serve(stream, origin)
        except* (trio.BrokenResourceError, trio.ClosedResourceError, OSError):
            pass  # the other side is gone: an ordinary event
        except* Exception:
            self.log.exception("page-connection-failed")
        finally:
            others = self._open.get(origin, {})
            others.pop(scope, None)
            if not others:
                self._open.pop(origin, None)
            await trio.aclose_forcefully(stream)

    def _has_room(self, origin: str) -> bool:
        """Whether one more from there can be served. If all places are taken, an address with more of them gives up
        its newest: so a few strangers cannot take them all."""
        if sum(map(len, self._open.values())) < self._config.connections:
            return True
        most = max(self._open.values(), key=len)
        if len(most) <= len(self._open.get(origin, ())) + 1:
            return False
        newest, _ = most.popitem()
        newest.cancel()
        return True

    async def _serve(self, stream: trio.abc.Stream, origin: str) -> None:
        turn = partial(self._turnstile.enter, origin)
        await turn()
        if isinstance(stream, trio.SSLStream) and not (
            self._door.may_shake_hands(origin)  # else nothing can be said
            and await shake_hands(stream, self._config.idle, NO_PLAIN_HTTP)
        ):
            return
        refuse = partial(self._door.refusal, origin)
        await Caller(self._app, self._hypercorn, stream, turn, refuse, self._config.handover).run()

    async def _turn_away(self, stream: trio.abc.Stream) -> None:
        """Too many come from one address: a few are told so, if that needs no handshake, and all are closed."""
        self._turning += 1
        try:
            if isinstance(stream, trio.SocketStream) and self._turning <= TURNED_AWAY:
                limit = self._config.per_address
                text = (
                    f"{limit} connections come from your address, which is its limit (`http_per_address`)\n"
                )
                with trio.move_on_after(self._config.idle), suppress(trio.BrokenResourceError):
                    await stream.send_all(refusal("503 Service Unavailable", text))
                    await farewell(stream)
        finally:
            self._turning -= 1
            await trio.aclose_forcefully(stream)


def refusal(status: str, text: str) -> bytes:
    """The whole answer to a connection whose request is not read."""
    head = f"HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n"
    return f"{head}Content-Length: {len(text)}\r\n\r\n{text}".encode()


NO_PLAIN_HTTP = refusal(
    "400 Bad Request", "these pages are served over TLS alone; ask for them with https://\n"
)


def settings(config: WebConfig) -> Hypercorn:
    """Our bounds as hypercorn takes them."""
    hypercorn = Hypercorn()
    hypercorn.h11_max_incomplete_size = config.head
    hypercorn.keep_alive_timeout = config.idle
    hypercorn.include_server_header = False
    hypercorn.logger_class = Log  # type: ignore[assignment]
    return hypercorn


class Log:
    """Hypercorn's notes go where ours go; ordinary requests are not noted."""

    def __init__(self, config: Hypercorn) -> None:
        self.log = structlog.get_logger()

    async def access(self, *_: object) -> None:
        """A request was answered."""

    async def exception(self, message: str, *args: object, **_: object) -> None:
        """A request failed in our code."""
        self.log.error("page-failed", what=message % args if args else message, exc_info=True)

    async def error(self, message: str, *args: object, **_: object) -> None:
        """Something is wrong."""
        self.log.error("pages", what=message % args if args else message)

    async def warning(self, message: str, *args: object, **_: object) -> None:
        """Something is odd."""
        self.log.warning("pages", what=message % args if args else message)

    async def info(self, message: str, *args: object, **_: object) -> None:
        """Something is usual."""
