"""Shipped bots that take seats at a table: each is a process of its own, which connects like any other client."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import structlog
import trio

from protocol import ErrorCode, PhaseError

if TYPE_CHECKING:
    from arena.server.clients import Clients
    from arena.server.lobby import Lobby, Table


FAREWELL = 2.0  # seconds after its game in which a bot may end by itself


class House:
    """Starts the processes and ends them with the server."""

    def __init__(
        self,
        bots: frozenset[str],
        clients: Clients,
        lobby: Lobby,
        nursery: trio.Nursery,
        host: str,
        port: int,
        *,
        names: dict[str, str],
        limit: float,
        most: int,
        tls: bool,
    ) -> None:
        self._bots = bots
        self._clients = clients
        self._lobby = lobby
        self._names = names  # the bot that plays under each name, for as long as it plays
        self._nursery = nursery
        self._address = f"{host}:{port}"
        self._limit = limit
        self._most = most
        self._tls = tls
        self._started = 0
        self._running: dict[trio.CancelScope, Table] = {}

    def check(self, bots: Sequence[str]) -> None:
        """Raise `PhaseError` unless all of these can be sent now."""
        for bot in bots:
            if bot not in self._bots:
                raise PhaseError(
                    ErrorCode.NOT_OFFERED,
                    f"there is no shipped bot {bot}; fill seats with {', '.join(sorted(self._bots))}",
                )
        if len(self._running) + len(bots) > self._most:
            raise PhaseError(
                ErrorCode.NOT_OFFERED,
                f"{len(self._running)} of at most {self._most} shipped bots (`bots`) are playing; come back later",
            )

    def bots_of(self, origin: str | None) -> int:
        """How many sit, or are about to, at tables that were opened from there."""
        return sum(table.origin == origin for table in self._running.values())

    def send(self, bot: str, table: Table) -> None:
        """Send a bot to the table; it may take `limit` seconds to come."""
        while True:
            self._started += 1
            name = f"{bot}-{self._started}"
            if self._clients.is_free(name):
                break
        token = self._reserve(bot, name)
        table.expected.add(name)
        table.shipped.add(name)
        scope = trio.CancelScope()
        self._running[scope] = table
        self._nursery.start_soon(self._run, bot, name, token, table, scope)

    def send_back(self, bot: str, name: str, over: trio.Event) -> None:
        """Send a bot to the seat that it had under an earlier server, until the game is over.

        The old process may still be there and come back by itself; then the new one finds the name taken and goes.
        """
        if bot in self._bots:
            self._nursery.start_soon(self._run_again, bot, name, self._reserve(bot, name), over)

    def _reserve(self, bot: str, name: str) -> str:
        token = secrets.token_urlsafe(24)
        self._clients.tokens.lend(name, token)
        self._names[name] = bot
        return token

    def _release(self, name: str) -> None:
        self._clients.tokens.take_back(name)
        self._names.pop(name, None)

    def recall(self, table: Table) -> None:
        """End the bots of a table that is closed."""
        for scope, other in self._running.items():
            if other is table:
                scope.cancel()

    async def _run(self, bot: str, name: str, token: str, table: Table, scope: trio.CancelScope) -> None:
        try:
            with scope:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(self._expect, bot, name, table)
                    await self._process(bot, name, token, ("--table", table.id))
                    nursery.cancel_scope.cancel()
                self._check_came(bot, name, table, "has ended before it came")
        finally:
            del self._running[scope]
            self._release(name)

    async def _run_again(self, bot: str, name: str, token: str, over: trio.Event) -> None:
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._process, bot, name, token, ("--wait",))
                await over.wait()
                await trio.sleep(FAREWELL)
                nursery.cancel_scope.cancel()
        finally:
            self._release(name)

    async def _expect(self, bot: str, name: str, table: Table) -> None:
        await trio.sleep(self._limit)
        self._check_came(bot, name, table, f"did not come within {self._limit:g} s")

    def _check_came(self, bot: str, name: str, table: Table, why: str) -> None:
        if name in table.expected:
            table.expected.remove(name)
            structlog.get_logger().warning("house-bot-missed", bot=bot, table=table.id, why=why)
            self._lobby.missed(table, bot, why)

    async def _process(self, bot: str, name: str, token: str, where: Sequence[str]) -> None:
        command = [sys.executable, "-m", "arena", "bot", bot, "--connect", self._address]
        command += ["--name", name, *where, "--games", "1"]
        if self._tls:
            command.append("--insecure")  # its own server, over loopback
        try:
            await trio.run_process(
                command,
                env={**os.environ, "ARENA_TOKEN": token},  # not on the command line, where all can read it
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                check=False,
                start_new_session=True,  # Ctrl-C reaches the server, which lets its games end
            )
        except OSError as error:
            structlog.get_logger().error("house-bot-not-started", bot=bot, error=str(error))
