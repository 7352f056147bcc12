"""Powers about drawing and about the draw pile."""

from __future__ import annotations

from table import asked, expect, kinds, names, needs, offered, play, run_defaults, table

from powers.scenes import LAST, assert_hidden, assert_known, brink, led

FIVE = "lux-1 lux-2 lux-3 lux-4 lux-5"

# Cups and Mineral Fuels


def test_cups_draw_five_cards() -> None:
    """power: cups"""
    pile = [f"pile-{number}" for number in range(1, 31)]
    game = brink("cups", hands={0: "lux-1 lux-2 lux-3 lux-4"}, pile=pile)
    expect(game, pile_size=20)
    events = play(game, LAST)
    expect(game, hand_sizes={0: 9}, pile_size=14)
    assert_hidden(game, events, "pile-11 pile-12 pile-13 pile-14 pile-15", 0)


def test_cups_draw_what_there_is() -> None:  # P13
    """power: cups"""
    hands = {1: "agri-1 cons-1 lux-1 ill-1 blank-10", 2: "agri-2 cons-2 lux-2 ill-2 blank-11"}
    game = brink("cups", hands=hands, pile="pile-1 pile-2 pile-3 pile-4 pile-5")
    events = play(game, LAST)
    expect(game, hands={0: "pile-3 pile-4 pile-5"}, ending="cards")
    assert "island" not in kinds(events)


def test_mineral_fuels_fill_the_hand_to_six() -> None:
    """power: mineral-fuels"""
    for hand, after in (("lux-1 lux-2", 6), (FIVE, 6), (f"{FIVE} lux-6", 7)):
        game = table(fulfilled={0: "mineral-fuels"}, hands={0: hand})
        play(game, "0 draw")
        expect(game, hand_sizes={0: after})


def test_mineral_fuels_hold_for_a_non_follower_and_not_for_fixed_numbers() -> None:
    """power: mineral-fuels, cups"""
    game = led("supply", fulfilled={1: "mineral-fuels"}, hands={1: "lux-1 lux-2"}, island="tech-1")
    play(game, "1 draw")
    expect(game, hand_sizes={1: 6, 2: 5})

    game = brink("cups", fulfilled={0: "mineral-fuels"})
    play(game, LAST)
    expect(game, hand_sizes={0: 5})


# Yerba Mate


def test_yerba_mate_turns_the_pile_over() -> None:
    """power: yerba-mate"""
    drawn = [f"pile-{number}" for number in range(1, 11)]
    game = brink("yerba-mate", pile=[*drawn, "ivory", "rope", "sugar"])
    events = play(game, LAST)
    told = [(e.kind, e.public["card"]) for e in events if e.kind in ("top", "island")]
    assert told == [("top", "sugar"), ("top", "rope"), ("island", "sugar")]
    expect(game, island="sugar", pile="rope ivory")
    for seat in (None, 0, 1, 2):
        assert game.view(seat)["top"] == "rope"
        for seed in range(8):
            assert game.sample(seat, seed).pile[-1] == game.pile[-1]


def test_yerba_mate_shows_the_top_card_only() -> None:
    """power: yerba-mate"""
    game = brink("yerba-mate")
    events = play(game, LAST)
    under = names(game, game.pile[:-1])
    assert_hidden(game, events, under)


def test_yerba_mate_makes_every_draw_public() -> None:  # P29
    """power: yerba-mate, cups"""
    game = led(
        "load",
        2,
        hands={0: "tech-1 cons-1"},
        ships={
            0: {"contracts": "yerba-mate", "containers": "tech-2"},
            1: {"place": "port", "contracts": "cups", "containers": "cons-2"},
        },
        faces={"yerba-mate": needs(technology=2), "cups": needs(consumer=2)},
    )
    play(game, "0 load:tech-1@ship-0")
    expected = names(game, reversed(game.pile[-5:])).split()
    events = play(game, "0 load:cons-1@ship-1")
    draw = next(event for event in events if event.kind == "draw")
    assert draw.for_seat(None)["cards"] == expected
    tops = [e.public["card"] for e in events if e.kind == "top"]
    assert tops[:4] == expected[1:]  # told between the cards of one draw
    for card in expected:
        assert_known(game, 0, card)


def test_yerba_mate_leaves_hands_closed() -> None:
    """power: yerba-mate"""
    game = brink("yerba-mate")
    held = names(game, game.players[1].hand)
    assert_hidden(game, play(game, LAST), held, 1)


def test_yerba_mate_twice_changes_nothing() -> None:
    """power: yerba-mate, wind-turbines"""
    game = brink(
        "wind-turbines", fulfilled={1: "yerba-mate"}, face_up=True, faces={"yerba-mate": needs(any=2)}
    )
    before = game.pile.copy()
    play(game, LAST)
    assert game.pile == before[:-1]


def test_yerba_mate_shows_the_top_of_a_new_pile_too() -> None:
    """power: yerba-mate"""
    game = table(
        face_up=True,
        pile="pile-1 pile-2",
        discard="lux-1 lux-2 lux-3",
        hands={0: "tech-1 cons-1", 1: "tech-2"},
    )
    events = play(game, "0 draw")
    assert "shuffle" in kinds(events)
    told = [e.public["card"] for e in events if e.kind == "top"]
    assert told[-1] == names(game, game.pile[-1:])
    assert set(told) > {"pile-2"}
    assert game.view(2)["top"] == told[-1]


# Nanobots


def test_nanobots_load_right_after_a_draw() -> None:
    """power: nanobots"""
    game = led(
        "supply",
        fulfilled={1: "nanobots"},
        hands={1: "cons-1 tech-1 agri-1 ill-1 blank-9", 2: "lux-1"},
        ships={2: {"contracts": "cons-2", "containers": "cons-3"}},
        pile=["agri-5", *(f"pile-{number}" for number in range(1, 40))],
        island="tech-9",
    )
    expect(game, hand_sizes={1: 6}, asks="1 load")  # the draw needed no question
    assert offered(game, 1) == {"pass", "load:cons-1@ship-2"}
    play(game, "1 load:cons-1@ship-2")
    expect(game, credits={1: 16}, hand_sizes={1: 5}, asks="2 follow")


def test_nanobots_see_the_draws_of_powers_and_may_be_declined() -> None:
    """power: nanobots, cups"""
    second = {"place": "port", "contracts": "cons-1", "containers": "cons-2"}
    game = brink("cups", fulfilled={0: "nanobots"}, hands={0: "cons-3"}, ships={1: second})
    play(game, LAST)
    expect(game, asks="0 load")
    play(game, "0 pass")
    expect(game, credits={0: 16}, ships={1: {"containers": "cons-2"}})


def test_nanobots_load_one_card_for_a_draw_of_their_owner_alone() -> None:
    """power: nanobots"""
    game = table(
        lead=1,
        fulfilled={0: "nanobots"},
        hands={0: "cons-1 cons-2", 1: "lux-1", 2: "lux-2"},
        ships={0: {"contracts": "cons-3"}},
    )
    play(game, "1 draw", "2 draw")
    expect(game, asks="0 lead", ships={0: {"containers": ""}})
    play(game, "0 draw", "0 load:cons-1@ship-0")
    expect(game, turn=4, ships={0: {"containers": "cons-1"}})


def test_nanobots_do_not_fire_inside_their_own_load() -> None:  # P36
    """power: nanobots, yogurt"""
    game = table(
        fulfilled={0: "nanobots"},
        hands={0: "yogurt agri-1 agri-2"},
        ships={0: {"contracts": "agri-3"}},
        faces={"agri-3": needs(agriculture=6)},
    )
    play(game, "0 draw", "0 load:yogurt@ship-0")
    expect(game, turn=2, hand_sizes={0: 8}, ships={0: {"containers": "yogurt"}})


def test_nanobots_of_another_owner_fire_inside_it() -> None:  # P36
    """power: nanobots, yogurt, wind-turbines"""
    game = table(
        fulfilled={0: "nanobots", 1: "wind-turbines"},
        copies={"wind-turbines": "nanobots"},
        hands={0: "yogurt", 1: "cons-1 cons-2"},
        ships={0: {"contracts": "agri-3"}, 2: {"contracts": "cons-3"}},
        faces={"cons-3": needs(consumer=4)},
    )
    run_defaults(game, "0 load")
    play(game, "0 load:yogurt@ship-0")
    expect(game, asks="1 load")
    play(game, "1 load:cons-1@ship-2")
    assert not asked(game).endswith("load")


def test_nanobots_may_load_a_robo_cats_pair() -> None:
    """power: nanobots, robo-cats"""
    game = table(
        fulfilled={0: "nanobots robo-cats"},
        hands={0: "cons-1 cons-2"},
        ships={0: {"contracts": "tech-1", "containers": "tech-2"}},
    )
    play(game, "0 draw", "0 load:robo-cats:cons-1+cons-2@ship-0")
    expect(game, credits={0: 20})


# Lumber


def test_lumber_draws_when_another_player_draws() -> None:
    """power: lumber"""
    game = led(
        "load",
        seat=1,
        fulfilled={0: "lumber"},
        hands={0: "tech-1 tech-2", 2: "tech-3 lux-1 lux-2"},
        ships={2: {"contracts": "tech-4"}},
    )
    play(game, "2 draw")
    expect(game, hand_sizes={2: 5}, asks="0 lumber")
    play(game, "0 yes")
    expect(game, hand_sizes={0: 5}, asks="0 follow")

    game = table(lead=2, fulfilled={0: "lumber"}, hands={0: FIVE, 2: "tech-1"})
    play(game, "2 draw")
    expect(game, asks="0 lumber")
    play(game, "0 yes")
    expect(game, hand_sizes={0: 6})


def test_lumber_may_be_declined_and_its_cards_are_secret() -> None:
    """power: lumber"""
    game = table(lead=2, fulfilled={0: "lumber"}, hands={0: "tech-1", 2: "tech-2"})
    play(game, "2 draw")
    before = names(game, game.players[0].hand)
    twin = game.clone()
    play(twin, "0 pass")
    assert names(twin, twin.players[0].hand) == before
    events = play(game, "0 yes")
    drawn = next(event for event in events if event.kind == "draw").for_seat(0)["cards"]
    assert len(drawn) == 4
    assert_hidden(game, events, drawn, 0)


def test_lumber_fills_to_six_with_mineral_fuels() -> None:
    """power: lumber, mineral-fuels"""
    game = table(lead=2, fulfilled={0: "lumber mineral-fuels"}, hands={0: "tech-1", 2: "tech-2"})
    play(game, "2 draw", "0 yes")
    expect(game, hand_sizes={0: 6})


def test_lumber_is_asked_once_for_each_draw_event_after_the_whole_power() -> None:  # P7
    """power: lumber, yogurt"""
    game = led(
        "load",
        fulfilled={1: "lumber"},
        hands={0: "yogurt", 1: FIVE},
        ships={0: {"contracts": "agri-1"}},
    )
    run_defaults(game, "0 load")
    events = play(game, "0 load:yogurt@ship-0")
    assert [event.public["seat"] for event in events if event.kind == "draw"] == [0, 1, 2]
    expect(game, asks="1 lumber")  # for the draw of seat 0
    play(game, "1 yes")
    expect(game, asks="1 lumber")  # for the draw of seat 2; the own draw is none
    play(game, "1 yes")
    assert asked(game) != "1 lumber"


def test_a_draw_through_lumber_fires_no_lumber_at_all() -> None:  # P36
    """power: lumber, wind-turbines"""
    game = table(
        lead=2,
        fulfilled={0: "lumber", 1: "wind-turbines"},
        copies={"wind-turbines": "lumber"},
        hands={0: FIVE, 1: "cons-1", 2: "tech-1"},
    )
    play(game, "2 draw", "0 yes", "1 yes")
    expect(game, hand_sizes={0: 6, 1: 5, 2: 5}, turn=2, asks="0 lead")


def test_nothing_inside_a_lumber_draw_fires_lumber_of_the_same_player() -> None:  # P36
    """power: lumber, nanobots, yogurt, wind-turbines"""
    game = table(
        lead=2,
        fulfilled={0: "lumber nanobots", 1: "wind-turbines"},
        copies={"wind-turbines": "lumber"},
        hands={0: "yogurt", 2: "tech-1"},
        ships={0: {"contracts": "agri-1"}},
    )
    play(game, "2 draw", "0 yes", "0 load:yogurt@ship-0")
    expect(game, asks="1 lumber")  # Yogurt drew for seats 0 and 2
    play(game, "1 pass", "1 pass")
    expect(game, asks="1 lumber")  # the first draw, of seat 2
    play(game, "1 pass")
    expect(game, turn=2)
