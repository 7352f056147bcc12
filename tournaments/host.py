"""Plays scheduled games on a server of its own, over real sockets, with each entrant as a process.

The host starts the entrants once and seats them in one game after the other. When it is left, or cancelled,
all processes are gone.
"""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import structlog
import trio

from arena.records import JournalError, RecordError, read_record
from arena.server import Config, Server, serve
from arena.server.clients import Client
from clients.bridge import bridge
from clients.client import Settings
from tournaments.config import Entrant, Tournament
from tournaments.schedules import Pairing
from tournaments.store import Played

LOGIN = 30.0  # seconds in which an entrant's process must have logged in
BACK = 1.0  # seconds without a connection; by then it is known whether the program has ended
GOODBYE = 3.0  # seconds in which it may end by itself; then it is killed
GAMES = "games"
LOGS = "logs"


class NotStarted(Exception):
    """An entrant's program did not come; its name and what is known about it."""


@dataclass
class Member:
    """An entrant whose process runs."""

    entrant: Entrant
    token: str
    ended: trio.Event
    code: int | None = None  # exit code, once it has ended


class Host:
    """A server with entrants logged in."""

    def __init__(self, tournament: Tournament, server: Server, address: tuple[str, int]) -> None:
        self.tournament = tournament
        self.server = server
        self.address = address
        self.members: dict[str, Member] = {}
        self.log = structlog.get_logger()

    @staticmethod
    @asynccontextmanager
    async def open(tournament: Tournament, entrants: Sequence[str], *, port: int = 0) -> AsyncIterator[Host]:
        """A host on which these entrants are logged in; raises `NotStarted` if one does not come."""
        config = Config(
            port=port,
            data=tournament.folder,
            clock=tournament.clock,
            resume=0.0,
            ready=LOGIN,
            only_tokens=True,
        )
        async with trio.open_nursery() as nursery:
            server, listeners = await nursery.start(partial(serve, config))
            host = Host(tournament, server, listeners[0].socket.getsockname()[:2])
            try:
                for name in entrants:
                    host._start(nursery, tournament.entrant(name))
                with trio.move_on_after(LOGIN):
                    await host._all_here()
                host._check_all_here()
                yield host
            finally:
                with trio.CancelScope(shield=True):
                    await host._send_home()
                nursery.cancel_scope.cancel()

    # Processes

    def _start(self, nursery: trio.Nursery, entrant: Entrant) -> None:
        member = Member(entrant, secrets.token_urlsafe(24), trio.Event())
        self.members[entrant.name] = member
        self.server.clients.reserve(entrant.name, member.token)
        nursery.start_soon(self._run, member)

    async def _run(self, member: Member) -> None:
        entrant = member.entrant
        logs = self.tournament.folder / LOGS
        logs.mkdir(parents=True, exist_ok=True)
        number = [each.name for each in self.tournament.entrants].index(entrant.name) + 1
        log = logs / f"{number:03d}.log"
        host, port = self.address
        try:
            if entrant.command:
                settings = Settings(entrant.name, host, port, member.token, join=None, views=True)
                member.code = await bridge(settings, entrant.command, stderr=log, cwd=self.tournament.home)
            else:
                command = [sys.executable, "-m", "arena", "bot", entrant.bot, "--connect", f"{host}:{port}"]
                command += ["--name", entrant.name, "--wait"]
                with log.open("ab") as errors:
                    process = await trio.run_process(
                        command,
                        env={**os.environ, "ARENA_TOKEN": member.token},
                        stdin=subprocess.DEVNULL,
                        stdout=subprocess.DEVNULL,
                        stderr=errors,
                        check=False,
                        start_new_session=True,  # Ctrl-C reaches the runner, which ends its bots in order
                    )
                member.code = process.returncode
        except OSError as error:
            self.log.error("entrant-not-started", entrant=entrant.name, error=str(error))
        finally:
            member.ended.set()
            self._ended(member)
            self.server.clients.logged_in()

    def _ended(self, member: Member) -> None:
        """A program that has ended loses its game at once."""
        client = self._client(member.entrant.name)
        if client is not None:
            for game_id, seat in list(client.seats.items()):
                self.server.games[game_id].crashed(seat)

    async def _all_here(self) -> None:
        """Until each has logged in or has ended; the end of a program wakes this too."""
        while not all(self._client(name) or member.ended.is_set() for name, member in self.members.items()):
            await self.server.clients.next_login()

    def _check_all_here(self) -> None:
        for name, member in self.members.items():
            if self._client(name) is None:
                how = (
                    f"its program ended with code {member.code}"
                    if member.ended.is_set()
                    else "it did not log in"
                )
                raise NotStarted(f"{name} did not come: {how} within {LOGIN:g} s; look at its log in {LOGS}")

    def _client(self, name: str) -> Client | None:
        client = self.server.clients.named(name)
        return client if client is not None and client.connection is not None else None

    async def _send_home(self) -> None:
        """Tell everybody that it is over; who stays is killed when the nursery is cancelled."""
        self.server.close()
        with trio.move_on_after(GOODBYE):
            for member in self.members.values():
                await member.ended.wait()

    # Games

    async def play(self, pairing: Pairing) -> Played | None:
        """Play one game, or take it over if its record is complete; None if it was not played to its end."""
        tournament = self.tournament
        path = tournament.folder / GAMES / f"{pairing.id}.jsonl"
        known = stored(tournament, pairing, path)
        if known is not None:
            return known
        set_aside(path)
        members = [self._client(name) for name in pairing.seating]
        if not all(members):
            return None
        try:
            referee = self.server.open_game(
                [member for member in members if member is not None],
                tournament.rules,
                tournament.clock,
                seed=pairing.seed,
                game_id=pairing.id,
                tags={"tournament": tournament.name, "block": pairing.block},
            )
        except JournalError as error:
            self.log.error("no-record", game=pairing.id, error=str(error))
            return None
        await referee.finished.wait()
        return stored(tournament, pairing, path)


def stored(tournament: Tournament, pairing: Pairing, path: Path) -> Played | None:
    """What the record of a game says, if it is there, sound and played to its end."""
    if not path.exists():
        return None
    try:
        record = read_record(path)
    except RecordError:
        return None
    outcome = record.result
    if outcome is None or not outcome.complete or record.header.seats != pairing.seating:
        return None
    return Played(
        id=pairing.id,
        block=pairing.block,
        deal=pairing.seed,
        entrants=pairing.seating,
        places=outcome.places,
        credits=outcome.credits,
        reasons=tuple(reason.value for reason in outcome.reasons),
        record=str(path.relative_to(tournament.folder)),
    )


def set_aside(path: Path) -> None:
    """Keep the record of a broken-off game under another name, so that the game can be played again."""
    number = 1
    while path.exists():
        other = path.with_suffix(f".broken-{number}")
        if not other.exists():
            path.rename(other)
        number += 1
