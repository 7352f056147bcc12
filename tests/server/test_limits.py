"""Each refusal because of a limit names the setting, so that whoever meets it can ask for another value."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio

from arena.server.guests import PIECE
from arena.server.sockets import KERNEL_BUFFER
from tests.server.table import Hall, Wire, house_of, open_hall


async def too_many_connections(hall: Hall) -> Wire:
    await hall.login("one")
    return hall.connect()


async def too_many_names(hall: Hall) -> Wire:
    await hall.login("one")
    wire = hall.connect()
    await wire.send("hello", protocol="1.0", name="two")
    return wire


async def too_many_seats(hall: Hall) -> Wire:
    wire = await hall.login("one")
    for table in "queue", None:
        await wire.send("join", **({"table": table} if table else {"wanted": {"seats": 2}}))
    return wire


async def too_many_tables(hall: Hall) -> Wire:
    wire = await hall.login("one")
    for _ in range(2):
        await wire.send("join", wanted={"seats": 2})
    return wire


async def too_many_games(hall: Hall) -> Wire:
    await hall.seated()
    wire = await hall.login("one")
    await wire.send("join", table="queue")
    return wire


async def too_many_watchers(hall: Hall) -> Wire:
    game = await hall.seated()
    wires = [await hall.login("first"), await hall.login("second")]
    for wire in wires:
        await wire.send("watch", game=game.id)
        await wire.until("start" if wire is wires[0] else "error")
    return wires[1]


async def too_many_messages(hall: Hall) -> Wire:
    wire = await hall.login("one")
    await wire.send_bytes(b'{"type":"list"}\n' * 4)
    return wire


async def too_many_messages_of_an_address(hall: Hall) -> Wire:
    wires = [await hall.login("one"), await hall.login("two")]
    for wire in wires:
        await wire.send_bytes(b'{"type":"list"}\n' * 10)
    return wires[1]


async def too_many_seats_resumed(hall: Hall) -> Wire:
    """Each time the server makes the view of every game for whoever comes back."""
    game = await hall.seated()
    await game.ready()
    wire = game[0]
    for _ in range(2):
        wire = await hall.resume(wire)
    return hall.connect()


async def too_many_joins(hall: Hall) -> Wire:
    wire = await hall.login("one")
    for _ in range(2):
        await wire.send("join", table="queue")
        await wire.send("leave", table="queue")
    return wire


async def too_many_listed(hall: Hall) -> Wire:
    await hall.seated()
    wire = await hall.login("one")
    for _ in range(4):
        await wire.send("list")
    return wire


async def too_many_bots_at_once(hall: Hall) -> Wire:
    open_house(hall)
    wire = await hall.login("one")
    await wire.send("join", wanted={"seats": 3, "fill": ["random", "random"]})
    return wire


async def too_many_bots_asked_for(hall: Hall) -> Wire:
    open_house(hall)
    wire = await hall.login("one")
    for _ in range(2):
        await wire.send("join", wanted={"seats": 3, "fill": ["random", "random"]})
    return wire


def open_house(hall: Hall) -> None:
    """Shipped bots are there to be asked for; none is started here."""
    hall.server.lobby.house = house_of(hall, {"random"})


async def far_too_many_messages(hall: Hall) -> Wire:
    wire = await hall.login("one")
    await wire.send_bytes(b'{"type":"list"}\n' * 60)
    return wire


async def too_many_bytes(hall: Hall) -> Wire:
    wire = await hall.login("one")
    await wire.send_bytes(b" " * 5000)
    return wire


async def too_many_logins(hall: Hall) -> Wire:
    wire = hall.connect()
    for _ in range(2):
        await wire.send("hello", protocol="1.0", name="one", resume="wrong")
    return wire


async def no_hello(hall: Hall) -> Wire:
    await trio.lowlevel.checkpoint()
    return hall.connect()


async def no_word(hall: Hall) -> Wire:
    hall.nursery.start_soon(hall.server.keep_house)
    return await hall.login("one")


@pytest.mark.parametrize(
    ("key", "value", "meet"),
    [
        ("connections", 1, too_many_connections),
        ("per_address", 1, too_many_connections),
        ("names", 1, too_many_names),
        ("games", 1, too_many_seats),
        ("tables", 1, too_many_tables),
        ("all_games", 1, too_many_games),
        ("watchers", 1, too_many_watchers),
        ("join_price", 50, too_many_joins),
        ("begins", 1, too_many_joins),
        ("listed", 1, too_many_listed),
        ("bots", 1, too_many_bots_at_once),
        ("fill_price", 50, too_many_bots_asked_for),
        ("rate", 1, too_many_messages),
        ("floods", 5, far_too_many_messages),
        ("address_rate", 1, too_many_messages_of_an_address),
        ("address_rate", 1, too_many_seats_resumed),
        ("bytes", 1000, too_many_bytes),
        ("logins", 2, too_many_logins),
        ("hello", 1.0, no_hello),
        ("idle", 1.0, no_word),
    ],
)
async def test_a_refusal_names_its_limit(tmp_path, autojump_clock, key, value, meet):
    others = {
        "address_rate": {"address_burst": 16},
        "rate": {"burst": 2},
        "floods": {"burst": 2, "rate": 1},
        "bytes": {"bytes_burst": 2000},
        "join_price": {"rate": 1, "burst": 60},
        "listed": {"rate": 1, "burst": 6},
        "fill_price": {"rate": 1, "burst": 100, "bots": 1},
    }
    async with open_hall(tmp_path, **{key: value}, **others.get(key, {})) as hall:
        wire = await meet(hall)
        told = [message.get("text") or "" for message in wire.messages]
        while not any(f"`{key}`" in text for text in told):
            told.append((await wire.next()).get("text") or "")


async def test_who_has_just_come_may_ask_for_five_bots_and_after_a_while_again(tmp_path, autojump_clock):
    async with open_hall(tmp_path, bots=1) as hall:
        open_house(hall)
        wire = await hall.login("one")
        await wire.send("ping")
        await wire.expect("pong")
        for code, pause in ("not-offered", 0), ("flood", 2), ("not-offered", 0):
            await wire.send("join", wanted={"seats": 6, "fill": ["random"] * 5})
            limit = "(`bots`)" if code == "not-offered" else "(`join_price`, `fill_price`)"
            assert limit in (await wire.expect("error", code=code))["text"]
            await trio.sleep(pause)


@pytest.mark.parametrize(("burst", "address_burst"), [(400, 30), (1, 10)])
async def test_a_price_over_all_that_may_come_at_once_can_be_paid(
    tmp_path, autojump_clock, burst, address_burst
):
    limits = {
        "join_price": 500,
        "burst": burst,
        "address_burst": address_burst,
        "rate": 10,
        "address_rate": 10,
    }
    async with open_hall(tmp_path, **limits) as hall:
        wire = await hall.login("one")
        await trio.sleep(60)
        await wire.send("join", table="queue")
        await wire.expect("joined")


async def test_what_an_address_is_refused_costs_its_client_nothing(tmp_path, autojump_clock):
    limits = {"join_price": 12, "burst": 20, "address_burst": 20, "rate": 1, "address_rate": 100}
    async with open_hall(tmp_path, **limits) as hall:
        first, second = await hall.login("one"), await hall.login("two")
        await first.send("join", table="queue")
        await first.expect("joined")
        await second.send("join", table="queue")
        assert "`address_rate`" in (await second.expect("error", code="flood"))["text"]
        await trio.sleep(1)
        await second.send("join", table="queue")
        await second.expect("joined")


def test_protocol_page_tells_what_counts_for_an_address_and_what_may_lie_unread():
    page = " ".join((Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8").split())
    assert f"each {PIECE // 1024} KiB that come count as one message more" in page
    assert f"The kernel has room for {KERNEL_BUFFER // 1024} KiB" in page
