"""Who is logged in: a client outlives its connection, so that a lost one can be resumed."""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING

import trio

from arena.server.tokens import Role, Tokens, hashed
from protocol import ErrorCode, PhaseError, name_key

if TYPE_CHECKING:
    from arena.server.config import Config
    from arena.server.connections import Connection
    from arena.server.lobby import Table
    from arena.server.seatfiles import KeptSeat
    from arena.server.seats import Seat
    from protocol.messages import Part


@dataclass(frozen=True, slots=True)
class Ownership:
    """That somebody owns a name, shown by the hash of its token or of its resume key; `name` is the name's key."""

    name: str
    token: str | None = field(default=None, repr=False)
    resume: str | None = field(default=None, repr=False)

    def owns(self, seat: Seat) -> bool:
        """Whether the seat is theirs: a key opens no seat of another who had the same name before."""
        if name_key(seat.name) != self.name:
            return False
        if self.resume is None:
            return True
        return seat.client is not None and hmac.compare_digest(seat.client.key_hash, self.resume)


class News:
    """The `end` of a game that a client has perhaps not heard; `heard` is set when it must have."""

    def __init__(self, line: bytes) -> None:
        self.line = line
        self.heard = trio.Event()


class Client:
    """One player. `connection` is None while it is lost.

    Of one that an earlier server knew only the hash of the key is known, until it comes back; then `key` is "".
    """

    def __init__(
        self,
        name: str,
        connection: Connection | None,
        role: Role = Role.PLAYER,
        key_hash: str = "",
        *,
        token_hash: str | None = None,
        looks: Ownership | None = None,
    ) -> None:
        """`token_hash`: of the token of the file with which it has logged in, None: without one. `looks`: it is
        logged in beside the player of its name by this proof, and only watches.
        """
        self.name = name
        self.looks = looks
        self.role = role
        self.token_hash = token_hash
        self.key = ""
        self.key_hash = key_hash
        if not key_hash:
            self.draw_key()
        self.connection = connection
        self.origin = connection.origin if connection is not None else None  # of its last connection
        self.news: dict[str, News] = {}  # by game id
        self.seats: dict[str, Seat] = {}  # by game id, while the game runs
        self.tables: dict[str, Table] = {}  # that it waits at, by table id

    @property
    def holds(self) -> int:
        """Seats it has, at tables and in games."""
        return len(self.seats) + len(self.tables)

    def send(self, message: Part) -> None:
        """Queue a message; while the connection is lost nobody is told."""
        if self.connection is not None:
            self.connection.send(message)

    def speaks(self) -> None:
        """A message has come after `hello`: so its connection was alive, and it has heard the news."""
        for news in self.news.values():
            news.heard.set()

    def part(self) -> None:
        """It has gone in order, and does not come back for news."""
        self.speaks()
        self.news.clear()

    def draw_key(self) -> None:
        """A new resume key, for one who has none."""
        self.key = secrets.token_urlsafe(24)  # so long that its hash needs no salt
        self.key_hash = hash_of(self.key)

    def has_key(self, key: str) -> bool:
        """Whether this is the resume key."""
        return hmac.compare_digest(self.key_hash, hash_of(key))


def hash_of(key: str) -> str:
    """What is kept of a resume key on the disk."""
    return sha256(key.encode()).hexdigest()


class Clients:
    """All clients by the key of their name, so that look-alikes count as one (S077)."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._by_name: dict[str, Client] = {}
        self.tokens = Tokens(config.tokens, only=config.only_tokens)
        self._login = trio.Event()

    async def next_login(self) -> None:
        """Wait until somebody logs in."""
        await self._login.wait()

    def logged_in(self) -> None:
        """Somebody has logged in: wake who waits for it."""
        self._login.set()
        self._login = trio.Event()

    def __len__(self) -> int:
        return len(self._by_name)

    def named(self, name: str) -> Client | None:
        """The client of this name, if there is one."""
        return self._by_name.get(name_key(name))

    def is_free(self, name: str) -> bool:
        """Whether nobody has this name and no token is bound to it."""
        return name_key(name) not in self._by_name and not self.tokens.has(name)

    def log_in(self, name: str, token: str | None, resume: str | None, connection: Connection) -> Client:
        """The client of this name, new or resumed; raises `PhaseError` and changes nothing if it is refused.

        One that is resumed with another token than before, or after a restart with any, has no key yet.
        """
        key = name_key(name)
        known = self._by_name.get(key)
        if resume is not None:
            if known is None or not known.has_key(resume):
                raise PhaseError(
                    ErrorCode.BAD_RESUME,
                    f"the resume key is not the one of {name}, or its time is over; log in without it",
                )
            known.role = self.tokens.role_again(known.name, known.token_hash)
            known.key = resume
            return known
        role, token_hash = self.tokens.role_of(name, token), self.tokens.bound_to(name)
        if known is not None and known.connection is None and self.tokens.has(name):
            if known.token_hash is None and token_hash is not None:  # it was somebody's without a token
                known.key = ""
            known.role, known.token_hash = role, token_hash
            return known  # the token proves as much as the resume key
        if known is not None and known.connection is None and not known.holds:
            self.forget(known)  # it could only have heard how its last game ended
        elif known is not None:
            raise PhaseError(
                ErrorCode.NAME_TAKEN,
                f"the name {name} is in use, or one like it; take another, or resume with the key of its welcome",
            )
        if len(self._by_name) >= self._config.names:
            raise PhaseError(
                ErrorCode.SERVER_FULL,
                f"the server remembers {self._config.names} clients, which is its limit (`names`); come back later",
            )
        client = Client(name, connection, role, token_hash=token_hash)
        self._by_name[key] = client
        return client

    def look(self, name: str, token: str | None, resume: str | None, connection: Connection) -> Client:
        """Somebody who proves to own this name, beside whoever plays under it; raises `PhaseError`."""
        return Client(name, connection, looks=self.prove(name, token, resume))

    def prove(self, name: str, token: str | None, resume: str | None) -> Ownership:
        """The proof that the name is one's own: its token, or the resume key of who plays; raises `PhaseError`.

        A token proves nothing for a name that is not bound to one: whoever takes that name next would have it.
        """
        if token is not None and self.tokens.has(name):
            self.tokens.role_of(name, token)
            return Ownership(name_key(name), token=hashed(token))
        known = self.named(name)
        if resume is not None and known is not None and known.has_key(resume):
            self.tokens.role_again(known.name, known.token_hash)
            return Ownership(name_key(name), resume=known.key_hash)
        if token is not None:  # where names without a token are refused, in the words for the others
            self.tokens.role_of(name, token)
        if resume is not None:
            raise PhaseError(
                ErrorCode.BAD_RESUME, f"the resume key is not the one of {name}, or its time is over"
            )
        raise PhaseError(
            ErrorCode.BAD_TOKEN,
            f"the name {name} is bound to no token here; prove that it is yours by the resume key of its welcome",
        )

    def holds(self, proof: Ownership) -> bool:
        """Whether a proof is still one: the token is not revoked and has not ended, or the key is still in use."""
        if proof.token is not None:
            return self.tokens.is_token(proof.name, proof.token)
        known = self._by_name.get(proof.name)
        if known is None or not hmac.compare_digest(known.key_hash, proof.resume or ""):
            return False
        try:
            self.tokens.role_again(known.name, known.token_hash)
        except PhaseError:
            return False
        return True

    def expect(self, seat: KeptSeat) -> Client | None:
        """The client of an earlier server that had this seat.

        None if it has given the seat up, if the name belongs to another key, or if its token has been revoked
        meanwhile (`has_lost`).
        """
        if seat.key is None or self.has_lost(seat):
            return None
        client = Client(seat.name, None, key_hash=seat.key, token_hash=self._token_of(seat))
        client = self._by_name.setdefault(name_key(seat.name), client)
        return client if hmac.compare_digest(client.key_hash, seat.key) else None

    def has_lost(self, seat: KeptSeat) -> bool:
        """Whether the name has been taken from who had this seat since an earlier server has written it down."""
        return self.tokens.took(seat.name, self._token_of(seat))

    def _token_of(self, seat: KeptSeat) -> str | None:
        """An older release has kept none: then it counts as the one that the name has now."""
        return seat.token if "token" in seat.model_fields_set else self.tokens.bound_to(seat.name)

    def forget_if_gone(self, client: Client) -> None:
        """Forget the client if nothing is left that it could come back for."""
        if client.connection is None and not client.seats and not client.news:
            self.forget(client)

    def forget(self, client: Client) -> None:
        """The client is gone for good; its name is free."""
        key = name_key(client.name)
        if self._by_name.get(key) is client:
            del self._by_name[key]
