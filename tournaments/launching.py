"""How the program of an entrant is started: its folder, environment and limits, and what is wrapped around it.

Shipped bots are started as `arena bot`.
"""

from __future__ import annotations

import os
import signal
import sys
from dataclasses import dataclass
from pathlib import Path

from protocol.errors import printable, quote
from tournaments.entrants import Entrant

OVER = 1  # seconds of processor time that a program has after SIGXCPU, in which it may say so
SHELL = "/bin/sh"  # sets the limits of a program before it becomes that program


@dataclass(frozen=True)
class Launch:
    """What the system is asked to start."""

    command: tuple[str, ...]
    cwd: Path
    env: dict[str, str]


def launch(entrant: Entrant, home: Path) -> Launch:
    """How the command of an entrant is started; `home` is the folder of the tournament file.

    Limits are rlimits, so they hold for each process of the program by itself. They are set by a shell that then
    becomes the program, before its first instruction.
    """
    command = (*entrant.wrapper, *entrant.command)
    limits = []
    if entrant.memory:
        limits.append(f"ulimit -v {entrant.memory * 1024}")
    if entrant.cpu:
        limits += [f"ulimit -S -t {entrant.cpu}", f"ulimit -H -t {entrant.cpu + OVER}"]
    if limits:
        command = (SHELL, "-c", " && ".join([*limits, 'exec "$@"']), SHELL, *command)
    return Launch(command, home / entrant.folder, {**os.environ, **dict(entrant.environment)})


def with_limit(entrant: Entrant, how: str) -> str:
    """How a program ended, and the limit that ended it, where that can be known.

    Processor time is told by its signal, also where a shell or a wrapper has made an exit code of it. A program that
    finds no memory ends in its own way.
    """
    number = signal.SIGXCPU.value
    if entrant.cpu and (f"signal {number} " in how or how.endswith(f"exit code {128 + number}")):
        return f"{how}: over its {entrant.cpu} s of processor time (`cpu`)"
    return how


def not_found(entrant: Entrant, home: Path) -> str:
    """Why the first program of an entrant's command cannot be started, in a few words; "" if nothing is against it.

    It is looked for where the start looks: with a slash from the entrant's folder on, else along the entrant's PATH.
    What a wrapper starts is not looked for, as that may lie in a file system which only the wrapper sees.
    """
    how = launch(entrant, home)
    program = (entrant.wrapper or entrant.command)[0]
    folders = ("",) if "/" in program else os.get_exec_path(how.env)
    places = [how.cwd / folder / program for folder in folders]
    files = [place for place in places if os.path.isfile(place)]
    if any(os.access(file, os.X_OK) for file in files):
        return ""
    if files:
        return f"the file {printable(str(files[0]))} cannot be started; make it executable, as with chmod +x"
    where = f"in {printable(str(how.cwd))}" if "/" in program else "along the entrant's PATH"
    return f"there is no program {quote(program)} {where}; give one that is there"


def bot_command(entrant: Entrant, login: str, address: tuple[str, int], away: float) -> list[str]:
    """How a shipped bot is started that logs in under this name; its token goes into the environment.

    `away` are the seconds in which it tries to come back.
    """
    host, port = address
    command = [sys.executable, "-m", "arena", "bot", entrant.bot, "--connect", f"{host}:{port}"]
    command += ["--name", login, "--wait", "--away", str(away)]
    if entrant.iterations:
        command += ["--iterations", str(entrant.iterations)]
    return command
