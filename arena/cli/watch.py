"""`arena watch`: follow a game in the terminal. How it looks is in `arena.board`, and in lines in `arena.watching`."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator
from contextlib import AbstractContextManager, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.cli.bot import FAULTS, TLS_OPTIONS, check_token, parse_address, tls_context, with_options
from arena.cli.errors import CheckFailed, InputError
from arena.cli.numbers import Decimal, WholeNumber
from arena.cli.paths import Place
from arena.cli.proofs import TOKEN_OPTIONS, read_proof
from arena.entry import in_order

if TYPE_CHECKING:
    from clients.watching import News, Watcher

STOPPED = 130  # exit code after Ctrl-C, as shells have it
POLL = 0.5  # seconds between two looks for the first game


@click.command(name="watch")
@click.argument("what", metavar="HOST:PORT|FILE")
@click.argument("game", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print the events as JSON lines, for programs.")
@click.option("--name", help="Name to log in with; one is made up unless given.")
@with_options(TOKEN_OPTIONS)
@click.option(
    "--seat",
    type=WholeNumber(0, 5),
    metavar="N",
    help="Show what seat N sees, from 0. On a server that needs its --name, and its token or --key-file.",
)
@click.option(
    "--key-file",
    type=Place(dir_okay=False),
    help="The file in which the bot of the name keeps its resume key; proves the name where it has no token.",
)
@click.option(
    "--pace", type=Decimal(0, 60), default=0.3, show_default=True, help="Seconds between two moments of FILE."
)
@with_options(TLS_OPTIONS)
def command(
    what: str,
    game: str | None,
    as_json: bool,
    name: str | None,
    token: str | None,
    seat: int | None,
    key_file: Path | None,
    pace: float,
    tls: bool,
    insecure: bool,
) -> None:
    """Follow GAME on the server to its end; without GAME list what there is and follow the newest game.

    FILE is a record instead, whether its game is over or still being played; `arena replay` shows more of one.

    In a terminal the table is shown; elsewhere one line is printed for each event. With --json each line is an
    object: first the message `start`, then the events, each with its `number`, then the message `end`.

    Keys: q ends. With FILE also space, which stops and goes on, the arrows, which go a moment on or back, Home and
    End, and + and - for the pace.

    Exit code: 0 after the game's end or q, 1 if it cannot be watched to its end, 130 after Ctrl-C.
    """
    file: Path = Place().convert(what, None, None)
    if file.is_file():
        return watch_record(file, game, seat, pace, as_json=as_json)
    if file.exists() and ":" not in what:
        raise InputError(
            f"{what} is neither a record nor HOST:PORT; name the file of a game, as games/ID.jsonl"
        )
    import trio

    from clients.connection import Lost, Refused, Unreachable, plain_errors

    host, port = parse_address(what)
    login = login_of(name, token, seat, key_file)
    check_game(game)
    login["tls"] = tls_context(tls, insecure)
    in_order()  # the terminal is left as it was
    try:
        with plain_errors():
            trio.run(watch, host, port, login, game, as_json, seat)
    except (Refused, Unreachable, Lost) as error:
        raise CheckFailed(str(error)) from None
    except FAULTS as error:
        raise CheckFailed(
            f"what {what} sends is no game that can be shown: {type(error).__name__}: {error}"
        ) from None
    except KeyboardInterrupt:
        sys.exit(STOPPED)
    return None


def watch_record(path: Path, game: str | None, seat: int | None, pace: float, *, as_json: bool) -> None:
    """Show a record from its file."""
    from arena.cli.recorded import show_board
    from arena.game import default_catalogue

    if game is not None:
        raise InputError(f"{path} is a record, which has one game; leave {game!r} out")
    if as_json:
        raise InputError("the events of a record as JSON are given by `arena replay FILE --json`")
    try:
        show_board(path, default_catalogue(), pace, seat, lines=True)
    except KeyboardInterrupt:
        sys.exit(STOPPED)


def login_of(name: str | None, token: str | None, seat: int | None, key_file: Path | None) -> dict[str, Any]:
    """How to log in; raises `InputError`."""
    from protocol import NameRefused, check_name

    try:
        login: dict[str, Any] = {"name": check_name(name) if name else None, "token": check_token(token)}
    except NameRefused as error:
        raise InputError(str(error)) from None
    if seat is None:
        return login
    if key_file is not None:
        login["resume"] = read_proof(key_file, "no resume key; name the --key-file of the bot")
    if name is None or (token is None and key_file is None):
        raise InputError(
            f"--seat {seat} is shown to its owner alone: give its --name, and ARENA_TOKEN or --key-file"
        )
    return {**login, "look": True}


def check_game(game: str | None) -> None:
    """Raise `InputError` for what is no id of a game."""
    from pydantic import ValidationError

    from protocol.messages import Watch

    try:
        if game is not None:
            Watch(game=game)
    except ValidationError:
        raise InputError(f"{str(game)[:80]!r} is no id of a game; leave it out to see the games") from None


async def watch(
    host: str, port: int, login: dict[str, Any], game: str | None, as_json: bool, seat: int | None
) -> None:
    """Log in, find the game, follow it."""
    from arena.cli.screen import is_screen

    if as_json or not is_screen():
        show = (JsonLines() if as_json else Lines()).show
        async with logged_in(host, port, login) as watcher:
            game = game or await newest_game(watcher)
            await watcher.follow(game, show, views=False, seat=seat)
    else:
        async with until_q(), logged_in(host, port, login) as watcher:
            await follow_live(watcher, game or await newest_game(watcher), seat)


@asynccontextmanager
async def logged_in(host: str, port: int, login: dict[str, Any]) -> AsyncIterator[Watcher]:
    """A login, for as long as it is needed."""
    from clients.watching import Watcher

    watcher = await Watcher.log_in(host, port, **login)
    try:
        yield watcher
    finally:
        await watcher.aclose()


@asynccontextmanager
async def until_q() -> AsyncIterator[None]:
    """What is inside is cancelled by `q`, also by one that was typed before there was anything to see."""
    import trio

    from arena.cli.keys import listening, pressed

    async def listen(scope: trio.CancelScope) -> None:
        async for meaning in pressed():
            if meaning == "quit":
                scope.cancel()

    with listening() as keys:
        async with trio.open_nursery() as nursery:
            if keys:
                nursery.start_soon(listen, nursery.cancel_scope)
            yield
            nursery.cancel_scope.cancel()


async def follow_live(watcher: Watcher, game: str, seat: int | None) -> None:
    """Show the game in the terminal until its end."""
    import trio

    live = Live(seat)
    with live.shown():
        async with trio.open_nursery() as nursery:
            nursery.start_soon(live.screen.keep_drawing)
            await watcher.follow(game, live.show, seat=seat)
            nursery.cancel_scope.cancel()


async def newest_game(watcher: Watcher) -> str:
    """List what there is on stderr, and wait until there is a game."""
    import trio

    from arena.watching import games_lines

    games = await watcher.games()
    for line in games_lines(games):
        click.echo(line, err=True)
    if not games.games:
        click.echo("waiting for a game; stop with Ctrl-C", err=True)
    while not games.games:
        await trio.sleep(POLL)
        games = await watcher.games()
    return games.games[-1].game


class Lines:
    """One line for each event, for pipes and files."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.seen = 0  # number of the last event

    def show(self, news: News) -> None:
        """Print what is new."""
        from arena.describe import labels
        from arena.watching import event_line, outcome_lines
        from clients.watching import Happened
        from protocol.messages import End, Snapshot, Start

        match news:
            case Start():
                self.names = labels([player.name for player in news.seats])
                click.echo(f"game {news.game}: {', '.join(self.names)}")
            case Snapshot() if news.number > self.seen:
                told = f"events {self.seen + 1} to {news.number} have happened already; here is what follows"
                click.echo(told, err=True)
                self.seen = news.number
            case Happened():
                self.seen = news.number
                click.echo(event_line(news.number, news.event, self.names))
            case End():
                for line in outcome_lines(news, self.names):
                    click.echo(line)


class JsonLines:
    """The same for programs."""

    def show(self, news: News) -> None:
        """Print what is new."""
        from clients.watching import Happened
        from protocol.messages import End, Start

        match news:
            case Start() | End():
                click.echo(news.model_dump_json(exclude_none=True))
            case Happened():
                click.echo(json.dumps({"number": news.number, **news.event}))


class Live:
    """The table in the terminal, drawn anew with each view, and with the clock."""

    def __init__(self, seat: int | None) -> None:
        from arena.cli.screen import Screen

        self.screen = Screen()
        self._seat = seat

    def shown(self) -> AbstractContextManager[object]:
        """While it is shown."""
        return self.screen.shown()

    def show(self, news: News) -> None:
        """Draw what is new."""
        from arena.board import Board
        from arena.watching import outcome_lines
        from clients.watching import Happened
        from protocol.messages import End, Snapshot, Start

        match news:
            case Start():
                names = [player.name for player in news.seats]
                self.screen.board = self.board = Board(news.game, names, clock=news.clock.model_dump())
                seen = f"as seat {self._seat} sees it; " if self._seat is not None else ""
                self.board.note = f"{seen}q ends"
            case Snapshot():
                self.board.waiting = news.number == 0
                self.board.look(news.view, news.asked.model_dump(exclude_none=True) if news.asked else None)
            case Happened():
                return self.board.add(news.number, news.event)  # drawn with the view that follows
            case End():
                self.board.end(outcome_lines(news, self.board.names))
        self.screen.draw()
        return None
