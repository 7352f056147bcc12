"""The configuration file of a server: TOML whose keys are the fields of `Config`.

    port = 7171
    [clock]
    move = 5.0

Whatever is wrong with it is one sentence that names the file, the line where it can be found, and the key.
"""

from __future__ import annotations

import difflib
import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import fields
from datetime import date, time
from pathlib import Path
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from arena.server.config import MIN_MOVE, Config, Offer
from protocol.errors import quote
from protocol.messages import Clock, Rules

MAX_FILE: Final = 1024 * 1024  # bytes; all keys with their values take under 2 kB

TABLES: Final[dict[str, frozenset[str]]] = {
    "": frozenset(each.name for each in fields(Config)),
    "offer": frozenset(each.name for each in fields(Offer)),
    "offer.rules": frozenset(Rules.model_fields),
    "clock": frozenset(Clock.model_fields),
}
"""The keys of each table."""

PATHS: Final = ("data", "cert", "key", "tokens")  # in a file, relative to it

_ADAPTER: Final = TypeAdapter(Config)
_DEFAULTS: Final = {"clock": Config().clock.model_dump()}  # so that a file may name one key of it


class ConfigError(Exception):
    """The settings are wrong; the text is one sentence that says where and what is right."""


def read_config(path: Path | None, given: Mapping[str, Any]) -> Config:
    """The settings of the file, if there is one, with those of `given` over them; raises `ConfigError`."""
    text = read_text(path) if path is not None else ""
    values = parse(path, text) if path is not None else {}
    for key, value in given.items():
        if isinstance(value, str) and not _is_unicode(value):
            raise ConfigError(f"{key} is {quote(value)}, which is not UTF-8; give it another name")
    try:
        settled = _merged(_merged(_DEFAULTS, values), given)
        config = _ADAPTER.validate_json(_as_json(settled), strict=True)
    except ValidationError as errors:
        error = errors.errors()[0]
        keys = [str(part) for part in error["loc"] if type(part) is str]
        value, why = error["input"], error["msg"].removeprefix("Value error, ")
        why = why[:1].lower() + why[1:]
    else:
        if config.clock.move >= MIN_MOVE:
            return config
        keys, value, why = ["clock", "move"], config.clock.move, f"give {MIN_MOVE:g} seconds or more"
    *table, key = keys
    where = f"{path}{_at_line(text, '.'.join(table), key)}: " if path is not None else ""
    raise ConfigError(f"{where}{'.'.join(keys)} is {quote(value)}; {why}")


def read_text(path: Path) -> str:
    """What stands in the file; raises `ConfigError`."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_FILE + 1)
        text = data.decode()
    except OSError as error:
        raise ConfigError(f"the configuration {path} cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise ConfigError(
            f"the configuration {path} is not UTF-8, from byte {error.start} on; save it as UTF-8"
        ) from None
    if len(data) > MAX_FILE:
        raise ConfigError(f"the configuration {path} is over {MAX_FILE:,} bytes; is it the right file?")
    return text


def parse(path: Path, text: str) -> dict[str, Any]:
    """The values of the file, every key known; raises `ConfigError`."""
    try:
        values = tomllib.loads(text)
        _as_json(values)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"the configuration {path} is not TOML: {error}") from None
    except RecursionError:
        raise ConfigError(
            f"the configuration {path} is not TOML: its lists and tables are too deep"
        ) from None
    except ValueError:  # Python's own limit, for reading and for writing
        raise ConfigError(
            f"the configuration {path} has a number of thousands of digits; no setting is so large"
        ) from None
    if not values:
        raise ConfigError(f"the configuration {path} sets nothing; write a line like `port = 7171` into it")
    _check_keys(path, text, "", values)
    for key in PATHS:
        if values.get(key) == "":
            raise ConfigError(
                f"{path}{_at_line(text, '', key)}: {key} is empty; name a path, or leave it out"
            )
        if type(values.get(key)) is str:
            values[key] = str(path.parent / _at_home(path, text, key, values[key]))
    return values


def _as_json(values: Mapping[str, Any]) -> str:
    return json.dumps(values, default=str)  # a date inside a list of names, where none is right


def _at_home(path: Path, text: str, key: str, value: str) -> Path:
    try:
        return Path(value).expanduser()
    except RuntimeError:
        where = f"{path}{_at_line(text, '', key)}"
        raise ConfigError(
            f"{where}: {key} is {quote(value)}, and this machine does not know that user"
        ) from None


def _check_keys(path: Path, text: str, table: str, values: Mapping[str, Any]) -> None:
    known = TABLES[table]
    for key, value in values.items():
        name = f"{table}.{key}" if table else key
        if key not in known:
            where = f"{path}{_at_line(text, table, key)}"
            inside = f" in [{table}]" if table else ""
            raise ConfigError(f"{where}: there is no setting {quote(key)}{inside}; {_remedy(table, key)}")
        if isinstance(value, date | time):
            where = f"{path}{_at_line(text, table, key)}"
            raise ConfigError(
                f"{where}: {name} is {quote(value)}; no setting is a date or a time, and a text stands in quotes"
            )
        if name in TABLES and isinstance(value, dict):
            _check_keys(path, text, name, value)


def _is_unicode(text: str) -> bool:
    """Whether it is no name of a file whose bytes mean nothing."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _remedy(table: str, key: str) -> str:
    """What may have been meant: the same name in another table, or one like it, here first."""
    homes = [other for other, keys in TABLES.items() if key in keys]
    if homes:
        return f"did you mean {f'{homes[0]}.{key}'.lstrip('.')}?"
    for other in (table, *TABLES):
        if alike := difflib.get_close_matches(key, TABLES[other], n=1):
            return f"did you mean {f'{other}.{alike[0]}'.lstrip('.') if other != table else alike[0]}?"
    return f"there are {', '.join(sorted(TABLES[table]))}"


def _at_line(text: str, table: str, key: str) -> str:
    """Where the key stands, as a part of a sentence; nothing if a plain search does not find it."""
    current = ""
    name = re.compile(rf"\s*[\"']?{re.escape(key)}[\"']?\s*[=.]")
    for number, line in enumerate(text.splitlines(), 1):
        if heading := re.match(r"\s*\[+\s*([^\[\]]+?)\s*\]", line):
            current = heading[1]
            found = current == (f"{table}.{key}" if table else key)
        else:
            found = current == table and name.match(line) is not None
        if found:
            return f", line {number}"
    return ""


def _merged(values: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Both, with those of `over` where both have a value; tables are merged, and nothing else."""
    merged = dict(values)
    for key, value in over.items():
        former = merged.get(key)
        both = isinstance(value, Mapping) and isinstance(former, Mapping)
        merged[key] = _merged(former, value) if both else value  # type: ignore[arg-type]
    return merged
