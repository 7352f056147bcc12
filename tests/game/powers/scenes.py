"""What the scenarios of powers share: a Ship about to be fulfilled, and what must stay secret."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from table import Cards, ids, needs, play, table

from arena.game import Event, Game

ABOARD = ("tech-11", "tech-12", "tech-13", "tech-14", "tech-15", "tech-16")
LAST = "0 load:tech-20@ship-0"
"""The choice that completes the Ship of `brink`."""


def brink(contracts: Cards, containers: int = 2, /, **zones: Any) -> Game:
    """Seat 0 has led Load and `LAST` will fulfil these contracts on ship-0 with that many Containers in all.

    The Containers are Technology, the contracts need them. The other seats have followed or drawn unasked.
    """
    first, *others = ids(contracts)
    faces = {first: needs(technology=containers - len(others))}
    faces |= {contract: needs(technology=1) for contract in others}
    for card, face in zones.pop("faces", {}).items():
        faces[card] = {**faces.get(card, {}), **face}
    hands = dict(zones.pop("hands", {}))
    hands[0] = [*ids(hands.get(0, "")), "tech-19", "tech-20"]
    ships = {
        **zones.pop("ships", {}),
        0: {"contracts": contracts, "containers": ABOARD[: containers - 1]},
    }
    game = table(hands=hands, ships=ships, faces=faces, **zones)
    play(game, "0 lead:load:tech-19*1")
    return game


COLOR_OF = {"load": "tech", "contract": "agri", "import": "cons", "supply": "lux", "piracy": "ill"}


def led(action: str, count: int = 1, /, seat: int = 0, **zones: Any) -> Game:
    """`seat` has led this action for `count` actions, by card 20 of its colour and Crew of that colour."""
    color = COLOR_OF[action]
    hands, crew = dict(zones.pop("hands", {})), dict(zones.pop("crew", {}))
    hands[seat] = [*ids(hands.get(seat, "")), f"{color}-20"]
    crew[seat] = [*ids(crew.get(seat, "")), *(f"{color}-{19 - number}" for number in range(count - 1))]
    game = table(lead=seat, hands=hands, crew=crew, **zones)
    play(game, f"{seat} lead:{action}:{color}-20*{count}")
    return game


def assert_hidden(game: Game, events: Iterable[Event], cards: Cards, *knowers: int) -> None:
    """Nobody but `knowers` finds these cards in views or events, and samples agree with what each seat saw."""
    names = ids(cards)
    numbers = {game.catalogue.number_of[name] for name in names}
    shown = list(events)
    for seat in (None, *range(len(game.players))):
        if seat in knowers:
            continue
        text = json.dumps([game.view(seat), [event.for_seat(seat) for event in shown]])
        for name in names:
            assert f'"{name}"' not in text, f"seat {seat} sees {name}"
        held = [tuple(numbers.intersection(player.hand) for player in game.players)]
        for seed in range(8):
            sample = game.sample(seat, seed)
            assert sample.view(seat) == game.view(seat)
            held.append(tuple(numbers.intersection(player.hand) for player in sample.players))
        assert any(other != held[0] for other in held), f"seat {seat} can tell where {names} are"


def assert_known(game: Game, seat: int, card: str) -> None:
    """Everybody knows that the card is in the hand of `seat`."""
    number = game.catalogue.number_of[card]
    for onlooker in (None, *range(len(game.players))):
        for seed in range(4):
            assert number in game.sample(onlooker, seed).players[seat].hand
