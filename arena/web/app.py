"""The routes of the HTTP side. Everything can only be read; but the owner of a seat can log in and out."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from io import BufferedReader
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import structlog
import trio
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from arena.game import default_catalogue
from arena.regular import open_regular
from arena.web.assets import read_assets
from arena.web.callers import Turn
from arena.web.card_list import cards
from arena.web.door import OWNER, READ_ONLY
from arena.web.guests import address_of
from arena.web.models import schema
from arena.web.overview import Overview
from arena.web.owners import Owners, Proofs
from arena.web.sending import SAFE, Body, Receive, Send, fault, json_body
from arena.web.theatre import NotShown
from arena.web.turnstile import Turnstile
from arena.web.viewpoints import PUBLIC
from arena.web.watching import Stream, about, status_of

if TYPE_CHECKING:
    from arena.game import Catalogue
    from arena.web.models import Tournament
    from arena.web.settings import WebConfig
    from arena.web.shelf import Shelf
    from arena.web.theatre import Live, Theatre

PAGES = {
    "/": "index.html",
    "/game/{game}": "game.html",
    "/tournament/{name:path}": "tournament.html",
    "/cards": "cards.html",
}


class Boards(Protocol):
    """Where standings come from: the tournaments, which this room does not know."""

    def names(self) -> tuple[str, ...]:
        """The tournaments that have a page."""

    def board(self, name: str) -> Tournament:
        """The standings of one. It may read files and compute: called in a thread of its own."""


class NoBoards:
    """A server without tournaments."""

    def names(self) -> tuple[str, ...]:
        """None."""
        return ()

    def board(self, name: str) -> Tournament:
        """There is none."""
        raise KeyError(name)


class Api:
    """The endpoints that answer at once."""

    def __init__(
        self,
        config: WebConfig,
        theatre: Theatre,
        shelf: Shelf,
        live: Live,
        boards: Boards,
        catalogue: Catalogue,
        owners: Owners,
        turnstile: Turnstile,
    ) -> None:
        self._config = config
        self._turnstile = turnstile
        self._theatre = theatre
        self._shelf = shelf
        self._boards = boards
        self._owners = owners
        self._overview = Overview(config, shelf, live, boards.names)
        self._cards = json_body(cards(catalogue))
        self._schema = json_body(schema())
        self._standings: dict[str, tuple[float, Body]] = {}
        self._computing = trio.Lock()

    async def games(self, request: Request) -> Response:
        """`/api/games`"""
        return (await self._overview.games()).response(request)

    async def game(self, request: Request) -> Response:
        """`/api/games/ID`"""
        try:
            header = self._theatre.header(request.path_params["game"])
        except NotShown as error:
            return fault(status_of(error), str(error))
        return json_body(about(self._theatre, header, PUBLIC, self._owners)).response(request)

    async def record(self, request: Request) -> Response:
        """`/api/games/ID/record`: the file, once nothing in it is secret."""
        game = request.path_params["game"]
        path = self._shelf.find(game)
        if path is None:
            return fault(404, f"there is no record of a game {game[:64]!r} here")
        if not self._theatre.released(game):
            return fault(
                403, f"the record of the game {game} can be had when {self._theatre.secret_until(game)}"
            )
        return Download(path, game, partial(self._turnstile.enter, address_of(request)))

    async def cards(self, request: Request) -> Response:
        """`/api/cards`"""
        return self._cards.response(request)

    async def schema(self, request: Request) -> Response:
        """`/api/schema`"""
        return self._schema.response(request)

    async def tournament(self, request: Request) -> Response:
        """`/api/tournaments/NAME`: at most `stale` seconds old, computed by one at a time."""
        name = request.path_params["name"]
        if name not in self._boards.names():
            return fault(404, f"there is no tournament {name[:64]!r} here")
        async with self._computing:
            now = trio.current_time()
            known = self._standings.get(name)
            if known is None or now - known[0] >= self._config.stale:
                board = await trio.to_thread.run_sync(self._boards.board, name)
                known = self._standings[name] = (trio.current_time(), json_body(board))
        return known[1].response(request)


class Fixed:
    """The ASGI endpoint of what is always the same."""

    def __init__(self, body: Body) -> None:
        self._body = body

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        """Send it."""
        request = Request(scope)
        readable = request.method in ("GET", "HEAD")
        response = self._body.response(request) if readable else fault(405, READ_ONLY)
        await response(scope, receive, send)


class Download(Response):
    """A record, read and sent piece by piece."""

    PIECE = 64 * 1024

    def __init__(self, path: Path, game: str, turn: Turn) -> None:
        super().__init__(
            headers={**SAFE, "content-disposition": f'attachment; filename="{game}.jsonl"'},
            media_type="application/x-ndjson",
        )
        del self.headers["content-length"]
        self._path = path
        self._turn = turn

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Send the file as it is now."""
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        async with trio.wrap_file(self._open()) as file:
            while piece := await file.read(self.PIECE):
                await send({"type": "http.response.body", "body": piece, "more_body": True})
                await self._turn()
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    def _open(self) -> BufferedReader:
        """The file, in one step: a descriptor that is waited with would be lost if the request is given up."""
        return open(open_regular(self._path), "rb")


def build(
    config: WebConfig,
    theatre: Theatre,
    shelf: Shelf,
    live: Live,
    *,
    boards: Boards | None = None,
    catalogue: Catalogue | None = None,
    more: Sequence[BaseRoute] = (),
    proofs: Proofs | None = None,
    secure: bool = False,
    turnstile: Turnstile | None = None,
) -> Starlette:
    """The application; `more` are routes of others, such as metrics, which come first.

    `proofs` knows what proves that a seat is one's own; `secure` where TLS is spoken. What is there
    to be sent in one go passes the `turnstile`.
    """
    owners = Owners(config, proofs, live, secure=secure)
    turnstile = turnstile or Turnstile()
    shown = boards or NoBoards()
    api = Api(config, theatre, shelf, live, shown, catalogue or default_catalogue(), owners, turnstile)
    assets = read_assets()

    app = Starlette(
        routes=[
            *more,
            *(Route(path, Fixed(assets[name])) for path, name in PAGES.items()),
            *(Route(f"/static/{name}", Fixed(body)) for name, body in assets.items()),
            Route("/favicon.ico", Fixed(assets["icon.svg"])),
            Route("/api/games", api.games),
            Route("/api/games/{game}", api.game),
            Route("/api/games/{game}/record", api.record),
            Route("/api/games/{game}/stream", Stream(config, theatre, owners, turnstile)),
            Route(OWNER, owners.owner, methods=["POST", "DELETE"]),
            Route("/api/cards", api.cards),
            Route("/api/schema", api.schema),
            Route("/api/tournaments/{name:path}", api.tournament),
        ],
        exception_handlers={HTTPException: refuse, Exception: fail},
    )
    app.router.redirect_slashes = False  # to an address that the request itself would name
    return app


async def refuse(request: Request, error: Exception) -> Response:
    """No such page, or not to be written."""
    await trio.lowlevel.checkpoint()  # it must be async: Starlette would call a sync function in a thread
    status = error.status_code if isinstance(error, HTTPException) else 500
    if status == 405:
        text = "log in with POST, and out with DELETE" if request.scope["path"] == OWNER else READ_ONLY
    else:
        text = "there is no such page"
    return fault(status, text)


async def fail(_: Request, error: Exception) -> Response:
    """Ours: one request fails, and the log says why."""
    await trio.lowlevel.checkpoint()
    structlog.get_logger().error("page-failed", exc_info=error)
    return fault(500, "the server failed at this page; tell the organiser")
