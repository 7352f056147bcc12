"""What powers do where Containers, or Crew and Goods too, are tokens (R20, Q88, Q103)."""

from __future__ import annotations

from typing import Any

import pytest
from table import expect, kinds, needs, offered, play, run_defaults, table

from arena.game.terms import PIRACY, TYPES
from powers.fulfilling import fulfil
from powers.scenes import led

V1, V2 = "tokens", "tokens-everywhere"
BOTH = pytest.mark.parametrize("kind", [V1, V2])
HOME = {"place": "port"}
OPEN = {**HOME, "contracts": "lux-9"}  # takes two of Luxury


def colors(card: str) -> set[str]:
    """The answers to what colour a card becomes."""
    return {f"color:{name}:{card}" for name in TYPES[:5]}


# Cards that would act from aboard


@BOTH
def test_yogurt_acts_when_the_card_is_loaded_though_only_a_token_is_aboard(kind: str) -> None:
    """power: yogurt (departs from Q88)"""
    game = led("load", hands={0: "yogurt lux-1"}, ships={0: {"contracts": "agri-1"}}, containers=kind)
    before = [len(player.hand) for player in game.players]
    play(game, "0 load:yogurt@ship-0")
    expect(game, ships={0: {"containers": "agriculture-token-1"}})
    expect(game, hand_sizes={0: before[0] - 1 + 4, 1: before[1] + 2, 2: before[2] + 2})


def test_yogurt_acts_when_the_card_is_pirated_from_the_island_and_not_as_a_token() -> None:
    """power: yogurt (departs from Q88)"""
    game = led("piracy", island="yogurt", ships={0: {"contracts": "agri-1"}, 1: HOME}, containers=V1)
    play(game, "0 pirate:yogurt")
    expect(game, hand_sizes={0: 4, 1: 7, 2: 7}, ships={0: {"containers": "agriculture-token-1"}})
    ships = {0: {"place": "sea", "containers": "agri-1 tech-1"}, 2: {"contracts": "agri-2"}}
    again = led("piracy", seat=1, ships=ships, containers=V1)
    play(again, "1 pirate:agriculture-token-1@ship-0")
    expect(again, hand_sizes={1: 0}, ships={2: {"containers": "agriculture-token-1"}})


def test_bok_choy_is_an_ordinary_token() -> None:  # Q88
    """power: bok-choy"""
    mixed = needs(technology=1, agriculture=1)
    ships = {0: {"contracts": "tech-1", "containers": "tech-2"}}
    game = led("load", hands={0: "bok-choy"}, ships=ships, faces={"tech-1": mixed}, containers=V1)
    play(game, "0 load:bok-choy@ship-0")
    expect(game, credits={0: 16})


@BOTH
def test_a_pair_of_robo_cats_is_two_tokens(kind: str) -> None:  # R20.1, R20.2
    """power: robo-cats"""
    ships: dict[int, Any] = {0: {"contracts": "tech-1"}, 3: {"containers": "ill-1 cons-7 lux-1"}}
    fulfilled = {0: "robo-cats"}
    game = led("load", fulfilled=fulfilled, hands={0: "cons-1 cons-2"}, ships=ships, containers=kind)
    play(game, "0 load:robo-cats:cons-1+cons-2@ship-0")
    expect(game, ships={0: {"containers": "consumer-token-1 consumer-token-2"}})
    assert len(game.ships[0].pairs) == 1
    game = led("piracy", 2, fulfilled=fulfilled, island="cons-3", ships=ships, containers=kind)
    play(game, "0 pirate:robo-cats:consumer-token-7+cons-3@ship-0*1")
    expect(game, ships={0: {"containers": "consumer-token-7 consumer-token-1"}}, island="")


# Cards that become rainbow Containers, or grey ones


@BOTH
@pytest.mark.parametrize(
    ("card", "verb"), [("container-factory", "put"), ("automation", "load"), ("gps", "put")]
)
def test_what_would_be_a_rainbow_container_becomes_a_token_of_a_chosen_colour(
    card: str, verb: str, kind: str
) -> None:  # R20.5, P19
    """power: container-factory, automation, gps (Q105)"""
    faces = {"lux-9": needs(luxury=2, illegal=1)}
    game = fulfil(card, ships={1: OPEN}, faces=faces, containers=kind)
    if f"{verb}:{card}@ship-1" in offered(game, 0):
        play(game, f"0 {verb}:{card}@ship-1")
    assert offered(game, 0) == {f"color:luxury:{card}", f"color:illegal:{card}"}
    play(game, f"0 color:luxury:{card}")
    expect(game, ships={1: {"containers": "luxury-token-1"}}, fulfilled={0: ""})
    assert game.ships[1].rainbow == game.ships[1].riders == ()
    assert game.catalogue.ids[game.discard[-1]] == card


@BOTH
def test_automation_does_not_ride_on_as_a_token(kind: str) -> None:  # Q88
    """power: automation"""
    one = needs(luxury=1)
    game = fulfil("automation", ships={1: OPEN}, faces={"lux-9": one}, containers=kind)
    expect(game, ships={1: {"place": "sea", "containers": "luxury-token-1"}}, fulfilled={0: "lux-9"})


@BOTH
def test_a_grey_card_becomes_any_colour_on_a_ship_without_a_contract(kind: str) -> None:  # R20.5
    """power: cheap-labor"""
    game = fulfil("cheap-labor", ships={1: HOME}, containers=kind)
    assert offered(game, 0) == colors("cheap-labor")
    play(game, "0 color:consumer:cheap-labor")
    expect(game, ships={1: {"place": "port", "containers": "consumer-token-1"}})


@BOTH
def test_euros_become_a_token_at_sea(kind: str) -> None:  # R20.1
    """power: euros"""
    ships = {1: HOME, 3: {"containers": "lux-1"}, 5: HOME}
    game = fulfil("euros", ships=ships, faces={"euros": {"color": "illegal"}}, containers=kind)
    expect(game, ships={3: {"containers": "luxury-token-1 illegal-token-1"}}, fulfilled={0: ""})
    grey = fulfil("euros", ships=ships, faces={"euros": {"color": "capital"}}, containers=kind)
    assert offered(grey, 0) == colors("euros")
    play(grey, "0 color:luxury:euros")
    expect(grey, ships={3: {"containers": "luxury-token-1 luxury-token-2"}})


# Tokens that go where cards lie


@BOTH
def test_flash_drives_find_a_card_for_the_hand(kind: str) -> None:  # Q103
    """power: flash-drives"""
    game = fulfil("lux-1", fulfilled={0: "flash-drives"}, discard="lux-5 tech-5", containers=kind)
    play(game, "0 take:technology-token-11")
    expect(game, hands={0: "tech-20"}, discard="lux-5 tech-5")  # the card just loaded lies on top


@BOTH
def test_without_a_match_nothing_arrives_in_the_hand(kind: str) -> None:  # Q103
    """power: fake-money"""
    ships = {1: HOME, 3: {"containers": "agri-3"}, 5: HOME}
    game = fulfil("fake-money", ships=ships, discard="lux-5 tech-5", containers=kind)
    expect(game, hands={0: ""}, ships={3: {"place": "port", "containers": ""}})
    assert "match" in kinds(game.events)


@BOTH
def test_fake_money_moves_the_token_itself_to_an_own_ship(kind: str) -> None:  # R20.2, Q103
    """power: fake-money"""
    ships = {1: OPEN, 3: {"containers": "lux-3 tech-1"}, 5: HOME}
    game = fulfil("fake-money", ships=ships, discard="lux-5", containers=kind)
    play(game, "0 take:luxury-token-3@ship-3")
    expect(game, ships={1: {"containers": "luxury-token-3"}}, discard="tech-20 lux-5")


def test_jets_find_a_card_for_the_goods_or_move_the_token() -> None:  # Q103, R20.4
    """power: jets"""
    game = fulfil("lux-1", fulfilled={0: "jets"}, containers=V1)
    play(game, "0 take:technology-token-11")
    expect(game, goods={0: "tech-20"}, discard="")
    game = fulfil("lux-1", fulfilled={0: "jets"}, containers=V2)
    play(game, "0 take:technology-token-11")
    expect(game, goods={0: "technology-token-11"}, discard="tech-20")


def test_stem_cells_find_a_card_for_the_goods_or_keep_the_token() -> None:  # Q103, R20.4
    """power: stem-cells"""
    for kind, goods in ((V1, "lux-5"), (V2, "luxury-token-1")):
        ships = {1: HOME, 3: {"containers": "lux-1 tech-1"}}
        game = led("piracy", fulfilled={0: "stem-cells"}, ships=ships, discard="lux-5", containers=kind)
        play(game, "0 pirate:luxury-token-1@ship-3, 0 put:stem-cells:luxury-token-1@goods")
        expect(game, goods={0: goods}, credits={0: 8})


def test_dino_bones_put_a_card_on_the_island_for_a_token_and_take_tokens_for_cards() -> None:  # Q103, R20.4
    """power: dino-bones"""
    game = fulfil("dino-bones", goods={0: "ill-1"}, discard="ill-7 lux-1", island="agri-1", containers=V2)
    expect(game, island="agri-1 ill-7", goods={0: ""}, discard="tech-20 lux-1")
    play(game, "0 take:ill-7")
    expect(game, goods={0: "illegal-token-1 agriculture-token-1"}, island="pile-1")
    expect(game, discard="agri-1 ill-7 tech-20 lux-1")


# Crew and Goods


def test_hentai_manga_make_a_token_of_the_contract_in_variant_2_alone() -> None:  # R20.4
    """power: hentai-manga"""
    for kind, crew in ((V1, "ill-1"), (V2, "illegal-token-1")):
        game = fulfil("ill-1", fulfilled={0: "hentai-manga"}, containers=kind)
        play(game, "0 tuck:ill-1@crew")
        expect(game, crew={0: crew}, fulfilled={0: "hentai-manga"})


def test_unpasteurized_cheese_is_piracy_crew_as_a_token_too() -> None:  # R20.4
    """power: unpasteurized-cheese"""
    game = fulfil("unpasteurized-cheese", faces={"unpasteurized-cheese": {"color": "luxury"}}, containers=V2)
    expect(game, crew={0: "luxury-token-1"}, fulfilled={0: ""})
    [member] = game.players[0].crew
    assert game.marks == {member: PIRACY}
    assert game.view(1)["marks"] == {"luxury-token-1": PIRACY}


def test_sanitizer_swaps_tokens() -> None:  # R20.4
    """power: sanitizer"""
    game = fulfil("sanitizer", crew={0: "lux-1"}, goods={0: "ill-1"}, contracts={0: 3}, containers=V2)
    expect(game, crew={0: "illegal-token-1"}, goods={0: "luxury-token-1"})


def test_telescopes_give_a_token_up_to_the_stock() -> None:  # R20.4, Q88
    """power: telescopes"""
    game = table(hands={0: "tech-1"}, goods={0: "tech-5"}, fulfilled={0: "telescopes"}, containers=V2)
    events = play(game, "0 use:telescopes+technology-token-5")
    expect(game, goods={0: ""}, credits={0: 14}, discard="")
    assert "stock" in kinds(events)


def test_overflow_of_tokens_goes_to_the_stock() -> None:  # R20.4, R6.3
    """power: soy-sauce"""
    crew, goods = "cons-1 cons-2 cons-3", "ill-1 ill-2 ill-3 ill-4 ill-5 ill-6"
    ships = {1: HOME, 3: HOME, 5: HOME}
    game = fulfil("soy-sauce", crew={0: crew}, goods={0: goods}, contracts={0: 3}, ships=ships, containers=V2)
    play(game, "0 yes, 0 discard:consumer-token-2")
    kept = " ".join(f"illegal-token-{number}" for number in range(1, 7))
    expect(game, goods={0: f"{kept} consumer-token-1 consumer-token-3"}, discard="tech-20")
    assert game.view(0)["tokens"]["consumer"] == 2


@BOTH
def test_the_algorithm_is_grey_crew_in_variant_1_and_a_chosen_colour_in_variant_2(kind: str) -> None:  # R20.5
    """power: the-algorithm"""
    game = fulfil("the-algorithm", containers=kind)
    if kind == V2:
        play(game, "0 color:illegal:the-algorithm")
    expect(game, crew={0: "illegal-token-1" if kind == V2 else "the-algorithm"}, fulfilled={0: ""})


def test_segways_loaded_at_the_end_score_as_a_token() -> None:  # R20.1, P26
    """power: segways"""
    ships = {0: {"contracts": "tech-1"}}
    game = table(ending="turns", fulfilled={0: "segways"}, ships=ships, containers=V1)
    run_defaults(game, "0 segways")
    play(game, "0 put:segways@ship-0")
    assert game.result is not None
    assert game.result.credits == (12, 10, 10)
    expect(game, ships={0: {"containers": "technology-token-1"}}, discard="segways")
