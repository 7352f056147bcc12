"""Opens the catalogue that a user names; what a catalogue must look like belongs in `arena.game`."""

from __future__ import annotations

from pathlib import Path

from arena.game.catalogue import Catalogue, CatalogueError, default_catalogue
from arena.game.catalogue_form import MAX_CATALOGUE_BYTES


def read_catalogue(path: Path | None) -> Catalogue:
    """The catalogue in a file, the house catalogue if there is no path.

    Raises `CatalogueError`, one sentence, if the file cannot be read or is no catalogue. Of a file too large,
    however large, only `MAX_CATALOGUE_BYTES` are read.
    """
    if path is None:
        return default_catalogue()
    try:
        with path.open("rb") as file:
            data = file.read(MAX_CATALOGUE_BYTES + 1)
    except OSError as error:
        raise CatalogueError(f"{path}: cannot be read: {error.strerror}; name a catalogue file") from None
    except ValueError as error:  # a path that no file can have
        raise CatalogueError(f"{path}: cannot be read: {error}; name a catalogue file") from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if len(data) <= MAX_CATALOGUE_BYTES:
            line = data.count(b"\n", 0, error.start) + 1
            raise CatalogueError(f"{path}: line {line} is not UTF-8; save the file as UTF-8") from None
        text = data.decode("utf-8", "replace")  # cut within a letter; it is refused for its size
    return Catalogue.from_toml(text, origin=str(path))
