"""`arena watch`: follow a game in the terminal. How it looks is in `arena.watching`."""

from __future__ import annotations

import json
import sys
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

import click

from arena.cli.bot import FAULTS, TLS_OPTIONS, check_token, parse_address, tls_context, with_options
from arena.cli.errors import CheckFailed, InputError

if TYPE_CHECKING:
    from clients.watching import News, Watcher

STOPPED = 130  # exit code after Ctrl-C, as shells have it
POLL = 0.5  # seconds between two looks for the first game


@click.command(name="watch")
@click.argument("server", metavar="HOST:PORT")
@click.argument("game", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print the public events as JSON lines, for programs.")
@click.option("--name", help="Name to log in with; one is made up unless given.")
@click.option("--token", envvar="ARENA_TOKEN", help="Token of the name, for servers that need one.")
@with_options(TLS_OPTIONS)
def command(
    server: str,
    game: str | None,
    as_json: bool,
    name: str | None,
    token: str | None,
    tls: bool,
    insecure: bool,
) -> None:
    """Follow GAME on the server to its end; without GAME list what there is and follow the newest game.

    In a terminal the board and the last events are shown; elsewhere one line is printed for each event. With
    --json each line is an object: first the message `start`, then the events, each with its `number`, then the
    message `end`. Exit code: 0 after the game's end, 1 if it cannot be watched to its end, 130 after Ctrl-C.
    """
    import trio
    from pydantic import ValidationError

    from clients.connection import Lost, Refused, Unreachable
    from protocol import NameRefused, check_name
    from protocol.messages import Watch

    host, port = parse_address(server)
    try:
        login: dict[str, Any] = {"name": check_name(name) if name else None, "token": check_token(token)}
        if game is not None:
            Watch(game=game)
    except NameRefused as error:
        raise InputError(str(error)) from None
    except ValidationError:
        raise InputError(f"{str(game)[:80]!r} is no id of a game; leave it out to see the games") from None
    login["tls"] = tls_context(tls, insecure)
    try:
        trio.run(watch, host, port, login, game, as_json)
    except (Refused, Unreachable, Lost) as error:
        raise CheckFailed(str(error)) from None
    except FAULTS as error:
        raise CheckFailed(
            f"what {server} sends is no game that can be shown: {type(error).__name__}: {error}"
        ) from None
    except KeyboardInterrupt:
        sys.exit(STOPPED)


async def watch(host: str, port: int, login: dict[str, Any], game: str | None, as_json: bool) -> None:
    """Log in, find the game, follow it."""
    from clients.watching import Watcher

    watcher = await Watcher.log_in(host, port, **login)
    try:
        if game is None:
            game = await newest_game(watcher)
        display: Lines | JsonLines | Screen
        if as_json:
            display = JsonLines()
        elif sys.stdout.isatty():
            display = Screen()
        else:
            display = Lines()
        with display.shown():
            await watcher.follow(game, display.show, views=isinstance(display, Screen))
    finally:
        await watcher.aclose()


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

    def shown(self) -> AbstractContextManager[object]:
        """While it is shown."""
        return nullcontext()

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

    def shown(self) -> AbstractContextManager[object]:
        """While it is shown."""
        return nullcontext()

    def show(self, news: News) -> None:
        """Print what is new."""
        from clients.watching import Happened
        from protocol.messages import End, Start

        match news:
            case Start() | End():
                click.echo(news.model_dump_json(exclude_none=True))
            case Happened():
                click.echo(json.dumps({"number": news.number, **news.event}))


class Screen:
    """The board in the terminal, drawn anew with each view."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.live import Live

        self.live = Live(console=Console(), auto_refresh=False, vertical_overflow="crop")

    def shown(self) -> AbstractContextManager[object]:
        """While it is shown."""
        return self.live

    def show(self, news: News) -> None:
        """Draw what is new."""
        from arena.watching import Board
        from clients.watching import Happened
        from protocol.messages import End, Snapshot, Start

        match news:
            case Start():
                self.board = Board(news.game, [player.name for player in news.seats])
            case Snapshot():
                self.board.view = news.view
            case Happened():
                return self.board.add(news.number, news.event)  # drawn with the view that follows
            case End():
                self.board.end(news)
        self.live.update(self.board, refresh=True)
        return None
