"""A game as JSON text and back, at any moment, and its digest."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from arena.game import tokens
from arena.game.catalogue import Catalogue, default_catalogue
from arena.game.choices import Decision, Option
from arena.game.errors import PositionError
from arena.game.frames import frame_from_json, frame_to_json, freeze
from arena.game.state import SHIP_DATA, Player, Result, Ship

if TYPE_CHECKING:
    from arena.game.game import Game

FORMAT = 1
_ENCODER = json.JSONEncoder(separators=(",", ":"), sort_keys=True)
PLAIN = (
    "seed",
    "drawn",
    "pile",
    "discard",
    "island",
    "boxed",
    "turn",
    "lead",
    "first",
    "next_lead",
    "market",
    "face_up",
    "ban",
    "ran_dry",
    "ending",
    "depth",
    "then",
    "together",
    "answers",
    "secrets",
    "batch",
    "mixed",
)
"""Fields that JSON takes as they are."""


def to_data(game: Game) -> dict[str, Any]:
    """The whole state as JSON values."""
    data: dict[str, Any] = {name: getattr(game, name) for name in PLAIN}
    data["format"] = FORMAT
    data["catalogue"] = game.catalogue.hash
    data["options"] = list(game.options)
    data["players"] = [player.to_json() for player in game.players]
    data["ships"] = [ship[:SHIP_DATA] for ship in game.ships]
    data["copies"] = sorted(game.copies.items())
    data["marks"] = sorted(game.marks.items())
    cards = len(game.catalogue.cards) + 1  # what has a number behind these lies in no hidden place
    data["zones"] = game.zones[:cards].hex()
    data["batches"] = game.batches[:cards].hex()
    data["stack"] = [frame_to_json(frame) for frame in game.stack]
    data["asking"] = game.asking
    if tokens.aboard(game):
        data["tokens"] = game.tokens
    data["result"] = game.result
    return data


def to_json(game: Game) -> str:
    """Compact, with sorted keys: equal states give equal texts."""
    return _ENCODER.encode(to_data(game))


def digest(game: Game) -> str:
    """SHA-256 of `to_json`, in hexadecimal."""
    return sha256(to_json(game).encode()).hexdigest()


def from_json(text: str, catalogue: Catalogue | None = None) -> Game:
    """The game that `to_json` wrote; raises `PositionError` for a text of another shape.

    Values inside are taken as they are, for speed: a text from elsewhere belongs into a position, which is checked.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise PositionError(
            f"a saved game must be the text that to_json wrote; this is no JSON: {error}"
        ) from None
    try:
        return from_data(data, catalogue or default_catalogue())
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        if isinstance(error, PositionError):
            raise
        raise PositionError(
            f"the saved game is damaged ({type(error).__name__}: {error}); only what to_json wrote can be read"
        ) from None


def from_data(data: dict[str, Any], catalogue: Catalogue) -> Game:
    """The inverse of `to_data`."""
    from arena.game.setup import Options, blank
    from arena.game.ships import open_colors
    from arena.game.state import PORT

    if data["format"] != FORMAT:
        raise PositionError(f"the saved game has format {data['format']!r}; this version reads {FORMAT}")
    if data["catalogue"] != catalogue.hash:
        raise PositionError(
            f"the saved game needs the catalogue {str(data['catalogue'])[:12]}, this is {catalogue.hash[:12]}"
        )
    options = Options(*freeze(data["options"])).check()
    game = blank(options, 0, catalogue)
    for name in PLAIN:
        value = data[name]
        setattr(game, name, value if name in ("pile", "discard") else freeze(value))
    game.players = [Player(*fields) for fields in freeze(data["players"])]
    game.ships = [Ship(*fields) for fields in freeze(data["ships"])]
    game.copies = dict(data["copies"])
    game.marks = dict(data["marks"])
    if tokens.aboard(game):
        game.tokens = data["tokens"]
        tokens.make_room(game, game.tokens.bit_length() - 1)
    game.zones = bytearray.fromhex(data["zones"]).ljust(len(game.catalogue.ids), b"\0")
    game.batches = bytearray.fromhex(data["batches"]).ljust(len(game.catalogue.ids), b"\0")
    game.stack = [frame_from_json(frame) for frame in data["stack"]]
    game.asking = tuple(
        Decision(kind, seat, tuple(Option(*option) for option in options), secret)
        for kind, seat, options, secret in data["asking"]
    )
    if data["result"] is not None:
        places, credits, reason = data["result"]
        game.result = Result(tuple(places), tuple(credits), reason)
    for player in game.players:
        game.refresh(player.seat)
    for index, ship in enumerate(game.ships):
        if ship.place == PORT:
            game.ships[index] = ship._replace(open=open_colors(game, ship))
    return game
