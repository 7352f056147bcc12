"""`arena demo`: shipped bots play a small live tournament over real sockets."""

from __future__ import annotations

import sys
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.errors import CheckFailed
from arena.cli.numbers import WholeNumber
from arena.cli.paths import Place

if TYPE_CHECKING:
    from tournaments.entrants import Entrant

SEATS = 4
NO_PAGES = "there are no pages: the port cannot be had; give another --http-port"
STRONGEST_FIRST = ("search", "heuristic", "greedy", "random")


@click.command(name="demo")
@click.option(
    "--blocks", type=WholeNumber(1, 1000), default=2, show_default=True, help="Deals; four games each."
)
@click.option(
    "--port", type=WholeNumber(0, 65535), default=0, help="Port of the server; a free one unless given."
)
@click.option(
    "--http-port", type=WholeNumber(0, 65535), default=0, help="Port of the pages; a free one unless given."
)
@click.option("--stay", is_flag=True, help="Keep the pages when all is played, until Ctrl-C.")
@click.option(
    "--folder",
    type=Place(file_okay=False),
    help="Where the records go; a new folder in runs/.",
)
def command(blocks: int, port: int, http_port: int, stay: bool, folder: Path | None) -> None:
    """Play a small round robin of shipped bots, each a process of its own, and show the standings.

    Meanwhile the games can be watched in a browser, at the address that is printed, and with `arena watch`.

    Exit code: 0 when all games are played, 1 if not, 2 if the call is wrong, 130 after Ctrl-C, 143 after SIGTERM.
    """
    import trio

    from arena.cli.boards import StoredBoards
    from arena.cli.progress import line
    from arena.cli.tournament import STOPPED, show
    from arena.log import configure
    from arena.web import WebConfig
    from arena.web.serving import serve as serve_pages
    from arena.web.shelf import Shelf
    from clients.bots import BOTS
    from clients.connection import plain_errors
    from protocol.messages import Clock
    from tournaments.config import Tournament
    from tournaments.deals import release
    from tournaments.host import Host, NotPlayed, NotStarted
    from tournaments.report import of_tournament
    from tournaments.run import blocks_to_play, heeding_signals, start_progress
    from tournaments.schedules import Pairing
    from tournaments.store import Store, StoreError, claim

    configure()
    folder = folder or Path("runs") / datetime.now().strftime("demo-%Y%m%d-%H%M%S")
    tournament = Tournament(
        name="demo",
        seats=SEATS,
        blocks=blocks,
        seed=1,
        folder=folder.resolve(),
        entrants=entrants(list(BOTS)),
        clock=Clock(move=10.0, bank=60.0, grace=0.2),
    )

    def stop(number: int) -> None:
        if progress.total == progress.done:
            playing.cancel()  # only the pages are left
        elif progress.stopped is None:
            progress.stopped = number
            click.echo("stopping; the bots are being ended", err=True)
            playing.cancel()

    async def play_all(store: Store) -> None:
        names = [entrant.name for entrant in tournament.entrants]
        click.echo(f"starting {len(names)} bots: {', '.join(names)}", err=True)
        with playing:
            async with trio.open_nursery() as pages:
                await play_blocks(store, names, pages)
                if stay:
                    report(store)
                    click.echo("the pages stay until Ctrl-C", err=True)
                    await trio.sleep_forever()
                pages.cancel_scope.cancel()

    def report(store: Store) -> None:
        show(of_tournament(store))
        click.echo(f"records: {tournament.folder / 'games'}")

    async def play_blocks(store: Store, names: list[str], pages: trio.Nursery) -> None:
        async with Host.open(tournament, "", port=port, only_tokens=False) as host:
            link = await pages.start(
                partial(
                    serve_pages,
                    WebConfig(port=http_port),
                    Shelf(host.server.folder),
                    host.server.games,
                    boards=StoredBoards([tournament.folder]),
                )
            )
            click.echo(f"the games can be seen in a browser: {link}" if link else NO_PAGES, err=True)
            await host.call(names)
            click.echo("the games can be watched: arena watch {}:{}".format(*host.address), err=True)
            click.echo(f"playing {progress.total} games, {SEATS} at a time", err=True)
            for block in list(blocks_to_play(tournament.schedule(), store.ids(), ())):
                async with trio.open_nursery() as nursery:
                    for pairing in block:
                        nursery.start_soon(play, host, store, pairing)

    async def play(host: Host, store: Store, pairing: Pairing) -> None:
        try:
            played = await host.play(pairing)
        except NotPlayed as problem:
            click.echo(f"not played: {problem}", err=True)
            return
        if store.add(played):
            progress.count(played)
            click.echo(line(progress, played), err=True)

    playing = trio.CancelScope()
    try:
        with claim(tournament.folder), Store(tournament.folder) as store, plain_errors():
            store.belongs_to(tournament.settings())
            progress = start_progress(tournament, store)
            trio.run(heeding_signals, stop, partial(play_all, store))
            if progress.total == progress.done:
                release(tournament.folder)
            if progress.stopped is None and not stay:
                report(store)
    except (NotStarted, StoreError) as error:
        raise CheckFailed(str(error)) from None
    except OSError as error:
        raise CheckFailed(f"port {port} cannot be had: {error.strerror or error}; take another") from None
    except KeyboardInterrupt:
        sys.exit(STOPPED + 2)
    if progress.stopped is not None:
        click.echo(f"stopped; the records are in {tournament.folder / 'games'}", err=True)
        sys.exit(STOPPED + progress.stopped)
    if progress.total != progress.done:
        raise CheckFailed(f"only {progress.done} of {progress.total} games were played")


def entrants(bots: list[str]) -> tuple[Entrant, ...]:
    """One of each shipped bot, the strongest first, and second ones of the weakest until the table is full."""
    from tournaments.entrants import Entrant

    ordered = [bot for bot in STRONGEST_FIRST if bot in bots][:SEATS]
    again = ordered[::-1][: SEATS - len(ordered)]
    return tuple(Entrant(bot, bot=bot) for bot in ordered) + tuple(
        Entrant(f"{bot} too", bot=bot) for bot in again
    )
