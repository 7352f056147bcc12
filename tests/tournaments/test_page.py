"""The report page: everything is there, nothing is loaded, and names are only text."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from rich.cells import cell_len

from protocol.errors import printable
from tournaments.page import MOST_CROSSED, MOST_GAMES, page_of
from tournaments.plots import LETTERS
from tournaments.ratings import Result, Sprt
from tournaments.report import NOTHING, Report, report, sequential_test
from tournaments.store import Played
from tournaments.unplayed import Unplayed

HOSTILE = [
    "<img src=x onerror=alert(1)>",
    '"><script>alert(1)</script>',
    "</title></style>x",
    "' onmouseover='alert(1)",
    "\u202eevil",
    "{{7*7}}&amp;",
]
VOID = {"meta", "br", "img", "link", "input", "line", "circle", "rect"}


class Page(HTMLParser):
    """Tags, attributes and text of a page; refuses tags that are not closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.text: list[str] = []
        self.tables: dict[str, list[list[str]]] = {}  # by their labels: rows of cells
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in VOID:
            self._open.append(tag)
        if tag == "div":
            self._rows = self.tables.setdefault(dict(attrs)["aria-label"] or "", [])
        elif tag == "tr":
            self._rows.append([])
        elif tag in ("td", "th"):
            self._rows[-1].append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)
        if {"td", "th"} & set(self._open):
            self._rows[-1][-1] += data


def said(page: str) -> str:
    """What can be read on a page, without its style."""
    return " ".join(Page(re.sub("<style>.*</style>", "", page, flags=re.DOTALL)).text)


def game(number: int, *order: str, deal: int = 1, reason: str = "normal") -> Played:
    """A game that ended in this order, the last for this reason."""
    reasons = ("normal",) * (len(order) - 1) + (reason,)
    places = tuple(range(1, len(order) + 1))
    return Played(
        f"g{number}",
        f"b{deal}",
        deal,
        order,
        places,
        (9,) * len(order),
        reasons,
        f"games/g{number}.jsonl",
        why="credits" if number % 2 else "cards",
        choices=100 + number,
    )


def made(games: list[Played], title: str = "spring", entrants: list[str] | None = None) -> Report:
    return report([each.result() for each in games], title, entrants or [], moving={}, games=tuple(games))


def some(count: int = 12) -> Report:
    games = [
        game(n, *(("Ada", "Bo", "Cy")[n % 3 :] + ("Ada", "Bo", "Cy")[: n % 3]), deal=n) for n in range(count)
    ]
    return made([*games, game(99, "Ada", "Bo", deal=99, reason="timeout")])


def test_all_sections_are_there() -> None:
    page = Page(page_of(some()))
    text = "".join(page.text)
    for heading in (
        "Standings",
        "Who met whom",
        "Seats",
        "Faults",
        "How games ended",
        "Games",
        "How to read",
    ):
        assert heading in text
    assert "timeout" in text
    assert ("a", "href", "games/g99.jsonl") in page.attributes
    assert page.tags.count("svg") == 3


def test_every_figure_is_that_of_the_games() -> None:
    """Ada wins two of three against Bo, all against Cy, from the first seat alone; Bo and Cy are level."""
    games = [
        game(1, "Ada", "Bo"),
        game(2, "Ada", "Bo", deal=2),
        game(3, "Bo", "Ada", deal=3, reason="crash"),
        *[game(n, "Ada", "Cy", deal=n, reason="timeout" if n == 4 else "normal") for n in range(4, 8)],
        *[replace(game(n, "Bo", "Cy", deal=n), places=(1, 1), credits=(7, 7)) for n in (8, 9)],
        replace(game(10, "Cy", "Bo", deal=10), reasons=("aborted", "disconnect"), record="games/g10.void"),
        replace(
            game(11, "Cy", "Bo", deal=11), places=(1, 1), defaults=(("timeout",), ("illegal", "illegal"))
        ),
    ]
    page = Page(page_of(made(games)))
    assert page.tables["Standings"][0] == [
        "", "Entrant", "Elo", "95 %", "live Elo", "games", "points", "retired", "defaults"
    ]  # fmt: skip
    of = {row[1]: row[5:] for row in page.tables["Standings"][1:]}
    assert of == {
        "Ada": ["7", "6.00", "1", "0"],
        "Bo": ["6", "2.50", "0", "2"],
        "Cy": ["7", "1.50", "1", "1"],
    }
    names = [row[1] for row in page.tables["Standings"][1:]]
    shares = {
        (row[1], names[column]): cell
        for row in page.tables["Who met whom"][1:]
        for column, cell in enumerate(row[2:])
        if row[1] != names[column]
    }
    assert shares == {
        ("Ada", "Bo"): "67", ("Ada", "Cy"): "100", ("Bo", "Cy"): "50",
        ("Bo", "Ada"): "33", ("Cy", "Ada"): "0", ("Cy", "Bo"): "50",
    }  # fmt: skip
    (first, second) = page.tables["Seats"][1:]
    assert [first[:3], second[:3]] == [["2", "1", "10"], ["2", "2", "10"]]
    assert float(first[3]) > 0 > float(second[3])  # who sat first made more than its rating has it
    assert page.tables["Retired"] == [
        ["Entrant", "crash", "timeout"], ["Ada", "1", ""], ["Cy", "", "1"]
    ]  # fmt: skip
    assert page.tables["Defaults"] == [
        ["Entrant", "illegal", "timeout"], ["Bo", "2", ""], ["Cy", "", "1"]
    ]  # fmt: skip
    assert page.tables["Ends"] == [
        ["ended by", "games", "share"], ["credits", "6", "55 %"], ["cards", "5", "45 %"]
    ]  # fmt: skip
    assert page.tables["Games"][3] == ["3", "1. Bo, 2. Ada (crash)", "9, 9", "g3"]
    assert page.tables["Games"][8] == ["8", "1. Bo, 1. Cy", "7, 7", "g8"]
    assert page.tables["Games"][10] == ["10", "void: Cy (aborted), Bo (disconnect)", NOTHING, "g10"]
    assert page.tables["Games"][11][1] == "1. Cy (defaults: 1 timeout), 1. Bo (defaults: 2 illegal)"


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_name_is_text_everywhere(name: str) -> None:  # S072
    page = Page(page_of(made([game(1, name, "Bo"), game(2, "Bo", name, deal=2)], title=name)))
    assert page.text.count(printable(name)) >= 4
    assert not {"script", "img", "iframe", "object", "link"} & set(page.tags)
    assert not [each for each in page.attributes if each[1].startswith("on") or each[1] == "style"]
    assert page.tags.count("style") == page.tags.count("title") - page.tags.count("g") == 1


def test_no_text_brings_a_control_character_into_the_page() -> None:  # S072
    """A name, a reason or a path from an index or a record that was changed by hand; surrogates cannot be written."""
    bad = "x\x1b[31m\x00\r\x7f\x9b\u202e\u2028\ud800"
    games = [game(1, "Ada", bad, reason=bad), game(2, bad, "Bo", deal=2)]
    games = [
        replace(
            each,
            id=f"{each.id}{bad}",
            block=bad,
            record="games/1",
            why=bad,
            defaults=((bad,), ()),
            ends=(bad, ""),
        )
        for each in games
    ]
    tested = sequential_test([each.result() for each in games], bad, "Bo", Sprt(0, 10))
    page = page_of(replace(made(games, bad), tested=tested, unplayed=(Unplayed(bad, 2, bad),)))
    assert page.count(printable(bad)) > 15
    assert [char for char in page if not char.isprintable() and char != "\n"] == []


def test_nothing_is_loaded_and_only_our_style_is_allowed() -> None:
    text = page_of(some())
    page = Page(text)
    (policy,) = [value for tag, name, value in page.attributes if tag == "meta" and "none" in value]
    style = re.search(r"<style>(.*)</style>", text, re.DOTALL)
    assert style is not None
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    assert policy == (f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'")
    assert not [each for each in page.attributes if each[1] in ("src", "srcset", "action")]
    assert "http" not in re.sub(r"http-equiv", "", text)
    assert "url(" not in text


def test_page_without_any_game() -> None:
    page = Page(page_of(made([], entrants=["Ada", "Bo"])))
    assert "no game has been played" in "".join(page.text)


def test_who_has_not_played_has_no_numbers() -> None:
    page = page_of(made([game(n, "Ada", "Bo", deal=n) for n in range(6)], entrants=["Ada", "Bo", "Cy"]))
    assert f"<bdi>Cy</bdi></td><td>{NOTHING}</td><td>{NOTHING}</td>" in page
    assert "+1176" not in page
    assert "+1176" not in page_of(made([], entrants=["Ada", "Bo"]))


def test_colours_of_who_met_whom_fade_with_what_is_known() -> None:
    def shades(deals: int, lost: int = 0) -> set[str]:
        games = [game(n, *(("Bo", "Ada") if n < lost else ("Ada", "Bo")), deal=n) for n in range(deals)]
        return set(re.findall(r'<td class="((?:good|bad)[^"]*)"', page_of(made(games))))

    assert shades(40) == {"good", "bad"}
    assert shades(40, lost=13) == {"good faint", "bad faint"}
    assert shades(40, lost=18) == shades(4) == set()


def test_cell_of_two_who_met_in_few_deals_is_not_coloured_however_sure_the_ratings_are() -> None:
    met = [("Ada", "Bo"), ("Bo", "Cy"), ("Ada", "Bo"), ("Bo", "Cy"), ("Bo", "Ada"), ("Cy", "Bo")] * 20
    chain = [game(n, *pair, deal=n) for n, pair in enumerate(met)]
    page = page_of(made([*chain, game(200, "Ada", "Cy", deal=200), game(201, "Ada", "Cy", deal=200)]))
    assert 'class="good" title="Ada against Bo: 40 of 60 games in 60 deals, better with 99' in page
    assert 'class="" title="Ada against Cy: 2 of 2 games in 1 deal, better with 100.0 %' in page


@pytest.mark.parametrize(("blocks", "unit"), [(1, "game"), (2, "block")])
def test_results_that_name_no_deals_are_told_without_any(blocks: int, unit: str) -> None:
    results = [
        Result(f"g{n}", f"g{n // blocks}", ("Ada", "Bo"), (1, 2) if n % 3 else (2, 1)) for n in range(60)
    ]
    for count in (4, 60):
        text = said(page_of(report(results[:count], "from elsewhere")))
        assert not re.search(r"\b(deal|live)", text, re.IGNORECASE)
        assert f"met in at least 5 {unit}s" in text
        assert ("blocks" in text) == (blocks == 2)
    assert "the entrant that a result names first" in text


def test_void_game_has_no_places_and_nothing_is_said_of_ratings_without_games() -> None:
    void = replace(game(1, "Ada", "Bo"), reasons=("aborted", "disconnect"), record="games/g1.void")
    text = said(page_of(made([void], entrants=["Ada", "Bo"])))
    assert re.search(r"void:\s+Ada\s+\(aborted\),\s+Bo\s+\(disconnect\)", text)
    assert "1." not in text
    assert "Elo" not in text


def test_page_without_anybody() -> None:
    Page(page_of(made([])))


def test_only_faults() -> None:
    games = [game(n, "Ada", "Bo", deal=n, reason="crash") for n in range(6)]
    text = "".join(Page(page_of(made(games))).text)
    assert "crash" in text
    assert "nan" not in text.lower().replace("finance", "")


def test_groups_that_have_not_met_are_told_apart() -> None:  # S045
    text = "".join(Page(page_of(made([game(1, "Ada", "Bo"), game(2, "Cy", "Dee")]))).text)
    assert "Groups have not met" in text


def test_names_in_plots_fit_beside_them() -> None:
    names = ["m" * 32, "\u8239" * 32, "short"]
    page = page_of(made([game(n, names[n % 3], names[(n + 1) % 3], deal=n) for n in range(6)]))
    shown = re.findall(r'<text class="name"[^>]*>(.*?)</text>', page)
    assert len(shown) >= 3
    assert all(cell_len(each) <= LETTERS for each in shown)
    assert "short" in shown


def test_large_fields_and_long_lists_are_bounded() -> None:
    many = [game(n, f"bot{n}", f"bot{n + 1}", deal=n) for n in range(MOST_CROSSED)]
    text = page_of(made(many))
    assert f"Left out for more than {MOST_CROSSED} entrants" in text
    long = [game(n, "Ada", "Bo", deal=n) for n in range(MOST_GAMES + 5)]
    assert "5 before them are left out" in page_of(made(long))


def test_same_results_give_the_same_page() -> None:
    assert page_of(some()) == page_of(some())
