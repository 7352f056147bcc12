"""Powers about announcing, doing and granting actions and turns."""

from __future__ import annotations

from typing import Any

from table import asked, expect, kinds, needs, offered, play, run_defaults, table

from arena.game import Event, Game
from powers.scenes import LAST, assert_hidden, brink, led

# Chopsticks


def following_import(hand: str = "cons-1", **zones: Any) -> Game:
    """Seat 1 has led Import; seat 0 has Chopsticks, an Import and a Load Crew, and must follow or draw."""
    game = led(
        "import",
        seat=1,
        fulfilled={0: "chopsticks"},
        crew={0: "cons-8 tech-8"},
        hands={0: hand},
        **zones,
    )
    run_defaults(game, "0 follow")
    return game


def test_chopsticks_follow_an_import_lead_with_load_or_contract() -> None:
    """power: chopsticks"""
    game = following_import()
    assert offered(game, 0) == {
        "draw",
        *(f"follow:import:cons-1*{count}" for count in (1, 2)),
        *(f"follow:import/contract:cons-1*{count}" for count in (1, 2)),
        *(f"follow:import/load:cons-1*{count}" for count in (1, 2)),  # the Load Crew does not count
    }


def test_chopsticks_act_after_the_last_round_and_are_not_counted_for_it() -> None:
    """power: chopsticks"""
    game = following_import("cons-1 tech-1 tech-2", ships={0: {"contracts": "tech-3"}})
    play(game, "0 follow:import/load:cons-1*2")
    expect(game, announced={0: 2})
    assert game.players[0].doing == 0  # Load: to have followed is to do the led action (Q31)
    events = play(game, "1 import@ship-5")
    run_defaults(game, "0 load")
    assert next(event.public["bidders"] for event in events if event.kind == "round") == [1]
    play(game, "0 load:tech-1@ship-0")  # the second needs no question
    expect(game, credits={0: 16})


def test_chopsticks_cannot_answer_a_load_lead_with_an_import_card() -> None:
    """power: chopsticks"""
    game = led(
        "load",
        seat=1,
        fulfilled={0: "chopsticks"},
        crew={0: "cons-8 tech-8"},
        hands={0: "cons-1"},
        ships={2: {"contracts": "tech-1"}},
    )
    expect(game, asks="0 crew")  # the Import card does not follow, so there was only the draw
    assert offered(game, 0) == {"crew*0", "crew*1"}


def test_chopsticks_work_with_import_crew_after_a_draw() -> None:
    """power: chopsticks"""
    game = following_import()
    play(game, "0 draw")
    assert offered(game, 0) == {"crew*0", "crew*1", "crew:import/contract*1", "crew:import/load*1"}
    play(game, "0 crew:import/contract*1")
    expect(game, announced={0: 1})


def test_chopsticks_leading_pick_the_ships_but_do_not_bid() -> None:
    """power: chopsticks"""
    game = table(
        fulfilled={0: "chopsticks"},
        hands={0: "cons-1 tech-1", 1: "cons-2", 2: "cons-3"},
        ships={0: {"contracts": "tech-2"}, 3: {"containers": "lux-1 lux-2 lux-3"}},
    )
    play(game, "0 lead:import/load:cons-1*1")
    assert "follow:import:cons-2*1" in offered(game, 1)
    play(game, "1 follow:import:cons-2*1", "2 follow:import:cons-3*1", "0 import@ship-3")
    expect(game, asks="1 bid, 2 bid")
    play(game, "1 bid*2", "2 bid*2")
    assert offered(game, 0) == {"tie@seat-1", "tie@seat-2"}
    play(game, "0 tie@seat-2", "2 take:lux-1@crew", "2 take:lux-2@goods")
    expect(game, asks="0 load", credits={0: 10, 1: 12, 2: 8})
    play(game, "0 load:tech-1@ship-0")


def test_chopsticks_leading_alone_hold_no_round() -> None:
    """power: chopsticks"""
    game = table(fulfilled={0: "chopsticks"}, hands={0: "cons-1 agri-1"}, ships={0: {"contracts": "tech-1"}})
    events = play(game, "0 lead:import/contract:cons-1*1")
    assert "round" not in kinds(events)
    expect(game, asks="0 contract")


def test_chopsticks_turn_a_wild_of_two_cards_too() -> None:  # R3.5
    """power: chopsticks"""
    game = table(fulfilled={0: "chopsticks"}, hands={0: "tech-1 tech-2"})
    wilds = {text for text in offered(game, 0) if text.startswith("lead:import/")}
    assert wilds == {"lead:import/contract:tech-1+tech-2*1", "lead:import/load:tech-1+tech-2*1"}


def test_chopsticks_contract_actions_may_skip_levels() -> None:
    """power: chopsticks"""
    game = table(
        fulfilled={0: "chopsticks"},
        crew={0: "cons-8"},
        hands={0: "cons-1 agri-1"},
        faces={"agri-1": needs({"agriculture": 1}, agriculture=2)},
    )
    play(game, "0 lead:import/contract:cons-1*2", "0 contract:agri-1@ship-0*1")
    expect(game, ships={0: {"contracts": "agri-1"}})


# Pirates


def leads(events: list[Event]) -> list[int]:
    """Who led the turns that began."""
    return [event.public["lead"] for event in events if event.kind == "turn"]


def test_pirates_take_from_all_others_and_bring_an_extra_turn() -> None:
    """power: pirates"""
    game = brink("pirates", credits={1: 10, 2: 4})
    events = play(game, LAST)
    expect(game, credits={0: 16, 1: 4, 2: 0})
    events += run_defaults(game, lambda game: game.turn > 2)
    assert leads(events)[:2] == [0, 1]


def test_pirates_fulfilled_in_the_turn_of_another_wait_for_the_own_turn() -> None:  # Q65
    """power: pirates"""
    game = led(
        "load",
        seat=1,
        hands={0: "tech-1 tech-2"},
        ships={0: {"contracts": "pirates", "containers": "tech-3"}},
        faces={"pirates": needs(technology=2)},
    )
    run_defaults(game, "0 follow")
    events = play(game, "0 follow:load:tech-1*1")
    expect(game, extra_turns={0: 1}, credits={0: 16, 1: 4, 2: 4})
    events += run_defaults(game, lambda game: game.turn >= 5)
    assert leads(events)[:4] == [2, 0, 0, 1]


def test_pirates_extra_turn_is_lost_when_the_end_is_triggered() -> None:
    """power: pirates"""
    game = brink("pirates", credits={0: 44})
    play(game, LAST)
    assert game.over
    expect(game, turn=1)


def test_pirates_twice_bring_two_turns() -> None:
    """power: pirates, wind-turbines"""
    game = brink("pirates wind-turbines")
    events = play(game, LAST, "0 resolve:pirates")
    expect(game, credits={1: 0, 2: 0})
    events += run_defaults(game, lambda game: game.turn >= 4)
    assert leads(events)[:3] == [0, 0, 1]


# Platinum Rings


def test_platinum_rings_draw_to_eight_and_play_cards() -> None:
    """power: platinum-rings"""
    game = brink(
        "platinum-rings",
        hands={0: "agri-1 lux-1 ill-1"},
        ships={1: {"place": "port"}},
    )
    events = play(game, LAST)
    expect(game, hand_sizes={0: 8})
    drawn = next(event for event in events if event.kind == "draw").for_seat(0)["cards"]
    assert len(drawn) == 5
    assert_hidden(game, events, drawn, 0)
    play(game, "0 play:contract:agri-1", "0 contract:ill-1@ship-1")
    play(game, "0 play:supply:lux-1")
    sold = sorted(text for text in offered(game, 0) if text.startswith("sell"))
    play(game, f"0 {sold[0]}")
    expect(game, hand_sizes={0: 4}, credits={0: 20}, ships={1: {"contracts": "ill-1"}})
    expect(game, played={0: "tech-19 agri-1 lux-1"})


def test_platinum_rings_allow_one_sale_in_the_turn() -> None:
    """power: platinum-rings"""
    game = brink("platinum-rings", hands={0: "lux-1 lux-2 lux-3 lux-4"}, island="ill-1")
    play(game, LAST, "0 play:supply:lux-1", "0 sell:lux-3", "0 play:supply:lux-2")
    assert {text.partition(":")[0] for text in offered(game, 0)} == {"take"}
    expect(game, credits={0: 20})


def test_platinum_rings_skip_no_level_and_use_no_crew() -> None:
    """power: platinum-rings"""
    game = brink(
        "platinum-rings",
        hands={0: "agri-1 agri-2 ill-1"},
        crew={0: "agri-8 agri-9"},
        ships={1: {"place": "port"}},
        faces={"ill-1": needs({"illegal": 1}, illegal=2)},
    )
    play(game, LAST, "0 play:contract:agri-1")
    options = offered(game, 0)
    assert "contract:agri-2@ship-1" in options
    assert not [text for text in options if "ill-1" in text]


def test_platinum_rings_import_alone_from_any_ship_also_when_another_leads() -> None:
    """power: platinum-rings"""
    game = led(
        "load",
        seat=1,
        hands={0: "tech-1 tech-2 cons-1", 2: "cons-2"},
        contracts={0: 3},
        ships={
            0: {"contracts": "platinum-rings", "containers": "tech-3"},
            3: {"containers": "lux-1 lux-2 lux-3"},
        },
        faces={"platinum-rings": needs(technology=2)},
    )
    run_defaults(game, "0 follow")
    play(game, "0 follow:load:tech-1*1", "0 play:import:cons-1")
    assert {"import@ship-1", "import@ship-3", "import@ship-5"} == offered(game, 0)
    play(game, "0 import@ship-3", "0 take:lux-1@goods", "0 take:lux-2@crew")
    expect(game, credits={0: 16, 1: 12}, goods={0: "lux-1"}, asks="0 platinum-rings")


def test_platinum_rings_resolve_a_fulfilment_in_between() -> None:
    """power: platinum-rings"""
    game = brink(
        "platinum-rings",
        hands={0: "tech-1 tech-2 lux-9"},
        ships={1: {"place": "port", "contracts": "tech-5", "containers": "tech-3"}},
    )
    play(game, LAST, "0 play:load:tech-1")
    events = play(game, "0 load:tech-2@ship-1")
    assert "island" in kinds(events)
    expect(game, credits={0: 22}, ships={1: {"place": "sea"}}, asks="0 platinum-rings")
    play(game, "0 pass")
    expect(game, ships={0: {"place": "sea"}})


def test_platinum_rings_nest() -> None:
    """power: platinum-rings, wind-turbines"""
    game = brink(
        "platinum-rings",
        hands={0: "tech-1 tech-2"},
        ships={1: {"place": "port", "contracts": "wind-turbines", "containers": "tech-3"}},
        faces={"platinum-rings": {"level": {}}, "wind-turbines": needs(technology=2)},
    )
    play(game, LAST, "0 play:load:tech-1", "0 load:tech-2@ship-1")
    expect(game, hand_sizes={0: 8}, asks="0 platinum-rings", credits={0: 22})
    play(game, "0 pass")
    expect(game, asks="0 platinum-rings")
    play(game, "0 pass")
    expect(game, ships={0: {"place": "sea"}, 1: {"place": "sea"}})


def test_platinum_rings_cards_may_do_nothing_and_are_discarded_at_the_end() -> None:
    """power: platinum-rings"""
    game = brink("platinum-rings", hands={0: "tech-1 lux-9"})
    events = play(game, LAST, "0 play:load:tech-1")
    assert "lost" in kinds(events)
    play(game, "0 pass")
    assert {"tech-19", "tech-1"} <= {game.catalogue.ids[card] for card in game.discard}


def test_platinum_rings_with_eight_cards_draw_none() -> None:
    """power: platinum-rings"""
    game = brink("platinum-rings", hands={0: [f"lux-{number}" for number in range(1, 9)]})
    assert "draw" not in kinds(play(game, LAST))
    expect(game, hand_sizes={0: 8})


def test_platinum_rings_draw_fires_other_powers_before_the_first_card() -> None:
    """power: platinum-rings, nanobots"""
    game = brink(
        "platinum-rings",
        fulfilled={0: "nanobots"},
        hands={0: "lux-1"},
        ships={1: {"place": "port", "contracts": "lux-5"}},
    )
    play(game, LAST)
    expect(game, asks="0 load")
    play(game, "0 load:lux-1@ship-1")
    expect(game, asks="0 platinum-rings")


def test_platinum_rings_played_in_a_turn_of_drawing_are_discarded() -> None:
    """power: platinum-rings, nanobots"""
    game = table(
        fulfilled={0: "nanobots"},
        hands={0: "tech-1 lux-2 lux-3", 1: "tech-2"},
        ships={0: {"contracts": "platinum-rings", "containers": "tech-3"}},
        faces={"platinum-rings": needs(technology=2)},
        island="tech-4",
    )
    play(game, "0 draw", "0 load:tech-1@ship-0")
    if asked(game) == "0 load":
        play(game, "0 pass")
    play(game, "0 play:supply:lux-2", "0 sell:lux-3", "0 pass")
    run_defaults(game, lambda game: game.turn > 1)
    assert "lux-2" in [game.catalogue.ids[card] for card in game.discard]


# US Dollars


DOLLARS: dict[str, Any] = {"fulfilled": {1: "us-dollars"}, "contracts": {1: 2}}


def test_us_dollars_after_a_draw_give_one_action_for_this_turn() -> None:
    """power: us-dollars"""
    game = table(hands={0: "cons-1", 1: "tech-1"}, **DOLLARS)
    play(game, "1 pass", "0 lead:import:cons-1*1", "1 draw")
    assert "use:import:us-dollars" in offered(game, 1)
    play(game, "1 use:import:us-dollars")
    assert offered(game, 1) == {"crew*0", "crew*1"}
    assert game.players[1].contracts == 1
    assert game.discard
    play(game, "1 crew*1", "0 import@ship-5")
    expect(game, asks="0 bid, 1 bid", announced={1: 1})
    run_defaults(game, "1 lead")
    assert not game.players[1].virtual_crew


def test_us_dollars_have_windows_before_the_own_announcement_only() -> None:
    """power: us-dollars"""
    game = table(hands={0: "cons-1", 1: "cons-2", 2: "lux-1"}, **DOLLARS)
    expect(game, asks="1 window")
    play(game, "1 pass", "0 lead:import:cons-1*1")
    expect(game, asks="1 follow")
    assert "use:import:us-dollars" in offered(game, 1)
    play(game, "1 follow:import:cons-2*1")
    led_barter = table(hands={0: "blank-1 blank-2"}, sets=["capital"], **DOLLARS)
    play(led_barter, "0 pass, 1 pass, 0 lead:barter:blank-1*1")  # nobody else announces (R16.4)
    for later in (game, led_barter):
        while later.turn == 1:
            for seat in later.to_act:
                assert not [text for text in offered(later, seat) if "us-dollars" in text]
            play(later, f"{later.to_act[0]} {sorted(offered(later, later.to_act[0]))[0]}")


def test_us_dollars_add_to_a_lead_and_to_a_card_that_follows() -> None:
    """power: us-dollars"""
    game = table(hands={0: "cons-1", 1: "cons-2"}, **DOLLARS)
    play(game, "1 pass", "0 lead:import:cons-1*1", "1 use:import:us-dollars")
    assert offered(game, 1) == {"draw", "follow:import:cons-2*1", "follow:import:cons-2*2"}

    game = table(lead=1, hands={1: "lux-1"}, **DOLLARS)
    play(game, "1 use:supply:us-dollars")
    assert offered(game, 1) == {"draw", "lead:supply:lux-1*1", "lead:supply:lux-1*2"}


def test_us_dollars_of_one_action_add_to_no_other() -> None:
    """power: us-dollars"""
    game = table(lead=1, hands={1: "lux-1"}, **DOLLARS)
    play(game, "1 use:load:us-dollars")
    assert offered(game, 1) == {"draw", "lead:supply:lux-1*1"}


def test_us_dollars_offer_the_five_actions_and_the_choice_is_public() -> None:
    """power: us-dollars"""
    game = table(lead=1, hands={1: "lux-1"}, **DOLLARS)
    uses = {text for text in offered(game, 1) if text.startswith("use")}
    assert uses == {
        f"use:{action}:us-dollars" for action in ("load", "contract", "import", "supply", "piracy")
    }
    events = play(game, "1 use:piracy:us-dollars")
    told = [event.for_seat(None) for event in events if event.kind == "virtual-crew"]
    assert told == [{"event": "virtual-crew", "seat": 1, "action": "piracy"}]


def test_us_dollars_take_no_crew_place_and_sink_the_limits() -> None:  # P10
    """power: us-dollars"""
    game = table(lead=1, hands={1: "lux-1"}, crew={1: "tech-8 tech-9"}, **DOLLARS)
    play(game, "1 use:supply:us-dollars")
    expect(game, asks="1 overflow-crew", discard="us-dollars")
    play(game, "1 discard:tech-8")
    expect(game, crew={1: "tech-9"})
    assert "lead:supply:lux-1*2" in offered(game, 1)
