"""A clock of the wall that tests can set while a server or a tournament runs in their process."""

from __future__ import annotations

import os
import sys
import time
from datetime import datetime, timedelta, tzinfo
from pathlib import Path
from typing import Any

import pytest

OURS = ("arena", "clients", "protocol", "tournaments")


class WallClock:
    """The clock of the wall, as far as our modules read it: it can be set while they run, as by an administrator."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._ahead = timedelta()
        plain = time.time
        monkeypatch.setattr(time, "time", lambda: plain() + self._ahead.total_seconds())
        wall = self

        class Shown(datetime):
            @classmethod
            def now(cls, tz: tzinfo | None = None) -> Any:
                return datetime.now(tz) + wall._ahead

        for name, module in list(sys.modules.items()):
            if name.partition(".")[0] in OURS and vars(module).get("datetime") is datetime:
                monkeypatch.setattr(module, "datetime", Shown)

    def jump(self, days: float, *files: Path) -> None:
        """Set it so many days ahead, or back; these files have been changed by the new time."""
        self._ahead += timedelta(days=days)
        for file in files:
            os.utime(file, (time.time(), time.time()))
