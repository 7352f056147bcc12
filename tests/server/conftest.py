"""Here every async test runs under trio."""

from pytest_trio.enable_trio_mode import pytest_collection_modifyitems, pytest_fixture_setup

__all__ = ["pytest_collection_modifyitems", "pytest_fixture_setup"]
