"""One connection to a server: messages out, messages in, and what can go wrong as one sentence.

    connection = await Connection.open("127.0.0.1", 7171)
    await connection.send(Hello(protocol=PROTOCOL, name="mine"))
    while (received := await connection.receive()) is not None: ...

What the messages mean, and coming back after a loss, is the business of `client` and `watching`.
"""

from __future__ import annotations

import os
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import trio

from protocol import MAX_SERVER_LINE, LineBuffer, ProtocolError, Received, encode, parse_server
from protocol.messages import Part

CHUNK = 64 * 1024  # bytes of one read
FIRST_ANSWER = 10.0  # seconds in which a server must take a connection, and then answer `hello`

KEEPALIVE = {
    "TCP_KEEPIDLE": 6,  # seconds of silence after which the kernel asks whether the server is there,
    "TCP_KEEPINTVL": 3,  # and seconds between
    "TCP_KEEPCNT": 3,  # as many questions without an answer that end the connection: after 15 s,
    "TCP_USER_TIMEOUT": 15_000,  # or so many ms without a receipt for what was sent: half of the usual `resume`
}


class Refused(Exception):
    """The server does not let us go on; the text is its sentence, or says why we cannot talk to it."""


class Unreachable(ConnectionError):
    """No connection can be had; the text says why."""


class Lost(Exception):
    """The connection is gone."""


class Connection:
    """Our end of one socket."""

    def __init__(self, stream: trio.abc.Stream, place: str) -> None:
        self.place = place  # HOST:PORT, for sentences
        self._stream = stream
        self._lines = LineBuffer(MAX_SERVER_LINE)
        self._sending = trio.Lock()

    @classmethod
    async def open(cls, host: str, port: int, tls: ssl.SSLContext | None = None) -> Connection:
        """Connect; raises `Unreachable` if nobody is there and `Refused` if TLS cannot be agreed on."""
        place = f"{host}:{port}"
        try:
            with trio.fail_after(FIRST_ANSWER):
                stream = await trio.open_tcp_stream(host, port)
        except (OSError, trio.TooSlowError) as error:
            raise Unreachable(
                f"{place} cannot be reached: {_reason(error)}; is a server running there?"
            ) from None
        tune(stream.socket)
        if tls is None:
            return cls(stream, place)
        secure = trio.SSLStream(stream, tls, server_hostname=host, https_compatible=True)
        try:
            with trio.fail_after(FIRST_ANSWER):
                await secure.do_handshake()
        except (trio.BrokenResourceError, trio.TooSlowError) as error:
            await trio.aclose_forcefully(secure)
            why = error.__cause__ or _reason(error)
            raise Refused(f"TLS with {place} failed: {why}") from None
        return cls(secure, place)

    async def send(self, message: Part) -> None:
        """Send a message; raises `Lost`."""
        async with self._sending:
            try:
                await self._stream.send_all(encode(message))
            except (trio.BrokenResourceError, trio.ClosedResourceError) as error:
                raise Lost(f"the connection to {self.place} was lost") from error

    async def receive(self) -> Received | None:
        """The next message, None once the server has closed the connection; raises `Lost`.

        Raises `Refused` for what is no message of the protocol: then another program listens there.
        """
        try:
            while (line := self._lines.next_line()) is None:
                data = await self._stream.receive_some(CHUNK)
                if not data:
                    return None
                self._lines.receive_data(data)
            return parse_server(line)
        except (trio.BrokenResourceError, trio.ClosedResourceError) as error:
            raise Lost(f"the connection to {self.place} was lost") from error
        except ProtocolError as error:
            raise Refused(
                f"what {self.place} sends is not the arena's protocol, so it is another program: {error}"
            ) from None

    async def aclose(self) -> None:
        """Close at once."""
        await trio.aclose_forcefully(self._stream)


def tune(sock: trio.socket.SocketType) -> None:
    """Send at once, and find within `KEEPALIVE` that a connection leads nowhere, as after a cable was pulled.

    A bot that waits for a request would never notice otherwise, and its seat would be lost.
    """
    with suppress(OSError):  # gone already: the first read tells
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in KEEPALIVE.items():
            if hasattr(socket, name):  # not on every system
                sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


def _reason(error: Exception) -> str:
    """What the system says of it, without the addresses that were tried."""
    if isinstance(error, trio.TooSlowError):
        return "there is no answer"
    inner: BaseException | None = error
    while inner is not None and not (isinstance(inner, OSError) and inner.errno):
        inner = inner.exceptions[0] if isinstance(inner, BaseExceptionGroup) else inner.__cause__
    if not isinstance(inner, OSError) or inner.errno is None:
        return str(error)
    return (
        os.strerror(inner.errno) if inner.errno > 0 else str(inner.strerror)
    )  # below 0: of a name's look-up


@contextmanager
def plain_errors() -> Iterator[None]:
    """Raise what counts of a nursery's group of errors by itself: the author's bug before our lost connection."""
    try:
        yield
    except BaseExceptionGroup as group:
        errors = list(_flat(group))
        raise min(errors, key=lambda error: isinstance(error, trio.Cancelled | Lost)) from None


def _flat(error: BaseException) -> Iterator[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from _flat(inner)
    else:
        yield error
