"""A tournament on a real Dask cluster of processes, one of which is killed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from arena.cli.tournament import read
from arena.records import read_record, verify
from tournaments.cluster import NoCluster, cluster
from tournaments.schedules import pairings
from tournaments.store import Store

PATIENCE = 300  # seconds; then the test fails

CLUSTER = """
import os, signal, subprocess, sys
from distributed import Client, LocalCluster

if __name__ == "__main__":
    options = dict(n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1")
    with LocalCluster(processes=True, **options) as cluster, Client(cluster) as client:
        command = [sys.executable, "-m", "arena", "tournament", "run", sys.argv[1]]
        command += ["--cluster", cluster.scheduler_address]
        run = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        killed = False
        for line in run.stderr:
            print(line, end="", file=sys.stderr)
            if line.startswith("game 2") and not killed:
                killed = True
                victim = next(iter(client.run(os.getpid).values()))
                os.kill(victim, signal.SIGKILL)
        sys.exit(run.wait() if killed else 99)
"""


def prepare(folder: Path) -> Path:
    player = """while read -r line; do case $line in *'"type":"request"'*) echo 0 ;; esac; done"""
    (folder / "player.sh").write_text(player)
    entrants = "".join(f'[[entrant]]\nname = "{name}"\ncommand = ["sh", "player.sh"]\n' for name in "ABC")
    (folder / "cup.toml").write_text(f'[tournament]\nseats = 2\nblocks = 2\nfolder = "out"\n{entrants}')
    (folder / "cluster.py").write_text(CLUSTER)
    return folder / "cup.toml"


@pytest.mark.soak
def test_killed_worker_of_a_cluster_costs_nothing(tmp_path: Path) -> None:
    file = prepare(tmp_path)
    done = subprocess.run(
        [sys.executable, "cluster.py", file.name],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    what = read(file)
    with Store(what.folder) as store:
        games = list(store.games())
    assert {played.id for played in games} == {pairing.id for pairing in pairings(what.schedule())}
    assert len(games) == 12
    for played in games:
        record = read_record(what.folder / played.record)
        verify(record)
        assert record.result is not None
        assert record.result.places == played.places


@pytest.mark.parametrize("address", ["nonsense://x", "x", "tcp://127.0.0.1:1", "127.0.0.1:99999"])
def test_address_without_a_scheduler_is_told(address: str) -> None:
    with pytest.raises(NoCluster, match=f"no scheduler answers at {address}; start one"), cluster(address):
        pass


def test_missing_extra_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with (
        pytest.raises(NoCluster, match="needs the extra cluster; install it with"),
        cluster("tcp://127.0.0.1:1"),
    ):
        pass
