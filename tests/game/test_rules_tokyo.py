"""The Tokyo Port (R17): columns by Level, their prices, and contracts placed from it.

With the prices of the house (Q80) the columns are Level 0 and 1 for 2 credits, 2 for 4, 3 and more for 6.
"""

from __future__ import annotations

from typing import Any

import pytest
from table import expect, kinds, needs, offered, play, run_defaults, table

from arena.game import Game, Options
from arena.game.positions import dump, load
from arena.game.setup import cards_in_use

HOME = {"place": "port"}
LEVELS = {f"lux-{level + 1}": needs({"luxury": level} if level else {}, luxury=2) for level in range(7)}
"""lux-1 has Level 0, lux-2 Level 1, and so on."""


def tokyo(**more: Any) -> Game:
    """A table with the Tokyo Port side up."""
    return table(sets=["tokyo"], **more)


def columns(game: Game) -> list[str]:
    """The cards of each column."""
    return [" ".join(column["cards"]) for column in game.view(None)["columns"]]


def contracts(game: Game, seat: int = 0) -> set[str]:
    """The placements that a seat is offered."""
    return {text for text in offered(game, seat) if text.startswith("contract")}


def leading(actions: int = 1, hand: str = "", **more: Any) -> Game:
    """Seat 0 has led Contract with agri-20 for so many actions, with Crew for them."""
    crew = " ".join(f"agri-{number}" for number in range(20 - actions + 1, 20))
    game = tokyo(
        hands={0: f"agri-20 {hand}", 1: "ill-19"}, crew={0: crew}, contracts={0: 9}, faces=LEVELS, **more
    )
    play(game, f"0 lead:contract:agri-20*{actions}")
    return game


# Columns


def test_every_card_lies_in_the_column_of_its_level() -> None:  # R17.1, Q80
    game = tokyo(hands={0: "tech-1"}, island="lux-4 lux-1 lux-3 lux-7 lux-2 tech-2", faces=LEVELS)
    assert game.view(0)["columns"] == [
        {"credits": 2, "cards": ["lux-1", "tech-2"]},
        {"credits": 2, "cards": ["lux-2"]},
        {"credits": 4, "cards": ["lux-3"]},
        {"credits": 6, "cards": ["lux-4", "lux-7"]},
    ]


def test_a_level_of_several_colours_counts_all_its_circles() -> None:  # Q81, R17.1
    faces = {
        "lux-1": needs({"luxury": 1, "illegal": 1}, luxury=2),
        "lux-2": needs({"luxury": 1, "illegal": 1, "technology": 1}, luxury=2),
    }
    assert columns(tokyo(hands={0: "tech-1"}, island="lux-1 lux-2", faces=faces)) == [
        "",
        "",
        "lux-1",
        "lux-2",
    ]


def test_the_circles_of_a_capital_card_are_its_level_too() -> None:  # R17.1, R16.8
    game = table(
        sets=["capital", "tokyo"],
        hands={0: "tech-1"},
        island="blank-31 blank-32",
        faces={"blank-31": needs({"any": 9}, luxury=2)},
    )
    assert columns(game) == ["blank-32", "", "", "blank-31"]


def test_the_first_cards_of_a_dealt_game_lie_in_columns_too() -> None:  # R17.1, Q2
    game = Game.new(Options(players=5, sets=("tokyo",)), seed=4)
    assert sorted(" ".join(columns(game)).split()) == sorted(game.view(None)["island"])
    deal = next(event for event in game.events if event.kind == "deal")
    assert deal.public["columns"] == game.view(None)["columns"]
    assert "columns" not in Game.new(Options(players=5), seed=4).view(None)


def test_the_card_of_a_fulfilment_comes_to_its_column() -> None:  # R17.1, R17.2, R11.5
    game = tokyo(
        hands={0: "tech-1 tech-2"},
        ships={0: {"contracts": "tech-9", "containers": "tech-3"}},
        pile="pile-1 pile-2 pile-3 pile-4 pile-5 pile-6 pile-7 pile-8 pile-9 pile-10 lux-3 lux-4",
        faces=LEVELS,
    )
    play(game, "0 lead:load:tech-1*1, 0 load:tech-2@ship-0")
    assert columns(game) == ["", "", "lux-3", ""]


# What says Supply Island


def test_powers_that_say_supply_island_mean_the_tokyo_port() -> None:  # R17.2, P33
    """Vaccines takes all its cards, of every column."""
    game = tokyo(
        hands={0: "tech-1 tech-2", 1: "cons-1"},
        ships={0: {"contracts": "vaccines", "containers": "tech-3"}},
        island="lux-1 lux-3 lux-4",
        faces={**LEVELS, "vaccines": needs(technology=2)},
    )
    play(game, "0 lead:load:tech-1*1, 0 load:tech-2@ship-0")
    assert {"lux-1", "lux-3", "lux-4"} <= set(game.view(0)["hand"])
    assert columns(game)[1:] == ["", "", ""]


def test_a_card_that_a_power_puts_on_the_supply_island_goes_to_its_column() -> None:  # R17.2, P33
    """Beer has the Level of the column it is put in."""
    game = tokyo(
        hands={0: "tech-1 tech-2"},
        ships={0: {"contracts": "beer", "containers": "tech-3"}},
        faces={"beer": needs({"luxury": 2}, technology=2)},
    )
    play(game, "0 lead:load:tech-1*1, 0 load:tech-2@ship-0, 0 put:beer@island")
    assert columns(game)[2] == "beer"
    expect(game, credits={0: 22})


def test_a_card_of_the_port_can_be_pirated_from_any_column() -> None:  # R17.2, R12.1
    game = tokyo(
        hands={0: "ill-1", 1: "cons-1"},
        island="lux-1 lux-4 lux-7",
        ships={0: {"contracts": "lux-10"}, 1: HOME, 3: HOME, 5: HOME},
        faces=LEVELS,
    )
    play(game, "0 lead:piracy:ill-1*1, 0 pirate:lux-7")
    expect(game, ships={0: {"containers": "lux-7"}}, island="lux-1 lux-4", credits={0: 10})


# Supply


def test_a_sold_card_goes_to_its_column_for_4_credits() -> None:  # R17.3
    game = tokyo(hands={0: "lux-10 lux-3 lux-4", 1: "cons-1"}, island="lux-1", faces=LEVELS)
    play(game, "0 lead:supply:lux-10*1, 0 sell:lux-3")
    assert columns(game) == ["lux-1", "", "lux-3", ""]
    expect(game, credits={0: 14})


def test_crew_may_be_taken_from_any_column_for_nothing() -> None:  # R17.3
    game = tokyo(hands={0: "lux-10", 1: "cons-1"}, island="lux-1 lux-2 lux-3 lux-4", faces=LEVELS)
    play(game, "0 lead:supply:lux-10*1")
    assert offered(game, 0) == {f"take:lux-{number}" for number in (1, 2, 3, 4)}
    play(game, "0 take:lux-4")
    expect(game, crew={0: "lux-4"}, credits={0: 10}, island="lux-1 lux-2 lux-3")


# Contract


@pytest.mark.parametrize(
    ("card", "price"), [("lux-1", 2), ("lux-2", 2), ("lux-3", 4), ("lux-4", 6), ("lux-7", 6)]
)
def test_a_card_of_the_port_may_be_placed_for_the_credits_above_its_column(card: str, price: int) -> None:
    """R17.4, Q80: its Level is met as usual; the credits go to the bank."""
    game = leading(island=f"{card} ill-1", goods={0: "lux-11 lux-12 lux-13 lux-14 lux-15 lux-16"})
    play(game, f"0 contract:{card}@ship-0")
    expect(game, ships={0: {"contracts": card}}, credits={0: 10 - price, 1: 10, 2: 10}, island="ill-1")


def test_a_card_of_the_hand_is_placed_for_nothing() -> None:  # R17.4
    game = leading(hand="lux-3 tech-1", island="ill-1", goods={0: "lux-11 lux-12"})
    assert contracts(game) == {f"contract:{card}@ship-0" for card in ("lux-3", "tech-1", "ill-1")}
    play(game, "0 contract:lux-3@ship-0")
    expect(game, credits={0: 10}, ships={0: {"contracts": "lux-3"}})


def test_any_player_who_performs_contract_may_place_from_the_port() -> None:  # R17.4
    game = tokyo(
        hands={0: "agri-1 tech-1", 1: "agri-2", 2: "tech-2"},
        crew={2: "agri-3"},
        island="ill-1 ill-2 ill-3",
    )
    play(game, "0 lead:contract:agri-1*1, 1 follow:contract:agri-2*1, 2 crew*1")
    play(game, "0 contract:ill-1@ship-0, 1 contract:ill-2@ship-2, 2 contract:ill-3@ship-4")
    expect(game, credits={0: 8, 1: 8, 2: 8}, island="")


def test_the_level_of_a_card_of_the_port_must_be_met() -> None:  # R17.4, R9.3
    game = leading(hand="tech-1 tech-2", island="lux-3", goods={0: "lux-11"})
    assert contracts(game) == {"contract:tech-1@ship-0", "contract:tech-2@ship-0"}


def test_the_requirement_of_a_card_of_the_port_must_fit() -> None:  # R17.4, R9.2
    game = leading(
        hand="tech-1 tech-2",
        island="lux-1",
        ships={0: {"contracts": "ill-9 ill-8 ill-7"}, 1: HOME},
    )
    assert contracts(game) == {f"contract:{card}@ship-1" for card in ("tech-1", "tech-2", "lux-1")}


@pytest.mark.parametrize(
    ("credits", "payable"), [(0, ""), (1, ""), (2, "lux-1"), (4, "lux-1 lux-3"), (6, "lux-1 lux-3 lux-4")]
)
def test_what_can_not_be_paid_can_not_be_placed(credits: int, payable: str) -> None:  # Q80, R15.6
    game = leading(
        hand="tech-1 tech-2",
        island="lux-1 lux-3 lux-4",
        goods={0: "lux-11 lux-12 lux-13"},
        credits={0: credits},
    )
    bought = contracts(game) - {"contract:tech-1@ship-0", "contract:tech-2@ship-0"}
    assert bought == {f"contract:{card}@ship-0" for card in payable.split()}


def test_a_placement_from_the_port_is_never_forced() -> None:  # Q99, Q19
    game = leading(island="ill-1")
    assert offered(game, 0) == {"pass", "contract:ill-1@ship-0"}
    events = play(game, "0 pass")
    assert "lost" in kinds(events)
    expect(game, credits={0: 10}, island="ill-1", ships={0: {"contracts": ""}})


def test_with_a_card_of_the_hand_that_can_be_placed_the_action_must_be_used() -> None:  # Q19, Q99
    game = leading(hand="tech-1", island="ill-1")
    assert offered(game, 0) == {"contract:tech-1@ship-0", "contract:ill-1@ship-0"}


def test_not_even_a_free_placement_from_the_port_is_forced() -> None:  # Q99
    """Toto Toilets pays for it."""
    game = leading(island="ill-1", credits={0: 0}, fulfilled={0: "toto-toilets"})
    assert offered(game, 0) == {"pass", "contract:toto-toilets:ill-1@ship-0"}
    play(game, "0 contract:toto-toilets:ill-1@ship-0")
    expect(game, credits={0: 0}, ships={0: {"contracts": "ill-1"}}, island="")


def test_levels_may_be_skipped_for_a_card_of_the_port() -> None:  # R17.4, R9.5, Q102
    game = leading(3, hand="tech-1", island="lux-3 lux-4")
    assert contracts(game) == {"contract:tech-1@ship-0", "contract:lux-3@ship-0*2"}
    play(game, "0 contract:lux-3@ship-0*2")
    expect(game, credits={0: 6}, ships={0: {"contracts": "lux-3"}}, hands={0: "tech-1"}, asks="0 window")


def test_several_cards_of_the_port_are_each_paid_for() -> None:  # R17.4, R9.1
    game = leading(2, island="ill-1 ill-2 ill-3")
    play(game, "0 contract:ill-3@ship-0, 0 contract:ill-1@ship-0")
    expect(game, credits={0: 6}, ships={0: {"contracts": "ill-3 ill-1"}}, island="ill-2")


def test_what_a_card_of_the_port_costs_is_one_payment() -> None:  # R17.4, P38
    game = leading(island="lux-3", goods={0: "lux-11 lux-12"}, fulfilled={0: "drones"})
    events = play(game, "0 contract:lux-3@ship-0")
    paid = [event.public for event in events if event.kind == "credits"]
    assert paid == [{"seat": 0, "change": -4, "credits": 6, "why": "tokyo-port"}]
    expect(game, asks="0 drones")  # it is a placement like any other


def test_a_placed_card_whose_need_is_aboard_is_fulfilled_at_once() -> None:  # R17.4, Q48
    game = leading(island="lux-1", ships={0: {"containers": "lux-11 lux-12"}})
    play(game, "0 contract:lux-1@ship-0")
    expect(game, ships={0: {"place": "sea"}}, credits={0: 14})


def test_without_the_tokyo_side_nothing_can_be_bought() -> None:  # Q2, R17.4
    game = table(hands={0: "agri-1 tech-1 tech-2"}, island="ill-1")
    play(game, "0 lead:contract:agri-1*1")
    assert contracts(game) == {"contract:tech-1@ship-0", "contract:tech-2@ship-0"}


@pytest.mark.parametrize("players", [2, 6])
def test_the_tokyo_port_side_can_be_played_without_its_cards(players: int) -> None:  # Q2, R17.1
    options = Options(players=players, sets=("tokyo-port", "flag")).check()
    assert options.sets == ("flag", "tokyo-port")
    game = Game.new(options, seed=players)
    assert sorted(" ".join(columns(game)).split()) == sorted(game.view(None)["island"])
    sets = {game.catalogue.cards[card - 1].set for card in cards_in_use(game.options, game.catalogue)}
    assert sets == {"base", "flag"}
    copy = Game.from_json(game.to_json())
    assert copy.view(0) == load(dump(game)).view(0) == game.view(0)


def test_with_the_tokyo_cards_their_side_is_up_and_need_not_be_named() -> None:  # Q2
    assert Options(sets=("tokyo-port", "tokyo")).check() == Options(sets=("tokyo",)).check()


def test_a_card_is_bought_from_the_port_without_its_cards_too() -> None:  # Q2, R17.4
    game = table(sets=["tokyo-port"], hands={0: "agri-20"}, island="lux-3 ill-1", faces={**LEVELS})
    play(game, "0 lead:contract:agri-20*1, 0 contract:ill-1@ship-0")
    expect(game, credits={0: 8}, ships={0: {"contracts": "ill-1"}}, island="lux-3")


def test_jasmine_tea_may_place_cards_of_the_port_each_paid_for() -> None:  # R17.4
    """power: jasmine-tea"""
    game = leading(
        hand="tech-1",
        island="ill-1 lux-3 ill-2",
        fulfilled={0: "jasmine-tea"},
        goods={0: "lux-11 lux-12"},
        credits={0: 6},
        ships={1: HOME},
    )
    play(game, "0 contract:tech-1@ship-0, 0 contract:jasmine-tea:lux-3@ship-1")
    bought = {f"contract:jasmine-tea:{card}@ship-{ship}" for card in ("ill-1", "ill-2") for ship in (0, 1)}
    assert contracts(game) == bought
    play(game, "0 contract:jasmine-tea:ill-2@ship-0")
    expect(game, credits={0: 0}, ships={0: {"contracts": "tech-1 ill-2"}, 1: {"contracts": "lux-3"}})
    expect(game, island="ill-1", asks="0 window")


def test_with_toto_toilets_both_ways_are_offered() -> None:  # R17.4
    game = leading(island="ill-1", fulfilled={0: "toto-toilets"})
    assert contracts(game) == {"contract:ill-1@ship-0", "contract:toto-toilets:ill-1@ship-0"}


def test_squid_jerky_takes_a_card_of_the_2_credit_columns() -> None:  # R17.1, Q80
    """These are Level 0 and 1; Squid Jerky itself comes to lie in its own column."""
    game = tokyo(
        hands={0: "tech-1 tech-2"},
        ships={0: {"contracts": "squid-jerky", "containers": "tech-3"}},
        island="lux-1 lux-2 lux-3",
        faces={**LEVELS, "squid-jerky": needs({"luxury": 3}, technology=2)},
    )
    play(game, "0 lead:load:tech-1*1, 0 load:tech-2@ship-0")
    assert offered(game, 0) == {"take:lux-1", "take:lux-2"}
    play(game, "0 take:lux-2")
    expect(game, fulfilled={0: "lux-2"})
    assert columns(game)[1:] == ["", "lux-3", "squid-jerky"]


# Barter and the rest


def test_a_bartered_card_goes_to_its_column() -> None:  # R17.1, R17.2, R16.4
    game = table(
        sets=["capital", "tokyo"],
        hands={0: "blank-31 lux-3 lux-10", 1: "cons-1"},
        island="lux-1 lux-2",
        faces=LEVELS,
    )
    play(game, "0 pass, 0 lead:barter:blank-31*1, 0 barter:lux-3, 0 take:lux-1")
    assert columns(game) == ["", "lux-2", "lux-3", ""]
    expect(game, credits={0: 10}, hands={0: "lux-1 lux-10"})


@pytest.mark.parametrize("players", [2, 4, 6])
def test_a_dealt_game_with_the_tokyo_port_ends(players: int) -> None:  # Q2
    game = Game.new(Options(players=players, sets=("tokyo",)), seed=players)
    run_defaults(game)
    assert game.over
