"""Catalogue files: what their hash covers, and files that are hostile or not there."""

from __future__ import annotations

from pathlib import Path

import pytest
from catalogue_texts import BETWEEN, FILE, TEXT, edited, refusal, with_card

from arena.catalogue_files import read_catalogue
from arena.game.catalogue import Catalogue, CatalogueError, default_catalogue, quoted
from arena.game.catalogue_form import MAX_CATALOGUE_BYTES, MAX_LINE

KEYS = "schema, catalogue, count, actions, tokyo, ports, card"


# The hash


@pytest.mark.parametrize(
    "text",
    [
        "# a comment\n" + TEXT,
        TEXT.replace("\n", "\r\n"),
        with_card("ivory", "load = { illegal = 2, luxury = 1 }", "load = {luxury=1,illegal=2}"),
        FILE,
        edited('catalogue = "house"', 'catalogue = "mine"'),
        with_card("ivory", 'color = "inferred"', 'color = "printed"'),
    ],
    ids=["comment", "line ends", "order of keys", "comment at the head", "name of the catalogue", "source"],
)
def test_the_hash_does_not_depend_on_what_play_cannot_see(text: str) -> None:
    assert Catalogue.from_toml(text).hash == default_catalogue().hash


def test_the_hash_does_not_depend_on_the_order_of_the_cards() -> None:
    head, *blocks = TEXT.split(BETWEEN)
    text = BETWEEN.join([head, *reversed(blocks)])
    assert Catalogue.from_toml(text).hash == default_catalogue().hash


@pytest.mark.parametrize(
    "text",
    [
        with_card("ivory", "load = { illegal = 2, luxury = 1 }", "load = { illegal = 3 }"),
        with_card("ivory", 'id = "ivory"', 'id = "tusks"'),
        with_card("3d-printers", "level = { technology = 2 }", "level = { technology = 1 }"),
        edited("prices = [2, 2, 4, 6]", "prices = [2, 2, 4, 8]"),
        edited(
            '"technology", "agriculture", "consumer", "luxury"',
            '"agriculture", "technology", "consumer", "luxury"',
        ),
        TEXT.replace('technology = "load"', 'technology = "import"').replace(
            'consumer = "import"', 'consumer = "load"'
        ),
    ],
    ids=["load", "id", "level", "prices", "ports", "actions"],
)
def test_the_hash_changes_with_whatever_matters_for_play(text: str) -> None:
    assert Catalogue.from_toml(text).hash != default_catalogue().hash


# Hostile files


NOT_TOML = {
    "words": ("schema = 1\nno TOML", 2),
    "unfinished": ("a = [\nb", 2),
    "twice": ("a = 1\na = 2\n", 2),
    "nul": ("\n\na = '\0'", 3),
    "escape": ("'\x1b[2J' = 1", 1),
    "surrogate": ("\ud800", 1),
    "table twice": (TEXT + "\n[ports]\n", TEXT.count("\n") + 2),
}


@pytest.mark.parametrize(("text", "line"), NOT_TOML.values(), ids=NOT_TOML)
def test_what_is_not_toml_is_refused_with_the_line(text: str, line: int) -> None:
    message = refusal(text)
    assert message.startswith("cards.toml: is not TOML: ")
    assert f" (at line {line}, column " in message
    assert message.isprintable()


HOSTILE = {
    "empty": ("", f" has no field schema; it needs {KEYS}"),
    "deep": ("a = " + "[\n" * 20_000, ": is nested too deeply for a catalogue; see the shipped cards.toml"),
    "long line": ("#" * (MAX_LINE + 1), f": line 1 has {MAX_LINE + 1} characters; {MAX_LINE} are allowed"),
    "large": (
        "\n" * (MAX_CATALOGUE_BYTES + 1),
        ": has more than 128 KB, the most that is read of a catalogue",
    ),
    "large in bytes": ("#é\n" * 40_000, ": has more than 128 KB, the most that is read of a catalogue"),
    "escaped": ('"\\u001b[2J\\u202e" = 1', f' has the unknown field "?[2J?"; known are {KEYS}'),
}


@pytest.mark.parametrize(("text", "message"), HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_text_ends_in_one_sentence(text: str, message: str) -> None:
    assert refusal(text) == f"cards.toml{message}"


def test_a_huge_number_is_not_printed() -> None:
    assert refusal(edited("schema = 1", f"schema = 0x{'f' * 300}")) == (
        "cards.toml: schema is a huge number; 1 is expected"
    )


HUGE = {"number": 10**5000, "text": "x" * 10**6, "array": [[]] * 10**6, "nan": float("nan"), "truth": True}


@pytest.mark.parametrize("value", HUGE.values(), ids=HUGE)
def test_a_quoted_value_is_short_and_printable(value: object) -> None:
    assert len(quoted(value)) < 50
    assert quoted(value).isprintable()


# Files that a user names


def test_without_a_path_the_house_catalogue_is_read() -> None:
    assert read_catalogue(None) is default_catalogue()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_a_copy_of_the_house_catalogue_is_read_from_its_file(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "cards.toml"
    path.write_text(FILE, encoding)
    assert read_catalogue(path).hash == default_catalogue().hash


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "cards.toml"
    with pytest.raises(CatalogueError) as caught:
        read_catalogue(path)
    assert str(caught.value) == f"{path}: cannot be read: No such file or directory; name a catalogue file"


def test_a_path_that_no_file_can_have_is_refused() -> None:
    with pytest.raises(CatalogueError, match="cannot be read: embedded null byte"):
        read_catalogue(Path("a\0b"))


def test_a_file_in_another_encoding_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "cards.toml"
    path.write_text("# smelly\n# Surströmming\n", "latin-1")
    with pytest.raises(CatalogueError) as caught:
        read_catalogue(path)
    assert str(caught.value) == f"{path}: line 2 is not UTF-8; save the file as UTF-8"


def test_an_endless_file_is_read_no_further_than_needed() -> None:
    with pytest.raises(CatalogueError, match="has more than 128 KB"):
        read_catalogue(Path("/dev/zero"))


def test_a_large_file_is_refused_for_its_size_even_if_cut_within_a_letter(tmp_path: Path) -> None:
    path = tmp_path / "cards.toml"
    path.write_text("é\n" * MAX_CATALOGUE_BYTES, "utf-8")
    with pytest.raises(CatalogueError, match="has more than 128 KB"):
        read_catalogue(path)
