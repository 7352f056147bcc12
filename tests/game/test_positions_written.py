"""Positions that are written, so that nothing is lost; and any JSON value at all, which is read or refused."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from position_rows import TWO, player, refusal, walk
from table import crowded, offered, play, table

from arena.game import Game, Options, PositionError
from arena.game.catalogue import default_catalogue
from arena.game.position_form import KEYS, PLAYER_KEYS, SHIP_KEYS
from arena.game.positions import PROGRESS, dump, load
from arena.game.terms import TYPES

# Writing


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_what_is_written_at_any_moment_is_read_as_the_same_game(players: int) -> None:
    chance = Random(players)
    game = Game.new(Options(players=players, sets=("kickstarter", "flag")), seed=players)
    for step in range(600):
        if step % 7 == 0 or game.over:
            assert load(json.loads(json.dumps(dump(game)))).digest() == game.digest()
        if game.over:
            break
        seat = chance.choice(game.to_act)
        game.choose(seat, chance.randrange(len(game.decision(seat).options)))


@pytest.mark.parametrize("seed", [1, 2, 3, 4, 107])
def test_what_is_written_in_the_middle_of_many_powers_is_read_as_the_same_game(seed: int) -> None:
    chance = Random(seed)
    game = crowded(2 + seed % 5, ("kickstarter", "kickstarter2", "flag"), seed)
    for step in range(300):
        if step % 4 == 0 or game.over:
            assert load(json.loads(json.dumps(dump(game)))).digest() == game.digest()
        if game.over:
            break
        seat = chance.choice(game.to_act)
        game.choose(seat, chance.randrange(len(game.decision(seat).options)))


def test_writing_changes_nothing_and_shares_nothing() -> None:
    game = walk(1, 3, 100)
    before = game.digest()
    data = dump(game)
    data["players"][0]["hand"].clear()
    data["progress"]["stack"].clear()
    assert game.digest() == before


def test_a_position_read_again_is_written_alike() -> None:
    data = dump(walk(2, 4, 150))
    assert json.dumps(dump(load(data))) == json.dumps(data)


def test_a_card_on_its_way_is_held() -> None:
    game = table(
        hands={0: "ill-1 tech-1"},
        ships={
            0: {"contracts": "ill-2"},
            1: {"place": "port", "contracts": "ill-3"},
            3: {"containers": "ill-4 tech-2"},
        },
    )
    play(game, "0 lead:piracy:ill-1*1", "0 pirate:ill-4@ship-3")
    assert offered(game, 0) == {"load:ill-4@ship-0", "load:ill-4@ship-1"}
    data = dump(game)
    assert data["held"] == ["ill-4"]
    again = load(data, game.catalogue)
    assert again.digest() == game.digest()
    play(again, "0 load:ill-4@ship-1")
    assert again.view(None)["ships"][1]["containers"] == ["ill-4"]


def test_a_written_game_that_is_too_full_for_a_moment_can_be_read() -> None:
    data = dump(walk(2, 4, 150))
    data["players"][0]["crew"] = []
    data["players"][0]["fulfilled"] = []
    assert "unchecked" not in data
    crowd = load({**player(crew=["ivory", "rope"]), "unchecked": True})
    assert dump(crowd)["unchecked"] is True
    assert load(dump(crowd)).digest() == crowd.digest()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            {"stack": [["Nonsense", "start"]]},
            'progress.stack holds a frame "Nonsense" that this version does not have',
        ),
        ({"stack": [["Table", "__init__"]]}, 'progress.stack: the frame Table has no step "__init__"'),
        ({"stack": [["Table", "clone"]]}, 'progress.stack: the frame Table has no step "clone"'),
        ({"stack": [["Table", 5]]}, "progress.stack: the frame Table has no step 5"),
        ({"stack": [[]]}, "progress.stack holds a frame null that this version does not have"),
        ({"then": "start"}, 'progress.then is "start", which is no step of the top frame'),
        ({"answers": []}, "progress.answers must have one entry for each of progress.asking"),
        ({"answers": [10_000]}, "progress.answers[0] is 10000; a whole number from -1 to "),
        ({"zones": "00"}, "progress.zones contradicts where the cards lie; leave progress out to forget it"),
        ({"zones": "zz"}, "progress.zones contradicts where the cards lie; leave progress out to forget it"),
        ({"secrets": [[1, 1]]}, "progress.secrets has 2 parts; 3 are expected"),
        ({"depth": -1}, "progress.depth is -1; a whole number from 0 to 1000 is expected"),
        ({"result": [[1, 2], [3], "credits"]}, "progress.result places must have one number for each of 3 seats"),
        ({"together": 1}, "progress.together is 1; true or false is expected"),
        ({"stack": []}, "progress.stack must begin with the frame Table, which goes from turn to turn"),
        ({"stack": [["Table", "done"]]}, "progress.stack must begin with the frame Table"),
        ({"stack": [["Table", "start"], ["Turn", -1, 1, "follow"]]}, "progress.stack: the action of Turn is -1"),
        ({"stack": [["Table", "start"], ["Turn", 0, 7, "follow"]]}, "progress.stack: the place in Turn is 7"),
        ({"asking": [], "answers": []}, "progress asks nobody anything, so the game could not go on"),
    ],
)  # fmt: skip
def test_damaged_progress_is_refused(change: dict[str, Any], sentence: str) -> None:
    data = dump(walk(3, 3, 50))
    data["progress"] |= change
    assert refusal(data).startswith(sentence)


def test_progress_that_no_rule_could_go_on_with_is_refused() -> None:
    data = dump(walk(3, 3, 50))
    options = data["progress"]["asking"][0][2]
    options[-1] = ["lead", "nothing", 1, 0, -1, -1, "", 1]
    assert refusal(data).startswith('progress cannot go on with "lead:nothing:')


def test_nobody_owes_credits_before_the_scoring() -> None:
    data = dump(walk(3, 3, 50))
    data["players"][1]["credits"] = -2
    assert refusal(data) == "players[1].credits is -2; only scoring goes below 0"


def test_every_part_of_progress_is_needed() -> None:
    data = dump(walk(3, 3, 50))
    for key in PROGRESS:
        less = {**data, "progress": {name: data["progress"][name] for name in PROGRESS if name != key}}
        assert refusal(less) == f"progress has no {key}; leave progress out to begin at the start of a turn"


# Any JSON value at all


IDS = [card.id for card in default_catalogue().cards]


LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=5),
    st.sampled_from(IDS),
    st.sampled_from(["port", "sea", "joined", "gone", "luxury", "flag", "box", "pile", "credits"]),
)


VALUES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(
            st.one_of(st.text(max_size=3), st.sampled_from([*KEYS, *PLAYER_KEYS, *SHIP_KEYS])), inner
        ),
    ),
    max_leaves=12,
)


TOKEN_IDS = [f"{name}-token-{number}" for name in TYPES[:5] for number in (1, 2, 41)]


ZONE = st.one_of(st.lists(st.sampled_from(IDS), max_size=3), st.lists(st.sampled_from(TOKEN_IDS), max_size=3))


FIELD = st.one_of(ZONE, st.integers(-2, 9), st.sampled_from(["port", "sea", "joined", "luxury"]), VALUES)


ROWS = st.lists(
    st.one_of(st.dictionaries(st.sampled_from(PLAYER_KEYS), FIELD, max_size=3), LEAVES), max_size=4
)


FLEET = st.lists(st.dictionaries(st.sampled_from(SHIP_KEYS), FIELD, max_size=4), max_size=4)


def attempt(data: Any) -> Game | None:
    """The game of a position, or nothing if it is refused, which must be in one sentence."""
    try:
        return load(data)
    except PositionError as error:
        sentence = str(error)
    assert "\n" not in sentence
    return None


def survives(data: Any) -> None:
    """Read it, or refuse it; what has been read can be played on."""
    game = attempt(data)
    if game is None:
        return
    for _ in range(8):
        for seat in game.to_act[:1]:
            game.choose(seat, game.decision(seat).default)
    json.dumps([game.view(seat) for seat in (None, *range(len(game.players)))])


@given(VALUES)
@settings(max_examples=150, deadline=None, derandomize=True)
def test_any_json_value_is_read_or_refused(data: Any) -> None:
    survives(data)


@given(
    st.fixed_dictionaries(
        {"players": ROWS, "ships": st.one_of(FLEET, VALUES)},
        optional={
            "island": FIELD,
            "pile": FIELD,
            "lead": FIELD,
            "sets": st.one_of(st.just(["flag", "kickstarter", "kickstarter2"]), VALUES),
            "containers": st.sampled_from(["cards", "tokens", "tokens-everywhere"]),
            "rest": FIELD,
            "marks": VALUES,
            "copies": VALUES,
            "ban": FIELD,
            "face_up": VALUES,
        },
    )
)
@settings(max_examples=200, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
def test_anything_like_a_position_is_read_or_refused(data: Any) -> None:
    survives(data)


MOMENTS = [dump(walk(seed, 2 + seed % 5, 40 + 30 * seed)) for seed in range(5)]


@given(st.sampled_from(MOMENTS), st.data())
@settings(max_examples=200, deadline=None, derandomize=True)
def test_a_written_position_in_which_one_value_is_another_is_read_or_refused(
    data: dict[str, Any], draw: st.DataObject
) -> None:
    data = json.loads(json.dumps(data))
    node: Any = data
    for _ in range(8):
        key = draw.draw(st.sampled_from(sorted(node) if isinstance(node, dict) else range(len(node))))
        if isinstance(node[key], (dict, list)) and node[key] and draw.draw(st.booleans()):
            node = node[key]
        else:
            node[key] = draw.draw(VALUES)
            break
    attempt(data)


def test_a_position_nested_without_end_is_refused() -> None:  # S074
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    for key in ("players", "island", "ships", "comment"):
        if key == "comment":
            load({**TWO, key: deep})  # a comment may be anything; nobody reads it
        else:
            refusal({**TWO, key: deep})
    data = dump(walk(3, 3, 50))
    for key in PROGRESS:
        refusal({**data, "progress": {**data["progress"], key: deep}})
