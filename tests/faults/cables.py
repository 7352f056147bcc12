"""A server and a bot with a router between them, in network namespaces of their own: the line can be cut in silence.

    server (192.0.2.1) --- router --- far (192.0.2.5)

A cut router forwards nothing and says nothing, as a pulled cable far away: neither side is told that the other is gone.
It takes Linux, its `ip`, and the right to make namespaces.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

SERVER = "192.0.2.1"  # of the block for documentation, which nobody has
SERVER_SIDE = "192.0.2.2"
FAR_SIDE = "192.0.2.6"
FAR = "192.0.2.5"


class NoNamespaces(Exception):
    """They cannot be made here; the text says why."""


class Cable:
    """The three namespaces, by their names."""

    def __init__(self) -> None:
        self.server, self.router, self.far = (
            f"arena-{os.getpid()}-{place}" for place in ("server", "router", "far")
        )

    def lay(self) -> None:
        """Make the namespaces and join them; raises `NoNamespaces`."""
        for namespace in (self.server, self.router, self.far):
            ip("netns", "add", namespace)
        self._join(self.server, SERVER, "near", SERVER_SIDE)
        self._join(self.far, FAR, "distant", FAR_SIDE)
        self.mend()

    def _join(self, end: str, address: str, port: str, gateway: str) -> None:
        """Connect one end to this port of the router."""
        ip("link", "add", "uplink", "netns", end, "type", "veth", "peer", "name", port, "netns", self.router)
        for namespace, device, own in ((end, "uplink", address), (self.router, port, gateway)):
            ip("-n", namespace, "addr", "add", f"{own}/30", "dev", device)
            ip("-n", namespace, "link", "set", device, "up")
        ip("-n", end, "link", "set", "lo", "up")
        ip("-n", end, "route", "add", "default", "via", gateway)

    def cut(self) -> None:
        """From now on nothing passes, and nobody is told."""
        self._forward(0)

    def mend(self) -> None:
        """From now on everything passes."""
        self._forward(1)

    def _forward(self, value: int) -> None:
        run(*inside(self.router), "sysctl", "-q", "-w", f"net.ipv4.ip_forward={value}")

    def take_up(self) -> None:
        """Remove what there is."""
        for namespace in (self.server, self.router, self.far):
            subprocess.run(["ip", "netns", "del", namespace], stderr=subprocess.DEVNULL, check=False)


def inside(namespace: str) -> Sequence[str]:
    """The beginning of a command that runs in a namespace."""
    return ("ip", "netns", "exec", namespace)


def ip(*arguments: str) -> None:
    run("ip", *arguments)


def run(*command: str) -> None:
    if shutil.which(command[0]) is None:
        raise NoNamespaces(f"there is no command `{command[0]}`; install iproute2")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NoNamespaces(f"`{' '.join(command)}` failed: {done.stderr.strip() or done.returncode}")


@contextmanager
def cable() -> Iterator[Cable]:
    """A cable, that is taken up in the end; raises `NoNamespaces`."""
    laid = Cable()
    try:
        laid.lay()
        yield laid
    finally:
        laid.take_up()
