"""Records shown from their file: on a page of their own in a browser, or as a board in the terminal.

Both show the same as a live game would. What is in a file may be seen by whoever has the file, so the page has every
view; the board has the public one, or that of one seat.
"""

from __future__ import annotations

import math
import signal
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from arena.cli.errors import CheckFailed, InputError
from arena.entry import in_order
from arena.game import Catalogue
from arena.records import RecordError
from arena.web import WebConfig
from protocol.errors import printable

if TYPE_CHECKING:
    from arena.cli.reel import Reel
    from arena.cli.screen import Screen

LOOK_AGAIN: Final = 0.25  # seconds between two looks at a record that is still written
FASTER: Final = 1.5  # times as fast, or as slow, by one key
FASTEST: Final = 0.01  # seconds between two moments
SLOWEST: Final = 60.0


def show_page(path: Path, catalogue: Catalogue, port: int) -> None:
    """Serve the pages of one record until Ctrl-C or SIGTERM; raises `CheckFailed` if it cannot be shown."""
    from functools import partial

    import trio

    from arena.signals import hearing
    from arena.web.serving import serve
    from arena.web.shelf import Shelf
    from clients.connection import plain_errors

    try:
        shelf = Shelf.of_file(path)
    except RecordError as error:
        raise CheckFailed(f"{printable(str(path))}: {error}") from None

    async def run() -> None:
        with hearing(signal.SIGINT, signal.SIGTERM, last=True) as signals:
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


def show_board(
    path: Path, catalogue: Catalogue, pace: float, seat: int | None = None, *, lines: bool = False
) -> None:
    """Draw the table after each moment, `pace` seconds apart, and follow a record that is still written.

    Elsewhere than in a terminal the last table is printed, or with `lines` one line for each event. Raises
    `CheckFailed` if the record is not sound, `InputError` for a seat that is not there.
    """
    import trio

    from arena.cli.reel import Reel
    from arena.cli.screen import is_screen
    from arena.web.viewpoints import UnknownViewpoint, Viewpoint
    from clients.connection import plain_errors

    try:
        reel = Reel(path, Viewpoint(seat=seat), catalogue)
        with closing(reel), plain_errors():
            in_order()  # the terminal is left as it was
            if is_screen():
                trio.run(in_terminal, reel, pace)
            else:
                trio.run(in_lines, reel, lines)
            if not reel.reaches(len(reel.moments)) and not reel.finished:  # and not only left before its end
                click.echo("The record ends here without a result: the game is not finished.", err=True)
    except UnknownViewpoint as error:
        raise InputError(str(error)) from None
    except RecordError as error:
        if error.line is not None:  # the sentence may name what the public must not see
            error = RecordError(f"line {error.line} is not sound; `arena verify` says why")
        raise CheckFailed(f"{printable(str(path))}: {error}") from None


async def in_lines(reel: Reel, lines: bool) -> None:
    """Print what happens, or the last table alone, as far as the record goes."""
    import trio
    from rich.console import Console

    index = 0
    while True:
        while reel.reaches(index):
            for number, told in reel.moments[index].news if lines else ():
                click.echo(f"{number} {printable(told)}")
            index += 1
        if not lines or not reel.grows:
            break
        await trio.sleep(LOOK_AGAIN)
    if not lines:
        Console(highlight=False).print(reel.board(index - 1))
    for line in reel.outcome if lines else ():
        click.echo(line)


async def in_terminal(reel: Reel, pace: float) -> None:
    """Step through the moments until the end, or until `q`."""
    import trio

    from arena.cli.keys import listening
    from arena.cli.screen import Screen

    screen = Screen()
    with listening() as keys, screen.shown():
        async with trio.open_nursery() as nursery:
            nursery.start_soon(screen.keep_drawing)
            player = Player(reel, screen, pace)
            if keys:
                nursery.start_soon(player.listen)
            await player.play()
            nursery.cancel_scope.cancel()


class Player:
    """Plays a record in the terminal, as the keys say."""

    def __init__(self, reel: Reel, screen: Screen, pace: float) -> None:
        import trio

        self._reel = reel
        self._screen = screen
        self._pace = pace
        self._index = 0
        self._stopped = False
        self._press, self._pressed = trio.open_memory_channel[str](0)

    async def listen(self) -> None:
        """Take the keys, until cancelled."""
        from arena.cli.keys import pressed

        async for meaning in pressed():
            await self._press.send(meaning)

    async def play(self) -> None:
        """To the end of the record; one that is stopped stays where it is until it goes on, or until `q`."""
        while True:
            self._show()
            more = self._reel.reaches(self._index + 1)
            if not (self._stopped or more or self._reel.grows):
                return
            meaning = await self._key(math.inf if self._stopped else self._pace if more else LOOK_AGAIN)
            if meaning == "quit":
                return
            self._do(meaning)

    async def _key(self, limit: float) -> str | None:
        """What is pressed within so many seconds."""
        import trio

        with trio.move_on_after(limit):
            return await self._pressed.receive()
        return None

    def _do(self, meaning: str | None) -> None:
        match meaning:
            case None | "on":
                self._stopped = meaning is not None
                self._index += self._reel.reaches(self._index + 1)
            case "back":
                self._stopped = True
                self._index = max(0, self._index - 1)
            case "first":
                self._index = 0
            case "last":
                while self._reel.reaches(self._index + 1):
                    self._index += 1
            case "stop":
                self._stopped = not self._stopped
            case "faster":
                self._pace = max(FASTEST, self._pace / FASTER)
            case "slower":
                self._pace = min(SLOWEST, max(FASTEST, self._pace) * FASTER)

    def _show(self) -> None:
        board = self._reel.board(self._index)
        stopped = "stopped, " if self._stopped else ""
        board.note = f"q ends; moment {self._index}, {stopped}{self._pace:.2g} s each; space, arrows, + -"
        self._screen.board = board
        self._screen.draw()
