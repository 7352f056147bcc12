"""README.md is held to the code, and its commands are run.

They run as they stand, in a folder of their own, but for this: `make demo` and `make test` are looked at, not made,
and the demo is stopped by Ctrl-C when a game of it has been watched (`make soak` plays it to the end); `arena serve`
takes a free port, which stands in for 7171; the tournament has one block instead of five.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from arena.cli import COMMANDS
from arena.cli import demo as demo_module
from arena.game import Options, OptionsError
from arena.game.catalogue import SETS
from arena.game.setup import PLAYABLE_SETS
from arena.game.tokens import CONTAINERS
from clients.bots import BOTS
from tests.docs.pages import README, ROOT, blocks, section

BIN = Path(sys.executable).parent
ADDRESS = "127.0.0.1:7171"
TRIES = 30  # to watch a game that is about to begin; each takes half a second

PATIENCE = 300.0  # seconds that a command may take on a busy machine

MAKE = ("make demo", "make test")
ACTIVATE = (". .venv/bin/activate", "arena --help")
SERVE = ("arena serve",)
PYTHON_BOT = ("python mybot.py",)
SHELL_LOOP = (
    "while read -r line; do",
    """    case $line in *'"type":"request"'*) echo 0 ;; esac""",
    "done",
)
BRIDGE = (
    f"arena bridge --connect {ADDRESS} --name shell --against random --games 1 --no-views -- sh mybot.sh",
)
WATCH = (f"arena watch {ADDRESS}",)
TOURNAMENT = ("arena tournament run first.toml", "arena tournament standings runs/first")
VERIFY = ("arena verify runs/first/games/*.jsonl",)
ALL_SETS = ",".join(PLAYABLE_SETS)
LOCAL = (
    "arena play --seats greedy,random --seed 7 --record game.jsonl",
    "arena verify game.jsonl",
    "arena replay game.jsonl --seat 0",
    f"arena play --seats greedy,random,random --sets {ALL_SETS} --market --containers tokens --seed 3",
)


def environment() -> dict[str, str]:
    return {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}", "COLUMNS": "100"}


def shell(commands: tuple[str, ...], folder: Path, address: str = ADDRESS) -> str:
    """What the commands print; each must succeed."""
    script = "\n".join(commands).replace(ADDRESS, address)
    done = subprocess.run(
        ["sh", "-eu", "-c", script],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files that the README tells to write, and the environment that make has made."""
    path = tmp_path_factory.mktemp("readme")
    loop, _ = [block for block in blocks(README, "sh") if "mybot.sh" in block or "while" in block]
    (path / "mybot.py").write_text(blocks(README, "python")[0])
    (path / "mybot.sh").write_text(loop)
    (path / "first.toml").write_text(blocks(README, "toml")[0].replace("blocks = 5", "blocks = 1"))
    (path / ".venv").symlink_to(sys.prefix)
    return path


@contextmanager
def started(command: str, folder: Path) -> Iterator[subprocess.Popen[str]]:
    """A command that runs until the block is left, at the latest."""
    process = subprocess.Popen(
        shlex.split(command),
        executable=BIN / "arena",
        cwd=folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            yield process
        finally:
            process.terminate()


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    """A server as the README starts it, on a free port."""
    with started(f"{SERVE[0]} --port 0", folder) as server:
        assert server.stderr is not None
        yield server.stderr.readline().removeprefix("listening on ").strip()
        server.terminate()
        assert server.wait(PATIENCE) == 0


# README.md


def test_every_command_of_the_readme_is_run() -> None:
    told = [line for block in blocks(README, "sh") for line in block.splitlines()]
    run = (MAKE, ACTIVATE, SERVE, PYTHON_BOT, SHELL_LOOP, BRIDGE, WATCH, TOURNAMENT, VERIFY, LOCAL)
    assert told == [line for lines in run for line in lines]


def test_make_does_what_the_readme_says() -> None:
    def recipe(target: str) -> str:
        make = ["make", "--dry-run", "--no-print-directory", target]
        return subprocess.run(make, cwd=ROOT, capture_output=True, text=True, check=True).stdout

    assert recipe("demo").splitlines()[-1] == ".venv/bin/arena demo"
    assert all(tool in recipe("test") for tool in ("ruff check", "flake8-async", "mypy", "pytest"))


def test_the_demo_plays_eight_games() -> None:
    blocks_option = next(p for p in demo_module.command.params if p.name == "blocks")
    assert blocks_option.default == 2
    assert "four bots" in README
    assert "eight games" in README


def test_the_commands_come_into_the_path(folder: Path) -> None:
    assert "tournament" in shell(ACTIVATE, folder)


def test_the_bot_in_python_plays(folder: Path, address: str) -> None:
    source = (folder / "mybot.py").read_text()
    (folder / "mybot.py").write_text(source.replace(ADDRESS, address))
    assert re.fullmatch(r"ended by \w+: places \(\d, \d\), credits \(\d+, \d+\)\n", shell(PYTHON_BOT, folder))


def test_the_bot_in_shell_plays(folder: Path, address: str) -> None:
    assert shell(BRIDGE, folder, address) == ""


def test_the_demo_starts_and_can_be_watched_and_stopped(folder: Path) -> None:
    with started("arena demo --folder demo", folder) as demo:
        assert demo.stderr is not None
        told = next(line for line in demo.stderr if "the games can be watched" in line)
        for _ in range(TRIES):  # until the first games have begun
            with started(WATCH[0].replace(ADDRESS, told.split()[-1]), folder) as watch:
                assert watch.stdout is not None
                line = watch.stdout.readline()
            if line:
                break
        assert "greedy" in line
        demo.send_signal(signal.SIGINT)
        demo.communicate(timeout=PATIENCE)
        assert demo.returncode == 130


def test_a_game_can_be_watched(folder: Path, address: str) -> None:
    host, port = address.split(":")
    player = socket.create_connection((host, int(port)), timeout=PATIENCE)
    with player, player.makefile("rw", encoding="utf-8", newline="\n") as wire:

        def say(line: str, answer: str) -> dict[str, Any]:
            wire.write(line + "\n")
            wire.flush()
            return next(m for m in map(json.loads, wire) if m["type"] == answer)

        say('{"type":"hello","protocol":"1.0","name":"watched"}', "welcome")
        game = say('{"type":"join","wanted":{"seats":2,"fill":["random"]}}', "start")["game"]
        say(f'{{"type":"ready","game":"{game}"}}', "request")
        with started(WATCH[0].replace(ADDRESS, address), folder) as watch:
            assert watch.stdout is not None
            assert "watched" in watch.stdout.readline()
            say('{"type":"bye"}', "bye")  # its defaults are played to the end
            watch.communicate(timeout=PATIENCE)
            assert watch.returncode == 0


@pytest.mark.soak
def test_the_whole_demo(folder: Path) -> None:
    printed = shell(("arena demo --folder whole",), folder)
    assert "records:" in printed
    assert len(list((folder / "whole" / "games").glob("*.jsonl"))) == 8


def test_the_tournament_is_played_and_its_records_are_sound(folder: Path) -> None:
    printed = shell(TOURNAMENT, folder)
    assert all(name in printed for name in ("random", "mine"))
    assert shell(VERIFY, folder).count(": sound;") == 2


def test_a_game_without_a_server(folder: Path) -> None:
    printed = shell(LOCAL, folder)
    assert "game.jsonl: sound;" in printed
    assert "your hand:" in printed


@pytest.mark.parametrize("page", ["README.md", "docs/organisers.md"])
def test_links_lead_somewhere(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    for target, heading in re.findall(r"\]\(([^)#]*)#?([^)]*)\)", text):
        linked = (ROOT / page).parent / target if target else ROOT / page
        assert linked.is_file(), target
        if heading:  # of a page; a picture has none
            words = re.sub(r"[`,?]", "", linked.read_text("utf-8")).lower().replace(" ", "-")
            assert f"#-{heading}\n" in words, f"{target}#{heading}"


def test_what_is_not_there_yet_is_not_there() -> None:
    """If this fails something has come: take it out of the README's last section."""
    missing = section(README, "Not there yet")

    def playable(**options: Any) -> bool:
        try:
            Options(**options).check()
        except OptionsError:
            return False
        return True

    assert all(playable(sets=(name,)) for name in SETS)
    assert all(playable(containers=name) for name in CONTAINERS)
    assert playable(market=True)
    assert f"The shipped bots are {' and '.join(BOTS)}." in missing.replace("`", "")
    assert "There is no arena check-bot." in missing.replace("`", "")
    assert "check-bot" not in COMMANDS
