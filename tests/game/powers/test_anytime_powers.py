"""Powers that their owner starts: at any time, or at any time of a turn that the owner leads."""

from __future__ import annotations

from table import asked, expect, offered, play, run_defaults, table, totals

from powers.fulfilling import fulfil
from powers.scenes import assert_known
from powers.unseen import assert_unseen


def test_bionic_ears_come_back_into_the_hand() -> None:
    """power: bionic-ears"""
    game = table(
        lead=1,
        hands={0: "lux-1 lux-2 lux-3 lux-4", 1: "cons-1"},
        crew={0: "tech-1 tech-2"},
        goods={0: "agri-1 agri-2 agri-3"},
        fulfilled={0: "bionic-ears"},
        contracts={0: 2},
    )
    expect(game, asks="0 window")
    play(game, "0 use:bionic-ears", "0 discard:tech-1", "0 discard:agri-2")
    expect(game, asks="1 lead", crew={0: "tech-2"}, goods={0: "agri-1 agri-3"}, hand_sizes={0: 5})
    assert_known(game, 0, "bionic-ears")


def test_bionic_ears_wait_for_a_window_after_their_fulfilment() -> None:
    """power: bionic-ears"""
    game = fulfil("bionic-ears")
    assert asked(game) == "0 pause"
    play(game, "0 go-on")
    run_defaults(game, lambda game: "use:bionic-ears" in offered(game, 0))


def test_iceland_water_sells_agriculture_cards() -> None:
    """power: iceland-water"""
    game = table(lead=1, hands={0: "agri-1 agri-2 agri-3 lux-1", 1: "cons-1"}, fulfilled={0: "iceland-water"})
    assert offered(game, 0) == {"pass"} | {f"use:iceland-water+agri-{number}" for number in (1, 2, 3)}
    play(game, "0 use:iceland-water+agri-1", "0 use:iceland-water+agri-3", "0 pass")
    expect(game, asks="1 lead", credits={0: 14}, hands={0: "agri-2 lux-1"}, island="agri-1 agri-3")


def test_iceland_water_leaves_the_sale_of_the_turn() -> None:
    """power: iceland-water"""
    game = table(hands={0: "lux-20 agri-1 agri-2"}, fulfilled={0: "iceland-water"})
    play(game, "0 use:iceland-water+agri-1", "0 pass", "0 lead:supply:lux-20*1", "0 pass", "0 sell:agri-2")
    expect(game, credits={0: 16}, island="agri-1 agri-2")


def test_nobody_notices_that_iceland_water_could_be_used() -> None:
    """power: iceland-water (Q98)"""
    game = table(
        lead=1, hands={0: "agri-1 lux-1 lux-2", 1: "cons-1", 2: "lux-3"}, fulfilled={0: "iceland-water"}
    )
    assert game.decision(0).secret
    assert_unseen(game, [], "agri-1 lux-1", 0)


def test_led_lights_give_two_cards_for_one_that_lay_there() -> None:
    """power: led-lights"""
    game = table(hands={0: "lux-1 lux-2 lux-3 lux-4"}, fulfilled={0: "led-lights"}, island="cons-1 cons-2")
    play(game, "0 use:led-lights+cons-1", "0 give:lux-1", "0 give:lux-2")
    expect(game, hands={0: "lux-3 lux-4 cons-1"}, island="cons-2 lux-1 lux-2")
    assert_known(game, 0, "cons-1")
    play(game, "0 use:led-lights+cons-2", "0 give:lux-3", "0 give:lux-4")
    expect(
        game, hands={0: "cons-1 cons-2"}, island="lux-1 lux-2 lux-3 lux-4", credits={0: 10}, sold={0: False}
    )
    play(game, "0 use:led-lights+lux-1", "0 give:cons-1")
    expect(game, hand_sizes={0: 1}, island="lux-2 lux-3 lux-4 cons-1 cons-2")
    assert not any(text.startswith("use") for text in offered(game, 0))  # the fourth is refused: it ends


def test_led_lights_work_in_the_own_turn_only() -> None:
    """power: led-lights, rope, olive-oil, tsukiji-fish"""
    game = table(
        lead=1,
        hands={0: "lux-1 lux-2", 1: "cons-1"},
        fulfilled={0: "led-lights rope olive-oil tsukiji-fish"},
        island="cons-2",
    )
    expect(game, asks="1 lead")


def test_what_is_given_away_is_seen_only_then() -> None:
    """power: led-lights"""
    game = table(hands={0: "lux-1 lux-2 lux-3"}, fulfilled={0: "led-lights"}, island="cons-1")
    events = play(game, "0 use:led-lights+cons-1")
    assert_unseen(game, events, "lux-1 lux-2 lux-3", 0)
    events = play(game, "0 give:lux-1")
    assert_unseen(game, events, "lux-2 lux-3", 0)


def test_olive_oil_is_discarded_for_credits() -> None:
    """power: olive-oil"""
    game = table(
        hands={0: "lux-1"},
        credits={0: 48},
        crew={0: "tech-1 tech-2"},
        goods={0: "agri-1 agri-2 agri-3"},
        fulfilled={0: "olive-oil"},
        contracts={0: 2},
    )
    play(game, "0 use:olive-oil", "0 discard:tech-2", "0 discard:agri-1")
    expect(game, credits={0: 50}, crew={0: "tech-1"}, goods={0: "agri-2 agri-3"}, ending="credits")
    expect(game, discard="agri-1 tech-2 drones--olive-oil", fulfilled={0: ""})


def test_rope_exchanges_once_per_turn() -> None:
    """power: rope"""
    game = table(hands={0: "lux-1 lux-2"}, fulfilled={0: "rope"}, island="cons-1")
    play(game, "0 use:rope+cons-1", "0 give:lux-1")
    expect(game, hands={0: "lux-2 cons-1"}, island="lux-1")
    assert_known(game, 0, "cons-1")
    assert not any(text.startswith("use") for text in offered(game, 0))
    assert offered(game, 0) == {"draw", "lead:import:cons-1*1", "lead:supply:lux-2*1"}


def test_rope_needs_a_card_on_each_side() -> None:
    """power: rope"""
    game = table(hands={0: "lux-1"}, fulfilled={0: "rope"})
    expect(game, asks="0 lead")


def test_sushi_knives_discard_four_luxury_cards() -> None:
    """power: sushi-knives"""
    game = table(
        lead=1,
        hands={0: "lux-1 lux-2 lux-3 lux-4 lux-5", 1: "cons-1"},
        credits={0: 6},
        fulfilled={0: "sushi-knives bionic-ears"},
    )
    play(game, "0 pass", "1 lead:import:cons-1*1")
    expect(game, asks="0 follow")
    play(game, "0 use:sushi-knives+lux-2", "0 discard:lux-1", "0 discard:lux-3", "0 discard:lux-5")
    expect(game, credits={0: 8}, hands={0: "lux-4"}, discard="lux-5 lux-3 lux-1 lux-2", asks="0 follow")


def test_sushi_knives_need_four_luxury_cards_and_are_offered_in_secret() -> None:
    """power: sushi-knives (Q98)"""
    game = table(lead=1, hands={0: "lux-1 lux-2 lux-3 tech-1", 1: "cons-1"}, fulfilled={0: "sushi-knives"})
    expect(game, asks="1 lead")
    game = table(
        lead=1, hands={0: "lux-1 lux-2 lux-3 lux-4 lux-5", 1: "cons-1"}, fulfilled={0: "sushi-knives"}
    )
    assert game.decision(0).secret
    events = play(game, "0 use:sushi-knives+lux-1")
    assert_unseen(game, events, "lux-2 lux-3 lux-4 lux-5", 0)


def test_telescopes_give_four_credits_for_a_technology_good() -> None:
    """power: telescopes"""
    game = table(
        credits={0: 44}, hands={0: "lux-1"}, goods={0: "tech-1 lux-2 tech-2"}, fulfilled={0: "telescopes"}
    )
    play(game, "0 pass", "0 use:telescopes+tech-1", "0 use:telescopes+tech-2")
    expect(
        game, asks="0 lead", credits={0: 52}, goods={0: "lux-2"}, discard="tech-2 tech-1", ending="credits"
    )


def test_telescopes_read_grey_goods_anew() -> None:
    """power: telescopes, joe-wiggins (R16.7)"""
    game = table(
        hands={0: "lux-1"}, goods={0: "tech-1 blank-40 cons-1"}, fulfilled={0: "telescopes joe-wiggins"}
    )
    assert offered(game, 0) == {"pass", "use:telescopes+tech-1", "use:telescopes+blank-40"}
    play(game, "0 use:telescopes+tech-1")
    assert not any(text.startswith("use") for text in offered(game, 0))  # the grey one is Consumer now


def test_telescopes_work_before_the_end_bonuses() -> None:
    """power: telescopes (P26)"""
    game = table(
        credits={0: 44, 1: 10},
        hands={0: "lux-1"},
        goods={0: "tech-1 tech-2 tech-3"},
        fulfilled={0: "telescopes"},
        ending="credits",
    )
    run_defaults(game, "0 telescopes")
    play(game, "0 discard:tech-1", "0 discard:tech-3", "0 pass")
    assert totals(game)[0] == 44 + 8 + 1 + 6


def test_tsukiji_fish_place_without_an_action() -> None:
    """power: tsukiji-fish"""
    game = table(hands={0: "agri-1 agri-2 tech-1"}, fulfilled={0: "tsukiji-fish"})
    play(game, "0 use:tsukiji-fish+agri-1@ship-0", "0 use:tsukiji-fish+agri-2@ship-0")
    play(game, "0 lead:load:tech-1*1")
    expect(game, ships={0: {"contracts": "agri-1 agri-2"}}, hand_sizes={0: 0}, announced={0: 1})


def test_tsukiji_fish_need_the_full_level_and_the_right_types() -> None:
    """power: tsukiji-fish (P30)"""
    game = table(
        hands={0: "agri-1 lux-1 tech-1 cons-1 ill-1 blank-1"},
        fulfilled={0: "tsukiji-fish"},
        faces={"agri-1": {"level": {"luxury": 1}}},
    )
    assert {text for text in offered(game, 0) if text.startswith("use")} == {"use:tsukiji-fish+lux-1@ship-0"}


def test_tsukiji_fish_place_for_sugar_and_paprika() -> None:
    """power: tsukiji-fish, sugar, paprika"""
    game = table(hands={0: "agri-1 agri-2"}, fulfilled={0: "tsukiji-fish sugar paprika"})
    play(game, "0 use:tsukiji-fish+agri-1@ship-0", "0 resolve:sugar", "0 load:agri-2@ship-0")
    expect(game, credits={0: 12}, ships={0: {"containers": "agri-2"}})


def test_nobody_notices_that_tsukiji_fish_could_be_placed() -> None:
    """power: tsukiji-fish (Q98)"""
    game = table(hands={0: "agri-1 tech-1"}, fulfilled={0: "tsukiji-fish"})
    assert game.decision(0).secret
    assert_unseen(game, [], "agri-1 tech-1", 0)
