"""Lets a program that reads stdin and writes stdout play: one line in for each message, one line out for an answer.

The program gets the server's messages of its games as JSON lines. To a `request` it answers with one line:
the index of an option, the text of one, or a whole `move`. Hello, join and ready are done for it. What it
writes to stderr goes where the caller says, so that its author can read it.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import trio

from clients.client import Client, Settings
from protocol import LineBuffer, ProtocolError, encode, parse_client
from protocol.messages import End, Error, Events, Move, Request, Snapshot, Start

MAX_ANSWER = 4096  # bytes of a line from the program; a move has under 250
MAX_LOG = 1024 * 1024  # bytes of stderr that are kept of one program (S055)
LAST_WORDS = 1.0  # seconds in which it may end by itself once its input is closed
TERM = 1.0  # seconds after SIGTERM; then it is killed (S059)

ENDED = 1000  # an exit code no process has: it was ended by us


class Program:
    """A running program, with the questions it has not answered yet."""

    def __init__(self, process: trio.Process) -> None:
        self.process = process
        self.open: deque[Request] = deque()
        self._lines = LineBuffer(MAX_ANSWER)
        self._writing = trio.Lock()

    async def tell(self, message: Any) -> None:
        """Write a message to its stdin; one that has closed it is told nothing."""
        assert self.process.stdin is not None
        async with self._writing:
            with suppress(trio.BrokenResourceError, trio.ClosedResourceError):  # noticed at its output
                await self.process.stdin.send_all(encode(message))

    async def answers(self, client: Bridge) -> None:
        """Pass its answers on until it closes its stdout."""
        assert self.process.stdout is not None
        async for data in self.process.stdout:
            self._lines.receive_data(data)
            while True:
                try:
                    line = self._lines.next_line()
                except ProtocolError as error:
                    client.note(f"the program wrote a line of over {MAX_ANSWER} bytes: {error}")
                    continue
                if line is None:
                    break
                await client.answer(self, line)


class Bridge(Client):
    """A client whose decisions are made by a program."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings, _nobody)
        self.program: Program | None = None

    async def _handle(self, message: Any, nursery: trio.Nursery) -> bool:
        program = self.program
        if program is not None and isinstance(message, Start | Events | Request | End | Snapshot | Error):
            if isinstance(message, Request):
                program.open.append(message)
            if isinstance(message, End):
                program.open = deque(r for r in program.open if r.game != message.game)
            await program.tell(message)
            if isinstance(message, Request):
                return False
            if isinstance(message, Error) and message.game is not None:
                return False
        return await super()._handle(message, nursery)

    async def answer(self, program: Program, line: bytes) -> None:
        """One line of the program: an index, a text, or a whole move."""
        text = line.decode("utf-8", errors="replace").strip()
        if not text:
            return
        if text.startswith("{"):
            try:
                message = parse_client(line)
            except ProtocolError as error:
                self.note(f"the program's line is no message: {error}")
                return
            if isinstance(message, Move):
                program.open = deque(r for r in program.open if (r.game, r.id) != (message.game, message.id))
                await self._send(message)
            return
        if not program.open:
            self.note(f"the program answered {text[:80]!r}, but nothing was asked")
            return
        request = program.open.popleft()
        choice: int | str = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else text[:200]
        await self._send(Move(game=request.game, id=request.id, choice=choice))

    def note(self, text: str) -> None:
        """Tell the author, once."""
        self._warn(text)


def _nobody(request: object) -> int:
    raise AssertionError("the program answers, not this function")


async def bridge(
    settings: Settings, command: Sequence[str], *, stderr: Path | None = None, cwd: Path | None = None
) -> int:
    """Let `command` play as `settings` say, until its games are over or it ends; returns its exit code.

    The program is started without a shell, so blanks in its path mean nothing. Its stderr is added to the
    file `stderr`, up to `MAX_LOG` bytes, or goes to ours. When this returns or is cancelled the program is
    gone: its input is closed, then it gets SIGTERM, then it is killed. Raises `OSError` if it cannot be
    started, and what `Client.run` raises.
    """
    client = Bridge(settings)
    process = await trio.lowlevel.open_process(
        list(command),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE if stderr is not None else None,
        cwd=cwd,
        start_new_session=True,  # Ctrl-C reaches us, and we end it in order
    )
    client.program = Program(process)
    async with trio.open_nursery() as keeping:
        if stderr is not None:
            keeping.start_soon(_keep, process, stderr)
        try:
            async with trio.open_nursery() as playing:
                playing.start_soon(_until_ended, client, playing.cancel_scope)
                await client.run()
                playing.cancel_scope.cancel()
        finally:
            with trio.CancelScope(shield=True):
                await _end(process)
            keeping.cancel_scope.deadline = trio.current_time() + LAST_WORDS  # for what it wrote at its end
    return process.returncode if process.returncode is not None else ENDED


async def _until_ended(client: Bridge, scope: trio.CancelScope) -> None:
    """Pass answers on; when the program has ended the client goes too."""
    assert client.program is not None
    await client.program.answers(client)
    with trio.move_on_after(LAST_WORDS):
        await client.program.process.wait()
    scope.cancel()


async def _keep(process: trio.Process, path: Path) -> None:
    """Read all of its stderr, so that it never blocks, and keep the first `MAX_LOG` bytes (S055)."""
    assert process.stderr is not None
    kept = path.stat().st_size if path.exists() else 0
    with path.open("ab") as file:
        async for data in process.stderr:
            room = MAX_LOG - kept
            if room > 0:
                kept += len(data)
                file.write(data[:room] + (b"\n[the rest is left out]\n" if len(data) >= room else b""))
                file.flush()


async def _end(process: trio.Process) -> None:
    """The stop ladder: close its input, SIGTERM, SIGKILL; its whole session, so that no child stays (S056)."""
    if process.stdin is not None:
        await process.stdin.aclose()
    if process.stdout is not None:
        await process.stdout.aclose()
    with trio.move_on_after(LAST_WORDS):
        await process.wait()
    for sign, seconds in ((signal.SIGTERM, TERM), (signal.SIGKILL, None)):
        try:
            os.killpg(process.pid, sign)
        except (ProcessLookupError, PermissionError):
            break
        if seconds is not None:
            with trio.move_on_after(seconds):
                await process.wait()
    await process.wait()
