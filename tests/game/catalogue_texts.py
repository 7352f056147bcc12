"""The text of the house's catalogue, and changes to it, for the tests of catalogue files."""

from __future__ import annotations

from importlib.resources import files

import pytest

from arena.game.catalogue import Catalogue, CatalogueError

FILE = files("arena.data").joinpath("cards.toml").read_text("utf-8")


TEXT = FILE[FILE.index("schema = 1") :]
"""The house catalogue without the comment at its head."""


BETWEEN = "\n[[card]]\n"


def edited(old: str, new: str, text: str = TEXT) -> str:
    """The text of the house catalogue with one passage replaced."""
    assert text.count(old) == 1, f"{old!r} occurs {text.count(old)} times"
    return text.replace(old, new)


def with_card(id: str, old: str, new: str, text: str = TEXT) -> str:
    """The text of the house catalogue with one passage of one card replaced."""
    (block,) = (block for block in text.split(BETWEEN) if f'id = "{id}"' in block)
    return edited(block, edited(old, new, block), text)


def refusal(text: str) -> str:
    with pytest.raises(CatalogueError) as caught:
        Catalogue.from_toml(text, origin="cards.toml")
    return str(caught.value)
