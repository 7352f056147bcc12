"""Every message: there and back, frozen, described, strict, bounded."""

from __future__ import annotations

from typing import get_args

import pytest
from pydantic import ValidationError

from arena.game.catalogue import SETS
from arena.game.tokyo import PORT_ALONE
from protocol import ByeReason, EndReason, ErrorCode, GameOver, encode, parse_client, parse_server
from protocol.fields import MAX_LISTED, MAX_SEED, SetName
from protocol.framing import MAX_CLIENT_LINE, MAX_SERVER_LINE
from protocol.messages import (
    CLIENT_MESSAGES,
    QUEUE,
    SERVER_MESSAGES,
    Bye,
    Clock,
    End,
    Error,
    Events,
    Games,
    Goodbye,
    Hello,
    Join,
    Joined,
    Leave,
    Left,
    Limits,
    ListGames,
    LiveGame,
    Move,
    Ping,
    Player,
    Pong,
    Ready,
    Remaining,
    Request,
    Rules,
    Snapshot,
    Start,
    Table,
    Unwatch,
    Wanted,
    WantedClock,
    Watch,
    Welcome,
)

LONG_NAME = "\U0001f600" * 32
LONG_ID = "g" * 64
LONG_SECRET = "s" * 200
HASH = "0f" * 32
RULES = Rules(sets=("capital", "tokyo", "kickstarter", "kickstarter2", "j", "flag"), market=True)
CLOCK = Clock(move=86_400.0, bank=0.123, increment=1.0, grace=0.1)
SIX = (LONG_NAME,) * 6

FROM_CLIENT = [
    Hello(protocol="1.0", name="Alpha"),
    Hello(protocol="1.0", name=LONG_NAME, token=LONG_SECRET, resume=LONG_SECRET, software="x" * 100),
    Join(table=QUEUE),
    Join(
        wanted=Wanted(
            seats=6,
            sets=RULES.sets,
            market=True,
            containers="tokens-everywhere",
            clock=WantedClock(move=0.01, bank=1.0, increment=1.0, grace=1.0),
            seed=MAX_SEED,
            fill=("b" * 64,) * 5,
        )
    ),
    Leave(table=LONG_ID),
    Ready(game=LONG_ID),
    Move(game=LONG_ID, id=2**31 - 1, choice=9999),
    Move(game="g1", id=1, choice="\u30c4" * 200),
    Watch(game=LONG_ID, last=2**53 - 1),
    Watch(game="g1"),
    Unwatch(game=LONG_ID),
    ListGames(),
    Ping(),
    Ping(data="~" * 100),
    Bye(),
]
FROM_SERVER = [
    Welcome(
        server="arena 0",
        name=LONG_NAME,
        resume=LONG_SECRET,
        limits=Limits(line=65536, tries=3, faults=5, ready=30.0, resume=30.0, games=16, rate=200),
    ),
    Error(code=ErrorCode.NOT_JSON, text="x" * 1000),
    Error(code=ErrorCode.BAD_CHOICE, text="x", expected="y", game="g1", id=1, tries=0),
    Joined(table=QUEUE),
    Joined(table=QUEUE, seats=4, waiting=3),
    Joined(table="t1", seats=6, players=SIX, rules=RULES, clock=CLOCK),
    Left(table="t1"),
    Start(
        game="g1",
        table="t1",
        seat=5,
        seats=(Player(name=LONG_NAME),) * 6,
        rules=RULES,
        clock=CLOCK,
        ready=30.0,
        catalogue=HASH,
        commitment=HASH,
        luck=2**53 - 1,
    ),
    Events(game="g1", first=1, events=({"event": "draw", "cards": [None, 1, 2.5, {"a": "\u2028"}]}, {})),
    Request(game="g1", id=1, kind="lead", options=("draw",), default=0, clock=Remaining(move=0.0, bank=0.0)),
    Request(
        game="g1",
        id=2,
        kind="bid",
        options=("bid*0", "bid*1"),
        default=0,
        clock=Remaining(move=1.5, bank=20.0),
        view={"hand": [], "none": None},
    ),
    End(
        game="g1",
        why=GameOver.POWER,
        power="satellite",
        places=(1, 2, 2, 4, 5, 6),
        credits=(50, -3, 0, 0, 0, 0),
        reasons=(EndReason.NORMAL, *list(EndReason)[:5]),
        seed=MAX_SEED,
        salt="ab" * 16,
    ),
    Snapshot(game="g1", number=0, view={}),
    Snapshot(game="g1", number=3, seat=0, view={"turn": 1}),
    Pong(),
    Pong(data=" "),
    Games(
        tables=(Table(table="t1", seats=6, players=SIX, rules=RULES, clock=CLOCK),) * MAX_LISTED,
        games=(LiveGame(game=LONG_ID, players=SIX, number=2**53 - 1, watchers=2**53 - 1),) * MAX_LISTED,
        queue=0,
        omitted=2**53 - 1,
    ),
    Goodbye(reason=ByeReason.SHUTDOWN, text="x"),
    Goodbye(reason=ByeReason.BYE),
]


def test_the_sets_are_those_of_the_game():
    assert {*get_args(SetName), "base"} == {*SETS, PORT_ALONE}


def named(message):
    return type(message).__name__


@pytest.mark.parametrize("message", FROM_CLIENT, ids=named)
def test_a_clients_message_comes_back_equal(message):
    line = encode(message)
    assert len(line) < MAX_CLIENT_LINE / 10
    assert parse_client(line[:-1]) == message


@pytest.mark.parametrize("message", FROM_SERVER, ids=named)
def test_a_servers_message_comes_back_equal(message):
    line = encode(message)
    assert len(line) < MAX_SERVER_LINE
    received = parse_server(line[:-1])
    assert received.message == message
    assert received.warnings == ()


def test_every_message_is_tried_here():
    assert {type(message) for message in FROM_CLIENT} == set(CLIENT_MESSAGES.values())
    assert {type(message) for message in FROM_SERVER} == set(SERVER_MESSAGES.values())


@pytest.mark.parametrize("message", [*FROM_CLIENT, *FROM_SERVER], ids=named)
def test_messages_are_frozen(message):
    with pytest.raises(ValidationError):
        message.type = "other"


@pytest.mark.parametrize("model", [*CLIENT_MESSAGES.values(), *SERVER_MESSAGES.values()])
def test_every_message_and_field_is_described(model):
    assert model.__doc__
    assert all(field.description for name, field in model.model_fields.items() if name != "type")


@pytest.mark.parametrize("message", [FROM_CLIENT[1], FROM_SERVER[0]], ids=named)
def test_secrets_stay_out_of_the_repr(message):  # S071
    assert LONG_SECRET not in repr(message)
    assert LONG_SECRET not in str(message)


@pytest.mark.parametrize("value", [True, 1.0, "1", None, -1, 2**31])
def test_a_request_id_is_an_integer_within_its_bounds(value):
    with pytest.raises(ValidationError):
        Move(game="g1", id=value, choice=0)


@pytest.mark.parametrize("value", ["", "..", ".g", "a/b", "a b", "g\n", "g" * 65, "g\u00e9", "-g", 5])
def test_ids_are_safe_in_file_names_and_addresses(value):  # S073
    with pytest.raises(ValidationError):
        Ready(game=value)


@pytest.mark.parametrize("seconds", [-0.001, float("nan"), float("inf"), 86_401.0, "1", True])
def test_remaining_time_is_never_below_zero_nor_odd(seconds):  # S009
    with pytest.raises(ValidationError):
        Remaining(move=seconds, bank=0.0)


def test_each_word_of_a_closed_set_has_one_sentence():
    for words in (ErrorCode, ByeReason, EndReason, GameOver):
        for word in words:
            assert word.meaning.endswith(".")
            assert words(word.value) is word
