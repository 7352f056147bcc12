"""`arena bridge`: a program that reads stdin and writes stdout plays on a server."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.bot import innermost, parse_address
from arena.cli.errors import CheckFailed, InputError


@click.command(name="bridge", context_settings={"ignore_unknown_options": True})
@click.option("--connect", required=True, metavar="HOST:PORT", help="The server.")
@click.option("--name", required=True, help="Name to play under.")
@click.option("--token", envvar="ARENA_TOKEN", help="Token of the name; better given as ARENA_TOKEN.")
@click.option("--table", default="queue", show_default=True, help="Table to join.")
@click.option("--games", type=click.IntRange(1), help="Games to play; without it the program plays on.")
@click.option("--no-views", is_flag=True, help="Leave the view out of the requests.")
@click.option(
    "--stderr", type=click.Path(path_type=Path, dir_okay=False), help="File for the program's stderr."
)
@click.argument("program", nargs=-1, required=True, type=click.UNPROCESSED, metavar="-- COMMAND...")
@click.pass_context
def command(
    ctx: click.Context,
    connect: str,
    name: str,
    token: str | None,
    table: str,
    games: int | None,
    no_views: bool,
    stderr: Path | None,
    program: tuple[str, ...],
) -> None:
    """Let COMMAND play: it gets one JSON line for each message and answers a request with one line.

    Its answer is the index of an option, or the option's text. Its stderr goes to yours, or to a file.
    """
    import trio

    from clients import Refused, Settings
    from clients.bridge import bridge
    from protocol import NameRefused, check_name
    from protocol.messages import Join

    host, port = parse_address(connect)
    try:
        settings = Settings(
            name=check_name(name),
            host=host,
            port=port,
            token=token,
            join=Join(table=table),
            games=games,
            views=not no_views,
        )
    except (NameRefused, ValueError) as error:
        raise InputError(str(error)) from None

    async def run() -> int:
        return await bridge(settings, program, stderr=stderr)

    code = 0
    try:
        code = trio.run(run)
    except* Refused as group:
        raise CheckFailed(f"the server refused: {innermost(group)}") from None
    except* FileNotFoundError as group:
        raise InputError(f"{program[0]} cannot be started: {innermost(group)}") from None
    except* OSError as group:
        raise CheckFailed(f"{connect}: {innermost(group)}") from None
    except* KeyboardInterrupt:
        raise click.Abort from None
    if code > 0:
        raise CheckFailed(f"{program[0]} ended with exit code {code}")
