"""The command line: one module per command, imported only when that command runs.

Output for programs goes to stdout, progress and logs to stderr. Exit codes: 0 done, 1 a check did not
hold (a record is unsound, a bot failed) or the output could not be written, 2 the call or its input is wrong,
130 after Ctrl-C.
"""

from __future__ import annotations

import importlib
import io
import os
import signal
import sys
from typing import Any

import click

from arena.cli.errors import short_words

COMMANDS: dict[str, tuple[str, str]] = {
    # command: (module under arena.cli, one line for `arena --help`)
    "demo": ("demo", "Built-in bots play a small live tournament over real sockets."),
    "serve": ("serve", "Let bots play over sockets."),
    "token": ("token", "Bind names to tokens: create, list, revoke."),
    "play": ("play", "Play a game of shipped bots in this process."),
    "bot": ("bot", "Let a shipped bot play on a server."),
    "bridge": ("bridge", "Let a stdin/stdout program play on a server."),
    "watch": ("watch", "Follow a game in the terminal."),
    "tournament": ("tournament", "Run a tournament, show its standings."),
    "rate": ("rate", "Rate results made elsewhere."),
    "replay": ("replay", "Step through a record."),
    "verify": ("verify", "Check that records are sound."),
    "cards": ("cards", "Show a card, or list the catalogue."),
    "position": ("position", "Check and show a position."),
    "schema": ("schema", "Print the JSON Schema of the protocol."),
}


WIDEST = 1000  # columns, or lines, that a terminal can be said to have
STOPPED = 128 + signal.SIGINT  # exit code after Ctrl-C, as shells have it


class LazyGroup(click.Group):
    """A group whose commands live in modules that are imported on first use.

    Each module of `COMMANDS` defines a click command named `command`.
    """

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run; what the system refuses, as room for the output, is told in one sentence."""
        try:
            return super().main(*args, **extra)
        except OSError as error:
            place = f"{error.filename}: " if error.filename is not None else ""
            click.echo(f"Error: cannot go on: {place}{error.strerror or error}", err=True)
            sys.exit(1)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; Ctrl-C is told from a check that did not hold."""
        try:
            with short_words():
                return super().invoke(ctx)
        except KeyboardInterrupt:
            click.echo("stopped", err=True)
            sys.exit(STOPPED)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        with short_words():
            return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"arena.cli.{COMMANDS[cmd_name][0]}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


def version_text() -> str:
    """Version of the package as installed."""
    from importlib.metadata import version

    return version("import-export-arena")


def open_what_is_closed() -> None:
    """Standard streams that are closed (`>&-`) lead nowhere; else the next file would take their place."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115 - for as long as the process lives


def forget_odd_sizes() -> None:
    """The environment may say how large the terminal is; where that cannot be, the terminal itself is asked."""
    for name in ("COLUMNS", "LINES"):
        size = os.environ.get(name, "1")
        if not (size.isascii() and size.isdigit() and len(size) <= 4 and 0 < int(size) <= WIDEST):
            del os.environ[name]


def _print_version(ctx: click.Context, param: click.Parameter, value: Any) -> None:
    if value:
        from protocol import PROTOCOL

        click.echo(f"arena {version_text()}, protocol {PROTOCOL}")
        ctx.exit()


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_print_version,
    help="Show the version.",
)
def main() -> None:
    """The Import / Export arena: programs play the board game against each other."""
    open_what_is_closed()
    forget_odd_sizes()
    for stream in (sys.stdout, sys.stderr):  # a terminal without a letter shows a question mark instead
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
