"""One socket: reads lines, hands messages to the server, sends what waits; one nursery, ended in one place."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import structlog
import trio

from arena.server.doorway import shake_hands, stray_answer
from arena.server.guests import PIECE
from arena.server.outbox import Outbox, Overflow
from arena.server.rates import Rate
from arena.server.sockets import HERE, round_trip
from protocol import ByeReason, ErrorCode, PhaseError, ProtocolError, ServerSession, State, encode, error_for
from protocol.fields import MAX_LISTED
from protocol.messages import Error, Goodbye, Hello, Move, Part

if TYPE_CHECKING:
    from arena.server.clients import Client
    from arena.server.referee import Referee
    from arena.server.server import Server

CHUNK = 16 * 1024  # bytes of one read: far over a line of a client
AT_ONCE = 16  # messages of one connection, in two milliseconds or so, before others are heard
PAUSE = 1.0  # seconds for which nothing is read from one whose address sends too much
LINGER = 1.0  # seconds in which the other side may read the last words
LINGER_READS = 16  # of what it still sends meanwhile
DEAREST = 0.9  # of the messages that may come at once: the others are for those around the one that costs it
ANSWER = 1024  # bytes that an answer to a request may have for free


class Connection:
    """The server's end of one socket."""

    def __init__(
        self,
        server: Server,
        stream: trio.abc.Stream,
        number: int,
        sock: trio.socket.SocketType | None = None,
        origin: str = HERE,
    ) -> None:
        config = server.config
        self.server = server
        self.number = number
        self.origin = origin
        self.client: Client | None = None
        self.watching: dict[str, Referee] = {}  # by game id
        self._opened = trio.current_time()
        self.arrived = self._opened  # when the bytes of the message that is being handled had arrived
        self.log = structlog.get_logger().bind(connection=number, origin=origin)
        self._stream = stream
        self._socket = sock
        self._session = ServerSession(config.line)
        self._outbox = Outbox(stream, config.outbox, server.batch)
        self._rate = Rate(config.rate, config.burst)
        self._bytes = Rate(config.bytes, config.bytes_burst)
        self._free = 0  # bytes that may come as answers, and count neither for it nor for its address
        self._paid = 0  # bytes, of those that were read last, that have counted as messages already
        self._crowded = False  # too much comes from its address
        self._spoken = False  # whether anything has come
        self._dropped = 0
        self._logins = 0
        self._scope = trio.CancelScope()
        self._farewell: ByeReason | None = None
        self._told_lost = False

    # Sending: never waits

    @property
    def waiting(self) -> int:
        """Bytes that the other side has not taken yet."""
        return self._outbox.size

    def round_trip(self) -> float:
        """Seconds to the other side and back, as the kernel measures it; below 0: not known."""
        return round_trip(self._socket)

    def send(self, message: Part) -> None:
        """Queue a message."""
        if isinstance(message, Error):
            self.server.tally.errors[message.code.value] += 1
        self._outbox.put(encode(message))

    def refuse(self, fault: ProtocolError) -> None:
        """Tell the client what it has done wrong."""
        if self.client is None:
            self.log.info("refused", code=fault.code.value)
        self.send(error_for(fault))

    def send_line(self, line: bytes) -> None:
        """Queue encoded lines."""
        self._outbox.put(line)

    def send_request(self, line: bytes, offered: Callable[[], None]) -> None:
        """Queue a request; `offered` is called when it goes to the kernel, whether or not there is room for it."""
        self._free = min(self._free + ANSWER, self.server.config.games * ANSWER)
        self._outbox.put(line, offered)

    def greet(self, message: Part) -> None:
        """Send the `welcome`: from now on the client is logged in."""
        self._outbox.put(self._session.send(message))

    def end(self, reason: ByeReason, text: str | None = None, suspended: tuple[str, ...] = ()) -> None:
        """Say goodbye and end the connection once that is sent; nothing more is read.

        `suspended` are the games of this client that go on when the server is started again.
        """
        if self._farewell is None:
            self._farewell = reason
            goodbye = Goodbye(reason=reason, text=text, suspended=suspended[:MAX_LISTED] or None)
            self._outbox.put(self._session.send(goodbye))
            self._outbox.close()
            self._scope.cancel()

    def drop(self) -> None:
        """End the connection without a goodbye once what waits is sent, so that the client comes back by itself."""
        self._outbox.close()
        self._scope.cancel()

    def turn_away(self, text: str) -> None:
        """There is no room for this connection; `text` names the limit."""
        self.log.info("refused", code=ErrorCode.SERVER_FULL.value)
        self.send(Error(code=ErrorCode.SERVER_FULL, text=f"{text}; try again later"))
        self.end(ByeReason.FULL)

    def pay(self, price: int, *keys: str) -> None:
        """Count what costs the server as much as `price` messages, which follows from the settings `keys`.

        It counts as a part of what may come at once at most, so that whoever has been quiet can afford it. Raises
        `PhaseError`, which names the limit, if that is more than the client may send now; then nothing is counted.
        """
        config = self.server.config
        price = min(price, math.floor(DEAREST * (min(config.burst, config.address_burst) - 1)))
        if not self._rate.has(self.arrived, price):
            limit = f"{config.rate} messages a second (`rate`)"
        elif not self.server.guests.take(self.origin, self.arrived, price):
            limit = f"{config.address_rate} a second from your address (`address_rate`)"
        else:
            self._rate.take(self.arrived, price)
            return
        why = ", ".join(f"`{key}`" for key in keys)
        text = f"this counts as {price} messages more ({why}), which is over {limit}; wait a moment"
        raise PhaseError(ErrorCode.FLOOD, text)

    # Running

    async def run(self) -> None:
        """Serve until either side ends it or the connection is lost."""
        try:
            if isinstance(self._stream, trio.SSLStream) and not await shake_hands(
                self._stream, self.server.config.hello
            ):
                return
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._write, nursery.cancel_scope)
                with self._scope:
                    await self._read()
                self._lost()
                self._outbox.close()
            with trio.move_on_after(LINGER):
                await self._linger()
        except* (Overflow, trio.BrokenResourceError, trio.ClosedResourceError, OSError):
            pass  # the other side is gone or does not read: an ordinary event, told below
        finally:
            self._lost()
            with trio.CancelScope(shield=True):
                await trio.aclose_forcefully(self._stream)

    def _lost(self) -> None:
        """Tell the server, once, that nothing more comes."""
        if not self._told_lost:
            self._told_lost = True
            slow = ByeReason.SLOW if self._outbox.overflowed else None
            reason = self._farewell or slow
            self.server.connection_lost(self, reason.value if reason is not None else "lost")

    async def _write(self, scope: trio.CancelScope) -> None:
        try:
            await self._outbox.run(self.server.config.handover)
        except (Overflow, trio.BrokenResourceError, trio.ClosedResourceError, OSError):
            scope.cancel()
            raise

    async def _linger(self) -> None:
        """Half-close and read on, so that the last words are not lost to a reset for unread bytes."""
        if isinstance(self._stream, trio.abc.HalfCloseableStream):
            await self._stream.send_eof()
        if self._farewell is not None:
            for _ in range(LINGER_READS):
                if not await self._stream.receive_some(CHUNK):
                    return

    async def _read(self) -> None:
        limit = self.server.config.hello
        with trio.move_on_at(self._opened + limit):
            while self._session.state is State.NEW:
                if not await self._receive():
                    return
        if self._session.state is State.NEW:
            return self.end(ByeReason.SILENT, f"no hello came within {limit:g} s (`hello`)")
        while self._session.state is not State.CLOSED and await self._receive():
            pass
        return None

    async def _receive(self) -> bool:
        """Read once and handle what is whole; false if nothing more comes."""
        data = await self._stream.receive_some(CHUNK)
        if not data:
            return False
        self.arrived = trio.current_time()
        if not self._spoken:
            self._spoken = True
            stray = stray_answer(data)
            if stray is not None:
                return self._show_out(stray)
        self._session.receive_data(data)
        self._crowded = False
        self._paid = 0
        while True:
            if not self._handle_some():
                break
            await trio.lowlevel.checkpoint()
        await self._slow_down(len(data))
        return True

    async def _slow_down(self, size: int) -> None:
        """Read no more for a while if so many bytes are more than this client, or its address, may send."""
        config = self.server.config
        free = min(size, self._free)
        self._free -= free
        pause = self._bytes.spend(self.arrived, size - free)
        crowd = self.server.guests.read(self.origin, self.arrived, size - free - self._paid)
        if pause:
            self._warn_of_flood(
                f"more than {config.bytes} bytes a second come, and are read slowly (`bytes`)"
            )
        elif crowd:
            self._warn_of_flood(
                f"more comes from your address than {config.address_rate} messages a second, as which"
                f" every {PIECE} bytes count, and is read slowly (`address_rate`)"
            )
        if pause or crowd or self._crowded:
            await trio.sleep(max(pause, crowd, PAUSE * self._crowded))

    def _handle_some(self) -> bool:
        """Handle a few of the whole lines that have come; true if there may be more."""
        with self.server.batch:
            for _ in range(AT_ONCE):
                if self._session.state is State.CLOSED or not self._handle_next():
                    return False
        return True

    def _show_out(self, words: bytes) -> bool:
        """The other side does not speak the protocol: tell it in its own language, and read no more."""
        self.log.info("stray", words=len(words))
        self._farewell = ByeReason.VERSION
        self._outbox.put(words)
        self._outbox.close()
        return False

    def _handle_next(self) -> bool:
        """Handle the next whole line; false if there is none."""
        try:
            message = self._session.next_message()
        except ProtocolError as fault:
            self._refuse(fault)
            return True
        if message is None:
            return False
        if not self._within_rate(message):
            return True
        try:
            self.server.handle(self, message)
        except ProtocolError as fault:
            self.refuse(fault)
            if fault.code.closes is not None:
                self.end(fault.code.closes)
            self._count_login(message, fault)
        except Exception:  # ours: neither this client nor any other must suffer for it
            self.log.exception("server-fault", message=message.type)
            text = f"the server failed at this {message.type}; tell the organiser"
            self.send(Error(code=ErrorCode.SERVER_FAULT, text=text))
        return True

    def _refuse(self, fault: ProtocolError) -> None:
        if fault.code.closes is not None:
            self.refuse(fault)
            self.end(fault.code.closes)
        elif self._within_rate(None):
            self.server.bad_message(self, fault)

    def _within_rate(self, message: Part | None) -> bool:
        """Whether a line may be handled: answers to requests always, others within the limit."""
        if isinstance(message, Move) and self.server.answers(self, message.game, message.id) is not None:
            return True
        config = self.server.config
        if not self._rate.take(self.arrived):
            limit = f"messages come faster than {config.rate} a second (`rate`)"
        elif not self.server.guests.take(self.origin, self.arrived):
            self._crowded = True
            limit = (
                f"messages of your address come faster than {config.address_rate} a second (`address_rate`)"
            )
        else:
            if self._rate.full:
                self._dropped = 0
            self._paid += PIECE
            return True
        self._warn_of_flood(f"{limit}; those over the limit are dropped")
        self._dropped += 1
        if self._dropped > config.floods:
            self.end(ByeReason.FLOOD, f"over {config.floods} messages in a row came too fast (`floods`)")
        return False

    def _warn_of_flood(self, text: str) -> None:
        """Once, until the client has been quiet again."""
        if self._dropped == 0:
            self._dropped = 1
            self.send(Error(code=ErrorCode.FLOOD, text=text))

    def _count_login(self, message: Part, fault: ProtocolError) -> None:
        if isinstance(message, Hello) and fault.code in (ErrorCode.BAD_TOKEN, ErrorCode.BAD_RESUME):
            self._logins += 1
            logins = self.server.config.logins
            if self._logins >= logins:
                self.end(ByeReason.REFUSED, f"{logins} wrong tokens or keys came (`logins`)")
