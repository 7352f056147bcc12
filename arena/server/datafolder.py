"""What a server keeps on the disk: the records of games, and beside them who may come back to those that run.

    DATA/games/ID.jsonl    records, which are never removed
    DATA/games/ID.torn     what was torn off the end of a record; all of it, if the first line was torn
    DATA/seats/ID.json     one for each game that runs, or has just ended
    DATA/server.lock       locked by the one server of the folder; holds its process id

With `continues` off in the configuration there are only records, and others may use the folder too.
"""

from __future__ import annotations

import fcntl
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import structlog

from arena.game import Catalogue
from arena.records import Header, Journal, JournalError, UnreadableRecord, torn_path
from arena.records.lines import MAX_LINE
from arena.regular import open_regular, read_regular
from arena.server.config import Config
from arena.server.referee import Referee
from arena.server.reopening import Reopened, reopen
from arena.server.seatfiles import KeptSeat, Retirement, SeatFile, SeatFiles
from arena.server.seats import Seat

LOCK = "server.lock"
GONE = "has been removed or replaced since the server was started; start it again"


class FolderUnusable(OSError):
    """There can be no server in this data folder; one sentence."""


class FolderInUse(FolderUnusable):
    """Another server has this data folder; one sentence."""


class DataFolder:
    """The data folder of one server. `bots` tells which shipped bot plays under a name.

    `private` tells whether only its owner may read a record when its game is over, too; `room` how many records there
    are descriptors for.
    """

    def __init__(self, config: Config) -> None:
        self.path = config.data
        self.games = config.data / "games"
        self.bots: dict[str, str] = {}
        self.private = not config.reveal
        self.room = sys.maxsize
        self.log = structlog.get_logger()
        self._config = config
        self._lock = -1  # the descriptor of the lock, while the folder is held
        self._seats = SeatFiles(config.data / "seats", durable=config.durable)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep other servers out of the folder; raises `FolderUnusable`."""
        if not self._config.continues:
            yield
            return
        try:
            fd = self._open_lock()
        except OSError as error:
            raise self._unusable(error) from None
        try:
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise FolderInUse(
                    f"the data folder {self.path} is used by another server, process {owner_of(fd)};"
                    " stop that one or name another folder"
                ) from None
            os.ftruncate(fd, 0)
            with suppress(OSError):  # no room: then nobody is told who has it
                os.write(fd, b"%d\n" % os.getpid())
            self._lock = fd
            yield
        finally:
            self._lock = -1
            os.close(fd)

    def user(self) -> str | None:
        """The process of the server that has the folder, as it has written it; None if there is none.

        Changes nothing; raises `FolderUnusable`.
        """
        if not self._config.continues:
            return None
        try:
            fd = open_regular(self.path / LOCK, os.O_RDWR)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise self._unusable(OSError(error.errno, f"its {LOCK}: {error.strerror}")) from None
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return owner_of(fd)
        finally:
            os.close(fd)
        return None

    def _unusable(self, error: OSError) -> FolderUnusable:
        return FolderUnusable(
            f"the data folder {self.path} cannot be used: {error.strerror or error}; name another folder"
        )

    def _open_lock(self) -> int:
        self.path.mkdir(parents=True, exist_ok=True)
        try:
            return open_regular(self.path / LOCK, os.O_RDWR | os.O_CREAT)
        except OSError as error:
            raise OSError(error.errno, f"its {LOCK}: {error.strerror}") from None

    @property
    def is_gone(self) -> bool:
        """Whether the folder, or its lock, has been removed or replaced, so that another server might have it."""
        if self._lock < 0:
            return False
        try:
            there = os.stat(self.path / LOCK)
        except FileNotFoundError:
            return True
        except OSError:  # it cannot be told now
            return False
        return not os.path.samestat(there, os.fstat(self._lock))

    def begin(self, header: Header, seats: list[Seat], table: str | None) -> Journal:
        """Begin the record of a game; raises `JournalError`, and nothing is left behind."""
        if not self._config.continues:
            return self._create(header)
        if self.is_gone:
            raise JournalError(f"the data folder {self.path} {GONE}")
        try:
            self._seats.keep(
                header.game, self._file_of(header.game, seats, table)
            )  # first: else nobody would go on with the record
            return self._create(header)
        except JournalError:
            self.forget(header.game)
            raise

    def keep(self, referee: Referee) -> None:
        """Write down who may come back to a game; raises `JournalError`."""
        if self._config.continues:
            table = referee.audience.table
            self._seats.keep(
                referee.id, self._file_of(referee.id, referee.seats, table, referee.started, referee.retired)
            )

    def forget(self, game_id: str) -> None:
        """The game is over."""
        try:
            self._seats.forget(game_id)
        except OSError as error:
            self.log.error("seats-not-forgotten", game=game_id, error=str(error))

    def has(self, game_id: str) -> bool:
        """Whether there is a record of this game."""
        return (self.games / f"{game_id}.jsonl").is_file()

    def left(self, catalogue: Catalogue) -> Iterator[tuple[Reopened, SeatFile]]:
        """The games that an earlier server has not finished, open to go on with.

        One that cannot be gone on with is left as it is, and logged as an error at each start; one whose record was
        not begun yet is given up. Raises `FolderUnusable` if the
        folder cannot be read.
        """
        try:
            games = list(self._seats.games())
        except OSError as error:
            raise FolderUnusable(
                f"the data folder {self.path} cannot be read: {error.strerror or error}; name another folder"
            ) from None
        opened = 0
        for game_id in games:
            path = self.games / f"{game_id}.jsonl"
            try:
                kept = self._seats.read(game_id)
                if not is_there(path):
                    if kept.started:
                        raise UnreadableRecord(
                            f"there is no {path}; bring it back, or remove the file of seats"
                        )
                    self.forget(game_id)  # killed before the record was begun: nobody was told of the game
                    continue
                if not kept.started and not has_header(path):
                    self._give_up(game_id, path)
                    continue
                reopened = reopen(path, kept, catalogue, self._config)
                if reopened.journal is not None and opened >= self.room:
                    reopened.journal.close()
                    raise UnreadableRecord(
                        f"there are file descriptors for {opened} games; raise their limit (`ulimit -Hn`), start again"
                    )
            except (ValueError, OSError) as error:
                self.log.error("game-not-resumed", game=game_id, error=str(error))
            except Exception:  # ours: it must not keep the other games from going on
                self.log.exception("game-not-resumed", game=game_id)
            else:
                opened += reopened.journal is not None
                yield reopened, kept

    def _give_up(self, game_id: str, path: Path) -> None:
        """Killed while the first line was written: no choice had been accepted, and nobody had been told of the game.

        Nothing that was written is removed.
        """
        torn = torn_path(path) if path.stat().st_size else None
        if torn is not None:
            path.rename(torn)
        else:
            path.unlink()
        self.forget(game_id)
        self.log.warning("game-not-begun", game=game_id, kept=str(torn) if torn is not None else None)

    def _create(self, header: Header) -> Journal:
        try:
            self.games.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise JournalError(f"{self.games} cannot be made: {error.strerror or error}") from None
        path = self.games / f"{header.game}.jsonl"
        return Journal.create(path, header, durable=self._config.durable, private=self.private)

    def _file_of(
        self,
        game_id: str,
        seats: list[Seat],
        table: str | None,
        started: bool = False,
        retired: Sequence[Retirement] = (),
    ) -> SeatFile:
        return SeatFile(
            game=game_id,
            table=table,
            started=started,
            seats=tuple(
                KeptSeat(
                    name=seat.name,
                    key=seat.client.key_hash if seat.client is not None else None,
                    token=seat.client.token_hash if seat.client is not None else None,
                    views=seat.views,
                    samples=seat.samples,
                    bot=self.bots.get(seat.name),
                )
                for seat in seats
            ),
            retired=tuple(retired),
        )


def owner_of(lock: int) -> str:
    """The process id that stands in the open file of a lock."""
    return os.read(lock, 20).decode("ascii", "replace").strip() or "unknown"


def is_there(path: Path) -> bool:
    """Whether there is anything of this name, be it a link that leads nowhere; raises `OSError` if it is not known."""
    try:
        path.lstat()
    except FileNotFoundError:
        return False
    return True


def has_header(path: Path) -> bool:
    """Whether a record has a whole first line, or is more than a kill in the middle of it leaves."""
    head = read_regular(path, MAX_LINE + 1)
    return b"\n" in head or len(head) > MAX_LINE
