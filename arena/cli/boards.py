"""The standings of tournaments for the pages: read from their folders, which the HTTP side does not know."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path

from arena.cli.errors import InputError
from arena.web.models import Standing, Tournament


class StoredBoards:
    """Tournaments by their names, each with its folder."""

    def __init__(self, folders: Iterable[Path]) -> None:
        """Raises `InputError` for a folder that holds no tournament, and for two of one name."""
        self._folders: dict[str, Path] = {}
        for folder in folders:
            name = name_of(folder)
            if name in self._folders:
                raise InputError(f"two tournaments are called {name}; name only one of the folders")
            self._folders[name] = folder

    @property
    def games(self) -> list[Path]:
        """Where the records of their games lie."""
        from tournaments.store import GAMES

        return [folder / GAMES for folder in self._folders.values()]

    def kept_back(self, record: Path) -> bool:
        """Whether this is the record of a tournament that still has games to play, perhaps with the same deal.

        Also of one that is not among these tournaments: what counts is where the file lies, not how it was named.
        """
        from tournaments.deals import are_over, tournaments_around

        folder = os.path.realpath(record.parent)
        named = [
            self._folders[name]
            for name, games in zip(self._folders, self.games, strict=True)
            if os.path.realpath(games) == folder
        ]
        return not all(map(are_over, [*named, *tournaments_around(record)]))

    def names(self) -> tuple[str, ...]:
        """The tournaments that have a page."""
        return tuple(self._folders)

    def board(self, name: str) -> Tournament:
        """The standings as they are now."""
        from tournaments.report import of_tournament
        from tournaments.store import Store

        with Store(self._folders[name], reads_only=True) as store:
            made = of_tournament(store)
        return Tournament(
            name=name,
            standings=tuple(Standing(**row) for row in made.rows),
            games=len(made.games),
            notes=(*made.facts, *made.warnings),
        )


def name_of(folder: Path) -> str:
    """The name of the tournament in a folder; raises `InputError` if there is none."""
    from tournaments.store import FILE, Store, StoreError

    if not (folder / FILE).is_file():
        raise InputError(f"{folder} holds no tournament; name a folder that a run has filled")
    try:
        with Store(folder, reads_only=True) as store:
            return str(json.loads(store.settings()["name"]))
    except (KeyError, ValueError, StoreError) as error:
        raise InputError(f"the tournament in {folder} cannot be read: {error}") from None
