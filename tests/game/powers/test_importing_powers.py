"""Powers that import by themselves, choose another target, or see what others import."""

from __future__ import annotations

from table import Game, expect, offered, play, table

from powers.fulfilling import fulfil
from powers.scenes import assert_hidden, led

PORT = {"place": "port"}


def cannabis(bid: int) -> Game:
    """Seats 1 and 2 import from the Ship of seat 0, seat 1 wins with this bid and takes both Illegal cards."""
    game = table(
        lead=1,
        hands={1: "cons-1", 2: "cons-2"},
        fulfilled={0: "cannabis"},
        ships={1: {"containers": "ill-1 ill-2 tech-1 tech-2"}, 3: PORT, 5: PORT},
    )
    play(game, "1 lead:import:cons-1*1", "2 follow:import:cons-2*1")
    play(game, f"1 bid*{bid}", "2 bid*2", "1 take:ill-1@goods", "1 take:ill-2@goods")
    return game


def test_cannabis_is_paid_once_for_an_import() -> None:
    """power: cannabis"""
    expect(cannabis(4), credits={0: 14, 1: 4})


def test_cannabis_is_not_paid_by_who_has_nothing_left() -> None:
    """power: cannabis (P2)"""
    expect(cannabis(10), credits={0: 12, 1: 0})


def test_cannabis_sees_glasses_but_no_import_by_a_power() -> None:
    """power: cannabis, glasses, pocky"""
    ships = {1: {"containers": "ill-1 ill-2"}, 3: PORT, 5: PORT}
    game = fulfil("glasses", seat=1, fulfilled={0: "cannabis"}, ships=ships)
    play(game, "1 take:ill-1@goods", "1 take:ill-2@goods")
    expect(game, credits={0: 14, 1: 14})
    game = fulfil("pocky", seat=1, fulfilled={0: "cannabis"}, ships=ships)
    play(game, "1 take:ill-1@goods")
    expect(game, credits={0: 12, 1: 18})


def dark_flight(mine: int, theirs: int) -> Game:
    """Seats 0 and 1 bid for the Island, which seat 0 has named."""
    game = table(hands={0: "cons-1", 1: "cons-2"}, fulfilled={0: "dark-flight"}, island="lux-1 lux-2 lux-3")
    play(game, "0 lead:import:cons-1*1", "1 follow:import:cons-2*1", "0 import:dark-flight@island")
    play(game, f"0 bid*{mine}", f"1 bid*{theirs}")
    return game


def test_dark_flight_is_paid_the_bid_of_another() -> None:
    """power: dark-flight"""
    game = dark_flight(4, 6)
    play(game, "1 take:lux-1@goods", "1 take:lux-3@goods")
    expect(game, credits={0: 16, 1: 4}, goods={1: "lux-1 lux-3"}, island="lux-2")


def test_dark_flight_keeps_the_own_bid() -> None:
    """power: dark-flight, fake-dvds"""
    game = dark_flight(8, 4)
    play(game, "0 take:lux-1@crew", "0 take:lux-2@goods")
    expect(game, credits={0: 10, 1: 10}, crew={0: "lux-1"}, goods={0: "lux-2"}, island="lux-3")


def test_dark_flight_is_never_forced() -> None:
    """power: dark-flight (Q37)"""
    port = {"place": "port"}
    game = led("import", fulfilled={0: "dark-flight"}, island="lux-1", ships={1: port, 3: port, 5: port})
    assert offered(game, 0) == {"pass", "import:dark-flight@island"}
    play(game, "0 import:dark-flight@island", "0 take:lux-1@goods")
    expect(game, goods={0: "lux-1"}, island="")
    game = led("import", fulfilled={0: "dark-flight"})
    assert "import:dark-flight@island" not in offered(game, 0)


def test_dark_flight_lets_a_grey_card_be_taken_and_three_with_shampoo() -> None:
    """power: dark-flight, shampoo, cannabis"""
    game = led(
        "import",
        fulfilled={0: "dark-flight shampoo", 1: "cannabis"},
        island="blank-40 ill-1 lux-1",
        contracts={0: 4},
    )
    play(
        game,
        "0 import:dark-flight@island",
        "0 take:blank-40@goods",
        "0 take:ill-1@goods",
        "0 take:lux-1@goods",
    )
    expect(game, goods={0: "blank-40 ill-1 lux-1"}, credits={0: 8, 1: 12})


def test_glasses_with_dark_flight_import_from_the_island() -> None:
    """power: glasses, dark-flight"""
    game = fulfil("glasses", fulfilled={0: "dark-flight"}, island="lux-1 lux-2", lead=1)
    play(game, "0 import:dark-flight@island", "0 take:lux-1@goods", "0 take:lux-2@goods")
    expect(game, credits={0: 16, 1: 10}, goods={0: "lux-1 lux-2"})


def test_glasses_import_alone() -> None:
    """power: glasses"""
    game = fulfil("glasses", goods={0: "lux-1 lux-2"}, ships={3: {"containers": "cons-1 cons-2"}})
    play(game, "0 import@ship-3", "0 take:cons-1@crew")
    expect(game, credits={0: 16, 1: 12}, crew={0: "cons-1"}, goods={0: "lux-1 lux-2 cons-2"})
    expect(game, ships={3: {"place": "port"}})


def test_glasses_are_an_import_action() -> None:
    """power: glasses, pants, shampoo, protractors, books"""
    game = fulfil(
        "glasses",
        fulfilled={0: "shampoo books", 1: "pants", 2: "protractors"},
        ships={1: PORT, 5: PORT, 3: {"containers": "cons-1 cons-2 cons-3 cons-4"}},
    )
    play(game, "0 take:cons-1@goods", "0 take:cons-2@goods", "0 take:cons-3@goods")
    expect(game, credits={0: 16, 1: 14})
    play(game, "2 take:cons-4@goods")
    expect(game, ships={3: {"place": "port"}}, credits={1: 14})


def test_paper_imports_for_itself() -> None:
    """power: paper"""
    game = fulfil(
        "paper",
        goods={0: "cons-9"},
        ships={3: {"containers": "lux-1"}},
        faces={"paper": {"color": "consumer"}},
    )
    play(game, "0 take:lux-1@goods")
    expect(game, credits={0: 16, 1: 10}, goods={0: "cons-9 lux-1"}, ships={3: {"place": "port"}})


def test_paper_acts_for_each_consumer_contract_and_may_be_declined() -> None:
    """power: paper (P9)"""
    game = fulfil("cons-1 lux-1 cons-2", 3, fulfilled={0: "paper"})
    play(game, "0 pass", "0 take:sea-1@crew")
    expect(game, asks="0 pause", crew={0: "sea-1"})


def test_paper_sees_its_own_ship_but_no_other_type() -> None:
    """power: paper (P8)"""
    game = fulfil("paper cons-1", faces={"paper": {"color": "consumer"}})
    play(game, "0 pass", "0 pass")
    expect(game, asks="0 pause")
    expect(fulfil("lux-1", fulfilled={0: "paper"}), asks="0 pause")


def test_pocky_pays_draws_and_imports() -> None:
    """power: pocky"""
    game = fulfil("pocky", hands={0: "lux-1 lux-2"}, ships={3: {"containers": "cons-1 cons-2 cons-3 cons-4"}})
    assert "pass" not in offered(game, 0)
    assert_hidden(game, game.events, "pile-1 pile-2", 0)
    play(game, "0 take:cons-1@crew")
    expect(game, credits={0: 18, 1: 12}, hand_sizes={0: 4}, crew={0: "cons-1"})
    expect(game, ships={3: {"containers": "cons-2 cons-3 cons-4"}})


def test_pocky_has_raised_the_limits_already() -> None:
    """power: pocky (Q54)"""
    goods = "lux-3 lux-4 lux-5 lux-6"
    game = fulfil(
        "pocky", crew={0: "lux-1 lux-2"}, goods={0: goods}, ships={3: {"containers": "cons-1 cons-2"}}
    )
    assert offered(game, 0) >= {"take:cons-1@crew", "take:cons-1@goods"}
    assert "take:cons-1@discard" not in offered(game, 0)


def test_pocky_without_a_ship_at_sea_brings_credits_and_cards() -> None:
    """power: pocky"""
    game = fulfil("pocky", ships={1: PORT, 3: PORT, 5: PORT})
    expect(game, asks="0 pause", credits={0: 18}, hand_sizes={0: 2})


def test_protractors_take_what_another_has_left() -> None:
    """power: protractors"""
    game = led(
        "import",
        seat=1,
        fulfilled={0: "protractors"},
        ships={5: {"containers": "cons-1 cons-2 cons-3 cons-4"}},
    )
    play(game, "1 import@ship-5", "1 take:cons-1@goods", "1 take:cons-2@goods")
    assert offered(game, 0) == {
        "pass",
        *(f"take:{card}@{place}" for card in ("cons-3", "cons-4") for place in ("crew", "goods")),
    }
    play(game, "0 take:cons-3@goods")
    expect(game, goods={0: "cons-3"}, credits={0: 10, 2: 12}, ships={5: {"containers": "cons-4"}})


def test_protractors_do_not_see_the_own_import_or_an_empty_ship() -> None:
    """power: protractors, aeroponics"""
    game = led("import", fulfilled={0: "protractors"}, ships={3: {"containers": "cons-1 cons-2 cons-3"}})
    play(game, "0 import@ship-3", "0 take:cons-1@goods", "0 take:cons-2@goods")
    expect(game, goods={0: "cons-1 cons-2"}, ships={3: {"place": "sea"}})
    assert not any(text.startswith("take") for text in offered(game, 0))
    game = led(
        "import",
        seat=1,
        hands={0: "lux-1 lux-2"},
        fulfilled={0: "protractors", 2: "aeroponics"},
        ships={5: {"containers": "cons-1 cons-2 cons-3"}},
    )
    play(game, "0 draw", "1 import@ship-5", "1 take:cons-1@goods", "1 take:cons-2@goods")
    expect(game, ships={5: {"place": "port", "containers": "cons-3"}})
    assert not any(text.startswith("take") for text in offered(game, 0))


def test_two_protractors_come_to_an_end() -> None:
    """power: protractors, wind-turbines (P36)"""
    game = led(
        "import",
        seat=2,
        fulfilled={0: "protractors", 1: "wind-turbines"},
        copies={"wind-turbines": "protractors"},
        ships={5: {"containers": "cons-1 cons-2 cons-3 cons-4 cons-5"}},
        contracts={0: 5, 1: 5},
    )
    play(game, "2 import@ship-5", "2 take:cons-1@goods", "2 take:cons-2@goods")
    play(game, "0 take:cons-3@goods", "1 take:cons-4@goods", "0 take:cons-5@goods")
    expect(game, ships={5: {"place": "port"}}, goods={0: "cons-3 cons-5", 1: "cons-4"})


def test_stretch_goal_serves_everybody_in_turn() -> None:
    """power: stretch-goal"""
    game = fulfil("stretch-goal", players=2, ships={1: {"containers": "lux-1"}, 3: PORT})
    expect(game, asks="0 pause", credits={0: 18, 1: 12}, hand_sizes={0: 2, 1: 2})
    expect(game, goods={0: "lux-1", 1: ""}, ships={1: {"place": "port"}, 0: {"place": "sea"}})


def test_stretch_goal_compensates_and_draws_in_secret() -> None:
    """power: stretch-goal (P21)"""
    game = fulfil("stretch-goal", ships={1: PORT, 3: {"containers": "lux-1 lux-2 lux-3 lux-4"}, 5: PORT})
    assert offered(game, 0) == {f"take:lux-{number}@goods" for number in (1, 2, 3, 4)}
    assert_hidden(game, game.events, "pile-1 pile-2", 0)
    play(game, "0 take:lux-1@goods", "1 take:lux-2@goods", "2 take:lux-3@goods")
    expect(game, credits={0: 18, 1: 16, 2: 12}, hand_sizes={0: 2, 1: 2, 2: 2})


def test_stretch_goal_without_room_discards() -> None:
    """power: stretch-goal"""
    game = fulfil(
        "stretch-goal",
        players=2,
        goods={1: "cons-1 cons-2"},
        ships={1: {"containers": "lux-1 lux-2"}, 3: PORT},
    )
    play(game, "0 take:lux-1@goods")
    expect(game, goods={1: "cons-1 cons-2"}, credits={0: 20, 1: 12})
    expect(game, ships={1: {"place": "port"}})
