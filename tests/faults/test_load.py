"""As many games at once as the server takes, on its own clock: no bot that answers at once is late."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import trio

from arena.records import read_record
from arena.server import Config
from tests.server.table import Wire, dial, dice, listening

SEATS = Config().games  # that one connection may hold


async def seated(port: int, games: int) -> list[Wire]:
    """Fill so many tables of two, many on one connection."""
    wires: list[Wire] = []
    for number in range(games):
        if number % SEATS == 0:
            wires += [await dial(port), await dial(port)]
            for wire in wires[-2:]:
                await wire.hello(f"bot-{len(wires)}-{wires.index(wire)}")
        first, second = wires[-2:]
        await first.send("join", wanted={"seats": 2})
        await second.send("join", table=(await first.until("joined"))["table"])
        for wire in first, second:
            await wire.until("start")
    return wires


async def full_house(folder: Path, games: int, moves: int | None = None) -> dict[str, Any]:
    """Play in all games that the server takes, to their ends or so many moves; returns the figures."""
    left = {"moves": moves, "ends": 2 * games}

    async def play(wire: Wire, seed: int, scope: trio.CancelScope) -> None:
        choose = dice(seed)
        for start in [message for message in wire.messages if message["type"] == "start"]:
            await wire.send("ready", game=start["game"], views=False)
        while True:
            message = await wire.next()
            match message["type"]:
                case "request":
                    await wire.move(message, choose(message))
                    if left["moves"] is not None:
                        left["moves"] -= 1
                case "end":
                    left["ends"] -= 1
            if left["ends"] == 0 or left["moves"] == 0:
                scope.cancel()

    async with listening(folder, all_games=games, share=1.0, ready=3600.0) as (_, port):
        wires = await seated(port, games)
        more = await dial(port)
        await more.hello("more")
        await more.send("join", wanted={"seats": 2})
        assert f"{games} games" in (await more.until("error", code="not-offered"))["text"]
        async with trio.open_nursery() as nursery:
            for seed, wire in enumerate(wires):
                nursery.start_soon(play, wire, seed, nursery.cancel_scope)
    records = [read_record(path) for path in (folder / "games").iterdir()]
    choices = [choice for record in records for choice in record.choices]
    return {
        "games": len(records),
        "ended": sum(record.result is not None for record in records),
        "choices": len(choices),
        "faults": sum(choice.fault is not None for choice in choices),
        "slowest_s": max(choice.spent for choice in choices),
    }


async def test_no_move_is_late_in_any_game_of_a_full_server(tmp_path):  # S033
    figures = await full_house(tmp_path, games=40, moves=400)
    assert figures["games"] == 40
    assert figures["choices"] >= 300
    assert figures["faults"] == 0, figures


@pytest.mark.soak
async def test_no_move_is_late_in_any_game_of_a_server_as_full_as_it_may_be(tmp_path, show):  # S033
    figures = await full_house(tmp_path, games=Config().all_games)
    show("full house", figures)
    assert figures["ended"] == Config().all_games
    assert figures["faults"] == 0, figures
