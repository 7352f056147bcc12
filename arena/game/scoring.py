"""The end: final scoring in the order of Q70, and wins by power (R14, Q64)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.game.choices import Option, with_card
from arena.game.frames import Frame
from arena.game.goods import count_goods
from arena.game.hooks import END_CREDITS, END_MOVE, FINAL_GOODS, GOOD_VALUE, MAJORITY, WINS_TIES
from arena.game.ships import matched
from arena.game.state import PORT, Result
from arena.game.terms import FIVE, ILLEGAL, TYPES

if TYPE_CHECKING:
    from arena.game.game import Game

LOADED_VALUE = 2  # per Container loaded on an unfulfilled contract (R14.1)
GOOD_VALUES = (1, 1, 1, 1, 2)  # per Good, by type (R14.2)
ALL_TYPES = 10  # at least one Good of each type (R14.3)
MAJORITIES = (6, 6, 6, 8, -6)  # the most Goods of a type (R14.4)


class FinalScoring(Frame):
    """R14 in the order of Q70; first each player's own powers that move or declare things."""

    asked: int = 0
    waiting: tuple[int, ...] = ()
    begun: bool = False
    declared: tuple[tuple[int, int, int], ...] = ()  # (power, Crew card, type it also counts as) (Teslas)

    def start(self, game: Game) -> None:
        """Q70(1): clockwise from the last lead player, one owner's powers in the owner's order (P26)."""
        if not self.begun:
            game.emit("scoring")
        self.begun = True
        while self.asked < len(game.players):
            seat = (game.lead + self.asked) % len(game.players)
            self.waiting = tuple(card for card, _ in game.listening(END_MOVE, seat))
            self.asked += 1
            if self.waiting:
                self.step = "moves"
                return
        self.step = "score"

    def moves(self, game: Game) -> None:
        """The next power of this player; one that has left the fulfilled area meanwhile is gone."""
        seat = (game.lead + self.asked - 1) % len(game.players)
        self.waiting = tuple(card for card in self.waiting if card in game.players[seat].fulfilled)
        if not self.waiting:
            self.step = "start"
            return
        options = [with_card("resolve", card) for card in self.waiting]
        game.ask(seat, "order", options, then=self.move)

    def move(self, game: Game, chosen: Option) -> None:
        """Each is an event: overflow is discarded and reactions to added Goods work (P26)."""
        self.waiting = tuple(card for card in self.waiting if card != chosen.card)
        seat = (game.lead + self.asked - 1) % len(game.players)
        game.perform(EndMove(seat, chosen.card))

    def score(self, game: Game) -> None:
        """Q70(2) to (5)."""
        seats = len(game.players)
        parts = [score_goods(game, seat) for seat in range(seats)]
        counts = [final_goods(game, seat) for seat in range(seats)]
        for kind in FIVE:
            for seat, share in enumerate(majority(game, kind, [count[kind] for count in counts])):
                if share:
                    parts[seat][f"most-{TYPES[kind]}"] = share
        for seat in range(seats):
            for card, listener in game.listening(END_CREDITS, seat):
                amount = listener(game, seat, card)
                if amount:
                    parts[seat][game.catalogue.ids[card]] = amount
        credits = []
        for player in game.players:
            player.credits += sum(parts[player.seat].values())
            credits.append(player.credits)
            game.emit("score", seat=player.seat, parts=parts[player.seat], credits=player.credits)
        finish(game, places_by(credits, tie_winners(game)), game.ending)


class EndMove(Frame):
    """One power of Q70(1)."""

    seat: int
    card: int

    def start(self, game: Game) -> None:
        """The listener may push frames of its own."""
        self.done(game)
        END_MOVE.listeners[game.power_of(self.card)](game, self.seat, self.card)


def final_goods(game: Game, seat: int) -> list[int]:
    """Goods by type as they count in final scoring."""
    counts = count_goods(game, seat)
    if game.players[seat].hooks & FINAL_GOODS.mask:
        counts = game.query(FINAL_GOODS, seat, counts)
    return counts


def score_goods(game: Game, seat: int) -> dict[str, int]:
    """R14.1 to R14.3, by name of the part; parts of 0 are left out."""
    loaded = sum(
        matched(game, ship)
        for ship in game.ships
        if ship.owner == seat and ship.place == PORT and ship.contracts
    )
    counts = final_goods(game, seat)
    values = game.query(GOOD_VALUE, seat, list(GOOD_VALUES))
    parts = {
        "loaded": LOADED_VALUE * loaded,
        "goods": sum(counts[kind] * values[kind] for kind in FIVE),
        "all-types": ALL_TYPES if all(counts) else 0,
    }
    return {name: amount for name, amount in parts.items() if amount}


def majority(game: Game, kind: int, counts: list[int]) -> list[int]:
    """Who gets how much for the most Goods of a type (R14.4, R14.6, Q67); a tie is split, rounded up."""
    shares = [0] * len(counts)
    most = max(counts)
    if most:
        tied = [seat for seat, count in enumerate(counts) if count == most]
        foxes = [seat for seat in tied if len(tied) > 1 and game.query(WINS_TIES, seat, False)]
        winners = foxes or tied
        amount = -(-abs(MAJORITIES[kind]) // len(winners))
        for seat in winners:
            share = -amount if kind == ILLEGAL else amount
            shares[seat] = game.query(MAJORITY, seat, share, kind)
    return shares


def has_most(game: Game, seat: int, counts: list[int]) -> bool:
    """Whether `seat` has at least 1 and more than every other player; Foxes wins a tie (P24)."""
    most = max(counts)
    if counts[seat] != most or most < 1:
        return False
    tied = [other for other, count in enumerate(counts) if count == most]
    if len(tied) == 1:
        return True
    foxes = [other for other in tied if game.query(WINS_TIES, other, False)]
    return foxes == [seat]


def tie_winners(game: Game) -> list[bool]:
    """Which seats win ties (Foxes)."""
    return [bool(game.query(WINS_TIES, seat, False)) for seat in range(len(game.players))]


def places_by(credits: list[int], wins_ties: list[bool]) -> tuple[int, ...]:
    """Places from 1; equal credits share one (R14.7), but that Foxes is before those it ties with (P24)."""
    keys = [(amount, wins) for amount, wins in zip(credits, wins_ties, strict=True)]
    return tuple(1 + sum(other > key for other in keys) for key in keys)


def win(game: Game, winners: list[int], power: str) -> None:
    """A win by power ends the game without scoring; the others are ranked as things stand (Q64)."""
    totals = []
    counts = [final_goods(game, seat) for seat in range(len(game.players))]
    shares = [majority(game, kind, [count[kind] for count in counts]) for kind in FIVE]
    for player in game.players:
        total = player.credits + sum(score_goods(game, player.seat).values())
        total += sum(share[player.seat] for share in shares)
        total += sum(
            listener(game, player.seat, card) for card, listener in game.listening(END_CREDITS, player.seat)
        )
        totals.append(total)
    wins_ties = tie_winners(game)
    keys = [(seat in winners, totals[seat], wins_ties[seat]) for seat in range(len(game.players))]
    keys = [(True, 0, False) if key[0] else key for key in keys]
    finish(game, tuple(1 + sum(other > key for other in keys) for key in keys), power)


def finish(game: Game, places: tuple[int, ...], reason: str) -> None:
    """The game is over: no frame is left to run."""
    game.result = Result(places, tuple(player.credits for player in game.players), reason)
    game.emit("end", places=list(places), credits=list(game.result.credits), reason=reason)
    game.ending = game.ending or reason
    game.stack.clear()
    game.asking = game.answers = ()
    game.due = ()
