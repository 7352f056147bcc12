"""`arena serve`: the server. Its options are the fields of `Config`, and lie over the configuration file."""

from __future__ import annotations

import errno
import os
import signal
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

import click
from click.core import ParameterSource
from pydantic.fields import FieldInfo

from arena.cli.errors import InputError
from arena.cli.numbers import Decimal, WholeNumber
from arena.cli.paths import Place
from arena.server.config import Config, Offer

if TYPE_CHECKING:
    from arena.cli.boards import StoredBoards
    from arena.web import WebConfig
    from arena.web.shelf import Shelf

CLOCK = {
    "move": Decimal(0.05, 86400),
    "bank": Decimal(0, 86400),
    "increment": Decimal(0, 86400),
    "grace": Decimal(0, 60),
}
"""The options of the clock, with their bounds in seconds."""

TRIED = 64 * 1024  # bytes that must fit into the data folder: the beginning of a game takes far fewer


def config_options(command: Callable[..., None]) -> Callable[..., None]:
    """An option for each setting: numbers, texts, files and flags by their type, with its description."""
    options = [_option_of(name, hint) for name, hint in _settings().items()]
    options.append(
        click.option(
            "--seats",
            type=WholeNumber(2, 6),
            default=Offer().seats,
            show_default=True,
            help="Seats of a game of the queue.",
        )
    )
    clock = Config().clock
    for name, bounds in CLOCK.items():
        told = str(type(clock).model_fields[name].description)
        default = getattr(clock, name)
        options.append(click.option(f"--{name}", type=bounds, default=default, show_default=True, help=told))
    for option in reversed(options):
        command = option(command)
    return command


def _settings() -> dict[str, FieldInfo]:
    """What can be an option, in the order of `Config`."""
    hints = get_type_hints(Config, include_extras=True)
    return {
        each.name: FieldInfo.from_annotation(hints[each.name])
        for each in fields(Config)
        if each.name not in ("clock", "offer")
    }


def _option_of(name: str, setting: FieldInfo) -> Callable[[Callable[..., None]], Callable[..., None]]:
    default = getattr(Config(), name)
    flag = f"--{name.replace('_', '-')}"
    told = setting.description
    if type(default) is bool:
        if default:
            return click.option(f"--{flag[2:]}/--no-{flag[2:]}", name, default=True, help=told)
        return click.option(flag, name, is_flag=True, help=told)
    value = _unless_unset(setting)
    low, high = (
        next((getattr(each, bound) for each in value.metadata if hasattr(each, bound)), None)
        for bound in ("ge", "le")
    )
    kind: click.ParamType[Any]
    if type(default) is int and low is not None and high is not None:
        kind = WholeNumber(low, high)
    elif value.annotation is float and low is not None and high is not None:
        kind = Decimal(low, high)
    elif type(default) is str:
        kind = click.STRING
    else:
        kind = Place()
    return click.option(flag, name, type=kind, default=default, show_default=default is not None, help=told)


def _unless_unset(setting: FieldInfo) -> FieldInfo:
    """The value that a setting has if it is set, for those that may be unset."""
    kinds = [kind for kind in get_args(setting.annotation) if kind is not NoneType]
    return FieldInfo.from_annotation(kinds[0]) if kinds else setting


@click.command(name="serve")
@click.option(
    "--config",
    "file",
    type=Place(),
    help="TOML file of settings; options on the command line lie over it.",
)
@click.option(
    "--check",
    is_flag=True,
    help="Check the settings, and end: exit code 0 if a server could start, or could after the one that runs.",
)
@config_options
@click.option(
    "--tournament",
    "tournaments",
    multiple=True,
    type=Place(file_okay=False),
    help="Folder of a tournament whose standings the pages show; may be repeated.",
)
@click.option("--log", type=click.Choice(["console", "json"]), default="console", show_default=True)
@click.option("--verbose", is_flag=True, help="Log connections and games too.")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    file: Path | None,
    check: bool,
    tournaments: tuple[Path, ...],
    log: str,
    verbose: bool,
    **_: Any,
) -> None:
    """Let bots play over sockets. Games that an earlier server has left in the data folder go on.

    Ctrl-C or SIGTERM stops it: no game starts any more, and those that still run after --drain seconds, or at a
    second signal, are suspended and go on when the server is started again. The clients are told.

    Exit code: 0 when it has been stopped, 2 if the call is wrong or the address, the data folder, the certificate
    or the tokens cannot be used.

    Every setting can stand in the file of --config too, under its name with _ for -.
    """
    from arena.cli.boards import StoredBoards
    from arena.log import configure
    from arena.server.config_file import ConfigError, read_config

    configure(log, verbose=verbose)
    try:
        config = read_config(file, _given(ctx))
    except ConfigError as error:
        raise InputError(str(error)) from None
    check_files(config)
    boards = StoredBoards(tournaments)
    if check:
        for note in notes(config):
            click.echo(f"note: {note}", err=True)
        click.echo(f"the settings are right; the server would listen on {config.host}:{config.port}")
    else:
        run(config, boards, log)


def _given(ctx: click.Context) -> dict[str, Any]:
    """The settings that stand on the command line, in the form of the file."""
    given: dict[str, Any] = {}
    for name, value in ctx.params.items():
        if ctx.get_parameter_source(name) is not ParameterSource.COMMANDLINE:
            continue
        if name in CLOCK:
            given.setdefault("clock", {})[name] = value
        elif name == "seats":
            given["offer"] = {"seats": value}
        elif name not in ("file", "check", "tournaments", "log", "verbose"):
            given[name] = str(value) if isinstance(value, Path) else value
    return given


def run(config: Config, boards: StoredBoards, form: str = "console") -> None:
    """Serve until a signal comes; `form` is that of the log."""
    from functools import partial

    import trio

    from arena.log import steps
    from arena.server import FolderUnusable, drain, serve
    from arena.signals import hearing
    from arena.web.monitoring import monitoring_routes
    from arena.web.serving import serve as serve_pages
    from clients.bots import BOTS

    pages = pages_of(config)
    reserved = pages.connections if config.http else 0

    async def listen() -> None:
        with hearing(signal.SIGTERM, signal.SIGINT, last=True) as signals:
            async with trio.open_nursery() as nursery:
                server, listeners = await nursery.start(
                    partial(serve, config, bots=frozenset(BOTS), reserved=reserved)
                )
                for listener in listeners:
                    name, number = listener.socket.getsockname()[:2]
                    announce(form, "listening", f"listening on {name}:{number}", address=f"{name}:{number}")
                if config.http:
                    shown = shelf(server.folder, boards, reveal=config.reveal)
                    web = partial(serve_pages, pages, shown, server.games, boards=boards)
                    more = monitoring_routes(server)
                    tls = server.certificate.context if server.certificate is not None else None
                    watched = partial(web, tls=tls, more=more, proofs=server.clients)
                    link = await nursery.start(watched)
                    if link:
                        announce(form, "pages", f"pages at {link}", link=link)
                    else:
                        announce(form, "no-pages", no_pages(config), why=no_pages(config))
                async for _ in signals:
                    await drain(server, signals)
                    nursery.cancel_scope.cancel()
                    break

    try:
        trio.run(listen)
    except* FolderUnusable as group:
        raise InputError(str(first(group))) from None
    except* OSError as group:
        raise InputError(no_listening(config, first(group))) from None
    steps().info("stopped")


def announce(form: str, event: str, line: str, **fields: str) -> None:
    """Tell where the server can be found: in a plain line, or like all else where the log is JSON."""
    from arena.log import steps

    if form == "json":
        steps().info(event, **fields)
    else:
        click.echo(line, err=True)


def pages_of(config: Config) -> WebConfig:
    """The settings of the HTTP side."""
    from arena.server.serving import possible_pages
    from arena.web import WebConfig

    connections = possible_pages(config.http_connections)
    return WebConfig(
        host=config.http_host,
        port=config.http_port,
        reveal_after=config.reveal_after,
        connections=connections,
        per_address=config.http_per_address,
        rate=config.http_rate,
        burst=config.http_burst,
        logins=config.http_logins,
        all_logins=config.http_all_logins,
        viewers=min(config.viewers, connections),
        films=config.http_films,
        handover=config.handover,
        keepalive=config.keepalive,
    )


def shelf(folder: Path, boards: StoredBoards, *, reveal: bool) -> Shelf:
    """The records that the pages show: those of the tournaments, and those in the server's `folder`.

    `reveal` tells whether the deals of its own games may be shown at all.
    """
    from arena.web.shelf import Shelf

    def kept_back(record: Path) -> bool:
        return (not reveal and record.parent == folder) or boards.kept_back(record)

    return Shelf(folder, *boards.games, kept_back=kept_back)


def no_pages(config: Config) -> str:
    """Why there are no pages; the games are played all the same."""
    return (
        f"no pages: {config.http_host}:{config.http_port} cannot be listened on; games are played all the same;"
        " give another --http-port to watch them"
    )


def check_files(config: Config) -> None:
    """Try what the server will need, so that the first game is not the one to find out."""
    from arena.server.tokens import TokenFile, TokenFileError

    if (config.cert is None) != (config.key is None):
        raise InputError("cert and key go together; give both, or neither")
    if config.cert is not None:
        check_certificate(config.cert, config.key)
    if config.reveal_after is not None and not config.reveal:
        raise InputError(
            "reveal_after shows the deal of a game while it is played, and reveal = false keeps it back for good;"
            " give one of them"
        )
    if config.only_tokens and config.tokens is None:
        raise InputError("only_tokens lets nobody in without a file of tokens; give one with --tokens")
    if config.tokens is not None:
        try:
            TokenFile(config.tokens).read()
        except TokenFileError as error:
            raise InputError(str(error)) from None
    usable_folder(config.data)


def notes(config: Config) -> Iterator[str]:
    """What a server that runs beside has now, so that none could start before its end.

    Raises `InputError` if none could start then either.
    """
    import trio

    from arena.server import FolderUnusable
    from arena.server.datafolder import DataFolder

    later = "a server can start when that has ended"
    try:
        user = DataFolder(config).user()
    except FolderUnusable as error:
        raise InputError(str(error)) from None
    if user is not None:
        yield f"the data folder {config.data} is used by the process {user}; {later}"
    try:
        trio.run(try_address, config.host, config.port)
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise InputError(no_listening(config, error)) from None
        yield f"another program listens on {config.host}:{config.port}; {later}"
    if config.http:
        try:
            trio.run(try_address, config.http_host, config.http_port)
        except OSError as error:
            in_use = error.errno == errno.EADDRINUSE
            where = f"{config.http_host}:{config.http_port}"
            yield f"another program listens on {where}; the pages need it" if in_use else no_pages(config)


async def try_address(host: str, port: int) -> None:
    """Take the address, and give it back; raises `OSError`."""
    from arena.server.sockets import bound

    for sock in await bound(host, port):
        sock.close()


def usable_folder(path: Path) -> None:
    """Make the data folder, and write a file there and where records lie already; nothing of it is left."""
    import tempfile

    folder = path
    try:
        path.mkdir(parents=True, exist_ok=True)
        for folder in path, path / "games", path / "seats":
            if folder.exists() or folder.is_symlink():  # a link that leads nowhere can hold no file
                with tempfile.TemporaryFile(dir=folder) as file:
                    file.write(bytes(TRIED))
                    file.flush()
                    os.fsync(file.fileno())  # some file systems find out only now that they are full
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        remedy = "make room, or name another folder" if full else "name another folder"
        raise InputError(
            f"records cannot be written to {folder}: {error.strerror or error}; {remedy}"
        ) from None


def check_certificate(cert: Path, key: Path | None) -> None:
    """Load the certificate once, to say at the start what is wrong with it."""
    from arena.server.certificate import Certificate

    try:
        Certificate(cert, key)
    except OSError as error:
        raise InputError(f"the certificate {cert} with the key {key} cannot be used: {error}") from None


def no_listening(config: Config, error: BaseException) -> str:
    """Why nobody can connect, and what to do about it."""
    number = error.errno if isinstance(error, OSError) else None
    remedy = {
        errno.EADDRINUSE: "another program listens there; stop it, or give another port with --port",
        errno.EACCES: "this user may not; give a port over 1023 with --port",
        errno.EADDRNOTAVAIL: "it is no address of this machine; give one with --host, as 0.0.0.0 for all",
    }.get(number or 0, str(error))
    return f"{config.host}:{config.port} cannot be listened on: {remedy}"


def first(group: BaseExceptionGroup[OSError]) -> BaseException:
    """The first error inside, or what has caused it."""
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
