"""Positions: read, refused in one sentence that names the zone and the card, and the command that shows them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from position_rows import TWO, player, refusal, walk
from table import table

from arena.cli.position import command
from arena.game import PositionError
from arena.game.catalogue import SETS, default_catalogue
from arena.game.positions import MAX_TEXT, dump, load, parse
from arena.game.terms import TYPES

UNLESS = 'change it, or say "unchecked": true'


def ship(**lies: Any) -> dict[str, Any]:
    return {**TWO, "ships": [lies]}


# Reading


def test_all_but_the_players_may_be_left_out() -> None:
    game = load(TWO)
    view = game.view(None)
    assert [player["credits"] for player in view["players"]] == [10, 10]
    assert [player["port"] for player in view["players"]] == ["technology", "agriculture"]
    assert [player["hand"] for player in view["players"]] == [2, 0]
    assert [(ship["owner"], ship["place"], len(ship["containers"])) for ship in view["ships"]] == [
        (0, "port", 0),
        (0, "sea", 4),
        (1, "port", 0),
        (1, "sea", 4),
    ]
    assert (view["pile"], view["discard"], view["island"]) == (90, 0, [])
    assert (view["turn"], view["lead"]) == (1, 0)
    assert game.to_act == (0,)
    assert game.decision(0).kind == "lead"


def test_cards_not_named_go_under_the_pile_by_number_or_out_of_the_game() -> None:
    named = {
        **TWO,
        "pile": ["sugar", "beer"],
        "ships": [{"place": "port"}, {"place": "port"}, {}, {"place": "port"}],
    }
    ids = default_catalogue().ids
    pile = [ids[card] for card in reversed(load(named).pile)]
    assert pile[:4] == ["sugar", "beer", "3d-printers", "ar-glasses"]
    assert len(pile) == 98
    boxed = load({**named, "rest": "box"})
    assert [ids[card] for card in reversed(boxed.pile)] == ["sugar", "beer"]
    assert len(boxed.boxed) == 96


def test_both_piles_are_written_top_first() -> None:
    game = load({**TWO, "pile": ["sugar", "beer"], "discard": ["foxes", "pens"], "rest": "box"})
    assert game.view(None)["top_discard"] == "foxes"
    game.choose_text(0, "draw")
    assert "sugar" in game.view(0)["hand"]


def test_a_position_begins_with_the_turn_that_it_names() -> None:
    game = load({"players": [{}, {"hand": ["ivory"]}, {}], "lead": 1, "turn": 17})
    assert (game.turn, game.lead, game.to_act) == (17, 1, (1,))


def test_a_ship_is_named_by_its_number_or_by_its_place_in_the_list() -> None:
    game = load({**TWO, "ships": [{"ship": 2, "contracts": ["sugar"]}, {"containers": ["rice"]}]})
    assert [ship["contracts"] for ship in game.view(None)["ships"]] == [[], [], ["sugar"], []]
    assert game.view(None)["ships"][3]["containers"] == ["rice"]


def test_what_lies_beyond_a_limit_is_read_if_the_position_says_unchecked() -> None:
    crowd = player(crew=["ivory", "rope"])
    assert refusal(crowd) == (
        'players[0].crew has 2 cards and the limit is 1; change it, or say "unchecked": true'
    )
    assert load({**crowd, "unchecked": True}).view(None)["players"][0]["crew"] == ["ivory", "rope"]


def test_who_holds_which_hidden_card_is_known_to_nobody_in_a_written_position() -> None:
    game = load({"players": [{"hand": ["ivory"]}, {"hand": ["rope"]}], "pile": ["sugar"], "rest": "box"})
    ids = default_catalogue().ids
    held = {ids[game.sample(None, seed).players[0].hand[0]] for seed in range(40)}
    assert held == {"ivory", "rope", "sugar"}


def test_the_end_that_a_position_has_triggered_comes_before_another_turn() -> None:
    game = load({**TWO, "ending": "credits"})
    assert game.over
    assert game.result is not None
    assert game.result.reason == "credits"


# Refusals


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (
            {**TWO, "island": ["ivory"]},
            "island has ivory and players[0].hand has it too; each card lies in one place",
        ),
        (player(goods=["ivory", "ivory"]), "players[0].goods has ivory twice; each card lies in one place"),
        (
            {"players": [{"crew": ["ivory"]}, {"hand": ["ivory"]}]},
            "players[1].hand has ivory and players[0].crew has it too; each card lies in one place",
        ),
        (
            ship(contracts=["ivory"]),
            "ship-0.contracts has ivory and players[0].hand has it too; each card lies in one place",
        ),
        (player(hand=["ivry"]), 'players[0].hand names "ivry", which is no card; did you mean ivory?'),
        (player(hand=[5]), "players[0].hand names 5, which is no card; give its id"),
        (
            player(hand=["rice-cookers"]),
            "players[0].hand names rice-cookers of the set flag, which is not in use; add \"flag\" to sets",
        ),
        (player(credits=-2), "players[0].credits is -2; nobody has less than 0"),
        (
            player(credits=10**9),
            "players[0].credits is 1000000000; a whole number from -10000 to 10000 is expected",
        ),
        (
            player(credits=10**5000),
            "players[0].credits is a huge number; a whole number from -10000 to 10000 is expected",
        ),
        (player(credits=True), "players[0].credits is true; a whole number from -10000 to 10000 is expected"),
        (player(credits=2.0), "players[0].credits is 2.0; a whole number from -10000 to 10000 is expected"),
        (player(hand="ivory"), 'players[0].hand is "ivory"; a list is expected'),
        (player(hnd=[]), 'players[0] has the unknown key "hnd"; did you mean hand?'),
        (player(port="mars"), 'players[0].port is "mars"; it must be one of ' + ', '.join(TYPES)),
        (
            player(played=["ivory"]),
            "players[0].played belongs to the middle of a turn; without `progress` a turn begins",
        ),
        ({**TWO, "isalnd": []}, 'the position has the unknown key "isalnd"; did you mean island or discard?'),
        ({**TWO, "sets": ["mars"]}, f"there is no set 'mars'; the sets are {', '.join(SETS)}, tokyo-port"),
        ({**TWO, "sets": [["flag"]]}, "sets is a list; a word is expected"),
        ({**TWO, "lead": 2}, "lead is 2; a whole number from 0 to 1 is expected"),
        ({**TWO, "rest": "bin"}, 'rest is "bin"; it must be one of pile, box'),
        (
            {**TWO, "held": ["pens"]},
            "held is for cards on their way in the middle of a turn; without `progress` none are",
        ),
        ({**TWO, "ending": "soon"}, 'ending is "soon"; say credits, cards, turns or a power\'s id'),
        (
            {**TWO, "copies": {"ivory": "foxes"}},
            "copies.ivory must be a power's id for a card in a fulfilled area",
        ),
        ({**TWO, "format": 2}, "format is 2; 1 is expected"),
        (ship(place="moon"), 'ship-0.place is "moon"; it must be one of port, sea, departing, joined, gone'),
        (ship(owner=1), "ship-0.owner is 1; this Ship is of seat 0"),
        (
            ship(place="sea", containers=[]),
            "ship-0 is at sea without containers, and such a Ship returns at once; " + UNLESS,
        ),
        (
            ship(place="sea", contracts=["sugar"], containers=["rice"]),
            "ship-0 is at sea with contracts, which lie under Ships in Port; " + UNLESS,
        ),
        (ship(place="departing"), "ship-0 is departing, which no Ship is between two effects; " + UNLESS),
        (
            ship(contracts=["tablets", "sugar"]),
            "ship-0.contracts need more Containers than one Ship may be loaded with; " + UNLESS,
        ),
        (
            ship(contracts=["sugar"], containers=["rice", "wheat"]),
            "ship-0 has all that its contracts need aboard, and such a Ship sails at once; " + UNLESS,
        ),
        (ship(rainbow=["sugar"]), "ship-0.rainbow has sugar, which must be one of its containers, once"),
        (ship(joined=0), "ship-0.joined is 0; the other half is a Ship of the same owner"),
        (ship(joined=2), "ship-0.joined is 2; the other half is a Ship of the same owner"),
        (ship(joined=4), "ship-0.joined is 4; the other half is a Ship of the same owner"),
        (ship(ship=4), "ship-4.owner is -1; a whole number from 0 to 1 is expected"),
        (ship(ship=9), "ships[0].ship is 9; a whole number from 0 to 4 is expected"),
        ({**TWO, "ships": [{"ship": 1}, {"ship": 1}]}, "ships[1] is ship-1 once more; each Ship has one entry"),
        ({"players": [{}]}, "players has 1 entries; one for each of 2 to 6 is expected"),
        ({"players": [{}] * 7}, "players has 7 entries; one for each of 2 to 6 is expected"),
        ({}, "players has 0 entries; one for each of 2 to 6 is expected"),
        ([], "the position is a list; an object is expected"),
        (None, "the position is null; an object is expected"),
        ({**TWO, "seed": -1}, "the seed -1 is not one; give a whole number from 0 to 2**256 - 1"),
    ],
)  # fmt: skip
def test_a_faulty_position_is_refused_with_its_zone_and_card(data: Any, sentence: str) -> None:
    assert refusal(data) == sentence


TOKENS: dict[str, Any] = {**TWO, "containers": "tokens"}


LIES = "what lies there is"


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({**TWO, "containers": "boxes"}, 'containers is "boxes"; take cards, tokens or tokens-everywhere'),
        (
            {**TWO, "ships": [{"containers": ["luxury-token-1"]}]},
            'ship-0.containers names "luxury-token-1", which is no card; no name is like it',
        ),
        (
            {**TOKENS, "ships": [{"containers": ["sugar"]}]},
            f"ship-0.containers has sugar; with containers tokens {LIES} a token, as luxury-token-1",
        ),
        (
            {**TOKENS, "players": [{"goods": ["luxury-token-1"]}, {}]},
            f"players[0].goods has luxury-token-1; with containers tokens {LIES} a card",
        ),
        (
            {**TOKENS, "containers": "tokens-everywhere", "players": [{"crew": ["sugar"]}, {}]},
            f"players[0].crew has sugar; with containers tokens-everywhere {LIES} a token, as luxury-token-1",
        ),
        (
            {**TOKENS, "island": ["luxury-token-1"]},
            "island has luxury-token-1; tokens lie on Ships, and as Crew or Goods",
        ),
        (
            {**TOKENS, "players": [{"hand": ["luxury-token-1"]}, {}]},
            "players[0].hand has luxury-token-1; tokens lie on Ships, and as Crew or Goods",
        ),
        (
            {**TOKENS, "ships": [{"containers": ["luxury-token-1", "luxury-token-1"]}]},
            "ship-0.containers has luxury-token-1 twice; each card lies in one place",
        ),
    ],
)  # fmt: skip
def test_tokens_are_refused_where_none_lie_and_cards_where_tokens_do(data: Any, sentence: str) -> None:
    assert refusal(data) == sentence  # R20.1, R20.4


@pytest.mark.parametrize(
    "id",
    [
        "luxury-token-0",
        "luxury-token-01",
        "luxury-token-1000",
        "capital-token-1",
        "luxury-token-",
        "luxury-token-²",
    ],
)
def test_what_is_no_token_is_refused(id: str) -> None:
    assert f'"{id}", which is no card' in refusal({**TOKENS, "ships": [{"containers": [id]}]})


def test_a_position_with_tokens_is_written_and_read() -> None:  # R20.1, Q103
    ships = [{"containers": ["luxury-token-3", "illegal-token-77"]}]
    game = load({**TOKENS, "ships": ships})
    view = game.view(None)
    assert view["ships"][0]["containers"] == ["luxury-token-3", "illegal-token-77"]
    assert all(len(ship["containers"]) == 4 for ship in view["ships"] if ship["place"] == "sea")
    assert sum(view["tokens"].values()) == 2 + 2 * 4
    assert load(dump(game)).digest() == game.digest()


def test_a_position_with_171_cards_is_refused() -> None:
    ids = [card.id for card in default_catalogue().cards if card.set == "base"]
    extra = {"players": [{}, {}], "pile": [*ids, "ivory"]}
    assert refusal(extra) == "pile has ivory twice; each card lies in one place"
    assert refusal({"players": [{}, {}], "pile": ["ivory"] * 171}) == (
        "pile has 171 entries; there can be at most 170"
    )


def test_a_position_of_another_catalogue_is_refused() -> None:
    data = dump(table())
    assert refusal(data).startswith('the position is for the catalogue "')


# Text


def test_text_that_is_no_json_is_refused() -> None:
    for text in ("", "{", "[" * 200_000, '{"a": 1, "a": 2}', "1" * 5000, "x" * (MAX_TEXT + 1)):
        with pytest.raises(PositionError) as caught:
            parse(text)
        assert len(str(caught.value)) < 200


# The command


def arena(tmp_path: Path, text: str | bytes, *arguments: str) -> tuple[int, str, str]:
    path = tmp_path / "position.json"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    result = CliRunner(env={"FORCE_COLOR": None, "TTY_COMPATIBLE": None}).invoke(
        command, [str(path), *arguments]
    )
    return result.exit_code, result.stdout, result.stderr.replace(str(path), "FILE")


def test_the_command_shows_the_table_the_hands_and_what_is_asked(tmp_path: Path) -> None:
    code, shown, _ = arena(
        tmp_path, json.dumps({**TWO, "island": ["sugar"], "ships": [{"contracts": ["rice"]}]})
    )
    assert code == 0
    assert shown.startswith("Turn 1, seat 0 leads\nIsland   sugar\nPile     88 cards\nDiscard  0 cards\n")
    row = next(line for line in shown.splitlines() if line.startswith("0 "))
    assert row.split() == ["0", "technology", "10", "rope,", "ivory", "-", "(0/1)", "-", "(0/2)", "-", "-"]
    assert "Seat 0 is asked: lead\n   0  draw\n" in shown
    assert "  scrap@ship-0\n" in shown


def test_the_command_prints_a_view_for_programs(tmp_path: Path) -> None:
    text = json.dumps(TWO)
    _, everything, _ = arena(tmp_path, text, "--json")
    assert json.loads(everything)["hands"] == [["rope", "ivory"], []]
    _, public, _ = arena(tmp_path, text, "--json", "--public")
    assert json.loads(public) == load(TWO).view(None)
    _, own, _ = arena(tmp_path, text, "--json", "--seat", "0")
    assert json.loads(own) == load(TWO).view(0)


def test_the_command_shows_every_moment_of_a_game(tmp_path: Path) -> None:
    for seed in range(6):
        code, shown, error = arena(tmp_path, json.dumps(dump(walk(seed, 2 + seed % 5, 60 * seed))))
        assert (code, error) == (0, "")
        assert shown.startswith("Turn ")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{}", "FILE: players has 0 entries; one for each of 2 to 6 is expected"),
        ("nothing", "FILE: the position is no JSON: Expecting value: line 1 column 1 (char 0)"),
        ("[" * 100_000, "FILE: the position is nested too deeply; a position is an object of lists"),
        ('{"players": 1, "players": 2}', 'FILE: the key "players" is given twice in one object; drop one of them'),
        (b"\xff", "FILE: line 1 is not UTF-8; save the file as UTF-8"),
        (b" " * (MAX_TEXT + 1), "FILE: has more than 1024 KB, the most that is read of a position"),
    ],
)  # fmt: skip
def test_the_command_refuses_a_bad_file_with_one_sentence(tmp_path: Path, text: str, sentence: str) -> None:
    code, shown, error = arena(tmp_path, text)
    assert (code, shown) == (2, "")
    assert error == f"Error: {sentence}\n"


def test_the_command_refuses_a_seat_that_is_not_there(tmp_path: Path) -> None:
    code, _, error = arena(tmp_path, json.dumps(TWO), "--seat", "2")
    assert (code, error) == (2, "Error: there is no seat 2; this position has the seats 0 to 1\n")
    code, _, error = arena(tmp_path, json.dumps(TWO), "--seat", "1", "--public")
    assert (code, error) == (2, "Error: --public and --seat 1 show different things; give only one of them\n")
