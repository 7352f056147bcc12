"""Records for the tests: whole games and short ones, and lines sealed anew after a change."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from arena.game import Game, Options, default_catalogue
from arena.records import Header, Journal, finished, unfinished
from arena.records.lines import START, seal
from protocol.codes import EndReason

SALT = "00112233445566778899aabbccddeeff"


def header(players: int = 2, **changes: Any) -> Header:
    catalogue = default_catalogue()
    values: dict[str, Any] = {
        "game": "g1",
        "options": Options(players),
        "seats": tuple(f"player {seat}" for seat in range(players)),
        "seed": 7,
        "salt": SALT,
        "catalogue": catalogue.name,
        "catalogue_hash": catalogue.hash,
    }
    return Header(**{**values, **changes})


def play(journal: Journal, game: Game, choices: int = 10**6, seed: int = 1, **told: Any) -> None:
    """Make up to so many choices at random."""
    rng = random.Random(seed)
    while not game.over:
        for seat in game.to_act:
            if not choices:
                return
            journal.play(game, seat, rng.randrange(len(game.decision(seat).options)), **told)
            choices -= 1


def whole(path: Path, players: int = 2, seed: int = 7) -> Path:
    """The record of a game that was played to its end."""
    with Journal.create(path, header(players, seed=seed)) as journal:
        game = Game.new(Options(players), seed)
        play(journal, game)
        journal.result(finished(game, (EndReason.NORMAL,) * players, journal.choices))
    return path


def short(path: Path, choices: int = 5) -> Path:
    """The record of a game that was stopped after a few choices."""
    with Journal.create(path, header()) as journal:
        game = Game.new(Options(2), 7)
        play(journal, game, choices)
        reasons = (EndReason.ABORTED,) * 2
        journal.result(unfinished(game, EndReason.ABORTED, reasons, journal.choices))
    return path


def begun(path: Path, choices: int = 5) -> Path:
    """The record of a game whose process was killed."""
    with Journal.create(path, header()) as journal:
        play(journal, Game.new(Options(2), 7), choices)
    return path


def rewritten(path: Path, change: Callable[[list[dict[str, Any]]], None]) -> Path:
    """A record whose lines were changed by somebody who then made the chain right again."""
    lines = [json.loads(line) for line in path.read_text("ascii").splitlines()]
    for line in lines:
        del line["hash"]
    change(lines)
    link, data = START, b""
    for line in lines:
        sealed, link = seal(link, line)
        data += sealed
    path.write_bytes(data)
    return path
