"""Import (R8): bidding rounds, the payment, taking and placing, compensation."""

from __future__ import annotations

from itertools import combinations, product

import pytest
from table import asked, expect, kinds, needs, offered, play, run_defaults, table

from arena.game import ChoiceError, Game

FOUR = {"containers": "tech-1 tech-2 tech-3 tech-4"}


def led(credits: dict[int, int] | None = None, **more: object) -> Game:
    """Seat 0 has led one Import and seat 1 has followed; seat 2 has drawn and has no Crew."""
    game = table(hands={0: "cons-1", 1: "cons-2"}, credits=credits, **more)  # type: ignore[arg-type]
    play(game, "0 lead:import:cons-1*1, 1 follow:import:cons-2*1")
    return game


# Rounds


def test_there_are_as_many_rounds_as_the_highest_number_announced() -> None:  # R8.1, R8.2, T4
    game = table(
        hands={0: "cons-1", 1: "cons-2", 2: "cons-3"},
        crew={0: "cons-8", 2: "cons-9 cons-10"},
        credits={0: 0, 1: 0, 2: 0},
        contracts={0: 9, 1: 9, 2: 9},
    )
    play(game, "0 lead:import:cons-1*2, 1 follow:import:cons-2*1, 2 follow:import:cons-3*3")
    events = run_defaults(game, lambda game: game.turn > 1)
    rounds = [event.public for event in events if event.kind == "round"]
    assert [(told["round"], told["bidders"]) for told in rounds] == [(1, [0, 1, 2]), (2, [0, 2]), (3, [2])]


def test_who_announced_by_crew_alone_takes_part() -> None:  # R8.2, Q31
    game = table(hands={0: "cons-1"}, crew={1: "cons-9"})
    play(game, "0 lead:import:cons-1*1, 1 crew*1, 0 import@ship-1")
    expect(game, asks="0 bid, 1 bid")


def test_who_announced_nothing_does_not_bid() -> None:  # R8.2
    game = table(hands={0: "cons-1"}, crew={1: "cons-9", 2: "cons-10"})
    play(game, "0 lead:import:cons-1*1, 1 crew*0, 2 crew*1, 0 import@ship-1")
    expect(game, asks="0 bid, 2 bid")


def test_three_rounds_as_the_rulebook_tells_them() -> (
    None
):  # T5a, T5b, T5c, R8.3, R8.4, R8.5, R8.7, R8.9, Q39
    game = table(
        hands={0: "cons-1", 1: "cons-2"},
        crew={0: "cons-8", 2: "cons-10 cons-11 cons-12"},
        contracts={0: 4, 1: 4, 2: 4},
        ships={1: FOUR, 3: {"containers": "ill-1 ill-2 ill-3 ill-4"}},
    )
    play(game, "0 lead:import:cons-1*2, 1 follow:import:cons-2*1, 2 crew*3")
    assert offered(game, 0) == {"import@ship-1", "import@ship-3", "import@ship-5"}
    play(game, "0 import@ship-1, 0 bid*0, 1 bid*4, 2 bid*2")
    play(game, "1 take:tech-1@goods, 1 take:tech-2@crew")
    expect(game, credits={0: 12, 1: 6, 2: 10}, goods={1: "tech-1"}, crew={1: "tech-2"})
    expect(game, ships={1: {"place": "sea", "containers": "tech-3 tech-4"}})

    play(game, "0 import@ship-1")
    expect(game, asks="0 bid, 2 bid")
    play(game, "0 bid*2, 2 bid*2")
    assert offered(game, 0) == {"tie@seat-0", "tie@seat-2"}
    play(game, "0 tie@seat-0, 0 take:tech-3@goods, 0 take:tech-4@goods")
    expect(game, credits={0: 10, 1: 6, 2: 10}, ships={1: {"place": "port", "containers": ""}})

    assert offered(game, 0) == {"import@ship-3", "import@ship-5"}
    play(game, "0 import@ship-3, 2 take:ill-1@goods, 2 take:ill-2@goods")
    expect(game, credits={0: 10, 1: 8, 2: 10}, goods={2: "ill-1 ill-2"})


def test_the_lead_player_picks_the_ship_also_when_not_taking_part() -> None:  # R8.3, Q38
    game = table(hands={0: "cons-1"}, crew={1: "cons-9", 2: "cons-10"}, credits={0: 0, 1: 0, 2: 0})
    play(game, "0 lead:import:cons-1*1, 1 crew*1, 2 crew*1")
    assert offered(game, 0) == {"import@ship-1", "import@ship-3", "import@ship-5"}  # no pass


def test_in_a_round_without_the_lead_player_it_still_picks_and_breaks_the_tie() -> None:  # R8.3, R8.5, Q41
    game = table(
        hands={0: "cons-1"}, crew={1: "cons-9 cons-13", 2: "cons-10 cons-11"}, contracts={0: 4, 1: 4, 2: 4}
    )
    play(game, "0 lead:import:cons-1*1, 1 crew*2, 2 crew*2, 0 import@ship-1, 0 bid*2, 1 bid*0, 2 bid*0")
    play(game, "0 take:sea-1@goods, 0 take:sea-2@goods")
    expect(game, asks="0 import-ship")
    play(game, "0 import@ship-1")
    expect(game, asks="1 bid, 2 bid")
    play(game, "1 bid*4, 2 bid*4")
    expect(game, asks="0 tie")
    play(game, "0 tie@seat-2")
    expect(game, asks="2 import-take", credits={1: 10, 2: 6})


def test_an_import_may_be_led_with_no_ship_at_sea_and_each_round_is_void() -> None:  # Q37, Q11
    at_home = {"place": "port"}
    game = table(
        hands={0: "cons-1", 1: "cons-2"}, crew={0: "cons-8"}, ships={1: at_home, 3: at_home, 5: at_home}
    )
    assert "lead:import:cons-1*2" in offered(game, 0)
    play(game, "0 lead:import:cons-1*2")
    events = play(game, "1 follow:import:cons-2*1")
    assert kinds(events).count("round-void") == 2
    expect(game, credits={0: 10, 1: 10}, discard="cons-2 cons-1")


def test_a_round_is_void_when_no_ship_is_left_at_sea() -> None:  # Q37
    at_home = {"place": "port"}
    game = table(
        hands={0: "cons-1"},
        crew={0: "cons-8"},
        contracts={0: 4},
        ships={1: at_home, 3: {"containers": "tech-1"}, 5: at_home},
    )
    events = play(game, "0 lead:import:cons-1*2, 0 take:tech-1@goods")
    rounds = [kind for kind in kinds(events) if kind.startswith("round")]
    assert rounds == ["round", "round-void"]
    expect(game, goods={0: "tech-1"}, credits={1: 12})


# Bids


def test_the_highest_bid_wins_and_alone_is_paid() -> None:  # R8.4
    game = led(ships={1: FOUR})
    play(game, "0 import@ship-1, 0 bid*4, 1 bid*6")
    expect(game, credits={0: 10, 1: 4}, asks="1 import-take")


def test_any_even_amount_up_to_the_own_credits_can_be_bid() -> None:  # R8.4, Q10, Q40, S018
    game = led(credits={0: 7, 1: 4})
    play(game, "0 import@ship-1")
    assert offered(game, 0) == {"bid*0", "bid*2", "bid*4", "bid*6"}
    assert offered(game, 1) == {"bid*0", "bid*2", "bid*4"}


@pytest.mark.parametrize("bid", ["bid*12", "bid*3", "bid*-2", "bid", "bid*", "bid*0.5"])
def test_a_bid_above_the_own_credits_negative_or_odd_is_refused(bid: str) -> None:  # Q40, Q10, S018
    game = led()
    play(game, "0 import@ship-1")
    before = game.digest()
    with pytest.raises(ChoiceError):
        game.choose_text(0, bid)
    assert game.digest() == before


def test_a_seat_that_gives_no_bid_bids_0() -> None:  # Q40, Q104
    game = led()
    play(game, "0 import@ship-1")
    assert [game.decision(seat).texts(game.catalogue)[game.decision(seat).default] for seat in (0, 1)] == [
        "bid*0"
    ] * 2


def test_0_is_a_bid_and_all_bids_of_0_are_a_tie_that_someone_wins() -> None:  # Q38, R8.5
    game = led()
    play(game, "0 import@ship-1, 0 bid*0, 1 bid*0")
    assert offered(game, 0) == {"tie@seat-0", "tie@seat-1"}
    play(game, "0 tie@seat-1")
    expect(game, credits={0: 10, 1: 10}, asks="1 import-take")


def test_the_lead_player_is_asked_about_the_tied_seats_only() -> None:  # R8.5, Q41
    game = table(hands={0: "cons-1", 1: "cons-2", 2: "cons-3"})
    play(game, "0 lead:import:cons-1*1, 1 follow:import:cons-2*1, 2 follow:import:cons-3*1")
    play(game, "0 import@ship-1, 0 bid*2, 1 bid*6, 2 bid*6")
    expect(game, asks="0 tie")
    assert offered(game, 0) == {"tie@seat-1", "tie@seat-2"}


def test_without_a_tie_nobody_is_asked() -> None:  # R8.4
    game = led()
    play(game, "0 import@ship-1, 0 bid*0, 1 bid*2")
    expect(game, asks="1 import-take")


def test_a_tied_owner_of_foxes_wins_without_a_choice() -> None:  # Q41
    game = led(fulfilled={1: "foxes"})
    play(game, "0 import@ship-1, 0 bid*2, 1 bid*2")
    expect(game, asks="1 import-take", credits={0: 10, 1: 8})


def test_a_single_participant_is_not_asked_and_wins_for_0() -> None:  # Q39
    game = table(hands={0: "cons-1"})
    events = play(game, "0 lead:import:cons-1*1, 0 import@ship-1")
    assert [event.public["bid"] for event in events if event.kind == "won"] == [0]
    expect(game, asks="0 import-take", credits={0: 10})


# Taking and placing


def test_the_winner_takes_2_cards_as_crew_or_goods_at_most_1_as_crew() -> None:  # R8.6
    game = table(hands={0: "cons-1"}, contracts={0: 4}, ships={1: FOUR})
    play(game, "0 lead:import:cons-1*1, 0 import@ship-1")
    assert offered(game, 0) == {f"take:tech-{n}@{place}" for n in (1, 2, 3, 4) for place in ("crew", "goods")}
    play(game, "0 take:tech-2@crew")
    assert offered(game, 0) == {f"take:tech-{n}@goods" for n in (1, 3, 4)}
    play(game, "0 take:tech-4@goods")
    expect(game, crew={0: "tech-2"}, goods={0: "tech-4"}, ships={1: {"containers": "tech-1 tech-3"}})


def test_both_cards_may_become_goods() -> None:  # R8.6
    game = table(hands={0: "cons-1"}, contracts={0: 4}, ships={1: FOUR})
    play(game, "0 lead:import:cons-1*1, 0 import@ship-1, 0 take:tech-2@goods, 0 take:tech-1@goods")
    expect(game, crew={0: ""}, goods={0: "tech-2 tech-1"})


def test_the_owner_takes_2_credits_if_another_player_wins_also_for_0() -> None:  # R8.7
    game = led(ships={3: FOUR})
    play(game, "0 import@ship-3, 0 bid*0, 1 bid*0, 0 tie@seat-0, 0 take:tech-1@goods, 0 take:tech-2@goods")
    expect(game, credits={0: 10, 1: 12})


def test_for_a_ship_of_the_winner_nobody_is_compensated() -> None:  # R8.7
    game = led(ships={1: FOUR})
    play(game, "0 import@ship-1, 0 bid*2, 1 bid*0, 0 take:tech-1@goods, 0 take:tech-2@goods")
    expect(game, credits={0: 8, 1: 10, 2: 10})


def test_an_emptied_ship_returns_at_once_to_its_owners_port() -> None:  # R8.9, Q44
    game = led(ships={3: {"containers": "tech-1 tech-2"}})
    play(game, "0 import@ship-3, 0 bid*2, 1 bid*0")
    events = play(game, "0 take:tech-1@goods, 0 take:tech-2@goods")
    told = [kind for kind in kinds(events) if kind in ("credits", "ship-returns", "import", "good")]
    assert told == ["import", "good", "good", "credits", "ship-returns"]
    expect(game, ships={3: {"place": "port", "containers": ""}}, credits={1: 12})


def test_a_ship_with_cards_left_stays_at_sea() -> None:  # R8.9
    game = led(ships={3: {"containers": "tech-1 tech-2 tech-3"}})
    play(game, "0 import@ship-3, 0 bid*2, 1 bid*0, 0 take:tech-1@goods, 0 take:tech-2@goods")
    expect(game, ships={3: {"place": "sea", "containers": "tech-3"}})


def test_from_a_ship_with_1_card_the_winner_takes_that_one() -> None:  # Q42
    game = led(ships={3: {"containers": "tech-1"}})
    play(game, "0 import@ship-3, 0 bid*2, 1 bid*0, 0 take:tech-1@crew")
    expect(
        game, crew={0: "tech-1"}, credits={0: 8, 1: 12}, ships={3: {"place": "port"}}, discard="cons-2 cons-1"
    )


def test_a_winner_without_any_room_wins_pays_takes_and_discards() -> None:  # Q43, R8.8
    game = led(
        crew={0: "lux-9"},
        goods={0: "lux-1 lux-2"},
        contracts={0: 1},
        ships={3: {"containers": "tech-1 tech-2 tech-3"}},
    )
    play(game, "0 import@ship-3, 0 bid*4, 1 bid*0")
    assert offered(game, 0) == {f"take:tech-{n}@discard" for n in (1, 2, 3)}
    play(game, "0 take:tech-1@discard, 0 take:tech-3@discard")
    expect(game, credits={0: 6, 1: 12}, crew={0: "lux-9"}, goods={0: "lux-1 lux-2"})
    expect(game, ships={3: {"containers": "tech-2"}}, discard="cons-2 cons-1 tech-3 tech-1")


def test_the_cards_are_chosen_and_placed_before_the_compensation_and_the_return() -> None:  # Q44
    game = led(ships={3: {"containers": "tech-1 tech-2"}})
    play(game, "0 import@ship-3, 0 bid*2, 1 bid*0, 0 take:tech-1@goods")
    expect(game, ships={3: {"place": "sea", "containers": "tech-1 tech-2"}}, goods={0: ""}, credits={1: 10})


def test_from_a_ship_of_an_owner_of_aeroponics_cards_leave_one_at_a_time() -> None:  # Q44
    game = led(fulfilled={1: "aeroponics"}, ships={3: {"containers": "tech-1 tech-2"}})
    play(game, "0 import@ship-3, 0 bid*2, 1 bid*0, 0 take:tech-2@goods")
    expect(game, goods={0: "tech-2"}, ships={3: {"place": "port", "containers": "tech-1"}}, credits={1: 12})


def placings(game: Game, seat: int, before: str) -> set[tuple[tuple[str, ...], tuple[str, ...]]]:
    """All that the taker can bring about: (new Crew, new Goods), each in the order of card ids."""
    if asked(game) != before:
        ids, player = game.catalogue.ids, game.players[seat]
        crew, goods = (
            tuple(sorted(ids[card] for card in area if ids[card].startswith("ill")))
            for area in (player.crew, player.goods)
        )
        return {(crew, goods)}
    found = set()
    for index in range(len(game.decision(seat).options)):
        copy = game.clone()
        copy.choose(seat, index)
        found |= placings(copy, seat, before)
    return found


@pytest.mark.parametrize(("crew", "goods"), list(product((0, 1, 2), (0, 1, 2, 3))))
def test_as_many_cards_are_placed_as_fit_and_the_taker_chooses_which_and_where(crew: int, goods: int) -> None:
    """R8.8, Q33, TD2: with `crew` and `goods` free places exactly min(2, min(1, crew) + goods) are placed."""
    game = table(
        hands={0: "cons-1", 1: "cons-2"},
        crew={0: " ".join(f"tech-{n}" for n in range(1, 3 - crew))},
        goods={0: " ".join(f"lux-{n}" for n in range(1, 5 - goods))},
        contracts={0: 2},
        ships={1: {"containers": "ill-1 ill-2 ill-3"}},
    )
    play(game, "0 lead:import:cons-1*1, 1 follow:import:cons-2*1")
    play(game, "0 import@ship-1, 0 bid*2, 1 bid*0")
    expect(game, asks="0 import-take")
    placed = min(2, min(1, crew) + goods)
    wanted = set()
    for taken in combinations(("ill-1", "ill-2", "ill-3"), 2):
        for places in product(("crew", "goods", "discard"), repeat=2):
            fits = places.count("crew") <= min(1, crew) and places.count("goods") <= goods
            if fits and 2 - places.count("discard") == placed:
                wanted.add(
                    tuple(
                        tuple(
                            sorted(card for card, where in zip(taken, places, strict=True) if where == area)
                        )
                        for area in ("crew", "goods")
                    )
                )
    assert placings(game, 0, "0 import-take") == wanted


@pytest.mark.parametrize(
    ("crew", "goods", "placed"), [(1, 1, 2), (1, 0, 1), (2, 0, 1), (0, 2, 2), (0, 1, 1), (0, 0, 0), (1, 2, 2)]
)
def test_how_many_of_two_cards_are_placed(crew: int, goods: int, placed: int) -> None:  # TD2
    game = table(
        hands={0: "cons-1"},
        crew={0: " ".join(f"tech-{n}" for n in range(1, 3 - crew))},
        goods={0: " ".join(f"lux-{n}" for n in range(1, 5 - goods))},
        contracts={0: 2},
        ships={1: {"containers": "ill-1 ill-2 ill-3"}},
    )
    play(game, "0 lead:import:cons-1*1, 0 import@ship-1")
    run_defaults(game, lambda game: "import-take" not in asked(game))
    new = [
        card for card in (*game.players[0].crew, *game.players[0].goods) if "ill" in game.catalogue.ids[card]
    ]
    assert len(new) == placed


def test_with_scotch_the_places_are_counted_for_the_cards_chosen() -> None:  # Q33, R8.8
    """Two Luxury Goods take one place: with one place free two Luxury cards fit, or one of another colour."""
    game = table(
        hands={0: "cons-1"},
        fulfilled={0: "scotch"},
        crew={0: "tech-1 tech-2"},
        goods={0: "tech-3 tech-4 tech-5"},
        contracts={0: 2},
        ships={1: {"containers": "lux-1 lux-2 ill-1"}},
    )
    play(game, "0 lead:import:cons-1*1, 0 import@ship-1")
    results = set()

    def walk(game: Game) -> None:
        if asked(game) != "0 import-take":
            ids = [game.catalogue.ids[card] for card in game.players[0].goods[3:]]
            results.add(tuple(sorted(ids)))
            return
        for index in range(len(game.decision(0).options)):
            copy = game.clone()
            copy.choose(0, index)
            walk(copy)

    walk(game)
    assert results == {("lux-1", "lux-2"), ("lux-1",), ("lux-2",), ("ill-1",)}


def test_only_the_colour_of_an_imported_card_matters_for_what_it_becomes() -> None:  # R1.5, R8.6
    game = table(
        hands={0: "cons-1"},
        contracts={0: 4},
        ships={1: {"containers": "ill-1 ill-2"}},
        faces={"ill-1": needs({"luxury": 6}, luxury=6)},
    )
    play(game, "0 lead:import:cons-1*1, 0 import@ship-1, 0 take:ill-1@goods, 0 take:ill-2@crew")
    expect(game, goods={0: "ill-1"}, crew={0: "ill-2"})
