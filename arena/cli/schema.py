"""`arena schema`: the JSON Schema of all messages, for bot authors whose language checks against it."""

from __future__ import annotations

import json

import click

from protocol.schema import schema


@click.command()
@click.option("--json", "compact", is_flag=True, help="Print it on one line, for programs.")
def command(compact: bool) -> None:
    """Print the JSON Schema of the protocol's messages.

    A line that a client sends must match #/$defs/ClientMessage, one from the server #/$defs/ServerMessage.
    """
    if compact:
        click.echo(json.dumps(schema(), separators=(",", ":")))
    else:
        click.echo(json.dumps(schema(), indent=2))
