"""What is told while a tournament runs."""

from __future__ import annotations

import pytest

from arena.cli.progress import ENOUGH, EVERY, Teller, duration
from arena.cli.tournament import rungs
from tournaments.run import Progress
from tournaments.store import Played

PLAYED = Played(
    "g", "b", 1, ("Ada", "Bo"), (2, 1), (9, 0), ("crash", "normal"), "games/g", ("exit code 3", "")
)


def told(progress: Progress, times: list[float], *, quiet: bool = False) -> list[str]:
    """What is told of results that come at these times."""
    lines: list[str] = []
    clock = iter([0.0, *times])
    teller = Teller(quiet=quiet, clock=lambda: next(clock), tell=lines.append)
    for _ in times:
        progress.count(PLAYED)
        teller.result(progress, PLAYED)
    return lines


def test_result_has_its_number_places_live_elo_and_faults() -> None:
    assert told(Progress(12, live={"Ada": 1500.0, "Bo": 1500.0}), [1]) == [
        "game 1 of 12: 1. Bo 1516, 2. Ada 1484 (crash: exit code 3) (live Elo)"
    ]


def test_open_pairs_of_a_ladder_are_told_unless_all_is_to_be_quiet() -> None:
    lines: list[str] = []
    for quiet in (False, True):
        Teller(quiet=quiet, tell=lines.append).ladder(1, 6)
    assert lines == ["ladder: 1 of 6 pairs of neighbours are not told apart yet"]


def test_pairs_that_a_ladder_leaves_open_are_told_with_what_it_asks_for() -> None:
    told = rungs([("Ada", "Bo")], 0.00133)
    assert told.startswith("not told apart: Ada from Bo; with a larger tournament.blocks")
    assert "below 0.13 %" in told
    assert rungs([], 0.01) == "all neighbours are told apart"


STARTED = [60.0] * ENOUGH  # a minute goes by until the first games have ended


def test_pace_and_remaining_time_are_told_now_and_then() -> None:
    times = [*STARTED, *(60.0 + 2 * number for number in range(1, 21))]
    lines = told(Progress(100, done=40, live={"Ada": 1500.0, "Bo": 1500.0}), times)
    assert [line for line in lines if not line.startswith("game ")] == [
        "30.0 games a minute, about 1 min 20 s left",
        "30.0 games a minute, about 1 min 10 s left",
        "30.0 games a minute, about 1 min 0 s left",
    ]


def test_no_pace_is_told_of_a_few_games() -> None:
    times = [*STARTED, *(60.0 + 100 * number for number in range(1, ENOUGH))]
    lines = told(Progress(100, live={"Ada": 1500.0, "Bo": 1500.0}), times)
    assert all(line.startswith("game ") for line in lines)


def test_remaining_time_is_not_told_where_the_total_is_not_known() -> None:
    lines = told(Progress(None, live={"Ada": 1500.0, "Bo": 1500.0}), [*STARTED, *[60.0 + EVERY] * ENOUGH])
    assert lines[-1] == "1.0 games a second"
    assert lines[0].startswith("game 1: ")


def test_quiet_tells_nothing() -> None:
    assert told(Progress(9, live={"Ada": 1500.0, "Bo": 1500.0}), [EVERY] * 3 * ENOUGH, quiet=True) == []


def test_void_game_is_told() -> None:
    lines: list[str] = []
    void = Played("g", "b", 1, ("Ada", "Bo"), (2, 1), (0, 0), ("disconnect", "aborted"), "games/g.void")
    Teller(tell=lines.append).result(Progress(None, done=3), void)
    assert lines == ["game 3: void (Ada, Bo)"]


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0 s"), (59.4, "59 s"), (59.6, "1 min 0 s"), (3600, "1 h 0 min"), (1e6, "277 h 46 min")],
)
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text
