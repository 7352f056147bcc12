"""What the server writes into its log of a seat can be found by game, seat, player and connection."""

from __future__ import annotations

import json

import trio

from arena.log import configure
from tests.server.table import open_hall
from tests.server.test_clocks_of_seats import first_request

BOUND = ("game", "seat", "name", "connection")


async def test_faults_and_their_end_are_logged_with_seat_player_and_connection(
    tmp_path, autojump_clock, capsys
):
    configure("json", verbose=True)
    async with open_hall(tmp_path) as hall:
        game = await hall.seated()
        await game.ready()
        silent, _ = await first_request(game)
        seat = game.wires.index(silent)
        (end,) = await game.play_on(skip=[seat])
        assert end["reasons"][seat] == "timeout"
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    (connection,) = [
        line["connection"] for line in lines if line["event"] == "welcome" and line["name"] == silent.name
    ]
    told = [line for line in lines if line["event"] in ("fault", "retired")]
    assert [line["event"] for line in told] == ["fault"] * 3 + ["retired"]
    for line in told:
        assert [line[field] for field in BOUND] == [game.id, seat, silent.name, connection]
        assert line["reason"] == "timeout"


async def test_who_comes_is_refused_and_goes_is_logged(tmp_path, autojump_clock, capsys):
    configure("json", verbose=True)
    async with open_hall(tmp_path) as hall:
        polite = await hall.login("polite")
        twin = hall.connect()
        await twin.send("hello", protocol="1.0", name="polite")
        await twin.expect("error", code="name-taken")
        await twin.drop()
        await polite.send("bye")
        await polite.expect("bye")
        await trio.testing.wait_all_tasks_blocked()
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    told = [(line["event"], line["connection"], line.get("reason") or line.get("code")) for line in lines]
    assert told == [
        ("welcome", 1, None),
        ("refused", 2, "name-taken"),
        ("lost", 2, "lost"),
        ("lost", 1, "bye"),
    ]


async def test_who_is_retired_while_away_is_logged_without_a_connection(tmp_path, autojump_clock, capsys):
    configure("json", verbose=True)
    async with open_hall(tmp_path, resume=5.0) as hall:
        game = await hall.seated()
        await game.ready()
        await game[0].drop()
        await trio.sleep(6)
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    (retired,) = [line for line in lines if line["event"] == "retired"]
    assert [retired[field] for field in BOUND] == [game.id, 0, game[0].name, None]
