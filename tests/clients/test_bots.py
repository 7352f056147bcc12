"""The shipped bots: they know their request and nothing else, and can be repeated exactly."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

import pytest

from arena.game import Decision, Game, Options
from arena.game.choices import number, option, with_card
from clients.bots import BOTS, LocalRequest, Request, UnknownBot, make_bot
from clients.bots.evaluation import WEIGHTS, goods_worth, worth
from clients.bots.greedy import MOST_TRIED, shortlist
from clients.bots.search import SearchBot

NAMES = sorted(BOTS)


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search is as deep as these tests need it."""
    monkeypatch.setitem(BOTS, "search", lambda seed: SearchBot(seed, iterations=20))


def games_in_the_middle(seats: int = 3, wanted: int = 6) -> Iterator[tuple[Game, int]]:
    """Games stopped at a decision with several seats' hidden cards in play, and the seat that is asked."""
    for seed in range(wanted):
        game = Game.new(Options(players=seats), seed=seed)
        pick = Random(seed)
        for _ in range(15 + 11 * seed):
            for seat in game.to_act:
                game.choose(seat, pick.randrange(len(game.decision(seat).options)))
        assert not game.over
        yield game, game.to_act[0]


def play(names: Sequence[str], seed: int) -> Game:
    game = Game.new(Options(players=len(names)), seed=seed)
    bots = [make_bot(name, seed * 10 + seat) for seat, name in enumerate(names)]
    while not game.over:
        for seat in game.to_act:
            game.choose(seat, bots[seat].choose(LocalRequest(game, seat)))
    return game


@pytest.mark.parametrize("name", NAMES)
def test_bot_answers_the_same_when_only_hidden_cards_differ(name: str) -> None:
    for game, seat in games_in_the_middle():
        other = game.sample(seat, seed=99)
        assert other.digest() != game.digest()
        answers = {make_bot(name, 5).choose(LocalRequest(g, seat)) for g in (game, other)}
        assert len(answers) == 1


class Recording:
    """A request that notes what a bot looks at."""

    def __init__(self, request: LocalRequest) -> None:
        self.request = request
        self.used: set[str] = set()

    def __getattr__(self, name: str) -> Any:
        self.used.add(name)
        return getattr(self.request, name)


REQUEST = frozenset(name for name in vars(Request) if not name.startswith("_"))


@pytest.mark.parametrize("name", NAMES)
def test_bot_uses_only_what_a_request_offers(name: str) -> None:
    for game, seat in games_in_the_middle(wanted=2):
        recording = Recording(LocalRequest(game, seat))
        make_bot(name, 1).choose(recording)
        assert recording.used <= REQUEST


@pytest.mark.parametrize("name", NAMES)
def test_bot_leaves_the_game_untouched(name: str) -> None:
    for game, seat in games_in_the_middle(wanted=3):
        before = game.to_json()
        index = make_bot(name, 1).choose(LocalRequest(game, seat))
        assert game.to_json() == before
        assert 0 <= index < len(game.decision(seat).options)


@pytest.mark.parametrize("name", NAMES)
def test_same_seed_and_requests_give_the_same_answers(name: str) -> None:
    games = list(games_in_the_middle(wanted=4))
    runs = []
    for _ in range(2):
        bot = make_bot(name, 7)
        runs.append([bot.choose(LocalRequest(game, seat)) for game, seat in games])
    assert runs[0] == runs[1]


FIRST_ANSWERS = """
from arena.game import Game, Options
from clients.bots import LocalRequest, make_bot

game = Game.new(Options(players=3), seed=4)
bot = make_bot("greedy", 3)
for _ in range(12):
    for seat in game.to_act:
        index = bot.choose(LocalRequest(game, seat))
        print(index, end=" ")
        game.choose(seat, index)
print(game.digest())
"""


def test_answers_do_not_depend_on_the_hash_seed() -> None:  # S051
    printed = {
        subprocess.run(
            [sys.executable, "-c", FIRST_ANSWERS],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
        ).stdout
        for hash_seed in ("1", "2")
    }
    assert len(printed) == 1


def test_random_bot_gives_every_option_its_turn() -> None:
    game = Game.new(Options(players=2), seed=1)
    seat = game.to_act[0]
    bot = make_bot("random", 1)
    request = LocalRequest(game, seat)
    seen = {bot.choose(request) for _ in range(60 * len(request.options))}
    assert seen == set(range(len(request.options)))


def test_greedy_beats_random() -> None:
    """A few games only; what many give is told with the bots."""
    won = 0
    for seed in range(3):
        seat = seed % 2
        names = ["random", "random"]
        names[seat] = "greedy"
        won += play(names, seed).result.winners == (seat,)  # type: ignore[union-attr]
    assert won >= 2


def test_bots_finish_a_game_of_six() -> None:
    assert play(["greedy", *["random"] * 5], seed=6).over


def test_unknown_bot_is_refused_with_the_known_names() -> None:
    with pytest.raises(
        UnknownBot,
        match=r"^there is no bot 'stockfish'; the shipped ones are random, greedy, heuristic, search$",
    ):
        make_bot("stockfish", 1)


def test_local_request_shows_the_decision_in_text() -> None:
    game = Game.new(Options(players=2), seed=1)
    seat = game.to_act[0]
    request: Request = LocalRequest(game, seat)
    decision = game.decision(seat)
    assert request.kind == "lead"
    assert list(request.options) == decision.texts(game.catalogue)
    assert request.default == decision.default
    view: Mapping[str, Any] = request.view
    assert view == game.view(seat)


# The shortlist


def test_shortlist_keeps_all_options_of_a_small_decision() -> None:
    decision = Decision("supply", 0, tuple(with_card("sell", card) for card in range(1, 6)))
    assert list(shortlist(decision, 12)) == [0, 1, 2, 3, 4]


def test_shortlist_has_each_sort_of_option() -> None:
    loads = [option("lead", "load", card, 0, -1, -1, "", 1) for card in range(1, 41)]
    decision = Decision("lead", 0, (option("draw"), *loads, option("lead", "supply", 50, 0, -1, -1, "", 1)))
    tried = shortlist(decision, 12)
    assert len(tried) == 12
    assert {0, 41} <= set(tried)


def test_shortlist_of_bids_begins_with_the_lowest() -> None:
    decision = Decision("bid", 0, tuple(number("bid", n) for n in range(0, 60, 2)))
    assert list(shortlist(decision, 5)) == [0, 1, 2, 3, 4]


def test_shortlist_prefers_more_actions() -> None:
    options = [option("lead", "load", card, 0, -1, -1, "", n) for card in range(1, 11) for n in (1, 2, 3)]
    tried = shortlist(Decision("lead", 0, tuple(options)), 4)
    assert [options[index].amount for index in tried] == [3, 3, 3, 3]


def test_long_decisions_stay_within_the_bound() -> None:
    for game, seat in games_in_the_middle():
        assert len(shortlist(game.decision(seat), MOST_TRIED)) <= MOST_TRIED


# The evaluation


def test_own_credits_are_good_and_those_of_others_are_not() -> None:
    game = Game.new(Options(players=2), seed=1)
    before = worth(game, 0)
    richer = game.clone()
    richer.players[0].credits += 4
    assert worth(richer, 0) > before
    assert worth(richer, 1) < worth(game, 1)


def test_more_types_are_worth_more_than_more_of_one_type() -> None:  # R14.3
    assert goods_worth([1, 1, 1, 0, 0], WEIGHTS) > goods_worth([3, 0, 0, 0, 0], WEIGHTS)


def test_a_won_game_is_worth_more_than_a_lost_one() -> None:
    game = play(["random", "random"], seed=3)
    assert game.result is not None
    winner = game.result.winners[0]
    assert worth(game, winner) > worth(game, 1 - winner)
