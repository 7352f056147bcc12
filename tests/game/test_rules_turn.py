"""A turn (R3 to R5): leading, announcing, performing, and the end of the turn."""

from __future__ import annotations

import pytest
from table import asked, expect, finish_turn, kinds, names, needs, offered, play, run_defaults, table

from arena.game import ChoiceError

SIX = {"contracts": "agri-20", "containers": ""}  # with `WIDE` a Ship that takes six of technology


SIX2 = {"contracts": "agri-19", "containers": ""}


SIX3 = {"contracts": "agri-18", "containers": ""}


WIDE = {"agri-20": needs(technology=6), "agri-19": needs(technology=6), "agri-18": needs(technology=6)}


# The choice between A and B


def test_the_lead_player_draws_or_leads_an_action() -> None:  # R3.1
    game = table(hands={0: "tech-1 lux-1"})
    assert offered(game, 0) == {"draw", "lead:load:tech-1*1", "lead:supply:lux-1*1"}


@pytest.mark.parametrize(("held", "drawn"), [(0, 5), (3, 2), (4, 1), (5, 1), (9, 1)])
def test_drawing_fills_the_hand_to_5_or_takes_exactly_1(held: int, drawn: int) -> None:  # R3.2, TD5, Q93
    hand = " ".join(f"tech-{number}" for number in range(1, held + 1))
    game = table(hands={0: hand, 1: "tech-20", 2: "tech-19"})
    if held:
        play(game, "0 draw")
    expect(game, hand_sizes={0: held + drawn}, pile_size=60 - drawn)


def test_after_a_draw_the_turn_ends_at_once_and_nobody_follows() -> None:  # R3.2
    game = table(hands={0: "tech-1", 1: "lux-1", 2: "cons-1"}, crew={1: "tech-2"})
    events = play(game, "0 draw")
    assert kinds(events) == ["draw", "turn"]
    expect(game, turn=2, lead=1, asks="1 lead", hand_sizes={1: 1, 2: 1})


def test_with_an_empty_hand_one_can_only_draw() -> None:  # Q12
    game = table(hands={1: "lux-1"})
    expect(game, turn=2, lead=1, hand_sizes={0: 5})  # the draw was no choice


def test_drawing_is_legal_with_no_card_left_to_draw() -> None:  # Q12, Q23
    game = table(hands={0: "tech-1 lux-1"}, pile="")
    assert "draw" in offered(game, 0)
    play(game, "0 draw")
    expect(game, hands={0: "tech-1 lux-1"}, ending="cards")
    assert game.over


def test_there_is_no_hand_limit() -> None:  # Q93
    game = table(hands={0: "tech-1 tech-2 tech-3 tech-4 tech-5 tech-6 tech-7", 1: "lux-1"})
    play(game, "0 draw")
    expect(game, hand_sizes={0: 8}, asks="1 lead", discard="")


# The draw pile


def test_an_empty_draw_pile_is_refilled_with_the_shuffled_discard_pile() -> None:  # R3.3, Q24
    game = table(
        hands={0: "lux-1 lux-2 lux-3", 1: "lux-4"}, pile="tech-1", discard="agri-1 agri-2 agri-3 agri-4"
    )
    events = play(game, "0 draw")
    assert kinds(events) == ["shuffle", "draw", "turn"]
    expect(game, hand_sizes={0: 5}, pile_size=3, discard="", ending="")
    left = set(names(game, game.pile).split())
    held = set(names(game, game.players[0].hand).split())
    assert left | held == {"lux-1", "lux-2", "lux-3", "tech-1", "agri-1", "agri-2", "agri-3", "agri-4"}


def test_the_discard_pile_is_shuffled_the_instant_the_last_card_leaves_the_pile() -> None:  # R3.3, Q24
    game = table(hands={0: "lux-1 lux-2 lux-3 lux-4", 1: "lux-5"}, pile="tech-1", discard="agri-1 agri-2")
    play(game, "0 draw")
    expect(game, pile_size=2, discard="", ending="")
    assert "tech-1" in names(game, game.players[0].hand)


def test_the_shuffled_order_depends_on_the_seed() -> None:  # R3.3, Q3
    orders = set()
    for seed in range(10):
        game = table(
            hands={0: "lux-1 lux-2 lux-3 lux-4", 1: "lux-5"},
            pile="tech-1",
            discard="agri-1 agri-2 agri-3",
            seed=seed,
        )
        play(game, "0 draw")
        orders.add(names(game, game.pile))
    assert len(orders) > 2


def test_with_an_empty_discard_pile_it_is_refilled_when_a_card_is_next_needed() -> None:  # Q24, Q23, R11.5
    game = table(
        hands={0: "tech-1 tech-2"},
        ships={
            0: {"contracts": "tech-10", "containers": "tech-11"},
            1: {"place": "port", "contracts": "lux-9"},
        },
        pile="pile-1",
    )
    play(game, "0 lead:load:tech-1*1")  # seat 1 draws the last card, seat 2 none
    expect(game, hand_sizes={1: 1, 2: 0}, pile_size=0, asks="0 load")
    play(game, "0 scrap@ship-1")
    expect(game, pile="", discard="lux-9")
    play(game, "0 load:tech-2@ship-0")
    assert "lux-9" in names(game, game.island)


def test_when_both_piles_run_out_in_a_draw_what_was_drawn_is_kept() -> None:  # Q23, R13.1
    game = table(hands={0: "lux-1 lux-2", 1: "lux-3"}, pile="tech-1")
    play(game, "0 draw")
    expect(game, hands={0: "lux-1 lux-2 tech-1"}, ending="cards")


def test_a_draw_cut_short_ends_the_game_although_cards_are_discarded_later() -> None:  # Q23, Q61, R13.1
    game = table(hands={0: "tech-1"}, pile="pile-1", ships={0: SIX}, faces=WIDE)
    play(game, "0 lead:load:tech-1*1")  # seat 1 wants 5 cards and there is one
    run_defaults(game)
    expect(game, ending="cards", turn=1)
    assert "tech-1" in names(game, game.discard)


def test_when_cards_are_short_players_draw_one_after_the_other_clockwise() -> None:  # Q25
    game = table(
        players=4, lead=2, hands={2: "tech-1 lux-1"}, pile="pile-1 pile-2 pile-3 pile-4 pile-5 pile-6"
    )
    play(game, "2 lead:load:tech-1*1")
    expect(game, hand_sizes={3: 5, 0: 1, 1: 0})


# Leading


def test_one_action_for_the_card_and_up_to_one_for_each_matching_crew() -> None:  # R3.4, T1
    game = table(hands={0: "tech-1"}, crew={0: "tech-8 tech-9 lux-1"})
    assert offered(game, 0) == {"draw", "lead:load:tech-1*1", "lead:load:tech-1*2", "lead:load:tech-1*3"}
    before = game.digest()
    for count in (0, 4):
        with pytest.raises(ChoiceError):
            game.choose_text(0, f"lead:load:tech-1*{count}")
    assert game.digest() == before


def test_without_matching_crew_exactly_one_action_is_announced() -> None:  # R3.4, T2a
    game = table(hands={0: "tech-1"}, crew={0: "lux-8 agri-9"})
    assert offered(game, 0) == {"draw", "lead:load:tech-1*1"}


def test_the_played_card_lies_on_the_port_and_nothing_is_performed_yet() -> None:  # R3.4, R4.4, Q20
    game = table(
        hands={0: "tech-1 tech-2 lux-1", 1: "tech-3"}, crew={0: "tech-9"}, ships={0: SIX}, faces=WIDE
    )
    play(game, "0 lead:load:tech-1*2")
    expect(
        game, asks="1 follow", hands={0: "tech-2 lux-1"}, played={0: "tech-1"}, announced={0: 2}, discard=""
    )
    expect(game, ships={0: {"containers": ""}})


def test_an_action_that_cannot_be_performed_may_be_led_and_is_lost() -> None:  # Q11, Q19
    game = table(hands={0: "tech-1 lux-1", 1: "cons-1"})
    assert "lead:load:tech-1*1" in offered(game, 0)
    events = play(game, "0 lead:load:tech-1*1")
    assert [event.public for event in events if event.kind == "lost"] == [{"seat": 0, "action": "load"}]
    expect(game, lead=1, discard="tech-1")


def test_two_cards_of_one_colour_are_a_wild_for_an_action_not_in_hand() -> None:  # R3.5, Q13, Q14
    game = table(hands={0: "tech-1 lux-1 lux-2"})
    assert offered(game, 0) == {
        "draw",
        "lead:load:tech-1*1",
        "lead:supply:lux-1*1",
        "lead:supply:lux-2*1",
        "lead:contract:lux-1+lux-2*1",
        "lead:import:lux-1+lux-2*1",
        "lead:piracy:lux-1+lux-2*1",
    }


def test_with_a_card_of_the_wanted_action_in_hand_there_is_no_wild_for_it() -> None:  # Q13
    game = table(hands={0: "tech-1", 1: "tech-2 lux-1 lux-2"})
    play(game, "0 lead:load:tech-1*1")
    assert offered(game, 1) == {"draw", "follow:load:tech-2*1"}


def test_a_wild_is_worth_one_action_and_crew_add_to_it() -> None:  # Q14
    game = table(hands={0: "lux-1 lux-2"}, crew={0: "tech-8 tech-9"})
    loads = {text for text in offered(game, 0) if ":load:" in text}
    assert loads == {f"lead:load:lux-1+lux-2*{count}" for count in (1, 2, 3)}


def test_both_cards_of_a_wild_lie_on_the_port_and_are_discarded_in_step_3() -> None:  # R3.5, R3.6, Q14
    game = table(hands={0: "lux-1 lux-2", 1: "tech-1"})
    play(game, "0 lead:load:lux-1+lux-2*1")
    expect(game, played={0: "lux-1 lux-2"}, hand_sizes={0: 0}, discard="")
    play(game, "1 draw")
    expect(game, played={0: ""}, discard="lux-2 lux-1")


def test_a_wild_carries_any_action_but_barter() -> None:  # Q14
    game = table(hands={0: "lux-1 lux-2"})
    actions = {text.split(":")[1] for text in offered(game, 0) if text != "draw"}
    assert actions == {"load", "contract", "import", "supply", "piracy"}  # supply by one card


def test_two_cards_of_two_colours_are_no_wild() -> None:  # R3.5
    game = table(hands={0: "lux-1 ill-1"})
    assert offered(game, 0) == {"draw", "lead:supply:lux-1*1", "lead:piracy:ill-1*1"}


# The four steps


def test_after_leading_others_announce_then_actions_then_discards_then_the_buoy() -> None:  # R3.6
    game = table(
        hands={0: "tech-1 tech-2", 1: "tech-3 tech-4", 2: "tech-5 tech-6"},
        ships={0: SIX, 2: SIX2},
        faces=WIDE,
    )
    events = play(
        game,
        "0 lead:load:tech-1*1, 1 follow:load:tech-3*1, 2 follow:load:tech-5*1",
        "0 load:tech-2@ship-0, 0 pass",
    )
    told = [(event.kind, event.public.get("seat", event.public.get("card"))) for event in events]
    assert told == [
        ("lead", 0),
        ("follow", 1),
        ("follow", 2),
        ("load", 0),
        ("load", 1),
        ("lost", 2),
        ("discard", "tech-1"),
        ("discard", "tech-3"),
        ("discard", "tech-5"),
        ("turn", None),
    ]
    expect(game, turn=2, lead=1)


def test_the_buoy_goes_clockwise_by_seat_and_wraps() -> None:  # R3.6, Q4
    game = table(players=4, lead=2, hands={seat: f"tech-{seat + 1}" for seat in range(4)})
    leads = []
    for _ in range(5):
        leads.append(game.lead)
        play(game, f"{game.lead} draw")
    assert leads == [2, 3, 0, 1, 2]


def test_played_cards_are_discarded_lead_player_first_in_the_order_played() -> None:  # Q21, R1.7
    game = table(lead=1, hands={1: "lux-1 lux-2", 2: "ill-1 ill-2", 0: "tech-1 cons-1"}, discard="cons-9")
    play(game, "1 lead:load:lux-1+lux-2*1, 2 follow:load:ill-1+ill-2*1, 0 follow:load:tech-1*1")
    expect(game, discard="tech-1 ill-2 ill-1 lux-2 lux-1 cons-9")
    assert game.view(None)["top_discard"] == "tech-1"


def test_only_the_top_card_of_the_discard_pile_is_shown() -> None:  # R1.7, Q9
    game = table(hands={0: "tech-1"}, discard="ill-1 ill-2 ill-3")
    for seat in (None, 0, 1, 2):
        view = game.view(seat)
        assert (view["discard"], view["top_discard"]) == (3, "ill-1")
        assert "ill-2" not in str(view)
        assert "ill-3" not in str(view)


# Performing


def test_each_player_does_all_own_actions_lead_player_first_then_clockwise() -> None:  # R5.1, R5.2
    game = table(
        lead=2,
        hands={
            2: "tech-1 tech-2 tech-3 tech-4",
            0: "tech-5 tech-6 tech-7 tech-8",
            1: "tech-10 tech-11 tech-12 tech-13",
        },
        crew={2: "tech-17", 0: "tech-18", 1: "tech-19"},
        ships={4: SIX, 0: SIX2, 2: SIX3},
        faces=WIDE,
    )
    play(game, "2 lead:load:tech-1*2, 0 follow:load:tech-5*2, 1 follow:load:tech-10*2")
    order = []
    while asked(game).endswith("load"):
        order.append(game.to_act[0])
        seat = game.to_act[0]
        play(game, f"{seat} {sorted(text for text in offered(game, seat) if text.startswith('load'))[0]}")
    assert order == [2, 2, 0, 0, 1, 1]
    assert [len(game.ships[index].containers) for index in (4, 0, 2)] == [2, 2, 2]


def test_an_announced_action_must_be_performed_while_it_can_be() -> None:  # R5.1, Q19
    game = table(hands={0: "tech-1 tech-2 tech-3"}, ships={0: SIX}, faces=WIDE)
    play(game, "0 lead:load:tech-1*1")
    assert offered(game, 0) == {"load:tech-2@ship-0", "load:tech-3@ship-0", "scrap@ship-0"}


def test_only_the_action_that_can_not_be_performed_is_lost() -> None:  # Q19
    game = table(
        hands={0: "tech-1 tech-2 tech-3 lux-9"},
        crew={0: "tech-8 tech-9"},
        ships={0: {"contracts": "tech-10", "containers": "tech-11"}},
    )
    events = play(game, "0 lead:load:tech-1*3, 0 load:tech-2@ship-0")
    assert kinds(events).count("load") == 1
    assert kinds(events).count("lost") == 2
    assert "tech-3" in names(game, game.players[0].hand)


def test_import_alone_runs_in_rounds_and_not_player_by_player() -> None:  # R5.3, R5.2
    game = table(
        hands={0: "cons-1", 1: "cons-2 lux-1"}, crew={0: "cons-8", 1: "cons-9"}, credits={0: 2, 1: 2}
    )
    play(game, "0 lead:import:cons-1*2, 1 follow:import:cons-2*2, 0 import@ship-1")
    expect(game, asks="0 bid, 1 bid")


def test_the_number_announced_is_not_changed_by_crew_gained_afterwards() -> None:  # Q17
    game = table(hands={0: "lux-1 tech-1", 1: "lux-3 tech-2"}, island="lux-2", contracts={0: 2})
    play(game, "0 lead:supply:lux-1*1, 1 draw, 0 take:lux-2")
    expect(game, crew={0: "lux-2"}, turn=2)  # one action only


def test_crew_gained_before_the_own_announcement_counts_at_once() -> None:  # Q17
    game = table(hands={0: "lux-1 tech-1", 1: "tech-2", 2: "tech-3"}, island="tech-9")
    play(game, "0 lead:supply:lux-1*1, 0 take:tech-9")
    expect(game, crew={0: "tech-9"}, lead=1)
    play(game, "1 lead:load:tech-2*1")
    run_defaults(game, "0 follow")
    assert {"follow:load:tech-1*1", "follow:load:tech-1*2"} <= offered(game, 0)


def test_crew_lost_after_announcing_takes_no_action_away() -> None:  # Q17
    game = table(
        hands={0: "tech-1 tech-2 tech-3 tech-4", 1: "tech-5"}, crew={0: "tech-9"}, ships={0: SIX}, faces=WIDE
    )
    play(game, "0 lead:load:tech-1*2")
    game.players[0].crew = ()
    play(game, "1 draw, 0 load:tech-2@ship-0, 0 load:tech-3@ship-0")
    expect(game, ships={0: {"containers": "tech-2 tech-3"}})


def test_a_player_performs_only_the_led_action_in_a_turn() -> None:  # Q18
    game = table(
        hands={0: "lux-1 tech-1 agri-1", 1: "lux-2 tech-2"},
        crew={0: "tech-8", 1: "tech-9"},
        island="ill-1 ill-2",
        ships={0: SIX, 2: SIX2},
        faces=WIDE,
    )
    play(game, "0 lead:supply:lux-1*1")
    assert offered(game, 1) == {"draw", "follow:supply:lux-2*1"}
    play(game, "1 follow:supply:lux-2*1")
    assert {text.partition(":")[0] for text in offered(game, 0)} == {"sell", "take", "scrap@ship-0"}
    play(game, "0 take:ill-1")
    assert {text.partition(":")[0] for text in offered(game, 1)} == {"sell", "take"}


def test_a_card_on_the_port_is_neither_in_hand_nor_in_the_discard_pile() -> None:  # Q20
    game = table(hands={0: "lux-1 lux-2", 1: "lux-3 lux-4"}, island="ill-1")
    play(game, "0 lead:supply:lux-1*1, 1 follow:supply:lux-3*1")
    assert game.view(0)["hand"] == ["lux-2"]
    assert offered(game, 0) == {"sell:lux-2", "take:ill-1"}
    expect(game, played={0: "lux-1", 1: "lux-3"}, discard="")


# Discarding unfulfilled contracts


def test_the_lead_player_may_discard_the_contracts_of_a_ship_before_leading() -> None:  # R9.6, Q26
    game = table(
        hands={0: "tech-1 lux-9"},
        ships={
            0: {"contracts": "tech-10", "containers": "tech-11"},
            1: {"place": "port", "contracts": "lux-10"},
        },
    )
    play(game, "0 scrap@ship-0")
    expect(game, discard="tech-10", ships={0: {"contracts": "", "containers": "tech-11", "place": "port"}})
    assert "lead:load:tech-1*1" in offered(game, 0)  # and is asked again
    play(game, "0 scrap@ship-1")  # more than once
    expect(game, discard="lux-10 tech-10", asks="0 lead")


def test_all_contracts_of_the_ship_are_discarded() -> None:  # Q27, R9.6
    game = table(hands={0: "tech-1"}, ships={0: {"contracts": "tech-10 lux-10", "containers": "tech-11"}})
    assert {text for text in offered(game, 0) if text.startswith("scrap")} == {"scrap@ship-0"}
    play(game, "0 scrap@ship-0")
    expect(game, discard="lux-10 tech-10", ships={0: {"contracts": "", "containers": "tech-11"}})


def test_it_is_offered_before_each_own_action_and_before_step_3() -> None:  # Q26, Q28
    game = table(
        hands={0: "tech-1 tech-2 tech-3 tech-4", 1: "tech-5"}, crew={0: "tech-9"}, ships={0: SIX}, faces=WIDE
    )
    play(game, "0 lead:load:tech-1*2")
    assert not any("scrap" in text for text in offered(game, 1))
    play(game, "1 draw")
    assert "scrap@ship-0" in offered(game, 0)
    play(game, "0 load:tech-2@ship-0")
    assert "scrap@ship-0" in offered(game, 0)
    play(game, "0 load:tech-3@ship-0")
    expect(game, asks="0 window", discard="")
    assert offered(game, 0) == {"pass", "scrap@ship-0"}
    play(game, "0 scrap@ship-0")
    expect(
        game, ships={0: {"contracts": "", "containers": "tech-2 tech-3"}}, discard="tech-1 agri-20", turn=2
    )


def test_it_is_offered_at_each_choice_of_a_ship_to_import_from() -> None:  # Q26
    game = table(hands={0: "cons-1"}, ships={0: SIX}, faces=WIDE)
    play(game, "0 lead:import:cons-1*1")
    assert offered(game, 0) == {"import@ship-1", "import@ship-3", "import@ship-5", "scrap@ship-0"}


def test_after_a_draw_there_is_no_closing_window() -> None:  # Q26, Q98
    game = table(hands={0: "tech-1", 1: "tech-2"}, ships={0: SIX}, faces=WIDE)
    play(game, "0 draw")
    expect(game, asks="1 lead")


def test_without_a_contract_in_port_nobody_is_asked() -> None:  # Q26
    game = table(hands={0: "tech-1", 1: "tech-2"}, ships={2: SIX}, faces=WIDE)
    assert not any("scrap" in text for text in offered(game, 0))
    play(game, "0 lead:load:tech-1*1, 1 draw")
    expect(game, turn=2, lead=1)


def test_who_does_not_lead_is_not_offered_it() -> None:  # R9.6, Q26
    game = table(hands={0: "tech-1", 1: "tech-2 tech-3 tech-4"}, ships={2: SIX}, faces=WIDE)
    play(game, "0 lead:load:tech-1*1")
    assert offered(game, 1) == {
        "draw",
        "follow:load:tech-2*1",
        "follow:load:tech-3*1",
        "follow:load:tech-4*1",
    }
    play(game, "1 follow:load:tech-2*1")
    assert offered(game, 1) == {"load:tech-3@ship-2", "load:tech-4@ship-2"}
    play(game, "1 load:tech-3@ship-2")
    expect(game, turn=2, lead=1)
    assert "scrap@ship-2" in offered(game, 1)  # now it leads


# Once per turn


def test_once_per_turn_is_once_for_each_player_whoever_leads() -> None:  # Q22, R7.1
    game = table(
        hands={0: "lux-1 tech-1", 1: "lux-2 tech-2 tech-3", 2: "cons-1"},
        crew={1: "lux-9"},
        island="ill-1 ill-2 ill-3",
    )
    play(game, "0 lead:supply:lux-1*1, 1 follow:supply:lux-2*2")
    play(game, "0 sell:tech-1, 1 sell:tech-2")
    assert offered(game, 1) == {"take:ill-1", "take:ill-2", "take:ill-3", "take:tech-1", "take:tech-2"}
    play(game, "1 take:ill-1")
    expect(game, turn=2, lead=1, credits={0: 14, 1: 14}, sold={0: False, 1: False})


def test_the_turn_is_over_when_the_next_player_leads() -> None:  # R3.6, Q22
    game = table(hands={0: "lux-1 tech-1", 1: "lux-2 tech-2 tech-3"})
    events = play(game, "0 lead:supply:lux-1*1, 1 follow:supply:lux-2*1") + finish_turn(game)
    assert [event.public for event in events if event.kind == "turn"] == [{"turn": 2, "lead": 1}]
    for player in game.view(None)["players"]:
        assert (player["played"], player["announced"], player["doing"], player["sold"]) == (
            [],
            0,
            None,
            False,
        )
