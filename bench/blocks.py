"""What blocks save: the variance of a pair's score when each deal is played from every rotation of the seats.

It is compared with as many games of independent deals, as a report does (docs/ratings.md), for two versions of one
bot and for two unlike bots, at tables of two and of four. All draw their own chance from the luck that a server tells
the seat, as the shipped bots do in tournaments; one figure is of bots that do not.

    python -m bench.blocks [--quick] [--deals N] [--only FIELD]
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple
from zlib import crc32

from arena.game import Catalogue, Game, Options, default_catalogue
from bench.measure import Figure, machine, show
from clients.bots import Bot, LocalRequest
from clients.bots.greedy import GreedyBot
from clients.bots.heuristic import HeuristicBot
from clients.bots.outlook import Outlook
from clients.bots.random_bot import RandomBot
from protocol import luck
from tournaments.ratings import Result, Saved, fit_tables, rated_once, tables, variance_saved
from tournaments.ratings.saved import ENOUGH_DEALS
from tournaments.schedules.block import Block

DEALS = 100
LEAST = ENOUGH_DEALS  # deals; with fewer the ratings tell no variance
CHANGED = Outlook(victory=10.0, crew=3.0)  # another version of `heuristic`, about as strong

Table = tuple[str, ...]
Chance = Callable[[int, int, str], int]


def common(deal: int, seat: int, name: str) -> int:
    """What the server tells whoever sits there."""
    return luck(f"{deal:032x}", seat)


def own(deal: int, seat: int, name: str) -> int:
    """As if each bot had seeded itself."""
    return crc32(f"{deal} {seat} {name}".encode())


class Field(NamedTuple):
    """A table, of which the first two are compared; `exchanged` as in the format `sprt`."""

    table: Table
    chance: Chance = common
    exchanged: bool = False
    must: float | None = None
    aim: float | None = None


FOUR = ("heuristic", "changed", "greedy", "random")
FIELDS = {
    "two versions of a bot, two seats": Field(("heuristic", "changed"), must=30, aim=50),
    "two versions of a bot, four seats, exchanged": Field(FOUR, exchanged=True, must=30, aim=50),
    "two versions of a bot, four seats": Field(FOUR),
    "two unlike bots, two seats": Field(("heuristic", "greedy")),
    "two versions of a bot, two seats, each with a chance of its own": Field(("heuristic", "changed"), own),
}


MADE: dict[str, Callable[[int], Bot]] = {
    "heuristic": HeuristicBot,
    "changed": partial(HeuristicBot, outlook=CHANGED),
    "greedy": GreedyBot,
    "random": RandomBot,
}


def play(names: Table, deal: int, chance: Chance, catalogue: Catalogue) -> Result:
    """One game."""
    game = Game.new(Options(len(names)), deal, catalogue)
    bots: list[Bot] = [MADE[name](chance(deal, seat, name)) for seat, name in enumerate(names)]
    while not game.over:
        for seat in game.to_act:
            game.choose(seat, bots[seat].choose(LocalRequest(game, seat)))
    assert game.result is not None
    return Result(f"{deal} {' '.join(names)}", str(deal), names, game.result.places)


def saved(field: Field, deals: int) -> Saved | None:
    """What blocks save for the first two of the table; None if all games between them were level."""
    catalogue = default_catalogue()
    one, other = field.table[:2]
    block = Block("", 0, field.table, (one, other) if field.exchanged else None)
    seatings = [pairing.seating for pairing in block.pairings()]
    blocks = [[play(names, deal, field.chance, catalogue) for names in seatings] for deal in range(deals)]
    pairs = [[duel(result, one, other) for result in block] for block in blocks]
    counted = tables(rated_once([result for block in pairs for result in block]))
    return variance_saved(counted, fit_tables(counted))


def duel(result: Result, one: str, other: str) -> Result:
    """What a game says about two of those who were there."""
    places = dict(zip(result.entrants, result.places, strict=True))
    return Result(result.game, result.block, (one, other), (places[one], places[other]))


def figures(quick: bool, deals: int = DEALS, only: str | None = None) -> Iterator[Figure]:
    """One for each of the fields."""
    deals = LEAST if quick else deals
    for name, field in FIELDS.items():
        if only not in (None, name):
            continue
        part = saved(field, deals)
        if part is not None:
            games = len(field.table) * (2 if field.exchanged else 1)
            note = f"{' against '.join(field.table[:2])}, {deals} deals of {games} games"
            note += f"; standard error {100 * part.error:.1f} points"
            figure = f"variance saved by blocks, {name}"
            yield Figure(figure, "%", 100 * part.share, None, must=field.must, aim=field.aim, note=note)


def main() -> None:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(prog="python -m bench.blocks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer deals, for the form alone")
    parser.add_argument("--deals", type=int, default=DEALS, help="for each pair (%(default)s)")
    parser.add_argument("--only", choices=FIELDS, help="one of the fields")
    wanted = parser.parse_args()
    if wanted.deals < LEAST:
        parser.error(f"--deals {wanted.deals} is too few; give {LEAST} or more")
    print(machine(), flush=True)
    show(figures(wanted.quick, wanted.deals, wanted.only))


if __name__ == "__main__":
    main()
