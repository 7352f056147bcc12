"""Powers about the draw pile: searched, revealed, and guessed at."""

from __future__ import annotations

import json

import pytest
from table import expect, kinds, names, offered, play

from arena.game import Game
from arena.game.terms import TYPES
from powers.fulfilling import fulfil
from powers.scenes import assert_known

TEN = "tech-1 ivory agri-1 cons-1 cannons lux-1 tech-2 agri-2 cons-2 lux-2"


def holds(game: Game, seat: int, card: str) -> bool:
    return game.catalogue.number_of[card] in game.players[seat].hand


# Antiquities


def test_antiquities_takes_an_illegal_card_and_shuffles() -> None:
    """power: antiquities"""
    game = fulfil("antiquities", pile=TEN)
    assert offered(game, 0) == {"take:cannons", "take:ivory"}
    events = list(game.events) + play(game, "0 take:ivory")
    expect(game, credits={0: 16}, hands={0: "ivory"}, pile_size=8)
    assert len(game.island) == 1
    shown = json.dumps([game.view(1), [event.for_seat(1) for event in events]])
    assert '"ivory"' not in shown
    orders = {tuple(fulfil("antiquities", pile=TEN, seed=seed).pile) for seed in range(3)}
    assert len(orders) == 1  # not shuffled before the choice
    after = set()
    for seed in range(4):
        other = fulfil("antiquities", pile=TEN, seed=seed)
        play(other, "0 take:ivory")
        after.add(tuple(other.pile))
    assert len(after) > 1


def test_antiquities_shuffles_also_without_an_illegal_card() -> None:
    """power: antiquities"""
    game = fulfil("antiquities", pile="tech-1 agri-1 cons-1 lux-1")
    expect(game, hand_sizes={0: 0}, pile_size=3, asks="0 pause")
    assert "shuffle" in kinds(game.events)


def test_antiquities_does_not_search_the_discard_pile() -> None:
    """power: antiquities"""
    game = fulfil("antiquities", pile="tech-1 agri-1", discard="ivory")
    expect(game, hand_sizes={0: 0}, discard="ivory")


def test_antiquities_turns_an_empty_pile_over_first() -> None:
    """power: antiquities"""
    game = fulfil("antiquities", pile="", discard="ivory tech-1 tech-2")
    expect(game, hands={0: "ivory"}, discard="", pile_size=1)


def test_antiquities_may_take_the_last_card() -> None:
    """power: antiquities"""
    game = fulfil("antiquities", pile="ivory", discard="tech-1 tech-2")
    expect(game, hands={0: "ivory"}, discard="", pile_size=1)


def test_antiquities_shows_the_pile_to_its_owner_alone() -> None:
    """power: antiquities"""
    game = fulfil("antiquities", pile=TEN)
    searched = next(event for event in game.events if event.kind == "search")
    assert searched.for_seat(1) == {"event": "search", "seat": 0, "count": 10}
    assert sorted(searched.for_seat(0)["cards"]) == sorted(TEN.split())
    ids = game.catalogue.ids
    assert [ids.index(card) for card in searched.for_seat(0)["cards"]] == sorted(game.pile)  # not in order
    assert "decision" not in game.view(1)


def test_antiquities_hides_which_card_was_taken() -> None:
    """power: antiquities"""
    game = fulfil("antiquities", pile=TEN)
    events = list(game.events) + play(game, "0 take:ivory")
    for seat in (None, 1, 2):
        found = [event.for_seat(seat) for event in events if event.kind == "found"]
        assert found == [{"event": "found", "seat": 0, "count": 1, "type": "illegal"}]
        taken = {names(game, game.sample(seat, seed).players[0].hand) for seed in range(99)}
        assert {"ivory", "cannons"} <= taken
    assert all(holds(game.sample(0, seed), 0, "ivory") for seed in range(4))


def test_antiquities_lets_its_owner_know_what_is_in_the_pile_and_what_is_not() -> None:
    """power: antiquities"""
    game = fulfil("antiquities", pile=TEN, hands={1: "lux-9 agri-9", 2: "tech-9"})
    for seed in range(8):
        assert holds(game.sample(0, seed), 1, "lux-9") != holds(game.sample(0, seed), 2, "lux-9")
        assert sorted(game.sample(0, seed).pile) == sorted(game.pile)
    assert {holds(game.sample(1, seed), 2, "tech-9") for seed in range(100)} == {True, False}
    play(game, "0 take:ivory")
    pile = set(game.pile)
    for seed in range(8):
        assert set(game.sample(0, seed).pile) == pile


def test_antiquities_knowledge_lives_on_in_later_draws() -> None:
    """power: antiquities"""
    game = fulfil("antiquities", pile=TEN, hands={0: "lux-8", 1: "lux-9 agri-9", 2: "tech-9"})
    play(game, "0 take:ivory", "0 go-on", "0 draw")  # seat 0 fills the hand up to 5
    hand, pile = set(game.players[0].hand), set(game.pile)
    for seed in range(8):
        sample = game.sample(0, seed)
        assert set(sample.players[0].hand) == hand
        assert set(sample.pile) == pile
    play(game, "1 draw")
    mine = {number for number in pile if number not in game.pile}
    assert mine <= set(game.players[1].hand)
    seen = set()
    for seed in range(16):
        sample = game.sample(0, seed)
        assert all(holds(sample, 1, card) or holds(sample, 2, card) for card in ("lux-9", "agri-9", "tech-9"))
        seen.add(frozenset(sample.players[1].hand))
    assert len(seen) > 1


def test_antiquities_can_be_sampled_while_its_owner_chooses() -> None:
    """power: antiquities"""
    game = fulfil("antiquities", pile=TEN, hands={1: "ill-1", 2: "ill-2"})
    for seat in (None, 1, 2):
        for seed in range(8):
            sample = game.sample(seat, seed)
            assert sample.view(seat) == game.view(seat)
            while not sample.over and sample.to_act == (0,) and sample.decision(0).kind == "antiquities":
                sample.choose(0, 0)


def test_antiquities_with_the_pile_face_up_shows_the_new_top_only() -> None:
    """power: antiquities, yerba-mate"""
    game = fulfil("antiquities", pile=TEN, face_up=True)
    events = play(game, "0 take:cannons")
    assert "top" in kinds(events)
    expect(game, hands={0: "cannons"})
    assert game.view(1)["top"] == game.catalogue.ids[game.pile[-1]]
    assert all('"cannons"' not in json.dumps(event.for_seat(1)) for event in events)


# Massage Tables


def test_massage_tables_reveals_until_a_pair() -> None:
    """power: massage-tables; TP2"""
    game = fulfil("massage-tables", pile="tech-1 agri-1 cons-1 lux-1 agri-2 ill-1 ill-2")
    expect(game, hands={0: "tech-1 agri-1 cons-1 lux-1 agri-2"}, credits={0: 22}, island="ill-1")

    pair = fulfil("massage-tables", pile="tech-1 tech-2 ill-1 ill-2")
    expect(pair, hands={0: "tech-1 tech-2"}, credits={0: 18})


def test_massage_tables_shows_the_cards_to_all() -> None:
    """power: massage-tables"""
    game = fulfil("massage-tables", pile="tech-1 agri-1 tech-2 ill-1 ill-2", hands={0: "lux-1", 1: "lux-2"})
    for card in ("tech-1", "agri-1", "tech-2"):
        assert_known(game, 0, card)
    shown = [event.for_seat(None)["cards"] for event in game.events if event.kind == "reveal"]
    assert shown == [["tech-1"], ["agri-1"], ["tech-2"]]


def test_massage_tables_goes_on_with_the_discard_pile() -> None:
    """power: massage-tables"""
    game = fulfil("massage-tables", pile="tech-1 agri-1", discard="tech-2 lux-1", seed=1)
    assert game.players[0].credits == 16 + len(game.players[0].hand) + len(game.players[0].hand) % 2
    assert {"tech-1", "agri-1"} < set(names(game, game.players[0].hand).split())


def test_massage_tables_pays_for_what_there_was() -> None:
    """power: massage-tables"""
    game = fulfil("massage-tables", pile="tech-1 agri-1 lux-1")
    expect(game, hands={0: "tech-1 agri-1 lux-1"}, credits={0: 20}, ending="cards")


def test_massage_tables_takes_grey_for_a_type_and_is_no_draw() -> None:
    """power: massage-tables, lumber"""
    game = fulfil("massage-tables", pile="blank-1 tech-1 blank-2 lux-1 lux-2", fulfilled={1: "lumber"})
    expect(game, hands={0: "blank-1 tech-1 blank-2"}, credits={0: 20}, asks="0 pause")


# Guesses


def test_lucky_cards_pays_50_for_the_right_type() -> None:
    """power: lucky-cards"""
    game = fulfil("lucky-cards", 4, credits={0: 26}, pile="cons-1 lux-1 lux-2")
    assert offered(game, 0) == {f"name:{kind}" for kind in TYPES[:5]}
    play(game, "0 name:consumer")
    expect(game, credits={0: 56}, hands={0: "cons-1"}, ending="credits")


def test_lucky_cards_costs_30_for_the_wrong_type() -> None:
    """power: lucky-cards"""
    game = fulfil("lucky-cards", 4, credits={0: 26}, pile="cons-1 lux-1 lux-2")
    play(game, "0 name:luxury")
    expect(game, credits={0: 6}, hands={0: "cons-1"}, ending="")
    assert_known(game, 0, "cons-1")


def test_lucky_cards_does_nothing_below_30() -> None:
    """power: lucky-cards"""
    game = fulfil("lucky-cards", 4, credits={0: 18})
    expect(game, credits={0: 28}, hand_sizes={0: 0}, asks="0 pause")


def test_lucky_cards_paid_first_may_avoid_the_end() -> None:
    """power: lucky-cards"""
    game = fulfil("lucky-cards", 4, credits={0: 48}, pile="cons-1 lux-1 lux-2")
    play(game, "0 name:luxury")
    expect(game, credits={0: 28}, ending="")


def test_lucky_cards_is_a_draw_and_one_payment() -> None:
    """power: lucky-cards, lumber, fake-dvds"""
    game = fulfil("lucky-cards", 4, credits={0: 26}, fulfilled={1: "lumber", 2: "fake-dvds"})
    play(game, "0 name:luxury")
    expect(game, asks="1 lumber")
    play(game, "1 pass")
    expect(game, credits={2: 12})


def test_lucky_cards_is_paid_for_also_if_no_card_is_left() -> None:
    """power: lucky-cards"""
    game = fulfil("lucky-cards", 4, credits={0: 26}, pile="", unchecked=True)
    play(game, "0 name:luxury")
    expect(game, credits={0: 6}, hand_sizes={0: 0})


@pytest.mark.parametrize("power", ["lucky-cards", "showers", "rolls-royce"])
def test_grey_is_none_of_the_types_that_can_be_named(power: str) -> None:
    """power: lucky-cards, showers, rolls-royce"""
    game = fulfil(power, 4, credits={0: 26}, pile="blank-1 blank-2 lux-1")
    play(game, "0 name:technology")
    assert not game.over
    expect(game, credits={0: 6 if power == "lucky-cards" else 36})


def test_showers_pays_8_once() -> None:
    """power: showers"""
    game = fulfil("showers", pile="lux-1 lux-2 ill-1 ill-2")
    play(game, "0 name:luxury")
    expect(game, credits={0: 24}, hands={0: "lux-1 lux-2"})
    assert_known(game, 0, "lux-2")

    wrong = fulfil("showers", pile="lux-1 lux-2 ill-1 ill-2")
    play(wrong, "0 name:illegal")
    expect(wrong, credits={0: 16}, hands={0: "lux-1 lux-2"})


def test_showers_looks_at_either_card_and_at_the_only_one() -> None:
    """power: showers"""
    game = fulfil("showers", pile="tech-1 lux-2 ill-1 ill-2")
    play(game, "0 name:luxury")
    expect(game, credits={0: 24})

    single = fulfil("showers", pile="lux-1")
    play(single, "0 name:luxury")
    expect(single, credits={0: 24}, hands={0: "lux-1"}, ending="cards")


def test_showers_is_one_draw() -> None:
    """power: showers, lumber"""
    game = fulfil("showers", fulfilled={1: "lumber"})
    play(game, "0 name:luxury", "1 pass")
    expect(game, asks="0 pause")


def test_rolls_royce_wins_for_the_right_type() -> None:
    """power: rolls-royce"""
    game = fulfil("rolls-royce", pile="ill-1 lux-1 lux-2", credits={1: 40})
    play(game, "0 name:illegal")
    assert game.result is not None
    assert game.result.winners == (0,)
    assert game.result.reason == "rolls-royce"


def test_rolls_royce_takes_the_card_for_the_wrong_type() -> None:
    """power: rolls-royce"""
    game = fulfil("rolls-royce", pile="ill-1 lux-1 lux-2")
    play(game, "0 name:luxury")
    expect(game, hands={0: "ill-1"}, island="lux-1", asks="0 pause")
    assert_known(game, 0, "ill-1")


def test_rolls_royce_is_no_draw_and_needs_a_card() -> None:
    """power: rolls-royce, lumber"""
    game = fulfil("rolls-royce", fulfilled={1: "lumber"})
    play(game, "0 name:luxury")
    expect(game, asks="0 pause")

    empty = fulfil("rolls-royce", pile="", unchecked=True)
    play(empty, "0 name:luxury")
    expect(empty, hand_sizes={0: 0})


def test_rolls_royce_knows_the_top_card_that_lies_face_up() -> None:
    """power: rolls-royce, yerba-mate"""
    game = fulfil("rolls-royce", pile="ill-1 lux-1 lux-2", face_up=True)
    assert game.view(0)["top"] == "ill-1"
    play(game, "0 name:illegal")
    assert game.over


def test_showers_knows_the_first_card_that_lies_face_up() -> None:
    """power: showers, yerba-mate"""
    game = fulfil("showers", pile="lux-1 ill-1 ill-2 ill-3", face_up=True)
    assert game.view(0)["top"] == "lux-1"
    play(game, "0 name:luxury")
    expect(game, credits={0: 24}, hands={0: "lux-1 ill-1"}, island="ill-2")


def test_lucky_cards_lets_nanobots_load() -> None:
    """power: lucky-cards, nanobots"""
    game = fulfil(
        "lucky-cards",
        4,
        credits={0: 26},
        fulfilled={0: "nanobots"},
        pile="cons-1 lux-1 lux-2",
        ships={1: {"place": "port", "contracts": "cons-2", "containers": ""}},
    )
    play(game, "0 name:luxury")
    assert offered(game, 0) == {"pass", "load:cons-1@ship-1"}
