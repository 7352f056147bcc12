"""The smallest moves of cards and credits. Each changes the state, tells it, and notes what powers must see.

Nobody is asked here, and no limit is checked: an area may be too full until its event ends (P7).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.game import knowledge, tokens
from arena.game.chance import shuffle
from arena.game.hooks import DRAWN, PAID
from arena.game.settle import innermost
from arena.game.terms import CAPITAL

if TYPE_CHECKING:
    from arena.game.game import Game


# Credits


def gain(game: Game, seat: int, amount: int, why: str) -> None:
    """Take credits from the bank, which cannot run out (Q8)."""
    if amount:
        player = game.players[seat]
        player.credits += amount
        game.emit("credits", seat=seat, change=amount, credits=player.credits, why=why)


def pay(game: Game, seat: int, amount: int, why: str, to: int = -1) -> bool:
    """Pay the bank, or the player `to`, all or nothing (R15.6, R15.7); returns whether it was paid."""
    player = game.players[seat]
    if amount <= 0 or player.credits < amount:
        return False
    player.credits -= amount
    game.emit("credits", seat=seat, change=-amount, credits=player.credits, why=why)
    if to >= 0:
        gain(game, to, amount, why)
    game.trigger(PAID, seat, amount)
    return True


# The draw pile, the discard pile and the Island


def take_top(game: Game, seat: int = -1) -> int:
    """Take the top card of the draw pile, 0 if there is none; hidden from all but `seat`, which gets it.

    The pile is refilled the instant its last card leaves it (R3.3, Q24); a card that is not there leaves
    `ran_dry` set (Q23).
    """
    if not game.pile:
        refill(game)
        if not game.pile:
            game.ran_dry = True
            return 0
    card = game.pile.pop()
    if seat >= 0 and not game.face_up:
        knowledge.drawn_unseen(game, seat)
    else:
        knowledge.seen(game, card, knowledge.hand(seat) if seat >= 0 else 0)
    if not game.pile:
        refill(game)
    if game.face_up:
        show_top(game)
    return card


def refill(game: Game) -> None:
    """Shuffle the discard pile into a new draw pile (R3.3)."""
    if game.discard:
        knowledge.reshuffled(game)
        game.pile, game.discard = game.discard, []
        game.pile.sort()  # so that the order of discarding does not matter to chance
        shuffle(game, game.pile)
        game.emit("shuffle", cards=len(game.pile))


def show_top(game: Game) -> None:
    """With the pile face up its top card is public at each moment (Yerba Mate, P29)."""
    top = game.catalogue.ids[game.pile[-1]] if game.pile else None
    game.emit("top", card=top)


def draw(game: Game, seat: int, count: int, through: str = "", *, shown: bool = False) -> tuple[int, ...]:
    """One draw event (P13): up to `count` cards from the pile into the hand of `seat`; `shown` to all or not."""
    if shown:
        cards = [card for card in (take_top(game) for _ in range(count)) if card]
        for card in cards:
            knowledge.seen(game, card, knowledge.hand(seat))
    elif 0 < count < len(game.pile) and not game.face_up:
        cards = game.pile[-count:]
        del game.pile[-count:]
        knowledge.drawn_unseen(game, seat)
    else:
        cards = [card for card in (take_top(game, seat) for _ in range(count)) if card]
    add_to_hand(game, seat, cards)
    ids = [game.catalogue.ids[card] for card in cards]
    if shown or game.face_up:
        game.emit("draw", seat=seat, count=len(cards), cards=ids)
    else:
        game.emit_secret("draw", {seat: {"cards": ids}}, seat=seat, count=len(cards))
    if cards:
        game.trigger(DRAWN, seat, len(cards), through)
    return tuple(cards)


def discard(game: Game, *cards: int) -> None:
    """Put cards face up on the discard pile, the last one on top (R1.7); a token goes to the stock (Q88)."""
    ids, front = game.catalogue.ids, game.catalogue.front
    for card in cards:
        if game.tokens and tokens.is_token(game, card):
            tokens.put_back(game, card)
            continue
        if game.copies or game.marks:
            forget(game, card)
        card = front[card]
        game.discard.append(card)
        game.zones[card] = 0
        game.emit("discard", card=ids[card])


def to_token(game: Game, card: int, color: int) -> int:
    """The card is discarded and a token of this colour comes out of the stock in its place (R20.1)."""
    discard(game, card)
    return tokens.take(game, color)


def _as_card(game: Game, number: int) -> int:
    """The card that a number stands for where only cards lie: found for a token (0 if none is), or behind a side."""
    if game.tokens and tokens.is_token(game, number):
        number = tokens.to_card(game, number)
    forget(game, number)
    return game.catalogue.front[number]


def to_island(game: Game, card: int) -> None:
    """Put a card face up on the Supply Island; a token becomes a card before, if one is found (Q103)."""
    card = _as_card(game, card)
    if not card:
        return
    game.island += (card,)
    game.zones[card] = 0
    game.emit("island", card=game.catalogue.ids[card])


def from_island(game: Game, card: int) -> None:
    """Take a card away from the Supply Island."""
    game.island = without(game.island, game.catalogue.front[card])


# Hands


def add_to_hand(game: Game, seat: int, cards: list[int] | tuple[int, ...]) -> None:
    """Put cards into a hand, which is kept by card number (Q104)."""
    if cards:
        player = game.players[seat]
        player.hand = tuple(sorted((*player.hand, *cards)))


def seen_to_hand(game: Game, seat: int, card: int) -> None:
    """Put a card that everybody has seen into a hand; a token becomes a card before, if one is found (Q103)."""
    card = _as_card(game, card)
    if not card:
        return
    add_to_hand(game, seat, (card,))
    knowledge.seen(game, card, knowledge.hand(seat))
    game.emit("hand", seat=seat, card=game.catalogue.ids[card])


def from_hand(game: Game, seat: int, card: int) -> None:
    """Take a card out of a hand and show it to all; the caller says where it goes."""
    player = game.players[seat]
    card = game.catalogue.front[card]
    player.hand = without(player.hand, card)
    game.zones[card] = 0


def hand_over(game: Game, giver: int, receiver: int, cards: tuple[int, ...]) -> None:
    """Cards go from hand to hand; these two players alone see which (P29)."""
    if not cards:
        return
    player = game.players[giver]
    for card in cards:
        player.hand = without(player.hand, card)
    knowledge.moved_unseen(game, giver, receiver, cards)
    add_to_hand(game, receiver, cards)
    ids = {"cards": [game.catalogue.ids[card] for card in cards]}
    game.emit_secret("give", {giver: ids, receiver: ids}, seat=giver, to=receiver, count=len(cards))


# Crew, Goods and the fulfilled area


def add_crew(game: Game, seat: int, card: int) -> int:
    """A card comes to lie in the Crew area; returns what does, which may be a token, or 0 for nothing (yet)."""
    if tokens.aboard(game):
        card = _card_or_token(game, seat, card, "crew")
        if not card:
            return 0
    game.players[seat].crew += (card,)
    game.zones[card] = 0
    forget(game, card)
    game.emit("crew", seat=seat, card=game.catalogue.ids[card])
    settle = innermost(game)
    settle.new_crew += ((seat, card),)
    return card


def add_good(game: Game, seat: int, card: int) -> None:
    """A card comes to lie in the Goods area, to the right (Q76); it counts as added once it may stay (P34)."""
    if tokens.aboard(game):
        card = _card_or_token(game, seat, card, "goods")
        if not card:
            return
    game.players[seat].goods += (card,)
    game.zones[card] = 0
    forget(game, card)
    game.emit("good", seat=seat, card=game.catalogue.ids[card])
    settle = innermost(game)
    settle.new_goods += ((seat, card),)


def _card_or_token(game: Game, seat: int, number: int, area: str) -> int:
    """What comes to lie among Crew or Goods: a card in variant 1, a token in variant 2; 0 for nothing (yet).

    A double card that is found for a token lies with the side of that colour up (P23). A grey card has no token
    of its colour: its owner chooses one, and it is added then (R20.5).
    """
    if tokens.is_token(game, number) == tokens.everywhere(game):
        return number
    color = game.catalogue.colors[number]
    if not tokens.everywhere(game):
        sides = game.catalogue.sides[tokens.to_card(game, number)]
        return next(side for side in sides if not side or game.catalogue.colors[side] == color)
    if color == CAPITAL:
        from arena.game.coloring import ChooseColor

        game.push(ChooseColor(seat, number, area))
        return 0
    return to_token(game, number, color)


def tuck(game: Game, seat: int, *cards: int) -> None:
    """Cards come to lie in the fulfilled area (R11.3): limits rise, continuous powers switch on."""
    game.players[seat].fulfilled += cards
    for card in cards:
        game.zones[card] = 0
        game.emit("fulfilled", seat=seat, card=game.catalogue.ids[card])
    powers_changed(game, seat)


def untuck(game: Game, seat: int, card: int, *, keep_copy: bool = False) -> None:
    """A card leaves the fulfilled area: its power ends, limits fall (Q34, P10)."""
    player = game.players[seat]
    player.fulfilled = without(player.fulfilled, card)
    if not keep_copy:
        forget(game, card)
    powers_changed(game, seat)


def powers_changed(game: Game, seat: int) -> None:
    """Recompute what depends on the powers of `seat`: hooks, and what its Ships can take (P18)."""
    from arena.game.ships import reopen

    before = game.players[seat].hooks
    game.refresh(seat)
    reopen(game, seat, game.players[seat].hooks & ~before)
    innermost(game).limits_moved = True


def forget(game: Game, card: int) -> None:
    """A card that moves loses the power it copied and what its power kept."""
    game.copies.pop(card, None)
    game.marks.pop(card, None)


def without(cards: tuple[int, ...], card: int) -> tuple[int, ...]:
    """`cards` less one `card`, in order."""
    place = cards.index(card)
    return cards[:place] + cards[place + 1 :]
