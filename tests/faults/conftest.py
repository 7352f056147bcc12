"""Here, as in the tests of the server, every async test runs under trio."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from pytest_trio.enable_trio_mode import pytest_collection_modifyitems, pytest_fixture_setup

__all__ = ["pytest_collection_modifyitems", "pytest_fixture_setup", "show"]


@pytest.fixture
def show(pytestconfig: pytest.Config) -> Callable[[str, dict[str, Any]], None]:
    """Print figures of a long run, whether or not the test passes."""
    terminal = pytestconfig.pluginmanager.get_plugin("terminalreporter")

    def line(name: str, figures: dict[str, Any]) -> None:
        if terminal is not None:
            terminal.write_line(f"{name}: {json.dumps(figures)}")

    return line
