"""`arena schema` prints what other languages check their lines against."""

from __future__ import annotations

import json

from click.testing import CliRunner

from arena.cli.schema import command
from protocol.messages import CLIENT_MESSAGES, SERVER_MESSAGES
from protocol.schema import schema


def printed(*arguments: str) -> dict:
    result = CliRunner().invoke(command, arguments)
    assert result.exit_code == 0
    assert result.stderr == ""
    return json.loads(result.stdout)


def references(node: object) -> set[str]:
    if isinstance(node, dict):
        own = {node["$ref"]} if "$ref" in node else set()
        return own.union(*(references(inner) for inner in node.values()))
    if isinstance(node, list):
        return set().union(*(references(inner) for inner in node))
    return set()


def test_both_forms_print_the_schema():
    assert printed() == printed("--json") == schema()


def test_json_is_one_line_for_programs():
    assert CliRunner().invoke(command, ["--json"]).stdout.count("\n") == 1


def test_every_message_is_in_its_union():
    definitions = printed()["$defs"]
    for union, messages in (("ClientMessage", CLIENT_MESSAGES), ("ServerMessage", SERVER_MESSAGES)):
        assert set(definitions[union]["discriminator"]["mapping"]) == set(messages)


def test_every_reference_leads_somewhere():
    document = printed()
    assert {ref.removeprefix("#/$defs/") for ref in references(document)} <= set(document["$defs"])


def test_type_is_required_and_clients_may_add_no_fields():
    definitions = printed()["$defs"]
    for model in (*CLIENT_MESSAGES.values(), *SERVER_MESSAGES.values()):
        assert "type" in definitions[model.__name__]["required"]
    assert not any(definitions[model.__name__]["additionalProperties"] for model in CLIENT_MESSAGES.values())
    assert all(definitions[model.__name__]["additionalProperties"] for model in SERVER_MESSAGES.values())
