"""One socket: reads lines, hands messages to the server, sends what waits; one nursery, ended in one place."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import structlog
import trio

from arena.server.outbox import Outbox, Overflow
from protocol import ByeReason, ErrorCode, ProtocolError, ServerSession, State, encode, error_for
from protocol.messages import Error, Goodbye, Hello, Part

if TYPE_CHECKING:
    from arena.server.clients import Client
    from arena.server.server import Server
    from arena.server.streams import Stream

CHUNK = 16 * 1024  # bytes of one read: far over a line of a client
LINGER = 1.0  # seconds in which the other side may read the last words


class Rate:
    """A token bucket: `rate` messages per second, `burst` at once."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._left, self._at = burst, 0.0

    def take(self, now: float) -> bool:
        """Whether one more message is within the limit."""
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Connection:
    """The server's end of one socket."""

    def __init__(self, server: Server, stream: trio.abc.Stream, number: int) -> None:
        self.server = server
        self.number = number
        self.client: Client | None = None
        self.watching: dict[str, Stream] = {}
        self.arrived = 0.0  # when the bytes of the message that is being handled had arrived
        self.log = structlog.get_logger().bind(connection=number)
        self._stream = stream
        self._session = ServerSession(server.config.line)
        self._outbox = Outbox(server.config.outbox)
        self._rate = Rate(server.config.rate, server.config.burst)
        self._dropped = 0
        self._logins = 0
        self._scope = trio.CancelScope()
        self._farewell: ByeReason | None = None

    # Sending: never waits

    def send(self, message: Part) -> None:
        """Queue a message."""
        self._outbox.put(self._session.send(message) if isinstance(message, Goodbye) else encode(message))

    def send_line(self, line: bytes) -> None:
        """Queue an encoded line."""
        self._outbox.put(line)

    def send_request(self, line: bytes, handed: Callable[[], None]) -> None:
        """Queue a request; `handed` is called when the kernel has it."""
        self._outbox.put(line, handed)

    def greet(self, message: Part) -> None:
        """Send the `welcome`: from now on the client is logged in."""
        self._outbox.put(self._session.send(message))

    def end(self, reason: ByeReason, text: str | None = None) -> None:
        """Say goodbye and end the connection once that is sent."""
        if self._farewell is None and self._session.state is not State.CLOSED:
            self._farewell = reason
            self.send(Goodbye(reason=reason, text=text))
        self._outbox.close()
        self._scope.cancel()

    # Running

    async def run(self) -> None:
        """Serve until either side ends it or the connection is lost."""
        reason = "lost"
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._write, nursery.cancel_scope)
                with self._scope:
                    await self._read()
                self._outbox.close()
        except* (trio.BrokenResourceError, trio.ClosedResourceError, OSError):
            pass  # the other side is gone: an ordinary event, handled below
        except* Overflow:
            reason = ByeReason.SLOW.value
        finally:
            if self._farewell is not None:
                reason = self._farewell.value
            with trio.CancelScope(shield=True):
                self.server.connection_lost(self, reason)
                with trio.move_on_after(1):
                    await trio.aclose_forcefully(self._stream)

    async def _write(self, scope: trio.CancelScope) -> None:
        try:
            await self._outbox.run(self._stream, self.server.config.handover)
        except (Overflow, trio.BrokenResourceError, trio.ClosedResourceError, OSError):
            scope.cancel()
            raise
        with trio.move_on_after(LINGER):
            await self._linger()

    async def _linger(self) -> None:
        """Half-close and read on, so that the last words are not lost to a reset for unread bytes."""
        if not isinstance(self._stream, trio.abc.HalfCloseableStream):
            return
        try:
            await self._stream.send_eof()
            while self._scope.cancelled_caught and await self._stream.receive_some(CHUNK):
                pass
        except (trio.BrokenResourceError, trio.ClosedResourceError, trio.BusyResourceError):
            pass  # the other side has gone already, which is all that was wanted

    async def _read(self) -> None:
        with trio.move_on_after(self.server.config.hello) as scope:
            while self._session.state is State.NEW:
                if not await self._receive():
                    return
        if scope.cancelled_caught:
            self.end(ByeReason.SILENT, f"no hello came within {self.server.config.hello:g} s")
            return
        while self._session.state is not State.CLOSED and await self._receive():
            pass

    async def _receive(self) -> bool:
        """Read once and handle what is whole; false if nothing more comes."""
        data = await self._stream.receive_some(CHUNK)
        if not data:
            return False
        self.arrived = trio.current_time()
        self._session.receive_data(data)
        while True:
            try:
                message = self._session.next_message()
            except ProtocolError as fault:
                if not self._within_rate():
                    continue
                self.server.bad_message(self, fault)
                if fault.code.closes is not None:
                    self._farewell = fault.code.closes
                    self.send(Goodbye(reason=fault.code.closes))
                    self._outbox.close()
                    return False
                continue
            if message is None:
                return self._session.state is not State.CLOSED
            if self._within_rate():
                try:
                    self.server.handle(self, message)
                except ProtocolError as fault:
                    self.send(error_for(fault))
                    self._count_login(message, fault)

    def _within_rate(self) -> bool:
        if self._rate.take(self.arrived):
            return True
        self._dropped += 1
        if self._dropped == 1:
            rate = self.server.config.rate
            self.send(
                Error(code=ErrorCode.FLOOD, text=f"messages come faster than {rate} a second; send fewer")
            )
        elif self._dropped > self.server.config.floods:
            self.end(ByeReason.FLOOD)
        return False

    def _count_login(self, message: Part, fault: ProtocolError) -> None:
        if isinstance(message, Hello) and fault.code in (ErrorCode.BAD_TOKEN, ErrorCode.BAD_RESUME):
            self._logins += 1
            if self._logins >= self.server.config.logins:
                self.end(ByeReason.REFUSED)
