"""What holds in every game: random ones, at every number of seats and with every set that can be played."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from random import Random

import pytest
from table import crowded

from arena.game import ChoiceError, Event, Game, Options
from arena.game.limits import crew_limit, goods_places
from arena.game.positions import places
from arena.game.setup import PLAYABLE_SETS, cards_in_use
from arena.game.state import SEA
from arena.game.terms import TURN_CAP
from arena.game.tokens import out

MIXES = [(), ("kickstarter",), ("kickstarter2", "flag"), PLAYABLE_SETS]
DEALT = [("deal", 2 + number % 5, MIXES[number // 5 % len(MIXES)], number) for number in range(20)]
CROWDED = [("crowded", 2 + number % 5, PLAYABLE_SETS, number) for number in range(15)]
GAMES = [*DEALT, *CROWDED]
STEPS = 400  # decisions of one game that are looked at closely
WORD = re.compile("[a-z0-9][a-z0-9-]{0,63}")  # what the kind of a request may be; clients refuse any other


def start(kind: str, players: int, sets: tuple[str, ...], seed: int) -> Game:
    """A dealt game, or one in which everybody has many powers already."""
    if kind == "crowded":
        return crowded(players, sets, seed)
    return Game.new(Options(players=players, sets=sets), seed=seed)


def pick(game: Game, chance: Random) -> tuple[int, int]:
    """A seat that is asked, and one of its options."""
    seat = chance.choice(game.to_act)
    return seat, chance.randrange(len(game.decision(seat).options))


def moments(game: Game, seed: int, most: int = STEPS) -> Iterator[tuple[Game, list[Event]]]:
    """The game before each decision, with what has happened since the one before; and when it is over."""
    chance = Random(seed)
    events: list[Event] = []
    for _ in range(most):
        yield game, events
        if game.over:
            return
        events = game.choose(*pick(game, chance))


@pytest.mark.parametrize(("kind", "players", "sets", "seed"), GAMES)
def test_a_seat_that_is_asked_has_at_least_two_options_with_different_texts(
    kind: str, players: int, sets: tuple[str, ...], seed: int
) -> None:
    for game, _ in moments(start(kind, players, sets, seed), seed):
        assert game.over == (not game.to_act)
        for seat in game.to_act:
            decision = game.decision(seat)
            texts = decision.texts(game.catalogue)
            assert len(texts) == len(set(texts)) >= 2
            assert 0 <= decision.default < len(texts)
            assert decision.seat == seat
            assert WORD.fullmatch(decision.kind), decision.kind


@pytest.mark.parametrize(("kind", "players", "sets", "seed"), GAMES)
def test_every_card_in_use_lies_in_exactly_one_place(
    kind: str, players: int, sets: tuple[str, ...], seed: int
) -> None:
    """But for one that is just pirated or taken by a power, and whose owner is asked what to do with it.

    The same holds for tokens that are out of the stock.
    """
    dealt = start(kind, players, sets, seed)
    cards = set(cards_in_use(dealt.options, dealt.catalogue))
    for game, _ in moments(dealt, seed):
        wanted = cards.union(out(game))
        front = game.catalogue.front
        lying = [front[card] for cards in places(game).values() for card in cards]
        assert len(lying) == len(set(lying))
        missing = wanted - set(lying)
        assert set(lying) <= wanted
        assert not wrong_sides(game)
        held = {
            front[value] if 0 < value < len(front) else value
            for frame in game.stack
            for field in frame.fields
            for value in flat(getattr(frame, field))
            if type(value) is int
        }
        assert missing <= held, "a card is in no zone and on no frame"
        if game.over or (
            game.to_act and game.decision(game.to_act[0]).kind in ("lead", "follow", "crew", "bid")
        ):
            assert not missing


def wrong_sides(game: Game) -> list[str]:  # R18, P23, Q82, Q101
    """Double cards that show a side where none is up, or none where one must be.

    At sea both may be: loaded ones, and ones that were dealt to the Ship.
    """
    ids, front, sides = game.catalogue.ids, game.catalogue.front, game.catalogue.sides
    wrong = []
    for place, cards in places(game).items():
        no_side = place.rpartition(".")[2] in ("hand", "played", "island", "pile", "discard", "box")
        dealt = place.endswith(".containers") and (
            game.ships[int(place[5:].partition(".")[0])].place == SEA or asked(game) == "side"
        )
        if no_side:
            odd = [card for card in cards if front[card] != card]
        else:
            odd = [card for card in cards if len(sides[card]) > 1 and not dealt]
        wrong += [f"{ids[card]} in {place}" for card in odd]
    return wrong


def asked(game: Game) -> str:
    """The kind of the open decision."""
    return game.asking[0].kind if game.asking else ""


def flat(value: object) -> Iterator[object]:
    if isinstance(value, tuple):
        for part in value:
            yield from flat(part)
    else:
        yield value


@pytest.mark.parametrize(("kind", "players", "sets", "seed"), GAMES)
def test_the_changes_that_are_told_add_up_to_the_credits(
    kind: str, players: int, sets: tuple[str, ...], seed: int
) -> None:
    dealt = start(kind, players, sets, seed)
    credits = [player.credits for player in dealt.players]
    for game, events in moments(dealt, seed):
        for event in events:
            told = event.public
            if event.kind == "credits":
                credits[told["seat"]] += told["change"]
                assert credits[told["seat"]] == told["credits"] >= 0
            elif event.kind == "score":
                credits[told["seat"]] += sum(told["parts"].values())
                assert credits[told["seat"]] == told["credits"]
        assert [player.credits for player in game.players] == credits
        if not game.over:
            assert all(amount % 2 == 0 for amount in credits)  # Q10


@pytest.mark.parametrize(("kind", "players", "sets", "seed"), GAMES)
def test_the_limits_hold_at_every_decision_but_those_about_the_overflow(
    kind: str, players: int, sets: tuple[str, ...], seed: int
) -> None:
    """R6: within an event that is not over yet an area may be too full (P7); between events it never is."""
    for game, _ in moments(start(kind, players, sets, seed), seed):
        if game.depth or asked(game).startswith("overflow"):
            continue
        for player in game.players:
            assert len(player.crew) <= crew_limit(game, player.seat)
            assert goods_places(game, player.seat, player.goods) <= 2 * player.contracts


@pytest.mark.parametrize(("kind", "players", "sets", "seed"), GAMES[::2])
def test_a_clone_goes_on_like_the_game_and_leaves_it_alone(
    kind: str, players: int, sets: tuple[str, ...], seed: int
) -> None:  # S053
    for step, (game, _) in enumerate(moments(start(kind, players, sets, seed), seed)):
        if step % 25 or game.over:
            continue
        before = game.digest()
        first, second = game.clone(), game.clone()
        assert first.digest() == second.digest() == before
        chance = Random(step)
        for _ in range(30):
            if first.over:
                break
            seat, index = pick(first, chance)
            told = [event.for_seat(None) for event in first.choose(seat, index)]
            assert [event.for_seat(None) for event in second.choose(seat, index)] == told
        assert first.digest() == second.digest()
        assert game.digest() == before


@pytest.mark.parametrize(("kind", "players", "sets", "seed"), GAMES[1::2])
def test_a_copy_by_json_goes_on_like_the_game_and_is_written_alike(
    kind: str, players: int, sets: tuple[str, ...], seed: int
) -> None:  # S053
    for step, (game, _) in enumerate(moments(start(kind, players, sets, seed), seed)):
        if step % 20 and not game.over:
            continue
        text = game.to_json()
        copy = Game.from_json(text)
        assert copy.to_json() == text
        assert copy.view(0) == game.view(0)
        assert copy.view(None) == game.view(None)
        twin = game.clone()
        chance = Random(step)
        for _ in range(20):
            if twin.over:
                break
            seat, index = pick(twin, chance)
            told = [event.for_seat(None) for event in twin.choose(seat, index)]
            assert [event.for_seat(None) for event in copy.choose(seat, index)] == told
        assert copy.to_json() == twin.to_json()


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_a_game_ends_within_the_turn_cap(players: int) -> None:  # Q66, R13.2
    for seed in range(2):
        game = start("deal", players, PLAYABLE_SETS, 100 + seed)
        chance = Random(seed)
        while not game.over:
            game.choose(*pick(game, chance))
        assert game.turn <= TURN_CAP
        assert game.result is not None
        assert len(game.result.places) == len(game.result.credits) == players
        assert sorted(game.result.places)[0] == 1
        assert game.result.reason
        assert game.stack == []
        assert game.to_act == ()


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_the_defaults_alone_end_a_game(players: int) -> None:  # Q104, Q66
    game = start("crowded", players, PLAYABLE_SETS, players)
    while not game.over:
        seat = game.to_act[0]
        game.choose(seat, game.decision(seat).default)
    assert game.result is not None


@pytest.mark.parametrize("players", [2, 4, 6])
def test_an_illegal_choice_is_refused_and_changes_nothing(players: int) -> None:  # S014, S015, S017, S018
    for step, (game, _) in enumerate(moments(start("crowded", players, PLAYABLE_SETS, players), players)):
        if step % 20 and not game.over:
            continue
        before = game.digest()
        for seat in game.to_act:
            options = len(game.decision(seat).options)
            for index in (-1, options, 10**30, True, False, 0.0, 1.0, "0", "draw", None, [0], (0,)):
                with pytest.raises(ChoiceError):
                    game.choose(seat, index)  # type: ignore[arg-type]
            for text in ("", "nothing", "draw*1", "lead:load:nothing*1", "pass@ship-99", "x" * 10_000):
                with pytest.raises(ChoiceError):
                    game.choose_text(seat, text)
        others = [seat for seat in range(players) if seat not in game.to_act]
        for wrong in (*others, -1, players, 99, True if 1 not in game.to_act else players, "0", None, 1.5):
            with pytest.raises(ChoiceError):
                game.choose(wrong, 0)  # type: ignore[arg-type]
            with pytest.raises(ChoiceError):
                game.decision(wrong)  # type: ignore[arg-type]
        assert game.digest() == before


def test_a_seat_that_has_answered_is_not_asked_again() -> None:  # R8.4
    for game, _ in moments(start("deal", 4, (), 3), 3):
        if len(game.to_act) > 1:
            first = game.to_act[0]
            game.choose(first, 0)
            before = game.digest()
            with pytest.raises(ChoiceError):
                game.choose(first, 0)
            assert game.digest() == before
            return
    pytest.fail("nobody bid in this game")


def test_what_happens_does_not_depend_on_the_order_of_the_bidders() -> None:  # R8.4
    compared = 0
    for game, _ in moments(start("deal", 5, (), 11), 11):
        if len(game.to_act) > 1:
            bids = {seat: game.decision(seat).options[-1 if seat % 2 else 0] for seat in game.to_act}
            results = set()
            for order in (sorted(bids), sorted(bids, reverse=True)):
                copy = game.clone()
                for seat in order:
                    copy.choose(seat, copy.decision(seat).options.index(bids[seat]))
                results.add(copy.digest())
            assert len(results) == 1
            compared += 1
    assert compared > 3


PLAY = """
from random import Random
from arena.game import Game, Options
for kind, players, sets, seed in {games}:
    game, chance = Game.new(Options(players=players, sets=sets), seed=seed), Random(seed)
    for _ in range(400):
        if game.over:
            break
        seat = chance.choice(game.to_act)
        game.choose(seat, chance.randrange(len(game.decision(seat).options)))
    print(game.digest())
"""


def test_two_processes_with_different_hash_seeds_come_to_equal_digests() -> None:  # S051
    program = PLAY.format(games=DEALT[3::4])
    outputs = [
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert outputs[0] == outputs[1]
    assert len(outputs[0].split()) == len(DEALT[3::4])
