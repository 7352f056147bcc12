"""Options of the whole suite."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import structlog

from tests.wallclock import WallClock


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--soak", action="store_true", help="run the tests that take minutes, too")
    parser.addoption("--minutes", type=float, default=60.0, help="how long the steady load of a soak lasts")


def pytest_configure(config: pytest.Config) -> None:
    """A shell starts what runs in its background with Ctrl-C ignored, which all that the tests start would inherit."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the long tests, unless they are asked for."""
    if config.getoption("--soak"):
        return
    config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker("soak")])
    items[:] = [item for item in items if not item.get_closest_marker("soak")]


@pytest.fixture
def show(request: pytest.FixtureRequest) -> Callable[[str, dict[str, Any]], None]:
    """Print figures of a long run, whether or not the test passes: at once, or from a process of xdist at the end."""
    plugins = request.config.pluginmanager
    terminal, capturing = plugins.get_plugin("terminalreporter"), plugins.get_plugin("capturemanager")

    def line(name: str, figures: dict[str, Any]) -> None:
        if hasattr(request.config, "workerinput"):
            return request.node.user_properties.append((name, json.dumps(figures)))
        with capturing.global_and_fixture_disabled():
            terminal.write_line(f"{name}: {json.dumps(figures)}")
            terminal.flush()
        return None

    return line


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the figures that tests have shown in other processes."""
    for outcome in ("passed", "failed"):
        for report in terminalreporter.getreports(outcome):
            for name, figures in report.user_properties if report.when == "call" else ():
                terminalreporter.write_line(f"{name}: {figures}")


@pytest.fixture(autouse=True)
def _logging() -> Iterator[None]:
    """A command that is called in this process sets up the logs of the process; the next test has its own again."""
    yield
    structlog.reset_defaults()


@pytest.fixture
def wall(monkeypatch: pytest.MonkeyPatch) -> WallClock:
    return WallClock(monkeypatch)
