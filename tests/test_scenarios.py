"""The table of the acceptance scenarios in tests/README.md is whole and true."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ALL = [f"S{number:03d}" for number in range(1, 79)]
ID = re.compile(r"\bS0[0-9]{2}\b")
ROW = re.compile(r"^\| (S0[0-9]{2}) \| [^|]+ \| ([^|]+) \|$", re.M)


def rows() -> dict[str, list[str]]:
    """The files of each scenario, as the table names them."""
    found = ROW.findall((HERE / "README.md").read_text("utf-8"))
    assert [id for id, _ in found] == ALL
    return {id: re.findall(r"`([^`]+)`", files) for id, files in found}


def named(path: Path) -> set[str]:
    """The scenarios that a file of tests names."""
    return set(ID.findall(path.read_text("utf-8")))


@pytest.mark.parametrize(("id", "files"), rows().items(), ids=ALL)
def test_files_of_a_scenario_are_there_and_name_it(id: str, files: list[str]) -> None:
    assert files
    for file in files:
        assert Path(file).name.startswith("test_")
        assert id in named(HERE / file), f"{file} does not name {id}"


def test_no_test_names_a_scenario_that_there_is_not() -> None:
    for path in HERE.rglob("test_*.py"):
        assert named(path) <= set(ALL), path
