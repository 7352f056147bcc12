"""Powers about Load actions: more of them, something else in their place, and what loading brings."""

from __future__ import annotations

from table import Game, expect, needs, offered, play, run_defaults, table

from powers.scenes import assert_hidden

ACROSS = " ".join(f"pile-{number}" for number in range(1, 11))
"""What seats 1 and 2 draw when they do not follow."""


def loading(hand: str, load: dict[str, int], **zones: object) -> Game:
    """Seat 0 has led Load with `tech-20` for one action and has a contract with this load on ship-0."""
    hands = {0: "tech-20 " + hand}
    faces = {"lux-20": needs(**load), **zones.pop("faces", {})}  # type: ignore[dict-item]
    ships = {0: {"contracts": "lux-20", "containers": zones.pop("aboard", "")}}
    game = table(hands=hands, faces=faces, ships=ships, **zones)  # type: ignore[arg-type]
    play(game, "0 lead:load:tech-20*1")
    return game


def test_batteries_load_a_second_card_for_two_credits() -> None:
    """power: batteries"""
    game = loading("tech-1 tech-2 tech-3", {"technology": 4}, fulfilled={0: "batteries"})
    play(game, "0 load:tech-1@ship-0", "0 load:batteries:tech-2@ship-0")
    expect(game, asks="0 window", credits={0: 8}, hands={0: "tech-3"})
    expect(game, ships={0: {"containers": "tech-1 tech-2"}})


def test_batteries_work_once_per_turn() -> None:
    """power: batteries (P15)"""
    game = table(
        hands={0: "tech-20 tech-1 tech-2 tech-3"},
        crew={0: "tech-10"},
        fulfilled={0: "batteries"},
        ships={0: {"contracts": "lux-20"}},
        faces={"lux-20": needs(technology=4)},
    )
    play(game, "0 lead:load:tech-20*2", "0 load:tech-1@ship-0", "0 load:batteries:tech-2@ship-0")
    play(game, "0 load:tech-3@ship-0")
    expect(game, asks="0 window", credits={0: 8})


def test_batteries_need_two_credits_and_may_be_left() -> None:
    """power: batteries"""
    game = loading("tech-1 tech-2", {"technology": 3}, fulfilled={0: "batteries"}, credits={0: 1})
    play(game, "0 load:tech-1@ship-0")
    expect(game, asks="0 window", credits={0: 1})
    game = loading("tech-1 tech-2", {"technology": 3}, fulfilled={0: "batteries"})
    play(game, "0 load:tech-1@ship-0", "0 pass")
    expect(game, asks="0 window", credits={0: 10}, hands={0: "tech-2"})


def test_cell_phones_keep_a_card_that_cannot_be_loaded() -> None:
    """power: cell-phones"""
    pile = f"{ACROSS} agri-1 pile-11 pile-12"
    game = loading("", {"luxury": 2}, fulfilled={0: "cell-phones"}, pile=pile)
    assert offered(game, 0) == {"pass", "draw:cell-phones", "scrap@ship-0"}
    events = play(game, "0 draw:cell-phones")
    expect(game, asks="0 window", hands={0: "agri-1"}, ships={0: {"containers": ""}})
    assert_hidden(game, events, "agri-1", 0)


def test_cell_phones_load_a_card_that_can_be_loaded() -> None:
    """power: cell-phones, fixie-bikes"""
    pile = f"{ACROSS} lux-1 pile-11 pile-12"
    game = loading("", {"luxury": 2}, fulfilled={0: "cell-phones fixie-bikes"}, pile=pile)
    play(game, "0 draw:cell-phones")
    expect(game, asks="0 window", hands={0: ""}, ships={0: {"containers": "lux-1"}}, credits={0: 12})


def test_cell_phones_let_the_action_be_lost_if_nothing_can_be_loaded() -> None:
    """power: cell-phones (wins over Q19)"""
    game = loading("agri-1", {"luxury": 2}, fulfilled={0: "cell-phones"})
    play(game, "0 pass")
    expect(game, asks="0 window", hands={0: "agri-1"})
    game = loading("lux-1", {"luxury": 2}, fulfilled={0: "cell-phones"})
    assert offered(game, 0) == {"load:lux-1@ship-0", "draw:cell-phones", "scrap@ship-0"}


def test_cell_phones_ask_for_the_ship() -> None:
    """power: cell-phones"""
    game = table(
        hands={0: "tech-20"},
        fulfilled={0: "cell-phones"},
        ships={0: {"contracts": "lux-1"}, 1: {"place": "port", "contracts": "lux-2"}},
        pile=f"{ACROSS} lux-3 pile-11 pile-12",
    )
    play(game, "0 lead:load:tech-20*1", "0 draw:cell-phones")
    assert offered(game, 0) == {"load:lux-3@ship-0", "load:lux-3@ship-1"}
    for seat in (None, 1, 2):
        assert game.sample(seat, 1).view(seat) == game.view(seat)
    play(game, "0 load:lux-3@ship-1")
    expect(game, ships={1: {"containers": "lux-3"}})


def test_cell_phones_and_nanobots_come_to_an_end() -> None:
    """power: cell-phones, nanobots (P36)"""
    game = table(
        hands={0: "tech-20"},
        fulfilled={0: "cell-phones nanobots"},
        ships={0: {"contracts": "lux-1"}},
        faces={"lux-1": needs(luxury=6)},
        pile=f"{ACROSS} lux-2 lux-3 lux-4 lux-5 pile-11",
    )
    play(game, "0 lead:load:tech-20*1", "0 draw:cell-phones")
    expect(game, asks="0 load", ships={0: {"containers": "lux-2"}})
    play(game, "0 draw:cell-phones")  # a free Load action of Nanobots, whose draw fires no Nanobots
    expect(game, asks="0 window", ships={0: {"containers": "lux-2 lux-3"}})


def test_machine_arms_load_any_number() -> None:
    """power: machine-arms"""
    game = loading("agri-1 agri-2 agri-3", {"agriculture": 4}, aboard="agri-4", fulfilled={0: "machine-arms"})
    play(game, "0 load:agri-1@ship-0", "0 load:agri-2@ship-0", "0 load:agri-3@ship-0")
    expect(game, credits={0: 20}, hand_sizes={0: 0}, ships={0: {"place": "sea"}})


def test_machine_arms_may_stop_below_the_announced_number() -> None:
    """power: machine-arms"""
    game = table(
        hands={0: "tech-20 agri-1 agri-2"},
        crew={0: "tech-10"},
        fulfilled={0: "machine-arms"},
        ships={0: {"contracts": "lux-20"}},
        faces={"lux-20": needs(agriculture=4)},
    )
    play(game, "0 lead:load:tech-20*2")
    assert "pass" not in offered(game, 0)
    play(game, "0 load:agri-1@ship-0", "0 pass")
    assert offered(game, 0) == {"pass", "load:agri-2@ship-0", "scrap@ship-0"}
    play(game, "0 pass")
    expect(game, asks="0 window", hands={0: "agri-2"})


def test_machine_arms_work_only_for_the_leader() -> None:
    """power: machine-arms"""
    game = table(
        lead=2,
        hands={0: "tech-20 agri-1 agri-2", 2: "tech-19"},
        fulfilled={0: "machine-arms"},
        ships={0: {"contracts": "lux-20"}},
        faces={"lux-20": needs(agriculture=4)},
    )
    play(game, "2 lead:load:tech-19*1", "0 follow:load:tech-20*1", "0 load:agri-1@ship-0")
    expect(game, asks="0 lead", hands={0: "agri-2"})


def test_machine_arms_leave_cell_phones_the_announced_number() -> None:
    """power: machine-arms, cell-phones"""
    game = loading(
        "lux-1 lux-2",
        {"luxury": 6},
        fulfilled={0: "machine-arms cell-phones"},
        pile=f"{ACROSS} lux-3 pile-11",
    )
    play(game, "0 draw:cell-phones")
    assert offered(game, 0) == {"pass", "load:lux-1@ship-0", "load:lux-2@ship-0"}


def syrup(credits: int, level: int = 1) -> Game:
    """Maple Syrup and another Agriculture card in hand, a Ship that needs both."""
    return loading(
        "maple-syrup agri-1",
        {"agriculture": 2},
        credits={0: credits},
        goods={0: "lux-1"},
        faces={"maple-syrup": {"color": "agriculture", "level": {"luxury": level}}},
    )


def test_maple_syrup_is_loaded_besides() -> None:
    """power: maple-syrup"""
    game = syrup(30)
    play(game, "0 load:agri-1@ship-0")
    expect(game, asks="0 load-besides")
    play(game, "0 use:maple-syrup@ship-0")
    expect(game, credits={0: 36}, ships={0: {"place": "sea", "containers": "agri-1 maple-syrup"}})


def test_maple_syrup_needs_thirty_credits_and_its_level() -> None:
    """power: maple-syrup"""
    for game in (syrup(28), syrup(30, level=2)):
        assert not any(text.startswith("use") for text in offered(game, 0))
        play(game, "0 load:agri-1@ship-0")
        expect(game, asks="0 window")


def test_maple_syrup_may_come_first_but_not_without_an_action() -> None:
    """power: maple-syrup"""
    game = syrup(30)
    play(game, "0 use:maple-syrup@ship-0", "0 load:agri-1@ship-0")
    expect(game, credits={0: 36})
    game = loading("maple-syrup", {"agriculture": 2}, credits={0: 30}, faces={"maple-syrup": {"level": {}}})
    assert "use:maple-syrup@ship-0" in offered(game, 0)  # it might be loaded by the action too
    game = syrup(30)
    play(game, "0 load:maple-syrup@ship-0")
    expect(game, asks="0 window")


def test_maple_syrup_comes_only_with_a_load_action_that_is_done() -> None:
    """power: maple-syrup, machine-arms, nanobots"""
    face = {"color": "agriculture", "level": {}}
    game = loading(
        "maple-syrup agri-1",
        {"agriculture": 3},
        credits={0: 30},
        fulfilled={0: "machine-arms"},
        faces={"maple-syrup": face},
    )
    play(game, "0 use:maple-syrup@ship-0")
    assert "pass" not in offered(game, 0)  # the first load of Machine Arms is still due
    game = table(
        credits={0: 30},
        fulfilled={0: "nanobots"},
        hands={0: "maple-syrup agri-1"},
        ships={0: {"contracts": "agri-2"}},
        faces={"maple-syrup": face},
        pile=["tech-1", "tech-2", "tech-3", "tech-4"],
    )
    play(game, "0 draw")
    assert offered(game, 0) == {"pass", "load:maple-syrup@ship-0", "load:agri-1@ship-0"}
    play(game, "0 load:agri-1@ship-0", "0 use:maple-syrup@ship-0")
    expect(game, credits={0: 36})


def test_nobody_notices_that_maple_syrup_is_offered() -> None:
    """power: maple-syrup (Q98)"""
    game = syrup(30)
    events = play(game, "0 load:agri-1@ship-0")
    assert game.decision(0).secret
    assert_hidden(game, events, "maple-syrup", 0)


def test_playstations_load_one_more_for_every_two_technology_goods() -> None:
    """power: playstations"""
    game = loading(
        "tech-1 tech-2 tech-3 tech-4",
        {"technology": 6},
        goods={0: "tech-11 tech-12 tech-13 tech-14 tech-15"},
        fulfilled={0: "playstations"},
        contracts={0: 3},
    )
    play(game, "0 load:tech-1@ship-0", "0 load:tech-2@ship-0", "0 load:tech-3@ship-0")
    expect(game, asks="0 window", hands={0: "tech-4"}, ships={0: {"containers": "tech-1 tech-2 tech-3"}})


def test_playstations_read_the_goods_when_the_action_begins() -> None:
    """power: playstations, container-factory"""
    game = table(
        hands={0: "tech-20 tech-1 tech-2"},
        goods={0: "tech-11"},
        fulfilled={0: "playstations"},
        ships={0: {"contracts": "container-factory"}, 1: {"place": "port", "contracts": "lux-1"}},
        faces={
            "container-factory": {"color": "technology", **needs(technology=1)},
            "lux-1": needs(technology=2),
        },
    )
    play(game, "0 lead:load:tech-20*1", "0 load:tech-1@ship-0", "0 put:container-factory@goods")
    expect(game, asks="0 window", goods={0: "tech-11 container-factory"}, hands={0: "tech-2"})


def test_smart_cars_put_a_card_on_the_island() -> None:
    """power: smart-cars"""
    game = table(
        hands={0: "tech-20 lux-1 lux-2", 1: "lux-3"},
        crew={0: "tech-10"},
        credits={0: 6},
        fulfilled={0: "smart-cars"},
    )
    play(game, "0 lead:load:tech-20*2")
    assert offered(game, 0) == {"pass", "put:smart-cars:lux-1@island", "put:smart-cars:lux-2@island"}
    play(game, "0 put:smart-cars:lux-1@island")
    expect(game, asks="1 lead", credits={0: 8}, hands={0: "lux-2"}, island="lux-1")


def test_fixie_bikes_pay_for_every_load_action_of_anybody() -> None:
    """power: fixie-bikes"""
    game = table(
        lead=1,
        hands={1: "tech-20 tech-1 tech-2", 2: "tech-19 tech-3"},
        crew={1: "tech-10"},
        fulfilled={0: "fixie-bikes"},
        ships={2: {"contracts": "lux-1"}, 4: {"contracts": "lux-2"}},
        faces={"lux-1": needs(technology=4), "lux-2": needs(technology=4)},
    )
    play(game, "1 lead:load:tech-20*2", "2 follow:load:tech-19*1")
    play(game, "1 load:tech-1@ship-2", "1 load:tech-2@ship-2")
    run_defaults(game, lambda game: game.turn > 1)
    expect(game, credits={0: 16}, ships={4: {"containers": "tech-3"}})


def test_fixie_bikes_see_no_piracy() -> None:
    """power: fixie-bikes"""
    game = table(
        hands={0: "ill-1"},
        fulfilled={0: "fixie-bikes"},
        ships={0: {"contracts": "lux-1"}, 1: {"containers": "lux-2 lux-3"}},
    )
    play(game, "0 lead:piracy:ill-1*1", "0 pirate:lux-2@ship-1")
    expect(game, credits={0: 10}, ships={0: {"containers": "lux-2"}})


def agriculture_loads() -> Game:
    """Seat 1 does two Load actions with Agriculture cards, seat 0 has Oat Milk."""
    game = table(
        lead=1,
        hands={1: "tech-20 agri-1 agri-2"},
        crew={1: "tech-10"},
        credits={0: 6},
        fulfilled={0: "oat-milk"},
        ships={2: {"contracts": "lux-1"}},
        faces={"lux-1": needs(agriculture=4)},
    )
    play(game, "1 lead:load:tech-20*2")
    return game


def test_oat_milk_pays_for_each_agriculture_container() -> None:
    """power: oat-milk"""
    game = agriculture_loads()
    play(game, "1 load:agri-1@ship-2", "0 take:credits", "1 load:agri-2@ship-2", "0 take:credits")
    expect(game, credits={0: 10}, hand_sizes={0: 5})


def test_oat_milk_draws_for_each_agriculture_container() -> None:
    """power: oat-milk"""
    game = agriculture_loads()
    play(game, "1 load:agri-1@ship-2", "0 take:cards", "1 load:agri-2@ship-2")
    events = play(game, "0 take:cards")
    expect(game, credits={0: 6}, hand_sizes={0: 9})
    drawn = next(event.for_seat(0)["cards"] for event in events if event.kind == "draw")
    assert_hidden(game, events[:2], drawn, 0)


def test_oat_milk_may_be_declined_and_sees_only_agriculture() -> None:
    """power: oat-milk"""
    game = agriculture_loads()
    play(game, "1 load:agri-1@ship-2", "0 pass")
    expect(game, asks="1 load", credits={0: 6})
    game = loading("tech-1", {"technology": 2}, fulfilled={0: "oat-milk"})
    play(game, "0 load:tech-1@ship-0")
    expect(game, asks="0 window")


def test_oat_milk_and_nanobots_come_to_an_end() -> None:
    """power: oat-milk, nanobots (P36)"""
    game = table(
        hands={0: "agri-1 agri-2 agri-3"},
        fulfilled={0: "oat-milk nanobots"},
        ships={0: {"contracts": "lux-1"}},
        faces={"lux-1": needs(agriculture=6)},
        pile="agri-4 agri-5 agri-6 agri-7 pile-1 pile-2",
    )
    play(game, "0 draw", "0 load:agri-1@ship-0", "0 take:cards")  # drawn inside the action of Nanobots
    expect(game, turn=2, hands={0: "agri-2 agri-3 agri-4 agri-5 agri-6 agri-7"})


def test_fixie_bikes_count_both_containers_of_a_pair() -> None:
    """power: fixie-bikes, robo-cats"""
    game = loading("cons-1 cons-2", {"technology": 2}, fulfilled={0: "fixie-bikes robo-cats"})
    play(game, "0 load:robo-cats:cons-1+cons-2@ship-0")
    expect(game, credits={0: 14}, ships={0: {"containers": "cons-1 cons-2"}})


def test_machine_arms_work_through_rice_cookers() -> None:
    """power: machine-arms, rice-cookers"""
    game = table(
        hands={0: "agri-20 agri-1 agri-2"},
        fulfilled={0: "machine-arms rice-cookers"},
        ships={0: {"contracts": "lux-20"}},
        faces={"lux-20": needs(agriculture=3)},
    )
    play(game, "0 lead:load:agri-20*1", "0 load:agri-1@ship-0", "0 load:agri-2@ship-0")
    expect(game, asks="0 window", hand_sizes={0: 0})


def test_smart_cars_serve_a_free_load_action() -> None:
    """power: smart-cars, nanobots"""
    game = table(hands={0: "lux-1 lux-2", 1: "lux-3"}, fulfilled={0: "smart-cars nanobots"})
    play(game, "0 draw", "0 put:smart-cars:lux-1@island")
    expect(game, asks="1 lead", credits={0: 12}, island="lux-1")
