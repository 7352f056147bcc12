"""What holds of samples for every onlooker, and of every option's text: the wider runs of two other modules."""

from __future__ import annotations

from typing import Any

import pytest
from test_properties import GAMES, moments, start
from test_secrecy import KINDS, auctions, look_the_same, onlookers, remembered, shown
from test_secrecy import start as begin

from arena.game import ChoiceError, Game, Options
from arena.game.choices import parse


@pytest.mark.parametrize(("kind", "players", "sets", "seed"), GAMES)
def test_the_text_of_every_option_can_be_read_again(
    kind: str, players: int, sets: tuple[str, ...], seed: int
) -> None:
    """DESIGN.md section 2: options have a text form and its inverse."""
    for game, _ in moments(start(kind, players, sets, seed), seed):
        for seat in game.to_act:
            for option in game.decision(seat).options:
                assert parse(option.text(game.catalogue), game.catalogue) == option


@pytest.mark.parametrize(("kind", "players", "seed"), KINDS)
def test_a_sampled_game_looks_the_same_to_every_seat(kind: str, players: int, seed: int) -> None:
    look_the_same(begin(kind, players, seed), seed, asked_only=False)


def test_a_sampled_game_asks_about_the_same_tie() -> None:  # R8.4
    """The bids have been shown, so they are not asked for again."""
    game = next(auctions(3))
    for seat in game.to_act:
        bids = [option.amount for option in game.decision(seat).options]
        game.choose(seat, bids.index(4))
    assert game.asking[0].kind == "tie"
    for onlooker in onlookers(game):
        sampled = game.sample(onlooker, seed=5)
        assert sampled.asking == game.asking
        assert shown(sampled, onlooker) == shown(game, onlooker)


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_sampled_games_agree_with_all_that_every_onlooker_remembers(players: int) -> None:
    assert remembered(players, 20 + players, (0, 0), asked_only=False) > 10


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_sampled_games_agree_with_what_is_remembered_of_the_cards_before_a_shuffle(players: int) -> None:
    assert remembered(players, 20 + players, (1, 99), asked_only=True) > 5


@pytest.mark.parametrize("seat", [-1, 3, True, 1.0, "0", 10**30])
def test_nobody_sees_or_samples_from_a_seat_that_is_not_there(seat: Any) -> None:
    game = Game.new(Options(3), seed=1)
    with pytest.raises(ChoiceError, match=r"there is no seat .*; seats are 0 to 2"):
        game.view(seat)
    with pytest.raises(ChoiceError, match=r"there is no seat .*; seats are 0 to 2"):
        game.sample(seat, 1)
