"""Powers about leading and following: what may be played, for how many actions, and what it brings."""

from __future__ import annotations

from table import expect, offered, play, run_defaults, table

from arena.game.terms import PIRACY
from powers.scenes import assert_hidden


def test_3d_printers_let_any_card_follow() -> None:
    """power: 3d-printers"""
    game = table(hands={0: "tech-1", 1: "ill-1", 2: "tech-2"}, fulfilled={1: "3d-printers"})
    play(game, "0 lead:load:tech-1*1")
    assert offered(game, 1) == {"draw", "follow:load:ill-1*1"}
    play(game, "1 follow:load:ill-1*1")
    expect(game, asks="2 follow", announced={1: 1}, played={1: "ill-1"})
    play(game, "2 draw")
    expect(game, discard="ill-1 tech-1")


def test_without_3d_printers_the_other_card_cannot_follow() -> None:
    """power: 3d-printers"""
    game = table(hands={0: "tech-1", 1: "ill-1"})
    play(game, "0 lead:load:tech-1*1")
    expect(game, asks="1 lead", hand_sizes={1: 5})


def test_3d_printers_leave_no_need_for_a_wild() -> None:
    """power: 3d-printers (Q13)"""
    game = table(hands={0: "tech-1", 1: "ill-1 ill-2"}, fulfilled={1: "3d-printers"})
    play(game, "0 lead:load:tech-1*1")
    assert offered(game, 1) == {"draw", "follow:load:ill-1*1", "follow:load:ill-2*1"}


def test_3d_printers_do_not_work_when_leading() -> None:
    """power: 3d-printers"""
    game = table(hands={0: "ill-1"}, fulfilled={0: "3d-printers"})
    assert offered(game, 0) == {"draw", "lead:piracy:ill-1*1"}


def test_3d_printers_do_not_combine_with_chopsticks() -> None:
    """power: 3d-printers, chopsticks"""
    game = table(hands={0: "cons-1", 1: "cons-2 ill-1"}, fulfilled={1: "3d-printers chopsticks"})
    play(game, "0 lead:import:cons-1*1")
    assert offered(game, 1) == {
        "draw",
        "follow:import:cons-2*1",
        "follow:import:ill-1*1",
        "follow:import/load:cons-2*1",
        "follow:import/contract:cons-2*1",
    }


def test_neural_units_follow_any_action_with_load() -> None:
    """power: neural-units"""
    game = table(
        hands={0: "ill-1", 1: "tech-1 tech-2 tech-3", 2: "ill-2"},
        crew={1: "tech-4"},
        fulfilled={1: "neural-units"},
        ships={2: {"contracts": "lux-1"}},
        faces={"lux-1": {"load": {"technology": 4}}},
    )
    play(game, "0 lead:piracy:ill-1*1", "1 follow:piracy/load:tech-1*2", "2 follow:piracy:ill-2*1")
    expect(game, asks="0 piracy")
    play(game, "0 pirate:sea-1@ship-1", "1 load:tech-2@ship-2")
    expect(game, ships={2: {"containers": "tech-2 tech-3"}}, hands={1: ""}, asks="2 piracy")


def test_neural_units_do_their_loads_after_all_bidding_rounds() -> None:
    """power: neural-units (Q100)"""
    game = table(
        hands={0: "cons-1", 1: "tech-1 tech-2"},
        fulfilled={1: "neural-units"},
        ships={2: {"contracts": "lux-1"}},
        faces={"lux-1": {"load": {"technology": 2}}},
    )
    play(game, "0 lead:import:cons-1*1", "1 follow:import/load:tech-1*1", "0 import@ship-3")
    expect(game, asks="0 import-take", ships={2: {"containers": ""}})
    run_defaults(game, "1 lead")
    expect(game, ships={2: {"containers": "tech-2"}})


def test_neural_units_take_a_wild_for_the_load_card() -> None:
    """power: neural-units (R3.5)"""
    game = table(hands={0: "ill-1", 1: "lux-1 lux-2"}, fulfilled={1: "neural-units"})
    play(game, "0 lead:piracy:ill-1*1")
    assert offered(game, 1) == {
        "draw",
        "follow:piracy:lux-1+lux-2*1",
        "follow:piracy/load:lux-1+lux-2*1",
    }


def test_neural_units_count_a_contract_card_with_rice_cookers() -> None:
    """power: neural-units, rice-cookers"""
    game = table(hands={0: "ill-1", 1: "agri-1"}, fulfilled={1: "neural-units rice-cookers"})
    play(game, "0 lead:piracy:ill-1*1")
    assert offered(game, 1) == {"draw", "follow:piracy/load:agri-1*1"}


def test_neural_units_with_crew_alone_do_the_led_action_only() -> None:
    """power: neural-units"""
    game = table(hands={0: "ill-1"}, crew={1: "tech-1"}, fulfilled={1: "neural-units"})
    play(game, "0 lead:piracy:ill-1*1")
    expect(game, asks="0 piracy", announced={1: 0})


def test_rice_cookers_make_load_and_contract_one() -> None:
    """power: rice-cookers"""
    game = table(
        hands={0: "tech-1", 1: "agri-2 tech-3"}, crew={0: "tech-2 agri-1"}, fulfilled={0: "rice-cookers"}
    )
    assert {f"lead:contract:tech-1*{number}" for number in (1, 2, 3)} <= offered(game, 0)
    assert {f"lead:load:tech-1*{number}" for number in (1, 2, 3)} <= offered(game, 0)
    play(game, "0 lead:contract:tech-1*3")
    assert offered(game, 1) == {"draw", "follow:contract:agri-2*1"}


def test_rice_cookers_count_the_crew_of_fridges() -> None:
    """power: rice-cookers, fridges"""
    game = table(
        hands={0: "agri-1"},
        goods={0: "tech-1 tech-2"},
        crew={0: "tech-3"},
        fulfilled={0: "rice-cookers fridges"},
    )
    assert "lead:contract:agri-1*3" in offered(game, 0)
    assert "lead:contract:agri-1*4" not in offered(game, 0)


def test_books_pay_once_if_somebody_takes_part() -> None:
    """power: books"""
    game = table(players=4, hands={0: "cons-1", 3: "cons-2"}, crew={2: "cons-3"}, fulfilled={0: "books"})
    play(game, "0 lead:import:cons-1*1", "2 crew*1", "3 follow:import:cons-2*1")
    expect(game, asks="0 import-ship", credits={0: 12})


def test_books_do_not_count_who_answers_with_another_action() -> None:
    """power: books, chopsticks (Q31)"""
    game = table(hands={0: "cons-1", 1: "cons-2"}, fulfilled={0: "books", 1: "chopsticks"})
    play(game, "0 lead:import:cons-1*1", "1 follow:import/load:cons-2*1")
    expect(game, asks="0 import-ship", credits={0: 10})


def test_dragon_fruit_pays_once_for_a_lead() -> None:
    """power: dragon-fruit"""
    game = table(hands={0: "ill-1", 1: "ill-4"}, crew={0: "ill-2 ill-3"}, fulfilled={0: "dragon-fruit"})
    play(game, "0 lead:piracy:ill-1*3", "0 take:credits")
    expect(game, asks="1 follow", credits={0: 12})


def test_dragon_fruit_draws_two_secret_cards() -> None:
    """power: dragon-fruit"""
    game = table(hands={0: "ill-1"}, fulfilled={0: "dragon-fruit"})
    events = play(game, "0 lead:piracy:ill-1*1", "0 take:cards")
    expect(game, asks="0 piracy", credits={0: 10}, hands={0: "pile-1 pile-2"})
    assert_hidden(game, events, "pile-1 pile-2", 0)


def test_jidohanbaiki_takes_credits_instead_of_cards() -> None:
    """power: jidohanbaiki"""
    hands = {0: "tech-1 tech-2 tech-3", 1: "lux-1"}
    game = table(hands=hands, credits={0: 8}, fulfilled={0: "jidohanbaiki"})
    play(game, "0 earn:jidohanbaiki")
    expect(game, credits={0: 10}, hand_sizes={0: 3}, pile_size=60, asks="1 lead")


def test_jidohanbaiki_is_a_draw_action_without_a_draw() -> None:
    """power: jidohanbaiki, chairs, lumber, nanobots"""
    game = table(
        hands={0: "tech-1 tech-2", 1: "lux-1 lux-2"},
        fulfilled={0: "jidohanbaiki nanobots", 1: "chairs", 2: "lumber"},
        ships={0: {"contracts": "cons-1"}},
        faces={"cons-1": {"load": {"technology": 2}}},
    )
    play(game, "0 earn:jidohanbaiki")
    expect(game, asks="1 chairs")
    play(game, "1 discard:lux-1")
    expect(game, asks="1 lead", credits={0: 12}, hand_sizes={0: 2, 1: 1})


def test_cannons_borrow_the_piracy_crew_of_the_others() -> None:
    """power: cannons"""
    game = table(hands={0: "ill-1"}, crew={1: "ill-2 ill-3", 2: "ill-4"}, fulfilled={0: "cannons"})
    assert offered(game, 0) == {"draw"} | {f"lead:piracy:ill-1*{number}" for number in (1, 2, 3, 4)}
    game = table(lead=1, hands={1: "ill-1"}, crew={1: "ill-2 ill-3", 2: "ill-4"}, fulfilled={0: "cannons"})
    play(game, "1 lead:piracy:ill-1*3")
    assert offered(game, 2) == {"crew*0", "crew*1"}
    play(game, "2 crew*0")
    assert offered(game, 0) == {f"crew*{number}" for number in range(4)}


def test_cannons_do_not_borrow_what_is_borrowed() -> None:
    """power: cannons, wind-turbines (P37)"""
    game = table(
        hands={0: "ill-1"},
        crew={2: "ill-2"},
        fulfilled={0: "cannons", 1: "wind-turbines"},
        copies={"wind-turbines": "cannons"},
    )
    assert offered(game, 0) == {"draw", "lead:piracy:ill-1*1", "lead:piracy:ill-1*2"}


def test_fridges_make_load_crew_of_technology_goods() -> None:
    """power: fridges"""
    goods = "tech-1 tech-2 tech-3 tech-4 tech-5"
    game = table(
        hands={0: "tech-6"}, goods={0: goods}, crew={0: "tech-7"}, fulfilled={0: "fridges"}, contracts={0: 3}
    )
    assert offered(game, 0) == {"draw"} | {f"lead:load:tech-6*{number}" for number in (1, 2, 3, 4)}
    game = table(
        lead=2,
        hands={2: "tech-6"},
        goods={0: goods},
        crew={0: "tech-7"},
        fulfilled={0: "fridges"},
        contracts={0: 3},
    )
    play(game, "2 lead:load:tech-6*1")
    assert offered(game, 0) == {f"crew*{number}" for number in range(4)}


def test_cannons_borrow_crew_that_acts_as_piracy() -> None:
    """power: cannons, unpasteurized-cheese"""
    game = table(
        hands={0: "ill-1"},
        crew={1: "unpasteurized-cheese"},
        fulfilled={0: "cannons"},
        faces={"unpasteurized-cheese": {"color": "luxury"}},
        marks={"unpasteurized-cheese": PIRACY},
    )
    assert "lead:piracy:ill-1*2" in offered(game, 0)
