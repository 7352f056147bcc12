"""`arena watch`: the board in a terminal, one line for each event elsewhere, JSON for programs."""

from __future__ import annotations

import fcntl
import json
import math
import os
import re
import socket
import struct
import subprocess
import sys
import termios
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
import trio
from click.testing import CliRunner
from rich.cells import cell_len
from rich.console import Console

from arena.cli import main
from arena.cli.watch import Lines
from arena.game import Game, Options
from arena.server import Config, Offer, Server, serve
from arena.server.connections import Connection
from arena.watching import Board, games_lines, outcome_lines
from clients import Client, Settings
from clients.answering import WireRequest
from clients.connection import Refused
from clients.watching import Happened, News, Watcher
from protocol import EndReason, GameOver
from protocol.messages import End, Games, Join, Snapshot, Start

PATIENCE = 30.0  # seconds; then a test fails


class Hall:
    """A real server on which two bots play a game that goes on only when the test lets it."""

    def __init__(self, server: Server, port: int, nursery: trio.Nursery) -> None:
        self.server = server
        self.port = port
        self.nursery = nursery
        self.moves, self._allowed = trio.open_memory_channel[None](math.inf)
        self.random = Random(1)
        self.asked = trio.Event()

    async def choose(self, request: WireRequest) -> int:
        self.asked.set()
        await self._allowed.receive()
        return self.random.randrange(len(request.options))

    def let(self, moves: int) -> None:
        for _ in range(moves):
            self.moves.send_nowait(None)

    def let_all_when_watched(self, game: str) -> None:
        referee = self.server.games[game]
        watch = referee.watch

        def watched(connection: Connection, last: int | None) -> None:
            watch(connection, last)
            self.let(5_000)

        referee.watch = watched  # type: ignore[method-assign]

    async def game(self, *names: str) -> str:
        """The id of a new game of these players."""
        for name in names:
            settings = Settings(name, port=self.port, games=1, join=Join(table="queue"))
            self.nursery.start_soon(Client(settings, self.choose).run)
        with trio.fail_after(PATIENCE):
            await self.asked.wait()
        return next(iter(self.server.games))


@asynccontextmanager
async def hall(folder: Path) -> AsyncIterator[Hall]:
    config = Config(port=0, data=folder, offer=Offer(seats=2))
    async with trio.open_nursery() as nursery:
        server, listeners = await nursery.start(partial(serve, config))
        yield Hall(server, listeners[0].socket.getsockname()[1], nursery)
        nursery.cancel_scope.cancel()


async def run(port: int, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "arena", "watch", f"127.0.0.1:{port}", *arguments]
    with trio.fail_after(PATIENCE):
        return await trio.run_process(command, capture_stdout=True, capture_stderr=True, check=False)


# The watcher


@pytest.mark.trio
async def test_watcher_gets_every_event_once_and_views_in_between(tmp_path: Path) -> None:
    async with hall(tmp_path) as here:
        game = await here.game("Alpha", "Beta")
        got: list[News] = []

        def show(news: News) -> None:
            got.append(news)
            here.let(5)  # a few choices for each thing that is seen, so that refreshing is in the midst

        watcher = await Watcher.log_in("127.0.0.1", here.port)
        with trio.fail_after(PATIENCE):
            await watcher.follow(game, show)
        await watcher.aclose()
    assert isinstance(got[0], Start)
    assert isinstance(got[-1], End)
    numbers = [news.number for news in got if isinstance(news, Happened)]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    views = [news for news in got if isinstance(news, Snapshot)]
    assert len(views) >= 2
    assert views[-1].view["result"]["places"] == list(got[-1].places)


@pytest.mark.trio
async def test_game_that_is_over_is_shown_with_its_last_view(tmp_path: Path) -> None:
    async with hall(tmp_path) as here:
        game = await here.game("Alpha", "Beta")
        referee = here.server.games[game]
        here.let(5_000)
        with trio.fail_after(PATIENCE):
            await referee.finished.wait()
        got: list[News] = []
        watcher = await Watcher.log_in("127.0.0.1", here.port)
        await watcher.follow(game, got.append)
        await watcher.aclose()
    assert [type(news) for news in got] == [Start, Snapshot, End]


@pytest.mark.trio
async def test_game_that_is_unknown_is_refused(tmp_path: Path) -> None:
    async with hall(tmp_path) as here:
        watcher = await Watcher.log_in("127.0.0.1", here.port)
        with pytest.raises(Refused, match="there is no game"):
            await watcher.follow("g-none", print)
        await watcher.aclose()


# The command


@pytest.mark.trio
async def test_without_a_terminal_each_event_is_one_line(tmp_path: Path) -> None:
    async with hall(tmp_path) as here:
        here.let_all_when_watched(await here.game("Al[b]pha", "Beta"))
        result = await run(here.port)
    lines = result.stdout.decode().splitlines()
    assert result.returncode == 0
    assert re.fullmatch(r"game \S+: (Al\[b\]pha, Beta|Beta, Al\[b\]pha)", lines[0])
    assert all(re.match(r"\d+ \S", line) for line in lines[1:-3])
    assert [line.partition(" ")[0] for line in lines[-3:]] == ["the", "1.", "2."]
    assert "\x1b" not in result.stdout.decode()


@pytest.mark.trio
async def test_json_is_one_event_a_line_between_start_and_end(tmp_path: Path) -> None:
    async with hall(tmp_path) as here:
        game = await here.game("Alpha", "Beta")
        here.let_all_when_watched(game)
        result = await run(here.port, game, "--json")
    first, *events, last = map(json.loads, result.stdout.splitlines())
    assert (first["type"], last["type"]) == ("start", "end")
    assert all("event" in event and "number" in event for event in events)


@pytest.mark.trio
async def test_in_a_terminal_the_board_is_drawn_to_the_result(tmp_path: Path) -> None:
    async with hall(tmp_path) as here:
        game = await here.game("Alpha", "Beta")
        here.let_all_when_watched(game)
        text = await in_terminal(here.port, game)
    assert f"{game}, turn" in text
    assert re.search(r"1\. (Alpha|Beta) with \d+ credits", text)


async def in_terminal(port: int, game: str) -> str:
    """What the command writes to a terminal of 30 lines of 100 columns."""
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
    command = [sys.executable, "-m", "arena", "watch", f"127.0.0.1:{port}", game]
    environment = {**os.environ, "TERM": "xterm"}
    text = b""

    async def read() -> None:
        nonlocal text
        os.set_blocking(ours, False)
        while True:
            await trio.lowlevel.wait_readable(ours)
            try:
                text += os.read(ours, 65536)
            except OSError:  # the other end is closed
                return

    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(read)
            await trio.run_process(command, stdin=theirs, stdout=theirs, env=environment)
            os.close(theirs)
    os.close(ours)
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text.decode())


WELCOME = (
    b'{"type":"welcome","server":"test","name":"w","resume":"key","limits":{"line":65536,"tries":3,"faults":3,'
    b'"ready":30,"resume":5,"games":16,"rate":200}}\n'
)


@pytest.mark.trio
@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (b"", r"\S+ has closed the connection"),
        (b'{"type":"bye","reason":"shutdown","text":"back soon"}\n', "back soon"),
        (b'{"type":"error","code":"no-such-game","text":"no game g1"}\n', "no game g1"),
    ],
)
async def test_server_that_goes_is_told_in_one_sentence(answer: bytes, sentence: str) -> None:
    async def serve_one(stream: trio.SocketStream) -> None:
        async with stream:
            await stream.receive_some()
            await stream.send_all(WELCOME)
            await stream.receive_some()
            await stream.send_all(answer)

    async with trio.open_nursery() as nursery:
        listeners = await nursery.start(partial(trio.serve_tcp, serve_one, 0, host="127.0.0.1"))
        result = await run(listeners[0].socket.getsockname()[1], "g1")
        nursery.cancel_scope.cancel()
    assert result.returncode == 1
    assert re.fullmatch(f"Error: {sentence}\n", result.stderr.decode())


def arena(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["watch", *arguments])
    return result.exit_code, result.output


def test_server_that_is_not_there_is_told_in_one_sentence() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        code, told = arena(f"127.0.0.1:{free.getsockname()[1]}")
    assert code == 1
    assert re.fullmatch(r"Error: \S+ cannot be reached: Connection refused; .*\n", told)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("localhost",), "write HOST:PORT"),
        (("127.0.0.1:1", "no game"), "'no game' is no id of a game"),
        (("127.0.0.1:1", "--name", "\x1b"), "U+001B"),
        (("127.0.0.1:1", "--token", "a b"), "the token"),
    ],
)
def test_call_that_is_wrong_is_told_with_the_remedy(arguments: Sequence[str], sentence: str) -> None:
    code, told = arena(*arguments)
    assert code == 2
    assert sentence in told


# The board


def drawn(board: Board, width: int = 100, height: int = 40) -> str:
    out = StringIO()
    Console(file=out, width=width, height=height, force_terminal=True, color_system=None).print(board)
    return re.sub(r"\x1b\[[0-9;]*m", "", out.getvalue())


def board_of(game: Game, names: Sequence[str]) -> Board:
    board = Board("g1", names)
    board.view = game.view(None)
    return board


def late_game(players: int) -> Game:
    """A game in which much has been played."""
    game = Game.new(Options(players=players), seed=3)
    pick = Random(1)
    for _ in range(20 * players):
        for seat in game.to_act:
            game.choose(seat, pick.randrange(len(game.decision(seat).options)))
    assert not game.over
    return game


LONG = {
    "with blanks": "a name that is much too long for " * 2,
    "without blanks": "x" * 60,
    "wide": "漢" * 60,
    "markup": "[red]" * 12,
}


@pytest.mark.parametrize("width", [60, 80, 200])
@pytest.mark.parametrize("name", LONG.values(), ids=LONG)
def test_long_names_are_cut_and_credits_stay_visible(name: str, width: int) -> None:  # S067
    game = late_game(6)
    board = board_of(game, [name[:58] + str(seat) for seat in range(6)])
    board.add(1, {"event": "turn", "turn": 1, "lead": 0})
    lines = drawn(board, width).splitlines()
    assert all(cell_len(line) <= width for line in lines)
    rows = [line for line in lines if re.search(r"^ ?[> ] \S.*\d", line)]
    for player in game.players:
        assert any(re.search(rf"\b{player.credits}\b", row) for row in rows)


@pytest.mark.parametrize("name", ["\x1b[2J\x07", "[bold]x[/bold]", "<img src=x onerror=alert(1)>", ":smile:"])
def test_names_are_shown_as_text(name: str) -> None:  # S072
    board = board_of(late_game(2), [name, "other"])
    board.add(1, {"event": "sail", "seat": 0, "ship": 1})
    text = drawn(board, 200)
    assert "\x1b" not in text
    assert name.encode("unicode_escape").decode()[:10] in text


def test_board_shows_who_has_what() -> None:
    game = late_game(3)
    text = drawn(board_of(game, ["Alpha", "Beta", "Gamma"]), 200)
    flat = " ".join(text.split())
    view = game.view(None)
    for card in (card for player in view["players"] for card in player["crew"] + player["goods"]):
        assert card in flat
    for card in (card for ship in view["ships"] for card in ship["contracts"] + ship["containers"]):
        assert card in flat
    assert f"> {['Alpha', 'Beta', 'Gamma'][view['lead']]}" in flat


def test_events_fill_the_lines_that_the_board_leaves() -> None:
    board = board_of(late_game(2), ["Alpha", "Beta"])
    for number in range(1, 200):
        board.add(number, {"event": "turn", "turn": number, "lead": 0})
    lines = drawn(board, 100, height=40).splitlines()
    assert len(lines) <= 40
    assert "  199  turn 199: Alpha leads" in lines[-1]


def end(**more: Any) -> End:
    fields: dict[str, Any] = {
        "game": "g1",
        "why": GameOver.CREDITS,
        "places": (2, 1),
        "credits": (31, 57),
        "reasons": (EndReason.TIMEOUT, EndReason.NORMAL),
        "seed": 1,
        "salt": "0" * 32,
    }
    return End(**(fields | more))


def test_result_names_places_credits_and_what_went_wrong() -> None:
    assert list(outcome_lines(end(), ["Alpha", "Beta"])) == [
        "the game is over: credits",
        "1. Beta with 57 credits",
        "2. Alpha with 31 credits (timeout)",
    ]


def test_game_that_was_stopped_has_no_places() -> None:
    stopped = end(why=GameOver.ABORTED, places=(), credits=())
    assert list(outcome_lines(stopped, ["Alpha", "Beta"])) == ["the game was not played to its end: aborted"]


def test_list_of_nothing_says_so() -> None:
    assert list(games_lines(Games(tables=(), games=(), queue=0))) == [
        "no table is open and no game is played"
    ]


def test_who_comes_late_is_told_that_something_has_happened(capsys: pytest.CaptureFixture[str]) -> None:
    lines = Lines()
    for number in 0, 60, 90:
        lines.show(Snapshot(game="g1", number=number, view={}))
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.splitlines() == [
        "events 1 to 60 have happened already; here is what follows",
        "events 61 to 90 have happened already; here is what follows",
    ]
