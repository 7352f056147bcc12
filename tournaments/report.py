"""What there is to say of results: standings, who met whom, seats, faults, lengths. Pages and tables show it."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any
from unicodedata import normalize

import numpy as np
from rich.table import Table
from rich.text import Text

from tournaments.config import trial_of
from tournaments.ratings import (
    Fit,
    Result,
    Saved,
    SeatEffect,
    Sprt,
    State,
    Tables,
    Verdict,
    block_scores,
    fit_tables,
    live,
    rated_once,
    seat_effects,
    tables,
    variance_saved,
)
from tournaments.ratings.elo import START
from tournaments.store import ANEW, Played, Store, StoreError
from tournaments.unplayed import Unplayed, noted

DEFAULTS = {"default_timeout": "timeout", "default_illegal": "illegal"}  # columns: defaults of who plays on
MOST_ENDS = 10  # ways in which the program of one entrant ended that are told
MOST_DEFAULTED = 10  # entrants who are named below the table
MOST_CROSSED = 40  # entrants of whom it is told who met whom
MOST_GAPS = 10  # entrants of whom it is told that their games could not be played
ALL = 1 - 1e-9  # a share from which on it is all, but for rounding
ENOUGH_DEALS = 5  # below it the error bars are no good (docs/ratings.md)
LEAST_NAME = 10  # characters of a line of a name in the table
NOTHING = "\N{EN DASH}"  # in place of a number that is not known
FORMULA = frozenset("=+-@")  # how one begins in a spreadsheet, full-width letters included
OF_PLAYERS = ("elo", "low", "high", "live")  # columns that say nothing of who has not played


@dataclass(frozen=True, slots=True)
class Meeting:
    """What one entrant made against another: games, points (at most 1 a game), and observations (`Report.unit`)."""

    games: int
    points: float
    seen: int


Cross = dict[tuple[str, str], Meeting]


@dataclass(frozen=True)
class Tested:
    """What the sequential test says of two entrants; `beyond` counts games that it did not need any more.

    `unit` is what it looked at one after the other: blocks, or games that stand for themselves.
    """

    new: str
    old: str
    test: Sprt
    state: State
    beyond: int = 0
    unit: str = "block"

    @property
    def open(self) -> bool:
        """Whether there is no verdict."""
        return self.state.verdict is Verdict.UNDECIDED

    @property
    def sentence(self) -> str:
        """In one line, for people."""
        test, state = self.test, self.state
        return (
            f"SPRT of {self.new} against {self.old}: {state.verdict.value}; LLR {state.llr:+.2f}, bounds"
            f" {state.lower:+.2f} and {state.upper:+.2f}, after {amount(state.blocks, self.unit)}"
            f" (elo0 {test.elo0:g}, elo1 {test.elo1:g}, alpha {test.alpha:g}, beta {test.beta:g})"
        )

    def fields(self) -> dict[str, Any]:
        """For programs."""
        state = {**asdict(self.state), "verdict": self.state.verdict.value}
        return {"old": self.old, **asdict(self.test), **state}


@dataclass(frozen=True)
class Report:
    """All figures of a set of results.

    `rows` are the standings, best first. `seen` counts the observations behind the error bars, and `unit` says
    what they are: deals, blocks of results from elsewhere, or games that stand for themselves. `cross` has for
    (one, other) what `one` made of their meetings; it is empty for a large field. `saved` is the share of the
    variance that blocks took off, if enough were played. `games` are those of a tournament. `faults` count per
    entrant and reason the games in which it was retired, `defaults` the choices before that for which the default
    was played, `ends` the games in which its program ended, by how it did; they are not known of results from
    elsewhere. `tested` is what the sequential test says, where there
    is one. `unplayed` is what the last run could not play, the most first.
    """

    title: str
    rows: list[dict[str, Any]]
    fit: Fit
    rated: int
    unit: str
    seen: int
    cross: Cross
    seats: list[SeatEffect]
    faults: dict[str, Counter[str]]
    saved: Saved | None
    games: tuple[Played, ...] = ()
    defaults: Mapping[str, Counter[str]] = field(default_factory=dict)
    tested: Tested | None = None
    unplayed: tuple[Unplayed, ...] = ()
    ends: Mapping[str, Counter[str]] = field(default_factory=dict)

    def for_programs(self) -> list[dict[str, Any]]:
        """The rows; where there is something to tell also how programs ended, what was not played, what a test says."""
        tested = self.tested
        more: dict[str, dict[str, Any]] = {
            each.name: {"unplayed": {"games": each.games, "why": each.why}} for each in self.unplayed
        }
        for name, ends in self.ends.items():
            more.setdefault(name, {})["ends"] = dict(ends.most_common(MOST_ENDS))
        if tested is not None:
            more.setdefault(tested.new, {})["sprt"] = tested.fields()
        return [{**row, **more.get(row["name"], {})} for row in self.rows]

    @property
    def gaps(self) -> list[str]:
        """What the last run could not play, each entrant in a sentence; those with the most games."""
        left_out = len(self.unplayed) - MOST_GAPS
        rest = [f"games of {left_out} more entrants could not be played"] if left_out > 0 else []
        return [each.sentence for each in self.unplayed[:MOST_GAPS]] + rest

    @property
    def warnings(self) -> list[str]:
        """What a reader of the standings should know, each in a sentence."""
        if not self.rated:
            return ["no game has been played; the ratings mean nothing yet"]
        if self.seen < ENOUGH_DEALS:
            what = f"one {self.unit}" if self.seen == 1 else f"{self.seen} {self.unit}s"
            text = f"these ratings rest on {what}; from {ENOUGH_DEALS} on the error bars can be trusted"
            more = "games" if self.unit == "game" else "blocks"
            return [f"{text} (docs/ratings.md), and more {more} make them narrower"]
        return []

    @property
    def facts(self) -> list[str]:
        """What is said below the standings, each in a sentence."""
        told = []
        if self.defaults:
            told.append(f"defaults were played for {shown_defaults(self.defaults)}")
        if self.saving:
            told.append(f"blocks: pair scores vary {self.saving}")
        if self.tested is not None:
            told.append(self.tested.sentence)
        return told

    @property
    def saving(self) -> str:
        """What blocks saved, as the end of a sentence about the scores of pairs; empty if nothing can be said.

        So it is where every block came out as expected, as of two who made the same moves: that says nothing of others.
        """
        if self.saved is None or self.saved.share > ALL:
            return ""
        how = "less" if self.saved.share >= 0 else "more"
        share, error = abs(100 * self.saved.share), 100 * self.saved.error
        return f"{share:.0f} % {how} than in as many independent games (standard error {error:.0f} points)"


def of_tournament(store: Store, title: str = "") -> Report:
    """The report of a tournament's folder."""
    games, tested = that_count(store)
    results = [played.result() for played in games]
    made = report(
        results, title or store.title(), store.entrants(), moving=live(results), games=games, tested=tested
    )
    return replace(made, unplayed=tuple(noted(store.folder)))


def that_count(store: Store) -> tuple[tuple[Played, ...], Tested | None]:
    """The games of a tournament that count, and its sequential test if it is a trial.

    Of a trial that has ended only the games up to the decision count, so that it is the same however many workers
    played ahead.
    """
    games = tuple(store.games())
    try:
        trial = trial_of(store.settings())
    except (LookupError, TypeError, ValueError, AttributeError):  # changed by hand
        raise StoreError(f"the index {store.path} does not hold the settings of a trial; {ANEW}") from None
    if trial is None:
        return games, None
    stand = trial.stand([played.result() for played in games])
    count = len(games)
    if stand.ended:
        blocks = {block.id for block in stand.over}
        games = tuple(played for played in games if played.block in blocks)
    return games, Tested(trial.new, trial.old, trial.test, stand.state, count - len(games))


def sequential_test(results: Sequence[Result], new: str, old: str, test: Sprt) -> Tested:
    """The sequential test over results from elsewhere. Raises `KeyError` for a name that they do not have."""
    names = {name for result in results for name in result.entrants}
    for name in (new, old):
        if name not in names:
            raise KeyError(f"{name} of the test is not among the {len(names)} entrants")
    rated = rated_once(results)
    state = test.state(block_scores(rated, new, old))
    return Tested(new, old, test, state, unit="game" if _unit(rated) == "game" else "block")


def report(
    results: Sequence[Result],
    title: str,
    entrants: Iterable[str] = (),
    *,
    anchors: Mapping[str, float] | None = None,
    moving: Mapping[str, float] | None = None,
    games: tuple[Played, ...] | None = None,
    tested: Tested | None = None,
) -> Report:
    """Rate results; `moving` are their live ratings, if the order of the games means anything.

    `games` are the same results as a tournament has stored them.

    Raises `KeyError` and `ConflictingResults` as `fit` does.
    """
    rated = rated_once(results)
    counted = tables(rated, entrants)
    fitted = fit_tables(counted, anchors=anchors)
    defaults = None if games is None else defaults_of(games)
    return Report(
        title=title,
        rows=_rows(fitted, moving, defaults),
        fit=fitted,
        rated=len(rated),
        unit=_unit(rated),
        seen=counted.clusters,
        cross=_cross(counted) if len(counted.names) <= MOST_CROSSED else {},
        seats=seat_effects(counted, fitted),
        faults=counted.faults,
        saved=variance_saved(counted, fitted),
        games=games or (),
        defaults=defaults or {},
        tested=tested,
        ends=ends_of(games or ()),
    )


def defaults_of(games: Iterable[Played]) -> dict[str, Counter[str]]:
    """How often the default was played for each entrant and why, until it was retired, in rated games."""
    defaults: dict[str, Counter[str]] = {}
    for played in games:
        if any(played.defaults) and played.result().rated:
            for name, reasons in zip(played.entrants, played.defaults, strict=True):
                if reasons:
                    defaults.setdefault(name, Counter()).update(reasons)
    return defaults


def ends_of(games: Iterable[Played]) -> dict[str, Counter[str]]:
    """How the program of each entrant ended in games that it lost by it, and how often."""
    ends: dict[str, Counter[str]] = {}
    for played in games:
        for name, how in zip(played.entrants, played.ends, strict=False):
            if how:
                ends.setdefault(name, Counter())[how] += 1
    return ends


def _unit(rated: Sequence[Result]) -> str:
    """What one observation is: results from elsewhere name no deal, and perhaps no block but the game itself."""
    if any(result.deal is not None for result in rated):
        return "deal"
    return "block" if any(result.block != result.game for result in rated) else "game"


def _rows(
    fitted: Fit, moving: Mapping[str, float] | None, defaults: Mapping[str, Counter[str]] | None
) -> list[dict[str, Any]]:
    nothing: Counter[str] = Counter()
    return [
        {
            "name": rating.name,
            "elo": round(rating.elo, 1),
            "low": round(rating.low, 1),
            "high": round(rating.high, 1),
            **({} if moving is None else {"live": round(moving.get(rating.name, START), 1)}),
            "games": rating.games,
            "points": round(rating.points, 3),
            "faults": rating.faults,
            **(
                {}
                if defaults is None
                else {why: defaults.get(rating.name, nothing)[reason] for why, reason in DEFAULTS.items()}
            ),
            "group": rating.group,
        }
        for rating in fitted.ratings
    ]


def _cross(counted: Tables) -> Cross:
    apart = counted.pair_scores()
    pairs = apart.overall()
    n = len(pairs.names)
    seen = np.bincount(apart.first * n + apart.second, minlength=n * n)[pairs.first * n + pairs.second]
    cross: Cross = {}
    columns = (pairs.first, pairs.second, pairs.games, pairs.score, seen)
    for first, second, games, score, times in zip(*(column.tolist() for column in columns), strict=True):
        one, other = pairs.names[first], pairs.names[second]
        cross[one, other] = Meeting(int(games), score, times)
        cross[other, one] = Meeting(int(games), games - score, times)
    return cross


def standings_csv(rows: Sequence[Mapping[str, Any]]) -> str:
    """The rows as CSV. A name that a spreadsheet would take for a formula is told apart by a quote before it.

    Of who has not played nothing is known, and the cells are empty.
    """
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["place", *rows[0]] if rows else ["place"])
    for place, row in enumerate(rows, 1):
        known = {key: "" if key in OF_PLAYERS and not row["games"] else _cell(row[key]) for key in row}
        writer.writerow([place, *known.values()])
    return file.getvalue()


def _cell(value: object) -> object:
    if not isinstance(value, str) or normalize("NFKC", value[:1]) not in FORMULA:
        return value
    return f"'{value}"


def standings_table(rows: Sequence[Mapping[str, Any]], title: str) -> Table:
    """The same for a terminal. Names are text: markup and control characters in them mean nothing."""
    table = Table(title=Text(title), title_justify="left")
    table.add_column("", justify="right")
    table.add_column("name", overflow="fold", min_width=LEAST_NAME)
    with_live = any("live" in row for row in rows)
    with_defaults = any(map(defaulted, rows))
    headings = ["Elo", "95 %", *(["live Elo"] if with_live else []), "games", "points", "retired"]
    for heading in [*headings, *(["defaults"] if with_defaults else [])]:
        table.add_column(heading, justify="right", no_wrap=True)
    grouped = len({row["group"] for row in rows}) > 1
    if grouped:
        table.add_column("group", justify="right", no_wrap=True)
    for place, row in enumerate(rows, 1):
        cells: list[str | Text] = [
            str(place),
            Text(row["name"]),
            *shown_rating(row, "..."),
            *([f"{row['live']:.0f}"] if with_live else []),
            str(row["games"]),
            f"{row['points']:.2f}",
            str(row["faults"]),
            *([str(defaulted(row))] if with_defaults else []),
        ]
        table.add_row(*cells, *([str(row["group"])] if grouped else []))
    if grouped:
        table.caption = "Groups have not met: ratings compare only within a group."
    return table


def defaulted(row: Mapping[str, Any]) -> int:
    """Choices of a row's entrant for which the default was played, before it was retired."""
    return sum(row.get(why, 0) for why in DEFAULTS)


def shown_defaults(defaults: Mapping[str, Counter[str]]) -> str:
    """For whom defaults were played, most often first, how often and why."""
    most = sorted(defaults, key=lambda name: (-defaults[name].total(), name))
    told = [f"{name} ({shown_reasons(defaults[name])})" for name in most[:MOST_DEFAULTED]]
    more = f" and {amount(len(most) - MOST_DEFAULTED, 'more entrant')}" if len(most) > MOST_DEFAULTED else ""
    return f"{', '.join(told)}{more}"


def shown_reasons(reasons: Mapping[str, int]) -> str:
    """How often for each reason."""
    return ", ".join(f"{count} {reason}" for reason, count in sorted(reasons.items()))


def shown_rating(row: Mapping[str, Any], to: str) -> tuple[str, str]:
    """Elo and interval of a row as they are shown: of who has not played nothing is known."""
    if not row["games"]:
        return NOTHING, NOTHING
    return f"{row['elo']:+.0f}", f"{row['low']:+.0f} {to} {row['high']:+.0f}"


def amount(number: int, what: str) -> str:
    """A number of things."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"
