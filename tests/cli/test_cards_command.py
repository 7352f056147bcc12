"""`arena cards`: the list, one card, JSON for programs, and refusals on stderr with exit code 2."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.cli import main
from arena.game.catalogue import default_catalogue, power_texts


def arena(*arguments: str) -> Result:
    plain = {"FORCE_COLOR": None, "TTY_COMPATIBLE": None}
    return CliRunner(env=plain).invoke(main, ["cards", *arguments])


def output(*arguments: str) -> str:
    result = arena(*arguments)
    assert result.exit_code == 0, result.stderr
    assert result.stderr == ""
    return result.stdout


def refusal(*arguments: str) -> str:
    """What stderr says; nothing may be on stdout."""
    result = arena(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    return result.stderr


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.split("   ") if cell.strip()]


def test_without_a_name_all_cards_are_listed() -> None:
    heading, _, *rows = output().splitlines()
    assert cells(heading) == ["No.", "Name", "Set", "Type", "Action", "Level", "Load"]
    assert len(rows) == 170
    assert cells(rows[91]) == ["92", "Ivory", "base", "illegal", "piracy", "illegal 1", "luxury 1, illegal 2"]


def test_a_card_with_two_contracts_is_one_row() -> None:
    row = output().splitlines()[2 + 150]
    assert cells(row) == [
        "151",
        "Drones / Olive Oil",
        "j",
        "technology / agriculture",
        "load / contract",
        "-",
        "technology 2, agriculture 1 / agriculture 2",
    ]


@pytest.mark.parametrize("name", ["capital", "CAPITAL"])
def test_a_set_is_listed_alone(name: str) -> None:
    _, _, *rows = output("--set", name).splitlines()
    assert len(rows) == 15
    assert cells(rows[0]) == ["101", "Automation", "capital", "capital", "barter", "any 9", "any 6"]


@pytest.mark.parametrize("columns", ["20", "80"])
def test_nothing_is_wrapped_or_cut_where_no_terminal_is(
    columns: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert len(output().splitlines()) == 172
    assert f"Ruling   {power_texts()['flour'].ruling}\n" in output("flour")


def test_a_card_is_shown_with_its_power_and_where_its_values_come_from() -> None:
    shown = output("flour")
    text = power_texts()["flour"]
    assert "Card     28 of 170, id flour\n" in shown
    assert "Set      base (chosen by this project)\n" in shown
    assert "Type     agriculture (inferred from a clue in the rulebook)\n" in shown
    assert "Action   contract (follows from the type)\n" in shown
    assert "Level    agriculture 1 (inferred from a clue in the rulebook)\n" in shown
    assert "Load     agriculture 4 (inferred from a clue in the rulebook)\n" in shown
    assert f"Why      {default_catalogue().card('flour').why}\n" in shown
    assert "Timing   anytime (marked anytime on the card)\n" in shown
    for part in (text.effect, text.ruling, text.hidden_info, *text.decisions):
        assert part in shown
    assert shown.index(text.effect) < shown.index("Timing")  # what a player looks for comes first
    assert text.test not in shown
    assert "Hooks" not in shown


def test_the_card_is_found_by_its_printed_name_in_any_case() -> None:
    assert output("ROLLS ROYCE") == output("rolls-royce")


def test_either_contract_shows_the_card_with_both() -> None:
    shown = output("Olive Oil")
    assert shown == output("drones")
    assert (
        "Power Drones\nSide     drones\nType     technology\n"
        "Load     technology 2, agriculture 1 (chosen by this project)\n" in shown
    )
    assert (
        "Power Olive Oil\nSide     olive-oil\nType     agriculture\nLoad     agriculture 2 (chosen by this project)\n"
        in shown
    )
    assert "Level    - (stated in the rulebook)\n" in shown


def test_every_card_can_be_shown() -> None:
    for card in default_catalogue().cards:
        assert output(card.id).startswith(f"{card.name}\n")


def test_json_lists_the_cards_with_the_hash_of_the_catalogue() -> None:
    document = json.loads(output("--json"))
    assert document["catalogue"] == "house"
    assert document["hash"] == default_catalogue().hash
    assert [card["number"] for card in document["cards"]] == list(range(1, 171))
    assert document["cards"][91] == {
        "number": 92,
        "id": "ivory",
        "name": "Ivory",
        "set": "base",
        "level": {"illegal": 1},
        "contracts": [
            {"power": "ivory", "color": "illegal", "action": "piracy", "load": {"luxury": 1, "illegal": 2}}
        ],
        "source": {"color": "inferred", "level": "house", "load": "house", "set": "house"},
        "why": "colour: power names Illegal cards or Goods",
    }


def test_json_of_a_set_has_its_cards_only() -> None:
    cards = json.loads(output("--json", "--set", "capital"))["cards"]
    assert {card["set"] for card in cards} == {"capital"}
    assert cards[0]["level"] == {"any": 9}
    assert cards[0]["contracts"][0]["load"] == {"any": 6}


def test_json_of_a_card_has_the_texts_of_its_powers() -> None:
    contracts = json.loads(output("drones", "--json"))["contracts"]
    assert [contract["action"] for contract in contracts] == ["load", "contract"]
    assert [contract["text"]["effect"] for contract in contracts] == [
        power_texts()[power].effect for power in ("drones", "olive-oil")
    ]


def test_another_catalogue_can_be_listed(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    text = files("arena.data").joinpath("cards.toml").read_text("utf-8")
    path.write_text(text.replace("prices = [2, 2, 4, 6]", "prices = [2, 2, 4, 8]"), "utf-8")
    document = json.loads(output("--json", "--catalogue", str(path)))
    assert document["hash"] != default_catalogue().hash


def test_an_unknown_name_is_refused_with_the_nearest() -> None:
    assert refusal("ivry") == 'Error: there is no card "ivry"; did you mean ivory?\n'


def test_an_unknown_name_is_refused_for_programs_too() -> None:
    assert refusal("ivry", "--json") == 'Error: there is no card "ivry"; did you mean ivory?\n'


def test_a_set_that_does_not_exist_is_refused_with_the_list_of_sets() -> None:
    expected = 'there is no set "mars"; the sets are base, capital, tokyo, kickstarter, kickstarter2, j, flag'
    assert refusal("--set", "mars") == f"Error: {expected}\n"


def test_a_name_and_a_set_together_are_refused() -> None:
    expected = "--set tokyo lists cards and ivory names one; give only one of them"
    assert refusal("--set", "tokyo", "ivory") == f"Error: {expected}\n"


def test_a_catalogue_with_a_fault_is_refused_with_the_card_and_the_field(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    text = files("arena.data").joinpath("cards.toml").read_text("utf-8")
    path.write_text(text.replace("load = { illegal = 2, luxury = 1 }", "load = { illegal = 7 }"), "utf-8")
    message = refusal("--catalogue", str(path))
    assert message.startswith(f"Error: {path}: card ")
    assert message.endswith(": load asks for 7 Containers; 1 to 6 are allowed\n")


def test_a_catalogue_that_is_not_there_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "none.toml"
    expected = f"{path}: cannot be read: No such file or directory; name a catalogue file"
    assert refusal("--catalogue", str(path)) == f"Error: {expected}\n"
