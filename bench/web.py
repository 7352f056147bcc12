"""The figures of the pages: from an event to the screen, their weight, opening a long record, and scrubbing.

The server is a process of its own, the bots are plain sockets here, and the browser is Debian's Chromium without
a window. Times of the browser are taken by itself: when a moment stands in the page and the next frame is due.

    python -m bench web
"""

from __future__ import annotations

import contextlib
import gzip
import itertools
import os
import re
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any
from urllib.request import urlopen

from arena.game import Game, Options, default_catalogue
from arena.records import Header, Journal, finished
from bench.measure import Figure
from bench.peers import Bot
from protocol import EndReason

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = os.environ.get("ARENA_CHROMIUM") or shutil.which("chromium")
MOVES = 150  # whose way to the screen is measured
PAUSE = 0.15  # seconds between two of them: each is seen before the next is made
VIEWERS = 200
WINDOWS = 3
WINDOW = 8.0  # seconds of one game
THINKING = 0.03  # seconds
NUMBERS = itertools.count()  # of bots, whose names must differ
TURNS = 500  # for which a game is drawn out; it ends before that, since nobody can keep from earning
SEATS = 6
SCRUBS = 300
OPENED = 5
TRIES = 20  # options that are looked at
COMFORTABLE = 20  # credits of the richest, up to which anything may be played
WATCH = """() => {
  window.seen = [];
  new MutationObserver(() => {
    const moment = Number(document.documentElement.dataset.moment);
    const note = () => window.seen.push([moment, performance.timeOrigin + performance.now()]);
    requestAnimationFrame(() => setTimeout(note));
  }).observe(document.documentElement, { attributeFilter: ["data-moment"] });
}"""
"""Notes when each moment is on the screen, in milliseconds since 1970: in a task behind the frame's drawing."""

CROWD = """
import selectors, socket, sys
port, path, count = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
selector = selectors.DefaultSelector()
for _ in range(count):
    viewer = socket.create_connection(("127.0.0.1", port))
    viewer.sendall(f"GET {path} HTTP/1.1\\r\\nhost: bench\\r\\n\\r\\n".encode())
    viewer.setblocking(False)
    selector.register(viewer, selectors.EVENT_READ)
print("ready", flush=True)
while selector.get_map():
    for key, _ in selector.select():
        if not key.fileobj.recv(1 << 16):
            selector.unregister(key.fileobj)
"""
"""Viewers that read whatever they are sent, in a process of their own."""

SCRUB = """(count) => {
  const slider = document.querySelector("#moment");
  const times = [];
  for (let i = 0; i < count; i += 1) {
    slider.value = String(Math.floor(Math.random() * Number(slider.max)));
    const start = performance.now();
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    document.body.getBoundingClientRect();
    times.push(performance.now() - start);
  }
  return times;
}"""


def figures(quick: bool) -> Iterator[Figure]:
    """All of them; without a browser the weight alone."""
    moves, scrubs, opened, turns = (10, 20, 1, 40) if quick else (MOVES, SCRUBS, OPENED, TURNS)
    with TemporaryDirectory() as folder:
        game = long_record(Path(folder), turns)
        with serving(Path(folder)) as (port, url):
            yield weight(url)
            yield from players(url, port, 2 if quick else WINDOWS)
            if CHROMIUM is None:
                print("the other figures need Chromium: apt-get install chromium", file=sys.stderr)
                return
            with browsing() as browser:
                yield to_pixels(browser, url, port, moves)
                yield from opening(browser, url, game, opened, scrubs)


def long_record(folder: Path, turns: int) -> str:
    """A game that is drawn out for so many turns, if it lasts as long; returns its id."""
    (folder / "games").mkdir()
    catalogue, options, rng = default_catalogue(), Options(SEATS, ("capital", "tokyo")).check(), Random(1)
    header = Header(
        game="long",
        options=options,
        seats=tuple(f"seat {seat}" for seat in range(SEATS)),
        seed=5,
        salt="0" * 32,
        catalogue=catalogue.name,
        catalogue_hash=catalogue.hash,
    )
    with Journal.create(folder / "games" / "long.jsonl", header) as journal:
        game = Game.new(options, header.seed)
        while not game.over:
            seat = game.to_act[0]
            offered = len(game.decision(seat).options)
            index = longest(game, seat, rng) if game.turn < turns else rng.randrange(offered)
            journal.play(game, seat, index)
        journal.result(finished(game, (EndReason.NORMAL,) * SEATS, journal.choices))
    return header.game


def longest(game: Game, seat: int, rng: Random) -> int:
    """Of some options that which leaves everybody the farthest from the end."""
    options = len(game.decision(seat).options)
    return min(
        (*rng.sample(range(options), min(TRIES, options)), 0), key=lambda index: nearness(game, seat, index)
    )


def nearness(game: Game, seat: int, index: int) -> tuple[bool, int, int]:
    """How near the end is after this choice: whether it is triggered, the most credits, and cards out of the piles."""
    copy = game.clone()
    copy.choose(seat, index)
    richest = max(player.credits for player in copy.players)
    return copy.over or bool(copy.ending), max(richest, COMFORTABLE), -len(copy.pile) - len(copy.discard)


@contextlib.contextmanager
def serving(folder: Path) -> Iterator[tuple[int, str]]:
    """`arena serve` on free ports: that of the bots, and the address of the pages."""
    command = [
        sys.executable,
        "-m",
        "arena",
        "serve",
        "--port",
        "0",
        "--http-port",
        "0",
        "--data",
        str(folder),
    ]
    server = subprocess.Popen([*command, "--drain", "0"], stderr=subprocess.PIPE, text=True)
    assert server.stderr is not None
    try:
        told = ""
        while "pages at" not in told:
            told += server.stderr.readline()
        [port] = re.findall(r"listening on .*:(\d+)", told)
        yield int(port), told.rpartition("pages at ")[2].strip()
    finally:
        server.terminate()
        server.communicate(timeout=60)


@contextlib.contextmanager
def browsing() -> Iterator[Browser]:
    """Chromium without a window."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        )
        yield browser
        browser.close()


def weight(url: str) -> Figure:
    """All that the page of a game loads, but for the game itself."""
    pending, loaded = ["game/long"], dict[str, int]()
    while pending:
        path = pending.pop()
        if path in loaded:
            continue
        with urlopen(url + path) as answer:
            body: bytes = answer.read()
        loaded[path] = len(gzip.compress(body, 6))
        if path.startswith("game") or path.endswith((".js", ".css")):
            found = re.findall(rb'"/(static/[a-z.-]+|api/cards)"', body)
            pending += [name.decode() for name in found]
    kilobytes = sum(loaded.values()) / 1000
    return Figure("weight of the page of a game", "kB", kilobytes, None, must=150, aim=60, note="gzip")


def players(url: str, port: int, windows: int) -> Iterator[Figure]:
    """What two bots that think 30 ms feel of the viewers of their game: windows without and with them take turns."""
    delays: dict[int, list[float]] = {0: [], VIEWERS: []}
    for _ in range(windows):
        for viewers, found in delays.items():
            found += decisions(url, port, viewers)
    for viewers, found in delays.items():
        note = f"median: p50; p99 {percentile(found, 0.99):.1f} ms"
        p90, p50 = percentile(found, 0.9), percentile(found, 0.5)
        yield Figure(
            f"a decision with {viewers} viewers, p90", "ms", p90, p50, repetitions=len(found), note=note
        )


def decisions(url: str, port: int, viewers: int) -> list[float]:
    """Milliseconds from each move to the next request, in one game with so many viewers."""
    bots, games = pair(port)
    web_port = url.rstrip("/").rpartition(":")[2]
    crowd = [sys.executable, "-c", CROWD, web_port, f"/api/games/{games[0]}/stream", str(viewers)]
    with subprocess.Popen(crowd, stdout=subprocess.PIPE, text=True) as watching:
        assert watching.stdout is not None
        watching.stdout.readline()
        for bot, game in zip(bots, games, strict=True):
            bot.ready(game)
        delays: list[float] = []
        sent = 0.0
        end = time.perf_counter() + WINDOW
        while time.perf_counter() < end and not any(bot.ended for bot in bots):
            for ready in select.select([bot.socket for bot in bots], [], [], 60)[0]:
                bot = next(bot for bot in bots if bot.socket is ready)
                for request in bot.requests():
                    if sent:
                        delays.append((time.perf_counter() - sent) * 1000)
                    time.sleep(THINKING)
                    sent = time.perf_counter()
                    bot.socket.sendall(bot.move(request))
        watching.kill()
    for bot in bots:
        bot.socket.close()
    return delays


def pair(port: int) -> tuple[list[Bot], list[str]]:
    """Two bots with a game that waits for them, and its id for each."""
    names = [f"paced-{port}-{next(NUMBERS)}" for _ in range(2)]
    bots = [Bot(port, name, views=False) for name in names]
    bots[0].send({"type": "join", "wanted": {"seats": 2, "seed": 3, "clock": {"move": 600.0}}})
    bots[1].send({"type": "join", "table": bots[0].wait("joined")["table"]})
    return bots, [bot.wait("start")["game"] for bot in bots]


def to_pixels(browser: Browser, url: str, port: int, moves: int) -> Figure:
    """From the `send` of a move to the frame that shows what it did."""
    bots, games = pair(port)
    page = browser.new_page()
    page.goto(f"{url}game/{games[0]}")
    page.evaluate(f"({WATCH})()")
    for bot, game in zip(bots, games, strict=True):
        bot.ready(game)
    sent = list(paced(bots, moves))
    time.sleep(1.0)
    seen: list[tuple[int, float]] = page.evaluate("window.seen")
    page.close()
    delays = []
    for start, end in zip(sent, [*sent[1:], sent[-1] + 1.0], strict=True):
        shown = [at / 1000 for _, at in seen if start < at / 1000 < end]
        if shown:  # else it did nothing that the public may see
            delays.append((shown[0] - start) * 1000)
    return Figure(
        "from a move to the screen, p95",
        "ms",
        percentile(delays, 0.95),
        percentile(delays, 0.5),
        must=250,
        aim=100,
        repetitions=len(delays),
        note="median: p50",
    )


def paced(bots: list[Bot], moves: int) -> Iterator[float]:
    """Let the bots move, one at a time; yields when each move was sent, in seconds since 1970."""
    while moves and not any(bot.ended for bot in bots):
        for ready in select.select([bot.socket for bot in bots], [], [], 60)[0]:
            bot = next(bot for bot in bots if bot.socket is ready)
            for request in bot.requests():
                time.sleep(PAUSE)
                at = time.time()
                bot.socket.sendall(bot.move(request))
                moves -= 1
                yield at


def opening(browser: Browser, url: str, game: str, times: int, scrubs: int) -> Iterator[Figure]:
    """From the click to the first picture of a record, and to any moment of it."""
    first: list[float] = []
    whole: list[float] = []
    for _ in range(times):
        page = browser.new_page()
        page.add_init_script(f"addEventListener('DOMContentLoaded', {WATCH});")
        page.goto(f"{url}game/{game}?view=public")
        page.wait_for_function("() => window.seen?.length > 0")
        first.append(page.evaluate("window.seen[0][1] - performance.timeOrigin"))
        page.wait_for_selector("#status.over", timeout=120_000)
        whole.append(page.evaluate("performance.now()"))
        last = scrubbed(page, scrubs)
        moments = int(page.evaluate("document.querySelector('#moment').max"))
        page.close()
    note = f"{moments + 1} moments"
    yield Figure(
        "first picture of a long record",
        "ms",
        min(first),
        percentile(first, 0.5),
        must=1000,
        aim=300,
        repetitions=times,
        note=f"{note}; the first time {first[0]:.0f} ms",
    )
    yield Figure(
        "a long record all there",
        "ms",
        min(whole),
        percentile(whole, 0.5),
        repetitions=times,
        note=f"the first time {whole[0]:.0f} ms",
    )
    yield Figure(
        "scrub to any moment, p95",
        "ms",
        percentile(last, 0.95),
        percentile(last, 0.5),
        must=100,
        aim=16,
        repetitions=scrubs,
        note=f"median: p50; worst {max(last):.1f} ms",
    )


def scrubbed(page: Page, count: int) -> list[float]:
    """Milliseconds from moving the slider to a page that is laid out, each to another moment."""
    times: Any = page.evaluate(SCRUB, count)
    return list(map(float, times))


def percentile(values: list[float], share: float) -> float:
    """The value that so great a share does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
