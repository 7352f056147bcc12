"""Who is logged in: a client outlives its connection, so that a lost one can be resumed."""

from __future__ import annotations

import hmac
import secrets
from typing import TYPE_CHECKING

import trio

from protocol import ErrorCode, PhaseError, name_key

if TYPE_CHECKING:
    from arena.server.config import Config
    from arena.server.connections import Connection
    from arena.server.lobby import Table
    from arena.server.seats import Seat


class Client:
    """One player. `connection` is None while it is lost."""

    def __init__(self, name: str, connection: Connection) -> None:
        self.name = name
        self.key = secrets.token_urlsafe(24)
        self.connection: Connection | None = connection
        self.seats: dict[str, Seat] = {}  # by game id, while the game runs
        self.tables: dict[str, Table] = {}  # that it waits at, by table id

    @property
    def holds(self) -> int:
        """Seats it has, at tables and in games."""
        return len(self.seats) + len(self.tables)


class Clients:
    """All clients by the key of their name, so that look-alikes count as one (S077)."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._by_name: dict[str, Client] = {}
        self._tokens = {name_key(name): token for name, token in config.tokens.items()}
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
        """Whether nobody has this name and it needs no token."""
        key = name_key(name)
        return key not in self._by_name and key not in self._tokens

    def reserve(self, name: str, token: str) -> None:
        """For a while this name needs this token: so that nobody takes a shipped bot's seat."""
        self._tokens[name_key(name)] = token

    def release(self, name: str) -> None:
        """The name is free again, unless it stands in the configuration."""
        key = name_key(name)
        configured = {name_key(other): token for other, token in self._config.tokens.items()}
        if key in configured:
            self._tokens[key] = configured[key]
        else:
            self._tokens.pop(key, None)

    def log_in(self, name: str, token: str | None, resume: str | None, connection: Connection) -> Client:
        """The client of this name, new or resumed; raises `PhaseError` and changes nothing if it is refused."""
        key = name_key(name)
        wanted = self._tokens.get(key)
        known = self._by_name.get(key)
        if resume is not None:
            if known is None or not hmac.compare_digest(known.key.encode(), resume.encode()):
                raise PhaseError(
                    ErrorCode.BAD_RESUME,
                    f"the resume key is not the one of {name}, or its time is over; log in without it",
                )
            return known
        if (wanted is not None or self._config.only_tokens) and not hmac.compare_digest(
            (wanted or "").encode(), (token or "").encode() or b" "
        ):
            raise PhaseError(
                ErrorCode.BAD_TOKEN,
                f"the name {name} needs its token; ask the organiser for it or take another name",
            )
        if known is not None and known.connection is None and wanted is not None:
            return known  # the token proves as much as the resume key
        if known is not None:
            raise PhaseError(
                ErrorCode.NAME_TAKEN,
                f"the name {name} is in use, or one like it; take another, or resume with the key of its welcome",
            )
        if len(self._by_name) >= self._config.names:
            raise PhaseError(
                ErrorCode.SERVER_FULL, "the server knows as many clients as it can; come back later"
            )
        client = Client(name, connection)
        self._by_name[key] = client
        return client

    def forget(self, client: Client) -> None:
        """The client is gone for good; its name is free."""
        key = name_key(client.name)
        if self._by_name.get(key) is client:
            del self._by_name[key]
