"""One connection to the pages: HTTP/1.1 as hypercorn speaks it, read in small pieces, each with its turn.

There is no other protocol: an offer to go over to HTTP/2 or to WebSocket is passed over, as RFC 9110 (section 7.8)
lets a server do, and who begins with HTTP/2 is told what is spoken here. What is refused at the door costs no task
and ends the connection, and so does a body that nobody wants: it is not read.
"""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

import h11
import trio
from hypercorn.app_wrappers import ASGIWrapper
from hypercorn.config import Config as Hypercorn
from hypercorn.events import Closed, Event, RawData, Updated
from hypercorn.protocol.h11 import H11Protocol
from hypercorn.trio.task_group import TaskGroup
from hypercorn.trio.worker_context import WorkerContext
from hypercorn.typing import ConnectionState
from starlette.responses import Response

from arena.server.sockets import kernel_socket

READ: Final = (
    2 * 1024
)  # bytes at once: the head of most requests, and under 5 ms even if they are tiny chunks
LINGER: Final = 2.0  # seconds for the other side to read the last words, before its line is cut
UNREAD: Final = 256 * 1024  # bytes that it may send meanwhile; they are thrown away

UNREADABLE: Final = h11.Request(method="GET", target="/", headers=[("host", "")])
"""What stands at the door for bytes that are no request."""

Turn = Callable[[], Awaitable[None]]
"""Waits until a piece of work may be done."""

Refuse = Callable[[h11.Request], Response | None]
"""Why a request is not served, as its head alone tells; None if it is."""


class Caller:
    """A connection, from its first request to its end."""

    def __init__(
        self,
        app: ASGIWrapper,
        hypercorn: Hypercorn,
        stream: trio.abc.Stream,
        turn: Turn,
        refuse: Refuse,
        handover: float,
    ) -> None:
        """`handover`: seconds that the client may take to read what it is sent at once."""
        self._app = app
        self._hypercorn = hypercorn
        self._stream = stream
        self._turn = turn
        self._refuse = refuse
        self._handover = handover
        self._sending = trio.Lock()
        self._reading = trio.CancelScope()
        self._served = trio.CancelScope()  # with a deadline while a request is waited for
        self._left = False  # whether the client says nothing more
        self._http: Http1

    async def run(self) -> None:
        """Serve requests until the client goes, is too slow, or is told to go; the stream is left open.

        Raises `OSError`, `trio.BrokenResourceError` or `trio.ClosedResourceError` if the other side is gone.
        """
        with self._served:
            async with TaskGroup() as group:
                http = self._http = Http1(
                    self._app,
                    self._hypercorn,
                    WorkerContext(None),
                    group,
                    ConnectionState({}),
                    isinstance(self._stream, trio.SSLStream),
                    *ends(self._stream),
                    self._send,
                )
                http.turn, http.refuse = self._turn, self._refuse
                self._wait()
                with self._reading:
                    await self._read(http)
                await http.handle(Closed())
        if self._reading.cancel_called and not self._served.cancel_called:
            await farewell(self._stream)

    async def _read(self, http: Http1) -> None:
        while not self._left:
            data = bytes(await self._stream.receive_some(READ))
            self._left = not data
            await self._turn()
            await http.handle(RawData(data))

    def _wait(self) -> None:
        """Wait for a request, so long and no longer."""
        self._served.deadline = trio.current_time() + self._hypercorn.keep_alive_timeout

    async def _send(self, event: Event) -> None:
        """What hypercorn tells: bytes to be sent, that no more is to be read, that a request has come or is over."""
        if isinstance(event, RawData):
            await self._send_data(event.data)
        elif isinstance(event, Closed):
            self._reading.cancel()
        elif isinstance(event, Updated) and not event.idle:
            self._served.deadline = math.inf
        elif not self._left:  # else the next request comes from nobody
            self._wait()

    async def _send_data(self, data: bytes) -> None:
        """Send; where that fails or is given up in the middle, nothing can follow, and the connection ends."""
        sent = False
        try:
            with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
                async with self._sending:
                    with trio.move_on_after(self._handover):
                        await self._stream.send_all(data)
                        sent = True
        finally:
            if not sent:
                self._served.cancel()
                self._http.give_up()


class Http1(H11Protocol):
    """Hypercorn's HTTP/1.1, which asks at the door before it serves, and goes over to nothing else."""

    turn: Turn
    refuse: Refuse

    def give_up(self) -> None:
        """Answer no more: hypercorn would report the end of an answer as an error in its middle."""
        if self.stream is not None:
            self.stream.closed = True

    async def _check_protocol(self, event: h11.Request) -> None:
        """Go over to no other protocol."""

    async def _create_stream(self, request: h11.Request) -> None:
        await self.turn()
        refusal = self.refuse(request)
        if refusal is not None:
            return await self._answer(refusal, request)
        plain = [(name, value) for name, value in request.headers if name != b"upgrade"]
        await super()._create_stream(
            h11.Request(
                method=request.method, target=request.target, headers=plain, http_version=request.http_version
            )
        )

    async def _send_error_response(self, status_code: int) -> None:
        """What is no request counts as one, too."""
        refusal = self.refuse(UNREADABLE)
        if refusal is not None:
            return await self._answer(refusal, UNREADABLE)
        return await super()._send_error_response(status_code)

    async def _answer(self, refusal: Response, request: h11.Request) -> None:
        """Send this, and nothing after it."""
        headers = [*refusal.raw_headers, (b"connection", b"close")]
        await self._send_h11_event(h11.Response(status_code=refusal.status_code, headers=headers))
        if request.method != b"HEAD":
            await self._send_h11_event(h11.Data(data=bytes(refusal.body)))
        await self._send_h11_event(h11.EndOfMessage())
        await self.send(Closed())


def ends(stream: trio.abc.Stream) -> tuple[tuple[str, int] | None, tuple[str, int] | None]:
    """The addresses of the client and of the server, if there are any."""
    sock = kernel_socket(stream)
    return (None, None) if sock is None else (sock.getpeername()[:2], sock.getsockname()[:2])


async def farewell(stream: trio.abc.Stream) -> None:
    """Let the other side read what it was sent: a line that is cut while it still sends would lose that."""
    with trio.move_on_after(LINGER), suppress(trio.BrokenResourceError, trio.ClosedResourceError):
        if isinstance(stream, trio.SocketStream):
            await stream.send_eof()
        unread = 0
        while unread < UNREAD and (data := await stream.receive_some(READ)):
            unread += len(data)
