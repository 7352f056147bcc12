"""Who plays in a tournament, and where remote ones log in: `[[entrant]]` and `[server]` of its file."""

from __future__ import annotations

import os
import re
import ssl
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from arena.server.tokens import hashed
from protocol import name_key
from protocol.errors import quote
from tournaments.checks import Checks

MAX_ENTRANTS = 1000
MAX_TEXT = 4096  # of an argument of a command
MAX_START = 600  # seconds
MAX_MEMORY = 1_000_000  # MB
MAX_CPU = 1_000_000  # seconds
MAX_GAMES = 100  # at once on one connection
MAX_ITERATIONS = 100_000  # as `arena bot --iterations` takes
MAX_HOST = 253  # characters: the longest name of a machine
TOKEN = re.compile("[!-~]{16,200}")  # a shorter one could be guessed from its hash
SHA256 = re.compile("[0-9a-f]{64}")
KINDS = ("bot", "command", "token", "sha256")  # of entrants: the key that one of them has
FOR_COMMANDS = ("folder", "environment", "samples", "start", "memory", "cpu", "wrapper")
FOR_REMOTE = ("games",)
FOR_BOTS = {"iterations": "search"}  # and the shipped bot that takes it
DOOR_KEYS = ("host", "port", "cert", "key", "wait", "resume")


@dataclass(frozen=True, slots=True)
class Entrant:
    """Who plays: a shipped bot, a command that talks on stdin and stdout, or whoever logs in with a token.

    `iterations` bounds the runs of the bot `search` for one decision (0: as many as it takes by itself). Of the token
    only the SHA-256 is kept, and `games` says how many games its holder plays at once. The rest is for commands:
    `folder` is relative to that of the tournament file, `samples` come with the requests of those that search, `start`
    bounds the seconds until the first line (0: none is waited for), `memory` the MB and `cpu` the seconds of processor
    time of each of its processes (0: no limit), and `wrapper` is a command that starts the command.
    """

    name: str
    bot: str = ""
    iterations: int = 0
    command: tuple[str, ...] = ()
    folder: str = ""
    environment: tuple[tuple[str, str], ...] = ()
    samples: bool = False
    start: float = 0.0
    memory: int = 0
    cpu: int = 0
    wrapper: tuple[str, ...] = ()
    sha256: str = field(default="", repr=False)
    games: int = 1

    @property
    def is_remote(self) -> bool:
        """Whether it logs in from elsewhere."""
        return bool(self.sha256)

    def settings(self) -> dict[str, Any]:
        """What its results depend on."""
        if self.bot:
            return {"bot": self.bot, **({"iterations": self.iterations} if self.iterations else {})}
        if self.is_remote:
            return {"remote": True}  # it may get another token, and play more games at once
        how = {
            "folder": self.folder,
            "environment": dict(self.environment),
            "samples": self.samples,
            "start": self.start,
            "memory": self.memory,
            "cpu": self.cpu,
            "wrapper": self.wrapper,
        }
        return {"command": self.command, **{key: value for key, value in how.items() if value}}


@dataclass(frozen=True, slots=True)
class Door:
    """Where remote entrants log in.

    One that is not there is waited for `wait` seconds, and `resume` are the seconds that it may be without a
    connection in one game.
    """

    host: str = "127.0.0.1"  # loopback, until an organiser says otherwise
    port: int = 7171
    cert: Path | None = None  # the certificate chain (PEM), for TLS
    key: Path | None = None
    wait: float = 300.0
    resume: float = 30.0


# [[entrant]]


def read_entrants(check: Checks, rows: Any, bots: frozenset[str]) -> tuple[Entrant, ...]:
    """All entrants of a file; raises `ConfigError`."""
    if rows is not None and not isinstance(rows, list):
        raise check.wrong("entrant", rows, f"2 to {MAX_ENTRANTS} tables with double brackets, as [[entrant]]")
    if rows is None or not 2 <= len(rows) <= MAX_ENTRANTS:
        found = "no" if rows is None else len(rows)
        raise check.error(
            f"entrant {MAX_ENTRANTS + 1}" if rows and len(rows) > MAX_ENTRANTS else "entrant",
            f"the file has {found} [[entrant]]; give 2 to {MAX_ENTRANTS}, each with double brackets",
        )
    entrants: list[Entrant] = []
    names: dict[str, str] = {}
    tokens: dict[str, str] = {}
    for number, row in enumerate(rows, 1):
        where = f"entrant {number}"
        if not isinstance(row, dict):
            raise check.wrong(where, row, "a table, as [[entrant]]")
        check.keys(row, where, ("name", *KINDS, *FOR_BOTS, *FOR_REMOTE, *FOR_COMMANDS))
        name = check.name(row.get("name"), f"{where}.name")
        alike = names.setdefault(name_key(name), name)
        if len(names) < number:
            raise check.error(
                f"{where}.name",
                f"{where} is called {quote(name)}, which counts as the same name as {quote(alike)};"
                " give each entrant a name of its own",
            )
        entrant = _entrant(check, row, name, where, bots)
        other = tokens.setdefault(entrant.sha256, name) if entrant.is_remote else name
        if other != name:
            raise check.error(
                f"{where}.{'token' if 'token' in row else 'sha256'}",
                f"{where} has the token of {quote(other)}; give each entrant a token of its own",
            )
        entrants.append(entrant)
    return tuple(entrants)


def _entrant(check: Checks, row: dict[str, Any], name: str, where: str, bots: frozenset[str]) -> Entrant:
    kinds = [key for key in KINDS if key in row]
    if len(kinds) != 1:
        raise check.error(
            where,
            f"{where} has {' and '.join(kinds) or 'nothing that plays'}; give exactly one of {', '.join(KINDS)}",
        )
    (kind,) = kinds
    for key in row:
        if key in FOR_COMMANDS and kind != "command":
            raise check.error(f"{where}.{key}", f"{where}.{key} is for commands; leave it out")
        if key in FOR_REMOTE and kind not in ("token", "sha256"):
            raise check.error(f"{where}.{key}", f"{where}.{key} is for entrants with a token; leave it out")
        if key in FOR_BOTS and kind != "bot":
            raise check.error(f"{where}.{key}", f"{where}.{key} is for shipped bots; leave it out")
    if kind == "command":
        return _program(check, row, name, where)
    if kind == "bot":
        return _shipped(check, row, name, where, bots)
    sha256 = _token_hash(check, row[kind], f"{where}.{kind}", kind)
    return Entrant(name, sha256=sha256, games=check.number(row, f"{where}.games", 1, MAX_GAMES, 1))


def _shipped(check: Checks, row: dict[str, Any], name: str, where: str, bots: frozenset[str]) -> Entrant:
    bot = check.take(row, f"{where}.bot", str, "")
    if bot not in bots:
        raise check.wrong(f"{where}.bot", bot, f"one of {', '.join(sorted(bots))}")
    for key, of in FOR_BOTS.items():
        if key in row and bot != of:
            raise check.error(f"{where}.{key}", f"{where}.{key} is for the bot {of}; leave it out")
    given = "iterations" in row
    iterations = check.number(row, f"{where}.iterations", 1, MAX_ITERATIONS, 1) if given else 0
    return Entrant(name, bot=bot, iterations=iterations)


def _token_hash(check: Checks, value: Any, where: str, kind: str) -> str:
    """The SHA-256 of a token, which no sentence shows."""
    if kind == "token" and isinstance(value, str) and TOKEN.fullmatch(value):
        return hashed(value)
    if kind == "sha256" and isinstance(value, str) and SHA256.fullmatch(value):
        return value
    wanted = {
        "token": "16 to 200 printable ASCII characters without blanks, as arena token create draws them",
        "sha256": "64 digits from 0 to f, as arena token create writes them into its file",
    }
    raise check.error(where, f"{where} is none; expected {wanted[kind]}")


def _program(check: Checks, row: dict[str, Any], name: str, where: str) -> Entrant:
    folder = check.take(row, f"{where}.folder", str, "")
    if not os.path.isdir(check.path.parent / folder):  # which takes a name that is too long for no folder
        raise check.wrong(f"{where}.folder", folder, "a folder that is there")
    environment = row.get("environment", {})
    if not isinstance(environment, dict) or not all(is_variable(*each) for each in environment.items()):
        raise check.wrong(f"{where}.environment", environment, 'a table of texts, as { THREADS = "1" }')
    return Entrant(
        name,
        command=_command(check, row["command"], f"{where}.command"),
        folder=folder,
        environment=tuple(environment.items()),
        samples=check.take(row, f"{where}.samples", bool, False),
        start=check.seconds(row, f"{where}.start", 0, 0, MAX_START),
        memory=check.number(row, f"{where}.memory", 0, MAX_MEMORY, 0),
        cpu=check.number(row, f"{where}.cpu", 0, MAX_CPU, 0),
        wrapper=_command(check, row["wrapper"], f"{where}.wrapper") if "wrapper" in row else (),
    )


def is_variable(name: str, value: object) -> bool:
    """Whether an environment can hold this."""
    return bool(name) and "=" not in name and isinstance(value, str) and "\0" not in name + value


def _command(check: Checks, value: Any, where: str) -> tuple[str, ...]:
    if (
        not isinstance(value, list)
        or not 1 <= len(value) <= 100
        or not all(isinstance(part, str) and len(part) <= MAX_TEXT and "\0" not in part for part in value)
        or not value[0]
    ):
        raise check.wrong(where, value, 'a list of texts, the program first, as ["./mybot", "--fast"]')
    return tuple(value)


# [server]


def read_door(check: Checks, values: dict[str, Any], entrants: tuple[Entrant, ...]) -> Door:
    """Where remote entrants log in; raises `ConfigError`."""
    table = check.table(values, "server", DOOR_KEYS)
    if table and not any(entrant.is_remote for entrant in entrants):
        raise check.error("server", "[server] is for entrants with a token, and there is none; leave it out")
    default = Door()
    host = check.take(table, "server.host", str, default.host)
    if not host or len(host) > MAX_HOST or not host.isascii() or not host.isprintable() or " " in host:
        raise check.wrong("server.host", host, "an address to listen on, as 127.0.0.1, or 0.0.0.0 for all")
    cert, key = (_file(check, table, f"server.{name}") for name in ("cert", "key"))
    if (cert is None) != (key is None):
        raise check.error("server", "server.cert and server.key go together; give both, or neither")
    if cert is not None:
        try:
            ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(cert, key)
        except OSError as error:
            why = f"server.cert {cert} cannot be used with server.key {key}: {error}"
            raise check.error("server.cert", why) from None
    return Door(
        host,
        check.number(table, "server.port", 0, 65535, default.port),
        cert,
        key,
        check.seconds(table, "server.wait", 1, default.wait),
        check.seconds(table, "server.resume", 0, default.resume),
    )


def _file(check: Checks, table: dict[str, Any], where: str) -> Path | None:
    """A path relative to that of the tournament file; None if the key is not there."""
    if where.rpartition(".")[2] not in table:
        return None
    text = check.take(table, where, str, "")
    if not text or "\0" in text:
        raise check.wrong(where, text, "the path of a file")
    return check.path.parent.resolve() / Path(text)
