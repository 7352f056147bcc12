"""The Commodity Market (R19): markers that rise with Goods and fall with Containers, and what they change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from table import expect, needs, offered, play, run_defaults, table

from arena.game import Game, Options
from arena.game.errors import PositionError
from arena.game.positions import dump, load
from arena.game.terms import FIVE, TYPES

ZERO = {TYPES[kind]: 0 for kind in FIVE}
SHORT = {"tech": "technology", "agri": "agriculture", "cons": "consumer", "lux": "luxury", "ill": "illegal"}


def market(markers: Mapping[str, int] | bool = True, **more: Any) -> Game:
    """A table with the Commodity Market."""
    return table(market=markers, **more)


def markers(game: Game, **wanted: int) -> None:
    """Check the markers; those that are not named are on 0."""
    assert game.view(None)["market"] == {**ZERO, **{SHORT[name]: place for name, place in wanted.items()}}


def importing(aboard: str, *takes: str, to: Mapping[str, int] | bool = True, **more: Any) -> Game:
    """Seat 0 has imported from its own Ship, with room for all."""
    more.setdefault("contracts", {0: 9})
    game = market(to, hands={0: "cons-20"}, ships={1: {"containers": aboard}}, **more)
    play(game, "0 lead:import:cons-20*1, 0 import@ship-1")
    for take in takes:
        play(game, f"0 take:{take}")
    return game


def fulfilling(aboard: str, to: Mapping[str, int] | bool = True, **more: Any) -> Game:
    """Seat 0 has fulfilled a contract that any Containers serve, with `aboard` and lux-20 on the Ship."""
    more.setdefault("faces", {"agri-20": needs(any=len(aboard.split()) + 1)})
    ship = {"contracts": "agri-20", "containers": aboard, **more.pop("ship", {})}
    game = market(to, hands={0: "tech-20 lux-20", 1: "cons-20"}, ships={0: ship}, **more)
    play(game, "0 lead:load:tech-20*1, 0 load:lux-20@ship-0")
    return game


# Markers


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_the_markers_of_all_five_types_start_on_0(players: int) -> None:  # R19.1
    game = Game.new(Options(players=players, market=True), seed=players)
    assert game.view(0)["market"] == ZERO
    assert "market" not in Game.new(Options(players=players), seed=players).view(0)


def test_a_good_raises_the_marker_of_its_type_by_1() -> None:  # R19.2
    game = importing("lux-1 tech-1 ill-1", "lux-1@goods", "tech-1@goods")
    markers(game, lux=1, tech=1)


def test_two_goods_of_one_type_raise_it_by_2() -> None:  # R19.2
    game = importing("lux-1 lux-2 ill-1", "lux-1@goods", "lux-2@goods")
    markers(game, lux=2)


@pytest.mark.parametrize("before", [1, 2])
def test_a_marker_rises_to_2_at_most(before: int) -> None:  # R19.2
    game = importing("lux-1 lux-2 ill-1", "lux-1@goods", "lux-2@goods", to={"luxury": before})
    markers(game, lux=2)


def test_the_moves_of_markers_are_told() -> None:  # R19.2
    game = market(
        {"luxury": 1}, hands={0: "cons-20"}, contracts={0: 9}, ships={1: {"containers": "lux-1 lux-2"}}
    )
    play(game, "0 lead:import:cons-20*1, 0 import@ship-1, 0 take:lux-1@goods")
    events = play(game, "0 take:lux-2@goods")
    moved = [event.public for event in events if event.kind == "market"]
    assert moved == [{"type": "luxury", "marker": 2}]  # the second Good moves it no further


def test_the_goods_of_any_player_move_the_markers() -> None:  # R19.2
    game = market(
        hands={0: "cons-20", 1: "cons-19"}, contracts={1: 9}, ships={1: {"containers": "lux-1 tech-1 ill-1"}}
    )
    play(game, "0 lead:import:cons-20*1, 1 follow:import:cons-19*1, 0 import@ship-1, 0 bid*0, 1 bid*1")
    play(game, "1 take:lux-1@goods, 1 take:tech-1@crew")
    markers(game, lux=1)


def test_crew_move_no_marker() -> None:  # R19.2
    game = market(hands={0: "lux-20"}, island="tech-1 tech-2")
    play(game, "0 lead:supply:lux-20*1, 0 take:tech-1")
    markers(game)


# Which Goods


def test_a_good_that_is_discarded_as_overflow_moves_no_marker() -> None:  # Q87
    """Ramen brings three Agriculture cards, and one of them fits."""
    game = market(
        hands={0: "tech-20 lux-20"},
        goods={0: "ill-1 ill-2 ill-3"},
        contracts={0: 1},
        ships={0: {"contracts": "ramen", "containers": "tech-1"}},
        island="agri-1 agri-2 agri-3 cons-1",
        faces={"ramen": needs(technology=1, luxury=1)},
        unchecked=True,
    )
    play(game, "0 lead:load:tech-20*1, 0 load:lux-20@ship-0")
    markers(game, lux=-1, tech=-1)
    play(game, "0 discard:agri-1, 0 discard:agri-3")
    expect(game, goods={0: "ill-1 ill-2 ill-3 agri-2"})
    markers(game, lux=-1, tech=-1, agri=1)


def test_a_card_that_does_not_fit_when_it_is_imported_moves_no_marker() -> None:  # Q87, R8.8
    game = importing(
        "lux-1 lux-2 ill-1",
        "lux-1@goods",
        "ill-1@discard",
        contracts={0: 1},
        crew={0: "tech-9"},
        goods={0: "tech-8"},
    )
    markers(game, lux=1)


def test_a_good_given_by_another_player_moves_the_marker_again() -> None:  # Q87
    """Interest: each other player who has Goods gives one of own choice; leaving moves nothing."""
    game = market(
        hands={0: "tech-20 lux-20"},
        goods={1: "ill-1 cons-1", 2: "ill-2"},
        ships={0: {"contracts": "interest", "containers": "tech-1"}},
        faces={"interest": needs(technology=1, luxury=1)},
    )
    play(game, "0 lead:load:tech-20*1, 0 load:lux-20@ship-0, 1 give:ill-1")
    expect(game, goods={0: "ill-1 ill-2", 1: "cons-1", 2: ""})
    markers(game, lux=-1, tech=-1, ill=2)


def test_crew_that_become_goods_move_the_markers_and_goods_that_become_crew_do_not() -> None:  # Q87
    """Sanitizer."""
    game = market(
        hands={0: "tech-20 lux-20"},
        crew={0: "agri-1"},
        goods={0: "ill-1"},
        ships={0: {"contracts": "sanitizer", "containers": "tech-1"}},
        faces={"sanitizer": needs(technology=1, luxury=1)},
    )
    play(game, "0 lead:load:tech-20*1, 0 load:lux-20@ship-0")
    expect(game, goods={0: "agri-1"}, crew={0: "ill-1"})
    markers(game, lux=-1, tech=-1, agri=1)


@pytest.mark.parametrize(
    ("goods", "marker"),
    [("ill-9", {"ill": 1}), ("blank-35 tech-9", {"tech": 1}), ("", {}), ("blank-35", {})],
)
def test_a_capital_good_moves_the_marker_of_the_type_it_counts_as_on_arrival(
    goods: str, marker: dict[str, int]
) -> None:  # Q86
    game = importing("blank-31", "blank-31@goods", goods={0: goods}, sets=["capital"])
    expect(game, goods={0: f"{goods} blank-31".strip()})
    markers(game, **marker)


def test_a_capital_good_that_arrives_with_another_one_is_read_after_both_lie_there() -> None:  # Q86, P34
    game = importing("blank-31 lux-1 tech-1", "blank-31@goods", "lux-1@goods", sets=["capital"])
    markers(game, lux=2)


# The payout


def test_each_container_changes_the_payout_by_the_marker_of_its_type() -> None:  # R19.3, R19.4, T15
    game = market(
        {"technology": 1, "luxury": -2},
        hands={0: "tech-20 lux-3", 1: "cons-20"},
        ships={0: {"contracts": "lux-9", "containers": "tech-1 tech-2 lux-1"}},
        faces={"lux-9": needs(technology=2, luxury=2)},
    )
    events = play(game, "0 lead:load:tech-20*1, 0 load:lux-3@ship-0")
    expect(game, credits={0: 10 + 8})  # 10 + 2 - 4
    markers(game, tech=-1, lux=-2)
    told = [event.kind for event in events if event.kind in ("credits", "market")]
    assert told == ["credits", "market", "market"]  # the markers fall after the payout


@pytest.mark.parametrize(
    ("aboard", "row"), [("tech-1", 6), ("tech-1 agri-1", 10), ("tech-1 agri-1 cons-1 ill-1", 14)]
)
def test_on_0_the_payout_is_that_of_the_row(aboard: str, row: int) -> None:  # R19.3, R11.2
    game = fulfilling(aboard)
    expect(game, credits={0: 10 + row})


def test_after_the_payout_each_container_lowers_its_marker_by_1() -> None:  # R19.4
    game = fulfilling("tech-1 agri-1 agri-2", {"technology": 2, "luxury": 1})
    markers(game, tech=1, agri=-2, lux=0)
    expect(game, credits={0: 10 + 10 + 2 + 1})  # odd amounts are possible (Q10)


@pytest.mark.parametrize("before", [-2, -1, 0, 1, 2])
def test_a_marker_falls_to_minus_2_at_the_least(before: int) -> None:  # R19.4
    game = fulfilling("lux-1 lux-2", {"luxury": before})
    markers(game, lux=max(-2, before - 3))
    expect(game, credits={0: 10 + 10 + 3 * before})


def test_several_contracts_of_a_ship_are_paid_once_for_all_containers_aboard() -> None:  # Q84
    game = market(
        {"technology": 2, "luxury": 1, "illegal": 1},
        hands={0: "tech-20 lux-3", 1: "cons-20"},
        ships={0: {"contracts": "lux-9 tech-9", "containers": "tech-1 tech-2 lux-1 ill-1"}},
    )
    play(game, "0 lead:load:tech-20*1, 0 load:lux-3@ship-0")
    expect(game, credits={0: 10 + 14 + 2 * 2 + 2 * 1 + 1}, fulfilled={0: "lux-9 tech-9"})  # ill-1 is loose
    markers(game, tech=0, lux=-1, ill=0)


def test_the_payout_is_not_below_0() -> None:  # Q85
    """Nine Containers, seven of them loose, pay 14 less 2 for each."""
    game = market(
        {"luxury": -2, "illegal": -2},
        hands={0: "tech-20 ill-3", 1: "cons-20"},
        ships={0: {"contracts": "ill-9", "containers": "ill-1 lux-1 lux-2 lux-3 lux-4 lux-5 lux-6 lux-7"}},
    )
    events = play(game, "0 lead:load:tech-20*1, 0 load:ill-3@ship-0")
    expect(game, credits={0: 10}, fulfilled={0: "ill-9"}, ships={0: {"place": "sea"}})
    assert not any(event.kind == "credits" for event in events)
    markers(game, lux=-2, ill=-2)


def test_grey_containers_have_no_marker_and_no_modifier() -> None:  # Q86
    game = fulfilling("blank-31 blank-32", {"luxury": 1, "technology": 2}, sets=["capital"])
    expect(game, credits={0: 10 + 10 + 1})
    markers(game, tech=2, lux=0)


def test_a_rainbow_container_counts_by_its_printed_colour() -> None:  # Q86
    game = fulfilling("ill-1", {"illegal": 2}, ship={"rainbow": "ill-1"})
    expect(game, credits={0: 10 + 6 + 2})
    markers(game, ill=1, lux=-1)


def test_a_container_that_a_power_makes_wild_counts_by_its_printed_colour() -> None:  # Q86
    """Candy lets any Container serve a Consumer contract."""
    game = market(
        {"illegal": 2, "consumer": -2},
        hands={0: "tech-20 ill-1", 1: "cons-20"},
        fulfilled={0: "candy"},
        ships={0: {"contracts": "cons-9", "containers": "ill-2"}},
    )
    play(game, "0 lead:load:tech-20*1, 0 load:ill-1@ship-0")
    expect(game, credits={0: 10 + 6 + 4})
    markers(game, ill=0, cons=-2)


def test_a_super_ship_is_paid_twice_the_row_and_the_market_once() -> None:  # Q84, P27
    game = market(
        {"luxury": 2},
        hands={0: "tech-20 lux-20", 1: "cons-20"},
        ships={
            0: {"contracts": "agri-20", "containers": "lux-1", "joined": 1},
            1: {"place": "joined", "containers": ""},
        },
        faces={"agri-20": needs(any=2)},
    )
    play(game, "0 lead:load:tech-20*1, 0 load:lux-20@ship-0")
    expect(game, credits={0: 10 + 2 * 6 + 2 * 2})
    markers(game, lux=0)


def test_a_contract_fulfilled_by_piracy_is_paid_by_the_market_too() -> None:  # R19.3, R11.6
    game = market(
        {"luxury": 1},
        hands={0: "ill-20", 1: "cons-20"},
        ships={0: {"contracts": "lux-9", "containers": "lux-1"}, 3: {"containers": "lux-2 ill-1"}},
    )
    play(game, "0 lead:piracy:ill-20*1, 0 pirate:lux-2@ship-3")
    expect(game, credits={0: 10 + 6 + 2})
    markers(game, lux=-1)


def test_containers_that_are_taken_or_loaded_move_no_marker() -> None:  # R19.2, R19.4
    game = market(
        hands={0: "tech-20 lux-20 lux-19"},
        ships={0: {"contracts": "lux-9"}},
        faces={"lux-9": needs(luxury=3)},
    )
    play(game, "0 lead:load:tech-20*1, 0 load:lux-20@ship-0")
    markers(game)


def test_the_markers_stay_from_turn_to_turn_and_in_copies() -> None:  # R19.1
    game = importing("lux-1 tech-1 ill-1", "lux-1@goods", "tech-1@goods", to={"illegal": -2})
    run_defaults(game, lambda game: game.turn > 4)
    markers(game, lux=1, tech=1, ill=-2)
    assert Game.from_json(game.to_json(), game.catalogue).market == game.clone().market == game.market


# Positions


def test_a_position_says_where_the_markers_stand() -> None:  # R19.1
    game = importing("lux-1 tech-1 ill-1", "lux-1@goods", "tech-1@goods", to={"illegal": -2})
    position = dump(game)
    assert position["market"] == {**ZERO, "luxury": 1, "technology": 1, "illegal": -2}
    assert load(position, game.catalogue).digest() == game.digest()
    assert dump(table(hands={0: "tech-1"}))["market"] is False


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        (3, "market is 3; true or false is expected"),
        ({"luxury": 3}, "market.luxury is 3; a whole number from -2 to 2 is expected"),
        ({"luxury": True}, "market.luxury is true; a whole number from -2 to 2 is expected"),
        ({"capital": 1}, 'market has the unknown key "capital"; '),
    ],
)
def test_a_position_with_another_market_is_refused(value: Any, sentence: str) -> None:  # R19.1, R19.2
    with pytest.raises(PositionError) as refused:
        load({"players": [{}, {}], "market": value})
    assert str(refused.value).startswith(sentence)


# Odd amounts


def test_with_the_market_any_whole_number_may_be_bid() -> None:  # Q10
    hands = {0: "cons-20", 1: "cons-19"}
    for module, step in ((True, 1), (False, 2)):
        game = table(market=module, hands=hands, credits={0: 7, 1: 3})
        play(game, "0 lead:import:cons-20*1, 1 follow:import:cons-19*1, 0 import@ship-1")
        assert offered(game, 0) == {f"bid*{amount}" for amount in range(0, 8, step)}
        assert offered(game, 1) == {f"bid*{amount}" for amount in range(0, 4, step)}


def test_an_odd_bid_is_paid() -> None:  # Q10, R8.4
    game = market(hands={0: "cons-20", 1: "cons-19"}, contracts={1: 2})
    play(game, "0 lead:import:cons-20*1, 1 follow:import:cons-19*1, 0 import@ship-1, 0 bid*2, 1 bid*3")
    expect(game, credits={0: 10, 1: 7})
