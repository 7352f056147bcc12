"""Events and their checks (Q29, P7): what happens when an event is over, and in which order.

`game.perform(body)` runs `body` as one event on top of a `Settle` frame. While the body runs, emptied Ships
return and complete Ships are fulfilled at once; everything else waits here until the body is done:

1. a Container may leave if it is the last one on a Ship at sea (GPS);
2. overflow: areas above their limits are discarded down to them (R6.3, P10, P11);
3. Goods that were added, and stayed, lie in the order their owner names (Q76) and are counted as added (P34);
4. after the outermost event only: wins by power, then end triggers (Q61, Q64);
5. the powers that react: lead player first, clockwise, one owner's in the owner's order. Each is an event.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from arena.game import market
from arena.game.choices import Option, with_card
from arena.game.frames import Frame
from arena.game.hooks import (
    END_THRESHOLD,
    FULFILLED,
    GOOD_ADDED,
    HOOKS,
    WIN_CHECK,
    Hook,
)
from arena.game.limits import crew_limit, goods_places
from arena.game.terms import CAPITAL, END_CREDITS

if TYPE_CHECKING:
    from arena.game.game import Game

Reaction = tuple[str, int, int, str, tuple[Any, ...]]
"""Hook, owner, card, power, what happened."""


class Settle(Frame):
    """Lies under the body of one event and settles it."""

    new_goods: tuple[tuple[int, int], ...] = ()  # (seat, card) added in this event
    new_crew: tuple[tuple[int, int], ...] = ()
    limits_moved: bool = False  # a fulfilled area changed in this event
    laid: tuple[int, ...] = ()  # new Goods whose order has been named
    few_aboard: bool = False  # a Ship at sea with a rainbow Container changed in this event (GPS)
    reactions: tuple[Reaction, ...] = ()

    def start(self, game: Game) -> None:
        """The body is done."""
        game.depth -= 1
        if self.few_aboard:
            from arena.game.ships import leave_last

            for index in range(len(game.ships)):
                leave_last(game, index)
        if self.new_goods or self.new_crew or self.limits_moved:
            self.step = "overflow"
        else:
            self.settled(game)

    def overflow(self, game: Game) -> None:
        """Check 3 of Q29: lead player first, then clockwise."""
        for seat in game.clockwise(game.lead):
            player = game.players[seat]
            if len(player.crew) > crew_limit(game, seat):
                return self._ask_discard(game, seat, "crew", player.crew, self.new_crew)
            if goods_places(game, seat, player.goods) > 2 * player.contracts:
                return self._ask_discard(game, seat, "goods", player.goods, self.new_goods)
        if len(self.new_goods) > 1 and "capital" in game.options.sets and not self._in_order(game):
            return None
        added, self.new_goods, self.new_crew, self.limits_moved = self.new_goods, (), (), False
        for seat, card in added:
            if card in game.players[seat].goods:
                kind = type_of_good(game, seat, card)
                if game.market:
                    market.good_added(game, kind)
                game.trigger(GOOD_ADDED, seat, card, kind)
        return self.settled(game)

    def settled(self, game: Game) -> None:
        """Checks 4 and 5: all areas are within their limits."""
        self.step = "react"
        if not game.depth:
            check_end(game)
            if game.result is not None:
                return
        if not self.reactions:
            self.done(game)

    def _in_order(self, game: Game) -> bool:
        """Ask which of the Goods that came in this event lies next to the right, if their types differ (Q76)."""
        from arena.game.importing import Auctions, Importing

        if isinstance(game.stack[-2], (Auctions, Importing)):
            return True  # the taker has named them in order
        colors = game.catalogue.colors
        for seat in game.clockwise(game.lead):
            new = {card for owner, card in self.new_goods if owner == seat}.difference(self.laid)
            left = [card for card in game.players[seat].goods if card in new]
            if len({colors[card] for card in left} - {CAPITAL}) > 1:
                game.ask(seat, "order-goods", [with_card("put", card) for card in left], then=self.lay)
                return False
        return True

    def lay(self, game: Game, chosen: Option) -> None:
        """It lies left of the rest; with Scotch the limit may hold no longer, so that comes again."""
        player = next(player for player in game.players if chosen.card in player.goods)
        self.laid += (chosen.card,)
        new = {card for owner, card in self.new_goods if owner == player.seat}.difference(self.laid)
        rest = tuple(card for card in player.goods if card in new)
        before = tuple(card for card in player.goods if card not in new and card != chosen.card)
        player.goods = (*before, chosen.card, *rest)
        game.emit("goods", seat=player.seat, cards=[game.catalogue.ids[card] for card in player.goods])

    def _ask_discard(
        self, game: Game, seat: int, area: str, cards: tuple[int, ...], new: tuple[tuple[int, int], ...]
    ) -> None:
        """One card at a time; cards that a power handed over go before older ones (P11)."""
        fresh = [card for owner, card in new if owner == seat and card in cards]
        game.ask(
            seat,
            f"overflow-{area}",
            [with_card("discard", card) for card in fresh or cards],
            then=self.discard,
        )

    def discard(self, game: Game, chosen: Option) -> None:
        """R6.3."""
        from arena.game.moves import discard, without

        for player in game.players:
            if chosen.card in player.crew:
                player.crew = without(player.crew, chosen.card)
            elif chosen.card in player.goods:
                player.goods = without(player.goods, chosen.card)
        discard(game, chosen.card)

    def react(self, game: Game) -> None:
        """Pick the next power that reacts; ask its owner if the order of several may matter."""
        if not self.reactions:
            return self.done(game)
        for seat in game.clockwise(game.lead):
            own = [reaction for reaction in self.reactions if reaction[1] == seat]
            if own:
                break
        powers = list(dict.fromkeys(reaction[3] for reaction in own))
        if len(powers) == 1 or all(power in HOOKS[hook].simple for hook, _, _, power, _ in own):
            return self._resolve(game, own[0])
        first = {power: card for _, _, card, power, _ in reversed(own)}
        options = [with_card("resolve", first[power]) for power in powers]
        return game.ask(seat, "order", options, then=self.ordered)

    def ordered(self, game: Game, chosen: Option) -> None:
        """The owner has said which of the own powers comes first."""
        for seat in game.clockwise(game.lead):
            for reaction in self.reactions:
                if reaction[1:3] == (seat, chosen.card):
                    return self._resolve(game, reaction)

    def _resolve(self, game: Game, reaction: Reaction) -> None:
        place = self.reactions.index(reaction)
        self.reactions = self.reactions[:place] + self.reactions[place + 1 :]
        hook, owner, card, power, happened = reaction
        if card in game.players[owner].fulfilled or HOOKS[hook].kind == "carried":
            game.perform(React(hook, owner, card, power, tuple(happened)))


class React(Frame):
    """One use of a power that reacts to what happened."""

    hook: str
    owner: int
    card: int
    power: str
    happened: tuple[Any, ...]

    def start(self, game: Game) -> None:
        """The listener may push frames of its own."""
        self.done(game)
        hook = HOOKS[self.hook]
        what = hook.data(*self.happened) if hook.data else self.happened
        hook.listeners[self.power](game, self.owner, self.card, what)


class Grant(Frame):
    """Lies under what a power grants, so that whatever happens inside it can be told apart (P36)."""

    power: str
    owner: int

    def start(self, game: Game) -> None:
        """All of it is over."""
        self.done(game)


def inside(game: Game, power: str, owner: int) -> bool:
    """Whether the game is in the middle of something that this power granted to `owner`."""
    return any(type(f) is Grant and f.power == power and f.owner == owner for f in game.stack)


class Notice(Frame):
    """An event without a body: lets powers react before something else happens."""

    hook: str
    happened: tuple[Any, ...]

    def start(self, game: Game) -> None:
        """Only note it; the event's settling does the rest."""
        self.done(game)
        hook = HOOKS[self.hook]
        assert hook.data is not None
        game.trigger(hook, *self.happened)


def announce(game: Game, hook: Hook, *happened: Any) -> None:
    """Let the powers that listen to `hook` react now, before the next step; `happened` fills `hook.data`."""
    if game.hooks & hook.mask:
        game.perform(Notice(hook.name, happened))


def innermost(game: Game) -> Settle:
    """The event in progress."""
    for frame in reversed(game.stack):
        if type(frame) is Settle and frame.step != "react":
            return frame
    raise AssertionError("cards and credits move only inside an event")


def note(game: Game, hook: Hook, happened: Any) -> None:
    """Let the powers that listen now react to `happened` when the event in progress is over."""
    reactions: tuple[Reaction, ...] = ()
    for seat in game.clockwise(game.lead):
        for card, _ in game.listening(hook, seat):
            power = game.power_of(card)
            if hook is FULFILLED and card in happened.contracts and power not in hook.own:
                continue  # P8
            when = hook.when.get(power)
            if when is None or when(game, seat, card, happened):
                reactions += ((hook.name, seat, card, power, happened),)
    if reactions:
        innermost(game).reactions += reactions


def note_self(game: Game, hook: Hook, seat: int, card: int, happened: Any) -> None:
    """The same for a power that works from where the card itself lies (Yogurt)."""
    power = game.catalogue.powers[card]
    if power in hook.listeners:
        innermost(game).reactions += ((hook.name, seat, card, power, happened),)


def type_of_good(game: Game, seat: int, card: int) -> int:
    """The type a Good counts as: its colour, or for a Capital Good that of the leftmost other one (P22)."""
    from arena.game.goods import good_types

    player = game.players[seat]
    return good_types(game, seat)[player.goods.index(card)]


# Checks 4 and 5 of Q29


def check_end(game: Game) -> None:
    """Wins by power, then end triggers; both only after the outermost event (P7), and not in scoring (P25)."""
    if game.ending:
        from arena.game.due import scoring

        if scoring(game):
            return None
    if game.hooks & WIN_CHECK.mask:
        from arena.game.scoring import win

        winning = [
            (seat, game.power_of(card))
            for seat in game.clockwise(game.lead)
            for card, wins in game.listening(WIN_CHECK, seat)
            if wins(game, seat, card)
        ]
        if winning:
            return win(game, [seat for seat, _ in winning], winning[0][1])
    if not game.ending:
        for player in game.players:
            if player.credits >= END_CREDITS and player.credits >= end_threshold(game, player.seat):
                return trigger_end(game, "credits")
        if game.ran_dry or (not game.pile and not game.discard):
            trigger_end(game, "cards")
    game.ran_dry = False


def end_threshold(game: Game, seat: int) -> int:
    """Credits with which `seat` triggers the end (R13.1a), as the powers of all players change it."""
    threshold = END_CREDITS
    if game.hooks & END_THRESHOLD.mask:
        for owner in game.clockwise(game.lead):
            threshold = game.query(END_THRESHOLD, owner, threshold, seat)
    return threshold


def trigger_end(game: Game, reason: str) -> None:
    """From now on the end cannot be undone (Q61); the turn is finished first (R13.2)."""
    game.ending = reason
    game.emit("end-triggered", reason=reason)
