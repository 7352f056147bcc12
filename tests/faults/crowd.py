"""Who comes to an open server: players, watchers, browsers, and those who do wrong; each goes, and another comes.

A guest is a coroutine that comes, does its part and goes. `GUESTS` says how many of each kind are there at a time.
"""

from __future__ import annotations

import random
import socket
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any

import trio

from arena.server import Config
from clients import Client, Refused, Settings, Unreachable, WireRequest
from clients.bots import BOTS, Bot, make_bot
from clients.connection import Lost
from clients.watching import Watcher
from tests.faults.bad_bots import KINDS
from tests.server.table import Hung, Wire, dial, dice
from tests.web.harbour import Pages

SHORT = {"move": 3.0, "bank": 2.0, "increment": 0.0, "grace": 0.1}  # the clock of bots that let it run out
LONG = {"move": 120.0, "bank": 0.0}  # that of all other bad bots: on a busy machine, too, it does not run out
THINKS = (
    0.03  # seconds that a player takes for a move, at most: several games run, and the machine is half idle
)
PATIENCE = 600.0  # seconds that a guest waits for a line: others may think, and the machine be busy
VISIT = 10.0  # seconds that who only looks may stay
PATHS = ("/", "/cards", "/api/cards", "/api/games", "/api/schema", "/healthz", "/metrics", "/static/table.js")
BAD = [kind for kind in KINDS if kind != "comes and goes"]  # players behind the relay do that

GONE = (Refused, Unreachable, Lost, Hung, trio.BrokenResourceError, trio.ClosedResourceError, OSError)
"""What a guest may meet on a bad line, or for what it has done."""


class Crowd:
    """All guests of one server; `visits` counts them by kind."""

    def __init__(self, port: int, relay: int, pages: Pages, token: str, seed: int) -> None:
        """`relay` is the port of a bad line to the server; `token` is that of the name Ada."""
        self.port = port
        self.relay = relay
        self.pages = pages
        self.token = token
        self.config = Config()  # what bad bots overstep: the server keeps these defaults
        self.visits: Counter[str] = Counter()
        self.rng = random.Random(seed)
        self._numbers = 0

    async def run(self) -> None:
        """Let them come and go until cancelled."""
        async with trio.open_nursery() as nursery:
            for guest, count in GUESTS.items():
                for _ in range(count):
                    nursery.start_soon(self.come_again, guest)

    async def come_again(self, guest: Guest) -> None:
        """One guest after the other, of this kind."""
        while True:
            await trio.sleep(self.rng.uniform(0, 0.5))
            with unless_gone():
                await guest(self)
            self.visits[guest.__name__] += 1

    def name(self, kind: str) -> str:
        """A name that nobody has had."""
        self._numbers += 1
        return f"{kind}-{self._numbers}"

    async def wire(self, name: str = "", **hello: Any) -> Wire:
        """A new connection; with a name it is logged in."""
        wire = await dial(self.port)
        wire.patience = PATIENCE
        if name:
            await wire.hello(name, **hello)
        return wire

    async def live(self) -> list[str]:
        """The games that are played."""
        return [game["game"] for game in (await self.pages.get("/api/games")).json["live"]]


Guest = Callable[[Crowd], Awaitable[None]]


@contextmanager
def unless_gone() -> Iterator[None]:
    """The guest is sent away, or its line is cut: it goes."""
    try:
        yield
    except* GONE:
        pass


async def player(crowd: Crowd, relayed: bool = False) -> None:
    """A shipped bot plays a few games in the queue."""
    kind = crowd.rng.choices(["random", "heuristic", "greedy"], [20, 4, 1])[0]
    bots: dict[str, Bot] = {}

    async def choose(request: WireRequest) -> int:
        await trio.sleep(crowd.rng.uniform(0, THINKS))
        if request.game not in bots:
            bots.clear()
            bots[request.game] = make_bot(kind, crowd.rng.randrange(2**32))
        return bots[request.game].choose(request)

    port = crowd.relay if relayed else crowd.port
    games = crowd.rng.randint(1, 4)
    samples = BOTS[kind].searches
    client = Client(Settings(crowd.name(kind), port=port, games=games, samples=samples, away=20.0), choose)
    client.tell_author = lambda _: None  # type: ignore[method-assign]
    await client.run()


async def reconnecting(crowd: Crowd) -> None:
    """A player on a line that is cut again and again."""
    await player(crowd, relayed=True)


async def holder(crowd: Crowd) -> None:
    """Ada, who has a token, plays a game of the queue."""
    ada = await crowd.wire("Ada", token=crowd.token)
    async with ada.stream:
        await ada.send("join", table="queue")
        await ada.play(dice(crowd.rng.randrange(2**32)))
        await ada.send("bye")
        await ada.until("bye")


async def watcher(crowd: Crowd) -> None:
    """Follows a game for a while, as `arena watch` does."""
    looking = await Watcher.log_in("127.0.0.1", crowd.port)
    try:
        games = (await looking.games()).games
        if games:
            with trio.move_on_after(crowd.rng.uniform(0, VISIT)):
                await looking.follow(crowd.rng.choice(games).game, lambda _: None)
    finally:
        await looking.aclose()


async def stalled(crowd: Crowd) -> None:
    """Watches, and reads nothing."""
    wire = await crowd.wire(crowd.name("stalled"))
    wire.stream.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)  # type: ignore[attr-defined]
    async with wire.stream:
        for game in await crowd.live():
            await wire.send("watch", game=game)
        await trio.sleep(crowd.rng.uniform(0, 2 * VISIT))


async def browser(crowd: Crowd) -> None:
    """Looks at some pages, and at the record of a game."""
    for path in crowd.rng.sample(PATHS, 3):
        answer = await crowd.pages.get(path, accept_encoding="gzip")
        assert answer.status == 200, path
    lately = (await crowd.pages.get("/api/games")).json["lately"]
    if lately:
        answer = await crowd.pages.get(f"/api/games/{crowd.rng.choice(lately)['game']}/record")
        assert answer.status in (200, 403)  # it may have been broken off, and be unfinished for ever


async def viewer(crowd: Crowd) -> None:
    """Follows a game in a browser, and closes it at any time."""
    games = await crowd.live()
    if games:
        with trio.move_on_after(crowd.rng.uniform(0, VISIT)):
            async with crowd.pages.stream(crowd.rng.choice(games)) as events:
                await events.until("end")


async def stranger(crowd: Crowd) -> None:
    """Guesses tokens and keys, speaks another language, or goes in the middle of a word."""
    wire = await crowd.wire()
    async with wire.stream:
        match crowd.rng.randrange(4):
            case 0:
                for _ in range(crowd.config.logins):
                    await wire.send("hello", protocol="1.0", name="Ada", token="wrong")
                    await wire.until("error", code="bad-token")
                await wire.until("bye")
            case 1:
                await wire.send("hello", protocol="1.0", name=crowd.name("x"), resume="wrong")
                await wire.until("error", code="bad-resume")
            case 2:
                await wire.send_bytes(b"GET / HTTP/1.1\r\nHost: arena\r\n\r\n")
                while await wire.stream.receive_some(1000):
                    pass
            case 3:
                await wire.send_bytes(b'{"type":"hello","protocol":"1.0","na')


async def bad_bot(crowd: Crowd) -> None:
    """Does wrong at a table of its own, and gets the reason it deserves; there a good bot plays on."""
    kind = crowd.rng.choice(BAD)
    play, reason = KINDS[kind]
    clock = SHORT if reason == "timeout" else LONG
    bad, good = await crowd.wire(crowd.name("bad")), await crowd.wire(crowd.name("good"))
    async with bad.stream, good.stream, trio.open_nursery() as nursery:
        await good.send("join", wanted={"seats": 2, "clock": clock})
        await bad.send("join", table=(await good.until("joined"))["table"])
        game = (await bad.until("start"))["game"]
        nursery.start_soon(play, crowd, bad, game)
        end = await good.play(dice(crowd.rng.randrange(2**32)))
        nursery.cancel_scope.cancel()
    assert end["reasons"] == ["aborted" if reason == "refused" else "normal", reason], kind


async def host(crowd: Crowd) -> None:
    """Plays with a shipped bot that the server sends."""
    wire = await crowd.wire(crowd.name("host"))
    async with wire.stream:
        await wire.send("join", wanted={"seats": 2, "fill": ["random"]})
        await wire.play(dice(crowd.rng.randrange(2**32)))
        await wire.send("bye")
        await wire.until("bye")
    await trio.sleep(VISIT)  # to start that bot has cost half a second


async def quitters(crowd: Crowd) -> None:
    """Two who begin a game and leave it."""
    wires = [await crowd.wire(crowd.name("quitter")) for _ in range(2)]
    async with wires[0].stream, wires[1].stream:
        await wires[0].send("join", wanted={"seats": 2})
        await wires[1].send("join", table=(await wires[0].until("joined"))["table"])
        for wire in wires:
            await wire.until("start")
            await wire.send("bye")
            await wire.until("bye")


GUESTS: dict[Guest, int] = {
    player: 7,
    reconnecting: 2,
    holder: 1,
    watcher: 4,
    stalled: 2,
    browser: 2,
    viewer: 3,
    stranger: 1,
    bad_bot: 2,
    host: 1,
    quitters: 1,
}


async def played(pages: Pages, count: int) -> list[str]:
    """Wait until so many games have been played to their end; returns those that the pages list."""
    while True:
        lately = (await pages.get("/api/games")).json["lately"]
        whole = [game["game"] for game in lately if game.get("places")]
        if len(whole) >= count:
            return whole
        await trio.sleep(1)


async def see(pages: Pages, game: str, view: str) -> None:
    """Look at a game from its beginning to its end."""
    async with pages.stream(game, view) as events:
        await events.until("end")
