"""Powers about Piracy."""

from __future__ import annotations

import pytest
from table import asked, expect, finish_turn, kinds, names, needs, offered, play

from powers.rivalry import piracy
from powers.scenes import LAST, assert_hidden, brink, led

# Surstromming


def test_surstromming_ends_the_piracy_of_the_turn_and_of_later_ones() -> None:
    """power: surstromming"""
    game = led(
        "piracy",
        seat=1,
        hands={0: "ill-1 ill-2 ill-3", 1: "ill-4 lux-5", 2: "ill-5 lux-6"},
        crew={2: "ill-6"},
        ships={
            4: {"contracts": "surstromming", "containers": "tech-1"},
            3: {"containers": "tech-2 lux-2 lux-3"},
        },
        faces={"surstromming": needs(technology=2)},
    )
    play(game, "2 follow:piracy:ill-5*2", "0 follow:piracy:ill-1*1", "1 pirate:lux-2@ship-3")
    expect(game, asks="2 piracy")
    events = play(game, "2 pirate:tech-2@ship-3")
    assert [event.public["seat"] for event in events if event.kind == "lost"] == [2, 0]
    expect(game, turn=2, lead=2)  # seat 2 leads, so the ban is over
    assert game.ban == -1


def test_surstromming_lasts_until_its_owner_leads() -> None:
    """power: surstromming"""
    game = brink("surstromming", hands={1: "ill-1", 2: "ill-2"})
    play(game, LAST)
    for seat in (1, 2):
        assert game.view(None)["piracy_ban"] == 0
        events = play(game, f"{seat} lead:piracy:ill-{seat}*1")
        events += finish_turn(game) if game.turn == seat + 1 else []
        assert [event.public["seat"] for event in events if event.kind == "lost"] == [seat]
        assert "pirate" not in kinds(events)
    assert game.turn >= 4
    assert "piracy_ban" not in game.view(None)


def test_surstromming_ends_in_an_extra_turn_too() -> None:
    """power: surstromming, pirates"""
    game = brink("surstromming pirates", hands={0: "ill-1"})
    play(game, LAST, "0 resolve:surstromming")
    expect(game, turn=2, lead=0)
    assert game.ban == -1


def test_surstromming_stops_piracy_by_platinum_rings() -> None:
    """power: surstromming, platinum-rings"""
    game = brink("surstromming platinum-rings", hands={0: "ill-1"})
    play(game, LAST, "0 resolve:surstromming")
    events = play(game, "0 play:piracy:ill-1")
    assert "pirate" not in kinds(events)
    assert "lost" in kinds(events)


@pytest.mark.parametrize(("contracts", "lasts_for"), [("surstromming", 0), ("surstromming pirates", 1)])
def test_surstromming_of_two_owners_lasts_for_the_longer_one(contracts: str, lasts_for: int) -> None:
    """power: surstromming, wind-turbines, pirates"""
    game = led(
        "load",
        hands={0: "tech-1", 1: "tech-2 tech-3"},
        fulfilled={2: "lux-1"},
        copies={"lux-1": "surstromming"},
        ships={
            0: {"contracts": contracts, "containers": "tech-5"},
            2: {"contracts": "wind-turbines", "containers": "tech-6"},
        },
        faces={
            "surstromming": needs({"illegal": 2}, technology=2 - lasts_for),
            "pirates": needs({"illegal": 2}, technology=1),
            "wind-turbines": needs(technology=2),
        },
    )
    events = play(game, "1 follow:load:tech-2*1", "0 load:tech-1@ship-0")
    if lasts_for:
        events += play(game, "0 resolve:surstromming")
    bans = [event.public["seat"] for event in events if event.kind == "piracy-ban"]
    assert bans == [0, lasts_for]  # both have banned in the same turn of seat 0


# Mini Van


def test_mini_van_takes_from_a_ship_in_another_port() -> None:
    """power: mini-van"""
    game = led(
        "piracy",
        fulfilled={0: "mini-van"},
        ships={0: {"contracts": "lux-1"}, 2: {"contracts": "lux-2", "containers": "lux-3"}},
    )
    play(game, "0 pirate:mini-van:lux-3@ship-2")
    expect(
        game,
        ships={0: {"containers": "lux-3"}, 2: {"place": "port", "contracts": "lux-2", "containers": ""}},
    )


def test_mini_van_offers_ports_the_pile_and_every_hand_with_cards() -> None:
    """power: mini-van"""
    game = led(
        "piracy",
        fulfilled={0: "mini-van"},
        hands={0: "lux-9"},
        ships={
            0: {"contracts": "lux-1", "containers": "lux-4"},
            2: {"contracts": "agri-1", "containers": "lux-3 blank-30 automation", "rainbow": "automation"},
        },
        faces={"agri-1": needs(agriculture=3)},
    )
    own = {text for text in offered(game, 0) if "mini-van" in text}
    assert own == {
        "pirate:mini-van:lux-3@ship-2",  # not the grey and the rainbow one, not one in the own Port
        "pirate:mini-van@pile",
        "pirate:mini-van@seat-0",
        "pirate:mini-van@seat-1",
        "pirate:mini-van@seat-2",
    }


def test_mini_van_shows_the_card_from_the_pile_and_loads_it() -> None:
    """power: mini-van"""
    pile = [f"pile-{number}" for number in range(1, 11)]
    game = led(
        "piracy",
        fulfilled={0: "mini-van"},
        ships={0: {"contracts": "lux-1"}},
        pile=[*pile, "lux-5", "pile-30"],
    )
    for seat in range(3):
        assert "lux-5" not in str(game.view(seat))
    events = play(game, "0 pirate:mini-van@pile")
    told = next(event for event in events if event.kind == "pirate")
    assert told.for_seat(None)["card"] == "lux-5"
    expect(game, ships={0: {"containers": "lux-5"}})


def test_mini_van_takes_blindly_from_a_hand() -> None:
    """power: mini-van"""
    hand = "lux-1 lux-2 lux-3 agri-1 cons-1"
    game = led("piracy", fulfilled={0: "mini-van"}, hands={1: hand}, ships={0: {"contracts": "agri-2"}})
    play(game, "1 draw")
    held = names(game, game.players[1].hand).split()
    events = play(game, "0 pirate:mini-van@seat-1")
    taken = next(event for event in events if event.kind == "pirate").for_seat(None)["card"]
    assert taken in held
    rest = [card for card in held if card != taken]
    assert names(game, game.players[1].hand).split() == rest
    assert_hidden(game, events, rest, 1)


def test_mini_van_picks_at_random_in_a_hand() -> None:
    """power: mini-van"""
    picked = set()
    for seed in range(12):
        game = led("piracy", fulfilled={0: "mini-van"}, hands={1: "lux-1 agri-1 cons-1"}, seed=seed)
        before = game.drawn
        events = play(game, "0 pirate:mini-van@seat-1")
        assert game.drawn == before + 1
        picked.add(next(event for event in events if event.kind == "pirate").public["card"])
    assert len(picked) > 2


def test_mini_van_discards_what_it_cannot_load() -> None:
    """power: mini-van"""
    for card in ("blank-30", "agri-1"):  # a grey card cannot be pirated onto a Ship
        pile = [*(f"pile-{number}" for number in range(1, 11)), card, "pile-30"]
        game = led("piracy", fulfilled={0: "mini-van"}, ships={0: {"contracts": "lux-1"}}, pile=pile)
        events = play(game, "0 pirate:mini-van@pile")
        assert next(event.public["card"] for event in events if event.kind == "discard") == card
        expect(game, ships={0: {"containers": ""}})


def test_mini_van_is_never_forced() -> None:
    """power: mini-van"""
    empty = {"place": "port", "containers": ""}
    game = led("piracy", fulfilled={0: "mini-van"}, ships={1: empty, 3: empty, 5: empty})
    assert offered(game, 0) == {
        "pass",
        "pirate:mini-van@pile",
        "pirate:mini-van@seat-1",
        "pirate:mini-van@seat-2",
    }
    play(game, "0 pass")

    game = led("piracy", fulfilled={0: "mini-van"}, ships={1: empty, 3: empty})
    assert "pass" not in offered(game, 0)


def test_mini_van_must_load_if_it_can_and_may_choose_the_ship() -> None:
    """power: mini-van"""
    game = led(
        "piracy",
        fulfilled={0: "mini-van"},
        ships={
            0: {"contracts": "lux-1"},
            1: {"place": "port", "contracts": "lux-2"},
            2: {"contracts": "lux-3", "containers": "lux-4"},
        },
    )
    play(game, "0 pirate:mini-van:lux-4@ship-2")
    assert offered(game, 0) == {"load:lux-4@ship-0", "load:lux-4@ship-1"}


def test_mini_van_chooses_anew_if_shotguns_have_emptied_the_hand() -> None:
    """power: mini-van, shotguns"""
    game = piracy(1, 2, fulfilled={2: "mini-van shotguns"}, hands={1: "lux-1 agri-1"}, credits={1: 0})
    play(game, "1 pirate:sea-1@ship-1", "2 pirate:mini-van@seat-1")
    expect(game, hands={1: "", 2: "lux-1 agri-1"}, asks="2 piracy")
    assert "pirate:mini-van@seat-1" not in offered(game, 2)
    play(game, "2 pirate:sea-2@ship-1")
    assert not asked(game).startswith("2 piracy")


def test_mini_van_and_yerba_mate_know_the_top_card() -> None:
    """power: mini-van, yerba-mate"""
    game = led("piracy", fulfilled={0: "mini-van"}, face_up=True, ships={0: {"contracts": "lux-1"}})
    top = game.view(2)["top"]
    events = play(game, "0 pirate:mini-van@pile")
    assert next(event for event in events if event.kind == "pirate").public["card"] == top
    assert next(event for event in events if event.kind == "top").public["card"] != top


def test_mini_van_with_yogurt_from_the_own_hand() -> None:
    """power: mini-van, yogurt"""
    game = led("piracy", fulfilled={0: "mini-van"}, hands={0: "yogurt"}, ships={0: {"contracts": "agri-1"}})
    play(game, "0 pirate:mini-van@seat-0")
    expect(game, hand_sizes={0: 4, 1: 7, 2: 7}, ships={0: {"containers": "yogurt"}})
