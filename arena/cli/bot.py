"""`arena bot`: a shipped bot plays on a server. What its options have in common with `arena bridge` is here."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.cli.errors import CheckFailed, InputError
from arena.cli.numbers import Patience, WholeNumber
from arena.cli.paths import Place
from arena.cli.proofs import TOKEN_OPTIONS

if TYPE_CHECKING:
    import ssl

    from clients import Settings
    from clients.answering import WireRequest
    from protocol import ServerMessage
    from protocol.messages import End

MOST_ITERATIONS = 100_000  # each needs up to a kilobyte until the decision is made

FAULTS = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What a shipped bot raises on a view or a sample that no game has."""


def parse_address(text: str) -> tuple[str, int]:
    """HOST:PORT, or an `InputError`."""
    from clients.client import address

    try:
        return address(text)
    except ValueError as error:
        raise InputError(str(error)) from None


def check_token(token: str | None) -> str | None:
    """The token, or an `InputError` that does not show it."""
    from pydantic import ValidationError

    from protocol import PROTOCOL
    from protocol.messages import Hello

    try:
        Hello(protocol=PROTOCOL, name="x", token=token)
    except ValidationError:
        raise InputError("the token is none; it has 1 to 200 printable ASCII characters, no blanks") from None
    return token


TLS_OPTIONS = (
    click.option("--tls", is_flag=True, help="Speak TLS."),
    click.option(
        "--insecure", is_flag=True, help="Speak TLS and trust any certificate; for tests on one machine."
    ),
)

PLAYING_OPTIONS = (
    click.option("--connect", required=True, metavar="HOST:PORT", help="The server."),
    click.option("--name", help="Name to play under."),
    *TOKEN_OPTIONS,
    click.option("--table", default="queue", show_default=True, help="Table to join."),
    click.option(
        "--against", metavar="BOTS", help="Open a table with these shipped bots instead, as greedy,random."
    ),
    click.option("--wait", is_flag=True, help="Join nothing: an organiser seats the bot."),
    click.option("--games", type=WholeNumber(1, 10**6), help="Games to play; without it the bot plays on."),
    click.option(
        "--away",
        type=Patience(0, 86400),
        default=120.0,
        show_default=True,
        help="Seconds, or `forever`, to try to come back to a server that is away; with --wait, or for ever, also to"
        " come for the first time.",
    ),
    click.option(
        "--key-file",
        type=Place(dir_okay=False),
        help="Keeps the resume key: started again, the bot goes on with its games.",
    ),
    *TLS_OPTIONS,
)


def with_options(options: tuple[Callable[[Any], Any], ...]) -> Callable[[Any], Any]:
    """A decorator that adds options to a command, in this order."""

    def decorate(function: Any) -> Any:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


def tls_context(tls: bool, insecure: bool) -> ssl.SSLContext | None:
    """What `--tls` and `--insecure` ask for."""
    import ssl

    if not tls and not insecure:
        return None
    context = ssl.create_default_context()
    if insecure:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context


def playing_settings(
    connect: str,
    name: str,
    token: str | None,
    table: str,
    against: str | None,
    wait: bool,
    games: int | None,
    away: float,
    key_file: Path | None,
    tls: bool,
    insecure: bool,
    **more: Any,
) -> Settings:
    """The settings that `PLAYING_OPTIONS` and `more` make, or an `InputError`."""
    from pydantic import ValidationError

    from clients import Settings
    from clients.keyfile import stored_key
    from protocol import NameRefused, check_name
    from protocol.messages import Join, Wanted

    host, port = parse_address(connect)
    if key_file is not None and not key_file.parent.is_dir():
        raise InputError(f"--key-file {key_file} is in no folder that is there; make it, or name another")
    if key_file is not None:
        try:
            stored_key(key_file)
        except ValueError as error:
            raise InputError(f"--key-file {error}") from None
    try:
        join = None if wait else Join(table=table)
        if against is not None:
            bots = tuple(bot.strip() for bot in against.split(","))
            join = Join(wanted=Wanted(seats=len(bots) + 1, fill=bots))
        return Settings(
            name=check_name(name),
            host=host,
            port=port,
            token=check_token(token),
            join=join,
            games=games,
            away=away,
            tls=tls_context(tls, insecure),
            key_file=key_file,
            **more,
        )
    except ValidationError:
        wrong = f"--table {table!r}" if against is None else f"--against {against!r}"
        raise InputError(
            f"{wrong} cannot be; --table takes the id of a table, --against 1 to 5 shipped bots"
        ) from None
    except NameRefused as error:
        raise InputError(str(error)) from None


@click.command(name="bot")
@click.argument("bot")
@with_options(PLAYING_OPTIONS)
@click.option(
    "--seed",
    type=WholeNumber(0, 2**64 - 1),
    help="Seed of the bot's own random choices in each game; without it the luck that the server tells it.",
)
@click.option(
    "--iterations",
    type=WholeNumber(1, MOST_ITERATIONS),
    help="Of the bot search: times that it plays on for a decision, if its share of the clock allows.",
)
def command(bot: str, name: str | None, seed: int | None, iterations: int | None, **options: Any) -> None:
    """Let the shipped bot BOT play on a server, under its own name unless one is given.

    Ctrl-C or SIGTERM: it gives its seats up, or keeps them if there is a key file.

    Exit code: 0 after its games or when the server stops, 1 if it cannot play, 128 and the number of the signal
    that ended it.
    """
    import trio

    from arena.cli.stopping import unless_stopped
    from clients import Client, Refused, Unreachable
    from clients.bots import UnknownBot, factory_of
    from clients.bots.search import SearchBot
    from clients.shipped import OnePerGame
    from clients.thinking import in_a_thread
    from protocol.messages import End

    try:
        factory = factory_of(bot)
    except UnknownBot as error:
        raise InputError(str(error)) from None
    if iterations is not None and factory is not SearchBot:
        raise InputError(f"--iterations is for the bot search; {bot} has none, so leave it out")
    make = factory if iterations is None else partial(SearchBot, iterations=iterations)
    player = OnePerGame(make, seed)
    results: list[str] = []
    settings = playing_settings(
        name=name or bot,
        samples=factory.searches,
        software=f"arena bot {bot}",
        **options,
    )

    def choose(request: WireRequest) -> int:
        try:
            return player.choose(request)
        except FAULTS as error:
            raise CheckFailed(
                f"{bot} cannot play on what the server sends in request {request.id} of the game {request.game}:"
                f" {type(error).__name__}: {error}"
            ) from None

    def heard(message: ServerMessage) -> None:
        player.heard(message)
        if isinstance(message, End) and message.game in client.seats:
            results.append(told(message, client.seats[message.game]))

    client = Client(settings, in_a_thread(choose) if factory.searches else choose, heard)
    try:
        stopped = trio.run(unless_stopped, client.run)
    except* (Refused, Unreachable, CheckFailed) as group:
        raise CheckFailed(str(group.exceptions[0])) from None
    for line in results:
        click.echo(line, err=True)
    if stopped:
        sys.exit(stopped)


def told(end: End, seat: int) -> str:
    """How a game ended for the bot in this seat, and for all."""
    from clients.bridge import outcome

    how = outcome(end, seat)
    if not end.places:
        return f"{end.game}: {how}"
    return f"{end.game}: {end.why.value}, {how} in seat {seat}; places by seat {list(end.places)}"
