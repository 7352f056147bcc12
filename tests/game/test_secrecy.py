"""What a seat cannot know shows nowhere: in no view, no event, no request; and sampled games keep what it knows."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest
from table import crowded, play, table, with_powers

from arena.game import Event, Game, Options
from arena.game.catalogue import Catalogue, default_catalogue
from arena.game.setup import PLAYABLE_SETS

KINDS = [("deal", 2 + number % 5, number) for number in range(10)]
KINDS += [("crowded", 2 + number % 5, number) for number in range(15)]
STEPS = 200
WORD = re.compile("[a-z0-9-]+")  # as the ids of cards are written


def start(kind: str, players: int, seed: int) -> Game:
    """A dealt game, or one in which everybody has many powers already."""
    if kind == "crowded":
        return crowded(players, PLAYABLE_SETS, seed)
    return Game.new(Options(players=players, sets=PLAYABLE_SETS), seed=seed)


def onlookers(game: Game) -> list[int | None]:
    return [None, *range(len(game.players))]


def shown(game: Game, seat: int | None) -> str:
    """All that a seat sees now, byte for byte."""
    return json.dumps(game.view(seat))


def words(value: Any) -> set[str]:
    """All card ids and other words at any depth, also inside the texts of options."""
    return set(WORD.findall(json.dumps(value)))


def secrets(game: Game, seat: int | None) -> set[str]:
    """Ids of the cards that `seat` does not see and whose place it does not know for certain."""
    own = 0 if seat is None else 1 << seat
    known = {card for card, mask in enumerate(game.zones) if mask.bit_count() == 1}
    known |= {card for card, knowers, _ in game.secrets if knowers & own}
    cards = {card for player in game.players if player.seat != seat for card in player.hand} | set(game.pile)
    if game.face_up:
        known.update(game.pile[-1:])
    return {game.catalogue.ids[card] for card in cards - known}


def moments(game: Game, seed: int, steps: int = STEPS) -> Iterator[tuple[int, Game, list[Event]]]:
    chance = Random(seed)
    events: list[Event] = []
    for step in range(steps):
        yield step, game, events
        if game.over:
            return
        seat = chance.choice(game.to_act)
        events = game.choose(seat, chance.randrange(len(game.decision(seat).options)))


# Views and events


@pytest.mark.parametrize(("kind", "players", "seed"), KINDS)
def test_no_view_names_a_card_that_its_seat_cannot_know(
    kind: str, players: int, seed: int
) -> None:  # S024, S025
    for step, game, _ in moments(start(kind, players, seed), seed):
        for seat in onlookers(game) if step % 3 == 0 else ():
            assert not words(game.view(seat)) & secrets(game, seat)


@pytest.mark.parametrize(("kind", "players", "seed"), KINDS)
def test_no_event_names_a_card_that_was_and_stays_hidden(kind: str, players: int, seed: int) -> None:  # S024
    before: dict[int | None, set[str]] = {}
    for _, game, events in moments(start(kind, players, seed), seed):
        hidden = {seat: secrets(game, seat) for seat in onlookers(game)}
        if before and not game.face_up:
            moved = any(event.kind == "shuffle" for event in events)
            for seat in onlookers(game):
                for event in events:
                    named = words(event.for_seat(seat)) & hidden[seat] & before[seat]
                    assert not named or moved, f"{event} tells seat {seat} of {named}"
        before = hidden


@pytest.mark.parametrize(("kind", "players", "seed"), KINDS)
def test_the_private_part_of_an_event_is_seen_by_those_it_is_for(kind: str, players: int, seed: int) -> None:
    for _, game, events in moments(start(kind, players, seed), seed):
        for event in events:
            for seat in range(players):
                if seat not in (event.private or {}):
                    assert event.for_seat(seat) == event.for_seat(None)
            assert set(event.private or {}) <= set(range(players))
            json.dumps([event.for_seat(seat) for seat in onlookers(game)])


@pytest.mark.parametrize(("kind", "players", "seed"), KINDS[::3])
def test_nobody_is_told_who_else_is_asked(kind: str, players: int, seed: int) -> None:  # Q98
    for _, game, _ in moments(start(kind, players, seed), seed):
        asked = set(game.to_act)
        for seat in onlookers(game):
            assert ("decision" in game.view(seat)) == (seat in asked)


def test_a_seat_asked_because_of_its_hand_looks_to_others_as_if_nobody_had_been_asked() -> None:  # Q98
    """With Lutefisk in hand and without: what the others see until the next decision is the same."""

    def told(card: str) -> list[str]:
        game = table(hands={0: "tech-1 tech-2", 1: f"{card} lux-1"}, goods={1: "agri-1"})
        seen = [shown(game, seat) for seat in (None, 2)]
        if game.to_act == (1,):
            assert game.decision(1).secret
            assert play(game, "1 pass") == []
            assert [shown(game, seat) for seat in (None, 2)] == seen
        assert game.to_act == (0,)
        return seen

    assert told("lutefisk") == told("cons-5")


# Sealed bids


def auctions(players: int) -> Iterator[Game]:
    """Games in which several seats are asked for their bids, and nobody has bid yet."""
    for seed in range(20):
        for _, game, _ in moments(start("deal", players, seed), seed, 400):
            can_bid = [d.seat for d in game.asking if d.kind == "bid" and len(d.options) > 1]
            if len(can_bid) > 1 and list(game.to_act) == can_bid:
                yield game.clone()


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_a_bid_shows_nowhere_before_the_last_one_is_in(players: int) -> None:  # R8.4, Q9, S026
    chance = Random(players)
    for rounds, game in enumerate(auctions(players)):
        bidders = list(game.to_act)
        chance.shuffle(bidders)
        for bidder in bidders[:-1]:
            others = [seat for seat in onlookers(game) if seat != bidder]
            before = {seat: shown(game, seat) for seat in others}
            events = game.choose(bidder, chance.randrange(len(game.decision(bidder).options)))
            assert events == []
            assert {seat: shown(game, seat) for seat in others} == before
            assert "decision" not in game.view(bidder)
        events = game.choose(bidders[-1], 0)
        assert "bids" in [event.kind for event in events]
        if rounds == 12:
            return
    pytest.fail("there were too few auctions")


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_in_a_sampled_game_the_bids_of_others_are_taken_back(players: int) -> None:
    chance = Random(players)
    for rounds, game in enumerate(auctions(players)):
        bidders = set(game.to_act)
        for bidder in sorted(bidders)[:-1]:
            game.choose(bidder, chance.randrange(len(game.decision(bidder).options)))
        for seat in onlookers(game):
            sampled = game.sample(seat, rounds)
            done = {seat} - set(game.to_act)
            assert set(sampled.to_act) == bidders - done
            assert shown(sampled, seat) == shown(game, seat)
            for bidder in list(sampled.to_act):
                sampled.choose(bidder, 0)
            assert sampled.asking != game.asking  # it has gone on
        if rounds == 8:
            return
    pytest.fail("there were too few auctions")


def test_a_seat_that_has_bid_keeps_its_own_bid_in_a_sampled_game() -> None:
    for players in (3, 4):
        game = next(game for game in auctions(players) if len(game.decision(game.to_act[0]).options) > 2)
        first = game.to_act[0]
        highest = len(game.decision(first).options) - 1
        bid = game.decision(first).options[highest].amount
        game.choose(first, highest)
        sampled = game.sample(first, 5)
        assert first not in sampled.to_act
        events: list[Event] = []
        for seat in sampled.to_act:
            events = sampled.choose(seat, 0)
        bids = next(event.public["bids"] for event in events if event.kind == "bids")
        assert [first, bid] in bids


# Sampled games


def look_the_same(game: Game, seed: int, *, asked_only: bool) -> None:
    """View and request of samples are byte-identical, and the game itself is not changed."""
    for step, game, _ in moments(game, seed):  # noqa: B020
        if step % 8:
            continue
        before = game.digest()
        for seat in onlookers(game):
            if asked_only and not (game.over or game.together or game.to_act == (seat,)):
                continue
            if any(decision.secret and decision.seat != seat for decision in game.asking):
                continue  # Q98: that somebody is asked is itself unknown, so a sample may be a step ahead
            view = shown(game, seat)
            for number in range(2):
                sampled = game.sample(seat, 1000 * step + number)
                assert shown(sampled, seat) == view
                assert sampled.to_act == game.to_act or game.together
                if seat is not None and seat in game.to_act:
                    assert sampled.decision(seat) == game.decision(seat)
        assert game.digest() == before


@pytest.mark.parametrize(("kind", "players", "seed"), KINDS)
def test_a_choice_does_the_same_in_a_sampled_game_as_far_as_no_hidden_card_matters(
    kind: str, players: int, seed: int
) -> None:
    """The seat sees the same events, up to the first one that shows a hidden card or another seat's decision."""
    for step, game, _ in moments(start(kind, players, seed), seed):
        if step % 6 or game.over or len(game.to_act) > 1:
            continue
        seat = game.to_act[0]
        for index in range(len(game.decision(seat).options)):
            told = []
            copies = (game.clone(), game.sample(seat, step))
            drawn = [copy.drawn for copy in copies]
            for copy in copies:
                told.append([event.for_seat(seat) for event in copy.choose(seat, index)])
            if [copy.drawn for copy in copies] != drawn:
                continue  # chance was used
            for first, second in zip(*told, strict=False):
                if first != second:
                    hidden = secrets(game, seat)
                    ended = {first["event"], second["event"]} - {"draw", "shuffle", "top", "turn", "follow"}
                    assert not ended or words([first, second]) & hidden, (first, second)
                    break


@pytest.mark.parametrize(("kind", "players", "seed"), KINDS)
def test_a_sampled_game_can_be_played_to_the_end(kind: str, players: int, seed: int) -> None:
    chance = Random(seed)
    for step, game, _ in moments(start(kind, players, seed), seed):
        if step % 40 != 7 or game.over:
            continue
        seat = chance.choice(onlookers(game))
        sampled = game.sample(seat, step)
        for _ in range(3000):
            if sampled.over:
                break
            bidder = chance.choice(sampled.to_act)
            sampled.choose(bidder, chance.randrange(len(sampled.decision(bidder).options)))
            if sampled.turn > game.turn + 15:
                break
        else:
            pytest.fail("the sampled game does not go on")


def test_samples_differ_by_their_seed_and_repeat_with_it() -> None:
    game = start("deal", 4, 1)
    digests = [game.sample(0, seed).digest() for seed in range(20)]
    assert len(set(digests)) == 20
    assert [game.sample(0, seed).digest() for seed in range(20)] == digests


def test_a_sample_tells_nothing_of_the_future_of_the_game() -> None:
    """Chance in the copy is seeded anew: neither the order of the pile nor the seed is that of the game."""
    game = start("deal", 3, 2)
    sampled = game.sample(0, 9)
    assert sampled.seed != game.seed
    assert sampled.pile != game.pile
    assert sorted([*sampled.pile, *sampled.players[1].hand, *sampled.players[2].hand]) == sorted(
        [*game.pile, *game.players[1].hand, *game.players[2].hand]
    )


# Perfect memory


@cache
def powerless() -> Catalogue:
    """The house catalogue without powers: only the rules move cards."""
    house = default_catalogue()
    single = [card.id for card in house.cards if len(card.contracts) == 1]
    return with_powers(house, dict.fromkeys(single, "plain"))


class Memory:
    """An onlooker with a perfect memory, built from the events that one seat sees.

    The cards that came into the draw pile together, at the deal or with one shuffle, are a batch. A card
    drawn is of the batch that the pile has then, so it is known how many cards of each batch a hand holds.
    """

    def __init__(self, seat: int | None, deal: dict[str, Any], cards: set[str]) -> None:
        self.seat = seat
        board = {word for word in words({key: deal[key] for key in ("island", "ships")}) if word in cards}
        self.own = set(deal.get("hand", ()))
        self.batch = dict.fromkeys(cards, 0)
        self.visible = board
        self.now = 0
        self.pile = deal["pile"]
        self.old = 0  # cards of the batch before that left with the last draw before the shuffle
        self.discards: set[str] = set()
        self.hands = [Counter({0: player["hand"]}) for player in deal["players"]]

    def taken(self) -> int:
        """The batch of the next card that leaves the pile."""
        if self.old:
            self.old -= 1
            return self.now - 1
        self.pile -= 1
        return self.now

    def see(self, event: dict[str, Any]) -> None:
        kind = event["event"]
        if kind == "draw":
            if event["seat"] == self.seat:
                self.own.update(event["cards"])
            for _ in range(event["count"]):
                self.hands[event["seat"]][self.taken()] += 1
        elif kind == "shuffle":
            self.now += 1
            self.old, self.pile = self.pile, event["cards"]
            assert len(self.discards) == event["cards"]
            for card in self.discards:
                self.batch[card] = self.now
            self.visible -= self.discards
            self.discards.clear()
        elif kind in ("lead", "follow", "sell", "contract", "load"):
            for card in event.get("cards", [event.get("card")]):
                if card is not None and card not in self.visible:
                    self.hands[event["seat"]][self.batch[card]] -= 1
                    self.own.discard(card)
                    self.visible.add(card)
        elif kind == "island" and event["card"] not in self.visible:
            self.taken()
            self.visible.add(event["card"])
        elif kind == "discard":
            self.discards.add(event["card"])

    def agrees(self, game: Game) -> None:
        """Whether all lies where it may, and in the right numbers."""
        ids = game.catalogue.ids
        assert len(game.pile) == self.pile
        assert all(self.batch[ids[card]] == self.now for card in game.pile)
        for player in game.players:
            hand = [ids[card] for card in player.hand]
            assert not self.visible & set(hand)
            if player.seat == self.seat:
                assert set(hand) == self.own
            assert Counter(self.batch[card] for card in hand) == +self.hands[player.seat]


def remembered(players: int, seed: int, shuffles: tuple[int, int], *, asked_only: bool) -> int:
    """Compare the game and samples of it with what each onlooker remembers; returns how often.

    Only while the pile has been shuffled anew between `shuffles[0]` and `shuffles[1]` times.
    """
    chance = Random(seed)
    game = Game.new(Options(players=players), seed=seed, catalogue=powerless())
    cards = {card.id for card in game.catalogue.cards if card.set == "base"}
    deal = game.events[0]
    memories = [Memory(seat, deal.for_seat(seat), cards) for seat in onlookers(game)]
    compared = 0
    for step in range(1200):
        if game.over or memories[0].now > shuffles[1]:
            break
        seat = chance.choice(game.to_act)
        events = game.choose(seat, chance.randrange(len(game.decision(seat).options)))
        for memory in memories:
            for event in events:
                memory.see(event.for_seat(memory.seat))
            memory.agrees(game)  # the tracker itself is right
            mine = not asked_only or game.over or game.together or game.to_act == (memory.seat,)
            if step % 4 == 0 and mine and shuffles[0] <= memory.now <= shuffles[1]:
                memory.agrees(game.sample(memory.seat, step))
                compared += 1
    return compared
