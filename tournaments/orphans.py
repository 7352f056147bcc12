"""Ends what programs of entrants have left behind, whatever they did to get away: new sessions, empty environments.

A process that plays for a runner adopts the orphans among its descendants, so they become its children; Linux alone
knows how. It has no other children when all its programs have been ended.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36  # of prctl(2)
LOOKS = 200  # for children that are left, as the killed ones leave theirs
PAUSE = 0.01  # seconds between two looks
PROC = Path("/proc")


def adopt() -> bool:
    """Be the parent of all orphans that come of this process from now on; false where the system cannot."""
    if sys.platform != "linux":
        return False
    done: int = ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    return done == 0


def end_children() -> None:
    """Kill and reap all children of this process, and what they leave. For one that has none to keep."""
    for _ in range(LOOKS):
        for child in _children():
            with suppress(OSError):  # it has ended, or is of another user
                os.kill(child, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(PAUSE)


def _children() -> list[int]:
    own = os.getpid()
    found = []
    for folder in PROC.glob("[0-9]*"):
        with suppress(OSError, ValueError):  # it has ended
            if int((folder / "stat").read_bytes().rpartition(b")")[2].split()[1]) == own:
                found.append(int(folder.name))
    return found
