"""Ctrl-C while a command still loads, or has not begun to play: one sentence, and never a traceback."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import arena

AT_A_MOMENT = """
import os, runpy, signal, sys

def stop(*args):
    os.kill(os.getpid(), signal.{name})

class Hook:
    def find_spec(self, name, path=None, target=None):
        if name == "{moment}":
            stop()

if "{moment}" == "playing":
    from tournaments import run
    run.start_progress = stop
else:
    sys.meta_path.insert(0, Hook())
runpy.run_module("arena", run_name="__main__", alter_sys=True)
"""
FILE = """[tournament]
folder = "out"
[[entrant]]
name = "Ada"
bot = "random"
[[entrant]]
name = "Bo"
bot = "random"
"""


def stopped(moment: str, folder: Path, *words: str, name: str = "SIGINT") -> subprocess.CompletedProcess[str]:
    """The command, which gets the signal when it begins to import this module."""
    code = AT_A_MOMENT.format(moment=moment, name=name)
    command = [sys.executable, "-c", code, *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)


@pytest.mark.parametrize(
    ("moment", "name", "code"),
    [
        ("click", "SIGINT", 130),
        ("tournaments.config", "SIGTERM", 143),
        ("playing", "SIGINT", 130),
    ],
)
def test_run_tells_how_to_go_on_before_it_plays(
    tmp_path: Path, moment: str, name: str, code: int
) -> None:  # S043
    (tmp_path / "spring cup.toml").write_text(FILE)
    words = ["tournament", "run", "--workers", "2", "spring cup.toml"]
    told = stopped(moment, tmp_path, *words, name=name)
    again = shlex.join([sys.executable, "-m", "arena", *words])
    assert told.returncode == code
    assert told.stderr.endswith(f"stopped; go on with:\n{again}\n")
    assert "Traceback" not in told.stderr
    assert told.stdout == ""
    assert list((tmp_path / "out").rglob("*.jsonl")) == []


@pytest.mark.parametrize(
    ("moment", "words"),
    [
        ("arena.cli", ["cards"]),
        ("trio", ["serve", "--port", "0"]),
        ("trio", ["watch", "127.0.0.1:1"]),
    ],
)
def test_any_command_says_that_it_was_stopped_while_it_loaded(
    tmp_path: Path, moment: str, words: list[str]
) -> None:
    told = stopped(moment, tmp_path, *words)
    assert (told.returncode, told.stdout, told.stderr) == (130, "", "stopped\n")


def test_job_in_the_background_goes_on_at_ctrl_c(tmp_path: Path) -> None:
    code = f"""
import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_IGN)
os.execv(sys.executable, [sys.executable, "-c", {AT_A_MOMENT.format(moment="click", name="SIGINT")!r}, "--version"])
"""
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert (told.returncode, told.stderr) == (0, "")


def test_script_begins_there_too() -> None:
    root = Path(arena.__file__).parents[1]
    assert 'arena = "arena.entry:main"' in (root / "pyproject.toml").read_text()
