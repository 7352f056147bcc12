"""docs/organisers.md is held to the code: every option, setting, key and default that it tells."""

from __future__ import annotations

import configparser
import json
import os
import re
import shlex
import subprocess
import tomllib
from collections.abc import Iterator
from dataclasses import asdict, fields, is_dataclass
from pathlib import Path
from typing import Any

import click
import pytest
import trio
from click.testing import CliRunner
from pydantic import BaseModel

from arena.cli import main
from arena.cli import serve as serve_module
from arena.cli.bot import MOST_ITERATIONS, tls_context
from arena.server import Config
from arena.server.config_file import read_config
from arena.server.tokens import Role, TokenFile
from clients.bots import BOTS
from clients.bots.search import ITERATIONS
from tests.docs.pages import ORGANISERS, README, ROOT, blocks, rows, section
from tests.server.table import listening
from tournaments.checks import ConfigError
from tournaments.config import FORMATS, SPRT_KEYS, read_tournament
from tournaments.entrants import FOR_BOTS, FOR_COMMANDS, MAX_ITERATIONS, Door, Entrant
from tournaments.schedules.design import MAX_TABLES

SETTINGS = "| Key | Default | Option | Meaning |"
PATIENCE = 60.0  # seconds that a command may take on a busy machine


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
    assert f"After {['', 'one', 'two', 'three', 'four', 'five'][Config().logins]} wrong tokens" in ORGANISERS
    assert f"more than\n{MAX_TABLES} tables" in ORGANISERS
    assert Config().tries == Config().faults == 3


def test_the_commands_for_tokens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for line in blocks(section(ORGANISERS, "Names and tokens"), "sh")[0].splitlines()[:-1]:
        words = shlex.split(line)
        assert words.pop(0) == "arena"
        done = CliRunner().invoke(main, words)
        assert done.exit_code == 0, done.stderr
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
    lines = (ROOT / "Containerfile").read_text("utf-8")
    command = json.loads(lines.split("ENTRYPOINT ")[1])
    context = parsed(shlex.join(command))
    assert f"VOLUME {context.params['data']}\n" in lines
    assert f"EXPOSE {Config().port} {Config().http_port}\n" in lines
    makefile = (ROOT / "Makefile").read_text("utf-8")
    needed = re.search(r"hatchling==\S+ editables==\S+ -r requirements.txt", lines)
    assert needed is not None
    assert needed[0] in makefile
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    for package in project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]:
        assert f"COPY {package} {package}\n" in lines


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


def test_the_tournament_file_has_every_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "bin" / "python"
    program.parent.mkdir()
    program.touch(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")  # as on the machine of the page
    path = tmp_path / "spring.toml"
    path.write_text(tournament_text())
    tournament = read_tournament(path, frozenset(BOTS))
    assert tournament.folder == tmp_path / "results" / "spring"
    values = tomllib.loads(tournament_text())
    entrant_keys = {key for entrant in values.pop("entrant") for key in entrant}
    keys = [f"{table}.{key}" for table, inner in values.items() for key in inner]
    table = [row[0] for row in rows(ORGANISERS, "| Key | Default | Meaning |")]
    own = ("name", "bot", *FOR_BOTS, "command", *FOR_COMMANDS)
    assert table == [*keys, *(f"entrant.{key}" for key in own)]
    assert entrant_keys == set(own)


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


def test_a_bot_may_search_as_long_as_on_the_command_line() -> None:
    assert MAX_ITERATIONS == MOST_ITERATIONS


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
    assert told["entrant.iterations"] == str(ITERATIONS)
    assert (told["rules.sets"], tournament.rules.sets) == ("none", ())
    assert told["rules.market"] == str(tournament.rules.market).lower()
    assert told["rules.containers"] == tournament.rules.containers
    for name in ("move", "bank", "increment", "grace"):
        assert float(told[f"clock.{name}"]) == getattr(tournament.clock, name)


def test_the_test_of_two_versions_has_these_keys_and_defaults(tmp_path: Path) -> None:
    page = section(ORGANISERS, "Two versions")
    (tmp_path / "x.toml").write_text(blocks(page, "toml")[0])
    for name in ("mine-1", "mine-2"):
        (tmp_path / name).touch(0o755)
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
