"""Films: moments that add up to the views of the game, and hold nothing that the viewer may not know."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import Any

import pytest

from arena.game import Event, Game, Options
from arena.records import Choice
from arena.web.films import SOURCES, Film, difference
from arena.web.viewpoints import EVERYTHING, PUBLIC, UnknownViewpoint, Viewpoint
from protocol import EndReason
from tests.records.recorded import header
from tests.web.harbour import views_of, with_change

SETS = ("capital", "tokyo", "kickstarter")


def played(players: int = 4, seed: int = 7, **more: Any) -> tuple[Any, list[Choice], list[Game]]:
    """A random game: its header, its choices, and the game after the deal and after each choice."""
    options = Options(players, SETS, market=True).check()
    head = header(players, options=options, seed=seed)
    game = Game.new(options, seed)
    rng = random.Random(seed)
    choices, states = [], [game.clone()]
    while not game.over:
        seat = game.to_act[0]
        decision = game.decision(seat)
        index = rng.randrange(len(decision.options))
        text = decision.options[index].text(game.catalogue)
        choices.append(Choice(len(choices) + 1, seat, index, text, **more))
        game.choose(seat, index)
        states.append(game.clone())
    return head, choices, states


@pytest.mark.parametrize("viewpoint", [PUBLIC, Viewpoint(seat=2), EVERYTHING], ids=str)
def test_changes_add_up_to_the_view_of_every_moment(viewpoint: Viewpoint) -> None:
    head, choices, states = played()
    film = Film(head, viewpoint)
    expected = [viewpoint.view(states[0])]
    for choice, state in zip(choices, states[1:], strict=True):
        before = len(film.moments)
        film.play(choice)
        if len(film.moments) > before:
            assert len(film.moments) == before + 1
            expected.append(viewpoint.view(state))
    assert views_of(film.moments) == json.loads(json.dumps(expected))
    assert expected[-1] == viewpoint.view(states[-1])


def test_film_of_everything_has_a_moment_for_each_choice() -> None:
    head, choices, _ = played()
    film = Film(head, EVERYTHING)
    for choice in choices:
        film.play(choice)
    moments = [json.loads(line) for line in film.moments]
    assert [moment["n"] for moment in moments] == list(range(len(choices) + 1))
    told = [moment["choices"][0] for moment in moments[1:]]
    assert [(each["seat"], each["option"]) for each in told] == [(each.seat, each.text) for each in choices]
    for before, each in zip(views_of(film.moments), told, strict=False):
        decision = before["decisions"][each["seat"]]
        assert (decision["kind"], decision["options"][each["index"]]) == (each["kind"], each["option"])


def test_credits_are_what_has_been_earned_from_each_source() -> None:
    head, choices, states = played(players=3, seed=12)
    film = Film(head, PUBLIC)
    for choice in choices:
        film.play(choice)
    credits = [player.credits for player in states[0].players]
    sources = set()
    for line, view in zip(film.moments, views_of(film.moments), strict=True):
        for seat, source, change in json.loads(line).get("earned", ()):
            credits[seat] += change
            sources.add(source)
        assert credits == [player["credits"] for player in view["players"]]
    assert sources == {*SOURCES, "power", "scoring"}


@pytest.mark.parametrize("viewpoint", [PUBLIC, Viewpoint(seat=1)], ids=str)
def test_film_shows_no_hand_but_that_of_its_seat(viewpoint: Viewpoint) -> None:  # S028
    head, choices, _ = played()
    film = Film(head, viewpoint)
    for choice in choices:
        film.play(choice)
    own = viewpoint.seat
    for view in views_of(film.moments):
        assert not {"hands", "decisions"} & set(view)
        assert ("hand" in view) is (own is not None)
        assert view.get("seat") == own
    for line in film.moments:
        moment = json.loads(line)
        assert all(choice["seat"] == own for choice in moment.get("choices", ()))
        for kind, seat, sentence in moment["news"]:
            if kind == "draw" and seat != own:
                assert sentence.endswith(("card", "cards"))


def test_public_film_tells_nothing_while_a_seat_is_asked_in_secret() -> None:  # Q98
    head, choices, states = played(seed=3)
    film = Film(head, PUBLIC)
    secret = 0
    for choice, state in zip(choices, states[1:], strict=True):
        before = len(film.moments)
        film.play(choice)
        if state.asking and state.asking[0].secret:
            secret += 1
            assert len(film.moments) == before
    assert secret > 5
    asked = [json.loads(line).get("asked") for line in film.moments]
    hidden = {(s.asking[0].kind, s.asking[0].seat) for s in states if s.asking and s.asking[0].secret}
    assert hidden
    assert sum(each is None for each in asked) == 1  # at the end of the game


def test_sealed_bids_are_told_together() -> None:  # S026
    head, choices, _ = played()
    film = Film(head, PUBLIC)
    for choice in choices:
        film.play(choice)
    moments = [json.loads(line) for line in film.moments]
    rounds = [moment for moment in moments if moment.get("asked", {}).get("kind") == "bid"]
    assert rounds
    for moment in rounds:
        kinds = [kind for kind, _, _ in moments[moment["n"] + 1]["news"]]
        assert "bids" in kinds or "round-void" in kinds


def test_times_and_faults_are_told_to_those_who_see_the_choice() -> None:
    head, choices, _ = played(players=2, spent=1.25, bank=3.0)
    number = next(n for n, choice in enumerate(choices) if choice.index == 0 and choice.seat == 1)
    choices[number] = replace(choices[number], spent=9.0, bank=0.0, fault=EndReason.TIMEOUT)
    for viewpoint, told in (
        (PUBLIC, False),
        (Viewpoint(seat=0), False),
        (Viewpoint(seat=1), True),
        (EVERYTHING, True),
    ):
        film = Film(head, viewpoint)
        for choice in choices[: number + 20]:
            film.play(choice)
        text = b"".join(film.moments).decode()
        assert ('"spent":9.0,"bank":0.0,"fault":"timeout"' in text) is told
        assert ("timeout" in text) is told
        assert ('"spent"' in text) is not viewpoint.is_public


def test_retirement_is_told_once_and_before_what_is_played_for_the_seat() -> None:
    head, _, _ = played(players=2)
    game = Game.new(head.options, head.seed)
    film = Film(head, PUBLIC)
    gone = game.to_act[0]
    for number in range(1, 30):
        seat = game.to_act[0]
        decision = game.decision(seat)
        text = decision.options[decision.default].text(game.catalogue)
        reason = EndReason.CRASH if seat == gone else None
        film.play(Choice(number, seat, 0, text, fault=reason, retired=seat == gone))
        game.choose(seat, 0)
    news = [each for line in film.moments for each in json.loads(line)["news"]]
    assert [each for each in news if each[0] == "retired"] == [
        ["retired", gone, f"player {gone} is retired for crash: its defaults are played"]
    ]


def test_event_for_all_to_see_holds_what_any_seat_saw() -> None:
    event = Event("give", {"seat": 0, "to": 1, "count": 1}, {0: {"cards": ["tea"]}, 1: {"cards": ["tea"]}})
    assert "cards" not in PUBLIC.event(event)
    assert EVERYTHING.event(event)["cards"] == ["tea"]


def test_difference_tells_fields_that_come_and_go() -> None:
    old = {"a": 1, "gone": 2, "players": [{"x": 1, "y": 1}], "ships": [{"s": 0}]}
    new = {"a": 1, "new": None, "players": [{"x": 1, "y": 2}], "ships": [{"s": 0}, {"s": 1}]}
    change = difference(old, new)
    assert change == {
        "set": {"new": None},
        "unset": ["gone"],
        "players": {"0": {"y": 2}},
        "ships": {"1": {"s": 1}},
    }
    assert with_change(old, change) == new
    assert difference(new, new) == {}


@pytest.mark.parametrize("text", ["", "seat-6", "seat-", "Public", "seat-1 ", "everything\n"])
def test_what_is_no_viewpoint_is_refused(text: str) -> None:
    with pytest.raises(UnknownViewpoint):
        Viewpoint.parse(text)


@pytest.mark.parametrize("text", ["public", "everything", "seat-0", "seat-5"])
def test_text_of_a_viewpoint_is_its_inverse(text: str) -> None:
    assert str(Viewpoint.parse(text)) == text
