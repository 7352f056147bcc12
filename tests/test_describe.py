"""Events and views as lines for people."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.describe import PLAIN, SENTENCES, describe, generic, labels, view_lines
from arena.game import Event, Game, Options
from arena.game.setup import PLAYABLE_SETS
from arena.game.tokens import CONTAINERS
from protocol.errors import printable

NAMES = ["greedy", "random", "Zoë", "d", "e", "f"]


def emitted() -> Iterator[str]:
    """The kinds of all events that the core can emit, read from its source."""
    for path in Path(__file__).parent.parent.joinpath("arena", "game").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr in ("emit", "emit_secret")
                and isinstance(node.args[0], ast.Constant)
            ):
                yield node.args[0].value


def random_games() -> Iterator[tuple[Game, list[Event]]]:
    for players in range(2, 7):
        for seed in range(2):
            rng = random.Random(seed)
            sets = PLAYABLE_SETS if seed % 2 else ()
            game = Game.new(Options(players, sets, seed % 2 == 1, CONTAINERS[players % 3]), seed)
            yield game, game.events
            while not game.over:
                seat = game.to_act[0]
                yield game, game.choose(seat, rng.randrange(len(game.decision(seat).options)))


def test_every_kind_of_event_has_a_sentence() -> None:
    assert set(emitted()) - set(PLAIN) - set(SENTENCES) == set()


def test_the_sentences_fit_the_events_of_random_games() -> None:
    for game, events in random_games():
        for event in events:
            for seat in (None, *range(len(game.players))):
                seen = event.for_seat(seat)
                text = describe(seen, NAMES)
                assert text.isprintable()
                assert seen == {"event": "scoring"} or text != generic(seen, NAMES)


def test_views_of_random_games_are_shown() -> None:
    for number, (game, _) in enumerate(random_games()):
        if number % 50 == 0:
            for seat in range(len(game.players)):
                lines = list(view_lines(game.view(seat), NAMES))
                assert all(line.isprintable() for line in lines)
                assert f"your hand: {', '.join(game.view(seat)['hand']) or 'none'}" in lines
                assert not any(line.startswith("your") for line in view_lines(game.view(None), NAMES))


@pytest.mark.parametrize(
    ("event", "text"),
    [
        ({"event": "turn", "turn": 3, "lead": 1}, "turn 3: random leads"),
        ({"event": "draw", "seat": 0, "count": 1}, "greedy draws 1 card"),
        (
            {"event": "draw", "seat": 0, "count": 2, "cards": ["tea", "rice"]},
            "greedy draws 2 cards: tea, rice",
        ),
        (
            {"event": "side", "seat": 0, "card": "cups", "ship": 3},
            "greedy turns up the side cups on ship 3",
        ),
        ({"event": "side", "seat": 1, "card": "cups", "ship": None}, "random turns up the side cups"),
        ({"event": "bids", "bids": [[0, 6], [1, 10]]}, "the bids are greedy 6, random 10"),
        (
            {"event": "lead", "seat": 1, "action": "load", "doing": "load", "cards": ["a", "b"], "count": 2},
            "random leads load with a and b: 2 actions",
        ),
        (
            {"event": "follow", "seat": 1, "action": "load", "doing": "import", "cards": ["a"], "count": 1},
            "random follows load, done as import with a: 1 action",
        ),
        ({"event": "pirate", "seat": 0, "card": "a"}, "greedy pirates a from the Supply Island"),
        ({"event": "pirate", "seat": 0, "card": "a", "ship": 3}, "greedy pirates a from ship 3"),
        (
            {"event": "credits", "seat": 0, "change": -4, "credits": 6, "why": "bid"},
            "greedy pays 4 for bid and has 6",
        ),
        (
            {"event": "end", "places": [2, 1], "credits": [40, 51], "reason": "credits"},
            "the game ends by credits: 1. random with 51, 2. greedy with 40",
        ),
    ],
)
def test_what_happened_is_one_sentence(event: dict[str, object], text: str) -> None:
    assert describe(event, NAMES) == text


def test_a_field_that_a_sentence_does_not_know_is_shown_too() -> None:
    event = {"event": "sail", "seat": 1, "ship": 2, "wind": ["north", "west"]}
    assert describe(event, NAMES) == "ship 2 of random sails (wind north, west)"


@pytest.mark.parametrize(
    ("event", "text"),
    [
        ({"event": "whirl", "seat": 1, "cards": ["a", "b"]}, "whirl: seat random, cards a, b"),
        ({"event": "draw", "seat": 99, "count": 1}, "draw: seat 99, count 1"),
        (
            {"event": "score", "seat": 0, "parts": [], "credits": 1},
            "score: seat greedy, parts nothing, credits 1",
        ),
        ({"event": "lead"}, "lead"),
        ({"event": None}, "None"),
        ({}, "an event"),
    ],
)
def test_what_is_not_known_is_shown_as_it_is(event: dict[str, object], text: str) -> None:
    assert describe(event, NAMES) == text


def test_nothing_reaches_the_terminal_but_what_can_be_printed() -> None:
    names = labels(["\x1b[2Jred", "a\u202eb", "line\nend"])
    assert names == ["\\x1b[2Jred", "a\\u202eb", "line\\nend"]
    assert describe({"event": "sell", "seat": 0, "card": "x\x07"}, names) == (
        "\\x1b[2Jred sells x\\x07 to the Supply Island"
    )
    assert printable("Zoë ☼") == "Zoë ☼"


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        (["a", "b"], ["a", "b"]),
        (["a", "b", "a"], ["a#0", "b#1", "a#2"]),
        (["Alpha", "alpha "], ["Alpha#0", "alpha #1"]),  # S062
        (["a#1", "a", "a"], ["a#1#0", "a#1", "a#2"]),
    ],
)
def test_names_that_look_alike_are_told_apart(names: list[str], shown: list[str]) -> None:
    assert labels(names) == shown
