"""Every key of a tournament file refuses each type of value that is not its own, by its name and line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from config_files import BOTS, REMOTE, TOKEN, TWO, read

from tests.toml_values import VALUES
from tournaments.checks import ConfigError
from tournaments.config import FORMATS, KEYS, SPRT_KEYS
from tournaments.entrants import DOOR_KEYS, FOR_BOTS, FOR_COMMANDS, FOR_REMOTE, KINDS

TEXT = {"text"}
WHOLE = {"whole number"}
NUMBER = {"whole number", "number"}
COMMAND = {"list of texts"}
NAMES = {"list", "list of texts"}
TABLE = {"table"}
TYPES = {
    "name": TEXT,
    "format": TEXT,
    "seats": WHOLE,
    "blocks": WHOLE,
    "seed": WHOLE,
    "folder": TEXT,
    "rounds": WHOLE,
    "error": NUMBER,
    "challengers": NAMES,
    "sets": NAMES,
    "market": {"true or false"},
    "containers": TEXT,
    "move": NUMBER,
    "bank": NUMBER,
    "increment": NUMBER,
    "grace": NUMBER,
    "new": TEXT,
    "old": TEXT,
    "elo0": NUMBER,
    "elo1": NUMBER,
    "alpha": NUMBER,
    "beta": NUMBER,
    "host": TEXT,
    "port": WHOLE,
    "cert": TEXT,
    "key": TEXT,
    "wait": NUMBER,
    "resume": NUMBER,
    "bot": TEXT,
    "command": COMMAND,
    "token": TEXT,
    "sha256": TEXT,
    "iterations": WHOLE,
    "games": WHOLE,
    "environment": TABLE,
    "samples": {"true or false"},
    "start": NUMBER,
    "memory": WHOLE,
    "cpu": WHOLE,
    "wrapper": COMMAND,
}


def places() -> Iterator[tuple[str, str]]:
    """Each key with its table, and a file in which only its value is missing."""
    formats = {key: format for format, keys in FORMATS.items() for key in keys}
    for key in KEYS:
        format = f'format = "{formats[key]}"\n' if key in formats else ""
        yield f"tournament.{key}", f"[tournament]\n{format}{key} = VALUE\n{TWO}"
    for key in ("sets", "market", "containers"):
        yield f"rules.{key}", f"[rules]\n{key} = VALUE\n{TWO}"
    for key in ("move", "bank", "increment", "grace"):
        yield f"clock.{key}", f"[clock]\n{key} = VALUE\n{TWO}"
    for key in SPRT_KEYS:
        yield f"sprt.{key}", f'[tournament]\nformat = "sprt"\n[sprt]\n{key} = VALUE\n{TWO}'
    for key in DOOR_KEYS:
        yield f"server.{key}", f"[server]\n{key} = VALUE\n{TWO}{REMOTE}"
    kinds = dict.fromkeys(KINDS, "")
    kinds |= dict.fromkeys(FOR_COMMANDS, 'command = ["x"]\n')
    kinds |= dict.fromkeys(FOR_REMOTE, f'token = "{TOKEN}"\n')
    kinds |= {key: f'bot = "{bot}"\n' for key, bot in FOR_BOTS.items()}
    for key, kind in kinds.items():
        yield f"entrant 3.{key}", f'{TWO}[[entrant]]\nname = "Cy"\n{kind}{key} = VALUE\n'
    yield "entrant 3.name", f'{TWO}[[entrant]]\nbot = "{min(BOTS)}"\nname = VALUE\n'


PLACES = dict(places())


@pytest.mark.parametrize("where", PLACES)
def test_each_value_of_another_type_is_named_with_its_key(tmp_path: Path, where: str) -> None:  # S061
    text = PLACES[where]
    line = text[: text.index("VALUE")].count("\n") + 1
    wrong = VALUES.keys() - TYPES[where.rpartition(".")[2]]
    for kind in wrong:
        with pytest.raises(ConfigError) as caught:
            read(tmp_path, text.replace("VALUE", VALUES[kind]))
        assert str(caught.value).startswith(f"{tmp_path}/spring.toml, line {line}: {where} is "), kind
        if kind == "date" and where not in ("entrant 3.token", "entrant 3.sha256"):  # which nobody quotes
            assert f"{where} is 1979-05-27; expected" in str(caught.value)


@pytest.mark.parametrize("name", ["tournament", "rules", "clock", "sprt", "server", "entrant"])
def test_each_value_that_is_no_table_is_named(tmp_path: Path, name: str) -> None:
    own = {"list", "list of texts", "list of dates", "list of tables"} if name == "entrant" else TABLE
    entrants = "" if name == "entrant" else TWO + REMOTE
    for kind in VALUES.keys() - own:
        with pytest.raises(ConfigError) as caught:
            read(tmp_path, f"{name} = {VALUES[kind]}\n{entrants}")
        told = str(caught.value)
        assert re.match(rf"{tmp_path}/spring\.toml, line 1: {name} is .*; expected .*\[{name}\]", told), kind
