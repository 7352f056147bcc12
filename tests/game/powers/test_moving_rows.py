"""Powers by which Crew, Goods and hands change places when they are fulfilled, and with other powers."""

from __future__ import annotations

from typing import Any

import pytest
from table import expect, needs, offered, play, table

from arena.game.terms import CONTRACT, PIRACY
from powers.fulfilling import fulfil, grant
from powers.moved import HOME, SINGLE, limits
from powers.scenes import assert_hidden, assert_known

# Crew and Goods


def test_sanitizer_swaps_first_and_discards_then() -> None:
    """power: sanitizer"""
    game = fulfil("sanitizer", contracts={0: 2}, crew={0: "agri-1"}, goods={0: "lux-1 lux-2 lux-3 lux-4"})
    assert offered(game, 0) == {f"discard:lux-{number}" for number in range(1, 5)}
    play(game, "0 discard:lux-2")
    expect(game, goods={0: "agri-1"}, crew={0: "lux-1 lux-3 lux-4"}, discard="lux-2")


@pytest.mark.parametrize(("power", "pays"), [("bubblegum", 4), ("chapstick", 2)])
def test_sanitizer_adds_only_the_goods_that_stay(power: str, pays: int) -> None:
    """power: sanitizer, bubblegum, chapstick"""
    game = fulfil("sanitizer", contracts={0: 2}, crew={0: "cons-1 cons-2"}, fulfilled={1: power})
    expect(game, goods={0: "cons-1 cons-2"}, credits={1: 10 + 2 * pays})

    crew = "cons-1 cons-2 cons-3 cons-4 cons-5"
    full = fulfil("sanitizer", contracts={0: 1}, crew={0: crew}, fulfilled={1: power}, unchecked=True)
    play(full, "0 discard:cons-3")
    expect(full, goods={0: "cons-1 cons-2 cons-4 cons-5"}, credits={1: 10 + 4 * pays})


def test_sanitizer_keeps_to_the_limits_of_board_games_and_scotch() -> None:
    """power: sanitizer, board-games, scotch"""
    five = "board-games tech-1 agri-1 lux-1 ill-1"
    goods = [f"lux-{number}" for number in range(2, 14)]
    game = fulfil(
        "sanitizer", faces={"board-games": {"color": "consumer"}}, fulfilled={0: five}, goods={0: goods}
    )
    expect(game, crew={0: goods}, goods={0: ""}, asks="0 pause")

    scotch = fulfil("sanitizer", contracts={0: 2}, fulfilled={0: "scotch"}, crew={0: "lux-1 lux-2"})
    expect(scotch, goods={0: "lux-1 lux-2"}, asks="0 pause")


def test_soy_sauce_pays_for_each_card_moved_also_those_discarded() -> None:
    """power: soy-sauce"""
    game = fulfil(
        "soy-sauce",
        contracts={0: 3},
        crew={0: "agri-1 agri-2 agri-3"},
        goods={0: "lux-1 lux-2 lux-3 lux-4 lux-5 lux-6"},
    )
    play(game, "0 yes")
    assert offered(game, 0) == {"discard:agri-1", "discard:agri-2", "discard:agri-3"}
    play(game, "0 discard:agri-2")
    expect(
        game, credits={0: 22}, crew={0: ""}, goods={0: "lux-1 lux-2 lux-3 lux-4 lux-5 lux-6 agri-1 agri-3"}
    )


def test_soy_sauce_is_all_or_nothing() -> None:
    """power: soy-sauce"""
    game = fulfil("soy-sauce", crew={0: "agri-1"})
    play(game, "0 pass")
    expect(game, credits={0: 16}, crew={0: "agri-1"}, goods={0: ""})
    expect(fulfil("soy-sauce"), credits={0: 16}, asks="0 pause")


def test_ramen_takes_the_agriculture_cards_of_the_island() -> None:
    """power: ramen"""
    game = fulfil(
        "ramen",
        contracts={0: 2},
        goods={0: "lux-1 lux-2 lux-3 lux-4"},
        island="agri-1 lux-5 agri-2 agri-3 blank-9",
    )
    assert offered(game, 0) == {"discard:agri-1", "discard:agri-2", "discard:agri-3"}
    play(game, "0 discard:agri-2")
    expect(
        game,
        goods={0: "lux-1 lux-2 lux-3 lux-4 agri-1 agri-3"},
        island="lux-5 blank-9 pile-1",
        discard="agri-2",
    )


def test_dino_bones_makes_everybody_give_and_its_owner_take() -> None:
    """power: dino-bones"""
    game = fulfil(
        "dino-bones", goods={0: "lux-1", 1: "agri-1", 2: "cons-1 cons-2"}, island="ill-1 ill-2 ill-3"
    )
    play(game, "2 put:cons-2")
    expect(game, island="ill-1 ill-2 ill-3 lux-1 agri-1 cons-2", goods={0: "", 1: "", 2: "cons-1"})
    play(game, "0 take:lux-1", "0 take:ill-2")
    expect(game, goods={0: "lux-1 ill-2"}, island="ill-1 ill-3 agri-1 cons-2 pile-1")
    assert limits(game) == (2, 4)


@pytest.mark.parametrize(("power", "pays"), [("bubblegum", 4), ("chapstick", 2)])
def test_dino_bones_adds_what_there_is(power: str, pays: int) -> None:
    """power: dino-bones, bubblegum, chapstick"""
    game = fulfil("dino-bones", goods={1: "cons-1"}, fulfilled={2: power})
    expect(game, goods={0: "cons-1", 1: ""}, credits={2: 10 + pays})


def test_dino_bones_discards_beyond_the_limit() -> None:
    """power: dino-bones"""
    full = fulfil(
        "dino-bones",
        contracts={0: 1},
        goods={0: "lux-1 lux-2 lux-3 lux-4"},
        island="ill-1 ill-2",
        unchecked=True,
    )
    play(full, "0 put:lux-4", "0 take:ill-1", "0 take:ill-2", "0 discard:ill-1")
    expect(full, goods={0: "lux-1 lux-2 lux-3 ill-2"})


# Hands


def test_vaccines_take_the_whole_island() -> None:
    """power: vaccines, lumber"""
    game = fulfil(
        "vaccines", hands={0: "lux-1 lux-2"}, island="ill-1 ill-2 agri-1 blank-9", fulfilled={1: "lumber"}
    )
    expect(game, hands={0: "lux-1 lux-2 ill-1 ill-2 agri-1 blank-9"}, island="pile-1", asks="0 pause")
    assert_known(game, 0, "ill-2")

    expect(fulfil("vaccines"), hand_sizes={0: 0}, island="pile-1")


def test_apples_puts_honey_down_as_if_just_fulfilled() -> None:
    """power: apples, honey"""
    game = fulfil("apples", hands={0: "honey pants"}, goods={0: "agri-1", 1: "agri-2", 2: "agri-3"})
    expect(game, credits={0: 22}, fulfilled={0: "apples honey"}, hands={0: "pants"}, island="pile-1")
    assert limits(game) == (3, 6)


def test_apples_shows_nothing_without_an_agriculture_card() -> None:
    """power: apples"""
    game = fulfil("apples", hands={0: "lux-1 ill-1"}, pile="agri-1 agri-2 agri-3")
    expect(game, fulfilled={0: "apples"}, hands={0: "lux-1 ill-1"})
    assert_hidden(game, game.events, "lux-1 ill-1", 0)


def test_apples_keeps_the_cards_not_chosen_secret() -> None:
    """power: apples"""
    game = fulfil("apples", hands={0: "agri-1 agri-2"}, pile="lux-1 lux-2 lux-3")
    assert "decision" not in game.view(1)
    play(game, "0 fulfil:agri-1")
    assert_hidden(game, game.events, "agri-2", 0)


def test_apples_is_no_fulfilment_for_others() -> None:
    """power: apples, pistols, a-small-tank, onions"""
    game = fulfil(
        "apples",
        faces={"apples": {"color": "luxury"}, "onions": {"color": "agriculture"}},
        hands={0: "onions"},
        fulfilled={1: "a-small-tank"},
    )
    expect(game, credits={0: 18}, fulfilled={0: "apples onions"}, asks="0 pause")


@pytest.mark.parametrize(
    ("card", "where"),
    [("avocado", {"crew": {0: "avocado"}}), ("small-poodles", {"goods": {0: "small-poodles"}})],
)
def test_apples_lets_cards_redirect_themselves(card: str, where: dict[str, Any]) -> None:
    """power: apples, avocado, small-poodles"""
    game = fulfil("apples", hands={0: card}, faces={card: {"color": "agriculture"}})
    expect(game, fulfilled={0: "apples"}, **where)


def test_apples_with_beer_bamboo_and_muay_thai_shorts() -> None:
    """power: apples, beer, bamboo, muay-thai-shorts"""
    beer = fulfil("apples", hands={0: "beer"}, faces={"beer": {"color": "agriculture"}})
    play(beer, "0 put:beer@island")
    expect(beer, credits={0: 22}, fulfilled={0: "apples"})

    faces = {"bamboo": {"color": "agriculture", "level": {}}}
    bamboo = fulfil("apples", hands={0: "bamboo"}, faces=faces, ships={1: HOME})
    play(bamboo, "0 contract:bamboo@ship-1")
    expect(bamboo, fulfilled={0: "apples"}, ships={1: {"contracts": "bamboo"}})

    shorts = fulfil(
        "apples", hands={0: "muay-thai-shorts"}, faces={"muay-thai-shorts": {"color": "agriculture"}}
    )
    expect(shorts, credits={0: 18})


# With other powers


def test_diesel_engine_sent_to_sea_empty_is_discarded() -> None:
    """power: diesel-engine, flash-drives, jets, toyota"""
    game = table(
        fulfilled={0: "flash-drives jets toyota"},
        hands={0: "tech-20 lux-3"},
        ships={6: {**SINGLE, "contracts": "lux-1", "containers": "lux-2"}},
    )
    play(game, "0 lead:load:tech-20*1", "0 load:lux-3@ship-6")
    play(game, "0 resolve:flash-drives", "0 take:lux-2", "0 take:lux-3")
    expect(
        game,
        hands={0: "lux-2"},
        goods={0: "lux-3"},
        ships={6: {"place": "gone"}},
        discard="tech-20 diesel-engine",
    )


def test_diesel_engine_is_one_of_the_ships_of_tablets_and_water_notepad() -> None:
    """power: diesel-engine, tablets, water-notepad"""
    game = table(
        fulfilled={0: "tablets"},
        hands={0: "agri-20 lux-1"},
        ships={0: {"place": "sea"}, 6: {**SINGLE, "contracts": "lux-2"}},
        faces={"lux-2": needs(luxury=6), "lux-1": needs(luxury=4)},
    )
    grant(game, 0, CONTRACT)
    play(game, "0 contract:lux-1@ship-6")
    expect(game, ships={6: {"contracts": "lux-2 lux-1"}})

    safe = table(
        fulfilled={0: "water-notepad"},
        hands={0: "lux-1"},
        ships={6: {**SINGLE, "place": "sea", "containers": "ill-1"}},
    )
    grant(safe, 1, PIRACY)
    assert "pirate:ill-1@ship-6" not in offered(safe, 1)


def test_gps_sailing_alone_with_flash_drives() -> None:
    """power: gps, flash-drives"""
    game = table(
        fulfilled={0: "flash-drives"},
        hands={0: "tech-20 tech-19"},
        ships={0: {"contracts": "tech-1", "containers": "gps", "rainbow": "gps"}},
    )
    play(game, "0 lead:load:tech-20*1", "0 load:tech-19@ship-0", "0 take:tech-19")
    expect(game, hands={0: "tech-19"}, ships={0: {"place": "port", "containers": ""}})
    assert "gps" in {game.catalogue.ids[card] for card in game.discard}


def test_flash_drives_may_take_gps() -> None:
    """power: gps, flash-drives"""
    game = table(
        fulfilled={0: "flash-drives"},
        hands={0: "tech-20 tech-19"},
        ships={0: {"contracts": "tech-1", "containers": "gps", "rainbow": "gps"}},
    )
    play(game, "0 lead:load:tech-20*1", "0 load:tech-19@ship-0", "0 take:gps")
    expect(game, hands={0: "gps"}, ships={0: {"place": "sea", "containers": "tech-19", "rainbow": ""}})


def test_small_poodles_are_seen_by_shoes() -> None:
    """power: small-poodles, shoes"""
    game = fulfil("small-poodles", fulfilled={1: "shoes"})
    expect(game, goods={0: "small-poodles"}, asks="1 shoes")


def test_apples_are_seen_by_shoes_but_not_the_card_put_down() -> None:
    """power: apples, shoes"""
    game = fulfil("apples", hands={0: "agri-1"}, fulfilled={1: "shoes"})
    play(game, "1 pass")
    expect(game, asks="0 pause", fulfilled={0: "apples agri-1"})


@pytest.mark.parametrize("card", ["flour", "bok-choy"])
def test_apples_put_down_powers_that_work_elsewhere(card: str) -> None:
    """power: apples, flour, bok-choy"""
    game = fulfil("apples", hands={0: card}, faces={card: {"color": "agriculture"}})
    expect(game, credits={0: 16}, fulfilled={0: f"apples {card}"}, asks="0 pause")
