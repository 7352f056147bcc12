"""Ratings: pure functions from results to numbers. docs/ratings.md states the models.

`live` makes the rating that moves game by game. Not here: files, schedules, and how a table is shown.
"""

from tournaments.ratings.elo import changes, expected, live
from tournaments.ratings.result import ConflictingResults, Result, rated_once

__all__ = [
    "ConflictingResults",
    "Result",
    "changes",
    "expected",
    "live",
    "rated_once",
]
