"""The tournament file: TOML in, checked values out. Every mistake is one sentence with the file and the key."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from arena.game import Options, OptionsError
from protocol.messages import Clock, Rules
from tournaments.belonging import ENTRANT
from tournaments.checks import Checks, ConfigError
from tournaments.deals import commitment
from tournaments.entrants import Door, Entrant, read_door, read_entrants
from tournaments.launching import not_found
from tournaments.ratings import Sprt
from tournaments.schedules import (
    Event,
    Gauntlet,
    Knockout,
    Ladder,
    RoundRobin,
    Schedule,
    ScheduleError,
    Swiss,
    Trial,
)

MAX_BYTES = 1_000_000  # of a tournament file; a thousand entrants need under 100 kB
MAX_PARTS = 100  # of a key
MAX_BLOCKS = 100_000
FORMATS = {  # and the keys that only some of them have
    "round-robin": (),
    "gauntlet": ("challengers",),
    "swiss": ("rounds",),
    "knockout": (),
    "double-knockout": (),
    "ladder": ("error",),
    "sprt": (),
}
GROWING = frozenset({"round-robin", "gauntlet"})  # where more blocks and entrants keep the games played
KEYS = ("name", "format", "seats", "blocks", "seed", "folder", "rounds", "error", "challengers")
DEFAULT_BLOCKS = {"ladder": 1000, "sprt": MAX_BLOCKS}  # of a table at most, where it ends by itself; else 1
OWN_DEALS = frozenset({"ladder", "sprt"})  # where tables do not share their deals
SPRT_KEYS = ("new", "old", "elo0", "elo1", "alpha", "beta")
MAX_ELO = 1000  # of a hypothesis: a score of 99.7 %
MAX_ROUNDS = 1000


@dataclass(frozen=True, slots=True)
class Versions:
    """The two entrants that the format `sprt` compares, and the test."""

    new: str
    old: str
    test: Sprt

    def settings(self) -> dict[str, Any]:
        """What its verdict depends on."""
        return {"new": self.new, "old": self.old, **asdict(self.test)}


@dataclass(frozen=True, slots=True)
class Tournament:
    """All that a run needs."""

    name: str
    seats: int
    blocks: int
    seed: int
    folder: Path
    entrants: tuple[Entrant, ...]
    format: str = "round-robin"
    rules: Rules = field(default_factory=Rules)
    clock: Clock = field(default_factory=lambda: Clock(move=5.0, bank=30.0, increment=0.0, grace=0.2))
    home: Path = Path()  # where commands are started: the folder of the file
    rounds: int = 1  # of a Swiss
    error: float = 0.05  # of a ladder: the chance of a wrong order at which it ends
    challengers: tuple[str, ...] = ()  # of a gauntlet
    sprt: Versions | None = None
    secrets: tuple[str, ...] = field(default=(), repr=False)  # of the deals, the oldest first
    door: Door = field(default_factory=Door)

    @property
    def secret(self) -> str:
        """What the deals of all games that are still to be played follow from; "" if it is the seed."""
        return self.secrets[-1] if self.secrets else ""

    @property
    def remote(self) -> frozenset[str]:
        """The names of the entrants that log in from elsewhere."""
        return frozenset(entrant.name for entrant in self.entrants if entrant.is_remote)

    @property
    def shares_deals(self) -> bool:
        """Whether the tables have the same deals.

        A remote program lives on from table to table and could remember them; the others are started anew.
        """
        return self.format not in OWN_DEALS and not self.remote

    def schedule(self) -> Schedule:
        """The games; raises `ScheduleError`."""
        event = Event(self.name, self.seed, self.shares_deals, self.secret)
        names = tuple(entrant.name for entrant in self.entrants)
        if self.format == "gauntlet":
            field = tuple(name for name in names if name not in self.challengers)
            return Gauntlet(event, self.challengers, field, self.seats, self.blocks)
        if self.format == "swiss":
            return Swiss(event, names, self.seats, self.rounds, self.blocks)
        if self.format in ("knockout", "double-knockout"):
            return Knockout(event, names, self.seats, self.blocks, 1 if self.format == "knockout" else 2)
        if self.format == "ladder":
            return Ladder(event, names, self.seats, self.blocks, self.error)
        if self.sprt is not None:
            return trial(event, self.sprt, names, self.seats, self.blocks)
        return RoundRobin(event, names, self.seats, self.blocks)

    def entrant(self, name: str) -> Entrant:
        """The entrant of this name."""
        return next(entrant for entrant in self.entrants if entrant.name == name)

    def settings(self) -> dict[str, str]:
        """What results depend on, key by key: only those made with the same may share a folder (`belonging`).

        In some formats more entrants keep the games that have been played; in others the next games depend on all
        of them.
        """
        settings: dict[str, Any] = {
            "name": self.name,
            "format": self.format,
            "seats": self.seats,
            "seed": self.seed,
            "rules": self.rules.model_dump(mode="json"),
            "clock": self.clock.model_dump(mode="json"),
        }
        if self.secrets:
            settings["deals"] = commitment(self.secrets[0])
        if self.remote:
            settings["shared deals"] = False
        if self.format == "gauntlet":
            settings["challengers"] = self.challengers
        if self.sprt is not None:
            settings["sprt"] = self.sprt.settings()
        if self.format not in GROWING:
            settings["entrants"] = [entrant.name for entrant in self.entrants]
        if self.format == "swiss":
            settings["rounds"] = self.rounds
        if self.format == "ladder":
            settings["error"] = self.error
        settings["blocks"] = self.blocks
        for entrant in self.entrants:
            settings[f"{ENTRANT}{entrant.name}"] = entrant.settings()
        return {key: json.dumps(value, ensure_ascii=False) for key, value in settings.items()}


def trial(event: Event, versions: Versions, names: Sequence[str], seats: int, blocks: int) -> Trial:
    """The schedule of the format `sprt`; raises `ScheduleError`."""
    others = tuple(name for name in names if name not in (versions.new, versions.old))
    return Trial(event, versions.new, versions.old, others, seats, versions.test, blocks)


def trial_of(settings: Mapping[str, str]) -> Trial | None:
    """The trial that results with these settings belong to, if they are of the format `sprt`.

    It has no secret, so it knows the games but not their deals.
    """
    if "sprt" not in settings:
        return None
    keys = ("name", "seed", "seats", "entrants", "sprt")
    name, seed, seats, entrants, sprt = (json.loads(settings[key]) for key in keys)
    versions = Versions(sprt.pop("new"), sprt.pop("old"), Sprt(**sprt))
    return trial(Event(name, seed, shared_deals=False), versions, entrants, seats, MAX_BLOCKS)


def read_tournament(path: Path, bots: frozenset[str]) -> Tournament:
    """Read and check a tournament file; `bots` are the names of the shipped ones. Raises `ConfigError`."""
    if path.is_dir():
        raise ConfigError(f"{path} is a folder; name the tournament file in it")
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror or error}") from None
    if len(data) > MAX_BYTES:
        raise ConfigError(f"{path} is over {MAX_BYTES:,} bytes, the most that a tournament file has")
    try:
        text = data.decode("utf-8-sig")  # some editors put a mark at the beginning
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path} is not UTF-8 at byte {error.start}; save it as UTF-8") from None
    if number := _deep_key(text):
        raise ConfigError(f"{path}, line {number}: a key has over {MAX_PARTS} parts; none has over two")
    try:
        values = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        raise ConfigError(f"{path} is not TOML: {str(error)[:200]}") from None
    if not values:
        raise ConfigError(f"{path} is empty; it needs [tournament] and at least two [[entrant]]")
    return _Reader(path, text, bots).tournament(values)


def of_setting(key: str, text: str, tournament: Tournament, path: Path) -> str:
    """A sentence about a setting with its place in the file of the tournament, as far as it has one there."""
    entrants = [f"{ENTRANT}{entrant.name}" for entrant in tournament.entrants]
    if key in entrants:
        where = f"entrant {entrants.index(key) + 1}"
    elif key in KEYS:
        where = f"tournament.{key}"
    elif key in ("rules", "clock", "sprt"):
        where = key
    elif key in ("entrants", "shared deals") or key.startswith(ENTRANT):  # who they are; one that is gone
        where = "entrant"
    else:
        return f"{path}: {text}"
    with path.open("rb") as file:
        content = file.read(MAX_BYTES).decode("utf-8", "replace")
    return str(Checks(path, content).error(where, f"{where}: {text}"))


def _deep_key(text: str) -> int:
    """The line of a key with very many parts, or 0: the time to read one grows with their square."""
    for number, line in enumerate(text.splitlines(), 1):
        *keys, rest = line.split("=")
        if not keys and line.lstrip().startswith("["):
            keys = [rest]
        if line.lstrip().startswith("#"):
            continue
        if any(key.rpartition("{")[2].rpartition(",")[2].count(".") >= MAX_PARTS for key in keys):
            return number
    return 0


class _Reader(Checks):
    def __init__(self, path: Path, text: str, bots: frozenset[str]) -> None:
        super().__init__(path, text)
        self.bots = bots

    def tournament(self, values: dict[str, Any]) -> Tournament:
        self.keys(values, "the file", ("tournament", "rules", "clock", "sprt", "server", "entrant"))
        table = self.table(values, "tournament", KEYS)
        format = self.take(table, "tournament.format", str, "round-robin")
        if format not in FORMATS:
            raise self.wrong("tournament.format", format, f"one of {', '.join(FORMATS)}")
        for other, own in FORMATS.items():
            for key in own:
                if key in table and key not in FORMATS[format]:
                    raise self.error(
                        f"tournament.{key}",
                        f"tournament.{key} means nothing in the format {format};"
                        f" leave it out, or take the format {other}",
                    )
        entrants = read_entrants(self, values.get("entrant"), self.bots)
        seats = self.number(table, "tournament.seats", 2, 6, min(4, len(entrants)))
        tournament = Tournament(
            name=self.name(table.get("name", self.path.stem), "tournament.name"),
            seats=seats,
            blocks=self.number(table, "tournament.blocks", 1, MAX_BLOCKS, DEFAULT_BLOCKS.get(format, 1)),
            seed=self.number(table, "tournament.seed", 0, 2**53 - 1, 1),
            folder=self.folder(table),
            entrants=entrants,
            format=format,
            rules=self.rules(values, seats),
            clock=self.clock(values),
            home=self.path.parent.resolve(),
            rounds=self.number(table, "tournament.rounds", 1, MAX_ROUNDS, (len(entrants) - 1).bit_length()),
            error=self.chance(table, "tournament.error"),
            challengers=self.challengers(table, format, entrants),
            sprt=self.sprt(values, format, entrants),
            door=read_door(self, values, entrants),
        )
        try:
            tournament.schedule()
        except ScheduleError as error:
            where = f"tournament.{error.key}"
            raise self.error(where, f"{where}: {error}") from None
        for number, entrant in enumerate(entrants, 1):
            if entrant.command and (why := not_found(entrant, tournament.home)):
                where = f"entrant {number}.{'wrapper' if entrant.wrapper else 'command'}"
                raise self.error(where, f"{where}: {why}")
        return tournament

    def chance(self, table: dict[str, Any], where: str) -> float:
        value = table.get(where.rpartition(".")[2], 0.05)
        if type(value) not in (int, float) or not 0.0001 <= value <= 0.4:
            raise self.wrong(where, value, "a chance from 0.0001 to 0.4, as 0.05")
        return float(value)

    def sprt(self, values: dict[str, Any], format: str, entrants: tuple[Entrant, ...]) -> Versions | None:
        table = self.table(values, "sprt", SPRT_KEYS)
        if format != "sprt":
            if "sprt" in values:
                raise self.error(
                    "sprt",
                    f"[sprt] means nothing in the format {format}; leave it out, or take the format sprt",
                )
            return None
        known = [entrant.name for entrant in entrants]
        new = self.take(table, "sprt.new", str, known[0])
        old = self.take(table, "sprt.old", str, next(name for name in known if name != new))
        for where, name in (("sprt.new", new), ("sprt.old", old)):
            if name not in known:
                raise self.wrong(where, name, "the name of an [[entrant]]")
        if new == old:
            raise self.wrong("sprt.old", old, "another entrant than sprt.new")
        elo0, elo1 = self.elo(table, "sprt.elo0", 0.0), self.elo(table, "sprt.elo1", 10.0)
        if elo0 >= elo1:
            raise self.wrong("sprt.elo1", elo1, f"more than sprt.elo0, which is {elo0:g}")
        alpha, beta = self.chance(table, "sprt.alpha"), self.chance(table, "sprt.beta")
        return Versions(new, old, Sprt(elo0, elo1, alpha, beta))

    def elo(self, table: dict[str, Any], where: str, default: float) -> float:
        value = table.get(where.rpartition(".")[2], default)
        if type(value) not in (int, float) or not -MAX_ELO <= value <= MAX_ELO:
            raise self.wrong(where, value, f"an Elo difference from -{MAX_ELO} to {MAX_ELO}")
        return float(value)

    def challengers(
        self, table: dict[str, Any], format: str, entrants: tuple[Entrant, ...]
    ) -> tuple[str, ...]:
        names = table.get("challengers", [entrants[0].name] if format == "gauntlet" else [])
        known = {entrant.name for entrant in entrants}
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise self.wrong("tournament.challengers", names, 'a list of names of entrants, as ["mine"]')
        for name in names:
            if name not in known:
                raise self.wrong("tournament.challengers", name, "the name of an [[entrant]]")
        return tuple(names)

    def folder(self, table: dict[str, Any]) -> Path:
        text = self.take(table, "tournament.folder", str, f"runs/{self.path.stem}")
        if not text or "\0" in text:
            raise self.wrong("tournament.folder", text, "the path of a folder")
        try:
            folder = (self.path.parent / Path(text).expanduser()).resolve()
            is_file = folder.exists() and not folder.is_dir()
        except (
            RuntimeError,
            OSError,
        ):  # an unknown user after the ~, links that lead in a circle, a name too long
            raise self.wrong("tournament.folder", text, "the path of a folder that there can be") from None
        if is_file:
            raise self.wrong("tournament.folder", text, "a folder, and there is a file of this name")
        return folder

    def rules(self, values: dict[str, Any], seats: int) -> Rules:
        table = self.table(values, "rules", ("sets", "market", "containers"))
        sets = table.get("sets", [])
        if not isinstance(sets, list) or not all(isinstance(name, str) for name in sets):
            raise self.wrong("rules.sets", sets, 'a list of names of sets, as ["capital"]')
        market = self.take(table, "rules.market", bool, False)
        containers = self.take(table, "rules.containers", str, "cards")
        for key, value in {"sets": tuple(sets), "market": market, "containers": containers}.items():
            try:
                Options(seats)._replace(**{key: value}).check()
            except OptionsError as error:
                raise self.error(f"rules.{key}", f"rules.{key}: {error}") from None
        try:
            return Rules.model_validate(
                {"sets": sets, "market": market, "containers": containers}, strict=False
            )
        except ValidationError as error:  # what the core takes and the wire does not
            key = ".".join(map(str, error.errors()[0]["loc"]))
            text = error.errors()[0]["msg"]
            raise self.error(f"rules.{key}", f"rules.{key} cannot be played over the wire: {text}") from None

    def clock(self, values: dict[str, Any]) -> Clock:
        table = self.table(values, "clock", ("move", "bank", "increment", "grace"))
        seconds = {
            name: self.seconds(table, f"clock.{name}", 0.05 if name == "move" else 0, 0) for name in table
        }
        return Clock(**{"move": 5.0, "bank": 30.0, "grace": 0.2, **seconds})
