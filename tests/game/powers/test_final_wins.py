"""Powers that win the game, and powers of the end together."""

from __future__ import annotations

from typing import Any

import pytest
from table import expect, play, table, totals

from arena.game import Game
from powers.finals import final, parts
from powers.fulfilling import fulfil

# Wins


FISH: dict[str, Any] = {"fulfilled": {0: "exotic-fish"}, "contracts": {1: 2}}


def check(game: Game) -> Game:
    """Any event, after which wins are looked for: seat 0 draws."""
    play(game, "0 draw")
    return game


@pytest.mark.parametrize(
    ("credits", "goods", "wins"),
    [
        ((24, 12, 10), ("lux-1 lux-2 lux-3", "agri-1 agri-2", "cons-1 cons-2"), True),
        ((24, 14, 10), ("lux-1 lux-2 lux-3", "agri-1 agri-2", "cons-1 cons-2"), False),
        ((24, 12, 10), ("lux-1 lux-2 lux-3", "agri-1 agri-2 agri-3", "cons-1 cons-2"), False),
        ((0, 0, 0), ("lux-1", "", ""), False),
        ((24, 12, 12), ("", "", ""), False),
    ],
)
def test_exotic_fish_wins_with_twice_the_credits_and_the_most_goods(
    credits: tuple[int, ...], goods: tuple[str, ...], wins: bool
) -> None:
    """power: exotic-fish"""
    game = table(
        credits=dict(enumerate(credits)),
        goods=dict(enumerate(goods)),
        hands={0: "tech-1", 1: "tech-2"},
        **FISH,
    )
    check(game)
    assert game.over == wins
    if wins:
        assert game.result is not None
        assert (game.result.winners, game.result.reason) == ((0,), "exotic-fish")
        assert game.result.credits == credits


def test_exotic_fish_wins_a_tie_of_goods_with_foxes() -> None:
    """power: exotic-fish, foxes"""
    game = table(
        credits={0: 24, 1: 12},
        goods={0: "lux-1", 1: "agri-1"},
        hands={0: "tech-1"},
        fulfilled={0: "exotic-fish foxes"},
    )
    assert check(game).over


def test_exotic_fish_does_not_count_the_credits_on_helicopter() -> None:
    """power: exotic-fish, helicopter"""
    game = table(
        credits={0: 22, 1: 12},
        goods={0: "lux-1"},
        hands={0: "tech-1", 1: "tech-2"},
        fulfilled={0: "exotic-fish helicopter"},
        marks={"helicopter": 8},
    )
    assert not check(game).over


ALL = "tech-{0} agri-{0} cons-{0} lux-{0} ill-{0}"


def improbable(**zones: Any) -> Game:
    return table(
        **{
            "fulfilled": {0: f"improbability {ALL.format(1)}"},
            "crew": {0: ALL.format(2)},
            "goods": {0: ALL.format(3)},
            "hands": {0: "tech-9", 1: "tech-8"},
            **zones,
        }
    )


def test_improbability_wins_with_all_colours_in_each_area() -> None:
    """power: improbability"""
    game = check(improbable())
    assert game.result is not None
    assert game.result.reason == "improbability"
    assert game.result.winners == (0,)


def test_improbability_needs_all_colours_in_each_area() -> None:
    """power: improbability"""
    assert not check(improbable(crew={0: "ill-4 agri-2 cons-2 lux-2 ill-2"})).over
    assert not check(improbable(goods={0: "tech-3 agri-3 cons-3 lux-3 blank-9"})).over
    assert not check(
        improbable(fulfilled={0: "improbability tech-1 agri-1 cons-1 lux-1"}, contracts={0: 6})
    ).over


def test_improbability_takes_red_crew_from_cannons() -> None:
    """power: improbability, cannons"""
    game = improbable(
        fulfilled={0: f"improbability cannons {ALL.format(1)}"},
        crew={0: "tech-2 agri-2 cons-2 lux-2", 1: "ill-2"},
    )
    assert check(game).over


def test_mother_load_wins_with_8_illegal_goods() -> None:
    """power: mother-load"""
    seven = "ill-1 ill-2 ill-3 ill-4 ill-5 ill-6 ill-7"
    game = table(
        fulfilled={0: "mother-load"},
        contracts={0: 4},
        goods={0: seven},
        hands={0: "cons-20"},
        ships={3: {"containers": "ill-8 lux-1"}},
    )
    play(game, "0 lead:import:cons-20*1", "0 import@ship-3", "0 take:ill-8@goods")
    assert game.result is not None
    assert (game.result.winners, game.result.reason) == ((0,), "mother-load")


def test_mother_load_counts_joe_wiggins() -> None:
    """power: mother-load, joe-wiggins"""
    game = table(
        fulfilled={0: "mother-load joe-wiggins"},
        goods={0: "ill-1 ill-2 ill-3 ill-4 ill-5 ill-6 ill-7"},
        hands={0: "tech-9"},
    )
    assert check(game).over
    assert not check(
        table(
            fulfilled={0: "mother-load"},
            goods={0: "ill-1 ill-2 ill-3 ill-4 ill-5 ill-6 ill-7"},
            hands={0: "tech-9", 1: "tech-8"},
        )
    ).over


def test_mother_load_does_not_win_once_scoring_has_begun() -> None:
    """power: mother-load, cheap-shirts"""
    game = final(
        fulfilled={0: "mother-load cheap-shirts"},
        goods={0: "ill-1 ill-2 ill-3 ill-4 ill-5 ill-6 ill-7"},
        crew={0: "ill-8"},
    )
    assert game.result is not None
    assert game.result.reason == "turns"
    assert parts(game)["goods"] == 16


def test_mother_load_does_not_win_by_teslas() -> None:
    """power: mother-load, teslas"""
    game = final(
        fulfilled={0: "mother-load teslas"},
        goods={0: "ill-1 ill-2 ill-3 ill-4 ill-5 ill-6 ill-7"},
        crew={0: "lux-1"},
    )
    play(game, "0 declare:illegal:lux-1")
    assert game.result is not None
    assert game.result.reason == "turns"
    assert parts(game)["goods"] == 16


# With other powers


def test_artifacts_counts_joe_wiggins() -> None:
    """power: artifacts, joe-wiggins"""
    game = final(fulfilled={0: "artifacts joe-wiggins"}, goods={0: "tech-1 agri-1 cons-1 lux-1 lux-2 ill-1"})
    assert parts(game)["artifacts"] == 20


def test_cheap_shirts_are_seen_by_bubblegum() -> None:
    """power: cheap-shirts, bubblegum"""
    game = final(fulfilled={0: "cheap-shirts", 1: "bubblegum"}, crew={0: "cons-1 lux-1"})
    assert totals(game)[1] == 14


def test_cologne_does_not_count_us_dollars() -> None:
    """power: cologne, us-dollars"""
    game = table(fulfilled={0: "cologne us-dollars"}, hands={0: "lux-1"}, credits={0: 50}, crew={0: "tech-1"})
    play(game, "0 use:load:us-dollars", "0 draw")
    assert parts(game)["cologne"] == 4


def test_nice_suits_count_both_cards_of_a_pair() -> None:
    """power: nice-suits, robo-cats"""
    ships: dict[int, dict[str, Any]] = {
        0: {"contracts": "tech-1", "containers": "lux-1 lux-2", "pairs": [["lux-1", "lux-2"]]},
        1: {"containers": "agri-1"},
        3: {"containers": "cons-1 cons-2"},
        5: {"containers": "ill-1 ill-2"},
    }
    assert parts(final(fulfilled={0: "nice-suits robo-cats"}, ships=ships))["nice-suits"] == 16


def test_almonds_do_not_count_the_credits_on_helicopter() -> None:
    """power: helicopter, almonds"""
    game = fulfil("almonds", fulfilled={0: "helicopter"}, marks={"helicopter": 20})
    expect(game, credits={0: 24})


def test_improbability_does_not_count_joe_wiggins_as_goods() -> None:
    """power: improbability, joe-wiggins"""
    game = improbable(
        fulfilled={0: f"improbability joe-wiggins {ALL.format(1)}"}, goods={0: "agri-3 cons-3 lux-3 ill-3"}
    )
    assert not check(game).over
