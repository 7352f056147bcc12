"""The routes for monitoring, over real sockets."""

from __future__ import annotations

from arena.server.metrics import CONTENT_TYPE
from tests.web.harbour import open_harbour


async def test_metrics_are_the_numbers_of_the_running_server(tmp_path):
    async with open_harbour(tmp_path) as harbour:
        before = await harbour.get("/metrics")
        await harbour.hall.login("one")
        answer = await harbour.get("/metrics")
    assert answer.status == 200
    assert answer.headers["content-type"] == CONTENT_TYPE
    assert b"\narena_connections 0.0\n" in before.body
    assert b"\narena_connections 1.0\n" in answer.body


async def test_health_is_a_status_and_says_what_is_wrong(tmp_path):
    async with open_harbour(tmp_path) as harbour:
        answer = await harbour.get("/healthz")
        assert (answer.status, answer.json) == (200, {"status": "ok"})
        harbour.hall.server.drain()
        answer = await harbour.get("/healthz")
        assert (answer.status, answer.json["status"]) == (503, "wrong")
        assert "starts no games" in answer.json["closing"]
