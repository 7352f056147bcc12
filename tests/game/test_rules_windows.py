"""Windows: when any-time powers may be used, and that being asked can be a secret (Q28, Q98)."""

from __future__ import annotations

from table import asked, expect, offered, play, table, uses


def test_the_windows_at_the_start_of_the_turn_after_announcing_and_before_step_3() -> None:  # Q28, Q98
    game = table(
        hands={0: "tech-1 lux-1", 1: "tech-2 cons-1", 2: "cons-2"},
        fulfilled={1: "segways"},
        ships={0: {"contracts": "lux-9"}},
    )
    seen = []
    while game.turn == 1:
        seen.append(asked(game))
        seat = game.to_act[0]
        texts = offered(game, seat)
        choice = next((text for text in sorted(texts) if text.startswith(("lead:load", "follow:load"))), None)
        play(game, f"{seat} {choice or game.decision(seat).texts(game.catalogue)[0]}")
    announcing = ["0 lead", "1 follow"]
    performing = ["0 load", "1 load"]
    assert seen == ["1 window", *announcing, "1 window", *performing, "0 window", "1 window"]


def test_a_window_is_one_round_clockwise_from_the_lead_player() -> None:  # Q98
    """Nobody is asked twice, and any number of powers may be used before passing."""
    game = table(
        lead=1,
        hands={0: "tech-1", 1: "tech-2", 2: "tech-3"},
        powers=dict.fromkeys(("blank-40", "blank-39", "blank-38", "blank-37"), "segways"),
        fulfilled={0: "blank-40", 1: "blank-39 blank-38", 2: "blank-37"},
    )
    expect(game, asks="1 window")
    play(game, "1 use:blank-39@goods")
    expect(game, asks="1 window")
    play(game, "1 use:blank-38@goods")  # nothing more to use: not asked again
    expect(game, asks="2 window")
    play(game, "2 pass")
    expect(game, asks="0 window")
    play(game, "0 use:blank-40@goods")
    expect(game, asks="1 lead", goods={1: "blank-39 blank-38", 0: "blank-40"})


def test_who_has_nothing_to_use_is_not_asked() -> None:  # Q98
    game = table(hands={0: "tech-1"})
    expect(game, asks="0 lead")


def test_after_option_a_there_is_no_further_window() -> None:  # Q98
    game = table(hands={0: "tech-1", 1: "tech-2"}, fulfilled={0: "segways"})
    expect(game, asks="0 window")
    play(game, "0 pass, 0 draw")
    expect(game, turn=2, asks="0 window")  # the one at the start of the next turn


def test_card_and_number_of_actions_are_one_decision_and_after_a_draw_the_number_is_another() -> None:  # Q98
    game = table(hands={0: "tech-1 tech-2", 1: "tech-3 lux-1"}, crew={0: "tech-9", 1: "tech-8"})
    leads = {text for text in offered(game, 0) if ":load:" in text}
    assert leads == {f"lead:load:tech-{card}*{count}" for card in (1, 2) for count in (1, 2)}
    play(game, "0 lead:load:tech-1*2, 1 draw")
    assert offered(game, 1) == {"crew*0", "crew*1"}


def test_any_time_powers_are_offered_where_something_starts_and_not_inside_it() -> None:  # Q28
    game = table(
        hands={0: "cons-1", 1: "cons-2"}, fulfilled={0: "segways", 1: "us-dollars"}, contracts={0: 3, 1: 3}
    )
    play(game, "0 pass, 1 pass")
    assert uses(game, 0)  # A or B
    play(game, "0 lead:import:cons-1*1")
    assert uses(game, 1)  # how to follow
    play(game, "1 follow:import:cons-2*1, 0 pass")
    expect(game, asks="0 import-ship")
    assert uses(game, 0)  # the Ship of a round
    play(game, "0 import@ship-1")
    assert uses(game, 0) == uses(game, 1) == set()  # a bid
    play(game, "0 bid*0, 1 bid*0")
    expect(game, asks="0 tie")
    assert uses(game, 0) == set()
    play(game, "0 tie@seat-0")
    expect(game, asks="0 import-take")
    assert uses(game, 0) == set()


def test_that_a_seat_is_asked_because_of_its_hand_is_told_to_nobody_else() -> None:  # Q98
    """Seat 1 holds Lutefisk and is asked in the window at the start of the turn."""
    game = table(hands={0: "tech-1", 1: "lutefisk"}, goods={1: "agri-1"})
    expect(game, asks="1 window")
    assert game.decision(1).secret
    assert "decision" in game.view(1)
    for seat in (None, 0, 2):
        assert "decision" not in game.view(seat)
        assert "lutefisk" not in str(game.view(seat))
