"""Standings for people and for programs."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console

from tournaments.report import of_tournament, standings_csv, standings_table
from tournaments.store import Played, Store


def game(number: int, *order: str, deal: int = 1, reasons: tuple[str, ...] = ()) -> Played:
    """A game that ended in this order."""
    places = tuple(range(1, len(order) + 1))
    reasons = reasons or ("normal",) * len(order)
    return Played(
        f"g{number}", f"b{deal}", deal, order, places, (0,) * len(order), reasons, f"games/g{number}.jsonl"
    )


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path) as store:
        store.belongs_to({"name": '"spring"', "entrant Ada": "{}", "entrant Bo": "{}", "entrant Cy": "{}"})
        yield store


def shown(store: Store) -> str:
    file = io.StringIO()
    Console(width=120, file=file).print(standings_table(of_tournament(store).rows, "spring"))
    return file.getvalue()


def test_rows_come_best_first_with_the_fields_of_the_design(store: Store) -> None:
    store.add(game(1, "Bo", "Ada", "Cy"))
    rows = of_tournament(store).rows
    assert [row["name"] for row in rows] == ["Bo", "Ada", "Cy"]
    assert set(rows[0]) >= {"name", "elo", "low", "high", "games", "points", "faults"}
    assert rows[0]["points"] == 1
    assert rows[0]["low"] < rows[0]["elo"] < rows[0]["high"]


def test_live_elo_starts_where_the_ratings_start(store: Store) -> None:
    assert {row["live"] for row in of_tournament(store).rows} == {1500.0}
    store.add(game(1, "Ada", "Bo"))
    assert {row["name"]: row["live"] for row in of_tournament(store).rows} == {
        "Ada": 1516.0,
        "Bo": 1484.0,
        "Cy": 1500.0,
    }
    assert "│     1516 │" in shown(store)


def test_json_is_strict_whatever_the_results(store: Store) -> None:  # S048
    for number in range(6):
        store.add(game(number, "Ada", "Bo", deal=number))
    text = json.dumps(of_tournament(store).rows, allow_nan=False)
    assert len(json.loads(text)) == 3


def test_who_has_not_played_has_empty_cells_in_csv(store: Store) -> None:
    empty = ",,,,,0,0.0,0,0,0,"
    assert standings_csv(of_tournament(store).rows).splitlines()[1:] == [
        f"{place},{name}{empty}{place}" for place, name in enumerate(("Ada", "Bo", "Cy"), 1)
    ]
    store.add(game(1, "Bo", "Ada"))
    first, *_, last = standings_csv(of_tournament(store).rows).splitlines()[1:]
    assert first.startswith("1,Bo,")
    assert ",," not in first
    assert last == f"3,Cy{empty}2"


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", "\uff1d1+1", "\ufe6311"])
def test_name_that_a_spreadsheet_would_reckon_is_only_text(name: str) -> None:
    (row,) = list(csv.DictReader(io.StringIO(standings_csv([{"name": name, "games": 1}]))))
    assert row["name"] == f"'{name}"


def test_entrant_without_a_game_is_in_the_table_in_a_group_of_its_own(store: Store) -> None:  # S045
    store.add(game(1, "Ada", "Bo"))
    assert len({row["group"] for row in of_tournament(store).rows}) == 2
    assert "Groups have not met" in shown(store)


def test_faults_are_counted_and_rank_behind(store: Store) -> None:  # S049
    store.add(game(1, "Ada", "Bo", "Cy", reasons=("crash", "normal", "normal")))
    rows = of_tournament(store).rows
    assert [row["name"] for row in rows] == ["Bo", "Cy", "Ada"]
    assert rows[-1]["faults"] == 1


def test_markup_in_a_name_is_text(tmp_path: Path) -> None:  # S072
    with Store(tmp_path) as store:
        store.belongs_to({"entrant [red]x[/red]": "{}"})
        assert "[red]x[/red]" in shown(store)


@pytest.mark.parametrize(
    ("deals", "told"),
    [
        (0, "no game has been played"),
        (1, "these ratings rest on one deal; from 5 on the error bars can be trusted"),
        (4, "these ratings rest on 4 deals;"),
        (5, None),
    ],
)
def test_few_deals_are_warned_of(store: Store, deals: int, told: str | None) -> None:
    for deal in range(deals):
        store.add(game(2 * deal, "Ada", "Bo", deal=deal))
        store.add(game(2 * deal + 1, "Bo", "Ada", deal=deal))
    found = of_tournament(store).warnings
    assert len(found) == (told is not None)
    assert told is None or found[0].startswith(told)
