"""The films that are open, and how each grows: from the record of its game, as the choices are written there.

A film is made in small slices between everything else that the loop does, with rests while games are played, and
once for all who watch. A game that is still played is followed by its record, woken by its public stream; what the
film shows is what the stream may tell. Everything else, hands and thinking times, is shown when the game is over,
or later than it happened by a delay that the organiser sets; until then no film of it is made.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import structlog
import trio

from arena.records import Following, RecordError
from arena.web.crier import Crier
from arena.web.films import Film
from arena.web.viewpoints import EVERYTHING, PUBLIC, Viewpoint

if TYPE_CHECKING:
    from arena.game import Catalogue
    from arena.records import Choice, Header, Outcome
    from arena.server.referee import Referee
    from arena.server.streams import Stream
    from arena.web.settings import WebConfig
    from arena.web.shelf import Shelf

READ_AT_ONCE = 64  # choices
LOOK_AGAIN = 0.25  # seconds between two looks at a record that another server writes


class NotShown(Exception):
    """A film that cannot be had; one sentence that says why, and what can be had instead."""


class Unknown(NotShown):
    """There is no such game."""


class Secret(NotShown):
    """It is not released yet."""


class Full(NotShown):
    """Too many films are open."""


class Showing:
    """A film that is open. `status` is loading, waiting (for the players to get ready), live, over, or broken:
    the record ends without a result."""

    def __init__(
        self, game: str, viewpoint: Viewpoint, header: Header, crier: Crier, *, own: bool = False
    ) -> None:
        """`own`: it is shown to the owner of the seat alone, at once."""
        self.own = own
        self.game = game
        self.viewpoint = viewpoint
        self.header = header
        self.film: Film | None = None
        self.status = "loading"
        self.result: Outcome | None = None
        self.problem: str | None = None  # why the film ends early
        self.watched = 0  # by so many viewers
        self.delay = 0.0  # seconds that it is behind
        self.told_at = -math.inf  # when its last moment happened, if it is live
        self._crier = crier
        self._sleepers: dict[trio.Event, None] = {}  # one for each viewer that has seen everything

    @property
    def finished(self) -> bool:
        """Whether nothing more comes."""
        return self.status in ("over", "broken")

    @property
    def moments(self) -> list[bytes]:
        """As far as they are made."""
        return self.film.moments if self.film is not None else []

    @property
    def size(self) -> int:
        """Bytes."""
        return self.film.size if self.film is not None else 0

    async def grown(self) -> None:
        """Wait for more moments or another status."""
        sleeper = trio.Event()
        self._sleepers[sleeper] = None
        try:
            await sleeper.wait()
        finally:
            self._sleepers.pop(sleeper, None)

    def tell(self) -> None:
        """Wake all who wait for more, soon."""
        sleepers, self._sleepers = list(self._sleepers), {}
        self._crier.call(sleepers)


Live = Mapping[str, "Referee"]
"""The games that are played now, by id."""


class Theatre:
    """All showings. `live` are the games of the server, which may be none."""

    def __init__(
        self,
        config: WebConfig,
        nursery: trio.Nursery,
        shelf: Shelf,
        live: Live,
        catalogue: Catalogue | None = None,
        *,
        private: bool = False,
    ) -> None:
        """A `private` theatre is its only viewer's own: it shows everything at once."""
        self._config = config
        self._nursery = nursery
        self._shelf = shelf
        self.live = live
        self._catalogue = catalogue
        self._private = private
        self._showings: dict[tuple[str, Viewpoint, bool], tuple[Showing, trio.CancelScope]] = {}
        self.log = structlog.get_logger()
        self.viewers = 0
        self._crier = Crier()
        nursery.start_soon(self._crier.run)

    @property
    def pace(self) -> float:
        """Seconds between two pieces of news for one viewer."""
        return self._config.pace + self._config.share * self.viewers

    def __len__(self) -> int:
        """How many films are open."""
        return len(self._showings)

    def header(self, game: str) -> Header:
        """The header of a game, without a film; raises `NotShown`."""
        following = self._open(game)
        following.close()
        return following.header

    def reveal_after(self, game: str) -> float | None:
        """Seconds after which everything about a running game is shown; None: when it is over."""
        if self._private:
            return 0.0
        return None if self._shelf.keeps_back(game) else self._config.reveal_after

    def views(self, header: Header) -> tuple[str, ...]:
        """The viewpoints from which a game can be watched now."""
        if self._is_secret(header.game):
            return (str(PUBLIC),)
        seats = [Viewpoint(seat=seat) for seat in range(len(header.seats))]
        return tuple(map(str, (PUBLIC, *seats, EVERYTHING)))

    def released(self, game: str) -> bool:
        """Whether everything about this game is public by now."""
        return self._private or (game not in self.live and self._shelf.is_open(game))

    def _is_secret(self, game: str) -> bool:
        """Whether only the public view of a game is shown, now and until something has happened."""
        return self.reveal_after(game) is None and not self.released(game)

    def secret_until(self, game: str) -> str:
        """What must have happened before everything about this game is public, as a part of a sentence."""
        if game in self.live or not self._shelf.is_finished(game):
            return f"the game {game} is over"
        return f"the deal of {game} cannot come again, which is when all games of its tournament are played"

    def open(self, game: str, viewpoint: Viewpoint, *, own: bool = False) -> Showing:
        """The showing of a game, from the beginning; raises `NotShown`. `leave` it at the end.

        `own`: for the owner of that seat of a running game, who sees it at once.
        """
        key = (game, viewpoint, own)
        if not own and not viewpoint.is_public and self._is_secret(game):
            raise Secret(
                f"the view {viewpoint} is shown when {self.secret_until(game)}; take the view public"
            )
        if key not in self._showings:
            self._make_room()
            following = self._open(game)
            try:
                if viewpoint.seat is not None and viewpoint.seat >= len(following.header.seats):
                    last = len(following.header.seats) - 1
                    raise Unknown(f"the game {game} has no seat {viewpoint.seat}; its seats are 0 to {last}")
                showing = Showing(game, viewpoint, following.header, self._crier, own=own)
            except BaseException:
                following.close()
                raise
            scope = trio.CancelScope()
            self._nursery.start_soon(self._run, showing, following, scope)
        else:
            showing, scope = self._showings.pop(key)
        self._showings[key] = (showing, scope)  # the last used stands last
        showing.watched += 1
        self.viewers += 1
        return showing

    def leave(self, showing: Showing) -> None:
        """A viewer goes; a film that is not finished is not made on for nobody."""
        showing.watched -= 1
        self.viewers -= 1
        if showing.watched == 0 and not showing.finished:
            self._close(showing)

    def _open(self, game: str) -> Following:
        path = self._shelf.find(game)
        if path is None:
            raise Unknown(f"there is no game {game[:64]!r} here; /api/games lists those that there are")
        try:
            return Following(path)
        except RecordError as error:
            raise Unknown(f"the record of the game {game} cannot be shown: {error}") from None

    def _make_room(self) -> None:
        """Close finished films that nobody watches until there is room for one more."""
        for showing, _ in list(self._showings.values()):
            size = sum(other.size for other, _ in self._showings.values())
            if len(self._showings) < self._config.films and size < self._config.film_bytes:
                return
            if showing.watched == 0:
                self._close(showing)
        if len(self._showings) >= self._config.films:
            raise Full(
                f"{len(self._showings)} games are being shown, which is the limit (`http_films`); come later"
            )

    def _close(self, showing: Showing) -> None:
        _, scope = self._showings.pop((showing.game, showing.viewpoint, showing.own))
        scope.cancel()

    # Making a film

    async def _run(self, showing: Showing, following: Following, scope: trio.CancelScope) -> None:
        with scope:
            try:
                await self._make(showing, following)
            except RecordError as error:
                showing.problem = f"the record is not sound: {error}" if showing.viewpoint.all else UNSOUND
                showing.status = "broken"
            except Exception:  # ours: it must not end other films, nor the server
                self.log.exception("film-failed", game=showing.game)
                showing.problem = "the server failed at this film; tell the organiser"
                showing.status = "broken"
            finally:
                following.close()
                showing.tell()

    async def _make(self, showing: Showing, following: Following) -> None:
        film = showing.film = Film(showing.header, showing.viewpoint, self._catalogue)
        slice = Slice(self._config, showing.tell, self.live)
        growing = self._shelf.growing(showing.game)
        due = Due(
            0.0 if showing.viewpoint.is_public or showing.own else self.reveal_after(showing.game) or 0.0
        )
        while True:
            shown = len(film.moments)
            referee = self.live.get(showing.game)
            stream = stream_for(showing, referee) if referee is not None else None
            number = stream.number if stream is not None else 0
            while choices := following.more(READ_AT_ONCE):
                due.add(choices, referee.made_at if referee is not None else ())
                for choice in due.take():
                    film.play(choice)
                    if film.size > self._config.film_bytes // 4:
                        raise RecordError("it is too long to be shown in a browser; `arena replay` shows it")
                    await slice.over()
            if following.result is not None:
                due.delay = 0.0  # the game is over: nothing is secret any more
            for choice in due.take():
                film.play(choice)
                await slice.over()
            showing.delay = due.delay
            if following.result is not None and not due:
                showing.result = following.result
                showing.status = "over"
                return
            if referee is None or stream is None:
                if showing.game in self.live:
                    continue  # it has just been reopened
                if not growing.may_go_on():
                    showing.status = "broken"
                    showing.problem = "the record ends here without a result: the game was broken off"
                    return
                showing.status = "live"  # on another server, which writes to the same folder
                if len(film.moments) > shown:
                    showing.told_at = trio.current_time()
                showing.tell()
                await trio.sleep(LOOK_AGAIN)
                continue
            showing.status = "live" if referee.audience.stream.number else "waiting"
            showing.told_at = stream.published_at + due.delay
            showing.tell()
            await self._news(referee, stream, number, due)

    async def _news(self, referee: Referee, stream: Stream, number: int, due: Due) -> None:
        """Wait for the next event or the next choice that is due, and no shorter than the pace."""
        await trio.sleep(self.pace)
        if referee.end is None and stream.number == number:
            with trio.CancelScope(deadline=due.next):
                await stream.moved()


def stream_for(showing: Showing, referee: Referee) -> Stream:
    """What tells that there are news for a film: nobody else is woken by what a seat alone is told."""
    seat = showing.viewpoint.seat
    return (
        referee.audience.eye(referee.seats[seat])
        if showing.own and seat is not None
        else referee.audience.stream
    )


UNSOUND = "the record is not sound; `arena verify` says why"
"""For those who may not see everything: the reason may name what they must not see."""


class Due:
    """Choices that wait until they may be shown."""

    def __init__(self, delay: float) -> None:
        self.delay = delay  # seconds
        self._waiting: deque[tuple[float, Choice]] = deque()

    def __bool__(self) -> bool:
        return bool(self._waiting)

    @property
    def next(self) -> float:
        """When the next one is due."""
        return self._waiting[0][0] + self.delay if self._waiting else math.inf

    def add(self, choices: list[Choice], made_at: Sequence[float]) -> None:
        """Choices of the record, and when each choice of the game was made; else it is taken to be now."""
        now = trio.current_time()
        for choice in choices:
            known = choice.number <= len(made_at)
            self._waiting.append((made_at[choice.number - 1] if known else now, choice))

    def take(self) -> list[Choice]:
        """Those that are due."""
        now = trio.current_time()
        due = []
        while self._waiting and self._waiting[0][0] + self.delay <= now:
            due.append(self._waiting.popleft()[1])
        return due


class Slice:
    """Work of a bounded length, then a rest, so that a film is never felt by the games."""

    def __init__(self, config: WebConfig, tell: Callable[[], None], live: Live) -> None:
        self._config = config
        self._tell = tell
        self._live = live
        self._end = trio.current_time() + config.slice

    async def over(self) -> None:
        """Called after each piece of work; rests if it is time."""
        if trio.current_time() >= self._end:
            self._tell()
            await trio.sleep(self._config.rest if self._live else 0)
            self._end = trio.current_time() + self._config.slice
