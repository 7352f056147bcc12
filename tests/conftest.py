"""Options of the whole suite."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--soak", action="store_true", help="run the tests that take minutes, too")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the long tests, unless they are asked for."""
    if config.getoption("--soak"):
        return
    kept = [item for item in items if item.get_closest_marker("soak") is None]
    config.hook.pytest_deselected(items=[item for item in items if item not in set(kept)])
    items[:] = kept


@pytest.fixture
def show(pytestconfig: pytest.Config) -> Callable[[str, dict[str, Any]], None]:
    """Print figures of a long run, whether or not the test passes."""
    terminal = pytestconfig.pluginmanager.get_plugin("terminalreporter")

    def line(name: str, figures: dict[str, Any]) -> None:
        if terminal is not None:
            terminal.write_line(f"{name}: {json.dumps(figures)}")

    return line
