"""Capital cards that are discarded from hands (R16.11)."""

from __future__ import annotations

from capital import capital, having
from table import asked, expect, offered, play, table


def test_a_capital_card_may_be_discarded_from_the_hand_in_every_window() -> None:  # R16.11, Q28
    game = capital(hands={0: "tech-1 lux-1", 2: "blank-31 blank-32 lux-2"})
    expect(game, asks="2 window")
    assert offered(game, 2) == {"pass", "drop:blank-31", "drop:blank-32"}
    events = play(game, "2 drop:blank-32")  # and is asked again until passing (Q98)
    assert [(event.kind, event.public) for event in events] == [
        ("drop", {"seat": 2, "card": "blank-32"}),
        ("discard", {"card": "blank-32"}),
    ]
    assert offered(game, 2) == {"pass", "drop:blank-31"}
    expect(game, hands={2: "blank-31 lux-2"}, discard="blank-32", asks="2 window")
    play(game, "2 pass, 0 lead:load:tech-1*1, 2 draw, 2 crew*0")
    expect(game, asks="2 window", announced={2: 0})  # after announcing
    play(game, "2 pass")
    expect(game, asks="2 window", turn=1)  # before step 3
    play(game, "2 drop:blank-31")
    expect(game, turn=2, discard="tech-1 blank-31 blank-32")


def test_a_capital_card_may_be_discarded_at_each_decision_that_starts_something() -> None:  # R16.11, Q28
    game = capital(
        hands={0: "lux-1 tech-1 tech-2 blank-31 blank-32 blank-33", 1: "lux-2 tech-3 blank-34 blank-35"},
        crew={1: "lux-9"},
        island="ill-1",
    )
    play(game, "0 pass, 1 pass")
    assert "drop:blank-31" in offered(game, 0)  # A or B
    play(game, "0 drop:blank-31, 0 lead:supply:lux-1*1")
    assert "drop:blank-34" in offered(game, 1)  # how to follow
    play(game, "1 draw")
    assert "drop:blank-34" in offered(game, 1)  # Crew to announce
    play(game, "1 drop:blank-34, 1 crew*1, 0 pass, 1 pass")
    assert {"drop:blank-32", "drop:blank-33", "sell:tech-1"} <= offered(game, 0)  # an own action
    play(game, "0 drop:blank-32")
    expect(game, asks="0 supply")
    assert "sell:blank-32" not in offered(game, 0)
    play(game, "0 sell:tech-1")
    expect(game, asks="1 supply")
    assert {"drop:blank-35", "take:ill-1"} <= offered(game, 1)


def test_a_capital_card_may_be_discarded_before_the_ship_of_a_round_is_named_but_not_at_a_bid() -> None:
    """R16.11, Q28: nor at a choice inside an action."""
    game = capital(hands={0: "cons-1 blank-31", 1: "cons-2 blank-32"}, contracts={0: 3, 1: 3})
    play(game, "0 pass, 1 pass, 0 lead:import:cons-1*1, 1 follow:import:cons-2*1, 0 pass, 1 pass")
    expect(game, asks="0 import-ship")
    assert "drop:blank-31" in offered(game, 0)
    play(game, "0 import@ship-5")
    expect(game, asks="0 bid, 1 bid")
    assert having(game, 0, "drop") == having(game, 1, "drop") == set()
    play(game, "0 bid*2, 1 bid*0")
    expect(game, asks="0 import-take")
    assert having(game, 0, "drop") == set()


def test_a_discarded_capital_card_is_replaced_only_by_a_later_draw() -> None:  # R16.11, Q79
    game = capital(hands={0: "blank-31 blank-32 tech-1", 1: "lux-1"})
    play(game, "0 drop:blank-31")
    expect(game, hand_sizes={0: 2}, pile_size=60)
    play(game, "0 pass, 0 drop:blank-32")
    expect(game, hand_sizes={0: 1}, pile_size=60, asks="0 lead")
    events = play(game, "0 draw")
    expect(game, hand_sizes={0: 5}, pile_size=56, turn=2)
    assert [event.public["count"] for event in events if event.kind == "draw"] == [4]


def test_with_5_cards_discarding_one_first_still_draws_to_5() -> None:  # Q79
    game = capital(hands={0: "blank-31 tech-1 tech-2 tech-3 tech-4 tech-5 tech-6", 1: "lux-1"})
    play(game, "0 drop:blank-31, 0 draw")
    expect(game, hand_sizes={0: 7})
    game = capital(hands={0: "blank-31 tech-1 tech-2 tech-3 tech-4", 1: "lux-1"})
    play(game, "0 pass, 0 drop:blank-31, 0 draw")
    expect(game, hand_sizes={0: 5}, pile_size=59)


def test_the_crew_announced_after_a_draw_is_asked_again_after_a_discard() -> None:  # R16.11, P17
    game = capital(hands={0: "lux-1 tech-1", 1: "blank-31 blank-32 tech-2 tech-3 tech-4"}, crew={1: "lux-9"})
    play(game, "1 pass, 0 lead:supply:lux-1*1, 1 draw, 1 drop:blank-32")
    expect(game, asks="1 crew", hand_sizes={1: 5})
    assert offered(game, 1) == {"crew*0", "crew*1", "drop:blank-31"}


def test_that_somebody_is_asked_for_a_capital_card_in_hand_is_a_secret() -> None:  # R16.11, Q98
    game = capital(hands={0: "tech-1 lux-1", 2: "blank-31 lux-2"})
    assert game.decision(2).secret
    twin = capital(hands={0: "tech-1 lux-1", 2: "lux-3 lux-2"})
    assert asked(twin) == "0 lead"
    for seat in (0, 1, None):
        seen = game.view(seat)
        seen.pop("decision", None)
        other = twin.view(seat)
        other.pop("decision", None)
        assert seen == other


def test_an_action_with_one_legal_instance_is_asked_in_secret_for_a_capital_card() -> None:  # Q98, R16.11
    game = capital(
        hands={0: "tech-1 lux-1", 1: "tech-2 lux-2 blank-31"},
        ships={2: {"contracts": "lux-9"}},
    )
    play(game, "1 pass, 0 lead:load:tech-1*1, 1 follow:load:tech-2*1, 1 pass")
    assert offered(game, 1) == {"load:lux-2@ship-2", "drop:blank-31"}
    assert game.decision(1).secret


def test_coloured_cards_are_not_discarded_so() -> None:  # R16.11, Q32
    game = capital(hands={0: "tech-1 lux-1 blank-31"})
    assert having(game, 0, "drop") == {"drop:blank-31"}


def test_without_the_expansion_no_card_can_be_discarded_so() -> None:  # R16.11, Q2
    game = table(hands={0: "tech-1 blank-31", 1: "blank-32 lux-1"}, crew={1: "blank-33"})
    expect(game, asks="0 lead")
    assert having(game, 0, "drop") == set()
    play(game, "0 lead:load:tech-1*1")
    assert asked(game) == "1 lead"  # seat 1 could only draw
    assert having(game, 1, "drop") == set()
