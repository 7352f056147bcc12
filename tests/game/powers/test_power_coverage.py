"""Every written power has a scenario: a test that says `power: <id>` in its docstring or in a comment inside it.

A test of several powers lists them behind commas (`power: candy, coffee`). Any tests/game/powers/test_*.py counts.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

from arena.game import powers
from arena.game.catalogue import power_ids
from arena.game.hooks import HOOKS

CITED = re.compile(r"\bpower: ([a-z0-9-]+(?:, [a-z0-9-]+)*)")
COMMENT = re.compile(r"# .*$", re.MULTILINE)


def cited() -> dict[str, list[str]]:
    """The tests by the power that they cite."""
    found: dict[str, list[str]] = {}
    for path in sorted(Path(__file__).parent.glob("test_*.py")):
        if path == Path(__file__):
            continue
        text = path.read_text("utf-8")
        lines = text.splitlines()
        for node in ast.parse(text).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                code = "\n".join(lines[node.lineno - 1 : node.end_lineno])
                said = [ast.get_docstring(node) or "", *COMMENT.findall(code)]
                for listed in CITED.findall("\n".join(said)):
                    for power in listed.split(", "):
                        found.setdefault(power, []).append(f"{path.name}::{node.name}")
    return found


def test_every_written_power_has_a_scenario() -> None:
    assert powers
    written = {power for hook in HOOKS.values() for power in hook.listeners}
    missing = sorted(written - cited().keys())
    assert not missing, f"add a test that says `power: <id>` for {', '.join(missing)}"


def test_scenarios_cite_powers_that_exist() -> None:
    unknown = {power: tests for power, tests in cited().items() if power not in power_ids()}
    assert not unknown
