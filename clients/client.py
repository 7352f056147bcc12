"""The Python client: a whole bot is one function from a request to an option.

    from clients import run

    def choose(request):
        return request.default          # an index, or the text of an option

    run(choose, name="mine", connect="127.0.0.1:7171")

The function may be `async`, and then several games go on at once. A lost connection is resumed with the key
of the welcome as long as the server holds the seats, also if the server is started again meanwhile. Messages
and fields that only a newer server knows are passed over with one warning each (S006). A bot that fails gives
its seats up at once, so that nobody waits for it; with a key file it does not, so that it can be started again
and go on (S023).
"""

from __future__ import annotations

import json
import math
import os
import ssl
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import trio

from clients.answering import WireRequest, luck_of
from clients.asking import Choose, Functions, Heard, Notes, on_stderr
from clients.connection import FIRST_ANSWER, Connection, Lost, Refused, Unreachable, plain_errors
from clients.keyfile import store_key, stored_key
from clients.piped import bridged, play_piped
from protocol import PROTOCOL, ByeReason, ErrorCode, ProtocolError, ServerMessage, check_name, parse_client
from protocol.errors import printable
from protocol.messages import (
    QUEUE,
    Bye,
    End,
    Error,
    Goodbye,
    Hello,
    Join,
    Joined,
    Part,
    Ping,
    Pong,
    Ready,
    Request,
    Start,
    Welcome,
)

FIRST_WAIT = 0.1  # seconds before the first try to come back; doubled each time up to the last
LAST_WAIT = 2.0
AWAY = 120.0  # seconds that a server may be away, unless the author says otherwise
CONNECT_TRIES = 5  # while nothing was ever heard of the server: it may just be starting
LAST_WORDS = 1.0  # seconds in which the server may take our goodbye
CROWDED = 2.0  # seconds before a seat is asked for again that was refused as `flood`
FETCHED = 3.0  # seconds in which shipped bots usually have come; then it is told that they are waited for
MAX_WAITS = 50  # notes after which waiting is not told any more, so that room is left for what is wrong

CROSSED = (ErrorCode.TOO_LATE, ErrorCode.GAME_OVER, ErrorCode.RETIRED)
"""Errors that an answer may meet without any fault in it: it was on its way when something happened."""

LOGIN = (
    ErrorCode.VERSION,
    ErrorCode.BAD_NAME,
    ErrorCode.NAME_TAKEN,
    ErrorCode.BAD_TOKEN,
    ErrorCode.SERVER_FULL,
)
"""Errors after which nothing can be played, whatever was before."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Where to play, and as who."""

    name: str
    host: str = "127.0.0.1"
    port: int = 7171
    token: str | None = field(default=None, repr=False)
    join: Join | None = field(default_factory=lambda: Join(table=QUEUE))  # None: an organiser seats it
    games: int | None = None  # after so many games it says bye; None plays on
    views: bool = True  # whether requests bring the view
    samples: bool = False  # whether requests bring a sampled game, for bots that search
    tls: ssl.SSLContext | None = None
    away: float = (
        AWAY  # seconds, or those of `welcome` if more, to come back in; if seated, to come in at all
    )
    key_file: Path | None = None  # keeps the resume key, so that a killed bot finds its games again (S023)
    software: str | None = None


class Client:
    """One login, over as many connections as it takes. `heard` gets each message that the server sends."""

    def __init__(self, settings: Settings, choose: Choose, heard: Heard | None = None) -> None:
        self.settings = settings
        self.results: list[End] = []
        self.seats: dict[str, int] = {}  # the client's seat in each game that runs
        self.luck: dict[str, int] = {}  # and the number for its own chance there
        self.functions = Functions(choose, heard)
        self._key = stored_key(settings.key_file) if settings.key_file is not None else None
        self._grace: float | None = None  # seconds in which the server holds the seats; `welcome` tells
        self._notes = Notes(settings.name, lambda text: self.tell_author(text))
        self._connection: Connection | None = None
        self._greeted = False  # on this connection
        self._unheard = (
            0  # connections lost before their welcome, which the server may still read and name us by
        )
        self._unanswered = trio.CancelScope()  # ends a connection without a welcome
        self._last_joined: Joined | None = None
        self._waiting = False  # at a table or in the queue, or on the way there
        self._joining = False  # has asked for a seat, and nothing has been answered
        self._left = settings.games

    async def run(self) -> list[End]:
        """Play until the games are over or the server stops; returns the results.

        Raises `Refused` with the server's sentence, `Unreachable` if no connection can be had (any more), and
        whatever the bot raises.
        """
        settings = self.settings
        wait, tries, lost_at = FIRST_WAIT, 0, trio.current_time()
        while True:
            try:
                connection = await Connection.open(settings.host, settings.port, settings.tls)
            except Unreachable as error:
                problem = str(error)
            else:
                try:
                    await self._play(connection)
                except Lost as error:
                    problem = str(error)
                    self._unheard += not self._greeted
                else:
                    return self.results
            now = trio.current_time()
            if self._greeted:
                self._greeted, wait, lost_at = False, FIRST_WAIT, now
                self.note(f"{problem}; coming back")
            else:
                tries += 1
                if self._gives_up(tries, now - lost_at):
                    limit = (
                        "" if self._grace is None else f" It was tried for {now - lost_at:.0f} s (`away`)."
                    )
                    raise Unreachable(f"{problem}{limit}")
                if self._grace is None and tries == CONNECT_TRIES:
                    time = "until it answers" if settings.away == math.inf else f"for {settings.away:g} s"
                    self.note(f"{problem} (trying on {time}: a tournament may begin later)")
            await trio.sleep(wait)
            wait = min(2 * wait, LAST_WAIT)

    def _gives_up(self, tries: int, seconds: float) -> bool:
        """Whether it has tried often or long enough.

        Who is seated by an organiser, or waits for ever, may come before the server.
        """
        away = self.settings.away
        if self._grace is not None:
            return seconds > max(self._grace, away)
        early = self.settings.join is None or away == math.inf
        return tries >= CONNECT_TRIES and (not early or seconds > away)

    def note(self, text: str) -> None:
        """Tell the author, once."""
        self._notes.add(text)

    def tell_author(self, text: str) -> None:
        """Where notes go."""
        on_stderr(text)

    # One connection

    async def _play(self, connection: Connection) -> None:
        """Log in and play; returns when there is nothing more to play, raises `Lost` to come back."""
        self._connection, self._waiting, self._joining = connection, False, False
        try:
            with plain_errors():
                async with trio.open_nursery() as nursery:
                    await self._hello(connection)
                    with trio.move_on_after(FIRST_ANSWER) as self._unanswered:
                        await self._listen(connection, nursery)
                    if self._unanswered.cancelled_caught:
                        raise Lost(f"{connection.place} does not answer; perhaps it is another program")
                    nursery.cancel_scope.cancel()  # what is still being thought about hits nothing any more
        except Lost:
            raise
        except BaseException:
            with trio.move_on_after(LAST_WORDS, shield=True):
                await self._give_up(connection)
            raise
        finally:
            self._connection = None
            await connection.aclose()

    async def _give_up(self, connection: Connection) -> None:
        """Leave the seats at once, so that nobody waits for us; unless a key file keeps the way back."""
        if self.settings.key_file is None:
            with suppress(Lost, Refused):
                await connection.send(Bye())
                while await connection.receive() is not None:
                    pass

    async def _listen(self, connection: Connection, nursery: trio.Nursery) -> None:
        while (received := await connection.receive()) is not None:
            for warning in received.warnings:
                self.note(warning)
            message = received.message
            if message is None:
                continue
            self.functions.hear(message)
            if isinstance(message, Goodbye):
                return self._goodbye(connection, message)
            await self._handle(message, nursery)
        word = "" if self._greeted else " without a welcome; perhaps it speaks TLS"
        raise Lost(f"{connection.place} has closed the connection{word}")

    def _goodbye(self, connection: Connection, bye: Goodbye) -> None:
        text = bye.text or bye.reason.meaning
        if bye.reason is ByeReason.BYE:
            return
        if bye.reason is ByeReason.SHUTDOWN and not bye.suspended:
            return self.note(text)
        ours = bye.reason is ByeReason.REPLACED and self._unheard > 0  # by an own one, which was read later
        if ours:
            self._unheard -= 1
        if ours or bye.reason in (ByeReason.SHUTDOWN, ByeReason.SLOW, ByeReason.SERVER_FAULT):
            raise Lost(f"{connection.place} has closed the connection: {text}")
        raise Refused(text)

    async def _handle(self, message: ServerMessage, nursery: trio.Nursery) -> None:
        """Do what a message asks."""
        match message:
            case Request() if message.game in self.seats:
                await self.asked(message, nursery)
            case Start(seat=int(seat)):
                self._waiting = self._joining = False
                self.seats[message.game] = seat
                self.luck.setdefault(message.game, luck_of(message))
                await self.started(message, nursery)
            case End() if message.game in self.seats:
                del self.seats[message.game], self.luck[message.game]
                self.results.append(message)
                if self._left is not None:
                    self._left -= 1
                await self._next_game()
            case Welcome():
                self._greeted, self._unanswered.deadline = True, math.inf
                self._keep_key(message.resume)
                self._grace = message.limits.resume
                await self.send(Ping())  # its answer comes after the games that are resumed
            case Joined():
                self._waiting, self._joining = True, False
                self._tell_wait(message, nursery)
            case Pong() if not self.seats:
                await self._join()
            case Error():
                await self._error(message, nursery)
            case _:
                pass

    async def started(self, message: Start, nursery: trio.Nursery) -> None:
        """Get ready for a game: at once, as a bot is loaded before it comes here."""
        await self.send(Ready(game=message.game, views=self.settings.views, samples=self.settings.samples))

    async def asked(self, message: Request, nursery: trio.Nursery) -> None:
        """Let the bot answer: at once, or in a task of its own if it is async."""
        request = WireRequest(message, self.seats[message.game], self.luck[message.game])
        await self.functions.asked(request, self.send, nursery)

    async def _next_game(self) -> None:
        """After a game: the next one, or goodbye when the wanted games, or those of the table, are over."""
        join = self.settings.join
        if self.seats:
            return
        if (self._left is not None and self._left <= 0) or (join and join.table not in (QUEUE, None)):
            self._forget_key()
            await self.send(Bye())
        else:
            await self._join()

    async def _join(self) -> None:
        """Ask for a seat, unless that has been done."""
        if self.settings.join is not None and not self._waiting:
            self._waiting = self._joining = True
            await self.send(self.settings.join)

    async def _join_later(self) -> None:
        """Ask for a seat after a pause, unless there is one by then."""
        await trio.sleep(CROWDED)
        if not self.seats:
            await self._join()

    def _tell_wait(self, joined: Joined, nursery: trio.Nursery) -> None:
        """How many are there; if the only others to come are shipped bots, only when these take long."""
        there = len(joined.players) if joined.waiting is None else joined.waiting
        wanted = self.settings.join.wanted if self.settings.join is not None else None
        alone = wanted is not None and len(wanted.fill) == wanted.seats - 1
        self._last_joined = joined
        if joined.seats is None or there >= joined.seats or len(self._notes) >= MAX_WAITS:
            return
        if alone:
            nursery.start_soon(self._tell_if_late, joined)
        else:
            where = "in the queue" if joined.table == QUEUE else f"at the table {joined.table}"
            self.note(f"waits {where}: {there} of {joined.seats} players are there")

    async def _tell_if_late(self, joined: Joined) -> None:
        await trio.sleep(FETCHED)
        if self._waiting and self._last_joined is joined:
            there = f"{len(joined.players)} of {joined.seats} players are there"
            self.note(f"waits at the table {joined.table}, for which the server starts shipped bots: {there}")

    async def _error(self, error: Error, nursery: trio.Nursery) -> None:
        if (
            error.code is ErrorCode.BAD_RESUME and self._key is not None
        ):  # too late, or another server: begin anew
            if self.seats:
                self.note(f"the games cannot be gone on with: {error.text}")
            self._forget_key()
            self.seats.clear()
            self.luck.clear()
            assert self._connection is not None
            await self._hello(self._connection)
        elif error.code in CROSSED:
            self.note(error.text)
        elif error.code is ErrorCode.FLOOD and self._joining:
            self._waiting = self._joining = False
            self.note(f"asks for a seat again every {CROWDED:g} s, as the server says: {error.text}")
            nursery.start_soon(self._join_later)
        elif error.code is ErrorCode.NAME_TAKEN and self._unheard > 0:
            raise Lost(error.text)  # to try again: the server will find that connection gone
        elif error.game is not None or (self.seats and error.code not in LOGIN):
            self.note(f"the server says: {error.text}")
        else:
            raise Refused(error.text)

    async def _hello(self, connection: Connection) -> None:
        settings = self.settings
        hello = Hello(
            protocol=PROTOCOL,
            name=settings.name,
            token=settings.token,
            resume=self._key,
            software=settings.software,
        )
        await connection.send(hello)

    async def send(self, message: Part) -> None:
        """Send a message; raises `Lost` while there is no connection that has been welcomed."""
        if self._connection is None or not self._greeted:
            raise Lost("there is no connection now")
        await self._connection.send(message)

    # The resume key

    def _keep_key(self, key: str) -> None:
        """Remember the key, in the file too if there is one."""
        path = self.settings.key_file
        if path is not None and key != self._key:
            try:
                store_key(path, key)
            except OSError as error:
                self.note(f"the key cannot be kept in {path}: {error.strerror}; a killed bot loses its games")
        self._key = key

    def _forget_key(self) -> None:
        self._key = None
        if self.settings.key_file is not None:
            with suppress(OSError):  # another server only refuses the old key
                self.settings.key_file.unlink(missing_ok=True)


def run(
    choose: Choose,
    *,
    name: str,
    connect: str = "127.0.0.1:7171",
    token: str | None = None,
    table: str = QUEUE,
    wanted: Mapping[str, Any] | None = None,
    games: int | None = None,
    views: bool = True,
    samples: bool = False,
    away: float = AWAY,
    key_file: str | Path | None = None,
    heard: Heard | None = None,
) -> list[End]:
    """Play with `choose` until `games` are over (None: until stopped); returns the results.

    For scripts: what stops the bot from playing ends the process with one sentence on stderr and the exit
    code 1, Ctrl-C with 130. What `choose` or `heard` raises goes through, with their own frames in its traceback and a
    note of what was asked; with ARENA_TRACEBACK=full in the environment, with ours as well. Use `Client` inside of a
    larger program.

    Started by a bridge (`arena bridge`, or a `command` of a tournament) it plays over stdin and stdout, whatever is
    said here of names, addresses, tables and games; then what is printed goes to stderr.

    `wanted` opens a table for the game it describes, as in the message `join`; else the bot joins `table`.
    Without a `token` the one in the environment's ARENA_TOKEN is taken. `away` are the seconds in which it tries
    to come back to a server that is gone; with `math.inf` it tries for ever, also if it has never been there.
    `key_file` keeps the key with which a bot that was killed finds its games again. `heard` gets every message of
    the server, for bots that follow the events. Raises `ValueError` for a name, an address, seconds, a key file or
    wishes that are none.
    """
    play: Callable[[], Awaitable[list[End]]]
    if (told := bridged()) is not None:
        functions = Functions(choose, heard)
        play = partial(play_piped, name, functions, told, samples)
    else:
        host, port = address(connect)
        if not away >= 0:
            raise ValueError(f"away is {away}; give seconds, 0 or more, or math.inf")
        settings = Settings(
            name=check_name(name),
            host=host,
            port=port,
            token=token or os.environ.get("ARENA_TOKEN") or None,
            join=_wanted(wanted) if wanted else Join(table=table),
            games=games,
            views=views,
            samples=samples,
            away=away,
            key_file=Path(key_file) if key_file is not None else None,
        )
        client = Client(settings, choose, heard)
        functions, play = client.functions, client.run
    try:
        return trio.run(play)
    except (Refused, Unreachable) as error:
        raise SystemExit(printable(f"{name}: {error}")) from None
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    except Exception as error:
        for bug, frames in functions.bugs:
            if bug is error and os.environ.get("ARENA_TRACEBACK") != "full":
                error.__traceback__ = frames
        raise  # a bug of the bot; ARENA_TRACEBACK=full shows what lies between


def _wanted(wanted: Mapping[str, Any]) -> Join:
    try:
        message = parse_client(json.dumps({"type": "join", "wanted": wanted}).encode())
    except ProtocolError as error:
        raise ValueError(printable(str(error))) from None
    assert isinstance(message, Join)
    return message


def address(text: str) -> tuple[str, int]:
    """Host and port of `HOST:PORT`; raises `ValueError` with one sentence."""
    host, colon, port = text.rpartition(":")
    if not colon or not host or not (port.isascii() and port.isdigit()) or not 0 < int(port) < 65536:
        raise ValueError(f"{text[:80]!r} is no address; write HOST:PORT, as 127.0.0.1:7171")
    return host.strip("[]"), int(port)
