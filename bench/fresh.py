"""What must be measured in a process of its own: importing the rules, and the memory of live games."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from statistics import median
from tempfile import TemporaryDirectory

from bench.measure import Figure, calibrate

LIVE_GAMES = 100

IMPORT = "import arena.game"

MEMORY = """
import json

def resident():
    with open("/proc/self/status") as lines:
        for line in lines:
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024

from arena.game import default_catalogue
from bench.random_play import middle_games
default_catalogue()
before = resident()
games = middle_games({games}, seed=1)
after = resident()
print(json.dumps([after - before, after]))
"""


def run(code: str, environment: dict[str, str] | None = None) -> str:
    """What a fresh interpreter prints for `code`."""
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=600, env=environment)
    return done.stdout


def seconds(code: str, environment: dict[str, str]) -> float:
    """CPU time of a fresh interpreter that runs `code`, start and end included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run(code, environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def import_time(repetitions: int) -> Figure:
    """Milliseconds that `import arena.game` adds to the start of the interpreter, by turns with bare starts."""
    bare, full, loops = [], [], []
    with TemporaryDirectory() as folder:
        # Bytecode is cached, as it is from the second start of a program on, whatever the caller's settings.
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": folder}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        run(IMPORT, environment)
        for _ in range(repetitions):
            loops.append(calibrate())
            bare.append(seconds("pass", environment))
            full.append(seconds(IMPORT, environment))
    usual = median(full) - median(bare)
    return Figure(
        "import arena.game with all powers",
        "ms",
        1000 * (min(full) - min(bare)),
        1000 * usual,
        usual / median(loops),
        must=150,
        aim=60,
        repetitions=repetitions,
        note=f"less the bare interpreter's {1000 * median(bare):.1f} ms",
    )


def memory(repetitions: int) -> Iterator[Figure]:
    """Megabytes (2**20 bytes) of resident memory of live games, each repetition in a fresh process."""
    runs = [json.loads(run(MEMORY.format(games=LIVE_GAMES))) for _ in range(repetitions)]
    added = [one[0] for one in runs]
    whole = [one[1] for one in runs]
    yield Figure(
        f"resident memory, {LIVE_GAMES} live games",
        "MB",
        min(added),
        median(added),
        must=60,
        aim=40,
        repetitions=repetitions,
        note="growth from before the first game; games stopped mid-way",
    )
    yield Figure(
        f"resident memory, whole process with {LIVE_GAMES} live games",
        "MB",
        min(whole),
        median(whole),
        must=60,
        aim=40,
        repetitions=repetitions,
    )
