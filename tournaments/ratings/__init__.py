"""Ratings: pure functions from results to numbers. docs/ratings.md states the models.

`fit` makes the published table, `live` the rating that moves game by game, `Sprt` decides whether a new
version is better. Not here: files, schedules, and how a table is shown.
"""

from tournaments.ratings.elo import changes, expected, live
from tournaments.ratings.pairs import Tables, tables
from tournaments.ratings.result import ConflictingResults, Result, rated_once
from tournaments.ratings.saved import Saved, variance_saved
from tournaments.ratings.seats import SeatEffect, seat_effects
from tournaments.ratings.sprt import Sprt, State, Verdict, block_scores
from tournaments.ratings.standings import Difference, Fit, Rating, fit, fit_tables

__all__ = [
    "ConflictingResults",
    "Difference",
    "Fit",
    "Rating",
    "Result",
    "Saved",
    "SeatEffect",
    "Sprt",
    "State",
    "Tables",
    "Verdict",
    "block_scores",
    "changes",
    "expected",
    "fit",
    "fit_tables",
    "live",
    "rated_once",
    "seat_effects",
    "tables",
    "variance_saved",
]
