"""The catalogue: what the house data is, how cards are found, faces brought by tests."""

from __future__ import annotations

import pickle
import re
import subprocess
import sys
from collections import Counter
from importlib.resources import files
from pathlib import Path

import pytest

from arena.game.catalogue import (
    SETS,
    CatalogueError,
    Face,
    UnknownCard,
    UnknownSet,
    default_catalogue,
    power_ids,
    power_texts,
)
from arena.game.terms import (
    ACTION_OF,
    ACTIONS,
    AGRICULTURE,
    ANY,
    BARTER,
    CAPITAL,
    ILLEGAL,
    LUXURY,
    PIRACY,
    TECHNOLOGY,
)

RULEBOOK = Path(__file__).parents[2] / "docs" / "game-rules.md"

# The house catalogue


def test_the_house_catalogue_has_170_cards_in_seven_sets() -> None:  # R1.1
    catalogue = default_catalogue()
    assert [card.number for card in catalogue.cards] == list(range(1, 171))
    assert Counter(card.set for card in catalogue.cards) == SETS
    assert len(catalogue.number_of) == 170 + 20  # and the sides of the double cards


def test_every_power_is_on_exactly_one_card() -> None:  # R1.1
    powers = [face.power for card in default_catalogue().cards for face in card.contracts]
    assert len(powers) == 180
    assert set(powers) == power_ids()


def test_the_ten_j_cards_have_two_contracts_two_colours_and_no_level() -> None:  # R18
    doubles = [card for card in default_catalogue().cards if len(card.contracts) == 2]
    assert tuple(card.number for card in doubles) == default_catalogue().numbers_of_set("j")
    assert len({card.colors for card in doubles}) == 10
    assert all(card.level == () and len(set(card.colors)) == 2 for card in doubles)


def test_capital_levels_run_from_0_to_9_and_any_good_counts() -> None:  # R16.8
    catalogue = default_catalogue()
    numbers = catalogue.numbers_of_set("capital")
    assert {catalogue.level_sums[number] for number in numbers} == set(range(10))
    assert {type_ for number in numbers for type_, _ in catalogue.levels[number]} == {CAPITAL}
    assert {catalogue.actions[number] for number in numbers} == {BARTER}


@pytest.mark.parametrize(
    ("id", "color", "level_sum"), [("hawaiian-salt", AGRICULTURE, 2), ("rolls-royce", LUXURY, 2)]
)
def test_the_faces_that_the_rulebook_gives_away_are_kept(id: str, color: int, level_sum: int) -> None:  # 0.2
    catalogue = default_catalogue()
    number = catalogue.number_of[id]
    assert (catalogue.colors[number], catalogue.level_sums[number]) == (color, level_sum)
    assert catalogue.cards[number - 1].source["color"] == "rulebook"


def test_flour_asks_for_the_four_containers_of_its_text() -> None:
    catalogue = default_catalogue()
    assert len(catalogue.loads[catalogue.number_of["flour"]]) == 4


def test_the_base_set_asks_for_as_many_containers_of_each_colour() -> None:
    catalogue = default_catalogue()
    asked = Counter(mask for number in catalogue.numbers_of_set("base") for mask in catalogue.loads[number])
    assert asked == {1 << color: 59 for color in range(CAPITAL)}


def test_the_tuples_are_indexed_by_card_number() -> None:
    catalogue = default_catalogue()
    ivory = catalogue.card("ivory")
    assert ivory.contracts == (Face("ivory", ILLEGAL, (1 << LUXURY, 1 << ILLEGAL, 1 << ILLEGAL)),)
    number = ivory.number
    assert catalogue.ids[number] == "ivory"
    assert catalogue.names[number] == "Ivory"
    assert catalogue.colors[number] == ILLEGAL
    assert catalogue.actions[number] == PIRACY == ivory.action
    assert catalogue.levels[number] == ivory.level
    assert catalogue.loads[number] == ivory.contracts[0].load
    assert catalogue.powers[number] == "ivory"


def test_no_tuple_has_a_card_0() -> None:
    catalogue = default_catalogue()
    fields = (
        "ids",
        "names",
        "colors",
        "masks",
        "actions",
        "levels",
        "loads",
        "powers",
        "level_sums",
        "front",
    )
    for field in fields:
        assert len(getattr(catalogue, field)) == 1 + 170 + 20
        assert not getattr(catalogue, field)[0]


def test_each_side_of_a_double_card_has_a_number_behind_those_of_the_cards() -> None:  # R18.1
    catalogue = default_catalogue()
    card = catalogue.card("drones--olive-oil")
    first, second = catalogue.sides[card.number]
    assert (first, second) == (171, 172)
    assert [catalogue.ids[side] for side in (first, second)] == ["drones", "olive-oil"]
    assert [catalogue.names[side] for side in (first, second)] == ["Drones", "Olive Oil"]
    assert [catalogue.colors[side] for side in (first, second)] == [TECHNOLOGY, AGRICULTURE]
    assert [catalogue.powers[side] for side in (card.number, first, second)] == ["", "drones", "olive-oil"]
    assert [catalogue.loads[side] for side in (first, second)] == [face.load for face in card.contracts]
    assert catalogue.actions[second] == catalogue.action_of_type[AGRICULTURE]
    assert catalogue.masks[card.number] == 1 << TECHNOLOGY | 1 << AGRICULTURE
    assert {catalogue.front[number] for number in (card.number, first, second)} == {card.number}
    assert catalogue.sides[first] == (first,)
    assert catalogue.card("olive-oil") == catalogue.card("Olive Oil") == card
    ivory = catalogue.number_of["ivory"]
    assert (catalogue.front[ivory], catalogue.sides[ivory]) == (ivory, (ivory,))


def test_a_rainbow_slot_takes_any_colour_and_comes_last() -> None:  # R16.9
    face = (
        default_catalogue()
        .with_faces({"ivory": {"load": {"any": 2, "illegal": 1}}})
        .card("ivory")
        .contracts[0]
    )
    assert face.load == (1 << ILLEGAL, ANY, ANY)


def test_the_assumed_tables_are_data() -> None:  # 0.2, Q5, Q80
    catalogue = default_catalogue()
    assert catalogue.action_of_type == tuple(ACTION_OF[name] for name in ACTIONS)
    assert catalogue.tokyo_prices == (2, 2, 4, 6)
    assert catalogue.ports == tuple(range(6))
    assert catalogue.name == "house"


def test_the_house_catalogue_is_read_once() -> None:
    assert default_catalogue() is default_catalogue()
    assert power_texts() is power_texts()


def test_a_catalogue_can_go_to_another_process() -> None:
    catalogue = default_catalogue()
    copy = pickle.loads(pickle.dumps(catalogue))
    assert (copy.hash, copy.cards) == (catalogue.hash, catalogue.cards)


def test_importing_the_catalogue_loads_no_parser() -> None:
    code = "import sys, arena.game.catalogue; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"tomllib", "json", "difflib", "dataclasses", "inspect"} & set(run.stdout.split())


# The texts of the powers


def test_every_power_has_its_texts() -> None:
    assert len(power_texts()) == 180
    for id, text in power_texts().items():
        assert text.id == id
        assert text.timing in ("immediate", "anytime", "continuous", "end")
        assert text.printed in ("immediate", "anytime", "none")
        assert all((text.name, text.effect, text.ruling, text.test))


def test_a_text_keeps_what_only_some_powers_have() -> None:
    flour = power_texts()["flour"]
    assert flour.hooks == ("from_hand", "on_contract", "load_match")
    assert flour.hidden_info
    assert flour.printed_facts
    assert power_texts()["ivory"].hidden_info == ""


def test_every_rule_that_a_power_cites_is_in_the_rulebook() -> None:
    defined = re.compile(
        r"^(?:## (R\d+)\.|- \*\*(R\d+\.\d+)\b|\| (T[PD]?\d+[a-z]?|[QPD]\d+) (?:`ruling` )?\|)", re.MULTILINE
    )
    ids = {next(filter(None, found)) for found in defined.findall(RULEBOOK.read_text("utf-8"))}
    text = files("arena.data").joinpath("powers.toml").read_text("utf-8")
    cited = set(re.findall(r"(?<![\w.])(R\d+(?:\.\d+)?|T[PD]?\d+[a-z]?|[QPD]\d+)(?![\w])", text))
    whole_examples = {id[:-1] for id in ids if id[0] == "T" and id[-1].isalpha()}
    assert cited - ids - whole_examples == set()
    assert len(cited) > 50


# Finding cards


@pytest.mark.parametrize("name", ["rolls-royce", "Rolls Royce", "ROLLS ROYCE", " rolls royce "])
def test_a_card_is_found_by_id_and_by_name_in_any_case(name: str) -> None:
    assert default_catalogue().card(name).id == "rolls-royce"


@pytest.mark.parametrize(
    "name", ["drones--olive-oil", "Drones / Olive Oil", "olive-oil", "Olive Oil", "drones"]
)
def test_a_card_with_two_contracts_is_found_by_either(name: str) -> None:
    assert default_catalogue().card(name).id == "drones--olive-oil"


def test_an_unknown_card_is_named_with_those_most_like_it() -> None:
    with pytest.raises(UnknownCard) as caught:
        default_catalogue().card("Ivry")
    assert str(caught.value) == 'there is no card "Ivry"; did you mean ivory?'


def test_an_unknown_card_is_likened_to_each_card_once() -> None:
    with pytest.raises(UnknownCard, match=r"did you mean led-lights or dark-flight\?$"):
        default_catalogue().card("ledlights")


def test_an_unknown_card_like_no_other_is_cut_short() -> None:
    with pytest.raises(UnknownCard) as caught:
        default_catalogue().card("\x1b[2J" + "q" * 100_000)
    assert str(caught.value) == f'there is no card "?[2J{"q" * 36}..."; no name is like it'


def test_an_unknown_set_is_named_with_the_sets() -> None:
    with pytest.raises(UnknownSet) as caught:
        default_catalogue().numbers_of_set("mars")
    expected = 'there is no set "mars"; the sets are base, capital, tokyo, kickstarter, kickstarter2, j, flag'
    assert str(caught.value) == expected


# Faces brought by a test


def test_with_faces_changes_one_card_of_a_copy() -> None:
    house = default_catalogue()
    before = house.card("tortillas")
    changed = house.with_faces(
        {"tortillas": {"color": "agriculture", "load": {"agriculture": 3}, "level": {}}}
    )
    number = house.number_of["tortillas"]
    assert changed.colors[number] == AGRICULTURE
    assert changed.actions[number] == house.action_of_type[AGRICULTURE]
    assert changed.loads[number] == (1 << AGRICULTURE,) * 3
    assert changed.level_sums[number] == 0
    assert changed.cards[number - 1].contracts[0].color == AGRICULTURE
    assert [a for a, b in zip(changed.cards, house.cards, strict=True) if a != b] == [
        changed.card("tortillas")
    ]
    assert changed.hash != house.hash
    assert house.card("tortillas") == before


def test_with_faces_can_make_any_card_a_capital_card_and_back() -> None:
    changed = default_catalogue().with_faces(
        {"ivory": {"color": "capital", "level": {"any": 4}}, "automation": {"color": "technology"}}
    )
    assert (changed.card("ivory").action, changed.card("ivory").level) == (BARTER, ((CAPITAL, 4),))
    assert changed.card("automation").colors == (TECHNOLOGY,)


def test_with_faces_can_give_a_card_an_action_that_its_colour_does_not_have() -> None:  # P39
    changed = default_catalogue().with_faces({"ivory": {"action": "barter"}})
    assert changed.actions[changed.number_of["ivory"]] == BARTER
    assert changed.card("ivory").colors == (ILLEGAL,)
    assert changed.with_faces({"flour": {"level": {}}}).card("ivory").action == BARTER


def test_with_faces_takes_both_colours_and_loads_of_a_card_with_two_contracts() -> None:
    changed = default_catalogue().with_faces(
        {"drones--olive-oil": {"colors": ["illegal", "luxury"], "load": [{"illegal": 1}, {"any": 2}]}}
    )
    card = changed.card("drones")
    assert card.contracts == (Face("drones", ILLEGAL, (1 << ILLEGAL,)), Face("olive-oil", LUXURY, (ANY, ANY)))
    assert card.colors == (ILLEGAL, LUXURY)


def test_with_faces_can_change_one_side_of_a_card_with_two_contracts() -> None:
    changed = default_catalogue().with_faces({"olive-oil": {"color": "luxury", "load": {"any": 2}}})
    card = changed.card("drones")
    assert card.contracts[0] == default_catalogue().card("drones").contracts[0]
    assert card.contracts[1] == Face("olive-oil", LUXURY, (ANY, ANY))
    assert card.colors == (TECHNOLOGY, LUXURY)


@pytest.mark.parametrize(
    ("id", "change", "message"),
    [
        ("ivory", {"load": {}}, "face of ivory: load asks for 0 Containers; 1 to 6 are allowed"),
        ("ivory", {"level": {"any": 10}}, "face of ivory: level asks for 10 Goods; 0 to 9 are allowed"),
        (
            "ivory",
            {"price": 3},
            'face of ivory has the unknown field "price"; known are color, level, load, action',
        ),
        (
            "drones--olive-oil",
            {"colors": ["luxury"]},
            "face of drones--olive-oil: colors has 1 entries; 2 are expected",
        ),
        (
            "drones",
            {"colors": ["luxury"]},
            'face of drones has the unknown field "colors"; known are color, level, load',
        ),
        (
            "drones",
            {"level": {"luxury": 1}},
            "face of drones: level must be {}; a card with two contracts has no Level prerequisite (R18.2)",
        ),
        (
            "drones--olive-oil",
            {"load": {"any": 1}},
            "face of drones--olive-oil: load is a table; an array of 2 is expected",
        ),
    ],
)
def test_with_faces_refuses_what_no_card_can_have(id: str, change: dict[str, object], message: str) -> None:
    with pytest.raises(CatalogueError) as caught:
        default_catalogue().with_faces({id: change})
    assert str(caught.value) == message


def test_with_faces_refuses_a_card_that_is_not_there() -> None:
    with pytest.raises(UnknownCard, match="tortilla"):
        default_catalogue().with_faces({"tortilla": {"level": {}}})
