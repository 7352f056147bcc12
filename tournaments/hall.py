"""The server that remote entrants log in to, and the blocks that are played there.

Its accounts are the remote entrants with their tokens. Who has logged in stays: it is seated in one game after the
other, at several tables at once if it may. The other entrants of such a block are started for it, as everywhere,
and come in by a back door on loopback, so that they need neither TLS nor the address for the others.
"""

from __future__ import annotations

import errno
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial

import trio

from arena.server import Config, Server, serve
from tournaments.attendance import Attendance
from tournaments.config import Tournament
from tournaments.host import LOGIN, Host, late
from tournaments.schedules import Pairing
from tournaments.worker import Outcome, Problem, play_through, recorded

LOOPBACK = "127.0.0.1"


class NoHall(Exception):
    """The address for remote entrants cannot be had; the text says why and what to do."""


class Hall:
    """An open server for remote entrants; `address` is where they log in."""

    def __init__(
        self,
        tournament: Tournament,
        server: Server,
        address: str,
        back: tuple[str, int],
        tables: int,
        tell: Tell,
    ) -> None:
        self.address = address
        self.over = False  # whether all is played, so that at the end the remote entrants are told to go
        self._tournament = tournament
        self._server = server
        self._back = back
        self._tables = trio.Semaphore(tables)
        games = {each.name: each.games for each in tournament.entrants if each.is_remote}
        self._attendance = Attendance(games, tournament.door.wait, self._is_here, tell, server.lag.awake)

    @staticmethod
    @asynccontextmanager
    async def open(tournament: Tournament, tables: int, tell: Tell) -> AsyncIterator[Hall]:
        """A hall in which at most `tables` blocks are played at once that need programs of this machine.

        `tell` gets sentences about who is waited for. When it is left the remote entrants are told goodbye if it
        is `over`; else they are dropped, so that they come back to the next run. Raises `NoHall`.
        """
        async with trio.open_nursery() as nursery:
            open_door = partial(serve, _config(tournament), prepare=partial(_let_in, tournament))
            try:
                server, listeners = await nursery.start(open_door)
            except* OSError as group:
                raise NoHall(_why(tournament, group)) from None
            back = await trio.open_tcp_listeners(0, host=LOOPBACK)
            await nursery.start(trio.serve_listeners, server.accept, back)
            host, port = listeners[0].socket.getsockname()[:2]
            address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
            hall = Hall(tournament, server, address, back[0].socket.getsockname()[:2], tables, tell)
            nursery.start_soon(hall._watch)
            try:
                yield hall
            finally:
                for connection in [] if hall.over else list(server.connections.values()):
                    connection.drop()
                nursery.cancel_scope.cancel()

    async def play(self, pairings: Sequence[Pairing]) -> Outcome:
        """Play a block once all its remote entrants are there and free; the results, and why others are missing."""
        outcome = recorded(self._tournament, pairings)
        if outcome is not None:
            return outcome
        names = set(pairings[0].seating)
        remote = sorted(names & self._tournament.remote)
        absent = await self._attendance.admit(remote)
        if absent:
            return [], [Problem(str(late(self._tournament, name)), name) for name in absent]
        try:
            if names <= self._tournament.remote:
                return await self._play(pairings)
            async with self._tables:
                return await self._play(pairings)
        finally:
            self._attendance.dismiss(remote)

    async def _play(self, pairings: Sequence[Pairing]) -> Outcome:
        place = (self._server, self._back, self._attendance)
        async with Host.at(self._tournament, pairings[0].block, *place) as host:
            return await play_through(host, pairings)

    async def _watch(self) -> None:
        while True:
            await self._server.clients.next_login()
            self._attendance.look()

    def _is_here(self, name: str) -> bool:
        client = self._server.clients.named(name)
        return client is not None and client.connection is not None


Tell = Callable[[str], object]


def _config(tournament: Tournament) -> Config:
    door = tournament.door
    return Config(
        host=door.host,
        port=door.port,
        cert=door.cert,
        key=door.key,
        data=tournament.folder,
        continues=False,  # the runner plays anew what was broken off
        clock=tournament.clock,
        resume=door.resume,
        ready=LOGIN,
        only_tokens=True,
        reveal=False,  # the deal is still to be played, from other seats
    )


def _let_in(tournament: Tournament, server: Server) -> None:
    server.lobby.by_invitation = True
    server.data.private = False  # the folder keeps records back, until all is played
    for entrant in tournament.entrants:
        if entrant.is_remote:
            server.clients.tokens.bind(entrant.name, entrant.sha256)


def _why(tournament: Tournament, error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    assert isinstance(error, OSError), "only such are in the group"
    door = tournament.door
    remedy = {
        errno.EADDRINUSE: "another program listens there; stop it, or give another server.port",
        errno.EACCES: "this user may not; give a server.port over 1023",
        errno.EADDRNOTAVAIL: "it is no address of this machine; give one as server.host, or 0.0.0.0 for all",
    }.get(error.errno or 0, f"{error.strerror or error}; give another server.host")
    return f"server.host {door.host} and server.port {door.port} cannot be listened on: {remedy}"
