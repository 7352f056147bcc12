"""README.md and docs/organisers.md are held to the code, and the commands of the README are run.

They run as they stand, in a folder of their own, but for this: `make demo` and `make test` are looked at, not made,
and the demo is stopped by Ctrl-C when a game of it has been watched (`make soak` plays it to the end); `arena serve`
takes a free port, which stands in for 7171; the tournament has one block instead of five.
"""

from __future__ import annotations

import configparser
import json
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, fields, is_dataclass
from pathlib import Path
from typing import Any

import click
import pytest
import trio
from pydantic import BaseModel

from arena.cli import COMMANDS, main
from arena.cli import demo as demo_module
from arena.cli import serve as serve_module
from arena.cli.bot import tls_context
from arena.game import Options, OptionsError
from arena.game.catalogue import SETS
from arena.game.setup import PLAYABLE_SETS
from arena.game.tokens import CONTAINERS
from arena.server import Config
from arena.server.config_file import read_config
from arena.server.house import MAX_PROCESSES
from arena.server.tokens import Role, TokenFile
from clients.bots import BOTS
from tests.server.table import listening
from tournaments.checks import ConfigError
from tournaments.config import FORMATS, SPRT_KEYS, read_tournament
from tournaments.entrants import FOR_COMMANDS, Door, Entrant
from tournaments.schedules.design import MAX_TABLES

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
ORGANISERS = (ROOT / "docs" / "organisers.md").read_text("utf-8")
BIN = Path(sys.executable).parent
ADDRESS = "127.0.0.1:7171"
TRIES = 30  # to watch a game that is about to begin; each takes half a second
SETTINGS = "| Key | Default | Option | Meaning |"
PATIENCE = 60.0  # seconds that a command may take on a busy machine

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


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL)


def section(page: str, heading: str) -> str:
    return re.split(r"^##+ ", page.split(f"# {heading}\n")[1], flags=re.MULTILINE)[0]


def rows(page: str, head: str) -> list[list[str]]:
    """The cells of the table with this head, without it; backticks are left out."""
    table = page.split(f"{head}\n")[1].split("\n\n")[0].splitlines()[1:]
    return [[cell.strip().replace("`", "") for cell in line.strip("|").split("|")] for line in table]


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


# docs/organisers.md


def parsed(line: str) -> click.Context:
    """The innermost context of a command line; raises `click.UsageError` for what it does not take."""
    words = shlex.split(line)[1:]
    command: click.Command = main
    while isinstance(command, click.Group):
        found = command.get_command(click.Context(command), words.pop(0))
        assert found is not None, line
        command = found
    return command.make_context(None, words)


def serve_options() -> dict[str, click.Option]:
    return {
        option.opts[0]: option
        for option in serve_module.command.params
        if isinstance(option, click.Option) and option.name != "help"
    }


@pytest.mark.parametrize("page", [README, ORGANISERS], ids=["README", "organisers"])
def test_every_command_line_is_one(page: str) -> None:
    lines = [line for block in blocks(page, "sh") for line in block.splitlines()]
    for line in lines:
        if line.startswith("arena ") and "--help" not in line:
            parsed(line)


def settings() -> dict[str, Any]:
    """All settings with their defaults, by the key that they have in a file."""

    def inside(name: str, value: Any) -> Iterator[tuple[str, Any]]:
        if is_dataclass(value):
            for field in fields(value):
                yield from inside(f"{name}{field.name}.", getattr(value, field.name))
        elif isinstance(value, BaseModel):
            for key in type(value).model_fields:
                yield from inside(f"{name}{key}.", getattr(value, key))
        else:
            yield name[:-1], value

    return dict(inside("", Config()))


def shown(value: Any) -> str:
    """A default as the table has it."""
    if value is None or isinstance(value, bool):
        return {None: "none", True: "true", False: "false"}[value]
    return "[]" if value == () else str(value)


def test_the_options_of_serve() -> None:
    given = parsed("arena serve").params
    named = {row[2] for row in rows(ORGANISERS, SETTINGS)}
    others = {name: option for name, option in serve_options().items() if name not in named - {""}}
    for switched_off in ("--seeds", "--reveal", "--continues", "--http"):
        others.pop(switched_off)  # told as --no-seeds
    marks = {None: "none", False: "off", (): "none"}
    table = rows(ORGANISERS, "| Option | Default | What it is for |")
    assert {row[0]: row[1] for row in table} == {
        name: marks.get(given[str(option.name)], str(given[str(option.name)]))
        for name, option in others.items()
    }


def test_every_setting_is_told_with_its_default_and_its_option() -> None:
    table = rows(ORGANISERS, SETTINGS)
    assert {row[0]: row[1] for row in table} == {key: shown(value) for key, value in settings().items()}
    options = {name for option in serve_options().values() for name in option.opts + option.secondary_opts}
    for key, default, option, _ in table:
        if key.startswith("offer.rules."):
            assert not option
        else:
            wanted = key.rpartition(".")[2].replace("_", "-")
            assert option == ("--no-" if default == "true" else "--") + wanted
            assert option in options


def test_the_command_line_has_the_defaults_of_the_configuration() -> None:
    given = parsed("arena serve").params
    for key, value in settings().items():
        if not key.startswith("offer.rules."):
            assert given[key.rpartition(".")[2]] == value


def test_the_file_of_settings_is_read(tmp_path: Path) -> None:
    path = tmp_path / "arena.toml"
    path.write_text(blocks(section(ORGANISERS, "Settings"), "toml")[0])
    config = read_config(path, {})
    assert config.tokens == tmp_path / "tokens"
    assert config.clock.bank == Config().clock.bank
    assert config.offer.rules.sets == ("capital",)


def test_numbers_in_the_text_are_those_of_the_code() -> None:
    assert f"At most {MAX_PROCESSES} shipped bots" in ORGANISERS
    assert f"After {['', 'one', 'two', 'three', 'four', 'five'][Config().logins]} wrong tokens" in ORGANISERS
    assert f"more than\n{MAX_TABLES} tables" in ORGANISERS
    assert Config().tries == Config().faults == 3


def test_the_commands_for_tokens(tmp_path: Path) -> None:
    for line in blocks(section(ORGANISERS, "Names and tokens"), "sh")[0].splitlines()[:-1]:
        words = shlex.split(line)
        done = subprocess.run([BIN / words[0], *words[1:]], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    entries = TokenFile(tmp_path / "tokens").read()
    assert [(entry.name, entry.sha256 is None) for entry in entries.values()] == [
        ("Ada", False),
        ("Eve", True),
    ]
    told = [row[0] for row in rows(ORGANISERS, "| Role | What its holder may do |")]
    assert told == [role.value for role in Role]


def test_the_unit_starts_a_server() -> None:
    unit = configparser.RawConfigParser()
    unit.read_string(blocks(ORGANISERS, "ini")[0])
    for line in unit["Service"]["ExecStartPre"], unit["Service"]["ExecStart"]:
        context = parsed(line)
        assert context.params["data"] == Path("/var/lib") / unit["Service"]["StateDirectory"]
        assert context.params["check"] is (line == unit["Service"]["ExecStartPre"])


def test_the_container_starts_a_server() -> None:
    lines = blocks(ORGANISERS, "dockerfile")[0]
    command = json.loads(lines.split("ENTRYPOINT ")[1])
    context = parsed(shlex.join(command))
    assert f"VOLUME {context.params['data']}\n" in lines
    assert f"EXPOSE {Config().port} {Config().http_port}\n" in lines
    makefile = (ROOT / "Makefile").read_text("utf-8")
    needed = re.search(r"hatchling==\S+ editables==\S+ -r requirements.txt", lines)
    assert needed is not None
    assert needed[0] in makefile


def test_the_certificate_is_one_for_tls(tmp_path: Path) -> None:
    openssl = blocks(section(ORGANISERS, "TLS"), "sh")[1].splitlines()[0]
    subprocess.run(shlex.split(openssl), cwd=tmp_path, check=True, capture_output=True)
    given = parsed(blocks(section(ORGANISERS, "TLS"), "sh")[0].splitlines()[0]).params
    context = tls_context(tls=False, insecure=True)

    async def greet() -> bytes:
        files = {name: tmp_path / given[name] for name in ("cert", "key")}
        async with listening(tmp_path, **files) as (_, port):
            stream = await trio.open_ssl_over_tcp_stream("127.0.0.1", port, ssl_context=context)
            try:
                await stream.send_all(b'{"type":"hello","protocol":"1.0","name":"Ada"}\n')
                return bytes(await stream.receive_some())
            finally:
                await trio.aclose_forcefully(stream)

    assert b'"type":"welcome"' in trio.run(greet)


def tournament_text() -> str:
    return blocks(section(ORGANISERS, "The file"), "toml")[0]


def test_the_tournament_file_has_every_key(tmp_path: Path) -> None:
    path = tmp_path / "spring.toml"
    path.write_text(tournament_text())
    tournament = read_tournament(path, frozenset(BOTS))
    assert tournament.folder == tmp_path / "results" / "spring"
    values = tomllib.loads(tournament_text())
    entrant_keys = {key for entrant in values.pop("entrant") for key in entrant}
    keys = [f"{table}.{key}" for table, inner in values.items() for key in inner]
    table = [row[0] for row in rows(ORGANISERS, "| Key | Default | Meaning |")]
    assert table == [*keys, *(f"entrant.{key}" for key in ("name", "bot", "command", *FOR_COMMANDS))]
    assert entrant_keys == {"name", "bot", "command", *FOR_COMMANDS}


def test_the_reader_knows_no_other_key(tmp_path: Path) -> None:
    headings = (
        "| Key | Default | Meaning |",
        "| Key | Format | Default | Meaning |",
        "| Key | Default | For remote entrants |",
    )
    told = [row[0].split(".") for heading in headings for row in rows(ORGANISERS, heading)]
    for table in ("tournament", "rules", "clock", "server", "entrant"):
        odd = "[[entrant]]\nodd = 1\n" if table == "entrant" else f"[{table}]\nodd = 1\n"
        entrants = "".join(f"[[entrant]]\nname = '{name}'\nbot = 'random'\n" for name in "ab")
        (tmp_path / "odd.toml").write_text(odd + entrants)
        with pytest.raises(ConfigError) as error:
            read_tournament(tmp_path / "odd.toml", frozenset(BOTS))
        known = str(error.value).split("its keys are ")[1].split(", ")
        assert sorted(known) == sorted(key for where, key in told if where == table)


def test_every_format_is_told_with_its_keys() -> None:
    assert [row[0] for row in rows(ORGANISERS, "| Format | Who meets whom |")] == list(FORMATS)
    table = rows(ORGANISERS, "| Key | Format | Default | Meaning |")
    own = {f"tournament.{key}": format for format, keys in FORMATS.items() for key in keys}
    assert {row[0]: row[1] for row in table} == own


def test_the_defaults_of_a_tournament(tmp_path: Path) -> None:
    path = tmp_path / "small.toml"
    path.write_text("".join(f'[[entrant]]\nname = "{n}"\nbot = "random"\n' for n in "abcde"))
    tournament = read_tournament(path, frozenset(BOTS))
    told = {row[0]: row[1] for row in rows(ORGANISERS, "| Key | Default | Meaning |")}
    assert tournament.name == "small"
    assert tournament.folder == tmp_path / "runs" / "small"
    assert told["tournament.format"] == tournament.format
    assert tournament.seats == 4
    assert told["tournament.blocks"] == str(tournament.blocks)
    assert told["tournament.seed"] == str(tournament.seed)
    assert (told["rules.sets"], tournament.rules.sets) == ("none", ())
    assert told["rules.market"] == str(tournament.rules.market).lower()
    assert told["rules.containers"] == tournament.rules.containers
    for name in ("move", "bank", "increment", "grace"):
        assert float(told[f"clock.{name}"]) == getattr(tournament.clock, name)


def test_the_test_of_two_versions_has_these_keys_and_defaults(tmp_path: Path) -> None:
    page = section(ORGANISERS, "Two versions")
    (tmp_path / "x.toml").write_text(blocks(page, "toml")[0])
    versions = read_tournament(tmp_path / "x.toml", frozenset(BOTS)).sprt
    assert versions is not None
    table = {row[0]: row[1] for row in rows(page, "| Key | Default | Meaning |")}
    assert list(table) == [f"sprt.{key}" for key in SPRT_KEYS]
    entrants = "".join(f'[[entrant]]\nname = "mine-{n}"\nbot = "random"\n' for n in "21")
    (tmp_path / "x.toml").write_text(f'[tournament]\nformat = "sprt"\n{entrants}')
    assert read_tournament(tmp_path / "x.toml", frozenset(BOTS)).sprt == versions
    numbers = {f"sprt.{key}": f"{value:g}" for key, value in asdict(versions.test).items()}
    assert {key: table[key] for key in numbers} == numbers


def test_the_defaults_of_the_server_of_a_tournament() -> None:
    told = {row[0]: row[1] for row in rows(ORGANISERS, "| Key | Default | For remote entrants |")}
    for key, value in asdict(Door()).items():
        assert told[f"server.{key}"] == shown(int(value) if isinstance(value, float) else value)
    assert told["entrant.games"] == str(Entrant("Eve", sha256="0" * 64).games)


def test_the_number_of_games_that_is_told(tmp_path: Path) -> None:
    path = tmp_path / "seven.toml"
    entrants = "".join(f'[[entrant]]\nname = "{n}"\nbot = "random"\n' for n in "abcdefg")
    path.write_text(f"[tournament]\nseats = 3\nblocks = 10\n{entrants}")
    assert read_tournament(path, frozenset(BOTS)).schedule().total == 1050
    assert "= 1050 games" in ORGANISERS


def test_a_wrong_tournament_file_is_an_error_of_the_call(tmp_path: Path) -> None:
    from click.testing import CliRunner

    (tmp_path / "wrong.toml").write_text("[tournament]\nseats = 9\n")
    result = CliRunner().invoke(main, ["tournament", "run", str(tmp_path / "wrong.toml")])
    assert result.exit_code == 2
