"""Catalogue files: what is refused, and in which words."""

from __future__ import annotations

import pytest
from catalogue_texts import BETWEEN, TEXT, edited, refusal, with_card

from arena.game.catalogue import Catalogue
from arena.game.catalogue_form import RESERVED
from arena.game.terms import ACTIONS, AGRICULTURE, TECHNOLOGY, TYPES


def faults(table: str) -> pytest.MarkDecorator:
    """Cases from paragraphs: a passage of the file, what replaces it, the message on one or more lines."""
    rows = [paragraph.splitlines() for paragraph in table.strip().split("\n\n")]
    cases = [(old, "" if new == "(nothing)" else new, " ".join(message)) for old, new, *message in rows]
    return pytest.mark.parametrize(
        ("old", "new", "message"), cases, ids=[f"{old} to {new}" for old, new, _ in cases]
    )


@faults(r"""
schema = 1
schema = 2
cards.toml: schema is 2; 1 is expected

schema = 1
schema = true
cards.toml: schema is true; 1 is expected

schema = 1
schema = 1.0
cards.toml: schema is 1.0; 1 is expected

schema = 1
schema = 1979-05-27
cards.toml: schema is 1979-05-27; 1 is expected

count = 170
(nothing)
cards.toml has no field count; it needs schema, catalogue, count, actions, tokyo, ports, card

count = 170
count = 169
cards.toml: count is 169; 170 is expected

count = 170
cuont = 170
cards.toml has the unknown field "cuont"; known are schema, catalogue, count, actions, tokyo, ports, card

catalogue = "house"
catalogue = ""
cards.toml: catalogue is ""; one line of text is expected

catalogue = "house"
catalogue = "a\nb"
cards.toml: catalogue is "a?b"; one line of text is expected

catalogue = "house"
catalogue = []
cards.toml: catalogue is an array; one line of text is expected

technology = "load"
technology = "sail"
cards.toml: [actions]: technology is "sail"; one of load, contract, import, supply, piracy, barter is expected

technology = "load"
technology = "import"
cards.toml: [actions]: two colours have the same action; each needs one of its own

capital = "barter"
(nothing)
cards.toml: [actions] has no field capital;
it needs technology, agriculture, consumer, luxury, illegal, capital

capital = "barter"
pink = "barter"
cards.toml: [actions] has the unknown field "pink";
known are technology, agriculture, consumer, luxury, illegal, capital

prices = [2, 2, 4, 6]
prices = [2, 2, 4]
cards.toml: [tokyo]: prices has 3 entries; 4 are expected

prices = [2, 2, 4, 6]
prices = 2
cards.toml: [tokyo]: prices is 2; an array of 4 is expected

prices = [2, 2, 4, 6]
prices = [2, 2, 4, 5]
cards.toml: [tokyo]: prices are 2, 2, 4, 5; they must be even and must not fall

prices = [2, 2, 4, 6]
prices = [2, 4, 2, 6]
cards.toml: [tokyo]: prices are 2, 4, 2, 6; they must be even and must not fall

prices = [2, 2, 4, 6]
prices = [-2, 2, 4, 6]
cards.toml: [tokyo]: prices is -2; a whole number from 0 to 100 is expected

prices = [2, 2, 4, 6]
prices = [false, 2, 4, 6]
cards.toml: [tokyo]: prices is false; a whole number from 0 to 100 is expected

prices = [2, 2, 4, 6]
price = 2
cards.toml: [tokyo] has the unknown field "price"; known are prices

"illegal", "capital"]
"capital", "illegal"]
cards.toml: [ports]: colors are technology, agriculture, consumer, luxury, capital, illegal;
each must occur once, with capital last

"illegal", "capital"]
"luxury", "capital"]
cards.toml: [ports]: colors are technology, agriculture, consumer, luxury, luxury, capital;
each must occur once, with capital last

"illegal", "capital"]
"capital"]
cards.toml: [ports]: colors has 5 entries; 6 are expected

"illegal", "capital"]
"illegal", "grey"]
cards.toml: [ports]: colors is "grey";
one of technology, agriculture, consumer, luxury, illegal, capital is expected

[ports]
[harbours]
cards.toml has the unknown field "harbours"; known are schema, catalogue, count, actions, tokyo, ports, card

[ports]
[[ports]]
cards.toml: [ports] is an array; a table is expected
""")
def test_a_fault_at_the_head_of_the_file_is_named(old: str, new: str, message: str) -> None:
    assert refusal(edited(old, new)) == message


@faults("""
load = { illegal = 2, luxury = 1 }
load = { illegal = 7 }
cards.toml: card 92 (ivory): load asks for 7 Containers; 1 to 6 are allowed

load = { illegal = 2, luxury = 1 }
load = {}
cards.toml: card 92 (ivory): load asks for 0 Containers; 1 to 6 are allowed

load = { illegal = 2, luxury = 1 }
load = { illegal = 0 }
cards.toml: card 92 (ivory): load: illegal is 0; a whole number from 1 to 99 is expected

load = { illegal = 2, luxury = 1 }
load = { illegal = true }
cards.toml: card 92 (ivory): load: illegal is true; a whole number from 1 to 99 is expected

load = { illegal = 2, luxury = 1 }
load = { illegal = "2" }
cards.toml: card 92 (ivory): load: illegal is "2"; a whole number from 1 to 99 is expected

load = { illegal = 2, luxury = 1 }
load = { pink = 2 }
cards.toml: card 92 (ivory): load has the unknown colour "pink";
known are technology, agriculture, consumer, luxury, illegal, any

load = { illegal = 2, luxury = 1 }
load = { capital = 2 }
cards.toml: card 92 (ivory): load has the unknown colour "capital";
known are technology, agriculture, consumer, luxury, illegal, any

load = { illegal = 2, luxury = 1 }
load = [2]
cards.toml: card 92 (ivory): load is an array; a table is expected

load = { illegal = 2, luxury = 1 }
(nothing)
cards.toml: card 92 (ivory) has no field load;
it needs number, id, name, set, level, source, color, load, power

level = { illegal = 1 }
level = { illegal = 7 }
cards.toml: card 92 (ivory): level asks for 7 Goods; 0 to 6 are allowed

level = { illegal = 1 }
level = { any = 1 }
cards.toml: card 92 (ivory): level has the unknown colour "any";
known are technology, agriculture, consumer, luxury, illegal

level = { illegal = 1 }
level = 1
cards.toml: card 92 (ivory): level is 1; a table is expected

color = "illegal"
color = "pink"
cards.toml: card 92 (ivory): color is "pink";
one of technology, agriculture, consumer, luxury, illegal, capital is expected

color = "illegal"
color = 4
cards.toml: card 92 (ivory): color is 4;
one of technology, agriculture, consumer, luxury, illegal, capital is expected

color = "illegal"
color = "capital"
cards.toml: card 92 (ivory): color is capital in the set base;
the set capital has the Capital cards and no others

set = "base"
set = "capital"
cards.toml: card 92 (ivory): color is illegal in the set capital;
the set capital has the Capital cards and no others

set = "base"
set = "moon"
cards.toml: card 92 (ivory): set is "moon";
one of base, capital, tokyo, kickstarter, kickstarter2, j, flag is expected

set = "base"
set = "flag"
cards.toml: set base has 99 cards; 100 are expected (R1.1)

power = "ivory"
power = "ivry"
cards.toml: card 92 (ivory): power "ivry" does not exist; did you mean ivory?

power = "ivory"
power = 3
cards.toml: card 92 (ivory): power is 3; one line of text is expected

name = "Ivory"
name = "Tusks"
cards.toml: card 92 (ivory): name is "Tusks"; the power's name "Ivory" is expected

name = "Ivory"
name = 1
cards.toml: card 92 (ivory): name is 1; the power's name "Ivory" is expected

color = "inferred"
color = "guessed"
cards.toml: card 92 (ivory): source.color is "guessed"; one of rulebook, inferred, house, printed is expected

, set = "house" }
}
cards.toml: card 92 (ivory): source has no field set; it needs color, level, load, set

, set = "house" }
, set = "house", by = "me" }
cards.toml: card 92 (ivory): source has the unknown field "by"; known are color, level, load, set

why = "colour: power names Illegal cards or Goods"
(nothing)
cards.toml: card 92 (ivory): why is missing; it must state the fact or clue behind the source

why = "colour: power names Illegal cards or Goods"
why = 1
cards.toml: card 92 (ivory): why is 1; one line of text is expected

why = "colour
wyh = "colour
cards.toml: card 92 (ivory) has the unknown field "wyh";
known are number, id, name, set, level, source, color, load, power, why

number = 92
number = 0
cards.toml: [[card]] 92 in the file (ivory): number is 0; a whole number from 1 to 170 is expected

number = 92
number = true
cards.toml: [[card]] 92 in the file (ivory): number is true; a whole number from 1 to 170 is expected

number = 92
(nothing)
cards.toml: [[card]] 92 in the file (ivory) has no field number;
it needs number, id, name, set, level, source, color, load, power

number = 92
number = 91
cards.toml: number 91 is on two cards, insects and ivory; each number must occur once

id = "ivory"
id = 5
cards.toml: card 92: id is 5; one line of text is expected

id = "ivory"
id = "Ivory"
cards.toml: card 92 (Ivory): id is "Ivory"; it must be small letters and digits joined by - or --

id = "ivory"
id = "ivory---2"
cards.toml: card 92 (ivory---2): id is "ivory---2"; it must be small letters and digits joined by - or --

id = "ivory"
id = "ivory-"
cards.toml: card 92 (ivory-): id is "ivory-"; it must be small letters and digits joined by - or --

id = "ivory"
id = "ivöry"
cards.toml: card 92 (ivöry): id is "ivöry"; it must be small letters and digits joined by - or --

id = "ivory"
id = "flour"
cards.toml: id flour is on two cards, number 28 and number 92; each id must occur once
""")
def test_a_fault_of_a_card_is_named_with_the_card_and_the_field(old: str, new: str, message: str) -> None:
    assert refusal(with_card("ivory", old, new)) == message


@faults("""
level = {}
level = { luxury = 1 }
cards.toml: card 151 (drones--olive-oil): level must be {};
a card with two contracts has no Level prerequisite (R18.2)

colors = ["technology", "agriculture"]
colors = ["technology", "technology"]
cards.toml: card 151 (drones--olive-oil): colors must be two different ones, each that of one of the contracts

colors = ["technology", "agriculture"]
colors = ["technology", "luxury"]
cards.toml: card 151 (drones--olive-oil): colors must be two different ones, each that of one of the contracts

colors = ["technology", "agriculture"]
colors = ["technology"]
cards.toml: card 151 (drones--olive-oil): colors has 1 entries; 2 are expected

colors = ["technology", "agriculture"]
colors = ["technology", "capital"]
cards.toml: card 151 (drones--olive-oil): colors is "capital";
one of technology, agriculture, consumer, luxury, illegal is expected

colors = ["technology", "agriculture"]
color = "technology"
cards.toml: card 151 (drones--olive-oil) has the unknown field "color";
known are number, id, name, set, level, source, colors, contracts, why

{ power = "drones", color
{ price = 1, color
cards.toml: card 151 (drones--olive-oil): contracts has the unknown field "price";
known are power, color, load

load = { agriculture = 2 }
load = { agriculture = 9 }
cards.toml: card 151 (drones--olive-oil): agriculture contract: load asks for 9 Containers; 1 to 6 are allowed
""")
def test_a_fault_of_a_card_with_two_contracts_is_named(old: str, new: str, message: str) -> None:
    assert refusal(with_card("drones--olive-oil", old, new)) == message


@pytest.mark.parametrize("word", sorted(RESERVED))
def test_no_card_has_a_word_of_the_text_form_as_its_id(word: str) -> None:
    message = (
        f'cards.toml: card 92 ({word}): id is "{word}", a word of the options\' text form; choose another'
    )
    assert refusal(with_card("ivory", 'id = "ivory"', f'id = "{word}"')) == message


def test_the_words_of_the_text_form_are_reserved() -> None:
    words = "pass draw hand crew goods island fulfilled discard pile ship seat"
    assert {*TYPES, *ACTIONS, *words.split()} == RESERVED


def test_a_capital_card_of_level_10_is_refused() -> None:  # R16.8
    message = "cards.toml: card 101 (automation): level asks for 10 Goods; 0 to 9 are allowed"
    assert refusal(with_card("automation", "{ any = 9 }", "{ any = 10 }")) == message


def test_a_capital_card_has_no_level_in_a_colour() -> None:  # R16.8
    message = 'cards.toml: card 101 (automation): level has the unknown colour "luxury"; known are any'
    assert refusal(with_card("automation", "{ any = 9 }", "{ luxury = 9 }")) == message


def test_two_contracts_stand_in_the_order_of_the_file() -> None:
    old, new = 'colors = ["technology", "agriculture"]', 'colors = ["agriculture", "technology"]'
    card = Catalogue.from_toml(with_card("drones--olive-oil", old, new)).card("drones")
    assert card.colors == (TECHNOLOGY, AGRICULTURE)


def test_a_power_is_on_one_card_only() -> None:
    text = with_card("ivory", 'power = "ivory"', 'power = "flour"')
    text = with_card("ivory", 'name = "Ivory"', 'name = "Flour"', text)
    assert (
        refusal(text)
        == "cards.toml: power flour is on two cards, flour and ivory; each power must occur once"
    )


def test_no_card_has_the_id_of_a_side() -> None:  # R18.1
    message = (
        "cards.toml: id cups is on two cards, number 92 and a side of potatoes--cups; each id must occur once"
    )
    assert refusal(with_card("ivory", 'id = "ivory"', 'id = "cups"')) == message


def test_the_cards_with_two_contracts_are_of_one_set() -> None:
    text = with_card("drones--olive-oil", 'set = "j"', 'set = "tokyo"')
    text = with_card("robo-cats", 'set = "tokyo"', 'set = "j"', text)
    expected = "cards.toml: 10 cards of 2 sets have two contracts; 10 of one set are expected (R18)"
    assert refusal(text) == expected


def test_a_missing_card_is_noticed() -> None:
    assert refusal(TEXT[: TEXT.rindex(BETWEEN)]) == "cards.toml: [[card]] has 169 entries; 170 are expected"


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        ("3", "[[card]] is 3; an array of 170 is expected"),
        ("[" + "1,\n" * 170 + "]", "[[card]] 1 in the file is 1; a table is expected"),
    ],
    ids=["number", "numbers"],
)
def test_the_cards_must_be_an_array_of_tables(cards: str, message: str) -> None:
    head, _, tables = TEXT[: TEXT.index(BETWEEN)].partition("[actions]")
    assert refusal(f"{head}card = {cards}\n[actions]{tables}") == f"cards.toml: {message}"
