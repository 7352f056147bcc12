"""JSON Schema of all messages, and what it says about one field in words.

The words come from the schema, which comes from the models: a bound stands in one place only.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from protocol.messages import ClientMessage, ServerMessage
from protocol.versions import PROTOCOL


@cache
def schema() -> dict[str, Any]:
    """One JSON Schema document: `$defs` has every message, `ClientMessage` and `ServerMessage` the unions.

    Whoever validates a line uses `#/$defs/ClientMessage` or `#/$defs/ServerMessage`.
    """
    unions: dict[str, Any] = {"ClientMessage": ClientMessage, "ServerMessage": ServerMessage}
    roots, document = TypeAdapter.json_schemas(
        [(name, "validation", TypeAdapter(union)) for name, union in unions.items()],
        title="Import / Export arena",
        description=f"One message on a line of the protocol, version {PROTOCOL}.",
    )
    for (name, _), root in roots.items():
        document["$defs"][str(name)] = root
    return {
        "$schema": GenerateJsonSchema.schema_dialect,
        **document,
        "anyOf": [{"$ref": f"#/$defs/{name}"} for name in unions],
    }


def wanted(node: dict[str, Any]) -> str:
    """What a field takes, in words: `an integer from 1 to 6`."""
    node = resolved(node)
    if "x-words" in node:
        return str(node["x-words"])
    if "anyOf" in node:
        return " or ".join(wanted(part) for part in node["anyOf"] if part.get("type") != "null")
    if "const" in node:
        return f'"{node["const"]}"'
    if "enum" in node:
        return "one of " + ", ".join(f'"{word}"' for word in node["enum"])
    match node.get("type"):
        case "integer":
            return f"an integer{_range(node)}"
        case "number":
            return f"a number{_range(node)}"
        case "boolean":
            return "true or false"
        case "string":
            return f"a string of {node['minLength']} to {node['maxLength']} characters"
        case "array":
            return f"a list{_length(node)}, each {wanted(node['items'])}"
        case _:
            return f"a {node['title']} object" if "properties" in node else "an object"


def resolved(node: dict[str, Any]) -> dict[str, Any]:
    """The part of the schema that a reference, or "this or null", stands for."""
    while True:
        parts = [part for part in node.get("anyOf", ()) if part.get("type") != "null"]
        if len(parts) == 1:
            node = parts[0]
        elif "$ref" in node:
            node = schema()["$defs"][node["$ref"].rpartition("/")[2]]
        else:
            return node


def _range(node: dict[str, Any]) -> str:
    low = node.get("minimum")
    high = node.get("maximum", node.get("exclusiveMaximum", 0) - 1 if "exclusiveMaximum" in node else None)
    return f" from {low} to {high}" if low is not None and high is not None else ""


def _length(node: dict[str, Any]) -> str:
    if "maxItems" not in node:
        return ""
    low = f"{node['minItems']} to" if "minItems" in node else "at most"
    return f" of {low} {node['maxItems']}"
