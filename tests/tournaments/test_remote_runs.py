"""Runs with remote entrants: what is played where, and what happens when the hall dies or nobody comes."""

from __future__ import annotations

import multiprocessing
import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import trio
from guests import guest, remote
from programs import PATIENCE, playing, tournament
from test_run import Here, decided, won

from clients import bridge
from tournaments import run as module
from tournaments.config import Tournament
from tournaments.entrants import Door
from tournaments.hall import NoHall
from tournaments.hall_process import HallProcess
from tournaments.run import TRIES, Audience, Block, Progress, run
from tournaments.schedules import pairings
from tournaments.store import Played, Store
from tournaments.worker import Outcome


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bridge, "LAST_WORDS", 0.3)


@contextmanager
def stored(what: Tournament) -> Iterator[Store]:
    with Store(what.folder) as store:
        store.belongs_to(what.settings())
        yield store


class Hall:
    """A place that answers at once, or, if it waits for ever, when it is closed."""

    def __init__(self, what: Tournament, tables: int, *, waits: bool = False) -> None:
        self.tables = tables
        self.blocks: list[str] = []
        self.over: bool | None = None
        self.waits = waits
        self.tell: Callable[[str], object] = print

    def open(self) -> str:
        return "there:1"

    def submit(self, what: Tournament, block: Any) -> Future[Any]:
        self.blocks.append(block[0].block)
        future: Future[Any] = Future()
        if not self.waits:
            future.set_result(decided(what, block))
        return future

    def close(self, *, over: bool) -> None:
        self.over = over


def field(folder: Path, **more: Any) -> Tournament:
    return tournament(folder, playing("Ada"), playing("Bo"), remote("Eve"), remote("Flo"), **more)


def test_blocks_with_guests_are_played_in_the_hall_and_others_by_the_workers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    what = field(tmp_path, blocks=3)
    hall, workers = Hall(what, 1), Here(won)
    monkeypatch.setattr(module, "HallProcess", lambda *_: hall)
    with stored(what) as store:
        assert run(what, store, executor=workers).done == 36
    both = {each.block: set(each.seating) for each in pairings(what.schedule())}
    assert sorted(workers.blocks) == sorted(id for id, names in both.items() if names == {"Ada", "Bo"})
    assert sorted(hall.blocks) == sorted(id for id, names in both.items() if names != {"Ada", "Bo"})
    assert hall.over


def test_blocks_that_need_no_guest_wait_for_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    what = field(tmp_path, blocks=3)
    hall = Hall(what, 1, waits=True)
    monkeypatch.setattr(module, "HallProcess", lambda *_: hall)
    told: list[int] = []

    def stop_after_six(progress: Progress, played: Played) -> None:
        told.append(progress.done)
        if progress.done == 6:
            os.kill(os.getpid(), signal.SIGINT)

    with stored(what) as store:
        progress = run(what, store, executor=Here(won), audience=Audience(stop_after_six))
    assert (progress.done, progress.stopped) == (6, signal.SIGINT)
    assert len(hall.blocks) == 2 * 2  # two ahead for each guest
    assert hall.over is False  # so that the guests come back to the next run


@pytest.mark.parametrize("format", ["swiss", "knockout", "double-knockout", "ladder"])
def test_schedules_that_wait_for_results_are_played_to_their_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, format: str
) -> None:
    what = field(tmp_path, format=format, blocks=2, rounds=2)
    hall = Hall(what, 1)
    monkeypatch.setattr(module, "HallProcess", lambda *_: hall)
    with stored(what) as store:
        progress = run(what, store, executor=Here(decided))
        results = [played.result() for played in store.games()]
        assert {played.id for played in store.games()} == {
            each.id for each in pairings(what.schedule(), results)
        }
    assert progress.given_up == 0
    assert len(hall.blocks) == len(set(hall.blocks)) > 0


def test_nobody_is_let_in_when_all_is_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    what = field(tmp_path)
    monkeypatch.setattr(module, "HallProcess", Hall)
    with stored(what) as store:
        run(what, store, executor=Here(won))
        heard: list[str] = []
        run(what, store, executor=Here(won), audience=Audience(notice=heard.append))
    assert heard == []


# With the process of the hall


class Guests:
    """They play in threads of their own, from when the address is told."""

    def __init__(self, *names: str) -> None:
        self.names = names
        self.heard: list[str] = []
        self.threads: list[threading.Thread] = []

    def notice(self, text: str) -> None:
        self.heard.append(text)
        if text.startswith("remote entrants log in at ") and not self.threads:
            for name in self.names:
                client = guest(name, text.split()[-1])
                self.threads.append(threading.Thread(target=trio.run, args=(client.run,)))
                self.threads[-1].start()

    def join(self) -> None:
        for thread in self.threads:
            thread.join(PATIENCE)
            assert not thread.is_alive()


def port() -> int:
    """One that is free, for halls that follow one another."""
    with socket.socket() as it:
        it.bind(("127.0.0.1", 0))
        return int(it.getsockname()[1])


def test_killed_hall_is_replaced_and_its_guests_come_back(tmp_path: Path) -> None:  # S040
    what = tournament(tmp_path, playing("Ada"), remote("Eve"), remote("Flo"), door=Door(port=port(), wait=60))
    guests = Guests("Eve", "Flo")
    killed: list[int] = []

    def result(progress: Progress, played: Played) -> None:
        if not killed:
            (hall,) = multiprocessing.active_children()
            assert hall.pid is not None
            killed.append(hall.pid)
            os.kill(hall.pid, signal.SIGKILL)

    with ThreadPoolExecutor(1) as threads, stored(what) as store:
        progress = run(what, store, executor=threads, audience=Audience(result, notice=guests.notice))
        games = list(store.games())
    guests.join()
    assert progress.problems == []
    assert {each.id for each in games} == {each.id for each in pairings(what.schedule())}
    assert len(games) == 6
    assert all(set(each.reasons) == {"normal"} for each in games)
    assert len([text for text in guests.heard if text.startswith("remote entrants log in at")]) == 2


def test_port_that_is_taken_when_the_hall_dies_ends_the_run_and_makes_nothing_void(tmp_path: Path) -> None:
    door = Door(port=port(), wait=60)
    what = tournament(tmp_path, remote("Eve"), remote("Flo"), door=door, format="swiss")
    others: list[socket.socket] = []
    heard: list[str] = []

    def notice(text: str) -> None:
        heard.append(text)
        if text.startswith("waiting for") and not others:
            (hall,) = multiprocessing.active_children()
            hall.kill()
            hall.join()
            others.append(socket.create_server(("127.0.0.1", door.port)))

    with ThreadPoolExecutor(1) as threads, stored(what) as store:
        with pytest.raises(NoHall, match=f"port {door.port} cannot be listened on: another program listens"):
            run(what, store, executor=threads, audience=Audience(notice=notice, problem=heard.append))
        assert not store.ids()
    (other,) = others
    other.close()
    assert not list(what.folder.glob("games/*"))
    assert not [text for text in heard if "listened" in text]  # the one sentence is that of the error


def test_fault_of_ours_in_the_hall_is_tried_again_as_one_of_a_worker_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    what = tournament(tmp_path, remote("Eve"), remote("Flo"))
    tries: list[str] = []
    unreadable: Any = ([],)  # no names of entrants

    class Faulty(HallProcess):
        def submit(self, tournament: Tournament, block: Block) -> Future[Outcome]:
            tries.append(block[0].block)
            return super().submit(tournament, [replace(each, seating=unreadable) for each in block])

    monkeypatch.setattr(module, "HallProcess", Faulty)
    with ThreadPoolExecutor(1) as threads, stored(what) as store:
        progress = run(what, store, executor=threads)
    assert tries == TRIES * [tries[0]]
    assert progress.problems == [f"the block {tries[0]} failed with HallFault, which is told above"]
