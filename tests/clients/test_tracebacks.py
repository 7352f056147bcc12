"""What an author sees of a bug in the bot: its own frames, and what it was asked."""

from __future__ import annotations

import traceback
from functools import partial
from typing import Any

import pytest
import trio
from served import PATIENCE, Peer, request, scripted

from clients import WireRequest, run
from protocol import ServerMessage


def think(request: WireRequest) -> int:
    return deeper(request)


async def think_long(request: WireRequest) -> int:
    await trio.lowlevel.checkpoint()
    return deeper(request)


def deeper(request: WireRequest) -> int:
    raise ArithmeticError("no idea")


def hear(message: ServerMessage) -> None:
    if message.type == "request":
        raise ArithmeticError("deaf")


async def raised_by_run(choose: Any, **more: Any) -> Exception:
    async def script(peer: Peer) -> None:
        await peer.begin()
        await peer.send(request())
        await peer.goodbye()

    async with scripted(script) as port:
        play = partial(run, choose, name="mine", connect=f"127.0.0.1:{port}", **more)
        with trio.fail_after(PATIENCE), pytest.raises((ArithmeticError, ValueError)) as raised:
            await trio.to_thread.run_sync(play)
    return raised.value


def frames(error: Exception) -> list[str]:
    """The functions of the client and of the bot in its traceback."""
    ours = [
        frame.name for frame in traceback.extract_tb(error.__traceback__) if "/clients/" in frame.filename
    ]
    return [name for name in ours if name != "raised_by_run"]


@pytest.mark.trio
@pytest.mark.parametrize("choose", [think, think_long])
async def test_bug_shows_the_frames_of_the_bot_and_what_it_was_asked(choose: Any) -> None:
    error = await raised_by_run(choose)
    assert frames(error) == [choose.__name__, "deeper"]
    assert error.__notes__ == ["the bot was asked for load in request 1 of g1, with 3 options"]


@pytest.mark.trio
async def test_bug_in_what_hears_the_messages_is_shown_alike() -> None:
    error = await raised_by_run(think, heard=hear)
    assert frames(error) == ["hear"]
    assert error.__notes__ == ["the bot heard request"]


@pytest.mark.trio
@pytest.mark.parametrize(("answer", "told"), [(7, "answered '7'"), (None, "returned nothing")])
async def test_answer_that_is_no_option_needs_no_frames(answer: int | None, told: str) -> None:
    error = await raised_by_run(lambda request: answer)
    assert frames(error) == []
    assert str(error).startswith(f"the bot {told} to request 1, which asks for load; answer an index")


@pytest.mark.trio
async def test_all_frames_are_shown_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_TRACEBACK", "full")
    names = frames(await raised_by_run(think))
    assert names[0] == "run"
    assert names[-3:] == ["asked", "think", "deeper"]
