"""Powers that change a Ship itself: the Super Ship, and Yen."""

from __future__ import annotations

from typing import Any

from table import expect, finish_turn, kinds, needs, offered, play, table

from arena.game import Game
from arena.game.positions import dump, load
from powers.scenes import LAST, brink, led

PORT = {"place": "port"}

# Partnership


def joinable(**zones: Any) -> Game:
    """Seat 0 leads, has Partnership and two Ships in Port that bear contracts of load 2 each."""
    ships = {
        0: {"contracts": "tech-1"},
        1: {**PORT, "contracts": "lux-1"},
        **zones.pop("ships", {}),
    }
    fulfilled = zones.pop("fulfilled", {0: "partnership"})
    hands = zones.pop("hands", {0: "tech-20"})
    return table(fulfilled=fulfilled, ships=ships, hands=hands, **zones)


JOIN = "0 use:ship-1:partnership@ship-0"


SIX = ("tech-2", "tech-3", "lux-2", "lux-3", "agri-1", "agri-2")


def test_partnership_joins_two_ships_and_is_paid_twice() -> None:
    """power: partnership"""
    game = joinable(
        hands={0: ["tech-20", *SIX]},
        crew={0: "tech-15 tech-16 tech-17 tech-18 tech-19"},
        contracts={0: 6},
    )
    play(game, JOIN, "0 lead:load:tech-20*6")
    expect(game, ships={0: {"contracts": "tech-1 lux-1 partnership"}, 1: {"place": "joined"}})
    play(game, *(f"0 load:{card}@ship-0" for card in SIX))
    expect(game, credits={0: 38}, ships={0: {"place": "sea", "containers": SIX}, 1: {"place": "joined"}})
    expect(game, fulfilled={0: "blank-1 blank-2 blank-3 blank-4 tech-1 lux-1 partnership"})


def test_partnership_refuses_ships_that_need_more_than_four_or_bear_nothing() -> None:
    """power: partnership"""
    for ships, faces in (
        ({1: PORT}, {}),
        ({1: {"contracts": "lux-1", "place": "port"}}, {"lux-1": needs(luxury=3)}),
        ({1: {"place": "sea"}}, {}),
    ):
        game = joinable(ships=ships, faces=faces)
        assert not [text for text in offered(game, 0) if text.startswith("use")]
    game = joinable(faces={"partnership": needs(any=3)})  # 2 + 2 + 3 is above the limit of 6
    assert not [text for text in offered(game, 0) if text.startswith("use")]


def test_partnership_sinks_the_limits_while_it_lies_on_the_super_ship() -> None:  # P10
    """power: partnership"""
    game = joinable(crew={0: "lux-8 lux-9"}, contracts={0: 2})
    play(game, JOIN)
    expect(game, asks="0 overflow-crew", fulfilled={0: ""})


def test_partnership_may_fulfil_at_once_when_it_joins() -> None:
    """power: partnership"""
    game = joinable(
        ships={
            0: {"contracts": "tech-1", "containers": "tech-2 lux-2 lux-3"},
            1: {**PORT, "contracts": "lux-1", "containers": "tech-3 agri-1 agri-2"},
        }
    )
    play(game, JOIN)
    expect(game, credits={0: 38}, ships={0: {"place": "sea"}}, fulfilled={0: "tech-1 lux-1 partnership"})
    assert len(game.island) == 1


def at_sea(containers: str, **zones: Any) -> Game:
    """A Super Ship of seat 0 at sea, and somebody leads."""
    ships = {0: {"place": "sea", "joined": 1, "containers": containers}, 1: {"place": "joined"}}
    action = zones.pop("action", "import")
    return led(action, seat=1, ships=ships, fulfilled={0: "partnership"}, **zones)


def test_partnership_takes_four_when_another_player_imports_from_it() -> None:
    """power: partnership"""
    game = at_sea("lux-1 lux-2 lux-3")
    play(game, "1 import@ship-0", "1 take:lux-1@goods", "1 take:lux-2@crew")
    expect(game, credits={0: 14}, ships={0: {"place": "sea", "containers": "lux-3"}, 1: {"place": "joined"}})


def test_partnership_comes_home_as_two_ships() -> None:
    """power: partnership"""
    game = at_sea("lux-1 lux-2")
    events = play(game, "1 import@ship-0", "1 take:lux-1@goods", "1 take:lux-2@crew")
    expect(game, credits={0: 14}, ships={0: {"place": "port"}, 1: {"place": "port"}})
    assert [event.public["ship"] for event in events if event.kind == "ship-returns"] == [0, 1]
    assert game.ships[0].joined == -1

    game = at_sea("lux-1", action="piracy")
    play(game, "1 pirate:lux-1@ship-0")
    expect(game, credits={0: 10}, ships={0: {"place": "port"}, 1: {"place": "port"}})


def test_partnership_is_one_ship_for_piracy_and_loads() -> None:
    """power: partnership"""
    game = at_sea("lux-1 lux-2 lux-3")
    assert offered(game, 1) >= {"import@ship-0"}
    assert "import@ship-1" not in offered(game, 1)


def test_partnership_scrapped_splits_the_ship() -> None:
    """power: partnership"""
    game = joinable(ships={0: {"contracts": "tech-1", "containers": "tech-2"}})
    play(game, JOIN, "0 scrap@ship-0")
    assert offered(game, 0) == {"keep:tech-2@ship-0", "keep:tech-2@ship-1"}
    play(game, "0 keep:tech-2@ship-1")
    expect(
        game,
        fulfilled={0: ""},
        discard="partnership lux-1 tech-1",
        ships={
            0: {"place": "port", "contracts": "", "containers": ""},
            1: {"place": "port", "containers": "tech-2"},
        },
    )


def test_partnership_joining_is_not_placing_and_keeps_what_is_aboard() -> None:
    """power: partnership, robo-cats"""
    game = joinable(
        fulfilled={0: "partnership robo-cats"},
        ships={0: {"contracts": "tech-1", "containers": "cons-1 cons-2", "pairs": [["cons-1", "cons-2"]]}},
    )
    events = play(game, JOIN)
    assert "contract" not in kinds(events)
    assert len(game.ships[0].pairs) == 1
    expect(game, ships={0: {"containers": "cons-1 cons-2"}})


def test_partnership_with_diesel_engine_brings_one_ship_home() -> None:
    """power: partnership, diesel-engine, backpacks"""
    zones: dict[str, Any] = {"hands": {1: "ill-20"}, "fulfilled": {2: "backpacks"}, "lead": 1}
    engine = {"owner": 0, "single_use": "diesel-engine", "place": "joined"}
    game = table(ships={0: {"place": "sea", "joined": 6, "containers": "lux-1"}, 6: engine}, **zones)
    assert load(dump(game), game.catalogue).to_json() == game.to_json()
    play(game, "1 lead:piracy:ill-20*1", "1 pirate:lux-1@ship-0", "2 draw")  # Backpacks draw once
    expect(game, asks="2 lead", ships={0: {"place": "port"}, 6: {"place": "gone"}})
    assert game.catalogue.number_of["diesel-engine"] in game.discard


def test_partnership_cannot_be_used_from_the_hand_or_in_its_own_fulfilment() -> None:
    """power: partnership"""
    game = joinable(fulfilled={}, hands={0: "partnership tech-20"})
    assert not [text for text in offered(game, 0) if text.startswith("use")]
    game = brink("partnership", ships={1: {**PORT, "contracts": "lux-1"}})
    play(game, LAST)
    expect(game, fulfilled={0: "partnership"}, ships={0: {"place": "sea"}})


# Yen


def test_yen_goes_under_one_of_the_own_ships() -> None:
    """power: yen"""
    game = brink("yen")
    play(game, LAST)
    assert offered(game, 0) == {"under@ship-0", "under@ship-1"}  # the departing one too
    play(game, "0 under@ship-1")
    expect(game, fulfilled={0: ""}, credits={0: 16})
    assert game.players[0].contracts == 1
    assert game.view(1)["ships"][1]["yen"] == ["yen"]


def under_yen(contract: str = "lux-1", **zones: Any) -> Game:
    """Seat 0 places this contract, which needs 2 Luxury and 1 Consumer, on a Ship with Yen under it."""
    ships = {0: {"yen": "yen", **zones.pop("ship", {})}, **zones.pop("ships", {})}
    faces = {contract: needs(luxury=2, consumer=1), **zones.pop("faces", {})}
    return led("contract", hands={0: contract}, ships=ships, faces=faces, **zones)


def test_yen_spares_the_first_contract_one_container() -> None:
    """power: yen"""
    game = under_yen()
    assert offered(game, 0) == {"reduce:luxury", "reduce:consumer"}
    play(game, "0 reduce:luxury")
    ship = game.ships[0]
    assert ship.open == 0b001100
    game = led(
        "load",
        2,
        hands={0: "lux-2 cons-2"},
        ships={0: {"yen": "yen", "contracts": "lux-1", "reduced": [["lux-1", 8]]}},
        faces={"lux-1": needs(luxury=2, consumer=1)},
    )
    play(game, "0 load:lux-2@ship-0", "0 load:cons-2@ship-0")
    expect(game, credits={0: 16}, fulfilled={0: "lux-1"})
    assert game.ships[0].yen
    assert not game.ships[0].reduced


def test_yen_counts_for_the_load_limit() -> None:
    """power: yen"""
    game = led(
        "contract",
        2,
        hands={0: "lux-1 tech-1"},
        ships={0: {"yen": "yen"}},
        faces={"lux-1": needs(luxury=3), "tech-1": needs(technology=4)},
    )
    play(game, "0 contract:lux-1@ship-0", "0 contract:tech-1@ship-0")  # 3 - 1 + 4 is not above 6
    expect(game, ships={0: {"contracts": "lux-1 tech-1"}})


def test_yen_leaves_at_least_one_container() -> None:
    """power: yen"""
    game = under_yen(faces={"lux-1": needs(luxury=1)})
    expect(game, ships={0: {"contracts": "lux-1"}})
    assert not game.ships[0].reduced


def test_yen_pays_nothing_for_a_load_of_two_cut_to_one() -> None:  # P27
    """power: yen"""
    game = led(
        "load",
        hands={0: "lux-2"},
        ships={0: {"yen": "yen", "contracts": "lux-1", "reduced": [["lux-1", 8]]}},
    )
    play(game, "0 load:lux-2@ship-0")
    expect(game, credits={0: 10}, fulfilled={0: "lux-1"}, ships={0: {"place": "sea", "containers": "lux-2"}})


def test_yen_may_let_loose_containers_fulfil_a_contract_at_once() -> None:  # Q48
    """power: yen"""
    game = under_yen(ship={"containers": "lux-2 cons-2"})
    play(game, "0 reduce:luxury")
    expect(game, credits={0: 16}, ships={0: {"place": "sea"}})
    assert not game.ships[0].reduced


def test_yen_does_not_spare_a_second_contract_but_the_next_first_one() -> None:
    """power: yen"""
    game = led(
        "contract",
        3,
        hands={0: "lux-1 tech-1 ill-1"},
        ships={0: {"yen": "yen"}},
    )
    play(game, "0 contract:lux-1@ship-0", "0 contract:tech-1@ship-0")
    assert len(game.ships[0].reduced) == 1
    play(game, "0 scrap@ship-0")  # the one card left goes there with the last action, unasked
    expect(game, ships={0: {"contracts": "ill-1"}})
    assert [game.catalogue.ids[card] for card, _ in game.ships[0].reduced] == ["ill-1"]


def test_yen_on_both_ships_of_a_super_ship_keeps_what_it_spared() -> None:
    """power: yen, partnership"""
    game = joinable(
        ships={0: {"contracts": "tech-1", "yen": "yen", "reduced": [["tech-1", 1]]}},
    )
    play(game, JOIN)
    assert len(game.ships[0].reduced) == 1
    assert game.ships[0].yen


def test_yen_works_for_a_contract_placed_without_an_action() -> None:
    """power: yen, lutefisk"""
    game = table(
        hands={0: "lutefisk lux-9"},
        ships={0: {"yen": "yen"}},
        faces={"lutefisk": {"level": {}, "load": {"luxury": 1, "technology": 1}}},
    )
    play(game, "0 use:lutefisk@ship-0", "0 reduce:luxury")
    assert game.ships[0].open == 1
    finish_turn(game)
