"""What goes into a response: safe headers, JSON, errors, compression, and the streams of moments.

Every response forbids the browser to run or load anything but the server's own files, so that no name of a
player can do harm even where a page had a fault.
"""

from __future__ import annotations

import gzip
import json
import re
import struct
import zlib
from collections.abc import Awaitable, Callable, MutableMapping
from functools import lru_cache
from hashlib import sha256
from typing import Any, Final

from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response

Message = MutableMapping[str, Any]
Send = Callable[[Message], Awaitable[None]]
Receive = Callable[[], Awaitable[Message]]

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
    " base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
)

SAFE: Final = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
"""Headers of every response."""

NONE_OF_IT: Final = re.compile(r"q=0(\.0*)?", re.I)
WORTH_PACKING: Final = 1024  # bytes; below it gzip saves nothing

STREAM_LEVEL: Final = 1  # of packing pieces: a sixth of the bytes, for a third of a millisecond per 40 kB
GZIP_HEAD: Final = bytes(
    (31, 139, zlib.DEFLATED, 0, 0, 0, 0, 0, 0, 255)
)  # RFC 1952, section 2.3: no name, no time
PACKED: Final = 64  # pieces that are kept: of a dozen games, at up to 100 kB


class Body:
    """Bytes that are sent as they are to many: with their tag, and packed once."""

    def __init__(self, data: bytes, kind: str) -> None:
        self.data = data
        self.kind = kind
        self.tag = f'"{sha256(data).hexdigest()[:24]}"'
        self.packed = gzip.compress(data, 6, mtime=0) if len(data) >= WORTH_PACKING else None

    def response(self, request: Request) -> Response:
        """The answer to this request: nothing if the browser has it already."""
        headers = {**SAFE, "etag": self.tag, "cache-control": "no-cache", "vary": "accept-encoding"}
        if request.headers.get("if-none-match") == self.tag:
            return Response(status_code=304, headers=headers)
        if self.packed is not None and takes_gzip(request):
            headers["content-encoding"] = "gzip"
            return Response(self.packed, headers=headers, media_type=self.kind)
        return Response(self.data, headers=headers, media_type=self.kind)


def takes_gzip(request: Request) -> bool:
    """Whether the browser names gzip, and not to refuse it (RFC 9110, 12.5.3)."""
    offers = (offer.partition(";") for offer in request.headers.get("accept-encoding", "").split(","))
    return any(
        coding.strip().lower() == "gzip" and NONE_OF_IT.fullmatch(weight.strip()) is None
        for coding, _, weight in offers
    )


@lru_cache(PACKED)
def pack(piece: bytes, *, last: bool = False) -> bytes:
    """Deflated on its own, so that it is the same in every stream: once for all who are sent it at a time."""
    deflate = zlib.compressobj(STREAM_LEVEL, wbits=-zlib.MAX_WBITS)
    return deflate.compress(piece) + deflate.flush(zlib.Z_FINISH if last else zlib.Z_FULL_FLUSH)


class Pieces:
    """The answer to a request that is sent piece by piece; each can be read as soon as it has come."""

    def __init__(self, send: Send, *, packed: bool) -> None:
        self._send = send
        self._packed = packed
        self._sum, self._size = 0, 0  # of what is packed

    async def begin(self, kind: str) -> None:
        """The head; it is never kept by anybody, since more will be there the next time."""
        headers = {**SAFE, "content-type": kind, "cache-control": "no-store", "vary": "accept-encoding"}
        if self._packed:
            headers["content-encoding"] = "gzip"
        raw = [(name.encode(), value.encode()) for name, value in headers.items()]
        await self._send({"type": "http.response.start", "status": 200, "headers": raw})
        if self._packed:
            await self._send({"type": "http.response.body", "body": GZIP_HEAD, "more_body": True})

    async def send(self, data: bytes) -> None:
        """One piece."""
        await self._send({"type": "http.response.body", "body": self._as_sent(data), "more_body": True})

    async def end(self, data: bytes) -> None:
        """The last piece."""
        data = self._as_sent(data, last=True)
        await self._send({"type": "http.response.body", "body": data, "more_body": False})

    def _as_sent(self, data: bytes, *, last: bool = False) -> bytes:
        if not self._packed:
            return data
        self._sum, self._size = zlib.crc32(data, self._sum), self._size + len(data)
        return pack(data, last=last) + (struct.pack("<2L", self._sum, self._size % 2**32) if last else b"")


def as_json(value: BaseModel | dict[str, Any]) -> bytes:
    """Strict JSON in ASCII."""
    plain = value.model_dump(mode="json", exclude_none=True) if isinstance(value, BaseModel) else value
    return json.dumps(plain, separators=(",", ":"), allow_nan=False).encode("ascii")


def json_body(value: BaseModel | dict[str, Any]) -> Body:
    """A JSON document."""
    return Body(as_json(value), "application/json")


def fault(status: int, text: str) -> Response:
    """An error, as one sentence."""
    return Response(as_json({"error": text}), status, SAFE, "application/json")


def event(kind: str, data: bytes, number: int | None = None) -> bytes:
    """A server-sent event; `data` has no line end."""
    id = b"" if number is None else b"id: %d\n" % number
    return b"event: %b\n%bdata: %b\n\n" % (kind.encode("ascii"), id, data)
