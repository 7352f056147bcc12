"""What the kernel knows and does about a socket: where it leads, how far that is, whether it leads anywhere still."""

from __future__ import annotations

import errno
import ipaddress
import socket
import struct
from contextlib import ExitStack, suppress
from typing import Any, Final

import trio

UNKNOWN: Final = -1.0
HERE: Final = "here"  # where a stream of this process comes from
_TCP_INFO: Final = getattr(socket, "TCP_INFO", None)  # Linux
_MIN_RTT: Final = struct.Struct("=148xI")  # `tcpi_min_rtt` of linux/tcp.h, in microseconds
_NOTHING: Final = 0xFFFFFFFF  # of `tcpi_min_rtt`: nothing was measured yet

KERNEL_BUFFER: Final = (
    128 * 1024
)  # bytes sent and not acknowledged; Linux doubles it. Over two of the widest views
PROBES: Final = 3  # unanswered ones after which a connection is lost


async def bound(host: str, port: int) -> list[trio.socket.SocketType]:
    """Sockets that have the address, while nobody can connect yet; raises `OSError` if it cannot be had.

    Like `trio.open_tcp_listeners`, which listens at once. A family of addresses that the system does not have is
    passed over if there is another.
    """
    sockets: list[trio.socket.SocketType] = []
    missing: OSError | None = None
    with ExitStack() as failed:
        try:
            addresses = await trio.socket.getaddrinfo(
                host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
            )
        except UnicodeError as error:
            raise OSError(errno.EINVAL, f"no machine has this name: {error}") from None
        for family, kind, protocol, _, address in addresses:
            try:
                sock = failed.enter_context(trio.socket.socket(family, kind, protocol))
            except OSError as error:
                if error.errno != errno.EAFNOSUPPORT:
                    raise
                missing = error
                continue
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # also just after a server's end
            if family == socket.AF_INET6:
                sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)  # IPv4 has a socket of its own
            await sock.bind(address)
            sockets.append(sock)
        failed.pop_all()
    if missing is not None and not sockets:
        raise missing
    return sockets


def kernel_socket(stream: trio.abc.Stream) -> trio.socket.SocketType | None:
    """The socket under a stream, also under TLS; None if there is none."""
    inner: Any = stream
    while isinstance(inner, trio.SSLStream):
        inner = inner.transport_stream
    return inner.socket if isinstance(inner, trio.SocketStream) else None


def tune(sock: trio.socket.SocketType, keepalive: float) -> None:
    """Let the kernel end a connection that has led nowhere for `keepalive` seconds.

    Half of the time nothing is done; in the other half the kernel asks. The same limit holds for what was sent and is
    not acknowledged. Little is kept for one who does not read, so that it is soon known.
    """
    half = max(1, round(keepalive / 2))
    options = {
        "TCP_KEEPIDLE": half,
        "TCP_KEEPINTVL": max(1, round(half / PROBES)),
        "TCP_KEEPCNT": PROBES,
        "TCP_USER_TIMEOUT": max(1, round(keepalive)) * 1000,
    }
    with suppress(OSError):  # gone already
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, KERNEL_BUFFER)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in options.items():
            if hasattr(socket, name):
                sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


def round_trip(sock: trio.socket.SocketType | None) -> float:
    """Seconds of the shortest round trip that the kernel has lately measured; `UNKNOWN` where it tells none.

    The shortest, since the average counts the time that the other side lets its acknowledgements wait.
    """
    if sock is None or _TCP_INFO is None:
        return UNKNOWN
    try:
        info = sock.getsockopt(socket.IPPROTO_TCP, _TCP_INFO, _MIN_RTT.size)
    except OSError:
        return UNKNOWN
    if len(info) < _MIN_RTT.size:  # of an old kernel
        return UNKNOWN
    (microseconds,) = _MIN_RTT.unpack(info)
    return UNKNOWN if microseconds == _NOTHING else microseconds / 1e6


def origin_of(sock: trio.socket.SocketType | None) -> str:
    """Where the other side is, as far as one guest is told from another: an IPv4 address, an IPv6 network of /64."""
    if sock is None:
        return HERE
    try:
        name = sock.getpeername()[0]
    except OSError:  # gone already
        return "nowhere"
    return guest(name)


def guest(name: str) -> str:
    """The same for the text of an address."""
    address = ipaddress.ip_address(name.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)
