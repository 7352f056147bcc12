"""Scenarios in which several powers, or two complete Ships, meet."""

from __future__ import annotations

from table import asked, expect, needs, offered, play, table

from powers.scenes import LAST, brink, led


def test_prefab_home_fulfils_each_of_two_ships_once() -> None:
    """power: prefab-home"""
    game = brink(
        "prefab-home",
        ships={
            1: {"place": "port", "contracts": "lux-1", "containers": "lux-3 lux-4"},
            6: {
                "place": "port",
                "owner": 0,
                "single_use": "diesel-engine",
                "contracts": "lux-2",
                "containers": "lux-5 lux-6",
            },
        },
        faces={"lux-1": needs(luxury=4), "lux-2": needs(luxury=4)},
    )
    play(game, LAST, "0 fulfil@ship-1", "0 fulfil@ship-6")
    expect(game, credits={0: 28}, fulfilled={0: "prefab-home lux-1 lux-2"})
    assert not asked(game).endswith("fulfil-early")


def test_prefab_home_is_not_asked_about_again_without_a_further_container() -> None:
    """power: prefab-home, us-dollars"""
    game = table(
        fulfilled={0: "prefab-home us-dollars"},
        hands={0: "tech-1 tech-2"},
        ships={0: {"contracts": "lux-1", "containers": "lux-3"}},
    )
    play(game, "0 use:load:us-dollars")
    expect(game, asks="0 lead")


def test_prefab_home_is_not_asked_about_again_when_a_container_is_taken() -> None:
    """power: prefab-home, mini-van"""
    game = led(
        "piracy",
        fulfilled={0: "mini-van", 1: "prefab-home"},
        ships={2: {"contracts": "lux-1", "containers": "lux-3 lux-4 lux-5"}},
        faces={"lux-1": needs(luxury=4)},
    )
    events = play(game, "0 pirate:mini-van:lux-3@ship-2")
    expect(game, ships={2: {"containers": "lux-4 lux-5"}}, lead=1)
    assert not [event for event in events if event.kind == "fulfil"]


def test_prefab_home_asks_also_when_another_ship_is_complete_at_the_same_time() -> None:
    """power: prefab-home, impalas"""
    game = brink(
        "prefab-home impalas",
        ships={
            1: {"place": "port", "contracts": "tech-1", "containers": "lux-5 lux-6"},
            6: {
                "place": "port",
                "owner": 0,
                "single_use": "diesel-engine",
                "contracts": "lux-2",
                "containers": "lux-7 lux-8",
            },
        },
        faces={"lux-2": needs(luxury=4)},
    )
    play(game, LAST)
    expect(game, asks="0 fulfil-early", credits={0: 22}, ships={1: {"place": "sea"}})
    play(game, "0 fulfil@ship-6")
    expect(game, credits={0: 28}, fulfilled={0: "prefab-home impalas tech-1 lux-2"})


def test_nobody_wins_by_a_power_once_scoring_has_begun() -> None:  # P25
    """power: graphics-cards, diamonds"""
    game = table(
        ending="turns",
        fulfilled={0: "graphics-cards diamonds lux-1 cons-1"},
        goods={0: "tech-1 agri-1"},
    )
    play(game, "0 move:lux-1", "0 move:cons-1")
    assert game.result is not None
    assert game.result.reason == "turns"
    assert game.result.credits == (10 + 4 + 6 + 6 + 6 + 8, 10, 10)


def test_aeroponics_leave_the_compensation_of_a_super_ship_at_four() -> None:
    """power: aeroponics, partnership"""
    game = led(
        "import",
        seat=1,
        fulfilled={0: "aeroponics"},
        ships={0: {"place": "joined"}, 1: {"place": "sea", "joined": 0, "containers": "lux-1 lux-2"}},
    )
    play(game, "1 import@ship-1", "1 take:lux-1@goods", "0 keep:lux-2@ship-0")
    expect(game, credits={0: 14})


def test_aeroponics_leave_no_choice_to_discard_the_one_card_taken() -> None:  # Q33 with n = 1
    """power: aeroponics"""
    game = led(
        "import",
        seat=1,
        fulfilled={0: "aeroponics"},
        goods={1: "ill-1 ill-2"},
        contracts={1: 1},
        ships={1: {"containers": "lux-1 lux-2"}},
    )
    play(game, "1 import@ship-1")
    assert offered(game, 1) == {"take:lux-1@crew", "take:lux-2@crew"}


def test_shampoo_may_not_stop_at_two_with_more_discards_than_needed() -> None:  # Q33
    """power: shampoo"""
    game = led(
        "import",
        fulfilled={0: "shampoo"},
        goods={0: "ill-1 ill-2 ill-3"},
        crew={0: "tech-8"},
        contracts={0: 2},
        ships={3: {"containers": "lux-1 lux-2 lux-3 lux-4"}},
    )
    play(game, "0 import@ship-3", "0 take:lux-1@discard", "0 take:lux-2@goods")
    assert "pass" not in offered(game, 0)


def test_automation_shared_out_to_the_other_ship_keeps_its_power() -> None:
    """power: automation, partnership"""
    game = table(
        ships={
            0: {
                "contracts": "tech-1 partnership",
                "containers": "automation",
                "rainbow": "automation",
                "riders": "automation",
                "joined": 1,
            },
            1: {"place": "joined"},
        },
        hands={0: "lux-1 tech-2"},
        faces={"tech-1": needs(technology=3)},
    )
    play(game, "0 scrap@ship-0", "0 keep:automation@ship-1")
    assert game.ships[1].riders
