"""docs/watching.md against the code: addresses, keys, the fields of a moment."""

from __future__ import annotations

import re
from pathlib import Path

import trio

from arena.server import Config, Server
from arena.web import WebConfig
from arena.web.app import PAGES, build
from arena.web.models import Moment
from arena.web.monitoring import monitoring_routes
from arena.web.shelf import Shelf
from arena.web.theatre import Theatre

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "watching.md").read_text(encoding="utf-8")
KEYS = {
    "→": "ArrowRight",
    "←": "ArrowLeft",
    "Page down": "PageDown",
    "Page up": "PageUp",
    "Space": '" "',
    "+": '"+"',
    "-": '"-"',
}


def rows(heading: str) -> list[list[str]]:
    """The cells of the table below this line, without the marks of code."""
    table = PAGE.partition(heading)[2].split("\n\n")[0]
    lines = [line for line in table.splitlines() if line.startswith("|") and not line.startswith("|---")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def told(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


async def paths_served(folder: Path) -> set[str]:
    found: set[str] = set()
    async with trio.open_nursery() as nursery:
        server = Server(Config(data=folder), nursery)
        shelf = Shelf(server.folder)
        theatre = Theatre(WebConfig(), nursery, shelf, server.games)
        app = build(WebConfig(), theatre, shelf, server.games, more=monitoring_routes(server))
        found = {route.path for route in app.routes}
        nursery.cancel_scope.cancel()
    return found


def test_every_path_is_told_and_served(tmp_path: Path) -> None:
    served = trio.run(paths_served, tmp_path)
    expected = {
        re.sub(r"\{[\w:]+\}", "X", path) for path in served if not path.startswith(("/static/", "/favicon"))
    }
    page = [row[0] for row in rows("| Address | What it shows |")]
    api = [row[0] for row in rows("| Path | What it answers | In the schema |")]
    named = {path for cell in page + api for path in told(cell)}
    assert {re.sub(r"\b(ID|NAME)\b", "X", path) for path in named} == expected
    assert len(PAGES) == len(page)


def test_every_model_that_is_named_stands_in_the_schema() -> None:
    from arena.web.models import schema

    named = {name for row in rows("| Path | What it answers | In the schema |") for name in told(row[2])}
    assert named <= set(schema()["$defs"])


def test_the_fields_of_a_moment_are_those_of_the_model() -> None:
    fields = [name for row in rows("| Field of a moment | What it holds |") for name in told(row[0])]
    assert fields == list(Moment.model_fields)


def test_every_key_does_something_in_the_page() -> None:
    script = (ROOT / "arena" / "web" / "static" / "game.js").read_text(encoding="utf-8")
    known = script.partition("const KEYS = {")[2].partition("};")[0]
    cards = (ROOT / "arena" / "web" / "static" / "cards.js").read_text(encoding="utf-8")
    for row in rows("| Key | Where it leads |"):
        for key in told(row[0]):
            if key == "Esc":
                assert '"Escape"' in cards
            else:
                assert (
                    f"{KEYS.get(key, key.removeprefix('Shift ').upper() if key[:5] == 'Shift' else key)}:"
                    in known
                )


def test_the_names_of_the_types_have_the_letters_that_the_page_shows() -> None:
    cards = (ROOT / "arena" / "web" / "static" / "cards.js").read_text(encoding="utf-8")
    for letter, rest in re.findall(r"\*\*([A-Z])\*\*([a-z]+)", PAGE):
        assert f'{letter.lower()}{rest}: "{letter}"' in cards
    assert 'capital: "K"' in cards
