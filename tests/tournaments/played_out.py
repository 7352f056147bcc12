"""Plays schedules out, as a runner does, with results made by rule or by chance."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from tournaments.ratings import Result
from tournaments.schedules import Event, Pairing, Round, Schedule, missing

EVENT = Event("spring", 1)
Referee = Callable[[Pairing], Result]


def names(count: int) -> tuple[str, ...]:
    """`bot0`, the strongest, and so on."""
    return tuple(f"bot{number:02d}" for number in range(count))


def strongest_wins(pairing: Pairing) -> Result:
    """Who has the lower number."""
    order = sorted(pairing.seating)
    places = tuple(order.index(name) + 1 for name in pairing.seating)
    return Result(pairing.id, pairing.block, pairing.seating, places, deal=pairing.seed)


def level(pairing: Pairing) -> Result:
    """Everybody is first."""
    return Result(pairing.id, pairing.block, pairing.seating, (1,) * len(pairing.seating), deal=pairing.seed)


def by_chance(seed: int, gap: float = 1.0) -> Referee:
    """The stronger wins more often, the more the greater the gap; the same game always ends in the same way."""

    def referee(pairing: Pairing) -> Result:
        random = Random(f"{seed} {pairing.id}")
        luck = {name: random.gauss(0, 3) - gap * int(name[3:]) for name in pairing.seating}
        order = sorted(pairing.seating, key=lambda name: -luck[name])
        places = tuple(order.index(name) + 1 for name in pairing.seating)
        return Result(pairing.id, pairing.block, pairing.seating, places, deal=pairing.seed)

    return referee


def without(absent: str, referee: Referee) -> Referee:
    """One entrant never comes, so its games are void."""

    def other(pairing: Pairing) -> Result:
        if absent not in pairing.seating:
            return referee(pairing)
        faults = tuple("disconnect" if name == absent else "aborted" for name in pairing.seating)
        places = tuple(2 if name == absent else 1 for name in pairing.seating)
        return Result(pairing.id, pairing.block, pairing.seating, places, faults, pairing.seed)

    return other


def play_out(
    schedule: Schedule, referee: Referee, results: list[Result] | None = None, most: int = 100_000
) -> list[Result]:
    """Play whatever may be played until nothing is left, or so many games are; results in their order."""
    results = [] if results is None else results
    stored = {result.game for result in results}
    while len(results) < most:
        todo = list(missing(schedule, stored, results))[: most - len(results)]
        if not todo:
            break
        results += map(referee, todo)
        stored.update(pairing.id for pairing in todo)
    return results


def rounds(schedule: Schedule, results: list[Result]) -> list[Round]:
    """All rounds that came to be."""
    return list(schedule.rounds(results))
