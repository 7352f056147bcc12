"""Lutefisk: a contract that is placed from the hand at any time, in secret until then."""

from __future__ import annotations

from typing import Any

from table import asked, expect, finish_turn, needs, offered, play, run_defaults, table

from powers.scenes import assert_hidden

LUTEFISK = {"lutefisk": {"level": {}, "load": {"any": 2}}}


def test_lutefisk_is_placed_while_asked_to_follow() -> None:
    """power: lutefisk"""
    game = table(
        lead=1, hands={0: "lutefisk lux-1 tech-1", 1: "lux-2 lux-3"}, faces=LUTEFISK, island="tech-3 tech-4"
    )
    play(game, "0 pass", "1 lead:supply:lux-2*1")
    run_defaults(game, "0 follow")
    play(game, "0 use:lutefisk@ship-0")
    expect(game, asks="0 follow", hands={0: "lux-1 tech-1"}, ships={0: {"contracts": "lutefisk"}})


def test_lutefisk_window_is_secret() -> None:  # Q98
    """power: lutefisk"""
    game = table(lead=1, hands={0: "lutefisk lux-1", 1: "lux-2"}, faces=LUTEFISK)
    expect(game, asks="0 window")
    assert game.decision(0).secret
    for seat in (1, 2, None):
        assert "lutefisk" not in str(game.view(seat))
        assert "decision" not in game.view(seat)
        for seed in range(6):
            view = game.sample(seat, seed).view(seat)
            view.pop("decision", None)  # where seat 0 has another hand the turn has gone on
            assert view == game.view(seat)
    events = play(game, "0 pass")
    assert not [event for event in events if event.kind == "pass"]
    assert_hidden(game, events, "lutefisk lux-1", 0)


def test_lutefisk_is_offered_to_its_holder_only() -> None:
    """power: lutefisk"""
    game = table(hands={0: "lux-1", 1: "lutefisk"}, faces=LUTEFISK)
    play(game, "1 pass")
    assert asked(game) == "0 lead"
    assert not [text for text in offered(game, 0) if "lutefisk" in text]


def test_lutefisk_needs_its_full_level_and_a_ship_in_port_with_room() -> None:  # P30
    """power: lutefisk"""
    zones: dict[str, Any] = {"hands": {0: "lutefisk lux-1"}}
    level = {"lutefisk": {"level": {"agriculture": 1}, "load": {"any": 2}}}
    for change in (
        {"faces": level},
        {"faces": LUTEFISK, "ships": {0: {"place": "sea"}}},
        {"faces": LUTEFISK, "ships": {0: {"contracts": "lux-5 lux-6 lux-7"}}},
    ):
        game = table(**zones, **change)
        assert not [text for text in offered(game, 0) if text.startswith("use")]
    game = table(**zones, faces=level, goods={0: "agri-1"})
    play(game, "0 use:lutefisk@ship-0")
    expect(game, ships={0: {"contracts": "lutefisk"}})


def test_lutefisk_is_public_once_placed_and_has_no_power_when_fulfilled() -> None:
    """power: lutefisk"""
    game = table(
        hands={0: "lutefisk lux-1"}, faces=LUTEFISK, ships={0: {"containers": "lux-2 lux-3"}}, lead=1
    )
    events = play(game, "0 use:lutefisk@ship-0")
    assert [event.public["card"] for event in events if event.kind in ("use", "contract")] == ["lutefisk"] * 2
    expect(game, credits={0: 16}, fulfilled={0: "lutefisk"})
    finish_turn(game)
    assert not [text for text in offered(game, 0) if "lutefisk" in text]


def test_lutefisk_offers_nothing_inside_an_action_or_a_bid() -> None:  # Q28
    """power: lutefisk"""
    game = table(
        hands={0: "cons-1 lutefisk", 1: "cons-2"}, faces=LUTEFISK, ships={3: {"containers": "lux-1 lux-2"}}
    )
    play(game, "0 pass", "0 lead:import:cons-1*1", "1 follow:import:cons-2*1", "0 pass", "0 import@ship-3")
    expect(game, asks="0 bid, 1 bid")
    assert not [text for text in offered(game, 0) if "lutefisk" in text]
    play(game, "0 bid*2", "1 bid*0")
    assert not [text for text in offered(game, 0) if "lutefisk" in text]


def test_a_follower_who_is_asked_for_lutefisk_alone_is_asked_in_secret() -> None:  # Q98
    """power: lutefisk"""
    game = table(
        hands={0: "lux-1 lux-2", 1: "lutefisk"}, faces={"lutefisk": needs(agriculture=2)}, island="tech-1"
    )
    play(game, "1 pass", "0 lead:supply:lux-1*1")
    assert asked(game) == "1 follow"
    assert game.decision(1).secret
