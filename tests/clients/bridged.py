"""Programs behind the bridge, for its tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import trio
from served import PATIENCE, Peer, end, request

from clients import Settings
from clients.bridge import bridge

ANSWERS = """
while read -r line; do
    case $line in *'"type":"request"'*) {} ;; esac
done
"""


def answering(what: str) -> list[str]:
    """A program that does this for each request."""
    return ["sh", "-c", ANSWERS.format(what)]


async def play(port: int, command: Sequence[str], **more: Any) -> list[str]:
    """Let it play one game; returns how it failed, if it did."""
    failures: list[str] = []
    with trio.fail_after(PATIENCE):
        await bridge(Settings("mine", port=port, games=1), command, failed=failures.append, **more)
    return failures


async def one_game(peer: Peer) -> None:
    """One request with the answer 1."""
    await peer.begin()
    await peer.send(request())
    await peer.expect("move", game="g1", id=1, choice=1)
    await peer.send(end())
    await peer.goodbye()
