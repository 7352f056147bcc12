"""Powers by which a card goes elsewhere: to Crew, Goods, a Ship, a hand, or under another contract's Ship."""

from __future__ import annotations

from typing import Any

import pytest
from table import asked, expect, needs, offered, play, table, totals

from arena.game import Game
from arena.game.powers.inert import INERT
from powers.scenes import LAST, assert_hidden, assert_known, brink, led

PORT = {"place": "port"}

# Automation


def test_automation_fulfils_the_next_ship_at_once() -> None:
    """power: automation"""
    game = brink("automation", ships={1: {**PORT, "contracts": "lux-1", "containers": "lux-2"}})
    events = play(game, LAST)
    expect(
        game,
        credits={0: 22},
        fulfilled={0: "lux-1"},
        ships={0: {"place": "sea"}, 1: {"place": "sea", "containers": "lux-2 automation"}},
    )
    assert [event.public["ship"] for event in events if event.kind == "sail"] == [1, 0]
    assert len(game.island) == 2


def test_automation_without_a_ship_to_go_to_is_discarded() -> None:
    """power: automation"""
    game = brink("automation", ships={1: PORT})
    events = play(game, LAST)
    expect(game, credits={0: 16}, fulfilled={0: ""})
    assert next(event.public["card"] for event in events if event.kind == "discard") == "automation"


def test_automation_moves_on_with_each_ship_and_counts_for_each_payout() -> None:
    """power: automation"""
    game = led(
        "load",
        2,
        hands={0: "tech-1 lux-3"},
        ships={
            0: {"contracts": "automation", "containers": "tech-2"},
            1: {**PORT, "contracts": "lux-1", "containers": "lux-2"},
        },
        faces={"automation": needs(technology=2), "lux-1": needs(luxury=3)},
    )
    play(game, "0 load:tech-1@ship-0")
    expect(game, credits={0: 16}, ships={1: {"place": "port", "containers": "lux-2 automation"}})
    play(game, "0 load:lux-3@ship-1")
    expect(game, credits={0: 26}, ships={1: {"containers": "lux-2 automation lux-3"}})  # it sails for good
    assert not game.ships[1].riders


def riding(**zones: Any) -> Game:
    """Automation rides on ship-0, which needs one more Container."""
    ships = dict(zones.pop("ships", {}))
    ships[0] = {
        "contracts": "tech-1",
        "containers": "automation",
        "rainbow": "automation",
        "riders": "automation",
    }
    return led("load", hands={0: "tech-2"}, ships=ships, **zones)


def test_automation_that_rides_moves_on_just_before_its_ship_sails() -> None:
    """power: automation"""
    game = riding(ships={1: {**PORT, "contracts": "lux-1", "containers": "lux-2"}})
    events = play(game, "0 load:tech-2@ship-0")
    expect(
        game,
        credits={0: 10 + 6 + 6},
        ships={
            0: {"place": "sea", "containers": "tech-2"},
            1: {"place": "sea", "containers": "lux-2 automation"},
        },
    )
    assert [event.public["ship"] for event in events if event.kind == "sail"] == [1, 0]


def test_automation_may_leave_a_ship_that_then_returns_at_once() -> None:  # P5
    """power: automation"""
    game = led(
        "contract",
        hands={0: "tech-1"},
        ships={
            0: {"containers": "automation", "rainbow": "automation", "riders": "automation"},
            1: {**PORT, "contracts": "lux-1"},
        },
        faces={"tech-1": needs(technology=1)},
    )
    play(game, "0 contract:tech-1@ship-0")
    expect(
        game, credits={0: 10}, ships={0: {"place": "port", "containers": ""}, 1: {"containers": "automation"}}
    )


def test_automation_stays_when_the_contracts_are_thrown_away() -> None:
    """power: automation"""
    game = riding()
    play(game, "0 scrap@ship-0")
    expect(game, ships={0: {"containers": "automation", "contracts": ""}})
    assert game.ships[0].rainbow == game.ships[0].riders == game.ships[0].containers


def test_automation_at_sea_can_be_imported_but_not_pirated() -> None:  # P20
    """power: automation"""
    ships = {3: {"containers": "automation lux-1", "rainbow": "automation"}}
    game = led("piracy", ships=ships)
    assert "pirate:lux-1@ship-3" in offered(game, 0)
    assert "pirate:automation@ship-3" not in offered(game, 0)
    game = led("import", ships=ships)
    play(game, "0 import@ship-3", "0 take:automation@goods")


def test_automation_asks_which_ship() -> None:
    """power: automation"""
    game = brink(
        "automation",
        ships={
            1: {**PORT, "contracts": "lux-1"},
            6: {**PORT, "owner": 0, "single_use": "diesel-engine", "contracts": "ill-1"},
        },
    )
    play(game, LAST)
    assert offered(game, 0) == {"load:automation@ship-1", "load:automation@ship-6"}


# Bamboo


def test_bamboo_may_be_placed_again() -> None:
    """power: bamboo"""
    game = brink("bamboo", ships={1: PORT}, faces={"bamboo": {"level": {}}})
    play(game, LAST, "0 contract:bamboo@ship-1")
    expect(game, credits={0: 16}, ships={1: {"contracts": "bamboo"}}, fulfilled={0: ""})

    game = brink("bamboo", ships={1: PORT}, faces={"bamboo": {"level": {}}})
    play(game, LAST, "0 pass")
    expect(game, fulfilled={0: "bamboo"}, ships={1: {"contracts": ""}})


def test_bamboo_is_not_asked_without_a_ship_or_the_full_level() -> None:  # P30
    """power: bamboo"""
    cases: tuple[dict[str, Any], ...] = (
        {"faces": {"bamboo": {"level": {}}}},
        {"faces": {"bamboo": {"level": {"agriculture": 1}}}, "ships": {1: PORT}},
        {"faces": {"bamboo": {"level": {}}}, "ships": {1: {**PORT, "contracts": "lux-1 lux-2 lux-3"}}},
    )
    for zones in cases:
        game = brink("bamboo", **zones)
        play(game, LAST)
        expect(game, credits={0: 16}, fulfilled={0: "bamboo"})


def test_bamboo_is_fulfilled_again_at_once_by_loose_containers() -> None:  # P18
    """power: bamboo"""
    game = brink(
        "bamboo", ships={1: {**PORT, "containers": "tech-1 tech-2"}}, faces={"bamboo": {"level": {}}}
    )
    events = play(game, LAST, "0 contract:bamboo@ship-1")
    expect(game, credits={0: 22}, fulfilled={0: "bamboo"}, ships={1: {"place": "sea"}})
    assert [event.public["ship"] for event in events if event.kind == "sail"] == [1, 0]
    assert len(game.island) == 2


# Container Factory


def test_container_factory_has_two_places_when_all_is_full() -> None:
    """power: container-factory"""
    game = brink("container-factory", contracts={0: 1}, crew={0: "ill-1"}, goods={0: "lux-1 lux-2"})
    play(game, LAST)
    assert offered(game, 0) == {"put:container-factory@fulfilled", "put:container-factory@hand"}


def test_container_factory_goes_to_each_of_the_five_places() -> None:
    """power: container-factory"""
    ships = {1: {**PORT, "contracts": "lux-1", "containers": "lux-2"}}
    for place, after in (
        ("fulfilled", {"fulfilled": {0: "container-factory"}}),
        ("crew", {"crew": {0: "container-factory"}, "fulfilled": {0: ""}}),
        ("goods", {"goods": {0: "container-factory"}}),
        ("hand", {"hands": {0: "container-factory"}}),
        (
            "ship-1",
            {"credits": {0: 22}, "ships": {1: {"place": "sea", "containers": "lux-2 container-factory"}}},
        ),
    ):
        game = brink("container-factory", ships=ships)
        play(game, LAST, f"0 put:container-factory@{place}")
        expect(game, **after)


def test_container_factory_in_hand_is_known_to_all() -> None:
    """power: container-factory"""
    game = brink("container-factory", hands={0: "lux-1"})
    events = play(game, LAST)
    events += play(game, "0 put:container-factory@hand")
    assert_known(game, 0, "container-factory")
    assert_hidden(game, events, "lux-1", 0)


# Hentai Manga


@pytest.mark.skipif("danger-pets" in INERT, reason="Danger Pets is not written yet")
def test_hentai_manga_put_danger_pets_into_the_crew_and_its_power_resolves() -> None:
    """power: hentai-manga, danger-pets"""
    game = brink(
        "danger-pets",
        players=4,
        fulfilled={0: "hentai-manga"},
        contracts={0: 3},
        crew={0: "ill-1 ill-2"},
        goods={0: "lux-1 lux-2 lux-3 lux-4 lux-5 lux-6"},
    )
    play(game, LAST)
    assert offered(game, 0) == {"tuck:danger-pets@fulfilled", "tuck:danger-pets@crew"}
    play(game, "0 tuck:danger-pets@crew")
    expect(game, credits={0: 22, 1: 8, 2: 8, 3: 8}, crew={0: "ill-1 ill-2 danger-pets"})
    assert game.players[0].contracts == 3


def redirecting(under: str = "ill-1", /, **zones: Any) -> Game:
    """Seat 0 has Hentai Manga and fulfils these contracts; room is what the zones leave."""
    game = brink(under, fulfilled={0: "hentai-manga"}, **zones)
    play(game, LAST)
    return game


def test_hentai_manga_judge_the_room_without_the_card() -> None:  # P6
    """power: hentai-manga"""
    game = redirecting(crew={0: "cons-8 cons-9"}, goods={0: "lux-1 lux-2 lux-3 lux-4"}, contracts={0: 2})
    expect(game, credits={0: 16}, fulfilled={0: "hentai-manga ill-1"})  # both areas are full: no question
    game = redirecting(goods={0: "lux-1 lux-2 lux-3"}, contracts={0: 2})
    assert offered(game, 0) == {"tuck:ill-1@fulfilled", "tuck:ill-1@crew", "tuck:ill-1@goods"}
    play(game, "0 tuck:ill-1@goods")
    expect(game, goods={0: "lux-1 lux-2 lux-3 ill-1"}, fulfilled={0: "hentai-manga"})


def test_hentai_manga_count_the_other_contracts_of_the_ship() -> None:
    """power: hentai-manga"""
    game = redirecting("ill-1 agri-1", crew={0: "cons-8 cons-9"}, contracts={0: 2})
    play(game, "0 tuck:ill-1@crew")
    expect(game, crew={0: "cons-8 cons-9 ill-1"}, fulfilled={0: "hentai-manga agri-1"})


def test_hentai_manga_never_take_the_room_of_what_they_have_put_away() -> None:
    """power: hentai-manga"""
    game = redirecting("ill-1 ill-2", crew={0: "cons-8 cons-9"}, contracts={0: 2})
    play(game, "0 tuck:ill-1@crew")  # fits because ill-2 raises the limit
    expect(game, crew={0: "cons-8 cons-9 ill-1"}, goods={0: ""}, fulfilled={0: "hentai-manga ill-2"}, lead=1)


def test_hentai_manga_leave_other_colours_and_their_own_ship_alone() -> None:
    """power: hentai-manga"""
    game = redirecting("lux-1")
    expect(game, fulfilled={0: "hentai-manga lux-1"})
    game = brink("hentai-manga ill-1")
    play(game, LAST)
    expect(game, fulfilled={0: "hentai-manga ill-1"})


def test_hentai_manga_take_a_continuous_power_away() -> None:
    """power: hentai-manga, big-cats"""
    for place, mask in (("fulfilled", 0b10001), ("goods", 0b00001)):
        game = redirecting("big-cats", ships={1: {**PORT, "contracts": "tech-1"}})
        play(game, f"0 tuck:big-cats@{place}")
        assert game.ships[1].open & 0b11111 == mask


@pytest.mark.parametrize("power", ["bamboo", "bird-feed", "container-factory", "stolen-documents", "yen"])
def test_hentai_manga_put_a_card_where_its_own_text_moves_it_no_more(power: str) -> None:
    """power: hentai-manga, bamboo, bird-feed, container-factory, stolen-documents, yen"""
    game = brink(
        power,
        fulfilled={0: "hentai-manga", 1: "tech-1"},
        faces={power: {"color": "illegal"}},
        ships={1: PORT},
    )
    play(game, LAST, f"0 tuck:{power}@crew")
    expect(game, crew={0: power}, fulfilled={0: "hentai-manga", 1: "tech-1"}, credits={0: 16})
    assert not asked(game).endswith(power)


def test_hentai_manga_let_the_immediate_power_of_the_card_resolve() -> None:
    """power: hentai-manga, cups"""
    game = brink("cups", fulfilled={0: "hentai-manga"}, faces={"cups": {"color": "illegal"}})
    play(game, LAST, "0 tuck:cups@goods")
    expect(game, hand_sizes={0: 5}, goods={0: "cups"})


# Segways


def test_segways_need_room_under_the_lowered_limits() -> None:
    """power: segways"""
    game = table(
        fulfilled={0: "segways"},
        contracts={0: 3},
        crew={0: "tech-1 tech-2"},
        goods={0: "lux-1 lux-2 lux-3 lux-4"},
        hands={0: "lux-9"},
    )
    assert not [text for text in offered(game, 0) if "segways" in text]

    game = table(
        fulfilled={0: "segways"},
        contracts={0: 3},
        crew={0: "tech-1 tech-2"},
        goods={0: "lux-1 lux-2 lux-3"},
        hands={0: "lux-9"},
    )
    assert offered(game, 0) == {"pass", "use:segways@goods"}
    play(game, "0 use:segways@goods")
    expect(game, crew={0: "tech-1 tech-2"}, goods={0: "lux-1 lux-2 lux-3 segways"})
    assert game.players[0].contracts == 2


def test_segways_as_crew_count_for_the_next_announcement() -> None:  # Q17
    """power: segways"""
    game = table(fulfilled={0: "segways"}, hands={0: "tech-1"})
    play(game, "0 use:segways@crew")
    assert offered(game, 0) == {"draw", "lead:load:tech-1*1", "lead:load:tech-1*2"}


def test_segways_aboard_may_fulfil_in_the_middle_of_a_turn() -> None:
    """power: segways"""
    game = table(
        fulfilled={0: "segways"},
        hands={0: "lux-9"},
        crew={0: "lux-8"},
        ships={0: {"contracts": "tech-1", "containers": "tech-2"}},
        island="lux-1 lux-2 lux-3",
    )
    play(game, "0 pass", "0 lead:supply:lux-9*2", "0 pass")
    play(game, "0 take:lux-1", "0 use:segways@ship-0")
    expect(
        game, credits={0: 16}, ships={0: {"place": "sea", "containers": "tech-2 segways"}}, asks="0 supply"
    )


def test_segways_are_a_load_only_where_they_serve_a_slot() -> None:
    """power: segways"""
    game = table(
        fulfilled={0: "segways"},
        hands={0: "lux-9"},
        ships={0: {"contracts": "agri-1"}, 1: {**PORT, "contracts": "tech-1"}},
    )
    ships = {text for text in offered(game, 0) if "@ship" in text}
    assert ships == {"use:segways@ship-1"}


def test_segways_aboard_at_the_end_only_count_as_loaded() -> None:  # P26
    """power: segways"""
    game = table(
        ending="turns", fulfilled={0: "segways"}, ships={0: {"contracts": "tech-1", "containers": "tech-2"}}
    )
    assert offered(game, 0) == {"pass", "put:segways@crew", "put:segways@goods", "put:segways@ship-0"}
    play(game, "0 put:segways@ship-0")
    assert totals(game) == (14, 10, 10)


def test_segways_move_to_goods_at_the_end() -> None:
    """power: segways"""
    game = table(ending="turns", fulfilled={0: "segways"})
    play(game, "0 put:segways@goods")
    assert totals(game) == (10 + 1 + 6, 10, 10)


def test_segways_move_sinks_the_limits_for_other_cards() -> None:  # P10
    """power: segways"""
    game = table(fulfilled={0: "segways"}, contracts={0: 2}, crew={0: "tech-1 tech-2"}, hands={0: "lux-9"})
    play(game, "0 use:segways@goods")
    expect(game, asks="0 overflow-crew")


# Diamonds


def at_the_end(**zones: Any) -> Game:
    return table(ending="turns", **zones)


def test_diamonds_move_two_or_nothing() -> None:
    """power: diamonds"""
    game = at_the_end(fulfilled={0: "diamonds lux-1 agri-1"}, goods={0: "tech-1 tech-2"})
    assert offered(game, 0) == {"pass", "move:diamonds", "move:lux-1", "move:agri-1"}
    play(game, "0 move:lux-1")
    assert offered(game, 0) == {"move:diamonds", "move:agri-1"}  # one alone is not legal
    play(game, "0 move:diamonds")
    expect(game, goods={0: "tech-1 tech-2 lux-1 diamonds"}, fulfilled={0: "agri-1"})


def test_diamonds_move_one_if_a_second_is_not_legal() -> None:
    """power: diamonds"""
    game = at_the_end(fulfilled={0: "diamonds lux-1 agri-1"}, goods={0: "tech-1 tech-2 tech-3"})
    play(game, "0 move:agri-1")
    expect(game, goods={0: "tech-1 tech-2 tech-3 agri-1"}, fulfilled={0: "diamonds lux-1"})
    assert totals(game) == (10 + 4 + 6 + 6, 10, 10)


def test_diamonds_are_not_asked_where_no_move_is_legal() -> None:
    """power: diamonds"""
    game = at_the_end(fulfilled={0: "diamonds"}, goods={0: "tech-1 tech-2 tech-3"})
    assert game.over
    expect(game, fulfilled={0: "diamonds"})


def test_diamonds_may_be_declined() -> None:
    """power: diamonds"""
    game = at_the_end(fulfilled={0: "diamonds lux-1"})
    play(game, "0 pass")
    assert totals(game) == (10, 10, 10)


def test_diamonds_discard_crew_above_the_lowered_limit() -> None:  # P10
    """power: diamonds"""
    game = at_the_end(
        fulfilled={0: "diamonds lux-1 agri-1"}, crew={0: "tech-1 tech-2 tech-3"}, contracts={0: 4}
    )
    play(game, "0 move:lux-1", "0 move:agri-1")
    expect(game, asks="0 overflow-crew")
    play(game, "0 discard:tech-1")
    expect(game, crew={0: "tech-2 tech-3"})
    assert game.over


def test_diamonds_judge_the_limit_without_the_powers_that_they_move() -> None:
    """power: diamonds, scotch"""
    game = at_the_end(fulfilled={0: "diamonds scotch blank-30"}, goods={0: "lux-2 lux-3 lux-4 lux-5"})
    play(game, "0 move:diamonds")
    expect(game, fulfilled={0: "scotch"}, goods={0: "lux-2 lux-3 lux-4 lux-5 diamonds blank-30"})


def test_diamonds_and_segways_go_in_their_owners_order() -> None:
    """power: diamonds, segways"""
    game = at_the_end(fulfilled={0: "diamonds segways"})
    assert offered(game, 0) == {"resolve:diamonds", "resolve:segways"}
    play(game, "0 resolve:diamonds")
    play(game, "0 move:segways")  # a second is not legal: 2 Goods, limit 2 x 1, so both go
    assert game.over
    expect(game, fulfilled={0: ""})
