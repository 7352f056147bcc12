"""What blocks save: the variance of a pair's score when each deal is played from every rotation of the seats.

It is compared with as many games of independent deals, as a report does (docs/ratings.md), for two versions of one
bot and for two unlike bots, at tables of two and of four.

    python -m bench.blocks [--quick] [--deals N]
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from functools import partial
from zlib import crc32

from arena.game import Catalogue, Game, Options, default_catalogue
from bench.measure import Figure, machine, show
from clients.bots import Bot, LocalRequest
from clients.bots.greedy import GreedyBot
from clients.bots.heuristic import HeuristicBot
from clients.bots.outlook import Outlook
from clients.bots.random_bot import RandomBot
from tournaments.ratings import Result, fit_tables, rated_once, tables, variance_saved

DEALS = 100
LEAST = 20  # deals; with fewer the ratings tell no variance
CHANGED = Outlook(victory=10.0, crew=3.0)  # another version of `heuristic`, about as strong

Table = tuple[str, ...]

FIELDS: dict[str, Table] = {
    "two versions of a bot, two seats": ("heuristic", "changed"),
    "two versions of a bot, four seats": ("heuristic", "changed", "greedy", "random"),
    "two unlike bots, two seats": ("heuristic", "greedy"),
}
"""The first two of each are the pair that is compared."""


MADE: dict[str, Callable[[int], Bot]] = {
    "heuristic": HeuristicBot,
    "changed": partial(HeuristicBot, outlook=CHANGED),
    "greedy": GreedyBot,
    "random": RandomBot,
}


def play(names: Table, deal: int, catalogue: Catalogue) -> Result:
    """One game. A bot's own chance depends on the deal, its seat and its name, as if each had a process of its own."""
    game = Game.new(Options(len(names)), deal, catalogue)
    bots: list[Bot] = [MADE[name](crc32(f"{deal} {seat} {name}".encode())) for seat, name in enumerate(names)]
    while not game.over:
        for seat in game.to_act:
            game.choose(seat, bots[seat].choose(LocalRequest(game, seat)))
    assert game.result is not None
    return Result(f"{deal} {' '.join(names)}", str(deal), names, game.result.places)


def saved(table: Table, deals: int) -> float | None:
    """The share of the variance of the first two's scores against each other that blocks have taken off."""
    catalogue = default_catalogue()
    rotations = [table[shift:] + table[:shift] for shift in range(len(table))]
    results = [play(names, deal, catalogue) for deal in range(deals) for names in rotations]
    pair = [duel(result, table[0], table[1]) for result in results]
    counted = tables(rated_once(pair))
    return variance_saved(counted, fit_tables(counted))


def duel(result: Result, one: str, other: str) -> Result:
    """What a game says about two of those who were there."""
    places = dict(zip(result.entrants, result.places, strict=True))
    return Result(result.game, result.block, (one, other), (places[one], places[other]))


def figures(quick: bool, deals: int = DEALS) -> Iterator[Figure]:
    """One for each of the fields."""
    deals = LEAST if quick else deals
    for name, table in FIELDS.items():
        part = saved(table, deals)
        note = f"{' against '.join(table[:2])}, {deals} deals of {len(table)} games"
        if part is not None:
            yield Figure(
                f"variance saved by blocks, {name}", "%", 100 * part, None, must=30, aim=50, note=note
            )


def main() -> None:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(prog="python -m bench.blocks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer deals, for the form alone")
    parser.add_argument("--deals", type=int, default=DEALS, help="for each pair (%(default)s)")
    wanted = parser.parse_args()
    if wanted.deals < LEAST:
        parser.error(f"--deals {wanted.deals} is too few; give {LEAST} or more")
    print(machine(), flush=True)
    show(figures(wanted.quick, wanted.deals))


if __name__ == "__main__":
    main()
