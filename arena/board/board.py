"""What is known of one game, and how it is fitted to the terminal.

The picture is a row of plans, from all that can be told down to a few lines; the first that fits is drawn. So the
same game looks the same on the same terminal, a frame is whole or not there, and no line is wider than the terminal.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from arena.board.cards import Cards, house_cards
from arena.board.lines import ASCII, GAP, UNICODE, Block, Brush, beside, columns, cut, flow, joined, words
from arena.board.market import market
from arena.board.ports import NAME_WIDTH, Detail, Ports
from arena.board.race import History, race
from arena.describe import describe, kind_text, labels
from protocol.errors import printable

KEPT: Final = 100  # events, more than any terminal has lines
SIDE: Final = 150  # columns from which the log stands beside the table
SIDE_SHARE: Final = 3  # the log then has one column of so many
PORT: Final = 50  # columns that a seat in a frame needs

OTHERS: Final = {"…": "."}  # what rich puts in, for a terminal that has ASCII alone

View = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is told."""

    ports: Detail
    sea: bool  # the High Seas by the ids of the cards, else by letters
    race: bool
    log: int  # lines for events, at least


PLANS: Final = (
    Plan(Detail.TEXTS, sea=True, race=True, log=8),
    Plan(Detail.POWERS, sea=True, race=True, log=8),
    Plan(Detail.POWERS, sea=True, race=True, log=4),
    Plan(Detail.FRAME, sea=True, race=True, log=4),
    Plan(Detail.FRAME, sea=True, race=False, log=3),
    Plan(Detail.LINES, sea=True, race=True, log=4),
    Plan(Detail.LINES, sea=True, race=False, log=3),
    Plan(Detail.LINES, sea=False, race=False, log=3),
    Plan(Detail.LINE, sea=True, race=True, log=3),
    Plan(Detail.LINE, sea=True, race=False, log=3),
    Plan(Detail.LINE, sea=False, race=False, log=2),
)
"""From the richest to the poorest, by rank: credits, what is asked and the log stay to the last."""


class Board:
    """What is known of one game; rich shows it as large as the terminal allows."""

    def __init__(
        self,
        game: str,
        names: Sequence[str],
        *,
        clock: Mapping[str, float] | None = None,
        cards: Cards | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """`clock` has the time that every seat has, `move` and `bank`, in seconds; without it none is shown."""
        self.game = printable(game)
        self.names = labels(names)
        self.view: View | None = None
        self.asked: View | None = None
        self.events: deque[Text] = deque(maxlen=KEPT)
        self.outcome: list[str] = []
        self.waiting = False  # for the players to get ready
        self.note = ""  # what else the first line says
        self.history = History()
        self._clock = clock
        self._cards = cards or house_cards()
        self._now = now
        self._looked = self._since = (
            now()
        )  # when the last view came; when the decision began that is asked for

    # What is told

    def look(self, view: View, asked: View | None = None) -> None:
        """The view as it is now, and who is asked what, if that may be known.

        `asked` has `kind` and `seats`, and may have the `age` of the question in seconds and the `clock` of the seat
        that looks.
        """
        self.view, self.asked = view, asked
        self.history.add([player["credits"] for player in view["players"]])
        self._looked = self._now()
        self._since = self._looked - (asked or {}).get("age", 0.0)

    def add(self, number: int, event: Mapping[str, Any]) -> None:
        """An event has happened."""
        self.say(number, describe(event, self.names))

    def say(self, number: int, sentence: str) -> None:
        """The same in words."""
        self.events.append(words((f"{number:>5}  ", "dim"), sentence))

    def end(self, outcome: Iterable[str]) -> None:
        """The game is over, and came out so."""
        self.outcome = list(outcome)
        self.asked = None

    # What is drawn

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width, height = max(20, options.max_width), max(8, options.height or console.height)
        plain = options.ascii_only or console.legacy_windows
        brush = Brush(console, ASCII if plain else UNICODE)
        for line in self.lines(brush, width, height):
            line.no_wrap = True
            yield in_ascii(line) if plain else line

    def lines(self, brush: Brush, width: int, height: int) -> Block:
        """The picture in at most so many lines of at most this width."""
        head = self._head()
        view = self.view
        if view is None:
            block = [*head, *self._log(width, height - len(head))]
        else:
            drawn = (self._drawn(view, plan, head, brush, width, height) for plan in PLANS)
            fitting: Block | None = next((block for block in drawn if len(block) <= height), None)
            block = fitting if fitting is not None else self._least(view, head, width, height)
        return [cut(line, width) if line.cell_len > width else line for line in block[:height]]

    def _head(self) -> Block:
        """The first lines: which game, and whose decision it is or how it ended."""
        view = self.view if not self.waiting else None
        note = (f"   {self.note}" if self.note else "", "dim")
        if self.outcome:
            turn = f", turn {view['turn']}" if view is not None else ""
            told = [words((line, "bold")) for line in self.outcome]
            return [words((f"{self.game}{turn}, over", "bold"), note), *told]
        if view is None:
            waits = f"{self.game}: waiting for the players to get ready; no clock runs"
            return [words((waits, "bold"), note)]
        leads = f"{self.game}, turn {view['turn']}: {self.names[view['lead']]} leads"
        return [words((leads, "bold"), note), *([self._asked()] if self.asked else [])]

    def _asked(self) -> Text:
        asked = self.asked or {}
        seats = asked["seats"]
        who = [words((self.names[seat], "bold")) for seat in seats]
        for name in who:
            name.truncate(NAME_WIDTH if len(seats) == 1 else NAME_WIDTH // 2, overflow="ellipsis")
        return words(
            joined(who, ", "), " to decide", (self._time(asked), "bold"), f": {kind_text(asked['kind'])}"
        )

    def _time(self, asked: View) -> str:
        """The time that is left; of others only that of the move is known."""
        if "clock" in asked:
            move, bank = asked["clock"]["move"] - (self._now() - self._looked), asked["clock"]["bank"]
            return f" in {seconds(move)} and {seconds(bank + min(0.0, move))} of the bank"
        if self._clock is None:
            return ""
        passed = self._now() - self._since
        left, bank = self._clock["move"] - passed, self._clock.get("bank", 0.0)
        if left > 0 or not bank:
            return f" in {seconds(left)} of {seconds(self._clock['move'])}"
        return f", for {seconds(-left)} on a bank of at most {seconds(bank)}"

    def _drawn(self, view: View, plan: Plan, head: Block, brush: Brush, width: int, height: int) -> Block:
        """The whole picture by a plan; higher than `height` if it does not fit."""
        side = width // SIDE_SHARE if width >= SIDE else 0
        left = width - side - GAP if side else width
        table = self._table(view, plan, brush, left)
        right = side or width
        more = race(self.history, self.names, brush, right) if plan.race else []
        more += self._options(view, right, 12 if side else 4) if plan.ports else []
        if side:
            room = height - len(head)
            log = self._log(right, room - len(more))
            if len(table) > room or len(more) + plan.log > room:
                return [*head, *table, *more, *self._log(right, plan.log)] + [Text()] * height
            return head + beside([table, more + log], [left, side])
        block = [*head, *table, *more]
        return block + self._log(width, max(plan.log, height - len(block)), least=plan.log)

    def _table(self, view: View, plan: Plan, brush: Brush, width: int) -> Block:
        """What lies on the table."""
        ports = Ports(view, self.names, self.asked, self._cards, brush)
        block = market(view, self.names, self._cards, brush, width, 3 if plan.ports else 1)
        block += ports.sea(width, brief=not plan.sea)
        seats = len(view["players"])
        count = max(1, min(seats, width // PORT)) if plan.ports >= Detail.FRAME else 1
        rows = -(-seats // count)
        count = -(-seats // rows)
        widths = columns(width, count)
        for first in range(0, seats, count):
            drawn = [
                ports.seat(seat, widths[seat - first], plan.ports)
                for seat in range(first, min(seats, first + count))
            ]
            block += beside(drawn, widths[: len(drawn)]) if len(drawn) > 1 else drawn[0]
        return block

    def _options(self, view: View, width: int, most: int) -> Block:
        """What the seat that looks is asked, where a view has that."""
        decision = view.get("decision")
        if decision is None:
            return []
        texts = decision["options"]
        shown = [
            words(
                (f"{index:>3} ", "dim"), text, (" (default)" if index == decision["default"] else "", "dim")
            )
            for index, text in enumerate(texts[: most - 1 if len(texts) > most else most])
        ]
        if len(texts) > len(shown):
            shown.append(words((f"    and {len(texts) - len(shown)} more options", "dim")))
        return [words(("options", "dim")), *(cut(line, width) for line in shown)]

    def _log(self, width: int, room: int, least: int = 0) -> Block:
        """The last events, as many as there is room for."""
        lines = list(self.events)[-room:] if room > 0 else []
        block = []
        for event in lines:
            line = event.copy()
            line.truncate(width, overflow="ellipsis")
            block.append(line)
        return block + [Text()] * max(0, least - len(block))

    def _least(self, view: View, head: Block, width: int, height: int) -> Block:
        """A terminal that is too small for any plan: who has how much, and the last events."""
        credits = [
            words(f"{name[:8]} {player['credits']}")
            for name, player in zip(self.names, view["players"], strict=True)
        ]
        block = [*head, *flow(credits, width)]
        return block + self._log(width, max(1, height - len(block)))


def in_ascii(line: Text) -> Text:
    """For a terminal that has nothing else."""
    shown = line.copy()
    shown.plain = "".join(letter if letter.isascii() else OTHERS.get(letter, "?") for letter in line.plain)
    return shown


def seconds(time: float) -> str:
    """Seconds, never below zero."""
    time = max(0.0, time)
    return f"{time:.1f} s" if time < 10 else f"{time:.0f} s"
