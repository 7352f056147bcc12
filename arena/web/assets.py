"""The files of the pages, read once when the server starts."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

from arena.web.sending import Body

KINDS: Final = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}


def read_assets() -> dict[str, Body]:
    """All files of `static/` by name."""
    found = {}
    for file in files("arena.web").joinpath("static").iterdir():
        suffix = file.name.rpartition(".")[2]
        if suffix in KINDS:
            found[file.name] = Body(file.read_bytes(), KINDS[suffix])
    return found
