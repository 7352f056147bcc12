"""docs/bots.md names every verb of an option and every kind of question that `arena.game` has."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from arena.game import choices, default_catalogue, hooks
from arena.game.hooks import Hook
from arena.game.terms import ACTIONS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/bots.md").read_text()
MAKERS = (
    "option",
    "Option",
    "announcements",
    "with_card",
    "on_ship",
    "to_place",
    "number",
    "ship",
    "seat",
    "named",
)
NOT_OFFERED = {"won"}  # what an auction tells a power
OF_POWERS = {"self.power", "power"}  # expressions for the id of the power that asks
KINDS_MADE = OF_POWERS | {"ACTIONS[self.action]", "f'overflow-{area}'", "kind", "self.verb()"}


def table(name: str) -> set[str]:
    """What stands as code in the first column of a table."""
    rows = PAGE.partition(f"<!-- {name} -->\n\n")[2].partition("\n\n")[0].splitlines()[2:]
    return {code for row in rows for code in re.findall("`([^`]+)`", row.split(" | ")[0])}


def sources() -> Iterator[ast.AST]:
    for path in (ROOT / "arena/game").rglob("*.py"):
        yield ast.parse(path.read_text("utf-8"))


def calls() -> Iterator[tuple[str, ast.Call]]:
    """All calls in the core with the last word of what is called, under its own name if it was imported by another."""
    for tree in sources():
        nodes = list(ast.walk(tree))
        names = {
            each.asname or each.name: each.name
            for node in nodes
            if isinstance(node, ast.ImportFrom)
            for each in node.names
        }
        for node in nodes:
            if isinstance(node, ast.Call):
                called = ast.unparse(node.func).rpartition(".")[2]
                yield names.get(called, called), node


def returned(method: str) -> set[str]:
    """The words that methods of this name return."""
    return {
        node.value.value
        for tree in sources()
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef) and function.name == method
        for node in ast.walk(function)
        if isinstance(node, ast.Return)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    }


def word(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def test_every_verb_has_a_row() -> None:
    assert all(hasattr(choices, maker) for maker in MAKERS)
    verbs = {word(call.args[0]) for name, call in calls() if name in MAKERS and call.args} - {None}
    documented = {re.split("[:@*]", text)[0] for text in table("verbs")}
    assert len(verbs) > 30
    assert (verbs | returned("verb")) - NOT_OFFERED == documented


def test_every_kind_has_a_row() -> None:
    asked = [call.args[1] for name, call in calls() if name == "ask" and len(call.args) > 2]
    asked += [call.args[0] for name, call in calls() if name == "ask_together"]
    kinds = {word(node) for node in asked} - {None}
    assert {ast.unparse(node) for node in asked if word(node) is None} == KINDS_MADE
    extras = [
        hook for hook in vars(hooks).values() if isinstance(hook, Hook) and hook.name.endswith("_extras")
    ]
    kinds |= {hook.name.replace("_", "-") for hook in extras} | returned("verb")
    kinds |= {f"overflow-{area}" for area in ("crew", "goods")} | set(ACTIONS)
    kinds -= set(default_catalogue().number_of)
    assert kinds == table("kinds") - {"wind-turbines"}
