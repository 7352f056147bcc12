"""Powers against the other players, together with other powers."""

from __future__ import annotations

from table import expect, needs, offered, play, table

from arena.game.terms import LOAD, PIRACY
from powers.fulfilling import fulfil, grant
from powers.rivalry import SMALL_PILE, piracy


def test_ammunition_counts_joe_wiggins() -> None:
    """power: ammunition, joe-wiggins"""
    expect(fulfil("ammunition", fulfilled={1: "joe-wiggins"}), credits={0: 18, 1: 8, 2: 10})


def test_nanobots_act_on_the_draw_of_sculptures_when_it_is_done() -> None:
    """power: sculptures, nanobots"""
    game = fulfil(
        "sculptures",
        players=2,
        fulfilled={1: "nanobots"},
        ships={2: {"contracts": "agri-1", "containers": "agri-2"}},
        pile=SMALL_PILE,
    )
    play(game, "1 give:agri-11", "1 give:agri-12")
    assert offered(game, 1) == {"pass", "load:agri-13@ship-2"}


def test_fake_dvds_do_not_see_batteries() -> None:
    """power: fake-dvds, batteries"""
    game = table(
        fulfilled={0: "fake-dvds", 1: "batteries"},
        hands={0: "tech-9", 1: "lux-1 lux-2"},
        ships={2: {"contracts": "lux-3"}},
        faces={"lux-3": needs(luxury=3)},
    )
    grant(game, 1, LOAD)
    play(game, "1 load:lux-1@ship-2", "1 load:batteries:lux-2@ship-2")
    expect(game, credits={0: 10, 1: 8})


def test_poison_bottles_and_shotguns_at_one_piracy() -> None:
    """power: poison-bottles, shotguns"""
    game = piracy(1, 2, fulfilled={0: "poison-bottles", 2: "shotguns"})
    play(game, "1 pirate:sea-1@ship-1", "2 pirate:sea-2@ship-1")
    expect(game, credits={0: 14, 1: 6, 2: 10})

    one_owner = piracy(1, 2, fulfilled={2: "poison-bottles shotguns"})
    play(one_owner, "1 pirate:sea-1@ship-1", "2 pirate:sea-2@ship-1")
    expect(one_owner, credits={1: 6, 2: 14})


def test_poison_bottles_and_shotguns_see_piracy_of_ar_glasses() -> None:
    """power: poison-bottles, shotguns, ar-glasses"""
    game = fulfil(
        "ar-glasses",
        seat=1,
        fulfilled={0: "shotguns", 2: "poison-bottles"},
        hands={0: "ill-3", 1: "ill-1"},
    )
    play(game, "1 play:piracy:ill-1*1", "1 pirate:sea-1@ship-1")
    expect(game, credits={0: 10, 1: 14, 2: 12}, asks="0 pause")
    grant(game, 0, PIRACY)
    play(game, "0 pirate:sea-2@ship-1")
    expect(game, credits={0: 10, 1: 12, 2: 14})


def test_big_ammunition_sees_the_extra_container_of_contraband() -> None:
    """power: big-ammunition, contraband"""
    game = table(fulfilled={0: "big-ammunition contraband"}, hands={0: "tech-1", 1: "lux-1 agri-1 cons-1"})
    grant(game, 0, PIRACY)
    play(game, "0 pirate:sea-5@ship-3", "0 pirate:contraband:sea-6@ship-3")
    expect(game, hand_sizes={0: 3, 1: 1})
