"""Capital (R16): the grey Port, Capital Goods and Levels, grey Containers, payout."""

from __future__ import annotations

from typing import Any

import pytest
from capital import HOME, capital, go, having
from table import expect, finish_turn, kinds, names, needs, offered, play, run_defaults, table, totals

from arena.game import Game, Options
from arena.game.goods import count_goods, good_types, levels
from arena.game.terms import CAPITAL, TYPES

SEATS = [2, 3, 4, 5, 6]


def dealt(players: int, seed: int, *, on: bool = True) -> Game:
    return Game.new(Options(players=players, sets=("capital",) if on else ()), seed=seed)


# Set-up


@pytest.mark.parametrize("players", SEATS)
def test_the_grey_port_is_among_the_ports_dealt_at_every_player_count(players: int) -> None:  # R16.1, Q97
    with_grey = [CAPITAL in [player.port for player in dealt(players, seed).players] for seed in range(12)]
    assert any(with_grey)
    assert all(with_grey) == (players == 6)
    if players < 6:
        for seed in range(12):
            assert CAPITAL not in [player.port for player in dealt(players, seed, on=False).players]


@pytest.mark.parametrize("players", SEATS)
def test_the_grey_player_starts_with_2_extra_credits(players: int) -> None:  # R16.2, Q6
    seen = set()
    for seed in range(12):
        for player in dealt(players, seed).players:
            seen.add((player.port == CAPITAL, player.credits))
    assert seen == {(True, 12), (False, 10)}


def test_a_capital_card_revealed_for_a_ship_is_discarded_and_replaced() -> None:  # R16.3, Q7
    """Each before the next card is revealed; the Island and the hands keep theirs."""
    replaced, on_island, in_hand = 0, 0, 0
    for seed in range(30):
        game = dealt(4, seed)
        colors = game.catalogue.colors
        for ship in game.ships[1::2]:
            assert len(ship.containers) == 4
            assert all(colors[card] != CAPITAL for card in ship.containers)
        assert all(colors[card] == CAPITAL for card in game.discard)
        replaced = max(replaced, len(game.discard))
        on_island += sum(colors[card] == CAPITAL for card in game.island)
        in_hand += sum(colors[card] == CAPITAL for player in game.players for card in player.hand)
        lying = len(game.pile) + len(game.discard) + len(game.island) + 4 * 4 + 4 * 5
        assert lying == 115
    assert replaced > 1  # R1.1: 15 of 115 cards
    assert on_island
    assert in_hand


def test_the_cards_come_from_the_pile_in_their_order_at_set_up() -> None:  # Q7, Q3
    """Without the discarded ones the Ships hold what the pile would have given."""
    game = next(game for seed in range(30) if len((game := dealt(3, seed)).discard) > 1)
    aboard = [card for ship in game.ships[1::2] for card in ship.containers]
    assert len(aboard) == 12
    assert not set(aboard) & set(game.discard)
    assert len(game.pile) == 115 - 3 - 12 - 15 - len(game.discard)


# Goods and Levels


def test_capital_goods_count_as_the_leftmost_other_good() -> None:  # R16.7, T13
    game = capital(hands={0: "lux-1"}, goods={0: "tech-1 blank-31 blank-32"})
    assert count_goods(game, 0) == [3, 0, 0, 0, 0]


def test_the_leftmost_good_that_is_not_capital_decides_wherever_the_capital_goods_lie() -> None:  # R16.7
    game = capital(hands={0: "lux-1"}, goods={0: "blank-31 ill-1 tech-1 blank-32"})
    assert count_goods(game, 0) == [1, 0, 0, 0, 3]


def test_leftmost_is_read_afresh_each_time() -> None:  # Q76, R16.7
    """Sugar Scrub or any other power that takes the leftmost Good changes what Capital Goods are."""
    game = capital(hands={0: "lux-1"}, goods={0: "tech-1 agri-1 blank-31"})
    assert TYPES[good_types(game, 0)[2]] == "technology"
    game.players[0].goods = game.players[0].goods[1:]
    assert TYPES[good_types(game, 0)[1]] == "agriculture"


def test_capital_goods_score_as_the_type_they_count_as() -> None:  # R16.7, R14.2, R14.4, T13
    game = capital(goods={0: "ill-1 blank-31", 1: "tech-1 blank-32 blank-33"}, ending="credits")
    # seat 0: two Illegal Goods at 2, and the penalty; seat 1: three Technology Goods and their majority
    assert totals(game) == (10 + 4 - 6, 10 + 3 + 6, 10)


def test_capital_goods_alone_have_no_type_and_score_nothing() -> None:  # Q75, Q71
    game = capital(goods={0: "blank-31 blank-32"}, ending="credits")
    assert totals(game) == (10, 10, 10)
    game = capital(goods={0: "tech-1 agri-1 cons-1 lux-1 blank-31"}, ending="credits")
    assert totals(game)[0] == 10 + 5 + 6 + 6 + 6 + 8  # Capital does not stand for Illegal


def test_capital_goods_without_type_still_fill_places_and_count_for_capital_levels() -> None:  # Q75
    game = capital(
        hands={0: "agri-1 blank-31"},
        goods={0: "blank-35 blank-36"},
        contracts={0: 1},
        port={0: "technology"},
        faces={"blank-31": needs({"any": 2}, luxury=2)},
    )
    go(game, "0 lead:contract:agri-1*1")
    assert having(game, 0, "contract") == {"contract:blank-31@ship-0"}
    assert game.view(None)["players"][0]["goods_limit"] == 2
    game = capital(
        hands={0: "cons-1"},
        crew={0: "lux-9"},
        goods={0: "blank-35 blank-36"},
        contracts={0: 1},
        ships={1: {"containers": "lux-1 lux-2"}},
    )
    go(game, "0 lead:import:cons-1*1, 0 import@ship-1")
    assert offered(game, 0) == {"take:lux-1@discard", "take:lux-2@discard"}


def test_capital_goods_give_coloured_levels_as_the_copied_type() -> None:  # Q77, R9.3
    game = capital(
        hands={0: "agri-1 lux-1"},
        goods={0: "lux-5 blank-31"},
        faces={"lux-1": needs({"luxury": 2}, luxury=2)},
    )
    go(game, "0 lead:contract:agri-1*1")
    expect(game, ships={0: {"contracts": "lux-1"}})


@pytest.mark.parametrize("level", range(10))
@pytest.mark.parametrize(("port", "grey"), [("technology", 0), ("capital", 1)])
def test_every_good_of_any_type_and_the_grey_port_count_for_a_capital_level(
    level: int, port: str, grey: int
) -> None:  # R16.8, Q77
    game = capital(
        hands={0: "agri-1 blank-31"},
        goods={0: "tech-1 agri-2 blank-35 ill-1 ill-2"},
        port={0: port},
        faces={"blank-31": needs({"any": level} if level else {}, luxury=2)},
    )
    assert levels(game, 0)[CAPITAL] == 5 + grey
    go(game, "0 lead:contract:agri-1*1")
    assert ("contract:blank-31@ship-0" in offered(game, 0)) == (level <= 5 + grey)


def test_without_capital_the_grey_port_gives_no_level() -> None:  # Q5, R16.8
    game = table(hands={0: "tech-1"}, port={0: "capital"}, goods={0: "tech-2"})
    assert levels(game, 0) == [1, 0, 0, 0, 0, 1]


@pytest.mark.parametrize(
    ("level", "actions", "legal"), [(3, 3, True), (3, 2, False), (9, 9, True), (9, 8, False)]
)
def test_contract_actions_may_skip_capital_levels_as_usual(level: int, actions: int, legal: bool) -> None:
    """R16.8, Q102: each spent action is 1 Level of any kind; the grey Port adds 1."""
    crew = " ".join(f"agri-{number}" for number in range(2, actions + 1))
    game = capital(
        hands={0: "agri-1 blank-31"},
        crew={0: crew},
        faces={"blank-31": needs({"any": level}, luxury=2)},
    )
    go(game, f"0 lead:contract:agri-1*{actions}")
    text = f"contract:blank-31@ship-0*{level - 1}"
    assert (text in offered(game, 0)) == legal
    if legal:
        go(game, f"0 {text}")
        expect(game, ships={0: {"contracts": "blank-31"}}, turn=2)


# Requirements and Containers


def test_a_rainbow_requirement_takes_containers_of_any_colour() -> None:  # R16.9
    game = capital(
        hands={0: "tech-1 ill-1 lux-1"},
        crew={0: "tech-9"},
        ships={0: {"contracts": "blank-31"}},
    )
    go(game, "0 lead:load:tech-1*2, 0 load:ill-1@ship-0, 0 load:lux-1@ship-0")
    expect(game, fulfilled={0: "blank-31"}, ships={0: {"containers": "ill-1 lux-1", "place": "sea"}})


def test_a_grey_container_satisfies_a_requirement_of_any_colour() -> None:  # R16.10
    game = capital(
        hands={0: "tech-1 lux-1 lux-2 agri-1"},
        ships={0: {"contracts": "lux-9", "containers": "blank-31"}},
        faces={"lux-9": needs(luxury=1, agriculture=1)},
    )
    go(game, "0 lead:load:tech-1*1")
    assert having(game, 0, "load") == {f"load:{card}@ship-0" for card in ("lux-1", "lux-2", "agri-1")}
    go(game, "0 load:agri-1@ship-0")
    expect(game, ships={0: {"place": "sea", "containers": "blank-31 agri-1"}}, credits={0: 16})


def test_grey_cards_can_not_be_loaded() -> None:  # R16.10
    game = capital(hands={0: "tech-1 blank-31 lux-1 lux-2"}, ships={0: {"contracts": "blank-32"}})
    go(game, "0 lead:load:tech-1*1")
    assert having(game, 0, "load") == {"load:lux-1@ship-0", "load:lux-2@ship-0"}


def test_grey_cards_can_not_be_pirated_not_even_to_discard_them() -> None:  # R16.10, Q78
    game = capital(
        hands={0: "ill-1"},
        island="blank-31 tech-1",
        ships={0: {"contracts": "blank-32"}, 1: HOME, 3: {"containers": "blank-33 lux-1"}, 5: HOME},
    )
    go(game, "0 lead:piracy:ill-1*1")
    assert having(game, 0, "pirate") == {"pirate:tech-1", "pirate:lux-1@ship-3"}


def test_with_grey_targets_alone_a_piracy_action_is_lost() -> None:  # Q78, Q60
    game = capital(
        hands={0: "ill-1"}, island="blank-31", ships={1: HOME, 3: {"containers": "blank-33"}, 5: HOME}
    )
    events = go(game, "0 lead:piracy:ill-1*1")
    assert "lost" in kinds(events)


def test_grey_containers_and_island_cards_may_be_taken_by_import_and_supply() -> None:  # Q78
    game = capital(hands={0: "cons-1"}, contracts={0: 2}, ships={1: {"containers": "blank-31 blank-32"}})
    go(game, "0 lead:import:cons-1*1, 0 import@ship-1, 0 take:blank-32@crew")  # the other goes to Goods
    expect(game, crew={0: "blank-32"}, goods={0: "blank-31"}, ships={1: {"place": "port"}})
    game = capital(hands={0: "lux-1"}, island="blank-31 tech-1")
    go(game, "0 lead:supply:lux-1*1, 0 take:blank-31")
    expect(game, crew={0: "blank-31"})


def test_a_power_may_bring_a_grey_container_aboard() -> None:  # R16.10, P20
    """Container Factory goes onto another Ship; there it serves any requirement."""
    game = capital(
        hands={0: "tech-1 tech-2"},
        ships={
            0: {"contracts": "container-factory", "containers": "tech-3"},
            1: {"place": "port", "contracts": "lux-9", "containers": "lux-1"},
        },
        faces={"container-factory": needs(technology=2)},
    )
    go(game, "0 lead:load:tech-1*1, 0 load:tech-2@ship-0, 0 put:container-factory@ship-1")
    expect(game, ships={1: {"place": "sea", "containers": "lux-1 container-factory"}}, credits={0: 22})


# Payout and powers


@pytest.mark.parametrize(("count", "credits"), [(2, 6), (3, 10), (4, 10), (5, 14), (6, 14)])
def test_a_capital_contract_is_paid_like_any_other(count: int, credits: int) -> None:  # R16.12, R11.2
    aboard = " ".join(f"lux-{number}" for number in range(2, count + 1))
    game = capital(
        hands={0: "tech-1 lux-1"},
        ships={0: {"contracts": "blank-31", "containers": aboard}},
        faces={"blank-31": needs(any=count)},
    )
    go(game, "0 lead:load:tech-1*1, 0 load:lux-1@ship-0")
    expect(game, credits={0: 10 + credits}, fulfilled={0: "blank-31"}, ships={0: {"place": "sea"}})


def test_a_capital_contract_has_its_power_and_raises_the_limits() -> None:  # R16.12, R11.3
    """Mineral Fuels lets its owner draw to 6."""
    game = capital(
        hands={0: "tech-1 lux-1", 1: "cons-1"},
        ships={0: {"contracts": "mineral-fuels", "containers": "ill-1 agri-1"}},
        faces={"mineral-fuels": needs(luxury=1, illegal=1, agriculture=1)},
    )
    go(game, "0 lead:load:tech-1*1, 0 load:lux-1@ship-0")
    expect(game, credits={0: 20}, fulfilled={0: "mineral-fuels"})
    assert game.view(None)["players"][0]["crew_limit"] == 2
    assert game.view(None)["players"][0]["goods_limit"] == 4
    run_defaults(game, lambda game: game.turn == 5)
    expect(game, hand_sizes={0: 6})


def test_imported_goods_lie_in_the_order_in_which_the_taker_names_them() -> None:  # Q76
    for first, second, kind in (("lux-1", "ill-1", "luxury"), ("ill-1", "lux-1", "illegal")):
        game = capital(
            hands={0: "cons-1"},
            goods={0: "blank-31"},
            contracts={0: 3},
            ships={1: {"containers": "lux-1 ill-1"}},
        )
        go(game, f"0 lead:import:cons-1*1, 0 import@ship-1, 0 take:{first}@goods, 0 take:{second}@goods")
        expect(game, goods={0: f"blank-31 {first} {second}"})
        assert TYPES[good_types(game, 0)[0]] == kind


def test_the_owner_orders_goods_that_arrive_together() -> None:  # Q76
    """Sanitizer turns three Crew cards into Goods; the leftmost one decides what the Capital Good is."""
    game = sanitizing(crew={0: "lux-1 blank-31 ill-1 tech-1"})
    assert offered(game, 0) == {"put:lux-1", "put:blank-31", "put:ill-1", "put:tech-1"}
    events = play(game, "0 put:ill-1")
    assert events[0].public == {"seat": 0, "cards": ["ill-1", "lux-1", "blank-31", "tech-1"]}
    assert offered(game, 0) == {"put:lux-1", "put:blank-31", "put:tech-1"}
    play(game, "0 put:tech-1")  # with one type left the rest is no question
    expect(game, goods={0: "ill-1 tech-1 lux-1 blank-31"}, crew={0: "agri-1"})
    assert [TYPES[kind] for kind in good_types(game, 0)] == ["illegal", "technology", "luxury", "illegal"]


def test_older_goods_stay_left_of_new_ones() -> None:  # Q76
    game = capital(
        hands={0: "tech-20 lux-20", 1: "cons-20"},
        crew={0: "lux-1 ill-1"},
        goods={0: "agri-1"},
        ships={0: {"contracts": "soy-sauce", "containers": "tech-2"}},
        faces={"soy-sauce": needs(technology=1, luxury=1)},
    )
    play(game, "0 lead:load:tech-20*1, 0 load:lux-20@ship-0, 0 yes, 0 put:ill-1")
    expect(game, goods={0: "agri-1 ill-1 lux-1"})


def test_goods_of_one_type_are_not_ordered() -> None:  # Q76, P3
    game = sanitizing(crew={0: "lux-1 blank-31 lux-2"})
    expect(game, goods={0: "lux-1 blank-31 lux-2"}, crew={0: "agri-1"})


def test_without_capital_nobody_is_asked_for_the_order_of_goods() -> None:  # Q76
    game = sanitizing(crew={0: "lux-1 ill-1 tech-1"}, sets=())
    expect(game, goods={0: "lux-1 ill-1 tech-1"}, crew={0: "agri-1"})


def test_the_market_sees_goods_in_the_order_that_their_owner_names() -> None:  # Q76, Q86
    for first, second, kind in (("lux-1", "ill-1", "luxury"), ("ill-1", "lux-1", "illegal")):
        game = sanitizing(crew={0: "lux-1 blank-31 ill-1"}, market={"technology": 0})
        play(game, f"0 put:{first}")
        expect(game, goods={0: " ".join([first, *(c for c in ("lux-1", "blank-31", "ill-1") if c != first)])})
        market = game.view(0)["market"]
        assert market[kind] == (1 if kind == "luxury" else 2)  # lux-20 of the Ship has lowered one
        assert second in names(game, game.players[0].goods)


def sanitizing(**more: Any) -> Game:
    """Seat 0 has just fulfilled Sanitizer, with agri-1 in its Goods."""
    game = table(
        sets=more.pop("sets", ["capital"]),
        hands={0: "tech-20 lux-20", 1: "cons-20"},
        goods={0: "agri-1"},
        ships={0: {"contracts": "sanitizer", "containers": "tech-2"}},
        faces={"sanitizer": needs(technology=1, luxury=1)},
        **more,
    )
    play(game, "0 lead:load:tech-20*1, 0 load:lux-20@ship-0")
    return game


def test_a_dealt_game_with_capital_begins_and_ends() -> None:  # Q2, R16.11
    game = dealt(3, 5)
    for _ in range(3):
        finish_turn(game)
    run_defaults(game)
    assert game.over
