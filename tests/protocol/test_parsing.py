"""Lines to messages, and what is said about lines that are none."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from protocol import (
    PROTOCOL,
    ErrorCode,
    MessageError,
    ProtocolError,
    ReadError,
    error_for,
    parse_client,
    parse_server,
)
from protocol.messages import CLIENT_MESSAGES, ClientMessage, Hello, Join, ListGames, Move, Ping, Pong, Wanted
from protocol.parsing import _plain_move
from protocol.reading import read_object


def move(choice: str, rest: str = "") -> bytes:
    return f'{{"type":"move","game":"g1","id":41,"choice":{choice}{rest}}}'.encode()


def refused(line: bytes | str) -> ProtocolError:
    with pytest.raises(ProtocolError) as caught:
        parse_client(line if isinstance(line, bytes) else line.encode())
    text = caught.value.text
    assert text.isascii()
    assert text.isprintable()
    error_for(caught.value)  # every fault can be told
    return caught.value


@pytest.mark.parametrize(
    "line",
    [
        move("3"),
        b'{"id": 41, "choice": 3, "game": "g1", "type": "move"}',
        b'  {"type":"move","game":"g1",\t"id":41,"choice":3}\r',
        rb'{"type":"mo\u0076e","g\u0061me":"g1","id":41,"choice":3}',
        b'{"type":"move","game":"g1","id":41,"choice":3' + b" " * 1000 + b"}",
    ],
)
def test_a_move_in_any_spelling_of_json(line):
    assert parse_client(line) == Move(game="g1", id=41, choice=3)


def test_a_move_by_text():
    assert parse_client(move('"load:hawaiian-salt@ship-1"')).choice == "load:hawaiian-salt@ship-1"
    assert parse_client(move(r'"\"\u0022"')).choice == '""'


# S018: bids that are no index. The string "3" is a text form, which the referee finds among no options.
@pytest.mark.parametrize(
    ("choice", "shown"),
    [
        ("-1", "-1"),
        ("2.5", "2.5"),
        ("2.0", "2.0"),
        ("1e3", "1000.0"),
        ("true", "true"),
        ("false", "false"),
        ("null", "null"),
        (str(10**30), "31 digits"),
        ("10000", "10000"),
        ("[0]", "a list of 1"),
        ('{"constrained-int":0}', "an object"),
        ('""', '""'),
        ('"' + "x" * 201 + '"', "201 characters"),
        ('"' + "\U0001f600" * 201 + '"', "201 characters"),
    ],
)
def test_choices_that_are_none_count_as_answers_to_their_request(choice, shown):  # S018
    error = refused(move(choice))
    assert error.code is ErrorCode.BAD_VALUE
    assert error.text.startswith("move.choice is ")
    assert shown in error.text
    assert error.expected == "an integer from 0 to 9999 or a string of 1 to 200 characters"
    assert (error.game, error.id) == ("g1", 41)


@pytest.mark.parametrize("choice", ["NaN", "Infinity", "-Infinity", "1e999", "-0.0"])
def test_numbers_that_json_does_not_have(choice):  # S075
    assert refused(move(choice)).code is ErrorCode.BAD_NUMBER


def test_only_a_sound_game_and_id_are_taken_from_a_bad_move():
    error = refused('{"type":"move","game":"../x","id":true,"choice":0}')
    assert (error.game, error.id) == (None, None)
    error = refused('{"type":"move","game":"g1","choice":0}')
    assert (error.game, error.id) == ("g1", None)


@pytest.mark.parametrize("line", ["[]", '"hi"', "5", "null"])
def test_what_is_no_object(line):  # S003
    assert refused(line).code is ErrorCode.NOT_OBJECT


def test_a_type_that_is_none_names_the_field_and_the_types():  # S003
    error = refused('{"type":5}')
    assert error.code is ErrorCode.UNKNOWN_TYPE
    assert error.text.startswith("type is 5; expected one of ")
    assert all(f'"{name}"' in error.expected for name in CLIENT_MESSAGES)


@pytest.mark.parametrize(
    "line", ['{"type":"welcome"}', '{"type":null}', '{"type":["move"]}', '{"type":{"a":1}}']
)
def test_other_types_that_are_none(line):
    assert refused(line).code is ErrorCode.UNKNOWN_TYPE


def test_a_missing_type():
    assert refused("{}").code is ErrorCode.MISSING_FIELD


def test_a_missing_field_is_named():
    error = refused('{"type":"move","game":"g1","id":41}')
    assert error.code is ErrorCode.MISSING_FIELD
    assert "move.choice is missing" in error.text


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (move("0", ',"seat":1'), 'move has no field "seat"; its fields are type, game, id, choice'),
        (b'{"type":"join","wanted":{"seats":2,"x":1}}', 'join.wanted has no field "x"; its fields are sets,'),
        (
            b'{"type":"join","wanted":{"seats":2,"clock":{"move":1,"x":1}}}',
            'join.wanted.clock has no field "x"; its fields are move, bank, increment, grace',
        ),
    ],
)
def test_an_unknown_field_is_named_at_any_depth(line, words):
    error = refused(line)
    assert error.code is ErrorCode.UNKNOWN_FIELD
    assert words in error.text


@pytest.mark.parametrize(
    "line",
    [
        move("0", ',"choice":1'),
        move("0", ',"choice":0'),
        move('"a"', r',"ch\u006fice":"b"'),
        b'{"type":"bye","type":"move","game":"g1","id":1,"choice":0}',
        b'{"type":"move","game":"g1","id":1,"id":1,"choice":0}',
        b'{"type":"move","seat":1,"seat":2}',
        b'{"type":"join","wanted":{"seats":2,"seats":3}}',
        b'{"type":"join","wanted":{"seats":2,"clock":{"move":1,"move":2}}}',
    ],
)
def test_a_duplicate_key_is_refused_whatever_else_is_right(line):  # S076
    assert refused(line).code is ErrorCode.DUPLICATE_KEY


def test_a_depth_bomb_inside_a_message():  # S074
    assert refused(b'{"type":"ping","data":' + b"[" * 20_000).code is ErrorCode.TOO_DEEP


@pytest.mark.parametrize(
    ("hello", "given_version"),
    [
        ('{"type":"hello","protocol":1,"name":"x"}', "is 1,"),
        ('{"type":"hello","protocol":1.0,"name":"x"}', "is 1.0,"),
        ('{"type":"hello","protocol":"2.0","name":"x"}', 'is "2.0",'),
        ('{"type":"hello","protocol":"1","name":"x"}', 'is "1",'),
        ('{"type":"hello","protocol":"1.0\\n","name":"x"}', 'is "1.0\\n",'),
        ('{"type":"hello","protocol":null,"name":"x"}', "is null,"),
        ('{"type":"hello","name":"x"}', "is missing,"),
        ('{"type":"hello"}', "is missing,"),
        ('{"type":"hello","protocol":"2.7","name":5,"new":true}', 'is "2.7",'),
    ],
)
def test_another_version_is_refused_before_all_else_and_both_are_named(hello, given_version):  # S005
    error = refused(hello)
    assert error.code is ErrorCode.VERSION
    assert given_version in error.text
    assert f'"{PROTOCOL}"' in error.text


def test_a_newer_minor_version_is_welcome():
    assert parse_client(b'{"type":"hello","protocol":"1.7","name":"x"}') == Hello(protocol="1.7", name="x")


def test_a_bad_name_is_explained():
    error = refused('{"type":"hello","protocol":"1.0","name":"a\\u202eb"}')
    assert error.code is ErrorCode.BAD_NAME
    assert "U+202E" in error.text
    assert error.expected == "1 to 32 visible characters"


@pytest.mark.parametrize("field", ["token", "resume"])
@pytest.mark.parametrize(
    "value", ['"hunter2 with blanks"', '["hunter2"]', "22222", '"' + "hunter2" * 99 + '"']
)
def test_no_error_shows_a_secret(field, value):  # S071
    error = refused(f'{{"type":"hello","protocol":"1.0","name":"x","{field}":{value}}}')
    assert error.code is ErrorCode.BAD_VALUE
    assert "hunter2" not in error.text
    assert "22222" not in error.text


def test_a_secret_under_a_wrong_name_is_not_shown():  # S071
    error = refused('{"type":"hello","protocol":"1.0","name":"x","tokem":"hunter2"}')
    assert "hunter2" not in error.text


@pytest.mark.parametrize(
    ("wanted", "where"),
    [
        ("5", "join.wanted is 5; expected a Wanted object"),
        ('{"seats":7}', "join.wanted.seats is 7; expected an integer from 2 to 6"),
        ('{"seats":true}', "join.wanted.seats is true"),
        ('{"seats":2,"market":1}', "join.wanted.market is 1; expected true or false"),
        ('{"seats":2,"sets":["tokyo",5]}', "join.wanted.sets[1] is 5; expected one of"),
        ('{"seats":2,"sets":["tokyo","tokyo"]}', "join.wanted.sets names a set twice"),
        ('{"seats":2,"sets":"tokyo"}', 'join.wanted.sets is "tokyo"; expected a list of at most 7'),
        ('{"seats":2,"fill":["greedy","greedy"]}', "give at most 1"),
        ('{"seats":2,"fill":["../greedy"]}', 'join.wanted.fill[0] is "../greedy"'),
        ('{"seats":2,"seed":18446744073709551616}', "join.wanted.seed is 18446744073709551616"),
        ('{"seats":2,"seed":-1}', "join.wanted.seed is -1"),
        ('{"seats":2,"clock":{"move":0}}', "join.wanted.clock.move is 0; expected a number from 0.01"),
        ('{"seats":2,"clock":{"move":1e300}}', "join.wanted.clock.move is 1e+300"),
        ('{"seats":2,"clock":{"move":"5"}}', 'join.wanted.clock.move is "5"'),
        ('{"seats":2,"clock":{"move":true}}', "join.wanted.clock.move is true"),
        ('{"seats":2,"clock":{}}', "join.wanted.clock.move is missing"),
    ],
)
def test_wanted_rules_that_are_wrong_name_the_field(wanted, where):
    assert where in refused(f'{{"type":"join","wanted":{wanted}}}').text


def lists_in(schema: object) -> Iterator[dict[str, Any]]:
    """The nodes of a schema of pydantic's that take any number of items."""
    inner: Iterable[object] = ()
    if isinstance(schema, dict):
        inner = schema.values()
        if schema.get("type") in ("list", "tuple", "set", "frozenset", "generator", "dict"):
            yield schema
    elif isinstance(schema, list):
        inner = schema
    for node in inner:
        yield from lists_in(node)


def test_every_list_that_a_client_may_send_is_short_and_ends_at_its_first_fault():
    """A list of thousands of wrong items would else cost the server an error for each, all other games waiting."""
    found = list(lists_in(TypeAdapter(ClientMessage).core_schema))
    assert [node["type"] for node in found] == ["tuple", "tuple"]  # sets, fill
    for node in found:
        assert node["max_length"] <= 100, node
        assert node.get("fail_fast"), node


def test_wanted_rules_that_are_right():
    line = b'{"type":"join","wanted":{"seats":2,"seed":18446744073709551615,"fill":["greedy"],"clock":{"move":1}}}'
    join = parse_client(line)
    assert isinstance(join, Join)
    assert isinstance(join.wanted, Wanted)
    assert join.wanted.seed == 2**64 - 1


@pytest.mark.parametrize("line", ['{"type":"join"}', '{"type":"join","table":"t1","wanted":{"seats":2}}'])
def test_join_says_exactly_one_place(line):
    assert "exactly one" in refused(line).text


def test_null_is_the_same_as_absent():
    assert parse_client(b'{"type":"ping","data":null}') == Ping()
    assert parse_client(b'{"type":"list"}') == ListGames()


# The fast way of a move may refuse what it likes, but accept nothing that the strict way does not.

WORDS = (
    r'"type" "move" "game" "g1" "id" 1 "choice" 0 "x" "\u0069d" "\"" -0 1.0 NaN true null [] " \\ "\ud800"'
)
FIELDS = (
    r'"type":"move" "game":"g" "id":1 "choice":0 "choice":"a" "choice":"\u0022" "choice":"\"" "choice":-0'
)
pieces = st.sampled_from([*WORDS.split(), *FIELDS.split(), *",,,::: {}\t\ufeff"])
fields = st.sampled_from(FIELDS.split())
choices = st.sampled_from(FIELDS.split()[3:])
moves = st.tuples(choices, st.just([]) | st.lists(fields, max_size=1)).flatmap(
    lambda more: st.permutations(['"type":"move"', '"game":"g"', '"id" : 1', more[0], *more[1]]).map(",".join)
)
lines = moves | st.lists(pieces, max_size=14).map("".join)


@settings(deadline=None)
@given(lines.map(lambda text: f"{{{text}}}".encode()))
def test_the_fast_way_accepts_only_what_the_strict_way_accepts(line):
    plain = _plain_move(line)
    if plain is not None:
        data = read_object(line)
        assert Move.model_validate_json(json.dumps(data)) == plain


@settings(deadline=None)
@given(lines.map(lambda text: f"{{{text}}}".encode()))
def test_any_line_is_a_message_or_one_protocol_error(line):
    try:
        message = parse_client(line)
    except ProtocolError as error:
        error_for(error)
    else:
        assert type(message) in CLIENT_MESSAGES.values()


def test_a_client_ignores_an_unknown_type_with_one_warning():  # S006
    received = parse_server(b'{"type":"fanfare","tune":3}')
    assert received.message is None
    (warning,) = received.warnings
    assert warning.startswith('a message was ignored, because its type is "fanfare"')


def test_a_client_ignores_unknown_fields_with_one_warning_each():  # S006
    received = parse_server(
        b'{"type":"joined","table":"t","new":1,"clock":{"move":1.0,"bonus":2},"players":["x"],"seats":2}'
    )
    assert received.message.type == "joined"
    assert received.warnings == (
        'the unknown field "new" of joined was ignored',
        'the unknown field "bonus" of joined.clock was ignored',
    )


def test_a_client_sees_no_warning_for_what_it_knows():
    received = parse_server(b'{"type":"pong","data":"x"}')
    assert received.message == Pong(data="x")
    assert received.warnings == ()


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"{", ErrorCode.NOT_JSON),
        (b"[]", ErrorCode.NOT_OBJECT),
        (b"{}", ErrorCode.MISSING_FIELD),
        (b'{"type":"pong","data":5}', ErrorCode.BAD_VALUE),
        (b'{"type":"bye"}', ErrorCode.MISSING_FIELD),
        (b'{"type":"error","code":"bad-hair","text":"x"}', ErrorCode.BAD_VALUE),
        (b'{"type":"welcome","protocol":"2.0"}', ErrorCode.VERSION),
    ],
)
def test_a_server_that_breaks_the_protocol_is_found_out(line, code):
    with pytest.raises((ReadError, MessageError)) as caught:
        parse_server(line)
    assert caught.value.code is code


def test_a_client_refuses_a_server_of_another_major_version():
    with pytest.raises(MessageError, match=r'"2\.0"') as caught:
        parse_server(b'{"type":"welcome","protocol":"2.0","server":"s","name":"x","resume":"k","limits":{}}')
    assert caught.value.code is ErrorCode.VERSION
