"""Remote entrants for tests: the Python client in this process, with a token of its own."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from arena.server.tokens import hashed
from clients import Client, Settings, WireRequest
from protocol.messages import QUEUE, Join
from tournaments.entrants import Entrant


def remote(name: str, games: int = 1) -> Entrant:
    """An entrant that logs in from elsewhere, with `token_of` its name."""
    return Entrant(name, sha256=hashed(token_of(name)), games=games)


def token_of(name: str) -> str:
    return f"the-token-of-{name}-alone"


def first(request: WireRequest) -> int:
    """The simplest bot."""
    return 0


def guest(name: str, address: str, choose: Any = first, **more: Any) -> Client:
    """A client that can play for the entrant of this name."""
    host, _, port = address.rpartition(":")
    settings = Settings(name, host, int(port), token_of(name), join=Join(table=QUEUE), away=60.0)
    return Client(replace(settings, **more), choose)
