"""What may be a name, and which names are too much alike."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol import MAX_NAME, NameRefused, check_name, name_key


@pytest.mark.parametrize(
    "name",
    [
        "x",
        "Alpha",
        "my bot 2.1",
        "../../x",
        "NUL",
        "<img src=x onerror=alert(1)>",
        "Mañana",
        "ロールス",
        "\U0001f600",
        "x" * 32,
    ],
)
def test_names(name):
    assert check_name(name) == name


def test_a_name_is_shown_in_its_composed_form():
    assert check_name("Man\u0303ana") == "Ma\u00f1ana"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "is empty"),
        ("x" * 33, "has 33 characters"),
        ("x" * 300, "has 300 characters"),
        ("x" * 10**6, "has 1,000,000 characters"),
        (" x", "begins or ends with a blank"),
        ("x ", "begins or ends with a blank"),
        ("a  b", "two blanks in a row"),
        ("a\tb", "a control character, U+0009, at position 2"),
        ("a\x00b", "a control character, U+0000, at position 2"),
        ("a\x7fb", "a control character, U+007F"),
        ("a\nb", "a control character, U+000A"),
        ("a\u202eb", "an invisible formatting character, U+202E, at position 2"),
        ("a\u200bb", "an invisible formatting character, U+200B"),
        ("a\u200db", "an invisible formatting character, U+200D"),
        ("\ufeffab", "an invisible formatting character, U+FEFF, at position 1"),
        ("a\u00adb", "an invisible formatting character, U+00AD"),
        ("a\U000e0041", "an invisible formatting character, U+E0041"),
        ("a\ufe0f", "an invisible character, U+FE0F"),
        ("\u3164", "an invisible character, U+3164"),
        ("a\u2800", "an invisible character, U+2800"),
        ("a\u00a0b", "a special blank, U+00A0"),
        ("a\u3000", "a special blank, U+3000"),
        ("a\u2028b", "a line separator, U+2028"),
        ("a\ud800", "half of a surrogate pair, U+D800"),
        ("a\ue000", "a private character, U+E000"),
        ("a\U000e0fff", "an unassigned character"),
        ("\u0301a", "a mark without a letter of its own at position 1"),
        ("a" + "\u0332" * 3, "a mark without a letter of its own at position 4"),
    ],
)
def test_what_is_no_name_is_told_in_one_sentence(text, why):
    with pytest.raises(NameRefused) as caught:
        check_name(text)
    sentence = str(caught.value)
    assert why in sentence
    assert sentence.endswith("use 1 to 32 visible characters")
    assert sentence.isascii()
    assert sentence.isprintable()


@pytest.mark.parametrize(
    "other",
    [
        "alpha",
        "ALPHA",
        " Alpha ",
        "\uff21lpha",  # full width
        "\u0410lpha",  # Cyrillic A
        "Alph\u0430",  # Cyrillic a
        "Al\u03c1ha",  # Greek rho
        "\U0001d400lpha",  # mathematical bold
        "\u24b6lpha",  # circled
    ],
)
def test_look_alikes_have_the_same_key(other):  # S077
    assert name_key(other) == name_key("Alpha")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("\u0421afe\u0301", "Caf\u00e9"),  # Cyrillic Es, decomposed accent
        ("B\u0430\u0301r", "B\u00e1r"),  # Cyrillic a with an accent
        ("STRASSE", "stra\u00dfe"),
        ("a  b", "a b"),
        ("\ufb01sh", "fish"),
    ],
)
def test_forms_of_one_name(one, other):
    assert name_key(one) == name_key(other)


@pytest.mark.parametrize(
    ("one", "other"), [("Alpha", "Alphas"), ("a", "\u00e4"), ("bot 1", "bot 2"), ("ab", "a b")]
)
def test_different_names_have_different_keys(one, other):
    assert name_key(one) != name_key(other)


@settings(deadline=None)
@given(st.text(max_size=40))
def test_a_name_passes_again_and_keeps_its_key(text):
    try:
        name = check_name(text)
    except NameRefused:
        return
    assert check_name(name) == name
    assert 1 <= len(name) <= MAX_NAME
    assert name_key(name) == name_key(text)
    assert name.isprintable()


@settings(deadline=None)
@given(st.text(max_size=40))
def test_keys_take_any_text_and_do_not_change_again(text):
    key = name_key(text)
    assert name_key(key) == key
    assert name_key(text.upper().lower()) == name_key(text.lower())
    assert name_key(unicodedata.normalize("NFKD", text)) == key
