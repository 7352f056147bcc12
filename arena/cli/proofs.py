"""Tokens and keys that a command needs: from the environment or a file, since all of a machine can read its options."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click
from click.core import ParameterSource

from arena.cli.errors import InputError
from arena.cli.paths import Place

LONGEST: Final = 1000  # characters of a file that holds a token or a key; they have 200 at most
FILE: Final = "arena.token-file"  # where the options below meet


def read_proof(path: Path, what: str) -> str:
    """The token or the key in a file; raises `InputError`, which does not show what is there.

    `what` says what is missing if there is none, and the remedy.
    """
    from clients.keyfile import KEY

    try:
        with path.open(encoding="ascii") as file:
            proof = file.read(LONGEST).strip()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        proof = ""
    if not KEY.fullmatch(proof):
        raise InputError(f"{path} holds {what}")
    return proof


def _keep(ctx: click.Context, _: click.Parameter, path: Path | None) -> None:
    ctx.meta[FILE] = path


def _token(ctx: click.Context, param: click.Parameter, token: str | None) -> str | None:
    path: Path | None = ctx.meta.get(FILE)
    shown = ctx.get_parameter_source(str(param.name)) is ParameterSource.COMMANDLINE
    if path is not None and shown:
        raise InputError("--token and --token-file are two tokens; give one")
    if path is not None:
        return read_proof(path, "no token; write the token alone into it")
    if shown:
        told = (
            "others of this machine can see --token in the list of processes; use ARENA_TOKEN or --token-file"
        )
        click.echo(told, err=True)
    return token


TOKEN_OPTIONS: Final = (
    click.option(
        "--token",
        envvar="ARENA_TOKEN",
        callback=_token,
        help="Token of the name. Others of the machine can see it here: use ARENA_TOKEN or --token-file.",
    ),
    click.option(
        "--token-file",
        type=Place(dir_okay=False),
        callback=_keep,
        is_eager=True,
        expose_value=False,
        help="The file in which the token stands, alone.",
    ),
)
