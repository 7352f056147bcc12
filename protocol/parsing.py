"""One line to one message, for either side, and the sentence that says what is wrong with a bad one.

A line from a client has two judges: the strict reader (`reading`) and the models. It counts as a message
only if both accept it; the first also finds what the second cannot see, such as a key that stands twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails, from_json

from protocol.client_messages import ClientMessage, Move
from protocol.codes import ErrorCode
from protocol.errors import MessageError, ProtocolError, ReadError, quote
from protocol.fields import Part
from protocol.messages import CLIENT_MESSAGES, SERVER_MESSAGES
from protocol.names import NAME_RULE, NameRefused
from protocol.reading import OBJECT, SECRETS, read_object
from protocol.schema import resolved, schema, wanted
from protocol.server_messages import ServerMessage
from protocol.versions import PROTOCOL, version_sentence

SHORT_LINE: Final = 512  # bytes; an honest move has under 250

_CLIENT: Final[TypeAdapter[ClientMessage]] = TypeAdapter(ClientMessage)
_SERVER: Final[TypeAdapter[ServerMessage]] = TypeAdapter(ServerMessage)
_read_client = _CLIENT.validator.validate_json
_read_server = _SERVER.validator.validate_json
_read_move = TypeAdapter(Move).validator.validate_json


@dataclass(frozen=True, slots=True)
class Received:
    """What a client got: the message, or None if its type is unknown, and what was passed over."""

    message: ServerMessage | None
    warnings: tuple[str, ...] = ()


def parse_client(line: bytes) -> ClientMessage:
    """The message that a client sent; raises `ReadError` or `MessageError`."""
    if len(line) <= SHORT_LINE and b'"move"' in line:
        move = _plain_move(line)
        if move is not None:
            return move
    read_object(line)
    try:
        message: ClientMessage = _read_client(line)
    except ValidationError as error:
        raise _explained(error, line, CLIENT_MESSAGES) from None
    return message


def parse_server(line: bytes) -> Received:
    """The message that a server sent, with a warning for each thing that only a newer version knows (S006).

    Raises `ReadError` or `MessageError` if the line breaks the protocol all the same.
    """
    try:
        message: ServerMessage = _read_server(line)
    except ValidationError as error:
        fault = _explained(error, line, SERVER_MESSAGES)
        if fault.code is ErrorCode.UNKNOWN_TYPE:
            return Received(None, (f"a message was ignored, because its {fault.text}",))
        raise fault from None
    return Received(message, tuple(_strangers(message, message.type)))


def _plain_move(line: bytes) -> Move | None:
    """The fast way for the line that comes most often; None sends it the long way.

    The model alone would let a repeated key pass. But a valid move has four keys and two or three texts,
    and each takes two quotation marks: with no more of them in the line, no key stands twice.
    """
    try:
        move: Move = _read_move(line)
    except ValidationError:
        return None
    texts = 7 if type(move.choice) is str else 6
    return move if line.count(b'"') == 2 * texts else None


def _strangers(part: Part, path: str) -> Iterator[str]:
    """A warning for each field that the model does not know, at any depth."""
    for name in part.model_extra or ():
        yield f"the unknown field {quote(name)} of {path} was ignored"
    for name in type(part).model_fields:
        value = getattr(part, name)
        for inner in value if isinstance(value, tuple) else (value,):
            if isinstance(inner, Part):
                yield from _strangers(inner, f"{path}.{name}")


def _explained(error: ValidationError, line: bytes, types: dict[str, type[Part]]) -> ProtocolError:
    """The first thing wrong with `line`, as one sentence; a wrong version comes before all else (S005)."""
    details = error.errors(include_url=False)
    first = next((detail for detail in details if detail["loc"][1:] == ("protocol",)), details[0])
    if first["type"] == "json_invalid":
        return ReadError(ErrorCode.NOT_JSON, f"the line is no JSON object: {first['msg']}", expected=OBJECT)
    data = from_json(line)
    if not isinstance(data, dict):
        return ReadError(ErrorCode.NOT_OBJECT, f"the line is {quote(data)}, not an object", expected=OBJECT)
    if first["type"].startswith("union_tag"):
        return _type_fault(data, types)
    fault = _field_fault(first, data, types[data["type"]])
    if data["type"] == "move":
        wrong = {detail["loc"][1] for detail in details if len(detail["loc"]) > 1}
        fault.game = data.get("game") if "game" not in wrong else None
        fault.id = data.get("id") if "id" not in wrong else None
    return fault


def _type_fault(data: dict[str, Any], types: dict[str, type[Part]]) -> MessageError:
    known = "one of " + ", ".join(f'"{name}"' for name in types)
    if "type" in data:
        text = f"type is {quote(data['type'])}; expected {known}"
        return MessageError(ErrorCode.UNKNOWN_TYPE, text, expected=known)
    text = f"the message has no type; it needs {known}"
    return MessageError(ErrorCode.MISSING_FIELD, text, expected=known)


def _field_fault(detail: ErrorDetails, data: dict[str, Any], model: type[Part]) -> MessageError:
    kind = detail["type"]
    place = _find(detail["loc"][1:], data, model)
    where = f"{data['type']}{place.path}"
    if place.path == ".protocol":
        given = "missing" if kind == "missing" else quote(place.value)
        return MessageError(ErrorCode.VERSION, version_sentence(given), expected=f'"{PROTOCOL}"')
    if kind == "extra_forbidden":
        fields = ", ".join(place.node["properties"])
        text = f"{where} has no field {quote(detail['loc'][-1])}; its fields are {fields}"
        return MessageError(ErrorCode.UNKNOWN_FIELD, text, expected=fields)
    if kind == "value_error":  # of our own validators, whose sentences are fit to be shown
        cause = detail["ctx"]["error"]
        if isinstance(cause, NameRefused):
            return MessageError(ErrorCode.BAD_NAME, str(cause), expected=NAME_RULE)
        return MessageError(ErrorCode.BAD_VALUE, str(cause))
    expected = wanted(place.node)
    if kind == "missing":
        text = f"{where} is missing; it is {expected}"
        return MessageError(ErrorCode.MISSING_FIELD, text, expected=expected)
    shown = "wrong (and not shown here)" if place.path[1:] in SECRETS else quote(place.value)
    return MessageError(ErrorCode.BAD_VALUE, f"{where} is {shown}; expected {expected}", expected=expected)


class _Place(NamedTuple):
    """A field that an error is about: its path as it is written, its value, and its schema."""

    path: str
    value: Any
    node: dict[str, Any]


def _find(loc: Sequence[int | str], data: Any, model: type[Part]) -> _Place:
    """Follow an error's location as far as the schema knows it: pydantic adds the branch of a union."""
    path = ""
    node = schema()["$defs"][model.__name__]
    for step in loc:
        if isinstance(step, int):
            path += f"[{step}]"
            node = resolved(node["items"])
            data = data[step]
        elif step in node.get("properties", {}):
            path += f".{step}"
            node = resolved(node["properties"][step])
            data = data.get(step)
        else:
            break
    return _Place(path, data, node)
