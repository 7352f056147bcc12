"""Signals that come while a worker is being started, or while it plays."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import BrokenExecutor
from contextvars import copy_context
from pathlib import Path

import pytest
from programs import playing, tournament

from tournaments.schedules import pairings
from tournaments.worker import Leash, leash, play_block

SCRIPT = """
import multiprocessing, signal
from tournaments.worker import SIGNALS, without_signals

if __name__ == "__main__":
    with without_signals():
        process = multiprocessing.get_context("spawn").Process(target=print)
        process.start()
        print(signal.pthread_sigmask(signal.SIG_BLOCK, ()) >= SIGNALS)
    process.join()
"""


def test_first_process_is_started_without_signals_too(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=60)
    assert (done.stdout.split(), done.stderr) == (["True"], "")


def test_block_that_was_broken_off_is_not_taken_for_one_that_was_played(tmp_path: Path) -> None:
    what = tournament(tmp_path, playing("Ada"), playing("Bo"))
    held = Leash()
    held.pull()
    here = copy_context()
    here.run(leash.set, held)
    with pytest.raises(BrokenExecutor, match="was broken off"):
        here.run(play_block, what, list(pairings(what.schedule())))
