"""Powers of what lies in the fulfilled area: contracts that count as Goods, or free the Crew."""

from __future__ import annotations

from typing import Any

from table import expect, offered, play, run_defaults, table, totals

from arena.game.goods import count_goods, levels
from arena.game.limits import crew_limit
from powers.scenes import LAST, brink, led

FIVE_TYPES = "board-games tech-1 agri-1 lux-1 ill-1"
BOARD_GAMES = {"board-games": {"color": "consumer"}}


def test_board_games_free_the_crew_while_all_types_lie_there() -> None:
    """power: board-games"""
    crew = "tech-11 tech-12 tech-13 tech-14 tech-15 tech-16"
    game = led(
        "supply",
        crew={0: crew},
        fulfilled={0: FIVE_TYPES},
        contracts={0: 6},
        island="agri-9",
        faces=BOARD_GAMES,
    )
    expect(game, crew={0: crew + " agri-9"})


def test_board_games_end_with_the_set() -> None:
    """power: board-games, stolen-documents (P10)"""
    crew = "tech-11 tech-12 tech-13 tech-14 tech-15 tech-16 tech-17"
    game = table(
        crew={0: crew},
        fulfilled={0: FIVE_TYPES + " olive-oil"},
        contracts={0: 7},
        hands={0: "lux-9"},
        faces={**BOARD_GAMES, "ill-1": {"color": "agriculture"}, "olive-oil": {"color": "illegal"}},
    )
    assert crew_limit(game, 0) > 7
    play(game, "0 use:olive-oil", "0 discard:tech-11")
    expect(game, asks="0 lead", crew={0: "tech-12 tech-13 tech-14 tech-15 tech-16 tech-17"})


def test_board_games_free_no_place_for_a_card_of_the_set_itself() -> None:
    """power: board-games, segways, avocado (P6)"""
    crew = "cons-11 cons-12 cons-13 cons-14 cons-15 cons-16"
    luxury = {"color": "luxury"}
    faces = {**BOARD_GAMES, "segways": luxury, "avocado": luxury}
    zones: dict[str, Any] = {"crew": {0: crew}, "contracts": {0: 6}, "faces": faces}
    game = table(fulfilled={0: "board-games tech-1 agri-1 ill-1 segways"}, **zones)
    assert offered(game, 0) == {"pass", "use:segways@goods"}
    game = brink("avocado", fulfilled={0: "board-games tech-1 agri-1 ill-1 blank-1"}, **zones)
    play(game, LAST)
    expect(game, crew={0: crew}, fulfilled={0: "board-games tech-1 agri-1 ill-1 blank-1"})


def test_board_games_count_the_types_joe_wiggins_names() -> None:
    """power: board-games, joe-wiggins"""
    game = table(fulfilled={0: "board-games joe-wiggins lux-1"}, faces=BOARD_GAMES)
    assert crew_limit(game, 0) > 100
    game = table(
        fulfilled={0: "board-games joe-wiggins blank-1"},
        faces={**BOARD_GAMES, "joe-wiggins": {"color": "consumer"}},
    )
    assert crew_limit(game, 0) == 4


def test_board_games_ask_for_contract_cards_and_not_for_goods() -> None:
    """power: board-games"""
    game = table(fulfilled={0: "board-games"}, goods={0: "tech-1 agri-1 lux-1 ill-1"}, faces=BOARD_GAMES)
    assert crew_limit(game, 0) == 2


def test_joe_wiggins_scores_as_four_goods() -> None:
    """power: joe-wiggins"""
    game = table(hands={0: "tech-1"}, goods={0: "lux-1"}, fulfilled={0: "joe-wiggins"}, ending="credits")
    run_defaults(game)
    assert totals(game) == (10 + 36, 10, 10)


def test_joe_wiggins_gives_levels_but_fills_no_place() -> None:
    """power: joe-wiggins (R9.3, P34)"""
    game = table(goods={0: "lux-1"}, fulfilled={0: "joe-wiggins"})
    assert levels(game, 0)[:5] == [1, 1, 1, 1, 1]
    assert levels(game, 0)[5] == 1
    assert count_goods(game, 0) == [1, 1, 1, 1, 1]
    expect(game, goods={0: "lux-1"})


def test_joe_wiggins_helps_fridges_and_playstations() -> None:
    """power: joe-wiggins, fridges, playstations"""
    game = table(hands={0: "tech-1"}, goods={0: "tech-2"}, fulfilled={0: "joe-wiggins fridges"})
    assert "lead:load:tech-1*2" in offered(game, 0)
