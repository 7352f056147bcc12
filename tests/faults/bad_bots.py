"""Bots that do wrong, each in its own way, and what becomes of each.

A bad bot is a function from its wire and the game's id to its behaviour, from `start` on. What the referee must make
of it stands beside it in `KINDS`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress

import trio

from tests.server.table import Hall, Hung, Message, Wire

Behaviour = Callable[[Hall, Wire, str], Awaitable[None]]


async def requests(wire: Wire, game: str, answer: Callable[[Message], Awaitable[None]]) -> None:
    """Get ready, and answer each request in this way until the end."""
    await wire.send("ready", game=game, views=False)
    while True:
        try:
            message = await wire.next()
        except (Hung, trio.ClosedResourceError):  # sent away, or gone by itself
            return
        if message["type"] == "request":
            await answer(message)
        elif message["type"] == "end":
            return


async def silent(hall: Hall, wire: Wire, game: str) -> None:
    """Is ready and never answers."""

    async def answer(_: Message) -> None:
        await trio.lowlevel.checkpoint()

    await requests(wire, game, answer)


async def never_ready(hall: Hall, wire: Wire, game: str) -> None:
    """Comes, and is never ready."""
    await wire.until("end")


async def slow(hall: Hall, wire: Wire, game: str) -> None:
    """Answers each request when it gets the next one: too late, however much of its time the server has lost."""
    former: list[Message] = []

    async def answer(request: Message) -> None:
        former.append(request)
        if len(former) > 1:
            await wire.move(former.pop(0))

    await requests(wire, game, answer)


async def garbage(hall: Hall, wire: Wire, game: str) -> None:
    """Answers with lines that are no messages."""

    async def answer(_: Message) -> None:
        await wire.send_bytes(b"\x00\xff\xfe{]\n\n[]\n")

    await requests(wire, game, answer)


async def out_of_range(hall: Hall, wire: Wire, game: str) -> None:
    """Chooses what is not offered, as often as it may."""

    async def answer(request: Message) -> None:
        for _ in range(hall.config.tries):
            await wire.move(request, len(request["options"]))

    await requests(wire, game, answer)


async def no_choice(hall: Hall, wire: Wire, game: str) -> None:
    """Sends moves for its request whose choice is none."""

    async def answer(request: Message) -> None:
        for choice in (b"1e999", b"[0]", b"[[0]]", b"null"):  # a number that is none makes a line of garbage
            line = b'{"type":"move","game":"%b","id":%d,"choice":%b}\n'
            await wire.send_bytes(line % (game.encode(), request["id"], choice))

    await requests(wire, game, answer)


async def wrong_ids(hall: Hall, wire: Wire, game: str) -> None:
    """Answers requests that it has not got."""

    async def answer(request: Message) -> None:
        await wire.send("move", game=game, id=request["id"] + 1000, choice=0)

    await requests(wire, game, answer)


async def half_lines(hall: Hall, wire: Wire, game: str) -> None:
    """Stops in the middle of its first answer."""

    async def answer(request: Message) -> None:
        if request["id"] == 1:
            await wire.send_bytes(b'{"type":"move","game":')

    await requests(wire, game, answer)


async def huge_line(hall: Hall, wire: Wire, game: str) -> None:
    """Sends a line without an end."""

    async def answer(request: Message) -> None:
        await wire.send_bytes(b"x" * (hall.config.line + 1))

    await requests(wire, game, answer)


async def flood(hall: Hall, wire: Wire, game: str) -> None:
    """Sends as many messages as it can, until it is sent away."""

    async def answer(request: Message) -> None:
        with suppress(trio.BrokenResourceError):
            while True:
                await wire.send_bytes(b'{"type":"ping"}\n' * (hall.config.burst + 2 * hall.config.floods))

    await requests(wire, game, answer)


async def crash(hall: Hall, wire: Wire, game: str) -> None:
    """Is gone at its third request, and does not come back."""

    async def answer(request: Message) -> None:
        if request["id"] < 3:
            await wire.move(request)
        else:
            await wire.drop()

    await requests(wire, game, answer)


async def leaver(hall: Hall, wire: Wire, game: str) -> None:
    """Says bye at its third request."""

    async def answer(request: Message) -> None:
        await (wire.move(request) if request["id"] < 3 else wire.send("bye"))

    await requests(wire, game, answer)


async def dribble(hall: Hall, wire: Wire, game: str) -> None:
    """Sends its answers byte by byte; nothing is wrong with that."""

    async def answer(request: Message) -> None:
        line = b'{"type":"move","game":"%b","id":%d,"choice":0}\r\n' % (game.encode(), request["id"])
        for byte in line:
            await wire.send_bytes(bytes([byte]))
            await trio.sleep(0.001)

    await requests(wire, game, answer)


async def twice(hall: Hall, wire: Wire, game: str) -> None:
    """Answers everything twice, and differently; the first answer counts."""

    async def answer(request: Message) -> None:
        await wire.move(request)
        await wire.move(request, len(request["options"]) - 1)

    await requests(wire, game, answer)


async def comes_and_goes(hall: Hall, wire: Wire, game: str) -> None:
    """Loses its connection at every twentieth request, and is back at once."""

    async def answer(request: Message) -> None:
        if request["id"] % 20 or request["id"] in seen:
            return await wire.move(request)
        seen.add(request["id"])
        back = hall.connect()
        await wire.drop()
        await back.hello(wire.name, resume=wire.key)
        wire.stream, wire._data = back.stream, back._data

    seen: set[int] = set()
    await requests(wire, game, answer)


KINDS: dict[str, tuple[Behaviour, str]] = {
    "silent": (silent, "timeout"),
    "never ready": (never_ready, "refused"),
    "slow": (slow, "timeout"),
    "garbage": (garbage, "timeout"),  # such a line is no answer, so no try
    "out of range": (out_of_range, "illegal"),
    "no choice": (no_choice, "illegal"),
    "wrong ids": (wrong_ids, "timeout"),
    "half lines": (half_lines, "timeout"),
    "huge line": (huge_line, "disconnect"),
    "flood": (flood, "disconnect"),
    "crash": (crash, "disconnect"),
    "leaver": (leaver, "disconnect"),
    "dribble": (dribble, "normal"),
    "twice": (twice, "normal"),
    "comes and goes": (comes_and_goes, "normal"),
}
"""Each kind with the reason that its seat must have at the end."""
