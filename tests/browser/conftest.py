"""The browser tests: they need Debian's Chromium and playwright, and are left out where these are missing.

`ARENA_CHROMIUM` names another Chromium. With `ARENA_BROWSER=required`, as in `.ci/run`, nothing is left out.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.pier import Pier

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = os.environ.get("ARENA_CHROMIUM") or shutil.which("chromium")
MISSING = [
    what
    for what, there in (
        ("Chromium (apt-get install chromium)", CHROMIUM is not None),
        ("playwright (requirements-dev.txt)", importlib.util.find_spec("playwright") is not None),
    )
    if not there
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave the tests out, and say why, or fail where they must not be left out."""
    if not MISSING:
        return
    if os.environ.get("ARENA_BROWSER") == "required":
        pytest.exit(f"browser tests are required here, and there is no {', no '.join(MISSING)}", 1)
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.skip(reason=f"there is no {', no '.join(MISSING)}"))


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],  # as root, in a container
        )
        yield browser
        browser.close()


@pytest.fixture
def pier(tmp_path: Path) -> Iterator[Pier]:
    with Pier(tmp_path) as pier:
        yield pier


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page of 1280 by 900; the test fails if anything is written to its console."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    context.set_default_timeout(60_000)
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("dialog", lambda dialog: complaints.append(f"dialog: {dialog.message}"))
    yield page
    context.close()
    assert [each for each in complaints if not allowed(page, each)] == []


def allowed(page: Page, complaint: str) -> bool:
    """Lost connections and refused requests are told in the console by the browser itself."""
    expected = ("net::ERR_", "the server responded with a status of 404")
    return getattr(page, "loses_connections", False) and any(text in complaint for text in expected)
