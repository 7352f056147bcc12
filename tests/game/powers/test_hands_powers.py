"""Powers that play or drop cards of the hand."""

from __future__ import annotations

from table import expect, needs, offered, play, table

from powers.fulfilling import fulfil
from powers.unseen import assert_unseen

PORT = {"place": "port"}


def test_chairs_drop_a_card_after_each_draw_action_of_another() -> None:
    """power: chairs"""
    game = table(
        players=4,
        hands={0: "tech-1", 3: "lux-1 lux-2 lux-3 tech-2 tech-3"},
        fulfilled={3: "chairs"},
    )
    play(game, "0 lead:load:tech-1*1", "3 discard:lux-1", "3 discard:lux-2")
    expect(game, asks="3 follow", hands={3: "lux-3 tech-2 tech-3"}, discard="lux-2 lux-1")


def test_chairs_do_not_see_the_own_draw_or_cards_drawn_by_a_power() -> None:
    """power: chairs, cups (P13)"""
    game = fulfil("cups", hands={1: "lux-1"}, fulfilled={1: "chairs"})
    expect(game, asks="0 pause", hand_sizes={0: 5})
    game = table(hands={0: "lux-1 lux-2", 1: "lux-3 lux-4"}, fulfilled={0: "chairs"})
    play(game, "0 draw")
    expect(game, asks="1 lead")


def test_chairs_see_the_draw_action_of_lumber() -> None:
    """power: chairs, lumber"""
    game = table(hands={0: "lux-1 lux-2", 1: "lux-3", 2: "lux-4 lux-5"}, fulfilled={1: "lumber", 2: "chairs"})
    play(game, "0 draw", "1 yes", "2 discard:lux-4", "2 discard:lux-5")
    expect(game, asks="1 lead", hand_sizes={0: 5, 1: 5, 2: 0})


def test_ar_glasses_do_two_actions_alone() -> None:
    """power: ar-glasses"""
    game = fulfil(
        "ar-glasses",
        hands={0: "lux-1 tech-1 agri-1"},
        ships={1: {"place": "port", "contracts": "cons-1", "containers": "agri-2"}},
        island="ill-1",
        faces={"cons-1": needs(agriculture=2)},
    )
    play(game, "0 play:supply:lux-1*1", "0 take:ill-1")
    play(game, "0 play:load:tech-1*1")
    expect(game, asks="0 pause", credits={0: 22}, hand_sizes={0: 0}, crew={0: "ill-1"})
    expect(game, ships={1: {"place": "sea"}}, played={0: "lux-1 tech-1"})
    assert len(game.island) == 2


def test_ar_glasses_may_stop_and_share_the_sale_of_the_turn() -> None:
    """power: ar-glasses (P15)"""
    game = fulfil("ar-glasses", hands={0: "lux-1 lux-2 tech-1"}, island="")
    play(game, "0 play:supply:lux-1*1", "0 sell:tech-1")
    expect(game, sold={0: True}, asks="0 ar-glasses")
    play(game, "0 play:supply:lux-2*1")
    expect(game, asks="0 pause", crew={0: "tech-1"})  # there was nothing but the card just sold to take
    game = fulfil("ar-glasses", hands={0: "lux-1"})
    play(game, "0 pass")
    expect(game, asks="0 pause", hands={0: "lux-1"})


def test_ar_glasses_take_a_wild_for_a_card() -> None:
    """power: ar-glasses (R3.5)"""
    game = fulfil("ar-glasses", hands={0: "ill-1 ill-2"}, island="cons-1")
    assert offered(game, 0) == {
        "pass",
        *(f"play:{action}:ill-1+ill-2*1" for action in ("load", "contract", "import", "supply")),
        "play:piracy:ill-1*1",
        "play:piracy:ill-2*1",
    }
    play(game, "0 play:supply:ill-1+ill-2*1")
    expect(game, crew={0: "cons-1"}, played={0: "ill-1 ill-2"})


def test_ar_glasses_may_spend_a_contract_card_as_a_level() -> None:
    """power: ar-glasses (R9.5)"""
    game = fulfil(
        "ar-glasses",
        hands={0: "agri-1 agri-2 lux-1"},
        ships={1: PORT},
        faces={"lux-1": {"level": {"luxury": 1}}},
    )
    play(game, "0 play:contract:agri-1+agri-2*2", "0 contract:lux-1@ship-1*1")
    expect(game, asks="0 pause", ships={1: {"contracts": "lux-1"}})


def test_ar_glasses_import_unopposed() -> None:
    """power: ar-glasses, dragon-fruit, books"""
    game = fulfil(
        "ar-glasses",
        hands={0: "cons-1 ill-1"},
        fulfilled={0: "dragon-fruit books"},
        ships={1: PORT, 3: {"containers": "lux-1 lux-2"}, 5: PORT},
    )
    play(game, "0 play:import:cons-1*1", "0 take:lux-1@crew")
    expect(game, credits={0: 16, 1: 12}, crew={0: "lux-1"}, goods={0: "lux-2"})


def test_ar_glasses_show_a_card_only_when_it_is_played() -> None:
    """power: ar-glasses"""
    game = fulfil("ar-glasses", hands={0: "lux-1 tech-1 agri-1"}, island="ill-1 ill-2")
    assert_unseen(game, game.events, "lux-1 tech-1 agri-1", 0)


def test_cards_played_after_a_draw_that_ended_the_turn_are_discarded() -> None:
    """power: ar-glasses, nanobots"""
    game = table(
        hands={0: "tech-1 ill-1 tech-2", 1: "lux-1 lux-2"},
        fulfilled={0: "nanobots"},
        ships={0: {"contracts": "ar-glasses", "containers": "tech-3"}, 1: PORT, 3: PORT, 5: PORT},
        faces={"ar-glasses": needs(technology=2)},
    )
    play(game, "0 draw", "0 load:tech-1@ship-0", "0 play:piracy:ill-1*1")
    while game.turn == 1:
        play(game, "0 " + game.decision(0).texts(game.catalogue)[0])
    expect(game, asks="1 lead", played={0: ""})
    assert game.catalogue.number_of["ill-1"] in game.discard


def test_ar_glasses_play_a_card_for_either_action_with_rice_cookers() -> None:
    """power: ar-glasses, rice-cookers"""
    game = fulfil("ar-glasses", hands={0: "tech-1"}, fulfilled={0: "rice-cookers"})
    assert offered(game, 0) == {"pass", "play:load:tech-1*1", "play:contract:tech-1*1"}
