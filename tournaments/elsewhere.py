"""Results from elsewhere, for `arena rate`: CSV, JSONL, headers of PGN. Each mistake is a sentence with its line.

Seats are the order in which a game names its entrants. Games with one `block` share their luck (a deal, an
opening) and are one observation for the error bars; without the column each game stands for itself.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from protocol import name_key
from protocol.errors import quote
from tournaments.ratings import Result

MAX_LINE = 65_536  # characters of a line
MAX_NAME = 100  # characters of the name of an entrant, a game or a block, and of the reason of a fault
MAX_DIGITS = 100  # of a number; the largest that is taken has three
MAX_ENTRANTS = 2_000  # matrices of the fit hold their square: 32 MB each
MAX_GAMES = 5_000_000  # about half a kilobyte each
MOST_PLACES = 100  # of a table
FORMATS = (".csv", ".jsonl", ".pgn")
PLACES = ("game", "player", "place")
DUELS = ("a", "b", "score")
HEADINGS = (
    f"a heading of the columns {','.join(PLACES)}, and perhaps block and fault,"
    f" or {','.join(DUELS)}, and perhaps game and block"
)
STANDINGS = {"name", "elo", "points"}  # columns of what a report says
DUEL = {"1": (1, 2), "0": (2, 1), "0.5": (1, 1), "1/2": (1, 1), "1.0": (1, 2), "0.0": (2, 1)}
PGN = {"1-0": (1, 2), "0-1": (2, 1), "1/2-1/2": (1, 1), "*": None}
HEADER = re.compile(r'\[\s*([A-Za-z0-9_]+)\s+"((?:[^"\\]|\\.)*)"\s*\]\s*(?:;.*)?')
NOT_UTF8 = re.compile("[\udc80-\udcff]")  # what `surrogateescape` makes of bytes that mean nothing
UNKNOWN = frozenset({"", "?", "-"})  # how PGN names a player that it does not know


class ResultsError(ValueError):
    """The file cannot be rated; the text names it, the line and the remedy."""


class _Wrong(Exception):
    """What is wrong with a line; the reader of the file adds which it is."""


class _Empty(Exception):
    """There is no line that says anything, where at least a heading was expected."""


@dataclass(slots=True)
class _Game:
    """A game as its lines come in."""

    line: int
    block: str
    entrants: list[str] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    faults: list[str | None] = field(default_factory=list)

    def result(self, id: str) -> Result:
        faults = tuple(self.faults) if any(self.faults) else ()
        return Result(id, self.block, tuple(self.entrants), tuple(self.places), faults)


def read_results(path: Path) -> list[Result]:
    """The results in a file, each game once. Raises `ResultsError`."""
    if path.is_dir():
        raise ResultsError(f"{path} is a folder; name a file of results")
    readers = dict(zip(FORMATS, (_csv, _jsonl, _pgn), strict=True))
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise ResultsError(
            f"{path} ends in none of {', '.join(FORMATS)}; give it the ending of what it holds,"
            " or name the folder of a tournament"
        )
    lines = _Lines()
    try:
        newline = "" if reader is _csv else None
        with path.open(encoding="utf-8-sig", errors="surrogateescape", newline=newline) as file:
            results = reader(lines.of(file), lines)
    except OSError as error:
        raise ResultsError(f"{path} cannot be read: {error.strerror or error}") from None
    except _Empty:
        raise ResultsError(f"{path} is empty; it needs {HEADINGS}") from None
    except (_Wrong, csv.Error) as error:
        raise ResultsError(f"{path} line {lines.number}: {error}") from None
    if not results:
        raise ResultsError(f"{path} holds no result")
    entrants = {entrant for result in results for entrant in result.entrants}
    known: dict[str, str] = {}
    for entrant in sorted(entrants):
        other = known.setdefault(name_key(entrant), entrant)
        if other != entrant:
            raise ResultsError(
                f"{path} has {quote(other)} and {quote(entrant)}, which count as the same name;"
                " write it alike everywhere, or give each entrant a name of its own"
            )
    if len(entrants) > MAX_ENTRANTS:
        raise ResultsError(
            f"{path} has {len(entrants):,} entrants; at most {MAX_ENTRANTS:,} can be rated at once"
        )
    return results


class _Lines:
    """The lines of a file, counted, so that a complaint can name one."""

    def __init__(self) -> None:
        self.number = 0

    def of(self, file: TextIO) -> Iterator[str]:
        while line := file.readline(MAX_LINE + 1):
            self.number += 1
            if len(line) > MAX_LINE:
                raise _Wrong(f"the line is longer than {MAX_LINE:,} characters")
            if not line.isascii() and NOT_UTF8.search(line):
                raise _Wrong("it is not UTF-8; save the file as UTF-8")
            yield line


# CSV


def _csv(lines: Iterator[str], counted: _Lines) -> list[Result]:
    rows = csv.reader(lines, strict=True)
    first = next((row for row in rows if not _is_blank(row)), None)
    if first is None:
        raise _Empty
    heading = [name.strip().lower() for name in first]
    if len(set(heading)) != len(heading):
        raise _Wrong("a column is named twice; name each once")
    for needed in (PLACES, DUELS):
        if set(needed) <= set(heading):
            others = set(heading) - set(needed) - {"block", "fault" if needed is PLACES else "game"}
            if others:
                raise _Wrong(f"the column {quote(min(others))} means nothing here; take it out")
            return (_places if needed is PLACES else _duels)(rows, heading, counted)
    if set(heading) >= STANDINGS:
        raise _Wrong("these are standings, not results; for those of a tournament name its folder")
    raise _Wrong(f"it is {quote(', '.join(heading))}; expected {HEADINGS}")


def _is_blank(row: Sequence[str]) -> bool:
    """Whether it is a line of blanks."""
    return not row or (len(row) == 1 and not row[0].strip())


def _cells(rows: Iterable[list[str]], heading: Sequence[str]) -> Iterator[list[str]]:
    for row in rows:
        if len(row) == len(heading):
            yield row
        elif not _is_blank(row):
            raise _Wrong(f"it has {len(row)} cells, and the heading has {len(heading)}")


def _places(rows: Iterable[list[str]], heading: Sequence[str], counted: _Lines) -> list[Result]:
    """A line for each seat of each game."""
    game_at, player_at, place_at = map(heading.index, PLACES)
    block_at, fault_at = (heading.index(name) if name in heading else -1 for name in ("block", "fault"))
    games: dict[str, _Game] = {}
    for row in _cells(rows, heading):
        id, player = _name(row[game_at], "game"), _name(row[player_at], "player")
        block = _name(row[block_at], "block") if block_at >= 0 else id
        game = games.get(id)
        if game is None:
            game = games[id] = _Game(counted.number, block)
            _room(games)
        place = row[place_at].strip()
        fault = _fault(row[fault_at].strip() or None) if fault_at >= 0 else None
        if block != game.block:
            raise _Wrong(
                f"game {quote(id)} is in block {quote(block)} here and in {quote(game.block)} before"
            )
        if player in game.entrants:
            seat = game.entrants.index(player)
            if (place, fault) == (str(game.places[seat]), game.faults[seat]):
                continue  # a copy, which counts once
            raise _Wrong(f"{quote(player)} has another result in game {quote(id)} already; remove one")
        if not (place.isascii() and place.isdigit() and len(place) < 4 and 1 <= int(place) <= MOST_PLACES):
            raise _Wrong(f"place is {quote(place)}; expected a whole number from 1 to {MOST_PLACES}")
        game.entrants.append(player)
        game.places.append(int(place))
        game.faults.append(fault)
    for id, game in games.items():
        if len(game.entrants) < 2:
            counted.number = game.line
            raise _Wrong(f"game {quote(id)} has one player; a game has two or more")
    return [game.result(id) for id, game in games.items()]


def _duels(rows: Iterable[list[str]], heading: Sequence[str], counted: _Lines) -> list[Result]:
    """A line for each game of two; without a column `game` each line is a game of its own."""
    one_at, other_at, score_at = map(heading.index, DUELS)
    block_at, game_at = (heading.index(name) if name in heading else -1 for name in ("block", "game"))
    results: dict[str, Result] = {}
    known: dict[str, str] = {}  # names that have been looked at, as they stand there
    for row in _cells(rows, heading):
        one = known.get(row[one_at]) or known.setdefault(row[one_at], _name(row[one_at], "a"))
        other = known.get(row[other_at]) or known.setdefault(row[other_at], _name(row[other_at], "b"))
        places = DUEL.get(row[score_at].strip())
        if places is None:
            raise _Wrong(f"score is {quote(row[score_at])}; expected 1, 0.5 or 0, what a made of it")
        if one == other:
            raise _Wrong(f"{quote(one)} plays itself; name two players")
        id = _name(row[game_at], "game") if game_at >= 0 else f"line {counted.number}"
        block = _name(row[block_at], "block") if block_at >= 0 else id
        result = Result(id, block, (one, other), places)
        first = results.setdefault(id, result)
        if first is not result and first != result:
            raise _Wrong(f"game {quote(id)} has another result already; remove one")
        _room(results)
    return list(results.values())


# JSONL


def _jsonl(lines: Iterator[str], counted: _Lines) -> list[Result]:
    """An object for each game: `game`, `places` and perhaps `block` and `faults`."""
    games: dict[str, Result] = {}
    for line in lines:
        if line.strip():
            result = _game(_object(line))
            if games.setdefault(result.game, result) != result:
                raise _Wrong(f"game {quote(result.game)} has another result already; remove one")
            _room(games)
    return list(games.values())


def _object(line: str) -> dict[str, Any]:
    try:
        value = json.loads(line, object_pairs_hook=_once, parse_constant=_no_number, parse_int=_whole)
    except RecursionError:
        raise _Wrong("it is nested too deeply; expected one JSON object") from None
    except json.JSONDecodeError as error:
        raise _Wrong(f"it is not JSON: {error.msg} at character {error.colno}") from None
    if not isinstance(value, dict):
        raise _Wrong(f"it is {quote(value)}; expected an object")
    return value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        raise _Wrong(f"the key {quote(next(key for key in keys if keys.count(key) > 1))} comes twice")
    return found


def _no_number(word: str) -> None:
    raise _Wrong(f"{word} is not JSON")


def _whole(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise _Wrong(f"a number has {len(digits):,} digits; expected whole numbers from 1 to {MOST_PLACES}")
    return int(digits)


def _game(value: dict[str, Any]) -> Result:
    if value.get("type") == "header":
        raise _Wrong("it is the record of one game; name the folder of its tournament")
    odd = value.keys() - {"game", "places", "block", "faults"}
    if odd:
        raise _Wrong(
            f"the key {quote(min(odd))} means nothing here; its keys are game, places, block, faults"
        )
    places, faults = value.get("places"), value.get("faults", {})
    id = _name(value.get("game"), "game")
    block = _name(value.get("block", id), "block")
    if not isinstance(places, dict) or not 2 <= len(places) <= MOST_PLACES:
        raise _Wrong(
            f'places is {quote(places)}; expected an object as {{"x": 1, "y": 2}}, in the order of seats'
        )
    entrants = tuple(_name(name, "player") for name in places)
    if len(set(entrants)) < len(entrants):
        raise _Wrong(f"places is {quote(places)}, which names a player twice; remove one")
    for name, place in places.items():
        if type(place) is not int or not 1 <= place <= MOST_PLACES:
            raise _Wrong(
                f"the place of {quote(name)} is {quote(place)}; expected a whole number from 1 to {MOST_PLACES}"
            )
    if not isinstance(faults, dict) or not faults.keys() <= places.keys():
        raise _Wrong(f"faults is {quote(faults)}; expected an object of players and their reasons")
    reasons = tuple(_fault(faults.get(name)) for name in places)
    return Result(id, block, entrants, tuple(places.values()), reasons if any(reasons) else ())


# PGN


def _pgn(lines: Iterator[str], counted: _Lines) -> list[Result]:
    """The headers White, Black and Result of each game; moves and comments are passed over unread.

    White is the first seat. Games without a result (`*`) or a known player are left out.
    """
    results: list[Result] = []
    headers: dict[str, str] = {}
    first, depth = 0, 0
    for line in lines:
        match = HEADER.fullmatch(line.strip()) if not depth else None
        if match is None:
            if not depth and line.lstrip().startswith("["):
                raise _Wrong('a header cannot be read; expected [Name "value"]')
            if headers and line.strip() and not line.startswith("%"):
                _add_pgn(results, headers, first, counted)
                headers = {}
            depth = _depth(line, depth)
            continue
        name, value = match.groups()
        if (name in headers and name == "Event") or (name in headers and "Result" in headers):
            _add_pgn(results, headers, first, counted)  # a game without moves
            headers = {}
        elif name in headers:
            raise _Wrong(f"the header {name} comes twice in a game")
        first = first if headers else counted.number
        headers[name] = value.replace('\\"', '"').replace("\\\\", "\\")
    if headers:
        _add_pgn(results, headers, first, counted)
    return results


def _depth(line: str, depth: int) -> int:
    """1 inside a comment in braces, which may hold lines that look like headers, else 0."""
    for each in line:
        if each == "{":
            depth = 1
        elif each == "}":
            depth = 0
        elif each == ";" and not depth:
            break
    return depth


def _add_pgn(results: list[Result], headers: dict[str, str], line: int, counted: _Lines) -> None:
    now, counted.number = counted.number, line
    missing = [name for name in ("White", "Black", "Result") if name not in headers]
    if missing:
        raise _Wrong(f"the game that begins here has no header {missing[0]}")
    places = PGN.get(headers["Result"].strip(), ())
    if places == ():
        raise _Wrong(f"Result is {quote(headers['Result'])}; expected one of {', '.join(PGN)}")
    white, black = headers["White"].strip(), headers["Black"].strip()
    if places and white not in UNKNOWN and black not in UNKNOWN:
        if white == black:
            raise _Wrong(f"{quote(white)} plays itself; name two players")
        id = f"game of line {line}"
        results.append(Result(id, id, (_name(white, "White"), _name(black, "Black")), places))
        _room(results)
    counted.number = now


# All


def _name(value: Any, what: str) -> str:
    """A name without the blanks around it; any that can be shown on one line."""
    if isinstance(value, str):
        name = value.strip()
        if 1 <= len(name) <= MAX_NAME and name.isprintable():
            return name
    raise _Wrong(f"{what} is {quote(value)}; expected a name of 1 to {MAX_NAME} printable characters")


def _fault(value: Any) -> str | None:
    """Why a seat was retired, if it was."""
    return None if value is None else _name(value, "fault")


def _room(games: Sequence[Any] | dict[str, Any]) -> None:
    if len(games) > MAX_GAMES:
        raise _Wrong(f"there are more than {MAX_GAMES:,} games; rate them in parts")
