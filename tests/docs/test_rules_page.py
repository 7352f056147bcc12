"""docs/rules.md is what `python -m arena.rules_page` writes, and reads as it is meant to."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from arena.game.catalogue import default_catalogue, power_texts
from arena.rules_page import SET_NAMES, anchor, escaped, page

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "rules.md").read_text("utf-8")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
LINK = re.compile(r"(?<!\\)\]\(([^)#]*)#?([^)]*)\)")


def test_page_is_the_one_that_the_data_give() -> None:
    assert page() == PAGE, "run: python -m arena.rules_page > docs/rules.md"


def test_command_writes_the_page() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "arena.rules_page"], capture_output=True, check=True, timeout=60
    )
    assert done.stdout.decode("utf-8").splitlines() == PAGE.splitlines()


def test_every_card_and_power_has_its_heading() -> None:
    headings = HEADING.findall(PAGE)
    for card in default_catalogue().cards:
        assert escaped(card.name) in headings
        if len(card.contracts) > 1:
            assert all(escaped(power_texts()[face.power].name) in headings for face in card.contracts)
    assert list(SET_NAMES.values()) == [name for name in headings if name in SET_NAMES.values()]


def test_every_link_leads_to_a_heading() -> None:
    plain = {name: (DOCS / name).read_text("utf-8") for name in ("rules.md", "game-rules.md")}
    anchors = {
        name: {anchor(title.replace("\\", "")) for title in HEADING.findall(text)}
        for name, text in plain.items()
    }
    links = LINK.findall(PAGE)
    assert len(links) > 170
    for file, place in links:
        assert not place or place in anchors[file or "rules.md"], (file, place)


def test_headings_differ_so_that_links_find_them() -> None:
    anchors = [anchor(title.replace("\\", "")) for title in HEADING.findall(PAGE)]
    assert len(anchors) == len(set(anchors))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("2 x (F - m) <= 6", r"2 x (F - m) \<= 6"),
        ("a *b* _c_ `d`", r"a \*b\* \_c\_ \`d\`"),
        ("[x](y) | z", r"\[x\](y) \| z"),
        ("one\n  two", "one two"),
        ("R & D; &lt;", r"R \& D; \&lt;"),
        ("back\\slash", r"back\\slash"),
    ],
)
def test_texts_of_the_data_are_no_markup(text: str, shown: str) -> None:
    assert escaped(text) == shown
