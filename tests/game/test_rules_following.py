"""Following in a turn (R4)."""

from __future__ import annotations

from table import asked, expect, offered, play, table


def test_a_follower_either_plays_a_card_of_the_led_action_or_draws() -> None:  # R4.1, R4.2, R4.3, S015
    game = table(hands={0: "tech-1", 1: "tech-2 lux-1", 2: "cons-1"})
    play(game, "0 lead:load:tech-1*1")
    assert offered(game, 1) == {"draw", "follow:load:tech-2*1"}


def test_who_has_followed_does_not_draw_as_well() -> None:  # Q15
    game = table(hands={0: "tech-1", 1: "tech-2 lux-1", 2: "tech-3"}, crew={1: "tech-9"})
    play(game, "0 lead:load:tech-1*1, 1 follow:load:tech-2*1")
    expect(game, hands={1: "lux-1"}, announced={1: 1}, asks="2 follow", pile_size=60)


def test_followers_are_asked_clockwise_from_the_lead_player() -> None:  # R4.1, Q4
    game = table(players=4, lead=2, hands={seat: f"tech-{seat + 1} lux-{seat + 1}" for seat in range(4)})
    play(game, "2 lead:load:tech-3*1")
    order = []
    while asked(game).endswith("follow"):
        order.append(game.to_act[0])
        play(game, f"{game.to_act[0]} follow:load:tech-{game.to_act[0] + 1}*1")
    assert order == [3, 0, 1]


def test_a_follower_announces_one_action_and_one_for_each_crew_used() -> None:  # R4.2, T2c
    game = table(hands={0: "tech-1", 1: "tech-2"}, crew={1: "tech-9 lux-9"})
    play(game, "0 lead:load:tech-1*1")
    assert offered(game, 1) == {"draw", "follow:load:tech-2*1", "follow:load:tech-2*2"}


def test_a_follower_may_play_a_wild() -> None:  # R4.2, R3.5
    game = table(hands={0: "tech-1", 1: "ill-1 ill-2 cons-1"}, crew={1: "tech-9"})
    play(game, "0 lead:load:tech-1*1")
    assert offered(game, 1) == {"draw", "follow:load:ill-1+ill-2*1", "follow:load:ill-1+ill-2*2"}


def test_a_follower_with_nothing_to_play_draws_and_announces_nothing() -> None:  # R4.3, T2b
    game = table(hands={0: "tech-1", 1: "lux-1 cons-1 agri-1", 2: "tech-2"})
    play(game, "0 lead:load:tech-1*1")  # with one legal answer nothing is asked
    expect(game, asks="2 follow", hand_sizes={1: 5}, announced={1: 0})


def test_a_follower_who_drew_may_still_use_matching_crew() -> None:  # R4.3, T2d, Q16
    game = table(
        hands={0: "tech-1", 1: "ill-1 ill-2 cons-1 agri-1 lux-1", 2: "tech-2"}, crew={1: "tech-8 tech-9"}
    )
    play(game, "0 lead:load:tech-1*1, 1 draw")
    expect(game, hand_sizes={1: 6}, asks="1 crew")
    assert "pile-1" in game.view(1)["hand"]  # the drawn card is seen before
    assert offered(game, 1) == {"crew*0", "crew*1", "crew*2"}
    play(game, "1 crew*1")
    expect(game, announced={1: 1})


def test_a_follower_with_an_empty_hand_may_use_crew_after_the_draw() -> None:  # Q12, R4.3
    game = table(hands={0: "tech-1"}, crew={1: "tech-9"})
    play(game, "0 lead:load:tech-1*1")
    expect(game, hand_sizes={1: 5}, asks="1 crew")


def test_a_drawn_card_of_the_led_action_can_not_be_played_any_more() -> None:  # Q15, Q16
    game = table(
        hands={0: "tech-1", 1: "lux-1"}, pile="tech-2 tech-3 tech-4 tech-5 tech-6 tech-7", crew={1: "tech-9"}
    )
    play(game, "0 lead:load:tech-1*1")
    assert offered(game, 1) == {"crew*0", "crew*1"}


def test_what_others_have_announced_is_known_before_the_own_announcement() -> None:  # Q16, Q9
    game = table(hands={0: "tech-1", 1: "tech-2 lux-1", 2: "tech-3 lux-2"}, crew={0: "tech-9"})
    play(game, "0 lead:load:tech-1*2, 1 follow:load:tech-2*1")
    players = game.view(2)["players"]
    assert [(player["announced"], player["doing"], player["played"]) for player in players] == [
        (2, "load", ["tech-1"]),
        (1, "load", ["tech-2"]),
        (0, None, []),
    ]


def test_four_players_as_the_rulebook_tells_it() -> None:  # T2a, T2b, T2c, T2d, T2e, R3.6
    game = table(
        players=4,
        hands={
            0: "tech-1 lux-1",
            1: "lux-2 cons-1 agri-1",
            2: "tech-2 lux-3",
            3: "ill-1 ill-2 lux-4 cons-2 agri-2",
        },
        crew={2: "tech-9", 3: "tech-7 tech-8"},
        discard="pile-60",
        pile="pile-1 pile-2 pile-3 pile-4 pile-5",
    )
    assert {text for text in offered(game, 0) if ":load:" in text} == {"lead:load:tech-1*1"}
    play(game, "0 lead:load:tech-1*1")
    expect(game, hands={1: "lux-2 cons-1 agri-1 pile-1 pile-2"}, announced={1: 0}, asks="2 follow")
    assert offered(game, 2) == {"draw", "follow:load:tech-2*1", "follow:load:tech-2*2"}
    play(game, "2 follow:load:tech-2*1")
    assert offered(game, 3) == {"draw", *(f"follow:load:ill-1+ill-2*{count}" for count in (1, 2, 3))}
    play(game, "3 draw")
    expect(game, hand_sizes={3: 6})
    assert offered(game, 3) == {"crew*0", "crew*1", "crew*2"}
    play(game, "3 crew*1")
    expect(game, discard="tech-2 tech-1 pile-60", crew={2: "tech-9", 3: "tech-7 tech-8"}, lead=1)


def test_crew_used_for_actions_stay_in_place() -> None:  # R4.5
    game = table(hands={0: "tech-1", 1: "cons-1"}, crew={0: "tech-8 tech-9", 1: "tech-7"})
    play(game, "0 lead:load:tech-1*3, 1 crew*1")
    expect(game, crew={0: "tech-8 tech-9", 1: "tech-7"}, turn=2)
