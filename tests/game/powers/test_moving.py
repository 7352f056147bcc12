"""Powers by which cards change places when they are fulfilled: the card itself."""

from __future__ import annotations

from typing import Any

from table import expect, finish_turn, kinds, needs, offered, play, run_defaults, table

from arena.game import Game
from arena.game.terms import PIRACY
from powers.fulfilling import fulfil, grant
from powers.moved import HOME, SINGLE, limits

OPEN: dict[str, Any] = {"place": "port", "contracts": "lux-1"}


def test_the_algorithm_stays_only_if_nothing_else_is_possible() -> None:
    """power: the-algorithm"""
    game = fulfil("the-algorithm", contracts={0: 1}, crew={0: "lux-1"})
    expect(game, credits={0: 16}, fulfilled={0: "the-algorithm"}, crew={0: "lux-1"})
    assert limits(game) == (2, 4)

    free = fulfil("the-algorithm")
    expect(free, fulfilled={0: ""}, crew={0: "the-algorithm"}, asks="0 pause")
    assert limits(free) == (1, 2)


def test_the_algorithm_may_be_loaded_and_fulfil_another_ship() -> None:
    """power: the-algorithm"""
    game = fulfil("the-algorithm", ships={1: {**OPEN, "containers": "lux-2"}})
    assert offered(game, 0) == {"put:the-algorithm@crew", "put:the-algorithm@ship-1"}
    play(game, "0 put:the-algorithm@ship-1")
    expect(game, credits={0: 22}, fulfilled={0: "lux-1"}, ships={1: {"containers": "lux-2 the-algorithm"}})


def test_the_algorithm_with_a_colour_needs_a_slot_of_it() -> None:
    """power: the-algorithm"""
    faces = {"the-algorithm": {"color": "illegal"}}
    game = fulfil("the-algorithm", faces=faces, contracts={0: 1}, crew={0: "lux-9"}, ships={1: OPEN})
    expect(game, fulfilled={0: "the-algorithm"})


def test_avocado_goes_to_the_crew_or_is_discarded() -> None:
    """power: avocado"""
    game = fulfil("avocado")
    expect(game, credits={0: 16}, crew={0: "avocado"}, fulfilled={0: ""})
    assert limits(game) == (1, 2)

    full = fulfil("avocado", contracts={0: 1}, crew={0: "lux-1"})
    expect(full, crew={0: "lux-1"}, fulfilled={0: ""}, discard="avocado")
    assert limits(full) == (1, 2)


def test_avocado_copied_moves_the_copy() -> None:
    """power: avocado, wind-turbines"""
    game = fulfil("wind-turbines", fulfilled={1: "avocado"})
    expect(game, crew={0: "wind-turbines"}, fulfilled={0: ""})
    assert not game.copies


def test_beer_may_be_put_on_the_island_for_6() -> None:
    """power: beer"""
    game = fulfil("beer")
    assert game.decision(0).texts(game.catalogue) == ["put:beer@fulfilled", "put:beer@island"]
    play(game, "0 put:beer@island")
    expect(game, credits={0: 22}, fulfilled={0: ""}, island="beer pile-1", sold={0: False})
    assert limits(game) == (1, 2)

    kept = fulfil("beer")
    play(kept, "0 put:beer@fulfilled")
    expect(kept, credits={0: 16}, fulfilled={0: "beer"})


def test_cheap_labor_is_loaded_also_on_a_ship_without_contract() -> None:
    """power: cheap-labor"""
    game = fulfil("cheap-labor", ships={1: HOME})
    expect(
        game, credits={0: 16}, fulfilled={0: ""}, ships={1: {"place": "port", "containers": "cheap-labor"}}
    )
    assert limits(game) == (1, 2)

    away = fulfil("cheap-labor")
    expect(away, fulfilled={0: "cheap-labor"})
    assert limits(away) == (2, 4)


def test_cheap_labor_needs_an_unmet_requirement_of_a_ship_with_contracts() -> None:
    """power: cheap-labor"""
    game = fulfil("cheap-labor", ships={1: {**OPEN, "containers": "lux-2"}})
    expect(game, credits={0: 22}, fulfilled={0: "lux-1"}, ships={1: {"place": "sea"}})

    faces = {"cheap-labor": {"color": "illegal"}}
    coloured = fulfil("cheap-labor", faces=faces, ships={1: OPEN})
    expect(coloured, fulfilled={0: "cheap-labor"})


def test_cheap_labor_loose_scores_nothing() -> None:
    """power: cheap-labor"""
    game = fulfil("cheap-labor", ships={1: HOME})
    game.ending = "turns"
    finish_turn(game)
    assert game.result is not None
    assert game.result.credits[0] == 16


def test_diesel_engine_becomes_a_third_ship() -> None:
    """power: diesel-engine"""
    game = fulfil("diesel-engine", 3)
    expect(
        game,
        credits={0: 20},
        fulfilled={0: ""},
        ships={6: {"place": "port", "contracts": "", "containers": ""}},
    )
    assert limits(game) == (1, 2)
    assert game.view(None)["ships"][6]["single_use"] == "diesel-engine"
    again = Game.from_json(game.to_json(), game.catalogue)
    assert again.to_json() == game.to_json()


def test_diesel_engine_takes_contracts_and_sails() -> None:
    """power: diesel-engine"""
    game = table(hands={0: "agri-20 lux-1"}, ships={0: {"place": "sea"}, 6: SINGLE})
    play(game, "0 lead:contract:agri-20*1")  # no other Ship is in Port
    expect(game, ships={6: {"contracts": "lux-1"}})

    loading = table(
        hands={0: "tech-20 lux-3 ill-1"}, ships={6: {**SINGLE, "contracts": "lux-1", "containers": "lux-2"}}
    )
    play(loading, "0 lead:load:tech-20*1", "0 load:lux-3@ship-6")
    expect(
        loading,
        credits={0: 16},
        fulfilled={0: "lux-1"},
        ships={6: {"place": "sea", "containers": "lux-2 lux-3"}},
    )


def test_diesel_engine_emptied_at_sea_is_discarded() -> None:
    """power: diesel-engine, backpacks"""
    game = table(
        lead=1,
        hands={1: "cons-20"},
        fulfilled={0: "backpacks"},
        ships={6: {**SINGLE, "place": "sea", "containers": "lux-1 lux-2"}},
    )
    play(game, "1 lead:import:cons-20*1", "1 import@ship-6", "1 take:lux-1@goods", "1 take:lux-2@goods")
    expect(game, credits={0: 12}, discard="cons-20 diesel-engine", ships={6: {"place": "gone"}})
    assert "ship-returns" not in kinds(game.events)


def test_diesel_engine_emptied_in_port_stays() -> None:
    """power: diesel-engine, mini-van"""
    game = table(
        lead=1,
        hands={1: "ill-20"},
        fulfilled={1: "mini-van"},
        ships={6: {**SINGLE, "containers": "lux-1"}},
    )
    play(game, "1 lead:piracy:ill-20*1", "1 pirate:mini-van:lux-1@ship-6")
    expect(game, ships={6: {"place": "port", "containers": ""}})


def test_diesel_engine_stays_with_aeroponics() -> None:
    """power: diesel-engine, aeroponics"""
    game = table(
        fulfilled={0: "aeroponics"},
        hands={0: "lux-9"},
        ships={6: {**SINGLE, "place": "sea", "containers": "lux-1 lux-2"}},
    )
    grant(game, 1, PIRACY)
    play(game, "1 pirate:lux-1@ship-6")
    expect(game, ships={6: {"place": "port", "containers": "lux-2"}})


def test_euros_goes_aboard_a_ship_at_sea() -> None:
    """power: euros"""
    ships = {1: HOME, 3: {"containers": "lux-1"}, 5: HOME}
    game = fulfil("euros", ships=ships)
    expect(game, credits={0: 16}, fulfilled={0: ""}, ships={3: {"containers": "lux-1 euros"}})
    assert limits(game) == (1, 2)

    none = fulfil("euros", ships={1: HOME, 3: HOME, 5: HOME})
    expect(none, fulfilled={0: "euros"})
    assert limits(none) == (2, 4)


def test_euros_lets_its_owner_choose_the_ship_and_can_be_imported_not_pirated() -> None:
    """power: euros"""
    game = fulfil("euros", hands={0: "lux-9"})
    assert offered(game, 0) == {"put:euros@ship-1", "put:euros@ship-3", "put:euros@ship-5"}
    play(game, "0 put:euros@ship-3")
    grant(game, 1, PIRACY)
    assert "pirate:euros@ship-3" not in offered(game, 1)

    importing = table(hands={0: "cons-20"}, ships={3: {"containers": "lux-1 euros"}})
    play(importing, "0 lead:import:cons-20*1", "0 import@ship-3", "0 take:euros@crew")
    expect(importing, credits={1: 12}, crew={0: "euros"})


def test_gps_is_loaded_as_a_rainbow_container() -> None:
    """power: gps"""
    game = fulfil("gps", 3, ships={1: {**OPEN, "containers": "lux-2"}})
    expect(
        game, credits={0: 26}, fulfilled={0: "lux-1"}, ships={1: {"place": "sea", "containers": "lux-2 gps"}}
    )
    assert game.view(None)["ships"][1]["rainbow"] == ["gps"]

    none = fulfil("gps", 3, ships={1: HOME})
    expect(none, fulfilled={0: ""}, discard="gps")
    assert limits(none) == (1, 2)


ABOARD_AT_SEA: dict[str, Any] = {"containers": "gps lux-1", "rainbow": "gps"}


def test_gps_left_alone_by_piracy_returns_the_ship() -> None:
    """power: gps"""
    game = table(lead=1, hands={1: "ill-20"}, ships={1: ABOARD_AT_SEA})
    assert "pirate:gps@ship-1" not in offered(game, 1)
    play(game, "1 lead:piracy:ill-20*1", "1 pirate:lux-1@ship-1")
    expect(game, ships={1: {"place": "port", "containers": ""}}, credits={0: 10}, discard="ill-20 gps lux-1")


def test_gps_return_is_seen_by_toyota_and_backpacks() -> None:
    """power: gps, toyota, backpacks"""
    game = table(
        lead=1,
        hands={1: "ill-20"},
        fulfilled={0: "toyota", 2: "backpacks"},
        ships={1: ABOARD_AT_SEA},
    )
    play(game, "1 lead:piracy:ill-20*1")
    events = play(game, "1 pirate:lux-1@ship-1")
    assert kinds(events).count("ship-returns") == 1
    expect(game, asks="2 backpacks")
    drawn = [event.public for event in play(game, "2 pass") if event.kind == "draw"]
    assert (drawn[0]["seat"], drawn[0]["count"]) == (0, 3)


def test_gps_can_be_imported_with_the_last_other_card() -> None:
    """power: gps"""
    game = table(lead=1, hands={1: "cons-20"}, ships={1: ABOARD_AT_SEA})
    play(game, "1 lead:import:cons-20*1", "1 import@ship-1", "1 take:lux-1@goods", "1 take:gps@crew")
    expect(game, crew={1: "gps"}, goods={1: "lux-1"}, ships={1: {"place": "port"}}, discard="cons-20")


def test_gps_is_checked_after_the_whole_import() -> None:
    """power: gps"""
    ships = {1: {"containers": "gps lux-1 lux-2", "rainbow": "gps"}}
    game = table(lead=1, hands={1: "cons-20"}, ships=ships)
    play(game, "1 lead:import:cons-20*1", "1 import@ship-1", "1 take:lux-1@goods", "1 take:lux-2@crew")
    expect(game, ships={1: {"place": "port", "containers": ""}}, discard="cons-20 gps", credits={0: 12})


def test_gps_wins_against_aeroponics_in_the_middle_of_an_import() -> None:
    """power: gps, aeroponics"""
    game = table(lead=1, hands={1: "cons-20"}, fulfilled={0: "aeroponics"}, ships={1: ABOARD_AT_SEA})
    play(game, "1 lead:import:cons-20*1", "1 import@ship-1", "1 take:lux-1@goods")
    expect(
        game,
        ships={1: {"place": "port", "containers": ""}},
        goods={1: "lux-1"},
        crew={1: ""},
        credits={0: 12},
    )
    expect(game, discard="cons-20 gps")


def test_gps_sailing_alone_returns_before_the_card_for_the_island() -> None:
    """power: gps, jets"""
    game = table(
        fulfilled={0: "jets"},
        hands={0: "tech-20 tech-19"},
        ships={0: {"contracts": "tech-1", "containers": "gps", "rainbow": "gps"}},
    )
    events = play(game, "0 lead:load:tech-20*1", "0 load:tech-19@ship-0")
    events += game.choose_text(0, next(text for text in offered(game, 0) if "tech-19" in text))
    expect(game, goods={0: "tech-19"}, ships={0: {"place": "port", "containers": ""}})
    order = [kind for kind in kinds(events) if kind in ("ship-returns", "island")]
    assert order == ["ship-returns", "island"]


def test_gps_that_was_dealt_aboard_is_an_ordinary_card() -> None:
    """power: gps"""
    game = table(lead=1, hands={1: "ill-20"}, ships={1: {"containers": "gps lux-1"}})
    play(game, "1 lead:piracy:ill-20*1", "1 pirate:lux-1@ship-1")
    expect(game, ships={1: {"place": "sea", "containers": "gps"}})


def test_small_poodles_become_a_good() -> None:
    """power: small-poodles"""
    game = fulfil("small-poodles", contracts={0: 1}, goods={0: "lux-1"})
    expect(game, credits={0: 16}, goods={0: "lux-1 small-poodles"}, fulfilled={0: ""})
    assert limits(game) == (1, 2)

    full = fulfil("small-poodles", contracts={0: 1}, goods={0: "lux-1 lux-2"})
    expect(full, goods={0: "lux-1 lux-2"}, fulfilled={0: "small-poodles"})
    assert limits(full) == (2, 4)


def test_small_poodles_were_fulfilled_all_the_same() -> None:
    """power: small-poodles, a-small-tank, pistols, bubblegum"""
    game = fulfil(
        "small-poodles",
        faces={"small-poodles": {"color": "illegal"}},
        fulfilled={1: "a-small-tank pistols"},
        hands={0: "lux-1"},
    )
    play(game, "1 resolve:pistols")
    expect(game, credits={0: 14, 1: 12}, hands={0: "", 1: "lux-1"}, goods={0: "small-poodles"})

    black = fulfil(
        "small-poodles", faces={"small-poodles": {"color": "consumer"}}, fulfilled={1: "bubblegum"}
    )
    expect(black, credits={1: 14})


def test_solar_panels_cost_2() -> None:
    """power: solar-panels"""
    game = fulfil("solar-panels", 3, credits={0: 4})
    expect(game, credits={0: 12}, goods={0: "solar-panels"}, fulfilled={0: ""})
    assert limits(game) == (1, 2)


def test_solar_panels_without_room_or_credits_stay_unpaid() -> None:
    """power: solar-panels"""
    full = fulfil("solar-panels", 3, contracts={0: 1}, goods={0: "lux-1 lux-2"})
    expect(full, credits={0: 20}, fulfilled={0: "solar-panels"})

    poor = table(
        credits={0: 0},
        hands={0: "tech-20 tech-19"},
        fulfilled={0: "prefab-home"},
        ships={0: {"contracts": "solar-panels"}},
        faces={"solar-panels": {"color": "luxury", **needs(technology=2)}},
    )
    play(poor, "0 lead:load:tech-20*1", "0 load:tech-19@ship-0", "0 fulfil@ship-0")
    expect(poor, credits={0: 0}, fulfilled={0: "prefab-home solar-panels"})


TOKYO: dict[str, dict[str, object]] = {
    "gold-stuff": {"level": {"luxury": 3}},
    "foxes": {"level": {}},
    "merino-wool": {"level": {"consumer": 1}},
}


def squid(island: str) -> Game:
    """Squid Jerky is about to resolve on a table with the Tokyo side up."""
    game = table(
        hands={0: "tech-20 tech-19"},
        ships={0: {"contracts": "squid-jerky", "containers": "tech-1"}},
        faces={"squid-jerky": needs(technology=2), **TOKYO},
        island=island,
    )
    game.options = game.options._replace(sets=("tokyo",))
    play(game, "0 lead:load:tech-20*1", "0 load:tech-19@ship-0")
    return game


def test_squid_jerky_swaps_with_a_card_of_the_cheapest_column() -> None:
    """power: squid-jerky"""
    game = squid("merino-wool foxes gold-stuff")
    assert offered(game, 0) == {"take:merino-wool", "take:foxes"}
    play(game, "0 take:foxes")
    expect(game, credits={0: 16}, fulfilled={0: "foxes"}, hand_sizes={0: 0})
    assert [game.catalogue.ids[card] for card in game.island[:3]] == [
        "merino-wool",
        "gold-stuff",
        "squid-jerky",
    ]
    assert game.players[0].hooks


def test_squid_jerky_does_not_resolve_what_it_takes() -> None:
    """power: squid-jerky, cups; of a double card its owner chooses the side, and it lies in the first column (Q81)"""
    game = squid("potatoes--cups foxes")
    assert offered(game, 0) == {"take:potatoes", "take:cups", "take:foxes"}
    events = play(game, "0 take:cups")
    expect(game, fulfilled={0: "cups"})
    assert "draw" not in kinds(events)[: kinds(events).index("turn")]


def test_squid_jerky_stays_without_a_card_in_the_column_or_without_the_tokyo_side() -> None:
    """power: squid-jerky"""
    expect(squid("gold-stuff"), fulfilled={0: "squid-jerky"})
    expect(fulfil("squid-jerky", island="foxes"), fulfilled={0: "squid-jerky"})


def test_unpasteurized_cheese_becomes_piracy_crew() -> None:
    """power: unpasteurized-cheese"""
    faces = {"unpasteurized-cheese": {"color": "luxury"}}
    game = fulfil("unpasteurized-cheese", faces=faces, hands={0: "lux-1 agri-1", 1: "ill-1 tech-1"})
    expect(game, credits={0: 16}, crew={0: "unpasteurized-cheese"}, fulfilled={0: ""})
    assert limits(game) == (1, 2)
    play(game, "0 go-on", "0 draw", "1 lead:piracy:ill-1*1")
    run_defaults(game, "0 follow")
    play(game, "0 draw")
    assert offered(game, 0) == {"crew*0", "crew*1"}


def test_unpasteurized_cheese_gives_no_action_of_its_colour() -> None:
    """power: unpasteurized-cheese"""
    faces = {"unpasteurized-cheese": {"color": "luxury"}}
    game = fulfil("unpasteurized-cheese", faces=faces, hands={0: "lux-1 ill-1"})
    play(game, "0 go-on")
    assert "lead:supply:lux-1*2" not in offered(game, 0)
    assert "lead:piracy:ill-1*2" in offered(game, 0)


def test_unpasteurized_cheese_stays_without_room() -> None:
    """power: unpasteurized-cheese"""
    game = fulfil("unpasteurized-cheese", contracts={0: 1}, crew={0: "lux-1"})
    expect(game, crew={0: "lux-1"}, fulfilled={0: "unpasteurized-cheese"})
    assert limits(game) == (2, 4)


def test_unpasteurized_cheese_is_piracy_crew_for_cannons_and_only_as_crew() -> None:
    """power: unpasteurized-cheese, cannons, sanitizer"""
    faces = {"unpasteurized-cheese": {"color": "luxury"}}
    game = fulfil(
        "unpasteurized-cheese", faces=faces, fulfilled={1: "cannons"}, hands={0: "lux-1", 1: "ill-1"}
    )
    play(game, "0 go-on", "0 draw")
    assert "lead:piracy:ill-1*2" in offered(game, 1)

    both = fulfil("unpasteurized-cheese sanitizer", 4, faces=faces)
    play(both, "0 resolve:unpasteurized-cheese")
    expect(both, goods={0: "unpasteurized-cheese"}, crew={0: ""})
    assert not both.marks
