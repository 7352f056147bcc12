"""Servers for the tests of clients: one that follows a script on real sockets, and the real one.

async with scripted(login, play) as port: ...      # its nth connection follows the nth script
"""

from __future__ import annotations

import json
import os
import socket
import struct
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import trio

from arena.server import Config, serve
from clients import Client, Settings, WireRequest

Message = dict[str, Any]

LIMITS = {"line": 65536, "tries": 3, "faults": 3, "ready": 30, "resume": 5, "games": 16, "rate": 200}
WELCOME = {"type": "welcome", "server": "test", "name": "mine", "resume": "the-key", "limits": LIMITS}
BYE = {"type": "bye", "reason": "bye"}
PATIENCE = 60.0  # seconds; then the test fails


def start(game: str = "g1", **more: Any) -> Message:
    return {
        "type": "start",
        "game": game,
        "seat": 0,
        "seats": [{"name": "mine"}, {"name": "other"}],
        "rules": {},
        "clock": {"move": 5},
        "ready": 30,
        "catalogue": "0" * 64,
        "commitment": "0" * 64,
        "luck": 4711,
    } | more


def request(id: int = 1, game: str = "g1", **more: Any) -> Message:
    return {
        "type": "request",
        "game": game,
        "id": id,
        "kind": "load",
        "options": ["pass", "load:coffee@ship-0", "load:rice@ship-0"],
        "default": 0,
        "clock": {"move": 5, "bank": 0},
        "view": {"turn": 1},
    } | more


def end(game: str = "g1") -> Message:
    return {
        "type": "end",
        "game": game,
        "why": "credits",
        "places": [1, 2],
        "credits": [50, 40],
        "reasons": ["normal", "normal"],
        "seed": 1,
        "salt": "0" * 32,
    }


class Peer:
    """The server's end of one connection, as a script uses it."""

    def __init__(self, stream: trio.abc.Stream) -> None:
        self.stream = stream
        self.got: list[Message] = []
        self._data = b""

    async def send(self, *messages: Message) -> None:
        await self.stream.send_all(b"".join(json.dumps(each).encode() + b"\n" for each in messages))

    async def next(self) -> Message | None:
        """The client's next message, or None at the end of the connection."""
        with trio.fail_after(PATIENCE):
            while b"\n" not in self._data:
                try:
                    data = await self.stream.receive_some()
                except trio.BrokenResourceError:
                    data = b""
                if not data:
                    return None
                self._data += data
        line, _, self._data = self._data.partition(b"\n")
        self.got.append(json.loads(line))
        return self.got[-1]

    async def expect(self, type: str, **fields: Any) -> Message:
        message = await self.next()
        assert message is not None, f"the connection ended before {type}"
        assert message["type"] == type, message
        assert fields.items() <= message.items()
        return message

    async def log_in(self, **hello: Any) -> None:
        """Hello, welcome, and the ping that follows; it is not answered yet."""
        await self.expect("hello", **hello)
        await self.send(WELCOME)
        await self.expect("ping")

    async def begin(self, *games: str) -> None:
        """The client joins, and these games start."""
        await self.log_in()
        await self.send({"type": "pong"})
        await self.expect("join")
        await self.send({"type": "joined", "table": "queue"})
        for game in games or ("g1",):
            await self.send(start(game))
            await self.expect("ready", game=game)

    async def goodbye(self) -> None:
        """The client says bye, and gets one."""
        await self.expect("bye")
        await self.send(BYE)

    async def reset(self) -> None:
        """End the connection as a crashed machine would."""
        assert isinstance(self.stream, trio.SocketStream)
        self.stream.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        await trio.aclose_forcefully(self.stream)


Script = Callable[[Peer], Awaitable[None]]


@asynccontextmanager
async def scripted(*scripts: Script) -> AsyncIterator[int]:
    """A server whose connections follow the scripts one after the other; tells its port.

    When the block is left all scripts must have been followed to their ends.
    """
    waiting = list(scripts)
    left = len(scripts)
    done = trio.Event()

    async def serve_one(stream: trio.SocketStream) -> None:
        nonlocal left
        async with stream:
            await waiting.pop(0)(Peer(stream))
        left -= 1
        if not left:
            done.set()

    async with trio.open_nursery() as nursery:
        listeners = await nursery.start(partial(trio.serve_tcp, serve_one, 0, host="127.0.0.1"))
        yield listeners[0].socket.getsockname()[1]
        with trio.fail_after(PATIENCE):
            await done.wait()
        nursery.cancel_scope.cancel()


@asynccontextmanager
async def real(folder: Path, **settings: Any) -> AsyncIterator[int]:
    """A real server that seats `random` bots; tells its port."""
    config = Config(port=0, data=folder, **settings)
    async with trio.open_nursery() as nursery:
        _, listeners = await nursery.start(partial(serve, config, bots=frozenset({"random"})))
        yield listeners[0].socket.getsockname()[1]
        nursery.cancel_scope.cancel()


async def gone(pid: int) -> None:
    """Return when the process has ended; the test fails if it does not."""
    try:
        file = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    with trio.fail_after(PATIENCE):
        await trio.lowlevel.wait_readable(file)
    os.close(file)


async def started(command: Sequence[str], **more: Any) -> trio.Process:
    """A process with pipes on all three sides; it is the caller's to end."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process: trio.Process = await trio.lowlevel.open_process(list(command), **{**pipes, **more})
    return process


async def line_of(process: trio.Process) -> str:
    """The next line of its stdout; nothing may follow yet."""
    assert process.stdout is not None
    data = b""
    with trio.fail_after(PATIENCE):
        while not data.endswith(b"\n"):
            data += await process.stdout.receive_some() or b"\n"
    return data.decode().strip()


async def rest_of(process: trio.Process) -> bytes:
    """All of its stderr, when it has ended."""
    assert process.stderr is not None
    data = b""
    with trio.fail_after(PATIENCE):
        async for chunk in process.stderr:
            data += chunk
        await process.wait()
    return data


def default(request: WireRequest) -> int:
    return request.default


async def play(port: int, choose: Any = default, **settings: Any) -> Client:
    """Let a bot play one game, unless `settings` say how many."""
    player = Client(Settings("mine", port=port, **{"games": 1, **settings}), choose)
    await player.run()
    return player
