"""What a client makes of a server that is broken or means harm: one sentence, and an end."""

from __future__ import annotations

import io
import ssl
import sys
from pathlib import Path
from typing import Any

import pytest
import trio
from click.testing import CliRunner
from rich.console import Console
from served import WELCOME, Peer, end, request, scripted, start

from arena.board import Board
from arena.cli import watch
from clients import Client, Refused, Settings, Unreachable, WireRequest, client, connection, watching
from clients.watching import Watcher

HARM = "no\x1b[2J\x07\u202e"


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "FIRST_WAIT", 0.01)


def default(request: WireRequest) -> int:
    return request.default


async def play(port: int, **settings: Any) -> None:
    await Client(Settings("mine", port=port, **{"games": 1, **settings}), default).run()


async def silence(peer: Peer) -> None:
    await peer.expect("hello")
    assert await peer.next() is None


@pytest.mark.trio
async def test_server_that_never_answers_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "FIRST_ANSWER", 0.05)
    async with scripted(*[silence] * client.CONNECT_TRIES) as port:
        with pytest.raises(Unreachable, match="does not answer; perhaps it is another program"):
            await play(port)


@pytest.mark.trio
async def test_watcher_leaves_a_server_that_never_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "FIRST_ANSWER", 0.05)
    async with scripted(silence) as port:
        with pytest.raises(Refused, match="does not answer"):
            await Watcher.log_in("127.0.0.1", port)


@pytest.mark.trio
async def test_tls_that_is_never_agreed_on_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    async def swallow(peer: Peer) -> None:
        while await peer.stream.receive_some():
            pass

    monkeypatch.setattr(connection, "FIRST_ANSWER", 0.5)
    context = ssl.create_default_context()
    async with scripted(swallow) as port:
        with pytest.raises(Refused, match=r"TLS with 127.0.0.1:\d+ failed: there is no answer"):
            await play(port, tls=context)


@pytest.mark.trio
async def test_resume_that_was_not_asked_for_is_refused_once() -> None:
    async def script(peer: Peer) -> None:
        for _ in range(2):  # with the key, and without
            await peer.expect("hello")
            await peer.send({"type": "error", "code": "bad-resume", "text": "and again"})
        await peer.expect("bye")

    async with scripted(script) as port:
        player = Client(Settings("mine", port=port), default)
        player._key = "old-key"
        with pytest.raises(Refused, match="and again"):
            await player.run()


@pytest.mark.trio
async def test_note_cannot_harm_the_terminal(capfd: pytest.CaptureFixture[str]) -> None:  # S067, S072
    async def script(peer: Peer) -> None:
        await peer.begin()
        await peer.send({"type": "error", "code": "too-late", "text": HARM, "game": "g1", "id": 1}, end())
        await peer.goodbye()

    async with scripted(script) as port:
        await play(port)
    assert capfd.readouterr().err == "mine: no\\x1b[2J\\x07\\u202e\n"


@pytest.mark.trio
async def test_key_that_cannot_be_kept_is_told_and_the_game_goes_on(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    async def script(peer: Peer) -> None:
        await peer.begin()
        await peer.send(request())
        await peer.expect("move", choice=0)
        await peer.send(end())
        await peer.goodbye()

    async with scripted(script) as port:
        await play(port, key_file=tmp_path / "gone" / "key")
    assert "the key cannot be kept in" in capfd.readouterr().err


@pytest.mark.trio
async def test_shipped_bot_ends_with_a_sentence_on_a_view_that_no_game_has() -> None:
    async def script(peer: Peer) -> None:
        await peer.expect("hello")
        await peer.send({**WELCOME, "name": "greedy"}, start(), request(view={"turn": HARM}))
        while await peer.next() is not None:
            pass

    async with scripted(script) as port:
        command = [sys.executable, "-m", "arena", "bot", "greedy", "--connect", f"127.0.0.1:{port}"]
        done = await trio.run_process(command, check=False, capture_stderr=True)
    assert done.returncode == 1
    [told] = done.stderr.decode().splitlines()
    assert told.startswith("Error: greedy cannot play on what the server sends in request 1 of the game g1: ")


def test_watch_ends_with_a_sentence_on_a_view_that_no_game_has(monkeypatch: pytest.MonkeyPatch) -> None:
    async def shown(*_: object) -> None:
        await trio.lowlevel.checkpoint()
        Console(file=io.StringIO()).print(board)

    board = Board("g1", ["Ada", "Bo"])
    board.view = {"turn": HARM}
    monkeypatch.setattr(watch, "watch", shown)
    result = CliRunner().invoke(watch.command, ["127.0.0.1:1", "g1"])
    assert result.exit_code == 1
    assert result.output == "Error: what 127.0.0.1:1 sends is no game that can be shown: KeyError: 'lead'\n"
