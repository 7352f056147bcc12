"""Paths on the command line, all alike: a file or a folder, and `~` at the beginning (S063)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from arena.cli.errors import InputError


class Place(click.Path):
    """A path; a ~ at its beginning is the home folder, also where no shell has expanded it, as in `--data=~/x`."""

    def __init__(self, *, file_okay: bool = True, dir_okay: bool = True) -> None:
        super().__init__(path_type=Path, file_okay=file_okay, dir_okay=dir_okay)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            path = Path(value).expanduser()
        except RuntimeError:
            raise InputError(f"{value} begins with a user whom this machine does not know") from None
        if "\0" in str(path):
            raise InputError(f"{value} has a zero byte, which no path has")
        return super().convert(path, param, ctx)
