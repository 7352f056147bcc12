"""The protocol stands alone: sans-IO, and without any other room of the house, also at second hand."""

from __future__ import annotations

import subprocess
import sys

FOREIGN = ("arena", "clients", "tournaments", "trio", "anyio", "asyncio", "structlog", "click", "rich")


def test_importing_the_package_loads_no_other_room_and_no_io_library():
    code = f"import sys, protocol; print([name for name in {FOREIGN!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
