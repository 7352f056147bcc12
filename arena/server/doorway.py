"""What happens before a connection may say hello: TLS, and those who speak something else.

A client that speaks plain where TLS is wanted, TLS where it is not, or HTTP, has taken the wrong port or option. It is
told so in its own language, as far as it has one, and sent away.
"""

from __future__ import annotations

import re
from typing import Final

import trio

from protocol import ByeReason, ErrorCode, encode
from protocol.messages import Error, Goodbye

PLAIN_TEXT = "this port speaks TLS and nothing else; connect with TLS (--tls)"
HTTP_TEXT = "this is the port for programs that play, and it speaks no HTTP; see docs/protocol.md\n"

SPEAK_TLS: Final = encode(Error(code=ErrorCode.VERSION, text=PLAIN_TEXT)) + encode(
    Goodbye(reason=ByeReason.VERSION, text=PLAIN_TEXT)
)
"""For a client that speaks plain on a port for TLS."""

NO_HTTP: Final = (
    "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n"
    f"Content-Length: {len(HTTP_TEXT)}\r\n\r\n{HTTP_TEXT}"
).encode()
"""For a browser that has been led to the game port."""

NO_TLS: Final = bytes((21, 3, 1, 0, 2, 2, 70))
"""For a client that speaks TLS on a plain port: an alert (21) of TLS 1.0 (3, 1), as any version reads it, of 2 bytes:
fatal (2), protocol_version (70); RFC 8446, sections 5.1 and 6."""

_TLS_HELLO: Final = b"\x16\x03"  # a handshake record of any version
_REQUEST: Final = re.compile(rb"[A-Z]{3,10} \S+ HTTP/[0-9.]+\r?\n")


def stray_answer(first: bytes | bytearray) -> bytes | None:
    """The answer to whoever begins with these bytes; None if they may be the protocol's."""
    if first.startswith(_TLS_HELLO):
        return NO_TLS
    return NO_HTTP if _REQUEST.match(first) else None


async def shake_hands(
    stream: trio.SSLStream[trio.abc.HalfCloseableStream], limit: float, no_http: bytes = NO_HTTP
) -> bool:
    """Agree on TLS within `limit` seconds; false if that fails, of which the other side has been told.

    `no_http` is what a client that speaks HTTP without TLS gets.
    """
    with trio.move_on_after(limit):
        try:
            await stream.do_handshake()
        except trio.BrokenResourceError as error:
            if "HTTP_REQUEST" in str(error.__cause__):
                await _say(stream.transport_stream, no_http)
            elif "WRONG_VERSION_NUMBER" in str(error.__cause__):
                await _say(stream.transport_stream, SPEAK_TLS)
        else:
            return True
    return False


async def _say(stream: trio.abc.HalfCloseableStream, words: bytes) -> None:
    """Send the last words, and wait until they are read or the other side is gone."""
    try:
        await stream.send_all(words)
        await stream.send_eof()
        while await stream.receive_some(1024):
            pass
    except trio.BrokenResourceError:
        pass
