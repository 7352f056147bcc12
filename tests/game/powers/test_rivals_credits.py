"""Powers that make the other players pay, or answer their Piracy."""

from __future__ import annotations

from table import expect, names, needs, offered, play, run_defaults, table

from arena.game.chance import below
from powers.fulfilling import fulfil
from powers.rivalry import SMALL_PILE, piracy, told
from powers.scenes import assert_hidden


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
