"""The settings of a server: what each means, its bounds, its default, and the reason beside it.

A field is at once a key of the configuration file (`config_file`), an option of `arena serve`, and a row of
docs/organisers.md; docs/protocol.md tells those that a client meets.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field

from protocol.framing import MAX_CLIENT_LINE
from protocol.messages import Clock, Limits, Rules


def _without_zero_byte(path: Path) -> Path:
    if "\0" in str(path):
        raise ValueError("no path has a zero byte")
    return path


def _possible_name(host: str) -> str:
    try:
        host.encode("idna")
    except UnicodeError:
        raise ValueError("no machine has this name: its parts have 1 to 63 letters") from None
    if "\0" in host:
        raise ValueError("no machine has a name with a zero byte")
    return host


Place = Annotated[Path, AfterValidator(_without_zero_byte)]
Host = Annotated[str, Field(min_length=1), AfterValidator(_possible_name)]
Seconds = Annotated[float, Field(ge=0, le=86_400, allow_inf_nan=False)]
Wait = Annotated[float, Field(ge=0.01, le=86_400, allow_inf_nan=False)]  # seconds; in less nobody could do it
MIN_MOVE = 0.05  # seconds a clock must give for each move: below it the network decides
Some = Annotated[int, Field(ge=1, le=1_000_000_000)]


@dataclass(frozen=True, slots=True)
class Offer:
    """The game that the queue plays."""

    seats: Annotated[int, Field(ge=2, le=6)] = 4
    rules: Rules = field(default_factory=Rules)


@dataclass(frozen=True, slots=True)
class Config:
    """All settings; times are in seconds."""

    host: Annotated[Host, Field(description="The address to listen on.")] = (
        "127.0.0.1"  # loopback, until an organiser says otherwise
    )
    port: Annotated[int, Field(ge=0, le=65535, description="The port; 0 takes a free one.")] = 7171
    data: Annotated[Place, Field(description="The folder for the records of games.")] = Path("arena-data")
    continues: Annotated[
        bool,
        Field(description="Have the folder alone, and go on with the games that were broken off in it."),
    ] = True
    cert: Annotated[
        Place | None, Field(description="The certificate chain (PEM): speak TLS, and nothing else.")
    ] = None
    key: Annotated[Place | None, Field(description="The private key (PEM) of the certificate.")] = None
    tokens: Annotated[
        Place | None,
        Field(description="The file of tokens, which `arena token` writes: these names need theirs."),
    ] = None
    only_tokens: Annotated[bool, Field(description="Refuse names without a token.")] = False
    offer: Offer = field(default_factory=Offer)
    clock: Clock = field(default_factory=lambda: Clock(move=10.0, bank=60.0, increment=0.5, grace=0.1))
    seeds: Annotated[
        bool,
        Field(description="Whether clients may name the seed of their table; the others there are told."),
    ] = True
    reveal: Annotated[
        bool,
        Field(
            description="Whether `end` tells the seed of the deal; if not, the pages keep it and the hands back too,"
            " and nobody but the owner reads the records."
        ),
    ] = True
    durable: Annotated[bool, Field(description="Sync each line of a record to the disk.")] = False

    # The pages, for those who watch in a browser (`arena.web`).
    http: Annotated[bool, Field(description="Whether there are pages.")] = True
    http_host: Annotated[Host, Field(description="The address of the pages.")] = (
        "127.0.0.1"  # loopback, as for `host`
    )
    http_port: Annotated[int, Field(ge=0, le=65535, description="Their port; 0 takes a free one.")] = 7180
    reveal_after: Annotated[
        Seconds | None,
        Field(description="Seconds after which they show hands and all else; unset: when a game is over."),
    ] = None
    http_connections: Annotated[Some, Field(description="Connections to the pages in all.")] = (
        512  # each needs a file descriptor and about 60 kB
    )
    http_per_address: Annotated[Some, Field(description="Of these, those from one address.")] = (
        200  # thirty browsers, each with the six that it opens at most
    )
    http_rate: Annotated[Some, Field(description="Requests a second from one address.")] = (
        100  # a page that shows the list asks every 1.5 s: over a hundred browsers
    )
    http_burst: Annotated[
        Some, Field(description="Requests at once from one address; to agree on TLS counts as five.")
    ] = 3000  # sixty browsers in one moment: of each six handshakes of TLS, which count as five, and twenty requests
    http_logins: Annotated[
        Some, Field(description="Logins of owners of seats a minute, from one address.")
    ] = 60
    http_all_logins: Annotated[Some, Field(description="The same in all.")] = (
        600  # no proof can be guessed, but to look at one costs the machine time
    )
    viewers: Annotated[Some, Field(description="Of these, those that follow a game.")] = (
        400  # the others are left for pages
    )
    http_films: Annotated[
        int, Field(ge=2, le=10_000, description="Games that are shown at once, each viewpoint counted.")
    ] = 64  # of one to five megabytes each; one address may have half of them

    # What a seat may do.
    tries: Annotated[int, Field(ge=1, le=1000, description="Wrong answers to one request.")] = (
        3  # then its default is played
    )
    faults: Annotated[Some, Field(description="Faults of a seat in one game; then it is retired.")] = 3
    ready: Annotated[Wait, Field(description="Seconds from `start` to `ready`.")] = (
        30.0  # a bot may load a model meanwhile (S007)
    )
    resume: Annotated[Seconds, Field(description="Seconds without a connection, in all, in one game.")] = 30.0

    comeback: Annotated[
        Seconds, Field(description="Seconds to come back to a server that was started again.")
    ] = 120.0
    drain: Annotated[
        Seconds,
        Field(description="Seconds from the signal to stop until the games that still run are suspended."),
    ] = 30.0

    # What a connection may do.
    connections: Annotated[Some, Field(description="Connections in all.")] = (
        2000  # each needs a file descriptor and about 100 kB
    )
    per_address: Annotated[Some, Field(description="Connections from one address.")] = (
        500  # a class of students behind one router; far under `connections`
    )
    hello: Annotated[Wait, Field(description="Seconds from the connection to `hello`, TLS included.")] = 10.0
    line: Annotated[int, Field(ge=1024, le=2**24, description="Bytes of a client's line.")] = MAX_CLIENT_LINE
    rate: Annotated[
        int, Field(ge=1, le=1_000_000, description="Messages per second, answers to requests not counted.")
    ] = 200
    burst: Annotated[Some, Field(description="Messages at once; those over it are dropped.")] = 400
    address_rate: Annotated[
        Some,
        Field(
            description="Messages per second from one address; connections, seats and each 4 KiB count as such."
        ),
    ] = 1000  # the dearest take 0.3 ms, so that one address has a third of the loop at most
    address_burst: Annotated[Some, Field(description="These at once.")] = (
        10_000  # a restart, after which 500 bots of one address come back at once
    )
    floods: Annotated[Some, Field(description="Dropped messages in a row that end a connection.")] = 50
    bytes: Annotated[Some, Field(description="Bytes per second; more are read more slowly.")] = (
        64 * 1024  # to refuse a hostile line of this length takes up to 1 ms
    )
    bytes_burst: Annotated[Some, Field(description="Bytes at once.")] = 256 * 1024
    idle: Annotated[
        Seconds,
        Field(description="Seconds without a word from one who neither plays nor watches, and has no token."),
    ] = 600.0
    keepalive: Annotated[
        int,
        Field(
            ge=1,
            le=65_534,
            description="Seconds after which a connection that leads nowhere any more is found.",
        ),
    ] = 60
    logins: Annotated[Some, Field(description="Wrong tokens or keys on one connection.")] = 5
    handover: Annotated[
        Wait,
        Field(description="Seconds that a client may take to read what it is sent; clocks run meanwhile."),
    ] = 10.0
    outbox: Annotated[
        int, Field(ge=8192, le=1_000_000_000, description="Bytes that may wait for one connection.")
    ] = (
        4 * 1024 * 1024  # over a second of the widest views
    )
    games: Annotated[int, Field(ge=1, le=10_000, description="Seats that one connection may hold.")] = 32

    # What all together may do.
    all_games: Annotated[Some, Field(description="Games that are played at once, in all.")] = (
        1000  # each needs a file descriptor, of which there is one for every two of `connections`
    )
    begins: Annotated[
        Some,
        Field(description="Tables opened, and places in the queue taken, in a minute from one address."),
    ] = 600  # each game leaves a record for ever: 4 kB even if nobody plays it
    share: Annotated[
        float,
        Field(
            ge=0.01,
            le=1,
            allow_inf_nan=False,
            description="The part of games, tables and shipped bots that one address may have.",
        ),
    ] = 0.5  # so that nobody locks all others out
    tables: Annotated[Some, Field(description="Open tables in all.")] = 200
    names: Annotated[Some, Field(description="Clients that are remembered, connected or not.")] = 4000
    fill: Annotated[
        Seconds, Field(description="Seconds that a shipped bot may take to come to its table.")
    ] = 60.0  # a busy machine needs 20 to start one; of one that has ended already it is known at once
    bots: Annotated[Some, Field(description="Shipped bots that play at once.")] = 64  # of about 40 MB each
    fill_price: Annotated[Some, Field(description="Messages that asking for one shipped bot counts for.")] = (
        100  # to start it takes half a second
    )
    join_price: Annotated[Some, Field(description="Messages that a `join` counts for.")] = (
        10  # to begin a game takes as long as thirty
    )
    listed: Annotated[
        Some, Field(description="Tables and games that a `list` may name for the price of one message.")
    ] = 20
    watchers: Annotated[Some, Field(description="Watchers of one game.")] = 1000
    lookers: Annotated[Some, Field(description="Connections of its owner that look from one seat.")] = 8
    suspect: Annotated[
        Seconds, Field(description="Seconds in one piece that the server may stand still during a game.")
    ] = 1.0  # no move is charged for it, but nobody knows what the programs did meanwhile
    backlog: Annotated[
        Some,
        Field(description="Bytes that may wait for a watcher before it is passed over, until it has read."),
    ] = 128 * 1024  # several seconds of one fast game
    history: Annotated[
        Some, Field(description="Public events that a watcher may have missed and still get one by one.")
    ] = 500

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
