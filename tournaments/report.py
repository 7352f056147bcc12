"""Standings for people and for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from tournaments.ratings import Fit, fit, live
from tournaments.store import Store


def standings(store: Store, entrants: Sequence[str]) -> tuple[list[dict[str, Any]], Fit]:
    """One row for each entrant, best first, and the fit that they come from."""
    results = [played.result() for played in store.games()]
    fitted = fit(results, entrants)
    moving = live(results)
    rows: list[dict[str, Any]] = [
        {
            "name": rating.name,
            "elo": round(rating.elo, 1),
            "low": round(rating.low, 1),
            "high": round(rating.high, 1),
            "live": round(moving.get(rating.name, 0.0), 1),
            "games": rating.games,
            "points": round(rating.points, 3),
            "faults": rating.faults,
            "group": rating.group,
        }
        for rating in fitted.ratings
    ]
    return rows, fitted


def standings_table(rows: Sequence[dict[str, Any]], title: str) -> Table:
    """The same for a terminal. Names are text: markup and control characters in them mean nothing."""
    table = Table(title=Text(title), title_justify="left")
    table.add_column("", justify="right")
    table.add_column("name", overflow="fold")
    for heading in ("Elo", "95 %", "live Elo", "games", "points", "faults"):
        table.add_column(heading, justify="right", no_wrap=True)
    grouped = len({row["group"] for row in rows}) > 1
    if grouped:
        table.add_column("group", justify="right")
    for place, row in enumerate(rows, 1):
        cells: list[str | Text] = [
            str(place),
            Text(row["name"]),
            f"{row['elo']:+.0f}",
            f"{row['low']:+.0f} ... {row['high']:+.0f}",
            f"{row['live']:+.0f}",
            str(row["games"]),
            f"{row['points']:.2f}",
            str(row["faults"]),
        ]
        table.add_row(*cells, *([str(row["group"])] if grouped else []))
    if grouped:
        table.caption = "Groups have not met: ratings compare only within a group."
    return table
