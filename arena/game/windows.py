"""Any-time powers and the discarding of unfulfilled contracts: when they are offered, and their use (Q26, Q28, Q98)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from arena.game.choices import PASS, Option, ship, with_card
from arena.game.doubles import sided
from arena.game.frames import Frame
from arena.game.hooks import ANYTIME, FROM_HAND, USE
from arena.game.moves import discard, from_hand
from arena.game.ships import scrap, with_contract
from arena.game.terms import CAPITAL

if TYPE_CHECKING:
    from arena.game.game import Game
    from arena.game.state import Player

STARTED = frozenset({"use", "scrap", "drop"})
"""Verbs of what is started at a decision point, after which the same question is asked again."""


def may_use(game: Game, player: Player) -> bool:
    """Whether a player has any card whose power, or the card itself, might be used now."""
    return player.hooks & ANYTIME.mask != 0 or not game.hand_powers.isdisjoint(player.hand)


def only_of_hand(game: Game, seat: int, options: list[Option]) -> bool:
    """Whether each option has a card of the hand in it, so that only who sees the hand knows of any."""
    if not options:
        return False
    hand, front = game.players[seat].hand, game.catalogue.front
    return all(front[option.card] in hand or option.other in hand for option in options)


def offers(game: Game, seat: int, *, scrapping: bool = True) -> tuple[list[Option], bool]:
    """What `seat` may start at a decision point, and whether only its hand, which is hidden, is the reason."""
    options: list[Option] = []
    player = game.players[seat]
    if player.hooks & ANYTIME.mask:
        for card, listener in game.listening(ANYTIME, seat):
            options += listener(game, seat, card)
    if scrapping and seat == game.lead:  # R9.6
        for index in with_contract(game, seat):
            options.append(ship("scrap", index))
    if game.hand_powers.isdisjoint(player.hand):
        if not player.hooks & ANYTIME.mask:
            return options, False
    else:
        powers, colors = game.catalogue.powers, game.catalogue.colors
        capital = "capital" in game.options.sets
        usable = tuple([card for card in player.hand if card in game.hand_powers])
        for card in sided(game, usable):
            from_its_hand = FROM_HAND.listeners.get(powers[card])
            if from_its_hand is not None:
                options += from_its_hand(game, seat, card)
            if capital and colors[card] == CAPITAL:  # R16.11
                options.append(with_card("drop", card))
    return options, only_of_hand(game, seat, options)


def use(game: Game, seat: int, option: Option) -> None:
    """One use of an any-time power, or one discarding of contracts: an event (P7)."""
    game.perform(Use(seat, option))


class Use(Frame):
    """Does what the option says."""

    seat: int
    option: tuple[Any, ...]

    def start(self, game: Game) -> None:
        """The power's listener may push frames of its own."""
        self.done(game)
        chosen = Option(*self.option)
        if chosen.verb == "scrap":
            return scrap(game, chosen.ship)
        if chosen.verb == "drop":
            game.emit("drop", seat=self.seat, card=game.catalogue.ids[chosen.card])
            from_hand(game, self.seat, chosen.card)
            return discard(game, chosen.card)
        game.emit("use", seat=self.seat, card=game.catalogue.ids[chosen.card])
        in_hand = game.catalogue.front[chosen.card] in game.players[self.seat].hand
        power = game.catalogue.powers[chosen.card] if in_hand else game.power_of(chosen.card)
        USE.listeners[power](game, self.seat, chosen.card, chosen)
        return None


def open_window(game: Game, *, closing: bool = False) -> None:
    """Open one of the windows of Q28, unless nobody has anything that could be used in it."""
    if game.hooks & ANYTIME.mask or (closing and with_contract(game, game.lead)):
        return game.push(Window(closing))
    held = game.hand_powers
    for player in game.players:
        if not held.isdisjoint(player.hand):
            return game.push(Window(closing))
    return None


class Window(Frame):
    """One round of Q98: clockwise from the lead player each may use any number of powers until passing."""

    closing: bool = False  # the one before step 3, where the lead player may also discard contracts (Q26)
    asked: int = 0  # players that have passed

    def start(self, game: Game) -> None:
        """Ask the next player that has something to use."""
        for seat in game.clockwise(game.lead)[self.asked :]:
            if may_use(game, game.players[seat]) or (self.closing and not self.asked):
                options, secret = offers(game, seat, scrapping=self.closing)
                if options:
                    return game.ask(seat, "window", [PASS, *options], then=self.passed, secret=secret)
            self.asked += 1
        return self.done(game)

    def passed(self, game: Game, chosen: Option) -> None:
        """Nobody is asked twice in one window."""
        self.asked += 1
