"""The end of the game (R13) and scoring (R14). `ending=` is a position in which scoring comes at once."""

from __future__ import annotations

from typing import Any

import pytest
from table import asked, expect, finish_turn, invent, kinds, needs, offered, play, run_defaults, table, totals

from arena.game import Game
from arena.game.hooks import END_MOVE, ON_FULFIL, WIN_CHECK
from arena.game.moves import add_good, discard, draw, from_hand, pay, untuck
from arena.game.ships import load

LOADED = {"contracts": "lux-9", "containers": "lux-2"}  # one more Luxury Container fulfils it


def scored(**zones: Any) -> tuple[int, ...]:
    """The final credits of a position in which the end has been triggered; all players begin with 0."""
    players = zones.get("players", 3)
    zones.setdefault("credits", dict.fromkeys(range(players), 0))
    return totals(table(ending="credits", **zones))


# Triggers


def test_50_credits_trigger_the_end_and_the_turn_is_finished_first() -> None:  # R13.1, R13.2, Q62
    game = table(hands={0: "lux-1 tech-1 tech-2", 1: "lux-2 tech-3 tech-4"}, credits={0: 46})
    play(game, "0 lead:supply:lux-1*1, 1 follow:supply:lux-2*1, 0 sell:tech-1")
    expect(game, ending="credits", asks="1 supply")
    assert not game.over
    play(game, "1 sell:tech-3")
    assert game.over  # step 3 and no further turn
    expect(game, turn=1, discard="lux-2 lux-1", credits={0: 50, 1: 14})
    assert game.result is not None
    assert game.result.reason == "credits"


def test_49_credits_do_not() -> None:  # R13.1
    game = table(hands={0: "lux-1 tech-1", 1: "tech-2"}, credits={0: 44})
    play(game, "0 lead:supply:lux-1*1")
    expect(game, credits={0: 48}, ending="", turn=2)


def test_any_player_triggers_it_also_one_who_does_not_lead() -> None:  # R13.1
    game = table(hands={0: "lux-1 tech-1", 1: "lux-2 tech-2"}, credits={1: 46})
    play(game, "0 lead:supply:lux-1*1, 1 follow:supply:lux-2*1, 1 sell:tech-2")
    assert game.over
    expect(game, turn=1)


def test_the_end_is_triggered_when_draw_pile_and_discard_pile_are_empty() -> None:  # R13.1, Q63
    game = table(hands={0: "lux-1 tech-1 tech-2", 1: "ill-1 cons-1 agri-1 tech-3"}, players=2, pile="pile-1")
    play(game, "0 lead:supply:lux-1*1")  # seat 1 draws the last card; lux-1 lies on a Port
    expect(game, ending="cards", pile="", discard="", played={0: "lux-1"}, asks="0 supply")


def test_a_trigger_latches_although_the_condition_is_undone() -> None:  # Q61
    game = table(hands={0: "lux-1 tech-1 tech-2", 1: "ill-1 cons-1 agri-1 tech-3"}, players=2, pile="pile-1")
    play(game, "0 lead:supply:lux-1*1, 0 sell:tech-1")
    assert game.over
    expect(game, discard="lux-1")  # a card lies in the discard pile again
    assert game.result is not None
    assert game.result.reason == "cards"


def test_what_comes_and_goes_within_one_event_triggers_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # Q61
    """A payout of 6 to 52 credits, of which the invented power pays 10 in step 2."""
    invent(monkeypatch, "cost", ON_FULFIL, lambda game, owner, card, ship: pay(game, owner, 10, "cost"))
    for powers, ending in (({"lux-9": "cost"}, ""), ({}, "credits")):
        game = table(
            hands={0: "tech-1 lux-1", 1: "tech-2"}, credits={0: 46}, ships={0: LOADED}, powers=powers
        )
        play(game, "0 lead:load:tech-1*1, 1 draw, 0 load:lux-1@ship-0")
        expect(game, ending=ending)
        assert game.over == bool(ending)


def test_nothing_is_triggered_at_the_end_of_an_event_inside_another(monkeypatch: pytest.MonkeyPatch) -> None:
    """Q61, Q55: 52 credits after the inner fulfilment, of which the other power of the outer one pays 10."""

    def pass_on(game: Game, owner: int, card: int, ship: int) -> None:
        from_hand(game, owner, game.catalogue.number_of["lux-3"])
        load(game, game.catalogue.number_of["lux-3"], 1, "pass-on")

    invent(monkeypatch, "pass-on", ON_FULFIL, pass_on)
    invent(monkeypatch, "cost", ON_FULFIL, lambda game, owner, card, ship: pay(game, owner, 10, "cost"))
    game = table(
        hands={0: "tech-1 agri-1 lux-3"},
        credits={0: 36},
        ships={
            0: {"contracts": "ill-8 ill-9", "containers": "ill-1 ill-2"},
            1: {"place": "port", "contracts": "lux-8", "containers": "lux-4"},
        },
        faces={"ill-8": needs(illegal=2), "ill-9": needs(agriculture=1)},
        powers={"ill-8": "pass-on", "ill-9": "cost"},
    )
    play(game, "0 lead:load:tech-1*1, 0 load:agri-1@ship-0")
    assert offered(game, 0) == {"resolve:ill-8", "resolve:ill-9"}
    play(game, "0 resolve:ill-8")
    expect(game, credits={0: 36 + 10 + 6 - 10}, ending="")
    assert len(game.view(None)["players"][0]["fulfilled"]) == 3


def test_a_draw_cut_short_counts_although_the_same_event_discards_cards(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Q23, R13.1: the invented power draws 5, of which there is 1, and then discards the whole hand."""

    def draw_and_discard(game: Game, owner: int, card: int, ship: int) -> None:
        draw(game, owner, 5)
        for lost in game.players[owner].hand:
            from_hand(game, owner, lost)
            discard(game, lost)

    invent(monkeypatch, "draw-and-discard", ON_FULFIL, draw_and_discard)
    game = table(
        players=2,
        hands={0: "tech-1 lux-1 ill-8 ill-9", 1: "ill-1 cons-1 agri-1 lux-5 tech-5"},
        ships={0: LOADED},
        powers={"lux-9": "draw-and-discard"},
        pile="pile-1 pile-2",
    )
    play(game, "0 lead:load:tech-1*1, 1 draw, 0 load:lux-1@ship-0")
    assert game.over
    expect(game, ending="cards")
    assert len(game.pile) == 2  # the discarded cards, but for the one that went to the Island


def test_a_condition_spent_in_a_later_event_has_triggered_the_end() -> None:  # Q61
    game = table(
        hands={0: "cons-1", 1: "cons-2"},
        credits={0: 48, 1: 48},
        crew={0: "cons-9"},
        contracts={0: 9, 1: 9},
        ships={1: {"containers": "tech-1 tech-2 tech-3 tech-4"}},
    )
    play(game, "0 lead:import:cons-1*2, 1 follow:import:cons-2*1, 0 import@ship-1, 0 bid*0, 1 bid*2")
    play(game, "1 take:tech-1@goods, 1 take:tech-2@goods")
    expect(game, credits={0: 50, 1: 46}, ending="credits")


def test_bids_are_owned_until_they_are_paid() -> None:  # Q61
    game = table(hands={0: "cons-1", 1: "cons-2"}, credits={0: 48}, contracts={0: 9, 1: 9})
    play(game, "0 lead:import:cons-1*1, 1 follow:import:cons-2*1, 0 import@ship-3, 0 bid*48, 1 bid*0")
    expect(game, ending="", credits={0: 0})


def test_a_power_can_be_the_condition() -> None:  # R13.1
    """Of MRI Machine: 70 credits instead of 50; of Can Openers: the own ones do not count."""
    for power, ending in (("mri-machine", ""), ("can-openers", ""), ("blank-1", "credits")):
        game = table(hands={0: "lux-1 tech-1", 1: "tech-2"}, credits={0: 46}, fulfilled={0: power})
        play(game, "0 lead:supply:lux-1*1")
        expect(game, credits={0: 50}, ending=ending)


def test_the_whole_turn_of_the_lead_player_is_finished_with_all_its_actions() -> None:  # Q62, R13.2
    game = table(
        hands={0: "lux-1 tech-1 tech-2", 1: "lux-2 tech-3", 2: "lux-3 tech-4"},
        crew={0: "lux-9"},
        credits={0: 46},
        island="ill-1",
    )
    play(game, "0 lead:supply:lux-1*2, 1 follow:supply:lux-2*1, 2 follow:supply:lux-3*1, 0 sell:tech-1")
    expect(game, ending="credits", asks="0 supply")
    play(game, "0 take:ill-1, 1 sell:tech-3, 2 sell:tech-4")
    assert game.over
    expect(game, credits={1: 14, 2: 14}, turn=1)


def test_after_many_turns_the_end_is_triggered() -> None:  # Q66
    game = table(hands={0: "lux-1", 1: "lux-2"}, turn=499)
    play(game, "0 draw")
    expect(game, turn=500, ending="")
    play(game, "1 draw")
    assert game.over
    assert game.result is not None
    assert (game.turn, game.result.reason) == (500, "turns")


# Extra turns


def test_the_owner_of_an_extra_turn_leads_again_and_then_play_goes_on() -> None:  # Q65
    game = table(hands={0: "lux-1", 1: "lux-2", 2: "lux-3"}, player_0={"extra_turns": 1})
    leads = []
    for _ in range(4):
        leads.append(game.lead)
        play(game, f"{game.lead} draw")
    assert leads == [0, 0, 1, 2]


def test_extra_turns_do_not_merge() -> None:  # Q65
    game = table(hands={0: "lux-1", 1: "lux-2", 2: "lux-3"}, player_0={"extra_turns": 2})
    leads = []
    for _ in range(5):
        leads.append(game.lead)
        play(game, f"{game.lead} draw")
    assert leads == [0, 0, 0, 1, 2]


def test_an_extra_turn_comes_after_the_next_turn_that_its_owner_leads() -> None:  # Q65
    game = table(hands={0: "lux-1", 1: "lux-2", 2: "lux-3"}, player_1={"extra_turns": 1})
    leads = []
    for _ in range(4):
        leads.append(game.lead)
        play(game, f"{game.lead} draw")
    assert leads == [0, 1, 1, 2]


def test_an_extra_turn_is_lost_once_the_end_is_triggered() -> None:  # Q65
    game = table(hands={0: "lux-1 tech-1", 1: "tech-2"}, credits={0: 46}, player_0={"extra_turns": 1})
    play(game, "0 lead:supply:lux-1*1")
    assert game.over
    expect(game, turn=1)


# Wins by power


def test_a_win_by_power_ends_the_game_at_once_without_scoring(monkeypatch: pytest.MonkeyPatch) -> None:  # Q64
    """Seat 1 wins as soon as it has 14 credits; seat 0 has announced an action that is not performed any more."""
    invent(monkeypatch, "rich", WIN_CHECK, lambda game, owner, card: game.players[owner].credits >= 14)
    game = table(
        hands={0: "lux-1 tech-1", 1: "lux-2 tech-2", 2: "lux-3 tech-3"},
        powers={"blank-9": "rich"},
        fulfilled={1: "blank-9"},
        goods={0: "lux-8 lux-9"},
    )
    play(game, "0 lead:supply:lux-1*1, 1 follow:supply:lux-2*1")
    events = play(game, "2 follow:supply:lux-3*1, 1 sell:tech-2")
    assert game.over
    assert "scoring" not in kinds(events)
    assert game.result is not None
    assert game.result.reason == "rich"
    assert game.result.credits == (14, 14, 10)  # no Goods are scored
    assert game.result.places == (2, 1, 3)  # the others by R14 as things stand


def test_several_who_win_at_one_check_share(monkeypatch: pytest.MonkeyPatch) -> None:  # Q64
    invent(monkeypatch, "rich", WIN_CHECK, lambda game, owner, card: game.players[0].credits >= 14)
    game = table(
        hands={0: "lux-1 tech-1"},
        powers={"blank-9": "rich", "blank-8": "rich"},
        fulfilled={1: "blank-9", 2: "blank-8"},
    )
    play(game, "0 lead:supply:lux-1*1")
    assert game.result is not None
    assert game.result.places == (3, 1, 1)
    assert game.result.winners == (1, 2)


def test_a_win_comes_before_an_end_trigger_of_the_same_check(
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # Q29, Q64
    invent(monkeypatch, "rich", WIN_CHECK, lambda game, owner, card: game.players[0].credits >= 50)
    game = table(
        hands={0: "lux-1 tech-1"}, credits={0: 46}, powers={"blank-9": "rich"}, fulfilled={1: "blank-9"}
    )
    play(game, "0 lead:supply:lux-1*1")
    assert game.result is not None
    assert (game.result.reason, game.result.winners) == ("rich", (1,))


def test_once_the_end_has_been_triggered_a_power_still_wins_in_the_same_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Q62, Q64."""
    invent(monkeypatch, "rich", WIN_CHECK, lambda game, owner, card: game.players[1].credits >= 14)
    game = table(
        hands={0: "lux-1 tech-1", 1: "lux-2 tech-2"},
        credits={0: 46},
        powers={"blank-9": "rich"},
        fulfilled={1: "blank-9"},
    )
    play(game, "0 lead:supply:lux-1*1, 1 follow:supply:lux-2*1")
    expect(game, ending="credits", asks="1 supply")
    play(game, "1 sell:tech-2")
    assert game.result is not None
    assert (game.result.reason, game.result.winners) == ("rich", (1,))


# Scoring


def test_each_container_on_an_unfulfilled_contract_scores_2() -> None:  # R14.1
    ship = {"contracts": "lux-9", "containers": "lux-1 lux-2"}
    assert scored(ships={0: ship}, faces={"lux-9": needs(luxury=4)}) == (4, 0, 0)


@pytest.mark.parametrize(
    ("contracts", "load", "containers", "credits"),
    [
        ("", {"luxury": 4}, "lux-1 lux-2", 0),  # no contract
        ("lux-9", {"luxury": 4}, "tech-1 ill-1", 0),  # nothing matched
        (
            "lux-9",
            {"luxury": 4, "agriculture": 1},
            "lux-1 lux-2 lux-3 lux-4 lux-5 tech-1",
            8,
        ),  # the rest is surplus
        ("lux-9 tech-9", {"luxury": 3}, "lux-1 tech-1 ill-1", 4),  # over both contracts
    ],
)
def test_only_matched_containers_on_a_ship_with_a_contract_score(
    contracts: str, load: dict[str, int], containers: str, credits: int
) -> None:  # Q69, R14.1
    ship = {"contracts": contracts, "containers": containers}
    assert scored(ships={0: ship}, faces={"lux-9": needs(**load)}) == (credits, 0, 0)


def test_a_container_matches_as_many_slots_as_can_be_over_all_contracts() -> None:  # Q69, Q51
    ship = {"contracts": "lux-9 lux-8", "containers": "tech-1 lux-1"}
    faces = {"lux-9": needs(any=1), "lux-8": needs(technology=2)}
    assert scored(ships={0: ship}, faces=faces) == (4, 0, 0)


def test_ships_at_sea_score_nothing() -> None:  # R14.1, Q69
    assert scored(ships={1: {"containers": "lux-1 lux-2"}}) == (0, 0, 0)


@pytest.mark.parametrize(("good", "credits"), [("tech", 1), ("agri", 1), ("cons", 1), ("lux", 1), ("ill", 2)])
def test_each_good_scores_1_and_an_illegal_one_2(good: str, credits: int) -> None:  # R14.2
    """All three have as many, so that the majority is the same for all."""
    goods = {seat: f"{good}-{2 * seat + 1} {good}-{2 * seat + 2}" for seat in range(3)}
    share = {"tech": 2, "agri": 2, "cons": 2, "lux": 3, "ill": -2}[good]
    assert scored(goods=goods) == (2 * credits + share,) * 3


def test_at_least_one_good_of_each_type_scores_10() -> None:  # R14.3, Q71
    five = "tech-1 agri-1 cons-1 lux-1 ill-1"
    other = "tech-2 tech-3 agri-2 agri-3 cons-2 cons-3 lux-2 lux-3 ill-2 ill-3"
    assert scored(goods={0: five, 1: other}) == (6 + 10, 12 + 10 + 6 + 6 + 6 + 8 - 6, 0)
    four = "tech-1 agri-1 cons-1 lux-1"  # Illegal is one of the five
    assert scored(goods={0: four, 1: other}) == (4, 12 + 10 + 6 + 6 + 6 + 8 - 6, 0)


def test_a_capital_good_is_none_of_the_five_types() -> None:  # Q71
    """blank-1 is grey: it counts as the leftmost other Good, here Technology."""
    assert scored(goods={0: "tech-1 agri-1 cons-1 lux-1 blank-40"})[0] == 2 + 3 + 6 + 6 + 6 + 8


@pytest.mark.parametrize(("good", "bonus"), [("tech", 6), ("agri", 6), ("cons", 6), ("lux", 8), ("ill", -6)])
def test_more_goods_of_a_type_than_every_other_player_score_the_bonus(good: str, bonus: int) -> None:  # R14.4
    goods = {0: f"{good}-1 {good}-2", 1: f"{good}-3"}
    value = 2 if good == "ill" else 1
    assert scored(goods=goods) == (2 * value + bonus, value, 0)


@pytest.mark.parametrize("kind", ["tech", "agri", "cons", "lux", "ill"])
@pytest.mark.parametrize("tied", [1, 2, 3, 4, 5, 6])
def test_a_tie_divides_the_bonus_and_the_penalty_rounded_up(kind: str, tied: int) -> None:  # R14.6, T12, TD1
    share = {
        6: {1: 6, 2: 3, 3: 2, 4: 2, 5: 2, 6: 1},
        8: {1: 8, 2: 4, 3: 3, 4: 2, 5: 2, 6: 2},
    }[8 if kind == "lux" else 6][tied]
    goods = {seat: f"{kind}-{seat + 1}" for seat in range(tied)}
    each = 2 - share if kind == "ill" else 1 + share
    assert scored(players=6, goods=goods) == (each,) * tied + (0,) * (6 - tied)


def test_of_a_type_that_nobody_has_nobody_gets_a_bonus_or_a_penalty() -> None:  # Q67
    assert scored() == (0, 0, 0)
    assert scored(goods={1: "tech-1"}) == (0, 7, 0)


def test_contracts_that_score_at_the_end_do() -> None:  # R14.5
    game = {"fulfilled": {0: "apple-watch"}, "goods": {0: "lux-1 lux-2 lux-3 cons-1 cons-2"}}
    plain = {"fulfilled": {0: "blank-40"}, "goods": {0: "lux-1 lux-2 lux-3 cons-1 cons-2"}}
    assert scored(**game)[0] - scored(**plain)[0] == 12


def test_the_most_credits_win() -> None:  # R14.7, R1.8
    game = table(ending="credits", credits={0: 20, 1: 30, 2: 10})
    assert game.result is not None
    assert (game.result.places, game.result.winners) == ((2, 1, 3), (1,))


def test_tied_players_share_the_victory() -> None:  # R14.7, Q72
    game = table(players=4, ending="credits", credits={0: 30, 1: 20, 2: 30, 3: 20})
    assert game.result is not None
    assert game.result.places == (1, 3, 1, 3)
    assert game.result.winners == (0, 2)


def test_the_final_total_may_be_negative() -> None:  # Q68
    assert scored(goods={0: "ill-1"}) == (-4, 0, 0)


def test_in_play_nobody_pays_what_they_do_not_have() -> None:  # Q68, R15.7
    """Pirates takes 6 credits of each, or all they have."""
    game = table(
        hands={0: "tech-1 lux-1"},
        credits={1: 4, 2: 0},
        ships={0: {"contracts": "pirates", "containers": "lux-2"}},
        faces={"pirates": needs(luxury=2)},
    )
    play(game, "0 lead:load:tech-1*1, 0 load:lux-1@ship-0")
    expect(game, credits={0: 16, 1: 0, 2: 0})


def test_what_moves_at_the_end_comes_before_all_goods_are_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # Q70
    """The invented power puts its own card, a Luxury one, into the Goods: it makes the majority."""

    def settle_down(game: Game, owner: int, card: int) -> None:
        untuck(game, owner, card)
        add_good(game, owner, card)

    invent(monkeypatch, "settle-down", END_MOVE, settle_down)
    zones = {"goods": {0: "lux-1", 1: "lux-2"}, "fulfilled": {0: "lux-9"}}
    assert scored(**zones) == (1 + 4, 1 + 4, 0)
    assert scored(**zones, powers={"lux-9": "settle-down"}) == (2 + 8, 1, 0)


def test_powers_of_the_end_act_clockwise_from_the_last_lead_player(
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # Q70
    acted = []
    invent(monkeypatch, "note-it", END_MOVE, lambda game, owner, card: acted.append(owner))
    powers = {f"blank-{40 - seat}": "note-it" for seat in range(3)}
    fulfilled = {seat: f"blank-{40 - seat}" for seat in range(3)}
    game = table(
        hands={seat: f"lux-{seat + 1} tech-{seat + 1}" for seat in range(3)},
        credits={1: 46},
        lead=1,
        powers=powers,
        fulfilled=fulfilled,
    )
    play(game, "1 lead:supply:lux-2*1")
    run_defaults(game)
    assert acted == [1, 2, 0]


def test_one_owner_orders_the_own_powers_of_the_end(monkeypatch: pytest.MonkeyPatch) -> None:  # Q70, Q29
    acted = []
    for name in ("one", "two"):
        invent(monkeypatch, name, END_MOVE, lambda game, owner, card: acted.append(game.power_of(card)))
    game = table(
        ending="credits", powers={"blank-40": "one", "blank-39": "two"}, fulfilled={0: "blank-40 blank-39"}
    )
    assert offered(game, 0) == {"resolve:blank-40", "resolve:blank-39"}
    play(game, "0 resolve:blank-39")
    assert game.over
    assert acted == ["two", "one"]


def test_goods_bonuses_come_before_contracts_that_score() -> None:  # Q70
    """Told in one event for each seat, with the parts in their order."""
    game = table(
        hands={0: "lux-1 tech-1"},
        credits={0: 46},
        goods={0: "lux-2 cons-1"},
        fulfilled={0: "apple-watch"},
        ships={0: {"contracts": "ill-9", "containers": "ill-1"}},
    )
    play(game, "0 lead:supply:lux-1*1")
    events = run_defaults(game)
    parts = next(
        event.public["parts"] for event in events if event.kind == "score" and event.public["seat"] == 0
    )
    assert parts == {"loaded": 2, "goods": 2, "most-consumer": 6, "most-luxury": 8, "apple-watch": 6}
    assert list(parts)[:2] == ["loaded", "goods"]
    assert list(parts)[-1] == "apple-watch"


def test_nothing_can_be_chosen_when_the_game_is_over() -> None:  # R13.2
    game = table(ending="credits")
    assert game.over
    assert (game.to_act, asked(game)) == ((), "")
    assert finish_turn(game) == []
