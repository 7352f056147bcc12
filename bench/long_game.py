"""A game that nobody wins: six seats that play whatever they like as long as it brings no end, for 500 turns."""

from __future__ import annotations

from pathlib import Path
from random import Random

from arena.game import Game, Options, default_catalogue
from arena.records import Header, Journal, finished
from protocol import EndReason

SEATS = 6
SEED = 5
RICH = 36  # credits from which on nobody takes more: a payout more, and the end would be near
CARDS = 30  # that stay in the piles
TRIES = 20  # options that are looked at


def record_long_game(folder: Path, turns: int) -> str:
    """Write the record of a game that goes on for so many turns, or for the 500 of the rules; returns its id."""
    folder.mkdir()
    catalogue, options, rng = default_catalogue(), Options(SEATS, ("capital", "tokyo")).check(), Random(1)
    header = Header(
        game="long",
        options=options,
        seats=tuple(f"seat {seat}" for seat in range(SEATS)),
        seed=SEED,
        salt="0" * 32,
        catalogue=catalogue.name,
        catalogue_hash=catalogue.hash,
    )
    with Journal.create(folder / f"{header.game}.jsonl", header) as journal:
        game = Game.new(options, header.seed)
        while not game.over:
            seat = game.to_act[0]
            offered = len(game.decision(seat).options)
            index = patient(game, seat, rng) if game.turn < turns else rng.randrange(offered)
            journal.play(game, seat, index)
        journal.result(finished(game, (EndReason.NORMAL,) * SEATS, journal.choices))
    return header.game


def patient(game: Game, seat: int, rng: Random) -> int:
    """An option at random that does no harm; if there is none, the one that does the least."""
    options = len(game.decision(seat).options)
    least: tuple[tuple[bool, int, int], int] | None = None
    for index in rng.sample(range(options), min(TRIES, options)):
        harm = harm_of(game, seat, index)
        if not any(harm):
            return index
        least = min(least or (harm, index), (harm, index))
    assert least is not None
    return least[1]


def harm_of(game: Game, seat: int, index: int) -> tuple[bool, int, int]:
    """Whether it ends the game, how much more than `RICH` anybody has, and how many cards the piles lack, at the
    end of the turn, if all others answer with their defaults."""
    copy = game.clone()
    copy.choose(seat, index)
    while not copy.over and copy.turn == game.turn:
        asked = copy.to_act[0]
        copy.choose(asked, copy.decision(asked).default)
    riches = sum(max(0, player.credits - RICH) ** 2 for player in copy.players)
    return copy.over or bool(copy.ending), riches, max(0, CARDS - len(copy.pile) - len(copy.discard))
