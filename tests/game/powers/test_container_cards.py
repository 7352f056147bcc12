"""Single powers about Containers, and cards that act from aboard a Ship."""

from __future__ import annotations

from typing import Any

import pytest
from table import asked, expect, kinds, needs, offered, play, run_defaults, table, totals

from powers.aboard import loads
from powers.scenes import LAST, assert_hidden, brink, led

# Tortillas


def test_tortillas_on_a_ship_take_any_colour() -> None:
    """power: tortillas"""
    game = led(
        "load",
        3,
        hands={0: "ill-1 lux-1 cons-1 blank-9"},
        ships={0: {"contracts": "tortillas"}},
        faces={"tortillas": needs(agriculture=3)},
    )
    assert loads(game) == {"ill-1", "lux-1", "cons-1"}  # grey cannot be loaded
    play(game, "0 load:ill-1@ship-0", "0 load:lux-1@ship-0", "0 load:cons-1@ship-0")
    expect(game, credits={0: 20}, fulfilled={0: "blank-1 tortillas"})


def test_tortillas_free_their_own_slots_only_and_nothing_once_fulfilled() -> None:
    """power: tortillas"""
    game = led(
        "load",
        3,
        hands={0: "lux-1 lux-2 lux-3"},
        ships={0: {"contracts": "tortillas agri-1"}},
        faces={"tortillas": needs(agriculture=2)},
    )
    play(game, "0 load:lux-1@ship-0", "0 load:lux-2@ship-0")
    assert not loads(game)

    game = led("load", fulfilled={0: "tortillas"}, hands={0: "lux-1"}, ships={0: {"contracts": "agri-1"}})
    assert not loads(game)


# Prefab Home


LUXURY_HOUSE = {"lux-1": needs(luxury=2, consumer=2)}


def test_prefab_home_fulfils_a_luxury_contract_with_half() -> None:
    """power: prefab-home"""
    game = led(
        "load",
        2,
        fulfilled={0: "prefab-home"},
        hands={0: "cons-1 cons-2"},
        ships={0: {"contracts": "lux-1"}},
        faces=LUXURY_HOUSE,
    )
    play(game, "0 load:cons-1@ship-0")
    assert asked(game) == "0 load"
    play(game, "0 load:cons-2@ship-0")
    expect(game, asks="0 fulfil-early")
    play(game, "0 fulfil@ship-0")
    expect(game, credits={0: 16}, ships={0: {"place": "sea", "containers": "cons-1 cons-2"}})


def test_prefab_home_lets_its_owner_go_on_to_all_four() -> None:
    """power: prefab-home"""
    game = led(
        "load",
        4,
        fulfilled={0: "prefab-home"},
        hands={0: "cons-1 cons-2 lux-2 lux-3"},
        ships={0: {"contracts": "lux-1"}},
        faces=LUXURY_HOUSE,
    )
    play(game, "0 load:cons-1@ship-0", "0 load:cons-2@ship-0", "0 pass")
    play(game, "0 load:lux-2@ship-0")
    expect(game, asks="0 fulfil-early")  # again after every further Container
    play(game, "0 pass", "0 load:lux-3@ship-0")
    expect(game, credits={0: 20}, ships={0: {"place": "sea"}})  # with all four it is no choice


def test_prefab_home_rounds_up_and_pays_nothing_for_one_container() -> None:  # P27
    """power: prefab-home"""
    game = led("load", fulfilled={0: "prefab-home"}, hands={0: "lux-2"}, ships={0: {"contracts": "lux-1"}})
    play(game, "0 load:lux-2@ship-0", "0 fulfil@ship-0")
    expect(game, credits={0: 10}, fulfilled={0: "prefab-home lux-1"})

    game = led(
        "load",
        2,
        fulfilled={0: "prefab-home"},
        hands={0: "lux-2 lux-3"},
        ships={0: {"contracts": "lux-1"}},
        faces={"lux-1": needs(luxury=3)},
    )
    play(game, "0 load:lux-2@ship-0")
    expect(game, asks="0 load")
    play(game, "0 load:lux-3@ship-0")
    expect(game, asks="0 fulfil-early")


def test_prefab_home_leaves_other_contracts_their_full_need() -> None:
    """power: prefab-home"""
    game = led(
        "load",
        3,
        fulfilled={0: "prefab-home"},
        hands={0: "lux-3 agri-2 agri-3"},
        ships={0: {"contracts": "lux-1 agri-1"}},
    )
    play(game, "0 load:lux-3@ship-0", "0 load:agri-2@ship-0")
    expect(game, asks="0 load")
    play(game, "0 load:agri-3@ship-0", "0 fulfil@ship-0")
    expect(game, credits={0: 20})


def test_prefab_home_asks_at_once_when_it_comes_into_play() -> None:
    """power: prefab-home"""
    game = brink("prefab-home", ships={1: {"place": "port", "contracts": "lux-1", "containers": "lux-2"}})
    play(game, LAST)
    expect(game, asks="0 fulfil-early")
    play(game, "0 fulfil@ship-1")
    expect(game, credits={0: 16}, fulfilled={0: "prefab-home lux-1"})


# Bok Choy


def test_bok_choy_pays_for_serving_a_contract_that_is_not_agriculture() -> None:
    """power: bok-choy"""
    mixed = needs(technology=1, agriculture=1)
    for contract, credits in (("tech-1", 18), ("agri-1", 16)):
        game = led(
            "load",
            hands={0: "bok-choy"},
            ships={0: {"contracts": contract, "containers": "tech-2"}},
            faces={contract: mixed},
        )
        play(game, "0 load:bok-choy@ship-0")
        expect(game, credits={0: credits})


def test_bok_choy_pays_if_any_complete_matching_lets_it() -> None:  # P18
    """power: bok-choy, wheat"""
    game = led(
        "load",
        fulfilled={0: "wheat"},
        hands={0: "agri-3"},
        ships={0: {"contracts": "agri-1 tech-1", "containers": "bok-choy agri-2"}},
        faces={"agri-1": needs(agriculture=1), "tech-1": needs(technology=2)},
    )
    play(game, "0 load:agri-3@ship-0")
    expect(game, credits={0: 22})

    game = led(  # Technology is served by Technology alone, so Bok Choy serves Agriculture
        "load",
        hands={0: "tech-3"},
        ships={0: {"contracts": "agri-1 tech-1", "containers": "bok-choy agri-2 tech-2"}},
    )
    play(game, "0 load:tech-3@ship-0")
    expect(game, credits={0: 20})


def test_bok_choy_pays_whoever_pirated_it_and_is_nothing_when_fulfilled() -> None:
    """power: bok-choy"""
    game = led(
        "piracy",
        ships={0: {"contracts": "tech-1", "containers": "tech-2"}, 3: {"containers": "bok-choy sea-9"}},
        faces={"tech-1": needs(technology=1, agriculture=1)},
    )
    play(game, "0 pirate:bok-choy@ship-3")
    expect(game, credits={0: 18, 1: 10})

    game = brink("tech-1", fulfilled={0: "bok-choy"})
    play(game, LAST)
    expect(game, credits={0: 16})


def test_bok_choy_may_be_half_of_a_robo_cats_pair() -> None:
    """power: bok-choy, robo-cats"""
    game = led(
        "load",
        fulfilled={0: "robo-cats"},
        hands={0: "bok-choy agri-1"},
        ships={0: {"contracts": "tech-1", "containers": "tech-2"}},
    )
    play(game, "0 load:robo-cats:bok-choy+agri-1@ship-0")
    expect(game, credits={0: 10 + 10 + 2})


# Yogurt


def test_yogurt_draws_for_all_when_it_is_loaded() -> None:
    """power: yogurt"""
    blanks = [f"blank-{number}" for number in range(10, 20)]
    game = led(
        "load",
        hands={0: "yogurt lux-1 lux-2", 1: blanks[:4], 2: blanks[5:9]},
        ships={0: {"contracts": "agri-1"}},
        pile=[f"pile-{number}" for number in range(1, 41)],
    )
    play(game, "1 draw", "2 draw")
    expect(game, hand_sizes={0: 3, 1: 5, 2: 5})
    events = play(game, "0 load:yogurt@ship-0")
    expect(game, hand_sizes={0: 6, 1: 7, 2: 7}, credits={0: 10})
    assert [e.public["seat"] for e in events if e.kind == "draw"] == [0, 1, 2]


def test_yogurt_keeps_every_drawn_card_secret() -> None:
    """power: yogurt"""
    game = led("load", hands={0: "yogurt"}, ships={0: {"contracts": "agri-1"}})
    play_events = play(game, "0 load:yogurt@ship-0")
    for seat in range(3):
        drawn = [event for event in play_events if event.kind == "draw" and event.public["seat"] == seat]
        cards = drawn[0].for_seat(seat)["cards"]
        assert len(cards) == (4 if seat == 0 else 2)
        assert_hidden(game, play_events, cards, seat)


def test_yogurt_fires_after_the_fulfilment_that_it_brings() -> None:  # P19
    """power: yogurt"""
    game = led("load", hands={0: "yogurt"}, ships={0: {"contracts": "agri-1", "containers": "agri-2"}})
    order = kinds(play(game, "0 load:yogurt@ship-0"))
    assert order.index("island") < order.index("draw")
    expect(game, credits={0: 16}, hand_sizes={0: 4})


def test_yogurt_fires_for_a_pirate_even_if_it_is_discarded() -> None:
    """power: yogurt"""
    for ships in ({}, {0: {"contracts": "agri-1"}}):
        game = led("piracy", ships={**ships, 3: {"containers": "yogurt sea-9"}})
        expect(game, hand_sizes={0: 0, 1: 5, 2: 5})
        play(game, "0 pirate:yogurt@ship-3")
        expect(game, hand_sizes={0: 4, 1: 7, 2: 7})


def test_yogurt_is_silent_when_it_is_imported_or_fulfilled() -> None:
    """power: yogurt"""
    game = led("import", ships={3: {"containers": "yogurt sea-9"}})
    play(game, "0 import@ship-3", "0 take:yogurt@goods")
    run_defaults(game, lambda game: game.turn > 1)
    assert len(game.players[0].hand) == 0

    game = brink("yogurt")
    play(game, LAST)
    expect(game, hand_sizes={0: 0})


# Robo-Cats


def test_robo_cats_load_two_cards_as_one_technology_container() -> None:
    """power: robo-cats; TP3: four Containers, loaded as two, are paid as four"""
    game = led(
        "load",
        2,
        fulfilled={0: "robo-cats"},
        hands={0: "cons-1 cons-2 lux-1 lux-2"},
        ships={0: {"contracts": "tech-1"}},
    )
    play(game, "0 load:robo-cats:cons-1+cons-2@ship-0", "0 load:robo-cats:lux-1+lux-2@ship-0")
    expect(game, credits={0: 20}, ships={0: {"place": "sea", "containers": "cons-1 cons-2 lux-1 lux-2"}})
    assert not game.ships[0].pairs  # at sea they are ordinary Containers


def test_robo_cats_take_two_of_one_type_and_no_grey_ones() -> None:
    """power: robo-cats"""
    game = led(
        "load",
        fulfilled={0: "robo-cats"},
        hands={0: "cons-1 lux-1 lux-2 blank-9 blank-10 tech-2 tech-3"},
        ships={0: {"contracts": "tech-1 agri-1"}},
    )
    pairs = {text for text in offered(game, 0) if text.startswith("load:robo-cats")}
    assert pairs == {"load:robo-cats:lux-1+lux-2@ship-0", "load:robo-cats:tech-2+tech-3@ship-0"}


def test_robo_cats_need_an_open_technology_slot() -> None:
    """power: robo-cats, televisions"""
    zones: dict[str, Any] = {
        "hands": {0: "cons-1 cons-2"},
        "ships": {0: {"contracts": "agri-1", "containers": "agri-2"}},
    }
    game = led("load", fulfilled={0: "robo-cats"}, **zones)
    assert not loads(game)
    game = led("load", fulfilled={0: "robo-cats televisions"}, **zones)  # a pair is Technology, so wild
    play(game, "0 load:robo-cats:cons-1+cons-2@ship-0")
    expect(game, credits={0: 20})


@pytest.mark.parametrize("freed", ["coffee:agri-1", "tortillas:tortillas"])
def test_robo_cats_fit_slots_that_take_any_colour(freed: str) -> None:
    """power: robo-cats, coffee, tortillas"""
    power, contract = freed.split(":")
    game = led(
        "load",
        fulfilled={0: "robo-cats" if power == contract else f"robo-cats {power}"},
        hands={0: "cons-1 cons-2"},
        ships={0: {"contracts": contract, "containers": "agri-2"}},
        faces={contract: needs(agriculture=2)},
    )
    play(game, "0 load:robo-cats:cons-1+cons-2@ship-0")
    expect(game, credits={0: 20})


def test_robo_cats_spend_two_piracy_actions_on_a_pair() -> None:
    """power: robo-cats"""
    ships: dict[int, Any] = {
        0: {"contracts": "tech-1"},
        1: {"containers": "ill-1"},
        3: {"containers": "cons-1 lux-1"},
        5: {"containers": "cons-2"},
    }
    game = led("piracy", 2, fulfilled={0: "robo-cats"}, ships=ships, island="cons-3")
    pairs = {text for text in offered(game, 0) if text.startswith("pirate:robo-cats")}
    assert pairs == {
        "pirate:robo-cats:cons-1+cons-2@ship-0*1",
        "pirate:robo-cats:cons-1+cons-3@ship-0*1",
        "pirate:robo-cats:cons-2+cons-3@ship-0*1",
    }
    play(game, "0 pirate:robo-cats:cons-1+cons-2@ship-0*1")
    expect(game, ships={0: {"containers": "cons-1 cons-2"}, 5: {"place": "port"}}, credits={2: 10})
    assert not asked(game).startswith("0 piracy")  # both actions are used

    game = led("piracy", 1, fulfilled={0: "robo-cats"}, ships=ships)
    assert not [text for text in offered(game, 0) if "robo-cats" in text]


def test_robo_cats_pair_is_never_forced() -> None:
    """power: robo-cats"""
    zones: dict[str, Any] = {"fulfilled": {0: "robo-cats"}, "ships": {0: {"contracts": "tech-1"}}}
    game = led("load", hands={0: "cons-1 cons-2"}, **zones)
    assert offered(game, 0) == {"pass", "load:robo-cats:cons-1+cons-2@ship-0", "scrap@ship-0"}
    game = led("load", hands={0: "cons-1 cons-2 tech-2"}, **zones)  # a plain load is (Q19)
    assert "pass" not in offered(game, 0)


def test_robo_cats_take_a_pair_from_the_ships_of_mini_van_too() -> None:
    """power: robo-cats, mini-van"""
    game = led(
        "piracy",
        2,
        fulfilled={0: "robo-cats mini-van"},
        ships={
            0: {"contracts": "tech-1"},
            2: {"contracts": "agri-1", "containers": "cons-1"},
            3: {"containers": "cons-2"},
        },
    )
    play(game, "0 pirate:robo-cats:cons-2+cons-1@ship-0*1")
    expect(game, ships={0: {"containers": "cons-2 cons-1"}, 2: {"containers": ""}, 3: {"place": "port"}})


def test_robo_cats_take_both_at_sea_though_the_ship_goes_home_with_one() -> None:
    """power: robo-cats, aeroponics, big-ammunition"""
    game = led(
        "piracy",
        2,
        fulfilled={0: "robo-cats big-ammunition", 1: "aeroponics"},
        hands={1: "lux-1 lux-2 agri-1"},
        ships={0: {"contracts": "tech-1"}, 3: {"containers": "cons-1 cons-2"}},
    )
    play(game, "1 draw", "0 pirate:robo-cats:cons-1+cons-2@ship-0*1")
    expect(game, ships={3: {"place": "port", "containers": ""}}, hand_sizes={0: 2, 1: 3})


def test_robo_cats_pair_in_port_may_lose_one() -> None:
    """power: robo-cats, mini-van"""
    game = led(
        "piracy",
        fulfilled={0: "mini-van", 1: "robo-cats"},
        ships={2: {"contracts": "tech-1", "containers": "cons-1 cons-2", "pairs": [["cons-1", "cons-2"]]}},
    )
    play(game, "0 pirate:mini-van:cons-1@ship-2")
    expect(game, ships={2: {"place": "port", "containers": "cons-2"}})
    assert not game.ships[2].pairs
    assert game.ships[2].open == 1


def test_robo_cats_pair_counts_as_two_containers_at_the_end() -> None:  # R14.1
    """power: robo-cats"""
    game = table(
        fulfilled={0: "robo-cats"},
        ships={0: {"contracts": "tech-1", "containers": "cons-1 cons-2", "pairs": [["cons-1", "cons-2"]]}},
        ending="turns",
    )
    assert totals(game) == (14, 10, 10)


def test_yogurt_in_a_robo_cats_pair_fires() -> None:
    """power: yogurt, robo-cats"""
    game = led(
        "load", fulfilled={0: "robo-cats"}, hands={0: "yogurt agri-1"}, ships={0: {"contracts": "tech-1"}}
    )
    play(game, "0 load:robo-cats:yogurt+agri-1@ship-0")
    expect(game, hand_sizes={0: 4, 1: 7, 2: 7})
