"""The settings of a server. Every bound has its reason beside it; docs/protocol.md tells those a client meets."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from protocol.framing import MAX_CLIENT_LINE
from protocol.messages import Clock, Limits, Rules


@dataclass(frozen=True, slots=True)
class Offer:
    """The game that the queue plays."""

    seats: int = 4
    rules: Rules = field(default_factory=Rules)


@dataclass(frozen=True, slots=True)
class Config:
    """All settings; times are in seconds."""

    host: str = "127.0.0.1"  # loopback, until an organiser says otherwise
    port: int = 7171
    data: Path = Path("arena-data")  # records of games
    cert: Path | None = None
    key: Path | None = None
    tokens: dict[str, str] = field(default_factory=dict)  # name to token; these names need theirs
    only_tokens: bool = False  # whether names without a token are refused
    offer: Offer = field(default_factory=Offer)
    clock: Clock = field(default_factory=lambda: Clock(move=10.0, bank=60.0, increment=0.5, grace=0.1))
    seeds: bool = True  # whether a client may name the seed of its table
    durable: bool = False  # sync every line of a record

    line: int = MAX_CLIENT_LINE
    tries: int = 3  # wrong answers to one request; then its default is played
    faults: int = 3  # faults of a seat in one game; then it is retired
    ready: float = 30.0  # from `start` to `ready`: a bot may load a model meanwhile (S007)
    resume: float = 30.0  # that a seat may be without a connection, in all, in one game
    hello: float = 10.0  # from the connection to `hello`
    handover: float = 10.0  # that a client may take to read what it is sent
    rate: int = 200  # messages per second, besides answers to requests
    burst: int = 400  # messages at once
    floods: int = 50  # messages dropped in a row after which a connection is ended
    bytes: int = 64 * 1024  # per second: to refuse a hostile line of this length takes up to 10 ms
    bytes_burst: int = 256 * 1024  # bytes at once; whoever sends more is read more slowly
    fill: float = 20.0  # that a shipped bot may take to come to its table
    fill_price: int = (
        100  # messages that asking for one shipped bot counts for: to start it takes half a second
    )
    games: int = 32  # seats that one connection may hold
    tables: int = 200  # open tables in all
    connections: int = 2000  # in all; each needs a file descriptor and about 100 kB
    names: int = 4000  # clients that are remembered, connected or waiting to resume
    logins: int = 5  # wrong tokens or keys on one connection
    outbox: int = 4 * 1024 * 1024  # bytes that may wait for one connection: over a second of the widest views
    watchers: int = 1000  # of one game
    history: int = 500  # public events that a watcher may have missed and still be sent one by one

    def limits(self) -> Limits:
        """What `welcome` tells."""
        return Limits(
            line=self.line,
            tries=self.tries,
            faults=self.faults,
            ready=self.ready,
            resume=self.resume,
            games=self.games,
            rate=self.rate,
        )
