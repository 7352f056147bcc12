"""Records shown from their file: on a page of their own in a browser, or as a board in the terminal.

Both show the same as a live game would. What is in a file may be seen by whoever has the file, so the page has every
view; the board has the public one.
"""

from __future__ import annotations

import signal
import time
from pathlib import Path

import click

from arena.cli.errors import CheckFailed
from arena.game import Catalogue
from arena.records import RecordError
from arena.web import WebConfig
from protocol.errors import printable


def show_page(path: Path, catalogue: Catalogue, port: int) -> None:
    """Serve the pages of one record until Ctrl-C or SIGTERM; raises `CheckFailed` if it cannot be shown."""
    from functools import partial

    import trio

    from arena.web.serving import serve
    from arena.web.shelf import Shelf
    from clients.connection import plain_errors

    try:
        shelf = Shelf.of_file(path)
    except RecordError as error:
        raise CheckFailed(f"{printable(str(path))}: {error}") from None

    async def run() -> None:
        with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
            async with trio.open_nursery() as nursery:
                pages = partial(serve, WebConfig(port=port), shelf, {}, catalogue=catalogue, private=True)
                link = await nursery.start(pages)
                if link is None:
                    raise CheckFailed(f"port {port} cannot be had; give another")
                [game] = shelf.names()
                click.echo(f"{link}game/{game}")
                click.echo("it begins at the first moment, or with #turn=12 behind it at turn 12;", err=True)
                click.echo("arrow keys step; stop with Ctrl-C", err=True)
                await anext(signals)
                nursery.cancel_scope.cancel()

    with plain_errors():
        trio.run(run)


def show_board(path: Path, catalogue: Catalogue, pace: float) -> None:
    """Draw the board after each moment, `pace` seconds apart; raises `CheckFailed` if the record is not sound."""
    from rich.console import Console
    from rich.live import Live

    from arena.records import read_record, replay
    from arena.server.ended import end_of
    from arena.watching import Board
    from arena.web.viewpoints import PUBLIC

    try:
        record = read_record(path)
        board = Board(record.header.game, record.header.seats)
        number = 0
        with Live(console=Console(), auto_refresh=False, vertical_overflow="crop") as live:
            for step in replay(record, catalogue):
                for event in step.events:
                    number += 1
                    board.add(number, event.for_seat(None))
                if step.events and PUBLIC.may_be_told(step.game):
                    board.view = step.game.view(None)
                    live.update(board, refresh=True)
                    time.sleep(pace)
            if record.result is not None:
                board.end(end_of(record.header, record.result))
            live.update(board, refresh=True)
    except RecordError as error:
        raise CheckFailed(f"{printable(str(path))}: {error}") from None
