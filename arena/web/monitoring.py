"""The routes for an organiser's monitoring: `/metrics` and `/healthz`, as `arena.server.metrics` reads them."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from arena.server import Server
from arena.server.metrics import CONTENT_TYPE, exposition, health
from arena.web.sending import SAFE


class Monitoring:
    """The endpoints of one server."""

    def __init__(self, server: Server) -> None:
        self._server = server

    async def metrics(self, _: Request) -> Response:
        """`/metrics`"""
        return Response(exposition(self._server), headers={**SAFE, "content-type": CONTENT_TYPE})

    async def healthz(self, _: Request) -> Response:
        """`/healthz`"""
        wrong = health(self._server)
        body = {"status": "wrong" if wrong else "ok", **wrong}
        return JSONResponse(body, 503 if wrong else 200, headers=SAFE)


def monitoring_routes(server: Server) -> list[Route]:
    """Routes that read this server."""
    monitoring = Monitoring(server)
    return [Route("/metrics", monitoring.metrics), Route("/healthz", monitoring.healthz)]
