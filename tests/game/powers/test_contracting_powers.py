"""Powers about placing contracts, what a Ship may bear, and Levels."""

from __future__ import annotations

from table import Game, expect, needs, offered, play, run_defaults, table

from arena.game.goods import levels
from powers.fulfilling import fulfil
from powers.scenes import assert_hidden, led
from powers.unseen import assert_unseen

FLOUR = {"color": "consumer", "level": {}, "load": {"agriculture": 4}}
PORT = {"place": "port"}


def test_flour_comes_with_its_whole_load() -> None:
    """power: flour"""
    game = led("contract", hands={0: "flour agri-1 agri-2 agri-3 agri-4"}, faces={"flour": FLOUR})
    play(game, "0 contract:flour:flour@ship-0")
    expect(game, credits={0: 20}, hand_sizes={0: 0}, fulfilled={0: "flour"})
    expect(game, ships={0: {"place": "sea", "containers": "agri-1 agri-2 agri-3 agri-4"}})


def test_flour_needs_four_cards_that_meet_its_load() -> None:
    """power: flour"""
    game = led("contract", hands={0: "flour agri-1 agri-2 agri-3 lux-1"}, faces={"flour": FLOUR})
    assert "contract:flour@ship-0" in offered(game, 0)
    assert "contract:flour:flour@ship-0" not in offered(game, 0)


def test_flour_takes_only_cards_that_meet_the_load_together() -> None:
    """power: flour, big-cats"""
    flour = {**FLOUR, "load": {"agriculture": 2, "luxury": 2}}
    hand = "flour agri-1 agri-2 agri-3 lux-1 ill-1"
    game = led("contract", hands={0: hand}, fulfilled={0: "big-cats"}, faces={"flour": flour})
    play(game, "0 contract:flour:flour@ship-0", "0 load:agri-1")
    assert offered(game, 0) == {"load:agri-2", "load:agri-3"}
    play(game, "0 load:agri-2")
    expect(game, credits={0: 20}, hands={0: "agri-3"})


def test_flour_is_no_load_action_but_a_placement() -> None:
    """power: flour, fixie-bikes, sugar, drones"""
    game = led(
        "contract",
        hands={0: "flour agri-1 agri-2 agri-3 agri-4"},
        fulfilled={0: "fixie-bikes sugar drones"},
        faces={"flour": {**FLOUR, "color": "agriculture"}},
    )
    play(game, "0 contract:flour:flour@ship-0", "0 resolve:drones", "0 draw")
    expect(game, credits={0: 22}, hand_sizes={0: 1})


def test_flour_waits_for_the_other_contracts_of_its_ship() -> None:
    """power: flour"""
    game = led(
        "contract",
        hands={0: "flour agri-1 agri-2 agri-3 agri-4"},
        ships={0: {"contracts": "lux-1"}},
        faces={"flour": FLOUR},
    )
    play(game, "0 contract:flour:flour@ship-0")
    expect(game, credits={0: 10}, ships={0: {"place": "port", "contracts": "lux-1 flour"}})


def test_flour_may_come_onto_a_ship_with_yen() -> None:
    """power: flour, yen"""
    game = led(
        "contract",
        hands={0: "flour agri-1 agri-2 agri-3 agri-4"},
        ships={0: {"yen": "yen"}},
        faces={"flour": {**FLOUR, "load": {"agriculture": 3, "any": 1}}},
    )
    play(game, "0 contract:flour:flour@ship-0")
    run_defaults(game, lambda game: game.turn > 1)
    expect(game, credits={0: 20}, ships={0: {"place": "sea", "contracts": ""}})
    assert game.ships[0].reduced == ()


def test_nobody_sees_flour_in_a_hand() -> None:
    """power: flour"""
    game = led("contract", hands={0: "flour agri-1 agri-2 agri-3 agri-4 agri-5"}, faces={"flour": FLOUR})
    assert_unseen(game, [], "flour", 0)
    events = play(game, "0 contract:flour:flour@ship-0", "0 load:agri-1")
    assert_unseen(game, events, "agri-2 agri-3 agri-4 agri-5", 0)


def test_jasmine_tea_places_any_number_with_one_action() -> None:
    """power: jasmine-tea"""
    three = needs(luxury=3)
    game = led(
        "contract",
        hands={0: "lux-1 lux-2 lux-3 lux-4"},
        fulfilled={0: "jasmine-tea"},
        ships={1: PORT},
        faces={"lux-1": three, "lux-2": three, "lux-3": three, "lux-4": needs(luxury=4)},
    )
    play(game, "0 contract:lux-1@ship-0")
    play(game, "0 contract:jasmine-tea:lux-2@ship-0", "0 contract:jasmine-tea:lux-3@ship-1")
    expect(game, asks="0 window", hands={0: "lux-4"})
    expect(game, ships={0: {"contracts": "lux-1 lux-2"}, 1: {"contracts": "lux-3"}})


def test_jasmine_tea_spends_the_actions_left_as_levels() -> None:
    """power: jasmine-tea (R9.5)"""
    level = {"level": {"luxury": 1}}
    game = led(
        "contract",
        3,
        hands={0: "lux-1 lux-2 lux-3"},
        fulfilled={0: "jasmine-tea"},
        ships={1: PORT},
        faces={"lux-2": level, "lux-3": {"level": {"luxury": 2}}},
    )
    play(game, "0 contract:lux-1@ship-0")
    assert "contract:jasmine-tea:lux-3@ship-1*2" in offered(game, 0)
    play(game, "0 contract:jasmine-tea:lux-2@ship-0*1")
    assert offered(game, 0) == {"pass", "scrap@ship-0"}  # one action is left, and lux-3 lacks two Levels


def test_jasmine_tea_needs_no_second_card() -> None:
    """power: jasmine-tea"""
    game = led("contract", hands={0: "lux-1 lux-2"}, fulfilled={0: "jasmine-tea"})
    play(game, "0 contract:lux-1@ship-0", "0 pass")
    expect(game, asks="0 window", hands={0: "lux-2"})


def test_toto_toilets_place_a_card_of_the_island_for_nothing() -> None:
    """power: toto-toilets (P33: without the Tokyo side the Supply Island)"""
    game = led(
        "contract",
        hands={0: "lux-3"},
        goods={0: "lux-9"},
        credits={0: 0},
        fulfilled={0: "toto-toilets"},
        island="lux-1 lux-2",
        faces={"lux-1": {"level": {"luxury": 1}}, "lux-2": {"level": {"luxury": 2}}},
    )
    assert offered(game, 0) == {"contract:lux-3@ship-0", "contract:toto-toilets:lux-1@ship-0"}
    play(game, "0 contract:toto-toilets:lux-1@ship-0")
    expect(game, credits={0: 0}, ships={0: {"contracts": "lux-1"}}, island="lux-2")


def test_toto_toilets_are_never_forced() -> None:
    """power: toto-toilets (Q99)"""
    game = led("contract", fulfilled={0: "toto-toilets"}, island="lux-1")
    assert offered(game, 0) == {"pass", "contract:toto-toilets:lux-1@ship-0"}


def test_drones_draw_after_each_placement() -> None:
    """power: drones"""
    game = led(
        "contract",
        3,
        hands={0: "lux-1 lux-2"},
        fulfilled={0: "drones"},
        faces={"lux-2": {"level": {"luxury": 1}}},
    )
    play(game, "0 contract:lux-1@ship-0", "0 draw")
    expect(game, asks="0 contract", hand_sizes={0: 2})
    events = play(game, "0 contract:lux-2@ship-0*1", "0 draw")
    expect(game, asks="0 window", hand_sizes={0: 2})
    drawn = next(event.for_seat(0)["cards"] for event in events if event.kind == "draw")
    assert_hidden(game, events, drawn, 0)


def test_drones_end_when_no_card_can_be_placed() -> None:
    """power: drones, tsukiji-fish"""
    faces = {f"lux-{number}": needs(luxury=1) for number in range(1, 9)}
    game = table(
        hands={0: "tech-1 lux-1 lux-2 lux-3"},
        fulfilled={0: "drones tsukiji-fish"},
        faces=faces,
        pile="lux-4 lux-5 lux-6 lux-7 lux-8 " + " ".join(f"pile-{number}" for number in range(1, 20)),
    )
    placed = 0
    while any(text.startswith("use") for text in offered(game, 0)):
        play(game, f"0 use:tsukiji-fish+lux-{placed + 1}@ship-0", "0 draw")
        placed += 1
    assert placed == 6  # the Ship is full


def test_paprika_loads_with_each_placement() -> None:
    """power: paprika"""
    game = led(
        "contract", hands={0: "lux-1 agri-1"}, fulfilled={0: "paprika"}, faces={"lux-1": needs(agriculture=2)}
    )
    play(game, "0 contract:lux-1@ship-0", "0 load:agri-1@ship-0")
    expect(game, asks="0 window", hand_sizes={0: 0}, ships={0: {"containers": "agri-1"}})


def test_paprika_is_no_load_action_and_may_complete_another_ship() -> None:
    """power: paprika, fixie-bikes"""
    game = led(
        "contract",
        hands={0: "lux-1 tech-1"},
        fulfilled={0: "paprika fixie-bikes"},
        ships={1: {"place": "port", "contracts": "tech-2", "containers": "tech-3"}},
    )
    play(game, "0 contract:lux-1@ship-0", "0 load:tech-1@ship-1")
    expect(game, credits={0: 16}, ships={1: {"place": "sea"}})


def test_sugar_pays_for_each_agriculture_contract() -> None:
    """power: sugar"""
    game = led("contract", 2, hands={0: "agri-1 agri-2 lux-1"}, fulfilled={0: "sugar"})
    play(game, "0 contract:agri-1@ship-0", "0 contract:agri-2@ship-0")
    expect(game, credits={0: 14})
    game = led("contract", hands={0: "lux-1"}, fulfilled={0: "sugar"})
    expect(game, credits={0: 10}, ships={0: {"contracts": "lux-1"}})


ISLAND = {
    "cons-1": needs({"consumer": 1}, consumer=2),
    "lux-1": needs({"luxury": 3}, luxury=2),
}


def test_spacecraft_places_a_card_of_the_island() -> None:
    """power: spacecraft"""
    game = fulfil("spacecraft", ships={1: PORT}, island="cons-1 lux-1", goods={0: "cons-2"}, faces=ISLAND)
    expect(game, ships={0: {"place": "sea"}, 1: {"contracts": "cons-1"}}, island="lux-1 pile-1")


def test_spacecraft_does_nothing_without_a_legal_card() -> None:
    """power: spacecraft"""
    game = fulfil("spacecraft", ships={1: PORT}, island="cons-1 lux-1", faces=ISLAND)
    expect(game, ships={1: {"contracts": ""}}, island="cons-1 lux-1 pile-1", credits={0: 16})


def test_spacecraft_is_placing_and_no_action() -> None:
    """power: spacecraft, sugar, paprika, drones"""
    game = fulfil(
        "spacecraft",
        ships={1: PORT},
        island="agri-1",
        hands={0: "agri-2"},
        fulfilled={0: "sugar paprika drones"},
    )
    assert offered(game, 0) == {"resolve:sugar", "resolve:paprika", "resolve:drones"}
    play(game, "0 resolve:sugar", "0 resolve:paprika", "0 load:agri-2@ship-1", "0 draw")
    expect(game, credits={0: 18}, ships={1: {"contracts": "agri-1", "containers": "agri-2"}})


def test_legos_free_their_ship_of_the_limit() -> None:
    """power: legos"""
    loads = {"legos": needs(technology=2), "lux-1": needs(technology=4), "lux-2": needs(technology=3)}
    game = led("contract", hands={0: "lux-2"}, ships={0: {"contracts": "legos lux-1"}}, faces=loads)
    play(game, "0 contract:lux-2@ship-0")
    expect(game, ships={0: {"contracts": "legos lux-1 lux-2"}})


def fleet_of_nine(**zones: object) -> Game:
    """Seat 0 has led Load; a Ship with 8 Containers needs one more for its three contracts."""
    aboard = " ".join(f"tech-{number}" for number in range(1, 9))
    return led(
        "load",
        hands={0: "tech-9"},
        ships={0: {"contracts": "legos lux-1 lux-2", "containers": aboard}},
        faces={"legos": needs(technology=2), "lux-1": needs(technology=4), "lux-2": needs(technology=3)},
        **zones,
    )


def test_legos_leave_the_payout_capped() -> None:
    """power: legos"""
    game = fleet_of_nine()
    play(game, "0 load:tech-9@ship-0")
    expect(game, credits={0: 24}, fulfilled={0: "legos lux-1 lux-2"})


def test_legos_with_tablets_are_paid_by_their_rows() -> None:
    """power: legos, tablets"""
    game = fleet_of_nine(fulfilled={0: "tablets"})
    play(game, "0 load:tech-9@ship-0")
    expect(game, credits={0: 28})


def test_tablets_let_a_ship_bear_ten() -> None:
    """power: tablets"""
    loads = {"lux-1": needs(technology=4), "lux-2": needs(technology=3), "lux-3": needs(technology=2)}
    zones = {"fulfilled": {0: "tablets"}, "faces": loads}
    game = led("contract", hands={0: "lux-3 lux-4"}, ships={0: {"contracts": "lux-1 lux-2"}}, **zones)
    play(game, "0 contract:lux-3@ship-0")
    expect(game, asks="0 window", hands={0: "lux-4"})  # 11 is too much
    aboard = " ".join(f"tech-{number}" for number in range(1, 9))
    ships = {0: {"contracts": "lux-1 lux-2 lux-3", "containers": aboard}}
    game = led("load", hands={0: "tech-9"}, ships=ships, **zones)
    play(game, "0 load:tech-9@ship-0")
    expect(game, credits={0: 28})


def test_tablets_do_not_pay_their_own_ship() -> None:
    """power: tablets, legos"""
    aboard = " ".join(f"tech-{number}" for number in range(1, 9))
    game = led(
        "load",
        hands={0: "tech-9"},
        ships={0: {"contracts": "legos tablets lux-1", "containers": aboard}},
        faces={"legos": needs(technology=2), "tablets": needs(technology=4), "lux-1": needs(technology=3)},
    )
    play(game, "0 load:tech-9@ship-0")
    expect(game, credits={0: 24})


def test_volkswagen_doubles_technology_goods_for_levels() -> None:
    """power: volkswagen"""
    game = table(goods={0: "tech-1 cons-1 blank-40"}, fulfilled={0: "volkswagen"})
    found = levels(game, 0)
    assert (found[0], found[2], found[5]) == (4, 1, 5)


def test_volkswagen_does_not_stack_nor_double_joe_wiggins() -> None:
    """power: volkswagen, joe-wiggins, wind-turbines (P35)"""
    game = table(
        goods={0: "tech-1"},
        fulfilled={0: "volkswagen joe-wiggins wind-turbines"},
        copies={"wind-turbines": "volkswagen"},
    )
    assert levels(game, 0)[0] == 3


def test_volkswagen_helps_to_place() -> None:
    """power: volkswagen"""
    game = led(
        "contract",
        hands={0: "lux-1"},
        goods={0: "tech-1"},
        fulfilled={0: "volkswagen"},
        faces={"lux-1": {"level": {"technology": 2}}},
    )
    expect(game, ships={0: {"contracts": "lux-1"}})


def test_drones_see_contracts_placed_by_powers() -> None:
    """power: drones, bamboo, lutefisk"""
    game = fulfil("bamboo", fulfilled={0: "drones"}, ships={1: PORT})
    play(game, "0 contract:bamboo@ship-1", "0 draw")
    expect(game, asks="0 pause", hand_sizes={0: 1})
    game = table(hands={0: "lutefisk tech-1"}, fulfilled={0: "drones"}, faces={"lutefisk": {"level": {}}})
    play(game, "0 use:lutefisk@ship-0", "0 draw")
    expect(game, hand_sizes={0: 2}, ships={0: {"contracts": "lutefisk"}})
