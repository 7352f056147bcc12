"""The list of games: those of the server, and those that were played lately. Made once for all who ask at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import trio

from arena.web.models import Game, Games
from arena.web.sending import Body, json_body
from arena.web.shelf import Shelf, Shelved, is_fresh

if TYPE_CHECKING:
    from arena.server.referee import Referee
    from arena.web.settings import WebConfig
    from arena.web.theatre import Live

LIVE_LISTED = 200  # games that are played; a page with more of them helps nobody


class Overview:
    """Keeps the last list."""

    def __init__(
        self, config: WebConfig, shelf: Shelf, live: Live, tournaments: Callable[[], tuple[str, ...]]
    ) -> None:
        self._config = config
        self._shelf = shelf
        self._live = live
        self._tournaments = tournaments
        self._made: tuple[float, Body] | None = None
        self._making = trio.Lock()

    async def games(self) -> Body:
        """The list as JSON, at most `stale` seconds old."""
        async with self._making:
            now = trio.current_time()
            if self._made is None or now - self._made[0] >= self._config.stale:
                shelved = await trio.to_thread.run_sync(self._shelf.lately, self._config.listed)
                self._made = (now, json_body(self._list(shelved)))
            return self._made[1]

    def _list(self, shelved: list[Shelved]) -> Games:
        here = list(self._live.values())
        records = [shelved_game(record) for record in shelved if record.id not in self._live]
        live = [self._live_game(referee) for referee in here[-LIVE_LISTED:][::-1]]
        live += [game for game in records if game.status == "live"]
        return Games(
            live=tuple(live[:LIVE_LISTED]),
            lately=tuple(game for game in records if game.status != "live"),
            tournaments=self._tournaments(),
            more=max(0, len(here) - LIVE_LISTED) + max(0, len(live) - LIVE_LISTED),
        )

    def _live_game(self, referee: Referee) -> Game:
        """As its public stream has told it, no further (Q98)."""
        stream = referee.audience.stream
        begun = stream.number > 0
        return Game(
            game=referee.id,
            names=tuple(seat.name for seat in referee.seats),
            status="live" if begun else "waiting",
            turn=stream.shown.turn if begun else None,
            credits=tuple(player.credits for player in stream.shown.players) if begun else None,
            events=stream.number,
            watchers=len(stream),
            started=referee.header.started,
            tournament=tournament_of(referee.header.tags),
        )


def shelved_game(record: Shelved) -> Game:
    """A game in the list from its record; one without a result is live if another server still writes to it."""
    result = record.result
    return Game(
        game=record.id,
        names=record.header.seats,
        status="over" if result is not None else "live" if is_fresh(record.changed) else "broken",
        credits=result.credits if result is not None and result.complete else None,
        places=result.places if result is not None and result.complete else None,
        reason=result.reason if result is not None else None,
        reasons=tuple(reason.value for reason in result.reasons) if result is not None else None,
        started=record.header.started or None,
        tournament=tournament_of(record.header.tags),
    )


def tournament_of(tags: dict[str, str | int]) -> str | None:
    """The tournament that a game belongs to."""
    name = tags.get("tournament")
    return name if isinstance(name, str) else None
