"""Listens: sockets, TLS, the shipped bots, and the goodbye at the end."""

from __future__ import annotations

import resource
import socket
import sys
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import Any

import structlog
import trio

from arena.log import steps
from arena.server.certificate import Certificate
from arena.server.config import Config
from arena.server.house import House
from arena.server.server import Server
from arena.server.sockets import bound

GOODBYE = 2.0  # seconds in which clients may read that the server stops
OWN_FILES = (
    40  # descriptors for what is neither a connection nor a record: listeners, logs, those turned away
)


async def serve(
    config: Config,
    *,
    bots: frozenset[str] = frozenset(),
    reserved: int = 0,
    prepare: Callable[[Server], object] = lambda server: None,
    task_status: trio.TaskStatus[tuple[Server, list[trio.SocketListener]]] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Listen until cancelled. `task_status` tells the server and its listeners (with port 0: the real port).

    `bots` are the shipped bots that may fill the seats of a table, `reserved` the descriptors that the rest of the
    process needs. `prepare` is called before anybody can connect.

    Games that an earlier server has left unfinished in the data folder go on. They are opened once the
    address is had and before anybody can connect, so that nobody waits for an answer meanwhile. Raises `OSError` if
    the address, the folder (`FolderUnusable`) or the certificate (`CertificateUnusable`) cannot be had.
    Cancelling suspends the running games and tells the clients goodbye, for at most two seconds; `drain` before
    that lets games end.
    """
    last_words, listening = trio.CancelScope(shield=True), trio.CancelScope()
    async with trio.open_nursery() as games:
        possible = possible_connections(config.connections, reserved)
        if possible < config.connections:  # of the descriptors for records there are fewer, too
            config = replace(
                config, connections=possible, all_games=min(config.all_games, max(1, possible // 2))
            )
        server = Server(config, games)
        server.data.room = possible_records(config.connections, reserved)
        prepare(server)
        with server.data.held():
            sockets = await bound(config.host, config.port)
            if config.cert is not None:
                server.certificate = Certificate(config.cert, config.key)
            if bots:
                host, port = sockets[0].getsockname()[:2]
                server.lobby.house = House(
                    bots,
                    server.clients,
                    server.lobby,
                    games,
                    host,
                    port,
                    names=server.data.bots,
                    limit=config.fill,
                    most=config.bots,
                    tls=config.cert is not None,
                )
            server.games.reopen(server.lobby.house)
            for sock in sockets:
                sock.listen(socket.SOMAXCONN)
            listeners = [trio.SocketListener(sock) for sock in sockets]
            doors: list[Any] = list(listeners)
            if server.certificate is not None:
                context = server.certificate.context
                doors = [trio.SSLListener(each, context, https_compatible=True) for each in listeners]
            games.start_soon(server.lag.run)
            games.start_soon(server.keep_house)
            with last_words:
                async with trio.open_nursery() as connections:
                    games.start_soon(_when_cancelled, server, listening, last_words)
                    task_status.started((server, listeners))
                    with listening:
                        await trio.serve_listeners(server.accept, doors, handler_nursery=connections)
            games.cancel_scope.cancel()


async def drain(server: Server, at_once: AsyncIterator[object]) -> None:
    """The first phase of stopping: no game starts any more, and those that run may end.

    Returns when none runs any more, when the time of the configuration's `drain` is up, or with the next item
    of `at_once`. The log tells both ends of it.
    """
    log = steps()
    log.info("stopping", games=len(server.games), deadline=server.config.drain)
    server.drain()
    with trio.move_on_after(server.config.drain) as waiting:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_until_next, at_once, nursery.cancel_scope)
            await server.idle.wait()
            nursery.cancel_scope.cancel()
    if server.games:
        why = "deadline" if waiting.cancelled_caught else "second signal"
        log.info("suspending", games=len(server.games), why=why)


async def _until_next(items: AsyncIterator[object], scope: trio.CancelScope) -> None:
    async for _ in items:
        return scope.cancel()


async def _when_cancelled(server: Server, listening: trio.CancelScope, last_words: trio.CancelScope) -> None:
    """Connections are shielded from the cancellation of the server, so that they can still say goodbye."""
    try:
        await trio.sleep_forever()
    finally:
        server.close()
        listening.cancel()
        last_words.deadline = trio.current_time() + GOODBYE


def possible_connections(wanted: int, reserved: int = 0) -> int:
    """As many of the wanted connections as there can be descriptors for, with one for a game beside every two.

    The limit of the process is raised as far as the system lets it.
    """
    own = OWN_FILES + reserved
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard == resource.RLIM_INFINITY:
        hard = max(soft, own + 2 * wanted)
    if soft < hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    possible = max(2, (hard - own) * 2 // 3)
    if possible < wanted:
        structlog.get_logger().warning(
            "fewer-connections", wanted=wanted, possible=possible, descriptors=hard
        )
    return min(wanted, possible)


def possible_records(connections: int, reserved: int = 0) -> int:
    """How many records there are descriptors for beside so many connections."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return sys.maxsize
    return max(1, soft - OWN_FILES - reserved - connections)


def possible_pages(wanted: int) -> int:
    """As many of the wanted connections to the pages as leave three quarters of the descriptors to games."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard == resource.RLIM_INFINITY:
        return wanted
    return max(1, min(wanted, (hard - OWN_FILES) // 4))
