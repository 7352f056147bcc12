"""What a bot author has written is called here: the function that answers, and the one that hears the messages."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Awaitable, Callable
from types import TracebackType

import trio

from clients.answering import WireRequest
from protocol import ServerMessage
from protocol.errors import printable
from protocol.messages import Move

Answer = int | str
Choose = Callable[[WireRequest], Answer | Awaitable[Answer]]
Heard = Callable[[ServerMessage], object]
Send = Callable[[Move], Awaitable[None]]

MAX_NOTES = 100  # for the author: who gets more reads none


class Functions:
    """The functions of a bot. What they raise goes through, with a note of what they were given."""

    def __init__(self, choose: Choose, heard: Heard | None = None) -> None:
        self.bugs: list[tuple[Exception, TracebackType | None]] = []  # raised by the bot, with its own frames
        self._choose = choose
        self._heard = heard

    def hear(self, message: ServerMessage) -> None:
        """Give the bot a message, if it wants to hear any."""
        if self._heard is not None:
            try:
                self._heard(message)
            except Exception as error:
                self._blame(error, f"the bot heard {message.type}", _inner(error))
                raise

    async def asked(self, request: WireRequest, send: Send, nursery: trio.Nursery) -> None:
        """Let the bot answer: at once, or in a task of its own if it is async."""
        try:
            answer = self._choose(request)
        except Exception as error:
            self._blame(error, request.told(), _inner(error))
            raise
        if inspect.isawaitable(answer):
            nursery.start_soon(self._answer_later, request, answer, send)
        else:
            await self._answer(request, answer, send)

    async def _answer_later(self, request: WireRequest, answer: Awaitable[Answer], send: Send) -> None:
        try:
            now = await answer
        except Exception as error:
            self._blame(error, request.told(), _inner(error))
            raise
        await self._answer(request, now, send)

    async def _answer(self, request: WireRequest, answer: Answer, send: Send) -> None:
        try:
            choice = request.checked(answer)
        except ValueError as error:
            self._blame(error, request.told(), None)
            raise
        await send(Move(game=request.game, id=request.id, choice=choice))

    def _blame(self, error: Exception, asked: str, frames: TracebackType | None) -> None:
        """What the bot has raised: say what it was asked, and remember its own frames, for `run` to show."""
        error.add_note(asked)
        self.bugs.append((error, frames))


class Notes:
    """What the author is told, each thing once; what others have put into it cannot harm a terminal."""

    def __init__(self, name: str, tell: Callable[[str], object]) -> None:
        self._name = name
        self._tell = tell
        self._told: set[str] = set()

    def __len__(self) -> int:
        return len(self._told)

    def add(self, text: str) -> None:
        """Tell it, unless that was done or too much was told."""
        text = printable(text)
        if text not in self._told and len(self._told) < MAX_NOTES:
            self._told.add(text)
            self._tell(f"{self._name}: {text}")


def on_stderr(text: str) -> None:
    """Where notes go unless there is a log."""
    print(text, file=sys.stderr)


def _inner(error: Exception) -> TracebackType | None:
    """The frames below the one that has caught it."""
    return error.__traceback__.tb_next if error.__traceback__ is not None else None
