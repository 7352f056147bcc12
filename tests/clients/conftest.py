"""Patience of clients in tests: they come back at once, and what ends slowly on a slow machine may."""

from __future__ import annotations

import pytest
from served import PATIENCE

from clients import bridge, client


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "FIRST_WAIT", 0.01)
    monkeypatch.setattr(bridge, "LAST_WORDS", PATIENCE)


@pytest.fixture
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """For programs that do not end by themselves, or do not read."""
    monkeypatch.setattr(bridge, "LOADING", 0.01)
    monkeypatch.setattr(bridge, "LAST_WORDS", 0.2)
    monkeypatch.setattr(bridge, "TERM", 0.2)


@pytest.fixture
def _unsettled(monkeypatch: pytest.MonkeyPatch) -> None:
    """For programs whose end and that of their output are not seen together."""
    monkeypatch.setattr(bridge, "SETTLE", 0.05)
