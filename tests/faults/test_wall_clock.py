"""The clock of the wall is set while games run: nothing goes by it but the end of a token."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from itertools import cycle
from pathlib import Path

import trio

from protocol.messages import Clock
from tests.server.table import Hall, dial, listening, make_token
from tests.wallclock import OURS

ROOT = Path(__file__).parents[2]
READERS = {
    "arena/server/tokens.py",  # whether a token has ended
    "arena/server/games.py",  # when a game was started, for people
    "tournaments/void.py",  # when it was decided, for people, and for the order of live Elo
    "arena/web/shelf.py",  # whether a record of another server is old, at the first look
    "arena/cli/token.py",
    "arena/cli/demo.py",  # the name of a folder
}
READS = re.compile(r"time\.time\(|datetime\.now\(|datetime\.today\(|date\.today\(|utcnow\(")


def test_only_these_read_the_clock_of_the_wall():
    files = [path for room in OURS for path in (ROOT / room).rglob("*.py")]
    assert {str(path.relative_to(ROOT)) for path in files if READS.search(path.read_text("utf-8"))} == READERS


async def test_a_day_back_and_forth_ends_no_game_charges_nobody_and_drops_no_client(tmp_path, wall):
    tokens = tmp_path / "tokens"
    secrets = {
        "Ada": make_token(tokens, "Ada", ends=datetime.now(UTC) + timedelta(hours=12)),
        "Bo": make_token(tokens, "Bo"),
    }
    days = cycle((-1, 1, 1, -1))
    moves = 0
    async with listening(tmp_path / "data", tokens=tokens) as (server, port), trio.open_nursery() as nursery:
        players = [await dial(port) for _ in secrets]
        for wire, (name, token) in zip(players, secrets.items(), strict=True):
            await wire.hello(name, token=token)
        game = await Hall(server, nursery).seated(wires=players, clock=Clock(move=600.0))
        watcher = await dial(port)
        await watcher.hello("watcher")
        await watcher.send("watch", game=game.id)
        await game.ready()
        await game[0].until("events")
        path = server.folder / f"{game.id}.jsonl"

        def choose(request):
            nonlocal moves
            moves += 1
            if moves % 5 == 0:
                wall.jump(next(days), tokens, path)
                server.look_after()
            return request["default"]

        for wire in players:
            await wire.drop()
        wall.jump(1)
        server.look_after()
        game.wires[:] = [await dial(port) for _ in players]
        await game[0].send("hello", protocol="1.0", name="Ada", resume=players[0].key)
        await game[0].expect("error", code="bad-token")  # by key as by the token itself
        await game[1].hello("Bo", resume=players[1].key)
        wall.jump(-1)
        await game[0].hello("Ada", resume=players[0].key)
        ends = await game.play_on(choose)
        assert [end["reasons"] for end in ends] == [["normal"] * 2] * 2
        assert (await watcher.until("end"))["places"] == ends[0]["places"]
        assert moves > 20
        assert all(choice.fault is None and choice.spent < 600 for choice in game.record.choices)
        assert len(server.connections) == 3
        await game[0].drop()
        wall.jump(1)
        late = await dial(port)
        await late.send("hello", protocol="1.0", name="Ada", token=secrets["Ada"])
        await late.expect("error", code="bad-token")
        nursery.cancel_scope.cancel()
