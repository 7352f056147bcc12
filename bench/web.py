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
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any
from urllib.request import urlopen

from bench.long_game import record_long_game
from bench.measure import Figure
from bench.peers import Bot

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
TURNS = 500  # of the long game
SCRUBS = 300
OPENED = 5
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
        game = record_long_game(Path(folder) / "games", turns)
        with serving(Path(folder)) as (port, url):
            yield weight(url)
            yield from players(url, port, 2 if quick else WINDOWS)
            if CHROMIUM is None:
                print("the other figures need Chromium: apt-get install chromium", file=sys.stderr)
                return
            with browsing() as browser:
                yield to_pixels(browser, url, port, moves)
                yield from opening(browser, url, game, opened, scrubs)


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
    return slow("from a move to the screen, p95", delays, must=250, aim=100)


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
    empty: list[float] = []
    first: list[float] = []
    whole: list[float] = []
    for _ in range(times):
        page = browser.new_page()
        page.goto(f"{url}static/icon.svg")
        empty.append(page.evaluate("performance.now()"))
        page.close()
        page = browser.new_page()
        spent = Processor(page)
        page.add_init_script(f"addEventListener('DOMContentLoaded', {WATCH});")
        page.goto(f"{url}game/{game}?view=public")
        page.wait_for_function("() => window.seen?.length > 0")
        first.append(page.evaluate("window.seen[0][1] - performance.timeOrigin"))
        page.wait_for_selector("#status.over", timeout=120_000)
        whole.append(page.evaluate("performance.now()"))
        to_whole = spent.milliseconds()
        last = scrubbed(page, scrubs)
        each = (spent.milliseconds() - to_whole) / scrubs
        moments = int(page.evaluate("document.querySelector('#moment').max"))
        page.close()
    yield quickest("an empty page of the same server", empty)
    note = f"{moments + 1} moments; the first time {first[0]:.0f} ms"
    yield quickest("first picture of a long record", first, must=1000, aim=300, note=note)
    note = f"the first time {whole[0]:.0f} ms; the page's thread used {to_whole:.0f} ms of a processor"
    yield quickest("a long record all there", whole, note=note)
    note = f"worst {max(last):.1f} ms; the page's thread used {each:.1f} ms of a processor for each"
    yield slow("scrub to any moment, p95", last, must=100, aim=16, note=note)


def quickest(name: str, times: list[float], **more: Any) -> Figure:
    """The best of some times in milliseconds, and their median."""
    return Figure(name, "ms", min(times), percentile(times, 0.5), repetitions=len(times), **more)


def slow(name: str, times: list[float], *, note: str = "", **more: Any) -> Figure:
    """The time in milliseconds that one in twenty exceeds, and the median."""
    note = "; ".join(filter(None, ("median: p50", note)))
    p95, p50 = percentile(times, 0.95), percentile(times, 0.5)
    return Figure(name, "ms", p95, p50, repetitions=len(times), note=note, **more)


class Processor:
    """The processor time that the main thread of a page has used, which no neighbour on the machine adds to."""

    def __init__(self, page: Page) -> None:
        self._session = page.context.new_cdp_session(page)
        self._session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def milliseconds(self) -> float:
        """So far."""
        metrics = self._session.send("Performance.getMetrics")["metrics"]
        return 1000 * float(next(each["value"] for each in metrics if each["name"] == "TaskDuration"))


def scrubbed(page: Page, count: int) -> list[float]:
    """Milliseconds from moving the slider to a page that is laid out, each to another moment."""
    times: Any = page.evaluate(SCRUB, count)
    return list(map(float, times))


def percentile(values: list[float], share: float) -> float:
    """The value that so great a share does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
