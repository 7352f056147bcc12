"""The house's one-way imports (docs/architecture.md), read from the source without running it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = ("arena", "protocol", "clients", "tournaments")

MAY_IMPORT = {
    "arena.game": {"arena.game", "arena.data"},
    "arena.data": set[str](),
    "arena.cli": {"arena", "arena.game", "arena.cli", "arena.data", "protocol", "clients", "tournaments"},
    "arena": {"arena", "arena.game", "arena.data", "protocol"},
    "protocol": {"protocol"},
    "clients": {"clients", "protocol", "arena.game"},
    "tournaments": {"tournaments", "arena", "arena.game", "arena.data", "protocol", "clients"},
}

PURE = {
    "trio",
    "pydantic",
    "structlog",
    "click",
    "rich",
    "socket",
    "os",
    "time",
    "random",
    "asyncio",
    "threading",
}


def room_of(module: str) -> str | None:
    """The longest room whose name begins the dotted module name."""
    rooms = [room for room in MAY_IMPORT if module == room or module.startswith(room + ".")]
    return max(rooms, key=len, default=None)


def modules() -> Iterator[tuple[str, Path]]:
    for top in ROOMS:
        for path in sorted((ROOT / top).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            yield ("arena.cli" if name in ("arena.__main__", "arena.entry") else name), path


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports hide which room is meant"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize(
    ("module", "path"), list(modules()), ids=lambda value: str(value) if "/" not in str(value) else ""
)
def test_a_module_imports_only_rooms_below_it(module: str, path: Path) -> None:
    own = room_of(module)
    assert own is not None
    for imported in imports(path):
        room = room_of(imported)
        assert room is None or room in MAY_IMPORT[own], f"{module} imports {imported}"


@pytest.mark.parametrize(("module", "path"), [m for m in modules() if m[0].startswith("arena.game")])
def test_the_rules_know_no_clock_no_input_and_no_library(module: str, path: Path) -> None:
    assert not {name.partition(".")[0] for name in imports(path)} & PURE


@pytest.mark.parametrize(("module", "path"), [m for m in modules() if m[0].startswith("protocol")])
def test_the_wire_knows_no_event_loop(module: str, path: Path) -> None:
    assert not {name.partition(".")[0] for name in imports(path)} & {"trio", "asyncio", "socket"}


def test_no_process_loads_what_is_for_tests_when_it_starts() -> None:
    """`trio.testing` brings pytest along."""
    for module, path in modules():
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            assert not isinstance(node, ast.ImportFrom) or node.module != "trio.testing", module
