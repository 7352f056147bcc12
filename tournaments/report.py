"""Standings for people and for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from tournaments.ratings import Fit, fit, live
from tournaments.ratings.elo import START
from tournaments.store import Store

ENOUGH_DEALS = 5  # below it the error bars are no good (docs/ratings.md)


def standings(store: Store) -> tuple[list[dict[str, Any]], Fit]:
    """One row for each entrant, best first, and the fit that they come from."""
    results = [played.result() for played in store.games()]
    fitted = fit(results, store.entrants())
    moving = live(results)
    rows: list[dict[str, Any]] = [
        {
            "name": rating.name,
            "elo": round(rating.elo, 1),
            "low": round(rating.low, 1),
            "high": round(rating.high, 1),
            "live": round(moving.get(rating.name, START), 1),
            "games": rating.games,
            "points": round(rating.points, 3),
            "faults": rating.faults,
            "group": rating.group,
        }
        for rating in fitted.ratings
    ]
    return rows, fitted


def warnings(store: Store) -> list[str]:
    """What a reader of the standings should know, each in a sentence."""
    deals = {played.deal for played in store.games() if played.result().rated}
    if not deals:
        return ["no game has been played; the ratings mean nothing yet"]
    if len(deals) < ENOUGH_DEALS:
        what = "one deal has" if len(deals) == 1 else f"{len(deals)} deals have"
        return [f"only {what} been played; the error bars are rough below {ENOUGH_DEALS} (docs/ratings.md)"]
    return []


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
            f"{row['live']:.0f}",
            str(row["games"]),
            f"{row['points']:.2f}",
            str(row["faults"]),
        ]
        table.add_row(*cells, *([str(row["group"])] if grouped else []))
    if grouped:
        table.caption = "Groups have not met: ratings compare only within a group."
    return table
