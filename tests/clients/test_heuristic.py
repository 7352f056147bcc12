"""The shipped bot `heuristic`: legal everywhere, repeatable, bounded. How strong it is, is told with the bots."""

from __future__ import annotations

import pytest

from arena.game import Game, Options
from arena.game.choices import option
from arena.game.goods import count_goods
from clients.bots import BOTS, LocalRequest, make_bot
from clients.bots import heuristic as module
from clients.bots.habits import HABITS, RULES, Thought, answer, missing_slots
from clients.bots.heuristic import MOST_CHOICES, ROUNDS
from clients.bots.numbers import Numbers
from clients.bots.outlook import lead_over_others

WIDE = ("capital", "tokyo", "kickstarter", "kickstarter2", "j", "flag")


def answers(seed: int, choices: int, seats: int = 2) -> list[int]:
    """What the bot answers at the first decisions of a game with itself."""
    game = Game.new(Options(players=seats), seed=seed)
    bots = [make_bot("heuristic", seed + seat) for seat in range(seats)]
    given: list[int] = []
    while not game.over and len(given) < choices:
        seat = game.to_act[0]
        given.append(bots[seat].choose(LocalRequest(game, seat)))
        game.choose(seat, given[-1])
    return given


def test_same_seeds_give_the_same_game() -> None:
    assert answers(seed=3, choices=25) == answers(seed=3, choices=25)


def test_a_game_is_played_to_its_end() -> None:
    game = Game.new(Options(players=2), seed=1)
    bots = [make_bot("random", 1), make_bot("heuristic", 2)]
    while not game.over:
        for seat in game.to_act:
            game.choose(seat, bots[seat].choose(LocalRequest(game, seat)))
    assert game.result is not None


@pytest.mark.parametrize(("seats", "sets", "market"), [(2, (), False), (3, WIDE, True), (6, WIDE, False)])
def test_rules_of_thumb_have_a_legal_answer_to_everything(
    seats: int, sets: tuple[str, ...], market: bool
) -> None:
    for seed in range(3):
        game = Game.new(Options(players=seats, sets=sets, market=market), seed=seed)
        numbers = Numbers(seed)
        while not game.over:
            for seat in game.to_act:
                game.choose(seat, answer(game, game.decision(seat), numbers))
        assert game.result is not None


def test_a_decision_stays_within_its_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = 0

    def counting(*arguments: object) -> int:
        nonlocal calls
        calls += 1
        return 0

    monkeypatch.setattr(module, "answer", counting)
    game = Game.new(Options(players=4), seed=5)
    make_bot("heuristic", 1).choose(LocalRequest(game, game.to_act[0]))
    tried = sum(most + 1 for most in ROUNDS)
    assert calls <= 1 + tried * MOST_CHOICES


def test_only_bots_that_search_are_sent_samples() -> None:
    assert {name: factory.searches for name, factory in BOTS.items()} == {
        "random": False,
        "greedy": True,
        "heuristic": True,
        "search": True,
    }


# The rules of thumb


def test_the_card_sold_is_not_one_that_a_ship_needs() -> None:  # R7.1
    game = Game.new(Options(players=2), seed=1)
    seat = game.to_act[0]
    thought = Thought(game, seat, HABITS)
    needed, other = thought.player.hand[:2]
    colors = game.catalogue.colors
    assert colors[needed] != colors[other]
    thought.needed = 1 << colors[needed]
    values = RULES["supply"](thought, (option("sell", "", needed), option("sell", "", other)))
    assert values[0] < values[1]


def test_an_empty_ship_lacks_all_that_its_contract_asks_for() -> None:  # R10.2
    game = Game.new(Options(players=2), seed=1)
    card = game.players[0].hand[0]
    ship = game.ships[0]._replace(contracts=(card,))
    assert missing_slots(game, ship) == list(game.catalogue.loads[card])


# The outlook


def test_more_credits_are_a_better_outlook_and_those_of_others_a_worse_one() -> None:
    game = Game.new(Options(players=3), seed=1)
    assert count_goods(game, 0) == [0, 0, 0, 0, 0]
    richer = game.clone()
    richer.players[0].credits += 4
    assert lead_over_others(richer, 0) > lead_over_others(game, 0)
    assert lead_over_others(richer, 1) < lead_over_others(game, 1)
