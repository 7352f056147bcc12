"""Load (R10) and what happens when contracts are fulfilled (R11)."""

from __future__ import annotations

from typing import Any

import pytest
from table import expect, invent, kinds, names, needs, offered, play, run_defaults, table

from arena.game import ChoiceError, Game
from arena.game.hooks import FULFILLED, ON_FULFIL, PAYOUT
from arena.game.moves import add_crew, from_hand
from arena.game.ships import load, unload
from arena.game.state import DEPARTING


def loads(game: Game, seat: int = 0) -> set[str]:
    """The loads that a seat is offered."""
    return {text for text in offered(game, seat) if text.startswith("load")}


def loading(hand: str, actions: int = 1, **more: Any) -> Game:
    """Seat 0 has led Load with tech-20 for so many actions, with Crew for them."""
    crew = " ".join(f"tech-{number}" for number in range(20 - actions + 1, 20))
    more.setdefault("contracts", {0: 9})
    game = table(hands={0: f"tech-20 {hand}"}, crew={0: crew}, **more)
    play(game, f"0 lead:load:tech-20*{actions}")
    return game


# Load


def test_a_card_of_the_hand_is_put_on_an_own_ship_in_port() -> None:  # R10.1
    game = loading(
        "lux-1 tech-1", ships={0: {"contracts": "lux-9"}, 1: {"place": "port", "contracts": "tech-9"}}
    )
    assert loads(game) == {"load:lux-1@ship-0", "load:tech-1@ship-1"}
    play(game, "0 load:tech-1@ship-1")
    expect(game, ships={0: {"containers": ""}, 1: {"containers": "tech-1"}}, hands={0: "lux-1"})


def test_nothing_is_loaded_on_a_ship_without_a_contract_at_sea_or_of_another_player() -> None:  # R10.1, R10.2
    game = loading(
        "lux-1 tech-1", ships={0: {}, 1: {"place": "port", "contracts": "lux-9"}, 2: {"contracts": "tech-9"}}
    )
    assert loads(game) == {"load:lux-1@ship-1"}


def test_a_load_needs_an_unmet_requirement_of_its_colour() -> None:  # R10.2
    game = loading(
        "lux-1 tech-1 ill-1",
        ships={0: {"contracts": "lux-9", "containers": "tech-2"}},
        faces={"lux-9": needs(luxury=1, illegal=1)},
    )
    assert loads(game) == {"load:lux-1@ship-0", "load:ill-1@ship-0"}


def test_all_but_the_colour_of_the_card_is_ignored() -> None:  # R10.3, R1.5
    game = loading(
        "lux-1", ships={0: {"contracts": "lux-9"}}, faces={"lux-1": needs({"illegal": 6}, technology=6)}
    )
    assert loads(game) == {"load:lux-1@ship-0"}


def test_several_containers_may_be_loaded_one_for_each_action() -> None:  # R10.3
    game = loading(
        "lux-1 lux-2 lux-3", 2, ships={0: {"contracts": "lux-9"}}, faces={"lux-9": needs(luxury=4)}
    )
    play(game, "0 load:lux-3@ship-0, 0 load:lux-1@ship-0")
    expect(game, ships={0: {"containers": "lux-3 lux-1"}}, hands={0: "lux-2"}, asks="0 window")


def test_after_the_last_slot_of_a_colour_another_card_of_it_is_refused() -> None:  # R10.2, T10
    game = loading(
        "ill-2 ill-3 tech-1",
        2,
        ships={0: {"contracts": "lux-9", "containers": "ill-1"}},
        faces={"lux-9": needs(illegal=2, technology=2)},
    )
    assert loads(game) == {"load:ill-2@ship-0", "load:ill-3@ship-0", "load:tech-1@ship-0"}
    play(game, "0 load:ill-2@ship-0")
    assert loads(game) == {"load:tech-1@ship-0"}
    with pytest.raises(ChoiceError):
        game.choose_text(0, "load:ill-3@ship-0")
    play(game, "0 load:tech-1@ship-0")
    expect(game, ships={0: {"containers": "ill-1 ill-2 tech-1"}})


def test_nobody_fixes_which_container_serves_which_requirement() -> None:  # Q51
    """A technology Container serves the technology slot or the one of any colour, whichever helps."""
    game = loading(
        "tech-2 lux-1",
        ships={0: {"contracts": "lux-9", "containers": "tech-1"}},
        faces={"lux-9": needs(technology=1, any=1)},
    )
    assert loads(game) == {"load:tech-2@ship-0", "load:lux-1@ship-0"}


def test_a_card_that_does_not_raise_the_matching_can_not_be_loaded() -> None:  # Q51
    """The luxury Container can only serve the slot of any colour, so that only technology helps."""
    game = loading(
        "tech-2 lux-2 ill-1",
        ships={0: {"contracts": "lux-9", "containers": "lux-1"}},
        faces={"lux-9": needs(technology=1, any=1)},
    )
    assert loads(game) == {"load:tech-2@ship-0"}


def test_the_matching_is_over_all_contracts_of_the_ship() -> None:  # Q51, R11.1
    game = loading(
        "tech-2 lux-1 ill-1",
        2,
        ships={0: {"contracts": "lux-9 lux-8", "containers": "tech-1"}},
        faces={"lux-9": needs(any=1), "lux-8": needs(technology=1, luxury=1)},
    )
    assert loads(game) == {f"load:{card}@ship-0" for card in ("tech-2", "lux-1", "ill-1")}
    play(game, "0 load:ill-1@ship-0")  # it takes the slot of any colour, and tech-1 the other
    assert loads(game) == {"load:lux-1@ship-0"}


# Fulfilment


def test_the_last_container_fulfils_the_contract_at_once() -> None:  # R11.1, T11
    game = loading(
        "agri-2 agri-3", ships={0: {"contracts": "agri-9", "containers": "agri-1"}}, contracts={0: 1}
    )
    play(game, "0 load:agri-2@ship-0")
    expect(game, fulfilled={0: "agri-9"}, credits={0: 16}, ships={0: {"place": "sea"}})


def test_before_the_last_container_nothing_happens() -> None:  # R11.1
    game = loading("lux-1 lux-2", ships={0: {"contracts": "lux-9"}})
    play(game, "0 load:lux-1@ship-0")
    expect(game, credits={0: 10}, ships={0: {"place": "port", "contracts": "lux-9", "containers": "lux-1"}})


def test_all_contracts_of_a_ship_are_fulfilled_together() -> None:  # R11.1, Q50, Q52
    game = loading(
        "lux-1 tech-1",
        2,
        ships={0: {"contracts": "lux-9 tech-9", "containers": "lux-2 tech-2"}},
        pile="pile-1 pile-2 pile-3 pile-4 pile-5 pile-6 pile-7 pile-8 pile-9 pile-10 pile-11 pile-12",
        contracts={0: 2},
    )
    play(game, "0 load:lux-1@ship-0")
    expect(game, credits={0: 10}, ships={0: {"contracts": "lux-9 tech-9", "place": "port"}})
    events = play(game, "0 load:tech-1@ship-0")
    expect(game, credits={0: 20}, fulfilled={0: "blank-1 lux-9 tech-9"}, island="pile-11")
    assert kinds(events).count("island") == 1  # one card, and one payout of 4 Containers
    assert [event.public["change"] for event in events if event.kind == "credits"] == [10]


def test_fulfilment_is_not_optional() -> None:  # Q52
    game = loading("lux-1", ships={0: {"contracts": "lux-9", "containers": "lux-2"}})
    assert "pass" not in offered(game, 0)
    play(game, "0 load:lux-1@ship-0")
    expect(game, ships={0: {"place": "sea"}})


@pytest.mark.parametrize(("count", "credits"), [(1, 0), (2, 6), (3, 10), (4, 10), (5, 14), (6, 14)])
def test_the_payout_is_by_the_number_of_containers(count: int, credits: int) -> None:  # R11.2, TD3, Q53
    aboard = " ".join(f"lux-{number}" for number in range(1, count))
    game = loading(
        f"lux-{count}",
        ships={0: {"contracts": "lux-9", "containers": aboard}},
        faces={"lux-9": needs(luxury=count)},
    )
    play(game, f"0 load:lux-{count}@ship-0")
    expect(game, credits={0: 10 + credits}, ships={0: {"place": "sea"}})


@pytest.mark.parametrize(("loose", "credits"), [(1, 10), (2, 10), (3, 14), (5, 14), (8, 14)])
def test_containers_that_were_not_needed_count_for_the_payout_and_go_to_sea(loose: int, credits: int) -> None:
    """Q49, Q53: more than six pay like six."""
    others = " ".join(f"ill-{number}" for number in range(1, loose + 1))
    game = loading("lux-1", ships={0: {"contracts": "lux-9", "containers": f"lux-2 {others}"}})
    play(game, "0 load:lux-1@ship-0")
    expect(
        game, credits={0: 10 + credits}, ships={0: {"place": "sea", "containers": f"lux-2 {others} lux-1"}}
    )


def test_the_four_steps_come_in_their_order() -> None:  # R11.2, R11.3, R11.4, R11.5
    game = loading(
        "lux-1 lux-3",
        ships={0: {"contracts": "almonds", "containers": "lux-2"}},
        faces={"almonds": needs(luxury=2)},
    )
    events = play(game, "0 load:lux-1@ship-0")
    told = [(event.kind, event.public.get("why", event.public.get("card"))) for event in events]
    assert told[:7] == [
        ("load", "lux-1"),
        ("fulfil", None),
        ("credits", "payout"),
        ("fulfilled", "almonds"),
        ("credits", "almonds"),
        ("sail", None),
        ("island", "pile-11"),
    ]


def test_the_top_card_of_the_pile_goes_to_the_island() -> None:  # R11.5
    game = loading(
        "lux-1", ships={0: {"contracts": "lux-9", "containers": "lux-2"}}, island="ill-1", players=2
    )
    top = names(game, game.pile[-1:])
    play(game, "0 load:lux-1@ship-0")
    expect(game, island=f"ill-1 {top}")


def test_without_cards_step_4_is_skipped_and_the_end_is_triggered() -> None:  # Q56, R13.1
    game = table(
        players=2,
        hands={0: "tech-1 lux-1", 1: "cons-1 lux-3 ill-1 agri-1 cons-2"},
        ships={0: {"contracts": "lux-9", "containers": "lux-2"}},
        pile="pile-1",
    )
    play(game, "0 lead:load:tech-1*1, 1 draw")
    expect(game, pile="", discard="", ending="cards")
    events = play(game, "0 load:lux-1@ship-0")
    assert "island" not in kinds(events)
    assert {"fulfil", "sail"} <= set(kinds(events))
    expect(game, island="", ships={0: {"place": "sea"}}, credits={0: 10 + 6 + 0})


def test_an_immediate_power_is_resolved_once_and_then_the_card_has_no_power() -> None:  # R11.3, R15.3
    game = loading(
        "lux-1 lux-2 lux-3",
        2,
        ships={
            0: {"contracts": "flowers", "containers": "lux-5"},
            1: {"place": "port", "contracts": "lux-9", "containers": "lux-6"},
        },
        faces={"flowers": needs(luxury=2)},
    )
    play(game, "0 load:lux-1@ship-0")
    expect(game, credits={0: 20, 1: 14, 2: 14})
    play(game, "0 load:lux-2@ship-1")
    expect(game, credits={0: 26, 1: 14, 2: 14})


def test_immediate_powers_are_resolved_in_the_order_of_their_owner() -> None:  # Q54
    game = loading(
        "lux-1",
        ships={0: {"contracts": "almonds potatoes", "containers": "lux-2"}},
        faces={"almonds": needs(luxury=1), "potatoes": needs(luxury=1)},
    )
    play(game, "0 load:lux-1@ship-0")
    assert offered(game, 0) == {"resolve:almonds", "resolve:potatoes"}
    play(game, "0 resolve:potatoes, 0 take:credits")
    expect(game, credits={0: 26})  # 10, payout 6, potatoes 2, almonds 8


def test_all_are_tucked_and_limits_rise_before_immediate_powers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # Q54
    """The invented power puts the tech-9 of the hand into the Crew, which has room only with this contract."""
    seen = []

    def hire(game: Game, owner: int, card: int, ship: int) -> None:
        seen.append(game.view(None)["players"][owner]["fulfilled"])
        from_hand(game, owner, game.catalogue.number_of["tech-9"])
        add_crew(game, owner, game.catalogue.number_of["tech-9"])

    invent(monkeypatch, "hire", ON_FULFIL, hire)
    game = table(
        hands={0: "tech-20 lux-1 tech-9"},
        crew={0: "ill-1"},
        contracts={0: 1},
        ships={0: {"contracts": "lux-8 lux-9", "containers": "lux-2 lux-3 lux-4"}},
        powers={"lux-8": "hire"},
    )
    play(game, "0 lead:load:tech-20*1, 0 load:lux-1@ship-0")
    assert seen == [["lux-8", "lux-9"]]
    expect(game, crew={0: "ill-1 tech-9"})


def test_a_continuous_power_does_not_see_step_1_of_its_own_fulfilment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Q54, P8."""
    invent(monkeypatch, "richer", PAYOUT, lambda game, owner, card, amount, number: amount + 2)
    game = loading(
        "lux-1 lux-2",
        2,
        ships={
            0: {"contracts": "lux-9", "containers": "lux-3"},
            1: {"place": "port", "contracts": "lux-8", "containers": "lux-4"},
        },
        powers={"lux-9": "richer"},
    )
    play(game, "0 load:lux-1@ship-0")
    expect(game, credits={0: 16})
    play(game, "0 load:lux-2@ship-1")
    expect(game, credits={0: 24})


def test_a_power_that_reacts_to_fulfilments_does_not_react_to_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Q54, P8."""
    seen: list[int] = []
    invent(monkeypatch, "react", FULFILLED, lambda game, owner, card, done: seen.append(done.ship))
    game = loading(
        "lux-1 lux-2",
        2,
        ships={
            0: {"contracts": "lux-9", "containers": "lux-3"},
            1: {"place": "port", "contracts": "lux-8", "containers": "lux-4"},
        },
        powers={"lux-9": "react"},
    )
    play(game, "0 load:lux-1@ship-0")
    assert seen == []
    play(game, "0 load:lux-2@ship-1")
    assert seen == [1]


def test_a_power_that_says_this_one_included_sees_its_own_fulfilment() -> None:  # Q54
    game = loading(
        "lux-1", ships={0: {"contracts": "onions", "containers": "lux-2"}}, faces={"onions": needs(luxury=2)}
    )
    play(game, "0 load:lux-1@ship-0")
    expect(game, credits={0: 18})


def test_an_inner_fulfilment_is_completed_before_the_outer_one_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Q55: the invented power loads lux-3 of the hand on the other Ship, whose contract is complete then."""

    def pass_on(game: Game, owner: int, card: int, ship: int) -> None:
        from_hand(game, owner, game.catalogue.number_of["lux-3"])
        load(game, game.catalogue.number_of["lux-3"], 1, "pass-on")

    invent(monkeypatch, "pass-on", ON_FULFIL, pass_on)
    game = loading(
        "lux-1 lux-3",
        ships={
            0: {"contracts": "lux-9", "containers": "lux-2"},
            1: {"place": "port", "contracts": "tech-9", "containers": "lux-4"},
        },
        faces={"tech-9": needs(luxury=2)},
        powers={"lux-9": "pass-on"},
    )
    events = play(game, "0 load:lux-1@ship-0")
    told = [
        (event.kind, event.public.get("ship"))
        for event in events
        if event.kind in ("fulfil", "sail", "island")
    ]
    assert told == [
        ("fulfil", 0),
        ("fulfil", 1),
        ("sail", 1),
        ("island", None),
        ("sail", 0),
        ("island", None),
    ]
    expect(game, credits={0: 22})


def test_a_departing_ship_is_neither_in_port_nor_at_sea(
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # R11.3, R11.4
    seen = []
    invent(
        monkeypatch, "look", ON_FULFIL, lambda game, owner, card, ship: seen.append(game.ships[ship].place)
    )
    game = loading(
        "lux-1", ships={0: {"contracts": "lux-9", "containers": "lux-2"}}, powers={"lux-9": "look"}
    )
    play(game, "0 load:lux-1@ship-0")
    assert seen == [DEPARTING]


def test_a_ship_that_sails_empty_returns_at_once_without_credits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # Q59
    """The invented power takes all Containers off its Ship."""

    def empty(game: Game, owner: int, card: int, ship: int) -> None:
        for container in game.ships[ship].containers:
            unload(game, ship, container)
            game.discard.append(container)

    invent(monkeypatch, "empty", ON_FULFIL, empty)
    game = loading(
        "lux-1", ships={0: {"contracts": "lux-9", "containers": "lux-2"}}, powers={"lux-9": "empty"}
    )
    events = play(game, "0 load:lux-1@ship-0")
    order = [kind for kind in kinds(events) if kind in ("sail", "ship-returns", "island")]
    assert order == ["sail", "ship-returns", "island"]
    expect(game, ships={0: {"place": "port", "containers": ""}}, credits={0: 16})


def test_two_complete_ships_are_fulfilled_in_the_order_of_their_owner(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Q29, Q55: the invented power loads two other Ships at once."""

    def share(game: Game, owner: int, card: int, ship: int) -> None:
        for name, index in (("lux-3", 1), ("lux-4", 2)):
            from_hand(game, owner, game.catalogue.number_of[name])
            load(game, game.catalogue.number_of[name], index, "share-out")

    invent(monkeypatch, "share-out", ON_FULFIL, share)
    game = table(
        players=2,
        hands={0: "tech-20 lux-1 lux-3 lux-4"},
        ships={
            0: {"contracts": "lux-9", "containers": "lux-2"},
            1: {"place": "port", "contracts": "tech-9", "containers": "lux-5"},
            2: {"contracts": "tech-8", "containers": "lux-6"},
        },
        faces={"tech-9": needs(luxury=2), "tech-8": needs(luxury=2)},
        powers={"lux-9": "share-out"},
    )
    play(game, "0 lead:load:tech-20*1")
    events = run_defaults(game, lambda game: game.turn > 1)
    ships = [event.public["ship"] for event in events if event.kind == "fulfil"]
    assert ships == [0, 1, 2]  # lead player first, then clockwise
