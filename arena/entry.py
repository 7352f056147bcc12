"""Where the command `arena` begins. From here on Ctrl-C ends it with one sentence, also while it still loads.

Only what loads in a moment is imported here. A command that has something to put in order at Ctrl-C, as a terminal,
says so (`in_order`) or listens to signals by itself; any other is ended at once, which harms no more than a kill.
"""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import sys
from types import FrameType

RUN = ["tournament", "run"]  # the command that tells how to go on (S043)


def main() -> None:
    """The command line, as the script `arena` and `python -m arena` start it."""
    again = f"; go on with:\n{shlex.join([*called(), *sys.argv[1:]])}" if sys.argv[1:3] == RUN else ""
    words = os.fsencode(f"stopped{again}\n")

    def at_once(number: int, frame: FrameType | None) -> None:
        os.write(2, words)
        os._exit(
            128 + number
        )  # an exception could get lost in what is being imported, or come with a traceback

    for number in (signal.SIGINT, signal.SIGTERM) if again else (signal.SIGINT,):
        if signal.getsignal(number) is not signal.SIG_IGN:  # as for a job in the background
            signal.signal(number, at_once)

    from arena.cli import main as command_line

    command_line(prog_name="arena")


def in_order() -> None:
    """From now on Ctrl-C is a `KeyboardInterrupt`: there is something to put in order."""
    if signal.getsignal(signal.SIGINT) not in (signal.SIG_IGN, signal.default_int_handler):
        signal.signal(signal.SIGINT, signal.default_int_handler)


def called() -> list[str]:
    """How this program was called, as words of a command line."""
    path = sys.argv[0]
    name = os.path.basename(path)
    if name == "__main__.py":
        return [sys.executable, "-m", "arena"]
    found = shutil.which(name)
    return [name if found and os.path.exists(path) and os.path.samefile(found, path) else path]
