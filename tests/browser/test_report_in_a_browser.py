"""The report of a tournament, one file without a server, in Debian's Chromium."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest

from tests.browser.looks import CONTRAST, HOSTILE, SIDEWAYS
from tournaments.page import page_of
from tournaments.report import report
from tournaments.store import Played

if TYPE_CHECKING:
    from playwright.sync_api import Page

NAMES = [*HOSTILE, "w" * 32, "two words " * 3 + "x", "Bo"]

HIDDEN = """() => [...document.querySelectorAll("td, th")].filter((cell) => {
  const box = cell.getBoundingClientRect();
  const frame = cell.closest("table").parentElement;
  const scrolls = getComputedStyle(frame).overflowX === "auto" || getComputedStyle(frame).overflowX === "scroll";
  return box.width === 0 || (box.right > innerWidth + 1 && !scrolls);
}).map((cell) => cell.textContent.slice(0, 20))"""
"""Cells of tables that cannot be reached: outside of the window, in nothing that can be scrolled."""


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    games = tuple(
        Played(
            f"g{number}",
            f"b{number // 2}",
            number // 2,
            tuple(NAMES[number % 6 :] + NAMES[: number % 6]),
            (1, 2, 3, 4, 5, 6),
            (50, 40, 30, 20, 10, 0),
            ("normal",) * 5 + ("crash" if number == 3 else "normal",),
            f"games/g{number}.jsonl",
            why="credits",
            choices=200,
        )
        for number in range(24)
    )
    made = report([each.result() for each in games], "x" * 32, NAMES, moving={}, games=games)
    file = tmp_path_factory.mktemp("report") / "report.html"
    file.write_text(page_of(made), "utf-8")
    return file


@pytest.mark.parametrize(("width", "theme"), [(360, "dark"), (1280, "light")])
def test_report_fits_every_width_and_has_contrast(
    page: Page, path: Path, width: int, theme: Literal["dark", "light"]
) -> None:  # S067, S068, S072
    page.set_viewport_size({"width": width, "height": 740})
    page.emulate_media(color_scheme=theme)
    page.goto(path.as_uri())
    assert page.evaluate(SIDEWAYS) <= 0
    assert page.evaluate(HIDDEN) == []
    assert page.evaluate(CONTRAST) == []
    for name in HOSTILE:
        assert page.get_by_text(name, exact=True).count() > 0


CUT = """() => [...document.querySelectorAll("td, th, svg")].filter((each) =>
  each.getBoundingClientRect().right > innerWidth + 1).map((each) => each.textContent.slice(0, 20))"""
"""What paper of this width cannot show, as it cannot be scrolled."""


def test_report_is_printed_dark_on_white_and_whole(page: Page, path: Path) -> None:
    page.set_viewport_size({"width": 718, "height": 1047})  # A4 with margins of a centimetre
    page.emulate_media(color_scheme="dark", media="print")
    page.goto(path.as_uri())
    assert page.evaluate(CONTRAST) == []
    body = "getComputedStyle(document.body)"
    assert page.evaluate(f"[{body}.backgroundColor, {body}.color]") == ["rgb(255, 255, 255)", "rgb(0, 0, 0)"]
    assert page.evaluate(CUT) == []
    assert page.evaluate("getComputedStyle(document.querySelector('tr')).breakInside") == "avoid"
