"""A tournament on a real Dask cluster: in this process every day, in processes that are killed for a soak."""

from __future__ import annotations

import json
import os
import select
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import trio
from click.testing import CliRunner
from distributed import Client, LocalCluster
from programs import PATIENCE, PLAY, gone, pids, playing, tournament

from arena.cli import main
from arena.cli.tournament import read
from arena.records import read_record, verify
from protocol.messages import Clock
from tournaments import cluster_worker, worker
from tournaments.cluster import Machine, NoCluster, cluster
from tournaments.config import Tournament
from tournaments.deals import SECRET, secrets_of
from tournaments.report import of_tournament
from tournaments.run import run
from tournaments.schedules import pairings
from tournaments.store import Store, claim, wait_for_workers

LOOPBACK = {"host": "127.0.0.1", "protocol": "tcp", "dashboard_address": "127.0.0.1:0"}
LONG = 600.0  # seconds for a whole run; then the test fails
HANGS = "while :; do sleep 1; done"


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    """The address of a cluster with one worker of two threads."""
    with LocalCluster(n_workers=1, threads_per_worker=2, processes=False, **LOOPBACK) as dask:
        yield dask.scheduler_address


def results(what: Tournament, executor: Executor) -> tuple[object, object]:
    """Play all; the games, whenever they were played, and the standings."""
    with claim(what.folder), Store(what.folder) as store:
        what = replace(what, secrets=secrets_of(store))
        store.belongs_to(what.settings())
        assert run(what, store, executor=executor).done == 2
        games = {played.id: replace(played, started="") for played in store.games()}
        return games, timeless(of_tournament(store).for_programs())


def timeless(standings: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Without the Elo that depends on which game was started first."""
    return [row | {"live": None} for row in standings]


def test_cluster_plays_and_has_the_results_of_a_local_run(tmp_path: Path, scheduler: str) -> None:
    parents = tmp_path / "parents"
    programs = playing("Ada", first=f'echo $PPID >> "{parents}"'), playing("Bo")
    here, there = (tournament(tmp_path / name, *programs) for name in ("here", "there"))
    with cluster(scheduler) as dask:
        of_cluster = results(there, dask)
    assert pids(parents) == [os.getpid()]  # where its worker is: the processes of a local run are others
    here.folder.mkdir(parents=True)
    shutil.copy(there.folder / SECRET, here.folder)
    with ThreadPoolExecutor(1) as thread:
        assert results(here, thread) == of_cluster


@pytest.fixture
def begun(tmp_path: Path) -> Iterator[Callable[[int], list[int]]]:
    """Waits until so many programs have written their process ids to the pipe `begun`; returns them."""
    os.mkfifo(tmp_path / "begun")
    pipe = os.open(tmp_path / "begun", os.O_RDWR)

    def wait(number: int) -> list[int]:
        text = b""
        while text.count(b"\n") < number:
            assert select.select([pipe], [], [], PATIENCE)[0], "they have not begun"
            text += os.read(pipe, 4096)
        return list(map(int, text.split()))

    yield wait
    os.close(pipe)


def hanging(folder: Path) -> Tournament:
    """A tournament of two games, the first of which does not end."""
    programs = playing("Ada", first="echo $$ > begun", each=HANGS), playing("Bo", each=HANGS)
    return tournament(folder, *programs, clock=Clock(move=1000.0, bank=0.0, grace=0.2))


def test_stopped_run_breaks_off_what_the_cluster_plays(
    tmp_path: Path, scheduler: str, begun: Callable[[int], list[int]]
) -> None:  # S056
    what = hanging(tmp_path)
    programs: list[int] = []

    def stop() -> None:
        programs.extend(begun(1))
        os.kill(os.getpid(), signal.SIGINT)

    stopper = Thread(target=stop)
    with claim(what.folder), Store(what.folder) as store, cluster(scheduler) as dask:
        stopper.start()
        progress = run(what, store, executor=dask)
        assert wait_for_workers(what.folder, 0)
    stopper.join()
    assert (progress.stopped, progress.done, progress.problems) == (signal.SIGINT, 0, [])
    trio.run(gone, *programs)


def test_block_whose_runner_is_gone_is_broken_off(
    tmp_path: Path, scheduler: str, begun: Callable[[int], list[int]]
) -> None:  # S040
    what = hanging(tmp_path)
    with cluster(scheduler) as dask:
        dask.submit(worker.play_block, what, list(pairings(what.schedule())))
        (program,) = begun(1)
        assert not wait_for_workers(what.folder, 0)
    assert wait_for_workers(what.folder, PATIENCE)
    trio.run(gone, program)


def test_scheduler_that_is_gone_ends_the_run_and_what_is_played(
    tmp_path: Path, begun: Callable[[int], list[int]]
) -> None:
    what = hanging(tmp_path)
    programs: list[int] = []

    def close(dask: LocalCluster) -> None:
        programs.extend(begun(1))
        dask.close()

    with LocalCluster(n_workers=1, threads_per_worker=1, processes=False, **LOOPBACK) as dask:
        closer = Thread(target=close, args=(dask,))
        with claim(what.folder), Store(what.folder) as store, cluster(dask.scheduler_address) as found:
            closer.start()
            with pytest.raises(NoCluster, match="the scheduler of the cluster is gone; start it"):
                run(what, store, executor=found)
        closer.join()
    assert wait_for_workers(what.folder, PATIENCE)
    trio.run(gone, *programs)


def test_more_threads_than_processors_are_warned_of(
    tmp_path: Path, scheduler: str, monkeypatch: pytest.MonkeyPatch
) -> None:  # S033
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0})
    with cluster(scheduler) as dask:
        assert dask.machines == [Machine("127.0.0.1", 2, 1)]
    entrants = [f'[[entrant]]\nname = "{name}"\ncommand = ["false"]\n' for name in ("Ada", "Bo")]
    (tmp_path / "cup.toml").write_text("\n".join(["[tournament]\nblocks = 1", *entrants]))
    words = ["tournament", "run", "--cluster", scheduler, str(tmp_path / "cup.toml")]
    told = CliRunner().invoke(main, words).stderr
    assert "note: 2 threads of the Dask workers on 127.0.0.1 share 1 processor, so" in told
    assert "not played: " in told


def test_worker_that_cannot_play_is_told(scheduler: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> int:
        raise ModuleNotFoundError("No module named 'tournaments'")

    monkeypatch.setattr(cluster_worker, "processors", missing)
    words = r"the worker at tcp://.* cannot play: ModuleNotFoundError: No module .*; install this version of"
    with pytest.raises(NoCluster, match=words), cluster(scheduler):
        pass


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


# With processes, which can be killed


@pytest.fixture
def processes() -> Iterator[str]:
    """The address of a cluster with two workers, each a process."""
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, **LOOPBACK) as dask:
        yield dask.scheduler_address


def prepare(folder: Path, *entrants: str) -> Path:
    """The file of a tournament in which nobody runs out of time."""
    folder.mkdir(exist_ok=True)
    parts = [f'[[entrant]]\nname = "{name}"\n{how}' for name, how in zip("ABC", entrants, strict=False)]
    heading = '[tournament]\nseats = 2\nblocks = 2\nfolder = "out"\n[clock]\nmove = 1000.0'
    (folder / "cup.toml").write_text("\n".join([heading, *parts]))
    return folder / "cup.toml"


def start(file: Path, *words: str) -> subprocess.Popen[str]:
    """`arena tournament run` as a process."""
    command = [sys.executable, "-m", "arena", "tournament", "run", "--json", *words, file.name]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=file.parent, stdout=pipe, stderr=pipe, text=True)


def stored(file: Path) -> dict[str, tuple[object, ...]]:
    """The results by id, each of which is that of a sound record."""
    folder = read(file).folder
    with Store(folder) as store:
        games = list(store.games())
    for played in games:
        record = read_record(folder / played.record)
        verify(record)
        assert record.result is not None
        assert record.result.places == played.places
    return {played.id: (played.entrants, played.places, played.credits) for played in games}


@pytest.mark.soak
def test_killed_worker_of_a_cluster_costs_nothing(tmp_path: Path, processes: str) -> None:
    (tmp_path / "player.sh").write_text(f'echo $PPID >> "{tmp_path}/parents"\n{PLAY.format("echo 0")}')
    entrants = 'bot = "greedy"', 'bot = "random"', f'command = ["sh", "{tmp_path}/player.sh"]'
    here, there = (prepare(tmp_path / name, *entrants) for name in ("here", "there"))
    with start(there, "--cluster", processes) as run, Client(processes) as client:
        workers = set(client.run(os.getpid).values())
        assert run.stderr is not None
        while not (line := run.stderr.readline()).startswith("game 2"):
            assert line, "it ended before a worker was killed"
        os.kill(min(workers), signal.SIGKILL)
        told, errors = run.communicate(timeout=LONG)
        assert run.returncode == 0, errors
        workers |= set(client.run(os.getpid).values())
    assert len(stored(there)) == 12
    assert set(pids(tmp_path / "parents")) <= workers

    (here.parent / "out").mkdir()
    shutil.copy(there.parent / "out" / SECRET, here.parent / "out")
    with start(here) as run:
        told_here, errors = run.communicate(timeout=LONG)
        assert run.returncode == 0, errors
    assert stored(here) == stored(there)
    assert timeless(json.loads(told_here)) == timeless(json.loads(told))


@pytest.mark.soak
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_run_that_a_signal_ends_leaves_nothing_on_the_cluster_and_goes_on(
    tmp_path: Path, processes: str, begun: Callable[[int], list[int]], number: signal.Signals
) -> None:  # S040, S056
    (tmp_path / "hang").touch()
    each = "while [ -e hang ]; do sleep 0.1; done; echo 0"
    (tmp_path / "player.sh").write_text(f"echo $$ > begun\n{PLAY.format(each)}")
    file = prepare(tmp_path, *['command = ["sh", "player.sh"]'] * 2)
    with start(file, "--cluster", processes) as run:
        programs = begun(4)
        run.send_signal(number)
        _, errors = run.communicate(timeout=LONG)
    if number == signal.SIGKILL:
        assert wait_for_workers(tmp_path / "out", PATIENCE)
    else:
        assert run.returncode == 128 + number
        assert "stopped after 0 of 4 games; go on with:" in errors
        assert wait_for_workers(tmp_path / "out", 0)
    for program in programs:
        trio.run(gone, program)
    (tmp_path / "hang").unlink()
    with start(file, "--cluster", processes) as run:
        _, errors = run.communicate(timeout=LONG)
        assert run.returncode == 0, errors
    assert len(stored(file)) == 4
