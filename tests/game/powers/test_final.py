"""Powers of final scoring."""

from __future__ import annotations

from typing import Any

from table import expect, offered, play, table, totals

from arena.game import Game
from arena.game.terms import CONTRACT
from powers.finals import final, parts
from powers.fulfilling import fulfil, grant

TWO_EACH = "tech-1 tech-2 agri-1 agri-2 cons-1 cons-2 cons-3 lux-1 ill-1 ill-2"


# What Goods count as, and for how much


def test_artifacts_pays_20_for_two_of_each() -> None:
    """power: artifacts"""
    game = final(fulfilled={0: "artifacts"}, contracts={0: 6}, goods={0: f"{TWO_EACH} lux-2"})
    assert parts(game)["artifacts"] == 20
    assert parts(game)["all-types"] == 10

    short = final(fulfilled={0: "artifacts"}, contracts={0: 6}, goods={0: TWO_EACH})
    assert "artifacts" not in parts(short)


def test_artifacts_counts_the_virtual_luxury_of_ceramics() -> None:
    """power: artifacts, ceramics"""
    game = final(fulfilled={0: "artifacts ceramics"}, contracts={0: 6}, goods={0: TWO_EACH})
    assert parts(game)["artifacts"] == 20


def test_ceramics_adds_a_luxury_good_for_two_consumer_goods() -> None:
    """power: ceramics"""
    game = final(
        fulfilled={0: "ceramics"},
        contracts={0: 3},
        goods={0: "cons-1 cons-2 cons-3 cons-4 cons-5 lux-1", 1: "lux-2 lux-3"},
    )
    assert parts(game) == {"goods": 8, "most-consumer": 6, "most-luxury": 8}


def test_ceramics_twice_counts_twice_and_feeds_long_coats_and_apple_watch() -> None:
    """power: ceramics, long-coats, apple-watch"""
    game = final(fulfilled={0: "ceramics long-coats apple-watch"}, goods={0: "cons-1 cons-2"})
    assert parts(game)["goods"] == 2 + 3
    assert parts(game)["apple-watch"] == 6

    twice = final(
        fulfilled={0: "ceramics blank-1"},
        copies={"blank-1": "ceramics"},
        goods={0: "cons-1 cons-2"},
    )
    assert parts(twice)["goods"] == 2 + 2


def test_long_coats_makes_luxury_goods_worth_3() -> None:
    """power: long-coats"""
    game = final(fulfilled={0: "long-coats"}, goods={0: "lux-1 lux-2 lux-3 cons-1"})
    assert parts(game)["goods"] == 10
    assert parts(game)["most-luxury"] == 8


def test_ivory_takes_the_penalty_as_credits() -> None:
    """power: ivory"""
    game = final(fulfilled={0: "ivory"}, goods={0: "ill-1 ill-2 ill-3", 1: "ill-4"})
    assert parts(game) == {"goods": 6, "most-illegal": 6}


def test_ivory_tied_takes_its_share_and_the_other_pays() -> None:
    """power: ivory"""
    game = final(fulfilled={0: "ivory"}, goods={0: "ill-1 ill-2", 1: "ill-3 ill-4"})
    assert parts(game) == {"goods": 4, "most-illegal": 3}
    assert parts(game, 1) == {"goods": 4, "most-illegal": -3}


def test_ivory_with_foxes_and_with_sauna() -> None:
    """power: ivory, foxes, sauna"""
    goods = {0: "ill-1 ill-2", 1: "ill-3 ill-4"}
    foxes = final(fulfilled={0: "ivory foxes"}, goods=goods)
    assert parts(foxes)["most-illegal"] == 6
    assert "most-illegal" not in parts(foxes, 1)

    for order in ("ivory sauna", "sauna ivory"):
        game = final(fulfilled={0: order}, goods={0: "ill-1 ill-2"})
        assert parts(game)["most-illegal"] == 12


def test_sauna_doubles_own_shares_and_the_penalty() -> None:
    """power: sauna"""
    game = final(fulfilled={0: "sauna"}, goods={0: "lux-1 tech-1 ill-1", 1: "tech-2"})
    assert parts(game) == {"goods": 4, "most-luxury": 16, "most-technology": 6, "most-illegal": -12}
    assert parts(game, 1) == {"goods": 1, "most-technology": 3}


def test_sauna_twice_doubles_once() -> None:
    """power: sauna"""
    game = final(fulfilled={0: "sauna blank-1"}, copies={"blank-1": "sauna"}, goods={0: "lux-1"})
    assert parts(game)["most-luxury"] == 16


# Credits


def test_champagne_pays_for_the_most_contracts() -> None:
    """power: champagne, foxes"""
    game = final(fulfilled={0: "champagne"}, contracts={0: 4, 1: 3, 2: 2})
    assert parts(game) == {"champagne": 8}
    tied = final(fulfilled={0: "champagne"}, contracts={0: 4, 1: 4, 2: 2})
    assert parts(tied) == {}
    foxes = final(fulfilled={0: "champagne foxes"}, contracts={0: 4, 1: 4, 2: 2})
    assert parts(foxes) == {"champagne": 8}


def test_champagne_is_counted_after_diamonds() -> None:
    """power: champagne, diamonds"""
    game = final(fulfilled={0: "champagne diamonds lux-1"}, contracts={0: 4, 1: 3})
    play(game, "0 move:lux-1", "0 move:diamonds")
    assert "champagne" not in parts(game)


def test_cologne_pays_for_the_best_type_of_crew() -> None:
    """power: cologne"""
    game = final(fulfilled={0: "cologne"}, contracts={0: 4}, crew={0: "tech-1 tech-2 tech-3 cons-1"})
    assert parts(game)["cologne"] == 12


def test_cologne_counts_crew_borrowed_by_cannons() -> None:
    """power: cologne, cannons"""
    game = final(
        fulfilled={0: "cologne cannons"},
        contracts={0: 4},
        crew={0: "tech-1 tech-2 tech-3 cons-1", 1: "ill-1 ill-2 ill-3", 2: "ill-4 ill-5"},
    )
    assert parts(game)["cologne"] == 20


def test_cologne_takes_cards_and_no_virtual_crew() -> None:
    """power: cologne, fridges"""
    game = final(fulfilled={0: "cologne fridges"}, goods={0: "tech-1 tech-2"}, crew={0: "tech-3"})
    assert parts(game)["cologne"] == 4


def test_cologne_lets_a_card_count_for_either_action_with_rice_cookers() -> None:
    """power: cologne, rice-cookers"""
    game = final(fulfilled={0: "cologne rice-cookers"}, crew={0: "tech-1 agri-1"})
    assert parts(game)["cologne"] == 8


def test_cologne_counts_unpasteurized_cheese_as_piracy() -> None:
    """power: cologne, unpasteurized-cheese"""
    game = final(
        fulfilled={0: "cologne"},
        crew={0: "ill-1 unpasteurized-cheese"},
        marks={"unpasteurized-cheese": 4},
        faces={"unpasteurized-cheese": {"color": "luxury"}},
    )
    assert parts(game)["cologne"] == 8


def test_gold_stuff_pays_for_luxury_contracts() -> None:
    """power: gold-stuff, champagne, honey"""
    faces = {"champagne": {"color": "luxury"}}
    game = final(fulfilled={0: "gold-stuff champagne honey"}, faces=faces, port={0: "luxury"})
    assert parts(game)["gold-stuff"] == 12


def test_the_definitive_edition_and_gold_stuff_add_up() -> None:
    """power: import-export-definitive-edition, gold-stuff, jets"""
    game = final(
        fulfilled={0: "import-export-definitive-edition gold-stuff jets"},
        faces={"jets": {"color": "luxury"}},
    )
    assert parts(game) == {"import-export-definitive-edition": 18, "gold-stuff": 18}


def fleet(*containers: str) -> dict[int, dict[str, Any]]:
    """Ship by ship what it carries; odd ones are at sea."""
    return {
        index: {"containers": cards, **({"place": "port"} if not cards else {})}
        for index, cards in enumerate(containers)
    }


def test_nice_suits_pays_for_the_most_containers() -> None:
    """power: nice-suits, foxes"""
    ships = fleet(
        "lux-1 lux-2",
        "lux-3 lux-4 lux-5",
        "",
        "agri-1 agri-2 agri-3 agri-4",
        "tech-1",
        "tech-2 tech-3 tech-4",
    )
    game = final(fulfilled={0: "nice-suits"}, ships=ships)
    assert parts(game) == {"nice-suits": 16}

    ships[2] = {"containers": "agri-5"}
    tied = final(fulfilled={0: "nice-suits"}, ships=ships)
    assert parts(tied) == {}
    foxes = final(fulfilled={0: "nice-suits foxes"}, ships=ships)
    assert parts(foxes) == {"nice-suits": 16}


def test_nice_suits_counts_diesel_engine_and_what_segways_adds() -> None:
    """power: nice-suits, diesel-engine, segways"""
    single = {6: {"owner": 0, "single_use": "diesel-engine", "containers": "ill-1"}}
    game = final(fulfilled={0: "nice-suits"}, ships=single)
    assert parts(game) == {"nice-suits": 16}

    segways = final(fulfilled={0: "nice-suits segways"}, ships={0: {"contracts": "tech-1"}})
    play(segways, "0 put:segways@ship-0")
    assert parts(segways) == {"nice-suits": 16, "loaded": 2}


def test_velvet_robes_pay_for_the_hand() -> None:
    """power: velvet-robes"""
    game = final(fulfilled={0: "velvet-robes"}, hands={0: "lux-1 lux-2 ill-1 ill-2 tech-1 agri-1 blank-9"})
    assert parts(game) == {"velvet-robes": 7}


def test_helicopter_collects_credits_that_do_not_count_before() -> None:
    """power: helicopter"""
    game = table(
        credits={0: 48},
        fulfilled={0: "helicopter"},
        hands={0: "tech-1", 1: "lux-1", 2: "lux-2 agri-1"},
    )
    grant(game, 1, CONTRACT)
    play(game, "0 go-on")
    grant(game, 2, CONTRACT)
    play(game, "2 contract:lux-2@ship-4", "0 go-on")
    expect(game, credits={0: 48}, ending="")
    assert game.view(2)["marks"] == {"helicopter": 8}


def test_helicopter_is_emptied_in_final_scoring() -> None:
    """power: helicopter"""
    game = final(credits={0: 48}, fulfilled={0: "helicopter"}, marks={"helicopter": 8})
    assert totals(game)[0] == 56
    assert parts(game) == {"helicopter": 8}


def test_helicopter_takes_its_credits_along() -> None:
    """power: helicopter, railguns"""
    game = fulfil("railguns", fulfilled={1: "helicopter"}, marks={"helicopter": 8}, credits={1: 0, 2: 0})
    expect(game, fulfilled={0: "railguns helicopter"})
    assert game.view(0)["marks"] == {"helicopter": 8}


def test_helicopter_sees_own_placements_and_luxury_only() -> None:
    """power: helicopter"""
    game = table(fulfilled={0: "helicopter"}, hands={0: "lux-1 agri-1"})
    grant(game, 0, CONTRACT, 2)
    play(game, "0 contract:lux-1@ship-0")  # and then the other one
    assert game.view(0)["marks"] == {"helicopter": 4}


# Before Goods are counted


def test_cheap_shirts_move_as_many_crew_as_fit() -> None:
    """power: cheap-shirts"""
    game = final(
        fulfilled={0: "cheap-shirts"},
        contracts={0: 3},
        goods={0: "lux-1 lux-2 lux-3 lux-4"},
        crew={0: "agri-1 cons-1 ill-1"},
    )
    assert offered(game, 0) == {"move:agri-1", "move:cons-1", "move:ill-1"}
    play(game, "0 move:ill-1", "0 move:agri-1")
    expect(game, goods={0: "lux-1 lux-2 lux-3 lux-4 ill-1 agri-1"}, crew={0: "cons-1"})
    assert parts(game)["most-illegal"] == -6


def test_cheap_shirts_move_all_unasked_and_are_seen_by_chapstick() -> None:
    """power: cheap-shirts, chapstick, cologne; these two are sides of one card"""
    for fulfilled in ({0: "cheap-shirts", 1: "chapstick"}, {0: "cheap-shirts cologne"}):
        game = final(fulfilled=fulfilled, crew={0: "cons-1 cons-2"})
        expect(game, goods={0: "cons-1 cons-2"}, crew={0: ""})
        assert "cologne" not in parts(game)
        assert totals(game)[1] == (14 if 1 in fulfilled else 10)


def test_cheap_shirts_do_not_move_borrowed_crew() -> None:
    """power: cheap-shirts, cannons"""
    game = final(fulfilled={0: "cheap-shirts cannons"}, crew={0: "lux-1", 1: "ill-1"})
    expect(game, goods={0: "lux-1"}, crew={0: "", 1: "ill-1"})


def test_cheap_shirts_with_scotch_move_most_with_luxury() -> None:
    """power: cheap-shirts, scotch"""
    game = final(
        fulfilled={0: "cheap-shirts scotch"},
        contracts={0: 3},
        goods={0: "agri-1 agri-2 agri-3 agri-4 agri-5"},
        crew={0: "cons-1 lux-1 lux-2"},
    )
    play(game, "0 move:lux-1")
    expect(game, goods={0: "agri-1 agri-2 agri-3 agri-4 agri-5 lux-1 lux-2"}, crew={0: "cons-1"})


TESLAS: dict[str, Any] = {
    "contracts": {1: 3, 2: 3},
    "goods": {
        0: "tech-1 agri-1 cons-1",
        1: "tech-2 tech-3 agri-2 agri-3 cons-2 cons-3",
        2: "tech-4 tech-5 agri-4 agri-5 cons-4 cons-5",
    },
}


def test_teslas_count_supply_crew_as_goods_of_any_type() -> None:
    """power: teslas"""
    game = final(fulfilled={0: "teslas"}, crew={0: "lux-1 lux-2"}, **TESLAS)
    assert len(offered(game, 0)) == 6
    events = play(game, "0 declare:luxury:lux-1")
    assert [event.for_seat(2) for event in events] == [
        {"event": "declare", "seat": 0, "card": "lux-1", "type": "luxury"}
    ]
    play(game, "0 declare:illegal:lux-2")
    assert parts(game) == {"goods": 6, "all-types": 10, "most-luxury": 8, "most-illegal": -6}


def test_teslas_may_decline_and_take_supply_crew_only() -> None:
    """power: teslas, long-coats, cologne"""
    game = final(fulfilled={0: "teslas long-coats cologne"}, crew={0: "lux-1 tech-1 lux-2"})
    play(game, "0 pass", "0 declare:luxury:lux-2")
    assert parts(game) == {"goods": 3, "most-luxury": 8, "cologne": 8}


def test_teslas_after_cheap_shirts_count_the_cards_where_they_lie() -> None:
    """power: teslas, cheap-shirts"""
    game = final(fulfilled={0: "teslas cheap-shirts"}, crew={0: "lux-1"})
    assert offered(game, 0) == {"resolve:teslas", "resolve:cheap-shirts"}
    play(game, "0 resolve:teslas", "0 declare:agriculture:lux-1")
    expect(game, goods={0: "lux-1"})
    assert parts(game) == {"goods": 1, "most-luxury": 8}


def test_teslas_twice_count_each_card_twice() -> None:
    """power: teslas"""
    game = final(fulfilled={0: "teslas blank-1"}, copies={"blank-1": "teslas"}, crew={0: "lux-1"})
    play(game, "0 resolve:teslas", "0 declare:technology:lux-1", "0 declare:consumer:lux-1")
    assert parts(game) == {"goods": 2, "most-technology": 6, "most-consumer": 6}


def test_teslas_can_be_saved_half_declared() -> None:
    """power: teslas"""
    game = final(fulfilled={0: "teslas"}, crew={0: "lux-1 lux-2"})
    play(game, "0 declare:illegal:lux-1")
    again = Game.from_json(game.to_json(), game.catalogue)
    again.choose(0, 0)
    assert again.result is not None
    assert again.result.credits[0] == 10 + 2 - 6
