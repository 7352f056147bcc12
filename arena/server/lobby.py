"""Tables that wait for players, and the queue."""

from __future__ import annotations

import math
import secrets
from typing import TYPE_CHECKING

import trio

from arena.describe import count_text
from arena.game import Options, OptionsError
from arena.server.config import MIN_MOVE
from arena.server.guests import ADDRESSES
from arena.server.rates import Rates
from arena.server.sockets import HERE
from arena.server.tokens import Role
from protocol import ErrorCode, PhaseError
from protocol.messages import QUEUE, Clock, Error, Joined, Left, Rules, Wanted
from protocol.messages import Table as TableInfo

if TYPE_CHECKING:
    from arena.server.clients import Client
    from arena.server.config import Config
    from arena.server.games import Games
    from arena.server.house import House

PAUSE = 0.5  # seconds between two `joined` for what others have done: one who joins and leaves floods nobody


class Table:
    """Seats that fill until the game can start."""

    def __init__(
        self,
        id: str,
        seats: int,
        rules: Rules,
        clock: Clock,
        seed: int | None = None,
        *,
        name: str = "",
        origin: str | None = None,
    ) -> None:
        self.id = id
        self.name = name or id  # as what its players have joined it
        self.seats = seats
        self.rules = rules
        self.clock = clock
        self.seed = seed
        self.origin = origin  # where whoever opened it comes from
        self.members: list[Client] = []
        self.expected: set[str] = set()  # names of shipped bots on their way
        self.shipped: set[str] = set()  # names of all its shipped bots

    @property
    def free(self) -> int:
        """Seats that anybody may take."""
        return self.seats - len(self.members) - len(self.expected)

    def info(self) -> TableInfo:
        """For `games`."""
        names = tuple(member.name for member in self.members)
        return TableInfo(
            table=self.id,
            seats=self.seats,
            players=names,
            rules=self.rules,
            clock=self.clock,
            seeded=True if self.seed is not None else None,
        )

    def joined(self) -> Joined:
        """For those who sit here."""
        info = self.info()
        return Joined(
            table=self.id,
            seats=self.seats,
            players=info.players,
            rules=self.rules,
            clock=self.clock,
            seeded=info.seeded,
        )

    def tell(self) -> None:
        """Send `joined` to all who sit here."""
        for member in self.members:
            member.send(self.joined())

    def dissolve(self, why: str) -> None:
        """Tell all who sit here that no game comes of it, through the server's fault."""
        for member in self.members:
            member.send(Error(code=ErrorCode.SERVER_FAULT, text=why))
        self.empty()

    def empty(self) -> None:
        """All who sit here leave."""
        for member in self.members:
            member.tables.pop(self.id, None)
            member.send(Left(table=self.name))


class Lobby:
    """Opens tables, seats clients, and says when one is full."""

    def __init__(self, config: Config, games: Games) -> None:
        self.tables: dict[str, Table] = {}
        self.queue: list[Client] = []
        self._config = config
        self._games = games
        self._start = games.start
        self._begins = Rates(config.begins / 60, config.begins, ADDRESSES)
        self._news: dict[
            Table | None, dict[Client, None]
        ] = {}  # who is to be told, at a table or in the queue
        self._called = trio.Event()
        self.house: House | None = None  # sends shipped bots to tables
        self.by_invitation = False  # whoever runs the server seats everybody

    async def tell_news(self) -> None:
        """Tell those who wait what others have done, until cancelled."""
        while True:
            await self._called.wait()
            self._called = trio.Event()
            told, self._news = self._news, {}
            for table, clients in told.items():
                for client in clients:
                    waits = client in self.queue if table is None else table.id in client.tables
                    if waits:
                        client.send(self._queued() if table is None else table.joined())
            await trio.sleep(PAUSE)

    def _tell_others(self, table: Table | None, of: Client) -> None:
        """Tell all others at the table, or in the queue, what this client has done: soon, and not one by one."""
        pending = self._news.setdefault(table, {})
        pending.update(dict.fromkeys(self.queue if table is None else table.members))
        pending.pop(of, None)  # is answered at once
        self._called.set()

    def open(self, client: Client, wanted: Wanted) -> None:
        """A new table for the wanted game; raises `PhaseError` if this server does not offer it."""
        if self.by_invitation:
            raise _by_invitation()
        self._has_room(client)
        if len(self.tables) >= self._config.tables:
            raise PhaseError(
                ErrorCode.NOT_OFFERED,
                f"the server takes {count_text(self._config.tables, 'open table')} (`tables`); join one that waits",
            )
        self._has_game_left(client)
        own = sum(table.origin == client.origin for table in self.tables.values())
        self._check_share(client, own, self._config.tables, "open tables")
        try:
            options_of(wanted.seats, wanted).check()
        except OptionsError as error:
            raise PhaseError(ErrorCode.NOT_OFFERED, str(error)) from None
        clock = Clock(**wanted.clock.model_dump()) if wanted.clock is not None else self._config.clock
        if clock.move < MIN_MOVE:
            raise PhaseError(
                ErrorCode.NOT_OFFERED,
                f"{clock.move:g} s a move is too short here; ask for {MIN_MOVE:g} s or more",
            )
        if wanted.seed is not None and not self._config.seeds and client.role is not Role.ORGANISER:
            raise PhaseError(
                ErrorCode.NOT_OFFERED, "this server deals from its own seeds; leave the seed out"
            )
        if wanted.fill:
            if self.house is None:
                raise PhaseError(ErrorCode.NOT_OFFERED, "this server seats no shipped bots; leave fill out")
            self.house.check(wanted.fill)
            own = self.house.bots_of(client.origin)
            self._check_share(client, own, self._config.bots, "shipped bots", more=len(wanted.fill))
        self._check_begins(client)
        rules = Rules(sets=wanted.sets, market=wanted.market, containers=wanted.containers)
        table = Table(
            f"t-{secrets.token_hex(4)}", wanted.seats, rules, clock, wanted.seed, origin=client.origin
        )
        self.tables[table.id] = table
        if self.house is not None:
            for bot in wanted.fill:
                self.house.send(bot, table)
        self._seat(client, table)

    def sit(self, client: Client, table_id: str) -> None:
        """Take a seat at an open table, or a place in the queue."""
        if table_id == QUEUE:
            return self.wait(client)
        if self.by_invitation:
            raise _by_invitation()
        table = self.tables.get(table_id)
        if table is None:
            raise PhaseError(
                ErrorCode.NO_SUCH_TABLE, f"there is no open table {table_id}; list shows those that are"
            )
        if client in table.members:
            raise PhaseError(ErrorCode.ALREADY_JOINED, f"you sit at {table_id} already; wait for its start")
        self._has_room(client)
        if client.name in table.expected:
            table.expected.remove(client.name)
            return self._seat(client, table)
        self._check_share(client, self._games_of(client), self._config.all_games, "games")
        if table.free <= 0:
            raise PhaseError(
                ErrorCode.TABLE_FULL, f"all {table.seats} seats of {table_id} are taken; join another"
            )
        return self._seat(client, table)

    def wait(self, client: Client) -> None:
        """A place in the queue; when enough wait, the offered game starts.

        By invitation nobody has to wait to be seated, so whoever asks is told yes.
        """
        if self.by_invitation:
            return client.send(Joined(table=QUEUE))
        if client in self.queue:
            raise PhaseError(
                ErrorCode.ALREADY_JOINED, "you wait in the queue already; the game starts when it is full"
            )
        self._has_room(client)
        self._has_game_left(client)
        self._check_begins(client)
        self.queue.append(client)
        offer = self._config.offer
        if len(self.queue) < offer.seats:
            client.send(self._queued())
            self._tell_others(None, client)
        else:
            self._tell_queue()
            id = f"t-{secrets.token_hex(4)}"
            table = Table(id, offer.seats, offer.rules, self._config.clock, name=QUEUE)
            table.members = self.queue[: offer.seats]
            del self.queue[: offer.seats]
            self._start(table)

    def leave(self, client: Client, table_id: str) -> None:
        """Give up a seat, or a place in the queue."""
        if table_id == QUEUE and client in self.queue:
            self.queue.remove(client)
            self._tell_others(None, client)
        elif table_id in client.tables:
            self._unseat(client, client.tables[table_id])
        else:
            raise PhaseError(ErrorCode.NOT_JOINED, f"you do not sit at {table_id}, so you cannot leave it")
        client.send(Left(table=table_id))

    def gone(self, client: Client) -> None:
        """The client's connection is lost: what has not started is given up."""
        if client in self.queue:
            self.queue.remove(client)
            self._tell_others(None, client)
        for table in list(client.tables.values()):
            self._unseat(client, table)

    def back(self, client: Client) -> None:
        """The client goes on with another connection: tell it where it waits."""
        if client in self.queue:
            client.send(self._queued())
        for table in client.tables.values():
            client.send(table.joined())

    def close(self) -> None:
        """No game starts any more: all who wait leave their tables and the queue."""
        for table in list(self.tables.values()):
            del self.tables[table.id]
            table.empty()
            self._recall(table)
        waiting, self.queue = self.queue, []
        for client in waiting:
            client.send(Left(table=QUEUE))

    def missed(self, table: Table, bot: str, why: str) -> None:
        """A shipped bot did not come to its table: the table is closed, and who waits there is told."""
        if self.tables.pop(table.id, None) is not None:
            table.dissolve(f"the shipped bot {bot} {why}, so the table {table.id} is closed; open another")
            self._recall(table)

    def _queued(self) -> Joined:
        """For those who wait in the queue."""
        return Joined(table=QUEUE, seats=self._config.offer.seats, waiting=len(self.queue))

    def _tell_queue(self) -> None:
        """Send `joined` to all in the queue, whose game starts now."""
        for client in self.queue:
            client.send(self._queued())

    def _recall(self, table: Table) -> None:
        if self.house is not None:
            self.house.recall(table)

    def _has_room(self, client: Client) -> None:
        if client.holds + (client in self.queue) >= self._config.games:
            raise PhaseError(
                ErrorCode.TOO_MANY_GAMES,
                f"one connection holds {count_text(self._config.games, 'seat')} (`games`); finish a game first",
            )

    def _has_game_left(self, client: Client) -> None:
        """Raise `PhaseError` if one more game would be too much: each takes a descriptor, and memory."""
        limit = self._config.all_games
        if len(self._games) + len(self.tables) >= limit:
            raise PhaseError(
                ErrorCode.NOT_OFFERED,
                f"the server takes {count_text(limit, 'game')} at once (`all_games`), played or about to begin;"
                " come back later",
            )
        self._check_share(client, self._games_of(client), limit, "games")

    def _check_begins(self, client: Client) -> None:
        """Count what may begin a game; raises `PhaseError` if its address has begun too many."""
        limit = self._config.begins
        if not self._begins.take(client.origin or HERE, trio.current_time()):
            raise PhaseError(
                ErrorCode.FLOOD,
                f"your address has asked for more than {limit} games a minute (`begins`); wait a moment",
            )

    def _games_of(self, client: Client) -> int:
        return self._games.of(client.origin) if client.origin is not None else 0

    def _check_share(self, client: Client, own: int, limit: int, what: str, more: int = 1) -> None:
        """Raise `PhaseError` if one address would have more than its part of what is there for all."""
        share = max(1, math.floor(limit * self._config.share))
        if client.origin not in (None, HERE) and own + more > share:
            raise PhaseError(
                ErrorCode.NOT_OFFERED,
                f"your address has {own} of {limit} {what}, and may have {share} (`share`); come back later",
            )

    def _seat(self, client: Client, table: Table) -> None:
        table.members.append(client)
        client.tables[table.id] = table
        if len(table.members) < table.seats:
            client.send(table.joined())
            self._tell_others(table, client)
        else:
            table.tell()
            del self.tables[table.id]
            for member in table.members:
                del member.tables[table.id]
            self._start(table)

    def _unseat(self, client: Client, table: Table) -> None:
        table.members.remove(client)
        del client.tables[table.id]
        if any(member.name not in table.shipped for member in table.members):
            self._tell_others(table, client)
        elif table.id in self.tables:  # nobody is left but shipped bots, who would wait for ever
            del self.tables[table.id]
            for member in table.members:
                del member.tables[table.id]
            self._recall(table)


def _by_invitation() -> PhaseError:
    return PhaseError(
        ErrorCode.NOT_OFFERED,
        "this server seats its players itself; join the queue, or nothing at all, and wait for `start`",
    )


def options_of(seats: int, rules: Rules) -> Options:
    """The core's options for these rules."""
    return Options(seats, tuple(rules.sets), rules.market, rules.containers)
