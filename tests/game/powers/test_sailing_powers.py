"""Powers about Ships that sail and return, and about the Containers aboard."""

from __future__ import annotations

from table import Game, expect, needs, offered, play, table

from powers.fulfilling import fulfil
from powers.scenes import assert_hidden, assert_known, led

PORT = {"place": "port"}


def test_backpacks_draw_when_any_ship_returns() -> None:
    """power: backpacks"""
    game = table(
        lead=1,
        hands={0: "lux-1 lux-2", 1: "ill-1"},
        fulfilled={0: "backpacks"},
        ships={5: {"containers": "tech-1"}},
    )
    play(game, "1 lead:piracy:ill-1*1", "0 draw")
    size = len(game.players[0].hand)
    play(game, "1 pirate:tech-1@ship-5")
    expect(game, asks="0 backpacks", ships={5: {"place": "port"}}, credits={2: 10})
    events = play(game, "0 draw")
    expect(game, hand_sizes={0: size + 1})
    drawn = next(event.for_seat(0)["cards"] for event in events if event.kind == "draw")
    assert_hidden(game, events[:1], drawn, 0)


def test_backpacks_see_both_ships_of_a_super_ship() -> None:
    """power: backpacks, partnership, toyota"""
    game = led(
        "piracy",
        fulfilled={0: "backpacks", 1: "toyota"},
        ships={2: {"place": "sea", "containers": "tech-1", "joined": 3}, 3: {"place": "joined"}},
    )
    play(game, "0 pirate:tech-1@ship-2", "0 draw", "0 draw")
    expect(game, hand_sizes={0: 2, 1: 11})


def test_fake_money_takes_a_container_from_each_ship_of_the_others() -> None:
    """power: fake-money"""
    game = fulfil(
        "fake-money",
        ships={
            1: {"place": "port", "contracts": "cons-1", "containers": "lux-1"},
            2: {"contracts": "cons-2", "containers": "agri-1 agri-2"},
            3: {"containers": "lux-2"},
            5: PORT,
        },
        faces={"cons-1": needs(luxury=2), "cons-2": needs(agriculture=3)},
    )
    play(game, "0 take:lux-2@ship-3")
    expect(game, credits={0: 22}, ships={1: {"place": "sea"}, 3: {"place": "port"}})
    play(game, "0 take:agri-1@ship-2")
    expect(game, asks="0 pause", hands={0: "agri-1"}, ships={2: {"containers": "agri-2"}}, credits={1: 10})
    assert_known(game, 0, "agri-1")


def test_fake_money_ignores_water_notepad_and_departing_ships() -> None:
    """power: fake-money, water-notepad"""
    game = fulfil("fake-money", fulfilled={1: "water-notepad"}, ships={5: PORT})
    assert {text.partition("@")[2] for text in offered(game, 0)} == {"ship-3"}


def test_fake_money_takes_one_container_of_a_super_ship_that_breaks_up() -> None:
    """power: fake-money, partnership, aeroponics"""
    ships = {2: {"place": "sea", "joined": 3, "containers": "lux-1 lux-2"}, 3: {"place": "joined"}, 5: PORT}
    game = fulfil("fake-money", fulfilled={1: "aeroponics"}, ships=ships)
    play(game, "0 take:lux-1@ship-2", "1 keep:lux-2@ship-3")
    expect(game, asks="0 pause", hands={0: "lux-1"}, ships={3: {"place": "port", "containers": "lux-2"}})


def test_fake_money_moves_a_grey_container_to_any_slot() -> None:
    """power: fake-money (P20)"""
    game = fulfil(
        "fake-money",
        ships={1: {"place": "port", "contracts": "cons-1"}, 3: {"containers": "blank-1"}, 5: PORT},
    )
    expect(game, asks="0 pause", ships={1: {"containers": "blank-1"}})


def test_fake_money_keeps_a_rainbow_container_what_it_is() -> None:
    """power: fake-money, container-factory (P20)"""
    game = fulfil(
        "fake-money",
        ships={
            1: {"place": "port", "contracts": "cons-1"},
            3: {"containers": "container-factory", "rainbow": "container-factory"},
            5: PORT,
        },
    )
    expect(
        game, asks="0 pause", ships={1: {"containers": "container-factory", "rainbow": "container-factory"}}
    )


def test_flash_drives_take_one_container_of_each_ship() -> None:
    """power: flash-drives"""
    game = fulfil("lux-1", fulfilled={0: "flash-drives"})
    play(game, "0 take:tech-11")
    expect(game, asks="0 pause", credits={0: 16}, hands={0: "tech-11"})
    expect(game, ships={0: {"place": "sea", "containers": "tech-20"}})
    assert_known(game, 0, "tech-11")


def test_flash_drives_and_jets_may_empty_the_ship() -> None:
    """power: flash-drives, jets, toyota"""
    game = fulfil("lux-1", fulfilled={0: "flash-drives jets toyota"})
    play(game, "0 resolve:jets", "0 take:tech-11", "0 take:tech-20")
    expect(game, asks="0 pause", credits={0: 16}, goods={0: "tech-11"}, ships={0: {"place": "port"}})
    expect(game, hands={0: "tech-20 pile-2 pile-3 pile-4"})


def test_flash_drives_do_not_see_their_own_ship_and_may_be_left() -> None:
    """power: flash-drives, jets (P8)"""
    expect(fulfil("flash-drives jets"), asks="0 pause")
    game = fulfil("lux-1 lux-2", 4, fulfilled={0: "flash-drives"})
    play(game, "0 pass")
    expect(game, asks="0 pause", hands={0: ""})


def test_flash_drives_may_end_automation() -> None:
    """power: flash-drives, automation"""
    game = led(
        "load",
        hands={0: "tech-1"},
        fulfilled={0: "flash-drives"},
        ships={
            0: {
                "contracts": "lux-1",
                "containers": "automation",
                "rainbow": "automation",
                "riders": "automation",
            },
            1: {"place": "port", "contracts": "lux-2"},
        },
        faces={"lux-1": needs(technology=2)},
    )
    play(game, "0 load:tech-1@ship-0", "0 resolve:flash-drives", "0 take:automation")
    expect(game, hands={0: "automation"}, ships={1: {"containers": ""}, 0: {"containers": "tech-1"}})


def test_jets_add_a_container_to_the_goods() -> None:
    """power: jets"""
    game = fulfil(
        "lux-1", 3, goods={0: "cons-1 cons-2 cons-3 cons-4"}, fulfilled={0: "jets"}, contracts={0: 2}
    )
    play(game, "0 take:tech-12")
    expect(game, asks="0 pause", credits={0: 20}, goods={0: "cons-1 cons-2 cons-3 cons-4 tech-12"})
    expect(game, ships={0: {"containers": "tech-11 tech-20"}})


def test_jets_act_for_each_contract_within_the_limit() -> None:
    """power: jets (P9)"""
    game = fulfil("lux-1 lux-2", 4, goods={0: "cons-1"}, fulfilled={0: "jets"})
    play(game, "0 take:tech-11", "0 take:tech-12")
    expect(game, asks="0 pause", goods={0: "cons-1 tech-11 tech-12"})


def test_jets_need_room() -> None:
    """power: jets, hentai-manga"""
    goods = "cons-1 cons-2 cons-3 cons-4 cons-5 cons-6"
    game = fulfil(
        "ill-1",
        goods={0: goods},
        fulfilled={0: "jets hentai-manga"},
        contracts={0: 3},
        faces={"ill-1": {"color": "illegal"}},
    )
    play(game, "0 tuck:ill-1@crew")
    expect(game, asks="0 pause", goods={0: goods}, ships={0: {"containers": "tech-11 tech-20"}})


def test_toyota_draws_three_when_an_own_ship_returns() -> None:
    """power: toyota"""
    game = table(
        lead=1,
        hands={0: "lux-1 lux-2 lux-3", 1: "cons-1", 2: "cons-2"},
        fulfilled={0: "toyota"},
        ships={1: {"containers": "tech-1 tech-2"}, 3: PORT, 5: PORT},
    )
    play(game, "1 lead:import:cons-1*1", "2 follow:import:cons-2*1", "0 draw")
    size = len(game.players[0].hand)
    play(game, "1 bid*4", "2 bid*2", "1 take:tech-1@goods", "1 take:tech-2@goods")
    expect(game, credits={0: 12}, ships={1: {"place": "port"}}, hand_sizes={0: size + 3})


def test_satellite_draws_and_loads_when_any_ship_is_fulfilled() -> None:
    """power: satellite"""
    game = fulfil(
        "cons-1 cons-2",
        seat=1,
        fulfilled={0: "satellite"},
        ships={0: {"contracts": "lux-1", "containers": "lux-2"}},
        pile="pile-1 lux-3 pile-2 pile-3 pile-4 pile-5",
        faces={"cons-1": {"color": "consumer"}},
    )
    play(game, "0 draw")
    expect(game, hands={0: "lux-3"})
    play(game, "0 load:lux-3@ship-0")
    expect(game, credits={0: 16}, ships={0: {"place": "sea"}}, asks="0 satellite")
    play(game, "0 draw")
    expect(game, asks="0 pause", hand_sizes={0: 1})


def test_satellite_is_no_load_action_and_does_not_see_its_own_ship() -> None:
    """power: satellite, fixie-bikes (P8)"""
    expect(fulfil("satellite"), asks="0 pause")
    game = fulfil(
        "lux-1",
        hands={0: "tech-1"},
        fulfilled={0: "satellite fixie-bikes"},
        ships={1: {"place": "port", "contracts": "lux-2"}},
        faces={"lux-2": needs(technology=2)},
    )
    play(game, "0 pass", "0 load:tech-1@ship-1")
    expect(game, credits={0: 18}, ships={1: {"containers": "tech-1"}})  # 2 for the Load action before


def test_satellite_chains_end_with_the_ships() -> None:
    """power: satellite, nanobots"""
    one = needs(technology=1)
    game = fulfil(
        "lux-1",
        hands={0: "tech-1 tech-2 tech-3"},
        fulfilled={0: "satellite nanobots"},
        ships={1: {"place": "port", "contracts": "lux-2"}},
        faces={"lux-2": one},
    )
    seen = 0
    while game.decision(0).kind != "pause":
        options = sorted(offered(game, 0))
        play(game, "0 " + next((t for t in options if t.startswith(("load", "draw", "resolve"))), "pass"))
        seen += 1
    assert seen < 12
    expect(game, ships={1: {"place": "sea"}})


def shod(**zones: object) -> Game:
    return fulfil("shoes lux-1", 4, hands={0: "cons-1 cons-2"}, **zones)  # type: ignore[arg-type]


def test_shoes_draw_for_each_contract_of_anybody() -> None:
    """power: shoes"""
    game = shod()
    play(game, "0 draw")
    events = play(game, "0 draw")
    expect(game, asks="0 pause", hand_sizes={0: 4})
    drawn = next(event.for_seat(0)["cards"] for event in events if event.kind == "draw")
    assert_hidden(game, events, drawn, 0)
    game = fulfil("lux-1", seat=1, fulfilled={0: "shoes"})
    play(game, "0 draw")
    expect(game, asks="0 pause", hand_sizes={0: 1})


def test_shoes_may_be_declined_and_end_with_nanobots() -> None:
    """power: shoes, nanobots (P36)"""
    game = shod(
        fulfilled={0: "nanobots"},
        ships={1: {"place": "port", "contracts": "lux-2"}},
        faces={"lux-2": needs(consumer=1)},
    )
    play(game, "0 draw", "0 pass", "0 load:cons-1@ship-1")
    expect(game, asks="0 shoes", ships={1: {"place": "sea"}})
    play(game, "0 draw")
    expect(game, asks="0 pause")


def test_backpacks_see_a_ship_that_aeroponics_call_home() -> None:
    """power: backpacks, aeroponics"""
    game = led(
        "piracy", fulfilled={0: "backpacks", 1: "aeroponics"}, ships={3: {"containers": "tech-1 tech-2"}}
    )
    play(game, "0 pirate:tech-1@ship-3", "0 draw")
    expect(game, hand_sizes={0: 1}, ships={3: {"place": "port", "containers": "tech-2"}})
