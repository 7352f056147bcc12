"""A server on memory streams with its HTTP side on a real socket, and a small client of HTTP.

async with open_harbour(tmp_path) as harbour:
    game = await harbour.hall.seated(2)
    answer = await harbour.get("/api/games")
    async with harbour.stream(game.id) as events: ...
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import h11
import trio

from arena.web import WebConfig
from arena.web.app import Boards
from arena.web.monitoring import monitoring_routes
from arena.web.serving import serve as serve_pages
from arena.web.shelf import Shelf
from tests.server.table import PATIENCE, Hall, open_hall, strict

Event = tuple[str, int | None, dict[str, Any]]


@dataclass
class Answer:
    """An answer to a request."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> dict[str, Any]:
        """The body, read strictly."""
        return strict(self.body)


@dataclass
class Events:
    """A stream of server-sent events; `raw` is all that has come."""

    stream: trio.SocketStream
    connection: h11.Connection
    raw: bytes = b""
    last_id: int | None = None
    _text: bytes = field(default=b"")
    _unzip: Any = field(default=None)

    async def next(self) -> Event:
        """The next event: its kind, its id, its data; heartbeats are passed over."""
        with trio.fail_after(PATIENCE):
            while True:
                block, end, rest = self._text.partition(b"\n\n")
                if end:
                    self._text = rest
                    if not block.startswith(b":"):
                        return self._read(block)
                else:
                    self._text += await self._more()

    async def until(self, kind: str) -> list[Event]:
        """All events up to the first of this kind."""
        events = []
        while not events or events[-1][0] != kind:
            events.append(await self.next())
        return events

    async def _more(self) -> bytes:
        while True:
            event = self.connection.next_event()
            if event is h11.NEED_DATA:
                data = await self.stream.receive_some(65536)
                self.raw += data
                self.connection.receive_data(data)
            elif isinstance(event, h11.Data):
                return bytes(event.data) if self._unzip is None else self._unzip.decompress(event.data)
            elif isinstance(event, h11.Response) and (b"content-encoding", b"gzip") in event.headers:
                self._unzip = zlib.decompressobj(wbits=31)
            else:
                assert not isinstance(event, (h11.EndOfMessage, h11.ConnectionClosed)), "the stream has ended"

    def _read(self, block: bytes) -> Event:
        fields = dict(line.split(b": ", 1) for line in block.split(b"\n"))
        id = int(fields[b"id"]) if b"id" in fields else None
        return fields[b"event"].decode(), id, strict(fields[b"data"])


class Pages:
    """The pages of a server, by their address."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.port = int(url.rstrip("/").rpartition(":")[2])
        self.address = "127.0.0.1"  # of whoever asks

    async def get(self, path: str, method: str = "GET", body: bytes = b"", **headers: str) -> Answer:
        """One request on a connection of its own."""
        stream, connection = await self._ask(path, method, headers, body)
        async with stream:
            response: h11.Response | None = None
            body = b""
            with trio.fail_after(PATIENCE):
                while True:
                    event = connection.next_event()
                    if event is h11.NEED_DATA:
                        connection.receive_data(await stream.receive_some(65536))
                    elif isinstance(event, h11.Response):
                        response = event
                    elif isinstance(event, h11.Data):
                        body += bytes(event.data)
                    elif isinstance(event, h11.EndOfMessage):
                        break
        assert response is not None
        told = {name.decode(): value.decode() for name, value in response.headers}
        if told.get("content-encoding") == "gzip":
            body = gzip.decompress(body)
        return Answer(response.status_code, told, body)

    @asynccontextmanager
    async def stream(self, game: str, view: str = "public", **headers: str) -> AsyncIterator[Events]:
        """Follow a game."""
        stream, connection = await self._ask(f"/api/games/{game}/stream?view={view}", "GET", headers)
        async with stream:
            yield Events(stream, connection)

    async def _ask(
        self, path: str, method: str, headers: Mapping[str, str], body: bytes = b""
    ) -> tuple[trio.SocketStream, h11.Connection]:
        stream = await trio.open_tcp_stream("127.0.0.1", self.port, local_address=self.address)
        connection = h11.Connection(h11.CLIENT)
        told: list[tuple[str, str | bytes]] = [("host", f"127.0.0.1:{self.port}")]
        told += [(name.replace("_", "-"), value) for name, value in headers.items()]
        if body:
            told.append(("content-length", str(len(body))))
        request = connection.send(h11.Request(method=method, target=path, headers=told)) or b""
        request += connection.send(h11.Data(data=body)) or b""
        try:
            await stream.send_all(request + (connection.send(h11.EndOfMessage()) or b""))
        except BaseException:
            await trio.aclose_forcefully(stream)
            raise
        return stream, connection


class Harbour(Pages):
    """The server and the address of its pages."""

    def __init__(self, hall: Hall, url: str) -> None:
        super().__init__(url)
        self.hall = hall


@asynccontextmanager
async def open_harbour(
    folder: Path, web: Mapping[str, Any] | None = None, boards: Boards | None = None, **settings: Any
) -> AsyncIterator[Harbour]:
    """A server and its pages; `web` are settings of the pages, the others those of the server."""
    async with open_hall(folder, **settings) as hall:
        config = WebConfig(**{"port": 0, **(web or {})})
        more = monitoring_routes(hall.server)
        shelf, proofs = Shelf(hall.server.folder), hall.server.clients
        serve = partial(
            serve_pages, config, shelf, hall.server.games, boards=boards, more=more, proofs=proofs
        )
        url = await hall.nursery.start(serve)
        assert url is not None
        yield Harbour(hall, url)


def with_change(view: Mapping[str, Any], change: Mapping[str, Any]) -> dict[str, Any]:
    """The view after a change, as docs/watching.md says and the page does it."""
    new = {**view, **change.get("set", {})}
    for name in change.get("unset", ()):
        del new[name]
    for name in ("players", "ships"):
        rows = list(new[name])
        for index, row in sorted(change.get(name, {}).items(), key=lambda entry: int(entry[0])):
            old = rows[int(index)] if name == "players" else {}
            rows[int(index) : int(index) + 1] = [{**old, **row}]
        new[name] = rows
    return new


def views_of(moments: list[bytes]) -> list[dict[str, Any]]:
    """The whole view of each moment."""
    views: list[dict[str, Any]] = []
    for line in moments:
        moment = json.loads(line)
        views.append(moment["view"] if not views else with_change(views[-1], moment["change"]))
    return views
