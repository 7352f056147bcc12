"""Owners of seats in the browser: a proof is sent once, and becomes a cookie that no script and no other site can use.

The proof is the token of the seat's name, or the resume key of its bot where the name has none. It comes in the body
of a POST of the page itself, so that it stands in no address and in no log; what is kept of it is its hash. The
cookie is drawn anew, and as good only as long as the proof holds.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from contextlib import aclosing
from hashlib import sha256
from typing import TYPE_CHECKING, Final, Protocol

import structlog
import trio
from pydantic import ValidationError
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from arena.server.rates import Rate, Rates
from arena.web.door import MAX_BODY
from arena.web.guests import address_of
from arena.web.models import Login
from arena.web.sending import SAFE, fault
from protocol import PhaseError
from protocol.errors import ReadError
from protocol.reading import read_object

if TYPE_CHECKING:
    from arena.server.clients import Ownership
    from arena.web.settings import WebConfig
    from arena.web.theatre import Live

COOKIE: Final = "arena-owner"
HOURS: Final = 12  # for which a login holds
SESSIONS: Final = 1000  # at once; then the oldest is forgotten
SESSIONS_OF_ONE: Final = 10  # of one name; then its own oldest is forgotten, and nobody else's
MINUTE: Final = 60.0  # seconds in which so many may log in as the settings say
ADDRESSES: Final = 10_000  # whose logins are counted; of more, those that were seen last


class Proofs(Protocol):
    """Who knows what proves a name: the server's clients."""

    def prove(self, name: str, token: str | None, resume: str | None) -> Ownership:
        """The proof that the name is one's own; raises `PhaseError`."""

    def holds(self, proof: Ownership) -> bool:
        """Whether it still is one."""


class Owners:
    """Who has logged in; and `/api/owner`, where one logs in with POST and out with DELETE."""

    def __init__(self, config: WebConfig, proofs: Proofs | None, live: Live, *, secure: bool) -> None:
        """Without `proofs` nobody owns anything; `secure` where TLS is spoken."""
        self._proofs = proofs
        self._live = live
        self._secure = secure
        self._config = config
        self._sessions: OrderedDict[str, tuple[Ownership, float]] = OrderedDict()
        self._rates = Rates(config.logins / MINUTE, config.logins, ADDRESSES)
        self._all = Rate(config.all_logins / MINUTE, config.all_logins)
        self.log = structlog.get_logger()

    @property
    def can_log_in(self) -> bool:
        """Whether there is anybody who could prove anything."""
        return self._proofs is not None

    def of(self, request: Request) -> Ownership | None:
        """Whose browser this is, if it has logged in and its proof still holds."""
        key = _hashed(request.cookies.get(COOKIE, ""))
        proof, until = self._sessions.get(key, (None, 0.0))
        if proof is None or self._proofs is None:
            return None
        if until <= trio.current_time() or not self._proofs.holds(proof):
            del self._sessions[key]
            return None
        return proof

    def seats(self, request: Request, game: str) -> tuple[int, ...]:
        """The seats of a running game that belong to this browser's user."""
        proof, referee = self.of(request), self._live.get(game)
        if proof is None or referee is None:
            return ()
        return tuple(seat.number for seat in referee.seats if proof.owns(seat))

    async def owner(self, request: Request) -> Response:
        """`/api/owner`"""
        if self._proofs is None:
            return fault(404, "nobody plays here, so no seat has an owner")
        if not from_our_page(request):
            return fault(403, "only the pages of this server may log in and out")
        self._sessions.pop(_hashed(request.cookies.get(COOKIE, "")), None)
        if request.method == "DELETE":
            return self._with_cookie("", 0)
        refusal = self._too_many(request)
        if refusal is not None:
            return fault(429, refusal)
        try:
            login = Login.model_validate(read_object(await self._body(request)))
            proof = self._proofs.prove(login.name, login.proof, login.proof)
        except (ReadError, ValidationError):  # whose text might quote the proof
            return fault(
                400, "send a JSON object with the `name` of a seat and its `proof`, a token or a resume key"
            )
        except PhaseError as error:
            self.log.info("owner-refused", code=error.code.value)
            return fault(403, error.text)
        return self._with_cookie(self._begin(proof), HOURS * 3600)

    def _too_many(self, request: Request) -> str | None:
        """Why this login has to wait, if it has to: no proof can be guessed, but all of them cost the machine time."""
        now, config = trio.current_time(), self._config
        if not self._rates.take(address_of(request), now):
            return (
                f"over {config.logins} logins a minute come from your address (`http_logins`); wait a moment"
            )
        if not self._all.take(now):
            return f"over {config.all_logins} logins a minute come in all (`http_all_logins`); wait a moment"
        return None

    def _begin(self, proof: Ownership) -> str:
        """A new session, by the key of its cookie."""
        own = [key for key, (other, _) in self._sessions.items() if other.name == proof.name]
        if len(own) >= SESSIONS_OF_ONE:
            del self._sessions[own[0]]
        elif len(self._sessions) >= SESSIONS:
            self._sessions.popitem(last=False)
        key = secrets.token_urlsafe(32)
        self._sessions[_hashed(key)] = proof, trio.current_time() + HOURS * 3600
        return key

    async def _body(self, request: Request) -> bytes:
        """The body; what is too long or too late counts as nothing."""
        body = b""
        try:
            async with aclosing(request.stream()) as pieces:
                with trio.move_on_after(self._config.idle):
                    async for piece in pieces:
                        body += piece
                        if len(body) > MAX_BODY:
                            return b""
                    return body
        except ClientDisconnect:
            pass
        return b""

    def _with_cookie(self, key: str, age: int) -> Response:
        response = Response(status_code=204, headers={**SAFE, "cache-control": "no-store"})
        response.set_cookie(
            COOKIE, key, max_age=age, path="/", secure=self._secure, httponly=True, samesite="strict"
        )
        return response


def from_our_page(request: Request) -> bool:
    """Whether a request that changes something was made by our own page, as the browser tells; others could be
    made by any site in the user's name."""
    if request.headers.get("content-type", "") != "application/json":
        return False  # no form of another site can send this
    site, origin = request.headers.get("sec-fetch-site"), request.headers.get("origin")
    if site is not None:
        return site == "same-origin"  # also behind a proxy that changes the host
    host = request.headers.get("host", "")
    return origin is None or origin in (f"http://{host}", f"https://{host}")


def _hashed(key: str) -> str:
    """How a cookie is kept, so that comparing it tells nothing by its time."""
    return sha256(key.encode()).hexdigest()
