"""Powers about what may serve which slot."""

from __future__ import annotations

from typing import Any

import pytest
from table import expect, needs, play

from powers.aboard import loads
from powers.scenes import LAST, brink, led

# Containers of any colour on contracts of one type


def test_candy_frees_the_slots_of_consumer_contracts() -> None:
    """power: candy"""
    game = led(
        "load",
        2,
        fulfilled={0: "candy"},
        hands={0: "ill-1 agri-1"},
        ships={0: {"contracts": "cons-1"}},
        faces={"cons-1": needs(luxury=2)},
    )
    play(game, "0 load:ill-1@ship-0", "0 load:agri-1@ship-0")
    expect(game, credits={0: 16}, ships={0: {"place": "sea", "containers": "ill-1 agri-1"}})


def test_coffee_frees_the_slots_of_agriculture_contracts() -> None:
    """power: coffee"""
    zones: dict[str, Any] = {
        "hands": {0: "cons-1 cons-2"},
        "ships": {0: {"contracts": "agri-1"}},
    }
    game = led("load", 2, fulfilled={0: "coffee"}, **zones)
    play(game, "0 load:cons-1@ship-0", "0 load:cons-2@ship-0")
    expect(game, credits={0: 16}, ships={0: {"place": "sea"}})

    without = led("load", 2, **zones)
    assert not loads(without)


def test_generators_free_the_slots_of_technology_contracts_only() -> None:
    """power: generators"""
    game = led(
        "load",
        4,
        fulfilled={0: "generators"},
        hands={0: "lux-1 lux-2 lux-3 lux-4"},
        ships={0: {"contracts": "tech-1 agri-1"}},
        faces={"tech-1": needs(technology=3)},
    )
    play(game, "0 load:lux-1@ship-0", "0 load:lux-2@ship-0", "0 load:lux-3@ship-0")
    assert "lux-4" not in loads(game)


def test_seeds_free_the_slots_of_illegal_contracts_only() -> None:
    """power: seeds"""
    game = led(
        "load",
        3,
        fulfilled={0: "seeds"},
        hands={0: "cons-1 cons-2 cons-3"},
        ships={0: {"contracts": "ill-1 agri-1"}},
    )
    play(game, "0 load:cons-1@ship-0", "0 load:cons-2@ship-0")
    assert "cons-3" not in loads(game)


FREES = [("candy", "cons"), ("coffee", "agri"), ("generators", "tech"), ("seeds", "ill")]


@pytest.mark.parametrize(("power", "color"), FREES)
def test_gaining_it_may_fulfil_a_ship_at_once(power: str, color: str) -> None:  # P18
    """power: candy, coffee, generators, seeds"""
    other = "lux-1 lux-2"
    game = brink(power, ships={1: {"place": "port", "contracts": f"{color}-1", "containers": other}})
    events = play(game, LAST)
    expect(game, credits={0: 22}, fulfilled={0: f"{power} {color}-1"}, ships={1: {"place": "sea"}})
    sailing = [event.public["ship"] for event in events if event.kind == "sail"]
    assert sailing == [1, 0]  # the inner fulfilment is complete before the outer Ship sails (Q55)


@pytest.mark.parametrize(("power", "color"), FREES)
def test_placing_a_contract_may_fulfil_it_from_loose_containers(power: str, color: str) -> None:  # Q48
    """power: candy, coffee, generators, seeds"""
    game = led(  # there is one way to do it, so nobody is asked
        "contract",
        fulfilled={0: power},
        hands={0: f"{color}-1"},
        ships={0: {"containers": "lux-1 lux-2"}},
    )
    expect(game, credits={0: 16}, fulfilled={0: f"{power} {color}-1"})


@pytest.mark.parametrize(("power", "color"), FREES)
def test_a_grey_card_is_still_no_load(power: str, color: str) -> None:  # P20
    """power: candy, coffee, generators, seeds"""
    game = led(
        "load", fulfilled={0: power}, hands={0: "blank-9 lux-1"}, ships={0: {"contracts": f"{color}-1"}}
    )
    assert loads(game) == {"lux-1"}


@pytest.mark.parametrize(("power", "color"), FREES)
def test_pirated_containers_fit_too(power: str, color: str) -> None:
    """power: candy, coffee, generators, seeds"""
    game = led(
        "piracy",
        fulfilled={0: power},
        ships={0: {"contracts": f"{color}-1", "containers": f"{color}-2"}, 3: {"containers": "lux-1 lux-2"}},
    )
    play(game, "0 pirate:lux-1@ship-3")
    expect(game, credits={0: 16})


def test_losing_generators_closes_the_slots_again() -> None:  # P18
    """power: generators, stolen-documents"""
    game = brink(
        "stolen-documents",
        fulfilled={1: "generators"},
        ships={2: {"contracts": "tech-1", "containers": "lux-1"}},
    )
    play(game, LAST)
    expect(game, fulfilled={0: "generators", 1: "stolen-documents"}, ships={2: {"containers": "lux-1"}})
    assert game.ships[2].open == 1  # Technology alone, for both slots


# Containers of one colour on any contract


@pytest.mark.parametrize(
    ("power", "color", "other"),
    [
        ("big-cats", "ill", "tech"),
        ("impalas", "lux", "ill"),
        ("soap", "cons", "lux"),
        ("televisions", "tech", "agri"),
        ("wheat", "agri", "tech"),
    ],
)
def test_its_containers_are_wild_in_a_load_in_piracy_and_when_gained(
    power: str, color: str, other: str
) -> None:
    """power: big-cats, impalas, soap, televisions, wheat"""
    ships: dict[int, Any] = {
        0: {"contracts": f"{other}-1", "containers": f"{other}-2"},
        3: {"containers": f"{color}-2 sea-9"},
    }
    game = led("load", fulfilled={0: power}, hands={0: f"{color}-1"}, ships=ships)
    play(game, f"0 load:{color}-1@ship-0")
    expect(game, credits={0: 16}, ships={0: {"place": "sea"}})

    game = led("piracy", fulfilled={0: power}, ships=ships)
    play(game, f"0 pirate:{color}-2@ship-3")
    expect(game, credits={0: 16}, ships={0: {"place": "sea"}})

    aboard = {"place": "port", "contracts": f"{other}-1", "containers": f"{color}-1 {color}-2"}
    game = brink(power, ships={1: aboard})
    play(game, LAST)
    expect(game, credits={0: 22}, ships={1: {"place": "sea"}})


def test_big_cats_make_illegal_containers_wild() -> None:
    """power: big-cats"""
    zones: dict[str, Any] = {
        "hands": {0: "ill-1"},
        "ships": {0: {"contracts": "tech-1", "containers": "tech-2"}},
    }
    game = led("load", fulfilled={0: "big-cats"}, **zones)
    play(game, "0 load:ill-1@ship-0")
    expect(game, credits={0: 16}, ships={0: {"place": "sea"}})
    assert not loads(led("load", **zones))


def test_impalas_make_luxury_containers_wild() -> None:
    """power: impalas"""
    zones: dict[str, Any] = {
        "ships": {0: {"contracts": "ill-1", "containers": "ill-2"}, 3: {"containers": "lux-1 sea-9"}},
    }
    game = led("piracy", fulfilled={0: "impalas"}, **zones)
    play(game, "0 pirate:lux-1@ship-3")
    expect(game, credits={0: 16}, ships={0: {"place": "sea"}})

    game = led("piracy", **zones)
    play(game, "0 pirate:lux-1@ship-3")
    expect(game, credits={0: 10}, ships={0: {"containers": "ill-2"}})
    assert "lux-1" in [game.catalogue.ids[card] for card in game.discard]


def test_soap_makes_consumer_containers_wild() -> None:
    """power: soap"""
    game = led(
        "load", 2, fulfilled={0: "soap"}, hands={0: "cons-1 cons-2"}, ships={0: {"contracts": "lux-1"}}
    )
    play(game, "0 load:cons-1@ship-0", "0 load:cons-2@ship-0")
    expect(game, credits={0: 16})


def test_televisions_make_technology_containers_wild() -> None:
    """power: televisions"""
    game = led(
        "load",
        2,
        fulfilled={0: "televisions"},
        hands={0: "tech-1 tech-2"},
        ships={0: {"contracts": "ill-1"}},
        faces={"ill-1": needs(illegal=1, technology=1)},
    )
    play(game, "0 load:tech-1@ship-0", "0 load:tech-2@ship-0")
    expect(game, credits={0: 16})


def test_wheat_makes_agriculture_containers_wild() -> None:
    """power: wheat"""
    game = led(
        "load",
        3,
        fulfilled={0: "wheat"},
        hands={0: "agri-1 agri-2 agri-3"},
        ships={0: {"contracts": "tech-1"}},
        faces={"tech-1": needs(technology=2, illegal=1)},
    )
    play(game, "0 load:agri-1@ship-0", "0 load:agri-2@ship-0", "0 load:agri-3@ship-0")
    expect(game, credits={0: 20})


def test_a_full_ship_takes_no_wild_container_either() -> None:
    """power: big-cats, candy"""
    game = led(
        "load",
        fulfilled={0: "big-cats candy"},
        hands={0: "ill-1"},
        ships={0: {"contracts": "cons-1 tech-1", "containers": "ill-2 ill-3 tech-2"}},
    )
    assert loads(game) == {"ill-1"}
    play(game, "0 load:ill-1@ship-0")
    expect(game, credits={0: 20})
