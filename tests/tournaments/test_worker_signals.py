"""Signals that come while a worker is being started."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

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
