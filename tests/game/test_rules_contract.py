"""Contract (R9): placing, Levels, skipping Levels, discarding unfulfilled contracts."""

from __future__ import annotations

import pytest
from table import expect, kinds, names, needs, offered, play, run_defaults, table

from arena.game import ChoiceError, Game

PORT = {"place": "port"}


def contracts(game: Game, seat: int = 0) -> set[str]:
    """The placements that a seat is offered."""
    return {text for text in offered(game, seat) if text.startswith("contract")}


def leading(actions: int = 1, **more: object) -> Game:
    """Seat 0 has led Contract with agri-20 for so many actions, with Crew for them."""
    hands = {0: "agri-20 " + str(more.pop("hand", ""))}
    crew = " ".join(f"agri-{number}" for number in range(20 - actions + 1, 20))
    game = table(hands=hands, crew={0: crew}, contracts={0: 9}, **more)  # type: ignore[arg-type]
    play(game, f"0 lead:contract:agri-20*{actions}")
    return game


# Placing


def test_a_card_of_the_hand_is_placed_under_an_own_ship_in_port() -> None:  # R9.1
    game = leading(hand="tech-1 lux-1", ships={1: PORT})
    assert contracts(game) == {
        f"contract:{card}@ship-{ship}" for card in ("tech-1", "lux-1") for ship in (0, 1)
    }
    play(game, "0 contract:lux-1@ship-1")
    expect(game, ships={0: {"contracts": ""}, 1: {"contracts": "lux-1"}}, hands={0: "tech-1"})


def test_no_contract_is_placed_on_a_ship_at_sea_or_of_another_player() -> None:  # R9.1
    game = leading(hand="tech-1 lux-1")
    assert contracts(game) == {"contract:tech-1@ship-0", "contract:lux-1@ship-0"}


@pytest.mark.parametrize(("load", "legal"), [(2, True), (3, False)])
def test_the_requirements_of_a_ship_add_up_to_at_most_6(load: int, legal: bool) -> None:  # R9.2, T6, S015
    game = leading(
        hand="lux-1 tech-9",
        ships={0: {"contracts": "tech-1 tech-2"}, 1: PORT},
        faces={"lux-1": needs(luxury=load)},
    )
    assert ("contract:lux-1@ship-0" in contracts(game)) == legal
    assert "contract:lux-1@ship-1" in contracts(game)


def test_a_ship_may_hold_several_contracts() -> None:  # R9.2
    game = leading(3, hand="tech-1 tech-2 tech-3 tech-4")
    play(game, "0 contract:tech-1@ship-0, 0 contract:tech-3@ship-0, 0 contract:tech-2@ship-0")
    expect(game, ships={0: {"contracts": "tech-1 tech-3 tech-2"}})


def test_a_contract_may_be_added_to_a_partly_loaded_ship() -> None:  # Q50, R11.1
    """Then all contracts must be met together."""
    game = leading(hand="lux-1 ill-1", ships={0: {"contracts": "tech-1", "containers": "tech-2"}})
    play(game, "0 contract:lux-1@ship-0")
    expect(game, ships={0: {"contracts": "tech-1 lux-1", "containers": "tech-2", "place": "port"}})


# Levels


@pytest.mark.parametrize(
    ("goods", "port", "legal"),
    [
        ("agri-1 agri-2", "capital", True),
        ("agri-1", "capital", False),
        ("agri-1", "agriculture", True),
        ("", "agriculture", False),
        ("agri-1 tech-1 lux-1", "luxury", False),
    ],
)
def test_hawaiian_salt_needs_two_agriculture_goods_or_one_with_the_yellow_port(
    goods: str, port: str, legal: bool
) -> None:  # R9.3, T7, S015
    game = leading(hand="hawaiian-salt", goods={0: goods}, port={0: port})
    wanted = "hawaiian-salt" if legal else ""
    run_defaults(game, lambda game: game.turn > 1)
    expect(game, ships={0: {"contracts": wanted}})


def test_the_grey_port_gives_no_level() -> None:  # Q5
    for port, legal in (("capital", False), ("luxury", True)):
        game = leading(hand="lux-1 tech-1", port={0: port}, faces={"lux-1": needs({"luxury": 1}, luxury=2)})
        assert (game.turn == 1 and "contract:lux-1@ship-0" in contracts(game)) == legal
    grey = leading(hand="lux-1 tech-1", faces={"lux-1": needs({"any": 1}, luxury=2)})
    expect(grey, hands={0: "lux-1"}, ships={0: {"contracts": "tech-1"}})  # the only one that was legal


def test_goods_of_other_players_and_crew_give_no_level() -> None:  # R9.3
    game = leading(
        hand="lux-1 tech-1 tech-2", goods={1: "lux-2"}, faces={"lux-1": needs({"luxury": 1}, luxury=2)}
    )
    assert contracts(game) == {"contract:tech-1@ship-0", "contract:tech-2@ship-0"}


@pytest.mark.parametrize(
    ("goods", "legal"), [("lux-2 tech-2", True), ("lux-2 lux-3", False), ("tech-2 tech-3 tech-4", False)]
)
def test_of_a_level_in_two_colours_each_must_be_met_on_its_own(goods: str, legal: bool) -> None:  # R9.4, Q47
    game = leading(
        hand="lux-1 ill-1 ill-2",
        goods={0: goods},
        faces={"lux-1": needs({"luxury": 1, "technology": 1}, luxury=2)},
    )
    assert ("contract:lux-1@ship-0" in contracts(game)) == legal


def test_a_level_lost_after_placing_changes_nothing() -> None:  # Q45
    game = table(
        hands={0: "tech-1 lux-4 lux-5"},
        ships={0: {"contracts": "lux-1", "containers": "lux-2"}},
        faces={"lux-1": needs({"luxury": 3}, luxury=2), "tech-1": {"action": "load"}},
    )
    play(game, "0 lead:load:tech-1*1, 0 load:lux-4@ship-0")
    expect(game, fulfilled={0: "lux-1"})


# Several actions


def test_each_further_action_may_place_a_further_contract() -> None:  # R9.5
    game = leading(2, hand="tech-1 tech-2 tech-3")
    play(game, "0 contract:tech-1@ship-0, 0 contract:tech-2@ship-0")
    expect(game, ships={0: {"contracts": "tech-1 tech-2"}})
    assert "contract" not in " ".join(offered(game, 0))


def test_with_two_actions_rolls_royce_is_placed_one_level_short() -> None:  # R9.5, T8, Q46
    game = leading(2, hand="rolls-royce", goods={0: "lux-1"})
    assert contracts(game) == {"contract:rolls-royce@ship-0*1"}
    play(game, "0 contract:rolls-royce@ship-0*1")
    expect(game, ships={0: {"contracts": "rolls-royce"}}, asks="0 window")  # both actions are used
    short = leading(1, hand="rolls-royce", goods={0: "lux-1"})
    expect(short, ships={0: {"contracts": ""}}, hands={0: "rolls-royce"})  # illegal: the action was lost


def test_with_four_actions_a_level_of_3_is_skipped_with_three_it_is_not() -> None:  # R9.5, T9, Q102
    faces = {"tech-1": needs({"technology": 3}, technology=2)}
    game = leading(4, hand="tech-1", faces=faces)
    assert contracts(game) == {"contract:tech-1@ship-0*3"}
    play(game, "0 contract:tech-1@ship-0*3")
    expect(game, ships={0: {"contracts": "tech-1"}}, asks="0 window")
    short = leading(3, hand="tech-1", faces=faces)
    expect(short, ships={0: {"contracts": ""}}, hands={0: "tech-1"})


def test_a_follower_may_skip_levels_too() -> None:  # Q46
    game = table(
        hands={0: "agri-1", 1: "agri-2 rolls-royce"}, crew={1: "agri-3"}, goods={1: "lux-1"}, contracts={1: 3}
    )
    play(game, "0 lead:contract:agri-1*1, 1 follow:contract:agri-2*2")
    assert offered(game, 1) == {"pass", "contract:rolls-royce@ship-2*1"}


def test_skips_may_be_split_between_colours() -> None:  # Q47
    faces = {"lux-1": needs({"luxury": 2, "technology": 2}, luxury=2)}
    game = leading(3, hand="lux-1", goods={0: "lux-2 tech-2"}, faces=faces)
    assert contracts(game) == {"contract:lux-1@ship-0*2"}
    short = leading(2, hand="lux-1", goods={0: "lux-2 tech-2"}, faces=faces)
    expect(short, hands={0: "lux-1"})


def test_a_good_too_many_of_one_colour_does_not_spare_a_skip_of_another() -> None:  # Q47
    faces = {"lux-1": needs({"luxury": 1, "technology": 2}, luxury=2)}
    game = leading(3, hand="lux-1", goods={0: "lux-2 lux-3 lux-4 lux-5"}, faces=faces)
    assert contracts(game) == {"contract:lux-1@ship-0*2"}


def test_exactly_the_missing_levels_are_bought_and_the_other_actions_keep_their_use() -> None:  # Q102
    faces = {"lux-1": needs({"luxury": 1}, luxury=2)}
    game = leading(4, hand="lux-1 tech-1 tech-2 tech-3", faces=faces)
    assert contracts(game) == {"contract:lux-1@ship-0*1", *(f"contract:tech-{n}@ship-0" for n in (1, 2, 3))}
    play(game, "0 contract:lux-1@ship-0*1")  # 2 of 4 actions
    play(game, "0 contract:tech-1@ship-0, 0 contract:tech-2@ship-0")
    expect(game, ships={0: {"contracts": "lux-1 tech-1 tech-2"}}, asks="0 window")


def test_one_placement_with_skipped_levels_is_one_event() -> None:  # Q102
    faces = {"lux-1": needs({"luxury": 2}, luxury=2)}
    game = leading(3, hand="lux-1", faces=faces)
    events = play(game, "0 contract:lux-1@ship-0*2")
    assert kinds(events) == ["contract"]


def test_with_actions_used_up_fewer_levels_can_be_skipped() -> None:  # Q102
    faces = {"lux-1": needs({"luxury": 2}, luxury=2)}
    game = leading(3, hand="lux-1 tech-1 tech-2", faces=faces)
    assert "contract:lux-1@ship-0*2" in contracts(game)
    play(game, "0 contract:tech-1@ship-0")
    assert contracts(game) == {"contract:tech-2@ship-0"}


def test_spending_actions_as_levels_is_optional() -> None:  # Q19
    game = leading(2, hand="lux-1", faces={"lux-1": needs({"luxury": 1}, luxury=2)})
    assert "pass" in offered(game, 0)


def test_a_placement_that_needs_no_skip_must_be_made() -> None:  # Q19
    game = leading(2, hand="lux-1 tech-1", faces={"lux-1": needs({"luxury": 1}, luxury=2)})
    assert offered(game, 0) == {"contract:lux-1@ship-0*1", "contract:tech-1@ship-0"}


def test_a_pass_loses_one_action_and_the_next_is_asked_anew() -> None:  # Q102, Q19
    game = leading(3, hand="lux-1", faces={"lux-1": needs({"luxury": 1}, luxury=2)})
    events = play(game, "0 pass")
    assert kinds(events) == ["lost"]
    assert offered(game, 0) == {"pass", "contract:lux-1@ship-0*1"}
    events = play(game, "0 pass")  # with one action left the Level can not be skipped
    assert kinds(events)[:2] == ["lost", "lost"]
    expect(game, hands={0: "lux-1"})


def test_a_placement_that_is_not_legal_is_refused() -> None:  # R9.2, R9.3, S015
    game = leading(hand="lux-1 tech-1 tech-2", faces={"lux-1": needs({"luxury": 1}, luxury=2)})
    before = game.digest()
    for text in (
        "contract:lux-1@ship-0",
        "contract:lux-1@ship-0*1",
        "contract:tech-1@ship-1",
        "contract:ill-1@ship-0",
    ):
        with pytest.raises(ChoiceError):
            game.choose_text(0, text)
    assert game.digest() == before


# Unfulfilled contracts


def test_discarded_contracts_go_to_the_discard_pile_and_the_containers_stay() -> None:  # R9.6, Q27
    game = table(
        hands={0: "tech-1"}, ships={0: {"contracts": "tech-10 lux-10", "containers": "lux-11 tech-11"}}
    )
    play(game, "0 scrap@ship-0")
    expect(game, ships={0: {"contracts": "", "containers": "lux-11 tech-11", "place": "port"}})
    assert set(names(game, game.discard).split()) == {"tech-10", "lux-10"}


def test_containers_left_on_a_ship_serve_a_later_contract() -> None:  # Q48
    game = leading(hand="lux-1 tech-1", ships={0: {"containers": "lux-2"}})
    play(game, "0 contract:lux-1@ship-0")
    expect(game, ships={0: {"contracts": "lux-1", "containers": "lux-2", "place": "port"}})
    game = table(hands={0: "tech-1 lux-4"}, ships={0: {"contracts": "lux-1", "containers": "lux-2"}})
    play(game, "0 lead:load:tech-1*1, 0 load:lux-4@ship-0")
    expect(game, fulfilled={0: "lux-1"})


def test_a_contract_whose_need_is_already_aboard_is_fulfilled_on_placement() -> None:  # Q48, R11.1
    game = leading(hand="lux-1 tech-1", ships={0: {"containers": "lux-2 lux-3"}})
    play(game, "0 contract:lux-1@ship-0")
    expect(game, ships={0: {"place": "sea", "containers": "lux-2 lux-3", "contracts": ""}}, credits={0: 16})
    assert "lux-1" in names(game, game.players[0].fulfilled)


def test_containers_that_no_contract_needs_do_not_block_placing_or_loading() -> None:  # Q49
    game = leading(
        hand="lux-1 tech-1",
        ships={0: {"containers": "ill-1 ill-2 ill-3 ill-4 ill-5 ill-6"}},
        faces={"lux-1": needs(luxury=6)},
    )
    assert "contract:lux-1@ship-0" in contracts(game)  # the limit of 6 is on requirements


def test_a_fulfilled_contract_brings_its_power_and_raises_the_limits() -> None:  # R9.7
    game = table(
        hands={0: "tech-1 tech-2 agri-2", 1: "tech-3"},
        ships={0: {"contracts": "mineral-fuels", "containers": "tech-4"}},
        faces={"mineral-fuels": needs(technology=2)},
    )
    before = game.view(None)["players"][0]
    assert (before["crew_limit"], before["goods_limit"]) == (1, 2)
    play(game, "0 lead:load:tech-1*1, 1 draw, 0 load:tech-2@ship-0")
    after = game.view(None)["players"][0]
    assert (after["fulfilled"], after["crew_limit"], after["goods_limit"]) == (["mineral-fuels"], 2, 4)
    run_defaults(game, "0 lead")
    play(game, "0 draw")
    expect(game, hand_sizes={0: 6})  # the power: Draw actions fill up to 6


def test_a_contract_that_is_not_fulfilled_has_no_power() -> None:  # R9.7, Q94
    game = table(hands={0: "tech-1 agri-2", 1: "tech-3"}, ships={0: {"contracts": "mineral-fuels"}})
    play(game, "0 draw")
    expect(game, hand_sizes={0: 5})
