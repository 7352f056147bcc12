"""A line between a client and the server that can be cut in silence, as by a cable that is pulled far away."""

from __future__ import annotations

import trio
from trio.testing import memory_stream_pair

from arena.server.sockets import KERNEL_BUFFER


class Line(trio.abc.Stream):
    """The server's end of it. Once it is cut nothing comes, and what is sent goes into a buffer and no further.

    After `keepalive` seconds it does what the kernel does with such a socket: it says that the connection is broken.
    """

    def __init__(self, keepalive: float) -> None:
        self.far, self._near = memory_stream_pair()
        self._keepalive = keepalive
        self._cut = trio.Event()
        self._found = trio.Event()
        self._buffered = 0

    def pair(self) -> tuple[trio.abc.Stream, trio.abc.Stream]:
        """The client's end and the server's, as `Hall.connect` wants them."""
        return self.far, self

    async def cut(self, nursery: trio.Nursery) -> None:
        """From now on it leads nowhere, and nobody is told."""
        self._cut.set()
        nursery.start_soon(self._find)
        await trio.lowlevel.checkpoint()

    async def _find(self) -> None:
        await trio.sleep(self._keepalive)
        self._found.set()

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        if not self._cut.is_set():
            return await self._near.send_all(data)
        self._buffered += len(data)
        if self._buffered > KERNEL_BUFFER:
            await self._found.wait()
        return await self._check()

    async def wait_send_all_might_not_block(self) -> None:
        await self._near.wait_send_all_might_not_block()

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        async with trio.open_nursery() as nursery:
            data: bytes | bytearray = b""

            async def stop() -> None:
                await self._cut.wait()
                nursery.cancel_scope.cancel()

            nursery.start_soon(stop)
            data = await self._near.receive_some(max_bytes)
            nursery.cancel_scope.cancel()
        if not self._cut.is_set():
            return data
        await self._found.wait()
        await self._check()
        return b""

    async def _check(self) -> None:
        await trio.lowlevel.checkpoint()
        if self._found.is_set():
            raise trio.BrokenResourceError

    async def aclose(self) -> None:
        await self._near.aclose()
