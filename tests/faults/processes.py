"""`arena serve` as a process that is killed and started again on the same port and data folder."""

from __future__ import annotations

import re
import signal
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import trio

LISTENS = re.compile(rb"listening on .*:(\d+)\n")
PAGES = re.compile(rb"pages at (\S+)\n")
STARTS = 120.0  # seconds within which a process must listen; then the test fails


class ServerProcess:
    """The server; `port` is known once it has listened for the first time."""

    def __init__(self, data: Path, options: Sequence[str], prefix: Sequence[str] = ()) -> None:
        """`prefix` is a command that runs the server's."""
        self.data = data
        self.port = 0
        self.log = data.with_suffix(".log")
        self._options = options
        self._prefix = prefix
        self._process: trio.Process | None = None

    @property
    def pid(self) -> int:
        """Of the process that runs now."""
        assert self._process is not None
        return self._process.pid

    async def start(self) -> None:
        """Start it, and wait until it listens."""
        command = [*self._prefix, sys.executable, "-m", "arena", "serve"]
        command += ["--data", str(self.data), "--port", str(self.port)]
        with self.log.open("ab") as log:
            begin = log.tell()
            process = await trio.lowlevel.open_process([*command, *self._options], stderr=log)
        self._process = process
        self.port = int(await self._told(LISTENS, begin))

    async def pages(self) -> str:
        """The address of its pages, once they can be had."""
        return (await self._told(PAGES)).decode()

    async def _told(self, words: re.Pattern[bytes], begin: int = 0) -> bytes:
        """What stands in the log behind these words, as soon as it does."""
        assert self._process is not None
        with trio.fail_after(STARTS):
            while (found := words.search(self.log.read_bytes(), begin)) is None:
                assert self._process.poll() is None, self.log.read_text()
                await trio.sleep(0.02)
        return found[1]

    def signal(self, number: int) -> None:
        """Send it a signal."""
        assert self._process is not None
        self._process.send_signal(number)

    async def end(self, number: int) -> int | None:
        """Send a signal and wait for the end; returns the exit code."""
        assert self._process is not None
        self.signal(number)
        with trio.fail_after(STARTS):
            await self._process.wait()
        return self._process.returncode


@asynccontextmanager
async def serving(data: Path, *options: str, prefix: Sequence[str] = ()) -> AsyncIterator[ServerProcess]:
    """A server with these options, that is gone in the end."""
    server = ServerProcess(data, options, prefix)
    await server.start()
    try:
        yield server
    finally:
        with trio.CancelScope(shield=True):
            await server.end(signal.SIGKILL)
