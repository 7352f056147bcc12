"""The Python client against a server that follows a script: games, and the answers to them."""

from __future__ import annotations

import pytest
import trio
from served import Peer, end, play, request, scripted, start

from clients import WireRequest
from protocol.messages import Request


@pytest.mark.trio
async def test_bot_is_one_function_from_a_request_to_an_option() -> None:
    def second(request: WireRequest) -> int:
        assert (request.seat, request.kind, request.view["turn"]) == (0, "load", 1)
        return 1

    async def script(peer: Peer) -> None:
        await peer.begin()
        await peer.send(request())
        await peer.expect("move", game="g1", id=1, choice=1)
        await peer.send(end())
        await peer.goodbye()

    async with scripted(script) as port:
        player = await play(port, second)
    assert [result.places for result in player.results] == [(1, 2)]


@pytest.mark.trio
async def test_bot_may_answer_with_the_text_of_an_option() -> None:
    async def script(peer: Peer) -> None:
        await peer.begin()
        await peer.send(request())
        await peer.expect("move", choice="load:rice@ship-0")
        await peer.send(end())
        await peer.goodbye()

    async with scripted(script) as port:
        await play(port, lambda request: request.options[2])


class Thinker:
    """An async bot that answers the first game only once the second has asked."""

    def __init__(self) -> None:
        self.second = trio.Event()

    async def __call__(self, request: WireRequest) -> int:
        if request.game == "g1":
            await self.second.wait()
        self.second.set()
        return request.default


@pytest.mark.trio
async def test_async_bot_thinks_about_several_games_at_once() -> None:
    async def script(peer: Peer) -> None:
        await peer.begin("g1", "g2")
        await peer.send(request(game="g1"), request(game="g2"))
        answered = {(await peer.expect("move"))["game"], (await peer.expect("move"))["game"]}
        assert answered == {"g1", "g2"}
        await peer.send(end("g1"), end("g2"))
        await peer.goodbye()

    async with scripted(script) as port:
        player = await play(port, Thinker(), games=2)
    assert len(player.results) == 2


@pytest.mark.trio
async def test_goodbye_waits_for_the_other_games_of_the_connection() -> None:
    async def script(peer: Peer) -> None:
        await peer.begin("g1", "g2")
        await peer.send(end("g1"), request(game="g2"))
        await peer.expect("move", game="g2")
        await peer.send(end("g2"))
        await peer.goodbye()

    async with scripted(script) as port:
        await play(port, games=1)


@pytest.mark.trio
async def test_next_game_is_joined_when_the_last_is_over() -> None:
    async def script(peer: Peer) -> None:
        await peer.begin()
        await peer.send(end())
        await peer.expect("join", table="queue")
        await peer.send(start("g2"))
        await peer.expect("ready", game="g2")
        await peer.send(end("g2"))
        await peer.goodbye()

    async with scripted(script) as port:
        await play(port, games=2)


@pytest.mark.trio
async def test_unknown_messages_and_fields_are_passed_over_with_one_warning_each(  # S006
    capfd: pytest.CaptureFixture[str],
) -> None:
    async def script(peer: Peer) -> None:
        await peer.begin()
        await peer.send({"type": "weather", "rain": True}, {"type": "weather", "rain": False})
        for number in (1, 2, 3):
            await peer.send(request(number, mood="good"))
            await peer.expect("move", id=number)
        await peer.send(end())
        await peer.goodbye()

    async with scripted(script) as port:
        await play(port)
    told = capfd.readouterr().err.splitlines()
    assert len([line for line in told if "weather" in line]) == 1
    assert len([line for line in told if "mood" in line]) == 1


@pytest.mark.trio
async def test_long_line_that_comes_in_small_pieces_is_read_whole() -> None:  # S004
    async def script(peer: Peer) -> None:
        await peer.begin()
        view = {"turn": 1, "text": "x" * 20_000}
        line = Request.model_validate(request(view=view), strict=False).model_dump_json().encode() + b"\n"
        for place in range(0, len(line), 1000):
            await peer.stream.send_all(line[place : place + 1000])
        await peer.expect("move")
        await peer.send(end())
        await peer.goodbye()

    async with scripted(script) as port:
        await play(port, lambda request: len(request.view["text"]) - 20_000)


@pytest.mark.trio
async def test_luck_of_start_is_told_with_each_request_of_its_game() -> None:
    told: list[tuple[str, int]] = []

    def choose(request: WireRequest) -> int:
        told.append((request.game, request.luck))
        return 0

    async def script(peer: Peer) -> None:
        await peer.begin("g1")
        await peer.send(start("g2", luck=0), start("g3", luck=None))
        await peer.expect("ready", game="g2")
        await peer.expect("ready", game="g3")
        for game in ("g1", "g2", "g3", "g3"):
            await peer.send(request(len(told) + 1, game))
            await peer.expect("move", game=game)
        await peer.send(end("g1"), end("g2"), end("g3"))
        await peer.goodbye()

    async with scripted(script) as port:
        player = await play(port, choose, games=3)
    assert told[:2] == [("g1", 4711), ("g2", 0)]
    assert told[2] == told[3]  # of a server that tells none the client draws one for the game
    assert 0 <= told[2][1] < 2**53
    assert not player.luck
