"""Shipped bots that the server has sent to a table are there again when the server is."""

from __future__ import annotations

import signal

import pytest
import trio

from tests.faults.processes import ForkedServer, running
from tests.server.table import dial, dialling, dice


@pytest.mark.parametrize(
    "how",
    [
        pytest.param(signal.SIGKILL, marks=pytest.mark.soak),  # the bot lives on, and comes back by itself
        signal.SIGTERM,  # the bot goes with its server, and is sent again
    ],
)
async def test_a_shipped_bot_is_back_after_a_restart(tmp_path, how):
    options = ("--move", "600", "--comeback", "600", "--drain", "0")
    async with dialling(), running(ForkedServer(tmp_path / "data", options)) as server:
        wire = await dial(server.port)
        await wire.hello("guest")
        await wire.send("join", wanted={"seats": 2, "seed": 1, "fill": ["random"]})
        game = (await wire.until("start"))["game"]
        await wire.send("ready", game=game)
        for _ in range(3):
            await wire.move(await wire.until("request"))
        await server.end(how)
        await server.start()
        back = await dial(server.port)
        await back.hello("guest", resume=wire.key)
        with trio.fail_after(300):
            end = await back.play(dice(1))
    assert end["reasons"] == ["normal", "normal"]
