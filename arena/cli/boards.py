"""The standings of tournaments for the pages: read from their folders, which the HTTP side does not know."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from arena.cli.errors import InputError
from arena.web.models import Standing, Tournament


class StoredBoards:
    """Tournaments by their names, each with its folder."""

    def __init__(self, folders: Iterable[Path]) -> None:
        """Raises `InputError` for a folder that holds no tournament, and for two of one name."""
        from tournaments.store import FILE

        self._folders: dict[str, Path] = {}
        for folder in folders:
            name = folder.resolve().name
            if not (folder / FILE).is_file():
                raise InputError(f"{folder} holds no tournament; name a folder that a run has filled")
            if name in self._folders:
                raise InputError(f"two tournaments are called {name}; rename one of the folders")
            self._folders[name] = folder

    def add(self, name: str, folder: Path) -> None:
        """One more, which need not have any game yet."""
        self._folders[name] = folder

    def names(self) -> tuple[str, ...]:
        """The tournaments that have a page."""
        return tuple(self._folders)

    def board(self, name: str) -> Tournament:
        """The standings as they are now."""
        from tournaments.report import of_tournament
        from tournaments.store import Store

        with Store(self._folders[name]) as store:
            made = of_tournament(store)
        return Tournament(
            name=name,
            standings=tuple(Standing(**row) for row in made.rows),
            games=len(made.games),
            notes=tuple(made.warnings),
        )
