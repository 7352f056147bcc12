"""What a bot's author reads while the bot waits for a game, against a server that follows a script."""

from __future__ import annotations

from typing import Any

import pytest
import trio
from served import Message, Peer, end, scripted, start

from clients import Client, Refused, Settings, asking, client
from protocol.messages import QUEUE, Join, Wanted


def queued(waiting: int) -> Message:
    return {"type": "joined", "table": "queue", "seats": 4, "waiting": waiting}


def seated(*players: str, table: str = "t7") -> Message:
    return {"type": "joined", "table": table, "seats": 2, "players": players}


async def told(capfd: pytest.CaptureFixture[str], *waits: Message, games: int = 1, **wish: Any) -> list[str]:
    """What stands on stderr if these messages come before each game."""

    async def script(peer: Peer) -> None:
        await peer.log_in()
        await peer.send({"type": "pong"})
        for game in range(games):
            await peer.expect("join")
            await peer.send(*waits, start(f"g{game}"))
            await peer.expect("ready")
            await peer.send(end(f"g{game}"))
        await peer.goodbye()

    async with scripted(script) as port:
        join = Join(**wish) if wish else Join(table=QUEUE)
        await Client(
            Settings("mine", port=port, games=games, join=join), lambda request: request.default
        ).run()
    return capfd.readouterr().err.splitlines()


@pytest.mark.trio
async def test_how_many_wait_in_the_queue_is_told_once_for_each_number(
    capfd: pytest.CaptureFixture[str],
) -> None:
    assert await told(capfd, queued(1), queued(2), queued(1), queued(4), games=2) == [
        "mine: waits in the queue: 1 of 4 players are there",
        "mine: waits in the queue: 2 of 4 players are there",
    ]


@pytest.mark.trio
async def test_table_that_waits_for_others_is_named(capfd: pytest.CaptureFixture[str]) -> None:
    wanted = Wanted(seats=2)
    assert await told(capfd, seated("mine"), seated("mine", "other"), wanted=wanted) == [
        "mine: waits at the table t7: 1 of 2 players are there"
    ]


@pytest.mark.trio
async def test_shipped_bots_are_not_waited_for(capfd: pytest.CaptureFixture[str]) -> None:
    assert await told(capfd, seated("mine"), wanted=Wanted(seats=2, fill=("random",))) == []


@pytest.mark.trio
async def test_shipped_bots_that_take_long_are_waited_for_in_words(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "FETCHED", 0.0)
    lines: list[str] = []

    async def script(peer: Peer) -> None:
        await peer.log_in()
        await peer.send({"type": "pong"})
        await peer.expect("join")
        await peer.send(seated("mine"))
        while not lines:
            await trio.lowlevel.checkpoint()
            lines.extend(capfd.readouterr().err.splitlines())
        await peer.send(start("g0"))
        await peer.expect("ready")
        await peer.send(end("g0"))
        await peer.goodbye()

    async with scripted(script) as port:
        join = Join(wanted=Wanted(seats=2, fill=("random",)))
        await Client(Settings("mine", port=port, games=1, join=join), lambda request: request.default).run()
    assert lines == [
        "mine: waits at the table t7, for which the server starts shipped bots: 1 of 2 players are there"
    ]


@pytest.mark.trio
async def test_server_that_does_not_tell_how_many_wait_is_no_matter(
    capfd: pytest.CaptureFixture[str],
) -> None:
    assert await told(capfd, {"type": "joined", "table": "queue"}) == []


@pytest.mark.trio
async def test_waiting_takes_no_room_from_what_is_wrong(capfd: pytest.CaptureFixture[str]) -> None:
    tables = [seated("mine", table=f"t{number}") for number in range(2 * asking.MAX_NOTES)]
    wrong = {"type": "error", "code": "flood", "text": "Too fast.", "game": "g0"}
    lines = await told(capfd, *tables, wrong, wanted=Wanted(seats=2))
    assert len(lines) == client.MAX_WAITS + 1
    assert lines[-1] == "mine: the server says: Too fast."


@pytest.mark.trio
async def test_seat_that_too_many_ask_for_is_asked_for_again(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "CROWDED", 0.01)
    flood = {"type": "error", "code": "flood", "text": "Too many games (`begins`)."}

    async def script(peer: Peer) -> None:
        await peer.log_in()
        await peer.send({"type": "pong"})
        for _ in range(2):
            await peer.expect("join", table="queue")
            await peer.send(flood)
        await peer.expect("join", table="queue")
        await peer.send(queued(4), start())
        await peer.expect("ready")
        await peer.send(end())
        await peer.goodbye()

    async with scripted(script) as port:
        mine = Client(Settings("mine", port=port, games=1), lambda request: request.default)
        assert len(await mine.run()) == 1
    assert capfd.readouterr().err == (
        "mine: asks for a seat again every 0.01 s, as the server says: Too many games (`begins`).\n"
    )


@pytest.mark.trio
async def test_flood_of_one_who_has_a_place_is_told_as_such() -> None:
    async def script(peer: Peer) -> None:
        await peer.log_in()
        await peer.send({"type": "pong"})
        await peer.expect("join")
        await peer.send(queued(1), {"type": "error", "code": "flood", "text": "Too fast."})
        await peer.expect("bye")

    async with scripted(script) as port:
        with pytest.raises(Refused, match=r"Too fast\."):
            await Client(Settings("mine", port=port), lambda request: request.default).run()
