"""Powers that take Goods from the other players."""

from __future__ import annotations

from typing import Any

import pytest
from table import expect, offered, play

from arena.game import Game
from powers.fulfilling import fulfil
from powers.rivalry import SMALL_PILE
from powers.scenes import assert_hidden


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


def test_insects_decide_what_is_illegal_before_anything_moves() -> None:  # P22
    """power: insects"""
    game = insects(goods={0: "ill-1 blank-31 lux-1", 1: "agri-1"})
    play(game, "0 give@seat-1")
    expect(game, goods={0: "lux-1", 1: "agri-1 ill-1 blank-31"})


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
