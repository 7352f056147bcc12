"""Powers with double cards (R18): what their rulings say of a card with two colours.

`laptops--backpacks` is Technology and Consumer, `potatoes--cups` Agriculture and Consumer, `champagne--cannabis`
Luxury and Illegal, `soy-sauce--sushi-knives` Agriculture and Luxury.
"""

from __future__ import annotations

import pytest
from table import expect, finish_turn, needs, offered, play, run_defaults, table, totals

from arena.game import Game
from arena.game.terms import LOAD, PIRACY
from powers.fulfilling import fulfil, grant
from powers.scenes import LAST, brink, led

NEEDS_CONSUMER = {"lux-20": needs(consumer=2)}
WAITING = {0: {"contracts": "lux-20"}}
"""A Ship that needs two Consumer Containers."""


def discarded(game: Game) -> list[str]:
    """The discard pile, by id."""
    return [game.catalogue.ids[card] for card in game.discard]


# A power that takes it for one colour, and in a hand, in a pile and on the Island for either (P23)


def test_antiquities_find_a_card_with_one_illegal_side() -> None:
    """power: antiquities"""
    game = fulfil("antiquities", pile="pile-1 champagne--cannabis ill-1 potatoes--cups pile-2")
    assert offered(game, 0) == {"take:champagne--cannabis", "take:ill-1"}
    play(game, "0 take:champagne--cannabis")
    expect(game, hands={0: "champagne--cannabis"})


def test_apples_put_a_card_down_on_its_agriculture_side() -> None:
    """power: apples, potatoes"""
    game = fulfil("apples", hands={0: "honey potatoes--cups champagne--cannabis"})
    assert offered(game, 0) == {"fulfil:honey", "fulfil:potatoes"}
    play(game, "0 fulfil:potatoes")
    expect(game, fulfilled={0: "apples potatoes"}, hands={0: "honey champagne--cannabis"}, asks="0 potatoes")


def test_hawaiian_salt_takes_cards_with_one_agriculture_side() -> None:
    """power: hawaiian-salt"""
    game = fulfil("hawaiian-salt", hands={1: "potatoes--cups laptops--backpacks", 2: "agri-1"})
    expect(game, hands={0: "potatoes--cups agri-1", 1: "laptops--backpacks", 2: ""})


def test_iceland_water_sells_cards_with_one_agriculture_side() -> None:
    """power: iceland-water"""
    game = table(hands={0: "potatoes--cups laptops--backpacks"}, fulfilled={0: "iceland-water"})
    assert {text for text in offered(game, 0) if text.startswith("use")} == {
        "use:iceland-water+potatoes--cups"
    }
    play(game, "0 use:iceland-water+potatoes--cups")
    expect(game, island="potatoes--cups", credits={0: 12})


def test_sushi_knives_take_cards_with_one_luxury_side() -> None:
    """power: sushi-knives"""
    game = table(hands={0: "lux-1 lux-2 lux-3 champagne--cannabis"}, fulfilled={0: "sushi-knives"})
    play(game, "0 use:sushi-knives+champagne--cannabis, 0 discard:lux-1, 0 discard:lux-2")
    expect(game, credits={0: 12})
    assert "champagne--cannabis" in discarded(game)


def test_tsukiji_fish_place_a_card_on_a_luxury_or_agriculture_side_only() -> None:
    """power: tsukiji-fish"""
    game = table(
        hands={0: "potatoes--cups soy-sauce--sushi-knives laptops--backpacks"},
        fulfilled={0: "tsukiji-fish"},
    )
    assert {text for text in offered(game, 0) if text.startswith("use")} == {
        "use:tsukiji-fish+potatoes@ship-0",
        "use:tsukiji-fish+soy-sauce@ship-0",
        "use:tsukiji-fish+sushi-knives@ship-0",
    }
    play(game, "0 use:tsukiji-fish+sushi-knives@ship-0")
    expect(game, ships={0: {"contracts": "sushi-knives"}})


def test_ramen_take_cards_with_a_yellow_side_which_become_agriculture_goods() -> None:
    """power: ramen"""
    game = fulfil("ramen", island="potatoes--cups laptops--backpacks agri-1")
    expect(game, goods={0: "potatoes agri-1"}, island="laptops--backpacks pile-1")


@pytest.mark.parametrize(("kind", "hit"), [("luxury", True), ("illegal", True), ("technology", False)])
def test_a_type_that_is_named_matches_either_colour(kind: str, hit: bool) -> None:
    """power: showers, lucky-cards, rolls-royce"""
    game = fulfil("showers", pile="champagne--cannabis pile-1 pile-5 pile-10")
    play(game, f"0 name:{kind}")
    expect(game, credits={0: 24 if hit else 16})

    game = fulfil("lucky-cards", pile="champagne--cannabis pile-1 pile-5", credits={0: 30})
    play(game, f"0 name:{kind}")
    expect(game, credits={0: 56 if hit else 6})

    game = fulfil("rolls-royce", pile="champagne--cannabis pile-1 pile-5")
    play(game, f"0 name:{kind}")
    assert game.over == hit


def test_massage_tables_match_either_colour() -> None:
    """power: massage-tables"""
    game = fulfil("massage-tables", pile="cons-1 laptops--backpacks ill-1 ill-2")
    expect(game, hands={0: "cons-1 laptops--backpacks"}, credits={0: 18})
    game = fulfil("massage-tables", pile="laptops--backpacks ill-1 tech-1 ill-2 ill-3")
    expect(game, hands={0: "laptops--backpacks ill-1 tech-1"}, credits={0: 20})


# A fulfilled contract has the colour of its side, and no Level


def test_contracts_count_by_the_side_that_was_active() -> None:
    """power: mouthwash, sugar"""
    for side, credits in (("cups", 18), ("potatoes", 16)):
        game = brink(side, 2, fulfilled={0: "mouthwash"})
        play(game, LAST)
        expect(game, credits={0: credits})
    for side, credits in (("cups", 10), ("potatoes", 12)):
        game = led("contract", hands={0: "potatoes--cups"}, fulfilled={0: "sugar"})
        play(game, f"0 contract:{side}@ship-0")
        expect(game, credits={0: credits})


def test_stolen_documents_see_the_side_that_was_active() -> None:
    """power: stolen-documents, laptops, backpacks"""
    game = fulfil("stolen-documents", fulfilled={1: "laptops", 2: "drones"})
    assert offered(game, 0) == {"steal:laptops@seat-1", "steal:drones@seat-2"}
    play(game, "0 steal:laptops@seat-1")
    expect(game, fulfilled={0: "laptops", 1: "stolen-documents"})
    game = fulfil("stolen-documents", fulfilled={1: "backpacks"})
    expect(game, fulfilled={0: "stolen-documents", 1: "backpacks"})


def test_wind_turbines_copy_the_side_that_was_active_as_level_0() -> None:
    """power: wind-turbines, cups"""
    game = fulfil("wind-turbines", fulfilled={1: "cups"})
    expect(game, hand_sizes={0: 5})  # the only choice is made unasked, and acts at once
    assert game.view(None)["copies"] == {"wind-turbines": "cups"}


def test_improbability_counts_a_card_as_the_colour_it_has_where_it_lies() -> None:
    """power: improbability"""
    zones = {
        "goods": "tech-1 agri-1 cons-1 lux-1 ill-1",
        "crew": "tech-2 agri-2 cons-2 lux-2 ill-2",
    }
    for side, wins in (("cannabis", True), ("champagne", False)):
        game = table(
            hands={0: "agri-9"},
            goods={0: zones["goods"].replace("ill-1", side)},
            crew={0: zones["crew"]},
            fulfilled={0: "improbability tech-3 agri-3 cons-3 ill-3"},
            faces={"improbability": {"color": "luxury"}},
        )
        if not game.over:
            finish_turn(game)
        assert game.over == wins, side


# Placed from elsewhere


def test_spacecraft_lets_its_owner_choose_the_side() -> None:
    """power: spacecraft"""
    game = fulfil(
        "spacecraft",
        island="potatoes--cups",
        ships={1: {"place": "port", "containers": ""}},
        contracts={0: 2},
    )
    assert offered(game, 0) == {"contract:potatoes@ship-1", "contract:cups@ship-1"}
    play(game, "0 contract:cups@ship-1")
    expect(game, ships={1: {"contracts": "cups"}})


def test_jasmine_tea_and_toto_toilets_place_either_side() -> None:
    """power: jasmine-tea, toto-toilets"""
    faces = {"agri-5": needs(agriculture=1), "potatoes": needs(consumer=2), "cups": needs(consumer=2)}
    game = led("contract", hands={0: "agri-5 potatoes--cups"}, fulfilled={0: "jasmine-tea"}, faces=faces)
    play(game, "0 contract:agri-5@ship-0")
    assert {"contract:jasmine-tea:potatoes@ship-0", "contract:jasmine-tea:cups@ship-0"} <= offered(game, 0)
    play(game, "0 contract:jasmine-tea:cups@ship-0")
    expect(game, ships={0: {"contracts": "agri-5 cups"}})

    game = led(
        "contract", island="potatoes--cups", fulfilled={0: "toto-toilets"}, faces=faces, sets=["tokyo"]
    )
    play(game, "0 contract:toto-toilets:potatoes@ship-0")
    expect(game, ships={0: {"contracts": "potatoes"}}, island="")


def test_dino_bones_and_dark_flight_take_a_card_of_the_island_for_a_colour() -> None:
    """power: dino-bones, dark-flight"""
    game = fulfil("dino-bones", island="laptops--backpacks tech-5 tech-6")
    assert offered(game, 0) == {"take:laptops", "take:backpacks", "take:tech-5", "take:tech-6"}
    play(game, "0 take:backpacks", "0 take:tech-5")
    expect(game, goods={0: "backpacks tech-5"})

    game = led("import", island="laptops--backpacks", fulfilled={0: "dark-flight"})
    play(game, "0 import:dark-flight@island")
    assert {"take:laptops@crew", "take:backpacks@goods"} <= offered(game, 0)
    play(game, "0 take:backpacks@goods")
    expect(game, goods={0: "backpacks"}, island="")


def test_diamonds_let_their_owner_choose_the_colour_of_the_good() -> None:
    """power: diamonds; Q82"""
    game = table(
        ending="turns",
        fulfilled={0: "diamonds champagne blank-9 blank-10"},
        faces={"champagne": {"color": "luxury"}},
    )
    assert {"move:champagne", "move:cannabis"} <= offered(game, 0)
    play(game, "0 move:cannabis")
    assert "move:champagne" not in offered(game, 0)
    play(game, "0 move:blank-9")
    expect(game, goods={0: "cannabis blank-9"}, fulfilled={0: "diamonds blank-10"})


def test_hentai_manga_keep_the_illegal_side_up() -> None:
    """power: hentai-manga, cannabis"""
    game = brink("cannabis", fulfilled={0: "hentai-manga"}, contracts={0: 3})
    play(game, LAST, "0 tuck:cannabis@goods")
    expect(game, goods={0: "cannabis"})


# Containers


@pytest.mark.parametrize(("side", "drawn"), [("laptops", True), ("backpacks", False)])
def test_a_container_counts_as_the_colour_it_was_loaded_with(side: str, drawn: bool) -> None:
    """power: laptops; another copy of the power looks at the Containers"""
    game = table(
        hands={0: "tech-1 lux-1"},
        fulfilled={0: "yen"},
        powers={"yen": "laptops"},
        ships={0: {"contracts": "lux-20", "containers": side}},
        faces={"lux-20": needs(luxury=1, technology=1) if drawn else needs(luxury=1, consumer=1)},
    )
    events = play(game, "0 lead:load:tech-1*1", "0 load:lux-1@ship-0")
    assert ({"seat": 0, "count": 2} in [e.public for e in events if e.kind == "draw"]) == drawn


def test_soap_serves_any_slot_with_a_card_loaded_as_consumer() -> None:
    """power: soap"""
    for side, opens in (("backpacks", True), ("laptops", False)):
        game = led(
            "load",
            fulfilled={0: "soap"},
            hands={0: "ill-5 lux-5"},
            ships={0: {"contracts": "lux-20", "containers": side}},
            faces={"lux-20": needs(illegal=1, luxury=1)},
        )
        play(game, "0 load:ill-5@ship-0")
        assert (game.ships[0].place == 1) == opens


def test_flash_drives_take_a_container_that_is_then_free() -> None:
    """power: flash-drives"""
    game = table(
        hands={0: "tech-1 tech-2"},
        fulfilled={0: "flash-drives"},
        ships={0: {"contracts": "lux-20", "containers": "backpacks"}},
        faces={"lux-20": needs(technology=1, consumer=1)},
    )
    play(game, "0 lead:load:tech-1*1", "0 load:tech-2@ship-0", "0 take:backpacks")
    assert game.catalogue.number_of["laptops--backpacks"] in game.players[0].hand
    expect(game, ships={0: {"containers": "tech-2"}})


def test_fake_money_loads_without_the_fee_and_keeps_the_colour() -> None:
    """power: fake-money"""
    robbed = {3: {"containers": "backpacks lux-5"}, 5: {"place": "port", "containers": ""}}
    ships = {1: {"place": "port", "contracts": "lux-20", "containers": ""}, **robbed}
    game = fulfil("fake-money", ships=ships, faces=NEEDS_CONSUMER, credits={0: 0})
    play(game, "0 take:backpacks@ship-3")
    expect(game, ships={1: {"containers": "backpacks"}}, credits={0: 6})

    ships[3] = {"containers": "laptops lux-5"}
    game = fulfil("fake-money", ships=ships, faces=NEEDS_CONSUMER)
    play(game, "0 take:laptops@ship-3")
    expect(game, hands={0: "laptops--backpacks"}, ships={1: {"containers": ""}})


def test_fake_money_takes_a_card_that_was_dealt_to_a_ship_for_either_colour() -> None:
    """power: fake-money; Q101"""
    ships = {
        1: {"place": "port", "contracts": "lux-20", "containers": ""},
        3: {"containers": "laptops--backpacks lux-5"},
        5: {"place": "port", "containers": ""},
    }
    game = fulfil("fake-money", ships=ships, faces=NEEDS_CONSUMER, credits={0: 0})
    assert offered(game, 0) == {"take:laptops@ship-3", "take:backpacks@ship-3", "take:lux-5@ship-3"}
    play(game, "0 take:backpacks@ship-3")
    expect(game, ships={1: {"containers": "backpacks"}, 3: {"containers": "lux-5"}})


def test_cannabis_sees_the_colour_for_which_a_dealt_card_is_taken() -> None:
    """power: cannabis; Q83"""
    for side, credits in (("water-notepad", 10), ("opposition-leaflets", 8)):
        ships = {1: {"containers": "water-notepad--opposition-leaflets"}}
        game = led("import", fulfilled={1: "cannabis"}, ships=ships)
        play(game, "0 import@ship-1", f"0 take:{side}@goods")
        expect(game, credits={0: credits})


def test_teslas_count_a_card_placed_as_supply_crew() -> None:
    """power: teslas"""
    for side, asks in (("champagne", True), ("cannabis", False)):
        game = table(ending="turns", fulfilled={0: "teslas"}, crew={0: side})
        assert game.over != asks


# The fee


@pytest.mark.parametrize(("credits", "loaded"), [(2, True), (0, False)])
def test_cell_phones_load_a_double_card_if_it_can_be_paid(credits: int, loaded: bool) -> None:
    """power: cell-phones"""
    game = table(
        fulfilled={0: "cell-phones"},
        credits={0: credits},
        hands={0: "cons-5"},
        ships=WAITING,
        faces=NEEDS_CONSUMER,
        pile="laptops--backpacks pile-1 pile-2",
    )
    grant(game, 0, LOAD)
    play(game, "0 draw:cell-phones")
    held = "cons-5" if loaded else "cons-5 laptops--backpacks"
    expect(game, credits={0: 0}, ships={0: {"containers": "backpacks" if loaded else ""}}, hands={0: held})


def test_batteries_and_the_fee_are_paid_both() -> None:
    """power: batteries"""
    for credits, offers in ((4, True), (2, False)):
        game = led(
            "load",
            fulfilled={0: "batteries"},
            credits={0: credits},
            hands={0: "cons-5 laptops--backpacks"},
            ships=WAITING,
            faces=NEEDS_CONSUMER,
        )
        play(game, "0 load:cons-5@ship-0")
        assert ("load:batteries:backpacks@ship-0" in offered(game, 0)) == offers
        if offers:
            play(game, "0 load:batteries:backpacks@ship-0")
            assert game.ships[0].place == 1  # at sea


def test_flour_pays_the_fee_of_each_double_card_among_the_four() -> None:
    """power: flour"""
    faces = {"flour": {**needs(consumer=2, technology=2), "color": "agriculture"}}
    hands = {0: "flour laptops--backpacks potatoes--cups tech-5 tech-6"}
    game = led("contract", hands=hands, faces=faces, credits={0: 4})
    play(game, "0 contract:flour:flour@ship-0")
    run_defaults(game, lambda game: not game.to_act or game.decision(game.to_act[0]).kind != "flour")
    expect(game, credits={0: 10}, fulfilled={0: "flour"})  # 4 for two fees, then the payout of 10
    assert sorted(game.catalogue.ids[c] for c in game.ships[0].containers) == [
        "backpacks",
        "cups",
        "tech-5",
        "tech-6",
    ]

    poor = led("contract", hands=hands, faces=faces, credits={0: 2})
    assert not any("flour:flour" in text for text in offered(poor, 0))
    single = {0: "flour laptops--backpacks cons-5 tech-5 tech-6"}
    spare = led("contract", hands=single, faces=faces, credits={0: 2})
    assert "contract:flour:flour@ship-0" in offered(spare, 0)


def test_robo_cats_pay_for_each_double_card_that_they_load() -> None:
    """power: robo-cats"""
    pair = "load:robo-cats:cons-5+backpacks@ship-0"
    for credits, offers in ((2, True), (0, False)):
        game = led(
            "load",
            fulfilled={0: "robo-cats"},
            credits={0: credits},
            hands={0: "laptops--backpacks cons-5"},
            ships={0: {"contracts": "lux-20"}},
            faces={"lux-20": needs(technology=2)},
        )
        swapped = "load:robo-cats:backpacks+cons-5@ship-0"
        found = {pair, swapped} & offered(game, 0)
        assert bool(found) == offers
        if offers:
            play(game, f"0 {found.pop()}")
            expect(game, credits={0: 0})
            assert len(game.ships[0].pairs) == 1


def test_robo_cats_cannot_pirate_a_pair_whose_fee_poison_bottles_have_taken() -> None:
    """power: robo-cats, poison-bottles; Q83"""
    game = led(
        "piracy",
        2,
        fulfilled={0: "robo-cats", 1: "poison-bottles"},
        credits={0: 2},
        island="laptops--backpacks",
        ships={0: {"contracts": "tech-1"}, 3: {"containers": "cons-5"}},
    )
    play(game, "0 pirate:robo-cats:cons-5+backpacks@ship-0*1")
    expect(game, credits={0: 0, 1: 12}, asks="0 piracy", island="laptops--backpacks")
    assert not [text for text in offered(game, 0) if "robo-cats" in text and "+backpacks" in text]


@pytest.mark.parametrize(("credits", "loaded"), [(2, True), (0, False)])
def test_mini_van_fixes_the_colour_of_a_card_from_a_hand_and_pays(credits: int, loaded: bool) -> None:
    """power: mini-van; Q83"""
    game = table(
        hands={0: "blank-40", 1: "laptops--backpacks"},
        credits={0: credits},
        fulfilled={0: "mini-van"},
        ships=WAITING,
        faces=NEEDS_CONSUMER,
    )
    grant(game, 0, PIRACY)
    play(game, "0 pirate:mini-van@seat-1")
    assert offered(game, 0) == {"side:laptops", "side:backpacks"}
    play(game, "0 side:backpacks")
    expect(game, credits={0: 0}, ships={0: {"containers": "backpacks" if loaded else ""}})
    assert ("laptops--backpacks" in discarded(game)) != loaded


def test_mini_van_keeps_the_colour_of_a_card_from_a_ship_in_port() -> None:
    """power: mini-van"""
    game = led(
        "piracy",
        fulfilled={0: "mini-van"},
        credits={0: 0},
        ships={**WAITING, 2: {"contracts": "tech-1", "containers": "backpacks"}},
        faces={**NEEDS_CONSUMER, "tech-1": needs(consumer=2)},
    )
    assert {text for text in offered(game, 0) if "ship-2" in text} == {"pirate:mini-van:backpacks@ship-2"}
    play(game, "0 pirate:mini-van:backpacks@ship-2")
    expect(game, credits={0: 0}, ships={0: {"containers": "backpacks"}})


def test_stolen_rice_counts_the_colour_chosen_for_a_card_of_the_island() -> None:
    """power: stolen-rice"""
    for side, credits in (("potatoes", 12), ("cups", 10)):
        game = led("piracy", fulfilled={0: "stolen-rice"}, island="potatoes--cups")
        play(game, f"0 pirate:{side}")
        expect(game, credits={0: credits})


def test_stem_cells_add_a_double_card_without_a_loading_fee() -> None:
    """power: stem-cells"""
    game = led("piracy", fulfilled={0: "stem-cells"}, island="potatoes--cups", credits={0: 2})
    play(game, "0 pirate:cups", "0 put:stem-cells:cups@goods")
    expect(game, goods={0: "cups"}, credits={0: 0})


def test_the_fee_is_too_small_for_fake_dvds() -> None:
    """power: fake-dvds; P38"""
    game = table(
        hands={0: "tech-1 laptops--backpacks"},
        fulfilled={1: "fake-dvds"},
        ships=WAITING,
        faces=NEEDS_CONSUMER,
    )
    play(game, "0 lead:load:tech-1*1", "0 load:backpacks@ship-0")
    expect(game, credits={0: 8, 1: 10})


def test_all_that_one_use_of_a_power_costs_is_one_payment_for_fake_dvds() -> None:
    """power: fake-dvds, batteries, flour; P38"""
    game = led(
        "load",
        fulfilled={0: "batteries", 1: "fake-dvds"},
        hands={0: "cons-5 laptops--backpacks"},
        ships=WAITING,
        faces=NEEDS_CONSUMER,
    )
    play(game, "0 load:cons-5@ship-0", "0 load:batteries:backpacks@ship-0")
    expect(game, credits={0: 12, 1: 12})

    hand = "flour laptops--backpacks potatoes--cups tech-5 tech-6"
    faces = {"flour": needs(consumer=2, technology=2)}
    game = led("contract", hands={0: hand}, faces=faces, fulfilled={1: "fake-dvds"})
    play(game, "0 contract:flour:flour@ship-0")
    run_defaults(game, lambda game: game.turn > 1)
    expect(game, credits={0: 16, 1: 12})


def test_smart_cars_and_exchanges_move_the_card_itself() -> None:
    """power: smart-cars, rope"""
    game = led("load", fulfilled={0: "smart-cars"}, hands={0: "laptops--backpacks"}, ships=WAITING)
    play(game, "0 put:smart-cars:laptops--backpacks@island")
    expect(game, island="laptops--backpacks")
    game = table(hands={0: "tech-1"}, fulfilled={0: "rope"}, island="laptops--backpacks")
    play(game, "0 use:rope+laptops--backpacks")
    expect(game, hands={0: "laptops--backpacks"}, island="tech-1")


def test_vaccines_take_the_card_itself_into_the_hand() -> None:
    """power: vaccines"""
    expect(fulfil("vaccines", island="laptops--backpacks"), hands={0: "laptops--backpacks"})


def test_final_credits_of_a_game_with_double_goods() -> None:
    """power: velvet-robes; a double Good scores as its colour (R14.2), in a hand it is one card"""
    game = table(
        ending="turns", hands={0: "laptops--backpacks"}, fulfilled={0: "velvet-robes"}, goods={0: "cannabis"}
    )
    assert totals(game)[0] == 10 + 1 + 2 - 6
