"""Entrants for tests: tiny shell programs, which start in milliseconds, and what is known of them afterwards."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import trio

from protocol.messages import Clock
from tournaments.config import Tournament
from tournaments.entrants import Entrant

PATIENCE = 120.0  # seconds, of a machine that may be busy; then the test fails

PLAY = """
while read -r line; do
    case $line in *'"type":"request"'*) {} ;; esac
done
"""


def playing(name: str, *, first: str = "", each: str = "echo 0", last: str = "") -> Entrant:
    """A program that does something first, at each request, and at the end of its input."""
    return Entrant(name, command=("sh", "-c", f"{first}\n{PLAY.format(each)}\n{last}", name))


def crashing(name: str, request: int, code: int = 3) -> Entrant:
    """It ends with this code at the n-th request of its life, and answers those before."""
    return playing(name, first="n=0", each=f"n=$((n+1)); [ $n = {request} ] && exit {code}; echo 0")


def marked(name: str, file: Path, **more: Any) -> Entrant:
    """It appends its process id to a file first."""
    return playing(name, first=f'echo $$ >> "{file}"', **more)


def tournament(folder: Path, *entrants: Entrant, **more: Any) -> Tournament:
    """Two seats unless told otherwise."""
    settings: dict[str, Any] = {"name": "test", "seats": 2, "blocks": 1, "seed": 1, "home": folder}
    settings |= {"clock": Clock(move=10.0, bank=30.0, grace=0.2)} | more
    return Tournament(folder=folder / "out", entrants=entrants, **settings)


def pids(file: Path) -> list[int]:
    """The process ids that `marked` programs have written."""
    return [int(line) for line in file.read_text().split()] if file.exists() else []


async def gone(pid: int) -> None:
    """Return when the process has ended; the test fails if it does not."""
    try:
        file = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    with trio.fail_after(PATIENCE):
        await trio.lowlevel.wait_readable(file)
    os.close(file)
