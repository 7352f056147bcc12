"""What programs leave behind is ended with them, whatever they did to get away (S056)."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import trio
from programs import gone, pids, playing, tournament

from tournaments.run import run
from tournaments.store import Store

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux lets a process adopt orphans")


def test_child_without_our_mark_in_a_session_of_its_own_is_ended(tmp_path: Path) -> None:  # S056
    file = tmp_path / "pids"
    leaving = f"""
        env -i setsid sh -c 'sleep 1000 & echo $! >> "{file}"; echo $$ >> "{file}"; exec sleep 1000' \
            <&- >&- 2>&- &
        while ! [ -f "{file}" ] || [ "$(wc -l < "{file}")" -lt 2 ]; do :; done
    """
    what = tournament(tmp_path, playing("Ada", first=leaving), playing("Bo"))
    with Store(what.folder) as store:
        store.belongs_to(what.settings())
        assert run(what, store, workers=1).done == 2
    left = pids(file)
    assert len(left) >= 2
    for pid in left:
        trio.run(gone, pid)
