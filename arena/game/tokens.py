"""Physical Containers in place of cards (R20): the stock, and the way from a token back to a card.

In variant 1 (`tokens`) a card that would become a Container is discarded and a token of its colour is put
aboard; in variant 2 (`tokens-everywhere`) the same holds for Crew and Goods. Each token has a number behind
those of the cards and an id like `luxury-token-3`, so that it lies in zones and on frames as a card does;
`game.tokens` is the mask of those that are out of the stock. What a move does with them stands in `moves`
and `ships`; games without tokens come here for nothing.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from arena.game.catalogue import Catalogue
from arena.game.terms import FIVE

if TYPE_CHECKING:
    from arena.game.game import Game

CARDS: Final = "cards"
CONTAINERS: Final = ("cards", "tokens", "tokens-everywhere")
"""What the Containers are: cards, tokens (V1), or tokens that serve as Crew and Goods too (V2)."""

STOCK: Final = 40  # tokens of each colour that get numbers at once; the stock has no limit (Q103)


@lru_cache(16)
def catalogue_with(catalogue: Catalogue, tokens: int) -> Catalogue:
    """The same cards with so many tokens of each colour behind them."""
    return catalogue.with_tokens(tokens)


def aboard(game: Game) -> bool:
    """Whether the Containers are tokens (V1, V2)."""
    return game.options.containers != CARDS


def everywhere(game: Game) -> bool:
    """Whether Crew and Goods are tokens too (V2)."""
    return game.options.containers == CONTAINERS[2]


def areas(game: Game) -> tuple[str, ...]:
    """Where tokens lie in this game."""
    return ("containers", "crew", "goods") if everywhere(game) else ("containers",) if aboard(game) else ()


def is_token(game: Game, number: int) -> bool:
    """Whether a number is that of a token, not of a card."""
    return number >= game.catalogue.first_token


def take(game: Game, color: int) -> int:
    """A token of this colour out of the stock: the lowest number that is free (R20.1)."""
    place = color
    while game.tokens >> place & 1:
        place += len(FIVE)
    game.tokens |= 1 << place
    make_room(game, place)
    return game.catalogue.first_token + place


def out(game: Game) -> list[int]:
    """The tokens that are out of the stock, by number."""
    first = game.catalogue.first_token
    return [first + place for place in range(game.tokens.bit_length()) if game.tokens >> place & 1]


def put_back(game: Game, token: int) -> None:
    """A token goes to the stock; it is no card, so nothing is discarded (Q88)."""
    game.tokens &= ~(1 << token - game.catalogue.first_token)
    game.marks.pop(token, None)
    game.emit("stock", token=game.catalogue.ids[token])


def make_room(game: Game, place: int) -> None:
    """Number more tokens, if the one of this bit of `game.tokens` has no number yet."""
    while place >= len(FIVE) * game.catalogue.tokens:
        game.catalogue = catalogue_with(game.catalogue, game.catalogue.tokens + STOCK)
        more = bytes(len(game.catalogue.ids) - len(game.zones))
        game.zones += more
        game.batches += more


def to_card(game: Game, token: int) -> int:
    """The token goes to the stock and the discard pile is searched for a card of its colour (R20.3, Q103).

    Card by card from the top; the first that matches leaves the pile, the rest keeps its order. Those passed
    over are shown to all (P29). Returns 0 without a match: then nothing arrives.
    """
    from arena.game.goods import is_type

    color = game.catalogue.colors[token]
    ids = game.catalogue.ids
    put_back(game, token)
    passed: list[str] = []
    for place in range(len(game.discard) - 1, -1, -1):
        if is_type(game, game.discard[place], color):
            card = game.discard.pop(place)
            game.emit("match", token=ids[token], card=ids[card], passed=passed)
            return card
        passed.append(ids[game.discard[place]])
    game.emit("match", token=ids[token], card=None, passed=passed)
    return 0
