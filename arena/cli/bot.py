"""`arena bot`: a shipped bot plays on a server."""

from __future__ import annotations

import secrets

import click

from arena.cli.errors import CheckFailed, InputError


def parse_address(text: str) -> tuple[str, int]:
    """HOST:PORT, or an `InputError`."""
    from clients.client import address

    try:
        return address(text)
    except ValueError as error:
        raise InputError(str(error)) from None


@click.command(name="bot")
@click.argument("bot")
@click.option("--connect", required=True, metavar="HOST:PORT", help="The server.")
@click.option("--name", help="Name to play under; the bot's own unless given.")
@click.option("--token", envvar="ARENA_TOKEN", help="Token of the name; better given as ARENA_TOKEN.")
@click.option("--table", default="queue", show_default=True, help="Table to join.")
@click.option("--wait", is_flag=True, help="Join nothing: an organiser seats the bot.")
@click.option("--games", type=click.IntRange(1), help="Games to play; without it the bot plays on.")
@click.option("--seed", type=click.IntRange(0), help="Seed of the bot's own random choices.")
@click.option("--tls", is_flag=True, help="Speak TLS.")
@click.option(
    "--insecure", is_flag=True, help="Speak TLS and trust any certificate; for tests on one machine."
)
def command(
    bot: str,
    connect: str,
    name: str | None,
    token: str | None,
    table: str,
    wait: bool,
    games: int | None,
    seed: int | None,
    tls: bool,
    insecure: bool,
) -> None:
    """Let the shipped bot BOT play on a server."""
    import ssl

    import trio

    from clients import Client, Refused, Settings
    from clients.bots import BOTS, UnknownBot, make_bot
    from protocol import NameRefused, check_name
    from protocol.messages import Join

    host, port = parse_address(connect)
    context = ssl.create_default_context() if tls or insecure else None
    if context is not None and insecure:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    try:
        player = make_bot(bot, secrets.randbits(64) if seed is None else seed)
        settings = Settings(
            name=check_name(name or bot),
            host=host,
            port=port,
            token=token,
            join=None if wait else Join(table=table),
            games=games,
            samples=getattr(BOTS[bot], "searches", bot != "random"),
            tls=context,
            software=f"arena bot {bot}",
        )
    except (UnknownBot, NameRefused, ValueError) as error:
        raise InputError(str(error)) from None
    try:
        results = trio.run(Client(settings, player.choose).run)
    except* Refused as group:
        raise CheckFailed(f"the server refused: {innermost(group)}") from None
    except* OSError as group:
        raise CheckFailed(f"{connect} cannot be reached: {innermost(group)}") from None
    except* KeyboardInterrupt:
        raise click.Abort from None
    for end in results:
        click.echo(f"{end.game}: {end.why.value}, places {list(end.places)}", err=True)


def innermost(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """The first error inside."""
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
