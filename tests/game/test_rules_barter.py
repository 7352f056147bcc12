"""Barter, the action of the grey Port (R16)."""

from __future__ import annotations

import pytest
from capital import HOME, capital, go, having, pass_windows
from table import asked, expect, kinds, names, offered, table

from arena.game import Game


def no_drops(game: Game, seat: int) -> set[str]:
    """What a seat is offered but for discarding a Capital card."""
    return offered(game, seat) - having(game, seat, "drop")


def test_each_barter_action_swaps_a_hand_card_with_an_island_card() -> None:  # R16.4
    game = capital(hands={0: "blank-31 tech-1 lux-1"}, island="ill-1 agri-1")
    go(game, "0 lead:barter:blank-31*1")
    assert offered(game, 0) == {"barter:tech-1", "barter:lux-1"}
    go(game, "0 barter:tech-1")
    assert offered(game, 0) == {"take:ill-1", "take:agri-1"}
    events = go(game, "0 take:agri-1")
    expect(game, hands={0: "lux-1 agri-1"}, island="ill-1 tech-1", discard="blank-31", credits={0: 10})
    swap = next(event for event in events if event.kind == "barter")
    assert swap.public == {"seat": 0, "given": "tech-1", "taken": "agri-1"}


def test_a_led_barter_is_performed_by_the_lead_player_alone() -> None:  # R16.4
    """The others neither follow nor draw, and the turn passes."""
    game = capital(
        hands={0: "blank-31 tech-1 lux-1", 1: "cons-1", 2: "blank-32 ill-2"},
        crew={1: "blank-33", 2: "blank-34"},
        island="ill-1",
    )
    go(game, "0 lead:barter:blank-31*1")
    go(game, "0 barter:lux-1")
    expect(game, turn=2, lead=1, hands={0: "tech-1 ill-1", 1: "cons-1", 2: "blank-32 ill-2"})
    expect(game, island="lux-1")


def test_barter_crew_give_the_lead_player_further_barters() -> None:  # Q73, R16.4, R3.4, Q78
    game = capital(
        hands={0: "blank-31 tech-1 lux-1", 1: "cons-1"},
        crew={0: "blank-33 blank-34 tech-9"},
        island="ill-1 agri-1",
    )
    pass_windows(game)
    counts = {f"lead:barter:blank-31*{count}" for count in (1, 2, 3)}
    assert having(game, 0, "lead:barter") == counts
    go(game, "0 lead:barter:blank-31*2, 0 barter:tech-1, 0 take:ill-1")
    expect(game, asks="0 barter")
    go(game, "0 barter:ill-1, 0 take:tech-1")  # what has been swapped can be swapped again
    expect(
        game, turn=2, hands={0: "lux-1 tech-1"}, island="agri-1 ill-1", crew={0: "blank-33 blank-34 tech-9"}
    )


@pytest.mark.parametrize("action", ["load", "contract", "import", "supply", "piracy"])
def test_with_barter_crew_any_led_action_can_be_followed_with_barter(action: str) -> None:  # R16.5, Q73
    led = {"load": "tech-1", "contract": "agri-1", "import": "cons-1", "supply": "lux-1", "piracy": "ill-1"}
    game = capital(
        hands={0: led[action], 1: "blank-31 blank-32"}, crew={1: "blank-33 blank-34"}, island="tech-5 lux-5"
    )
    go(game, f"0 lead:{action}:{led[action]}*1")
    wild = {f"follow:{action}:blank-31+blank-32*1"}  # R16.6
    barters = {
        f"follow:{action}/barter:{card}*{count}" for card in ("blank-31", "blank-32") for count in (1, 2, 3)
    }
    assert no_drops(game, 1) == {"draw"} | wild | barters


def test_who_follows_with_barter_does_so_in_the_usual_order() -> None:  # R16.5, R5.1, Q18
    game = capital(
        hands={0: "lux-1 tech-1", 1: "blank-31 tech-2", 2: "lux-2 tech-3"},
        crew={1: "blank-33"},
        island="ill-1 ill-2",
    )
    go(game, "0 lead:supply:lux-1*1, 1 follow:supply/barter:blank-31*1, 2 follow:supply:lux-2*1")
    go(game, "0 sell:tech-1, 1 take:ill-1, 2 sell:tech-3")
    expect(game, hands={1: "ill-1"}, island="ill-2 tech-1 tech-2 tech-3", discard="lux-2 blank-31 lux-1")
    expect(game, credits={0: 14, 1: 10, 2: 14})


def test_without_barter_crew_nobody_follows_with_barter() -> None:  # Q73, R16.5
    game = capital(hands={0: "lux-1 tech-1", 1: "blank-31 tech-2"}, island="ill-1")
    go(game, "0 lead:supply:lux-1*1")
    assert offered(game, 1) == {"draw", "drop:blank-31"}
    game = capital(hands={0: "lux-1 tech-1", 1: "blank-31 tech-2"}, crew={1: "lux-9"}, island="ill-1")
    go(game, "0 lead:supply:lux-1*1, 1 draw")
    assert no_drops(game, 1) == {"crew*0", "crew*1"}


def test_who_draws_may_take_led_crew_or_barter_crew_but_not_both() -> None:  # Q73, R16.5, Q18
    game = capital(
        hands={0: "lux-1 tech-1", 1: "tech-2 cons-2"},
        crew={1: "lux-9 blank-33 blank-34"},
        island="ill-1 ill-2",
    )
    go(game, "0 lead:supply:lux-1*1")  # tech-2 and cons-2 are no wild, so seat 1 can only draw
    assert offered(game, 1) == {
        "crew*0",
        "crew*1",
        "crew:supply/barter*1",
        "crew:supply/barter*2",
    }
    go(game, "1 crew:supply/barter*2, 0 sell:tech-1")
    assert asked(game) == "1 barter"
    go(game, "1 barter:tech-2, 1 take:ill-1, 1 barter:cons-2, 1 take:tech-1")
    expect(game, turn=2, island="ill-2 tech-2 cons-2", crew={1: "lux-9 blank-33 blank-34"})


def test_who_performs_barter_does_no_other_action_in_that_turn() -> None:  # R16.5
    """Announced is one type; the Supply Crew of the same player add nothing to it."""
    game = capital(
        hands={0: "lux-1 tech-1", 1: "blank-31 lux-2 tech-2"},
        crew={1: "lux-9 blank-33"},
        island="ill-1 ill-2",
    )
    go(game, "0 lead:supply:lux-1*1, 1 follow:supply/barter:blank-31*2, 0 sell:tech-1")
    go(game, "1 barter:tech-2, 1 take:ill-1, 1 barter:ill-1, 1 take:tech-1")
    expect(game, turn=2, credits={1: 10}, crew={1: "lux-9 blank-33"}, hands={1: "lux-2 tech-1"})


def test_barter_in_answer_to_an_import_comes_after_the_last_bidding_round() -> None:  # Q100, R16.5
    """It is no bid and adds no round (R8.1)."""
    game = capital(
        hands={0: "cons-1", 1: "blank-31 tech-2 tech-3", 2: "cons-2"},
        crew={1: "blank-33 blank-34 blank-35"},
        island="ill-1 ill-2",
        ships={1: {"containers": "lux-1 lux-2 lux-3"}},
    )
    go(game, "0 lead:import:cons-1*1, 1 follow:import/barter:blank-31*3, 2 follow:import:cons-2*1")
    go(game, "0 import@ship-1")
    expect(game, asks="0 bid, 2 bid")
    go(game, "0 bid*0, 2 bid*2, 2 take:lux-1@crew, 2 take:lux-2@goods")
    expect(game, asks="1 barter", crew={2: "lux-1"}, goods={2: "lux-2"})


def test_barter_in_answer_to_an_import_comes_also_if_all_rounds_are_void() -> None:  # Q100, Q37
    game = capital(
        hands={0: "cons-1", 1: "blank-31 tech-2 tech-3"},
        crew={1: "blank-33"},
        island="ill-1",
        ships={1: HOME, 3: HOME, 5: HOME},
    )
    go(game, "0 lead:import:cons-1*1")
    events = go(game, "1 follow:import/barter:blank-31*1")
    assert "round-void" in kinds(events)
    expect(game, asks="1 barter")


def test_who_answers_with_barter_has_not_followed() -> None:  # Q31, R16.5
    """Books pays its owner for each player who followed the owner's Import."""
    for answer, credits in (("follow:import/barter:blank-31*1", 10), ("follow:import:cons-2*1", 12)):
        game = capital(
            hands={0: "cons-1 tech-1", 1: "blank-31 cons-2"},
            crew={1: "blank-33"},
            fulfilled={0: "books"},
            island="ill-1",
        )
        go(game, f"0 lead:import:cons-1*1, 1 {answer}")
        expect(game, credits={0: credits})


def test_two_cards_of_one_colour_are_no_wild_for_barter() -> None:  # R16.6, Q14
    game = capital(hands={0: "tech-1 tech-2", 1: "lux-1 lux-2"}, crew={0: "blank-33", 1: "blank-34"})
    assert having(game, 0, "lead:barter") == set()
    go(game, "0 lead:load:tech-1*1")
    assert offered(game, 1) == {"draw", "follow:load:lux-1+lux-2*1"}


def test_two_barter_cards_are_a_wild_for_any_other_action() -> None:  # R16.6
    game = capital(hands={0: "blank-31 blank-32"}, crew={0: "tech-9"})
    pass_windows(game)
    pair = "blank-31+blank-32"
    assert no_drops(game, 0) == {
        "draw",
        *(f"lead:barter:{card}*1" for card in ("blank-31", "blank-32")),
        *(f"lead:{action}:{pair}*1" for action in ("load", "contract", "import", "supply", "piracy")),
        f"lead:load:{pair}*2",
    }


def test_three_barter_cards_are_barter_cards_and_wilds() -> None:  # R16.6, Q13
    game = capital(hands={0: "blank-31 blank-32 tech-1"})
    pass_windows(game)
    assert "lead:load:blank-31+blank-32*1" not in offered(game, 0)  # a Load card is in the hand
    assert "lead:supply:blank-31+blank-32*1" in offered(game, 0)


@pytest.mark.parametrize(("hand", "island"), [("blank-31", "ill-1"), ("blank-31 tech-1", "")])
def test_without_a_card_on_either_side_a_barter_is_lost(hand: str, island: str) -> None:  # Q74, Q11
    game = capital(hands={0: hand, 1: "cons-1"}, island=island)
    pass_windows(game)
    events = go(game, "0 lead:barter:blank-31*1")
    lost = [event.public for event in events if event.kind == "lost"]
    assert lost == [{"seat": 0, "action": "barter"}]
    expect(game, turn=2, island=island)


def test_the_card_given_is_not_the_one_taken() -> None:  # Q74
    game = capital(hands={0: "blank-31 tech-1 lux-1", 1: "cons-1"}, island="ill-1")
    go(game, "0 lead:barter:blank-31*1, 0 barter:tech-1")
    expect(game, turn=2, hands={0: "lux-1 ill-1"}, island="tech-1")


def test_a_barter_is_compulsory_while_there_is_a_swap() -> None:  # Q19, R5.1
    game = capital(hands={0: "blank-31 tech-1 lux-1"}, island="ill-1")
    go(game, "0 lead:barter:blank-31*1")
    assert "pass" not in offered(game, 0)


def test_what_is_given_is_public_before_a_card_is_taken() -> None:  # R16.4, Q9
    game = capital(hands={0: "blank-31 tech-1 lux-1"}, island="ill-1 ill-2")
    go(game, "0 lead:barter:blank-31*1")
    events = go(game, "0 barter:tech-1")
    assert [event.public for event in events] == [{"seat": 0, "card": "tech-1"}]
    assert names(game.sample(1, 5), game.sample(1, 5).island) == "ill-1 ill-2"


def test_a_card_of_the_island_may_be_a_capital_card() -> None:  # Q78, R16.4
    game = capital(hands={0: "blank-31 tech-1 lux-1", 1: "cons-1"}, island="blank-35")
    go(game, "0 lead:barter:blank-31*1, 0 barter:tech-1")
    expect(game, turn=2, hands={0: "blank-35 lux-1"}, island="tech-1")


def test_us_dollars_let_one_follow_with_barter() -> None:  # R16.5, Q73, Q17
    """Its virtual Crew may be Barter, used no later than the own announcement."""
    game = capital(
        hands={0: "lux-1 tech-1", 1: "blank-31 tech-2"}, fulfilled={1: "us-dollars"}, island="ill-1 ill-2"
    )
    go(game, "0 lead:supply:lux-1*1")
    assert having(game, 1, "follow") == set()
    go(game, "1 use:barter:us-dollars")
    assert having(game, 1, "follow") == {f"follow:supply/barter:blank-31*{count}" for count in (1, 2)}
    go(game, "1 follow:supply/barter:blank-31*1, 0 sell:tech-1, 1 take:ill-1")
    expect(game, hands={1: "ill-1"}, island="ill-2 tech-1 tech-2")


def test_us_dollars_give_a_barter_after_a_draw() -> None:  # R16.5, Q73
    game = capital(hands={0: "lux-1 tech-1", 1: "tech-2"}, fulfilled={1: "us-dollars"}, island="ill-1 ill-2")
    go(game, "0 lead:supply:lux-1*1, 1 draw, 1 use:barter:us-dollars")
    assert offered(game, 1) == {"crew*0", "crew:supply/barter*1"}


def test_without_capital_us_dollars_know_no_barter() -> None:  # Q2
    game = table(hands={0: "lux-1 tech-1"}, fulfilled={0: "us-dollars"})
    assert not any("barter" in text for text in offered(game, 0))
