"""Schedules, runner, ratings, store and reports of tournaments."""
