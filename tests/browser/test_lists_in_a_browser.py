"""The pages around the table in Debian's Chromium: the games, the standings, the catalogue. One server has them all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import pytest

from arena.web.models import Standing, Tournament
from tests.browser.looks import CONTRAST, HOSTILE, SIDEWAYS
from tests.browser.pier import Pier
from tests.server.table import Seats

if TYPE_CHECKING:
    from playwright.sync_api import Page


class Spring:
    """The standings of one tournament."""

    def __init__(self) -> None:
        self.games = 1

    def names(self) -> tuple[str, ...]:
        return ("spring",)

    def board(self, name: str) -> Tournament:
        rows = tuple(
            Standing(
                name=name,
                elo=200.0 - 100 * place,
                low=100.0 - 100 * place,
                high=300.0 - 100 * place,
                live=1500.0,
                games=self.games,
                points=2.5,
                faults=place,
                group=0,
            )
            for place, name in enumerate(HOSTILE)
        )
        return Tournament(name=name, standings=rows, games=self.games, notes=("two deals are few",))


class Town(NamedTuple):
    pier: Pier
    spring: Spring
    over: Seats
    retired: int
    live: Seats


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    """A game of a tournament that is over, in which a seat was retired, and one that is played."""
    spring = Spring()
    settings = {"boards": spring, "web": {"stale": 0.0}, "tries": 1, "faults": 1}
    with Pier(tmp_path_factory.mktemp("town"), **settings) as pier:
        over = pier.start(3, names=HOSTILE, seed=3, tags={"tournament": "spring"})
        retired = pier.retire(over)
        live = pier.start(2, seed=3)
        pier.play(live, 10)
        yield Town(pier, spring, over, retired, live)


def tab_to(page: Page, selector: str) -> None:
    """Go to an element with the keyboard alone."""
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    pytest.fail(f"the tabulator does not lead to {selector}")


def test_games_tell_who_was_retired_and_lead_to_their_tables(town: Town, page: Page) -> None:
    page.goto(town.pier.url)
    page.wait_for_selector("#lately td")
    assert sorted(page.locator("#lately .name").all_text_contents()) == sorted(HOSTILE)
    who = page.locator("#lately .who", has=page.locator(".fault"))
    assert who.locator(".name").all_text_contents() == [HOSTILE[town.retired]]
    assert who.locator(".fault").inner_text().lower() == "illegal"
    assert "turn" in page.locator("#games .game header").inner_text()
    tab_to(page, "#games .game")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/game/{town.live.id}")
    page.goto(f"{town.pier.url}game/{town.over.id}#m=9999")
    page.wait_for_selector(".port .retired")
    assert page.locator(".port", has=page.locator(".retired")).locator(".owner").all_text_contents() == [
        HOSTILE[town.retired]
    ]


def test_standings_grow_and_lead_to_the_records(town: Town, page: Page) -> None:
    page.goto(f"{town.pier.url}tournament/spring")
    page.wait_for_selector("#standings td")
    assert page.locator("#standings .name").all_text_contents() == list(HOSTILE)
    assert page.locator("#standings .whisker").nth(1).get_attribute("title") == "+0 to +200"
    assert page.locator("#notes").inner_text() == "two deals are few"
    assert page.evaluate("document.querySelectorAll('img:not(.brand img)').length") == 0
    town.spring.games += 1
    town.pier.play(town.live, 1, seed=5)
    page.wait_for_selector("#title >> text=2 games")
    tab_to(page, "#lately a")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/game/{town.over.id}")
    page.wait_for_selector("#record:not([hidden])")


def test_catalogue_is_searched_with_the_keyboard(town: Town, page: Page) -> None:
    page.goto(f"{town.pier.url}cards")
    page.wait_for_selector(".card")
    count = page.locator("#count")
    assert count.inner_text() == "170 cards"
    tab_to(page, "#words")
    page.keyboard.type("BIONIC ears")
    assert count.inner_text() == "1 card"
    assert page.locator(".card h3").all_text_contents() == ["Bionic Ears"]
    assert "take Bionic Ears from your Fulfilled contracts" in page.locator(".card").inner_text()
    page.keyboard.press("Control+A")
    page.keyboard.type("no such <b>")
    assert count.inner_text() == "0 cards"
    page.keyboard.press("Control+A")
    page.keyboard.press("Delete")
    tab_to(page, "#type")
    page.keyboard.press("ArrowDown")  # letters that come slowly would each begin a new search
    tab_to(page, "#set")
    page.keyboard.press("ArrowDown")
    assert [page.locator(each).input_value() for each in ("#type", "#set")] == ["technology", "base"]
    page.wait_for_function("document.querySelectorAll('.card').length < 60")
    assert page.locator(".card:not(.t-technology)").count() == 0
    assert int(count.inner_text().split()[0]) == page.locator(".card").count() > 10


def test_lists_fit_every_width_and_have_contrast(town: Town, page: Page) -> None:  # S067, S068
    for path in ("", "cards", "tournament/spring"):
        page.goto(town.pier.url + path)
        page.wait_for_selector(".game, .card, #standings td")
        for width in (3840, 768, 360):
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate(SIDEWAYS) <= 0, (path, width)
        for theme in ("dark", "light"):
            page.emulate_media(color_scheme=theme)
            page.wait_for_selector(f":root[data-theme={theme}]")
            assert page.evaluate(CONTRAST) == []
