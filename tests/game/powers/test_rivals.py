"""Powers that take from the other players, or make them pay."""

from __future__ import annotations

from typing import Any

import pytest
from table import asked, expect, names, needs, offered, play, run_defaults, table

from arena.game import Event, Game
from arena.game.chance import below
from arena.game.powers.rivals import Gifts
from arena.game.terms import LOAD, PIRACY
from powers.fulfilling import fulfil, grant
from powers.scenes import assert_hidden, assert_known

SMALL_PILE = "agri-11 agri-12 agri-13 agri-14 agri-15 agri-16"


def seed_for(heads: bool) -> int:
    """A seed whose first coin falls so."""

    class Dice:
        drawn = 0
        seed = 0

    for seed in range(100):
        dice = Dice()
        dice.seed = seed
        if (below(dice, 2) == 0) == heads:
            return seed
    raise AssertionError


def told(events: list[Event], seat: int | None, kind: str) -> list[dict[str, Any]]:
    """What a seat learns from the events of one kind."""
    return [event.for_seat(seat) for event in events if event.kind == kind]


# Credits


def test_ammunition_makes_those_with_illegal_goods_pay() -> None:
    """power: ammunition"""
    game = fulfil("ammunition", players=4, goods={1: "ill-1 ill-2", 3: "ill-3"}, credits={3: 0})
    expect(game, credits={0: 18, 1: 8, 2: 10, 3: 0})


def test_danger_pets_collects_from_all_who_can_pay() -> None:
    """power: danger-pets"""
    game = fulfil("danger-pets", players=4, credits={0: 4, 1: 10, 2: 6, 3: 0})
    expect(game, credits={0: 14, 1: 8, 2: 4, 3: 0})


def test_flametorch_heads() -> None:
    """power: flametorch"""
    game = fulfil("flametorch", players=4, seed=seed_for(heads=True), credits={0: 4, 1: 10, 2: 2, 3: 6})
    expect(game, credits={0: 18, 1: 6, 2: 2, 3: 2})
    assert told(game.events, None, "coin") == [{"event": "coin", "seat": 0, "heads": True}]


def test_flametorch_tails() -> None:
    """power: flametorch"""
    game = fulfil("flametorch", players=4, seed=seed_for(heads=False), credits={0: 4, 1: 10, 2: 2, 3: 6})
    expect(game, credits={0: 4, 1: 12, 2: 4, 3: 8})


def test_flametorch_tails_is_paid_to_all_or_to_nobody() -> None:
    """power: flametorch"""
    game = fulfil("flametorch", players=4, seed=seed_for(heads=False), credits={0: 0})
    expect(game, credits={0: 0, 1: 12, 2: 12, 3: 12})

    short = fulfil("flametorch", players=5, seed=seed_for(heads=False), credits={0: 0})
    expect(short, credits={0: 6, 1: 10, 2: 10, 3: 10, 4: 10})


def test_import_tax_is_paid_to_the_bank_and_then_discarded() -> None:
    """power: import-tax"""
    game = fulfil("import-tax", 3, players=4, credits={1: 10, 2: 2, 3: 4})
    expect(game, credits={0: 20, 1: 6, 2: 2, 3: 0}, fulfilled={0: ""}, discard="import-tax")
    view = game.view(None)["players"][0]
    assert (view["crew_limit"], view["goods_limit"]) == (1, 2)


def test_import_tax_copied_discards_the_copy() -> None:
    """power: import-tax, wind-turbines"""
    game = fulfil("wind-turbines", fulfilled={1: "import-tax"}, faces={"import-tax": needs(consumer=2)})
    expect(game, credits={0: 16, 1: 6, 2: 6}, fulfilled={0: "", 1: "import-tax"}, discard="wind-turbines")
    assert not game.copies


def test_muay_thai_shorts_counts_contracts_that_have_gone() -> None:
    """power: muay-thai-shorts, import-tax, market-data"""
    game = fulfil("muay-thai-shorts import-tax market-data", 6)
    play(game, "0 resolve:import-tax", "0 resolve:market-data")
    expect(game, credits={0: 30}, fulfilled={0: "muay-thai-shorts"}, discard="market-data import-tax")


def test_pistols_are_paid_per_illegal_contract() -> None:
    """power: pistols"""
    game = fulfil("ill-1 ill-2", 4, seat=1, fulfilled={0: "pistols"}, credits={1: 0})
    expect(game, credits={0: 14, 1: 6, 2: 10})


def test_pistols_do_not_see_own_and_other_contracts() -> None:
    """power: pistols"""
    expect(fulfil("lux-1", seat=1, fulfilled={0: "pistols"}), credits={0: 10, 1: 16})
    expect(fulfil("ill-1", fulfilled={0: "pistols"}), credits={0: 16})


def test_two_payments_for_pistols_are_not_one_of_4() -> None:
    """power: pistols, fake-dvds"""
    game = fulfil("ill-1 ill-2", 4, seat=1, fulfilled={0: "pistols fake-dvds"})
    expect(game, credits={0: 14, 1: 16})


def test_fake_dvds_sees_bids_and_import_tax_of_others() -> None:
    """power: fake-dvds, import-tax"""
    game = table(
        players=4,
        lead=1,
        hands={1: "cons-20", 3: "cons-19"},
        fulfilled={0: "fake-dvds"},
    )
    play(game, "1 lead:import:cons-20*1", "3 follow:import:cons-19*1", "1 import@ship-5")
    play(game, "1 bid*6", "3 bid*2", "1 take:sea-9@goods", "1 take:sea-10@goods")
    expect(game, credits={0: 12, 1: 4, 2: 12})

    taxed = fulfil(
        "import-tax", seat=2, players=4, fulfilled={0: "fake-dvds"}, credits={0: 12, 2: 8, 1: 4, 3: 10}
    )
    expect(taxed, credits={0: 12, 1: 0, 3: 6})


def test_fake_dvds_does_not_see_payments_below_4() -> None:
    """power: fake-dvds, danger-pets"""
    game = fulfil("danger-pets", seat=1, fulfilled={0: "fake-dvds"})
    expect(game, credits={0: 8, 2: 8})


def test_fake_dvds_takes_the_tails_of_flametorch_as_one_payment() -> None:
    """power: fake-dvds, flametorch"""
    game = fulfil("flametorch", seat=1, players=4, seed=seed_for(heads=False), fulfilled={0: "fake-dvds"})
    expect(game, credits={0: 14, 1: 10})


def test_fake_dvds_sees_what_is_paid_to_its_owner_and_by_railguns() -> None:
    """power: fake-dvds, bird-feed, railguns"""
    game = fulfil("bird-feed", fulfilled={0: "fake-dvds"})
    play(game, "1 yes")
    expect(game, credits={0: 24, 1: 4})

    guns = fulfil("railguns", fulfilled={0: "fake-dvds"})
    expect(guns, credits={0: 28, 1: 6, 2: 6})


def piracy(*seats: int, counts: tuple[int, ...] = (1, 1, 1, 1), **zones: Any) -> Game:
    """These seats announce Piracy, the first of them leads; the others draw."""
    crew = {
        seat: [f"ill-{10 * place + n}" for n in range(1, counts[place])] for place, seat in enumerate(seats)
    }
    hands = {**zones.pop("hands", {})}
    for place, seat in enumerate(seats):
        held = hands.get(seat, "")
        hands[seat] = f"{held} ill-{20 - place}".strip()
    game = table(players=4, lead=seats[0], hands=hands, crew=crew, **zones)
    for place, seat in enumerate(seats):
        verb = "follow" if place else "lead"
        play(game, f"{seat} {verb}:piracy:ill-{20 - place}*{counts[place]}")
    return game


def test_poison_bottles_are_paid_once_per_turn() -> None:
    """power: poison-bottles"""
    game = piracy(1, counts=(3,), fulfilled={0: "poison-bottles"}, credits={1: 8})
    play(game, "1 pirate:sea-1@ship-1", "1 pirate:sea-2@ship-1", "1 pirate:sea-3@ship-1")
    expect(game, credits={0: 12, 1: 6})


def test_poison_bottles_who_cannot_pay_still_acts_and_owes_nothing_later() -> None:
    """power: poison-bottles"""
    game = piracy(1, counts=(2,), fulfilled={0: "poison-bottles"}, credits={1: 0})
    play(game, "1 pirate:sea-1@ship-1")
    expect(game, credits={0: 10, 1: 0}, discard="sea-1")
    game.players[1].credits = 10
    play(game, "1 pirate:sea-2@ship-1")
    expect(game, credits={0: 10, 1: 10})


def test_poison_bottles_are_paid_before_what_the_piracy_brings() -> None:
    """power: poison-bottles"""
    game = piracy(
        1,
        fulfilled={0: "poison-bottles"},
        credits={1: 0},
        ships={1: {"containers": "lux-1 lux-2"}, 2: {"contracts": "lux-3", "containers": "lux-4"}},
    )
    play(game, "1 pirate:lux-1@ship-1")
    expect(game, credits={0: 10, 1: 6})


def test_poison_bottles_do_not_bite_their_owner() -> None:
    """power: poison-bottles"""
    game = piracy(0, fulfilled={0: "poison-bottles"})
    play(game, "0 pirate:sea-5@ship-3")
    expect(game, credits={0: 10})


def test_poison_bottles_see_piracy_of_platinum_rings() -> None:
    """power: poison-bottles, platinum-rings"""
    game = fulfil(
        "platinum-rings", seat=1, fulfilled={0: "poison-bottles"}, hands={1: "ill-1 ill-2"}, pile=SMALL_PILE
    )
    play(game, "1 play:piracy:ill-1", "1 pirate:sea-1@ship-1")
    play(game, "1 play:piracy:ill-2", "1 pirate:sea-2@ship-1", "1 pass")
    expect(game, credits={0: 12, 1: 14})


def test_shotguns_collect_from_those_who_pirated_before() -> None:
    """power: shotguns"""
    game = piracy(
        1,
        2,
        3,
        fulfilled={3: "shotguns"},
        hands={1: "lux-1", 2: "lux-2 agri-1 cons-1"},
        credits={2: 0},
    )
    play(game, "1 pirate:sea-1@ship-1", "2 pirate:sea-2@ship-1")
    expect(game, credits={1: 10, 3: 10})
    hand = set(game.players[3].hand)
    play(game, "3 pirate:sea-3@ship-1", "2 give:lux-2")
    expect(game, asks="2 give")
    play(game, "2 give:cons-1")
    expect(game, credits={0: 10, 1: 8, 2: 0, 3: 12}, hands={1: "lux-1", 2: "agri-1"})
    assert names(game, sorted(set(game.players[3].hand) - hand)) == "cons-1 lux-2"


def test_shotguns_of_the_test_with_all_four_acting() -> None:
    """power: shotguns"""
    game = piracy(
        1,
        2,
        3,
        0,
        fulfilled={3: "shotguns"},
        hands={1: "lux-1", 2: "lux-2 agri-1 cons-1"},
        credits={2: 0},
    )
    play(game, "1 pirate:sea-1@ship-1", "2 pirate:sea-2@ship-1", "3 pirate:sea-3@ship-1")
    play(game, "2 give:lux-2", "2 give:agri-1")
    expect(game, credits={0: 10, 1: 8, 2: 0, 3: 12}, hands={2: "cons-1", 3: "lux-2 agri-1"})
    play(game, "0 pirate:sea-5@ship-3")
    expect(game, credits={0: 10, 3: 12})


def test_shotguns_ask_who_can_give_either() -> None:
    """power: shotguns"""
    game = piracy(1, 2, fulfilled={2: "shotguns"}, hands={1: "lux-1 agri-1"})
    play(game, "1 pirate:sea-1@ship-1", "2 pirate:sea-2@ship-1")
    assert offered(game, 1) == {"give:credits", "give:cards"}
    play(game, "1 give:cards")  # both cards: nothing to choose
    expect(
        game, hands={1: "", 2: "lux-1 agri-1"}, credits={1: 10, 2: 10}, discard="ill-19 ill-20 sea-2 sea-1"
    )


def test_shotguns_are_fired_once_and_not_by_a_leader() -> None:
    """power: shotguns"""
    leads = piracy(2, 3, counts=(2, 1), fulfilled={2: "shotguns"})
    play(leads, "2 pirate:sea-1@ship-1", "2 pirate:sea-2@ship-1", "3 pirate:sea-3@ship-1")
    expect(leads, credits={2: 10, 3: 10})

    twice = piracy(1, 2, counts=(1, 2), fulfilled={2: "shotguns"})
    play(twice, "1 pirate:sea-1@ship-1", "2 pirate:sea-2@ship-1", "2 pirate:sea-3@ship-1")
    expect(twice, credits={1: 8, 2: 12})


def test_shotguns_see_piracy_of_platinum_rings_only_if_the_owner_pirates_in_that_turn() -> None:
    """power: shotguns, platinum-rings"""
    game = fulfil(
        "platinum-rings",
        seat=1,
        fulfilled={0: "shotguns"},
        hands={0: "ill-3", 1: "ill-1"},
        pile="lux-11 agri-11 cons-11 agri-12 lux-12 cons-12 agri-13 cons-13 lux-13 cons-14",
    )
    play(game, "1 play:piracy:ill-1", "1 pirate:sea-1@ship-1", "1 pass")
    expect(game, credits={0: 10, 1: 16}, asks="0 pause")
    play(game, "0 go-on", "0 lead:piracy:ill-3*1")
    run_defaults(game, "0 piracy")
    play(game, "0 pirate:sea-2@ship-1", "1 give:credits")
    expect(game, credits={0: 12, 1: 14})


def test_shotguns_keep_the_given_cards_secret() -> None:
    """power: shotguns"""
    game = piracy(1, 2, fulfilled={2: "shotguns"}, hands={1: "lux-1 agri-1 cons-1"}, credits={1: 0})
    events = play(game, "1 pirate:sea-1@ship-1", "2 pirate:sea-2@ship-1")
    events += play(game, "1 give:lux-1", "1 give:cons-1")
    assert_hidden(game, events, "lux-1 cons-1", 1, 2)
    expect(game, hands={1: "agri-1", 2: "lux-1 cons-1"})


# Goods


def insects(**zones: Any) -> Game:
    return fulfil(
        "insects",
        **{
            "contracts": {0: 1, 1: 2},
            "goods": {0: "ill-1 ill-2 ill-3 lux-1", 1: "agri-1 cons-1 cons-2"},
            "unchecked": True,
            **zones,
        },
    )


def test_insects_give_illegal_goods_up_to_the_limit_and_take_one_good() -> None:
    """power: insects"""
    game = insects()
    play(game, "0 give@seat-1")
    assert offered(game, 1) == {"discard:ill-1", "discard:ill-2", "discard:ill-3"}
    play(game, "1 discard:ill-1", "1 discard:ill-3")
    expect(game, goods={0: "lux-1", 1: "agri-1 cons-1 cons-2 ill-2"}, discard="ill-3 ill-1")
    play(game, "0 take:agri-1")
    expect(game, goods={0: "lux-1 agri-1", 1: "cons-1 cons-2 ill-2"}, credits={0: 16})


def test_insects_may_take_back_what_they_gave() -> None:
    """power: insects"""
    game = insects(goods={0: "ill-1 lux-1"})
    play(game, "0 give@seat-1")
    expect(game, goods={0: "lux-1 ill-1", 1: ""})


def test_insects_take_even_without_anything_to_give() -> None:
    """power: insects"""
    game = insects(goods={0: "lux-1", 1: "agri-1"})
    play(game, "0 give@seat-1")
    expect(game, goods={0: "lux-1 agri-1", 1: ""})

    nothing = insects(goods={0: "lux-1"})
    play(nothing, "0 give@seat-2")
    expect(nothing, goods={0: "lux-1"})


def test_insects_discard_the_good_taken_if_the_own_area_is_full() -> None:
    """power: insects"""
    game = insects(contracts={0: 1}, goods={0: "lux-1 lux-2 lux-3 lux-4", 1: "agri-1"})
    play(game, "0 give@seat-1")
    expect(game, goods={0: "lux-1 lux-2 lux-3 lux-4", 1: ""}, discard="agri-1")


def test_insects_make_consumer_goods_count_as_added() -> None:
    """power: insects, bubblegum, chapstick"""
    game = insects(contracts={0: 1}, fulfilled={1: "bubblegum", 2: "chapstick"})
    play(game, "0 give@seat-1", "1 discard:ill-1", "1 discard:ill-3", "0 take:cons-1")
    expect(game, credits={1: 14, 2: 12})


def test_interest_takes_a_good_of_each_and_keeps_what_fits() -> None:
    """power: interest"""
    game = fulfil(
        "interest",
        5,
        players=4,
        contracts={0: 2},
        goods={0: "lux-1 lux-2 lux-3 lux-4", 1: "agri-1 agri-2", 2: "cons-1", 3: "ill-1"},
    )
    assert offered(game, 1) == {"give:agri-1", "give:agri-2"}
    play(game, "1 give:agri-2")
    assert offered(game, 0) == {"discard:agri-2", "discard:cons-1", "discard:ill-1"}
    play(game, "0 discard:cons-1")
    expect(
        game, goods={0: "lux-1 lux-2 lux-3 lux-4 agri-2 ill-1", 1: "agri-1", 2: "", 3: ""}, discard="cons-1"
    )


@pytest.mark.parametrize(("power", "pays"), [("bubblegum", 4), ("chapstick", 2)])
def test_interest_counts_only_the_goods_kept_as_added(power: str, pays: int) -> None:
    """power: interest, bubblegum, chapstick"""
    zones: dict[str, Any] = {
        "contracts": {0: 1, 1: 2},
        "fulfilled": {1: power},
        "goods": {0: "lux-1 lux-2", 1: "cons-1", 2: "cons-2"},
    }
    game = fulfil("interest", 5, **zones)
    expect(game, goods={0: "lux-1 lux-2 cons-1 cons-2"}, credits={1: 10 + 2 * pays})

    full = fulfil(
        "interest",
        5,
        **{**zones, "goods": {0: "lux-1 lux-2 lux-3", 1: "cons-1", 2: "cons-2"}},
        unchecked=True,
    )
    play(full, "0 discard:cons-1")
    expect(full, credits={1: 10 + pays})


def test_vacuums_take_a_hand_or_a_luxury_good() -> None:
    """power: vacuums"""
    game = fulfil("vacuums", hands={1: "tech-1 agri-1 cons-1"}, goods={2: "lux-1"})
    expect(game, hands={0: "tech-1 agri-1 cons-1", 1: "", 2: ""}, goods={0: "lux-1", 2: ""})


def test_vacuums_let_the_giver_choose_clockwise() -> None:
    """power: vacuums"""
    game = fulfil("vacuums", hands={1: "tech-1", 2: "tech-2"}, goods={1: "lux-1 agri-1 lux-2", 2: "lux-3"})
    assert offered(game, 1) == {"give:hand", "give:lux-1", "give:lux-2"}
    play(game, "1 give:lux-2")
    expect(game, goods={0: "lux-2", 1: "lux-1 agri-1"})
    play(game, "2 give:hand")
    expect(game, hands={0: "tech-2", 1: "tech-1"}, goods={0: "lux-2", 2: "lux-3"})


def test_vacuums_discard_new_goods_beyond_the_limit() -> None:
    """power: vacuums"""
    game = fulfil(
        "vacuums", contracts={0: 1}, goods={0: "agri-1 agri-2 agri-3", 1: "lux-1", 2: "lux-2"}, unchecked=True
    )
    play(game, "0 discard:lux-2")
    expect(game, goods={0: "agri-1 agri-2 agri-3 lux-1"}, discard="lux-2")


def test_vacuums_keep_a_given_hand_secret() -> None:
    """power: vacuums"""
    game = fulfil(
        "vacuums", hands={1: "tech-1 agri-1", 2: "lux-4 ill-4 cons-4"}, goods={2: "lux-1"}, pile=SMALL_PILE
    )
    play(game, "2 give:lux-1")
    expect(game, hands={0: "tech-1 agri-1"})
    assert_hidden(game, game.events, "tech-1 agri-1", 0, 1)
    assert {game.sample(1, seed).players[0].hand for seed in range(8)} == {game.players[0].hand}


# Cards of hands


def test_hawaiian_salt_takes_the_agriculture_cards_of_all_hands() -> None:
    """power: hawaiian-salt"""
    game = fulfil("hawaiian-salt", hands={1: "agri-1 agri-2 tech-1 cons-1 lux-1", 2: "agri-3"})
    expect(game, hands={0: "agri-1 agri-2 agri-3", 1: "tech-1 cons-1 lux-1", 2: ""}, credits={0: 22})
    for seat in (None, 0, 1, 2):
        shown = {tuple(sorted(event["cards"])) for event in told(game.events, seat, "reveal")}
        assert shown == {("agri-1", "agri-2", "cons-1", "lux-1", "tech-1"), ("agri-3",)}


def test_hawaiian_salt_leaves_the_own_hand_alone() -> None:
    """power: hawaiian-salt"""
    game = fulfil("hawaiian-salt", hands={0: "agri-4 lux-4", 1: "agri-1", 2: "lux-2 cons-2 ill-2"})
    expect(game, hands={0: "agri-1 agri-4 lux-4"}, credits={0: 18})
    assert_hidden(game, game.events, "agri-4 lux-4", 0)


def test_hawaiian_salt_makes_the_hands_known_and_later_draws_private() -> None:
    """power: hawaiian-salt"""
    game = fulfil("hawaiian-salt", hands={0: "lux-4", 1: "agri-1 tech-1", 2: "lux-2"}, pile=SMALL_PILE)
    for card, seat in (("agri-1", 0), ("tech-1", 1), ("lux-2", 2)):
        assert_known(game, seat, card)
    assert all(len(game.sample(None, seed).players[1].hand) == 1 for seed in range(4))
    events = play(game, "0 go-on", "0 draw")
    assert_known(game, 1, "tech-1")
    assert_hidden(game, events, "agri-12 agri-13", 0)


def test_market_data_takes_two_cards_of_each() -> None:
    """power: market-data"""
    game = fulfil(
        "market-data",
        players=4,
        hands={1: "lux-1 lux-2 agri-1 agri-2 ill-1", 2: "cons-1 cons-2", 3: "tech-1"},
    )
    play(game, "1 give:lux-2", "1 give:ill-1")
    expect(game, hand_sizes={1: 3, 2: 0, 3: 0}, credits={0: 16}, fulfilled={0: ""}, discard="market-data")
    expect(game, hands={0: "lux-2 ill-1 cons-1 cons-2 tech-1"})
    view = game.view(None)["players"][0]
    assert (view["crew_limit"], view["goods_limit"]) == (1, 2)


HANDS_OF_THREE = {1: "lux-1 lux-2 lux-3", 2: "agri-1 agri-2 agri-3"}
BLIND: dict[str, Any] = {"hands": HANDS_OF_THREE, "pile": SMALL_PILE}


def test_market_data_asks_all_at_once_and_shows_nothing_before_all_are_in() -> None:
    """power: market-data"""
    game = fulfil("market-data", **BLIND)
    before = {seat: game.view(seat) for seat in (None, 0, 2)}
    assert asked(game) == "1 give, 2 give"
    assert play(game, "1 give:lux-2") == []
    assert before == {seat: game.view(seat) for seat in (None, 0, 2)}
    expect(game, asks="2 give")
    events = play(game, "2 give:agri-3", "2 give:agri-1")
    assert not events
    assert asked(game) == "1 give"
    for seat in (None, 0, 2):
        sample = game.sample(seat, 1)
        assert sample.view(seat)["players"] == game.view(seat)["players"]
        assert sample.to_act == (1, 2) if seat != 2 else (1,)
        gifts = next(frame for frame in sample.stack if isinstance(frame, Gifts))
        assert {by for by, _ in gifts.chosen} <= {seat}
    events = play(game, "1 give:lux-1")
    expect(game, hands={0: "lux-1 lux-2 agri-1 agri-3", 1: "lux-3", 2: "agri-2"})
    assert [event["count"] for event in told(events, None, "give")] == [2, 2]


def test_market_data_samples_keep_the_own_answer_and_forget_those_of_others() -> None:
    """power: market-data"""
    game = fulfil("market-data", **BLIND)
    play(game, "1 give:lux-2")
    assert game.sample(1, 5).to_act == (2,)
    assert game.sample(2, 5).to_act == (1, 2)
    assert game.sample(0, 5).to_act == (1, 2)
    sampled = game.sample(1, 5)
    for seat in (2, 1, 2):
        sampled.choose(seat, 0)
    assert game.catalogue.number_of["lux-2"] in sampled.players[0].hand


def test_market_data_gifts_are_known_to_giver_and_receiver() -> None:
    """power: market-data"""
    game = fulfil("market-data", **BLIND)
    events = play(game, "1 give:lux-2", "2 give:agri-3", "1 give:lux-1", "2 give:agri-1")
    lux, agri = game.catalogue.number_of["lux-2"], game.catalogue.number_of["agri-3"]
    assert_hidden(game, events, "lux-1 lux-2", 0, 1)
    assert_hidden(game, events, "agri-1 agri-3", 0, 2)
    for seed in range(8):
        assert lux in game.sample(1, seed).players[0].hand
        assert agri in game.sample(2, seed).players[0].hand


def test_market_data_copied_discards_the_copy() -> None:
    """power: market-data, wind-turbines"""
    faces = {"market-data": needs(consumer=2)}
    game = fulfil("wind-turbines", fulfilled={1: "market-data"}, hands={1: "lux-1"}, faces=faces)
    expect(game, hands={0: "lux-1"}, fulfilled={0: "", 1: "market-data"}, discard="wind-turbines")


def test_muji_pens_lay_the_hand_down_and_take_at_random() -> None:
    """power: muji-pens"""
    game = fulfil("muji-pens", hands={0: "lux-1 lux-2", 1: "agri-1 agri-2 agri-3 agri-4 agri-5", 2: "ill-1"})
    expect(game, island="lux-1 lux-2 pile-1", hand_sizes={0: 4, 1: 2, 2: 0}, credits={0: 16})
    assert not game.players[0].sold
    assert "ill-1" in names(game, game.players[0].hand)


def test_muji_pens_work_with_an_empty_hand() -> None:
    """power: muji-pens"""
    game = fulfil("muji-pens", hands={1: "agri-1 agri-2"})
    expect(game, island="pile-1", hands={0: "agri-1 agri-2", 1: ""})


def test_muji_pens_pick_by_chance_and_not_by_number() -> None:
    """power: muji-pens"""
    hands = {1: "agri-1 agri-2 agri-3 agri-4 agri-5"}
    games = [fulfil("muji-pens", hands=hands, seed=seed) for seed in range(12)]
    taken = {names(game, game.players[0].hand) for game in games}
    assert len(taken) > 3


def test_muji_pens_keep_the_cards_taken_secret() -> None:
    """power: muji-pens"""
    game = fulfil(
        "muji-pens", hands={1: "agri-1 agri-2 agri-3", 2: "cons-1 cons-2 cons-3 cons-4"}, pile=SMALL_PILE
    )
    assert_hidden(game, game.events, "agri-1 agri-2 agri-3", 0, 1)
    taken = [card for card in game.players[0].hand if game.catalogue.ids[card].startswith("cons")]
    assert_hidden(game, game.events, names(game, taken), 0, 2)
    for seed in range(8):
        assert set(taken) <= set(game.sample(2, seed).players[0].hand)


def test_opposition_leaflets_make_everybody_discard() -> None:
    """power: opposition-leaflets"""
    hands = {0: "lux-1 lux-2 lux-3", 1: "agri-1 agri-2 agri-3 agri-4 agri-5"}
    game = fulfil("opposition-leaflets", hands=hands)
    expect(game, asks="0 discard, 1 discard")
    play(game, "1 discard:agri-4", "0 discard:lux-1")
    expect(game, hand_sizes={0: 2, 1: 4, 2: 0}, discard="agri-4 lux-1")


def test_opposition_leaflets_show_nothing_before_all_are_in() -> None:
    """power: opposition-leaflets"""
    game = fulfil("opposition-leaflets", **BLIND)
    before = {seat: game.view(seat) for seat in (None, 0, 2)}
    assert play(game, "1 discard:lux-3") == []
    assert before == {seat: game.view(seat) for seat in (None, 0, 2)}
    sample = game.sample(2, 3)
    assert sample.to_act == (1, 2)
    assert game.sample(1, 3).to_act == (2,)
    events = play(game, "2 discard:agri-3")
    assert [event["card"] for event in told(events, None, "discard")] == ["lux-3", "agri-3"]


def test_opposition_leaflets_take_a_single_card_unasked() -> None:
    """power: opposition-leaflets"""
    game = fulfil("opposition-leaflets", hands={0: "lux-1", 1: "agri-1", 2: "ill-1"})
    expect(game, hands={0: "", 1: "", 2: ""}, discard="ill-1 agri-1 lux-1", asks="0 pause")


def test_sculptures_draw_first_and_give_then() -> None:
    """power: sculptures"""
    game = fulfil("sculptures", hands={0: "ill-1", 2: "lux-1 lux-2 lux-3 lux-4"})
    expect(game, asks="1 give, 2 give", hand_sizes={1: 3, 2: 7}, pile_size=54)
    play(game, "1 give:pile-1", "2 give:lux-1", "1 give:pile-2", "2 give:pile-5")
    expect(game, hand_sizes={0: 5, 1: 1, 2: 5}, hands={0: "ill-1 pile-1 pile-2 lux-1 pile-5"}, pile_size=53)


def test_sculptures_take_nothing_of_who_holds_fewer_than_two() -> None:
    """power: sculptures"""
    game = fulfil("sculptures", pile="agri-1")
    expect(game, hands={0: "", 1: "agri-1", 2: ""})


def test_sculptures_keep_gifts_and_draws_secret() -> None:
    """power: sculptures"""
    game = fulfil("sculptures", pile=f"{SMALL_PILE} lux-11 lux-12 lux-13")
    events = list(game.events)
    events += play(game, "1 give:agri-11", "2 give:agri-14", "1 give:agri-12", "2 give:agri-15")
    assert_hidden(game, events, "agri-11 agri-12", 0, 1)
    assert_hidden(game, events, "agri-13", 1)
    assert_hidden(game, events, "agri-16", 2)


def test_draws_of_sculptures_are_seen_when_it_is_done() -> None:
    """power: sculptures, lumber"""
    game = fulfil("sculptures", fulfilled={2: "lumber"})
    play(game, "1 give:pile-1", "2 give:pile-4", "1 give:pile-2", "2 give:pile-5")
    expect(game, asks="2 lumber")


def test_a_small_tank_takes_a_card_per_contract() -> None:
    """power: a-small-tank"""
    game = fulfil("lux-1 lux-2", 4, seat=1, fulfilled={0: "a-small-tank"}, hands={1: "agri-1 agri-2 agri-3"})
    play(game, "1 give:agri-3", "1 give:agri-1")
    expect(game, hands={0: "agri-1 agri-3", 1: "agri-2"})


def test_a_small_tank_takes_cards_just_drawn_and_none_of_an_empty_hand() -> None:
    """power: a-small-tank, cups"""
    game = fulfil("cups", seat=1, fulfilled={0: "a-small-tank"})
    play(game, "1 give:pile-4")
    expect(game, hands={0: "pile-4"}, hand_sizes={1: 4})

    empty = fulfil("lux-1", seat=1, fulfilled={0: "a-small-tank"})
    expect(empty, hand_sizes={0: 0}, asks="0 pause")


def test_a_small_tank_does_not_see_own_contracts() -> None:
    """power: a-small-tank"""
    expect(fulfil("lux-1", fulfilled={0: "a-small-tank"}, hands={0: "ill-1 ill-2"}), asks="0 pause")


def test_a_small_tank_keeps_the_card_secret() -> None:
    """power: a-small-tank"""
    game = fulfil("lux-1", seat=1, fulfilled={0: "a-small-tank"}, hands={1: "agri-1 agri-2"}, pile=SMALL_PILE)
    assert "decision" not in game.view(0)
    events = play(game, "1 give:agri-2")
    assert_hidden(game, events, "agri-2", 0, 1)


def test_big_ammunition_takes_a_random_card_per_container() -> None:
    """power: big-ammunition"""
    game = table(fulfilled={0: "big-ammunition"}, hands={0: "tech-1", 1: "lux-1 agri-1 cons-1"})
    grant(game, 0, PIRACY, 2)
    play(game, "0 pirate:sea-5@ship-3", "0 pirate:sea-6@ship-3")
    expect(game, ships={3: {"containers": "sea-7 sea-8"}}, discard="sea-6 sea-5", hand_sizes={0: 3, 1: 1})


def test_big_ammunition_only_sees_others_ships_at_sea() -> None:
    """power: big-ammunition, mini-van"""
    zones: dict[str, Any] = {
        "hands": {1: "lux-1 agri-1 cons-1 tech-1"},
        "ships": {2: {"containers": "cons-5"}},
    }
    for choice in ("pirate:sea-1@ship-1", "pirate:lux-9", "pirate:mini-van:cons-5@ship-2"):
        game = piracy(0, fulfilled={0: "big-ammunition mini-van"}, island="lux-9", **zones)
        play(game, f"0 {choice}")
        assert game.players[0].hand == ()


def test_big_ammunition_sees_the_last_container_of_a_ship() -> None:
    """power: big-ammunition"""
    game = piracy(0, fulfilled={0: "big-ammunition"}, hands={1: "lux-1"}, ships={3: {"containers": "sea-20"}})
    play(game, "0 pirate:sea-20@ship-3")
    expect(game, ships={3: {"place": "port"}})
    assert len(game.players[0].hand) == 1


def test_big_ammunition_takes_nothing_of_an_empty_hand() -> None:
    """power: big-ammunition"""
    game = piracy(0, fulfilled={0: "big-ammunition"}, pile="")
    play(game, "0 pirate:sea-5@ship-3")
    expect(game, hand_sizes={0: 0})


def test_big_ammunition_keeps_the_card_secret() -> None:
    """power: big-ammunition"""
    game = piracy(0, fulfilled={0: "big-ammunition"}, hands={1: "lux-1 agri-1 cons-1"}, pile=SMALL_PILE)
    events = play(game, "0 pirate:sea-5@ship-3")
    taken = names(game, game.players[0].hand)
    assert_hidden(game, events, taken, 0, 1)
    assert all(game.sample(1, seed).players[0].hand == game.players[0].hand for seed in range(4))


def test_a_game_in_the_middle_of_secret_choices_can_be_saved() -> None:
    """power: market-data, opposition-leaflets"""
    for power in ("market-data", "opposition-leaflets"):
        game = fulfil(power, **BLIND)
        play(game, f"1 {'give' if power == 'market-data' else 'discard'}:lux-2")
        again = Game.from_json(game.to_json(), game.catalogue)
        assert again.to_json() == game.to_json()


# With other powers


def test_ammunition_counts_joe_wiggins() -> None:
    """power: ammunition, joe-wiggins"""
    expect(fulfil("ammunition", fulfilled={1: "joe-wiggins"}), credits={0: 18, 1: 8, 2: 10})


def test_nanobots_act_on_the_draw_of_sculptures_when_it_is_done() -> None:
    """power: sculptures, nanobots"""
    game = fulfil(
        "sculptures",
        players=2,
        fulfilled={1: "nanobots"},
        ships={2: {"contracts": "agri-1", "containers": "agri-2"}},
        pile=SMALL_PILE,
    )
    play(game, "1 give:agri-11", "1 give:agri-12")
    assert offered(game, 1) == {"pass", "load:agri-13@ship-2"}


def test_fake_dvds_do_not_see_batteries() -> None:
    """power: fake-dvds, batteries"""
    game = table(
        fulfilled={0: "fake-dvds", 1: "batteries"},
        hands={0: "tech-9", 1: "lux-1 lux-2"},
        ships={2: {"contracts": "lux-3"}},
        faces={"lux-3": needs(luxury=3)},
    )
    grant(game, 1, LOAD)
    play(game, "1 load:lux-1@ship-2", "1 load:batteries:lux-2@ship-2")
    expect(game, credits={0: 10, 1: 8})


def test_poison_bottles_and_shotguns_at_one_piracy() -> None:
    """power: poison-bottles, shotguns"""
    game = piracy(1, 2, fulfilled={0: "poison-bottles", 2: "shotguns"})
    play(game, "1 pirate:sea-1@ship-1", "2 pirate:sea-2@ship-1")
    expect(game, credits={0: 14, 1: 6, 2: 10})

    one_owner = piracy(1, 2, fulfilled={2: "poison-bottles shotguns"})
    play(one_owner, "1 pirate:sea-1@ship-1", "2 pirate:sea-2@ship-1")
    expect(one_owner, credits={1: 6, 2: 14})


def test_poison_bottles_and_shotguns_see_piracy_of_ar_glasses() -> None:
    """power: poison-bottles, shotguns, ar-glasses"""
    game = fulfil(
        "ar-glasses",
        seat=1,
        fulfilled={0: "shotguns", 2: "poison-bottles"},
        hands={0: "ill-3", 1: "ill-1"},
    )
    play(game, "1 play:piracy:ill-1*1", "1 pirate:sea-1@ship-1")
    expect(game, credits={0: 10, 1: 14, 2: 12}, asks="0 pause")
    grant(game, 0, PIRACY)
    play(game, "0 pirate:sea-2@ship-1")
    expect(game, credits={0: 10, 1: 12, 2: 14})


def test_big_ammunition_sees_the_extra_container_of_contraband() -> None:
    """power: big-ammunition, contraband"""
    game = table(fulfilled={0: "big-ammunition contraband"}, hands={0: "tech-1", 1: "lux-1 agri-1 cons-1"})
    grant(game, 0, PIRACY)
    play(game, "0 pirate:sea-5@ship-3", "0 pirate:contraband:sea-6@ship-3")
    expect(game, hand_sizes={0: 3, 1: 1})
