"""Powers that bring credits or cards for what a player has, or has just fulfilled."""

from __future__ import annotations

import pytest
from table import asked, expect, kinds, needs, play, table

from powers.fulfilling import fulfil, load_last
from powers.scenes import assert_hidden


def test_honey_pays_for_the_agriculture_goods_of_all() -> None:
    """power: honey"""
    game = fulfil("honey", goods={0: "agri-1 agri-2 lux-1", 1: "agri-3 agri-4", 2: "cons-1 agri-5"})
    expect(game, credits={0: 26, 1: 10, 2: 10})


def test_honey_does_not_count_crew_contracts_and_containers() -> None:
    """power: honey"""
    game = fulfil(
        "honey agri-1",
        crew={0: "agri-2", 1: "agri-3"},
        fulfilled={1: "agri-4"},
        ships={1: {"containers": "agri-5"}},
        island="agri-6",
    )
    expect(game, credits={0: 16})


def test_pens_pays_for_the_consumer_goods_of_all() -> None:
    """power: pens"""
    game = fulfil("pens", goods={0: "cons-1", 1: "cons-2 cons-3 agri-1", 2: "tech-1"})
    expect(game, credits={0: 22, 1: 10, 2: 10})


def test_pilllows_pays_for_its_own_ship_too() -> None:
    """power: pilllows"""
    game = fulfil("pilllows lux-1", 4, fulfilled={0: "blank-1 blank-2"})
    assert not asked(game).endswith("order")
    expect(game, credits={0: 28}, fulfilled={0: "blank-1 blank-2 pilllows lux-1"})


def test_rice_pays_for_agriculture_contracts() -> None:
    """power: rice"""
    game = fulfil("rice", fulfilled={0: "agri-1 agri-2 lux-1"}, port={0: "agriculture"})
    expect(game, credits={0: 22})


def test_rice_counts_itself_whatever_its_colour_and_a_copy_does_not() -> None:
    """power: rice, wind-turbines"""
    game = fulfil("rice", faces={"rice": {"color": "luxury"}})
    expect(game, credits={0: 18})

    copied = fulfil("wind-turbines", faces={"rice": needs(agriculture=2)}, fulfilled={1: "rice"})
    expect(copied, credits={0: 16})


def test_tej_pays_for_crew_but_two_rounded_up() -> None:
    """power: tej"""
    crew = "tech-1 agri-1 cons-1 lux-1 ill-1"
    expect(fulfil("tej", contracts={0: 5}, crew={0: crew}), credits={0: 20})


@pytest.mark.parametrize(("crew", "paid"), [(0, 0), (1, 0), (2, 0), (3, 2), (4, 2), (5, 4), (6, 4)])
def test_tej_by_number_of_crew(crew: int, paid: int) -> None:
    """power: tej"""
    game = fulfil("tej", crew={0: [f"lux-{number}" for number in range(1, crew + 1)]})
    expect(game, credits={0: 16 + paid})


def test_rooibos_tea_pays_everybody() -> None:
    """power: rooibos-tea"""
    game = fulfil("rooibos-tea", players=4)
    expect(game, credits={0: 18, 1: 12, 2: 12, 3: 12})


def test_rooibos_tea_may_trigger_the_end_for_another() -> None:
    """power: rooibos-tea"""
    game = fulfil("rooibos-tea", credits={1: 48})
    expect(game, credits={1: 50}, ending="credits")


def test_muay_thai_shorts_pays_for_each_contract_of_its_ship() -> None:
    """power: muay-thai-shorts"""
    game = fulfil("muay-thai-shorts lux-1 agri-1", 6, fulfilled={0: "blank-1"})
    expect(game, credits={0: 30})


def test_muay_thai_shorts_copied_looks_at_the_ship_of_the_copy() -> None:
    """power: muay-thai-shorts, wind-turbines"""
    faces = {"muay-thai-shorts": needs(consumer=2)}
    game = fulfil("wind-turbines lux-1", 4, faces=faces, fulfilled={1: "muay-thai-shorts"})
    play(game, "0 copy:muay-thai-shorts")
    expect(game, credits={0: 24})


def test_mouthwash_pays_per_consumer_contract() -> None:
    """power: mouthwash"""
    expect(fulfil("cons-1 cons-2", 4, fulfilled={0: "mouthwash"}), credits={0: 24})


def test_mouthwash_does_not_see_its_own_ship_nor_those_of_others() -> None:
    """power: mouthwash"""
    expect(fulfil("mouthwash cons-1", 4), credits={0: 20})
    expect(fulfil("cons-1", seat=1, fulfilled={0: "mouthwash"}), credits={0: 10, 1: 16})


def test_rare_metals_pays_once_per_ship() -> None:
    """power: rare-metals"""
    expect(fulfil("tech-1 cons-1", 4, fulfilled={0: "rare-metals"}), credits={0: 24})
    expect(fulfil("tech-1 cons-1 tech-2 cons-2", 4, fulfilled={0: "rare-metals"}), credits={0: 24})
    expect(fulfil("tech-1 lux-1", 4, fulfilled={0: "rare-metals"}), credits={0: 20})


def test_rare_metals_does_not_see_its_own_ship() -> None:
    """power: rare-metals"""
    expect(fulfil("rare-metals cons-1", 4), credits={0: 20})


def test_yakuza_art_pays_by_the_goods_one_has() -> None:
    """power: yakuza-art"""
    game = fulfil("yakuza-art", goods={0: "cons-1"}, hands={0: "lux-1 ill-1"})
    expect(game, credits={0: 16}, hand_sizes={0: 7}, goods={0: "cons-1"})

    both = fulfil("yakuza-art", goods={0: "cons-1 tech-1"}, hands={0: "lux-1 ill-1"})
    expect(both, credits={0: 20}, hand_sizes={0: 7})

    neither = fulfil("yakuza-art", goods={0: "lux-2"}, hands={0: "lux-1 ill-1"})
    expect(neither, credits={0: 16}, hand_sizes={0: 2})


def test_yakuza_art_keeps_the_drawn_cards_secret() -> None:
    """power: yakuza-art"""
    game = fulfil("yakuza-art", goods={0: "cons-1"})
    assert_hidden(game, game.events, "pile-1 pile-2 pile-3 pile-4 pile-5", 0)


def test_merino_wool_doubles_the_hand_in_one_draw() -> None:
    """power: merino-wool"""
    game = fulfil("merino-wool", hands={0: "lux-1 lux-2 ill-1 ill-2"})
    expect(game, hand_sizes={0: 8})
    assert kinds(game.events).count("draw") == 1


def test_merino_wool_with_an_empty_hand_draws_nothing() -> None:
    """power: merino-wool, lumber"""
    game = fulfil("merino-wool", fulfilled={1: "lumber"})
    assert "draw" not in kinds(game.events)
    expect(game, hand_sizes={0: 0}, pile_size=59, asks="0 pause")


def test_merino_wool_draws_what_there_is() -> None:
    """power: merino-wool"""
    game = fulfil("merino-wool", hands={0: "lux-1 lux-2 ill-1"}, pile="agri-1 agri-2")
    expect(game, hands={0: "lux-1 lux-2 ill-1 agri-1 agri-2"}, ending="cards")


def test_merino_wool_keeps_the_drawn_cards_secret() -> None:
    """power: merino-wool"""
    game = fulfil("merino-wool", hands={0: "lux-1 lux-2"}, pile="agri-1 agri-2 agri-3 agri-4 agri-5 agri-6")
    assert_hidden(game, game.events, "agri-1 agri-2", 0)


def test_laptops_draws_after_the_card_for_the_island() -> None:
    """power: laptops"""
    game = table(
        fulfilled={0: "laptops"},
        hands={0: "tech-20"},
        ships={0: {"contracts": "lux-1", "containers": "cons-1"}},
        faces={"lux-1": needs(technology=1, consumer=1)},
        pile="agri-1 agri-2 agri-3 agri-4 agri-5 agri-6",
    )
    load_last(game, 0)
    expect(game, credits={0: 16}, hands={0: "agri-2 agri-3"}, island="agri-1")
    assert_hidden(game, game.events, "agri-2 agri-3", 0)


def test_laptops_needs_a_technology_container_and_not_its_own_ship() -> None:
    """power: laptops"""
    expect(fulfil("laptops"), hand_sizes={0: 0})
    expect(fulfil("tech-1", seat=1, fulfilled={0: "laptops"}), hand_sizes={0: 0, 1: 0})

    wild = {"contracts": "lux-1", "containers": "blank-1 tech-1", "rainbow": "tech-1"}
    game = table(
        fulfilled={0: "laptops"},
        ships={0: wild},
        hands={0: "lux-2 tech-2"},
        faces={"lux-1": needs(luxury=3)},
    )
    play(game, "0 lead:load:tech-2*1", "0 load:lux-2@ship-0")
    expect(game, ships={0: {"place": "sea"}}, hand_sizes={0: 0})


def test_laptops_draws_once_per_ship() -> None:
    """power: laptops"""
    expect(fulfil("tech-1 lux-1", 4, fulfilled={0: "laptops"}), hand_sizes={0: 2})


# With other powers


@pytest.mark.parametrize(("power", "credits"), [("honey", 18), ("pens", 18), ("yakuza-art", 20)])
def test_joe_wiggins_counts_as_goods(power: str, credits: int) -> None:
    """power: honey, pens, yakuza-art, joe-wiggins"""
    game = fulfil(power, fulfilled={0: "joe-wiggins"})
    expect(game, credits={0: credits}, hand_sizes={0: 5 if power == "yakuza-art" else 0})


def test_tej_counts_crew_borrowed_by_cannons() -> None:
    """power: tej, cannons"""
    crew = {0: "tech-1 agri-1 cons-1 lux-1 ill-1", 1: "ill-2 ill-3"}
    expect(fulfil("tej", contracts={0: 5}, fulfilled={0: "cannons"}, crew=crew), credits={0: 22})


def test_tej_does_not_count_fridges_and_us_dollars() -> None:
    """power: tej, fridges, us-dollars"""
    game = table(
        fulfilled={0: "fridges us-dollars"},
        goods={0: "tech-1 tech-2 tech-3 tech-4"},
        crew={0: "lux-1 lux-2"},
        hands={0: "tech-20 tech-19"},
        ships={0: {"contracts": "tej", "containers": "tech-5"}},
        faces={"tej": needs(technology=2)},
    )
    play(game, "0 use:load:us-dollars", "0 lead:load:tech-20*1", "0 load:tech-19@ship-0")
    expect(game, credits={0: 16})


def test_muay_thai_shorts_stolen_counts_itself() -> None:
    """power: muay-thai-shorts, stolen-documents"""
    faces = {"muay-thai-shorts": {"color": "technology"}}
    game = fulfil("stolen-documents lux-1", 4, faces=faces, fulfilled={1: "muay-thai-shorts"})
    expect(game, credits={0: 22}, fulfilled={1: "stolen-documents"})


@pytest.mark.parametrize(("power", "place"), [("flash-drives", "hand"), ("jets", "goods")])
def test_laptops_read_the_containers_as_they_were_at_first(power: str, place: str) -> None:
    """power: laptops, flash-drives, jets"""
    game = table(
        fulfilled={0: f"laptops {power}"},
        hands={0: "tech-20"},
        ships={0: {"contracts": "lux-1", "containers": "cons-1"}},
        faces={"lux-1": needs(technology=1, consumer=1)},
    )
    load_last(game, 0)
    play(game, "0 take:tech-20")
    expect(game, hand_sizes={0: 2 + (place == "hand")}, goods={0: "tech-20" if place == "goods" else ""})
