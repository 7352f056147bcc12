"""What is asked at the door of the pages, of the head of a request alone: too many, or with what is not wanted here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import trio

from arena.server.rates import Rates
from arena.web.sending import fault

if TYPE_CHECKING:
    import h11
    from starlette.responses import Response

    from arena.web.settings import WebConfig

ADDRESSES: Final = 10_000  # whose requests are counted; of more, those that came last
HANDSHAKE: Final = 5  # requests that to agree on TLS counts as: about two milliseconds
OWNER: Final = "/api/owner"  # where a body is sent to
MAX_BODY: Final = 2 * 1024  # bytes; the longest name and proof take under 1,000
READ_ONLY: Final = "everything here can only be read; use GET"


class Door:
    """Counts the requests of each address."""

    def __init__(self, config: WebConfig) -> None:
        self._config = config
        self._rates = Rates(config.rate, config.burst, ADDRESSES)

    def may_shake_hands(self, origin: str) -> bool:
        """Whether somebody at this address may agree on TLS, which counts as some requests."""
        return self._rates.take(origin, trio.current_time(), HANDSHAKE)

    def refusal(self, origin: str, request: h11.Request) -> Response | None:
        """Why a request from this address is not served, if it is not."""
        if request.http_version not in (b"1.0", b"1.1"):
            return fault(505, "these pages speak HTTP/1.1, and neither HTTP/2 nor what came after it")
        if not self._rates.take(origin, trio.current_time()):
            limit = f"{self._config.rate:g} requests a second come from your address, which is its limit"
            return fault(429, f"over {limit} (`http_rate`, `http_burst`); wait a moment")
        return body_refusal(request)


def body_refusal(request: h11.Request) -> Response | None:
    """Why the body that a request announces is not read."""
    told = {
        name: value for name, value in request.headers if name in (b"content-length", b"transfer-encoding")
    }
    if told.get(b"content-length", b"0").strip(b"0") == b"" and b"transfer-encoding" not in told:
        return None  # there is none
    if request.target.partition(b"?")[0] == OWNER.encode():
        if b"transfer-encoding" not in told and int(told[b"content-length"]) <= MAX_BODY:
            return None
        return fault(413, f"a login takes up to {MAX_BODY} bytes, and their number as its Content-Length")
    if request.method in (b"GET", b"HEAD"):
        return fault(400, "what is read here takes no body; ask without one")
    return fault(405, READ_ONLY)
