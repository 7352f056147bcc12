"""The settings of the HTTP side. Every bound has its reason beside it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WebConfig:
    """All settings; times are in seconds."""

    host: str = "127.0.0.1"  # loopback, until an organiser says otherwise
    port: int = 7180
    reveal_after: float | None = None  # everything is shown so long after it happened; None: at a game's end

    connections: int = 512  # in all; each needs a descriptor and about 60 kB
    per_address: int = 200  # of these, from one address: thirty browsers with the six that each opens at most
    rate: float = 100  # requests a second from one address: over a hundred browsers that show the list
    burst: int = (
        3000  # of these at once: sixty browsers with six handshakes of TLS, each as five, and twenty requests
    )
    viewers: int = 400  # that follow games; the other connections are left for pages
    logins: int = 60  # a minute from one address: two classes behind one router
    all_logins: int = 600  # a minute in all: to look at a proof takes under a millisecond
    idle: float = 15.0  # that a connection may take for a whole request, and between two
    handover: float = 20.0  # that a client may take to read what it is sent
    keepalive: float = 60.0  # after which a connection that leads nowhere any more is found
    heartbeat: float = 15.0  # between two signs of life on a quiet stream, under the patience of any proxy
    head: int = 8 * 1024  # bytes of a request's head; browsers send under 2 kB
    pace: float = 0.04  # between two pieces of news for one viewer: 25 pictures a second look smooth
    share: float = (
        0.0005  # added to the pace for each viewer, so that sending takes a fifth of the loop at most
    )
    slice: float = 0.003  # of work on a film in one go: what a move may have to wait for it
    rest: float = 0.009  # between two slices while games are played, so that films take a quarter at most
    films: int = 64  # that are open at once; one address may have half of them
    film_bytes: int = 64 * 1024 * 1024  # of all films together; a game has one to five megabytes
    listed: int = 200  # games that are over and listed
    stale: float = 1.0  # that a list may be old: it is made once for all who ask meanwhile
