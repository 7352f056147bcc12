"""What the scenarios of powers against the other players share."""

from __future__ import annotations

from typing import Any

from table import play, table

from arena.game import Event, Game

SMALL_PILE = "agri-11 agri-12 agri-13 agri-14 agri-15 agri-16"


def told(events: list[Event], seat: int | None, kind: str) -> list[dict[str, Any]]:
    """What a seat learns from the events of one kind."""
    return [event.for_seat(seat) for event in events if event.kind == kind]


def piracy(*seats: int, counts: tuple[int, ...] = (1, 1, 1, 1), **zones: Any) -> Game:
    """These seats announce Piracy, the first of them leads; the others draw."""
    crew = {
        seat: [f"ill-{10 * place + n}" for n in range(1, counts[place])] for place, seat in enumerate(seats)
    }
    hands = {**zones.pop("hands", {})}
    for place, seat in enumerate(seats):
        held = hands.get(seat, "")
        hands[seat] = f"{held} ill-{20 - place}".strip()
    game = table(players=4, lead=seats[0], hands=hands, crew=crew, **zones)
    for place, seat in enumerate(seats):
        verb = "follow" if place else "lead"
        play(game, f"{seat} {verb}:piracy:ill-{20 - place}*{counts[place]}")
    return game
