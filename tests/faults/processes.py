"""`arena serve` as a process that is killed and started again on the same port and data folder."""

from __future__ import annotations

import multiprocessing
import os
import re
import signal
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import trio

FORKING = multiprocessing.get_context("forkserver")
FORKING.set_forkserver_preload(
    ["pytest", "arena.cli.serve", "arena.server", "arena.web.serving", "clients.bots"]
)

LISTENS = re.compile(rb'(?:listening on |"address": ")[^\s"]*:(\d+)')
PAGES = re.compile(rb'(?:pages at |"link": ")([^\s"]+)')
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
        self._process: trio.Process | Forked | None = None

    @property
    def pid(self) -> int:
        """Of the process that runs now."""
        assert self._process is not None
        return self._process.pid

    async def start(self) -> None:
        """Start it, and wait until it listens."""
        arguments = ["serve", "--data", str(self.data), "--port", str(self.port), *self._options]
        self.log.touch()
        begin = self.log.stat().st_size
        self._process = await self.launch(arguments)
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

    async def launch(self, arguments: Sequence[str]) -> trio.Process | Forked:
        """Run `arena` with these arguments; what it says is added to the log."""
        command = [*self._prefix, sys.executable, "-m", "arena", *arguments]
        with self.log.open("ab") as log:
            return await trio.lowlevel.open_process(command, stderr=log)

    def signal(self, number: int) -> None:
        """Send it a signal."""
        assert self._process is not None
        self._process.send_signal(number)

    async def stop(self) -> None:
        """Let it stand still, until SIGCONT."""
        self.signal(signal.SIGSTOP)
        with trio.fail_after(STARTS):
            while True:
                state = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()[0]
                if state == "T":
                    return
                await trio.sleep(0.01)

    async def end(self, number: int) -> int | None:
        """Send a signal and wait for the end; returns the exit code."""
        assert self._process is not None
        self.signal(number)
        with trio.fail_after(STARTS):
            await self._process.wait()
        return self._process.returncode


class ForkedServer(ServerProcess):
    """The server as a fork of a process that has imported all of it: that saves most of the time of a start."""

    async def launch(self, arguments: Sequence[str]) -> Forked:
        """Fork."""
        process = FORKING.Process(target=arena, args=(arguments, str(self.log)))
        await trio.to_thread.run_sync(process.start)
        return Forked(process)


class Forked:
    """A process of `multiprocessing` with the face of one of trio's."""

    def __init__(self, process: multiprocessing.process.BaseProcess) -> None:
        assert process.pid is not None
        self.pid = process.pid
        self._process = process

    @property
    def returncode(self) -> int | None:
        """How it has ended; below zero: by that signal."""
        return self._process.exitcode

    def poll(self) -> int | None:
        """The same."""
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Nothing happens if it has ended."""
        if self.returncode is None:
            os.kill(self.pid, number)

    async def wait(self) -> None:
        """Until it has ended."""
        if self.returncode is None:
            await trio.lowlevel.wait_readable(self._process.sentinel)


def arena(arguments: Sequence[str], log: str) -> None:
    """What the forked process does."""
    from arena.cli import main

    os.dup2(os.open(log, os.O_WRONLY | os.O_APPEND), sys.stderr.fileno())
    main(arguments, prog_name="arena")


@asynccontextmanager
async def serving(data: Path, *options: str, prefix: Sequence[str] = ()) -> AsyncIterator[ServerProcess]:
    """A server with these options, that is gone in the end."""
    async with running(ServerProcess(data, options, prefix)) as server:
        yield server


@asynccontextmanager
async def running(server: ServerProcess) -> AsyncIterator[ServerProcess]:
    """Start this server; it is gone in the end."""
    await server.start()
    try:
        yield server
    finally:
        with trio.CancelScope(shield=True):
            await server.end(signal.SIGKILL)
