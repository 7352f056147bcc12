"""`arena serve`: the server."""

from __future__ import annotations

import re
import signal
from pathlib import Path

import click

from arena.cli.errors import InputError

TOKEN = re.compile(r"[!-~]{16,200}")  # what a client can send, and nobody guesses


@click.command(name="serve")
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="Address to listen on; loopback unless told."
)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=7171, show_default=True, help="0 takes a free one."
)
@click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("arena-data"),
    show_default=True,
    help="Folder for the records of games.",
)
@click.option(
    "--cert", type=click.Path(path_type=Path, dir_okay=False), help="Certificate chain (PEM): speak TLS."
)
@click.option(
    "--key", type=click.Path(path_type=Path, dir_okay=False), help="Private key (PEM) of the certificate."
)
@click.option(
    "--tokens",
    type=click.Path(path_type=Path, dir_okay=False),
    help="File with lines `name<TAB>token`: these names need their token.",
)
@click.option("--only-tokens", is_flag=True, help="Refuse names without a token.")
@click.option(
    "--seats", type=click.IntRange(2, 6), default=4, show_default=True, help="Seats of a game of the queue."
)
@click.option(
    "--move", type=click.FloatRange(0.05, 86400), default=10.0, show_default=True, help="Seconds per move."
)
@click.option(
    "--bank", type=click.FloatRange(0, 86400), default=60.0, show_default=True, help="Seconds per game."
)
@click.option(
    "--increment",
    type=click.FloatRange(0, 86400),
    default=0.5,
    show_default=True,
    help="Seconds added per move.",
)
@click.option(
    "--grace",
    type=click.FloatRange(0, 60),
    default=0.1,
    show_default=True,
    help="Seconds allowed for the network.",
)
@click.option(
    "--ready", type=click.FloatRange(0.1, 3600), default=30.0, show_default=True, help="Ready limit, seconds."
)
@click.option(
    "--resume",
    type=click.FloatRange(0, 3600),
    default=30.0,
    show_default=True,
    help="Seconds to come back, per game.",
)
@click.option("--no-seeds", is_flag=True, help="Refuse tables that name the seed of their deal.")
@click.option("--durable", is_flag=True, help="Sync every line of a record to the disk.")
@click.option("--log", type=click.Choice(["console", "json"]), default="console", show_default=True)
@click.option("--verbose", is_flag=True, help="Log connections and games too.")
def command(
    host: str,
    port: int,
    data: Path,
    cert: Path | None,
    key: Path | None,
    tokens: Path | None,
    only_tokens: bool,
    seats: int,
    move: float,
    bank: float,
    increment: float,
    grace: float,
    ready: float,
    resume: float,
    no_seeds: bool,
    durable: bool,
    log: str,
    verbose: bool,
) -> None:
    """Let bots play over sockets. Stop it with Ctrl-C or SIGTERM; the clients are told."""
    from functools import partial

    import trio

    from arena.log import configure
    from arena.server import Config, Offer, serve
    from clients.bots import BOTS
    from protocol.messages import Clock

    if (cert is None) != (key is None):
        raise InputError("--cert and --key go together; give both, or neither")
    if cert is not None:
        check_certificate(cert, key)
    configure(log, verbose=verbose)
    config = Config(
        host=host,
        port=port,
        data=usable_folder(data.expanduser()),
        cert=cert,
        key=key,
        tokens=read_tokens(tokens) if tokens is not None else {},
        only_tokens=only_tokens,
        offer=Offer(seats=seats),
        clock=Clock(move=move, bank=bank, increment=increment, grace=grace),
        ready=ready,
        resume=resume,
        seeds=not no_seeds,
        durable=durable,
    )

    async def run() -> None:
        with trio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
            async with trio.open_nursery() as nursery:
                _, listeners = await nursery.start(partial(serve, config, bots=frozenset(BOTS)))
                for listener in listeners:
                    name, number = listener.socket.getsockname()[:2]
                    click.echo(f"listening on {name}:{number}", err=True)
                async for _ in signals:
                    nursery.cancel_scope.cancel()
                    break

    try:
        trio.run(run)
    except* OSError as group:
        raise InputError(f"{host}:{port} cannot be listened on: {first(group)}") from None


def usable_folder(path: Path) -> Path:
    """The data folder, made and tried, so that the first game is not the one to find out."""
    import tempfile

    try:
        path.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path):
            return path
    except OSError as error:
        raise InputError(
            f"records cannot be written to {path}: {error.strerror or error}; name another folder"
        ) from None


def check_certificate(cert: Path, key: Path | None) -> None:
    """Load the certificate once, to say at the start what is wrong with it."""
    import ssl

    try:
        ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(cert, key)
    except (ssl.SSLError, OSError) as error:
        raise InputError(f"the certificate {cert} with the key {key} cannot be used: {error}") from None


def first(group: BaseExceptionGroup[OSError]) -> str:
    """The text of the first error inside."""
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return str(error)


def read_tokens(path: Path) -> dict[str, str]:
    """Names and tokens, one pair to a line; raises `InputError` with the line that is wrong."""
    from protocol import NameRefused, check_name

    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"the token file {path} cannot be read: {error}") from None
    tokens: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        name, tab, token = line.partition("\t")
        try:
            name = check_name(name)
        except NameRefused as error:
            raise InputError(f"{path}, line {number}: {error}") from None
        if not tab or not TOKEN.fullmatch(token):
            raise InputError(
                f"{path}, line {number}: write `name<TAB>token`, the token of 16 to 200 ASCII characters"
                " without blanks"
            )
        if name in tokens:
            raise InputError(f"{path}, line {number}: {name} stands twice; keep one line for each name")
        tokens[name] = token
    return tokens
