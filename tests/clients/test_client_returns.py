"""The Python client comes back after a lost connection, against a server that follows a script."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import trio
from served import (
    PATIENCE,
    WELCOME,
    Peer,
    end,
    line_of,
    play,
    real,
    request,
    scripted,
    start,
    started,
)

from clients import Client, Refused, Settings, WireRequest
from clients.keyfile import stored_key


@pytest.mark.trio
@pytest.mark.parametrize("how", ["closed", "reset", "slow", "suspended"])
async def test_lost_connection_is_resumed_with_the_key_of_the_welcome(how: str) -> None:  # S019
    async def first(peer: Peer) -> None:
        await peer.begin()
        await peer.send(request(1))
        await peer.expect("move", id=1)
        if how == "reset":
            await peer.reset()
        elif how == "slow":
            await peer.send({"type": "bye", "reason": "slow"})
        elif how == "suspended":
            await peer.send({"type": "bye", "reason": "shutdown", "suspended": ["g1"]})

    async def second(peer: Peer) -> None:
        await peer.log_in(resume="the-key")
        await peer.send(start(), {"type": "snapshot", "game": "g1", "number": 1, "view": {}}, request(2))
        await peer.send({"type": "pong"})
        await peer.expect("ready")
        await peer.expect("move", id=2)
        await peer.send(end())
        await peer.goodbye()  # and no join in between

    async with scripted(first, second) as port:
        player = await play(port)
    assert len(player.results) == 1


@pytest.mark.trio
async def test_name_that_a_connection_lost_before_its_welcome_still_has_is_asked_for_again() -> None:
    taken = {"type": "error", "code": "name-taken", "text": "the name mine is in use"}

    async def first(peer: Peer) -> None:
        await peer.expect("hello")
        await peer.reset()

    async def second(peer: Peer) -> None:
        await peer.expect("hello")
        await peer.send(taken)
        assert await peer.next() is None

    async def third(peer: Peer) -> None:
        await peer.begin()
        await peer.send(end())
        await peer.goodbye()

    async with scripted(first, second, third) as port:
        assert len((await play(port)).results) == 1


@pytest.mark.trio
async def test_client_that_is_replaced_by_its_own_earlier_connection_comes_back() -> None:
    async def first(peer: Peer) -> None:
        await peer.begin()

    async def second(peer: Peer) -> None:
        await peer.expect("hello", resume="the-key")  # and is read by a busy server after the third

    async def third(peer: Peer) -> None:
        await peer.log_in(resume="the-key")
        await peer.send({"type": "bye", "reason": "replaced"})

    async def fourth(peer: Peer) -> None:
        await peer.log_in(resume="the-key")
        await peer.send(start(), end())
        await peer.expect("ready")
        await peer.goodbye()

    async with scripted(first, second, third, fourth) as port:
        assert len((await play(port)).results) == 1


async def begins(peer: Peer) -> None:
    """Its connection breaks when it has been welcomed."""
    await peer.begin()


async def unheard(peer: Peer) -> None:
    """Its connection breaks before it is welcomed."""
    await peer.expect("hello", resume="the-key")


async def replaced(peer: Peer) -> None:
    """Another connection of the same client has taken its place."""
    await peer.log_in(resume="the-key")
    await peer.send({"type": "bye", "reason": "replaced"})


async def comes_back(peer: Peer) -> None:
    """The game goes on, and is over."""
    await peer.log_in(resume="the-key")
    await peer.send(start(), end())
    await peer.expect("ready")
    await peer.goodbye()


@pytest.mark.trio
async def test_client_that_is_replaced_by_two_of_its_earlier_connections_comes_back() -> None:
    async with scripted(begins, unheard, unheard, replaced, replaced, comes_back) as port:
        assert len((await play(port)).results) == 1


@pytest.mark.trio
async def test_client_that_is_replaced_more_often_than_it_was_unheard_gives_way() -> None:
    async with scripted(begins, unheard, replaced, replaced) as port:
        with pytest.raises(Refused):
            await play(port)


@pytest.mark.trio
async def test_end_that_was_missed_is_heard_after_coming_back_and_the_next_game_is_asked_for_once() -> None:
    async def first(peer: Peer) -> None:
        await peer.begin()

    async def second(peer: Peer) -> None:
        await peer.log_in(resume="the-key")
        await peer.send(end(), {"type": "pong"})
        await peer.expect("join")
        await peer.send({"type": "joined", "table": "queue"}, start("g2"))
        await peer.expect("ready", game="g2")  # and no join in between
        await peer.send(end("g2"))
        await peer.goodbye()

    async with scripted(first, second) as port:
        player = await play(port, games=2)
    assert [result.game for result in player.results] == ["g1", "g2"]


@pytest.mark.trio
async def test_what_was_still_thought_about_when_the_connection_was_lost_is_asked_again() -> None:
    asked = []

    async def think(request: WireRequest) -> int:
        asked.append(request.id)
        if len(asked) == 1:
            await trio.sleep_forever()
        return 0

    async def first(peer: Peer) -> None:
        await peer.begin()
        await peer.send(request(7))

    async def second(peer: Peer) -> None:
        await peer.log_in(resume="the-key")
        await peer.send(start(), request(7), {"type": "pong"})
        await peer.expect("ready")
        await peer.expect("move", id=7)
        await peer.send(end())
        await peer.goodbye()

    async with scripted(first, second) as port:
        await play(port, think)
    assert asked == [7, 7]


@pytest.mark.trio
async def test_key_that_the_server_does_not_know_any_more_begins_anew(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("old-key")

    async def script(peer: Peer) -> None:
        await peer.expect("hello", resume="old-key")
        await peer.send({"type": "error", "code": "bad-resume", "text": "too late"})
        hello = await peer.expect("hello")
        assert "resume" not in hello
        await peer.send(WELCOME)
        await peer.expect("ping")
        await peer.send({"type": "pong"})
        await peer.expect("join")
        await peer.send(start(), end())
        await peer.expect("ready")
        await peer.goodbye()

    async with scripted(script) as port:
        await play(port, key_file=tmp_path / "key")
    assert not (tmp_path / "key").exists()


@pytest.mark.trio
async def test_who_waits_in_the_queue_already_does_not_join_again() -> None:
    async def script(peer: Peer) -> None:
        await peer.log_in()
        await peer.send({"type": "joined", "table": "queue"}, {"type": "pong"}, start(), end())
        await peer.expect("ready")
        await peer.goodbye()

    async with scripted(script) as port:
        await play(port)


@pytest.mark.trio
async def test_key_file_is_for_its_owner_only(tmp_path: Path) -> None:  # S071
    path = tmp_path / "key"

    async def script(peer: Peer) -> None:
        await peer.begin()
        assert path.read_text() == "the-key"
        assert path.stat().st_mode & 0o777 == 0o600
        await peer.send(end())
        await peer.goodbye()

    async with scripted(script) as port:
        await play(port, key_file=path)


@pytest.mark.parametrize("holds", ["print('my bot')", "two\nlines", "x" * 5000])
def test_file_of_something_else_is_no_key_file_and_stays(tmp_path: Path, holds: str) -> None:
    path = tmp_path / "bot.py"
    path.write_text(holds)
    with pytest.raises(ValueError, match="holds no key of a bot; name a file that the bot may write"):
        Client(Settings("mine", key_file=path), lambda request: 0)
    assert path.read_text() == holds
    with pytest.raises(ValueError, match="holds no key"):
        stored_key(Path("/dev/zero"))
    assert stored_key(tmp_path / "new") is None


BOT = """
import sys
from clients import run

def choose(request):
    if "--hang" in sys.argv and request.id == 3:
        print("hangs", flush=True)
        sys.stdin.read()
    return request.default

wanted = {"seats": 2, "fill": ["random"]}
for end in run(choose, name="mine", connect=sys.argv[1], key_file=sys.argv[2], wanted=wanted, games=1):
    print(*(reason.value for reason in end.reasons))
"""


@pytest.mark.trio
async def test_killed_bot_is_started_again_and_finds_its_game(tmp_path: Path) -> None:  # S023
    async with real(tmp_path) as port:
        command = [sys.executable, "-c", BOT, f"127.0.0.1:{port}", str(tmp_path / "key")]
        first = await started([*command, "--hang"])
        assert await line_of(first) == "hangs"
        first.kill()
        await first.wait()
        with trio.fail_after(PATIENCE):
            second = await trio.run_process(command, capture_stdout=True)
    assert second.stdout == b"normal normal\n"


@pytest.mark.trio
async def test_server_that_stops_ends_the_bot_in_peace(capfd: pytest.CaptureFixture[str]) -> None:
    async def script(peer: Peer) -> None:
        await peer.begin()
        await peer.send({"type": "bye", "reason": "shutdown", "text": "back in a minute"})

    async with scripted(script) as port:
        assert (await play(port)).results == []
    assert "back in a minute" in capfd.readouterr().err
