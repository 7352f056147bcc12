"""The routes for an organiser's monitoring: `/metrics` and `/healthz`, as `arena.server.metrics` reads them."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from arena.server import Server
from arena.server.metrics import CONTENT_TYPE, exposition, health
from arena.web.sending import SAFE


def monitoring_routes(server: Server) -> list[Route]:
    """Routes that read this server."""

    async def metrics(_: Request) -> Response:
        return Response(exposition(server), headers={**SAFE, "content-type": CONTENT_TYPE})

    async def healthz(_: Request) -> Response:
        wrong = health(server)
        body = {"status": "wrong" if wrong else "ok", **wrong}
        return JSONResponse(body, 503 if wrong else 200, headers=SAFE)

    return [Route("/metrics", metrics), Route("/healthz", healthz)]
