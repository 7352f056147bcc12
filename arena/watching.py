"""What is watched, in lines, for pipes and files: an event, an outcome, the list of games.

How a whole table is drawn is in `arena.board`. Every text is escaped: names cannot move the cursor (S072).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from arena.describe import count_text, describe, labels
from protocol.messages import End, Games


def event_line(number: int, event: Mapping[str, Any], names: Sequence[str]) -> str:
    """An event where there is no terminal; `names` are the labels of the seats."""
    return f"{number} {describe(event, names)}"


def outcome_lines(end: End, names: Sequence[str]) -> Iterable[str]:
    """How the game ended; `names` are the labels of the seats."""
    why = f"the power of {end.power}" if end.power is not None else end.why.value
    if not end.places:
        yield f"the game was not played to its end: {why}"
        return
    yield f"the game is over: {why}"
    for seat in sorted(range(len(end.places)), key=lambda seat: end.places[seat]):
        reason = end.reasons[seat].value
        note = f" ({reason})" if reason != "normal" else ""
        yield f"{end.places[seat]}. {names[seat]} with {count_text(end.credits[seat], 'credit')}{note}"


def games_lines(games: Games) -> Iterable[str]:
    """What `list` answers, one line each."""
    for table in games.tables:
        players = ", ".join(labels(table.players)) or "nobody yet"
        yield f"table {table.table}: {len(table.players)} of {table.seats} seats taken by {players}"
    if games.queue:
        yield f"queue: {count_text(games.queue, 'bot')}"
    for game in games.games:
        yield f"game {game.game}: {', '.join(labels(game.players))}; {count_text(game.number, 'event')}"
    if games.omitted:
        yield f"and {games.omitted} more"
    if not games.tables and not games.games:
        yield "no table is open and no game is played"
