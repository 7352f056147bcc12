"""A bot written for `run`, started by a bridge: it plays over stdin and stdout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing
from bridged import one_game, play
from served import PATIENCE, Message, Peer, end, request, scripted, start

from clients import Refused, WireRequest
from clients.asking import Choose, Functions
from clients.connection import Connection
from clients.piped import VARIABLE, Piped, Terms, play_piped
from protocol import ServerMessage
from protocol.messages import End

ROOT = Path(__file__).parents[2]


async def talk(script: Callable[[Peer], Awaitable[None]], choose: Choose, **more: Any) -> list[End]:
    """Let a bot play with what follows the script in place of a bridge; returns the results."""
    ours, theirs = trio.testing.memory_stream_pair()
    results: list[End] = []

    async def bot() -> None:
        player = Piped("mine", Functions(choose, **more), Connection(ours, "the bridge"))
        results.extend(await player.run())

    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(bot)
            await script(Peer(theirs))
            await theirs.aclose()
    return results


def last(request: WireRequest) -> str:
    return request.options[-1]


@pytest.mark.trio
async def test_it_answers_hears_and_ends_with_its_input() -> None:
    heard: list[str] = []

    def hear(message: ServerMessage) -> None:
        heard.append(message.type)

    async def script(peer: Peer) -> None:
        await peer.send(start(), request(7))
        await peer.expect("move", game="g1", id=7, choice="load:rice@ship-0")
        await peer.send(end())

    (result,) = await talk(script, last, heard=hear)
    assert (result.places, heard) == ((1, 2), ["start", "request", "end"])


@pytest.mark.trio
async def test_async_bot_answers_games_in_an_order_of_its_own_and_may_be_left_thinking() -> None:
    second = trio.Event()

    async def think(request: WireRequest) -> int:
        assert request.luck == 4711
        if request.id == 3:
            await trio.sleep_forever()
        if request.game == "g1":
            await second.wait()
        second.set()
        return 1

    async def script(peer: Peer) -> None:
        await peer.send(start("g1"), start("g2"), request(1, "g1"), request(1, "g2"))
        await peer.expect("move", game="g2", id=1, choice=1)
        await peer.expect("move", game="g1", id=1, choice=1)
        await peer.send(request(3, "g2"))

    assert await talk(script, think) == []


@pytest.mark.trio
async def test_it_tells_what_the_server_says_and_passes_over_what_is_new(
    capsys: pytest.CaptureFixture[str],
) -> None:
    async def script(peer: Peer) -> None:
        error = {"type": "error", "code": "too-late", "text": "too late\x1b[2J", "game": "g1", "id": 1}
        await peer.send({"type": "brand-new"}, start(), error, error, request(2, "g2"), request(2))
        await peer.expect("move", game="g1", id=2)

    await talk(script, last)
    told = capsys.readouterr().err
    assert told.count("mine: the server says: too late\\x1b[2J\n") == 1
    assert "brand-new" in told


@pytest.mark.trio
async def test_bridge_that_takes_no_more_answers_ends_it() -> None:
    async def script(peer: Peer) -> None:
        await peer.send(start(), request())

    assert await talk(script, last) == []


@pytest.mark.trio
async def test_what_is_no_message_is_refused() -> None:
    async def script(peer: Peer) -> None:
        await peer.stream.send_all(b"hello\n")

    with pytest.RaisesGroup(
        pytest.RaisesExc(Refused, match="what the bridge sends is not the arena's protocol")
    ):
        await talk(script, last)


@pytest.mark.parametrize("terms", [Terms(), Terms(samples=True), Terms(ready=True), Terms(True, True)])
def test_terms_are_read_as_they_were_written(terms: Terms) -> None:
    assert Terms.parse(str(terms)) == terms
    assert Terms.parse(f"{terms} brand-new") == terms


@pytest.mark.trio
@pytest.mark.parametrize(
    ("told", "why"),
    [
        (
            "2 samples",
            "the environment's ARENA_BRIDGE is '2 samples', but this client speaks the form 1 alone",
        ),
        ("", "the environment's ARENA_BRIDGE is ''"),
        ("1 ready", "this bot needs samples, and its bridge asks for none; give `arena bridge` --samples"),
    ],
)
async def test_terms_that_it_cannot_play_on_are_told(told: str, why: str) -> None:
    with pytest.raises(Refused) as refused:
        await play_piped("mine", Functions(last), told, samples=True)
    assert str(refused.value).startswith(why)


# As processes

HEAD = """
import os, subprocess
from clients import run

def choose(request):
    print("thinking")
    subprocess.run(["echo", "a child speaks"])
    return ACT

"""


def fed(code: str, *messages: Message, terms: str = "1") -> subprocess.CompletedProcess[str]:
    """Run a script with these messages on its stdin."""
    return subprocess.run(
        [sys.executable, "-c", code],
        input="".join(json.dumps(message) + "\n" for message in messages),
        env={**os.environ, VARIABLE: terms, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def test_its_stdout_has_answers_alone_and_nothing_misleads_what_it_starts() -> None:
    code = HEAD.replace("ACT", "1") + (
        "results = run(choose, name='x' * 99, connect='nowhere', table='t1', games=1)\n"
        f"print(len(results), run(choose, name='again'), os.environ.get({VARIABLE!r}))\n"
    )
    done = fed(code, start(), request(), end(), start("g2"), request(1, "g2"), end("g2"), terms="1 ready")
    ready, *moves = done.stdout.splitlines()
    assert ready == "ready"
    assert [json.loads(move) for move in moves] == [
        {"type": "move", "game": game, "id": 1, "choice": 1} for game in ("g1", "g2")
    ]
    assert done.stderr.splitlines() == [*["thinking", "a child speaks"] * 2, "2 [] None"]
    assert done.returncode == 0


def test_bug_shows_its_own_frames_and_fails() -> None:
    done = fed(HEAD.replace("ACT", "1 // 0") + "run(choose, name='mine')", start(), request())
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines()[-2:] == [
        "ZeroDivisionError: integer division or modulo by zero",
        "the bot was asked for load in request 1 of g1, with 3 options",
    ]
    assert "clients/asking.py" not in done.stderr


@pytest.mark.trio
async def test_no_clock_runs_while_it_loads(tmp_path: Path) -> None:
    """Also without a first line: it is ready when it has read what came first."""
    loaded = tmp_path / "loaded"

    async def script(peer: Peer) -> None:
        await peer.begin()
        assert loaded.exists()
        await peer.send(end())
        await peer.goodbye()

    code = HEAD + f"open({str(loaded)!r}, 'w').close()\nrun(choose, name='mine')"
    async with scripted(script) as port:
        assert await play(port, [sys.executable, "-c", code]) == []


@pytest.mark.trio
@pytest.mark.parametrize("ready", [None, PATIENCE])
async def test_bridge_plays_with_the_very_file_that_plays_on_a_server(ready: float | None) -> None:
    code = HEAD.replace("ACT", "1") + "run(choose, name='mine', connect='127.0.0.1:1')"
    async with scripted(one_game) as port:
        assert await play(port, [sys.executable, "-c", code], ready=ready) == []
