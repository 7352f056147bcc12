"""Plays a record again through the rules, and checks everything that it says on the way.

for step in replay(read_record(path)):
    step.events                             # what happened through `step.choice`; first: the deal
game = verify(read_record(path))            # or a RecordError
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from arena.game import Catalogue, ChoiceError, Event, Game, default_catalogue
from arena.records.errors import RecordError
from arena.records.form import RULES_VERSION, Choice, Header, Outcome, ranked
from arena.records.reading import Record
from protocol.codes import EndReason


class Step(NamedTuple):
    """The game after a choice (None: after the deal), and what happened through it."""

    game: Game  # the same one in every step; `clone` it to keep it
    choice: Choice | None
    events: list[Event]


def replay(record: Record, catalogue: Catalogue | None = None) -> Iterator[Step]:
    """The deal, then each choice; raises `RecordError` at the first that does not hold.

    `catalogue` is the one that the record was played with, if it is not the house catalogue. The result is
    checked after the last step; a record without one ends where it ends.
    """
    game = deal(record.header, catalogue)
    yield Step(game, None, game.events)
    for choice in record.choices:
        yield Step(game, choice, repeat(game, choice))
    if record.result is not None:
        check_outcome(record, record.result, game)


def verify(record: Record, catalogue: Catalogue | None = None) -> Game:
    """Play the whole record and check all of it; returns the last state, raises `RecordError`."""
    if record.result is None:
        raise RecordError("there is no result: the game is not finished, or the end of the file was cut off")
    game = None
    for step in replay(record, catalogue):
        game = step.game
    assert game is not None, "a replay begins with the deal"
    return game


def deal(header: Header, catalogue: Catalogue | None = None) -> Game:
    """The game at its first decision; raises `RecordError` if this program cannot play it."""
    if header.rules != RULES_VERSION:
        maker = f" ({header.software})" if header.software else ""
        raise RecordError(
            f"the record needs version {header.rules} of the rules, and this program plays version"
            f" {RULES_VERSION}; take the release that wrote it{maker}"
        )
    catalogue = catalogue or default_catalogue()
    if header.catalogue_hash != catalogue.hash:
        raise RecordError(
            f'the record needs the catalogue "{header.catalogue}" {header.catalogue_hash[:12]}..., and this is'
            f' "{catalogue.name}" {catalogue.hash[:12]}...; name the file of that catalogue'
        )
    return Game.new(header.options, header.seed, catalogue)


def repeat(game: Game, choice: Choice) -> list[Event]:
    """Make a recorded choice again; raises `RecordError` if it is not legal or its text or digest differ."""
    line = choice.number + 1
    try:
        decision = game.decision(choice.seat)
    except ChoiceError as error:
        raise RecordError(f"the choice is not legal: {error}", line) from None
    if choice.index >= len(decision.options):
        raise RecordError(
            f"choice {choice.index} of seat {choice.seat} is not among the {len(decision.options)} options",
            line,
        )
    text = decision.options[choice.index].text(game.catalogue)
    if choice.text != text:
        raise RecordError(f'option {choice.index} is "{text}", but the record says "{choice.text}"', line)
    if choice.fault is not None and choice.index != decision.default:
        raise RecordError(
            f"a default was played for the seat, but {choice.index} is not the default {decision.default}",
            line,
        )
    events = game.choose(choice.seat, choice.index)
    if choice.digest and choice.digest != game.digest():
        raise RecordError(
            f"the digest of the state is {game.digest()[:12]}..., but the record says {choice.digest[:12]}...",
            line,
        )
    return events


def check_outcome(record: Record, outcome: Outcome, game: Game) -> None:
    """Whether the result is that of the game; raises `RecordError`."""
    line = record.lines
    check_retired(record, outcome)
    if outcome.digest != game.digest():
        raise RecordError(
            f"the digest of the last state is {game.digest()[:12]}..., but the record says"
            f" {outcome.digest[:12]}...",
            line,
        )
    if not outcome.complete:
        return
    result = game.result
    if result is None:
        raise RecordError(
            "the result is that of a whole game, but the choices end before the game does", line
        )
    places = ranked(result.places, outcome.reasons)
    for what, told, wanted in (
        ("places", outcome.places, places),
        ("credits", outcome.credits, result.credits),
        ("reason", outcome.reason, result.reason),
    ):
        if told != wanted:
            raise RecordError(f"the {what} of the game are {wanted}, but the record says {told}", line)


def check_retired(record: Record, outcome: Outcome) -> None:
    """Whether retired seats stayed retired up to the result; raises `RecordError`."""
    retired = set()
    for choice in record.choices:
        if choice.retired:
            retired.add(choice.seat)
        elif choice.seat in retired:
            raise RecordError(f"seat {choice.seat} had been retired, but it plays again", choice.number + 1)
    for seat in retired:
        if outcome.reasons[seat] is EndReason.NORMAL:
            raise RecordError(f"seat {seat} was retired, but the result says that it finished", record.lines)
