"""Here, as in the tests of the server, every async test runs under trio."""

from __future__ import annotations

from pytest_trio.enable_trio_mode import pytest_collection_modifyitems, pytest_fixture_setup

__all__ = ["pytest_collection_modifyitems", "pytest_fixture_setup"]
