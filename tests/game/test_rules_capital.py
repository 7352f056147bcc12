"""Capital (R16): the grey Port, Barter, Capital Goods and Levels, grey Containers, discarding Capital cards.

The Capital cards of these scenarios are `blank-30` and up, or cards of the house with their powers. Whoever
holds one is asked in every window, because it may be discarded at any time; `go` passes there.
"""

from __future__ import annotations

from typing import Any

import pytest
from table import asked, expect, finish_turn, kinds, names, needs, offered, play, run_defaults, table, totals

from arena.game import Event, Game, Options
from arena.game.goods import count_goods, good_types, levels
from arena.game.terms import CAPITAL, TYPES

SEATS = [2, 3, 4, 5, 6]
HOME = {"place": "port"}


def capital(**more: Any) -> Game:
    """A table with the Capital expansion."""
    return table(sets=["capital"], **more)


def dealt(players: int, seed: int, *, on: bool = True) -> Game:
    return Game.new(Options(players=players, sets=("capital",) if on else ()), seed=seed)


def having(game: Game, seat: int, word: str) -> set[str]:
    """What a seat is offered that begins with this word."""
    return {text for text in offered(game, seat) if text.startswith(word)}


def go(game: Game, *moves: str) -> list[Event]:
    """Like `play`, but every window in which nothing is dropped or used is passed, also after the last move."""
    events: list[Event] = []
    for move in (part.strip() for text in moves for part in text.split(",")):
        if move.split()[1].split(":")[0] not in ("drop", "use", "pass"):
            events += pass_windows(game)
        events += play(game, move)
    return events + pass_windows(game)


def pass_windows(game: Game) -> list[Event]:
    events: list[Event] = []
    while game.to_act and game.decision(game.to_act[0]).kind == "window":
        events += play(game, f"{game.to_act[0]} pass")
    return events


def no_drops(game: Game, seat: int) -> set[str]:
    """What a seat is offered but for discarding a Capital card."""
    return offered(game, seat) - having(game, seat, "drop")


# Set-up


@pytest.mark.parametrize("players", SEATS)
def test_the_grey_port_is_among_the_ports_dealt_at_every_player_count(players: int) -> None:  # R16.1, Q97
    with_grey = [CAPITAL in [player.port for player in dealt(players, seed).players] for seed in range(12)]
    assert any(with_grey)
    assert all(with_grey) == (players == 6)
    if players < 6:
        for seed in range(12):
            assert CAPITAL not in [player.port for player in dealt(players, seed, on=False).players]


@pytest.mark.parametrize("players", SEATS)
def test_the_grey_player_starts_with_2_extra_credits(players: int) -> None:  # R16.2, Q6
    seen = set()
    for seed in range(12):
        for player in dealt(players, seed).players:
            seen.add((player.port == CAPITAL, player.credits))
    assert seen == {(True, 12), (False, 10)}


def test_a_capital_card_revealed_for_a_ship_is_discarded_and_replaced() -> None:  # R16.3, Q7
    """Each before the next card is revealed; the Island and the hands keep theirs."""
    replaced, on_island, in_hand = 0, 0, 0
    for seed in range(30):
        game = dealt(4, seed)
        colors = game.catalogue.colors
        for ship in game.ships[1::2]:
            assert len(ship.containers) == 4
            assert all(colors[card] != CAPITAL for card in ship.containers)
        assert all(colors[card] == CAPITAL for card in game.discard)
        replaced = max(replaced, len(game.discard))
        on_island += sum(colors[card] == CAPITAL for card in game.island)
        in_hand += sum(colors[card] == CAPITAL for player in game.players for card in player.hand)
        lying = len(game.pile) + len(game.discard) + len(game.island) + 4 * 4 + 4 * 5
        assert lying == 115
    assert replaced > 1  # R1.1: 15 of 115 cards
    assert on_island
    assert in_hand


def test_the_cards_come_from_the_pile_in_their_order_at_set_up() -> None:  # Q7, Q3
    """Without the discarded ones the Ships hold what the pile would have given."""
    game = next(game for seed in range(30) if len((game := dealt(3, seed)).discard) > 1)
    aboard = [card for ship in game.ships[1::2] for card in ship.containers]
    assert len(aboard) == 12
    assert not set(aboard) & set(game.discard)
    assert len(game.pile) == 115 - 3 - 12 - 15 - len(game.discard)


# Barter


def test_each_barter_action_swaps_a_hand_card_with_an_island_card() -> None:  # R16.4
    game = capital(hands={0: "blank-31 tech-1 lux-1"}, island="ill-1 agri-1")
    go(game, "0 lead:barter:blank-31*1")
    assert offered(game, 0) == {"barter:tech-1", "barter:lux-1"}
    go(game, "0 barter:tech-1")
    assert offered(game, 0) == {"take:ill-1", "take:agri-1"}
    events = go(game, "0 take:agri-1")
    expect(game, hands={0: "lux-1 agri-1"}, island="ill-1 tech-1", discard="blank-31", credits={0: 10})
    swap = next(event for event in events if event.kind == "barter")
    assert swap.public == {"seat": 0, "given": "tech-1", "taken": "agri-1"}


def test_a_led_barter_is_performed_by_the_lead_player_alone() -> None:  # R16.4
    """The others neither follow nor draw, and the turn passes."""
    game = capital(
        hands={0: "blank-31 tech-1 lux-1", 1: "cons-1", 2: "blank-32 ill-2"},
        crew={1: "blank-33", 2: "blank-34"},
        island="ill-1",
    )
    go(game, "0 lead:barter:blank-31*1")
    go(game, "0 barter:lux-1")
    expect(game, turn=2, lead=1, hands={0: "tech-1 ill-1", 1: "cons-1", 2: "blank-32 ill-2"})
    expect(game, island="lux-1")


def test_barter_crew_give_the_lead_player_further_barters() -> None:  # Q73, R16.4, R3.4, Q78
    game = capital(
        hands={0: "blank-31 tech-1 lux-1", 1: "cons-1"},
        crew={0: "blank-33 blank-34 tech-9"},
        island="ill-1 agri-1",
    )
    pass_windows(game)
    counts = {f"lead:barter:blank-31*{count}" for count in (1, 2, 3)}
    assert having(game, 0, "lead:barter") == counts
    go(game, "0 lead:barter:blank-31*2, 0 barter:tech-1, 0 take:ill-1")
    expect(game, asks="0 barter")
    go(game, "0 barter:ill-1, 0 take:tech-1")  # what has been swapped can be swapped again
    expect(
        game, turn=2, hands={0: "lux-1 tech-1"}, island="agri-1 ill-1", crew={0: "blank-33 blank-34 tech-9"}
    )


@pytest.mark.parametrize("action", ["load", "contract", "import", "supply", "piracy"])
def test_with_barter_crew_any_led_action_can_be_followed_with_barter(action: str) -> None:  # R16.5, Q73
    led = {"load": "tech-1", "contract": "agri-1", "import": "cons-1", "supply": "lux-1", "piracy": "ill-1"}
    game = capital(
        hands={0: led[action], 1: "blank-31 blank-32"}, crew={1: "blank-33 blank-34"}, island="tech-5 lux-5"
    )
    go(game, f"0 lead:{action}:{led[action]}*1")
    wild = {f"follow:{action}:blank-31+blank-32*1"}  # R16.6
    barters = {
        f"follow:{action}/barter:{card}*{count}" for card in ("blank-31", "blank-32") for count in (1, 2, 3)
    }
    assert no_drops(game, 1) == {"draw"} | wild | barters


def test_who_follows_with_barter_does_so_in_the_usual_order() -> None:  # R16.5, R5.1, Q18
    game = capital(
        hands={0: "lux-1 tech-1", 1: "blank-31 tech-2", 2: "lux-2 tech-3"},
        crew={1: "blank-33"},
        island="ill-1 ill-2",
    )
    go(game, "0 lead:supply:lux-1*1, 1 follow:supply/barter:blank-31*1, 2 follow:supply:lux-2*1")
    go(game, "0 sell:tech-1, 1 take:ill-1, 2 sell:tech-3")
    expect(game, hands={1: "ill-1"}, island="ill-2 tech-1 tech-2 tech-3", discard="lux-2 blank-31 lux-1")
    expect(game, credits={0: 14, 1: 10, 2: 14})


def test_without_barter_crew_nobody_follows_with_barter() -> None:  # Q73, R16.5
    game = capital(hands={0: "lux-1 tech-1", 1: "blank-31 tech-2"}, island="ill-1")
    go(game, "0 lead:supply:lux-1*1")
    assert offered(game, 1) == {"draw", "drop:blank-31"}
    game = capital(hands={0: "lux-1 tech-1", 1: "blank-31 tech-2"}, crew={1: "lux-9"}, island="ill-1")
    go(game, "0 lead:supply:lux-1*1, 1 draw")
    assert no_drops(game, 1) == {"crew*0", "crew*1"}


def test_who_draws_may_take_led_crew_or_barter_crew_but_not_both() -> None:  # Q73, R16.5, Q18
    game = capital(
        hands={0: "lux-1 tech-1", 1: "tech-2 cons-2"},
        crew={1: "lux-9 blank-33 blank-34"},
        island="ill-1 ill-2",
    )
    go(game, "0 lead:supply:lux-1*1")  # tech-2 and cons-2 are no wild, so seat 1 can only draw
    assert offered(game, 1) == {
        "crew*0",
        "crew*1",
        "crew:supply/barter*1",
        "crew:supply/barter*2",
    }
    go(game, "1 crew:supply/barter*2, 0 sell:tech-1")
    assert asked(game) == "1 barter"
    go(game, "1 barter:tech-2, 1 take:ill-1, 1 barter:cons-2, 1 take:tech-1")
    expect(game, turn=2, island="ill-2 tech-2 cons-2", crew={1: "lux-9 blank-33 blank-34"})


def test_who_performs_barter_does_no_other_action_in_that_turn() -> None:  # R16.5
    """Announced is one type; the Supply Crew of the same player add nothing to it."""
    game = capital(
        hands={0: "lux-1 tech-1", 1: "blank-31 lux-2 tech-2"},
        crew={1: "lux-9 blank-33"},
        island="ill-1 ill-2",
    )
    go(game, "0 lead:supply:lux-1*1, 1 follow:supply/barter:blank-31*2, 0 sell:tech-1")
    go(game, "1 barter:tech-2, 1 take:ill-1, 1 barter:ill-1, 1 take:tech-1")
    expect(game, turn=2, credits={1: 10}, crew={1: "lux-9 blank-33"}, hands={1: "lux-2 tech-1"})


def test_barter_in_answer_to_an_import_comes_after_the_last_bidding_round() -> None:  # Q100, R16.5
    """It is no bid and adds no round (R8.1)."""
    game = capital(
        hands={0: "cons-1", 1: "blank-31 tech-2 tech-3", 2: "cons-2"},
        crew={1: "blank-33 blank-34 blank-35"},
        island="ill-1 ill-2",
        ships={1: {"containers": "lux-1 lux-2 lux-3"}},
    )
    go(game, "0 lead:import:cons-1*1, 1 follow:import/barter:blank-31*3, 2 follow:import:cons-2*1")
    go(game, "0 import@ship-1")
    expect(game, asks="0 bid, 2 bid")
    go(game, "0 bid*0, 2 bid*2, 2 take:lux-1@crew, 2 take:lux-2@goods")
    expect(game, asks="1 barter", crew={2: "lux-1"}, goods={2: "lux-2"})


def test_barter_in_answer_to_an_import_comes_also_if_all_rounds_are_void() -> None:  # Q100, Q37
    game = capital(
        hands={0: "cons-1", 1: "blank-31 tech-2 tech-3"},
        crew={1: "blank-33"},
        island="ill-1",
        ships={1: HOME, 3: HOME, 5: HOME},
    )
    go(game, "0 lead:import:cons-1*1")
    events = go(game, "1 follow:import/barter:blank-31*1")
    assert "round-void" in kinds(events)
    expect(game, asks="1 barter")


def test_who_answers_with_barter_has_not_followed() -> None:  # Q31, R16.5
    """Books pays its owner for each player who followed the owner's Import."""
    for answer, credits in (("follow:import/barter:blank-31*1", 10), ("follow:import:cons-2*1", 12)):
        game = capital(
            hands={0: "cons-1 tech-1", 1: "blank-31 cons-2"},
            crew={1: "blank-33"},
            fulfilled={0: "books"},
            island="ill-1",
        )
        go(game, f"0 lead:import:cons-1*1, 1 {answer}")
        expect(game, credits={0: credits})


def test_two_cards_of_one_colour_are_no_wild_for_barter() -> None:  # R16.6, Q14
    game = capital(hands={0: "tech-1 tech-2", 1: "lux-1 lux-2"}, crew={0: "blank-33", 1: "blank-34"})
    assert having(game, 0, "lead:barter") == set()
    go(game, "0 lead:load:tech-1*1")
    assert offered(game, 1) == {"draw", "follow:load:lux-1+lux-2*1"}


def test_two_barter_cards_are_a_wild_for_any_other_action() -> None:  # R16.6
    game = capital(hands={0: "blank-31 blank-32"}, crew={0: "tech-9"})
    pass_windows(game)
    pair = "blank-31+blank-32"
    assert no_drops(game, 0) == {
        "draw",
        *(f"lead:barter:{card}*1" for card in ("blank-31", "blank-32")),
        *(f"lead:{action}:{pair}*1" for action in ("load", "contract", "import", "supply", "piracy")),
        f"lead:load:{pair}*2",
    }


def test_three_barter_cards_are_barter_cards_and_wilds() -> None:  # R16.6, Q13
    game = capital(hands={0: "blank-31 blank-32 tech-1"})
    pass_windows(game)
    assert "lead:load:blank-31+blank-32*1" not in offered(game, 0)  # a Load card is in the hand
    assert "lead:supply:blank-31+blank-32*1" in offered(game, 0)


@pytest.mark.parametrize(("hand", "island"), [("blank-31", "ill-1"), ("blank-31 tech-1", "")])
def test_without_a_card_on_either_side_a_barter_is_lost(hand: str, island: str) -> None:  # Q74, Q11
    game = capital(hands={0: hand, 1: "cons-1"}, island=island)
    pass_windows(game)
    events = go(game, "0 lead:barter:blank-31*1")
    lost = [event.public for event in events if event.kind == "lost"]
    assert lost == [{"seat": 0, "action": "barter"}]
    expect(game, turn=2, island=island)


def test_the_card_given_is_not_the_one_taken() -> None:  # Q74
    game = capital(hands={0: "blank-31 tech-1 lux-1", 1: "cons-1"}, island="ill-1")
    go(game, "0 lead:barter:blank-31*1, 0 barter:tech-1")
    expect(game, turn=2, hands={0: "lux-1 ill-1"}, island="tech-1")


def test_a_barter_is_compulsory_while_there_is_a_swap() -> None:  # Q19, R5.1
    game = capital(hands={0: "blank-31 tech-1 lux-1"}, island="ill-1")
    go(game, "0 lead:barter:blank-31*1")
    assert "pass" not in offered(game, 0)


def test_what_is_given_is_public_before_a_card_is_taken() -> None:  # R16.4, Q9
    game = capital(hands={0: "blank-31 tech-1 lux-1"}, island="ill-1 ill-2")
    go(game, "0 lead:barter:blank-31*1")
    events = go(game, "0 barter:tech-1")
    assert [event.public for event in events] == [{"seat": 0, "card": "tech-1"}]
    assert names(game.sample(1, 5), game.sample(1, 5).island) == "ill-1 ill-2"


def test_a_card_of_the_island_may_be_a_capital_card() -> None:  # Q78, R16.4
    game = capital(hands={0: "blank-31 tech-1 lux-1", 1: "cons-1"}, island="blank-35")
    go(game, "0 lead:barter:blank-31*1, 0 barter:tech-1")
    expect(game, turn=2, hands={0: "blank-35 lux-1"}, island="tech-1")


def test_us_dollars_let_one_follow_with_barter() -> None:  # R16.5, Q73, Q17
    """Its virtual Crew may be Barter, used no later than the own announcement."""
    game = capital(
        hands={0: "lux-1 tech-1", 1: "blank-31 tech-2"}, fulfilled={1: "us-dollars"}, island="ill-1 ill-2"
    )
    go(game, "0 lead:supply:lux-1*1")
    assert having(game, 1, "follow") == set()
    go(game, "1 use:barter:us-dollars")
    assert having(game, 1, "follow") == {f"follow:supply/barter:blank-31*{count}" for count in (1, 2)}
    go(game, "1 follow:supply/barter:blank-31*1, 0 sell:tech-1, 1 take:ill-1")
    expect(game, hands={1: "ill-1"}, island="ill-2 tech-1 tech-2")


def test_us_dollars_give_a_barter_after_a_draw() -> None:  # R16.5, Q73
    game = capital(hands={0: "lux-1 tech-1", 1: "tech-2"}, fulfilled={1: "us-dollars"}, island="ill-1 ill-2")
    go(game, "0 lead:supply:lux-1*1, 1 draw, 1 use:barter:us-dollars")
    assert offered(game, 1) == {"crew*0", "crew:supply/barter*1"}


def test_without_capital_us_dollars_know_no_barter() -> None:  # Q2
    game = table(hands={0: "lux-1 tech-1"}, fulfilled={0: "us-dollars"})
    assert not any("barter" in text for text in offered(game, 0))


# Goods and Levels


def test_capital_goods_count_as_the_leftmost_other_good() -> None:  # R16.7, T13
    game = capital(hands={0: "lux-1"}, goods={0: "tech-1 blank-31 blank-32"})
    assert count_goods(game, 0) == [3, 0, 0, 0, 0]


def test_the_leftmost_good_that_is_not_capital_decides_wherever_the_capital_goods_lie() -> None:  # R16.7
    game = capital(hands={0: "lux-1"}, goods={0: "blank-31 ill-1 tech-1 blank-32"})
    assert count_goods(game, 0) == [1, 0, 0, 0, 3]


def test_leftmost_is_read_afresh_each_time() -> None:  # Q76, R16.7
    """Sugar Scrub or any other power that takes the leftmost Good changes what Capital Goods are."""
    game = capital(hands={0: "lux-1"}, goods={0: "tech-1 agri-1 blank-31"})
    assert TYPES[good_types(game, 0)[2]] == "technology"
    game.players[0].goods = game.players[0].goods[1:]
    assert TYPES[good_types(game, 0)[1]] == "agriculture"


def test_capital_goods_score_as_the_type_they_count_as() -> None:  # R16.7, R14.2, R14.4, T13
    game = capital(goods={0: "ill-1 blank-31", 1: "tech-1 blank-32 blank-33"}, ending="credits")
    # seat 0: two Illegal Goods at 2, and the penalty; seat 1: three Technology Goods and their majority
    assert totals(game) == (10 + 4 - 6, 10 + 3 + 6, 10)


def test_capital_goods_alone_have_no_type_and_score_nothing() -> None:  # Q75, Q71
    game = capital(goods={0: "blank-31 blank-32"}, ending="credits")
    assert totals(game) == (10, 10, 10)
    game = capital(goods={0: "tech-1 agri-1 cons-1 lux-1 blank-31"}, ending="credits")
    assert totals(game)[0] == 10 + 5 + 6 + 6 + 6 + 8  # Capital does not stand for Illegal


def test_capital_goods_without_type_still_fill_places_and_count_for_capital_levels() -> None:  # Q75
    game = capital(
        hands={0: "agri-1 blank-31"},
        goods={0: "blank-35 blank-36"},
        contracts={0: 1},
        port={0: "technology"},
        faces={"blank-31": needs({"any": 2}, luxury=2)},
    )
    go(game, "0 lead:contract:agri-1*1")
    assert having(game, 0, "contract") == {"contract:blank-31@ship-0"}
    assert game.view(None)["players"][0]["goods_limit"] == 2
    game = capital(
        hands={0: "cons-1"},
        crew={0: "lux-9"},
        goods={0: "blank-35 blank-36"},
        contracts={0: 1},
        ships={1: {"containers": "lux-1 lux-2"}},
    )
    go(game, "0 lead:import:cons-1*1, 0 import@ship-1")
    assert offered(game, 0) == {"take:lux-1@discard", "take:lux-2@discard"}


def test_capital_goods_give_coloured_levels_as_the_copied_type() -> None:  # Q77, R9.3
    game = capital(
        hands={0: "agri-1 lux-1"},
        goods={0: "lux-5 blank-31"},
        faces={"lux-1": needs({"luxury": 2}, luxury=2)},
    )
    go(game, "0 lead:contract:agri-1*1")
    expect(game, ships={0: {"contracts": "lux-1"}})


@pytest.mark.parametrize("level", range(10))
@pytest.mark.parametrize(("port", "grey"), [("technology", 0), ("capital", 1)])
def test_every_good_of_any_type_and_the_grey_port_count_for_a_capital_level(
    level: int, port: str, grey: int
) -> None:  # R16.8, Q77
    game = capital(
        hands={0: "agri-1 blank-31"},
        goods={0: "tech-1 agri-2 blank-35 ill-1 ill-2"},
        port={0: port},
        faces={"blank-31": needs({"any": level} if level else {}, luxury=2)},
    )
    assert levels(game, 0)[CAPITAL] == 5 + grey
    go(game, "0 lead:contract:agri-1*1")
    assert ("contract:blank-31@ship-0" in offered(game, 0)) == (level <= 5 + grey)


def test_without_capital_the_grey_port_gives_no_level() -> None:  # Q5, R16.8
    game = table(hands={0: "tech-1"}, port={0: "capital"}, goods={0: "tech-2"})
    assert levels(game, 0) == [1, 0, 0, 0, 0, 1]


@pytest.mark.parametrize(
    ("level", "actions", "legal"), [(3, 3, True), (3, 2, False), (9, 9, True), (9, 8, False)]
)
def test_contract_actions_may_skip_capital_levels_as_usual(level: int, actions: int, legal: bool) -> None:
    """R16.8, Q102: each spent action is 1 Level of any kind; the grey Port adds 1."""
    crew = " ".join(f"agri-{number}" for number in range(2, actions + 1))
    game = capital(
        hands={0: "agri-1 blank-31"},
        crew={0: crew},
        faces={"blank-31": needs({"any": level}, luxury=2)},
    )
    go(game, f"0 lead:contract:agri-1*{actions}")
    text = f"contract:blank-31@ship-0*{level - 1}"
    assert (text in offered(game, 0)) == legal
    if legal:
        go(game, f"0 {text}")
        expect(game, ships={0: {"contracts": "blank-31"}}, turn=2)


# Requirements and Containers


def test_a_rainbow_requirement_takes_containers_of_any_colour() -> None:  # R16.9
    game = capital(
        hands={0: "tech-1 ill-1 lux-1"},
        crew={0: "tech-9"},
        ships={0: {"contracts": "blank-31"}},
    )
    go(game, "0 lead:load:tech-1*2, 0 load:ill-1@ship-0, 0 load:lux-1@ship-0")
    expect(game, fulfilled={0: "blank-31"}, ships={0: {"containers": "ill-1 lux-1", "place": "sea"}})


def test_a_grey_container_satisfies_a_requirement_of_any_colour() -> None:  # R16.10
    game = capital(
        hands={0: "tech-1 lux-1 lux-2 agri-1"},
        ships={0: {"contracts": "lux-9", "containers": "blank-31"}},
        faces={"lux-9": needs(luxury=1, agriculture=1)},
    )
    go(game, "0 lead:load:tech-1*1")
    assert having(game, 0, "load") == {f"load:{card}@ship-0" for card in ("lux-1", "lux-2", "agri-1")}
    go(game, "0 load:agri-1@ship-0")
    expect(game, ships={0: {"place": "sea", "containers": "blank-31 agri-1"}}, credits={0: 16})


def test_grey_cards_can_not_be_loaded() -> None:  # R16.10
    game = capital(hands={0: "tech-1 blank-31 lux-1 lux-2"}, ships={0: {"contracts": "blank-32"}})
    go(game, "0 lead:load:tech-1*1")
    assert having(game, 0, "load") == {"load:lux-1@ship-0", "load:lux-2@ship-0"}


def test_grey_cards_can_not_be_pirated_not_even_to_discard_them() -> None:  # R16.10, Q78
    game = capital(
        hands={0: "ill-1"},
        island="blank-31 tech-1",
        ships={0: {"contracts": "blank-32"}, 1: HOME, 3: {"containers": "blank-33 lux-1"}, 5: HOME},
    )
    go(game, "0 lead:piracy:ill-1*1")
    assert having(game, 0, "pirate") == {"pirate:tech-1", "pirate:lux-1@ship-3"}


def test_with_grey_targets_alone_a_piracy_action_is_lost() -> None:  # Q78, Q60
    game = capital(
        hands={0: "ill-1"}, island="blank-31", ships={1: HOME, 3: {"containers": "blank-33"}, 5: HOME}
    )
    events = go(game, "0 lead:piracy:ill-1*1")
    assert "lost" in kinds(events)


def test_grey_containers_and_island_cards_may_be_taken_by_import_and_supply() -> None:  # Q78
    game = capital(hands={0: "cons-1"}, contracts={0: 2}, ships={1: {"containers": "blank-31 blank-32"}})
    go(game, "0 lead:import:cons-1*1, 0 import@ship-1, 0 take:blank-32@crew")  # the other goes to Goods
    expect(game, crew={0: "blank-32"}, goods={0: "blank-31"}, ships={1: {"place": "port"}})
    game = capital(hands={0: "lux-1"}, island="blank-31 tech-1")
    go(game, "0 lead:supply:lux-1*1, 0 take:blank-31")
    expect(game, crew={0: "blank-31"})


def test_a_power_may_bring_a_grey_container_aboard() -> None:  # R16.10, P20
    """Container Factory goes onto another Ship; there it serves any requirement."""
    game = capital(
        hands={0: "tech-1 tech-2"},
        ships={
            0: {"contracts": "container-factory", "containers": "tech-3"},
            1: {"place": "port", "contracts": "lux-9", "containers": "lux-1"},
        },
        faces={"container-factory": needs(technology=2)},
    )
    go(game, "0 lead:load:tech-1*1, 0 load:tech-2@ship-0, 0 put:container-factory@ship-1")
    expect(game, ships={1: {"place": "sea", "containers": "lux-1 container-factory"}}, credits={0: 22})


# Discarding Capital cards


def test_a_capital_card_may_be_discarded_from_the_hand_in_every_window() -> None:  # R16.11, Q28
    game = capital(hands={0: "tech-1 lux-1", 2: "blank-31 blank-32 lux-2"})
    expect(game, asks="2 window")
    assert offered(game, 2) == {"pass", "drop:blank-31", "drop:blank-32"}
    events = play(game, "2 drop:blank-32")  # and is asked again until passing (Q98)
    assert [(event.kind, event.public) for event in events] == [
        ("drop", {"seat": 2, "card": "blank-32"}),
        ("discard", {"card": "blank-32"}),
    ]
    assert offered(game, 2) == {"pass", "drop:blank-31"}
    expect(game, hands={2: "blank-31 lux-2"}, discard="blank-32", asks="2 window")
    play(game, "2 pass, 0 lead:load:tech-1*1, 2 draw, 2 crew*0")
    expect(game, asks="2 window", announced={2: 0})  # after announcing
    play(game, "2 pass")
    expect(game, asks="2 window", turn=1)  # before step 3
    play(game, "2 drop:blank-31")
    expect(game, turn=2, discard="tech-1 blank-31 blank-32")


def test_a_capital_card_may_be_discarded_at_each_decision_that_starts_something() -> None:  # R16.11, Q28
    game = capital(
        hands={0: "lux-1 tech-1 tech-2 blank-31 blank-32 blank-33", 1: "lux-2 tech-3 blank-34 blank-35"},
        crew={1: "lux-9"},
        island="ill-1",
    )
    play(game, "0 pass, 1 pass")
    assert "drop:blank-31" in offered(game, 0)  # A or B
    play(game, "0 drop:blank-31, 0 lead:supply:lux-1*1")
    assert "drop:blank-34" in offered(game, 1)  # how to follow
    play(game, "1 draw")
    assert "drop:blank-34" in offered(game, 1)  # Crew to announce
    play(game, "1 drop:blank-34, 1 crew*1, 0 pass, 1 pass")
    assert {"drop:blank-32", "drop:blank-33", "sell:tech-1"} <= offered(game, 0)  # an own action
    play(game, "0 drop:blank-32")
    expect(game, asks="0 supply")
    assert "sell:blank-32" not in offered(game, 0)
    play(game, "0 sell:tech-1")
    expect(game, asks="1 supply")
    assert {"drop:blank-35", "take:ill-1"} <= offered(game, 1)


def test_a_capital_card_may_be_discarded_before_the_ship_of_a_round_is_named_but_not_at_a_bid() -> None:
    """R16.11, Q28: nor at a choice inside an action."""
    game = capital(hands={0: "cons-1 blank-31", 1: "cons-2 blank-32"}, contracts={0: 3, 1: 3})
    play(game, "0 pass, 1 pass, 0 lead:import:cons-1*1, 1 follow:import:cons-2*1, 0 pass, 1 pass")
    expect(game, asks="0 import-ship")
    assert "drop:blank-31" in offered(game, 0)
    play(game, "0 import@ship-5")
    expect(game, asks="0 bid, 1 bid")
    assert having(game, 0, "drop") == having(game, 1, "drop") == set()
    play(game, "0 bid*2, 1 bid*0")
    expect(game, asks="0 import-take")
    assert having(game, 0, "drop") == set()


def test_a_discarded_capital_card_is_replaced_only_by_a_later_draw() -> None:  # R16.11, Q79
    game = capital(hands={0: "blank-31 blank-32 tech-1", 1: "lux-1"})
    play(game, "0 drop:blank-31")
    expect(game, hand_sizes={0: 2}, pile_size=60)
    play(game, "0 pass, 0 drop:blank-32")
    expect(game, hand_sizes={0: 1}, pile_size=60, asks="0 lead")
    events = play(game, "0 draw")
    expect(game, hand_sizes={0: 5}, pile_size=56, turn=2)
    assert [event.public["count"] for event in events if event.kind == "draw"] == [4]


def test_with_5_cards_discarding_one_first_still_draws_to_5() -> None:  # Q79
    game = capital(hands={0: "blank-31 tech-1 tech-2 tech-3 tech-4 tech-5 tech-6", 1: "lux-1"})
    play(game, "0 drop:blank-31, 0 draw")
    expect(game, hand_sizes={0: 7})
    game = capital(hands={0: "blank-31 tech-1 tech-2 tech-3 tech-4", 1: "lux-1"})
    play(game, "0 pass, 0 drop:blank-31, 0 draw")
    expect(game, hand_sizes={0: 5}, pile_size=59)


def test_the_crew_announced_after_a_draw_is_asked_again_after_a_discard() -> None:  # R16.11, P17
    game = capital(hands={0: "lux-1 tech-1", 1: "blank-31 blank-32 tech-2 tech-3 tech-4"}, crew={1: "lux-9"})
    play(game, "1 pass, 0 lead:supply:lux-1*1, 1 draw, 1 drop:blank-32")
    expect(game, asks="1 crew", hand_sizes={1: 5})
    assert offered(game, 1) == {"crew*0", "crew*1", "drop:blank-31"}


def test_that_somebody_is_asked_for_a_capital_card_in_hand_is_a_secret() -> None:  # R16.11, Q98
    game = capital(hands={0: "tech-1 lux-1", 2: "blank-31 lux-2"})
    assert game.decision(2).secret
    twin = capital(hands={0: "tech-1 lux-1", 2: "lux-3 lux-2"})
    assert asked(twin) == "0 lead"
    for seat in (0, 1, None):
        seen = game.view(seat)
        seen.pop("decision", None)
        other = twin.view(seat)
        other.pop("decision", None)
        assert seen == other


def test_an_action_with_one_legal_instance_is_asked_in_secret_for_a_capital_card() -> None:  # Q98, R16.11
    game = capital(
        hands={0: "tech-1 lux-1", 1: "tech-2 lux-2 blank-31"},
        ships={2: {"contracts": "lux-9"}},
    )
    play(game, "1 pass, 0 lead:load:tech-1*1, 1 follow:load:tech-2*1, 1 pass")
    assert offered(game, 1) == {"load:lux-2@ship-2", "drop:blank-31"}
    assert game.decision(1).secret


def test_coloured_cards_are_not_discarded_so() -> None:  # R16.11, Q32
    game = capital(hands={0: "tech-1 lux-1 blank-31"})
    assert having(game, 0, "drop") == {"drop:blank-31"}


def test_without_the_expansion_no_card_can_be_discarded_so() -> None:  # R16.11, Q2
    game = table(hands={0: "tech-1 blank-31", 1: "blank-32 lux-1"}, crew={1: "blank-33"})
    expect(game, asks="0 lead")
    assert having(game, 0, "drop") == set()
    play(game, "0 lead:load:tech-1*1")
    assert asked(game) == "1 lead"  # seat 1 could only draw
    assert having(game, 1, "drop") == set()


# Payout and powers


@pytest.mark.parametrize(("count", "credits"), [(2, 6), (3, 10), (4, 10), (5, 14), (6, 14)])
def test_a_capital_contract_is_paid_like_any_other(count: int, credits: int) -> None:  # R16.12, R11.2
    aboard = " ".join(f"lux-{number}" for number in range(2, count + 1))
    game = capital(
        hands={0: "tech-1 lux-1"},
        ships={0: {"contracts": "blank-31", "containers": aboard}},
        faces={"blank-31": needs(any=count)},
    )
    go(game, "0 lead:load:tech-1*1, 0 load:lux-1@ship-0")
    expect(game, credits={0: 10 + credits}, fulfilled={0: "blank-31"}, ships={0: {"place": "sea"}})


def test_a_capital_contract_has_its_power_and_raises_the_limits() -> None:  # R16.12, R11.3
    """Mineral Fuels lets its owner draw to 6."""
    game = capital(
        hands={0: "tech-1 lux-1", 1: "cons-1"},
        ships={0: {"contracts": "mineral-fuels", "containers": "ill-1 agri-1"}},
        faces={"mineral-fuels": needs(luxury=1, illegal=1, agriculture=1)},
    )
    go(game, "0 lead:load:tech-1*1, 0 load:lux-1@ship-0")
    expect(game, credits={0: 20}, fulfilled={0: "mineral-fuels"})
    assert game.view(None)["players"][0]["crew_limit"] == 2
    assert game.view(None)["players"][0]["goods_limit"] == 4
    run_defaults(game, lambda game: game.turn == 5)
    expect(game, hand_sizes={0: 6})


def test_imported_goods_lie_in_the_order_in_which_the_taker_names_them() -> None:  # Q76
    for first, second, kind in (("lux-1", "ill-1", "luxury"), ("ill-1", "lux-1", "illegal")):
        game = capital(
            hands={0: "cons-1"},
            goods={0: "blank-31"},
            contracts={0: 3},
            ships={1: {"containers": "lux-1 ill-1"}},
        )
        go(game, f"0 lead:import:cons-1*1, 0 import@ship-1, 0 take:{first}@goods, 0 take:{second}@goods")
        expect(game, goods={0: f"blank-31 {first} {second}"})
        assert TYPES[good_types(game, 0)[0]] == kind


def test_the_owner_orders_goods_that_arrive_together() -> None:  # Q76
    """Sanitizer turns three Crew cards into Goods; the leftmost one decides what the Capital Good is."""
    game = sanitizing(crew={0: "lux-1 blank-31 ill-1 tech-1"})
    assert offered(game, 0) == {"put:lux-1", "put:blank-31", "put:ill-1", "put:tech-1"}
    events = play(game, "0 put:ill-1")
    assert events[0].public == {"seat": 0, "cards": ["ill-1", "lux-1", "blank-31", "tech-1"]}
    assert offered(game, 0) == {"put:lux-1", "put:blank-31", "put:tech-1"}
    play(game, "0 put:tech-1")  # with one type left the rest is no question
    expect(game, goods={0: "ill-1 tech-1 lux-1 blank-31"}, crew={0: "agri-1"})
    assert [TYPES[kind] for kind in good_types(game, 0)] == ["illegal", "technology", "luxury", "illegal"]


def test_older_goods_stay_left_of_new_ones() -> None:  # Q76
    game = capital(
        hands={0: "tech-20 lux-20", 1: "cons-20"},
        crew={0: "lux-1 ill-1"},
        goods={0: "agri-1"},
        ships={0: {"contracts": "soy-sauce", "containers": "tech-2"}},
        faces={"soy-sauce": needs(technology=1, luxury=1)},
    )
    play(game, "0 lead:load:tech-20*1, 0 load:lux-20@ship-0, 0 yes, 0 put:ill-1")
    expect(game, goods={0: "agri-1 ill-1 lux-1"})


def test_goods_of_one_type_are_not_ordered() -> None:  # Q76, P3
    game = sanitizing(crew={0: "lux-1 blank-31 lux-2"})
    expect(game, goods={0: "lux-1 blank-31 lux-2"}, crew={0: "agri-1"})


def test_without_capital_nobody_is_asked_for_the_order_of_goods() -> None:  # Q76
    game = sanitizing(crew={0: "lux-1 ill-1 tech-1"}, sets=())
    expect(game, goods={0: "lux-1 ill-1 tech-1"}, crew={0: "agri-1"})


def test_the_market_sees_goods_in_the_order_that_their_owner_names() -> None:  # Q76, Q86
    for first, second, kind in (("lux-1", "ill-1", "luxury"), ("ill-1", "lux-1", "illegal")):
        game = sanitizing(crew={0: "lux-1 blank-31 ill-1"}, market={"technology": 0})
        play(game, f"0 put:{first}")
        expect(game, goods={0: " ".join([first, *(c for c in ("lux-1", "blank-31", "ill-1") if c != first)])})
        market = game.view(0)["market"]
        assert market[kind] == (1 if kind == "luxury" else 2)  # lux-20 of the Ship has lowered one
        assert second in names(game, game.players[0].goods)


def sanitizing(**more: Any) -> Game:
    """Seat 0 has just fulfilled Sanitizer, with agri-1 in its Goods."""
    game = table(
        sets=more.pop("sets", ["capital"]),
        hands={0: "tech-20 lux-20", 1: "cons-20"},
        goods={0: "agri-1"},
        ships={0: {"contracts": "sanitizer", "containers": "tech-2"}},
        faces={"sanitizer": needs(technology=1, luxury=1)},
        **more,
    )
    play(game, "0 lead:load:tech-20*1, 0 load:lux-20@ship-0")
    return game


def test_a_dealt_game_with_capital_begins_and_ends() -> None:  # Q2, R16.11
    game = dealt(3, 5)
    for _ in range(3):
        finish_turn(game)
    run_defaults(game)
    assert game.over
