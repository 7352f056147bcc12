"""The bots of `arena bot`: one for each game, and none that remembers another game."""

from __future__ import annotations

import json

import pytest
from served import end, request, start

from clients import WireRequest
from clients.bots import Bot, Request
from clients.shipped import OnePerGame
from protocol import parse_server
from protocol.messages import Request as Asked


class Counting:
    """Answers its seed first, and one more each time."""

    def __init__(self, seed: int) -> None:
        self._next = seed

    def choose(self, request: Request) -> int:
        self._next += 1
        return self._next - 1


def counting(seed: int) -> Bot:
    return Counting(seed)


def asked(game: str, luck: int = 10) -> WireRequest:
    return WireRequest(Asked.model_validate_json(json.dumps(request(game=game))), 0, luck)


def hear(bots: OnePerGame, message: dict[str, object]) -> None:
    told = parse_server(json.dumps(message).encode()).message
    assert told is not None
    bots.heard(told)


def test_each_game_has_a_bot_of_its_own() -> None:
    bots = OnePerGame(counting)
    for game in ("g1", "g2"):
        hear(bots, start(game))
    answers = [
        bots.choose(asked(game, luck)) for game, luck in (("g1", 10), ("g2", 20), ("g1", 10), ("g2", 20))
    ]
    assert answers == [10, 20, 11, 21]


def test_a_seed_is_that_of_every_game() -> None:
    bots = OnePerGame(counting, 7)
    for game in ("g1", "g2"):
        hear(bots, start(game))
    assert [bots.choose(asked(game)) for game in ("g1", "g1", "g2")] == [7, 8, 7]


def test_a_game_that_is_resumed_keeps_its_bot() -> None:
    bots = OnePerGame(counting)
    hear(bots, start("g1"))
    assert bots.choose(asked("g1")) == 10
    hear(bots, start("g1"))
    assert bots.choose(asked("g1")) == 11


@pytest.mark.parametrize(
    "over", [end("g1"), {"type": "error", "code": "bad-resume", "text": "too late"}], ids=["end", "lost"]
)
@pytest.mark.parametrize("late", [False, True], ids=["", "answered after the end"])
def test_a_game_that_begins_anew_gets_a_new_bot(over: dict[str, object], late: bool) -> None:
    bots = OnePerGame(counting)
    hear(bots, start("g1"))
    assert bots.choose(asked("g1")) == 10
    hear(bots, over)
    if late:
        bots.choose(asked("g1"))
    hear(bots, start("g1"))
    assert bots.choose(asked("g1")) == 10


def test_bots_of_games_that_are_over_are_not_kept() -> None:
    bots = OnePerGame(counting)
    for number in range(20):
        hear(bots, start(f"g{number}"))
        bots.choose(asked(f"g{number}"))
        hear(bots, end(f"g{number}"))
    assert len(bots._bots) == 1
