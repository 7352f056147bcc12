"""The whole server: knows who is connected, and passes each message to the one it is for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import structlog
import trio

from arena.records import JournalError
from arena.server.certificate import Certificate
from arena.server.clients import Client, Clients
from arena.server.config import Config
from arena.server.connections import Connection
from arena.server.games import SOFTWARE, Games
from arena.server.guests import Guests
from arena.server.lag import LagMeter
from arena.server.listing import Listing
from arena.server.lobby import Lobby
from arena.server.metrics import Tally
from arena.server.outbox import Batch
from arena.server.referee import Referee
from arena.server.seats import Seat
from arena.server.sockets import kernel_socket, origin_of, tune
from arena.server.streams import Broadcast
from arena.server.tokens import Role
from protocol import (
    PROTOCOL,
    ByeReason,
    ErrorCode,
    PhaseError,
    ProtocolError,
    name_key,
    quote,
)
from protocol.messages import (
    Bye,
    Hello,
    Join,
    Leave,
    ListGames,
    Move,
    Part,
    Ping,
    Pong,
    Ready,
    Unwatch,
    Watch,
    Welcome,
)

ROUND = 5.0  # seconds between two looks at what nobody's message brings up
STOPS = "the server stops"
SUSPENDS = "the server stops; your games are kept, so come back with the resume key when it runs again"


class Server:
    """All state of a running server. Nothing here waits: messages are handled as they arrive."""

    def __init__(self, config: Config, nursery: trio.Nursery) -> None:
        self.config = config
        self.clients = Clients(config)
        self.connections: dict[int, Connection] = {}
        self.guests = Guests(config)
        self.lag = LagMeter(config.suspect)
        self.batch = Batch()
        self.broadcast = Broadcast(self.batch)
        self.tally = Tally()
        self.games = Games(
            config,
            self.clients,
            nursery,
            lag=self.lag,
            broadcast=self.broadcast,
            tally=self.tally,
            over=self._game_over,
        )
        self.data = self.games.data
        self.folder = self.data.games
        self.lobby = Lobby(config, self.games)
        self.listing = Listing(self.lobby, self.games, config.listed)
        self.certificate: Certificate | None = None  # with which it speaks TLS
        self.closing = False
        self.log = structlog.get_logger()
        self.idle = trio.Event()  # set once the server is closing and no game runs
        nursery.start_soon(self.broadcast.run)
        nursery.start_soon(self.lobby.tell_news)
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
        sock = kernel_socket(stream)
        origin = origin_of(sock)
        if self.guests.is_crowd(origin):
            return await trio.aclose_forcefully(stream)
        if sock is not None:
            tune(sock, self.config.keepalive)
        self._numbers += 1
        self.tally.connections += 1
        connection = Connection(self, stream, self._numbers, sock, origin)
        if self.closing and not self.games:
            connection.end(ByeReason.SHUTDOWN, STOPS)
        elif (refusal := self.guests.refusal(origin, trio.current_time())) is not None:
            connection.turn_away(refusal)
        self.connections[connection.number] = connection
        self.guests.enter(origin)
        try:
            await connection.run()
        except Exception:  # ours: it must not end the others, who run beside it (S035)
            connection.log.exception("connection-fault")
        finally:
            del self.connections[connection.number]
            self.guests.leave(origin)
        return None

    async def keep_house(self) -> None:
        """Now and then look after what nobody's message brings up, until cancelled."""
        while True:
            await trio.sleep(ROUND)
            await self.lag.catch_up()  # after a stall nobody has been silent
            try:
                self.look_after()
            except Exception:  # ours: games go on, and the next round may do better
                self.log.exception("round-fault")

    def look_after(self) -> None:
        """Take up a renewed certificate; send away whose token is revoked, and strangers who do nothing for long."""
        self._send_revoked_away()
        if self.certificate is not None:
            self.certificate.refresh()
        long_ago = trio.current_time() - self.config.idle
        for connection in list(self.connections.values()):
            if connection.arrived < long_ago and self._is_idle(connection):
                connection.end(
                    ByeReason.SILENT, f"nothing has come for {self.config.idle:g} s (`idle`); send a ping"
                )

    def _is_idle(self, connection: Connection) -> bool:
        """Whether a connection takes up room and nothing else; who has a token may wait to be seated."""
        client = connection.client
        return (
            client is not None
            and not client.holds
            and client not in self.lobby.queue
            and not connection.watching
            and not self.clients.tokens.has(client.name)
        )

    def _send_revoked_away(self) -> None:
        for key in self.clients.tokens.refresh():
            client = self.clients.named(key)
            for connection in list(self.connections.values()):
                known = connection.client
                if known is not None and name_key(known.name) == key:  # the player, and who looks beside it
                    connection.end(ByeReason.REFUSED, f"the token of {known.name} has been revoked")
            if client is not None:
                self.log.info("revoked", name=client.name)
                self._give_up(client)

    def connection_lost(self, connection: Connection, reason: str) -> None:
        """A connection has ended, for whatever reason: its seats may be resumed for a while."""
        self.tally.ends[reason] += 1
        for referee in connection.watching.values():
            referee.audience.leave(connection)
        connection.watching.clear()
        client = connection.client
        holds = client is not None and client.connection is connection
        tell = connection.log.warning if reason == ByeReason.SLOW.value else connection.log.info
        tell("lost", reason=reason, seats=len(client.seats) if client is not None and holds else 0)
        if client is None or not holds:
            return
        client.connection = None
        self.lobby.gone(client)
        for game_id, seat in list(client.seats.items()):
            self.games[game_id].lost(seat)
        if reason == ByeReason.BYE.value:
            client.part()
        self.clients.forget_if_gone(client)

    # Messages

    def handle(self, connection: Connection, message: Part) -> None:
        """Do what a message asks; raises `ProtocolError` for what cannot be done."""
        client = connection.client
        if client is not None and client.connection is connection:
            client.speaks()
        self._handlers[type(message)](connection, message)

    def bad_message(self, connection: Connection, fault: ProtocolError) -> None:
        """Tell the client what is wrong; a bad answer to an open request counts as a try."""
        if fault.game is not None and fault.id is not None:
            seat = self.answers(connection, fault.game, fault.id)
            if seat is not None:
                return self.games[fault.game].bad_answer(seat, fault, connection.arrived)
        return connection.refuse(fault)

    def answers(self, connection: Connection, game_id: str, number: int) -> Seat | None:
        """The seat of this connection whose open request this is, if there is one."""
        seat = connection.client.seats.get(game_id) if connection.client is not None else None
        return seat if seat is not None and self.games[game_id].answers(seat, number) else None

    def _hello(self, connection: Connection, hello: Hello) -> None:
        self._send_revoked_away()  # a token that has just been made or revoked counts at once
        if hello.look:
            return self._let_look(connection, hello)
        client = self.clients.log_in(hello.name, hello.token, hello.resume, connection)
        if not client.key:  # its former key is known to an earlier server, or was of one without its token
            self._new_key(client)
        former, client.connection = client.connection, connection
        client.origin = connection.origin
        connection.client = client
        connection.log = connection.log.bind(name=client.name)
        if former is not None and former is not connection:
            former.end(ByeReason.REPLACED, "the seats were resumed on another connection")
        connection.log.info("welcome", resumed=hello.resume is not None, software=hello.software)
        self._greet(connection, client)
        self.guests.resumed(connection.origin, connection.arrived, len(client.seats))
        self.lobby.back(client)
        for news in client.news.values():
            connection.send_line(news.line)
        for game_id, seat in list(client.seats.items()):
            self.games[game_id].back(seat, connection)
        self.clients.logged_in()
        return self._send_home_if_stopping(connection)

    def _let_look(self, connection: Connection, hello: Hello) -> None:
        """Beside whoever plays under the name: nothing of that player's changes."""
        client = self.clients.look(hello.name, hello.token, hello.resume, connection)
        connection.client = client
        connection.log = connection.log.bind(name=client.name, looks=True)
        connection.log.info("welcome", software=hello.software)
        self._greet(connection, client)
        self._send_home_if_stopping(connection)

    def _greet(self, connection: Connection, client: Client) -> None:
        connection.greet(
            Welcome(
                protocol=PROTOCOL,
                server=SOFTWARE,
                name=client.name,
                resume=client.key,
                limits=self.config.limits(),
            )
        )

    def _new_key(self, client: Client) -> None:
        client.draw_key()
        for game_id in client.seats:
            try:
                self.data.keep(self.games[game_id])
            except JournalError as error:  # then only its token leads back after another restart
                self.log.error("seats-not-kept", game=game_id, error=str(error))

    def _join(self, connection: Connection, join: Join) -> None:
        client = self._client(connection)
        if self.closing:
            raise PhaseError(
                ErrorCode.NOT_OFFERED, "the server is stopping and starts no games; come back later"
            )
        if client.looks:
            raise PhaseError(
                ErrorCode.NOT_OFFERED,
                f"this login of {client.name} only looks; say hello without `look` to play",
            )
        if client.role is Role.SPECTATOR:
            raise PhaseError(
                ErrorCode.NOT_OFFERED,
                f"the token of {client.name} is one for watching; ask the organiser for a player's",
            )
        if join.wanted is not None and join.wanted.fill:
            bots = len(join.wanted.fill) * self.config.fill_price
            connection.pay(self.config.join_price + bots, "join_price", "fill_price")
        else:
            connection.pay(self.config.join_price, "join_price")
        if join.wanted is not None:
            self.lobby.open(client, join.wanted)
        elif join.table is not None:
            self.lobby.sit(client, join.table)

    def _leave(self, connection: Connection, leave: Leave) -> None:
        self.lobby.leave(self._client(connection), leave.table)

    def _ready(self, connection: Connection, ready: Ready) -> None:
        seat = self._client(connection).seats.get(ready.game)
        if seat is None:
            raise self._no_seat(connection, ready.game)
        self.games[ready.game].ready(seat, ready.views, ready.samples)

    def _move(self, connection: Connection, move: Move) -> None:
        seat = self._client(connection).seats.get(move.game)
        if seat is None:
            raise self._no_seat(connection, move.game, move.id)
        self.games[move.game].answer(seat, move, connection.arrived)

    def _watch(self, connection: Connection, watch: Watch) -> None:
        referee = self.games.get(watch.game)
        if referee is None:
            ended = self.games.ended.get(watch.game)
            if ended is None:
                raise only_recorded(watch.game) if self.data.has(watch.game) else no_such_game(watch.game)
            return connection.send_line(ended.story)
        if watch.game in connection.watching or watch.game in self._client(connection).seats:
            raise PhaseError(
                ErrorCode.ALREADY_WATCHING,
                f"you get the events of the game {watch.game} already; watch it on another connection",
                game=watch.game,
            )
        if watch.seat is not None:
            seat = self._own_seat(self._client(connection), referee, watch.seat)
            referee.watch(connection, watch.last, seat)
            connection.watching[watch.game] = referee
            return None
        full = len(referee.audience.stream) >= self.config.watchers
        if full and self._client(connection).role is not Role.ORGANISER:
            raise PhaseError(
                ErrorCode.NOT_OFFERED,
                f"{self.config.watchers} connections watch the game {watch.game}, which is its limit (`watchers`);"
                " come back later",
                game=watch.game,
            )
        referee.watch(connection, watch.last)
        connection.watching[watch.game] = referee
        return None

    def _own_seat(self, client: Client, referee: Referee, number: int) -> Seat:
        """The seat that this client may look from; raises `PhaseError`."""
        seats = referee.seats
        if number >= len(seats):
            text = f"the game {referee.id} has no seat {number}; its seats are 0 to {len(seats) - 1}"
            raise PhaseError(ErrorCode.NOT_SEATED, text, game=referee.id)
        seat = seats[number]
        if client.looks is None or not client.looks.owns(seat):
            text = f"seat {number} is shown to its owner alone: say hello as {seat.name} with `look` and its token"
            raise PhaseError(ErrorCode.NOT_SEATED, text, game=referee.id)
        if len(referee.audience.watchers_of(seat)) >= self.config.lookers:
            text = (
                f"{self.config.lookers} connections look from seat {number} of the game {referee.id}, which is its"
                " limit (`lookers`)"
            )
            raise PhaseError(ErrorCode.NOT_OFFERED, text, game=referee.id)
        return seat

    def _unwatch(self, connection: Connection, unwatch: Unwatch) -> None:
        referee = connection.watching.pop(unwatch.game, None)
        if referee is None:
            raise PhaseError(
                ErrorCode.NOT_WATCHING, f"you do not watch the game {unwatch.game}", game=unwatch.game
            )
        referee.audience.leave(connection)

    def _list(self, connection: Connection, _: ListGames) -> None:
        if self.listing.price:
            connection.pay(self.listing.price, "listed")
        connection.send_line(self.listing.line())

    def _ping(self, connection: Connection, ping: Ping) -> None:
        connection.send(Pong(data=ping.data))

    def _bye(self, connection: Connection, _: Bye) -> None:
        client = connection.client
        connection.end(ByeReason.BYE)
        if client is not None and client.connection is connection:
            self._give_up(client)

    def _give_up(self, client: Client) -> None:
        """The client does not come back: neither its seats nor its name are kept."""
        client.connection = None
        self.lobby.gone(client)
        for game_id, seat in list(client.seats.items()):
            self.games[game_id].leave(seat)
        self.clients.forget(client)

    def _client(self, connection: Connection) -> Client:
        assert connection.client is not None, "the session lets nothing through before hello"
        return connection.client

    def _no_seat(self, connection: Connection, game_id: str, number: int | None = None) -> PhaseError:
        """Why a client without a seat in this game can do nothing in it."""
        ended = self.games.ended.get(game_id)
        if ended is not None and self._client(connection).name in ended.names:
            code, text = ErrorCode.GAME_OVER, f"the game {game_id} is over; no move counts any more"
        elif ended is not None or game_id in self.games:
            code, text = ErrorCode.NOT_SEATED, f"you have no seat in the game {game_id}; watch it instead"
        else:
            return no_such_game(game_id, number)
        return PhaseError(code, text, game=game_id, id=number)

    # Stopping

    def drain(self) -> None:
        """Start no game any more. Who plays and watches goes on; the others are told that the server stops.

        `idle` is set when no game runs any more.
        """
        self.closing = True
        self.lobby.close()
        for connection in list(self.connections.values()):
            if connection.client is not None:  # who has not said hello may be about to come back to a game
                self._send_home_if_stopping(connection)
        if not self.games:
            self.idle.set()

    def _game_over(self) -> None:
        if self.closing:
            for connection in list(self.connections.values()):
                self._send_home_if_stopping(connection)
            if not self.games:
                self.idle.set()

    def _send_home_if_stopping(self, connection: Connection) -> None:
        client = connection.client
        if self.closing and not connection.watching and not (client is not None and client.seats):
            connection.end(ByeReason.SHUTDOWN, STOPS)

    def close(self) -> None:
        """Suspend the games that still run into their records, and tell everybody that the server stops."""
        self.closing = True
        for referee in self.games.values():
            referee.suspend()
        for connection in list(self.connections.values()):
            client = connection.client
            games = tuple(client.seats) if client is not None and self.config.continues else ()
            connection.end(ByeReason.SHUTDOWN, SUSPENDS if games else STOPS, games)


def no_such_game(game_id: str, number: int | None = None) -> PhaseError:
    """The game is unknown, or over for so long that it is forgotten."""
    text = f"there is no game {quote(game_id)}; list shows those that run"
    return PhaseError(ErrorCode.NO_SUCH_GAME, text, game=game_id, id=number)


def only_recorded(game_id: str) -> PhaseError:
    """The game is not played here any more, but its record is kept."""
    text = (
        f"the game {game_id} is not played any more, but its record is kept: the pages show it at /game/{game_id},"
        " and so does `arena replay` with the file"
    )
    return PhaseError(ErrorCode.NO_SUCH_GAME, text, game=game_id)
