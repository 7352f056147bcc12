"""A whole game as text: every choice, every event with what single seats see in addition, the views.

Each file beside this module is one game. When the core changes what happens or what is seen, the test
fails with the first line that differs; if the change is meant, refresh the files and read the diff:

    python -m tests.playthroughs
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from arena.describe import describe, value_text, view_lines
from arena.game import Decision, Event, Game, Options
from arena.game.chance import below
from arena.game.setup import PLAYABLE_SETS
from arena.game.state import PORT
from arena.game.tokens import CARDS

FOLDER = Path(__file__).parent
IDLE = frozenset({"draw", "pass", "scrap", "discard"})
RANDOM_ONE_IN = 6  # so often any option is taken, else one that is not idle

GAMES = {
    "two-seats": (Options(2), 46),
    "four-seats-with-sets": (Options(4, ("kickstarter", "kickstarter2", "flag")), 13),
    "three-seats-with-double-cards": (Options(3, PLAYABLE_SETS, market=True), 23),
    "three-seats-with-everything": (Options(3, PLAYABLE_SETS, market=True, containers="tokens"), 36),
}
"""The file, what is played, and the seed of the deal and of the choices."""


class Dice:
    """The chance of the choices, apart from that of the game; the same on every platform."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.drawn = 0


def pick(game: Game, decision: Decision, dice: Dice) -> int:
    """Mostly an option that does something, and often one that brings contracts nearer to being fulfilled."""
    options = range(len(decision.options))
    busy = [index for index in options if decision.options[index].verb not in IDLE]
    if not busy or not below(dice, RANDOM_ONE_IN):
        return below(dice, len(options))
    ships = [ship for ship in game.ships if ship.owner == decision.seat and ship.place == PORT]
    action = "load" if any(ship.open for ship in ships) else "contract"
    wanted = [index for index in busy if decision.options[index].name == action]
    if wanted and below(dice, 2):
        busy = wanted
    return busy[below(dice, len(busy))]


def playthrough(name: str) -> Iterator[str]:
    """The lines of a file."""
    options, seed = GAMES[name]
    names = [f"seat {seat}" for seat in range(options.players)]
    game = Game.new(options, seed)
    dice = Dice(seed)
    market = ", the Market" if options.market else ""
    kind = "" if options.containers == CARDS else f", Containers are {options.containers}"
    yield f"# {options.players} seats, sets {', '.join(options.sets) or 'none'}{market}{kind}, seed {seed}"
    yield "# Refresh with: python -m tests.playthroughs"
    yield from event_lines(game.events, names)
    while not game.over:
        for seat in game.to_act:
            decision = game.decision(seat)
            if decision.kind == "lead":
                yield ""
                yield from table_lines(game, names)
            index = pick(game, decision, dice)
            secret = " (secretly)" if decision.secret else ""
            text = decision.options[index].text(game.catalogue)
            yield f"> seat {seat}{secret}, {decision.kind}, {index} of {len(decision.options)}: {text}"
            yield from event_lines(game.choose(seat, index), names)
    yield ""
    yield from table_lines(game, names)


def event_lines(events: list[Event], names: list[str]) -> Iterator[str]:
    """What everybody sees, and under it what single seats see in addition."""
    for event in events:
        yield describe(event.for_seat(None), names)
        for seat, addition in sorted((event.private or {}).items()):
            yield f"    {names[seat]} sees: {value_text('', addition, names)}"


def table_lines(game: Game, names: list[str]) -> Iterator[str]:
    """The public view, the hands, and a digest of each whole view."""
    for line in view_lines(game.view(None), names):
        yield f"  | {line}"
    for seat in range(len(game.players)):
        view = game.view(seat)
        digest = sha256(json.dumps(view, sort_keys=True).encode()).hexdigest()[:16]
        yield f"  | hand of {names[seat]}: {', '.join(view['hand']) or 'none'}; view {digest}"
    public = sha256(json.dumps(game.view(None), sort_keys=True).encode()).hexdigest()[:16]
    yield f"  | public view {public}"


def text_of(name: str) -> str:
    """The whole file."""
    return "".join(f"{line}\n" for line in playthrough(name))
