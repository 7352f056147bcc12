"""Double-contract cards: either side as a contract or a Container, the fee, the colour that is kept (R18).

The cards used most are `laptops--backpacks` (Technology, Load; Consumer, Import) and `potatoes--cups` (Agriculture,
Contract; Consumer, Import); `champagne--cannabis` is Luxury and Illegal.
"""

from __future__ import annotations

from typing import Any

import pytest
from table import asked, expect, finish_turn, kinds, needs, offered, play, run_defaults, table

from arena.game import Game, Options
from arena.game.actions import contract_options
from arena.game.catalogue import default_catalogue
from arena.game.errors import PositionError
from arena.game.positions import dump, load
from arena.game.setup import cards_in_use


def loads_wanted(**load: int) -> dict[str, dict[str, object]]:
    """The contract `lux-20` needs these Containers."""
    return {"lux-20": needs(**load)}


# The deal


def test_the_set_can_be_dealt_and_its_cards_lie_without_a_side() -> None:  # R18.1, Q101
    game = Game.new(Options(players=6, sets=("j",)), seed=5)
    doubles = set(default_catalogue().numbers_of_set("j"))
    assert doubles <= set(cards_in_use(game.options, game.catalogue))
    dealt = {card for ship in game.ships for card in ship.containers}
    dealt |= {card for player in game.players for card in player.hand}
    dealt |= {*game.pile, *game.island}
    assert doubles <= dealt
    assert not dealt & {side for card in doubles for side in game.catalogue.sides[card]}


def test_without_the_set_no_such_card_is_in_the_game() -> None:  # Q2
    game = Game.new(Options(players=2), seed=5)
    assert not game.doubles
    assert not set(cards_in_use(game.options, game.catalogue)) & set(default_catalogue().numbers_of_set("j"))


# As a contract


def test_either_side_can_be_placed_whatever_the_goods() -> None:  # R18.2
    game = table(hands={0: "agri-1 laptops--backpacks"})
    play(game, "0 lead:contract:agri-1*1")
    assert offered(game, 0) >= {"contract:laptops@ship-0", "contract:backpacks@ship-0"}
    events = play(game, "0 contract:backpacks@ship-0")
    expect(game, ships={0: {"contracts": "backpacks"}}, hands={0: ""})
    assert [e.public["card"] for e in events if e.kind == "contract"] == ["backpacks"]


def test_the_side_that_is_up_says_what_the_ship_needs() -> None:  # R18.2
    faces = {"laptops": needs(technology=2), "backpacks": needs(consumer=1)}
    for side, containers in (("laptops", "tech-1 tech-2"), ("backpacks", "cons-1")):
        *aboard, last = containers.split()
        ship = {"contracts": side, "containers": aboard}
        game = table(hands={0: f"tech-3 {last}"}, ships={0: ship}, faces=faces)
        play(game, "0 lead:load:tech-3*1", f"0 load:{last}@ship-0")
        expect(game, fulfilled={0: side}, ships={0: {"place": "sea", "containers": containers}})


def test_a_side_needs_room_for_its_own_load_only() -> None:  # R18.2, R9.2
    faces = {"agri-20": needs(agriculture=4), "laptops": needs(technology=3), "backpacks": needs(consumer=2)}
    game = table(hands={0: "agri-1 laptops--backpacks"}, ships={0: {"contracts": "agri-20"}}, faces=faces)
    play(game, "0 lead:contract:agri-1*1")
    assert {text for text in offered(game, 0) if text.startswith("contract")} == {"contract:backpacks@ship-0"}


def test_only_the_power_of_the_side_that_is_up_works() -> None:  # R18.2
    """Cups draw 5 cards; Potatoes, on the other side, would ask."""
    game = table(
        hands={0: "tech-3 cons-1"}, ships={0: {"contracts": "cups"}}, faces={"cups": needs(consumer=1)}
    )
    events = play(game, "0 lead:load:tech-3*1", "0 load:cons-1@ship-0")
    assert {"seat": 0, "count": 5} in [event.public for event in events if event.kind == "draw"]
    assert "potatoes" not in asked(game)


def test_a_fulfilled_contract_has_the_colour_of_its_side() -> None:  # P23
    """Improbability and Board Games look at colours; here those of the fulfilled cards."""
    fulfilled = "board-games champagne ill-1 laptops agri-1"
    faces = {"board-games": {"color": "consumer"}}
    game = table(fulfilled={0: fulfilled}, faces=faces)
    assert game.view(0)["players"][0]["crew_limit"] == 1000
    game = table(fulfilled={0: fulfilled.replace("laptops", "backpacks")}, faces=faces)
    assert game.view(0)["players"][0]["crew_limit"] == 6


def test_a_discarded_contract_is_free_again() -> None:  # P23, R9.6
    game = table(hands={0: "tech-3 tech-4"}, ships={0: {"contracts": "cups"}})
    play(game, "0 scrap@ship-0")
    expect(game, discard="potatoes--cups", ships={0: {"contracts": ""}})
    assert game.view(None)["top_discard"] == "potatoes--cups"


def test_a_double_card_lies_in_the_column_of_level_0_and_can_be_bought_on_either_side() -> None:
    """Q81, R17.4."""
    game = table(hands={0: "agri-1 agri-2"}, island="lux-1 potatoes--cups", sets=["tokyo"])
    assert "potatoes--cups" in game.view(0)["columns"][0]["cards"]
    play(game, "0 lead:contract:agri-1*1")
    assert offered(game, 0) >= {"contract:potatoes@ship-0", "contract:cups@ship-0"}
    play(game, "0 contract:cups@ship-0")
    expect(game, ships={0: {"contracts": "cups"}}, island="lux-1")


# Loading


def test_loading_costs_two_credits_and_the_colour_is_chosen() -> None:  # R18.3
    game = table(
        hands={0: "tech-1 laptops--backpacks"},
        ships={0: {"contracts": "lux-20"}},
        faces=loads_wanted(technology=1, consumer=1),
    )
    play(game, "0 lead:load:tech-1*1")
    assert offered(game, 0) >= {"load:laptops@ship-0", "load:backpacks@ship-0"}
    events = play(game, "0 load:backpacks@ship-0")
    expect(game, credits={0: 8}, ships={0: {"containers": "backpacks"}}, hands={0: ""})
    assert [e.public["why"] for e in events if e.kind == "credits"] == ["loading"]
    assert game.view(None)["ships"][0]["containers"] == ["backpacks"]


def test_only_a_colour_that_is_needed_can_be_loaded() -> None:  # R18.3, R10.2
    game = table(
        hands={0: "tech-1 tech-2 laptops--backpacks"},
        ships={0: {"contracts": "lux-20"}},
        faces=loads_wanted(consumer=2),
    )
    play(game, "0 lead:load:tech-1*1")
    assert offered(game, 0) == {"load:backpacks@ship-0", "scrap@ship-0"}


def test_who_cannot_pay_cannot_load_it() -> None:  # R18.3
    game = table(
        credits={0: 0},
        hands={0: "tech-1 laptops--backpacks cons-1"},
        ships={0: {"contracts": "lux-20"}},
        faces=loads_wanted(consumer=2),
    )
    play(game, "0 lead:load:tech-1*1")
    assert offered(game, 0) == {"load:cons-1@ship-0", "scrap@ship-0"}


def test_a_load_that_must_be_paid_is_compulsory() -> None:  # Q99, R5.1
    """Its owner picks what to load, but with nothing else the fee is no way out."""
    game = table(
        hands={0: "tech-1 laptops--backpacks"},
        ships={0: {"contracts": "lux-20"}},
        faces=loads_wanted(consumer=2),
    )
    play(game, "0 lead:load:tech-1*1")
    assert "pass" not in offered(game, 0)
    assert game.decision(0).options[0].text(game.catalogue) == "load:backpacks@ship-0"
    poor = table(
        credits={0: 0},
        hands={0: "tech-1 laptops--backpacks"},
        ships={0: {"contracts": "lux-20"}},
        faces=loads_wanted(consumer=2),
    )
    play(poor, "0 lead:load:tech-1*1")
    assert offered(poor, 0) == {"pass", "scrap@ship-0"}


def test_each_one_loaded_costs_its_fee() -> None:  # R18.3
    game = table(
        credits={0: 2},
        hands={0: "tech-1 laptops--backpacks potatoes--cups"},
        crew={0: "tech-2"},
        ships={0: {"contracts": "lux-20"}},
        faces=loads_wanted(consumer=3),
    )
    play(game, "0 lead:load:tech-1*2", "0 load:cups@ship-0")
    assert offered(game, 0) == {"pass", "scrap@ship-0"}
    expect(game, credits={0: 0})


def free_ship(power: str, more: str = "") -> Game:
    """Seat 0 has no credits; ship-0 needs Consumer Containers, ship-1 one Technology Container."""
    return table(
        credits={0: 0},
        hands={0: f"agri-1 tech-20 lux-5 laptops--backpacks {more}"},
        fulfilled={0: power},
        ships={0: {"contracts": "lux-20"}, 1: {"place": "port", "contracts": "tech-19", "containers": ""}},
        faces={**loads_wanted(consumer=2), "tech-19": needs(technology=1), "lux-5": needs(luxury=1)},
    )


def test_a_free_load_costs_nothing() -> None:  # P16, R18.3
    """Nanobots grant a free Load action, Paprika and Satellite a load for free."""
    game = free_ship("nanobots")
    play(game, "0 draw")
    assert "load:backpacks@ship-0" in offered(game, 0)
    play(game, "0 load:backpacks@ship-0")
    expect(game, credits={0: 0}, ships={0: {"containers": "backpacks"}})

    game = free_ship("paprika")
    play(game, "0 lead:contract:agri-1*1, 0 contract:lux-5@ship-0")
    assert offered(game, 0) == {"pass", "load:tech-20@ship-1", "load:laptops@ship-1", "load:backpacks@ship-0"}
    play(game, "0 load:backpacks@ship-0")
    expect(game, credits={0: 0}, ships={0: {"containers": "backpacks"}})

    game = free_ship("satellite", "tech-18")
    play(game, "0 lead:load:tech-18*1, 0 load:tech-20@ship-1, 0 pass, 0 load:backpacks@ship-0")
    expect(game, credits={0: 0}, ships={0: {"containers": "backpacks"}, 1: {"place": "sea"}})  # P27


# Played for an action


def test_in_hand_it_counts_as_both_actions_and_the_choice_is_part_of_the_announcement() -> None:
    """Q82, Q98."""
    game = table(hands={0: "laptops--backpacks"})
    assert offered(game, 0) == {"draw", "lead:load:laptops--backpacks*1", "lead:import:laptops--backpacks*1"}
    play(game, "0 lead:import:laptops--backpacks*1")
    expect(game, played={0: "laptops--backpacks"}, announced={0: 1})
    assert game.view(1)["players"][0]["doing"] == "import"
    finish_turn(game)
    expect(game, discard="laptops--backpacks")


def test_it_follows_either_action() -> None:  # Q82, R4.2
    for card, action in (("tech-1", "load"), ("cons-1", "import")):
        game = table(hands={0: card, 1: "laptops--backpacks"})
        play(game, f"0 lead:{action}:{card}*1")
        assert offered(game, 1) == {"draw", f"follow:{action}:laptops--backpacks*1"}
    game = table(hands={0: "agri-1", 1: "laptops--backpacks tech-1"})
    play(game, "0 lead:contract:agri-1*1")
    assert not [text for text in offered(game, 1) if text.startswith("follow:contract:laptops--backpacks*")]


def test_it_pairs_with_a_card_of_either_colour_as_a_wild() -> None:  # P23, R3.5
    game = table(hands={0: "agri-1", 1: "tech-1 cons-1 laptops--backpacks"})
    play(game, "0 lead:contract:agri-1*1")
    assert {text for text in offered(game, 1) if "+" in text} == {
        "follow:contract:laptops--backpacks+tech-1*1",
        "follow:contract:laptops--backpacks+cons-1*1",
    }


def test_who_holds_it_has_a_card_of_both_actions_so_needs_no_wild() -> None:  # Q82, Q13
    game = table(hands={0: "cons-1", 1: "tech-1 tech-2 laptops--backpacks"})
    play(game, "0 lead:import:cons-1*1")
    assert offered(game, 1) == {"draw", "follow:import:laptops--backpacks*1"}


# Crew and Goods


def test_its_owner_chooses_the_colour_when_it_becomes_crew_for_good() -> None:  # Q82
    game = table(hands={0: "lux-1"}, island="laptops--backpacks", ships={1: {"containers": "tech-5"}})
    play(game, "0 lead:supply:lux-1*1")
    assert offered(game, 0) == {"take:laptops", "take:backpacks"}
    play(game, "0 take:backpacks")
    expect(game, crew={0: "backpacks"}, island="")
    run_defaults(game, "0 lead")
    hand = game.players[0].hand
    assert {text.rpartition("*")[2] for text in offered(game, 0) if "lead:import" in text} == {"1", "2"}
    assert {text.rpartition("*")[2] for text in offered(game, 0) if "lead:load" in text} <= {"1"}
    assert hand


def test_at_the_crew_limit_no_side_is_chosen() -> None:  # R7.4
    game = table(hands={0: "lux-1"}, crew={0: "tech-1"}, island="laptops--backpacks")
    play(game, "0 lead:supply:lux-1*1")  # with one option nobody is asked
    expect(game, crew={0: "tech-1"}, island="")
    assert "laptops--backpacks" in [game.catalogue.ids[card] for card in game.discard]


def test_it_is_sold_without_a_side() -> None:  # R7.1, P23
    game = table(hands={0: "lux-1 laptops--backpacks"}, island="ill-1")
    play(game, "0 lead:supply:lux-1*1")
    assert offered(game, 0) == {"sell:laptops--backpacks", "take:ill-1"}
    play(game, "0 sell:laptops--backpacks")
    expect(game, island="ill-1 laptops--backpacks", credits={0: 14})


def test_goods_from_a_ship_keep_the_colour_they_were_loaded_with() -> None:  # Q82, R18.4
    game = table(hands={0: "cons-1"}, ships={1: {"containers": "backpacks tech-5 tech-6"}})
    play(game, "0 lead:import:cons-1*1")
    run_defaults(game, "0 import-take")
    taken = {text for text in offered(game, 0) if "laptops" in text or "backpacks" in text}
    assert taken == {"take:backpacks@crew", "take:backpacks@goods"}


def test_the_taker_chooses_the_colour_of_a_card_dealt_to_a_ship() -> None:  # Q83, Q101
    ships: dict[int, dict[str, Any]] = {
        1: {"containers": "laptops--backpacks potatoes--cups"},
        3: {"containers": ""},
        5: {"containers": ""},
    }
    for index in (3, 5):
        ships[index] = {"containers": f"lux-{index} lux-{index + 1}"}
    game = table(hands={0: "cons-1"}, ships=ships)
    assert game.view(2)["ships"][1]["containers"] == ["laptops--backpacks", "potatoes--cups"]
    play(game, "0 lead:import:cons-1*1, 0 import@ship-1")
    assert offered(game, 0) == {
        f"take:{side}@{place}" for side in ("laptops", "backpacks", "potatoes", "cups") for place in AREAS
    }
    play(game, "0 take:backpacks@goods")
    assert offered(game, 0) == {f"take:{side}@{place}" for side in ("potatoes", "cups") for place in AREAS}
    play(game, "0 take:potatoes@crew")
    expect(game, goods={0: "backpacks"}, crew={0: "potatoes"}, credits={0: 10}, ships={1: {"containers": ""}})
    assert game.players[0].credits == 10


AREAS = ("crew", "goods")


def test_a_card_that_fits_nowhere_is_discarded_and_free() -> None:  # R8.8, P23
    game = table(
        hands={0: "cons-1"},
        contracts={0: 1},
        crew={0: "tech-1"},
        goods={0: "lux-1 lux-2"},
        ships={1: {"containers": "laptops--backpacks"}, 3: {"containers": "tech-5 tech-6"}},
    )
    play(game, "0 lead:import:cons-1*1, 0 import@ship-1")
    assert offered(game, 0) == {"take:laptops@discard", "take:backpacks@discard"}
    play(game, "0 take:backpacks@discard")
    assert "laptops--backpacks" in [game.catalogue.ids[card] for card in game.discard]


def test_the_colour_chosen_stays_when_crew_become_goods() -> None:  # Q82
    """Sanitizer swaps the areas."""
    game = table(
        hands={0: "tech-3 lux-3"},
        contracts={0: 3},
        crew={0: "backpacks"},
        ships={0: {"contracts": "sanitizer"}},
        faces={"sanitizer": needs(luxury=1)},
    )
    play(game, "0 lead:load:tech-3*1", "0 load:lux-3@ship-0")
    expect(game, crew={0: ""}, goods={0: "backpacks"})


# Piracy


def pirating(containers: str = "", **zones: Any) -> Game:
    """Seat 0 is about to do Piracy; its Ship needs one Agriculture and one Consumer Container."""
    ships: dict[int, dict[str, Any]] = {0: {"contracts": "lux-20"}, 1: {"place": "port", "containers": ""}}
    if containers:
        ships[3] = {"containers": containers}
    game = table(
        hands={0: "ill-1"},
        ships=ships,
        faces=loads_wanted(agriculture=1, consumer=1, technology=1),
        **zones,
    )
    play(game, "0 lead:piracy:ill-1*1")
    return game


def test_a_loaded_double_card_is_pirated_as_the_colour_it_was_loaded_with() -> None:
    """T14, R18.4: loaded as yellow it is yellow only, and the orientation is kept."""
    game = pirating("potatoes tech-5")
    assert {text for text in offered(game, 0) if "@ship-3" in text} == {
        "pirate:potatoes@ship-3",
        "pirate:tech-5@ship-3",
    }
    play(game, "0 pirate:potatoes@ship-3")
    expect(game, ships={0: {"containers": "potatoes"}, 3: {"containers": "tech-5"}}, credits={0: 10})


def test_no_fee_is_due_for_a_card_pirated_from_a_ship() -> None:  # Q83, R18.4
    game = pirating("potatoes tech-5", credits={0: 0})
    play(game, "0 pirate:potatoes@ship-3")
    expect(game, ships={0: {"containers": "potatoes"}}, credits={0: 0})


def test_a_double_card_dealt_to_a_ship_is_pirated_for_either_colour() -> None:  # Q83, Q101
    game = pirating("potatoes--cups tech-5", credits={0: 0})
    assert {"pirate:potatoes@ship-3", "pirate:cups@ship-3"} <= offered(game, 0)
    play(game, "0 pirate:cups@ship-3")
    expect(game, ships={0: {"containers": "cups"}, 3: {"containers": "tech-5"}}, credits={0: 0})


def test_a_double_card_of_the_island_costs_the_fee() -> None:  # Q83, Q99
    game = pirating(island="potatoes--cups")
    assert {"pirate:potatoes", "pirate:cups"} <= offered(game, 0)
    play(game, "0 pirate:cups")
    expect(game, ships={0: {"containers": "cups"}}, credits={0: 8}, island="")


def test_who_cannot_pay_discards_a_double_card_of_the_island() -> None:  # Q83
    game = pirating(island="potatoes--cups", credits={0: 0})
    play(game, "0 pirate:cups")
    expect(game, ships={0: {"containers": ""}}, credits={0: 0}, island="")
    assert "potatoes--cups" in [game.catalogue.ids[card] for card in game.discard]


def test_a_colour_that_cannot_be_loaded_costs_nothing_and_is_discarded() -> None:  # Q83, R12.2
    game = pirating(island="champagne--cannabis")
    play(game, "0 pirate:champagne")
    expect(game, ships={0: {"containers": ""}}, credits={0: 10}, island="")


# A Ship that comes home with cards that were dealt to it


def home() -> Game:
    """Seat 0 has Aeroponics, so ship-1 returns with one card; seat 1 is to take the others."""
    return table(
        lead=1,
        hands={1: "ill-1"},
        fulfilled={0: "aeroponics"},
        credits={0: 0},
        ships={1: {"containers": "laptops--backpacks tech-5"}, 2: {"contracts": "lux-20"}},
        faces=loads_wanted(technology=2),
    )


def test_the_owner_fixes_the_colour_of_a_card_that_comes_home_before_anything_is_matched() -> None:
    """Q101: for free, and at once."""
    game = home()
    play(game, "1 lead:piracy:ill-1*1, 1 pirate:tech-5@ship-1")
    expect(game, asks="0 side", ships={1: {"place": "port", "containers": "laptops--backpacks"}})
    assert offered(game, 0) == {"side:laptops@ship-1", "side:backpacks@ship-1"}
    copy = Game.from_json(game.to_json(), game.catalogue)
    position = load(dump(game), game.catalogue)
    events = play(game, "0 side:backpacks@ship-1")
    expect(game, ships={1: {"containers": "backpacks"}, 2: {"containers": "tech-5"}}, credits={0: 0})
    assert kinds(events)[0] == "side"
    for other in (copy, position):
        play(other, "0 side:backpacks@ship-1")
        assert other.to_json() == game.to_json()


def test_a_loaded_card_that_comes_home_keeps_its_colour() -> None:  # R18.4
    game = table(
        lead=1,
        hands={1: "ill-1"},
        fulfilled={0: "aeroponics"},
        ships={1: {"containers": "laptops tech-5"}, 2: {"contracts": "lux-20"}},
        faces=loads_wanted(technology=2),
    )
    play(game, "1 lead:piracy:ill-1*1, 1 pirate:tech-5@ship-1")
    assert asked(game) != "0 side"
    expect(game, ships={1: {"place": "port", "containers": "laptops"}})


# Positions


@pytest.mark.parametrize(
    ("player", "ship", "message"),
    [
        (
            {"hand": ["cups"]},
            {},
            "players[0].hand has cups, one side of potatoes--cups; no side is up there, so say potatoes--cups",
        ),
        (
            {"goods": ["potatoes--cups"]},
            {},
            "players[0].goods has potatoes--cups, of which one side must be up there; say potatoes or cups",
        ),
        (
            {},
            {"containers": ["potatoes--cups"]},
            "ship-0.containers has potatoes--cups, of which one side must be up there; say potatoes or cups",
        ),
        (
            {"crew": ["cups"], "goods": ["potatoes"]},
            {},
            "players[0].goods has potatoes--cups and players[0].crew has it too; each card lies in one place",
        ),
    ],
)
def test_a_position_says_which_side_is_up_and_only_where_one_is(
    player: dict[str, Any], ship: dict[str, Any], message: str
) -> None:  # R18, P23
    with pytest.raises(PositionError) as caught:
        load({"players": [player, {}], "ships": [ship], "sets": ["j"]})
    assert str(caught.value) == message


def test_a_side_is_refused_as_its_card_is_without_the_set() -> None:  # Q2
    with pytest.raises(PositionError, match='names cups of the set j, which is not in use; add "j" to sets'):
        load({"players": [{"goods": ["cups"]}, {}]})


def test_contract_options_name_both_sides_of_cards_on_the_island() -> None:  # R18.2
    """For powers that place from there, as Spacecraft does."""
    game = table(island="potatoes--cups")
    options, free = contract_options(game, 0, 0, game.island)
    assert [option.text(game.catalogue) for option in options] == [
        "contract:potatoes@ship-0",
        "contract:cups@ship-0",
    ]
    assert free
