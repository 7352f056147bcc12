"""The files of the pages, read once when the server starts."""

from __future__ import annotations

from importlib.resources import files
from string import Template
from typing import Final

from arena.web.sending import Body

KINDS: Final = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}

FRAME: Final = "frame.html"
FRAMED: Final = {
    "index.html": {"title": "The harbour: games of Import / Export", "script": "home.js"},
    "cards.html": {"title": "The cards", "script": "catalogue.js"},
    "tournament.html": {"title": "A tournament", "script": "tournament.js"},
}
"""Pages whose file has what is their own: the frame around it is the same for all."""


def read_assets() -> dict[str, Body]:
    """All files of `static/` by name, the pages in their frame."""
    static = files("arena.web").joinpath("static")
    found = {file.name: file.read_bytes() for file in static.iterdir() if suffix(file.name) in KINDS}
    frame = Template(found.pop(FRAME).decode("utf-8"))
    for page, fields in FRAMED.items():
        found[page] = frame.substitute(fields, contents=found[page].decode("utf-8")).encode("utf-8")
    return {name: Body(data, KINDS[suffix(name)]) for name, data in found.items()}


def suffix(name: str) -> str:
    """What stands behind the last dot."""
    return name.rpartition(".")[2]
