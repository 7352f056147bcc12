"""The pages in Debian's Chromium, as people use them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from arena.web.films import Film
from arena.web.viewpoints import PUBLIC, Viewpoint
from tests.browser.looks import CONTRAST, HOSTILE, SIDEWAYS
from tests.browser.pier import Pier
from tests.server.table import Seats
from tests.web.harbour import views_of

if TYPE_CHECKING:
    from playwright.sync_api import Page


def open_game(page: Page, pier: Pier, game: Seats, query: str = "") -> None:
    page.goto(f"{pier.url}game/{game.id}{query}")
    page.wait_for_selector("#table:not([hidden]) .port .credits")


def shown(page: Page) -> int:
    return int(page.evaluate("document.documentElement.dataset.moment"))


def until_shown(page: Page, moment: int) -> None:
    page.wait_for_function("n => Number(document.documentElement.dataset.moment) === n", arg=moment)


def credits(page: Page) -> list[int]:
    return [int(text) for text in page.locator(".port .credits").all_text_contents()]


TOLD = """(last) => {
  const told = [];
  for (let moment = 0; moment <= last; moment += 1) {
    if (document.documentElement.dataset.moment !== String(moment)) throw new Error(`not at moment ${moment}`);
    told.push(...[...document.querySelectorAll("#log li.now bdi")].map((sentence) => sentence.textContent));
    document.querySelector("#transport [data-go=next]").click();
  }
  return told;
}"""
"""Steps through all moments; what the log tells of each."""


def film_of(game: Seats, view: Viewpoint = PUBLIC) -> list[dict[str, Any]]:
    """The views of all moments, from the record."""
    record = game.record
    film = Film(record.header, view)
    for choice in record.choices:
        film.play(choice)
    return views_of(film.moments)


def test_live_game_is_shown_as_it_is_played(pier: Pier, page: Page) -> None:
    game = pier.start(3, seed=3)
    pier.play(game, 12)
    open_game(page, pier, game)
    page.wait_for_selector("#status.live")
    before = shown(page)
    pier.play(game, 20, seed=2)
    page.wait_for_function("n => Number(document.documentElement.dataset.moment) > n", arg=before)
    pier.finish(game)
    page.wait_for_selector("#status.over")
    views = film_of(game)
    until_shown(page, len(views) - 1)
    assert credits(page) == [player["credits"] for player in views[-1]["players"]]
    places = page.locator("#race .place").all_text_contents()
    assert sorted(places) == sorted(f"{place}." for place in game.record.result.places)
    assert "wins" in page.locator("#asked").inner_text()


def test_scrubber_agrees_with_the_record(pier: Pier, page: Page) -> None:
    game = pier.start(4, seed=5, rules={"sets": ("capital", "tokyo")})
    pier.finish(game, seed=3)
    views = film_of(game)
    open_game(page, pier, game)
    page.wait_for_selector("#status.over")
    assert shown(page) == 0
    slider = page.locator("#moment")
    assert slider.get_attribute("max") == str(len(views) - 1)
    for moment in (len(views) // 3, len(views) - 1, 7, len(views) // 2):
        slider.fill(str(moment))
        until_shown(page, moment)
        view = views[moment]
        assert credits(page) == [player["credits"] for player in view["players"]]
        for seat, player in enumerate(view["players"]):
            port = page.locator(".port").nth(seat)
            cards = port.locator(".areas [data-card]")
            ids = cards.evaluate_all("cards => cards.map(card => card.dataset.card)")
            assert sorted(ids) == sorted(player["goods"] + player["crew"] + player["fulfilled"])
        aboard = page.locator(".deck [data-card]").evaluate_all(
            "cards => cards.map(card => card.dataset.card)"
        )
        assert sorted(aboard) == sorted(card for ship in view["ships"] for card in ship["containers"])
        island = page.locator("#market .column [data-card]").evaluate_all("c => c.map(d => d.dataset.card)")
        assert sorted(island) == sorted(view["island"])


def test_lost_connection_goes_on_without_a_gap_and_without_a_double(pier: Pier, page: Page) -> None:
    page.loses_connections = True
    game = pier.start(2, seed=3)
    pier.play(game, 10)
    open_game(page, pier, game)
    page.wait_for_selector("#status.live")
    for part in range(3):
        pier.cut()
        pier.play(game, 10, seed=part)
        pier.play(game, 10, seed=part + 9)
    pier.finish(game)
    page.wait_for_selector("#status.over")
    views = film_of(game)
    until_shown(page, len(views) - 1)
    assert credits(page) == [player["credits"] for player in views[-1]["players"]]
    page.keyboard.press("Home")
    page.wait_for_selector('#log [data-shown="0"]')  # after a jump it follows later
    lines = page.evaluate(TOLD, len(views) - 1)
    record = game.record
    film = Film(record.header, PUBLIC)
    for choice in record.choices:
        film.play(choice)
    expected = [news[2] for line in film.moments for news in json.loads(line)["news"]]
    assert lines == expected


def test_hostile_names_stay_text_everywhere(pier: Pier, page: Page) -> None:  # S072
    game = pier.start(3, names=HOSTILE, seed=3)
    pier.play(game, 12)
    page.goto(pier.url)
    page.wait_for_selector(".game")
    assert sorted(page.locator(".game .lanes .name").all_text_contents()) == sorted(HOSTILE)
    open_game(page, pier, game)
    pier.finish(game)
    page.wait_for_selector("#status.over")
    assert page.locator(".port .owner").all_text_contents() == list(HOSTILE)
    assert page.evaluate("document.querySelectorAll('img:not(.brand img)').length") == 0
    assert page.evaluate("document.scripts.length") == 2


def test_everything_can_be_done_with_the_keyboard(pier: Pier, page: Page) -> None:
    game = pier.start(2, seed=3)
    pier.finish(game)
    views = film_of(game)
    open_game(page, pier, game)
    page.wait_for_selector("#status.over")
    last = len(views) - 1
    turns = [n for n in range(1, last) if views[n]["turn"] != views[n - 1]["turn"]]
    for key, moment in (
        ("End", last),
        ("ArrowLeft", last - 1),
        ("Home", 0),
        ("ArrowRight", 1),
        ("PageDown", next(n for n in turns if n > 1)),
        ("PageUp", 0),
    ):
        page.keyboard.press(key)
        until_shown(page, moment)
    page.keyboard.press("f")
    fulfilments = page.evaluate("document.documentElement.dataset.moment")
    assert int(fulfilments) > 0
    reached = set()
    page.evaluate("document.activeElement.blur()")
    for _ in range(300):
        page.keyboard.press("Tab")
        at = page.evaluate("document.activeElement.id || document.activeElement.dataset.go || ''")
        reached.add(at)
        if at == "fulfil-next":
            break
    assert {"view", "link", "theme", "log", "first", "play", "next"} <= reached
    page.locator(".chip[data-card]").first.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    page.wait_for_selector("#about-card:not([hidden]) h3")
    page.keyboard.press("Escape")
    page.wait_for_selector("#about-card", state="hidden")


def test_who_looks_back_in_a_live_game_stays_there(pier: Pier, page: Page) -> None:  # S070
    game = pier.start(2, seed=3)
    pier.play(game, 30)
    open_game(page, pier, game)
    page.wait_for_selector("#status.live")
    for _ in range(10):
        page.keyboard.press("ArrowLeft")
    back = shown(page)
    pier.play(game, 20, seed=2)
    page.wait_for_selector("#live:not([hidden])")
    page.wait_for_function("n => Number(document.querySelector('#moment').max) > n + 12", arg=back)
    assert shown(page) == back
    page.locator("#live").click()
    page.wait_for_selector("#status.live")
    assert shown(page) > back


def test_owner_looks_from_the_own_seat_by_keyboard_and_leaves_no_trace(pier: Pier, page: Page) -> None:
    game = pier.start(2, seed=3)
    pier.play(game, 4)
    open_game(page, pier, game)
    page.wait_for_selector("#own:not([hidden])")
    assert page.locator(".port .group h3", has_text="Hand").count() == 0
    page.focus("#own")
    page.keyboard.press("Enter")
    page.select_option("#owner-seat", "1")
    page.focus("#owner-proof")
    page.keyboard.type(game[1].key)
    page.keyboard.press("Enter")
    page.wait_for_url("**/game/*?view=seat-1")
    page.wait_for_selector("#table:not([hidden]) .port .credits")
    hand = page.locator(".port.s1 .group", has=page.locator("h3", has_text="Hand"))
    assert hand.locator("[data-card]").count() == len(game.referee.game.players[1].hand)
    assert game[1].key not in page.url + page.content()
    assert page.evaluate("document.cookie + JSON.stringify(localStorage)").count("arena-owner") == 0
    (cookie,) = page.context.cookies()
    assert (cookie["httpOnly"], cookie["sameSite"]) == (True, "Strict")
    assert game[1].key != cookie["value"]
    page.click("#own")
    page.wait_for_url("**/game/*?view=public")
    page.wait_for_selector("#table:not([hidden]) .port .credits")
    assert page.locator(".port .group h3", has_text="Hand").count() == 0
    assert page.context.cookies() == []


def test_link_leads_to_its_moment(pier: Pier, page: Page) -> None:
    game = pier.start(2, seed=3)
    pier.finish(game)
    open_game(page, pier, game, "?view=everything#m=42")
    until_shown(page, 42)
    assert page.locator("#view").input_value() == "everything"
    page.locator("#view").select_option("seat-1")
    page.wait_for_url("**view=seat-1*")
    page.wait_for_selector(".port:nth-child(2) .group h3 >> text=Hand")
    assert page.locator(".port:nth-child(1) .group h3 >> text=Hand").count() == 0


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_has_contrast(pier: Pier, page: Page, theme: str) -> None:
    game = pier.start(4, seed=5, rules={"sets": ("capital",)})
    pier.play(game, 120)
    page.emulate_media(color_scheme=theme)
    open_game(page, pier, game)
    assert page.evaluate("document.documentElement.dataset.theme") == theme
    assert page.evaluate(CONTRAST) == []
    pier.finish(game)
    page.goto(pier.url + f"game/{game.id}?view=everything#m=100")
    until_shown(page, 100)
    assert page.evaluate(CONTRAST) == []


@pytest.mark.parametrize("width", [360, 768, 3840])
def test_table_does_not_scroll_sideways(pier: Pier, page: Page, width: int) -> None:  # S067, S068
    names = (*(letter * 32 for letter in "abcde"), "six words in a very long name ok")
    game = pier.start(6, names=names, seed=3, rules={"sets": ("capital", "tokyo")})
    pier.play(game, 150)
    page.set_viewport_size({"width": width, "height": 800})
    open_game(page, pier, game)
    assert page.evaluate(SIDEWAYS) <= 0
    inside = "each => [each.left >= 0, each.right <= innerWidth, each.width > 0]"
    boxes = (
        f"all => [...document.querySelectorAll(all)].map(each => each.getBoundingClientRect()).map({inside})"
    )
    assert page.evaluate(boxes, ".port .credits") == [[True, True, True]] * 6  # at one moment of a live page


def test_game_that_waits_shows_no_clock(pier: Pier, page: Page) -> None:  # S069
    game = pier.do(lambda: pier.hall.seated(2, seed=3))
    page.goto(f"{pier.url}game/{game.id}")
    page.wait_for_selector("#status.waiting")
    assert page.locator(".timer").count() == 0


def test_game_that_does_not_exist_says_so(pier: Pier, page: Page) -> None:
    page.loses_connections = True
    page.goto(f"{pier.url}game/none")
    page.wait_for_selector("#trouble:not([hidden])")
    assert "there is no game" in page.locator("#trouble").inner_text()
