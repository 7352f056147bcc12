"""`arena watch`: the table in a terminal, one line for each event elsewhere, JSON for programs."""

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
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from click.testing import CliRunner

from arena.cli import main
from arena.cli.keys import pressed
from arena.cli.watch import Lines
from arena.server import Config, Offer, Server, serve
from arena.server.connections import Connection
from arena.server.seats import Seat
from arena.watching import games_lines, outcome_lines
from clients import Client, Settings
from clients.answering import WireRequest
from clients.connection import Refused
from clients.watching import Happened, News, Watcher
from protocol import EndReason, GameOver
from protocol.messages import End, Games, Join, Snapshot, Start
from tests.records.recorded import short, whole

PATIENCE = 120.0  # seconds; then a test fails


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

        def watched(connection: Connection, last: int | None, seat: Seat | None = None) -> None:
            watch(connection, last, seat)
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
async def test_watcher_gets_every_event_once_and_views_in_between(tmp_path: Path) -> None:  # S030
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
        code, text = await in_terminal(f"127.0.0.1:{here.port}", game)
    assert code == 0
    assert f"{game}, turn" in text
    assert re.search(r"1\. (Alpha|Beta) with \d+ credits", text)


IN_A_TERMINAL = """
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.argv[1], sys.argv[1:])
"""
"""Makes standard input the terminal that the program is in the foreground of."""


async def in_terminal(
    *arguments: str, typed: Sequence[tuple[str | None, bytes]] = (), **environment: str
) -> tuple[int, str]:
    """The exit code, and what the command writes to a terminal of 30 lines of 100 columns.

    `typed` are keys, each pressed once a text has been shown after the one before; without a text at once.
    """
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
    command = [sys.executable, "-c", IN_A_TERMINAL, sys.executable, "-m", "arena", "watch", *arguments]
    variables = {**os.environ, "TERM": "xterm", **environment}
    text = b""
    left = list(typed)
    looked = 0

    async def read() -> None:
        nonlocal text, looked
        while left and left[0][0] is None:
            os.write(ours, left.pop(0)[1])
        os.set_blocking(ours, False)
        while True:
            await trio.lowlevel.wait_readable(ours)
            try:
                text += os.read(ours, 65536)
            except OSError:  # the other end is closed
                return
            if left and (left[0][0] or "").encode() in text[looked:]:
                looked = len(text)
                os.write(ours, left.pop(0)[1])

    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(read)
            ended = await trio.run_process(
                command, stdin=theirs, stdout=theirs, env=variables, check=False, start_new_session=True
            )
            os.close(theirs)
    os.close(ours)
    return ended.returncode, re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text.decode())


@pytest.mark.trio
async def test_q_ends_and_the_table_stays_in_the_terminal(tmp_path: Path) -> None:
    async with hall(tmp_path) as here:
        game = await here.game("Alpha", "Beta")
        here.let(7)
        code, text = await in_terminal(f"127.0.0.1:{here.port}", game, typed=[("to decide", b"q")])
        assert game in here.server.games  # nothing but the watcher has ended
    assert code == 0
    assert re.search(r"(Alpha|Beta) to decide\W.* \d+\.?\d* s", text.rpartition(game)[2])
    left = text[text.rindex(f"{game}, turn") :]
    assert left.count("\n") < 30  # its first line is still seen above the prompt


@pytest.mark.trio
async def test_terminal_that_draws_nothing_gets_lines(tmp_path: Path) -> None:
    async with hall(tmp_path) as here:
        game = await here.game("Alpha", "Beta")
        here.let_all_when_watched(game)
        code, text = await in_terminal(f"127.0.0.1:{here.port}", game, TERM="dumb")
    assert code == 0
    assert "to decide" not in text
    assert re.search(r"^\d+ turn 2: ", text, re.MULTILINE)


@pytest.mark.trio
async def test_owner_sees_the_own_seat_by_the_key_of_its_bot(tmp_path: Path) -> None:
    async with hall(tmp_path) as here:
        game = await here.game("Alpha", "Beta")
        seat = here.server.games[game].seats[0]
        key = tmp_path / "key"
        assert seat.client is not None
        key.write_text(seat.client.key)
        here.let_all_when_watched(game)
        proof = ("--name", seat.name, "--key-file", str(key))
        result = await run(here.port, game, "--json", "--seat", "0", *proof)
        other = await run(here.port, game, "--seat", "1", *proof)
    start, *events, last = map(json.loads, result.stdout.splitlines())
    assert (start["seat"], last["type"]) == (0, "end")
    assert any(event["event"] == "draw" and "cards" in event for event in events if event.get("seat") == 0)
    assert not any("cards" in event for event in events if event["event"] == "draw" and event["seat"] == 1)
    assert other.returncode == 1


# Records


@pytest.mark.trio
async def test_record_is_shown_in_lines_as_its_game_is(tmp_path: Path) -> None:
    path = whole(tmp_path / "g1.jsonl", players=3)
    with trio.fail_after(PATIENCE):
        result = await trio.run_process(
            [sys.executable, "-m", "arena", "watch", str(path)], capture_stdout=True, capture_stderr=True
        )
    replayed = CliRunner().invoke(main, ["replay", str(path)]).output
    events = [line for line in replayed.splitlines() if not line.startswith(" " * 8)]
    lines = result.stdout.decode().splitlines()
    assert lines[: len(events)] == [re.sub(r"^ *(\d+)  ", r"\1 ", line) for line in events]
    assert lines[len(events)].startswith("the game is over: ")


@pytest.mark.trio
async def test_record_is_stepped_through_with_keys(tmp_path: Path) -> None:
    path = short(tmp_path / "g1.jsonl", 12)
    keys = [("moment 0,", b"\x1b[C"), ("moment 1, stopped", b"\x1b[D"), ("moment 0, stopped", b"\x1b[F")]
    odd = {"COLUMNS": "0", "LINES": "-1"}  # the terminal knows better
    code, text = await in_terminal(
        str(path), "--pace", "60", typed=[*keys, ("to its end: aborted", b"q")], **odd
    )
    assert code == 0
    assert "q ends; moment 0, stopped" in text


@pytest.mark.trio
async def test_keys_that_come_together_all_count(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = os.pipe()
    os.write(theirs, b"\x1b[C\x1b[C x\x1b[1;5Dq\x1bODqq")
    os.close(theirs)
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(fileno=lambda: ours))
    meanings = [meaning async for meaning in pressed()]
    os.close(ours)
    assert meanings == ["on", "on", "stop", "quit", "back", "quit", "quit"]


@pytest.mark.trio
async def test_key_that_is_typed_before_the_first_picture_counts(tmp_path: Path) -> None:
    code, text = await in_terminal(
        str(short(tmp_path / "g1.jsonl", 12)), "--pace", "60", typed=[(None, b"q")]
    )
    assert code == 0
    assert "ends here without a result" not in text  # it was left before its end


def test_record_is_shown_without_a_standard_stream(tmp_path: Path) -> None:
    path = short(tmp_path / "g1.jsonl", 12)
    command = f'exec "{sys.executable}" -m arena watch "{path}" <&- >&- 2>&-'
    assert subprocess.run(["sh", "-c", command], timeout=PATIENCE).returncode == 0


@pytest.mark.trio
async def test_record_is_played_to_its_end_without_a_key(tmp_path: Path) -> None:
    code, text = await in_terminal(str(short(tmp_path / "g1.jsonl", 12)), "--pace", "0", "--seat", "1")
    assert code == 0
    assert "seat 1 chooses " in text
    assert "the game was not played to its end: aborted" in text


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--seat", "2"), "there is no seat 2; this record has the seats 0 to 1"),
        (("g1",), "leave 'g1' out"),
        (("--json",), "arena replay FILE --json"),
    ],
)
def test_call_for_a_record_that_is_wrong_is_told_with_the_remedy(
    tmp_path: Path, arguments: Sequence[str], sentence: str
) -> None:
    code, told = arena(str(whole(tmp_path / "g1.jsonl")), *arguments)
    assert code == 2
    assert sentence in told


def test_what_is_no_file_of_a_game_is_told_so(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    for path in tmp_path, tmp_path / "fifo", Path("/dev/null"):
        code, told = arena(str(path))
        assert code == 2
        assert "is neither a record nor HOST:PORT" in told


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
        (("127.0.0.1:1", "--seat", "0"), "give its --name, and ARENA_TOKEN or --key-file"),
        (("127.0.0.1:1", "--seat", "0", "--name", "x", "--key-file", "/none"), "/none cannot be read"),
    ],
)
def test_call_that_is_wrong_is_told_with_the_remedy(arguments: Sequence[str], sentence: str) -> None:
    code, told = arena(*arguments)
    assert code == 2
    assert sentence in told


# The lines


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
