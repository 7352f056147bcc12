"""docs/protocol.md says what the models say: every message, field, code and reason, and none besides.

A failing table shows the rows that the document should have; copy them.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from pydantic_core import PydanticUndefined

from protocol import ByeReason, EndReason, ErrorCode, GameOver, commitment, parse_client, parse_server
from protocol.fields import (
    Asked,
    Clock,
    Limits,
    LiveGame,
    Part,
    Player,
    Remaining,
    Rules,
    Table,
)
from protocol.framing import MAX_CLIENT_LINE, MAX_SERVER_LINE
from protocol.messages import CLIENT_MESSAGES, SERVER_MESSAGES, End, Start, Wanted, WantedClock
from protocol.names import NAME_RULE
from protocol.reading import MAX_DEPTH, MAX_DIGITS, MAX_KEYS, MAX_MARKS
from protocol.schema import schema, wanted
from protocol.session import TRANSITIONS, State
from protocol.versions import PROTOCOL

DOCUMENT = Path(__file__).parents[2] / "docs" / "protocol.md"
PARTS = {
    part.__name__: part
    for part in (Asked, Clock, WantedClock, Limits, LiveGame, Player, Remaining, Rules, Table, Wanted)
}
CLOSED_SETS = {
    "ErrorCode": "Error codes",
    "ByeReason": "Why a connection ends",
    "EndReason": "How a seat came to the end",
    "GameOver": "Why a game ended",
}
CLIENT, SERVER, OBJECTS = "Messages of the client", "Messages of the server", "Objects inside messages"


def sections(text: str, mark: str) -> dict[str, str]:
    """What stands under each heading of this depth; backticks of headings are left out."""
    pieces = re.split(rf"^{mark} (.*)$", text, flags=re.MULTILINE)
    return {head.replace("`", ""): body for head, body in zip(pieces[1::2], pieces[2::2], strict=True)}


def rows(text: str) -> list[str]:
    """The rows of the tables in a section, without their heads."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [
        line
        for i, line in enumerate(lines)
        if not line.startswith("|--") and not "".join(lines[i + 1 : i + 2]).startswith("|--")
    ]


def examples(text: str) -> list[str]:
    return [
        line for block in re.findall(r"```json\n(.*?)```", text, re.DOTALL) for line in block.splitlines()
    ]


def field_rows(model: type[Part]) -> list[str]:
    """The table of a model: field, value, whether it is needed and what stands for it else, meaning."""
    properties = schema()["$defs"][model.__name__]["properties"]
    found = []
    for name, field in model.model_fields.items():
        if name == "type":
            continue
        if field.is_required():
            needed = "yes"
        elif field.default is None or field.default is PydanticUndefined:
            needed = "no"
        else:
            needed = f"no; `{json.dumps(field.default)}`"
        words = wanted(properties[name])
        for closed_set, chapter in CLOSED_SETS.items():
            link = f"a word of [{chapter}](#{chapter.lower().replace(' ', '-')})"
            words = words.replace(wanted(schema()["$defs"][closed_set]), link)
        found.append(f"| `{name}` | {words} | {needed} | {field.description} |")
    return found


def code_rows() -> list[str]:
    return [
        f"| `{code.value}` | {code.meaning} | {f'bye, `{code.closes.value}`' if code.closes else 'goes on'} |"
        for code in ErrorCode
    ]


def state_rows() -> list[str]:
    def names(types: dict[str, type[Part]], state: State) -> str:
        return (
            ", ".join(f"`{name}`" for name, model in types.items() if model in TRANSITIONS[state]) or "none"
        )

    return [
        f"| {state.value} | {names(CLIENT_MESSAGES, state)} | {names(SERVER_MESSAGES, state)} |"
        for state in State
    ]


CHAPTERS = sections(DOCUMENT.read_text(encoding="utf-8"), "##")
FROM_CLIENT = sections(CHAPTERS[CLIENT], "###")
FROM_SERVER = sections(CHAPTERS[SERVER], "###")
INSIDE = sections(CHAPTERS[OBJECTS], "###")


def test_every_message_of_the_client_has_its_section_and_no_other():
    assert list(FROM_CLIENT) == list(CLIENT_MESSAGES)


def test_every_message_of_the_server_has_its_section_and_no_other():
    assert list(FROM_SERVER) == list(SERVER_MESSAGES)


def test_every_object_has_its_section_and_no_other():
    assert sorted(INSIDE) == sorted(PARTS)


@pytest.mark.parametrize("name", CLIENT_MESSAGES)
def test_fields_of_a_message_of_the_client(name):
    assert rows(FROM_CLIENT[name]) == field_rows(CLIENT_MESSAGES[name])


@pytest.mark.parametrize("name", SERVER_MESSAGES)
def test_fields_of_a_message_of_the_server(name):
    assert rows(FROM_SERVER[name]) == field_rows(SERVER_MESSAGES[name])


@pytest.mark.parametrize("name", PARTS)
def test_fields_of_an_object(name):
    assert rows(INSIDE[name]) == field_rows(PARTS[name])


@pytest.mark.parametrize("name", CLIENT_MESSAGES)
def test_examples_of_the_client_are_messages_of_their_section(name):
    found = [parse_client(line.encode()).type for line in examples(FROM_CLIENT[name])]
    assert found
    assert set(found) == {name}


@pytest.mark.parametrize("name", SERVER_MESSAGES)
def test_examples_of_the_server_are_messages_of_their_section(name):
    found = [parse_server(line.encode()) for line in examples(FROM_SERVER[name])]
    assert found
    assert all(received.message and received.message.type == name for received in found)
    assert not any(received.warnings for received in found)


def test_every_example_of_the_document_is_a_message():
    everywhere = examples(DOCUMENT.read_text(encoding="utf-8"))
    by_section = [*FROM_CLIENT.values(), *FROM_SERVER.values()]
    assert len(everywhere) == sum(len(examples(text)) for text in by_section)


def test_the_example_of_end_opens_the_commitment_of_the_example_of_start():
    (start,) = (parse_server(line.encode()).message for line in examples(FROM_SERVER["start"])[:1])
    (end,) = (parse_server(line.encode()).message for line in examples(FROM_SERVER["end"])[:1])
    assert isinstance(start, Start)
    assert isinstance(end, End)
    assert commitment(end.seed, end.salt) == start.commitment


def test_every_error_code_has_its_row():  # S008
    assert rows(CHAPTERS["Error codes"]) == code_rows()


def test_every_reason_of_a_bye_has_its_row():  # S008
    assert rows(CHAPTERS["Why a connection ends"]) == [f"| `{r.value}` | {r.meaning} |" for r in ByeReason]


def test_every_reason_of_a_seat_has_its_row():  # S008
    expected = [f"| `{r.value}` | {r.meaning} | {'yes' if r.rated else 'no'} |" for r in EndReason]
    assert rows(CHAPTERS["How a seat came to the end"]) == expected


def test_every_end_of_a_game_has_its_row():  # S008
    assert rows(CHAPTERS["Why a game ended"]) == [f"| `{r.value}` | {r.meaning} |" for r in GameOver]


def test_the_states_of_a_connection():
    assert rows(CHAPTERS["The states of a connection"]) == state_rows()


def test_limits_are_those_of_the_code():
    expected = {
        "line of a client, in bytes": MAX_CLIENT_LINE,
        "line of the server, in bytes": MAX_SERVER_LINE,
        "depth of lists and objects in a client's line": MAX_DEPTH,
        "keys of one object in a client's line": MAX_KEYS,
        "commas, quotation marks and opening brackets of a client's line": MAX_MARKS,
        "digits of one number in a client's line": MAX_DIGITS,
    }
    assert rows(CHAPTERS["Limits"]) == [f"| {what} | {value} |" for what, value in expected.items()]


def test_version_and_name_rule_are_those_of_the_code():
    assert f'"{PROTOCOL}"' in CHAPTERS["Versions"]
    assert NAME_RULE in CHAPTERS["Names"]


def test_no_word_in_code_is_an_unknown_message_field_or_code():
    known = {"true", "false", "null", "queue", "arena schema", "seed:salt", "event", "\\n", "\\r\\n"}
    known |= {
        name for part in (*CLIENT_MESSAGES.values(), *SERVER_MESSAGES.values()) for name in part.model_fields
    }
    known |= {name for part in PARTS.values() for name in part.model_fields} | set(PARTS)
    known |= set(CLIENT_MESSAGES) | set(SERVER_MESSAGES)
    known |= {member.value for words in (ErrorCode, ByeReason, EndReason, GameOver) for member in words}
    reference = "".join(body for head, body in CHAPTERS.items() if head != "A short game")
    prose = "\n".join(line for line in reference.splitlines() if not line.startswith("|"))
    prose = re.sub(r"```.*?```", "", prose, flags=re.DOTALL)
    assert {word for word in re.findall(r"`([^`]+)`", prose) if re.fullmatch(r"[a-z-]+", word)} <= known
