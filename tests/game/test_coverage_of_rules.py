"""Every rule, ruling and example is cited by a test, in its comment or docstring.

What is not cited stands here with the reason; a rule that gets its test is taken out.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

HERE = Path(__file__).parent
RULES = HERE.parents[1] / "docs" / "game-rules.md"
ID = r"(?:R\d+\.\d+|Q\d+|TD\d+|TP\d+|T\d+[a-e]?)"

NOTHING_TO_TEST = {
    "R1.4": "tokens and buoy: the credits of a player are a number, and Q8 lifts the limit of the tokens",
}


def ids_of_the_rules() -> set[str]:
    """The ids that `docs/game-rules.md` defines."""
    text = RULES.read_text("utf-8")
    defined = set(re.findall(rf"^- \*\*({ID})\b", text, re.MULTILINE))
    defined |= set(re.findall(rf"^\| ({ID}) (?:`ruling` )?\|", text, re.MULTILINE))
    return defined


def cited_by_tests() -> dict[str, list[str]]:
    """For each id the tests that cite it, beside their name or in their docstring."""
    found: dict[str, list[str]] = {}
    for path in sorted(HERE.rglob("test_*.py")):
        lines = path.read_text("utf-8").splitlines()
        for node in ast.walk(ast.parse("\n".join(lines))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                first = node.body[0]
                docstring = ast.get_docstring(node)
                head = lines[node.lineno - 1 : first.lineno - 1]
                for id in re.findall(rf"\b{ID}\b", "\n".join([*head, docstring or ""])):
                    found.setdefault(id, []).append(node.name)
    return found


def test_the_rules_are_found() -> None:
    ids = ids_of_the_rules()
    assert {"R1.1", "R9.6", "R20.1", "T1", "T2a", "T5c", "T12", "TD1", "TD5", "Q1", "Q104"} <= ids
    assert {f"Q{number}" for number in range(1, 106)} <= ids


def test_every_rule_is_cited_by_a_test() -> None:
    wanted = {id for id in ids_of_the_rules() if id not in NOTHING_TO_TEST}
    assert sorted(wanted - cited_by_tests().keys()) == []


def test_only_rules_that_exist_are_cited_or_left_out() -> None:
    known = ids_of_the_rules()
    assert sorted(cited_by_tests().keys() - known) == []
    assert sorted(NOTHING_TO_TEST.keys() - known) == []


def test_what_has_a_test_is_not_left_out() -> None:
    assert sorted(NOTHING_TO_TEST.keys() & cited_by_tests().keys()) == []
