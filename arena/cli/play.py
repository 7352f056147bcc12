"""`arena play`: games of shipped bots in this process, without a server, a network or a clock.

The rules are those of `arena.game`, the bots those of `clients.bots`, the record that of `arena.records`.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple

import click

from arena.catalogue_files import read_catalogue
from arena.cli.errors import CheckFailed, InputError
from arena.cli.numbers import WholeNumber
from arena.cli.paths import Place
from arena.describe import count_text, labels
from arena.game import Catalogue, ChoiceError, Event, Game, Options, OptionsError, Result
from arena.game.catalogue import CatalogueError
from arena.game.setup import MAX_SEED
from arena.game.terms import MAX_PLAYERS, MIN_PLAYERS
from arena.game.tokens import CARDS, CONTAINERS
from arena.records import Header, Journal, JournalError, finished, unfinished
from clients.bots import BOTS, Bot, LocalRequest, make_bot
from protocol.codes import EndReason
from protocol.errors import printable, quote

RANDOM_SEED_BITS: Final = 53  # every reader of JSON keeps such a number exact
MAX_GAMES: Final = 1_000_000
SALT_BYTES: Final = 16


class Played(NamedTuple):
    """A game that is over."""

    game: Game
    result: Result
    decisions: int
    score: list[dict[str, int]]  # by seat, the parts of the final scoring; empty after a win by power

    def to_json(self, seats: Sequence[str], record: Path | None) -> dict[str, Any]:
        """For programs."""
        return {
            "seats": list(seats),
            "sets": list(self.game.options.sets),
            "market": self.game.options.market,
            "containers": self.game.options.containers,
            "seed": self.game.seed,
            "places": list(self.result.places),
            "credits": list(self.result.credits),
            "reason": self.result.reason,
            "score": self.score,
            "turns": self.game.turn,
            "decisions": self.decisions,
            "digest": self.game.digest(),
            "record": str(record) if record is not None else None,
        }


@click.command()
@click.option(
    "--seats",
    required=True,
    metavar="A,B,...",
    help=f"Who plays, seat by seat: 2 to 6 of the bots {', '.join(sorted(BOTS))}.",
)
@click.option(
    "--seed",
    type=WholeNumber(0, MAX_SEED, "0 to 2**256 - 1"),
    metavar="N",
    help="Deal by this seed; without it one is picked and shown.",
)
@click.option(
    "--sets",
    default="",
    metavar="A,B,...",
    help="Play with these expansions; tokyo-port is the Tokyo Port alone.",
)
@click.option("--market", is_flag=True, help="Play with the Commodity Market.")
@click.option(
    "--containers",
    default=CARDS,
    metavar="KIND",
    help=f"What the Containers are: {', '.join(CONTAINERS)}.",
)
@click.option(
    "--games",
    type=WholeNumber(1, MAX_GAMES),
    default=1,
    metavar="N",
    help="Play N games, with the seed and those after it.",
)
@click.option("--record", metavar="FILE", help="Write the record of the game to a new file.")
@click.option("--catalogue", type=Place(), metavar="FILE", help="Another catalogue.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per game, for programs.")
def command(
    seats: str,
    seed: int | None,
    sets: str,
    market: bool,
    containers: str,
    games: int,
    record: str | None,
    catalogue: Path | None,
    as_json: bool,
) -> None:
    """Play a game of shipped bots and tell how it ended.

    The same seats, sets and seed give the same game and the same record, byte for byte, on any machine.
    """
    names = read_seats(seats)
    path = record_path(record, games)
    try:
        cards = read_catalogue(catalogue)
        options = Options(len(names), read_sets(sets), market, containers).check()
    except (CatalogueError, OptionsError) as error:
        raise InputError(str(error)) from None
    first = secrets.randbits(RANDOM_SEED_BITS) if seed is None else seed
    if first + games - 1 > MAX_SEED:
        raise InputError(f"--seed {first} leaves no seeds for {games} games; take a smaller one")
    journal = None
    if path is not None:
        header = header_of(names, options, first, cards, secret=seed is None)
        try:
            journal = Journal.create(path, header)
        except JournalError as error:
            raise InputError(f"--record: {printable(str(error))}") from None
    tally = Tally(names)
    for number in range(games):
        played = play(names, options, first + number, cards, journal)
        if as_json:
            click.echo(json.dumps(played.to_json(names, path)))
        elif games == 1:
            for line in report(played, names, path):
                click.echo(line)
        else:
            click.echo(tally.add(played))
    if games > 1 and not as_json:
        for line in tally.lines():
            click.echo(line)


def read_seats(text: str) -> tuple[str, ...]:
    """The bots' names; raises `InputError`."""
    names = tuple(name.strip() for name in text.split(","))
    bots = ", ".join(sorted(BOTS))
    if names == ("",):
        raise InputError(f"--seats is empty; name {MIN_PLAYERS} to {MAX_PLAYERS} of the bots {bots}")
    for name in names:
        if name.startswith("cmd:"):
            raise InputError(
                f"the seat {quote(name)} is a program, which needs the bridge to a server; here name the bots {bots}"
            )
        if name not in BOTS:
            raise InputError(f"there is no bot {quote(name)}; the bots are {bots}")
    if not MIN_PLAYERS <= len(names) <= MAX_PLAYERS:
        raise InputError(
            f"--seats {quote(text)} has {count_text(len(names), 'seat')}; name {MIN_PLAYERS} to {MAX_PLAYERS} bots"
        )
    return names


def read_sets(text: str) -> tuple[str, ...]:
    """The names of the sets; whether they can be played is asked later."""
    return tuple(name.strip() for name in text.split(",")) if text.strip() else ()


def record_path(text: str | None, games: int) -> Path | None:
    """Where the record goes; raises `InputError`."""
    if text is None:
        return None
    if games > 1:
        raise InputError(f"--record {quote(text)} takes one game, not {games}; leave out --games")
    if not text or text.endswith(("/", "/.", "/..")):
        raise InputError(f"--record {quote(text)} is not the name of a file; name a file to be made")
    path: Path = Place().convert(text, None, None)
    return path


def header_of(
    names: Sequence[str], options: Options, seed: int, catalogue: Catalogue, *, secret: bool
) -> Header:
    """The header of a local record. It tells no time, so that the same call makes the same file; for the same
    reason the salt follows from a seed that is no secret."""
    from arena.cli import version_text

    told = json.dumps([list(names), options.to_json(), str(seed), catalogue.hash])
    id = sha256(f"game {told}".encode()).hexdigest()
    salt = sha256(f"salt {told}".encode()).hexdigest()
    return Header(
        game=f"local-{id[:16]}",
        options=options,
        seats=tuple(names),
        seed=seed,
        salt=secrets.token_hex(SALT_BYTES) if secret else salt[: 2 * SALT_BYTES],
        catalogue=catalogue.name,
        catalogue_hash=catalogue.hash,
        software=f"import-export-arena {version_text()}",
    )


def play(
    names: Sequence[str], options: Options, seed: int, catalogue: Catalogue, journal: Journal | None
) -> Played:
    """Play one game to its end, and its record; raises `CheckFailed` for a faulty bot or a full disk."""
    game = Game.new(options, seed, catalogue)
    bots = [make_bot(name, bot_seed(seed, seat)) for seat, name in enumerate(names)]
    score: list[dict[str, int]] = [{} for _ in names]
    decisions = 0
    try:
        while not game.over:
            for seat in game.to_act:
                for event in answer(game, seat, bots[seat], names[seat], journal):
                    if event.kind == "score":
                        score[event.public["seat"]] = event.public["parts"]
                decisions += 1
        if journal is not None:
            journal.result(finished(game, (EndReason.NORMAL,) * len(names), decisions))
    except JournalError as error:
        raise CheckFailed(printable(str(error))) from None
    finally:
        if journal is not None:
            journal.close()
    assert game.result is not None, "the loop ends with the game"
    return Played(game, game.result, decisions, score)


def answer(game: Game, seat: int, bot: Bot, name: str, journal: Journal | None) -> list[Event]:
    """Let a bot answer; returns what happened, raises `CheckFailed` if it answered what it was not offered."""
    index = bot.choose(LocalRequest(game, seat))
    try:
        return game.choose(seat, index) if journal is None else journal.play(game, seat, index)
    except ChoiceError as error:
        if journal is not None:
            reasons = [EndReason.ABORTED] * len(game.players)
            reasons[seat] = EndReason.CRASH
            journal.result(unfinished(game, EndReason.ABORTED, tuple(reasons), journal.choices))
        raise CheckFailed(f"the bot {quote(name)} in seat {seat} is faulty: {error}") from None


def bot_seed(seed: int, seat: int) -> int:
    """A seed for the own chance of a bot, from which the seed of the deal cannot be found."""
    return int.from_bytes(sha256(f"bot {seed} {seat}".encode()).digest()[:8], "big")


def report(played: Played, names: Sequence[str], record: Path | None) -> Iterator[str]:
    """How a game ended, for people."""
    shown = labels(names)
    width = max(len("player"), *(len(name) for name in shown))
    game, result = played.game, played.result
    yield f"place  seat  {'player':<{width}}  credits  final scoring"
    for seat in sorted(range(len(shown)), key=lambda seat: result.places[seat]):
        parts = ", ".join(f"{part} {amount:+d}" for part, amount in played.score[seat].items())
        line = (
            f"{result.places[seat]:>5}  {seat:>4}  {shown[seat]:<{width}}  {result.credits[seat]:>7}  {parts}"
        )
        yield line.rstrip()
    yield f"won by {winners(result, shown)}"
    yield (
        f"ended by {result.reason} after {count_text(game.turn, 'turn')}"
        f" and {count_text(played.decisions, 'decision')}"
    )
    yield f"seed {game.seed}"
    if record is not None:
        yield f"record {printable(str(record))}"


def winners(result: Result, shown: Sequence[str]) -> str:
    """The names of those on place 1."""
    return " and ".join(shown[seat] for seat in result.winners)


class Tally:
    """Counts over many games, by seat."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = labels(names)
        self.games = 0
        self.firsts = [0.0 for _ in names]
        self.credits = [0 for _ in names]

    def add(self, played: Played) -> str:
        """Count a game; returns the line that tells about it."""
        result = played.result
        self.games += 1
        for seat in result.winners:
            self.firsts[seat] += 1 / len(result.winners)
        for seat, credits in enumerate(result.credits):
            self.credits[seat] += credits
        return (
            f"seed {played.game.seed}: won by {winners(result, self.names)} with"
            f" {result.credits[result.winners[0]]} credits after {count_text(played.game.turn, 'turn')}"
        )

    def lines(self) -> Iterator[str]:
        """The sums; a shared win counts for each in part."""
        for seat, name in enumerate(self.names):
            share = 100 * self.firsts[seat] / self.games
            yield f"{name}: {share:.1f} % of {self.games} games won, {self.credits[seat] / self.games:.1f} credits"
