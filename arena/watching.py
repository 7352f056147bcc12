"""A game as the terminal shows it while it is played: the board, whose turn it is, the last events in words.

    board = Board()
    board.start(names); board.look(view); board.add(number, event)
    console.print(board)

Also the one line that stands for an event where there is no terminal. Every text is escaped: names cannot
move the cursor or colour the screen, and long ones are cut so that the credits stay visible (S067, S072).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich import box
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from arena.describe import cards_text, count_text, describe, labels
from protocol.errors import printable
from protocol.messages import End, Games

KEPT = 100  # events, more than any terminal has lines
LEAST_EVENTS = 3  # lines for events, however little room the board leaves
NAME_WIDTH = 20  # columns; then a name is cut


class Board:
    """What is known of one game; rich shows it as large as the terminal allows."""

    def __init__(self, game: str, names: Sequence[str]) -> None:
        self.game = printable(game)
        self.names = labels(names)
        self.view: Mapping[str, Any] | None = None
        self.events: deque[Text] = deque(maxlen=KEPT)
        self.outcome: list[str] = []

    def add(self, number: int, event: Mapping[str, Any]) -> None:
        """An event has happened."""
        self.events.append(Text(f"{number:>5}  {describe(event, self.names)}"))

    def end(self, end: End) -> None:
        """The game is over."""
        self.outcome = list(outcome_lines(end, self.names))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        shown = [*self._board(), *(Text(line, style="bold") for line in self.outcome)]
        used = 0
        for part in shown:
            used += len(console.render_lines(part, options.update(height=None)))
            yield part
        room = max(LEAST_EVENTS, (options.height or console.height) - used - 1)
        for line in list(self.events)[-room:]:
            line.truncate(options.max_width, overflow="ellipsis")
            yield line

    def _board(self) -> Iterable[Text | Table]:
        view = self.view
        if view is None:
            yield Text(f"{self.game}: waiting for the players to get ready")
            return
        over = ", over" if self.outcome else f": {self.names[view['lead']]} leads"
        yield Text(f"{self.game}, turn {view['turn']}{over}", style="bold")
        yield Text(f"draw pile {view['pile']}, discard pile {view['discard']}")
        yield Text(f"Supply Island: {cards_text(view['island'])}")
        yield players_table(view, self.names)


def players_table(view: Mapping[str, Any], names: Sequence[str]) -> Table:
    """One row for each seat."""
    table = Table(box=box.SIMPLE_HEAD, expand=True, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("seat", no_wrap=True, overflow="ellipsis", min_width=6, max_width=NAME_WIDTH)
    table.add_column("credits", justify="right", no_wrap=True, min_width=7)
    table.add_column("hand", justify="right", no_wrap=True, min_width=4)
    for title in ("Crew", "Goods", "fulfilled"):
        table.add_column(title, ratio=2, overflow="fold")
    table.add_column("Ships", ratio=5, overflow="fold")
    for seat, player in enumerate(view["players"]):
        leads = seat == view["lead"]
        table.add_row(
            Text("\n".join((("> " if leads else "  ") + names[seat], *_doing(player)))),
            Text(str(player["credits"]), style="bold"),
            Text(str(player["hand"])),
            *(Text(printable(", ".join(player[place]))) for place in ("crew", "goods", "fulfilled")),
            Text("\n".join(_ship(ship) for ship in view["ships"] if ship["owner"] == seat)),
            style="bold" if leads else "",
        )
    return table


def _doing(player: Mapping[str, Any]) -> list[str]:
    if not player["announced"] or not player["doing"]:
        return []
    return [f"  {printable(player['doing'])} {player['announced']}"]


def _ship(ship: Mapping[str, Any]) -> str:
    place = {"port": "Port", "sea": "sea"}.get(ship["place"], ship["place"])
    contracts = f" {' + '.join(ship['contracts'])}" if ship["contracts"] else ""
    containers = f" [{', '.join(ship['containers'])}]" if ship["containers"] else ""
    return printable(f"{ship['ship']} {place}:{contracts}{containers}")


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
