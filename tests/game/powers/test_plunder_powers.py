"""Powers about what Piracy takes: more of it, other places for it, what it brings, and safety from it."""

from __future__ import annotations

from table import expect, needs, offered, play, table

from powers.scenes import assert_hidden, led

FOUR = {3: {"containers": "tech-1 tech-2 tech-3 tech-4"}}


def test_contraband_takes_one_more_container_once_a_turn() -> None:
    """power: contraband"""
    game = led("piracy", 2, fulfilled={0: "contraband"}, ships=FOUR)
    play(game, "0 pirate:tech-1@ship-3", "0 pirate:contraband:tech-2@ship-3", "0 pirate:tech-3@ship-3")
    expect(game, turn=2, ships={3: {"containers": "tech-4"}})


def test_contraband_comes_from_any_ship_at_sea_but_not_from_the_island() -> None:
    """power: contraband"""
    game = led("piracy", fulfilled={0: "contraband"}, ships=FOUR, island="lux-1")
    play(game, "0 pirate:lux-1")
    options = offered(game, 0)
    assert options >= {"pass", "pirate:contraband:sea-1@ship-1", "pirate:contraband:tech-1@ship-3"}
    assert not any("lux-1" in text or text.endswith("pile-1") for text in options)


def test_contraband_is_pirated_but_no_second_action() -> None:
    """power: contraband, stolen-rice, robo-cats"""
    ships = {0: {"contracts": "lux-1"}, 3: {"containers": "agri-1 agri-2 agri-3"}}
    game = led(
        "piracy",
        fulfilled={0: "contraband stolen-rice robo-cats"},
        ships=ships,
        faces={"lux-1": needs(technology=2, agriculture=1)},
    )
    play(game, "0 pirate:agri-1@ship-3")
    assert not any("+" in text for text in offered(game, 0))
    play(game, "0 pirate:contraband:agri-2@ship-3")
    expect(game, credits={0: 14}, discard="agri-2")


def test_contraband_empties_a_ship_which_returns() -> None:
    """power: contraband, water-notepad"""
    ships = {3: {"containers": "tech-1"}, 5: {"containers": "tech-2"}}
    game = led("piracy", fulfilled={0: "contraband", 2: "water-notepad"}, ships=ships)
    play(game, "0 pirate:sea-1@ship-1")
    assert "pirate:contraband:tech-2@ship-5" not in offered(game, 0)
    play(game, "0 pirate:contraband:tech-1@ship-3")
    expect(game, ships={3: {"place": "port"}})


def test_stem_cells_add_what_is_pirated_to_the_goods() -> None:
    """power: stem-cells"""
    game = led(
        "piracy",
        2,
        credits={0: 6},
        goods={0: "lux-1"},
        fulfilled={0: "stem-cells"},
        contracts={0: 2},
        ships=FOUR,
    )
    play(game, "0 pirate:tech-1@ship-3")
    assert offered(game, 0) == {"discard:tech-1", "put:stem-cells:tech-1@goods"}
    assert game.decision(0).texts(game.catalogue)[0] == "discard:tech-1"  # Q104: decline what is optional
    play(game, "0 put:stem-cells:tech-1@goods", "0 pirate:tech-2@ship-3", "0 put:stem-cells:tech-2@goods")
    expect(game, credits={0: 2}, goods={0: "lux-1 tech-1 tech-2"})


def test_stem_cells_need_credits_and_room() -> None:
    """power: stem-cells"""
    game = led("piracy", credits={0: 1}, fulfilled={0: "stem-cells"}, ships=FOUR)
    play(game, "0 pirate:tech-1@ship-3")
    expect(game, credits={0: 1}, goods={0: ""}, discard="ill-20 tech-1")
    goods = "lux-1 lux-2 lux-3 lux-4"
    game = led("piracy", goods={0: goods}, fulfilled={0: "stem-cells"}, contracts={0: 2}, ships=FOUR)
    play(game, "0 pirate:tech-1@ship-3")
    expect(game, goods={0: goods}, discard="ill-20 tech-1")


def test_stem_cells_may_take_what_could_be_loaded() -> None:
    """power: stem-cells, oat-milk, contraband"""
    game = led(
        "piracy",
        fulfilled={0: "stem-cells oat-milk contraband"},
        ships={0: {"contracts": "agri-9"}, 3: {"containers": "agri-1 agri-2"}},
    )
    play(game, "0 pirate:agri-1@ship-3")
    assert offered(game, 0) == {"load:agri-1@ship-0", "put:stem-cells:agri-1@goods"}
    play(game, "0 put:stem-cells:agri-1@goods", "0 pirate:contraband:agri-2@ship-3")
    play(game, "0 put:stem-cells:agri-2@goods")
    expect(game, credits={0: 6}, goods={0: "agri-1 agri-2"})


def test_yogurt_acts_also_where_stem_cells_make_it_a_good() -> None:
    """power: stem-cells, yogurt"""
    game = led("piracy", fulfilled={0: "stem-cells"}, ships={3: {"containers": "yogurt lux-1"}})
    play(game, "0 pirate:yogurt@ship-3", "0 put:stem-cells:yogurt@goods")
    expect(game, goods={0: "yogurt"}, hand_sizes={0: 4, 1: 7, 2: 7})


def test_stolen_rice_pays_for_what_is_loaded_and_what_is_not() -> None:
    """power: stolen-rice"""
    game = led(
        "piracy",
        2,
        fulfilled={0: "stolen-rice"},
        ships={0: {"contracts": "lux-1"}, 3: {"containers": "agri-1 agri-2 tech-1"}},
        faces={"lux-1": needs(agriculture=1, luxury=1)},
    )
    play(game, "0 pirate:agri-1@ship-3", "0 pirate:agri-2@ship-3")
    expect(game, credits={0: 14}, ships={0: {"containers": "agri-1"}}, discard="agri-2")


def test_stolen_tires_draw_a_card_and_fill_the_island() -> None:
    """power: stolen-tires"""
    game = led(
        "piracy",
        2,
        seat=2,
        hands={2: "lux-1 lux-2 lux-3"},
        fulfilled={2: "stolen-tires"},
        island="lux-4 lux-5",
    )
    play(game, "2 pirate:lux-4")
    size = len(game.pile)
    events = play(game, "2 pirate:sea-1@ship-1")
    assert len(game.pile) == size - 2
    drawn = next(event.for_seat(2)["cards"] for event in events if event.kind == "draw")
    expect(game, hand_sizes={2: 5})
    assert len(game.island) == 3
    assert_hidden(game, events[:5], drawn, 2)


def test_stolen_tires_see_no_other_source() -> None:
    """power: stolen-tires, mini-van"""
    game = led("piracy", fulfilled={0: "stolen-tires mini-van"}, hands={1: "tech-1"})
    play(game, "0 pirate:mini-van@pile")
    expect(game, hand_sizes={0: 0}, island="")


def test_stolen_tires_take_the_last_card_and_leave_the_island() -> None:
    """power: stolen-tires (Q23)"""
    game = led(
        "piracy",
        players=2,
        hands={1: "lux-1 lux-2 lux-3 lux-4 lux-5"},
        fulfilled={0: "stolen-tires"},
        pile="tech-1 tech-2",
        ships={0: {"contracts": "agri-9"}, 3: {"containers": "agri-1 agri-2"}},
    )
    play(game, "1 draw", "0 pirate:agri-1@ship-3")
    expect(game, hands={0: "tech-2"}, island="", ending="cards")


def test_water_notepad_leaves_no_target() -> None:
    """power: water-notepad"""
    port = {"place": "port"}
    game = table(
        lead=1, hands={0: "lux-1 lux-2", 1: "ill-1"}, fulfilled={0: "water-notepad"}, ships={3: port, 5: port}
    )
    events = play(game, "1 lead:piracy:ill-1*1", "0 draw")
    assert [event.public["seat"] for event in events if event.kind == "lost"] == [1]


def test_water_notepad_protects_from_its_owner_and_from_mini_van() -> None:
    """power: water-notepad, mini-van"""
    ships = {0: {"contracts": "lux-1", "containers": "lux-2"}, **FOUR}
    game = led("piracy", seat=1, fulfilled={0: "water-notepad", 1: "mini-van"}, ships=ships)
    assert not any("@ship-0" in text or "@ship-1" in text for text in offered(game, 1))
    game = led("piracy", fulfilled={0: "water-notepad"}, ships=ships)
    options = offered(game, 0)
    assert "pirate:tech-1@ship-3" in options
    assert "pirate:sea-1@ship-1" not in options


def test_stolen_rice_counts_both_containers_of_a_pair() -> None:
    """power: stolen-rice, robo-cats"""
    game = led(
        "piracy",
        2,
        fulfilled={0: "stolen-rice robo-cats"},
        ships={0: {"contracts": "lux-1"}, 3: {"containers": "agri-1 agri-2 lux-2"}},
        faces={"lux-1": needs(technology=2)},
    )
    play(game, "0 pirate:robo-cats:agri-1+agri-2@ship-0*1")
    expect(game, credits={0: 14}, ships={0: {"containers": "agri-1 agri-2"}})
