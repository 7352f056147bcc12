"""docs/bots.md: its examples are the files that it names, and they and its commands work against a real server."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from click.testing import CliRunner

from arena.cli import main
from arena.game import Game, Options, views
from arena.server import Config, serve
from clients import Settings, WireRequest
from clients.bots import LocalRequest
from clients.client import run as run_bot
from protocol import parse_server
from protocol.messages import Events, Request

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/bots.md").read_text()
BLOCKS = re.findall(r"(?:<!-- (\S+) -->\n)?```(\w+)\n(.*?)```", PAGE, flags=re.DOTALL)
EXAMPLES = sorted(path.name for path in (ROOT / "clients/examples").iterdir() if path.is_file())
PATIENCE = 60.0  # seconds for a game; three processes start for it

COMMANDS = [
    line for name, language, text in BLOCKS if language == "sh" and not name for line in text.splitlines()
]
PLAYING = [line for line in COMMANDS if "127.0.0.1" in line and "watch" not in line]

NC = """
import os, socket, sys, threading

def up():
    while data := os.read(0, 65536):
        connection.sendall(data)
    connection.shutdown(socket.SHUT_WR)

connection = socket.create_connection((sys.argv[1], int(sys.argv[2])))
threading.Thread(target=up, daemon=True).start()
try:
    while data := connection.recv(65536):
        os.write(1, data)
except BrokenPipeError:
    pass
"""


def block(name: str) -> str:
    """The code after the comment with this name."""
    return next(str(text) for found, _, text in BLOCKS if found == name)


@pytest.mark.parametrize("name", EXAMPLES)
def test_page_shows_each_example_as_it_is(name: str) -> None:
    assert block(f"clients/examples/{name}") == (ROOT / "clients/examples" / name).read_text()


def test_python_example_has_about_twenty_lines() -> None:
    assert len((ROOT / "clients/examples/bot.py").read_text().splitlines()) <= 25


@asynccontextmanager
async def server(folder: Path) -> AsyncIterator[int]:
    """A server that seats shipped bots; tells its port."""
    config = Config(port=0, data=folder)
    async with trio.open_nursery() as nursery:
        _, listeners = await nursery.start(partial(serve, config, bots=frozenset({"random", "greedy"})))
        yield listeners[0].socket.getsockname()[1]
        nursery.cancel_scope.cancel()


def runnable(line: str, port: int, folder: Path) -> tuple[list[str], dict[str, str]]:
    """A command of the page for this machine: the real port, this Python, and an `nc` if there is none.

    `random` takes the place of `greedy`, which thinks for longer than a test may.
    """
    line = line.replace("127.0.0.1:7171", f"127.0.0.1:{port}").replace("127.0.0.1 7171", f"127.0.0.1 {port}")
    words = shlex.split(line.replace("greedy", "random"))
    if words[0] == "arena":
        words[:1] = [sys.executable, "-m", "arena"]
    elif words[0] == "python":
        words[0] = sys.executable
    environment = dict(os.environ)
    if shutil.which("nc") is None:
        (folder / "nc.py").write_text(NC)
        nc = folder / "nc"
        nc.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {shlex.quote(str(nc))}.py "$@"\n')
        nc.chmod(0o755)
        environment["PATH"] = f"{folder}:{environment['PATH']}"
    return words, environment


def test_shell_example_without_nc_says_so(tmp_path: Path) -> None:
    done = subprocess.run(
        ["/bin/sh", ROOT / "clients/examples/bot.sh", "127.0.0.1", "7171"],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr == b"bot.sh needs nc for its connection; install netcat\n"


@pytest.mark.trio
@pytest.mark.parametrize("line", PLAYING)
async def test_commands_of_the_page_play_a_game_to_its_end(line: str, tmp_path: Path) -> None:
    words = shlex.split(line)
    if words[0] == "node" and shutil.which("node") is None:
        pytest.skip("there is no node on this machine")
    async with server(tmp_path / "data") as port:
        command, environment = runnable(line, port, tmp_path)
        with trio.fail_after(PATIENCE):
            done = await trio.run_process(
                command, env=environment, cwd=ROOT, capture_stdout=True, capture_stderr=True, check=False
            )
    assert done.returncode == 0, done.stderr.decode()
    records = list((tmp_path / "data/games").iterdir())
    assert len(records) == 1
    result = json.loads(records[0].read_text().splitlines()[-1])
    assert set(result["reasons"]) == {"normal"}, result


def test_other_commands_of_the_page_are_known() -> None:
    assert [line for line in COMMANDS if line not in PLAYING] == [
        "arena serve",  # tests/cli
        "arena watch 127.0.0.1:7171",  # tests/cli/test_watch_command.py
        "arena cards led-lights",
        "export ARENA_TOKEN",
        "read -r ARENA_TOKEN",
        "arena bridge --connect arena.example.org:7171 --name Eve --wait --away 86400 -- ./mybot",
        "arena position position.json --seat 0",
    ]


def test_card_of_the_page_can_be_shown() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "arena", "cards", "led-lights"], capture_output=True, check=True, cwd=ROOT
    )
    assert b"LED Lights" in done.stdout


def test_request_of_the_page_is_a_message() -> None:
    text = next(text for _, language, text in BLOCKS if language == "json" and '"request"' in text)
    assert not parse_server(text.encode()).warnings


def keys(value: Any) -> set[str]:
    """All keys in a JSON value, those of cards left out."""
    if isinstance(value, dict):
        return set(value).union(*map(keys, value.values()))
    return set().union(*map(keys, value)) if isinstance(value, list) else set()


def test_view_of_the_page_has_the_fields_of_a_real_one() -> None:
    shown = json.loads(block("view"))
    real = Game.new(Options(players=2), seed=1)
    assert keys(shown) == keys(real.view(real.to_act[0]))


def test_every_field_of_a_view_is_explained() -> None:
    source = Path(views.__file__).read_text()
    fields = set(re.findall(r'(?:shown|lies)\["(\w+)"\]', source)) | set(re.findall(r'"(\w+)":', source))
    table = PAGE.partition("## The view")[2].partition("## Events")[0]
    explained = set(re.findall(r"`(\w+)`", table))
    assert fields <= explained, fields - explained


def test_what_run_takes_is_told() -> None:
    section = PAGE.partition("## Python")[2].partition("## Plain shell")[0]
    for option in run_bot.__kwdefaults__ or ():
        if option not in ("connect",):
            assert option in section


def test_attributes_of_a_request_are_those_of_the_client() -> None:
    text = next(text for _, language, text in BLOCKS if language == "json" and '"request"' in text)
    message = parse_server(text.encode()).message
    assert isinstance(message, Request)
    told = set(re.findall(r"`request\.(\w+)", PAGE))
    game = Game.new(Options(players=2), seed=1)
    for request in (WireRequest(message, 0, 1), LocalRequest(game, game.to_act[0])):
        assert told <= set(dir(request))


def test_events_example_forgets_what_was_shuffled() -> None:
    example: dict[str, Any] = {}
    exec(next(text for _, language, text in BLOCKS if language == "python" and "def heard" in text), example)
    discards = tuple({"event": "discard", "card": card} for card in ("rice", "soap"))
    example["heard"](Events(game="g1", first=1, events=discards))
    assert example["discarded"] == {"rice", "soap"}
    example["heard"](Events(game="g1", first=3, events=({"event": "shuffle", "cards": 2},)))
    assert example["discarded"] == set()


@pytest.mark.parametrize("name", ["search", "luck"])
def test_example_plays_without_a_server(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    example: dict[str, Any] = {}
    exec(block(name), example)
    exec(block("local"), example)
    assert "places" in capsys.readouterr().out


def test_search_example_answers_without_a_server() -> None:
    example: dict[str, Any] = {}
    exec(block("search"), example)
    game = Game.new(Options(players=2), seed=1)
    seat = game.to_act[0]
    assert example["choose"](LocalRequest(game, seat)) in range(len(game.decision(seat).options))


def test_luck_example_draws_alike_in_games_with_one_luck() -> None:
    def answers(luck: int) -> list[int]:
        example: dict[str, Any] = {}
        exec(block("luck"), example)
        return [
            example["choose"](SimpleNamespace(game=game, id=number, luck=luck, options=range(50)))
            for game, number in (("g1", 1), ("g2", 1), ("g1", 2), ("g2", 2), ("g1", 1))
        ]

    first = answers(1)
    assert first == answers(1)
    assert first != answers(2)
    assert first[0] == first[1]
    assert first[2] == first[3]
    assert first[4] == first[0]


def test_position_of_the_page_can_be_shown_and_played_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("position.json").write_text(block("position"))
    shown = CliRunner().invoke(main, ["position", "position.json", "--seat", "0"])
    assert "Seat 0 is asked: lead" in shown.output
    example: dict[str, Any] = {}
    exec(block("search"), example)
    exec(block("at"), example)
    assert capsys.readouterr().out.strip() in shown.output


def test_links_of_the_page_lead_somewhere() -> None:
    words = re.sub(r"```.*?```", "", PAGE, flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)]+)\)", words):
        path, _, anchor = target.partition("#")
        text = (ROOT / "docs" / path).read_text() if path else PAGE
        headings = {
            re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-")
            for heading in re.findall(r"^#+ (.+)$", text, flags=re.MULTILINE)
        }
        assert not anchor or anchor in headings, target


def test_default_address_of_the_page_is_that_of_the_client() -> None:
    assert f"127.0.0.1:{Settings('x').port}" in PAGE
