"""How the program of an entrant is started: its folder, environment and limits, and what is wrapped around it.

Shipped bots are started as `arena bot`.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

from tournaments.entrants import Entrant

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
        limits.append(f"ulimit -t {entrant.cpu}")
    if limits:
        command = (SHELL, "-c", " && ".join([*limits, 'exec "$@"']), SHELL, *command)
    return Launch(command, home / entrant.folder, {**os.environ, **dict(entrant.environment)})


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
