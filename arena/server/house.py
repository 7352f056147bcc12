"""Shipped bots that take seats at a table: each is a process of its own, which connects like any other client."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
from typing import TYPE_CHECKING

import structlog
import trio

from protocol import ErrorCode, PhaseError

if TYPE_CHECKING:
    from arena.server.clients import Clients
    from arena.server.lobby import Table

MAX_PROCESSES = 64  # shipped bots at once; each takes about 40 MB


class House:
    """Starts the processes and ends them with the server."""

    def __init__(
        self,
        bots: frozenset[str],
        clients: Clients,
        nursery: trio.Nursery,
        host: str,
        port: int,
        *,
        tls: bool,
    ) -> None:
        self._bots = bots
        self._clients = clients
        self._nursery = nursery
        self._address = f"{host}:{port}"
        self._tls = tls
        self._started = 0
        self._running = 0

    def fill(self, table: Table, bot: str) -> None:
        """Send a bot to the table; raises `PhaseError` for one that is not shipped."""
        if bot not in self._bots:
            raise PhaseError(
                ErrorCode.NOT_OFFERED,
                f"there is no shipped bot {bot}; fill seats with {', '.join(sorted(self._bots))}",
            )
        if self._running >= MAX_PROCESSES:
            raise PhaseError(
                ErrorCode.NOT_OFFERED,
                f"{MAX_PROCESSES} shipped bots are playing, which is all; come back later",
            )
        self._started += 1
        self._running += 1
        name = f"{bot}-{self._started}"
        token = secrets.token_urlsafe(24)
        self._clients.reserve(name, token)
        table.expected[name] = token
        self._nursery.start_soon(self._run, bot, name, token, table)

    async def _run(self, bot: str, name: str, token: str, table: Table) -> None:
        command = [sys.executable, "-m", "arena", "bot", bot, "--connect", self._address]
        command += ["--name", name, "--table", table.id, "--games", "1"]
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
            )
        finally:
            self._running -= 1
            self._clients.release(name)
            if table.expected.pop(name, None) is not None:
                structlog.get_logger().warning("house-bot-lost", bot=bot, table=table.id)
