"""The rulebook's vocabulary as small integers, with their names: types, actions, places.

A card's type and its colour are the same thing (RULES.md 0.2), so one number serves for both; which
action a colour carries is data of the catalogue, not known here.
"""

from __future__ import annotations

from typing import Final

TECHNOLOGY: Final = 0
AGRICULTURE: Final = 1
CONSUMER: Final = 2
LUXURY: Final = 3
ILLEGAL: Final = 4
CAPITAL: Final = 5

TYPES: Final = ("technology", "agriculture", "consumer", "luxury", "illegal", "capital")
"""Names of the types by number; the first five are the ones that can be named or counted (P22)."""

TYPE_OF: Final = {name: number for number, name in enumerate(TYPES)}
FIVE: Final = range(5)

LOAD: Final = 0
CONTRACT: Final = 1
IMPORT: Final = 2
SUPPLY: Final = 3
PIRACY: Final = 4
BARTER: Final = 5

ACTIONS: Final = ("load", "contract", "import", "supply", "piracy", "barter")
ACTION_OF: Final = {name: number for number, name in enumerate(ACTIONS)}

ANY: Final = 0b111111
"""Mask of all colours: what a rainbow slot accepts and what a rainbow Container fits."""

MIN_PLAYERS: Final = 2
MAX_PLAYERS: Final = 6
HAND_SIZE: Final = 5  # R2.9, R3.2
START_CREDITS: Final = 10  # R2.7
SHIP_CARDS: Final = 4  # R2.6
LOAD_LIMIT: Final = 6  # R9.2
END_CREDITS: Final = 50  # R13.1
TURN_CAP: Final = 500  # Q66, assumed
