"""Which games run, and what is left of those that are over: begun, gone on with after a restart, forgotten.

How one game is played is the business of its `Referee`; who is connected, that of the `Server`.
"""

from __future__ import annotations

import secrets
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from typing import TYPE_CHECKING, Final

import structlog
import trio

from arena.game import Game, default_catalogue
from arena.records import Header, Journal, Record
from arena.server.audience import Audience
from arena.server.clients import News
from arena.server.clocks import SeatClock
from arena.server.datafolder import DataFolder
from arena.server.ended import Ended, end_of
from arena.server.lobby import Table, options_of
from arena.server.referee import Referee
from arena.server.reopening import Reopened, start_of
from arena.server.seats import Seat
from protocol import EndReason, GameOver, encode

if TYPE_CHECKING:
    from arena.server.clients import Client, Clients
    from arena.server.config import Config
    from arena.server.house import House
    from arena.server.lag import LagMeter
    from arena.server.metrics import Tally
    from arena.server.seatfiles import Retirement, SeatFile
    from arena.server.streams import Broadcast
    from protocol.messages import Clock, Rules

REMEMBERED: Final = 1000  # games that are over and still answered for: a late move, a late watch
SOFTWARE: Final = f"arena {version('import-export-arena')}"


class Games(Mapping[str, Referee]):
    """The referees of the games that run, by the game's id; `ended` has the last ones that are over.

    `over` is called when a game has ended and all that was to be kept of it is kept.
    """

    def __init__(
        self,
        config: Config,
        clients: Clients,
        nursery: trio.Nursery,
        *,
        lag: LagMeter,
        broadcast: Broadcast,
        tally: Tally,
        over: Callable[[], None],
    ) -> None:
        self.ended: OrderedDict[str, Ended] = OrderedDict()
        self.data = DataFolder(config)
        self.log = structlog.get_logger()
        self._config = config
        self._catalogue = default_catalogue()
        self._clients = clients
        self._nursery = nursery
        self._lag = lag
        self._broadcast = broadcast
        self._tally = tally
        self._over = over
        self._running: dict[str, Referee] = {}
        self._origins: dict[str, frozenset[str]] = {}  # where the players of a game have come from
        self._of: Counter[str] = Counter()  # games by where their players have come from

    def __getitem__(self, game_id: str) -> Referee:
        return self._running[game_id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._running)

    def __len__(self) -> int:
        return len(self._running)

    def of(self, origin: str) -> int:
        """In how many of them there have been players from there since their start."""
        return self._of[origin]

    # Beginning

    def start(self, table: Table) -> None:
        """Start the game of a full table; one that cannot be recorded is not played, and its players are told."""
        try:
            self.open(table.members, table.rules, table.clock, seed=table.seed, table=table.id)
        except Exception as error:
            if isinstance(error, OSError):
                self.log.error("no-record", table=table.id, error=str(error))
            else:
                self.log.exception("no-game", table=table.id)
            table.dissolve("the game cannot be recorded, so it is not played; tell the organiser")

    def open(
        self,
        members: list[Client],
        rules: Rules,
        clock: Clock,
        *,
        seed: int | None = None,
        salt: str | None = None,
        game_id: str | None = None,
        table: str | None = None,
        tags: dict[str, str | int] | None = None,
        names: Sequence[str] = (),
    ) -> Referee:
        """Start a game of these clients, in the order of the seats.

        `names` are those of the players where they have logged in under others. Without a seed, or a salt (hex),
        the server draws one. Raises `JournalError` or `OSError` if the game cannot be
        recorded; then nothing has started.
        """
        game_id = game_id or f"g-{secrets.token_hex(6)}"
        seed = secrets.randbits(64) if seed is None else seed
        names = names or [member.name for member in members]
        options = options_of(len(members), rules).check()
        header = Header(
            game=game_id,
            options=options,
            seats=tuple(names),
            seed=seed,
            salt=salt or secrets.token_hex(16),
            catalogue=self._catalogue.name,
            catalogue_hash=self._catalogue.hash,
            started=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            software=SOFTWARE,
            clock=clock.model_dump(include={"move", "bank", "increment", "grace"}),
            tags=tags or {},
        )
        seats = [
            Seat(number, name, member, SeatClock(clock), header.salt)
            for number, (name, member) in enumerate(zip(names, members, strict=True))
        ]
        start = start_of(header, clock, self._config.ready, table)
        journal = self.data.begin(header, seats, table)
        game = Game.new(options, seed, self._catalogue)
        referee = self._referee(header, game, seats, Audience(start, game, seats, self._config), journal)
        origins = self._origins[game_id] = frozenset(
            member.origin for member in members if member.origin and member.name not in self.data.bots
        )
        self._of.update(origins)
        for seat, member in zip(seats, members, strict=True):
            member.seats[game_id] = seat
            if member.connection is None:  # lost between joining and now
                seat.absent_since = self._lag.awake()
        referee.announce()
        self._nursery.start_soon(referee.run)
        return referee

    def _referee(
        self,
        header: Header,
        game: Game,
        seats: list[Seat],
        audience: Audience,
        journal: Journal,
        *,
        started: bool = False,
        retired: Sequence[Retirement] = (),
        suspect: bool = False,
    ) -> Referee:
        audience.stream.later = self._broadcast.call
        referee = self._running[header.game] = Referee(
            header.game,
            game,
            seats,
            header=header,
            journal=journal,
            audience=audience,
            config=self._config,
            lag=self._lag,
            keep=self.data.keep,
            over=self._game_over,
            release=self._release,
            started=started,
            retired=retired,
            suspect=suspect,
        )
        return referee

    # After a restart

    def reopen(self, house: House | None) -> None:
        """Go on with the games that an earlier server has left unfinished, and wait for their seats.

        `house` sends shipped bots back to their seats. Raises `FolderUnusable` if the data folder cannot be read.
        """
        left = list(self.data.left(self._catalogue))
        for reopened, kept in left:  # first: a name is for who plays under it
            if reopened.journal is not None:
                self._go_on(reopened, kept, reopened.journal, house)
        for reopened, kept in left:
            if reopened.journal is None:
                self._tell_later(reopened, kept)

    def _tell_later(self, reopened: Reopened, kept: SeatFile) -> None:
        """The game was over, but perhaps not all had been told."""
        header, outcome = reopened.record.header, reopened.record.result
        if reopened.record.torn:
            _tell_reopened(self.log.bind(game=header.game), reopened.record)
        assert outcome is not None, "the record has its result, or it can be written on"
        end = end_of(header, outcome, reveal=self._config.reveal)
        number = reopened.audience.stream.number
        self.ended[end.game] = Ended.of(reopened.game, reopened.start, end, number)
        untold = [client for seat in kept.seats if (client := self._clients.expect(seat)) is not None]
        for client in untold:
            client.news[end.game] = News(encode(end))
        self._nursery.start_soon(self._until_told, untold, end.game)

    async def _until_told(self, clients: list[Client], game_id: str) -> None:
        """Keep the file of seats of a game that is over: the next server may have to tell its end."""
        async with trio.open_nursery() as nursery:
            for client in clients:
                nursery.start_soon(self._keep_news, client, game_id, self._config.comeback)
        self.data.forget(game_id)

    def _go_on(self, reopened: Reopened, kept: SeatFile, journal: Journal, house: House | None) -> None:
        referee = self._referee(
            reopened.record.header,
            reopened.game,
            reopened.seats,
            reopened.audience,
            journal,
            started=reopened.started,
            retired=reopened.retired,
            suspect=reopened.suspect,
        )
        lost = []
        for seat, was in zip(referee.seats, kept.seats, strict=True):
            if seat.retired is not None:
                continue
            seat.client = self._clients.expect(was)
            if seat.client is not None:
                seat.client.seats[referee.id] = seat
                if was.bot is not None and house is not None:
                    house.send_back(was.bot, was.name, referee.finished)
            elif self._clients.has_lost(was):
                lost.append(seat)
        _tell_reopened(referee.log, reopened.record)
        referee.go_on()
        for seat in lost:
            referee.log.info("revoked", seat=seat.number, name=seat.name)
            referee.leave(seat)
        self._nursery.start_soon(referee.run)

    # The end

    def _game_over(self, referee: Referee) -> None:
        self._running.pop(referee.id, None)
        for origin in self._origins.pop(referee.id, ()):
            self._of[origin] -= 1
            if not self._of[origin]:
                del self._of[origin]
        self._count(referee)
        self.ended[referee.id] = referee.epilogue()
        if len(self.ended) > REMEMBERED:
            self.ended.popitem(last=False)
        for seat in referee.seats:
            self._release(referee, seat)
        if (
            self._config.continues
            and referee.end is not None
            and referee.end.why is not GameOver.REFEREE_FAULT
        ):
            self._nursery.start_soon(self._forget_later, referee.id)
        else:
            self.data.forget(referee.id)
        self._over()

    def _count(self, referee: Referee) -> None:
        end = referee.end
        assert end is not None, "the game is over"
        self._tally.games[end.why.value] += 1
        self._tally.suspect += bool(end.suspect)
        self._tally.choices += referee.choices
        self._tally.faults += sum(seat.faults for seat in referee.seats)
        self._tally.retired.update(seat.retired.value for seat in referee.seats if seat.retired is not None)

    async def _forget_later(self, game_id: str) -> None:
        """Who was still to hear the end when the server was killed can hear it from the next one."""
        await trio.sleep(self._config.resume)
        self.data.forget(game_id)

    def _release(self, referee: Referee, seat: Seat) -> None:
        """The seat needs its client no more; who is gone and has no other seat is forgotten."""
        client, seat.client = seat.client, None
        if client is None:
            return
        client.seats.pop(referee.id, None)
        if referee.end is not None and referee.end.reasons[seat.number] is not EndReason.REFUSED:
            client.news[referee.id] = News(encode(referee.end))
            time = self._news_last(referee, seat, client)
            self._nursery.start_soon(self._keep_news, client, referee.id, time)
        else:
            self._clients.forget_if_gone(client)

    def _news_last(self, referee: Referee, seat: Seat, client: Client) -> float:
        """Seconds in which the client may come back for the end of its game; a lost connection may look alive."""
        if client.connection is not None:
            return self._config.keepalive + self._config.resume
        return max(0.0, referee.time_to_come_back(seat))

    async def _keep_news(self, client: Client, game_id: str, seconds: float) -> None:
        """Keep the end of a game for a client until it has surely heard it or may not come back any more."""
        news = client.news.get(game_id)
        if news is not None:
            await self._lag.until(news.heard.is_set, news.heard.wait, seconds)
            client.news.pop(game_id, None)
        self._clients.forget_if_gone(client)


def _tell_reopened(log: structlog.typing.FilteringBoundLogger, record: Record) -> None:
    """Log it, as a warning if so many bytes have been cut off: a power cut may have taken choices that were told."""
    tell = log.warning if record.torn else log.info
    tell("reopened", choices=len(record.choices), torn=record.torn)
