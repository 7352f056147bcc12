"""Powers about Containers: what may serve which slot, and cards that act from aboard a Ship."""

from __future__ import annotations

from typing import Any

import pytest
from table import asked, expect, kinds, needs, offered, play, run_defaults, table, totals

from arena.game import Game
from powers.scenes import LAST, assert_hidden, brink, led


def loads(game: Game, seat: int = 0) -> set[str]:
    """The cards that may be loaded now."""
    return {text.partition("@")[0][5:] for text in offered(game, seat) if text.startswith("load:")}


# Containers of any colour on contracts of one type


def test_candy_frees_the_slots_of_consumer_contracts() -> None:
    """power: candy"""
    game = led(
        "load",
        2,
        fulfilled={0: "candy"},
        hands={0: "ill-1 agri-1"},
        ships={0: {"contracts": "cons-1"}},
        faces={"cons-1": needs(luxury=2)},
    )
    play(game, "0 load:ill-1@ship-0", "0 load:agri-1@ship-0")
    expect(game, credits={0: 16}, ships={0: {"place": "sea", "containers": "ill-1 agri-1"}})


def test_coffee_frees_the_slots_of_agriculture_contracts() -> None:
    """power: coffee"""
    zones: dict[str, Any] = {
        "hands": {0: "cons-1 cons-2"},
        "ships": {0: {"contracts": "agri-1"}},
    }
    game = led("load", 2, fulfilled={0: "coffee"}, **zones)
    play(game, "0 load:cons-1@ship-0", "0 load:cons-2@ship-0")
    expect(game, credits={0: 16}, ships={0: {"place": "sea"}})

    without = led("load", 2, **zones)
    assert not loads(without)


def test_generators_free_the_slots_of_technology_contracts_only() -> None:
    """power: generators"""
    game = led(
        "load",
        4,
        fulfilled={0: "generators"},
        hands={0: "lux-1 lux-2 lux-3 lux-4"},
        ships={0: {"contracts": "tech-1 agri-1"}},
        faces={"tech-1": needs(technology=3)},
    )
    play(game, "0 load:lux-1@ship-0", "0 load:lux-2@ship-0", "0 load:lux-3@ship-0")
    assert "lux-4" not in loads(game)


def test_seeds_free_the_slots_of_illegal_contracts_only() -> None:
    """power: seeds"""
    game = led(
        "load",
        3,
        fulfilled={0: "seeds"},
        hands={0: "cons-1 cons-2 cons-3"},
        ships={0: {"contracts": "ill-1 agri-1"}},
    )
    play(game, "0 load:cons-1@ship-0", "0 load:cons-2@ship-0")
    assert "cons-3" not in loads(game)


FREES = [("candy", "cons"), ("coffee", "agri"), ("generators", "tech"), ("seeds", "ill")]


@pytest.mark.parametrize(("power", "color"), FREES)
def test_gaining_it_may_fulfil_a_ship_at_once(power: str, color: str) -> None:  # P18
    """power: candy, coffee, generators, seeds"""
    other = "lux-1 lux-2"
    game = brink(power, ships={1: {"place": "port", "contracts": f"{color}-1", "containers": other}})
    events = play(game, LAST)
    expect(game, credits={0: 22}, fulfilled={0: f"{power} {color}-1"}, ships={1: {"place": "sea"}})
    sailing = [event.public["ship"] for event in events if event.kind == "sail"]
    assert sailing == [1, 0]  # the inner fulfilment is complete before the outer Ship sails (Q55)


@pytest.mark.parametrize(("power", "color"), FREES)
def test_placing_a_contract_may_fulfil_it_from_loose_containers(power: str, color: str) -> None:  # Q48
    """power: candy, coffee, generators, seeds"""
    game = led(  # there is one way to do it, so nobody is asked
        "contract",
        fulfilled={0: power},
        hands={0: f"{color}-1"},
        ships={0: {"containers": "lux-1 lux-2"}},
    )
    expect(game, credits={0: 16}, fulfilled={0: f"{power} {color}-1"})


@pytest.mark.parametrize(("power", "color"), FREES)
def test_a_grey_card_is_still_no_load(power: str, color: str) -> None:  # P20
    """power: candy, coffee, generators, seeds"""
    game = led(
        "load", fulfilled={0: power}, hands={0: "blank-9 lux-1"}, ships={0: {"contracts": f"{color}-1"}}
    )
    assert loads(game) == {"lux-1"}


@pytest.mark.parametrize(("power", "color"), FREES)
def test_pirated_containers_fit_too(power: str, color: str) -> None:
    """power: candy, coffee, generators, seeds"""
    game = led(
        "piracy",
        fulfilled={0: power},
        ships={0: {"contracts": f"{color}-1", "containers": f"{color}-2"}, 3: {"containers": "lux-1 lux-2"}},
    )
    play(game, "0 pirate:lux-1@ship-3")
    expect(game, credits={0: 16})


def test_losing_generators_closes_the_slots_again() -> None:  # P18
    """power: generators, stolen-documents"""
    game = brink(
        "stolen-documents",
        fulfilled={1: "generators"},
        ships={2: {"contracts": "tech-1", "containers": "lux-1"}},
    )
    play(game, LAST)
    expect(game, fulfilled={0: "generators", 1: "stolen-documents"}, ships={2: {"containers": "lux-1"}})
    assert game.ships[2].open == 1  # Technology alone, for both slots


# Containers of one colour on any contract


@pytest.mark.parametrize(
    ("power", "color", "other"),
    [
        ("big-cats", "ill", "tech"),
        ("impalas", "lux", "ill"),
        ("soap", "cons", "lux"),
        ("televisions", "tech", "agri"),
        ("wheat", "agri", "tech"),
    ],
)
def test_its_containers_are_wild_in_a_load_in_piracy_and_when_gained(
    power: str, color: str, other: str
) -> None:
    """power: big-cats, impalas, soap, televisions, wheat"""
    ships: dict[int, Any] = {
        0: {"contracts": f"{other}-1", "containers": f"{other}-2"},
        3: {"containers": f"{color}-2 sea-9"},
    }
    game = led("load", fulfilled={0: power}, hands={0: f"{color}-1"}, ships=ships)
    play(game, f"0 load:{color}-1@ship-0")
    expect(game, credits={0: 16}, ships={0: {"place": "sea"}})

    game = led("piracy", fulfilled={0: power}, ships=ships)
    play(game, f"0 pirate:{color}-2@ship-3")
    expect(game, credits={0: 16}, ships={0: {"place": "sea"}})

    aboard = {"place": "port", "contracts": f"{other}-1", "containers": f"{color}-1 {color}-2"}
    game = brink(power, ships={1: aboard})
    play(game, LAST)
    expect(game, credits={0: 22}, ships={1: {"place": "sea"}})


def test_big_cats_make_illegal_containers_wild() -> None:
    """power: big-cats"""
    zones: dict[str, Any] = {
        "hands": {0: "ill-1"},
        "ships": {0: {"contracts": "tech-1", "containers": "tech-2"}},
    }
    game = led("load", fulfilled={0: "big-cats"}, **zones)
    play(game, "0 load:ill-1@ship-0")
    expect(game, credits={0: 16}, ships={0: {"place": "sea"}})
    assert not loads(led("load", **zones))


def test_impalas_make_luxury_containers_wild() -> None:
    """power: impalas"""
    zones: dict[str, Any] = {
        "ships": {0: {"contracts": "ill-1", "containers": "ill-2"}, 3: {"containers": "lux-1 sea-9"}},
    }
    game = led("piracy", fulfilled={0: "impalas"}, **zones)
    play(game, "0 pirate:lux-1@ship-3")
    expect(game, credits={0: 16}, ships={0: {"place": "sea"}})

    game = led("piracy", **zones)
    play(game, "0 pirate:lux-1@ship-3")
    expect(game, credits={0: 10}, ships={0: {"containers": "ill-2"}})
    assert "lux-1" in [game.catalogue.ids[card] for card in game.discard]


def test_soap_makes_consumer_containers_wild() -> None:
    """power: soap"""
    game = led(
        "load", 2, fulfilled={0: "soap"}, hands={0: "cons-1 cons-2"}, ships={0: {"contracts": "lux-1"}}
    )
    play(game, "0 load:cons-1@ship-0", "0 load:cons-2@ship-0")
    expect(game, credits={0: 16})


def test_televisions_make_technology_containers_wild() -> None:
    """power: televisions"""
    game = led(
        "load",
        2,
        fulfilled={0: "televisions"},
        hands={0: "tech-1 tech-2"},
        ships={0: {"contracts": "ill-1"}},
        faces={"ill-1": needs(illegal=1, technology=1)},
    )
    play(game, "0 load:tech-1@ship-0", "0 load:tech-2@ship-0")
    expect(game, credits={0: 16})


def test_wheat_makes_agriculture_containers_wild() -> None:
    """power: wheat"""
    game = led(
        "load",
        3,
        fulfilled={0: "wheat"},
        hands={0: "agri-1 agri-2 agri-3"},
        ships={0: {"contracts": "tech-1"}},
        faces={"tech-1": needs(technology=2, illegal=1)},
    )
    play(game, "0 load:agri-1@ship-0", "0 load:agri-2@ship-0", "0 load:agri-3@ship-0")
    expect(game, credits={0: 20})


def test_a_full_ship_takes_no_wild_container_either() -> None:
    """power: big-cats, candy"""
    game = led(
        "load",
        fulfilled={0: "big-cats candy"},
        hands={0: "ill-1"},
        ships={0: {"contracts": "cons-1 tech-1", "containers": "ill-2 ill-3 tech-2"}},
    )
    assert loads(game) == {"ill-1"}
    play(game, "0 load:ill-1@ship-0")
    expect(game, credits={0: 20})


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
