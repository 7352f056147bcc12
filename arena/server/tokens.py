"""Who may log in under which name, and as what: a file of hashed tokens, to which lines are only added.

    {"name":"Ada","role":"player","made":"2026-03-01T12:00:00Z","ends":null,"sha256":"9f86..."}

The last line about a name counts; one without a hash revokes. A name that has had a token stays bound: without a
new one nobody gets it. Tokens are drawn here, 192 bits each, so a plain SHA-256 is enough to hide them: there is
nothing to guess that a slow hash would protect.
"""

from __future__ import annotations

import fcntl
import hashlib
import hmac
import os
import secrets
from collections.abc import Callable
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final

import structlog
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from arena.regular import open_regular, read_regular
from protocol import ErrorCode, PhaseError, name_key, quote
from protocol.fields import Hash, Name

MAX_FILE: Final = 16 * 1024 * 1024  # bytes: about 80,000 tokens
BITS: Final = 192
NO_HASH: Final = "-" * 64  # as long as a hash, and none


class Role(StrEnum):
    """What the holder of a token may do."""

    PLAYER = "player"  # whatever a name without a token may
    ORGANISER = "organiser"  # also name seeds and watch where others may not
    SPECTATOR = "spectator"  # watch only


class Entry(BaseModel):
    """One line of the file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Name
    role: Role = Role.PLAYER
    made: AwareDatetime
    ends: AwareDatetime | None = None
    sha256: Annotated[Hash | None, Field(repr=False)] = None  # None: revoked

    def ended(self, now: datetime) -> bool:
        """Whether its time is over."""
        return self.ends is not None and self.ends <= now


class TokenFileError(Exception):
    """The file of tokens cannot be used; the sentence says where it is wrong."""


class TokenFile:
    """The tokens on the disk, in the order in which their names were first seen.

    A line that was there at the last reading is not checked again: to do so takes 30 microseconds, and the loop of a
    server has no second to spare whenever one of tens of thousands is made.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._known: dict[bytes, tuple[str, Entry]] = {}  # the key of the name and the entry, by the line

    def read(self) -> dict[str, Entry]:
        """The last entry of each name, by the key of the name; raises `TokenFileError`."""
        try:
            data = read_regular(self.path, MAX_FILE + 1)
        except OSError as error:
            raise TokenFileError(
                f"the token file {self.path} cannot be read: {error.strerror or error}"
            ) from None
        if len(data) > MAX_FILE:
            raise TokenFileError(
                f"the token file {self.path} is over {MAX_FILE:,} bytes; is it the right one?"
            )
        entries: dict[str, Entry] = {}
        lines: dict[bytes, tuple[str, Entry]] = {}
        for number, line in enumerate(data.splitlines(), 1):
            if line.strip():
                key, entry = lines[line] = self._known.get(line) or self._entry(number, line)
                entries[key] = entry
        self._known = lines
        return entries

    def create(self, name: str, role: Role, ends: datetime | None, now: datetime) -> str:
        """Add a token for this name, and return it: it is shown once and stored nowhere.

        Raises `TokenFileError` if the name, or one like it, has a token that still holds.
        """
        token = secrets.token_urlsafe(BITS // 8)
        with _Locked(self.path) as lock:
            known = self.read().get(name_key(name))
            if known is not None and known.sha256 is not None and not known.ended(now):
                raise TokenFileError(f"{known.name} has a token already; revoke it first to make another")
            lock.add(Entry(name=name, role=role, made=now, ends=ends, sha256=hashed(token)))
        return token

    def revoke(self, name: str, now: datetime) -> Entry:
        """End the token of this name; raises `TokenFileError` if it has none."""
        with _Locked(self.path) as lock:
            known = self.read().get(name_key(name))
            if known is None or known.sha256 is None:
                raise TokenFileError(
                    f"{quote(name)} has no token in {self.path}; `arena token list` shows those it has"
                )
            lock.add(known.model_copy(update={"made": now, "ends": None, "sha256": None}))
        return known

    def _entry(self, number: int, line: bytes) -> tuple[str, Entry]:
        try:
            entry = Entry.model_validate_json(line)
        except ValidationError:  # whose text might quote what stands there
            raise TokenFileError(
                f"{self.path}, line {number}, is no token; let `arena token create` write the lines"
            ) from None
        return name_key(entry.name), entry


class _Locked:
    """The file, open for adding lines, while nobody else adds any."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> _Locked:
        try:
            flags = os.O_RDWR | os.O_CREAT | os.O_APPEND
            self._fd = open_regular(self._path, flags, 0o600)  # hashes too are nobody's business
            fcntl.flock(self._fd, fcntl.LOCK_EX)
        except OSError as error:
            raise TokenFileError(
                f"the token file {self._path} cannot be written: {error.strerror or error}"
            ) from None
        return self

    def add(self, entry: Entry) -> None:
        """Append a line, whole or not at all."""
        size = os.fstat(self._fd).st_size
        line = entry.model_dump_json().encode() + b"\n"
        if size and os.pread(self._fd, 1, size - 1) != b"\n":  # somebody has edited it
            line = b"\n" + line
        try:
            if os.write(self._fd, line) < len(line):
                raise OSError(0, "there is no room")
            os.fsync(self._fd)
        except OSError as error:
            os.ftruncate(self._fd, size)
            raise TokenFileError(f"the token file {self._path} cannot be written: {error.strerror}") from None

    def __exit__(self, *_: object) -> None:
        os.close(self._fd)


class Tokens:
    """What a running server knows of tokens: those of its file, and those that it has lent itself."""

    def __init__(
        self, path: Path | None, *, only: bool, now: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        """`only`: names without a token are refused. Raises `TokenFileError` if the file cannot be read."""
        self._file = TokenFile(path) if path is not None else None
        self._only = only
        self._now = now
        self._lent: dict[str, str] = {}  # hashes by the key of the name
        self._seen = self._state()
        self._entries = self._file.read() if self._file is not None else {}

    def has(self, name: str) -> bool:
        """Whether there is, or was, a token for this name."""
        key = name_key(name)
        return key in self._lent or key in self._entries

    def lend(self, name: str, token: str) -> None:
        """Until `take_back` this name needs this token: so that nobody takes a shipped bot's seat."""
        self.bind(name, hashed(token))

    def bind(self, name: str, sha256: str) -> None:
        """Until `take_back` this name needs the token that has this hash."""
        self._lent[name_key(name)] = sha256

    def take_back(self, name: str) -> None:
        """The name is again what the file says."""
        self._lent.pop(name_key(name), None)

    def role_of(self, name: str, token: str | None) -> Role:
        """What this token makes of who gives it with this name; raises `PhaseError` if it is not the right one.

        Who has not the right one learns whether one was given, and no more: the words are the same for a name that
        has none, whose token is another, and whose token is revoked.
        """
        given = hashed(token) if token is not None else None
        lent = self._lent.get(name_key(name))
        if lent is None:
            return self._role(name, given)
        if not hmac.compare_digest(lent, given or ""):
            raise _not_its_token(name, given)
        return Role.PLAYER

    def role_again(self, name: str, sha256: str | None) -> Role:
        """The role of who comes back by a resume key, having logged in with the token `bound_to` told then.

        Raises `PhaseError` if that token would be refused now. Who has lent a name knows whom to.
        """
        return Role.PLAYER if name_key(name) in self._lent else self._role(name, sha256)

    def _role(self, name: str, given: str | None) -> Role:
        """By the file; `given` is a hash."""
        entry = self._entries.get(name_key(name))
        if entry is None and not self._only:
            return Role.PLAYER
        wanted = (entry.sha256 if entry is not None else None) or NO_HASH
        if not hmac.compare_digest(wanted, given or "") or entry is None:
            raise _not_its_token(name, given)
        if entry.ended(self._now()):
            raise PhaseError(
                ErrorCode.BAD_TOKEN,
                f"the token of {name} has ended on {entry.ends:%Y-%m-%d}; ask the organiser for a new one",
            )
        return entry.role

    def bound_to(self, name: str) -> str | None:
        """The hash of the token that the file has for this name now; None for a name that is lent."""
        key = name_key(name)
        entry = self._entries.get(key)
        return entry.sha256 if entry is not None and key not in self._lent else None

    def took(self, name: str, sha256: str | None) -> bool:
        """Whether the file has taken the name from who logged in with the token of this hash, or with none.

        A token whose time is over takes nothing: it is refused at the next login.
        """
        key = name_key(name)
        entry = self._entries.get(key)
        if self._file is None or key in self._lent:
            return False
        if entry is None:
            return sha256 is not None
        if entry.sha256 is None:
            return True
        return sha256 is not None and not hmac.compare_digest(entry.sha256, sha256)

    def is_token(self, name: str, hash: str) -> bool:
        """Whether this is the hash of the token that the name has now."""
        key = name_key(name)
        lent, entry = self._lent.get(key), self._entries.get(key)
        if lent is not None or entry is None:
            return hmac.compare_digest(lent or NO_HASH, hash)
        return not entry.ended(self._now()) and hmac.compare_digest(entry.sha256 or NO_HASH, hash)

    def refresh(self) -> list[str]:
        """Read the file again if it has changed; returns the keys of the names whose token holds no more.

        A file that has become unreadable changes nothing, and is logged.
        """
        state = self._state()
        if self._file is None or state == self._seen:
            return []
        self._seen = state
        try:
            entries = self._file.read()
        except TokenFileError as error:
            structlog.get_logger().error("tokens-not-read", error=str(error))
            return []
        former, self._entries = self._entries, entries
        structlog.get_logger().info("tokens-read", names=len(entries))
        return [key for key in former | entries if _is_taken(former.get(key), entries.get(key))]

    def _state(self) -> tuple[int, ...]:
        """Changes when the file does."""
        try:
            status = os.stat(self._file.path) if self._file is not None else None
        except OSError:
            status = None
        return (status.st_ino, status.st_size, status.st_mtime_ns) if status is not None else ()


def _is_taken(before: Entry | None, now: Entry | None) -> bool:
    """Whether a change of the file takes a name from whoever had it: with its token, or without if it had none."""
    if before is not None and before.sha256 is not None:
        return now is None or now.sha256 != before.sha256
    return before is None and now is not None and now.sha256 is None


def _not_its_token(name: str, given: str | None) -> PhaseError:
    return PhaseError(
        ErrorCode.BAD_TOKEN,
        f"the name {name} needs its token; ask the organiser for it or take another name"
        if given is None
        else f"the token that was given is not, or no longer, the one of the name {name};"
        " give the whole token of this name, or ask the organiser for a new one",
    )


def hashed(token: str) -> str:
    """How a token is stored and compared."""
    return hashlib.sha256(token.encode()).hexdigest()
