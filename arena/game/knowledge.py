"""What may lie where, as far as the public can tell, and full games that agree with what a seat has seen.

For each card `game.zones` holds a mask of the hidden places it may be in: bit s for the hand of seat s,
bit 6 for the draw pile; 0 for a card whose place everybody sees. When somebody draws unseen, every card
that may be in the pile may now be in that hand too.

`game.batches` holds for each card the shuffle that it was last part of: 0 the deal, 1 the first new pile,
and so on. All cards in the pile are of the last one, so an onlooker can tell how many cards of each batch
a hand holds; the hands for which that is lost, because cards went from hand to hand unseen, stand in
the mask `game.mixed`. Masks, batches and the sizes of hands and pile together are what an onlooker with a
perfect memory knows. What single seats know beyond it, because a card went from hand to hand in secret or
was looked for in the pile, stands in `game.secrets` as (card, mask of the seats that know, mask of the
places it may be in).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from arena.game.chance import below, shuffle

if TYPE_CHECKING:
    from arena.game.game import Game

PILE = 1 << 6
MOST_DEALS = 64  # deals tried until one leads to the question that is open
LAST_BATCH = 255  # a game has a handful of shuffles; from here on they count as one
_AND_HAND = [bytes(mask | 1 << seat if mask & PILE else mask for mask in range(256)) for seat in range(6)]
_LEAVES_PILE = bytes(mask & ~PILE for mask in range(256))


def hand(seat: int) -> int:
    """The bit of a hand."""
    return 1 << seat


def hide_in_pile(game: Game, cards: list[int]) -> None:
    """These cards are now somewhere in the draw pile, and nothing more is known."""
    for card in cards:
        game.zones[card] = PILE
        game.batches[card] = game.batch


def drawn_unseen(game: Game, seat: int) -> None:
    """A card of the pile went into a hand unseen."""
    game.zones = game.zones.translate(_AND_HAND[seat])
    if game.secrets:
        game.secrets = tuple(
            (card, knowers, places | 1 << seat if places & PILE and not knowers >> seat & 1 else places)
            for card, knowers, places in game.secrets
        )


def reshuffled(game: Game) -> None:
    """The pile is empty, so what is still hidden is in hands; the discard pile becomes the new pile."""
    forget_public(game)
    game.zones = game.zones.translate(_LEAVES_PILE)
    game.secrets = tuple((card, knowers, places & ~PILE) for card, knowers, places in game.secrets)
    game.batch = min(game.batch + 1, LAST_BATCH)
    hide_in_pile(game, game.discard)


def moved_unseen(game: Game, giver: int, receiver: int, cards: tuple[int, ...]) -> None:
    """Cards went from hand to hand, known to these two alone (P29)."""
    source, target = 1 << giver, 1 << receiver
    table = bytes(mask | target if mask & source else mask for mask in range(256))
    game.zones = game.zones.translate(table)
    game.mixed |= source | target
    kept = []
    for card, knowers, places in game.secrets:
        if card not in cards:
            blind = knowers & ~source & ~target
            if blind:
                kept.append((card, blind, places | target if places & source else places))
            if knowers & ~blind:
                kept.append((card, knowers & ~blind, places))
    game.secrets = (*kept, *((card, source | target, target) for card in cards))


def seen(game: Game, card: int, place: int = 0) -> None:
    """Everybody knows where this card is: in the hand of the bit `place`, or where all see it (0)."""
    game.zones[card] = place
    if game.secrets:
        game.secrets = tuple(secret for secret in game.secrets if secret[0] != card)


def hand_shown(game: Game, seat: int) -> None:
    """A whole hand was shown to all: these cards are there, and no others."""
    own = hand(seat)
    game.zones = bytearray(mask & ~own for mask in game.zones)
    game.secrets = tuple((card, knowers, places & ~own) for card, knowers, places in game.secrets)
    for card in game.players[seat].hand:
        seen(game, card, own)


def searched(game: Game, seat: int, candidates: Collection[int]) -> None:
    """`seat` looks through the whole pile before it takes one of `candidates` from it unseen.

    It then knows of every hidden card whether it is in the pile; for the others each candidate may now be
    in its hand. That one of them surely is cannot be said here.
    """
    own = hand(seat)
    in_pile = set(game.pile)
    hidden = [card for card, mask in enumerate(game.zones) if mask & PILE]
    game.secrets = tuple(
        (card, knowers, places | own if card in candidates and places & PILE else places)
        for card, knowers, places in game.secrets
    )
    for card in hidden:
        mask = game.zones[card]
        game.secrets += ((card, own, PILE if card in in_pile else mask & ~PILE),)
        if card in candidates:
            game.zones[card] = mask | own


def forget_public(game: Game) -> None:
    """Drop secrets about cards whose place everybody sees by now."""
    if game.secrets:
        game.secrets = tuple(secret for secret in game.secrets if game.zones[secret[0]])


def sample(game: Game, seat: int | None, seed: int) -> Game:
    """Deal the hidden cards anew, so that nothing `seat` (or the public) has seen speaks against it.

    The copy continues by the rules; chance in it is seeded anew. While a decision is open, the other
    seats' answers that are already in are taken back, and so is any hint of what they were. Where another
    seat is asked in secret (Q98), which `seat` cannot know, the copy may have gone on to the next question.
    """
    again = _asks_again(game)
    drawn = 0
    for _ in range(MOST_DEALS):
        copy = _dealt(game, seat, seed, drawn)
        drawn = copy.drawn
        if _reopen_decisions(copy, game, seat, again=again):
            break
    return copy


def _dealt(game: Game, seat: int | None, seed: int, drawn: int) -> Game:
    """A copy with other hidden cards; its decisions are still those of the game."""
    copy = game.clone()
    copy.seed, copy.drawn = seed, drawn
    own = 0 if seat is None else 1 << seat
    copy.secrets = tuple((card, own, known) for card, knowers, known in game.secrets if knowers & own)
    for frame in copy.stack:
        frame.take_back(seat)
    places = _possible_places(game, seat)
    room = _room(game, seat)
    if game.face_up and game.pile:  # the top card is public
        places.pop(game.pile[-1], None)
        room[PILE, ANY_BATCH] -= 1
    dealt = _assign(copy, places, room)
    for player in copy.players:
        if player.seat != seat:
            player.hand = tuple(
                sorted(card for card, (place, _) in dealt.items() if place == 1 << player.seat)
            )
    pile = sorted(card for card, (place, _) in dealt.items() if place == PILE)
    shuffle(copy, pile)
    copy.pile = pile + game.pile[-1:] if game.face_up else pile
    return copy


def _possible_places(game: Game, seat: int | None) -> dict[int, int]:
    """For each card that `seat` does not see the mask of the places it may be in."""
    own = 0 if seat is None else 1 << seat
    mine = () if seat is None else game.players[seat].hand
    places = {card: mask & ~own for card, mask in enumerate(game.zones) if mask and card not in mine}
    for card, knowers, known in game.secrets:
        if knowers & own and card in places:
            places[card] &= known
    return places


Cell = tuple[int, int]
"""A hidden place and a batch: room for cards of that batch there, or of `ANY_BATCH`."""

ANY_BATCH = -1


def _room(game: Game, seat: int | None) -> dict[Cell, int]:
    """How many cards are in each cell; all of it can be told by counting."""
    room: dict[Cell, int] = {(PILE, ANY_BATCH): len(game.pile)}
    for player in game.players:
        if player.seat != seat:
            place = hand(player.seat)
            for card in player.hand:
                cell = (place, ANY_BATCH if game.mixed & place else game.batches[card])
                room[cell] = room.get(cell, 0) + 1
    return room


def _assign(dice: Game, masks: dict[int, int], room: dict[Cell, int]) -> dict[int, Cell]:
    """Put every card into a possible cell so that all cells are full; at random, the least free first."""
    alike: dict[tuple[int, int], list[Cell]] = {}  # most cards may be in the same cells
    places: dict[int, list[Cell]] = {}
    for card, mask in masks.items():
        batch = dice.batches[card]
        if (mask, batch) not in alike:
            alike[mask, batch] = [cell for cell in room if mask & cell[0] and cell[1] in (ANY_BATCH, batch)]
        places[card] = alike[mask, batch]
    order = sorted(places)
    shuffle(dice, order)
    order.sort(key=lambda card: len(places[card]))
    dealt: dict[int, Cell] = {}
    held: dict[Cell, list[int]] = {place: [] for place in room}

    def put(card: int, tried: set[Cell]) -> bool:
        free = [(place, room[place] - len(held[place])) for place in places[card]]
        total = sum([left for _, left in free])  # none is below 0
        if total:
            pick = below(dice, total)
            for place, left in free:
                if left > 0:
                    if pick < left:
                        held[place].append(card)
                        dealt[card] = place
                        return True
                    pick -= left
        for place, _ in free:  # all full: move another card away
            if place in tried:
                continue
            tried.add(place)
            for index, other in enumerate(held[place]):
                if put_elsewhere(other, place, tried):
                    held[place][index] = card
                    dealt[card] = place
                    return True
        return False

    def put_elsewhere(card: int, place: Cell, tried: set[Cell]) -> bool:
        for target in places[card]:
            if target != place:
                if len(held[target]) < room[target]:
                    held[target].append(card)
                    dealt[card] = target
                    return True
                if target not in tried:
                    tried.add(target)
                    for index, other in enumerate(held[target]):
                        if put_elsewhere(other, target, tried):
                            held[target][index] = card
                            dealt[card] = target
                            return True
        return False

    for card in order:
        if not put(card, set()):
            raise AssertionError(f"card {card} fits nowhere: what is known of the cards contradicts itself")
    return dealt


def _asks_again(game: Game) -> bool:
    """Whether the step of the top frame, done again, asks what is asked now.

    If not, the question came from what was done with the last answer, as that about a tie of bids does.
    """
    if not game.asking:
        return False
    trial = game.clone()
    trial.asking = trial.answers = ()
    trial.together = False
    trial.run()
    return trial.asking == game.asking


def _reopen_decisions(copy: Game, game: Game, seat: int | None, *, again: bool) -> bool:
    """Open decisions of other seats depend on their hidden cards: let the top frame ask `again`.

    It asks even if the sampled hand leaves a single answer, so that the sample stays at the same moment.
    Returns whether it does: with some hands nobody would be asked.
    """
    others = [decision for decision in game.asking if decision.seat != seat]
    if not others:
        return True
    if game.together:
        copy.answers = tuple(
            answer if decision.seat == seat else (-1 if len(decision.options) > 1 else 0)
            for decision, answer in zip(game.asking, game.answers, strict=True)
        )
    if again and not (game.together and game.asking[0].kind == "bid"):
        copy.asking = copy.answers = ()
        copy.together = False
        copy.events = []
        copy.patient = True
        copy.run()
        copy.patient = False
        copy.events = []
        if game.together:
            _keep_answer(copy, game, seat)
    if any(decision.secret for decision in others):
        return True
    return [decision[:2] for decision in copy.asking] == [decision[:2] for decision in game.asking]


def _keep_answer(copy: Game, game: Game, seat: int | None) -> None:
    """What `seat` has answered itself stands."""
    answered = {d.seat: answer for d, answer in zip(game.asking, game.answers, strict=True)}
    copy.answers = tuple(
        answered.get(d.seat, answer) if d.seat == seat else answer
        for d, answer in zip(copy.asking, copy.answers, strict=True)
    )
