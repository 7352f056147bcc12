"""What holds in every game holds in every mix of sets, Market and kinds of Containers, at every number of seats.

The invariants are those of `test_properties` and `test_secrecy`; here they are held against a covering array:
at every number of seats each two options are both on, both off, and each on without the other. Of the Tokyo Port
with and without its cards, and of the two kinds of tokens, at most one is on. The games are dealt and crowded by
turns, the other way round for the next number of seats.
"""

from __future__ import annotations

from functools import partial
from itertools import combinations
from typing import NamedTuple

import pytest
import test_properties as properties
from table import crowded
from test_secrecy import look_the_same

from arena.game import Game, Options
from arena.game.market import HIGHEST, LOWEST
from arena.game.positions import dump, load, places
from arena.game.setup import PLAYABLE_SETS
from arena.game.terms import FIVE, TYPES
from arena.game.tokens import CARDS, CONTAINERS, areas, is_token
from arena.game.tokyo import PORT_ALONE

STEPS = 200  # decisions of one game that are looked at closely; there are 35 games
SEATS = (2, 3, 4, 5, 6)
OPTIONS = (*PLAYABLE_SETS, PORT_ALONE, "market", *CONTAINERS[1:])
EITHER = ({"tokyo", PORT_ALONE}, set(CONTAINERS[1:]))
"""Options of which one excludes the other."""

ROWS = (
    "",
    "kickstarter kickstarter2 flag market j tokyo-port tokens",
    "capital kickstarter2 market j tokyo tokens-everywhere",
    "capital kickstarter flag tokyo tokens",
    "capital kickstarter flag market j",
    "flag tokyo-port tokens-everywhere",
    "capital kickstarter kickstarter2 market tokyo-port",
    "capital kickstarter2 j tokens",
    "kickstarter flag market tokyo",
    "capital kickstarter kickstarter2 flag tokens-everywhere",
)
COVER = tuple(tuple(row.split()) for row in ROWS)
"""What is on in each mix."""


class Mix(NamedTuple):
    """One mix at one number of seats."""

    players: int
    on: tuple[str, ...]
    number: int

    @property
    def sets(self) -> tuple[str, ...]:
        return tuple(name for name in self.on if name in (*PLAYABLE_SETS, PORT_ALONE))

    @property
    def market(self) -> bool:
        return "market" in self.on

    @property
    def containers(self) -> str:
        return next((name for name in self.on if name in CONTAINERS), CARDS)

    def start(self, kind: str, seed: int) -> Game:
        """A game of this mix, dealt or crowded."""
        if kind == "deal":
            return Game.new(Options(self.players, self.sets, self.market, self.containers), seed=seed)
        game = crowded(self.players, self.sets, seed, self.containers)
        return load({**dump(game), "market": True}) if self.market else game


MIXES = [
    Mix(players, on, number)
    for number, (players, on) in enumerate((players, on) for players in SEATS for on in COVER)
]


@pytest.fixture(params=MIXES, ids=lambda mix: f"{mix.players}-{'-'.join(mix.on) or 'base'}")
def mix(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Mix:
    """A mix; the tests of `test_properties` play it whatever they ask for."""
    mix: Mix = request.param
    monkeypatch.setattr(properties, "start", lambda kind, _players, _sets, seed: mix.start(kind, seed))
    monkeypatch.setattr(properties, "moments", partial(properties.moments, most=STEPS))
    return mix


def played(mix: Mix, turns: int = 0) -> tuple[str, int, tuple[str, ...], int]:
    """The arguments of the tests of `test_properties`; dealt and crowded games by turns."""
    kind = "crowded" if (mix.number + turns) % 2 else "deal"
    return kind, mix.players, mix.sets, 700 + mix.number


def test_each_two_options_are_mixed_in_every_way() -> None:
    assert {name for on in COVER for name in on} == set(OPTIONS)
    for first, second in combinations(OPTIONS, 2):
        mixed = {(first in on, second in on) for on in COVER}
        assert mixed >= {(False, False), (False, True), (True, False)}
        assert ((True, True) in mixed) == ({first, second} not in EITHER)


def test_cards_are_kept_in_every_mix(mix: Mix) -> None:  # Q2
    properties.test_every_card_in_use_lies_in_exactly_one_place(*played(mix))


def test_tokens_lie_where_the_variant_puts_them_and_cards_elsewhere(mix: Mix) -> None:  # R20.1, R20.4
    kind, _, _, seed = played(mix, 1)
    for game, _ in properties.moments(mix.start(kind, seed), seed):
        with_tokens = areas(game)
        for place, lying in places(game).items():
            wanted = place.rpartition(".")[2] in with_tokens
            assert all(is_token(game, number) == wanted for number in lying), place


def test_options_differ_in_every_mix(mix: Mix) -> None:  # Q2
    properties.test_a_seat_that_is_asked_has_at_least_two_options_with_different_texts(*played(mix, 1))


def test_limits_hold_in_every_mix(mix: Mix) -> None:  # Q2, R6.1, R6.2
    properties.test_the_limits_hold_at_every_decision_but_those_about_the_overflow(*played(mix))


def test_credits_add_up_in_every_mix(mix: Mix) -> None:  # Q2, Q10
    """Without the Market they are even; with it they may be odd."""
    if not mix.market:
        properties.test_the_changes_that_are_told_add_up_to_the_credits(*played(mix, 1))
        return
    kind, _, _, seed = played(mix, 1)
    start = mix.start(kind, seed)
    credits = [player.credits for player in start.players]
    marks = list(start.market)
    assert len(marks) == len(FIVE)
    for game, events in properties.moments(start, seed):
        for event in events:
            if event.kind == "credits":
                credits[event.public["seat"]] += event.public["change"]
            elif event.kind == "score":
                credits[event.public["seat"]] += sum(event.public["parts"].values())
            elif event.kind == "market":
                place = TYPES.index(event.public["type"])
                assert abs(event.public["marker"] - marks[place]) == 1
                marks[place] = event.public["marker"]
        assert [player.credits for player in game.players] == credits
        assert list(game.market) == marks
        assert all(LOWEST <= place <= HIGHEST for place in marks)


def test_clones_go_on_alike_in_every_mix(mix: Mix) -> None:  # Q2
    properties.test_a_clone_goes_on_like_the_game_and_leaves_it_alone(*played(mix))


def test_copies_by_json_go_on_alike_in_every_mix(mix: Mix) -> None:  # Q2
    properties.test_a_copy_by_json_goes_on_like_the_game_and_is_written_alike(*played(mix, 1))


def test_samples_look_the_same_in_every_mix(mix: Mix) -> None:  # Q2, Q9
    kind, _, _, seed = played(mix)
    look_the_same(mix.start(kind, seed), seed, asked_only=True)


def test_every_mix_ends(mix: Mix) -> None:  # Q2, Q66, R13.2
    properties.test_a_game_ends_within_the_turn_cap(mix.players)
