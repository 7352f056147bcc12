"""The runner of pairs and the coverage runner find what they are made to find."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from random import Random
from typing import Any

import pytest
from table import invent, play, table

from arena.game import Game
from arena.game.catalogue import power_ids
from arena.game.errors import PositionError
from arena.game.hooks import DRAWN, HOOKS, ON_FULFIL, Drawn
from arena.game.state import PORT
from bench.coverage_of_powers import Acted, recording
from powers.runner import Watch, any_powers, can_meet, placements, play_out, position, sharing_a_hook
from powers.scenes import LAST, brink

# Positions


def test_pairs_are_all_that_share_a_hook() -> None:
    pairs = sharing_a_hook()
    assert len(pairs) == len(set(pairs)) > 2000
    assert ("bubblegum", "chapstick") in pairs
    assert ("lumber", "nanobots") in pairs
    assert ("foxes", "lumber") not in pairs


@pytest.mark.parametrize(
    ("power", "places"),
    [
        ("nanobots", {"fulfilled"}),
        ("bamboo", {"contract"}),
        ("tortillas", {"contract"}),
        ("yogurt", {"hand", "island"}),
        ("bok-choy", {"container", "hand"}),
        ("lutefisk", {"hand"}),
        ("rolls-royce", {"contract", "fulfilled"}),
        ("souvenirs", {"fulfilled"}),
    ],
)
def test_a_power_lies_where_it_can_act(power: str, places: set[str]) -> None:
    assert set(placements(power)) == places


def test_positions_can_be_set_up_for_every_power() -> None:
    chance = Random(1)
    for seed, power in enumerate(sorted(power_ids())):
        other = next(other for other in any_powers(chance) if can_meet((power, other)))
        assert position((power, other), seed).to_act


def test_a_position_and_its_play_repeat_with_the_seed() -> None:
    games = [play_out(("lumber", "nanobots"), 5, to_the_end=False) for _ in range(2)]
    assert games[0].digest() == games[1].digest()
    assert games[0].digest() != play_out(("lumber", "nanobots"), 6, to_the_end=False).digest()


def test_powers_of_the_positions_act() -> None:
    """In most positions each of the powers has something to do within the choices that are watched."""
    chance = Random(3)
    seen, acting = 0, 0
    for seed, powers in enumerate(chance.sample(sharing_a_hook(), 20)):
        counts = Acted()
        with recording(counts):
            play_out(powers, seed)
        seen += len(powers)
        acting += sum(counts.times[power] > 0 for power in powers)
    assert acting > seen / 2


def test_a_ship_that_would_have_come_home_is_in_no_position() -> None:
    """power: aeroponics"""
    scene: dict[str, Any] = {"fulfilled": {1: "aeroponics"}, "ships": {3: {"containers": "lux-1"}}}
    with pytest.raises(PositionError, match="ship-3 is at sea with its last container, and such a Ship ret"):
        table(**scene)
    game = table(**scene, hands={0: "cons-1", 1: "tech-1", 2: "tech-2"}, unchecked=True)
    play(game, "0 lead:import:cons-1*1", "0 import@ship-3", "0 take:lux-1@goods")
    assert game.ships[3].place == PORT


# Faults


def fault(monkeypatch: pytest.MonkeyPatch, listener: object) -> Game:
    """A position in which a power does something wrong when its owner draws."""
    monkeypatch.delitem(DRAWN.listeners, "nanobots")
    invent(monkeypatch, "nanobots", DRAWN, listener)  # type: ignore[arg-type]
    return table(fulfilled={0: "nanobots"}, hands={0: "lux-1", 1: "lux-2", 2: "lux-3"})


def looked_at(game: Game) -> None:
    watch = Watch(game)
    watch.look(game, [])
    watch.look(game, play(game, "0 draw"))


def test_credits_that_nobody_is_told_of_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def grow(game: Game, owner: int, card: int, drawn: Drawn) -> None:
        game.players[owner].credits += 2

    with pytest.raises(AssertionError):
        looked_at(fault(monkeypatch, grow))


def test_a_card_that_is_lost_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def lose(game: Game, owner: int, card: int, drawn: Drawn) -> None:
        game.players[owner].hand = game.players[owner].hand[1:]

    with pytest.raises(AssertionError, match="nowhere"):
        looked_at(fault(monkeypatch, lose))


def test_a_card_in_two_places_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def double(game: Game, owner: int, card: int, drawn: Drawn) -> None:
        game.island += game.players[owner].hand[:1]

    with pytest.raises(AssertionError, match="in two places"):
        looked_at(fault(monkeypatch, double))


def test_crew_above_the_limit_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def recruit(game: Game, owner: int, card: int, drawn: Drawn) -> None:
        game.players[owner].crew, game.players[owner].hand = game.players[owner].hand, ()

    with pytest.raises(AssertionError):
        looked_at(fault(monkeypatch, recruit))


def test_a_failure_tells_how_to_repeat_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(game: Game, owner: int, card: int, drawn: Drawn) -> None:
        raise RuntimeError("a bug")

    fault(monkeypatch, fail)
    with pytest.raises(RuntimeError) as caught:
        play_out(("fixie-bikes", "nanobots"), 1)
    (note,) = caught.value.__notes__
    assert re.fullmatch(r"repeat it with play_out\(\('fixie-bikes', 'nanobots'\), seed=\d+\)", note)
    with pytest.raises(RuntimeError):
        eval(note.removeprefix("repeat it with "))


# Coverage


def recorded(game: Game, *moves: str) -> Counter[str]:
    counts = Acted()
    with recording(counts):
        play(game, *moves)
    return +counts.times


def test_a_power_that_does_something_at_once_has_acted() -> None:
    assert recorded(brink("cups"), LAST)["cups"] == 1


def test_a_power_that_asks_has_acted_when_it_is_answered() -> None:
    counts = Acted()
    with recording(counts):
        game = brink("potatoes")
        play(game, LAST)
        before = counts.times["potatoes"]
        play(game, "0 take:credits")
        assert (before, counts.times["potatoes"]) == (0, 1)


def test_a_power_that_is_called_in_vain_has_not_acted(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(game: Game, owner: int, card: int, ship: int) -> None:
        """Do nothing."""

    monkeypatch.setitem(ON_FULFIL.listeners, "cups", nothing)
    assert not recorded(brink("cups"), LAST)["cups"]


def test_a_power_that_changes_a_value_has_acted_and_one_that_does_not_has_not() -> None:
    scene = {"fulfilled": {0: "mineral-fuels"}, "hands": {0: "lux-1", 1: "lux-2", 2: "lux-3"}}
    assert recorded(table(**scene), "0 draw") == {"mineral-fuels": 1}  # type: ignore[arg-type]
    tie = {0: "lux-1", 1: "lux-2"}
    game = table(fulfilled={0: "teslas"}, hands=tie)
    assert not recorded(game, "0 draw")["teslas"]


def test_the_registry_is_as_before_a_recording() -> None:
    before = {name: dict(hook.listeners) for name, hook in HOOKS.items()}
    with recording(Acted()):
        assert ON_FULFIL.listeners["cups"] is not before["on_fulfil"]["cups"]
    assert {name: dict(hook.listeners) for name, hook in HOOKS.items()} == before


def test_a_recording_changes_no_game() -> None:
    plain = play_out(("lumber", "oat-milk"), 3)
    with recording(Acted()):
        assert play_out(("lumber", "oat-milk"), 3).digest() == plain.digest()


def test_command_fails_on_powers_that_never_acted() -> None:
    command = [sys.executable, "-m", "bench.coverage_of_powers", "--least", "2", "--most", "2"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1, done.stderr
    *table, summary, missing = done.stdout.splitlines()
    assert len(table) == 181
    assert summary.startswith("2 games, ")
    assert missing.startswith("never acted: ")
