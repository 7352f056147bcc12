"""What a record must be like when all its players have chosen by `choice_of`, and were told what they were told."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, NamedTuple

from arena.records import Record, replay

Told = Mapping[int, dict[str, Any]]
"""Events by their numbers."""

WATCHER = "onlooker"
"""The name of who is told what everybody may see."""


class Known(NamedTuple):
    """How far somebody has been told of a game."""

    events: int = 0  # the number of the last one
    answers: int = 0  # of its own that have been taken: it was asked the next thing


def choice_of(name: str, game: str, number: int, options: int) -> int:
    """What the bot of this name answers to this request, whenever it is asked."""
    return int.from_bytes(sha256(f"{name}/{game}/{number}".encode()).digest()[:4], "big") % options


def compare(record: Record, told: Mapping[str, Told]) -> None:
    """No choice is lost, doubled or another than the player's, and nobody was told what is not so.

    The k-th choice of a seat must be the answer to its k-th request, and each event the one of that number.
    """
    names, game_id = record.header.seats, record.header.game
    asked = [0] * len(names)
    options: dict[int, int] = {}
    number = 0
    for step in replay(record):
        if step.choice is not None:
            seat = step.choice.seat
            asked[seat] += 1
            wanted = choice_of(names[seat], game_id, asked[seat], options[seat])
            where = f"game {game_id}, choice {step.choice.number}"
            assert step.choice.fault is None, where
            assert step.choice.index == wanted, f"{where} is not the answer to request {asked[seat]}"
        for event in step.events:
            number += 1
            for seat, name in (*enumerate(names), (None, WATCHER)):
                seen = told.get(name, {}).get(number)
                shown = json.loads(json.dumps(event.for_seat(seat)))
                assert seen in (None, shown), f"game {game_id}, event {number}: {name} was told another"
        options = {seat: len(step.game.decision(seat).options) for seat in step.game.to_act}
    last = max(max(events, default=0) for events in told.values())
    assert last <= number, f"game {game_id}: event {last} was told and is not recorded"


def missing(record: Record | None, known: Mapping[str, Known]) -> int:
    """How many events and choices are not in the record of a game though somebody has been told of them."""
    events = sum(len(step.events) for step in replay(record)) if record else 0
    choices = Counter(record.header.seats[choice.seat] for choice in record.choices) if record else Counter()
    told = max(each.events for each in known.values())
    return max(0, told - events) + sum(max(0, each.answers - choices[name]) for name, each in known.items())
