"""Schedules: which games a tournament consists of, as pure functions of its entrants and results.

scheduler.py states what every schedule offers, block.py what a game and its id are. Not here: playing games,
storing results.
"""

from tournaments.schedules.block import Block, Event, Pairing
from tournaments.schedules.gauntlet import Gauntlet
from tournaments.schedules.knockout import Knockout
from tournaments.schedules.ladder import Ladder
from tournaments.schedules.round_robin import RoundRobin
from tournaments.schedules.scheduler import Round, Schedule, ScheduleError, missing, pairings
from tournaments.schedules.swiss import Swiss
from tournaments.schedules.trial import Stand, Trial

__all__ = [
    "Block",
    "Event",
    "Gauntlet",
    "Knockout",
    "Ladder",
    "Pairing",
    "Round",
    "RoundRobin",
    "Schedule",
    "ScheduleError",
    "Stand",
    "Swiss",
    "Trial",
    "missing",
    "pairings",
]
