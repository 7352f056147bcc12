"""Card powers in general (R15), orders and defaults; by powers of the cards or invented ones."""

from __future__ import annotations

from typing import Any

import pytest
from table import asked, expect, invent, kinds, needs, offered, play, run_defaults, table, uses

from arena.game import Game
from arena.game.hooks import DRAW_ACTION, DRAWN, GOOD_ADDED, ON_FULFIL, WIN_CHECK, DrawAction, Drawn
from arena.game.moves import gain, pay

READY = {"contracts": "lux-9", "containers": "lux-2"}  # one more Luxury Container fulfils it


def fulfilling(card: str, **more: Any) -> Game:
    """Seat 0 is about to fulfil `card` with the loading of lux-1; the payout is 6."""
    faces = {card: needs(luxury=2), **more.pop("faces", {})}
    hands = {0: f"tech-20 lux-1 {more.pop('hand', '')}", **more.pop("hands", {})}
    ships = {0: {"contracts": card, "containers": "lux-2"}, **more.pop("ships", {})}
    game = table(hands=hands, ships=ships, faces=faces, **more)
    play(game, "0 lead:load:tech-20*1")
    return game


# R15


def test_a_power_overrides_the_rules() -> None:  # R15.1
    plain = table(hands={0: "tech-1 lux-1"})
    play(plain, "0 draw")
    expect(plain, hand_sizes={0: 5})
    game = table(hands={0: "tech-1 lux-1"}, fulfilled={0: "mineral-fuels"})
    play(game, "0 draw")
    expect(game, hand_sizes={0: 6})


@pytest.mark.parametrize(("goods", "legal"), [("agri-1", True), ("tech-1", False), ("", False)])
def test_a_power_used_from_hand_still_needs_its_level(goods: str, legal: bool) -> None:  # R15.2
    game = table(hands={0: "lutefisk tech-9"}, goods={0: goods})
    assert (uses(game, 0) == {"use:lutefisk@ship-0"}) == legal
    assert uses(game, 0) <= {"use:lutefisk@ship-0"}


def test_an_any_time_power_may_be_used_before_leading() -> None:  # R15.2, Q28
    game = table(hands={0: "tech-1"}, fulfilled={0: "us-dollars"})
    play(game, "0 use:load:us-dollars")
    run_defaults(game, "0 lead")
    assert {"lead:load:tech-1*1", "lead:load:tech-1*2"} <= offered(game, 0)


def test_an_immediate_power_leaves_a_contract_without_power() -> None:  # R15.3
    game = fulfilling("almonds", credits={0: 0})
    play(game, "0 load:lux-1@ship-0")
    expect(game, credits={0: 14}, fulfilled={0: "almonds"})
    again = table(hands={0: "tech-20 lux-1"}, fulfilled={0: "almonds"}, ships={0: READY})
    play(again, "0 lead:load:tech-20*1, 0 load:lux-1@ship-0")
    expect(again, credits={0: 16})  # the payout alone


def test_a_continuous_power_applies_all_the_time() -> None:  # R15.4
    game = table(
        players=2, hands={0: "tech-1", 1: "tech-2 lux-2 ill-2 cons-2 agri-2"}, fulfilled={0: "mineral-fuels"}
    )
    play(game, "0 draw, 1 draw")
    expect(game, hand_sizes={0: 6})
    play(game, "0 draw")
    expect(game, hand_sizes={0: 7})  # exactly 1 with 6 or more


def test_credits_are_paid_to_the_bank_unless_stated_otherwise() -> None:  # R15.5
    bank = fulfilling("pirates")
    play(bank, "0 load:lux-1@ship-0")
    expect(bank, credits={0: 16, 1: 4, 2: 4})
    owner = fulfilling("bird-feed")
    play(owner, "0 load:lux-1@ship-0, 1 yes")
    expect(owner, credits={0: 22, 1: 4})


def test_a_power_whose_cost_its_user_lacks_is_not_resolved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # R15.6, Q90
    def trade(game: Game, owner: int, card: int, ship: int) -> None:
        if pay(game, owner, 20, "trade"):
            gain(game, owner, 50, "trade")

    invent(monkeypatch, "trade", ON_FULFIL, trade)
    for credits, after in ((12, 18), (14, 50), (16, 52)):
        game = fulfilling("lux-9", credits={0: credits}, powers={"lux-9": "trade"})
        play(game, "0 load:lux-1@ship-0")
        expect(game, credits={0: after})


def test_a_targeted_player_who_can_not_pay_pays_nothing() -> None:  # R15.7, Q91
    game = fulfilling("railguns", credits={1: 2, 2: 4})
    play(game, "0 load:lux-1@ship-0")  # seat 2 has one legal answer, seat 1 none
    expect(game, credits={0: 20, 1: 2, 2: 0})


def test_as_much_as_they_have_is_taken_where_the_card_says_so() -> None:  # Q91
    game = fulfilling("pirates", credits={1: 4, 2: 0})
    play(game, "0 load:lux-1@ship-0")
    expect(game, credits={0: 16, 1: 0, 2: 0})


def test_each_effect_without_cost_is_done_as_far_as_possible() -> None:  # Q90
    """Draw 5, with 2 cards left."""
    game = fulfilling(
        "cups", hands={1: "ill-1 cons-1 agri-1 lux-5 tech-5"}, players=2, pile="pile-1 pile-2 pile-3"
    )
    play(game, "1 draw, 0 load:lux-1@ship-0")
    expect(game, hands={0: "pile-2 pile-3"}, ending="cards")


def test_you_may_is_optional_and_all_else_is_compulsory() -> None:  # Q90
    game = fulfilling("bird-feed")
    play(game, "0 load:lux-1@ship-0")
    assert offered(game, 1) == {"pass", "yes"}
    forced = fulfilling("flowers")
    play(forced, "0 load:lux-1@ship-0")
    expect(forced, credits={0: 20, 1: 14, 2: 14})


def test_a_power_collects_clockwise_from_the_left_of_its_user() -> None:  # Q91, Q30
    game = table(
        players=4,
        hands={0: "tech-1", 1: "tech-2 lux-1"},
        ships={2: {"contracts": "railguns", "containers": "lux-2"}},
        faces={"railguns": needs(luxury=2)},
        goods={0: "ill-1 ill-2", 2: "ill-3 ill-4", 3: "ill-5 ill-6"},
    )
    play(game, "0 lead:load:tech-1*1, 1 follow:load:tech-2*1")
    order = []
    while asked(game).endswith("railguns"):
        order.append(game.to_act[0])
        play(game, f"{game.to_act[0]} give:credits")
    assert order == [2, 3, 0]


def test_in_a_race_the_first_yes_clockwise_wins() -> None:  # Q30
    game = table(
        players=4,
        hands={0: "tech-1", 1: "tech-2 lux-1"},
        ships={2: {"contracts": "bird-feed", "containers": "lux-2"}},
        faces={"bird-feed": needs(luxury=2)},
    )
    play(game, "0 lead:load:tech-1*1, 1 follow:load:tech-2*1")
    expect(game, asks="2 bird-feed")
    play(game, "2 pass")
    expect(game, asks="3 bird-feed")
    play(game, "3 yes")  # seat 0 is not asked any more
    expect(game, fulfilled={1: "", 3: "bird-feed"}, credits={0: 10, 3: 4})


# Where a power is live


@pytest.mark.parametrize(
    "where",
    [
        {"hands": {0: "tech-1 mineral-fuels"}},
        {"crew": {0: "mineral-fuels"}},
        {"goods": {0: "mineral-fuels"}},
        {"ships": {0: {"contracts": "mineral-fuels"}}},
        {"ships": {1: {"containers": "mineral-fuels"}}},
        {"fulfilled": {1: "mineral-fuels"}},
        {"island": "mineral-fuels"},
    ],
)
def test_a_power_is_live_only_in_its_owners_fulfilled_area(where: dict[str, Any]) -> None:  # Q94
    game = table(**{"hands": {0: "tech-1"}, **where})
    play(game, "0 draw")
    expect(game, hand_sizes={0: 5})


def test_a_power_that_names_another_place_works_there_and_only_there() -> None:  # Q94
    assert uses(table(hands={0: "lutefisk tech-1"}, goods={0: "agri-1"}), 0) == {"use:lutefisk@ship-0"}
    for zone in ("fulfilled", "crew"):
        lying: dict[str, Any] = {zone: {0: "lutefisk"}}
        assert uses(table(hands={0: "tech-1"}, goods={0: "agri-1"}, **lying), 0) == set()


def test_the_contract_on_the_port_counts_and_can_not_be_given() -> None:  # Q95
    game = fulfilling("railguns", fulfilled={1: "blank-40"}, credits={1: 0, 2: 0}, goods={1: "ill-1 ill-2"})
    play(game, "0 load:lux-1@ship-0")
    assert offered(game, 1) == {"give:contract:blank-40", "give:good:ill-1", "give:good:ill-2"}
    play(game, "1 give:contract:blank-40")  # seat 2 has the one on its Port only, and gives nothing
    players = game.view(None)["players"]
    assert [player["crew_limit"] for player in players] == [3, 1, 1]


# Used from hand


def test_a_power_used_from_hand_is_neither_leading_nor_following() -> None:  # Q92
    game = table(
        hands={0: "tech-1", 1: "lutefisk tech-2", 2: "cons-1"}, goods={1: "agri-1"}, contracts={1: 2}
    )
    run_defaults(game, "0 lead")
    play(game, "0 lead:load:tech-1*1")
    assert "use:lutefisk@ship-2" in offered(game, 1)
    play(game, "1 use:lutefisk@ship-2")
    expect(game, ships={2: {"contracts": "lutefisk"}}, played={1: ""}, announced={1: -1}, asks="1 follow")
    assert offered(game, 1) == {"draw", "follow:load:tech-2*1"}


def test_it_costs_no_action_and_nobody_follows() -> None:  # Q92
    game = table(
        hands={0: "lutefisk agri-2 tech-1 tech-2", 1: "agri-3"}, goods={0: "agri-1"}, contracts={0: 3}
    )
    run_defaults(game, lambda game: "lead" in asked(game) or "window" in asked(game))
    play(game, "0 use:lutefisk@ship-0")
    expect(game, ships={0: {"contracts": "lutefisk"}}, turn=1)
    run_defaults(game, "0 lead")
    play(game, "0 lead:contract:agri-2*1")
    run_defaults(game, "0 contract")
    assert {text for text in offered(game, 0) if text.startswith("contract")}  # the action is still there


# Orders


def test_powers_react_lead_player_first_then_clockwise(monkeypatch: pytest.MonkeyPatch) -> None:  # Q29
    acted: list[int] = []
    invent(monkeypatch, "watch", DRAWN, lambda game, owner, card, drawn: acted.append(owner))
    game = table(
        players=4,
        lead=2,
        hands={2: "tech-1 lux-1"},
        powers={f"blank-{40 - seat}": "watch" for seat in range(4)},
        fulfilled={seat: f"blank-{40 - seat}" for seat in range(4)},
    )
    play(game, "2 draw")
    assert acted[:4] == [2, 3, 0, 1]


def test_one_owner_orders_the_own_powers(monkeypatch: pytest.MonkeyPatch) -> None:  # Q29
    acted: list[str] = []
    for name in ("one", "two"):
        invent(monkeypatch, name, DRAWN, lambda game, owner, card, drawn: acted.append(game.power_of(card)))
    game = table(
        hands={0: "tech-1 lux-1", 1: "tech-2"},
        powers={"blank-40": "one", "blank-39": "two"},
        fulfilled={0: "blank-40 blank-39"},
    )
    play(game, "0 draw")
    expect(game, asks="0 order")
    assert offered(game, 0) == {"resolve:blank-40", "resolve:blank-39"}
    play(game, "0 resolve:blank-39")
    assert acted == ["two", "one"]


def test_overflow_is_settled_before_powers_react_to_an_event(
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # Q29, R6.3
    """Railguns brings two Goods, for one of which there is no place; the invented power then counts them."""
    seen: list[int] = []
    invent(
        monkeypatch,
        "count",
        GOOD_ADDED,
        lambda game, owner, card, added: seen.append(len(game.players[owner].goods)),
    )
    game = fulfilling(
        "railguns",
        goods={0: "tech-1 tech-2 tech-3 tech-4", 1: "ill-1 ill-2", 2: "ill-3 ill-4"},
        fulfilled={0: "blank-40"},
        contracts={0: 2, 1: 1, 2: 1},
        credits={1: 0, 2: 0},
        powers={"blank-40": "count"},
    )
    play(game, "0 load:lux-1@ship-0, 1 give:good:ill-1, 2 give:good:ill-3")
    expect(game, asks="0 overflow-goods")
    assert offered(game, 0) == {f"discard:ill-{number}" for number in (1, 2, 3, 4)}
    play(game, "0 discard:ill-1")
    assert seen == []
    play(game, "0 discard:ill-4")
    assert seen == [6, 6]


def test_within_one_check_a_win_comes_before_reactions(monkeypatch: pytest.MonkeyPatch) -> None:  # Q29
    acted: list[int] = []
    invent(monkeypatch, "watch", DRAWN, lambda game, owner, card, drawn: acted.append(owner))
    invent(monkeypatch, "six", WIN_CHECK, lambda game, owner, card: len(game.players[0].hand) >= 5)
    game = table(
        hands={0: "tech-1 lux-1"},
        powers={"blank-40": "watch", "blank-39": "six"},
        fulfilled={0: "blank-40", 1: "blank-39"},
    )
    play(game, "0 draw")
    assert game.over
    assert acted == []


def test_an_emptied_ship_returns_before_a_complete_one_is_fulfilled() -> None:  # Q29, Q58
    game = table(
        hands={0: "ill-1"}, ships={0: READY, 1: {"containers": "lux-1"}, 3: {"containers": "tech-1"}}
    )
    events = play(game, "0 lead:piracy:ill-1*1, 0 pirate:lux-1@ship-1")
    order = [kind for kind in kinds(events) if kind in ("ship-returns", "fulfil")]
    assert order == ["ship-returns", "fulfil"]


def test_a_draw_action_is_option_a_or_the_draw_of_who_does_not_follow(
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # Q31
    """ "Draw 5 cards" of a power is a draw, but no Draw action."""
    actions: list[int] = []
    draws: list[int] = []

    def note_action(game: Game, owner: int, card: int, done: DrawAction) -> None:
        actions.append(done.seat)

    def note_draw(game: Game, owner: int, card: int, drawn: Drawn) -> None:
        draws.append(drawn.seat)

    invent(monkeypatch, "actions", DRAW_ACTION, note_action)
    invent(monkeypatch, "draws", DRAWN, note_draw)
    powers = {"blank-40": "actions", "blank-39": "draws"}
    fulfilled = {2: "blank-40 blank-39"}
    game = table(players=3, hands={0: "tech-1 lux-1", 1: "tech-2"}, powers=powers, fulfilled=fulfilled)
    play(game, "0 draw")
    run_defaults(game, "1 lead")
    assert (actions, draws) == ([0], [0])
    actions.clear()
    draws.clear()
    game = fulfilling("cups", powers=powers, fulfilled=fulfilled)
    run_defaults(game, "0 load")
    assert actions == [1, 2]
    assert draws == [1, 2]
    play(game, "0 load:lux-1@ship-0")
    assert actions == [1, 2]
    assert draws == [1, 2, 0]


def test_who_announced_at_least_one_action_by_card_or_by_crew_has_followed() -> None:  # Q31
    game = table(
        players=4,
        hands={0: "tech-1", 1: "tech-2 lux-1", 2: "cons-2 lux-2", 3: "tech-4 lux-4"},
        crew={2: "tech-9"},
        ships={0: {"contracts": "tech-10"}},
    )
    play(game, "0 lead:load:tech-1*1, 1 follow:load:tech-2*1, 2 crew*1")
    announced = [player["announced"] for player in game.view(3)["players"]]
    assert announced == [1, 1, 1, 0]


def test_an_import_answered_by_another_action_is_done_after_the_last_round() -> None:  # Q100
    """By Chopsticks; who does so is not counted in the rounds and does not bid."""
    game = table(
        hands={0: "cons-1", 1: "cons-2 lux-1 lux-3"},
        crew={1: "cons-9"},
        fulfilled={1: "chopsticks"},
        contracts={0: 9},
        ships={2: {"contracts": "lux-9"}},
    )
    play(game, "0 lead:import:cons-1*1")
    assert "follow:import/load:cons-2*2" in offered(game, 1)
    play(game, "1 follow:import/load:cons-2*2")
    expect(game, asks="0 import-ship")
    events = play(game, "0 import@ship-1")
    assert [event.public["bidders"] for event in events if event.kind == "round"] == [[0]]
    play(game, "0 take:sea-1@goods, 0 take:sea-2@goods")
    expect(game, asks="1 load")
    events = play(game, "1 load:lux-1@ship-2")
    expect(game, fulfilled={1: "chopsticks lux-9"})


# Defaults and the order of options


def test_the_default_is_the_harmless_answer() -> None:  # Q104
    def default(game: Game, seat: int = 0) -> str:
        return game.decision(seat).texts(game.catalogue)[game.decision(seat).default]

    game = table(hands={0: "cons-1", 1: "cons-2"}, crew={1: "cons-9"}, contracts={0: 3, 1: 3})
    assert default(game) == "draw"
    play(game, "0 lead:import:cons-1*1")
    assert default(game, 1) == "draw"
    drawn = game.clone()
    play(drawn, "1 draw")
    assert default(drawn, 1) == "crew*0"
    play(game, "1 follow:import:cons-2*1, 0 import@ship-1")
    assert default(game, 0) == default(game, 1) == "bid*0"
    play(game, "0 bid*2, 1 bid*2")
    assert default(game) == "tie@seat-0"
    skip = table(hands={0: "agri-1 rolls-royce"}, crew={0: "agri-9"}, goods={0: "lux-1"})
    play(skip, "0 lead:contract:agri-1*2")
    assert default(skip) == "pass"
    window = table(hands={0: "tech-1"}, fulfilled={0: "segways"})
    assert default(window) == "pass"
    offer = fulfilling("bird-feed")
    play(offer, "0 load:lux-1@ship-0")
    assert default(offer, 1) == "pass"


def test_in_a_tie_the_default_is_the_first_tied_seat_clockwise_from_the_lead_player() -> None:  # Q104, Q41
    game = table(
        players=4, lead=2, hands={2: "cons-1", 3: "cons-2 lux-1", 1: "cons-3 lux-2"}, crew={0: "cons-9"}
    )
    play(game, "2 lead:import:cons-1*1, 3 follow:import:cons-2*1, 0 crew*1, 1 follow:import:cons-3*1")
    play(game, "2 import@ship-1, 2 bid*0, 3 bid*0, 0 bid*4, 1 bid*4")
    assert game.decision(2).texts(game.catalogue) == ["tie@seat-0", "tie@seat-1"]


def test_options_are_listed_in_a_fixed_order() -> None:  # Q104
    """Hand by card number, Ships by seat and number, Island by position, numbers from the smallest."""
    game = table(hands={0: "lux-3 tech-2 tech-1"}, crew={0: "tech-9"})
    assert game.decision(0).texts(game.catalogue) == [
        "draw",
        "lead:load:tech-1*1",
        "lead:load:tech-1*2",
        "lead:load:tech-2*1",
        "lead:load:tech-2*2",
        *(f"lead:{action}:tech-1+tech-2*1" for action in ("contract", "import")),
        "lead:supply:lux-3*1",
        "lead:piracy:tech-1+tech-2*1",
    ]
    game = table(hands={0: "lux-1 tech-2 tech-1"}, island="ill-3 ill-1 ill-2")
    play(game, "0 lead:supply:lux-1*1")
    assert game.decision(0).texts(game.catalogue) == [
        "sell:tech-1",
        "sell:tech-2",
        "take:ill-3",
        "take:ill-1",
        "take:ill-2",
    ]
    game = table(hands={0: "cons-1"}, ships={4: {"place": "sea"}})
    play(game, "0 lead:import:cons-1*1")
    assert game.decision(0).texts(game.catalogue) == [
        "import@ship-1",
        "import@ship-3",
        "import@ship-4",
        "import@ship-5",
    ]


def test_the_bank_can_not_run_out() -> None:  # Q8
    """The box has tokens for 620 credits."""
    game = table(hands={0: "lux-1 tech-1"}, credits={0: 9000, 1: 9000, 2: 9000})
    play(game, "0 lead:supply:lux-1*1")
    expect(game, credits={0: 9004})


def test_what_happened_is_told_again_by_the_same_choices() -> None:  # Q96
    def told() -> list[dict[str, Any]]:
        game = table(
            hands={0: "lux-1 lux-2 lux-3", 1: "lux-4"}, pile="tech-1", discard="agri-1 agri-2 agri-3 agri-4"
        )
        events = play(game, "0 draw") + run_defaults(game, lambda game: game.over or game.turn > 4)
        return [event.for_seat(seat) for event in events for seat in (None, 0, 1, 2)]

    assert told() == told()
    assert "shuffle" in [event["event"] for event in told()]
