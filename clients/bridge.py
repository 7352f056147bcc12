"""Lets a program that reads stdin and writes stdout play: one line in for each message, one line out for an answer.

The program gets the server's messages of its games as JSON lines. To each `request`, in their order, it answers
with one line: the index of an option, or the text of one. After a wrong answer it gets the `error`, and as long
as it has tries left the same request again. A program that does not answer every request writes whole `move`
messages instead. Hello, join and ready are done for it. A bot written for `clients.run` does all this by itself
(`piped`), as its environment says that a bridge has started it. What a program writes to stderr goes where the caller
says, so that its author can read it.
"""

from __future__ import annotations

import fcntl
import math
import os
import secrets
import signal
import subprocess
import sys
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

import trio

from clients.client import Client, Settings
from clients.connection import Lost, plain_errors
from clients.piped import VARIABLE, Terms
from clients.program_log import ProgramLog
from protocol import EndReason, ErrorCode, LineBuffer, ProtocolError, ServerMessage, encode, parse_client
from protocol.messages import End, Error, Events, Move, Remaining, Request, Snapshot, Start

MAX_ANSWER = 4096  # bytes of a line from the program; a move has under 250
MAX_UNREAD = 4 * 1024 * 1024  # bytes that may wait for a program which does not read
WIDE = 65536  # bytes in the pipe to the program, once it reads
LOADING = (
    0.5  # of the time to get ready, in which a program must read its first line; then it counts as ready
)
MAX_TRIES = 10  # answers to one request that are passed on; servers allow fewer
MAX_INDEX = 9999  # of an option; a longer number is passed on as text, which is refused
SETTLE = 1.0  # seconds between the end of a program and that of its output, whichever is seen first
LAST_WORDS = 1.0  # seconds in which it may end by itself once its input is closed
TERM = 1.0  # seconds after SIGTERM; then it is killed (S059)
MARK = "ARENA_PROGRAM"  # in the environment of a program, which all that it starts has too
LOOKS = 10  # for processes with the mark, as those that start others faster than they are killed may go on
PROC = Path("/proc")

Failed = Callable[[str], object]


class Program:
    """A running program: what waits for it, and how it is ended."""

    def __init__(self, process: trio.Process, name: str, mark: str) -> None:
        self.process = process
        self.name = name
        self._mark = mark
        self._silent = trio.Event()  # its stdout is closed
        self._lines = LineBuffer(MAX_ANSWER)
        self._outbox, self._unwritten = trio.open_memory_channel[bytes](math.inf)
        self._size = 0  # bytes in it
        self.reads = trio.Event()  # it has read the first line, so it has loaded
        self._deaf = trio.Event()  # nothing more is written
        self._flooded = trio.Event()  # it has left too much unread
        self._log_scope = trio.CancelScope(shield=True)

    def tell(self, message: ServerMessage) -> None:
        """Queue a message for its stdin."""
        if not self._deaf.is_set():
            line = encode(message)
            self._size += len(line)
            self._outbox.send_nowait(line)
            if self._size > MAX_UNREAD:
                self._flooded.set()

    async def write(self) -> None:
        """Write what is queued, until that is closed or the program closes its stdin.

        Until it has read the first line the pipe is as narrow as can be, for then it has no room before all of it is
        read. Where pipes cannot be made narrow a program counts as one that reads at once.
        """
        assert isinstance(self.process.stdin, trio.lowlevel.FdStream)
        pipe = self.process.stdin.fileno()
        _make_pipe(pipe, 1)
        with trio.CancelScope(shield=True):  # `end` ends it, in order
            try:
                async for line in self._unwritten:
                    await self.process.stdin.send_all(line)
                    self._size -= len(line)
                    if not self.reads.is_set():
                        await trio.lowlevel.wait_writable(pipe)
                        _make_pipe(pipe, WIDE)
                        self.reads.set()
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                self._size = 0  # it wants to hear no more; if it plays no more, its clock tells
            finally:
                self.reads.set()
                self._deaf.set()

    async def answers(self, client: Bridge) -> None:
        """Pass its answers on until it closes its stdout."""
        assert self.process.stdout is not None
        async for data in self.process.stdout:
            self._lines.receive_data(data)
            while True:
                try:
                    line = self._lines.next_line()
                except ProtocolError:
                    too_long = f"the program wrote a line of over {MAX_ANSWER} bytes, which is left out"
                    client.leave_out(too_long, ErrorCode.LINE_TOO_LONG)
                    continue
                if line is None:
                    break
                await client.answer(line)
        self._silent.set()

    async def is_ready(self, seconds: float) -> bool:
        """Wait for its first line; false if none comes in time."""
        assert self.process.stdout is not None
        with trio.move_on_after(seconds):
            async for data in self.process.stdout:
                self._lines.receive_data(data)
                with suppress(ProtocolError):  # a line that is too long is one, too
                    if self._lines.next_line() is None:
                        continue
                return True
        return False

    async def ended(self) -> str:
        """Wait until it plays no more; says why, in one sentence."""
        ended, silent, flooded = self.process.wait, self._silent.wait, self._flooded.wait
        async with trio.open_nursery() as nursery:
            for first, second in ((ended, silent), (silent, ended), (flooded, flooded)):
                nursery.start_soon(_both, first, second, nursery.cancel_scope)
        if self._flooded.is_set():
            return f"{self.name} does not read its stdin; over {MAX_UNREAD:,} bytes wait for it"
        code = self.process.returncode
        if code is None:
            return f"{self.name} has closed its stdout"
        if code < 0:
            return f"{self.name} was ended by signal {-code} ({signal.strsignal(-code)})"
        return f"{self.name} ended with exit code {code}"

    async def keep_log(self, log: ProgramLog) -> None:
        """Read all of its stderr, so that it never blocks, and keep the beginning and the end (S055)."""
        assert self.process.stderr is not None
        with closing(log), self._log_scope:
            async for data in self.process.stderr:
                log.write(data)

    async def end(self) -> None:
        """The stop ladder: close its input, SIGTERM, SIGKILL; its whole session, so that no child stays (S056).

        A child that leads a session of its own is found by its mark, and killed.
        """
        self._outbox.close()
        with trio.move_on_after(LAST_WORDS):
            await self._deaf.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            await pipe.aclose()
        with trio.move_on_after(LAST_WORDS):
            await self.process.wait()
        for sign, seconds in ((signal.SIGTERM, TERM), (signal.SIGKILL, math.inf)):
            try:
                os.killpg(self.process.pid, sign)
            except (ProcessLookupError, PermissionError):
                break  # nobody is left
            with trio.move_on_after(seconds):
                await self.process.wait()
        await self.process.wait()
        await trio.to_thread.run_sync(kill_marked, self._mark)
        self._log_scope.deadline = trio.current_time() + LAST_WORDS  # for what it wrote at its end


def _make_pipe(pipe: int, size: int) -> None:
    """Have at least so many bytes in a pipe, and at most a page more, where the system knows how."""
    if sys.platform == "linux":
        with suppress(OSError):  # its user has too many pipes that are wide
            fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, size)


def kill_marked(mark: str) -> None:
    """Kill all processes that have this mark in their environment; where there is no /proc, none is found."""
    entry = f"{MARK}={mark}".encode()
    for _ in range(LOOKS):
        found = False
        for folder in PROC.glob("[0-9]*"):
            with suppress(OSError):  # it has ended, or is of another user
                if entry in (folder / "environ").read_bytes().split(b"\0"):
                    os.kill(int(folder.name), signal.SIGKILL)
                    found = True
        if not found:
            return


async def _both(
    first: Callable[[], Awaitable[object]], second: Callable[[], Awaitable[object]], scope: trio.CancelScope
) -> None:
    """Wait for the first, then a moment for the second."""
    await first()
    with trio.move_on_after(SETTLE):
        await second()
    scope.cancel()


@dataclass(slots=True)
class Asked:
    """The last request of a game."""

    message: Request
    since: float  # when it came, in trio's seconds
    tries: int = 0  # answers that were passed on
    refused: bool = False  # the program was told that what it wrote is no answer

    def again(self) -> Request:
        """The same request with the time that is left now."""
        clock = time_left(self.message.clock, trio.current_time() - self.since)
        return self.message.model_copy(update={"clock": clock})


class Bridge(Client):
    """A client whose decisions are made by a program."""

    def __init__(self, settings: Settings, program: Program, log: ProgramLog | None = None) -> None:
        super().__init__(settings, _nobody, self._pass_on)
        self._program = program
        self._log = log
        self._open: deque[tuple[str, int]] = deque()  # game and id of unanswered requests, as they were told
        self._last: dict[str, Asked] = {}  # the last request of each game
        self._seats: dict[str, int] = {}  # of the games that are played
        self._outcomes: Counter[str] = Counter()

    def _pass_on(self, message: ServerMessage) -> None:
        if isinstance(message, Start | Events | Request | End | Snapshot) or (
            isinstance(message, Error) and message.game is not None
        ):
            self._program.tell(message)
            if isinstance(message, Start) and message.seat is not None:
                if self._log is not None and message.game not in self._seats:
                    self._log.begins(message.game, f"{self.settings.name}: the game {message.game} begins")
                self._seats[message.game] = message.seat
            elif isinstance(message, End):
                self._last.pop(message.game, None)
                how = outcome(message, self._seats.pop(message.game, None))
                self._outcomes[how] += 1
                if self._log is not None:
                    self._log.ends(message.game, f"{self.settings.name}: the game {message.game} ends: {how}")
            elif isinstance(message, Error) and message.tries:
                self._ask_again(message)

    def _ask_again(self, error: Error) -> None:
        """After a wrong answer: the program answers each request that it reads, so it reads this one once more."""
        asked = self._last.get(error.game or "")
        if asked is not None and asked.message.id == error.id:
            self._program.tell(asked.again())
            self._open.append((asked.message.game, asked.message.id))

    def summary(self) -> str:
        """How its games ended, in one line."""
        games = self._outcomes.total()
        told = [f"{count} x {how}" if games > 1 else how for how, count in sorted(self._outcomes.items())]
        return f"{games} game{'' if games == 1 else 's'} played{': ' if told else ''}{', '.join(told)}"

    def tell_author(self, text: str) -> None:
        """In the log, if there is one, between the program's own lines."""
        if self._log is None:
            super().tell_author(text)
        else:
            self._log.note(text)

    async def started(self, message: Start, nursery: trio.Nursery) -> None:
        """Get ready when the program has read its first line, so that no clock runs while it loads."""
        if self._program.reads.is_set():
            await super().started(message, nursery)
        else:
            nursery.start_soon(self._started_later, message, nursery)

    async def _started_later(self, message: Start, nursery: trio.Nursery) -> None:
        with trio.move_on_after(LOADING * message.ready):
            await self._program.reads.wait()
        if message.game in self.seats:
            await super().started(message, nursery)

    async def asked(self, message: Request, nursery: trio.Nursery) -> None:
        """The program has the request already; its answer comes in its own time."""
        self._open.append((message.game, message.id))
        self._last[message.game] = Asked(message, trio.current_time())

    async def answer(self, line: bytes) -> None:
        """One line of the program: an index, a text, or a whole move."""
        text = line.decode("utf-8", errors="replace").strip()
        if text.startswith("{"):
            await self._whole_move(line)
        elif not self._open:
            self.note(f"the program wrote {text[:80]!r}, but nothing was asked")
        elif text:
            game, number = self._open.popleft()
            is_index = text.isascii() and text.isdigit() and len(text) <= len(str(MAX_INDEX))
            await self._pass_back(Move(game=game, id=number, choice=int(text) if is_index else text[:200]))

    async def _whole_move(self, line: bytes) -> None:
        try:
            message = parse_client(line)
        except ProtocolError as error:
            return self.leave_out(f"the program's line is no message: {error}", error.code, error.expected)
        if not isinstance(message, Move):
            text = f"the program sent {message.type}; only move is passed on, the rest is done for it"
            return self.leave_out(text, ErrorCode.UNKNOWN_TYPE)
        if (message.game, message.id) in self._open:
            self._open.remove((message.game, message.id))
        return await self._pass_back(message)

    def leave_out(self, why: str, code: ErrorCode, expected: str | None = None) -> None:
        """What the program wrote is not passed on: its author is told, and once for a request it is, too."""
        self.note(why)
        game, number = self._open[0] if self._open else ("", 0)
        asked = self._last.get(game)
        if asked is not None and asked.message.id == number and not asked.refused:
            asked.refused = True
            self._program.tell(Error(code=code, text=why, expected=expected, game=game, id=number))

    async def _pass_back(self, move: Move) -> None:
        asked = self._last.get(move.game)
        if asked is None or move.id != asked.message.id or asked.tries >= MAX_TRIES:
            self.note(f"an answer to request {move.id} of game {move.game} came too late or too often")
            return
        asked.tries += 1
        with suppress(Lost):  # then the request comes again with the next connection
            await self.send(move)


def time_left(clock: Remaining, gone: float) -> Remaining:
    """What is left of a request's time `gone` seconds later; first those of the move are used up."""
    late = max(0.0, gone - clock.move)
    return Remaining(move=max(0.0, clock.move - gone), bank=max(0.0, clock.bank - late))


def outcome(end: End, seat: int | None) -> str:
    """How a game ended for a seat."""
    if seat is None or not end.places:
        return f"not played to its end ({end.why.value})"
    reason = end.reasons[seat]
    note = f" ({reason.value})" if reason is not EndReason.NORMAL else ""
    return f"place {end.places[seat]} of {len(end.places)}{note}"


def _nobody(request: object) -> int:
    raise AssertionError("the program answers, not this function")


async def bridge(
    settings: Settings,
    command: Sequence[str],
    *,
    stderr: Path | None = None,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    called: str = "",
    ready: float | None = None,
    failed: Failed | None = None,
    done: Callable[[str], object] | None = None,
) -> int:
    """Let `command` play as `settings` say, until its games are over or it ends; returns its exit code.

    The program is started without a shell, so blanks in its path mean nothing (S057). Its stderr is added to
    the file `stderr`, which keeps a megabyte at most and says where games begin and end, or goes to ours. When
    this returns or is cancelled the program is gone: its input is closed, then it gets SIGTERM, then it is
    killed, within three seconds. `cwd` and `env` are its folder and its environment, ours without the token
    unless given; `called` is its name in sentences, `command[0]` unless given.

    With `ready` the program must write a first line, whatever it says, within so many seconds; only then do we
    log in, so that no clock runs while it loads.

    `failed` is called with one sentence, before the server is told goodbye, if the program ends while it is
    needed or with an error (S058); the code alone does not tell, as many a program fails at the end of its input.
    `done` is called with one line about its games when they are over, or the server stops.
    Raises `OSError` if it cannot be started, `LogFailed` if its stderr cannot be kept, and what `Client.run` raises.
    """
    log = ProgramLog(stderr) if stderr is not None else None
    mark = secrets.token_hex(8)
    terms = Terms(samples=settings.samples, ready=ready is not None)
    try:
        process = await trio.lowlevel.open_process(
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE if log is not None else None,
            cwd=cwd,
            env={**(_without_token() if env is None else env), MARK: mark, VARIABLE: str(terms)},
            start_new_session=True,  # Ctrl-C reaches us, and we end it in order
        )
    except BaseException:
        if log is not None:
            log.close()
        raise
    program = Program(process, called or command[0], mark)
    client = Bridge(settings, program, log)
    with plain_errors():
        async with trio.open_nursery() as tending:
            tending.start_soon(program.write)
            if log is not None:
                tending.start_soon(program.keep_log, log)
            try:
                if ready is None or await program.is_ready(ready):
                    async with trio.open_nursery() as playing:
                        playing.start_soon(program.answers, client)
                        playing.start_soon(_watch_over, program, client, failed, playing.cancel_scope)
                        await client.run()
                        if done is not None:
                            done(client.summary())
                        playing.cancel_scope.cancel()
                elif failed is not None:
                    failed(f"{program.name} wrote no first line within {ready:g} s of its start")
            finally:
                with trio.CancelScope(shield=True):
                    await program.end()
    assert process.returncode is not None
    return process.returncode


async def _watch_over(
    program: Program, client: Bridge, failed: Failed | None, scope: trio.CancelScope
) -> None:
    """When the program has ended the client goes too."""
    how = await program.ended()
    in_order = program.process.returncode == 0 and client.results and not client.seats
    if not in_order:
        client.note(how)
        if failed is not None:
            failed(how)
    scope.cancel()


def _without_token() -> dict[str, str]:
    """Our environment for a program: the bridge logs in for it, so it needs no secret."""
    return {name: value for name, value in os.environ.items() if name != "ARENA_TOKEN"}
