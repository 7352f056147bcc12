"""A server in a thread of its own, for tests that wait for a browser: players, pages, and a line that can be cut.

with Pier(tmp_path) as pier:
    game = pier.start(2)
    pier.play(game, 10)             # moves
    page.goto(pier.url + f"game/{game.id}")
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import trio

from protocol.messages import Clock
from tests.server.table import Hall, Seats, dice
from tests.server.test_watchers import play_some
from tests.web.harbour import open_harbour

PATIENCE = 100.0  # seconds
PATIENT = Clock(move=3600.0)  # no browser is so slow that a player is late meanwhile
T = TypeVar("T")


class Pier:
    """The server; its methods are called from the test's own thread."""

    def __init__(self, folder: Path, **settings: Any) -> None:
        """`settings` are those of `open_harbour`."""
        self._folder = folder
        self._settings = settings
        self._thread = threading.Thread(target=trio.run, args=(self._main,), daemon=True)
        self._ready: queue.Queue[str] = queue.Queue()
        self._cut: list[trio.SocketStream] = []
        self.url = ""

    def __enter__(self) -> Self:
        self._thread.start()
        self.url = self._ready.get(timeout=PATIENCE)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._token.run_sync_soon(self._stop.cancel)
        self._thread.join(PATIENCE)

    def do(self, work: Callable[[], Awaitable[T]]) -> T:
        """Do this in the server's thread, and wait for it."""
        return trio.from_thread.run(work, trio_token=self._token)

    @property
    def hall(self) -> Hall:
        """The server that the players are at."""
        return self._harbour.hall

    def start(self, seats: int = 2, *, names: tuple[str, ...] = (), **options: Any) -> Seats:
        """A game whose players are ready."""

        async def work() -> Seats:
            wires = [await self.hall.login(name) for name in names]
            game = await self.hall.seated(seats, wires=wires, **{"clock": PATIENT, **options})
            await game.ready()
            return game

        return self.do(work)

    def play(self, game: Seats, moves: int, seed: int = 1) -> None:
        """Some moves at random."""
        self.do(lambda: play_some(game, moves, seed))

    def retire(self, game: Seats) -> int:
        """The seat that is asked answers nonsense; then the others play to the end. Returns the seat."""

        async def work() -> int:
            seat = next(seat for seat in game.referee.seats if seat.request is not None)
            await game[seat.number].send("move", game=game.id, id=seat.request.id, choice=10**6)
            await game.play_on(dice(1), skip=[seat.number])
            return seat.number

        return self.do(work)

    def finish(self, game: Seats, seed: int = 1) -> None:
        """Play to the end."""
        self.do(lambda: game.play_on(dice(seed)))

    def cut(self) -> None:
        """Every connection through the line is lost."""

        async def work() -> None:
            for stream in self._cut:
                await trio.aclose_forcefully(stream)
            self._cut.clear()

        self.do(work)

    async def _main(self) -> None:
        self._token = trio.lowlevel.current_trio_token()
        with trio.CancelScope() as self._stop:
            async with (
                open_harbour(self._folder, **self._settings) as self._harbour,
                trio.open_nursery() as nursery,
            ):
                listeners = await nursery.start(trio.serve_tcp, self._line, 0)
                port = listeners[0].socket.getsockname()[1]
                self._ready.put(f"http://127.0.0.1:{port}/")
                await trio.sleep_forever()

    async def _line(self, near: trio.SocketStream) -> None:
        """Passes everything on to the pages, until it is cut."""
        far = await trio.open_tcp_stream("127.0.0.1", self._harbour.port)
        self._cut += [near, far]
        async with near, far, trio.open_nursery() as nursery:
            nursery.start_soon(pump, near, far, nursery.cancel_scope)
            nursery.start_soon(pump, far, near, nursery.cancel_scope)


async def pump(source: trio.SocketStream, target: trio.SocketStream, scope: trio.CancelScope) -> None:
    """Bytes from one to the other, until one of them ends."""
    try:
        while data := await source.receive_some(65536):
            await target.send_all(data)
    except (trio.BrokenResourceError, trio.ClosedResourceError):
        pass
    scope.cancel()
