"""What is left of a game that is over: the last line of its record, and answers to late messages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import structlog

from arena.game import Game
from arena.records import Header, Journal, Outcome, read_record, replay, unfinished
from protocol import EndReason, GameOver, encode
from protocol.messages import End, Snapshot, Start

WHY = {why.value: why for why in GameOver}


@dataclass(frozen=True, slots=True)
class Ended:
    """A game that is over, in some kilobytes."""

    names: tuple[str, ...]  # by seat
    story: bytes  # lines for a watcher who comes late: `start`, the last `snapshot`, `end`

    @classmethod
    def of(cls, game: Game, start: Start, end: End, number: int) -> Self:
        """Keep what is needed of `game`; `number` is that of its last public event."""
        names = tuple(player.name for player in start.seats)
        try:
            last = encode(Snapshot(game=start.game, number=number, view=game.view(None)))
        except Exception:  # noqa: BLE001 - of a game whose rules failed
            structlog.get_logger().exception("no-last-view", game=start.game)
            last = b""
        return cls(names, encode(start) + last + encode(end))


def end_of(header: Header, outcome: Outcome, *, reveal: bool) -> End:
    """What is told at the end of a game that came out so; `reveal`: with the seed and the salt of its deal."""
    why = WHY.get(outcome.reason, GameOver.POWER)
    return End(
        game=header.game,
        why=why,
        power=outcome.reason if why is GameOver.POWER else None,
        places=outcome.places,
        credits=outcome.credits,
        reasons=outcome.reasons,
        seed=header.seed if reveal else None,
        salt=header.salt if reveal else None,
        suspect=outcome.suspect or None,
    )


def end_of_unplayed(
    header: Header, reason: EndReason, reasons: tuple[EndReason, ...], *, reveal: bool
) -> End:
    """What is told of a game that was stopped before its end, also where no record could take it up."""
    return End(
        game=header.game,
        why=WHY[reason.value],
        places=(),
        credits=(),
        reasons=reasons,
        seed=header.seed if reveal else None,
        salt=header.salt if reveal else None,
    )


def write_unplayed(journal: Journal, game: Game, reason: EndReason, reasons: tuple[EndReason, ...]) -> None:
    """Record that a game was stopped before its end; nothing is written to a record that has failed.

    After a fault of the referee the state is taken from the record: a game whose rules failed in mid-choice is
    ahead of it. Raises `JournalError` if nothing can be written, `RecordError` if the record is damaged.
    """
    if journal.failed:
        return
    if reason is EndReason.REFEREE_FAULT:
        for step in replay(read_record(journal.path), game.catalogue):
            game = step.game
    journal.result(unfinished(game, reason, reasons, journal.choices))
