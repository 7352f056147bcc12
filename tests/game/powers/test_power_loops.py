"""Powers that could go on for ever end: each turn comes to an end, and with it the game (P36, Q66).

The players here never stop of their own will: they use what can be used, and pass only where they must.
"""

from __future__ import annotations

from random import Random

import pytest
from table import needs, run_defaults, table
from test_properties import pick

from arena.game import Game
from arena.game.positions import MAX_FRAMES
from arena.game.powers.base import FREE_PLACEMENTS
from arena.game.terms import TURN_CAP
from powers.fulfilling import fulfil
from powers.runner import position

WITHIN_A_TURN = 1_000
"""Choices that a turn of restless players stays under; most take under 100, but for endless placing (under 200)."""

LOOPING = (
    *("nanobots", "lumber", "oat-milk", "cell-phones", "yogurt", "chairs", "laptops", "satellite", "shoes"),
    *("led-lights", "rope", "tsukiji-fish", "drones", "paprika", "sugar", "bionic-ears", "segways"),
    *("protractors", "stretch-goal", "glasses", "wind-turbines", "stolen-documents", "pirates"),
    *("platinum-rings", "bamboo", "automation", "container-factory", "flash-drives", "jets", "gps"),
    *("prefab-home", "machine-arms", "playstations", "jasmine-tea", "spacecraft", "lutefisk", "flour"),
)
"""Powers that give cards, Containers, actions, placements or turns, and so can set each other off."""


def restless(game: Game, chance: Random) -> tuple[int, int]:
    """A seat and an option that keeps things going: what ends a turn or a question comes last."""
    seat, _ = pick(game, chance)
    decision = game.decision(seat)
    ends_turn = decision.kind in ("lead", "follow")

    def rank(index: int) -> tuple[int, float]:
        match decision.options[index].verb:
            case "pass":
                place = 4
            case "draw" if ends_turn:
                place = 3
            case "lead" | "follow":
                place = 2
            case "scrap":
                place = 1
            case _:
                place = 0
        return place, chance.random()

    return seat, min(range(len(decision.options)), key=rank)


def longest_turn(game: Game, chance: Random, turns: int = TURN_CAP) -> int:
    """The choices of the longest turn of a restless game; fails if one does not end."""
    most, made, last = 0, 0, game.turn + turns
    turn = game.turn
    while not game.over and game.turn < last:
        game.choose(*restless(game, chance))
        made += 1
        if game.turn != turn:
            most, made, turn = max(most, made), 0, game.turn
        assert made < WITHIN_A_TURN, f"turn {turn} does not end; {game.stack[-6:]}"
    return max(most, made)


def preferring(game: Game, *verbs: str) -> int:
    """Play the turn by the first verb that is offered, else the default; returns the number of choices."""
    turn, made = game.turn, 0
    while game.turn == turn and not game.over:
        seat = game.to_act[0]
        texts = game.decision(seat).texts(game.catalogue)
        text = next((text for verb in verbs for text in texts if text.startswith(verb)), texts[0])
        game.choose_text(seat, text)
        made += 1
        assert made < WITHIN_A_TURN, "the turn does not end"
    return made


def test_placing_scrapping_and_drawing_again_comes_to_an_end() -> None:
    """power: tsukiji-fish, drones, sugar

    With an empty draw pile each card that Drones draw is one that was placed and scrapped before.
    """
    game = table(
        fulfilled={0: "tsukiji-fish drones sugar"},
        hands={0: "agri-1 agri-2"},
        pile="agri-3 agri-4 agri-5",
        faces={f"agri-{number}": needs(agriculture=2) for number in range(1, 6)},
    )
    preferring(game, "use", "resolve", "scrap", "draw")
    assert game.players[0].credits == 10 + 2 * FREE_PLACEMENTS
    assert game.ending


def test_bamboo_that_is_fulfilled_again_and_again_comes_to_an_end() -> None:
    """power: bamboo, paprika, flash-drives

    Paprika load the one Container that Bamboo needs, Flash Drives take it back and the Ship returns empty.
    """
    game = fulfil(
        "bamboo",
        1,
        hands={0: "tech-1"},
        fulfilled={0: "paprika flash-drives"},
        ships={1: {"place": "port"}},
        faces={"bamboo": needs(technology=1)},
    )
    bamboo = game.catalogue.number_of["bamboo"]
    deepest = 0
    while game.decision(0).kind != "pause":
        texts = game.decision(0).texts(game.catalogue)
        going_on = ("contract:bamboo", "take:tech", "load:tech")
        game.choose_text(0, next((text for text in texts if text.startswith(going_on)), texts[0]))
        deepest = max(deepest, len(game.stack))
    assert game.players[0].used.count(bamboo) == FREE_PLACEMENTS
    assert FREE_PLACEMENTS < deepest < MAX_FRAMES / 2  # each one lies within the one before
    assert Game.from_json(game.to_json(), game.catalogue).digest() == game.digest()


def test_nanobots_lumber_oat_milk_and_cell_phones_of_all_come_to_an_end() -> None:
    """power: nanobots, lumber, oat-milk, cell-phones, yogurt, wind-turbines (P36)"""
    game = table(
        fulfilled={0: "nanobots oat-milk cell-phones", 1: "lumber wind-turbines", 2: "satellite laptops"},
        copies={"wind-turbines": "nanobots"},
        hands={0: "yogurt agri-1 agri-2 tech-1", 1: "agri-4 agri-5 tech-2", 2: "agri-6 tech-3"},
        ships={index: {"place": "port", "contracts": f"agri-{10 + index}"} for index in range(6)},
        faces={f"agri-{10 + index}": needs(agriculture=6) for index in range(6)},
    )
    assert longest_turn(game, Random(1), turns=6) < WITHIN_A_TURN


def test_protractors_of_several_players_use_up_the_ship() -> None:
    """power: protractors, wind-turbines (P36)"""
    sea = "cons-1 cons-2 cons-3 cons-4 cons-5 cons-6 cons-7 cons-8"
    game = table(
        lead=2,
        hands={2: "cons-20"},
        fulfilled={0: "protractors", 1: "wind-turbines"},
        copies={"wind-turbines": "protractors"},
        contracts={0: 5, 1: 5},
        ships={5: {"containers": sea}},
    )
    preferring(game, "lead:import", "import@ship-5", "take")
    assert not game.ships[5].containers


def test_led_lights_with_drawing_powers_end_their_turn() -> None:
    """power: led-lights, rope, drones, iceland-water, tsukiji-fish"""
    game = table(
        fulfilled={0: "led-lights rope drones iceland-water tsukiji-fish"},
        hands={0: "agri-1 agri-2 agri-3 lux-1 lux-2 lux-3 cons-1"},
        island="agri-4 lux-4",
    )
    assert preferring(game, "use", "scrap", "resolve", "give", "draw") < WITHIN_A_TURN


def test_extra_turns_end_with_the_turn_cap() -> None:  # Q65, Q66
    """power: pirates"""
    hands = {0: "lux-1", 1: "lux-2", 2: "lux-3"}
    game = table(turn=TURN_CAP - 5, player_0={"extra_turns": 2 * TURN_CAP}, hands=hands)
    run_defaults(game, lambda game: game.turn == TURN_CAP)
    assert game.lead == 0
    run_defaults(game)
    assert (game.turn, game.result.reason if game.result else "") == (TURN_CAP, "turns")


@pytest.mark.parametrize("seed", range(6))
def test_restless_players_with_powers_that_loop_end_the_game(seed: int) -> None:
    chance = Random(seed)
    powers = tuple(sorted(chance.sample(LOOPING, 9)))
    game = position(powers, seed)
    longest_turn(game, chance)
    assert game.over


@pytest.mark.soak
@pytest.mark.parametrize("chunk", range(20))
def test_many_restless_games_end(chunk: int) -> None:
    for seed in range(20):
        chance = Random(f"{chunk}/{seed}")
        powers = tuple(sorted(chance.sample(LOOPING, 9)))
        game = position(powers, 1000 * chunk + seed)
        longest_turn(game, chance)
        assert game.over, f"powers {powers}, seed {1000 * chunk + seed}"
