"""Follows one game as a watcher: every public event once, and the public view now and then.

    watcher = await Watcher.log_in("127.0.0.1", 7171)
    newest = (await watcher.games()).games[-1]
    await watcher.follow(newest.game, print)

The view of a game cannot be worked out from its events, so it is asked for again when something has happened,
but not more often than every `REFRESH` seconds. How news are shown is not known here.
"""

from __future__ import annotations

import math
import secrets
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import trio

from clients.connection import FIRST_ANSWER, Connection, Lost, Refused
from protocol import PROTOCOL, ErrorCode, ServerMessage
from protocol.messages import (
    End,
    Error,
    Events,
    Games,
    Goodbye,
    Hello,
    ListGames,
    Part,
    Snapshot,
    Start,
    Unwatch,
    Watch,
    Welcome,
)

QUIET = 1.0  # seconds without an event after which the view is looked at again
LONG_QUIET = 16.0  # the same after some such looks
REFRESH = 0.25  # seconds between two views; to make one costs the server about as much as a request

AnyPart = TypeVar("AnyPart", bound=Part)


@dataclass(frozen=True, slots=True)
class Happened:
    """A public event; `number` counts them from 1."""

    number: int
    event: dict[str, Any]


News = Start | Snapshot | Happened | End
"""`Start` comes first, `Happened` in order, `Snapshot` at the beginning and now and then, `End` last."""


class Watcher:
    """A login that only looks."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    @classmethod
    async def log_in(
        cls,
        host: str,
        port: int,
        *,
        name: str | None = None,
        token: str | None = None,
        resume: str | None = None,
        look: bool = False,
        tls: ssl.SSLContext | None = None,
    ) -> Watcher:
        """Connect; raises `Unreachable`, `Lost`, or `Refused` with the server's sentence.

        With `look` beside whoever plays under the name, which needs its token or its resume key.
        """
        connection = await Connection.open(host, port, tls)
        watcher = cls(connection)
        name = name or f"watcher-{secrets.token_hex(4)}"
        try:
            with trio.fail_after(FIRST_ANSWER):
                hello = Hello(protocol=PROTOCOL, name=name, token=token, resume=resume, look=look)
                await watcher._ask(hello, Welcome)
        except trio.TooSlowError:
            await connection.aclose()
            raise Refused(
                f"{connection.place} does not answer; perhaps it is another program, or speaks TLS"
            ) from None
        except BaseException:
            await connection.aclose()
            raise
        return watcher

    async def games(self) -> Games:
        """The tables and games of now."""
        return await self._ask(ListGames(), Games)

    async def follow(
        self, game: str, show: Callable[[News], object], *, views: bool = True, seat: int | None = None
    ) -> None:
        """Call `show` with the news of a game until its end; without `views` only the first view comes.

        With `seat` as that seat sees the game: one of the name of a `look`. Raises `Refused` if the game cannot be
        watched, `Lost` if the connection is lost.
        """
        await _Following(self._connection, game, show, views, seat).run()

    async def aclose(self) -> None:
        """Leave."""
        await self._connection.aclose()

    async def _ask(self, question: Part, wanted: type[AnyPart]) -> AnyPart:
        await self._connection.send(question)
        while True:
            message = await _next(self._connection)
            if isinstance(message, wanted):
                return message
            if isinstance(message, Error):
                raise Refused(message.text)


class _Following:
    """What is known of the game that is followed."""

    def __init__(
        self,
        connection: Connection,
        game: str,
        show: Callable[[News], object],
        views: bool,
        seat: int | None,
    ) -> None:
        self.connection = connection
        self.game = game
        self.show = show
        self.views = views
        self.seat = seat
        self.start: Start | None = None
        self.seen: int | None = None  # number of the last event
        self.viewed = 0  # number of the last event that the last view includes
        self.view_at = 0.0  # not before this time a new view is asked for
        self.quiet = QUIET  # seconds after which one is asked for though nothing has happened
        self.asked = False  # for a view
        self.catching_up = False  # the events between `seen` and `viewed` are asked for
        self.end: End | None = None

    async def run(self) -> None:
        """Until the end has been shown."""
        await self.connection.send(Watch(game=self.game, seat=self.seat))
        while True:
            message = None
            with trio.CancelScope(deadline=self._next_look()):
                message = await _next(self.connection)
            if message is None:
                self.asked = True
                await self._watch_again()
            elif await self._is_last(message):
                return

    def _next_look(self) -> float:
        """When a new view is to be asked for.

        Somebody may have answered, and another be asked, without any event: so a quiet game is looked at too, less
        and less often.
        """
        if not self.views or self.asked or self.seen is None or self.end is not None:
            return math.inf
        return self.view_at if self.seen > self.viewed else self.view_at + self.quiet

    async def _watch_again(self, last: int | None = None) -> None:
        await self.connection.send(Unwatch(game=self.game))
        await self.connection.send(Watch(game=self.game, last=last, seat=self.seat))

    async def _is_last(self, message: ServerMessage) -> bool:
        match message:
            case Start() if self.start is None:
                self.start = message
                self.show(message)
            case Snapshot():
                await self._snapshot(message)
            case Events() if self.catching_up and self.seen is not None and message.first > self.seen + 1:
                pass  # they come once more, behind those that were missed
            case Events():
                for number, event in enumerate(message.events, message.first):
                    if self.seen is None or number > self.seen:
                        self.seen = number
                        self.show(Happened(number, event))
                self.catching_up = False
            case End():
                if self.end is None and self.views and self.viewed != self.seen:
                    self.end = message  # once more, for the last view
                    await self.connection.send(Watch(game=self.game, seat=self.seat))
                else:
                    self.show(message)
                    return True
            case Error() if message.code is not ErrorCode.NOT_WATCHING:  # it ended in the meantime
                if self.end is None:
                    raise Refused(message.text)
                self.show(self.end)
                return True
            case _:
                pass
        return False

    async def _snapshot(self, message: Snapshot) -> None:
        self.asked = False
        self.quiet = QUIET if message.number > self.viewed else min(2 * self.quiet, LONG_QUIET)
        self.viewed = message.number
        self.view_at = trio.current_time() + REFRESH
        if self.seen is None or self.catching_up:  # the server keeps no events that are so old
            self.seen = message.number
            self.catching_up = False
        elif message.number > self.seen and self.end is None:
            self.catching_up = True  # these happened while we did not watch
            await self._watch_again(self.seen)
        self.show(message)


async def _next(connection: Connection) -> ServerMessage | None:
    """The next message that is known; raises `Refused` for a goodbye and `Lost` at the end."""
    while (received := await connection.receive()) is not None:
        if isinstance(received.message, Goodbye):
            raise Refused(received.message.text or received.message.reason.meaning)
        if received.message is not None:
            return received.message
    raise Lost(f"{connection.place} has closed the connection")
