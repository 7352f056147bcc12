"""Keys that are pressed while something is shown in a terminal."""

from __future__ import annotations

import os
import re
import sys
import termios
import tty
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Final

import trio

KEYS: Final = {
    b"q": "quit",
    b" ": "stop",
    b"\x1b[C": "on",
    b"\x1bOC": "on",
    b"\x1b[D": "back",
    b"\x1bOD": "back",
    b"\x1b[H": "first",
    b"\x1b[F": "last",
    b"+": "faster",
    b"-": "slower",
}
"""What is meant by the bytes that terminals send."""

KEY: Final = re.compile(rb"\x1b[\[O][0-9;]*.|.", re.DOTALL)  # one key among those that come together
AT_ONCE: Final = 64  # bytes of one read: a key is a few


@contextmanager
def listening() -> Iterator[bool]:
    """While inside, keys come at once and are not shown, also those from before; false where there are none to be read.

    There are none without a terminal on standard input, and none for a program in the background, which a terminal
    would stop.
    """
    fd = sys.stdin.fileno() if sys.stdin.isatty() else -1
    try:
        if fd < 0 or os.tcgetpgrp(fd) != os.getpgrp():
            yield False
            return
        before = termios.tcgetattr(fd)
    except (OSError, termios.error):
        yield False
        return
    tty.setcbreak(fd, termios.TCSADRAIN)  # what has been typed already is kept
    try:
        yield True
    finally:
        termios.tcsetattr(fd, termios.TCSADRAIN, before)


async def pressed() -> AsyncIterator[str]:
    """The meaning of each key, as it is pressed; others are passed over. Only while `listening`.

    Keys that were pressed while a picture was drawn come together.
    """
    fd = sys.stdin.fileno()
    while True:
        await trio.lowlevel.wait_readable(fd)
        read = os.read(fd, AT_ONCE)
        if not read:
            return
        for key in KEY.findall(read):
            if key in KEYS:
                yield KEYS[key]
