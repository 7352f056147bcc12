"""Powers that change limits, ties and thresholds."""

from __future__ import annotations

from typing import Any

from table import asked, expect, finish_turn, kinds, offered, play, run_defaults, table, totals

from arena.game import Game
from powers.scenes import LAST, brink, led


def ended(**zones: Any) -> Game:
    """A game that went straight to final scoring."""
    return table(ending="turns", **zones)


# Scotch


def test_scotch_counts_two_luxury_goods_as_one_place() -> None:
    """power: scotch"""
    game = led(
        "import",
        fulfilled={0: "scotch"},
        crew={0: "tech-1 tech-2"},
        goods={0: "lux-1 lux-2 lux-3 lux-4 lux-5 cons-1"},
        contracts={0: 2},
        ships={3: {"containers": "lux-6 cons-2 cons-3"}},
    )
    play(game, "0 import@ship-3")
    assert offered(game, 0) == {"take:lux-6@goods", "take:cons-2@discard", "take:cons-3@discard"}
    play(game, "0 take:lux-6@goods")
    assert offered(game, 0) == {"take:cons-2@discard", "take:cons-3@discard"}
    play(game, "0 take:cons-2@discard")
    expect(game, goods={0: "lux-1 lux-2 lux-3 lux-4 lux-5 cons-1 lux-6"})


def test_scotch_takes_two_luxury_cards_into_one_place() -> None:  # Q33
    """power: scotch"""
    game = led(
        "import",
        fulfilled={0: "scotch"},
        crew={0: "tech-1 tech-2"},
        goods={0: "cons-1 cons-2 cons-3"},
        contracts={0: 2},
        ships={3: {"containers": "lux-1 lux-2 tech-3"}},
    )
    play(game, "0 import@ship-3", "0 take:lux-1@goods")
    assert offered(game, 0) == {"take:lux-2@goods", "take:tech-3@discard"}


def test_scotch_counts_grey_goods_that_are_luxury_and_scores_every_good() -> None:  # P22
    """power: scotch"""
    game = ended(
        fulfilled={0: "scotch"}, contracts={0: 2}, goods={0: "lux-1 blank-20 blank-21 lux-2 lux-3 lux-4"}
    )
    assert totals(game)[0] == 10 + 6 + 8


def test_scotch_lost_discards_the_surplus() -> None:  # P10
    """power: scotch, railguns"""
    game = brink(
        "railguns",
        fulfilled={1: "scotch"},
        contracts={1: 2},
        credits={1: 0},
        goods={1: "lux-1 lux-2 lux-3 lux-4"},
    )
    play(game, LAST, "1 give:contract:scotch")
    expect(game, fulfilled={0: "railguns scotch"}, asks="1 overflow-goods")
    play(game, "1 discard:lux-1", "1 discard:lux-4")
    expect(game, goods={1: "lux-2 lux-3"})


def test_two_scotch_do_not_add_up() -> None:  # P35
    """power: scotch, wind-turbines"""
    game = led(
        "import",
        fulfilled={0: "scotch wind-turbines"},
        copies={"wind-turbines": "scotch"},
        crew={0: "tech-1 tech-2 tech-3"},
        goods={0: "lux-1 lux-2 lux-3 lux-4 cons-1 cons-2 cons-3 cons-4"},
        contracts={0: 3},
        ships={3: {"containers": "cons-5 cons-6"}},
    )
    play(game, "0 import@ship-3")
    assert offered(game, 0) == {"take:cons-5@discard", "take:cons-6@discard"}


# Foxes


def test_foxes_win_a_tied_bid_without_a_question() -> None:
    """power: foxes"""
    game = led(
        "import",
        seat=1,
        fulfilled={0: "foxes"},
        hands={0: "cons-1", 2: "cons-2"},
        ships={5: {"containers": "tech-1 tech-2 tech-3 tech-4"}},
    )
    play(game, "2 follow:import:cons-2*1", "0 follow:import:cons-1*1", "1 import@ship-5")
    play(game, "1 bid*0", "2 bid*6", "0 bid*6")
    expect(game, asks="0 import-take", credits={0: 4, 2: 10})


def test_foxes_take_a_tied_bonus_alone() -> None:
    """power: foxes"""
    game = ended(fulfilled={0: "foxes"}, goods={0: "lux-1 lux-2", 1: "lux-3 lux-4", 2: "lux-5"})
    assert totals(game) == (10 + 2 + 8, 10 + 2, 10 + 1)


def test_foxes_pay_a_tied_penalty_alone() -> None:
    """power: foxes"""
    game = ended(fulfilled={0: "foxes"}, goods={0: "ill-1", 1: "ill-2", 2: "ill-3"})
    assert totals(game) == (10 + 2 - 6, 12, 12)


def test_foxes_win_an_equal_final_score() -> None:
    """power: foxes"""
    game = ended(fulfilled={1: "foxes"})
    assert game.result is not None
    assert game.result.places == (2, 1, 2)
    without = ended()
    assert without.result is not None
    assert without.result.places == (1, 1, 1)


def test_foxes_do_not_apply_to_a_comparison_they_are_not_tied_in() -> None:
    """power: foxes"""
    game = ended(fulfilled={0: "foxes"}, goods={0: "lux-5", 1: "lux-1 lux-2", 2: "lux-3 lux-4"})
    assert totals(game) == (11, 10 + 2 + 4, 10 + 2 + 4)


def test_two_tied_owners_of_foxes_share_by_the_normal_rule() -> None:  # P24
    """power: foxes, wind-turbines"""
    two: dict[str, Any] = {
        "fulfilled": {0: "foxes", 1: "wind-turbines"},
        "copies": {"wind-turbines": "foxes"},
    }
    game = ended(**two, goods={0: "lux-1", 1: "lux-2", 2: "lux-3"})
    assert totals(game) == (10 + 1 + 4, 10 + 1 + 4, 11)
    assert game.result is not None
    assert game.result.places == (1, 1, 3)

    game = led(
        "import",
        seat=2,
        **two,
        hands={0: "cons-1", 1: "cons-2"},
        ships={5: {"containers": "tech-1 tech-2 tech-3"}},
    )
    play(game, "0 follow:import:cons-1*1", "1 follow:import:cons-2*1", "2 import@ship-5")
    play(game, "2 bid*4", "0 bid*4", "1 bid*4")
    assert (asked(game), offered(game, 2)) == ("2 tie", {"tie@seat-0", "tie@seat-1"})


# Can Openers and MRI Machine


def test_can_openers_keep_their_owner_from_ending_the_game() -> None:
    """power: can-openers"""
    game = brink("can-openers", credits={0: 46, 1: 44}, hands={1: "cons-1"}, island="tech-1")
    play(game, LAST)
    finish_turn(game)
    expect(game, credits={0: 52}, ending="")

    game = led(
        "supply",
        seat=1,
        fulfilled={0: "can-openers"},
        credits={0: 60, 1: 46},
        hands={1: "tech-1"},
        island="tech-2",
    )
    play(game, "1 sell:tech-1")
    expect(game, credits={1: 50}, ending="credits")
    assert game.over  # the turn was finished and there was nothing left to ask


def test_losing_can_openers_above_the_threshold_triggers_the_end() -> None:
    """power: can-openers, railguns"""
    game = brink("railguns", fulfilled={1: "can-openers"}, credits={1: 60, 2: 0})
    play(game, LAST, "1 give:contract:can-openers")
    expect(game, ending="credits")


def test_mri_machine_moves_the_threshold_to_70_for_all() -> None:
    """power: mri-machine"""
    game = brink("mri-machine", 3, credits={0: 44})
    play(game, LAST)
    expect(game, credits={0: 54}, ending="")

    for before, after, ending in ((64, 68, ""), (66, 70, "credits")):
        game = led(
            "supply",
            seat=1,
            fulfilled={0: "mri-machine"},
            credits={1: before},
            hands={1: "tech-1"},
            island="tech-2",
        )
        play(game, "1 sell:tech-1")
        expect(game, credits={1: after}, ending=ending)


def test_can_openers_with_mri_machine() -> None:
    """power: can-openers, mri-machine"""
    for owner_of_mri in (0, 1):
        fulfilled = {0: "can-openers", 1: ""}
        fulfilled[owner_of_mri] += " mri-machine"
        game = led(
            "supply", fulfilled=fulfilled, credits={0: 90, 1: 68}, hands={0: "tech-1"}, island="tech-2"
        )
        play(game, "0 sell:tech-1")
        expect(game, credits={0: 94}, ending="")
        game = led(
            "supply",
            seat=1,
            fulfilled=fulfilled,
            credits={0: 90, 1: 66},
            hands={1: "tech-1"},
            island="tech-2",
        )
        play(game, "1 sell:tech-1")
        expect(game, credits={1: 70}, ending="credits")


# Graphics Cards

FOUR = "tech-1 agri-1 cons-1"


def importing_the_fourth(**zones: Any) -> Game:
    """Seat 0 has Graphics Cards, wants the fourth type and takes it; the others have Illegal Goods."""
    goods = {0: FOUR, 1: "ill-1", 2: "ill-2", **zones.pop("goods", {})}
    fulfilled = {0: "graphics-cards", **zones.pop("fulfilled", {})}
    game = led(
        "import", goods=goods, fulfilled=fulfilled, ships={3: {"containers": "lux-1 lux-2 sea-9"}}, **zones
    )
    play(game, "0 import@ship-3", "0 take:lux-1@goods")
    if not game.over:
        play(game, "0 take:sea-9@crew")
    return game


def test_graphics_cards_win_at_once_and_the_others_are_ranked_without_scoring() -> None:
    """power: graphics-cards"""
    game = importing_the_fourth(credits={0: 10, 1: 10, 2: 30})
    assert game.result is not None
    assert game.result.reason == "graphics-cards"
    assert game.result.places == (1, 3, 2)
    assert game.result.credits == (10, 12, 30)  # the owner of the Ship took 2; nothing was scored


def test_graphics_cards_rank_the_others_by_what_they_would_have_scored() -> None:  # Q64
    """power: graphics-cards"""
    game = importing_the_fourth(goods={2: "ill-2 ill-3"}, credits={1: 10, 2: 13})
    assert game.result is not None  # 12 + 2 against 13 + 4 - 6
    assert game.result.places == (1, 2, 3)


def test_graphics_cards_do_not_count_a_tie_but_with_foxes() -> None:
    """power: graphics-cards, foxes"""
    tied = {1: "lux-9 ill-1"}
    assert not importing_the_fourth(goods=tied).over
    game = importing_the_fourth(goods=tied, fulfilled={0: "graphics-cards foxes"})
    assert game.result is not None
    assert game.result.winners == (0,)
    assert not importing_the_fourth(goods=tied, fulfilled={1: "foxes"}).over


def test_graphics_cards_count_illegal_and_grey_goods() -> None:  # P22
    """power: graphics-cards"""
    game = led(
        "import",
        fulfilled={0: "graphics-cards"},
        goods={0: "ill-1 tech-1 cons-1"},
        ships={3: {"containers": "lux-1 lux-2 sea-9"}},
    )
    play(game, "0 import@ship-3", "0 take:lux-1@goods")
    run_defaults(game, lambda game: game.over)
    assert game.result is not None
    assert game.result.winners == (0,)


def test_graphics_cards_win_when_they_are_fulfilled_after_the_whole_fulfilment() -> None:  # P7
    """power: graphics-cards"""
    game = brink("graphics-cards", goods={0: f"{FOUR} lux-1"})
    events = play(game, LAST)
    assert kinds(events)[-2:] == ["island", "end"]
    assert game.result is not None
    assert game.result.credits[0] == 16
