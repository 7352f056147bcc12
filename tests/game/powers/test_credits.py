"""Powers that bring or cost credits."""

from __future__ import annotations

from typing import Any

import pytest
from table import expect, kinds, offered, play, run_defaults, table, totals

from powers.scenes import LAST, assert_hidden, brink, led


def test_potatoes_give_two_credits_or_five_cards() -> None:
    """power: potatoes"""
    hand = "lux-1 lux-2 lux-3 lux-4"
    game = brink("potatoes", hands={0: hand})
    play(game, LAST)
    assert offered(game, 0) == {"take:credits", "take:cards"}
    events = play(game, "0 take:cards")
    expect(game, hand_sizes={0: 9}, credits={0: 16})
    cards = next(event for event in events if event.kind == "draw").for_seat(0)["cards"]
    assert_hidden(game, events, cards, 0)

    game = brink("potatoes", hands={0: hand})
    play(game, LAST, "0 take:credits")
    expect(game, hands={0: hand}, credits={0: 18})


def test_potatoes_leave_both_choices_when_the_piles_are_short() -> None:
    """power: potatoes"""
    game = brink("potatoes", pile="pile-1 pile-2", hands={1: "lux-1 lux-2 lux-3 lux-4 lux-5", 2: "cons-1"})
    run_defaults(game, "0 load")
    play(game, LAST)
    assert offered(game, 0) == {"take:credits", "take:cards"}


def test_almonds_give_eight_up_to_18_credits_and_four_above() -> None:
    """power: almonds"""
    for before, after in ((8, 26), (10, 24)):
        game = brink("almonds", 3, credits={0: before})
        play(game, LAST)
        expect(game, credits={0: after})


def test_almonds_look_at_the_credits_when_they_resolve() -> None:
    """power: almonds, flowers"""
    for first, after in (("almonds", 10 + 6 + 8 + 4), ("flowers", 10 + 6 + 4 + 4)):
        game = brink("almonds flowers")
        play(game, LAST, f"0 resolve:{first}")
        expect(game, credits={0: after, 1: 14})


def test_flowers_give_four_credits_to_everybody() -> None:
    """power: flowers"""
    game = brink("flowers", credits={1: 46, 2: 20})
    events = play(game, LAST)
    assert "end-triggered" in kinds(events)
    assert [e.public["credits"] for e in events if e.kind == "credits" and e.public["why"] == "flowers"] == [
        20,
        50,
        24,
    ]


# Bubblegum and Chapstick


def importing(*takes: str, **zones: Any) -> list[int]:
    """The credits after seat 1 led Import and took these cards from the Ship of seat 2."""
    game = led("import", seat=1, ships={5: {"containers": "cons-1 cons-2 cons-3 blank-30"}}, **zones)
    play(game, "1 import@ship-5", *(f"1 take:{take}" for take in takes))
    return [player.credits for player in game.players]


BIG = {1: 3}


def test_bubblegum_takes_four_for_each_consumer_good_of_anybody() -> None:
    """power: bubblegum"""
    assert importing("cons-1@goods", "cons-2@goods", fulfilled={0: "bubblegum"}, contracts=BIG)[0] == 18
    assert importing("cons-1@crew", "cons-2@goods", fulfilled={0: "bubblegum"}, contracts=BIG)[0] == 14


def test_bubblegum_does_not_see_a_card_that_found_no_room() -> None:
    """power: bubblegum"""
    credits = importing(
        "cons-1@goods",
        "cons-2@discard",
        fulfilled={0: "bubblegum"},
        goods={1: "lux-1"},
        crew={1: "lux-2"},
        contracts={1: 1},
    )
    assert credits[0] == 14


@pytest.mark.parametrize(("leftmost", "after"), [("cons-9", 14), ("lux-9", 10), ("", 10)])
def test_bubblegum_counts_a_grey_good_by_the_leftmost_other_one(leftmost: str, after: int) -> None:  # P22
    """power: bubblegum"""
    credits = importing(
        "blank-30@goods", "cons-1@crew", fulfilled={0: "bubblegum"}, goods={1: leftmost}, contracts=BIG
    )
    assert credits[0] == after


def test_chapstick_takes_two_beside_the_four_of_bubblegum() -> None:
    """power: chapstick, bubblegum"""
    game = led(
        "import",
        seat=2,
        fulfilled={0: "chapstick", 1: "bubblegum"},
        contracts={2: 3},
        ships={5: {"containers": "cons-1 lux-1 lux-2"}},
    )
    play(game, "2 import@ship-5", "2 take:cons-1@goods", "2 take:lux-1@goods")
    expect(game, credits={0: 12, 1: 14, 2: 10})
    assert (
        importing("cons-1@goods", "cons-2@crew", fulfilled={0: "chapstick bubblegum"}, contracts=BIG)[0] == 16
    )


def test_bubblegum_and_chapstick_see_goods_that_move_at_the_end() -> None:  # P26
    """power: bubblegum, chapstick, diamonds"""
    game = table(
        ending="turns", fulfilled={0: "bubblegum", 1: "diamonds cons-1 cons-2", 2: "chapstick"}, goods={1: ""}
    )
    play(game, "1 move:cons-1", "1 move:cons-2")
    assert totals(game) == (10 + 8, 10 + 2 + 6, 10 + 4)


# Onions


def test_onions_pay_for_each_agriculture_contract_this_one_included() -> None:
    """power: onions"""
    game = led(
        "load",
        hands={0: "agri-5"},
        ships={0: {"contracts": "onions agri-1", "containers": "agri-2 agri-3 agri-4"}},
    )
    play(game, "0 load:agri-5@ship-0")
    expect(game, credits={0: 24})


def test_onions_pay_for_later_agriculture_contracts_of_their_owner_alone() -> None:
    """power: onions"""
    for contract, seat, after in (("agri-1", 0, 12), ("lux-1", 0, 10), ("agri-1", 1, 10)):
        game = led(
            "load",
            seat=seat,
            fulfilled={0: "onions"},
            hands={seat: "tech-1"},
            ships={2 * seat: {"contracts": contract, "containers": "tech-2"}},
            faces={contract: {"load": {"technology": 2}}},
        )
        play(game, f"{seat} load:tech-1@ship-{2 * seat}")
        expect(game, credits={0: after + (6 if seat == 0 else 0)})


def test_onions_pay_for_themselves_whatever_their_colour() -> None:
    """power: onions"""
    game = brink("onions", faces={"onions": {"color": "luxury"}})
    play(game, LAST)
    expect(game, credits={0: 18})


# Apple Watch


def test_apple_watch_pays_six_for_each_pair_of_luxury_and_consumer() -> None:  # TP1
    """power: apple-watch"""
    goods = "lux-1 lux-2 lux-3 cons-1 cons-2"
    game = table(ending="turns", fulfilled={0: "apple-watch"}, contracts={0: 3}, goods={0: goods})
    assert totals(game) == (10 + 5 + 8 + 6 + 12, 10, 10)
    game = table(ending="turns", fulfilled={0: "apple-watch"}, goods={0: "lux-1 lux-2 lux-3"})
    assert totals(game) == (10 + 3 + 8, 10, 10)


def test_apple_watch_counts_grey_goods_as_what_they_copy() -> None:  # P22
    """power: apple-watch"""
    game = table(ending="turns", fulfilled={0: "apple-watch"}, goods={0: "lux-1 blank-20 cons-1 cons-2"})
    assert totals(game) == (10 + 4 + 8 + 6 + 12, 10, 10)


def test_apple_watch_counts_after_the_moves_of_the_end() -> None:  # Q70(1)
    """power: apple-watch, diamonds"""
    game = table(ending="turns", fulfilled={0: "apple-watch diamonds lux-1 cons-1"})
    play(game, "0 move:lux-1", "0 move:cons-1")
    assert totals(game) == (10 + 2 + 8 + 6 + 6, 10, 10)
    game = table(ending="turns", fulfilled={0: "apple-watch diamonds lux-1 cons-1"})
    play(game, "0 move:apple-watch", "0 move:cons-1")  # a moved card loses its power
    assert totals(game) == (10 + 2 + 8 + 6, 10, 10)
