"""What could not be played: a small file beside the records, so that every report can say which and why.

It tells of the last run, and of void games as long as they are void.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from arena.regular import read_regular
from tournaments.store import StoreError, write_whole

FILE = "unplayed.json"


@dataclass(frozen=True, slots=True)
class Unplayed:
    """So many games could not be played because of one entrant, or of none: then `name` is "".

    `why` is the last reason; files in it are relative to the tournament's folder. What is `void` the next run does
    not try again by itself.
    """

    name: str
    games: int
    why: str
    void: bool = False

    @property
    def sentence(self) -> str:
        """For people."""
        games = "one game" if self.games == 1 else f"{self.games} games"
        whose = f" of {self.name}" if self.name else ""
        if self.void:
            return f"{games}{whose} {'is' if self.games == 1 else 'are'} void: {self.why}"
        return f"{games}{whose} could not be played in the last run: {self.why}"


def note(folder: Path, unplayed: Sequence[Unplayed]) -> None:
    """Write down what a run could not play, in place of what the one before could not. Raises `StoreError`."""
    write_whole(folder / FILE, json.dumps([asdict(each) for each in unplayed], ensure_ascii=False) + "\n")


def noted(folder: Path) -> list[Unplayed]:
    """What the last run could not play, the most first. Raises `StoreError` if the file is none of ours."""
    path = folder / FILE
    try:
        content = json.loads(read_regular(path))
        found = [
            Unplayed(str(each["name"]), int(each["games"]), str(each["why"]), each.get("void") is True)
            for each in content
        ]
    except FileNotFoundError:
        return []
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise StoreError(f"{path} does not say what could not be played ({error}); remove it") from None
    return sorted(found, key=lambda each: (-each.games, each.name))
