"""A line that is cut without a word: it is found in the time that `keepalive` says, and the seat goes on after it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import trio

from arena.records import read_record, verify
from clients.connection import KEEPALIVE as OF_A_CLIENT
from protocol.codes import EndReason
from tests.faults.cables import SERVER, Cable, NoNamespaces, cable, inside
from tests.faults.processes import ServerProcess, serving

KEEPALIVE = 6  # seconds
RESUME = 40  # seconds, more than a bot needs to find the cut and to come back
SLOW = 30.0  # seconds that a busy machine may take on top of any limit
OPTIONS = {"host": "0.0.0.0", "seats": 2, "move": 600, "keepalive": KEEPALIVE, "resume": RESUME}


@pytest.fixture
def line() -> Iterator[Cable]:
    try:
        with cable() as laid:
            yield laid
    except NoNamespaces as error:
        pytest.skip(f"no network namespaces here: {error}")


class Log:
    """What the server tells of itself, in order."""

    def __init__(self, server: ServerProcess) -> None:
        self._path = server.log
        self._read = 0

    async def until(self, event: str, within: float, **fields: Any) -> dict[str, Any]:
        """The next line with this event and these fields."""
        with trio.fail_after(within):
            while True:
                data = self._path.read_bytes()
                while (end := data.find(b"\n", self._read)) >= 0:
                    line, self._read = data[self._read : end], end + 1
                    told = json.loads(line) if line.startswith(b"{") else {}
                    if told.get("event") == event and fields.items() <= told.items():
                        return told
                await trio.sleep(0.05)


@asynccontextmanager
async def bot(namespace: str, name: str, port: int) -> AsyncIterator[None]:
    """A shipped bot that plays one game after the other from this namespace."""
    command = [
        sys.executable,
        "-m",
        "arena",
        "bot",
        "random",
        "--connect",
        f"{SERVER}:{port}",
        "--name",
        name,
    ]
    process = await trio.lowlevel.open_process(
        [*inside(namespace), *command], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        yield
    finally:
        process.kill()
        with trio.CancelScope(shield=True):
            await process.wait()


@pytest.mark.soak
async def test_a_line_that_is_cut_in_silence_is_found_and_the_seat_goes_on(tmp_path, line, show):  # S031
    options = [word for name, value in OPTIONS.items() for word in (f"--{name}", str(value))]
    options += ["--no-http", "--verbose", "--log", "json"]
    async with serving(tmp_path / "data", *options, prefix=inside(line.server)) as server:
        log = Log(server)
        async with bot(line.server, "near", server.port), bot(line.far, "far", server.port):
            await log.until("started", SLOW)
            line.cut()
            began = trio.current_time()
            lost = await log.until("lost", KEEPALIVE + SLOW, name="far")
            found = trio.current_time() - began
            assert lost["seats"] == 1, "it was cut off in a game"
            line.mend()
            began = trio.current_time()
            await log.until(
                "welcome", OF_A_CLIENT["TCP_USER_TIMEOUT"] / 1000 + SLOW, name="far", resumed=True
            )
            back = trio.current_time() - began
            resumed = (await log.until("ended", SLOW))["game"]
            await log.until("started", SLOW)
            line.cut()
            await log.until("lost", KEEPALIVE + SLOW, name="far")
            began = trio.current_time()
            await log.until("retired", RESUME + SLOW, name="far", reason="disconnect")
            grace = trio.current_time() - began
            forfeited = (await log.until("ended", SLOW))["game"]
        assert await server.end(signal.SIGTERM) == 0
    show(
        "cut line",
        {
            "keepalive_s": KEEPALIVE,
            "found_s": round(found, 1),
            "back_s": round(back, 1),
            "grace_s": round(grace, 1),
        },
    )
    assert reasons(tmp_path / "data" / "games" / f"{resumed}.jsonl") == {"near": "normal", "far": "normal"}
    assert reasons(tmp_path / "data" / "games" / f"{forfeited}.jsonl") == {
        "near": "normal",
        "far": "disconnect",
    }


def reasons(path) -> dict[str, str]:
    record = read_record(path)
    verify(record)
    assert record.result is not None
    assert all(choice.fault in (None, EndReason.DISCONNECT) for choice in record.choices)
    return dict(zip(record.header.seats, [reason.value for reason in record.result.reasons], strict=True))
