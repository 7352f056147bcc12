"""Secrecy at a decision that depends on a hand: a sampled hand may decide otherwise, so only cards are looked for."""

from __future__ import annotations

import json
from collections.abc import Iterable

from table import Cards, finish_turn, ids

from arena.game import Event, Game


def assert_unseen(game: Game, events: Iterable[Event], cards: Cards, *knowers: int) -> None:
    """Nobody but `knowers` finds these cards in views or events, and games sampled for them can be played on."""
    shown = list(events)
    for seat in (None, *range(len(game.players))):
        if seat in knowers:
            continue
        text = json.dumps([game.view(seat), [event.for_seat(seat) for event in shown]])
        for name in ids(cards):
            assert f'"{name}"' not in text, f"seat {seat} sees {name}"
        for seed in range(8):
            sample = game.sample(seat, seed)
            if not sample.over:
                finish_turn(sample)
