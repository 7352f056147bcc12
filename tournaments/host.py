"""Plays scheduled games on a server, over real sockets, with each entrant as a process unless it is a remote one.

The host starts an entrant's program when it is first needed and seats it in one game after the other. When the
host is left, or cancelled, all processes are gone. Remote entrants come by themselves (`hall`).
"""

from __future__ import annotations

import os
import secrets
import subprocess
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import BinaryIO

import structlog
import trio

from arena.records import JournalError, Record, RecordError, read_record
from arena.server import Config, Server, serve
from arena.server.clients import Client
from arena.server.lobby import options_of
from arena.server.referee import Referee
from arena.server.seats import Seat
from clients import Refused, Settings, Unreachable
from clients.bridge import bridge
from clients.program_log import LogFailed
from protocol import MAX_NAME, ByeReason, EndReason
from protocol.errors import printable
from tournaments.attendance import Attendance
from tournaments.config import Tournament
from tournaments.deals import salt
from tournaments.entrants import Entrant
from tournaments.launching import bot_command, launch, with_limit
from tournaments.schedules import Pairing
from tournaments.schedules.block import SEED_BITS
from tournaments.store import GAMES, LOGS, Played, StoreError, set_aside

LOGIN = 30.0  # seconds in which an entrant's program must have logged in
BACK = 1.0  # seconds without a connection; by then it is known whether the program has ended
GOODBYE = 3.0  # seconds in which a program may end by itself; then it is killed
ROOM = 6  # characters of a login that tell it from those of the same entrant at other tables
LOG_END = 8192  # bytes of a log in which the last line is looked for
LAST_LINE = 200  # characters of it that are told
SLUG = 40  # characters of a name in the name of a log


class NotStarted(Exception):
    """An entrant's program did not come; its name, what is known about it, and where its log is.

    `also` are those of others at the table that did not come either.
    """

    def __init__(self, entrant: str, text: str) -> None:
        super().__init__(text)
        self.entrant = entrant
        self.also: tuple[NotStarted, ...] = ()

    @property
    def all(self) -> tuple[NotStarted, ...]:
        """This one and the others."""
        return (self, *self.also)


def _raise_all(missing: Sequence[NotStarted]) -> None:
    """Raise what is known of these, if there are any."""
    if missing:
        first, *others = missing
        first.also = tuple(others)
        raise first


class NotPlayed(Exception):
    """A game was not played to its end, and can be played again; which one and why."""


class NotRecorded(NotPlayed):
    """The record of a game cannot be written, as when the disk is full: no other will fare better."""


@dataclass
class Member:
    """One run of an entrant's program, which logs in under the name `login`."""

    entrant: Entrant
    login: str
    token: str
    log: Path
    running: trio.CancelScope = field(default_factory=trio.CancelScope)
    ended: trio.Event = field(default_factory=trio.Event)
    how: str = ""  # how it ended, in one sentence


class Host:
    """A server and the programs of the entrants that have played on it so far.

    A program that ends is started again for its next game, so there are never more programs than the seats of
    the pairings given to `play`, one for each entrant. Programs log in at `address`; `attendance` knows of the
    remote entrants, if there are any.
    """

    def __init__(
        self,
        tournament: Tournament,
        server: Server,
        address: tuple[str, int],
        logs: Path,
        nursery: trio.Nursery,
        attendance: Attendance | None = None,
    ) -> None:
        self.tournament = tournament
        self.server = server
        self.address = address
        self.log = structlog.get_logger()
        self.suspect: set[str] = set()  # ids of games during which the server stood still too long
        self._logs = logs
        self._nursery = nursery
        self._attendance = attendance
        self._members: dict[str, Member] = {}
        self._games: set[str] = set()  # ids of those that are played here
        self._proven: set[str] = set()  # names of entrants whose program has played here
        self._calling = trio.Lock()

    @staticmethod
    @asynccontextmanager
    async def open(
        tournament: Tournament, label: str, *, port: int = 0, only_tokens: bool = True
    ) -> AsyncIterator[Host]:
        """A host without programs; their logs go to the subfolder `label`.

        When it is left, or cancelled, running games are broken off and all programs are gone, after four
        seconds at the latest. With `only_tokens` nobody but the entrants can log in.
        """
        config = Config(
            port=port,
            data=tournament.folder,
            continues=False,  # the runner plays anew what was broken off
            clock=tournament.clock,
            resume=BACK,
            ready=LOGIN,
            only_tokens=only_tokens,
            reveal=False,  # the deal is still to be played, from other seats and at other tables
        )
        async with trio.open_nursery() as nursery:
            server, listeners = await nursery.start(partial(serve, config))
            server.data.private = False  # the folder keeps records back, until all is played
            address = listeners[0].socket.getsockname()[:2]
            try:
                async with Host.at(tournament, label, server, address) as host:
                    try:
                        yield host
                    finally:
                        for referee in list(server.games.values()):
                            referee.abort()  # before anybody goes, so that nobody is at fault
            finally:
                nursery.cancel_scope.cancel()

    @staticmethod
    @asynccontextmanager
    async def at(
        tournament: Tournament,
        label: str,
        server: Server,
        address: tuple[str, int],
        attendance: Attendance | None = None,
    ) -> AsyncIterator[Host]:
        """A host on a server that is there already. When it is left its games are broken off, its programs gone."""
        async with trio.open_nursery() as nursery:
            host = Host(tournament, server, address, tournament.folder / LOGS / label, nursery, attendance)
            try:
                yield host
            finally:
                with trio.CancelScope(shield=True):
                    await host._send_home()
                nursery.cancel_scope.cancel()

    # Programs

    async def call(self, names: Iterable[str]) -> None:
        """Start the programs of these entrants unless they run; returns when all, and the remote ones, are there.

        Raises `NotStarted` if one does not come.
        """
        async with self._calling:
            names = list(names)
            remote = [name for name in names if name in self.tournament.remote]
            while True:
                await self._gather(remote)
                await self._call([name for name in names if name not in remote])
                if all(self.client(name).connection for name in remote):
                    return  # nobody has gone meanwhile

    async def _gather(self, names: list[str]) -> None:
        if names:
            assert self._attendance is not None, "a hall has one, and remote entrants play there"
            for name in await self._attendance.gather(names):
                raise late(self.tournament, name)

    async def _call(self, names: list[str]) -> None:
        await self._settle([self._members[name] for name in names if name in self._members])
        called = [self._member(name) for name in names]
        await self._settle(called)
        late = f"its program did not log in within {LOGIN:g} s"
        absent = [member for member in called if not self._is_here(member)]
        _raise_all([self._not_started(each, f"did not come: {each.how or late}") for each in absent])

    async def _settle(self, members: list[Member]) -> None:
        """Wait until it is known of each whether it plays."""
        patience = LOGIN + max((member.entrant.start for member in members), default=0)
        await self.server.lag.until(
            lambda: all(member.ended.is_set() or self._is_here(member) for member in members),
            self.server.clients.next_login,
            patience,
        )

    def _member(self, name: str) -> Member:
        """The running program of an entrant; a new one if the last has ended."""
        member = self._members.get(name)
        if member is None or member.ended.is_set():
            names = [each.name for each in self.tournament.entrants]
            log = self._logs / f"{names.index(name) + 1:03d}-{slug(name)}.log"
            login = self._free_login(name) if member is None else member.login
            member = Member(self.tournament.entrant(name), login, secrets.token_urlsafe(24), log)
            self._members[name] = member
            self.server.clients.tokens.lend(member.login, member.token)
            self._nursery.start_soon(self._run, member)
        return member

    def _free_login(self, name: str) -> str:
        """The entrant's name, or one like it if the entrant plays at another table of this server, too."""
        login, number = name, 1
        while not self.server.clients.is_free(login):
            number += 1
            login = f"{name[: MAX_NAME - ROOM].rstrip()}-{number}"
        return login

    def _is_here(self, member: Member) -> bool:
        client = self.server.clients.named(member.login)
        return not member.how and client is not None and client.connection is not None

    async def _run(self, member: Member) -> None:
        try:
            with member.running:
                await self._run_program(member)
        finally:
            member.ended.set()
            self.server.clients.logged_in()  # wakes who waits for it in vain

    async def _run_program(self, member: Member) -> None:
        member.log.parent.mkdir(parents=True, exist_ok=True)
        log = member.log.open(
            "ab"
        )  # before the rest: if it cannot be written, that is no fault of the program
        try:
            with log:
                if member.entrant.command:
                    await self._run_command(member)
                else:
                    await self._run_bot(member, log)
        except (Refused, Unreachable) as error:
            self._over(member, str(error))
        except LogFailed as error:
            raise StoreError(str(error)) from None
        except OSError as error:
            what = member.entrant.command[0] if member.entrant.command else "the bot"
            self._over(member, f"{what} cannot be started: {error.strerror or error}")
        finally:
            if member.log.exists() and not member.log.stat().st_size:
                member.log.unlink()

    async def _run_command(self, member: Member) -> None:
        host, port = self.address
        samples = member.entrant.samples
        how = launch(member.entrant, self.tournament.home)
        code = await bridge(
            Settings(member.login, host, port, member.token, join=None, samples=samples, away=BACK),
            how.command,
            stderr=member.log,
            cwd=how.cwd,
            env=how.env,
            called=member.entrant.command[0],
            ready=member.entrant.start or None,
            failed=lambda how: self._over(member, with_limit(member.entrant, how)),
        )
        self._over(member, f"its program ended with exit code {code}")

    async def _run_bot(self, member: Member, log: BinaryIO) -> None:
        command = bot_command(member.entrant, member.login, self.address, BACK)
        process = await trio.run_process(
            command,
            env={
                **os.environ,
                "ARENA_TOKEN": member.token,
            },  # not on the command line, where all can read it
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=log,
            check=False,
            start_new_session=True,  # Ctrl-C reaches the runner, which ends its bots in order
        )
        self._over(member, f"its program ended with exit code {process.returncode}")

    def _over(self, member: Member, how: str) -> None:
        """The program plays no more: it loses its games at once (S058), if it has ever played one."""
        member.how = member.how or how
        client = self.server.clients.named(member.login)
        for game_id, seat in list(client.seats.items()) if client is not None else []:
            if member.entrant.name in self._proven or has_answered(seat):
                self.server.games[game_id].crashed(seat, member.how)
            else:  # a program that cannot start has no results, and costs nobody any (S039)
                self.server.games[game_id].abort()

    def _not_started(self, member: Member, what: str) -> NotStarted:
        log = f"; its log is {member.log}" if member.log.exists() else ""
        words = last_words(member.log, f"[{member.login}: ")
        said = f"; its last line on stderr: {words}" if words else ""
        return NotStarted(member.entrant.name, f"{member.entrant.name} {what}{said}{log}")

    async def _send_home(self) -> None:
        """Break off what is played, and end the programs, those that are not here at once.

        Who stays is killed when the nursery is cancelled.
        """
        for game_id in self._games:
            if game_id in self.server.games:
                self.server.games[game_id].abort()  # before anybody goes, so that nobody is at fault
        for member in self._members.values():
            client = self.server.clients.named(member.login)
            if client is not None and client.connection is not None:
                client.connection.end(ByeReason.BYE)  # all is well, so nothing about it goes to the log
            else:
                member.running.cancel()  # nobody could tell it that it may go
        with trio.move_on_after(GOODBYE):
            for member in self._members.values():
                await member.ended.wait()
        for member in self._members.values():
            self.server.clients.tokens.take_back(member.login)

    # Games

    async def play(self, pairing: Pairing) -> Played:
        """Play one game, or take it over if its record is complete.

        Raises `NotStarted` if an entrant does not come, `NotPlayed` if the game is broken off or not recorded,
        `StoreError` or `OSError` if a log or a folder cannot be written.
        """
        known = stored(self.tournament, pairing)
        if known is not None:
            return known
        await self.call(pairing.seating)
        members = [self._members.get(name) for name in pairing.seating]
        referee = self._open_game(pairing)
        await referee.finished.wait()
        self._games.discard(pairing.id)
        if referee.end is not None and referee.end.suspect:
            self.suspect.add(pairing.id)
        played = stored(self.tournament, pairing)
        if played is None and referee.unrecorded:
            raise not_recorded(pairing, referee.unrecorded)
        if played is None:
            for member in members:
                if member is not None and member.how:
                    await member.ended.wait()  # then its log is whole
            fresh = [each for each in members if each is not None and each.entrant.name not in self._proven]
            _raise_all([self._not_started(each, f"made no move: {each.how}") for each in fresh if each.how])
            _raise_all([self._not_ready(name) for name in self._refused(referee)])
            who = ", ".join(pairing.seating)
            raise NotPlayed(f"the game {pairing.id} of {who} was broken off: {_why(referee)}")
        self._proven.update(pairing.seating)
        return played

    def stood_still_since(self, start: float) -> bool:
        """Whether the server has stood still too long since this moment of trio's clock."""
        return self.server.lag.stalled_since(start, trio.current_time())

    def start_over(self, pairings: Iterable[Pairing]) -> None:
        """Keep the records of a block under other names, so that it can be played again."""
        self.suspect.clear()
        for pairing in pairings:
            set_aside(record_of(self.tournament, pairing))

    def client(self, name: str) -> Client:
        """Who plays for an entrant, which is there, or was a moment ago."""
        member = self._members.get(name)
        client = self.server.clients.named(name if member is None else member.login)
        return client or Client(name, None)

    def _refused(self, referee: Referee) -> list[str]:
        """The remote entrants that did not get ready for this game."""
        reasons = referee.end.reasons if referee.end is not None else ()
        seats = zip(referee.seats, reasons, strict=False)
        return [
            seat.name
            for seat, reason in seats
            if reason is EndReason.REFUSED and seat.name in self.tournament.remote
        ]

    def _not_ready(self, name: str) -> NotStarted:
        """A remote entrant is there, and does nothing: it is dropped, and so it is not waited for at each table."""
        client = self.client(name)
        if client.connection is not None and not client.seats:
            client.connection.drop()
        limit = self.server.config.ready
        return NotStarted(name, f"{name} came, but did not get ready within {limit:g} s")

    def _open_game(self, pairing: Pairing) -> Referee:
        tournament = self.tournament
        try:
            set_aside(record_of(tournament, pairing))
            self._games.add(pairing.id)
            return self.server.games.open(
                [self.client(name) for name in pairing.seating],
                tournament.rules,
                tournament.clock,
                seed=pairing.seed,
                salt=salt(tournament.secret, pairing.seed),
                game_id=pairing.id,
                tags={"tournament": tournament.name, "block": pairing.block},
                names=pairing.seating,
            )
        except (JournalError, OSError) as error:
            raise not_recorded(pairing, str(error)) from None


def not_recorded(pairing: Pairing, why: str) -> NotRecorded:
    """What to say of a game whose record cannot be written: the blame is with nobody who plays it."""
    return NotRecorded(f"the game {pairing.id} cannot be recorded: {why}")


def _why(referee: Referee) -> str:
    """Why a game was broken off; one that nobody plays any more has no result."""
    retired = [seat.retired.value for seat in referee.seats if seat.retired is not None]
    if len(retired) == len(referee.seats):
        return f"all its seats were retired ({', '.join(retired)})"
    return referee.end.why.value if referee.end is not None else "unfinished"


def late(tournament: Tournament, name: str) -> NotStarted:
    """What to say of a remote entrant that was waited for in vain."""
    return NotStarted(
        name, f"{name} did not come: it was waited for, {tournament.door.wait:g} s, and did not log in"
    )


def has_answered(seat: Seat) -> bool:
    """Whether a request of this seat has been answered, by its player or by the clock."""
    return seat.asked > 1 or (seat.asked == 1 and seat.request is None)


def slug(name: str) -> str:
    """A name as part of a file's name."""
    return "".join(each if each.isascii() and each.isalnum() else "-" for each in name[:SLUG])


def last_words(log: Path, notes: str) -> str:
    """The last line that a program has written into its log, as it may be shown; lines with these notes are ours."""
    try:
        with log.open("rb") as file:
            file.seek(max(0, log.stat().st_size - LOG_END))
            lines = file.read(LOG_END).decode("utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    own = [line.strip() for line in lines if line.strip() and not line.startswith(notes)]
    return printable(own[-1][:LAST_LINE]) if own else ""


def record_of(tournament: Tournament, pairing: Pairing) -> Path:
    """Where the record of a game is."""
    return tournament.folder / GAMES / f"{pairing.id}.jsonl"


def stored(tournament: Tournament, pairing: Pairing) -> Played | None:
    """What the record of a game says, if it is there, sound, of this very game, and played to its end."""
    path = record_of(tournament, pairing)
    try:
        record = read_record(path)
    except (RecordError, OSError):
        return None
    played = of_record(record, str(path.relative_to(tournament.folder)))
    options = options_of(len(pairing.seating), tournament.rules).check()
    if played is None or record.header.options != options:
        return None
    this_game = (pairing.id, pairing.block, pairing.seating, pairing.seed)
    return played if (played.id, played.block, played.entrants, played.deal) == this_game else None


def of_record(record: Record, path: str) -> Played | None:
    """The result in the record of a tournament's game that was played to its end."""
    header, outcome = record.header, record.result
    block = header.tags.get("block")
    if outcome is None or not outcome.complete or not isinstance(block, str) or header.seed >= 2**SEED_BITS:
        return None
    defaults: list[list[str]] = [[] for _ in header.seats]
    for choice in record.choices:
        if choice.fault is not None and choice.defaulted:
            defaults[choice.seat].append(choice.fault.value)
    return Played(
        id=header.game,
        block=block,
        deal=header.seed,
        entrants=header.seats,
        places=outcome.places,
        credits=outcome.credits,
        reasons=tuple(reason.value for reason in outcome.reasons),
        record=path,
        why=outcome.reason,
        choices=outcome.choices,
        ends=outcome.ends,
        defaults=tuple(map(tuple, defaults)),
        started=header.started,
    )
