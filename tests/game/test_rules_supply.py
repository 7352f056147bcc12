"""Limits (R6) and Supply (R7)."""

from __future__ import annotations

import pytest
from table import expect, kinds, needs, offered, play, run_defaults, table

from arena.game import ChoiceError

# Limits


@pytest.mark.parametrize(("contracts", "crew", "goods"), [(1, 1, 2), (2, 2, 4), (3, 3, 6)])
def test_limits_are_the_fulfilled_contracts_for_crew_and_twice_that_for_goods(
    contracts: int, crew: int, goods: int
) -> None:  # R6.1, R6.2, T3, Q95, R2.11
    view = table(hands={0: "tech-1"}, contracts={0: contracts}).view(None)
    assert (view["players"][0]["crew_limit"], view["players"][0]["goods_limit"]) == (crew, goods)


def test_a_crew_card_beyond_the_limit_is_discarded() -> None:  # R6.1, R6.3, R7.4
    game = table(
        hands={0: "lux-1 tech-1", 1: "lux-2"},
        crew={0: "lux-9 lux-10"},
        contracts={0: 2},
        island="ill-1 ill-2",
    )
    play(game, "0 lead:supply:lux-1*1, 1 draw, 0 take:ill-1")
    expect(game, crew={0: "lux-9 lux-10"}, island="ill-2", discard="lux-1 ill-1")


def test_the_limit_is_tested_card_by_card() -> None:  # R6.1, R7.2, R7.4
    game = table(hands={0: "lux-1"}, crew={0: "lux-9"}, contracts={0: 2}, island="ill-1 ill-2 ill-3")
    play(game, "0 lead:supply:lux-1*2, 0 take:ill-1, 0 take:ill-2")
    expect(game, crew={0: "lux-9 ill-1"}, discard="lux-1 ill-2", island="ill-3")


def test_goods_beyond_the_limit_are_discarded() -> None:  # R6.2, R6.3, R8.8
    game = table(
        hands={0: "cons-1"},
        crew={0: "lux-9"},
        goods={0: "lux-1"},
        contracts={0: 1},
        ships={1: {"containers": "tech-1 tech-2"}},
    )
    play(game, "0 lead:import:cons-1*1, 0 import@ship-1, 0 take:tech-1@goods")
    expect(game, goods={0: "lux-1 tech-1"}, crew={0: "lux-9"}, discard="cons-1 tech-2")


def test_crew_and_goods_can_not_be_given_up_freely() -> None:  # Q32
    game = table(hands={0: "lux-1 tech-1"}, crew={0: "ill-1"}, goods={0: "cons-1"}, island="agri-1")
    assert offered(game, 0) == {"draw", "lead:supply:lux-1*1", "lead:load:tech-1*1"}
    play(game, "0 lead:supply:lux-1*1")
    assert offered(game, 0) == {"sell:tech-1", "take:agri-1"}


def test_when_a_limit_falls_the_owner_discards_down_to_it_at_once() -> None:  # Q32, R6.1, R6.2, R6.3
    """US Dollars leaves the fulfilled area: the limits are 1 and 2 then."""
    game = table(
        hands={0: "tech-1"},
        fulfilled={0: "us-dollars"},
        crew={0: "lux-1 lux-2"},
        goods={0: "cons-1 cons-2 cons-3"},
        contracts={0: 2},
    )
    use = next(text for text in offered(game, 0) if text.startswith("use:") and "load" in text)
    play(game, f"0 {use}")
    expect(game, asks="0 overflow-crew")
    assert offered(game, 0) == {"discard:lux-1", "discard:lux-2"}
    play(game, "0 discard:lux-1")
    expect(game, asks="0 overflow-goods")
    assert offered(game, 0) == {"discard:cons-1", "discard:cons-2", "discard:cons-3"}
    play(game, "0 discard:cons-2")
    expect(game, crew={0: "lux-2"}, goods={0: "cons-1 cons-3"}, discard="cons-2 lux-1 us-dollars")


def test_a_contract_counts_for_limits_only_while_it_lies_in_the_fulfilled_area() -> None:  # Q34, R9.7
    game = table(
        hands={0: "tech-1 tech-2"},
        crew={0: "lux-9"},
        contracts={0: 1},
        ships={0: {"contracts": "tech-10", "containers": "tech-11"}},
    )
    assert game.view(None)["players"][0]["crew_limit"] == 1  # not while it lies under the Ship
    play(game, "0 lead:load:tech-1*1, 0 load:tech-2@ship-0")
    assert game.view(None)["players"][0]["crew_limit"] == 2
    assert game.view(None)["players"][0]["goods_limit"] == 4


# Supply


def test_a_card_sold_to_the_island_brings_4_credits() -> None:  # R7.1
    game = table(hands={0: "lux-1 tech-1"}, island="ill-1")
    play(game, "0 lead:supply:lux-1*1, 0 sell:tech-1")
    expect(game, credits={0: 14}, island="ill-1 tech-1", hands={0: ""})


def test_a_player_sells_at_most_once_in_a_turn() -> None:  # R7.1, S015
    game = table(hands={0: "lux-1 tech-1 tech-2"}, crew={0: "lux-9"}, contracts={0: 3}, island="ill-1")
    play(game, "0 lead:supply:lux-1*2, 0 sell:tech-1")
    assert offered(game, 0) == {"take:ill-1", "take:tech-1"}
    with pytest.raises(ChoiceError):
        game.choose_text(0, "sell:tech-2")
    expect(game, credits={0: 14}, island="ill-1 tech-1")


def test_in_the_next_turn_one_may_sell_again() -> None:  # R7.1, Q22
    game = table(players=2, hands={0: "lux-1 tech-1 lux-2 tech-2", 1: "lux-3 tech-3 tech-4"})
    play(game, "0 lead:supply:lux-1*1, 1 follow:supply:lux-3*1, 0 sell:tech-1, 1 sell:tech-3")
    expect(game, credits={0: 14, 1: 14}, asks="1 lead")
    play(game, "1 draw, 0 lead:supply:lux-2*1")
    run_defaults(game, "0 supply")
    assert "sell:tech-2" in offered(game, 0)


def test_a_card_may_be_taken_from_the_island_as_crew_any_number_of_times() -> None:  # R7.2
    game = table(
        hands={0: "lux-1"}, crew={0: "lux-8 lux-9"}, contracts={0: 6}, island="ill-1 ill-2 ill-3 ill-4"
    )
    play(game, "0 lead:supply:lux-1*3, 0 take:ill-2, 0 take:ill-4, 0 take:ill-1")
    expect(game, crew={0: "lux-8 lux-9 ill-2 ill-4 ill-1"}, island="ill-3")


def test_crew_give_further_supply_actions() -> None:  # R7.3
    game = table(hands={0: "lux-1"}, crew={0: "lux-8 lux-9 tech-9"})
    counts = {text for text in offered(game, 0) if text.startswith("lead:supply")}
    assert counts == {"lead:supply:lux-1*1", "lead:supply:lux-1*2", "lead:supply:lux-1*3"}


def test_at_the_crew_limit_the_card_taken_never_was_crew() -> None:  # R7.4
    game = table(hands={0: "lux-1"}, crew={0: "lux-9"}, contracts={0: 1}, island="ill-1 ill-2")
    events = play(game, "0 lead:supply:lux-1*1, 0 take:ill-1")
    assert "crew" not in kinds(events)
    expect(game, crew={0: "lux-9"}, island="ill-2", discard="lux-1 ill-1")


def test_the_card_just_sold_may_be_taken() -> None:  # Q36
    game = table(hands={0: "lux-1 tech-1"}, crew={0: "lux-9"}, contracts={0: 2}, island="ill-1")
    play(game, "0 lead:supply:lux-1*2, 0 sell:tech-1, 0 take:tech-1")
    expect(game, crew={0: "lux-9 tech-1"}, credits={0: 14}, island="ill-1")


def test_with_nothing_to_sell_or_take_the_action_is_lost() -> None:  # Q35
    game = table(hands={0: "lux-1", 1: "lux-2"})
    events = play(game, "0 lead:supply:lux-1*1, 1 draw")
    assert [event.public for event in events if event.kind == "lost"] == [{"seat": 0, "action": "supply"}]


def test_with_only_taking_possible_it_must_be_done_even_at_the_crew_limit() -> None:  # Q35, R5.1
    game = table(hands={0: "lux-1"}, crew={0: "lux-9"}, contracts={0: 1}, island="ill-1")
    events = play(game, "0 lead:supply:lux-1*1")  # no choice: nothing is asked
    assert "lost" not in kinds(events)
    expect(game, crew={0: "lux-9"}, discard="lux-1 ill-1", island="")


def test_with_only_selling_possible_it_must_be_done() -> None:  # Q35, R5.1
    game = table(hands={0: "lux-1 tech-1"})
    play(game, "0 lead:supply:lux-1*1")
    expect(game, credits={0: 14}, island="tech-1")


def test_a_card_loses_its_level_and_requirement_when_it_becomes_crew() -> None:  # R1.5
    """Only the action of a Crew card counts: one with a high Level is taken like any other."""
    game = table(hands={0: "lux-1"}, island="agri-1 agri-2", faces={"agri-1": needs({"luxury": 6}, luxury=6)})
    play(game, "0 lead:supply:lux-1*1, 0 take:agri-1")
    expect(game, crew={0: "agri-1"})
