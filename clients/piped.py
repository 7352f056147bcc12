"""A bot written for `run` that a bridge has started: it plays over its stdin and stdout, and needs no connection.

The bridge says so, and on which terms, in the environment of its programs. Login, joining and getting ready are its
business; here the messages of games come in and whole moves go out.
"""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress
from dataclasses import dataclass
from functools import cache

import trio

from clients.answering import WireRequest, luck_of
from clients.asking import Functions, Notes, on_stderr
from clients.connection import Connection, Lost, Refused, plain_errors
from protocol import ServerMessage
from protocol.messages import End, Error, Request, Start

VARIABLE = "ARENA_BRIDGE"
FORM = "1"  # of the lines between a bridge and its program
READY = b"ready\n"  # the first line, for a bridge that waits for one


@dataclass(frozen=True, slots=True)
class Terms:
    """What a bridge tells its programs, as `1 samples ready`: the form of the lines, and which of these hold."""

    samples: bool = False  # requests bring a sampled game
    ready: bool = False  # a first line is waited for

    def __str__(self) -> str:
        return " ".join((FORM, *(word for word in self.__slots__ if getattr(self, word))))

    @classmethod
    def parse(cls, text: str) -> Terms:
        """The inverse; words that only a newer bridge knows are passed over. Raises `Refused` for another form."""
        form, *words = text.split() or [""]
        if form != FORM:
            raise Refused(
                f"the environment's {VARIABLE} is {text[:80]!r}, but this client speaks the form {FORM} alone;"
                " take the bridge and the client from one release"
            )
        return cls(samples="samples" in words, ready="ready" in words)


@cache
def bridged() -> str | None:
    """The terms of the bridge that has started us, if one has; asked once, and true for the whole process.

    They are taken out of the environment, since the programs that we start are not the bridge's.
    """
    return os.environ.pop(VARIABLE, None)


class Piped:
    """Plays whatever games come, until no more messages do."""

    def __init__(self, name: str, functions: Functions, connection: Connection) -> None:
        self._results: list[End] = []
        self._functions = functions
        self._connection = connection
        self._notes = Notes(name, on_stderr)
        self._seats: dict[str, tuple[int, int]] = {}  # seat and luck in each game that runs

    async def run(self) -> list[End]:
        """Returns the results. Raises `Refused` for what is no message, and whatever the bot raises."""
        try:
            with plain_errors():
                async with trio.open_nursery() as nursery:
                    await self._listen(nursery)
                    nursery.cancel_scope.cancel()  # what is still being thought about is wanted by nobody
        except Lost:
            pass  # the bridge takes no more answers
        return self._results

    async def _listen(self, nursery: trio.Nursery) -> None:
        while (received := await self._connection.receive()) is not None:
            for warning in received.warnings:
                self._notes.add(warning)
            if received.message is not None:
                self._functions.hear(received.message)
                await self._handle(received.message, nursery)

    async def _handle(self, message: ServerMessage, nursery: trio.Nursery) -> None:
        match message:
            case Start(seat=int(seat)):
                if (
                    message.luck is not None or message.game not in self._seats
                ):  # else drawn here, and resumed
                    self._seats[message.game] = seat, luck_of(message)
            case Request() if message.game in self._seats:
                request = WireRequest(message, *self._seats[message.game])
                await self._functions.asked(request, self._connection.send, nursery)
            case End() if message.game in self._seats:
                del self._seats[message.game]
                self._results.append(message)
            case Error():
                self._notes.add(f"the server says: {message.text}")
            case _:
                pass


async def play_piped(name: str, functions: Functions, told: str, samples: bool) -> list[End]:
    """Play over stdin and stdout on the terms that we were `told`. Called again, this returns at once.

    Raises `Refused` for other terms, or if the bot needs `samples` and the bridge has none; else as `Piped.run`.
    """
    terms = Terms.parse(told)
    if samples and not terms.samples:
        raise Refused(
            "this bot needs samples, and its bridge asks for none;"
            " give `arena bridge` --samples, or its entrant in the tournament's file samples = true"
        )
    messages, answers = _pipes(terms.ready)
    stream = trio.StapledStream(
        trio.lowlevel.FdStream(os.dup(answers)), trio.lowlevel.FdStream(os.dup(messages))
    )
    async with stream:
        return await Piped(name, functions, Connection(stream, "the bridge")).run()


@cache
def _pipes(ready: bool) -> tuple[int, int]:
    """What were our stdin and stdout. From now on the bot, and what it starts, reads nothing and prints to stderr."""
    messages, answers = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)
    if ready:
        with suppress(BrokenPipeError):  # then its input has ended, too
            os.write(answers, READY)
    return messages, answers
