"""Powers that take from the other players' hands."""

from __future__ import annotations

from typing import Any

from table import asked, expect, names, needs, play, table

from arena.game import Game
from arena.game.powers.rivals import Gifts
from arena.game.terms import PIRACY
from powers.fulfilling import fulfil, grant
from powers.rivalry import SMALL_PILE, piracy, told
from powers.scenes import assert_hidden, assert_known


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
