"""The shipped bot `search`: within its budget, repeatable, legal everywhere. How strong it is, docs/bots.md tells."""

from __future__ import annotations

from typing import Any

import pytest

from arena.game import Decision, Game, Options
from arena.game.choices import DRAW, PASS, named
from clients import WireRequest
from clients.bots import LocalRequest
from clients.bots.habits import HABITS, answer
from clients.bots.numbers import Numbers
from clients.bots.outlook import OUTLOOK
from clients.bots.search import BANK_SHARE, MOVE_SHARE, SearchBot
from clients.bots.tree import EXPLORATION, Explorer, Node, select
from protocol.messages import Remaining, Request

WIDE = ("capital", "tokyo", "kickstarter", "kickstarter2", "j", "flag")


class Timed(LocalRequest):
    """A request with a clock that goes on whenever the bot looks at it."""

    def __init__(self, game: Game, move: float, bank: float, step: float) -> None:
        super().__init__(game, game.to_act[0])
        self.move_seconds = move
        self.bank_seconds = bank
        self.step = step
        self.now = 0.0
        self.samples = 0

    def waited(self) -> float:
        self.now += self.step
        return self.now

    def sample(self, seed: int) -> Game:
        self.samples += 1
        return super().sample(seed)


def opening(seats: int = 2) -> Game:
    return Game.new(Options(players=seats), seed=1)


# The budget


@pytest.mark.parametrize(("move", "bank"), [(2.0, 0.0), (1.0, 100.0), (0.5, 3.0)])
def test_only_its_share_of_the_clock_is_used(move: float, bank: float) -> None:
    request = Timed(opening(), move=move, bank=bank, step=0.05)
    SearchBot(1, iterations=500).choose(request)
    share = MOVE_SHARE * move + BANK_SHARE * bank
    assert share < request.now < share + 0.2  # each phase looks once more


def test_when_its_time_is_up_it_answers_by_rules_of_thumb() -> None:
    request = Timed(opening(), move=0.0, bank=0.0, step=1.0)
    SearchBot(1).choose(request)
    assert request.samples == 1


def test_it_runs_as_often_as_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = 0
    original = Explorer.run

    def counting(*arguments: Any) -> None:
        nonlocal runs
        runs += 1
        original(*arguments)

    monkeypatch.setattr(Explorer, "run", counting)
    game = opening()
    SearchBot(1, iterations=33).choose(LocalRequest(game, game.to_act[0]))
    assert runs == 33


def test_a_generous_clock_changes_no_answer() -> None:
    game = opening()
    timed = Timed(game, move=86400.0, bank=0.0, step=0.001)
    assert SearchBot(5, 40).choose(timed) == SearchBot(5, 40).choose(LocalRequest(game, game.to_act[0]))


def test_over_the_wire_it_waits_since_the_request_has_come(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("clients.answering.time.monotonic", lambda: now)
    clock = Remaining(move=2.0, bank=30.0)
    message = Request(game="g1", id=1, kind="load", options=("pass", "draw"), default=0, clock=clock)
    request = WireRequest(message, seat=0, luck=1)
    now += 1.5
    assert (request.move_seconds, request.bank_seconds, request.waited()) == (2.0, 30.0, 1.5)


# Whole games


@pytest.mark.parametrize(
    ("seats", "options"),
    [
        (2, {}),
        (3, {"sets": WIDE, "market": True}),
        (5, {"sets": ("capital",), "containers": "tokens-everywhere"}),
    ],
)
def test_its_answers_are_legal_in_all_mixes(seats: int, options: dict[str, Any]) -> None:
    game = Game.new(Options(players=seats, **options), seed=seats)
    bots = [SearchBot(seat, iterations=1 + seat % 2) for seat in range(seats)]
    while not game.over:
        for seat in game.to_act:
            game.choose(seat, bots[seat].choose(LocalRequest(game, seat)))
    assert game.result is not None


# The tree


def explored(runs: int) -> Node:
    """The tree below the first option of an opening."""
    game = opening()
    seat = game.to_act[0]
    root = Node()
    explorer = Explorer(seat, HABITS, OUTLOOK)
    for deal in range(runs):
        ahead = game.sample(seat, deal)
        ahead.choose(seat, 0)
        explorer.run(ahead, root, ahead.turn + 4, Numbers(deal))
    return root


def nodes(root: Node) -> list[Node]:
    return [root, *(below for after in root.after.values() for below in nodes(after))]


def test_each_run_adds_one_node_at_most() -> None:
    root = explored(30)
    assert root.visits == 30
    assert 8 < len(nodes(root)) <= 31


def test_a_node_is_visited_as_often_as_it_was_taken_and_never_more_than_it_was_to_be_had() -> None:
    for node in nodes(explored(30)):
        assert sum(after.visits for after in node.after.values()) <= node.visits
        for after in node.after.values():
            assert 1 <= after.visits <= after.available <= node.visits


def known(visits: int, mean: float, available: int | None = None) -> Node:
    node = Node()
    node.visits, node.total = visits, visits * mean
    node.available = visits if available is None else available
    return node


OPTIONS = (DRAW, PASS, named("take", "luxury"))
DECISION = Decision("lead", 0, OPTIONS)


def test_the_first_visit_of_a_node_follows_the_rules_of_thumb() -> None:
    assert select(known(0, 0), DECISION, habitual=2) == 2


def test_more_options_are_tried_as_the_visits_grow() -> None:
    node = known(2, 0)
    node.after = {DRAW: known(2, 0)}
    assert select(node, DECISION, habitual=0) == 0
    node.visits = 3
    assert select(node, DECISION, habitual=0) == 1


def test_the_better_option_is_taken() -> None:
    node = known(4, 0)
    node.after = {DRAW: known(2, -20), PASS: known(2, 20)}
    assert select(node, DECISION, habitual=0) == 1


def test_an_option_that_was_seldom_taken_has_its_turn() -> None:
    node = known(5, 0)
    node.after = {DRAW: known(400, EXPLORATION / 8, 400), PASS: known(1, 0, 400)}
    assert select(node, DECISION, habitual=0) == 1


def test_an_option_that_could_seldom_be_taken_is_not_taken_for_untried() -> None:
    """By the visits of the node it would have its turn; but it was taken whenever it was to be had."""
    node = known(400, 0)
    node.after = {DRAW: known(397, 0.7 * EXPLORATION), PASS: known(3, 0)}
    assert select(node, DECISION._replace(options=(DRAW, PASS)), habitual=0) == 0


def test_an_option_that_this_deal_has_not_is_passed_over() -> None:
    elsewhere = named("take", "consumer")
    node = known(4, 0)
    node.after = {DRAW: known(1, -20), PASS: known(1, -30), elsewhere: known(2, 50)}
    assert select(node, DECISION._replace(options=(DRAW, PASS)), habitual=0) == 0
    assert node.after[elsewhere].available == 2
    assert node.after[DRAW].available == 2


# Strength


def test_it_finds_the_only_way_to_win_where_the_rules_of_thumb_lose() -> None:
    """To sell a card brings 50 credits and ends the game, one credit behind in the final scoring; it has to wait."""
    game = Game.new(Options(players=2), seed=6)
    numbers = Numbers(6)
    while game.turn < 19:
        seat = game.to_act[0]
        game.choose(seat, answer(game, game.decision(seat), numbers))
    seat = game.to_act[0]
    habitual = answer(game, game.decision(seat), numbers)
    found = SearchBot(0, 60).choose(LocalRequest(game, seat))
    assert [wins(game, seat, index) for index in (habitual, found)] == [False, True]


def wins(game: Game, seat: int, index: int) -> bool:
    """Whether `seat` wins with this answer, if all play by rules of thumb afterwards."""
    game = game.clone()
    game.choose(seat, index)
    while not game.over:
        asked = game.to_act[0]
        game.choose(asked, answer(game, game.decision(asked), Numbers(1)))
    assert game.result is not None
    return seat in game.result.winners
