"""The report as one HTML page: no script, nothing loaded from elsewhere, every name escaped, no control characters.

Here: markup. The figures come from report.py, drawings from plots.py, the looks are page.css.
"""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from html import escape
from importlib.resources import files
from urllib.parse import quote

from protocol.errors import printable
from tournaments.plots import histogram, intervals
from tournaments.report import (
    ENOUGH_DEALS,
    MOST_CROSSED,
    MOST_ENDS,
    NOTHING,
    Report,
    amount,
    defaulted,
    shown_rating,
    shown_reasons,
)
from tournaments.store import Played

MOST_PLOTTED = 60  # entrants in the plot of intervals
MOST_GAMES = 2_000  # lines in the list of games
LIKELY, CERTAIN = 0.95, 0.99  # likelihoods of superiority from which a cell is coloured faintly, and fully


def page_of(report: Report) -> str:
    """The page, whole."""
    style = _style()
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    sections = (_standings, _sprt, _crosstable, _seats, _faults, _lengths, _games, _method)
    body = "".join(section(report) for section in sections)
    page = (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta name="referrer" content="no-referrer"><title>{escape(report.title)}</title>'
        f"<style>{style}</style></head><body><main>"
        f"<h1>{escape(report.title)}</h1>{_summary(report)}{body}</main></body></html>\n"
    )
    return "\n".join(map(printable, page.split("\n")))  # wherever a text comes from: markup has none of these


@cache
def _style() -> str:
    return files("tournaments").joinpath("page.css").read_text("utf-8")


def _summary(report: Report) -> str:
    void = sum(not played.result().rated for played in report.games)
    facts = [
        amount(len(report.rows), "entrant"),
        amount(report.rated, "rated game"),
        *([] if report.unit == "game" else [amount(report.seen, report.unit)]),
        *([f"{amount(void, 'game')} void"] if void else []),
    ]
    notes = "".join(f'<p class="note">{escape(text)}</p>' for text in (*report.gaps, *report.warnings))
    return f'<p class="soft">{" · ".join(facts)}</p>{notes}'


def _standings(report: Report) -> str:
    if not report.rated:
        names = ", ".join(_bdi(row["name"]) for row in report.rows)
        return f"<h2>Entrants</h2><p>{names}</p>" if names else ""
    grouped = len(report.fit.groups) > 1
    with_live = any("live" in row for row in report.rows)
    with_defaults = any(map(defaulted, report.rows))
    heading = [
        "",
        "Entrant",
        "Elo",
        "95 %",
        *(["live Elo"] if with_live else []),
        "games",
        "points",
        "retired",
        *(["defaults"] if with_defaults else []),
    ]
    rows = [
        [
            str(place),
            _bdi(row["name"]),
            *shown_rating(row, "to"),
            *([f"{row['live']:.0f}"] if with_live else []),
            f"{row['games']:,}",
            f"{row['points']:,.2f}",
            f"{row['faults']:,}",
            *([f"{defaulted(row):,}"] if with_defaults else []),
            *([str(row["group"])] if grouped else []),
        ]
        for place, row in enumerate(report.rows, 1)
    ]
    table = _table([*heading, *(["group"] if grouped else [])], rows, "Standings")
    text = '<p class="note">Groups have not met: ratings compare only within a group.</p>' if grouped else ""
    played = [row for row in report.rows if row["games"]]
    plotted = [(row["name"], row["elo"], row["low"], row["high"]) for row in played[:MOST_PLOTTED]]
    plot = _plot(intervals(plotted, "Elo", "Ratings with their 95 % intervals")) if plotted else ""
    return f"<h2>Standings</h2>{text}{table}{plot}"


def _sprt(report: Report) -> str:
    tested = report.tested
    if tested is None:
        return ""
    test, state = tested.test, tested.state
    rows = [
        ["verdict", state.verdict.value],
        ["log-likelihood ratio", f"{state.llr:+.2f}"],
        ["not better at", f"{state.lower:+.2f}"],
        ["better at", f"{state.upper:+.2f}"],
        [f"{tested.unit}s", f"{state.blocks:,}"],
        ["H0, H1", f"{test.elo0:+g} Elo, {test.elo1:+g} Elo"],
        ["alpha, beta", f"{test.alpha:g}, {test.beta:g}"],
    ]
    beyond = ""
    if tested.beyond:
        beyond = (
            f"<p>{amount(tested.beyond, 'game')} played beyond the decision do not count anywhere here.</p>"
        )
    return (
        f'<h2>Sequential test</h2><p class="soft">Is {_bdi(tested.new)} better than {_bdi(tested.old)}? The test'
        f" looks after each {tested.unit}, in their order, and ends at a bound.</p>"
        f"{_table(['', ''], rows, 'Sequential test', who=0)}{beyond}"
    )


def _crosstable(report: Report) -> str:
    names = [row["name"] for row in report.rows]
    if len(names) < 2 or not report.rated:
        return ""
    title = "<h2>Who met whom</h2>"
    if len(names) > MOST_CROSSED:
        return f"{title}<p>Left out for more than {MOST_CROSSED} entrants.</p>"
    superior = report.fit.superiority
    rows = []
    for place, one in enumerate(names, 1):
        cells = []
        for other in names:
            met = report.cross.get((one, other))
            if met is None:
                cells.append('<td class="self">&ndash;</td>')
                continue
            chance = superior(one, other)
            shade = _shade(chance) if met.seen >= ENOUGH_DEALS else ""
            known = "" if chance is None else f", better with {100 * chance:.1f} %"
            rests = "" if report.unit == "game" else f" in {amount(met.seen, report.unit)}"
            told = f"{one} against {other}: {met.points:g} of {amount(met.games, 'game')}{rests}{known}"
            share = f"{100 * met.points / met.games:.0f}"
            cells.append(f'<td class="{shade}" title="{escape(told)}">{share}</td>')
        rows.append(f'<tr><td>{place}</td><th scope="row" class="who">{_bdi(one)}</th>{"".join(cells)}</tr>')
    head = "".join(
        f'<th scope="col" title="{escape(name)}">{place}</th>' for place, name in enumerate(names, 1)
    )
    return (
        f'{title}<p class="soft">Share of the points in % that the entrant of the row made against that of the'
        f" column. Coloured where the two have met in at least {ENOUGH_DEALS} {report.unit}s and it is at least"
        f" {100 * CERTAIN:.0f} % likely who is the better, faintly from {100 * LIKELY:.0f} % on.</p>"
        f'{_wide("Who met whom")}<table><thead><tr><th></th><th class="who">Entrant</th>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _shade(chance: float | None) -> str:
    """The classes of a cell: the fewer and the less even the deals, the nearer the likelihood is to a half."""
    if chance is None or max(chance, 1 - chance) < LIKELY:
        return ""
    faint = "" if max(chance, 1 - chance) >= CERTAIN else " faint"
    return f"good{faint}" if chance >= LIKELY else f"bad{faint}"


def _seats(report: Report) -> str:
    if not report.seats:
        return ""
    rows, plotted = [], []
    for effect in report.seats:
        bounds = NOTHING
        if effect.low is not None and effect.high is not None:
            bounds = f"{100 * effect.low:+.1f} to {100 * effect.high:+.1f}"
            points, low, high = (round(100 * each, 1) for each in (effect.points, effect.low, effect.high))
            plotted.append((f"seat {effect.seat + 1} of {effect.seats}", points, low, high))
        rows.append(
            [
                f"{effect.seats}",
                f"{effect.seat + 1}",
                f"{effect.games:,}",
                f"{100 * effect.points:+.1f}",
                bounds,
            ]
        )
    drawing = intervals(plotted, "% of a game's points", "Effect of the seat") if plotted else ""
    order = "" if report.games else " The first seat is that of the entrant that a result names first."
    return (
        '<h2>Seats</h2><p class="soft">What a seat earned above what its entrants\' ratings expect, in % of the points'
        f" of a game. A diagnostic: it does not enter the ratings.{order}</p>"
        f"{_table(['seats', 'seat', 'games', 'effect', '95 %'], rows, 'Seats', who=-1)}{_plot(drawing)}"
    )


def _faults(report: Report) -> str:
    if not report.faults and not report.defaults:
        return "<h2>Faults</h2><p>None.</p>" if report.rated else ""
    retired = "Games in which the entrant was retired, by reason."
    defaults = "Choices for which the default was played, while the entrant was not retired, by reason."
    return (
        f"<h2>Faults</h2>{_by_reason(report.faults, retired, 'Retired')}"
        f"{_by_reason(report.defaults, defaults, 'Defaults')}{_ends(report)}"
    )


def _ends(report: Report) -> str:
    if not report.ends:
        return ""
    rows = [
        [_bdi(name), escape(how), f"{games:,}"]
        for name in sorted(report.ends)
        for how, games in report.ends[name].most_common(MOST_ENDS)
    ]
    table = _table(["Entrant", "its program", "games"], rows, "Programs that ended", who=0)
    return f'<p class="soft">How programs ended in the middle of games, which lost them.</p>{table}'


def _by_reason(counts: Mapping[str, Counter[str]], what: str, label: str) -> str:
    if not counts:
        return ""
    reasons = sorted({reason for each in counts.values() for reason in each})
    rows = [[_bdi(name), *(f"{counts[name][reason] or ''}" for reason in reasons)] for name in sorted(counts)]
    table = _table(["Entrant", *map(escape, reasons)], rows, label, who=0)
    return f'<p class="soft">{what}</p>{table}'


def _lengths(report: Report) -> str:
    lengths = [played.choices for played in report.games if played.choices]
    if not lengths:
        return ""
    whys = Counter(played.why for played in report.games if played.why)
    rows = [
        [escape(why), f"{count:,}", f"{100 * count / whys.total():.0f} %"]
        for why, count in whys.most_common(30)
    ]
    return (
        '<h2>How games ended, and how long they took</h2><p class="soft">Credits, cards, the limit of turns, or a'
        f" power. Choices made in a game:</p>{_plot(histogram(lengths, 'choices', 'Choices in a game'))}"
        f"{_table(['ended by', 'games', 'share'], rows, 'Ends', who=0)}"
    )


def _games(report: Report) -> str:
    if not report.games:
        return ""
    shown = report.games[-MOST_GAMES:]
    left_out = len(report.games) - len(shown)
    text = f"<p>The last {len(shown):,}; {left_out:,} before them are left out.</p>" if left_out else ""
    first = left_out + 1
    rows = [_game(number, played) for number, played in enumerate(shown, first)]
    return f"<h2>Games</h2>{text}{_table(['', 'Places', 'credits', 'record'], rows, 'Games')}"


def _game(number: int, played: Played) -> list[str]:
    order = sorted(range(len(played.entrants)), key=lambda seat: (played.places[seat], seat))
    rated = played.result().rated
    defaults = played.defaults or ((),) * len(played.entrants)
    ends = played.ends or ("",) * len(played.entrants)
    names = ", ".join(
        (f"{played.places[seat]}. " if rated else "")
        + _bdi(played.entrants[seat])
        + (
            ""
            if played.reasons[seat] == "normal"
            else f" ({escape(': '.join(filter(None, (played.reasons[seat], ends[seat]))))})"
        )
        + (f" (defaults: {escape(shown_reasons(Counter(defaults[seat])))})" if defaults[seat] else "")
        for seat in order
    )
    if not rated:
        names = f"void: {names}"
    credits = ", ".join(str(played.credits[seat]) for seat in order) if rated else NOTHING
    link = f'<a href="{escape(quote(played.record))}">{escape(played.id)}</a>'
    return [str(number), names, credits, link]


def _method(report: Report) -> str:
    if not report.rated:
        return ""
    unit = "each game" if report.unit == "game" else f"all games of one {report.unit}"
    cause = "each deal is played from every seat" if report.unit == "deal" else "of the blocks"
    saved = f" Because {cause}, the scores of pairs varied {report.saving}." if report.saving else ""
    live = any("live" in row for row in report.rows)
    moving = " Live Elo move game by game and depend on their order." if live else ""
    return (
        "<h2>How to read the numbers</h2><p>Elo are those of the published fit: the pairwise Bradley-Terry model by"
        f" maximum likelihood, with ties as half a win and a weak prior. The 95 % intervals take {unit} for one"
        f" observation.{saved}{moving} An entrant that a fault retired ranks behind all who finished.</p>"
    )


def _table(heading: Sequence[str], rows: Iterable[Sequence[str]], label: str, who: int = 1) -> str:
    """Cells are markup already; the column `who` holds names."""

    def kind(column: int) -> str:
        return " class=who" if column == who else ""

    head = "".join(f'<th scope="col"{kind(column)}>{each}</th>' for column, each in enumerate(heading))
    body = "".join(
        f"<tr>{''.join(f'<td{kind(column)}>{each}</td>' for column, each in enumerate(row))}</tr>"
        for row in rows
    )
    return f"{_wide(label)}<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"


def _plot(drawing: str) -> str:
    return f"{_wide('Plot')}{drawing}</div>" if drawing else ""


def _wide(label: str) -> str:
    """A box that scrolls sideways by itself, also by keyboard, so that the page does not."""
    return f'<div class="wide" role="region" tabindex="0" aria-label="{escape(label)}">'


def _bdi(name: str) -> str:
    """A name as text that changes the direction of nothing around it."""
    return f"<bdi>{escape(name)}</bdi>"
