"""Physical Containers in place of cards (R20): variant 1, and variant 2 with Crew and Goods too."""

from __future__ import annotations

from typing import Any

import pytest
from powers.fulfilling import fulfil
from table import expect, fixtures, kinds, names, needs, offered, play, run_defaults, table

from arena.game import Game, Options
from arena.game.terms import CAPITAL
from arena.game.tokens import CONTAINERS, STOCK, is_token, out

V1, V2 = "tokens", "tokens-everywhere"
BOTH = pytest.mark.parametrize("kind", [V1, V2])
HOME = {"place": "port"}
OPEN = {"contracts": "lux-9"}  # takes two of Luxury


def loading(hand: str, kind: str = V1, **more: Any) -> Game:
    """Seat 0 has led one Load with tech-20."""
    game = table(hands={0: f"tech-20 {hand}"}, containers=kind, **more)
    play(game, "0 lead:load:tech-20*1")
    return game


def importing(kind: str = V1, aboard: str = "lux-1 tech-1 ill-1", **more: Any) -> Game:
    """Seat 0 has led one Import alone with cons-20, and has picked its own Ship."""
    more.setdefault("contracts", {0: 3})
    ships = {1: {"containers": aboard}, **more.pop("ships", {})}
    game = table(hands={0: "cons-20"}, containers=kind, ships=ships, **more)
    play(game, "0 lead:import:cons-20*1, 0 import@ship-1")
    return game


def pirating(kind: str = V1, **more: Any) -> Game:
    """Seat 0 has led one Piracy with ill-20."""
    game = table(hands={0: f"ill-20 {more.pop('hand', '')}"}, containers=kind, **more)
    play(game, "0 lead:piracy:ill-20*1")
    return game


def supplying(kind: str = V2, **more: Any) -> Game:
    """Seat 0 has led one Supply with lux-20."""
    game = table(hands={0: "lux-20 agri-1"}, containers=kind, **more)
    play(game, "0 lead:supply:lux-20*1")
    return game


# What is played


def test_cards_are_the_containers_unless_a_variant_is_chosen() -> None:  # R20.0, Q2
    game = Game.new(Options(players=3), seed=1)
    assert not any(is_token(game, card) for ship in game.ships for card in ship.containers)
    assert "tokens" not in game.view(None)
    assert len(game.zones) == 171 + 20  # the cards, and the sides of the double ones


@BOTH
def test_a_game_with_tokens_shows_how_many_are_out_of_the_stock(kind: str) -> None:  # R20.1, Q9
    game = loading("lux-1", kind, ships={0: OPEN, 1: HOME, 3: {"containers": "lux-1"}, 5: HOME})
    assert game.view(1)["tokens"] == {
        "technology": 0,
        "agriculture": 0,
        "consumer": 0,
        "luxury": 1,
        "illegal": 0,
    }
    play(game, "0 load:lux-1@ship-0")
    assert game.view(None)["tokens"]["luxury"] == 2


# Set-up


@BOTH
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_the_containers_of_the_set_up_are_swapped_for_tokens(kind: str, players: int) -> None:  # Q88, R2.6
    cards = Game.new(Options(players=players), seed=players)
    game = Game.new(Options(players=players, containers=kind), seed=players)
    colors = cards.catalogue.colors
    swapped = [card for ship in cards.ships for card in ship.containers]
    lying = [token for ship in game.ships for token in ship.containers]
    assert all(is_token(game, token) for token in lying)
    assert [game.catalogue.colors[token] for token in lying] == [colors[card] for card in swapped]
    assert game.discard == swapped
    assert [player.hand for player in game.players] == [player.hand for player in cards.players]


def test_capital_cards_of_the_set_up_are_replaced_and_not_swapped() -> None:  # R16.3, Q88
    for seed in range(8):
        game = Game.new(Options(players=6, sets=("capital",), containers=V1), seed=seed)
        grey = [card for card in game.discard if game.catalogue.colors[card] == CAPITAL]
        assert len(game.discard) == 6 * 4 + len(grey)
        if grey:
            return
    pytest.fail("no Capital card was replaced")


# Load


@BOTH
def test_a_loaded_card_is_discarded_and_a_token_of_its_colour_is_aboard(kind: str) -> None:  # R20.1
    game = loading("lux-1", kind, ships={0: OPEN}, discard="ill-1")
    events = play(game, "0 load:lux-1@ship-0")
    expect(game, ships={0: {"containers": "luxury-token-1"}}, discard="lux-1 ill-1")
    assert kinds(events)[:2] == ["discard", "load"]
    assert events[1].public["card"] == "luxury-token-1"


def test_tokens_serve_requirements_count_for_the_payout_and_sail() -> None:  # R20.1, R11.2, R11.4
    game = loading("lux-1", ships={0: {**OPEN, "containers": "lux-7"}})
    play(game, "0 load:lux-1@ship-0")
    expect(
        game,
        credits={0: 16},
        fulfilled={0: "lux-9"},
        ships={0: {"place": "sea", "containers": "luxury-token-7 luxury-token-1"}},
    )


def test_tokens_on_an_unfulfilled_contract_score() -> None:  # R20.1, R14.1
    game = table(ending="turns", containers=V1, ships={0: {**OPEN, "containers": "lux-1"}})
    run_defaults(game)
    assert game.result is not None
    assert game.result.credits == (12, 10, 10)


def test_the_stock_has_no_limit() -> None:  # Q103
    aboard = " ".join(f"lux-{number}" for number in range(1, STOCK + 1))
    game = loading("lux-1", ships={0: OPEN, 1: HOME, 3: {"containers": aboard}, 5: HOME})
    play(game, "0 load:lux-1@ship-0")
    expect(game, ships={0: {"containers": f"luxury-token-{STOCK + 1}"}})
    copy = Game.from_json(game.to_json(), fixtures())
    assert copy.digest() == game.digest() == game.clone().digest()
    assert copy.view(0) == game.view(0)


# Piracy


@BOTH
def test_piracy_moves_the_token_from_ship_to_ship(kind: str) -> None:  # R20.2
    game = pirating(kind, ships={0: OPEN, 3: {"containers": "lux-4 tech-1"}}, discard="lux-1")
    play(game, "0 pirate:luxury-token-4@ship-3")
    expect(
        game,
        ships={0: {"containers": "luxury-token-4"}, 3: {"containers": "technology-token-1"}},
        discard="lux-1",
    )


@BOTH
def test_a_pirated_token_that_can_not_be_loaded_goes_to_the_stock(kind: str) -> None:  # Q88
    game = pirating(kind, ships={3: {"containers": "lux-4 tech-1"}}, discard="lux-1")
    play(game, "0 pirate:luxury-token-4@ship-3")
    expect(game, ships={3: {"containers": "technology-token-1"}}, discard="ill-20 lux-1")
    assert "luxury-token-4" not in names(game, out(game))


@BOTH
def test_a_card_pirated_from_the_island_becomes_a_token(kind: str) -> None:  # R20.1, Q88
    game = pirating(kind, ships={0: OPEN}, island="lux-2 ill-2", discard="tech-1")
    play(game, "0 pirate:lux-2")
    expect(game, ships={0: {"containers": "luxury-token-1"}}, discard="lux-2 tech-1", island="ill-2")


@BOTH
def test_a_card_pirated_from_the_island_that_can_not_be_loaded_is_discarded(kind: str) -> None:  # Q88
    game = pirating(kind, island="lux-2")
    play(game, "0 pirate:lux-2")
    expect(game, discard="ill-20 lux-2", island="")


def test_a_ship_that_loses_its_last_token_returns() -> None:  # R20.2, R12.3
    game = pirating(ships={0: OPEN, 3: {"containers": "lux-4"}})
    play(game, "0 pirate:luxury-token-4@ship-3")
    expect(game, ships={3: {"place": "port", "containers": ""}})


# Import in variant 1: the search of the discard pile


def test_an_imported_token_is_returned_and_the_top_matching_card_is_crew_or_good() -> None:  # R20.3
    game = importing(discard="ill-5 lux-5 lux-6 tech-5 ill-6")
    events = play(game, "0 take:luxury-token-1@crew, 0 take:technology-token-1@goods")
    expect(
        game,
        crew={0: "lux-5"},
        goods={0: "tech-5"},
        discard="cons-20 ill-5 lux-6 ill-6",
        ships={1: {"containers": "illegal-token-1"}},
    )
    assert not {"luxury-token-1", "technology-token-1"} & set(names(game, out(game)).split())
    found = [event.public for event in events if event.kind == "match"]
    assert found == [
        {"token": "luxury-token-1", "card": "lux-5", "passed": ["ill-5"]},
        {"token": "technology-token-1", "card": "tech-5", "passed": ["ill-5", "lux-6"]},
    ]


def test_two_tokens_of_one_colour_find_the_two_top_cards_of_it() -> None:  # R20.3
    game = importing(aboard="lux-1 lux-2 ill-1", discard="lux-5 tech-5 lux-6")
    play(game, "0 take:luxury-token-2@goods, 0 take:luxury-token-1@crew")
    expect(game, goods={0: "lux-5"}, crew={0: "lux-6"}, discard="cons-20 tech-5")


def test_without_a_match_nothing_is_gained_for_that_token() -> None:  # Q88
    game = importing(discard="lux-5 ill-5")
    play(game, "0 take:technology-token-1@goods, 0 take:luxury-token-1@crew")
    expect(game, goods={0: ""}, crew={0: "lux-5"}, discard="cons-20 ill-5")


def test_a_grey_card_matches_no_token() -> None:  # R20.3, P22
    game = importing(discard="blank-30 lux-5")
    play(game, "0 take:luxury-token-1@goods, 0 take:technology-token-1@goods")
    expect(game, goods={0: "lux-5"}, discard="cons-20 blank-30")


def test_a_token_without_room_goes_to_the_stock_and_nothing_is_searched() -> None:  # Q105, R8.8
    game = importing(contracts={0: 1}, goods={0: "ill-8 ill-9"}, crew={0: "ill-7"}, discard="lux-5 tech-5")
    events = play(game, "0 take:luxury-token-1@discard, 0 take:technology-token-1@discard")
    expect(game, discard="cons-20 lux-5 tech-5", goods={0: "ill-8 ill-9"})
    assert "match" not in kinds(events)
    assert not {"luxury-token-1", "technology-token-1"} & set(names(game, out(game)).split())


def test_the_search_is_shown_to_all() -> None:  # Q103, P29
    game = importing(discard="ill-5 lux-5")
    events = play(game, "0 take:luxury-token-1@crew, 0 take:technology-token-1@goods")
    [match, none] = [event for event in events if event.kind == "match"]
    assert match.for_seat(2) == match.for_seat(None)
    assert none.public == {"token": "technology-token-1", "card": None, "passed": ["ill-5"]}
    lux = game.catalogue.number_of["lux-5"]
    assert game.players[0].crew == (lux,)
    assert game.sample(2, 1).view(2) == game.view(2)


# Variant 2


def test_an_imported_token_becomes_the_crew_or_good_itself() -> None:  # Q89, R20.4
    game = importing(V2, discard="lux-5 tech-5")
    events = play(game, "0 take:luxury-token-1@crew, 0 take:technology-token-1@goods")
    expect(game, crew={0: "luxury-token-1"}, goods={0: "technology-token-1"}, discard="cons-20 lux-5 tech-5")
    assert "match" not in kinds(events)


def test_a_card_taken_as_crew_is_discarded_for_a_token_that_counts_as_its_colour() -> None:  # R20.4
    game = supplying(island="ill-3", ships={1: HOME, 3: HOME, 5: HOME})
    play(game, "0 take:ill-3")
    expect(game, crew={0: "illegal-token-1"}, discard="lux-20 ill-3", island="")


def test_token_crew_adds_actions_of_its_colour() -> None:  # R20.4, R3.4
    game = table(hands={0: "ill-1 lux-1"}, crew={0: "ill-5 ill-6"}, containers=V2)
    leads = {text for text in offered(game, 0) if text.startswith("lead")}
    assert leads == {f"lead:piracy:ill-1*{n}" for n in (1, 2, 3)} | {"lead:supply:lux-1*1"}


def test_token_goods_give_levels_and_score() -> None:  # R20.4, R9.3, R14.2, R14.4
    game = table(
        hands={0: "agri-20 lux-1"},
        goods={0: "lux-1 lux-2"},
        faces={"lux-1": needs({"luxury": 2}, luxury=2)},
        containers=V2,
    )
    play(game, "0 lead:contract:agri-20*1")
    expect(game, ships={0: {"contracts": "lux-1"}})
    scored = table(ending="turns", goods={0: "lux-1 lux-2", 1: "ill-1"}, containers=V2)
    run_defaults(scored)
    assert scored.result is not None
    assert scored.result.credits == (10 + 2 + 8, 10 + 2 - 6, 10)


def test_a_card_taken_at_the_crew_limit_is_discarded_without_a_token() -> None:  # R20.4, R7.4
    game = supplying(island="ill-3", crew={0: "ill-1"}, contracts={0: 1})
    play(game, "0 take:ill-3")
    expect(game, crew={0: "illegal-token-1"}, discard="lux-20 ill-3")
    assert "illegal-token-2" not in names(game, out(game)).split()


# Grey cards


def test_the_owner_chooses_what_colour_a_grey_card_becomes_as_crew() -> None:  # R20.5, Q103
    game = supplying(island="blank-30", ships={1: HOME, 3: HOME, 5: HOME})
    play(game, "0 take:blank-30")
    expect(game, asks="0 color", crew={0: ""}, island="")
    assert offered(game, 0) == {
        f"color:{name}:blank-30" for name in ("technology", "agriculture", "consumer", "luxury", "illegal")
    }
    play(game, "0 color:consumer:blank-30")
    expect(game, crew={0: "consumer-token-1"}, discard="lux-20 blank-30")


def test_a_grey_card_stays_itself_as_crew_and_good_in_variant_1() -> None:  # R20.1, R20.5
    game = supplying(V1, island="blank-30")
    play(game, "0 take:blank-30")
    expect(game, crew={0: "blank-30"})


@BOTH
def test_a_grey_card_that_a_power_loads_becomes_a_colour_that_the_ship_needs(kind: str) -> None:  # R20.5, P19
    """power: cheap-labor (Q105)"""
    faces = {"lux-9": needs(luxury=2, illegal=1)}
    game = fulfil("cheap-labor", ships={1: {**HOME, **OPEN}}, faces=faces, containers=kind)
    assert offered(game, 0) == {"color:luxury:cheap-labor", "color:illegal:cheap-labor"}
    play(game, "0 color:illegal:cheap-labor")
    expect(game, ships={1: {"containers": "illegal-token-1"}}, fulfilled={0: ""})
    assert names(game, [game.discard[-1]]) == "cheap-labor"


# Double cards


DOUBLE = "drones--olive-oil"  # Technology or Agriculture


@BOTH
def test_a_loaded_double_card_is_discarded_for_a_token_of_the_chosen_colour(
    kind: str,
) -> None:  # R18.3, R20.1
    game = loading(f"{DOUBLE} lux-1", kind, ships={0: {"contracts": "agri-1"}})
    play(game, "0 load:olive-oil@ship-0")
    expect(game, ships={0: {"containers": "agriculture-token-1"}}, credits={0: 8}, discard=DOUBLE)


def test_a_pirated_token_of_a_double_card_is_free_and_keeps_its_colour() -> None:  # R18.4, R20.2
    game = pirating(ships={0: {"contracts": "agri-1"}, 3: {"containers": "agri-4 tech-1"}}, credits={0: 0})
    play(game, "0 pirate:agriculture-token-4@ship-3")
    expect(game, ships={0: {"containers": "agriculture-token-4"}}, credits={0: 0})


def test_a_double_card_matches_a_token_of_either_colour_and_keeps_it() -> None:  # R20.3, P23
    game = importing(aboard="agri-1 lux-1 ill-1", discard=f"{DOUBLE} agri-5 lux-5")
    play(game, "0 take:agriculture-token-1@crew, 0 take:luxury-token-1@goods")
    expect(game, crew={0: "olive-oil"}, goods={0: "lux-5"}, discard="cons-20 agri-5")


def test_a_double_card_taken_as_crew_becomes_a_token_of_the_chosen_colour() -> None:  # R20.4, Q82
    game = supplying(island=DOUBLE)
    play(game, "0 take:olive-oil")
    expect(game, crew={0: "agriculture-token-1"}, discard=f"lux-20 {DOUBLE}", credits={0: 10})


def test_a_double_card_of_the_set_up_becomes_a_token_of_its_first_colour() -> None:  # Q105, Q101
    for seed in range(8):
        game = Game.new(Options(players=6, sets=("j",), containers=V1), seed=seed)
        lying = [token for ship in game.ships for token in ship.containers]
        for card, token in zip(game.discard, lying, strict=True):
            colors = game.catalogue.cards[card - 1].colors
            assert game.catalogue.colors[token] == colors[0]
            if len(colors) > 1:
                return
    pytest.fail("no double card was dealt to a Ship")


def test_options_name_the_kinds_of_containers() -> None:  # Q2
    assert CONTAINERS == ("cards", V1, V2)
    for kind in CONTAINERS:
        assert Options(containers=kind).check().containers == kind
