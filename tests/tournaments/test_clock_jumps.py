"""The clock of the wall is set while a tournament runs, and between two runs of it."""

from __future__ import annotations

import os
import signal
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle
from pathlib import Path

from programs import playing, tournament

from arena.records import read_record, verify
from tests.wallclock import WallClock
from tournaments.run import Audience, Progress, run
from tournaments.schedules import pairings
from tournaments.store import Played, Store


def test_tournament_is_played_once_however_the_clock_is_set(tmp_path: Path, wall: WallClock) -> None:  # S040
    what = tournament(tmp_path, playing("Ada"), playing("Bo"), playing("Cy"))
    days = cycle((-1, 1, 1, -1))
    told: list[int] = []

    def result(progress: Progress, played: Played) -> None:
        told.append(progress.done)
        wall.jump(next(days), *what.folder.glob("games/*"), what.folder / "results.sqlite")
        if progress.done == 3:
            os.kill(os.getpid(), signal.SIGTERM)

    for day in (0, -1, 3):
        wall.jump(day)
        with ThreadPoolExecutor(1) as here, Store(what.folder) as store:
            store.belongs_to(what.settings())
            progress = run(what, store, executor=here, audience=Audience(result))
            games = list(store.games())
    assert told == [1, 2, 3, 4, 5, 6]
    assert (progress.done, progress.problems) == (6, [])
    assert sorted(played.id for played in games) == sorted(each.id for each in pairings(what.schedule()))
    for played in games:
        assert set(played.reasons) == {"normal"}
        verify(read_record(what.folder / played.record))
