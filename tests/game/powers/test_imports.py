"""Powers about Import."""

from __future__ import annotations

import pytest
from table import asked, expect, finish_turn, kinds, needs, offered, play, run_defaults, table

from powers.scenes import LAST, brink, led

# Pants


def test_pants_take_four_for_each_round_won_by_another_player() -> None:
    """power: pants"""
    game = led("import", 2, seat=1, fulfilled={0: "pants"}, contracts={1: 4})
    play(game, "1 import@ship-1")
    cards = [game.catalogue.ids[card] for card in game.ships[1].containers]
    play(game, f"1 take:{cards[0]}@goods", f"1 take:{cards[1]}@goods")
    play(game, "1 import@ship-1", f"1 take:{cards[2]}@goods", f"1 take:{cards[3]}@goods")
    expect(game, credits={0: 18, 1: 10}, ships={1: {"place": "port", "containers": ""}})


def test_pants_pay_nothing_for_own_imports() -> None:
    """power: pants"""
    game = led("import", fulfilled={0: "pants"})
    play(game, "0 import@ship-1")
    finish_turn(game)
    expect(game, credits={0: 10})


def test_pants_twice_or_with_a_super_ship_stay_at_four() -> None:  # P35
    """power: pants, wind-turbines, partnership"""
    ship = {1: {"containers": "lux-1 lux-2 lux-3"}}
    joined = {0: {"place": "joined"}, 1: {"place": "sea", "joined": 0, "containers": "lux-1 lux-2 lux-3"}}
    for ships, fulfilled in ((ship, "pants wind-turbines"), (joined, "pants"), (joined, "")):
        copies = {"wind-turbines": "pants"} if "wind" in fulfilled else {}
        game = led("import", seat=1, fulfilled={0: fulfilled}, copies=copies, ships=ships)
        play(game, "1 import@ship-1")
        run_defaults(game, lambda game: game.turn > 1)
        expect(game, credits={0: 14})


def test_pants_see_an_import_that_is_done_alone() -> None:
    """power: pants, platinum-rings"""
    game = brink("platinum-rings", fulfilled={1: "pants"}, hands={0: "cons-1"}, contracts={0: 4})
    play(game, LAST, "0 play:import:cons-1", "0 import@ship-3")
    cards = [text for text in offered(game, 0) if text.endswith("@goods")]
    play(game, f"0 {sorted(cards)[0]}")
    play(game, f"0 {sorted(offered(game, 0))[-1]}")
    expect(game, credits={0: 16, 1: 14})


# Shampoo


def test_shampoo_takes_three_containers() -> None:
    """power: shampoo"""
    game = led(
        "import",
        fulfilled={0: "shampoo"},
        hands={1: "cons-1"},
        goods={0: "ill-1 ill-2"},
        crew={0: "tech-8"},
        contracts={0: 2},
        ships={3: {"containers": "lux-1 lux-2 lux-3 lux-4"}},
    )
    play(game, "1 follow:import:cons-1*1", "0 import@ship-3", "0 bid*2", "1 bid*0")
    play(game, "0 take:lux-1@goods", "0 take:lux-2@goods")
    assert offered(game, 0) == {"pass", "take:lux-3@crew", "take:lux-4@crew"}
    play(game, "0 take:lux-3@crew")
    expect(game, credits={0: 8, 1: 12}, ships={3: {"place": "sea", "containers": "lux-4"}})
    expect(game, crew={0: "tech-8 lux-3"}, goods={0: "ill-1 ill-2 lux-1 lux-2"})


def test_shampoo_may_stop_at_two_but_not_before() -> None:
    """power: shampoo"""
    game = led("import", fulfilled={0: "shampoo"}, ships={3: {"containers": "lux-1 lux-2 lux-3 lux-4"}})
    play(game, "0 import@ship-3")
    assert "pass" not in offered(game, 0)
    play(game, "0 take:lux-1@goods")
    assert "pass" not in offered(game, 0)
    play(game, "0 take:lux-2@goods", "0 pass")
    expect(game, ships={3: {"place": "sea", "containers": "lux-3 lux-4"}}, credits={1: 12})


def test_shampoo_empties_a_ship_of_three() -> None:
    """power: shampoo"""
    game = led("import", fulfilled={0: "shampoo"}, ships={3: {"containers": "lux-1 lux-2 lux-3"}})
    play(game, "0 import@ship-3", "0 take:lux-1@goods", "0 take:lux-2@goods", "0 take:lux-3@goods")
    expect(game, ships={3: {"place": "port", "containers": ""}}, credits={1: 12})


def test_shampoo_works_in_each_round_that_is_won() -> None:
    """power: shampoo"""
    game = led("import", 2, fulfilled={0: "shampoo"}, contracts={0: 5})
    for ship in (3, 5):
        play(game, f"0 import@ship-{ship}")
        for _ in range(3):
            goods = sorted(text for text in offered(game, 0) if text.endswith("@goods"))
            play(game, f"0 {goods[0]}")
    assert len(game.players[0].goods) == 6


def test_shampoo_takes_three_cards_and_discards_what_does_not_fit() -> None:  # Q33
    """power: shampoo"""
    game = led(
        "import",
        fulfilled={0: "shampoo"},
        goods={0: "ill-1 ill-2 ill-3"},
        crew={0: "tech-8 tech-9"},
        contracts={0: 2},
        ships={3: {"containers": "lux-1 lux-2 lux-3 lux-4"}},
    )
    play(game, "0 import@ship-3", "0 take:lux-1@goods", "0 take:lux-2@discard")
    assert offered(game, 0) == {"pass", "take:lux-3@discard", "take:lux-4@discard"}


# Aeroponics


def test_aeroponics_leave_the_winner_one_card_of_two() -> None:
    """power: aeroponics"""
    game = led(
        "import",
        seat=1,
        fulfilled={0: "aeroponics"},
        hands={2: "cons-1"},
        ships={1: {"containers": "lux-1 lux-2"}},
    )
    play(game, "2 follow:import:cons-1*1", "1 import@ship-1", "1 bid*4", "2 bid*2", "1 take:lux-1@goods")
    expect(
        game, credits={0: 12, 1: 6}, goods={1: "lux-1"}, ships={1: {"place": "port", "containers": "lux-2"}}
    )
    assert not game.ships[1].contracts


@pytest.mark.parametrize(
    ("aboard", "power", "taken"), [(3, "", 2), (4, "shampoo", 3), (4, "", 2), (3, "shampoo", 2)]
)
def test_aeroponics_end_an_import_as_soon_as_one_card_is_left(aboard: int, power: str, taken: int) -> None:
    """power: aeroponics, shampoo"""
    cards = [f"lux-{number}" for number in range(1, aboard + 1)]
    game = led(
        "import",
        seat=1,
        fulfilled={0: "aeroponics", 1: power},
        contracts={1: 4},
        ships={1: {"containers": cards}},
    )
    play(game, "1 import@ship-1")
    for card in cards[:taken]:
        play(game, f"1 take:{card}@goods")
    assert not asked(game).endswith("import-take")
    home = aboard - taken == 1
    expect(game, goods={1: cards[:taken]}, ships={1: {"place": "port" if home else "sea"}}, credits={0: 12})


def test_aeroponics_bring_a_ship_home_from_piracy_and_after_sailing() -> None:
    """power: aeroponics"""
    game = led("piracy", fulfilled={1: "aeroponics"}, ships={3: {"containers": "lux-1 lux-2"}})
    play(game, "0 pirate:lux-1@ship-3")
    expect(game, ships={3: {"place": "port", "containers": "lux-2"}})

    game = brink("tech-1", 1, fulfilled={0: "aeroponics"})
    events = play(game, LAST)
    order = kinds(events)
    assert order.index("sail") < order.index("ship-returns") < order.index("island")
    expect(game, ships={0: {"place": "port", "containers": "tech-20"}})


def test_aeroponics_bring_ships_home_when_they_are_gained() -> None:
    """power: aeroponics"""
    game = brink("aeroponics", ships={1: {"containers": "lux-1"}})
    play(game, LAST)
    expect(game, ships={1: {"place": "port", "containers": "lux-1"}})


def test_aeroponics_bring_home_a_loose_container_that_serves_a_later_contract() -> None:  # P18
    """power: aeroponics"""
    game = led(
        "contract",
        fulfilled={0: "aeroponics"},
        hands={0: "lux-1"},
        ships={0: {"place": "sea"}, 1: {"place": "port", "containers": "lux-2"}},
        faces={"lux-1": needs(luxury=1)},
    )
    expect(game, credits={0: 10}, fulfilled={0: "aeroponics lux-1"}, ships={1: {"place": "port"}})


def test_aeroponics_split_a_super_ship_and_its_owner_shares_out_the_container() -> None:
    """power: aeroponics, partnership"""
    game = led(
        "import",
        seat=1,
        fulfilled={0: "aeroponics"},
        ships={0: {"place": "joined"}, 1: {"place": "sea", "joined": 0, "containers": "lux-1 lux-2"}},
    )
    play(game, "1 import@ship-1", "1 take:lux-1@goods")
    assert offered(game, 0) == {"keep:lux-2@ship-0", "keep:lux-2@ship-1"}
    play(game, "0 keep:lux-2@ship-0")
    expect(
        game,
        ships={0: {"place": "port", "containers": "lux-2"}, 1: {"place": "port", "containers": ""}},
    )


def test_aeroponics_of_the_importer_do_not_matter() -> None:
    """power: aeroponics"""
    game = led("import", fulfilled={0: "aeroponics"}, ships={3: {"containers": "lux-1 lux-2 lux-3"}})
    play(game, "0 import@ship-3", "0 take:lux-1@goods", "0 take:lux-2@goods")
    expect(game, ships={3: {"place": "sea", "containers": "lux-3"}})


def test_aeroponics_ship_home_is_no_target_any_more() -> None:
    """power: aeroponics"""
    game = table(
        fulfilled={0: "aeroponics"}, hands={0: "cons-1 cons-2"}, ships={1: {"containers": "lux-1 lux-2"}}
    )
    play(game, "0 lead:import:cons-1*1", "0 import@ship-1", "0 take:lux-1@goods")
    expect(game, credits={0: 10}, ships={1: {"place": "port"}})
