"""Piracy (R12)."""

from __future__ import annotations

from typing import Any

import pytest
from table import expect, kinds, needs, offered, play, run_defaults, table

from arena.game import ChoiceError, Game

HOME = {"place": "port"}


def pirating(actions: int = 1, **more: Any) -> Game:
    """Seat 0 has led Piracy with ill-20 for so many actions, with Crew for them."""
    crew = " ".join(f"ill-{number}" for number in range(20 - actions + 1, 20))
    hand = more.pop("hand", "")
    more.setdefault("contracts", {0: 9})
    game = table(hands={0: f"ill-20 {hand}", **more.pop("hands", {})}, crew={0: crew}, **more)
    play(game, f"0 lead:piracy:ill-20*{actions}")
    return game


def targets(game: Game, seat: int = 0) -> set[str]:
    """What a seat may pirate."""
    return {text for text in offered(game, seat) if text.startswith("pirate")}


def test_any_container_at_sea_or_any_card_on_the_island_can_be_chosen() -> None:  # R12.1, Q57, Q58
    game = pirating(
        island="cons-1",
        ships={1: {"containers": "tech-1"}, 3: {"containers": "lux-1 agri-1"}, 5: HOME},
    )
    assert targets(game) == {
        "pirate:tech-1@ship-1",  # an own Ship too
        "pirate:lux-1@ship-3",
        "pirate:agri-1@ship-3",
        "pirate:cons-1",
    }


def test_containers_in_port_can_not_be_pirated() -> None:  # R12.1
    game = pirating(
        ships={
            0: {"contracts": "lux-9", "containers": "lux-1"},
            2: {"containers": "lux-2"},
            3: {"containers": "ill-1 ill-2"},
            1: HOME,
            5: HOME,
        }
    )
    assert targets(game) == {"pirate:ill-1@ship-3", "pirate:ill-2@ship-3"}


def test_the_container_is_loaded_on_an_own_ship_with_an_unmet_requirement() -> None:  # R12.1, R12.2
    game = pirating(ships={0: {"contracts": "lux-9"}, 3: {"containers": "lux-1 tech-1"}})
    play(game, "0 pirate:lux-1@ship-3")
    expect(game, ships={0: {"containers": "lux-1"}, 3: {"containers": "tech-1", "place": "sea"}})


def test_a_card_of_the_island_is_loaded_in_the_same_way() -> None:  # R12.1
    game = pirating(island="lux-1 lux-2", ships={0: {"contracts": "lux-9"}})
    play(game, "0 pirate:lux-2")
    expect(game, island="lux-1", ships={0: {"containers": "lux-2"}})


def test_what_can_not_be_loaded_may_be_chosen_and_is_discarded() -> None:  # R12.2, Q57
    game = pirating(ships={0: {"contracts": "lux-9"}, 3: {"containers": "lux-1 tech-1"}})
    play(game, "0 pirate:tech-1@ship-3")
    expect(game, ships={0: {"containers": ""}, 3: {"containers": "lux-1"}})
    run_defaults(game, lambda game: game.turn > 1)
    expect(game, discard="ill-20 tech-1")


def test_what_can_be_loaded_must_be_loaded_and_the_pirate_picks_the_ship() -> None:  # Q57
    game = pirating(
        ships={
            0: {"contracts": "lux-9"},
            1: {"place": "port", "contracts": "lux-8"},
            3: {"containers": "lux-1 tech-1"},
        }
    )
    play(game, "0 pirate:lux-1@ship-3")
    assert offered(game, 0) == {"load:lux-1@ship-0", "load:lux-1@ship-1"}
    play(game, "0 load:lux-1@ship-1")
    expect(game, ships={0: {"containers": ""}, 1: {"containers": "lux-1"}})


def test_a_ship_that_loses_its_last_container_returns_and_its_owner_gets_nothing() -> None:  # R12.3
    game = pirating(ships={0: {"contracts": "lux-9"}, 3: {"containers": "lux-1"}})
    play(game, "0 pirate:lux-1@ship-3")
    expect(game, ships={3: {"place": "port", "containers": ""}, 0: {"containers": "lux-1"}}, credits={1: 10})


def test_an_own_ship_may_be_pirated_and_returns_before_the_card_is_loaded() -> None:  # Q58, R12.3
    game = pirating(
        ships={
            0: {"contracts": "lux-9", "containers": "lux-2"},
            1: {"containers": "lux-1"},
            3: HOME,
            5: HOME,
        },
        island="tech-1",
    )
    events = play(game, "0 pirate:lux-1@ship-1")
    order = [kind for kind in kinds(events) if kind in ("pirate", "ship-returns", "load", "fulfil", "sail")]
    assert order == ["pirate", "ship-returns", "load", "fulfil", "sail"]
    expect(
        game, ships={1: {"place": "port"}, 0: {"place": "sea", "containers": "lux-2 lux-1"}}, credits={0: 16}
    )


def test_a_contract_fulfilled_by_piracy_follows_the_same_steps() -> None:  # R11.6
    game = pirating(
        ships={0: {"contracts": "almonds", "containers": "lux-2"}, 3: {"containers": "lux-1 tech-1"}},
        faces={"almonds": needs(luxury=2)},
        island="agri-1",
        contracts={0: 1},
    )
    events = play(game, "0 pirate:lux-1@ship-3")
    told = [(event.kind, event.public.get("why", event.public.get("card"))) for event in events]
    assert told[:8] == [
        ("pirate", "lux-1"),
        ("load", "lux-1"),
        ("fulfil", None),
        ("credits", "payout"),
        ("fulfilled", "almonds"),
        ("credits", "almonds"),
        ("sail", None),
        ("island", "pile-11"),
    ]
    expect(game, credits={0: 24}, fulfilled={0: "almonds"}, ships={0: {"place": "sea"}})


def test_each_player_finishes_all_own_piracy_before_the_next_begins() -> None:  # R5.2
    game = table(
        hands={0: "ill-1", 1: "ill-2"},
        crew={0: "ill-9", 1: "ill-8"},
        ships={1: {"containers": "tech-1 tech-2 tech-3 tech-4 tech-5 tech-6"}},
    )
    play(game, "0 lead:piracy:ill-1*2, 1 follow:piracy:ill-2*2")
    order = []
    while game.turn == 1:
        seat = game.to_act[0]
        order.append(seat)
        play(game, f"{seat} {sorted(targets(game, seat))[0]}")
    assert order == [0, 0, 1, 1]


def test_with_no_target_the_action_is_lost() -> None:  # Q60
    game = table(hands={0: "ill-1 tech-1", 1: "cons-1"}, ships={1: HOME, 3: HOME, 5: HOME})
    events = play(game, "0 lead:piracy:ill-1*1")
    assert [event.public for event in events if event.kind == "lost"] == [{"seat": 0, "action": "piracy"}]


def test_while_there_is_a_target_piracy_must_be_performed() -> None:  # Q19, R5.1
    game = pirating(ships={1: HOME, 3: {"containers": "tech-1 tech-2"}, 5: HOME})
    assert offered(game, 0) == {"pirate:tech-1@ship-3", "pirate:tech-2@ship-3"}


def test_a_container_that_is_not_there_is_refused() -> None:  # R12.1
    game = pirating(ships={3: {"containers": "tech-1 tech-2"}, 2: {"containers": "lux-1"}})
    before = game.digest()
    for text in ("pirate:lux-1@ship-2", "pirate:tech-1@ship-1", "pirate:tech-3", "pass"):
        with pytest.raises(ChoiceError):
            game.choose_text(0, text)
    assert game.digest() == before
