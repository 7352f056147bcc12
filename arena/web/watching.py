"""The stream of a game's moments as server-sent events, from any moment on."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import trio
from starlette.requests import Request

from arena.describe import labels
from arena.game.terms import END_CREDITS
from arena.web.guests import Guests, address_of
from arena.web.models import About, End, Outcome
from arena.web.sending import Pieces, Receive, Send, as_json, event, fault, takes_gzip
from arena.web.theatre import Full, NotShown, Secret, Showing, Theatre
from arena.web.viewpoints import UnknownViewpoint, Viewpoint
from protocol.fields import Rules

if TYPE_CHECKING:
    from arena.records import Header
    from arena.records import Outcome as Recorded
    from arena.web.owners import Owners
    from arena.web.settings import WebConfig
    from arena.web.turnstile import Turnstile

FIRST = 1  # moments in the first event: what a page needs for its first picture
AT_ONCE = 100  # moments in every other event
MAX_NUMBER = 10**9  # of a moment, in `Last-Event-ID`


class Stream:
    """The ASGI endpoint `/api/games/ID/stream`."""

    def __init__(self, config: WebConfig, theatre: Theatre, owners: Owners, turnstile: Turnstile) -> None:
        self._config = config
        self._turnstile = turnstile
        self._theatre = theatre
        self._owners = owners
        self._guests = Guests(config)

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        """Send moments until there are no more, or the client is gone."""
        request = Request(scope)
        try:
            if request.method != "GET":
                return await fault(405, "a stream can only be read; use GET")(scope, receive, send)
            viewpoint = Viewpoint.parse(request.query_params.get("view", "public"))
            if self._theatre.viewers >= self._config.viewers:
                raise Full(
                    f"{self._theatre.viewers} viewers follow games, which is the limit (`viewers`); come later"
                )
            game = request.path_params["game"]
            film = (game, viewpoint)
            refusal = self._guests.refusal(address_of(request), film)
            if refusal is not None:
                raise Full(refusal)
            own = viewpoint.seat is not None and viewpoint.seat in self._owners.seats(request, game)
            showing = self._theatre.open(game, viewpoint, own=own)
        except (NotShown, UnknownViewpoint) as error:
            return await fault(status_of(error), str(error))(scope, receive, send)
        self._guests.enter(address_of(request), film)
        try:
            pieces = Pieces(send, packed=self._packs(request, showing))
            async with trio.open_nursery() as nursery:
                nursery.start_soon(gone, receive, nursery.cancel_scope)
                await self._send(showing, request, pieces)
                nursery.cancel_scope.cancel()
        finally:
            self._guests.leave(address_of(request), film)
            self._theatre.leave(showing)
        return None

    def _packs(self, request: Request, showing: Showing) -> bool:
        """Records alone are packed: what is new in a live game is small, and has many viewers."""
        return takes_gzip(request) and self._theatre.released(showing.game)

    def _may_see(self, showing: Showing, request: Request) -> bool:
        """Whether the owner of a seat still is; when the game is over everybody may see it."""
        if not showing.own or showing.viewpoint.seat in self._owners.seats(request, showing.game):
            return True
        return self._theatre.released(showing.game)

    async def _send(self, showing: Showing, request: Request, pieces: Pieces) -> None:
        next = first_wanted(request)
        await pieces.begin("text/event-stream")
        seats = self._owners.seats(request, showing.game)
        told = about(self._theatre, showing.header, showing.viewpoint, self._owners, seats)
        await pieces.send(event("start", as_json(told)))
        status = ""
        room = FIRST
        while True:
            if not self._may_see(showing, request):
                end = End(status="broken", problem="the proof that this seat is yours holds no more")
                return await pieces.end(event("end", as_json(end)))
            moments = showing.moments
            if next < len(moments) or (status != showing.status and not showing.finished):
                if showing.finished:  # all is there at once; what is new is cried to a few at a time
                    await self._turnstile.enter(address_of(request))
                part = moments[next : next + room]
                next += len(part)
                status = showing.status
                await pieces.send(event("moments", moments_json(showing, part), next - 1 if part else None))
                room = AT_ONCE if part else FIRST
            elif showing.finished:
                return await pieces.end(
                    event("end", as_json(end_of(showing, self._theatre.released(showing.game))))
                )
            else:
                with trio.move_on_after(self._config.heartbeat) as waiting:
                    await showing.grown()
                if waiting.cancelled_caught:
                    await pieces.send(b": nothing new\n\n")


async def gone(receive: Receive, scope: trio.CancelScope) -> None:
    """Cancel `scope` when the client is gone."""
    while (await receive())["type"] != "http.disconnect":
        pass
    scope.cancel()


def first_wanted(request: Request) -> int:
    """The number of the first moment to send: after the one that the browser, or the query, says it has."""
    text = request.headers.get("last-event-id") or request.query_params.get("after", "")
    if text.isascii() and text.isdigit() and len(text) < len(str(MAX_NUMBER)):
        return int(text) + 1
    return 0


def moments_json(showing: Showing, part: list[bytes]) -> bytes:
    """The data of an event `moments`; each moment is encoded once for all viewers."""
    age = b""
    if showing.status == "live" and math.isfinite(showing.told_at):
        age = b'"age":%.3f,' % max(0.0, trio.current_time() - showing.told_at)
    return b'{"status":"%b",%b"moments":[%b]}' % (showing.status.encode("ascii"), age, b",".join(part))


def about(
    theatre: Theatre, header: Header, viewpoint: Viewpoint, owners: Owners, seats: tuple[int, ...] = ()
) -> About:
    """What does not change while the game is played. The seed and the salt are not in it.

    `seats` are those from which its owner, who asks, may look.
    """
    names, options = tuple(header.seats), header.options
    own = tuple(str(Viewpoint(seat=seat)) for seat in seats)
    views = theatre.views(header)
    return About(
        game=header.game,
        view=str(viewpoint),
        views=views + tuple(view for view in own if view not in views),
        names=names,
        labels=tuple(labels(names)),
        rules=Rules.model_validate(
            {"sets": options.sets, "market": options.market, "containers": options.containers}
        ),
        clock=header.clock,
        started=header.started,
        commitment=header.commitment,
        tags=header.tags,
        end_credits=END_CREDITS,
        reveal_after=theatre.reveal_after(header.game),
        record=theatre.released(header.game),
        owners=owners.can_log_in and header.game in theatre.live,
    )


def end_of(showing: Showing, released: bool) -> End:
    """The last event of a stream; the seed is told if everything about the game is `released`."""
    result = showing.result
    if result is None:
        return End(status=showing.status, problem=showing.problem)
    return End(status=showing.status, outcome=outcome(showing.header, result, released))


def outcome(header: Header, result: Recorded, released: bool) -> Outcome:
    """How the game ended."""
    return Outcome(
        complete=result.complete,
        reason=result.reason,
        places=result.places,
        credits=result.credits,
        reasons=tuple(reason.value for reason in result.reasons),
        seed=str(header.seed) if released else None,
        salt=header.salt if released else None,
    )


def status_of(error: Exception) -> int:
    """The HTTP status that tells an error."""
    if isinstance(error, UnknownViewpoint):
        return 400
    if isinstance(error, Secret):
        return 403
    return 503 if isinstance(error, Full) else 404
