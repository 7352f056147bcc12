"""`arena demo`: shipped bots play a small live tournament over real sockets."""

from __future__ import annotations

import sys
from datetime import datetime
from pathlib import Path

import click

from arena.cli.errors import CheckFailed


@click.command(name="demo")
@click.option(
    "--blocks", type=click.IntRange(1, 1000), default=2, show_default=True, help="Deals; four games each."
)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, help="Port of the server; a free one unless given."
)
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    help="Where the records go; a new folder in runs/.",
)
def command(blocks: int, port: int, folder: Path | None) -> None:
    """Play a small round robin of shipped bots, each a process of its own, and show the standings.

    Meanwhile `arena watch` with the address that is printed follows a game.
    """
    import trio

    from arena.cli.tournament import line, show
    from arena.log import configure
    from protocol.messages import Clock
    from tournaments.config import Entrant, Tournament
    from tournaments.host import Host, NotStarted
    from tournaments.run import Progress, blocks_to_play, start_progress
    from tournaments.schedules import Pairing
    from tournaments.store import Store, StoreError

    configure()
    folder = folder or Path("runs") / datetime.now().strftime("demo-%Y%m%d-%H%M%S")
    tournament = Tournament(
        name="demo",
        seats=4,
        blocks=blocks,
        seed=1,
        folder=folder.expanduser().resolve(),
        entrants=(
            Entrant("heuristic", bot="greedy"),
            Entrant("greedy", bot="greedy"),
            Entrant("random", bot="random"),
            Entrant("random too", bot="random"),
        ),
        clock=Clock(move=10.0, bank=60.0, grace=0.2),
    )
    progress = Progress(0)

    async def run(store: Store) -> None:
        nonlocal progress
        progress = start_progress(tournament, store)
        names = [entrant.name for entrant in tournament.entrants]
        click.echo(f"starting {len(names)} bots", err=True)
        async with Host.open(tournament, names, port=port) as host:
            click.echo("the games can be watched: arena watch {}:{}".format(*host.address), err=True)
            for block in list(blocks_to_play(tournament, store)):
                async with trio.open_nursery() as nursery:
                    for pairing in block:
                        nursery.start_soon(play, host, store, pairing)

    async def play(host: Host, store: Store, pairing: Pairing) -> None:
        played = await host.play(pairing)
        if played is not None and store.add(played):
            progress.count(played)
            click.echo(line(progress, played), err=True)

    try:
        with Store(tournament.folder) as store:
            trio.run(run, store)
            show(tournament, store, as_json=False)
    except* (NotStarted, StoreError) as group:
        error: BaseException = group
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        raise CheckFailed(str(error)) from None
    except* KeyboardInterrupt:
        click.echo(f"stopped; the records are in {tournament.folder / 'games'}", err=True)
        sys.exit(130)
    if progress.total != progress.done:
        raise CheckFailed(f"only {progress.done} of {progress.total} games were played; the logs say why")
