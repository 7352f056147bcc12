"""The whole server: listens, knows who is connected, and passes each message to the one it is for."""

from __future__ import annotations

import secrets
import ssl
from collections import OrderedDict
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import structlog
import trio

from arena.game import Game, default_catalogue
from arena.records import Header, Journal, JournalError
from arena.server.clients import Client, Clients
from arena.server.clocks import SeatClock
from arena.server.config import Config
from arena.server.connections import Connection
from arena.server.house import House
from arena.server.lag import LagMeter
from arena.server.lobby import Lobby, Table, options_of
from arena.server.referee import Referee
from arena.server.seats import Seat
from protocol import PROTOCOL, ByeReason, ErrorCode, PhaseError, ProtocolError, error_for, quote
from protocol.fields import MAX_LISTED
from protocol.messages import (
    Bye,
    Clock,
    Error,
    Games,
    Hello,
    Join,
    Leave,
    ListGames,
    LiveGame,
    Move,
    Part,
    Ping,
    Pong,
    Ready,
    Rules,
    Unwatch,
    Watch,
    Welcome,
)

GOODBYE = 2.0  # seconds in which clients may read that the server stops
REMEMBERED = 1000  # games that are over and still answered for: a late move, a late watch


class Server:
    """All state of a running server. Nothing here waits: messages are handled as they arrive."""

    def __init__(self, config: Config, nursery: trio.Nursery) -> None:
        self.config = config
        self.clients = Clients(config)
        self.connections: dict[int, Connection] = {}
        self.games: dict[str, Referee] = {}
        self.ended: OrderedDict[str, Referee] = OrderedDict()
        self.lobby = Lobby(config, self._start)
        self.lag = LagMeter()
        self.closing = False
        self.log = structlog.get_logger()
        self.catalogue = default_catalogue()
        self.folder = config.data / "games"
        self._nursery = nursery
        self._numbers = 0
        self._handlers: dict[type[Part], Callable[[Connection, Any], None]] = {
            Hello: self._hello,
            Join: self._join,
            Leave: self._leave,
            Ready: self._ready,
            Move: self._move,
            Watch: self._watch,
            Unwatch: self._unwatch,
            ListGames: self._list,
            Ping: self._ping,
            Bye: self._bye,
        }

    # Connections

    async def accept(self, stream: trio.abc.Stream) -> None:
        """Serve one connection to its end."""
        self._numbers += 1
        connection = Connection(self, stream, self._numbers)
        if len(self.connections) >= self.config.connections or self.closing:
            reason = ByeReason.SHUTDOWN if self.closing else ByeReason.FULL
            if not self.closing:
                connection.send(
                    Error(
                        code=ErrorCode.SERVER_FULL,
                        text=f"{self.config.connections} connections are open, which is all the server takes;"
                        " try again later",
                    )
                )
            connection.end(reason)
        self.connections[connection.number] = connection
        await connection.run()

    def connection_lost(self, connection: Connection, reason: str) -> None:
        """A connection has ended, for whatever reason: its seats may be resumed for a while."""
        self.connections.pop(connection.number, None)
        for stream in list(connection.watching.values()):
            stream.leave(connection)
        connection.watching.clear()
        client = connection.client
        if client is None or client.connection is not connection:
            return
        client.connection = None
        connection.log.info("lost", name=client.name, reason=reason, seats=len(client.seats))
        self.lobby.gone(client)
        for game_id, seat in list(client.seats.items()):
            self.games[game_id].lost(seat)
        if not client.seats:
            self.clients.forget(client)

    # Messages

    def handle(self, connection: Connection, message: Part) -> None:
        """Do what a message asks; raises `ProtocolError` for what cannot be done."""
        self._handlers[type(message)](connection, message)

    def bad_message(self, connection: Connection, fault: ProtocolError) -> None:
        """Tell the client what is wrong; a bad answer to an open request counts as a try."""
        client = connection.client
        if client is not None and fault.game is not None and fault.id is not None:
            seat = client.seats.get(fault.game)
            if seat is not None and seat.request is not None and seat.request.id == fault.id:
                return self.games[fault.game].wrong(seat, fault.text, fault.code)
        return connection.send(error_for(fault))

    def _hello(self, connection: Connection, hello: Hello) -> None:
        client = self.clients.log_in(hello.name, hello.token, hello.resume, connection)
        former, client.connection = client.connection, connection
        connection.client = client
        connection.log = connection.log.bind(name=client.name)
        if former is not None and former is not connection:
            former.end(ByeReason.REPLACED, "the seats were resumed on another connection")
        connection.log.info("welcome", resumed=hello.resume is not None, software=hello.software)
        connection.greet(
            Welcome(
                protocol=PROTOCOL,
                server=f"arena {version()}",
                name=client.name,
                resume=client.key,
                limits=self.config.limits(),
            )
        )
        for game_id, seat in client.seats.items():
            self.games[game_id].back(seat, connection)

    def _join(self, connection: Connection, join: Join) -> None:
        client = self._client(connection)
        if self.closing:
            raise PhaseError(
                ErrorCode.NOT_OFFERED, "the server is stopping and starts no games; come back later"
            )
        if join.wanted is not None:
            self.lobby.open(client, join.wanted)
        elif join.table is not None:
            self.lobby.sit(client, join.table)

    def _leave(self, connection: Connection, leave: Leave) -> None:
        self.lobby.leave(self._client(connection), leave.table)

    def _ready(self, connection: Connection, ready: Ready) -> None:
        referee = self._referee(ready.game)
        seat = self._seat(connection, referee)
        if referee.end is not None:
            raise PhaseError(ErrorCode.GAME_OVER, f"the game {ready.game} is over")
        referee.ready(seat, ready.views, ready.samples)

    def _move(self, connection: Connection, move: Move) -> None:
        client = connection.client
        seat = client.seats.get(move.game) if client is not None else None
        if seat is not None:
            return self.games[move.game].answer(seat, move, connection.arrived)
        referee = self._referee(move.game)
        if referee.end is not None and client is not None and client.name in [s.name for s in referee.seats]:
            raise PhaseError(
                ErrorCode.GAME_OVER, f"the game {move.game} is over; no move counts any more", game=move.game
            )
        raise PhaseError(
            ErrorCode.NOT_SEATED, f"you have no seat in the game {move.game}, so you cannot move"
        )

    def _watch(self, connection: Connection, watch: Watch) -> None:
        referee = self._referee(watch.game)
        if watch.game in connection.watching:
            raise PhaseError(ErrorCode.ALREADY_WATCHING, f"you watch the game {watch.game} already")
        if len(referee.stream.watchers) >= self.config.watchers:
            raise PhaseError(
                ErrorCode.NOT_OFFERED,
                f"{self.config.watchers} connections watch the game {watch.game}, which is all it allows",
            )
        referee.watch(connection, watch.last)
        if referee.end is not None:
            referee.stream.leave(connection)
            return connection.send(referee.end)
        connection.watching[watch.game] = referee.stream
        return None

    def _unwatch(self, connection: Connection, unwatch: Unwatch) -> None:
        stream = connection.watching.pop(unwatch.game, None)
        if stream is None:
            raise PhaseError(ErrorCode.NOT_WATCHING, f"you do not watch the game {unwatch.game}")
        stream.leave(connection)

    def _list(self, connection: Connection, _: ListGames) -> None:
        tables = [table.info() for table in self.lobby.tables.values()]
        games = [
            LiveGame(
                game=referee.id,
                players=tuple(seat.name for seat in referee.seats),
                number=referee.stream.number,
                watchers=len(referee.stream.watchers),
            )
            for referee in self.games.values()
        ]
        connection.send(
            Games(
                tables=tuple(tables[:MAX_LISTED]),
                games=tuple(games[:MAX_LISTED]),
                queue=len(self.lobby.queue),
                omitted=max(0, len(tables) - MAX_LISTED) + max(0, len(games) - MAX_LISTED),
            )
        )

    def _ping(self, connection: Connection, ping: Ping) -> None:
        connection.send(Pong(data=ping.data))

    def _bye(self, connection: Connection, _: Bye) -> None:
        client = connection.client
        connection.end(ByeReason.BYE)
        if client is not None and client.connection is connection:
            client.connection = None
            self.lobby.gone(client)
            for game_id, seat in list(client.seats.items()):
                del client.seats[game_id]
                self.games[game_id].leave(seat)
            self.clients.forget(client)

    def _client(self, connection: Connection) -> Client:
        assert connection.client is not None, "the session lets nothing through before hello"
        return connection.client

    def _referee(self, game_id: str) -> Referee:
        referee = self.games.get(game_id) or self.ended.get(game_id)
        if referee is None:
            raise PhaseError(
                ErrorCode.NO_SUCH_GAME, f"there is no game {quote(game_id)}; list shows those that run"
            )
        return referee

    def _seat(self, connection: Connection, referee: Referee) -> Seat:
        seat = self._client(connection).seats.get(referee.id)
        if seat is None:
            raise PhaseError(ErrorCode.NOT_SEATED, f"you have no seat in the game {referee.id}")
        return seat

    # Games

    def _start(self, table: Table) -> None:
        try:
            self.open_game(table.members, table.rules, table.clock, seed=table.seed, table=table.id)
        except (JournalError, OSError) as error:
            self.log.error("no-record", table=table.id, error=str(error))
            for member in table.members:
                if member.connection is not None:
                    text = "the game cannot be recorded, so it is not played; tell the organiser"
                    member.connection.send(Error(code=ErrorCode.SERVER_FAULT, text=text))

    def open_game(
        self,
        members: list[Client],
        rules: Rules,
        clock: Clock,
        *,
        seed: int | None = None,
        game_id: str | None = None,
        table: str | None = None,
        tags: dict[str, str | int] | None = None,
    ) -> Referee:
        """Start a game of these clients, in the order of the seats.

        Without a seed the server draws one. Raises `JournalError` or `OSError` if the game cannot be
        recorded; then nothing has started.
        """
        game_id = game_id or f"g-{secrets.token_hex(6)}"
        seed = secrets.randbits(64) if seed is None else seed
        options = options_of(len(members), rules).check()
        header = Header(
            game=game_id,
            options=options,
            seats=tuple(member.name for member in members),
            seed=seed,
            salt=secrets.token_hex(16),
            catalogue=self.catalogue.name,
            catalogue_hash=self.catalogue.hash,
            started=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            software=f"arena {version()}",
            clock=clock.model_dump(include={"move", "bank", "increment", "grace"}),
            tags=tags or {},
        )
        self.folder.mkdir(parents=True, exist_ok=True)
        journal = Journal.create(self.folder / f"{game_id}.jsonl", header, durable=self.config.durable)
        seats = [Seat(number, member.name, member, SeatClock(clock)) for number, member in enumerate(members)]
        referee = Referee(
            game_id,
            Game.new(options, seed, self.catalogue),
            seats,
            header=header,
            journal=journal,
            rules=rules,
            clock=clock,
            config=self.config,
            lag=self.lag,
            table=table,
            over=self._game_over,
        )
        self.games[game_id] = referee
        for seat, member in zip(seats, members, strict=True):
            member.seats[game_id] = seat
            if member.connection is None:  # lost between joining and now
                seat.absent_since = trio.current_time()
        self._nursery.start_soon(referee.run)
        return referee

    def _game_over(self, referee: Referee) -> None:
        self.games.pop(referee.id, None)
        self.ended[referee.id] = referee
        if len(self.ended) > REMEMBERED:
            self.ended.popitem(last=False)
        for watcher in list(referee.stream.watchers):
            watcher.watching.pop(referee.id, None)
        referee.stream.watchers.clear()
        for seat in referee.seats:
            client = seat.client
            if client is not None:
                client.seats.pop(referee.id, None)
                if client.connection is None and not client.seats:
                    self.clients.forget(client)

    def close(self) -> None:
        """Start nothing new, and tell everybody that the server stops; running games stay in their journals."""
        self.closing = True
        for connection in list(self.connections.values()):
            connection.end(ByeReason.SHUTDOWN, "the server stops; games that run can be gone on with later")


def version() -> str:
    """The installed version."""
    from importlib.metadata import version

    return version("import-export-arena")


async def serve(
    config: Config,
    *,
    bots: frozenset[str] = frozenset(),
    task_status: trio.TaskStatus[tuple[Server, list[trio.SocketListener]]] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Listen until cancelled. `task_status` tells the server and its listeners (with port 0: the real port).

    `bots` are the shipped bots that may fill the seats of a table.

    Raises `OSError` if the address cannot be had, `ssl.SSLError` for a bad certificate. Cancelling tells
    the clients goodbye, for at most two seconds.
    """
    async with trio.open_nursery() as games:
        server = Server(config, games)
        listeners: list[Any] = await trio.open_tcp_listeners(config.port, host=config.host)
        sockets = list(listeners)
        if config.cert is not None:
            context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
            context.load_cert_chain(config.cert, config.key)
            listeners = [trio.SSLListener(listener, context, https_compatible=True) for listener in listeners]
        games.start_soon(server.lag.run)
        if bots:
            host, port = sockets[0].socket.getsockname()[:2]
            house = House(bots, server.clients, games, host, port, tls=config.cert is not None)
            server.lobby.fill = house.fill
        with trio.CancelScope(shield=True) as last_words:
            async with trio.open_nursery() as connections:
                listening = trio.CancelScope()
                games.start_soon(_when_cancelled, server, listening, last_words)
                task_status.started((server, sockets))
                with listening:
                    await trio.serve_listeners(server.accept, listeners, handler_nursery=connections)
        games.cancel_scope.cancel()


async def _when_cancelled(server: Server, listening: trio.CancelScope, last_words: trio.CancelScope) -> None:
    """Connections are shielded from the cancellation of the server, so that they can still say goodbye."""
    try:
        await trio.sleep_forever()
    finally:
        server.close()
        listening.cancel()
        last_words.deadline = trio.current_time() + GOODBYE
