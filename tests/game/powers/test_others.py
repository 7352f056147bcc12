"""Powers that deal with other players' contracts, or take over a power."""

from __future__ import annotations

from typing import Any

from table import asked, expect, finish_turn, kinds, needs, offered, play, run_defaults, table, totals

from arena.game import Game
from arena.game.positions import dump, load
from powers.scenes import LAST, brink, led

# Bird Feed


def test_bird_feed_goes_to_the_first_who_buys() -> None:
    """power: bird-feed"""
    game = brink("bird-feed", credits={0: 0, 1: 4})
    play(game, LAST)
    expect(game, asks="2 bird-feed")
    play(game, "2 yes")
    expect(game, credits={0: 12, 1: 4, 2: 4}, fulfilled={0: "", 2: "bird-feed"})
    assert [player.contracts for player in game.players] == [1, 1, 2]


def test_bird_feed_is_offered_clockwise_and_the_first_yes_ends_it() -> None:
    """power: bird-feed"""
    game = brink("bird-feed")
    play(game, LAST)
    expect(game, asks="1 bird-feed")
    bought = game.clone()
    play(bought, "1 yes")
    expect(bought, credits={0: 22, 1: 4, 2: 10}, fulfilled={1: "bird-feed", 0: ""})
    play(game, "1 pass", "2 pass")
    expect(game, credits={0: 16}, fulfilled={0: "bird-feed"})


def test_bird_feed_is_not_fulfilled_by_its_buyer() -> None:
    """power: bird-feed, onions"""
    game = brink("bird-feed", fulfilled={1: "onions"}, credits={2: 0})
    play(game, LAST, "1 yes")
    expect(game, credits={1: 4}, fulfilled={1: "onions bird-feed"})


# Railguns


def railguns(**zones: Any) -> Game:
    """The case of the test of Railguns, at the question to seat 2; seat 1 has nothing to give."""
    given: dict[str, Any] = {
        "credits": {1: 2, 2: 4},
        "goods": {1: "lux-1", 2: "lux-2 lux-3"},
        "contracts": {1: 1},
        "fulfilled": {2: "agri-1"},
    }
    game = brink("railguns", **{**given, **zones})
    play(game, LAST)
    return game


def test_railguns_let_each_other_player_choose_what_to_give() -> None:
    """power: railguns"""
    game = railguns()
    expect(game, asks="2 railguns")
    assert offered(game, 2) == {
        "give:credits",
        "give:contract:agri-1",
        "give:good:lux-2",
        "give:good:lux-3",
    }
    play(game, "2 give:credits")
    expect(game, credits={0: 20, 1: 2, 2: 0}, goods={1: "lux-1"})

    game = railguns()
    play(game, "2 give:contract:agri-1")
    expect(game, credits={0: 16, 2: 4}, fulfilled={0: "railguns agri-1", 2: ""})

    game = railguns()
    play(game, "2 give:good:lux-3")
    expect(game, goods={0: "lux-3 lux-2", 2: ""}, credits={0: 16})


def test_railguns_bring_contracts_before_goods() -> None:
    """power: railguns"""
    game = brink(
        "railguns",
        credits={1: 0, 2: 0},
        goods={0: "ill-1 ill-2", 1: "lux-1 lux-2"},
        fulfilled={2: "agri-1"},
    )
    play(game, LAST, "1 give:good:lux-1")  # seat 2 has one thing to give
    expect(game, fulfilled={0: "railguns agri-1"}, goods={0: "ill-1 ill-2 lux-1 lux-2"})


def test_railguns_take_what_is_left_when_a_given_contract_fulfils_a_ship() -> None:
    """power: railguns, soap, interest (Q55)"""
    game = brink(
        "railguns",
        credits={1: 0, 2: 0},
        goods={1: "agri-1 agri-2 agri-3"},
        fulfilled={2: "soap"},
        ships={1: {"place": "port", "contracts": "interest", "containers": "lux-1 cons-1"}},
        faces={"interest": needs(luxury=2)},
    )
    play(game, LAST, "1 give:good:agri-1, 1 give:good:agri-2, 1 give:agri-1")
    expect(game, goods={0: "agri-1 agri-2", 1: "agri-3"}, fulfilled={0: "railguns soap interest"})


def test_railguns_tell_everybody_what_was_promised() -> None:
    """power: railguns"""
    game = brink("railguns", credits={1: 0}, goods={1: "lux-1 lux-2 lux-3"}, fulfilled={2: "agri-1"})
    events = play(game, LAST, "1 give:good:lux-1", "1 give:good:lux-3")
    expect(game, asks="2 railguns", goods={1: "lux-1 lux-2 lux-3"})
    told = [event.for_seat(2) for event in events if event.kind == "promise"]
    assert told == [{"event": "promise", "seat": 1, "to": 0, "cards": ["lux-1", "lux-3"]}]


def test_railguns_over_the_limit_keep_new_goods_by_choice_and_no_old_one_leaves() -> None:  # P11
    """power: railguns"""
    game = brink(
        "railguns",
        credits={1: 0, 2: 0},
        goods={0: "ill-1 ill-2", 1: "lux-1 lux-2", 2: "lux-3 lux-4"},
        contracts={0: 1, 1: 1, 2: 1},
    )
    play(game, LAST, "1 give:good:lux-1", "2 give:good:lux-3")
    expect(game, asks="0 overflow-goods")
    assert offered(game, 0) == {f"discard:lux-{number}" for number in range(1, 5)}
    play(game, "0 discard:lux-1", "0 discard:lux-4")
    expect(game, goods={0: "ill-1 ill-2 lux-2 lux-3"})


def test_railguns_sink_the_limits_of_the_giver() -> None:  # P10
    """power: railguns"""
    game = brink(
        "railguns", credits={1: 0}, crew={1: "agri-8 agri-9"}, fulfilled={1: "agri-1"}, contracts={1: 2}
    )
    play(game, LAST)
    expect(game, fulfilled={0: "railguns agri-1", 1: ""}, asks="1 overflow-crew")


def test_railguns_pass_a_continuous_power_on_but_no_immediate_one() -> None:  # P31
    """power: railguns, mineral-fuels, cups"""
    game = brink("railguns", credits={1: 0, 2: 0}, fulfilled={1: "mineral-fuels", 2: "cups"})
    play(game, LAST)
    expect(game, hand_sizes={0: 0}, fulfilled={0: "railguns mineral-fuels cups"})
    run_defaults(game, lambda game: game.turn > 3)
    expect(game, hand_sizes={0: 6})  # with an empty hand there is nothing to do but draw


# Stolen Documents


def test_stolen_documents_swap_for_a_technology_contract() -> None:
    """power: stolen-documents, laptops"""
    game = led(
        "load",
        2,
        hands={0: "ill-2 tech-2"},
        fulfilled={1: "laptops"},
        contracts={1: 2},
        ships={
            0: {"contracts": "stolen-documents", "containers": "ill-1"},
            1: {"place": "port", "contracts": "tech-5", "containers": "tech-6"},
        },
        faces={"stolen-documents": needs(illegal=2)},
    )
    before = game.players[0].contracts
    play(game, "0 load:ill-2@ship-0")
    expect(game, credits={0: 16}, hand_sizes={0: 1}, fulfilled={1: "stolen-documents"})
    assert [player.contracts for player in game.players[:2]] == [before + 1, 2]
    play(game, "0 load:tech-2@ship-1")
    expect(game, credits={0: 22}, hand_sizes={0: 2})


def test_stolen_documents_choose_among_technology_contracts_of_others() -> None:
    """power: stolen-documents"""
    game = brink("stolen-documents", fulfilled={0: "tech-1", 1: "tech-2 agri-1", 2: "tech-3 blank-30"})
    play(game, LAST)
    assert offered(game, 0) == {"steal:tech-2@seat-1", "steal:tech-3@seat-2"}
    play(game, "0 steal:tech-3@seat-2")
    expect(
        game,
        fulfilled={0: "tech-1 tech-3", 1: "tech-2 agri-1", 2: "blank-30 stolen-documents"},
        credits={0: 16},
    )


def test_stolen_documents_stay_if_there_is_nothing_to_steal() -> None:
    """power: stolen-documents"""
    game = brink("stolen-documents", fulfilled={0: "tech-1", 1: "agri-1"})
    play(game, LAST)
    expect(game, fulfilled={0: "tech-1 stolen-documents", 1: "agri-1"})


def test_a_stolen_immediate_power_resolves_as_if_just_fulfilled() -> None:  # P31
    """power: stolen-documents, cups, onions"""
    technology = {"color": "technology"}
    game = brink("stolen-documents", fulfilled={1: "cups"}, faces={"cups": technology})
    events = play(game, LAST)
    expect(game, hand_sizes={0: 5}, credits={0: 16}, fulfilled={0: "cups"})
    assert kinds(events).count("island") == 1  # no Ship, no payout, no card for the Island

    game = brink("stolen-documents", fulfilled={1: "onions"}, faces={"onions": technology})
    play(game, LAST)
    expect(game, credits={0: 18})  # this one included


def test_a_stolen_contract_redirects_itself() -> None:
    """power: stolen-documents, container-factory"""
    game = brink(
        "stolen-documents",
        fulfilled={1: "container-factory"},
        faces={"container-factory": {"color": "technology"}},
    )
    play(game, LAST, "0 put:container-factory@hand")
    expect(game, fulfilled={0: "", 1: "stolen-documents"}, hands={0: "container-factory"})


def test_stolen_documents_do_nothing_for_their_new_owner() -> None:
    """power: stolen-documents"""
    game = brink("stolen-documents", fulfilled={0: "tech-1", 1: "tech-2"})
    play(game, LAST)
    assert asked(game) != "1 stolen-documents"
    expect(game, fulfilled={0: "tech-1 tech-2", 1: "stolen-documents"})


def test_a_stolen_wind_turbines_keeps_its_copy_and_chooses_nothing() -> None:
    """power: stolen-documents, wind-turbines, mineral-fuels, cups"""
    game = brink(
        "stolen-documents", fulfilled={1: "wind-turbines"}, copies={"wind-turbines": "mineral-fuels"}
    )
    play(game, LAST)
    expect(game, fulfilled={0: "wind-turbines"})
    assert game.power_of(game.catalogue.number_of["wind-turbines"]) == "mineral-fuels"

    game = brink("stolen-documents", fulfilled={1: "wind-turbines"}, copies={"wind-turbines": "cups"})
    play(game, LAST)
    expect(game, hand_sizes={0: 5})  # a copied immediate power resolves again


# Wind Turbines


def copying(power: str, **zones: Any) -> Game:
    """Seat 0 fulfils Wind Turbines and copies this card of seat 1."""
    faces = {power: {"level": {}}, **zones.pop("faces", {})}
    game = brink("wind-turbines", fulfilled={1: power, **zones.pop("fulfilled", {})}, faces=faces, **zones)
    play(game, LAST)
    return game


def test_wind_turbines_copy_onions() -> None:
    """power: wind-turbines, onions"""
    for lost in (False, True):
        game = led(
            "load",
            hands={0: "tech-1"},
            fulfilled={0: "wind-turbines", 1: "" if lost else "onions"},
            copies={"wind-turbines": "onions"},
            ships={0: {"contracts": "agri-1", "containers": "tech-2"}},
            faces={"agri-1": needs(technology=2)},
        )
        play(game, "0 load:tech-1@ship-0")
        expect(game, credits={0: 18})

    game = copying("onions")
    expect(game, credits={0: 16})
    assert game.view(2)["copies"] == {"wind-turbines": "onions"}


def test_wind_turbines_choose_any_other_contract_of_level_one_or_less() -> None:
    """power: wind-turbines"""
    game = brink(
        "wind-turbines agri-1",
        fulfilled={0: "lux-1", 1: "lux-2 lux-3", 2: "lux-4"},
        faces={"lux-2": {"level": {"technology": 1, "luxury": 1}}, "lux-4": {"level": {"luxury": 1}}},
    )
    play(game, LAST)
    assert offered(game, 0) == {"copy:lux-1", "copy:agri-1", "copy:lux-3", "copy:lux-4"}


def test_wind_turbines_copy_an_immediate_power_once() -> None:
    """power: wind-turbines, cups, almonds"""
    expect(copying("cups"), hand_sizes={0: 5})
    game = copying("almonds")
    expect(game, credits={0: 16 + 8})
    finish_turn(game)
    expect(game, credits={0: 24})


def test_wind_turbines_see_this_one_included_by_their_own_colour() -> None:
    """power: wind-turbines, onions"""
    game = brink("wind-turbines agri-1", fulfilled={1: "onions"})
    play(game, LAST, "0 copy:onions")
    expect(game, credits={0: 16 + 2})  # for the other contract of the Ship; a copy is not Agriculture


def test_wind_turbines_that_find_nothing_do_nothing_for_good() -> None:
    """power: wind-turbines"""
    game = brink("wind-turbines", fulfilled={1: "lux-1"}, faces={"lux-1": {"level": {"luxury": 2}}})
    play(game, LAST)
    expect(game, fulfilled={0: "wind-turbines"}, credits={0: 16})
    assert asked(game) != "0 wind-turbines"


def test_wind_turbines_that_copied_nothing_can_be_written_down() -> None:
    """power: wind-turbines"""
    game = brink("wind-turbines")
    play(game, LAST)
    again = load(dump(game), game.catalogue)
    assert again.digest() == game.digest()


def test_wind_turbines_copy_what_another_wind_turbines_copied() -> None:
    """power: wind-turbines, flowers"""
    game = brink(
        "wind-turbines",
        fulfilled={1: "lux-1"},
        copies={"lux-1": "flowers"},
    )
    play(game, LAST)
    expect(game, credits={0: 20, 1: 14, 2: 14})


def test_a_copy_that_moves_itself_moves_wind_turbines_and_loses_it() -> None:
    """power: wind-turbines, container-factory, bamboo"""
    game = copying("container-factory")
    play(game, "0 put:wind-turbines@hand")
    expect(game, hands={0: "wind-turbines"}, fulfilled={0: "", 1: "container-factory"})
    assert not game.copies

    game = brink(
        "wind-turbines",
        fulfilled={1: "bamboo"},
        faces={"bamboo": {"level": {}}, "wind-turbines": {"level": {}}},
        ships={1: {"place": "port"}},
    )
    play(game, LAST, "0 contract:wind-turbines@ship-1")
    expect(game, fulfilled={0: ""}, ships={1: {"contracts": "wind-turbines"}})
    assert not game.copies


def test_a_copy_of_diesel_engine_is_a_ship_without_power() -> None:
    """power: wind-turbines, diesel-engine"""
    game = copying("diesel-engine")
    expect(game, fulfilled={0: "", 1: "diesel-engine"})
    assert not game.copies


def test_a_wind_turbines_fulfilled_again_chooses_anew() -> None:
    """power: wind-turbines, bamboo"""
    game = brink(
        "wind-turbines",
        fulfilled={1: "bamboo"},
        faces={"bamboo": {"level": {}}, "wind-turbines": {"level": {}}},
        ships={1: {"place": "port", "containers": "tech-1 tech-2"}},
    )
    play(game, LAST, "0 contract:wind-turbines@ship-1")
    expect(game, credits={0: 22}, fulfilled={0: "wind-turbines"}, ships={1: {"place": "sea"}})
    assert game.view(0)["copies"] == {"wind-turbines": "bamboo"}


def test_a_copy_of_automation_rides_no_further() -> None:
    """power: wind-turbines, automation"""
    game = copying("automation", ships={1: {"place": "port", "contracts": "lux-1"}})
    expect(game, fulfilled={0: ""}, ships={1: {"containers": "wind-turbines"}})
    assert not game.copies


def test_wind_turbines_given_to_another_player_keep_the_copy() -> None:  # P31
    """power: wind-turbines, railguns, mineral-fuels, bird-feed"""
    game = brink(
        "railguns",
        credits={1: 0, 2: 0},
        fulfilled={1: "wind-turbines"},
        copies={"wind-turbines": "mineral-fuels"},
    )
    play(game, LAST)
    expect(game, fulfilled={0: "railguns wind-turbines"})
    assert game.copies

    game = brink("wind-turbines", fulfilled={1: "bird-feed"}, faces={"bird-feed": {"level": {}}})
    play(game, LAST, "1 yes")
    assert list(game.copies.values()) == ["bird-feed"]


def test_a_copy_of_a_power_that_works_elsewhere_does_nothing() -> None:
    """power: wind-turbines, bok-choy, yogurt, tortillas"""
    for power in ("bok-choy", "yogurt", "tortillas"):
        game = copying(power)
        expect(game, credits={0: 16}, hand_sizes={0: 0}, fulfilled={0: "wind-turbines"})


def test_wind_turbines_copy_an_end_power() -> None:
    """power: wind-turbines, apple-watch"""
    game = table(
        ending="turns",
        fulfilled={0: "wind-turbines"},
        copies={"wind-turbines": "apple-watch"},
        goods={0: "lux-1 cons-1"},
    )
    assert totals(game) == (10 + 2 + 6 + 8 + 6, 10, 10)


def test_two_of_one_adding_power_add_up() -> None:  # P35
    """power: wind-turbines, bubblegum"""
    game = led(
        "import",
        seat=1,
        fulfilled={0: "bubblegum wind-turbines"},
        copies={"wind-turbines": "bubblegum"},
        ships={5: {"containers": "cons-1 lux-1 lux-2"}},
    )
    play(game, "1 import@ship-5", "1 take:cons-1@goods", "1 take:lux-1@crew")
    expect(game, credits={0: 18})
