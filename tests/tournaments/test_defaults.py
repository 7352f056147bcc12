"""Choices for which the default was played: told apart from retirements, wherever results are shown."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from programs import playing, tournament
from rich.console import Console

from arena.cli.progress import line
from arena.records import Choice, read_record
from clients import bridge
from protocol import EndReason
from tournaments.host import of_record
from tournaments.page import page_of
from tournaments.reindex import reindex
from tournaments.report import MOST_DEFAULTED, of_tournament, shown_defaults, standings_csv, standings_table
from tournaments.run import Progress, run
from tournaments.store import FILE, Played, Store, StoreError

WRONG_ONCE = "n=$((n+1)); [ $n -le 3 ] && echo x || echo 0"  # three tries are all that its first request has
GAME = Played("g", "b", 1, ("Ada", "Bo"), (1, 2), (9, 0), ("normal", "normal"), "games/g.jsonl")


def played(*defaults: tuple[str, ...], number: int = 0, reasons: tuple[str, ...] = GAME.reasons) -> Played:
    """A game of Ada and Bo with these defaults."""
    return replace(GAME, id=f"g{number}", reasons=reasons, defaults=defaults)


def stored(folder: Path, *games: Played) -> Store:
    store = Store(folder)
    store.belongs_to({"name": '"spring"', "entrant Ada": "{}", "entrant Bo": "{}"})
    for each in games:
        store.add(each)
    return store


def test_defaults_of_a_record_are_those_of_a_seat_that_plays_on(tmp_path: Path, recorded: Path) -> None:
    record = read_record(recorded)
    late, wrong = EndReason.TIMEOUT, EndReason.ILLEGAL
    told = [(0, late, False), (1, None, False), (0, wrong, False), (0, late, True), (1, late, False)]
    choices = tuple(
        Choice(number, seat, 0, "draw", fault=fault, retired=retired)
        for number, (seat, fault, retired) in enumerate(told, 1)
    )
    made = of_record(replace(record, choices=choices), "games/g1.jsonl")
    assert made is not None
    assert made.defaults == (("timeout", "illegal"), ("timeout",))


@pytest.fixture
def recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game in which a default was played for Bo, who was not retired."""
    monkeypatch.setattr(bridge, "LAST_WORDS", 0.3)
    what = tournament(tmp_path, playing("Ada"), playing("Bo", each=WRONG_ONCE))
    with ThreadPoolExecutor(1) as threads, Store(what.folder) as store:
        store.belongs_to(what.settings())
        run(what, store, executor=threads)
        first, *_ = store.games()
    return what.folder / first.record


def test_index_has_them_from_the_run_and_from_the_records(recorded: Path) -> None:
    folder = recorded.parent.parent
    with Store(folder) as store:
        report = of_tournament(store)
    assert report.faults == {}
    assert report.defaults == {"Bo": Counter(illegal=1)}
    with sqlite3.connect(folder / FILE) as db:  # as an older version has left it
        db.execute("PRAGMA user_version = 2")
        db.execute("ALTER TABLE game DROP COLUMN defaults")
    db.close()
    with pytest.raises(StoreError, match="rebuild it from the records with arena tournament reindex"):
        Store(folder)
    reindex(folder)
    with Store(folder) as store:
        assert of_tournament(store).defaults == report.defaults


def test_standings_tell_them_apart_from_retirements(tmp_path: Path) -> None:
    games = [
        played((), ("timeout", "timeout"), number=1),
        played((), ("timeout", "illegal"), number=2, reasons=("normal", "timeout")),
        played(("timeout",), (), number=3, reasons=("normal", "aborted")),  # void
    ]
    with stored(tmp_path, *games) as store:
        report = of_tournament(store)
    ada, bo = report.rows
    assert (ada["faults"], ada["default_timeout"], ada["default_illegal"]) == (0, 0, 0)
    assert (bo["faults"], bo["default_timeout"], bo["default_illegal"]) == (1, 3, 1)
    assert json.loads(json.dumps(report.for_programs())) == report.rows
    cells = list(csv.DictReader(io.StringIO(standings_csv(report.rows))))[1]
    assert (cells["faults"], cells["default_timeout"], cells["default_illegal"]) == ("1", "3", "1")
    file = io.StringIO()
    Console(width=120, file=file).print(standings_table(report.rows, "spring"))
    heading, _, _, last, *_ = file.getvalue().splitlines()[2:]
    assert heading.split()[-4:-1] == ["retired", "┃", "defaults"]
    assert last.split()[-4:-1] == ["1", "│", "4"]
    assert report.facts[0] == "defaults were played for Bo (1 illegal, 3 timeout)"


def test_page_tells_them_by_reason_and_game(tmp_path: Path) -> None:
    with stored(tmp_path, played((), ("timeout", "timeout"))) as store:
        page = page_of(of_tournament(store))
    assert "None." not in page
    assert "Choices for which the default was played" in page
    assert "Games in which the entrant was retired" not in page
    assert "<bdi>Bo</bdi> (defaults: 2 timeout)" in page


def test_how_a_program_ended_is_on_the_page_and_in_the_json(tmp_path: Path) -> None:  # S058
    crash = replace(GAME, reasons=("normal", "crash"), ends=("", "<sh> ended with exit code 3"))
    with stored(tmp_path, crash, replace(crash, id="g2")) as store:
        report = of_tournament(store)
    ada, bo = report.for_programs()
    assert "ends" not in ada
    assert bo["ends"] == {"<sh> ended with exit code 3": 2}
    page = page_of(report)
    told = "&lt;sh&gt; ended with exit code 3"
    assert f"<bdi>Bo</bdi> (crash: {told})" in page
    assert f"<td class=who><bdi>Bo</bdi></td><td>{told}</td><td>2</td>" in page


def test_nothing_is_said_of_them_where_there_are_none(tmp_path: Path) -> None:
    with stored(tmp_path, played((), ())) as store:
        report = of_tournament(store)
    file = io.StringIO()
    Console(width=120, file=file).print(standings_table(report.rows, "spring"))
    assert "defaults" not in file.getvalue() + "".join(report.facts) + page_of(report)


def test_progress_tells_them_with_the_game() -> None:
    progress = Progress(None, done=1, live={"Ada": 1516.0, "Bo": 1484.0})
    assert line(progress, played((), ("timeout", "timeout"))) == (
        "game 1: 1. Ada 1516, 2. Bo 1484 (defaults: 2 timeout) (live Elo)"
    )


def test_those_with_the_most_are_named() -> None:
    defaults = {f"bot{number:02}": Counter(timeout=number) for number in range(1, MOST_DEFAULTED + 2)}
    told = shown_defaults(defaults)
    assert told.startswith(f"bot{MOST_DEFAULTED + 1} ({MOST_DEFAULTED + 1} timeout), ")
    assert told.endswith("bot02 (2 timeout) and 1 more entrant")
