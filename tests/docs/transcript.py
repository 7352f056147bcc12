"""The transcript of docs/protocol.md, made by a real server. To write it anew: python -m tests.docs.transcript

What a server draws at random is replaced by fixed words of the same form: the ids of the table and the game,
the key of `welcome`, the salt, and the commitment and the luck by those of that salt. The rival is the shipped bot
with a fixed seed, in this process. All else are the bytes of the socket.
"""

from __future__ import annotations

import json
import random
import re
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import trio

from arena.log import configure
from arena.server import Config, serve
from arena.server.house import House
from clients.bots import make_bot
from clients.client import Client, Settings
from protocol import LineBuffer, commitment, luck
from protocol.framing import MAX_SERVER_LINE
from protocol.messages import Join

PAGE = Path(__file__).parents[2] / "docs" / "protocol.md"
SECTION = re.compile(r"(?<=^## A short game\n).*?(?=^## )", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"(?<=```text\n).*?(?=```)", re.DOTALL)

MAX_LIST = 400  # characters of a list; a longer one is left out
SEED = 25  # Alpha leads the first turn
GAME = "g-0123456789ab"
SALT = "00112233445566778899aabbccddeeff"
FIXED = {
    "table": "t-01234567",
    "game": GAME,
    "resume": "KEY-KEY-KEY-KEY-KEY-KEY-KEY-KEY-",
    "salt": SALT,
    "commitment": commitment(SEED, SALT),
    "luck": str(luck(SALT, 0)),
}

HELLO = '{"type":"hello","protocol":"1.0","name":"Alpha"}'
JOIN = '{"type":"join","wanted":{"seats":2,"seed":25,"clock":{"move":600},"fill":["random"]}}'
READY = '{"type":"ready","game":"GAME","views":false}'
WRONG = '{"type":"move","game":"GAME","id":1,"choice":9}'
MOVES = (
    '{"type":"move","game":"GAME","id":1,"choice":"lead:import:glasses*1"}',
    '{"type":"move","game":"GAME","id":2,"choice":0}',
)
LATER = '{"type":"move","game":"GAME","id":NUMBER,"choice":CHOICE}'
BYE = '{"type":"bye"}'

Block = list[str]  # lines, each with "> " or "< " before it


class SeededHouse(House):
    """Sends shipped bots that play from a fixed seed, in this process."""

    async def _process(self, bot: str, name: str, token: str, where: Sequence[str]) -> None:
        host, _, port = self._address.rpartition(":")
        settings = Settings(name, host, int(port), token, Join(table=where[-1]), games=1)
        await Client(settings, make_bot(bot, seed=1).choose).run()


class Dialogue:
    """A socket whose lines are written down."""

    def __init__(self, stream: trio.abc.Stream) -> None:
        self.block: Block = []
        self.last: dict[str, Any] = {}
        self.game = ""
        self._stream = stream
        self._lines = LineBuffer(MAX_SERVER_LINE)

    async def say(self, line: str) -> None:
        """Send a line, with the id of the game in it."""
        line = line.replace("GAME", self.game)
        self.block.append(f"> {line}")
        await self._stream.send_all(line.encode() + b"\n")

    async def hear(self, *types: str) -> None:
        """Write down what comes, up to a message of one of these types."""
        while True:
            line = self._lines.next_line()
            if line is None:
                self._lines.receive_data(await self._stream.receive_some())
                continue
            self.block.append(f"< {line.decode()}")
            self.last = json.loads(line)
            self.game = self.last.get("game", self.game)
            if self.last["type"] in types:
                return

    def cut(self) -> Block:
        """What was written down since the last cut."""
        block, self.block = self.block, []
        return block


async def play(stream: trio.abc.Stream) -> list[Block]:
    """The whole game, cut where the page says something between."""
    talk = Dialogue(stream)
    blocks = []
    await talk.say(HELLO)
    await talk.hear("welcome")
    blocks.append(talk.cut())
    await talk.say(JOIN)
    await talk.hear("start")
    blocks.append(talk.cut())
    await talk.say(READY)
    await talk.hear("request")
    blocks.append(talk.cut())
    await talk.say(WRONG)
    await talk.hear("error")
    blocks.append(talk.cut())
    for move in MOVES:
        await talk.say(move)
        await talk.hear("request")
    blocks.append(talk.cut())
    dice = random.Random(SEED)
    while talk.last["type"] == "request":
        choice = dice.randrange(len(talk.last["options"]))
        await talk.say(LATER.replace("NUMBER", str(talk.last["id"])).replace("CHOICE", str(choice)))
        await talk.hear("request", "end")
    await talk.say(BYE)
    await talk.hear("bye")
    blocks.append(talk.cut())
    return blocks


async def record(folder: Path) -> list[Block]:
    """Play the game on a server of its own."""
    async with trio.open_nursery() as nursery:
        config = Config(port=0, data=folder)
        server, listeners = await nursery.start(partial(serve, config))
        host, port = listeners[0].socket.getsockname()[:2]
        server.lobby.house = SeededHouse(
            frozenset({"random"}),
            server.clients,
            server.lobby,
            nursery,
            host,
            port,
            names=server.data.bots,
            limit=20.0,
            most=config.bots,
            tls=False,
        )
        with trio.fail_after(60):
            async with await trio.open_tcp_stream(host, port) as stream:
                blocks = await play(stream)
        nursery.cancel_scope.cancel()
    return blocks


def fixed(blocks: list[Block]) -> list[Block]:
    """The same with fixed words in place of random ones, wherever they stand."""
    words: dict[str, str] = {}
    for line in (line for block in blocks for line in block if line[0] == "<"):
        message = json.loads(line[2:])
        words |= {str(message[name]): word for name, word in FIXED.items() if name in message}
    pattern = re.compile("|".join(map(re.escape, words)))
    return [[pattern.sub(lambda found: words[found[0]], line) for line in block] for block in blocks]


def shortened(blocks: list[Block]) -> list[Block]:
    """Without long lists, and without the middle of the last block."""
    *first, last = [[without_long_lists(line) for line in block] for block in blocks]
    end = next(number for number, line in enumerate(last) if '"type":"end"' in line)
    move = max(number for number in range(end) if last[number][0] == ">")
    return [*first, [f"({move - 1} lines are left out)", *last[move - 1 :]]]


def without_long_lists(line: str) -> str:
    """A line with [...] for the players and ships of the deal, and for many options."""
    message = json.loads(line[2:])
    lists = [("options", message.get("options", []))]
    for event in message.get("events", []):
        if event["event"] == "deal":
            lists += [(name, event[name]) for name in ("players", "ships")]
    for name, values in lists:
        whole = json.dumps(values, separators=(",", ":"), ensure_ascii=False)
        if len(whole) > MAX_LIST:
            assert f'"{name}":{whole}' in line
            line = line.replace(whole, "[...]")
    return line


def transcript() -> list[str]:
    """The blocks of the page."""
    with tempfile.TemporaryDirectory() as folder:
        blocks = trio.run(record, Path(folder))
    return ["".join(f"{line}\n" for line in block) for block in shortened(fixed(blocks))]


def blocks_of_page() -> list[str]:
    """The blocks that stand there."""
    section = SECTION.search(PAGE.read_text(encoding="utf-8"))
    assert section is not None
    return BLOCK.findall(section[0])


def write() -> None:
    """Put the transcript into the page."""
    made = iter(transcript())
    page = PAGE.read_text(encoding="utf-8")
    section = SECTION.search(page)
    assert section is not None
    new = BLOCK.sub(lambda _: next(made), section[0])
    PAGE.write_text(page[: section.start()] + new + page[section.end() :], encoding="utf-8")


if __name__ == "__main__":
    configure()
    write()
