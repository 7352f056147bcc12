"""Tables, the queue, and the shipped bots that fill seats."""

from __future__ import annotations

import pytest
import trio

from arena.game import Options
from arena.game.setup import PLAYABLE_SETS
from arena.records import verify
from arena.server import Offer
from arena.server.listing import LIST_AGE
from tests.server.table import Seats, dice, house_of, open_hall


@pytest.fixture
async def hall(tmp_path, autojump_clock):
    async with open_hall(tmp_path, offer=Offer(seats=2), games=3, tables=2) as hall:
        yield hall


async def test_queue_starts_the_offered_game_when_it_is_full(autojump_clock, hall):
    wires = [await hall.login("one"), await hall.login("two")]
    for waiting, wire in enumerate(wires, 1):
        await wire.send("join", table="queue")
        await wire.expect("joined", table="queue", seats=2, waiting=waiting)
    await wires[0].expect("joined", table="queue", seats=2, waiting=2)
    for seat, wire in enumerate(wires):
        await wire.expect("start", seat=seat)


@pytest.mark.parametrize("politely", [True, False])
async def test_those_in_the_queue_are_told_how_many_they_are(autojump_clock, tmp_path, politely):
    async with open_hall(tmp_path, offer=Offer(seats=4)) as hall:
        one, two = await hall.login("one"), await hall.login("two")
        for wire in (one, two):
            await wire.send("join", table="queue")
            await one.expect("joined", waiting=1 if wire is one else 2)
        await two.send("leave", table="queue") if politely else await two.drop()
        await one.expect("joined", seats=4, waiting=1)


@pytest.mark.parametrize("seed", [None, 0, 7])
async def test_who_joins_a_table_is_told_that_its_opener_may_know_every_card(
    autojump_clock, hall, seed
):  # S024
    opener, other = await hall.login("opener"), await hall.login("other")
    await opener.send("join", wanted={"seats": 3, **({} if seed is None else {"seed": seed})})
    table = (await opener.expect("joined"))["table"]
    told = None if seed is None else True
    await other.send("list")
    assert (await other.expect("games"))["tables"][0].get("seeded") is told
    await other.send("join", table=table)
    assert (await other.expect("joined", table=table)).get("seeded") is told


@pytest.mark.parametrize("place", ["queue", "table"])
async def test_one_who_joins_and_leaves_again_and_again_floods_nobody(tmp_path, autojump_clock, place):
    async with open_hall(tmp_path, offer=Offer(seats=4), rate=10_000, burst=10_000) as hall:
        one, flood = await hall.login("one"), await hall.login("flood")
        await one.send("join", **({"table": "queue"} if place == "queue" else {"wanted": {"seats": 4}}))
        table = (await one.expect("joined"))["table"]
        for _ in range(20):
            for _ in range(10):
                await flood.send("join", table=table)
                await flood.expect("joined", table=table)
                await flood.send("leave", table=table)
                await flood.expect("left", table=table)
            await trio.sleep(0.1)
        await flood.send("join", table=table)
        with trio.move_on_after(1.0):
            while True:
                await one.expect("joined", table=table)
        last = one.messages[-1]
        assert last["waiting"] == 2 if place == "queue" else last["players"] == ["one", "flood"]
        assert len(one.messages) < 12  # of 401 changes in two seconds


async def test_table_fills_and_all_are_told_who_sits_there(autojump_clock, hall):
    one, two = await hall.login("one"), await hall.login("two")
    await one.send("join", wanted={"seats": 2, "clock": {"move": 3.0}, "seed": 5})
    joined = await one.expect("joined", players=["one"])
    assert joined["clock"]["move"] == 3.0
    await two.send("list")
    games = await two.expect("games")
    assert [table["table"] for table in games["tables"]] == [joined["table"]]
    await two.send("join", table=joined["table"])
    await one.expect("joined", players=["one", "two"])
    await one.expect("start", seat=0, table=joined["table"])
    await two.until("start", seat=1)


@pytest.mark.parametrize("containers", ["tokens", "tokens-everywhere"])
async def test_table_may_ask_for_every_set_the_market_and_tokens(autojump_clock, hall, containers):
    rules = {"sets": list(PLAYABLE_SETS), "market": True, "containers": containers}
    wires = [await hall.login("one"), await hall.login("two")]
    await wires[0].send("join", wanted={"seats": 2, "seed": 3, **rules})
    table = (await wires[0].expect("joined", rules=rules))["table"]
    await wires[1].send("join", table=table)
    starts = [await wire.until("start", rules=rules) for wire in wires]
    game = Seats(hall, wires, starts[0]["game"])
    await game.ready()
    ends = await game.play_on(dice(3))
    assert all(end["reasons"] == ["normal", "normal"] for end in ends)
    assert verify(game.record).options == Options(2, PLAYABLE_SETS, True, containers)


async def test_joins_and_leaves_that_cannot_be_are_refused_by_name(autojump_clock, hall):
    one, two = await hall.login("one"), await hall.login("two")
    await one.send("join", table="t-none")
    await one.expect("error", code="no-such-table")
    await one.send("leave", table="queue")
    await one.expect("error", code="not-joined")
    await one.send("join", table="queue")
    await one.expect("joined")
    await one.send("join", table="queue")
    await one.expect("error", code="already-joined")
    await one.send("leave", table="queue")
    await one.expect("left", table="queue")
    for _ in range(2):
        await one.send("join", wanted={"seats": 3})
        table = (await one.expect("joined"))["table"]
    await one.send("join", table=table)
    await one.expect("error", code="already-joined")
    await two.send("join", wanted={"seats": 3})
    await two.expect("error", code="not-offered")
    await one.send("join", table="queue")
    await one.expect("joined")
    await one.send("join", wanted={"seats": 2})
    await one.expect("error", code="too-many-games")


@pytest.mark.parametrize("wanted", [{"seats": 2, "fill": ["greedy"]}, {"seats": 2, "clock": {"move": 0.01}}])
async def test_what_is_not_offered_opens_no_table(autojump_clock, hall, wanted):
    wire = await hall.login("one")
    await wire.send("join", wanted=wanted)
    await wire.expect("error", code="not-offered")
    assert not hall.server.lobby.tables


@pytest.fixture
async def house(hall, monkeypatch):
    """A house whose bots are processes that do nothing."""
    house = house_of(hall, {"sleepy", "brief"})
    hall.server.lobby.house = house

    async def process(bot, name, token, table):
        if bot == "sleepy":
            await trio.sleep_forever()

    monkeypatch.setattr(house, "_process", process)
    return house


@pytest.mark.parametrize(("bot", "why"), [("sleepy", "did not come within 5 s"), ("brief", "has ended")])
async def test_shipped_bot_that_never_comes_closes_its_table_and_all_are_told(
    autojump_clock, hall, house, bot, why
):
    one, two = await hall.login("one"), await hall.login("two")
    await one.send("join", wanted={"seats": 3, "fill": [bot]})
    table = (await one.expect("joined"))["table"]
    await two.send("join", table=table)
    await trio.testing.wait_all_tasks_blocked()
    for wire in (one, two) if bot == "sleepy" else (one,):
        error = await wire.until("error")
        assert error["code"] == "server-fault"
        assert why in error["text"]
        await wire.expect("left", table=table)
    assert not hall.server.lobby.tables
    await trio.testing.wait_all_tasks_blocked()
    assert not house._running
    await one.send("join", table="queue")
    await one.expect("joined")


async def test_unknown_bot_beside_a_known_one_starts_none(autojump_clock, hall, house):
    wire = await hall.login("one")
    await wire.send("join", wanted={"seats": 3, "fill": ["sleepy", "nobody"]})
    error = await wire.expect("error", code="not-offered")
    assert "nobody" in error["text"]
    assert not house._running


async def test_shipped_bots_are_recalled_when_the_last_player_leaves(autojump_clock, hall, house):  # S034
    wire = await hall.login("one")
    await wire.send("join", wanted={"seats": 3, "fill": ["sleepy", "sleepy"]})
    await wire.expect("joined")
    await wire.drop()
    await trio.testing.wait_all_tasks_blocked()
    assert not house._running
    assert not hall.server.lobby.tables


async def test_nobody_takes_the_seat_of_a_shipped_bot(autojump_clock, hall, house):
    wire, thief = await hall.login("one"), hall.connect()
    await wire.send("join", wanted={"seats": 2, "fill": ["sleepy"]})
    table = (await wire.expect("joined"))["table"]
    await thief.send("hello", protocol="1.0", name="sleepy-1")
    await thief.expect("error", code="bad-token")
    await thief.hello("thief")
    await thief.send("join", table=table)
    await thief.expect("error", code="table-full")


async def test_asking_for_shipped_bots_is_dear(tmp_path, autojump_clock, hall, house):
    wire = await hall.login("greedy for bots")
    for _ in range(3):
        await wire.send("join", wanted={"seats": 2, "fill": ["sleepy"]})
        table = (await wire.expect("joined"))["table"]
        await wire.send("leave", table=table)
        await wire.expect("left")
    await wire.send("join", wanted={"seats": 2, "fill": ["sleepy"]})
    await wire.expect("error", code="flood")


async def test_who_asks_for_seats_again_and_again_begins_few_games_in_one_moment(tmp_path, autojump_clock):
    async with open_hall(tmp_path, offer=Offer(seats=2), games=1000) as hall:
        wires = [await hall.login("one"), await hall.login("two")]
        for _ in range(60):
            for wire in wires:
                await wire.send("join", table="queue")
        for wire in wires:
            await wire.until("error", code="flood")
        assert len(hall.server.games) < 40
        await trio.sleep(2.0)
        for wire in wires:
            await wire.send("join", table="queue")
            await wire.until("joined")


async def test_a_list_is_made_once_for_all_who_ask_in_one_moment(autojump_clock, hall, monkeypatch):
    made = []
    plain = hall.server.listing._now
    monkeypatch.setattr(hall.server.listing, "_now", lambda: made.append(1) or plain())
    for number in range(3):
        wire = await hall.login(f"asker {number}")
        for _ in range(10):
            await wire.send("list")
            await wire.expect("games", tables=[])
    assert len(made) == 1
    await wire.send("join", wanted={"seats": 2})
    await wire.expect("joined")
    await trio.sleep(LIST_AGE)
    await wire.send("list")
    assert len((await wire.expect("games"))["tables"]) == 1


async def test_a_real_shipped_bot_comes_and_plays(tmp_path):
    from tests.server.table import dial, listening

    async with listening(tmp_path, bots=frozenset({"random"})) as (_, port):
        wire = await dial(port)
        await wire.hello("host")
        await wire.send("join", wanted={"seats": 2, "seed": 2, "fill": ["random"]})
        with trio.fail_after(60):
            end = await wire.play(dice(1))
    assert end["reasons"] == ["normal", "normal"]
