"""The whole terminal for one board: drawn anew when something happens, and now and then for the clock and the size."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import trio
from rich.console import Console
from rich.live import Live

if TYPE_CHECKING:
    from arena.board import Board

TICK: Final = 0.2  # seconds between two drawings while nothing happens


def is_screen() -> bool:
    """Whether standard output is a terminal on which a picture can be drawn."""
    return sys.stdout.isatty() and not Console().is_dumb_terminal


class Screen:
    """Shows one board."""

    def __init__(self) -> None:
        self.board: Board | None = None
        self._console = Console(highlight=False)
        self._live = Live(console=self._console, auto_refresh=False, screen=True, vertical_overflow="crop")

    @contextmanager
    def shown(self) -> Iterator[None]:
        """While inside, the board has the terminal; afterwards the last picture stays, a line less for the prompt."""
        try:
            with self._live:
                yield
        finally:
            if self.board is not None:
                self._console.print(self.board, height=self._console.height - 1)

    def draw(self) -> None:
        """Draw the board as it is now."""
        if self.board is not None:
            self._live.update(self.board, refresh=True)

    async def keep_drawing(self) -> None:
        """Until cancelled: time passes, and terminals change their size."""
        while True:
            await trio.sleep(TICK)
            self.draw()
